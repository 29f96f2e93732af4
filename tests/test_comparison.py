"""isclose, allclose and array_equal against NumPy's."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ascendtensor as at
from ops_registry import dtypes
from ops_registry.dtypes import DType

from .comparison import COMPLEX, FLOATING, assert_matches, elements, on_device
from .layouts import Array, refuses, tensors
from .operands import operands

pytestmark = pytest.mark.filterwarnings("error::ascendtensor.HostFallbackWarning")

EVERY = pytest.mark.parametrize("dtype", dtypes.ALL, ids=str)
INEXACT = pytest.mark.parametrize("dtype", [*FLOATING, *COMPLEX], ids=str)


def computed_in(array: Array) -> Array:
    """In the dtype that elements are compared in."""
    dtype = dtypes.of(array.dtype)
    if dtype.kind in "biu":
        return array.astype(np.float64)
    return array.astype(np.float32) if dtype.itemsize == 2 else array


def nearby(dtype: DType) -> st.SearchStrategy[Any]:
    """Values of which some are close to each other."""
    few = st.sampled_from([1.0, 1.00001, 1.0001, 100.0, 100.01, 0.0, 1e-9])
    return elements(dtype) | (few.map(int) if dtype.kind in "biu" else few)


@EVERY
@given(data=st.data(), rtol=st.sampled_from([0, 1e-5, 0.25, 2]), atol=st.sampled_from([0.0, 1e-8, 0.5, 300]))
def test_isclose(dtype: DType, data: st.DataObject, rtol: float, atol: float) -> None:
    (x, a), (y, b) = data.draw(operands(dtype, dtype, values={0: nearby(dtype), 1: nearby(dtype)}))
    equal_nan = data.draw(st.booleans())
    with np.errstate(all="ignore"):
        expected = np.isclose(computed_in(a), computed_in(b), rtol, atol, equal_nan)
    close = at.isclose(x, y, rtol, atol, equal_nan)
    assert_matches(close, expected, dtype=dtypes.bool_)
    assert at.allclose(x, y, rtol=rtol, atol=atol, equal_nan=equal_nan) is bool(expected.all())


@EVERY
@given(data=st.data(), equal_nan=st.booleans())
def test_array_equal(dtype: DType, data: st.DataObject, equal_nan: bool) -> None:
    array, x = data.draw(tensors(dtype))
    other, y = data.draw(tensors(dtype, array.shape))
    with np.errstate(all="ignore"):
        same = array == array
        missing = np.isnan(array) if dtype.kind in "fc" else ~same
        assert at.array_equal(x, x, equal_nan=equal_nan) is bool((same | missing if equal_nan else same).all())
        equal = array == other
        both = np.isnan(array) & np.isnan(other) if dtype.kind in "fc" else np.zeros_like(equal)
        assert at.array_equal(x, y, equal_nan) is bool((equal | both if equal_nan else equal).all())


@pytest.mark.parametrize(
    "other", [dtypes.bool_, dtypes.int32, dtypes.float16, dtypes.float64, dtypes.complex64], ids=str
)
@EVERY
def test_dtypes_are_promoted(dtype: DType, other: DType) -> None:
    x, y = at.ones(2, dtype=dtype), at.ones(2, dtype=other)
    if (dtype, other) == (dtypes.uint64, dtypes.int32):
        with refuses(TypeError, "uint64", "int32"):
            at.array_equal(x, y)
        return
    assert at.array_equal(x, y)
    assert at.allclose(x, y)


def test_shapes_that_differ_are_not_equal() -> None:
    assert at.array_equal(at.ones((2, 1)), at.ones(2)) is False
    assert at.array_equal(at.ones((0, 1)), at.ones((1, 0))) is False
    assert at.array_equal(at.ones((0, 1)), at.zeros((0, 1))) is True


@INEXACT
def test_numbers_are_close_too(dtype: DType) -> None:
    x = on_device(np.asarray([1, 2, np.nan, np.inf]).astype(dtype.dtype))
    assert at.isclose(x, 1.0).tolist() == [True, False, False, False]
    assert at.isclose(float("inf"), x).tolist() == [False, False, False, True]
    assert at.isclose(x, np.float32(2), rtol=0).tolist() == [False, True, False, False]
    assert not at.allclose(x, 1)
    assert at.allclose(x[:1], 1)


def test_what_is_refused() -> None:
    x = at.ones((2, 3))
    for function in (at.isclose, at.allclose):
        name = function.__name__
        y = at.ones((3, 2))
        with refuses(ValueError, "broadcast"):
            function(x, y)
        for other in ("1", [1.0], None):
            with refuses(TypeError, name, type(other).__name__):
                function(x, other)  # type: ignore[arg-type]
        with refuses(TypeError, name, "Tensor"):
            function(1.0, 1.0)
        for tolerance in (1j, "1", None, x):
            with refuses(TypeError, name):
                function(x, x, tolerance)  # type: ignore[arg-type]
            with refuses(TypeError, name):
                function(x, x, atol=tolerance)  # type: ignore[arg-type]
    with refuses(TypeError, "array_equal", "float"):
        at.array_equal(x, 1.0)  # type: ignore[arg-type]
    large, signed = at.ones(2, dtype=at.uint64), at.ones(2, dtype=at.int64)
    for function in (at.isclose, at.allclose, at.array_equal):
        with refuses(TypeError, "uint64"):
            function(large, signed)
