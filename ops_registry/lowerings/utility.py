"""Utility functions (standard section "Utility Functions")."""

from __future__ import annotations

from .. import dtypes
from ..builder import Builder
from ..program import Value
from ..shapes import axes_tuple, reduced
from .registry import lowering


@lowering("all", "any")
def _truth(b: Builder, x: Value, axis: int | tuple[int, ...] | None, keepdims: bool) -> Value:
    axes = axes_tuple(b.function, axis, x.ndim)
    if x.size == 0:
        return b.fill(b.function == "all", dtypes.bool_, reduced(x.shape, axes, keepdims))
    told = x if x.dtype is dtypes.bool_ else b.elementwise("NotEqual", x, b.literal(0, x.dtype))
    return b.reduce("ReduceAll" if b.function == "all" else "ReduceAny", told, axes, keepdims)
