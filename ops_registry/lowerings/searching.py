"""Searching functions (standard section "Searching Functions")."""

from __future__ import annotations

from .. import dtypes, promotion
from ..builder import Builder
from ..program import Value
from ..shapes import axis_index, reduced
from .registry import lowering


@lowering("where")
def _where(b: Builder, condition: Value, x1: Value, x2: Value) -> Value:
    if condition.dtype is not dtypes.bool_:
        raise TypeError(f"where: the condition must be a bool tensor, not one of {condition.dtype}")
    dtype = promotion.promote(x1.dtype, x2.dtype)
    return b.select(condition, b.cast(x1, dtype), b.cast(x2, dtype))


@lowering("argmax", "argmin")
def _arg_extremum(b: Builder, x: Value, axis: int | None, keepdims: bool) -> Value:
    if x.dtype.kind == "c":
        raise TypeError(f"{b.function}: complex numbers have no order; a tensor of {x.dtype} is not taken")
    if axis is None:
        shape = (1,) * x.ndim if keepdims else ()
        flat, axis = b.view(x, shape=(x.size,)), 0
    else:
        axis = axis_index(b.function, axis, x.ndim)
        shape = reduced(x.shape, (axis,), keepdims)
        flat = x
    if flat.shape[axis] == 0:
        raise ValueError(f"{b.function}: axis {axis} of a tensor of shape {x.shape} is empty and has no extreme")
    if x.dtype is dtypes.uint64:
        # Moving the zero turns unsigned order into signed order.
        signed = b.view(flat, dtypes.int64)
        flat = b.elementwise("BitwiseXor", signed, b.literal(-(2**63), dtypes.int64))
    op_type = "ArgMaxV2" if b.function == "argmax" else "ArgMin"
    index = dtypes.int64 if b.has_kernel(op_type, dtypes.float32, dtypes.int64, dtypes.int64) else dtypes.int32
    found = b.op(
        op_type,
        flat,
        b.const(axis),
        shape=reduced(flat.shape, (axis,), False),
        dtype=index,
        attrs={"dtype": index.code},
    )
    return b.view(b.cast(found, dtypes.int64), shape=shape)
