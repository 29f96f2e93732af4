"""Kernels that find as many elements as there are: what is not zero, what a mask selects, what is distinct.

Outputs have room for the most; what is found goes to their front, and the kernel tells the true shapes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..shapes.movement import FLAT
from .registry import Array, Attrs, Inputs, Outputs, TrueShapes, front, kernel, widen


@kernel("NonZero")
def _nonzero(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> TrueShapes:
    places = _coordinates(inputs[0])
    return (front("NonZero", outputs[0], places if attrs["transpose"] else places.T),)


@kernel("Where")
def _where(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> TrueShapes:
    return (front("Where", outputs[0], _coordinates(inputs[0]).T),)


def _coordinates(x: Array) -> Array:
    """A row for each dimension, a column for each element that is not zero."""
    if not x.ndim:
        return np.empty((0, int(x != 0)), np.int64)
    return np.array(np.nonzero(x), np.int64)


@kernel("MaskedSelect")
def _masked_select(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> TrueShapes:
    x, mask = np.broadcast_arrays(*inputs)
    return (front("MaskedSelect", outputs[0], x[mask]),)


@kernel("ListDiff")
def _list_diff(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> TrueShapes:
    x, y = inputs
    places = np.flatnonzero(~np.isin(widen(x), widen(y)))
    return front("ListDiff", outputs[0], x[places]), front("ListDiff", outputs[1], places)


class _Groups(NamedTuple):
    """Equal elements.

    Attributes:
        first: where the first of each group stands.
        counts: how many each has.
        inverse: which group each element is in.
    """

    first: Array
    counts: Array
    inverse: Array


def _lines(x: Array, axis: int | None) -> Array:
    """One row for each element along an axis, or for each element: what is compared as one."""
    values = widen(x)
    if axis is None:
        return values.reshape(-1, 1)
    moved = np.moveaxis(values, axis, 0)
    return moved.reshape(len(moved), moved.size // len(moved) if len(moved) else 1)


def _groups(lines: Array, ordered: bool) -> _Groups:
    """Groups of equal rows: in ascending order, or as their first ones come. No NaN equals another."""
    order = np.lexsort(lines.T[::-1]) if lines.shape[1] else np.arange(len(lines))
    return _ordered_groups(order, _runs(lines[order]), ordered)


def _ordered_groups(order: Array, starts: Array, ordered: bool) -> _Groups:
    place = np.flatnonzero(starts)
    counts = np.diff(np.append(place, len(order)))
    first = order[place]
    inverse = np.empty(len(order), np.int64)
    inverse[order] = np.cumsum(starts) - 1
    if ordered:
        return _Groups(first, counts, inverse)
    by_first = np.argsort(first)
    rank = np.empty(len(first), np.int64)
    rank[by_first] = np.arange(len(first))
    return _Groups(first[by_first], counts[by_first], rank[inverse])


def _runs(lines: Array) -> Array:
    """Whether each row differs from the one before it."""
    starts = np.ones(len(lines), np.bool_)
    starts[1:] = np.any(lines[1:] != lines[:-1], axis=1)
    return starts


@kernel("UniqueWithCountsExt2")
def _unique(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> TrueShapes:
    x, axes = inputs
    axis = int(axes.reshape(-1)[0]) if axes.size and x.ndim != 1 else None if x.ndim != 1 else 0
    groups = _groups(_lines(x, axis), attrs["sorted"])
    values = x.reshape(-1)[groups.first] if axis is None else x.take(groups.first, axis)
    inverse = groups.inverse if attrs["return_inverse"] else groups.inverse[:0]
    found = (values, groups.first, groups.counts, inverse)
    return tuple(front("UniqueWithCountsExt2", out, part) for out, part in zip(outputs, found, strict=True))


@kernel("UniqueWithCountsAndSorting")
def _unique_and_sorting(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> TrueShapes:
    x = inputs[0]
    groups = _groups(_lines(x, None), attrs["sorted"])
    inverse = groups.inverse.reshape(x.shape) if attrs["return_inverse"] else groups.inverse[:0]
    found = (x.reshape(-1)[groups.first], inverse, groups.counts if attrs["return_counts"] else groups.counts[:0])
    return tuple(front("UniqueWithCountsAndSorting", out, part) for out, part in zip(outputs, found, strict=True))


@kernel("UniqueConsecutive")
def _unique_consecutive(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> TrueShapes:
    x = inputs[0]
    axis = None if attrs["axis"] == FLAT else attrs["axis"]
    lines = _lines(x, axis)
    groups = _ordered_groups(np.arange(len(lines)), _runs(lines), ordered=True)
    places = groups.inverse.reshape(x.shape) if axis is None else groups.inverse
    found = (
        x.reshape(-1)[groups.first] if axis is None else x.take(groups.first, axis),
        places if attrs["return_idx"] else places.reshape(-1)[:0],
        groups.counts if attrs["return_counts"] else groups.counts[:0],
    )
    return tuple(front("UniqueConsecutive", out, part) for out, part in zip(outputs, found, strict=True))
