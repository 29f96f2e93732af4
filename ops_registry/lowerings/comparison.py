"""Comparison with a tolerance."""

from __future__ import annotations

from .. import dtypes, promotion
from ..builder import Builder
from ..dtypes import DType
from ..program import Value
from .elementwise import classified, complex_abs
from .registry import lowering


def _computed_in(dtype: DType) -> DType:
    """A dtype in which differences and tolerances keep their precision: narrow floats have none to spare."""
    if dtype.kind in "biu":
        return dtypes.float64
    return dtypes.float32 if dtype.itemsize == 2 else dtype


@lowering("isclose")
def _isclose(b: Builder, x1: Value, x2: Value, rtol: float, atol: float, equal_nan: bool) -> Value:
    dtype = _computed_in(promotion.promote(x1.dtype, x2.dtype))
    x, y = b.cast(x1, dtype), b.cast(x2, dtype)
    distance, size = _magnitude(b, b.elementwise("Sub", x, y)), _magnitude(b, y)
    allowed = b.elementwise("Mul", b.literal(rtol, size.dtype), size)
    allowed = b.elementwise("Add", b.literal(atol, size.dtype), allowed)
    # To an infinity or from one every distance is infinite: only what equals it is close.
    near = b.elementwise("LogicalAnd", b.elementwise("LessEqual", distance, allowed), classified(b, "isfinite", y))
    close = b.elementwise("LogicalOr", near, b.elementwise("Equal", x, y))
    if not equal_nan:
        return close
    missing = b.elementwise("LogicalAnd", classified(b, "isnan", x), classified(b, "isnan", y))
    return b.elementwise("LogicalOr", close, missing)


def _magnitude(b: Builder, x: Value) -> Value:
    return complex_abs(b, x) if x.dtype.kind == "c" else b.op("Abs", x, shape=x.shape)
