"""Set functions (standard section "Set Functions")."""

from __future__ import annotations

from .. import dtypes, promotion
from ..builder import Builder
from ..program import Value
from .creation import range_op
from .registry import lowering
from .searching import sorted_places
from .sorting import INFINITY_BITS, MAGNITUDE, integer_keys


@lowering("unique")
def _unique(b: Builder, x: Value) -> tuple[Value, ...]:
    """Of the distinct elements in ascending order: where each stands first, and how often; then each one's number.

    The values themselves are for the caller to take: how many there are is known after running only.
    """
    if not x.size:
        nothing = [b.fill(0, dtypes.int64, (0,)) for _ in range(3)]
        return tuple(nothing)
    flat = b.view(x, shape=(x.size,))
    keys = _distinct_nans(b, integer_keys(b, flat)) if x.dtype.kind == "f" else _integers(b, flat)
    outputs = [((x.size,), None), *[((x.size,), dtypes.int64)] * 3]
    attrs = {"sorted": True, "return_inverse": True}
    axis = b.view(b.literal(0, dtypes.int64), shape=(1,))
    _, first, counts, inverse = b.ops(
        "UniqueWithCountsExt2", keys, axis, outputs=outputs, attrs=attrs, data_dependent=True
    )
    return first, counts, inverse


def _integers(b: Builder, x: Value) -> Value:
    return b.view(x, dtypes.uint8) if x.dtype is dtypes.bool_ else x


def _distinct_nans(b: Builder, keys: Value) -> Value:
    """Every NaN's key its own, in the order in which they stand: no NaN equals another."""
    places = range_op(b, INFINITY_BITS + 1, INFINITY_BITS + 1 + keys.size, 1, keys.size, dtypes.int64)
    return b.select(_is_nan(b, keys), places, keys)


def _is_nan(b: Builder, keys: Value) -> Value:
    return b.elementwise("Equal", keys, b.literal(MAGNITUDE, dtypes.int64))


@lowering("isin")
def _isin(b: Builder, x1: Value, x2: Value, invert: bool) -> Value:
    dtype = promotion.promote(x1.dtype, x2.dtype)
    if x2.size == 0 or x1.size == 0:
        return b.fill(invert, dtypes.bool_, x1.shape)
    wanted = integer_keys(b, b.cast(x1, dtype))
    line = integer_keys(b, b.view(b.cast(x2, dtype), shape=(x2.size,)))
    attrs = {"axis": -1, "stable": True}
    line, _ = b.ops("Sort", line, outputs=[(line.shape, None), (line.shape, dtypes.int32)], attrs=attrs)
    places = sorted_places(b, line, wanted, right=False)
    # What is greater than all of them is held against the last, and differs from it.
    last = b.elementwise("Minimum", places, b.literal(x2.size - 1, dtypes.int64))
    found = b.elementwise("Equal", b.op("GatherV2", line, last, b.const(0), shape=last.shape), wanted)
    if dtype.kind == "f":
        number = b.op("LogicalNot", _is_nan(b, wanted), shape=wanted.shape)
        found = b.elementwise("LogicalAnd", found, number)
    return b.op("LogicalNot", found, shape=found.shape) if invert else found
