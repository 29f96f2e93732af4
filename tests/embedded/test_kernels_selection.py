"""Kernels that find, select, sort and count, against plain Python."""

from __future__ import annotations

import bisect
import math
from functools import cmp_to_key
from typing import Any

import numpy as np
import pytest
from test_kernels import Array, cases, complete, run, run_all, same, samples, wide

from ascendtensor.embedded.kernels import KERNELS
from ascendtensor.embedded.shapes import UNBOUNDED, Facts, infer
from ops_registry import dtypes
from ops_registry.prototype import PROTOTYPES

Row = tuple[dtypes.DType, ...]


def plain(x: Array) -> list[Any]:
    return wide(x).tolist()


# What is not zero.


@pytest.mark.parametrize(("op_type", "row"), cases({"NonZero", "Where"}))
@pytest.mark.parametrize("shape", [(40,), (3, 4), (2, 3, 2), (0, 3), (2, 0), ()])
def test_places_of_what_is_not_zero(op_type: str, row: Row, shape: tuple[int, ...]) -> None:
    x = np.resize(samples(row[0].dtype), shape)
    attrs = {"dtype": row[1].code} if op_type == "NonZero" else {}
    places = [place for place in np.ndindex(shape) if wide(x)[place] != 0]
    wanted = np.array(places, row[1].dtype).reshape(len(places), len(shape))
    same(run(op_type, [x], **attrs), wanted)
    if op_type == "NonZero":
        same(run(op_type, [x], transpose=True, **attrs), wanted.T)


@pytest.mark.parametrize(("op_type", "row"), cases({"MaskedSelect"}))
@pytest.mark.parametrize(
    ("shape", "mask_shape"), [((3, 4), (3, 4)), ((3, 4), (4,)), ((4,), (3, 1)), ((0,), (0,)), ((), ())]
)
def test_masked_select(op_type: str, row: Row, shape: tuple[int, ...], mask_shape: tuple[int, ...]) -> None:
    x, mask = np.resize(samples(row[0].dtype), shape), np.resize([True, False, True, True, False], mask_shape)
    both = np.broadcast_shapes(shape, mask_shape)
    pairs = zip(np.broadcast_to(x, both).ravel(), np.broadcast_to(mask, both).ravel(), strict=True)
    same(run(op_type, [x, mask]), np.array([value for value, chosen in pairs if chosen], row[2].dtype))


@pytest.mark.parametrize(("op_type", "row"), cases({"ListDiff"}))
def test_list_diff(op_type: str, row: Row) -> None:
    x = np.resize(samples(row[0].dtype), (40,))
    for y in (x[3:9], x[:0], x):
        out, idx = run_all(op_type, [x, y], out_idx=row[3].code)
        wanted = [place for place, value in enumerate(plain(x)) if all(value != other for other in plain(y))]
        same(idx, np.array(wanted, row[3].dtype))
        same(out, x[wanted])


def test_what_is_found_goes_to_the_front_of_a_larger_output() -> None:
    x = np.array([0, 5, 0, 7], np.int32)
    out = np.full((3, 3), -1, np.int32)
    (shape,) = KERNELS["MaskedSelect"]([x, x > 0], [out], {}) or ()
    assert shape == (2,)
    assert out.ravel()[:3].tolist() == [5, 7, -1]
    with pytest.raises(IndexError, match=r"^MaskedSelect: 2 elements do not fit an output of 1"):
        KERNELS["MaskedSelect"]([x, x > 0], [out[:1, :1].copy()], {})


# What is distinct.


def groups(items: list[Any], ordered: bool) -> tuple[list[int], list[int], list[int]]:
    """Where the first of each group stands, how many it has, and the group of each item."""
    found: list[list[int]] = []
    for place, item in enumerate(items):
        group = next((group for group in found if items[group[0]] == item), None)
        if group is None:
            found.append([place])
        else:
            group.append(place)
    if ordered:
        found.sort(key=cmp_to_key(lambda a, b: compared(items[a[0]], items[b[0]]) or a[0] - b[0]))
    inverse = [0] * len(items)
    for number, group in enumerate(found):
        for place in group:
            inverse[place] = number
    return [group[0] for group in found], [len(group) for group in found], inverse


def compared(a: Any, b: Any) -> int:
    """NaN is larger than any number; rows by their first difference."""
    for x, y in zip(a, b, strict=True):
        if (x != x) != (y != y):
            return 1 if x != x else -1
        if x != y and x == x:
            return -1 if x < y else 1
    return 0


def lines(x: Array, axis: int | None) -> list[Any]:
    values = wide(x)
    if axis is None:
        return [(value,) for value in values.ravel().tolist()]
    return [tuple(line.ravel().tolist()) for line in np.moveaxis(values, axis, 0)]


@pytest.mark.parametrize(("op_type", "row"), cases({"UniqueWithCountsExt2"}))
@pytest.mark.parametrize("ordered", [False, True])
def test_unique(op_type: str, row: Row, ordered: bool) -> None:
    special = samples(row[0].dtype)
    few = np.resize(np.concatenate([special[:5], special[2:4]]), (4, 3))
    for x, axes in [
        (np.concatenate([special, special[::-1]]), [0]),
        (np.concatenate([special[3:], special[:9]]), []),
        (special[:0], [0]),
        (few, []),
        (few[[0, 1, 0, 3]], [0]),
        (few[:, [0, 1, 0]], [-1]),
        (np.resize(special, ()), []),
    ]:
        axis = axes[0] if axes and x.ndim > 1 else None
        items = lines(x, axis)
        attrs = {"out_idx": row[3].code, "sorted": ordered}
        inputs = [x, np.array(axes, row[1].dtype)]
        y, idx, count, inverse = run_all(op_type, inputs, return_inverse=True, **attrs)
        first, counts, inverses = groups(items, ordered)
        same(idx, np.array(first, row[3].dtype))
        same(count, np.array(counts, row[3].dtype))
        same(inverse, np.array(inverses, row[3].dtype))
        same(y, x.reshape(-1)[first] if axis is None else x.take(first, axis))
        assert run_all(op_type, inputs, **attrs)[3].shape == (0,)


@pytest.mark.parametrize(("op_type", "row"), cases({"UniqueWithCountsAndSorting"}))
@pytest.mark.parametrize("ordered", [False, True])
def test_unique_and_sorting(op_type: str, row: Row, ordered: bool) -> None:
    for shape in ((5, 7), (3,), (0,), ()):
        x = np.resize(samples(row[0].dtype)[:11], shape)
        first, counts, inverses = groups(lines(x, None), ordered)
        out = [row[0].dtype, *[row[2].dtype] * 2]
        y, inverse, count = run_all(op_type, [x], out, sorted=ordered, return_inverse=True, return_counts=True)
        same(y, x.reshape(-1)[first])
        same(inverse, np.array(inverses, row[2].dtype).reshape(shape))
        same(count, np.array(counts, row[2].dtype))
        assert [part.shape for part in run_all(op_type, [x], sorted=ordered)[1:]] == [(0,), (0,)]


@pytest.mark.parametrize(("op_type", "row"), cases({"UniqueConsecutive"}))
def test_unique_consecutive(op_type: str, row: Row) -> None:
    few = np.repeat(np.resize(samples(row[0].dtype)[:9], (4, 3)), [1, 3, 1, 2], 0)
    for x, axis in [
        (few, 1000),
        (few, 0),
        (few.T.copy(), -1),
        (few[:0], 0),
        (few[:, 0], 0),
        (few[0, :1].reshape(()), 1000),
    ]:
        items = lines(x, None if axis == 1000 else axis)
        starts = [place for place, item in enumerate(items) if not place or item != items[place - 1]]
        out = [row[0].dtype, *[row[2].dtype] * 2]
        y, idx, count = run_all(op_type, [x], out, axis=axis, return_idx=True, return_counts=True)
        same(y, x.reshape(-1)[starts] if axis == 1000 else x.take(starts, axis))
        inverse = [bisect.bisect_right(starts, place) - 1 for place in range(len(items))]
        same(idx, np.array(inverse, row[2].dtype).reshape(x.shape if axis == 1000 else (len(items),)))
        same(count, np.diff([*starts, len(items)]).astype(row[2].dtype))
        assert [part.shape for part in run_all(op_type, [x], axis=axis)[1:]] == [(0,), (0,)]


# Sorting.


def order(line: list[Any], descending: bool) -> list[int]:
    def key(a: int, b: int) -> int:
        found = compared((line[a],), (line[b],))
        return (-found if descending else found) or a - b

    return sorted(range(len(line)), key=cmp_to_key(key))


def sorted_places(x: Array, axis: int, descending: bool) -> Array:
    rows = np.moveaxis(wide(x), axis, -1)
    flat = rows.reshape(-1, rows.shape[-1]) if rows.size else rows.reshape(0, rows.shape[-1])
    places = np.array([order(line, descending) for line in flat.tolist()], np.int64).reshape(rows.shape)
    return np.moveaxis(places, -1, axis)


SORTS = [((40,), 0), ((4, 9), -1), ((4, 9), 0), ((2, 3, 4), 1), ((0, 3), 1), ((2, 0), 1)]


@pytest.mark.parametrize(("op_type", "row"), cases({"Sort", "SortV2"}))
@pytest.mark.parametrize("descending", [False, True])
def test_sorting(op_type: str, row: Row, descending: bool) -> None:
    special = samples(row[0].dtype)
    for shape, axis in SORTS:
        x = np.resize(np.concatenate([special[5:], special[::-1]]), shape)
        places = sorted_places(x, axis, descending)
        values, *indices = run_all(op_type, [x], axis=axis, descending=descending)
        same(values, np.take_along_axis(x, places, axis))
        if indices:
            same(indices[0], places.astype(np.int32))


@pytest.mark.parametrize(("op_type", "row"), cases({"TopK", "TopKD", "TopKV2"}))
@pytest.mark.parametrize("largest", [False, True])
def test_the_first_k(op_type: str, row: Row, largest: bool) -> None:
    special = samples(row[0].dtype)
    for shape, axis in SORTS:
        x = np.resize(np.concatenate([special[5:], special[::-1]]), shape)
        for k in {0, min(1, shape[axis]), shape[axis]}:
            places = sorted_places(x, axis, largest).take(range(k), axis)
            attrs: dict[str, Any] = {"dim": axis, "largest": largest}
            if op_type == "TopKD":
                inputs, attrs["k"] = [x, np.zeros(2 * shape[axis], np.float16)], k
            else:
                inputs = [x, np.array(k, np.int32)]
            values, indices = run_all(op_type, inputs, **attrs)
            same(values, np.take_along_axis(x, places, axis))
            same(indices, places.astype(np.int32))


@pytest.mark.parametrize("op_type", ["TopK", "TopKV2"])
def test_k_may_be_known_on_the_device_only(op_type: str) -> None:
    attrs = complete(op_type)
    told = infer(op_type, [Facts(dtypes.float32, (2, 5)), Facts(dtypes.int32, ())], attrs)
    assert [fact.shape for fact in told] == [(2, -1)] * 2
    assert told[0].ranges == ((2, 2), (0, UNBOUNDED))
    x = np.arange(10, dtype=np.float32).reshape(2, 5)
    outputs = [np.zeros((2, 5), np.float32), np.zeros((2, 5), np.int32)]
    assert KERNELS[op_type]([x, np.array(2, np.int32)], outputs, attrs) == ((2, 2), (2, 2))
    assert outputs[0].ravel()[:4].tolist() == [4, 3, 9, 8]
    with pytest.raises(IndexError, match=rf"^{op_type}: k is 6"):
        KERNELS[op_type]([x, np.array(6, np.int32)], outputs, attrs)


def places_in(line: list[Any], values: list[Any], right: bool) -> list[int]:
    def before(item: Any, value: Any) -> bool:
        found = compared((item,), (value,))
        return found < 0 or (right and found == 0)

    return [sum(before(item, value) for item in line) for value in values]


@pytest.mark.parametrize(("op_type", "row"), cases({"SearchSorted"}))
@pytest.mark.parametrize("right", [False, True])
def test_search_sorted(op_type: str, row: Row, right: bool) -> None:
    special = samples(row[0].dtype)
    line, values = np.sort(special[::2]), np.resize(special, (3, 9))
    attrs = {"right": right, "dtype": row[3].code}
    got = run(op_type, [line, values, None], **attrs)
    same(got, np.array(places_in(plain(line), plain(values.ravel()), right), row[3].dtype).reshape(3, 9))
    rows = np.stack([line, np.sort(special[1::2])[: len(line)].repeat(2)[: len(line)], line])
    got = run(op_type, [rows, values, None], **attrs)
    wanted = [places_in(*pair, right) for pair in zip(plain(rows), plain(values), strict=True)]
    same(got, np.array(wanted, row[3].dtype))
    mixed, sorter = line[::-1].copy(), np.arange(len(line))[::-1].copy()
    same(run(op_type, [mixed, values[0], sorter], **attrs), got[0])
    for shape in ((), (0,)):
        assert run(op_type, [line, np.resize(special, shape), None], **attrs).shape == shape


@pytest.mark.parametrize(("op_type", "row"), cases({"LowerBound", "UpperBound"}))
def test_bounds(op_type: str, row: Row) -> None:
    special = samples(row[0].dtype)
    rows, values = np.sort(np.resize(special, (2, 9)), 1), np.resize(special[::-1], (2, 7))
    wanted = [places_in(*pair, op_type == "UpperBound") for pair in zip(plain(rows), plain(values), strict=True)]
    same(run(op_type, [rows, values], out_type=row[2].code), np.array(wanted, row[2].dtype))
    assert run(op_type, [rows[:0], values[:0]], out_type=row[2].code).shape == (0, 7)


def test_a_sorter_that_reaches_outside() -> None:
    with pytest.raises(IndexError, match=r"^SearchSorted: sorter"):
        run("SearchSorted", [np.arange(3), np.arange(2), np.array([0, 1, 3])])


# Counts.


@pytest.mark.parametrize(("op_type", "row"), cases({"Bincount"}))
def test_bincount(op_type: str, row: Row) -> None:
    values = np.array([[0, 3, 1], [3, 9, 3]], np.int32)
    weights = np.array([[1, 2, 3], [4, 5, 6]], row[2].dtype)
    for size in (0, 4, 12):
        plain_counts, sums = [0] * size, [0] * size
        for value, weight in zip(values.ravel(), weights.ravel(), strict=True):
            if value < size:
                plain_counts[value] += 1
                sums[value] += weight
        number = np.array(size, np.int32)
        same(run(op_type, [values, number, weights]), np.array(sums, row[2].dtype))
        same(run(op_type, [values, number, weights.ravel()[:0]]), np.array(plain_counts, row[2].dtype))
    with pytest.raises(IndexError, match=r"^Bincount: value -1"):
        run(op_type, [np.array([-1], np.int32), np.array(2, np.int32), weights.ravel()[:1]])


@pytest.mark.parametrize(("op_type", "row"), cases({"HistogramFixedWidth"}))
def test_histogram_of_fixed_width(op_type: str, row: Row) -> None:
    x = np.array([-5, 0, 1, 2, 3, 9, 10, 99], row[0].dtype)
    bounds = np.array([0, 10], row[1].dtype)
    for bins in (1, 2, 5):
        wanted = [0] * bins
        for value in x.tolist():
            wanted[min(max(math.floor(value / 10 * bins), 0), bins - 1)] += 1
        got = run(op_type, [x, bounds, np.array(bins, np.int32)], dtype=row[3].code)
        same(got, np.array(wanted, row[3].dtype))
    with pytest.raises(ValueError, match=r"^HistogramFixedWidth: the range from 0\.0 to 0\.0 is empty"):
        run(op_type, [x, bounds * bounds.dtype.type(0), np.array(2, np.int32)])


@pytest.mark.parametrize(("op_type", "row"), cases({"HistogramV2"}))
def test_histogram(op_type: str, row: Row) -> None:
    x = np.array([0, 1, 2, 3, 9, 10, 99, 4], row[0].dtype)
    for low, high, used in ((1, 10, (1, 10)), (0, 0, (0, 99)), (5, 5, (0, 99))):
        bounds = [np.array([value], row[1].dtype) for value in (low, high)]
        wanted = np.histogram(x.astype(np.float64), 6, used)[0]
        same(run(op_type, [x, *bounds], bins=6), wanted.astype(np.int32))
    assert run(op_type, [x[:0], bounds[0], bounds[1]], bins=3).tolist() == [0, 0, 0]
    same_values = np.full(4, 7, row[0].dtype)
    assert run(op_type, [same_values, bounds[0], bounds[1]], bins=2).tolist() == [0, 4]


def test_the_ranges_of_what_only_running_tells() -> None:
    x = Facts(dtypes.float32, (2, 3))
    told = {
        "NonZero": ([x], [((0, 6), (2, 2))]),
        "Where": ([x], [((0, 6), (2, 2))]),
        "MaskedSelect": ([x, Facts(dtypes.bool_, (4, 1, 1))], [((0, 24),)]),
        "ListDiff": ([Facts(dtypes.int32, (5,)), Facts(dtypes.int32, (2,))], [((0, 5),)] * 2),
        "UniqueWithCountsAndSorting": ([x], [((1, 6),), None, None]),
        "Bincount": ([x, Facts(dtypes.int32, ()), x], [((0, UNBOUNDED),)]),
        "RandomUniform": ([Facts(dtypes.int32, (2,))], [((0, UNBOUNDED),) * 2]),
    }
    for op_type, (inputs, ranges) in told.items():
        attrs = complete(op_type, {"dtype": 0} if op_type == "RandomUniform" else {})
        outputs = infer(op_type, list(inputs), attrs)
        assert [fact.ranges for fact in outputs] == ranges, op_type
        for fact in outputs:
            if fact.ranges is not None:
                assert fact.shape == tuple(least if least == most else -1 for least, most in fact.ranges)
        assert len(outputs) == len(PROTOTYPES[op_type].outputs)
