"""argmax, argmin and where against NumPy's."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ascendtensor as at
from ops_registry import dtypes, promotion
from ops_registry.dtypes import DType

from .comparison import REAL, assert_matches, on_device, shapes
from .layouts import refuses, tensors

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
