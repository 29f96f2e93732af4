"""The searches against NumPy's."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ascendtensor as at
from ops_registry import dtypes, promotion
from ops_registry.dtypes import DType

from .comparison import INTEGERS, REAL, assert_matches, elements, on_device, shapes
from .layouts import axes_of, refuses, tensors

EVERY = pytest.mark.parametrize("dtype", dtypes.ALL, ids=str)
ORDERED = pytest.mark.parametrize("dtype", [dtypes.bool_, *REAL], ids=str)


@ORDERED
@given(data=st.data())
def test_argmax_and_argmin(dtype: DType, data: st.DataObject) -> None:
    array, x = data.draw(tensors(dtype, shapes(min_side=1)))
    axis = data.draw(st.none() | st.integers(-array.ndim, array.ndim - 1)) if array.ndim else None
    keepdims = data.draw(st.booleans())
    native = array.astype(np.float64) if dtype is dtypes.bfloat16 else array
    for function, numpys in ((at.argmax, np.argmax), (at.argmin, np.argmin)):
        expected = np.asarray(numpys(native, axis=axis, keepdims=keepdims))
        assert_matches(function(x, axis=axis, keepdims=keepdims), expected, dtype=dtypes.int64)


@ORDERED
def test_the_first_of_equals(dtype: DType) -> None:
    x = on_device(np.asarray([[0, 1, 1, 0], [1, 0, 0, 1]]).astype(dtype.dtype))
    assert at.argmax(x, axis=1).tolist() == [1, 0]
    assert at.argmin(x, axis=1).tolist() == [0, 1]
    assert (at.argmax(x).item(), at.argmin(x).item()) == (1, 0)


@ORDERED
@pytest.mark.parametrize(("shape", "axis"), [((0,), None), ((2, 0), 1), ((0, 2), 0)])
def test_no_elements_have_no_place(dtype: DType, shape: tuple[int, ...], axis: Any) -> None:
    x = at.zeros(shape, dtype=dtype)
    for function in ("argmax", "argmin"):
        with refuses(ValueError, function, str(shape)):
            getattr(at, function)(x, axis=axis)


@ORDERED
def test_empty_rows_that_are_not_searched(dtype: DType) -> None:
    x = at.zeros((0, 2), dtype=dtype)
    assert at.argmax(x, axis=1).shape == (0,)
    assert at.argmin(x, axis=1, keepdims=True).shape == (0, 1)


@EVERY
@given(data=st.data())
def test_where(dtype: DType, data: st.DataObject) -> None:
    whole = data.draw(shapes(max_dims=3))
    three = [tuple(data.draw(st.sampled_from([n, 1])) for n in whole) for _ in range(3)]
    (c, condition), (a, x1), (b, x2) = (
        data.draw(tensors(kind, shape)) for kind, shape in zip((dtypes.bool_, dtype, dtype), three, strict=True)
    )
    assert_matches(at.where(condition, x1, x2), np.where(c, a, b), dtype=dtype, exact=True)


@EVERY
@pytest.mark.parametrize("other", dtypes.ALL, ids=str)
def test_where_promotes(dtype: DType, other: DType) -> None:
    condition, x1, x2 = at.asarray([True, False]), at.ones(2, dtype=dtype), at.zeros(2, dtype=other)
    if {dtype.kind, other.kind} == {"i", "u"} and "uint64" in (dtype.name, other.name):
        with refuses(TypeError, dtype.name, other.name):
            at.where(condition, x1, x2)
        return
    assert_matches(at.where(condition, x1, x2), np.asarray([1, 0]), dtype=promotion.promote(dtype, other))


@EVERY
@pytest.mark.parametrize("number", [True, 1, 1.5, 1 + 2j, np.float32(2), np.int8(3)])
def test_where_with_a_number(dtype: DType, number: Any) -> None:
    condition, x = at.asarray([True, False]), at.ones(2, dtype=dtype)
    plain = number.item() if isinstance(number, np.generic) else number
    result = promotion.with_scalar(dtype, plain)
    assert_matches(at.where(condition, number, x), np.asarray([plain, 1]), dtype=result)
    assert_matches(at.where(condition, x, number), np.asarray([1, plain]), dtype=result)


def test_where_with_two_numbers() -> None:
    condition = at.asarray([True, False])
    for pair, dtype in [
        ((True, False), at.bool),
        ((1, 2), at.int64),
        ((1, 2.5), at.float32),
        ((1.5, 2j), at.complex64),
        ((np.float32(1), np.float32(2)), at.float32),
        ((-0.0, 0.0), at.float32),
    ]:
        assert_matches(at.where(condition, *pair), np.asarray(pair), dtype=dtype, exact=True)


def test_where_refuses() -> None:
    condition, x, y, wide = at.asarray([True, False]), at.ones(2), at.ones((3, 2), dtype=at.int8).T, at.ones(5)
    for call, error, words in [
        (lambda: at.where(x, x, y), TypeError, "where: the condition"),
        (lambda: at.where([True], x, x), TypeError, "where"),
        (lambda: at.where(condition, x, wide), ValueError, "where: shapes (2,) and (2,) and (5,)"),
        (lambda: at.where(condition, y, x), ValueError, "where"),
        (lambda: at.where(condition, x, "a"), TypeError, "where"),
        (lambda: at.where(condition, x, None), TypeError, "where"),
        (lambda: at.where(condition, [1], x), TypeError, "where"),
        (lambda: at.where(condition, "a", 1), TypeError, "where"),
        (lambda: at.where(condition, y, 300), OverflowError, "where: the integer 300"),
    ]:
        with refuses(error, words):
            call()


# nonzero, count_nonzero


@EVERY
@given(data=st.data())
def test_nonzero_and_count_nonzero(dtype: DType, data: st.DataObject) -> None:
    array, x = data.draw(tensors(dtype))
    axis, keepdims = data.draw(axes_of(array.ndim)), data.draw(st.booleans())
    expected = np.asarray(np.count_nonzero(array, axis=axis, keepdims=keepdims))
    assert_matches(at.count_nonzero(x, axis=axis, keepdims=keepdims), expected, dtype=dtypes.int64)
    if not array.ndim:
        with refuses(ValueError, "nonzero"):
            at.nonzero(x)
        return
    found = at.nonzero(x)
    assert type(found) is tuple
    for places, wanted in zip(found, np.nonzero(array), strict=True):
        assert_matches(places, wanted, dtype=dtypes.int64)


# searchsorted


@pytest.mark.parametrize("dtype", REAL, ids=str)
@given(data=st.data())
def test_searchsorted(dtype: DType, data: st.DataObject) -> None:
    few = data.draw(st.lists(elements(dtype), min_size=1, max_size=4))
    line, x1 = data.draw(tensors(dtype, shapes(min_dims=1, max_dims=1, max_side=8), st.sampled_from(few)))
    values, x2 = data.draw(tensors(dtype, shapes(max_dims=3), st.sampled_from(few) | elements(dtype)))
    wide = np.float64 if dtype is dtypes.bfloat16 else dtype.dtype
    for side in ("left", "right"):
        expected = np.searchsorted(np.sort(line.astype(wide)), values.astype(wide), side=side)
        assert_matches(at.searchsorted(at.sort(x1), x2, side=side), np.asarray(expected), dtype=dtypes.int64)
        sorter = at.argsort(x1)
        assert_matches(at.searchsorted(x1, x2, side=side, sorter=sorter), np.asarray(expected), dtype=dtypes.int64)


def test_searchsorted_numbers_and_dtypes() -> None:
    line = at.asarray([1, 2, 2, 5])
    assert at.searchsorted(line, 2).item() == 1
    assert at.searchsorted(line, 2, side="right").item() == 3
    assert at.searchsorted(line, at.asarray([5, 6], dtype=at.int8)).tolist() == [3, 4]
    assert at.searchsorted(at.asarray([0.5, 1.5]), at.asarray([1.0], dtype=at.float64)).tolist() == [1]
    big = at.asarray([2**53, 2**53 + 1, 2**63 - 1])
    assert at.searchsorted(big, big).tolist() == [0, 1, 2]


def test_searchsorted_refuses() -> None:
    line, square, sorter = at.asarray([1, 2]), at.zeros((2, 2)), at.asarray([0])
    bools, numbers = at.asarray([True]), at.asarray([1j])
    with refuses(ValueError, "searchsorted", "side"):
        at.searchsorted(line, line, side="middle")  # type: ignore[arg-type]
    with refuses(ValueError, "searchsorted", "dimension"):
        at.searchsorted(square, square)
    with refuses(ValueError, "searchsorted", "sorter"):
        at.searchsorted(line, line, sorter=sorter)
    for x in (bools, numbers):
        with refuses(TypeError, "searchsorted", x.dtype.name):
            at.searchsorted(x, x)
    with refuses(TypeError, "searchsorted", "list"):
        at.searchsorted(line, [1])  # type: ignore[arg-type]


# take_along_axis


@EVERY
@given(data=st.data())
def test_take_along_axis(dtype: DType, data: st.DataObject) -> None:
    whole = data.draw(shapes(min_dims=1, max_dims=3))
    axis = data.draw(st.integers(-len(whole), len(whole) - 1))
    n, count = whole[axis], data.draw(st.integers(0, 3)) if whole[axis] else 0
    shape, index_shape = list(whole), list(whole)
    index_shape[axis] = count
    for place in range(len(whole)):
        if place != axis % len(whole) and data.draw(st.booleans()):
            data.draw(st.sampled_from([shape, index_shape]))[place] = 1
    array, x = data.draw(tensors(dtype, tuple(shape)))
    kind = data.draw(st.sampled_from(INTEGERS))
    low = -n if kind.kind == "i" else 0
    places, indices = data.draw(tensors(kind, tuple(index_shape), st.integers(low, max(n - 1, 0))))
    expected = np.take_along_axis(array, places.astype(np.int64), axis=axis)
    assert_matches(at.take_along_axis(x, indices, axis=axis), expected, dtype=dtype, exact=True)


def test_take_along_axis_refuses() -> None:
    x, empty, places = at.zeros((2, 3)), at.zeros((2, 0)), at.zeros((2, 1), dtype=at.int64)
    flat, tall, floats = at.zeros(1, dtype=at.int64), at.zeros((3, 1), dtype=at.int64), at.zeros((2, 1))
    with refuses(TypeError, "take_along_axis", "float32"):
        at.take_along_axis(x, floats)
    with refuses(ValueError, "take_along_axis", "dimensions"):
        at.take_along_axis(x, flat)
    with refuses(ValueError, "take_along_axis", "broadcast"):
        at.take_along_axis(x, tall)
    with refuses(IndexError, "take_along_axis", "empty"):
        at.take_along_axis(empty, places)
    with refuses(IndexError, "take_along_axis", "axis 2"):
        at.take_along_axis(x, places, axis=2)
    with refuses(TypeError, "take_along_axis", "axis"):
        at.take_along_axis(x, places, axis=None)  # type: ignore[arg-type]
