"""Kernels that move elements and compute nothing."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes
from test_kernels import Array, cases, run, samples

from ascendtensor.embedded.kernels import KERNELS
from ops_registry import dtypes

MOVES: dict[str, Callable[[Array, Any], Iterator[tuple[list[Any], dict[str, Any], Array]]]] = {}


def move(op_type: str) -> Callable[[Any], Any]:
    def register(function: Any) -> Any:
        MOVES[op_type] = function
        return function

    return register


@move("BroadcastTo")
def _broadcast_to(x: Array, row: Any) -> Iterator[Any]:
    for shape, to in [((2, 1, 3), (4, 2, 5, 3)), ((), (2, 2)), ((1,), (0,)), ((3,), (3,))]:
        value = np.resize(x, shape)
        yield [value, np.array(to, row[1])], {}, np.broadcast_to(value, to)


@move("Tile")
def _tile(x: Array, row: Any) -> Iterator[Any]:
    for shape, times in [((2, 3), (2, 1)), ((), ()), ((3,), (0,)), ((2, 1, 2), (1, 3, 2)), ((0, 2), (2, 2))]:
        value = np.resize(x, shape)
        yield [value, np.array(times, row[1])], {}, np.tile(value, times)


@move("Transpose")
def _transpose(x: Array, row: Any) -> Iterator[Any]:
    for value, attrs, wanted in _transpose_d(x, row):
        yield [*value, np.array(attrs["perm"], row[1])], {}, wanted


@move("TransposeD")
def _transpose_d(x: Array, row: Any) -> Iterator[Any]:
    for shape, perm in [((2, 3, 4), [2, 0, 1]), ((), []), ((5,), [0]), ((0, 3), [1, 0]), ((2, 2, 3, 1), [0, 2, 3, 1])]:
        value = np.resize(x, shape)
        yield [value], {"perm": perm}, np.transpose(value, perm)


@move("ReverseV2")
def _reverse(x: Array, row: Any) -> Iterator[Any]:
    for value, attrs, wanted in _reverse_d(x, row):
        yield [*value, np.array(attrs["axis"], row[1])], {}, wanted


@move("ReverseV2D")
def _reverse_d(x: Array, row: Any) -> Iterator[Any]:
    for shape, axes in [((2, 3, 4), [2, 0]), ((), []), ((5,), [-1]), ((0, 3), [1])]:
        value = np.resize(x, shape)
        yield [value], {"axis": axes}, np.flip(value, tuple(axes))


@move("ConcatD")
def _concat_d(x: Array, row: Any) -> Iterator[Any]:
    for shapes, axis in [(((2, 3), (2, 0), (2, 1)), 1), (((4,), (3,)), -1), (((1, 2, 2),), 0), (((0, 2), (3, 2)), 0)]:
        tensors = [np.resize(x[i:], shape) for i, shape in enumerate(shapes)]
        yield tensors, {"concat_dim": axis, "N": len(shapes)}, np.concatenate(tensors, axis)


@move("ConcatV2")
def _concat(x: Array, row: Any) -> Iterator[Any]:
    for tensors, attrs, wanted in _concat_d(x, row):
        yield [*tensors, np.array(attrs["concat_dim"], row[1])], {"N": attrs["N"]}, wanted


@move("Pack")
def _pack(x: Array, row: Any) -> Iterator[Any]:
    for shape, count, axis in [((2, 3), 3, 1), ((), 4, 0), ((4,), 1, -1), ((0, 2), 2, 2)]:
        tensors = [np.resize(x[i:], shape) for i in range(count)]
        yield tensors, {"axis": axis, "N": count}, np.stack(tensors, axis)


@move("GatherV2")
def _gather(x: Array, row: Any) -> Iterator[Any]:
    for shape, indices, axis in [((4, 3), [[2, 0], [1, 1]], 1), ((5,), 4, 0), ((2, 3, 4), [], -2), ((3, 0), [2], 0)]:
        value, index = np.resize(x, shape), np.array(indices, row[1])
        yield [value, index, np.array(axis, row[2])], {}, value.take(index.astype(np.int64), axis)
    value, index = np.resize(x, (2, 3, 4)), np.array([[-1, 0, 2], [1, -3, 0]], row[1])
    wanted = np.stack([value[place][index[place]] for place in range(2)])
    attrs = {"batch_dims": 1, "negative_index_support": True}
    yield [value, index, np.array(1, row[2])], attrs, wanted
    wanted = np.stack([value[place][:, index[place]] for place in range(2)])
    yield [value, index, np.array([-1], row[2])], attrs | {"batch_dims": -1}, wanted


@move("StridedSlice")
def _strided_slice(x: Array, row: Any) -> Iterator[Any]:
    value = np.resize(x, (3, 4, 5))

    def index(*numbers: int) -> Array:
        return np.array(numbers, row[1])

    yield [value, index(1, 0, 4), index(3, 4, 0), index(1, 2, -2)], {}, value[1:3, 0:4:2, 4:0:-2]
    attrs = {"begin_mask": 2, "end_mask": 4, "shrink_axis_mask": 1}
    yield [value, index(-1, 9, 3), index(0, 2, 0), index(1, 1, -1)], attrs, value[-1, :2, 3::-1]
    attrs = {"ellipsis_mask": 1, "new_axis_mask": 2, "shrink_axis_mask": 4}
    yield [value, index(0, 0, 2), index(0, 0, 3), index(1, 1, 1)], attrs, value[..., None, 2]
    yield [value, index(), index(), index()], {}, value


@move("AsStrided")
def _as_strided(x: Array, row: Any) -> Iterator[Any]:
    value = np.resize(x, (4, 5))
    for size, stride, offset in [
        ((3, 2), (5, 1), 1),
        ((2, 3), (0, 0), 19),
        ((4,), (6,), 1),
        ((0, 3), (9, 9), 50),
        ((), (), 7),
    ]:
        wanted = np.array(
            [value.flat[offset + sum(i * s for i, s in zip(place, stride, strict=True))] for place in np.ndindex(size)],
            value.dtype,
        )
        numbers = [np.array(n, dtype) for n, dtype in zip((size, stride, [offset]), row[1:], strict=False)]
        yield [value, *numbers], {}, wanted.reshape(size)


@move("ViewCopy")
def _view_copy(x: Array, row: Any) -> Iterator[Any]:
    dst, src = np.resize(x, (4, 6)), np.resize(x[::-1], (3, 3))
    for size, to, of in [
        ((2, 3), ((6, 2), 1), ((3, 1), 2)),
        ((4, 6), ((6, 1), 0), ((0, 0), 4)),
        ((0,), ((1,), 0), ((1,), 0)),
    ]:
        wanted = dst.copy()
        for place in np.ndindex(size):
            reached = [start + sum(i * s for i, s in zip(place, stride, strict=True)) for stride, start in (to, of)]
            wanted.flat[reached[0]] = src.flat[reached[1]]
        where = [[np.array(size), np.array(stride), np.array([start])] for stride, start in (to, of)]
        where = [
            [n.astype(d) for n, d in zip(ns, ds, strict=True)]
            for ns, ds in zip(where, (row[1:4], row[5:8]), strict=True)
        ]
        yield [dst, *where[0], src, *where[1]], {}, wanted


@pytest.mark.parametrize(("op_type", "row"), cases(MOVES))
def test_movement(op_type: str, row: tuple[dtypes.DType, ...]) -> None:
    for inputs, attrs, wanted in MOVES[op_type](samples(row[0].dtype), [dtype.dtype for dtype in row]):
        got = run(op_type, inputs, **attrs)
        assert got.dtype == wanted.dtype
        assert got.shape == wanted.shape
        assert got.tobytes() == wanted.tobytes()


def test_view_copy_writes_into_the_memory_of_its_input() -> None:
    memory = np.arange(6.0, dtype=np.float32)
    numbers = [np.array(n) for n in ([3], [2], [1])]
    source = np.array([7], np.float32)
    KERNELS["ViewCopy"]([memory, *numbers, source, np.array([3]), np.array([0]), np.array([0])], [memory], {})
    assert memory.tolist() == [0, 7, 2, 7, 4, 7]


def test_view_copy_between_overlapping_views_of_one_memory() -> None:
    memory = np.arange(6, dtype=np.int32)
    size, stride = np.array([5]), np.array([1])
    KERNELS["ViewCopy"]([memory, size, stride, np.array([1]), memory, size, stride, np.array([0])], [memory], {})
    assert memory.tolist() == [0, 0, 1, 2, 3, 4]


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_strided_slice_of_anything(data: st.DataObject) -> None:
    shape = data.draw(array_shapes(min_dims=1, max_dims=3, min_side=0, max_side=4))
    x = np.arange(math.prod(shape), dtype=np.int32).reshape(shape)
    number = st.integers(-6, 6)
    begin, end, strides, index = [], [], [], []
    masks = dict.fromkeys(("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask"), 0)
    ellipsis_after = data.draw(st.integers(0, len(shape)))
    ellipsis_spans = data.draw(st.integers(0, len(shape) - ellipsis_after))
    has_ellipsis = data.draw(st.booleans())
    axis = 0
    while axis < len(shape) or not begin:
        bit = 1 << len(begin)
        b, e, s = data.draw(number), data.draw(number), data.draw(number.filter(bool))
        if has_ellipsis and axis == ellipsis_after:
            has_ellipsis = False
            masks["ellipsis_mask"] |= bit
            index.append(Ellipsis)
            axis += ellipsis_spans
        elif axis >= len(shape) or data.draw(st.integers(0, 4)) == 0:
            masks["new_axis_mask"] |= bit
            index.append(None)
        elif -shape[axis] <= b < shape[axis] and s > 0 and data.draw(st.booleans()):
            masks["shrink_axis_mask"] |= bit
            index.append(b)
            axis += 1
        else:
            no_begin, no_end = data.draw(st.booleans()), data.draw(st.booleans())
            masks["begin_mask"] |= bit * no_begin
            masks["end_mask"] |= bit * no_end
            index.append(slice(None if no_begin else b, None if no_end else e, s))
            axis += 1
        begin.append(b)
        end.append(e)
        strides.append(s)
    numbers = [np.array(values, np.int64) for values in (begin, end, strides)]
    np.testing.assert_array_equal(run("StridedSlice", [x, *numbers], **masks), x[tuple(index)])


@settings(max_examples=200, deadline=None)
@given(
    st.integers(0, 12),
    st.lists(st.tuples(st.integers(0, 4), st.integers(-1, 5)), max_size=3),
    st.integers(-1, 12),
)
def test_views_never_reach_outside(length: int, dims: list[tuple[int, int]], offset: int) -> None:
    x = np.arange(length, dtype=np.int16)
    size, stride = ([dim[i] for dim in dims] for i in (0, 1))
    numbers = [np.array(n, np.int64) for n in (size, stride, [offset])]
    places = [offset + sum(map(lambda i, s: i * s, place, stride)) for place in np.ndindex(*size)]
    out = np.zeros(size, np.int16)
    if places and (min(places) < 0 or max(places) >= length or min(stride, default=0) < 0):
        with pytest.raises(IndexError, match="AsStrided"):
            KERNELS["AsStrided"]([x, *numbers], [out], {})
        with pytest.raises(IndexError, match="ViewCopy"):
            KERNELS["ViewCopy"]([x, *numbers, x, *numbers], [x], {})
    else:
        KERNELS["AsStrided"]([x, *numbers], [out], {})
        assert out.ravel().tolist() == places


def test_an_index_out_of_range() -> None:
    x, axis = np.arange(12.0).reshape(3, 4), np.array(1)
    for index, negative in [(4, False), (-1, False), (-5, True)]:
        with pytest.raises(IndexError, match=rf"GatherV2: index {index} "):
            run("GatherV2", [x, np.array([0, index]), axis], negative_index_support=negative)
