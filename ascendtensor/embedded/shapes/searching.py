"""What only running tells: how many elements are found."""

from __future__ import annotations

import math

from .broadcasting import broadcast_shapes
from .call import Call, Extent, Ranges, Rule, Shape, exactly
from .movement import FLAT

__all__ = ["SHAPES"]


def _positions(call: Call) -> Extent:
    """One row of coordinates for each element that is not zero, or one column."""
    shape = call.shape("x")
    ranges = ((0, math.prod(shape)), *exactly(len(shape)))
    return Extent(ranges[::-1] if call.attrs.get("transpose") else ranges)


def _masked_select(call: Call) -> Extent:
    return Extent(((0, math.prod(broadcast_shapes(call, call.shape("x"), call.shape("mask")))),))


def _list_diff(call: Call) -> list[Shape | Extent]:
    for port in ("x", "y"):
        if len(call.shape(port)) != 1:
            raise call.error(f"{port} must have 1 dimension; its shape is {call.shape(port)}")
    return [Extent(((0, call.shape("x")[0]),))] * 2


def _distinct(shape: Shape, axis: int | None) -> tuple[Ranges, tuple[int, int]]:
    """The ranges of the distinct elements along an axis, or of all of them, and that of their number."""
    if axis is None:
        shape, axis = (math.prod(shape),), 0
    found = (min(1, shape[axis]), shape[axis])
    return (*exactly(*shape[:axis]), found, *exactly(*shape[axis + 1 :])), found


def _unique(call: Call) -> list[Shape | Extent]:
    shape = call.shape("x")
    axis = None
    if math.prod(call.shape("axis")) and len(shape) != 1:
        axis = call.axis(call.scalar("axis"), shape)
    values, found = _distinct(shape, axis)
    length = math.prod(shape) if axis is None else shape[axis]
    inverse = (length,) if call.attrs["return_inverse"] else (0,)
    return [Extent(values), Extent((found,)), Extent((found,)), inverse]


def _unique_and_sorting(call: Call) -> list[Shape | Extent]:
    shape = call.shape("x")
    values, found = _distinct(shape, None)
    return [
        Extent(values),
        shape if call.attrs["return_inverse"] else (0,),
        Extent((found,)) if call.attrs["return_counts"] else (0,),
    ]


def _unique_consecutive(call: Call) -> list[Shape | Extent]:
    shape, axis = call.shape("x"), call.attrs["axis"]
    axis = None if axis == FLAT else call.axis(axis, shape)
    values, found = _distinct(shape, axis)
    places = shape if axis is None else (shape[axis],)
    return [
        Extent(values),
        places if call.attrs["return_idx"] else (0,),
        Extent((found,)) if call.attrs["return_counts"] else (0,),
    ]


def _search_sorted(call: Call) -> Shape:
    """One sorted row for all values, or one for each row of them."""
    rows, values = call.shape("sorted_sequence"), call.shape("values")
    if not rows or (len(rows) > 1 and rows[:-1] != values[:-1]):
        raise call.error(f"sorted_sequence of shape {rows} does not go with values of shape {values}")
    for sorter in call.ports["sorter"]:
        if sorter.shape != rows:
            raise call.error(f"sorter of shape {sorter.shape} does not go with sorted_sequence of shape {rows}")
    return values


def _bound(call: Call) -> Shape:
    rows, values = call.shape("sorted_x"), call.shape("values")
    if len(rows) != 2 or len(values) != 2 or rows[0] != values[0]:
        raise call.error(f"sorted_x of shape {rows} and values of shape {values} must be as many rows")
    return values


SHAPES: dict[str, Rule] = {
    "ListDiff": _list_diff,
    "LowerBound": _bound,
    "MaskedSelect": _masked_select,
    "NonZero": _positions,
    "SearchSorted": _search_sorted,
    "UniqueConsecutive": _unique_consecutive,
    "UniqueWithCountsAndSorting": _unique_and_sorting,
    "UniqueWithCountsExt2": _unique,
    "UpperBound": _bound,
    "Where": _positions,
}
