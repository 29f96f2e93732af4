"""Sorting, the largest elements, and places in what is sorted. NaN is larger than any number, as NumPy has it."""

from __future__ import annotations

import numpy as np

from .registry import Array, Attrs, Inputs, Kernel, Outputs, TrueShapes, front, kernel, store, widen


def _order(x: Array, axis: int, descending: bool) -> Array:
    """Where the elements of each line stand in it, sorted; equal ones stay in their order."""
    values = widen(x)
    if not descending:
        return np.argsort(values, axis, kind="stable")
    # Turned round, sorted and turned back: the first of equals comes first again.
    turned = np.argsort(np.flip(values, axis), axis, kind="stable")
    return np.flip(x.shape[axis] - 1 - turned, axis)


@kernel("Sort")
def _sort(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
    x, axis = inputs[0], attrs["axis"]
    order = _order(x, axis, attrs["descending"])
    store(outputs[0], np.take_along_axis(x, order, axis))
    store(outputs[1], order)


@kernel("SortV2")
def _sort_values(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
    ordered = np.sort(widen(inputs[0]), attrs["axis"])
    store(outputs[0], np.flip(ordered, attrs["axis"]) if attrs["descending"] else ordered)


def _top(op_type: str) -> Kernel:
    """The first k in order, even where any order would do."""

    def run(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> TrueShapes:
        x, axis = inputs[0], attrs["dim"]
        k = attrs["k"] if "k" in attrs else int(inputs[1].reshape(-1)[0])
        if not 0 <= k <= x.shape[axis]:
            raise IndexError(f"{op_type}: k is {k}, axis {axis} of shape {x.shape} has {x.shape[axis]}")
        order = _order(x, axis, attrs["largest"]).take(range(k), axis)
        values = np.take_along_axis(x, order, axis)
        return front(op_type, outputs[0], values), front(op_type, outputs[1], order)

    return run


for _op_type in ("TopK", "TopKD", "TopKV2"):
    kernel(_op_type)(_top(_op_type))


def _places(rows: Array, values: Array, right: bool, out: Array) -> None:
    """Where values go in sorted rows, each in its own row, before or after what equals them."""
    width = rows.shape[-1]
    lines = widen(rows).reshape(-1, width)
    wanted, result = (x.reshape(len(lines), x.size // len(lines)) for x in (widen(values), out))
    for line, numbers, places in zip(lines, wanted, result, strict=True):
        store(places, np.searchsorted(line, numbers, "right" if right else "left"))


@kernel("SearchSorted")
def _search_sorted(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
    rows, values, *sorter = inputs
    if not values.size:
        return
    if sorter and sorter[0] is not None:
        if sorter[0].size and not 0 <= sorter[0].min() <= sorter[0].max() < rows.shape[-1]:
            raise IndexError(f"SearchSorted: sorter reaches outside rows of {rows.shape[-1]}")
        rows = np.take_along_axis(rows, sorter[0], -1)
    if rows.ndim == 1:
        rows, values, out = rows[None], values.reshape(1, -1), outputs[0].reshape(1, -1)
    else:
        out = outputs[0]
    _places(rows, values, attrs["right"], out)


def _bound(right: bool) -> Kernel:
    def run(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
        if inputs[1].size:
            rows, values = inputs
            _places(rows, values, right, outputs[0])

    return run


kernel("LowerBound")(_bound(right=False))
kernel("UpperBound")(_bound(right=True))
