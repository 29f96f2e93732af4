"""Searching functions (standard section "Searching Functions")."""

from __future__ import annotations

from .. import dtypes, promotion
from ..builder import Builder
from ..program import Value
from ..shapes import axes_tuple, axis_index, reduced
from .elementwise import as_bool
from .registry import lowering
from .sorting import integer_keys


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


@lowering("nonzero")
def _nonzero(b: Builder, x: Value) -> Value:
    """A row for each dimension, a column for each element that is not zero."""
    if not x.ndim:
        raise ValueError("nonzero: a tensor of no dimensions has no positions; reshape it to (1,) first")
    attrs = {"transpose": True, "dtype": dtypes.int64.code}
    outputs = [((x.ndim, x.size), dtypes.int64)]
    (found,) = b.ops("NonZero", as_bool(b, x), outputs=outputs, attrs=attrs, data_dependent=True)
    return found


@lowering("count_nonzero")
def _count_nonzero(b: Builder, x: Value, axis: int | tuple[int, ...] | None, keepdims: bool) -> Value:
    axes = axes_tuple("count_nonzero", axis, x.ndim)
    if x.size == 0:
        return b.fill(0, dtypes.int64, reduced(x.shape, axes, keepdims))
    return b.reduce("ReduceSum", b.cast(as_bool(b, x), dtypes.int64), axes, keepdims)


@lowering("searchsorted")
def _searchsorted(b: Builder, x1: Value, x2: Value, right: bool) -> Value:
    dtype = promotion.promote(x1.dtype, x2.dtype)
    if dtype.kind not in "iuf":
        raise TypeError(f"searchsorted: {dtype} is not taken; only real numbers have an order")
    if x1.ndim != 1:
        raise ValueError(f"searchsorted: x1 must have one dimension, not {x1.ndim}")
    if not x2.size or not x1.size:
        return b.fill(0, dtypes.int64, x2.shape)
    line, values = (integer_keys(b, b.cast(x, dtype)) for x in (x1, x2))
    return sorted_places(b, line, values, right)


def sorted_places(b: Builder, line: Value, values: Value, right: bool) -> Value:
    """Where int64 values go in a line of them that is in order, before or after what equals them."""
    if not values.ndim:
        return b.view(sorted_places(b, line, b.view(values, shape=(1,)), right), shape=())
    return b.op("SearchSorted", line, values, None, shape=values.shape, dtype=dtypes.int64, attrs={"right": right})
