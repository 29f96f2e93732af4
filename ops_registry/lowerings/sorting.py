"""Sorting functions (standard section "Sorting Functions"), and the order of numbers as the kernels know it."""

from __future__ import annotations

from math import prod

from .. import dtypes
from ..builder import Builder
from ..program import Value
from ..shapes import axis_index
from .registry import lowering

_LEAST = -(2**63)
MAGNITUDE = 2**63 - 1
INFINITY_BITS = 0x7FF0_0000_0000_0000


@lowering("sort")
def _sort(b: Builder, x: Value, axis: int, descending: bool) -> Value:
    axis = axis_index("sort", axis, x.ndim)
    if x.dtype.kind == "c":
        raise _no_order(b, x)
    if x.size == 0:
        return b.copy(x)
    values, places = _sorted_last(b, _axis_to_end(b, x, axis), descending)
    if x.dtype is dtypes.float64:
        # The keys have one zero and one NaN; the elements themselves are fetched by their places.
        values = b.op("GatherElements", _axis_to_end(b, x, axis), places, shape=values.shape, attrs={"dim": x.ndim - 1})
    return _axis_from_end(b, values, axis)


@lowering("argsort")
def _argsort(b: Builder, x: Value, axis: int, descending: bool) -> Value:
    axis = axis_index("argsort", axis, x.ndim)
    if x.dtype.kind == "c":
        raise _no_order(b, x)
    if x.size == 0:
        return b.fill(0, dtypes.int64, x.shape)
    _, places = _sorted_last(b, _axis_to_end(b, x, axis), descending)
    return b.cast(_axis_from_end(b, places, axis), dtypes.int64)


@lowering("topk")
def _topk(b: Builder, x: Value, k: int, axis: int, largest: bool, in_order: bool) -> tuple[Value, Value]:
    axis = axis_index("topk", axis, x.ndim)
    if x.dtype.kind == "c":
        raise _no_order(b, x)
    if not 0 <= k <= x.shape[axis]:
        raise ValueError(f"topk: axis {axis} of a tensor of shape {x.shape} does not have {k} elements")
    shape = (*x.shape[:axis], k, *x.shape[axis + 1 :])
    if prod(shape) == 0:
        return b.fill(0, x.dtype, shape), b.fill(0, dtypes.int64, shape)
    lines = _axis_to_end(b, x, axis)
    # No kernel has bool; as bytes its values have the same order.
    ordered = b.view(lines, dtypes.uint8) if x.dtype is dtypes.bool_ else lines
    found = (*lines.shape[:-1], k)
    attrs = {"largest": largest, "sorted": in_order}
    number = b.literal(k, dtypes.int32)
    values, places = b.ops("TopKV2", ordered, number, outputs=[(found, None), (found, dtypes.int32)], attrs=attrs)
    values = _axis_from_end(b, b.view(values, x.dtype), axis)
    return values, b.cast(_axis_from_end(b, places, axis), dtypes.int64)


def _no_order(b: Builder, x: Value) -> TypeError:
    return TypeError(f"{b.function}: complex numbers have no order; a tensor of {x.dtype} is not taken")


def _sorted_last(b: Builder, x: Value, descending: bool) -> tuple[Value, Value]:
    """The elements of each line along the last axis in order, and where they were; equal ones keep their order.

    Of a float64 the first result is not what it seems: see `comparable`.
    """
    keys = comparable(b, x)
    attrs = {"axis": -1, "descending": descending, "stable": True}
    values, places = b.ops("Sort", keys, outputs=[(x.shape, None), (x.shape, dtypes.int32)], attrs=attrs)
    return _from_comparable(b, values, x), places


def comparable(b: Builder, x: Value) -> Value:
    """Numbers in the same order as those of `x`, in a dtype that sorting kernels have, or widen to."""
    if x.dtype is dtypes.bool_:
        return b.view(x, dtypes.uint8)
    if x.dtype is dtypes.uint64:
        # Moving the zero turns unsigned order into signed order.
        return b.elementwise("BitwiseXor", b.view(x, dtypes.int64), b.literal(_LEAST, dtypes.int64))
    if x.dtype is dtypes.float64:
        return float64_keys(b, b.view(x, dtypes.int64))
    return x


def integer_keys(b: Builder, x: Value) -> Value:
    """int64 numbers in the same order as those of `x`, equal ones where they are equal, a NaN above all."""
    if x.dtype.kind == "f":
        return float64_keys(b, b.view(b.cast(x, dtypes.float64), dtypes.int64))
    return comparable(b, x) if x.dtype is dtypes.uint64 else b.cast(x, dtypes.int64)


def _from_comparable(b: Builder, keys: Value, x: Value) -> Value:
    if x.dtype is dtypes.uint64:
        keys = b.elementwise("BitwiseXor", keys, b.literal(_LEAST, dtypes.int64))
    return b.view(keys, x.dtype)


def float64_keys(b: Builder, bits: Value) -> Value:
    """Integers in the order of the numbers with these bits: one for both zeros, one above all others for NaN.

    Bits are a sign and a magnitude, so a negative number's key is its magnitude, negated.
    """

    def number(value: int) -> Value:
        return b.literal(value, dtypes.int64)

    magnitude = b.elementwise("BitwiseAnd", bits, number(MAGNITUDE))
    negated = b.elementwise("Sub", number(0), magnitude)
    keys = b.select(b.elementwise("Less", bits, number(0)), negated, magnitude)
    is_nan = b.elementwise("Greater", magnitude, number(INFINITY_BITS))
    return b.select(is_nan, number(MAGNITUDE), keys)


# Kernels sort along the last axis.


def _axis_to_end(b: Builder, x: Value, axis: int) -> Value:
    return _transposed(b, x, [*(one for one in range(x.ndim) if one != axis), axis])


def _axis_from_end(b: Builder, x: Value, axis: int) -> Value:
    order = list(range(x.ndim - 1))
    order.insert(axis, x.ndim - 1)
    return _transposed(b, x, order)


def _transposed(b: Builder, x: Value, order: list[int]) -> Value:
    if order == sorted(order):
        return x
    return b.op("Transpose", x, b.const(order), shape=tuple(x.shape[axis] for axis in order))
