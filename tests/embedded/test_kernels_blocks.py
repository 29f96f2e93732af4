"""Kernels that move blocks of elements, and those that read or write where indices or a mask say: bit by bit."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from test_kernels import Array, cases, complete, rounded, run, run_all, same, samples, small, truncated, wide

from ascendtensor.embedded.kernels import KERNELS
from ops_registry import dtypes

Row = tuple[dtypes.DType, ...]
# Inputs, attributes, and the outputs that are wanted.
Cases = Iterator[tuple[list[Any], dict[str, Any], list[Array]]]
MOVES: dict[str, Callable[[Array, Any], Cases]] = {}


def move(*op_types: str) -> Callable[[Any], Any]:
    def register(function: Any) -> Any:
        MOVES.update(dict.fromkeys(op_types, function))
        return function

    return register


@move("ExpandD")
def _expand(x: Array, row: Any) -> Cases:
    for shape, to in [((2, 1, 3), [4, 2, 5, 3]), ((), [2, 2]), ((1,), [0])]:
        value = np.resize(x, shape)
        yield [value], {"shape": to}, [np.broadcast_to(value, to)]


@move("Flatten")
def _flatten(x: Array, row: Any) -> Cases:
    for shape, axis, to in [
        ((2, 3, 4), 1, (2, 12)),
        ((2, 3), 0, (1, 6)),
        ((2, 3), 2, (6, 1)),
        ((3, 0), -1, (3, 0)),
        ((), 0, (1, 1)),
    ]:
        value = np.resize(x, shape)
        yield [value], {"axis": axis}, [value.reshape(to)]


@move("TileD")
def _tile(x: Array, row: Any) -> Cases:
    for shape, times in [((2, 3), [2, 1]), ((), []), ((3,), [0]), ((2, 1, 2), [1, 3, 2])]:
        value = np.resize(x, shape)
        yield [value], {"multiples": times}, [np.tile(value, times)]


@move("RepeatInterleave")
def _repeat(x: Array, row: Any) -> Cases:
    for shape, repeats, axis in [
        ((2, 3), [2], 1),
        ((2, 3), [3, 0], 0),
        ((2, 2), 2, 1000),
        ((4,), [0, 1, 2, 3], -1),
        ((0,), [2], 0),
    ]:
        value, times = np.resize(x, shape), np.array(repeats, row[1])
        lines = value.reshape(-1) if axis == 1000 else np.moveaxis(value, axis, 0)
        each = np.broadcast_to(times, (len(lines),)).tolist()
        picked = [line for line, n in zip(lines, each, strict=True) for _ in range(n)]
        wanted = np.array(picked, value.dtype).reshape(len(picked), *lines.shape[1:])
        yield [value, times], {"axis": axis}, [wanted if axis == 1000 else np.moveaxis(wanted, 0, axis)]


@move("Roll")
def _roll(x: Array, row: Any) -> Cases:
    value = np.resize(x, (3, 4))
    yield [value], {"shifts": [1, -2], "dims": [0, -1]}, [np.roll(np.roll(value, 1, 0), -2, 1)]
    yield [value], {"shifts": [1, 1], "dims": [1, 1]}, [np.roll(value, 2, 1)]
    yield [value], {"shifts": [5], "dims": []}, [np.roll(value.reshape(-1), 5).reshape(3, 4)]
    yield [value[:0]], {"shifts": [5], "dims": [0]}, [value[:0]]


def _splits(x: Array) -> Iterator[tuple[Array, int, list[int]]]:
    for shape, axis, sizes in [((4, 3), 0, [2, 2]), ((2, 6), -1, [2, 2, 2]), ((2, 3, 2), 1, [3]), ((0, 2), 1, [1, 1])]:
        yield np.resize(x, shape), axis, sizes


def _parts(value: Array, axis: int, sizes: list[int]) -> list[Array]:
    ends = list(itertools.accumulate(sizes))
    return [value.take(range(end - size, end), axis) for end, size in zip(ends, sizes, strict=True)]


@move("Split")
def _split(x: Array, row: Any) -> Cases:
    x = samples(row[1])
    for value, axis, sizes in _splits(x):
        yield [np.array(axis, np.int32), value], {"num_split": len(sizes)}, _parts(value, axis, sizes)


@move("SplitD")
def _split_d(x: Array, row: Any) -> Cases:
    for value, axis, sizes in _splits(x):
        yield [value], {"split_dim": axis, "num_split": len(sizes)}, _parts(value, axis, sizes)


@move("SplitV")
def _split_v(x: Array, row: Any) -> Cases:
    more = [(np.resize(x, (2, 5)), 1, [1, 0, 4], [1, 0, 4]), (np.resize(x, (6,)), 0, [2, -1, 1], [2, 3, 1])]
    for value, axis, given, sizes in [*((v, a, s, s) for v, a, s in _splits(x)), *more]:
        inputs = [value, np.array(given, row[1]), np.array(axis, row[2])]
        yield inputs, {"num_split": len(sizes)}, _parts(value, axis, sizes)


@move("Unpack")
def _unpack(x: Array, row: Any) -> Cases:
    for shape, axis in [((3, 2), 0), ((3, 2), 1), ((2, 3, 2), -1), ((3,), 0), ((2, 0), 0)]:
        value = np.resize(x, shape)
        parts = [value.take(place, axis) for place in range(shape[axis])]
        yield [value], {"num": shape[axis], "axis": axis}, [np.asarray(part, value.dtype) for part in parts]


@move("Slice")
def _slice(x: Array, row: Any) -> Cases:
    for shape, offsets, size in [((3, 4), [1, 0], [2, 3]), ((5,), [2], [-1]), ((), [], []), ((2, 3), [2, 0], [0, -1])]:
        value = np.resize(x, shape)
        index = tuple(slice(o, None if n < 0 else o + n) for o, n in zip(offsets, size, strict=True))
        yield [value, np.array(offsets, row[1]), np.array(size, row[2])], {}, [value[index]]


@move("StridedSliceD")
def _strided_slice(x: Array, row: Any) -> Cases:
    value = np.resize(x, (3, 4, 5))
    attrs: dict[str, Any] = {"begin": [1, 0, 4], "end": [3, 4, 0], "strides": [1, 2, -2]}
    yield [value], attrs, [value[1:3, 0:4:2, 4:0:-2]]
    yield [value], attrs | {"begin_mask": 1, "shrink_axis_mask": 2, "new_axis_mask": 4}, [value[0:3, 0, None]]


@move("StridedSliceAssignV2")
def _assign(x: Array, row: Any) -> Cases:
    var = np.resize(x, (4, 5))
    for index, numbers, axes in [
        ((slice(1, 3), slice(0, 5, 2)), ([1, 0], [3, 5], [1, 2]), None),
        ((slice(None), slice(4, 1, -1)), ([4], [1], [-1]), [1]),
        ((slice(2, 2),), ([2], [2], [1]), [0]),
    ]:
        value = np.resize(x[::-1], var[index].shape)
        wanted = var.copy()
        wanted[index] = value
        consts = [np.array(n, np.int64) for n in numbers]
        yield [var, value, *consts, axes and np.array(axes, np.int64)], {}, [wanted]


def _padded(value: Array, widths: list[tuple[int, int]], place: Callable[[int, int], int | None], fill: Any) -> Array:
    """place: the element that a place takes, by the distance from the start and the length; None for the fill."""
    sources = [
        [place(i - before, n) for i in range(before + n + after)]
        for n, (before, after) in zip(value.shape, widths, strict=True)
    ]
    out = np.full([len(line) for line in sources], fill, value.dtype)
    for where in np.ndindex(out.shape):
        source = [line[i] for line, i in zip(sources, where, strict=True)]
        if None not in source:
            out[where] = value[tuple(source)]
    return out


def _inside(i: int, n: int) -> int | None:
    return i if 0 <= i < n else None


PLACES: dict[str, Callable[[int, int], int | None]] = {
    "constant": _inside,
    "edge": lambda i, n: min(max(i, 0), n - 1),
    "reflect": lambda i, n: -i if i < 0 else 2 * (n - 1) - i if i >= n else i,
    "symmetric": lambda i, n: -1 - i if i < 0 else 2 * n - 1 - i if i >= n else i,
}


@move("Pad")
def _pad(x: Array, row: Any) -> Cases:
    for shape, widths in [((2, 3), [(1, 0), (0, 2)]), ((), []), ((0, 2), [(1, 1), (0, 0)]), ((4,), [(0, 0)])]:
        value = np.resize(x, shape)
        yield [value, np.array(widths, row[1]).reshape(-1, 2)], {}, [_padded(value, widths, _inside, 0)]


@move("PadV2")
def _pad_value(x: Array, row: Any) -> Cases:
    for inputs, _, _ in _pad(x, row):
        value, widths = inputs
        yield [value, widths, x[2:3].reshape(())], {}, [_padded(value, widths.tolist(), _inside, x[2])]


@move("PadV3")
def _pad_mode(x: Array, row: Any) -> Cases:
    value, widths = np.resize(x, (3, 4)), [(1, 2), (0, 3)]
    for mode in ("constant", "edge", "reflect"):
        flat = np.array(widths, row[1])
        fill = x[2:3] if mode == "constant" else None
        wanted = _padded(value, widths, PLACES[mode], x[2])
        yield [value, flat.reshape(-1), fill], {"mode": mode}, [wanted]
        yield [value, flat.T.reshape(-1), fill], {"mode": mode, "paddings_contiguous": False}, [wanted]
    yield [value, np.array(widths, row[1]), None], {}, [_padded(value, widths, _inside, 0)]


@move("MirrorPad")
def _mirror(x: Array, row: Any) -> Cases:
    value, widths = np.resize(x, (3, 4)), [(1, 2), (0, 3)]
    for mode in ("REFLECT", "SYMMETRIC"):
        yield [value, np.array(widths, row[1])], {"mode": mode}, [_padded(value, widths, PLACES[mode.lower()], 0)]
    yield [value[:0], np.zeros((2, 2), row[1])], {"mode": "REFLECT"}, [value[:0]]


@move("Gather")
def _gather(x: Array, row: Any) -> Cases:
    value = np.resize(x, (4, 3))
    for indices in ([[2, 0], [1, 1]], 3, []):
        index = np.array(indices, row[1])
        yield [value, index], {}, [value[index.astype(np.int64)]]
    index = np.array([[-1, 0], [1, 2], [0, 0], [2, -3]], row[1])
    wanted = np.stack([line[places] for line, places in zip(value, index, strict=True)])
    yield [value, index], {"batch_dims": 1, "negative_index_support": True}, [wanted]


@move("GatherV3")
def _gather_v3(x: Array, row: Any) -> Cases:
    value, index = np.resize(x, (4, 3)), np.array([[2, 0], [1, 1]], row[1])
    yield [value, index, np.array(1, row[2])], {}, [value[:, index.astype(np.int64)]]


@move("GatherV2D")
def _gather_v2_d(x: Array, row: Any) -> Cases:
    value, index = np.resize(x, (4, 3)), np.array([[2, 0], [1, 1]], row[1])
    yield [value, index], {"axis": -1}, [value[:, index.astype(np.int64)]]
    yield [value, index[0]], {"axis": 0}, [value[index[0].astype(np.int64)]]


@move("GatherElements")
def _gather_elements(x: Array, row: Any) -> Cases:
    value = np.resize(x, (3, 4))
    for indices, dim in [([[0, 2, 1, 1]], 0), ([[3, -4, 0], [1, 1, 2]], 1), (np.zeros((0, 4)), 0)]:
        index = np.array(indices).astype(row[1])
        wanted = np.empty(index.shape, value.dtype)
        for place in np.ndindex(index.shape):
            source = list(place)
            source[dim] = int(index[place])
            wanted[place] = value[tuple(source)]
        yield [value, index], {"dim": dim}, [wanted]


@move("GatherNd")
def _gather_nd(x: Array, row: Any) -> Cases:
    value = np.resize(x, (3, 4, 2))
    for indices in ([[0, 1], [2, 3]], [[[1]], [[2]]], [[2, 3, 1]], np.zeros((2, 0)), np.zeros((0, 2))):
        index = np.array(indices).astype(row[1])
        places = [index[where].tolist() for where in np.ndindex(index.shape[:-1])]
        wanted = np.array([value[tuple(place)] for place in places], value.dtype)
        yield [value, index], {}, [wanted.reshape(*index.shape[:-1], *value.shape[index.shape[-1] :])]
    yield [value, np.array([[-1, -4]], row[1])], {"negative_index_support": True}, [value[-1, -4][None]]


@move("OneHot", "OneHotD")
def _one_hot(x: Array, row: Any) -> Cases:
    by_input = len(row) == 5
    on, off = samples(row[-1])[1:2].reshape(()), samples(row[-1])[:1].reshape(())
    for indices, axis in [([[0, 3], [1, 9]], -1), ([2, 0], 0), (1, -1), ([[1, 1]], 1), ([], -1)]:
        places = np.array(indices).astype(row[0])
        wanted = np.stack([np.where(places == place, on, off) for place in range(4)], axis)
        depth = [np.array(4, row[1])] if by_input else []
        yield [places, *depth, on, off], {"axis": axis} | ({} if by_input else {"depth": 4}), [wanted.astype(row[-1])]


@move("Select")
def _select(x: Array, row: Any) -> Cases:
    x1, x2 = np.resize(samples(row[1]), (3, 4)), np.resize(samples(row[1])[::-1], (3, 4))
    for condition in (np.resize([True, False, False], (3, 4)), np.array([True, False, True]), np.array(False)):
        lines = condition[:, None] if condition.ndim == 1 else condition
        yield [condition, x1, x2], {}, [np.where(lines, x1, x2)]


@move("MaskedFill")
def _masked_fill(x: Array, row: Any) -> Cases:
    value = np.resize(x, (2, 3))
    for mask in (
        np.resize([True, False], (2, 3)),
        np.array([True, False, True]),
        np.resize([True, False], (4, 2, 3)),
        np.array(True),
    ):
        shape = np.broadcast_shapes(value.shape, mask.shape)
        wanted = np.broadcast_to(value, shape).copy()
        wanted[np.broadcast_to(mask, shape)] = x[2]
        yield [value, mask, x[2:3].reshape(() if mask.ndim == 2 else (1,))], {}, [wanted]


@move("MaskedScatter")
def _masked_scatter(x: Array, row: Any) -> Cases:
    value, updates = np.resize(x, (2, 3)), np.resize(x[::-1], (7,))
    for mask in (
        np.array([[True, False, True], [False, False, True]]),
        np.array([False, True, False]),
        np.zeros((2, 3), bool),
    ):
        wanted, where = value.copy(), np.broadcast_to(mask, (2, 3))
        for place, source in zip(np.argwhere(where), updates, strict=False):
            wanted[tuple(place)] = source
        yield [value, mask, updates], {}, [wanted]


@move("ScatterNdUpdate", "TensorScatterUpdate")
def _scatter_nd(x: Array, row: Any) -> Cases:
    value = np.resize(x, (3, 4, 2))
    for indices in ([[0, 1], [2, 3]], [[[1]], [[2]]], [[2, 3, 1]], np.zeros((0, 2)), [[1], [1]]):
        index = np.array(indices).astype(row[1])
        updates = np.resize(x[::-1], (*index.shape[:-1], *value.shape[index.shape[-1] :]))
        wanted = value.copy()
        for where in np.ndindex(index.shape[:-1]):
            wanted[tuple(index[where].tolist())] = updates[where]
        yield [value, index, updates], {}, [wanted]


@move("ScatterUpdate")
def _scatter_rows(x: Array, row: Any) -> Cases:
    value = np.resize(x, (4, 3))
    for indices in ([2, 0], 1, [[3, 1]], []):
        index = np.array(indices).astype(row[1])
        updates = np.resize(x[::-1], (*index.shape, 3))
        wanted = value.copy()
        wanted[index.astype(np.int64)] = updates
        yield [value, index, updates], {}, [wanted]


@pytest.mark.parametrize(("op_type", "row"), cases(MOVES))
def test_bit_by_bit(op_type: str, row: Row) -> None:
    for inputs, attrs, wanted in MOVES[op_type](samples(row[0].dtype), [dtype.dtype for dtype in row]):
        got = run_all(op_type, inputs, **attrs)
        for part, other in zip(got, wanted, strict=True):
            assert part.dtype == row[-1].dtype
            assert part.shape == other.shape
            assert part.tobytes() == other.tobytes()


# Where several values go to one place, together.

SUMS = {"ScatterAdd", "ScatterNdAdd", "ScatterNd"}


@pytest.mark.parametrize(("op_type", "row"), cases(SUMS))
def test_sums_of_what_is_scattered(op_type: str, row: Row) -> None:
    dtype = row[-1].dtype
    var = np.zeros((4, 3), dtype) if op_type == "ScatterNd" else small(dtype, (4, 3))
    indices, updates = np.array([1, 3, 1, 1]), small(dtype, (4, 3), 7)
    wanted = wide(var).copy()
    for place, update in zip(indices, updates, strict=True):
        wanted[place] = wanted[place] | update if dtype == np.bool_ else wanted[place] + wide(update[None])[0]
    index = indices if op_type == "ScatterAdd" else indices[:, None]
    if op_type == "ScatterNd":
        inputs = [index.astype(row[0].dtype), updates, np.array([4, 3], row[2].dtype)]
    else:
        inputs = [var, index.astype(row[1].dtype), updates]
    same(run(op_type, inputs), rounded(wanted, dtype))


@pytest.mark.parametrize(("op_type", "row"), cases({"ScatterElements"}))
@pytest.mark.parametrize("reduction", ["none", "add", "mul"])
def test_scattered_elements(op_type: str, row: Row, reduction: str) -> None:
    dtype = row[0].dtype
    data = small(dtype, (3, 4)) if row[0].kind != "b" else np.resize([True, False, True], (3, 4))
    for indices, axis in [([[0, 2, 1, 0], [2, 2, 0, 0]], 0), ([[3, -1], [0, 1]], 1)]:
        index = np.array(indices, row[1].dtype)
        updates = np.resize(small(dtype, (5,), 3), index.shape)
        wanted = wide(data).copy() if row[0].kind != "b" else data.copy()
        for place in np.ndindex(index.shape):
            target = list(place)
            target[axis] = int(index[place]) % data.shape[axis]
            where, update = tuple(target), wide(updates)[place] if row[0].kind != "b" else updates[place]
            wanted[where] = {"none": update, "add": wanted[where] + update, "mul": wanted[where] * update}[reduction]
        same(run(op_type, [data, index, updates], axis=axis, reduction=reduction), rounded(wanted, dtype))


@pytest.mark.parametrize("op_type", ["ScatterNdUpdate", "ScatterNdAdd", "ScatterUpdate", "ScatterAdd"])
def test_variables_are_written_in_place(op_type: str) -> None:
    var, updates = np.zeros((3, 2), np.float32), np.ones((1, 2), np.float32)
    KERNELS[op_type]([var, np.array([1] if op_type[7:9] != "Nd" else [[1]]), updates], [var], complete(op_type))
    assert var.tolist() == [[0, 0], [1, 1], [0, 0]]


def test_a_slice_is_assigned_in_place() -> None:
    var, one = np.zeros(4, np.float32), np.array([1])
    KERNELS["StridedSliceAssignV2"]([var, np.ones(2, np.float32), one, one + 2, one, None], [var], {})
    assert var.tolist() == [0, 1, 1, 0]


# What a device finds out only when it runs.

X, I64 = np.arange(12.0).reshape(3, 4), np.int64
OUTSIDE: list[tuple[str, list[Array], dict[str, Any]]] = [
    ("Gather", [X, np.array([0, 3])], {}),
    ("Gather", [X, np.array([-1])], {}),
    ("GatherV2D", [X, np.array([4])], {"axis": 1}),
    ("GatherV3", [X, np.array([4]), np.array(1)], {}),
    ("GatherElements", [X, np.array([[0, 0, 0, 3]])], {}),
    ("GatherElements", [X, np.array([[0, 0, 0, -4]])], {}),
    ("GatherNd", [X, np.array([[0, 4]])], {}),
    ("GatherNd", [X, np.array([[-1]])], {}),
    ("ScatterNdUpdate", [X, np.array([[3]]), X[:1]], {}),
    ("ScatterNdAdd", [X, np.array([[-1]]), X[:1]], {}),
    ("TensorScatterUpdate", [X, np.array([[0, 4]]), X[0, :1]], {}),
    ("ScatterNd", [np.array([[5]]), np.ones(1), np.array([4])], {}),
    ("ScatterUpdate", [X, np.array([3]), X[:1]], {}),
    ("ScatterAdd", [X, np.array([-1]), X[:1]], {}),
    ("ScatterElements", [X, np.array([[0, 0, 0, 3]]), X[:1]], {}),
    ("MaskedScatter", [X, X > 1, X[0]], {}),
]


@pytest.mark.parametrize(("op_type", "inputs", "attrs"), OUTSIDE)
def test_outside(op_type: str, inputs: list[Array], attrs: dict[str, Any]) -> None:
    with pytest.raises(IndexError, match=f"^{op_type}: "):
        run(op_type, inputs, **attrs)


def test_integers_cut_towards_zero() -> None:
    assert [truncated(*pair) for pair in ((7, 2), (-7, 2), (7, -2), (1, 0))] == [3, -3, -3, 0]
