"""Softmax and its logarithm."""

from __future__ import annotations

from .. import promotion
from ..builder import Builder
from ..program import Value
from ..shapes import axis_index
from .registry import lowering


@lowering("log_softmax", "softmax")
def _softmax(b: Builder, x: Value, axis: int) -> Value:
    axis = axis_index(b.function, axis, x.ndim)
    if x.dtype.kind == "c":
        raise TypeError(f"{b.function}: complex numbers are no weights; a tensor of {x.dtype} is not taken")
    if x.dtype.kind in "biu":
        x = b.cast(x, promotion.default_float())
    if not x.size:
        return b.copy(x)
    op_type = "SoftmaxV2" if b.function == "softmax" else "LogSoftmaxV2"
    return b.op(op_type, x, shape=x.shape, attrs={"axes": [axis - x.ndim]})
