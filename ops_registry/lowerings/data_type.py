"""Data type functions that touch data (standard section "Data Type Functions")."""

from __future__ import annotations

from .. import dtypes
from ..builder import Builder
from ..dtypes import DType
from ..program import Value
from .registry import lowering


@lowering("astype")
def _astype(b: Builder, x: Value, dtype: DType) -> Value:
    if x.dtype is dtype:
        return b.copy(x)
    if x.dtype.kind == "c" and dtype.kind not in "cb":
        raise TypeError(f"astype: {x.dtype} to {dtype} would drop the imaginary part; take real(x) first")
    return as_dtype(b, x, dtype)


def as_dtype(b: Builder, x: Value, dtype: DType) -> Value:
    """`x` as `dtype`; what is not zero is true."""
    if dtype is dtypes.bool_ and x.dtype is not dtype:
        return b.elementwise("NotEqual", x, b.literal(0, x.dtype))
    return b.cast(x, dtype)


@lowering("copy")
def _copy(b: Builder, x: Value) -> Value:
    return b.copy(x)
