"""unique_* and isin against NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ascendtensor as at
from ops_registry import dtypes
from ops_registry.dtypes import DType

from .comparison import assert_matches, elements, on_device, shapes
from .layouts import Array, refuses, tensors

EVERY = pytest.mark.parametrize("dtype", dtypes.ALL, ids=str)


@st.composite
def repeating(draw: st.DrawFn, dtype: DType, shape: Any = None) -> tuple[Array, at.Tensor]:
    """A tensor of few different values."""
    few = draw(st.lists(elements(dtype), min_size=1, max_size=4))
    return draw(tensors(dtype, shape, st.sampled_from(few)))


def wide(array: Array) -> Array:
    return array.astype(np.float64) if array.dtype.name == "bfloat16" else array


@EVERY
@given(data=st.data())
def test_unique(dtype: DType, data: st.DataObject) -> None:
    array, x = data.draw(repeating(dtype))
    found = at.unique_all(x)
    values, first, inverse, counts = np.unique(
        wide(array), return_index=True, return_inverse=True, return_counts=True, equal_nan=False
    )
    kept = wide(array).reshape(-1)[first]
    assert_matches(found.values, kept.astype(array.dtype), dtype=dtype, exact=True)
    if not np.isnan(values).any():
        assert_matches(found.indices, first, dtype=dtypes.int64)
        assert_matches(found.inverse_indices, inverse.reshape(array.shape), dtype=dtypes.int64)
    assert_matches(found.counts, counts, dtype=dtypes.int64)
    assert_consistent(array, found)
    others = (at.unique_counts(x), at.unique_inverse(x), at.unique_values(x))
    assert_matches(others[0].values, found.values.numpy(), exact=True)
    assert_matches(others[0].counts, found.counts.numpy())
    assert_matches(others[1].values, found.values.numpy(), exact=True)
    assert_matches(others[1].inverse_indices, found.inverse_indices.numpy())
    assert_matches(others[2], found.values.numpy(), exact=True)


def assert_consistent(array: Array, found: Any) -> None:
    """What the four results say of each other, NaNs or not."""
    values, indices, inverse, counts = (one.numpy() for one in found)
    flat = wide(array).reshape(-1)
    np.testing.assert_array_equal(flat[indices], wide(values))
    np.testing.assert_array_equal(wide(values)[inverse], wide(array))
    np.testing.assert_array_equal(np.bincount(inverse.reshape(-1), minlength=len(values)), counts)


@pytest.mark.parametrize("dtype", [d for d in dtypes.ALL if d.kind in "fc"], ids=str)
def test_zeros_and_nans(dtype: DType) -> None:
    x = on_device(np.asarray([np.nan, -0.0, 0.0, np.nan, np.inf]).astype(dtype.dtype))
    found = at.unique_all(x)
    assert found.indices.tolist() == [1, 4, 0, 3]
    assert found.counts.tolist() == [2, 1, 1, 1]
    assert found.inverse_indices.tolist() == [2, 0, 0, 3, 1]
    assert at.signbit(at.real(found.values)[0])


@pytest.mark.parametrize("dtype", [d for d in dtypes.ALL if d.kind == "c"], ids=str)
def test_order_of_complex_numbers(dtype: DType) -> None:
    nan = np.nan
    numbers = [
        complex(nan, nan),
        complex(nan, 1),
        complex(1, nan),
        complex(2, nan),
        1 + 2j,
        1 - 2j,
        -3,
        complex(nan, 0),
    ]
    array = np.asarray(numbers).astype(dtype.dtype)
    assert_matches(at.unique_values(on_device(array)), np.sort(array), dtype=dtype, exact=True)


@EVERY
@given(data=st.data())
def test_isin(dtype: DType, data: st.DataObject) -> None:
    few = data.draw(st.lists(elements(dtype), min_size=1, max_size=5))
    a, x1 = data.draw(tensors(dtype, shapes(max_dims=3), st.sampled_from(few)))
    b, x2 = data.draw(tensors(dtype, shapes(max_dims=2), st.sampled_from(few) | elements(dtype)))
    for invert in (False, True):
        assert_matches(at.isin(x1, x2, invert=invert), np.isin(wide(a), wide(b), invert=invert), dtype=dtypes.bool_)


@EVERY
def test_isin_numbers(dtype: DType) -> None:
    x = on_device(np.asarray([0, 1, 1, 0]).astype(dtype.dtype))
    number: Any = True if dtype.kind == "b" else 1
    assert at.isin(x, number).tolist() == [False, True, True, False]
    assert at.isin(number, x).tolist() is True
    assert at.isin(number, x, invert=True).tolist() is False


@pytest.mark.parametrize(("first", "second"), [("int8", "int64"), ("uint8", "int16"), ("float32", "float64")])
def test_isin_promotes(first: str, second: str) -> None:
    x1, x2 = at.asarray([1, 2], dtype=getattr(at, first)), at.asarray([2, 100], dtype=getattr(at, second))
    assert at.isin(x1, x2).tolist() == [False, True]
    assert at.isin(at.asarray([1.0, 2]), at.asarray([2j, 2])).tolist() == [False, True]
    assert at.isin(at.asarray([1.0, 2]), 1 + 0j).tolist() == [True, False]


def test_refusals() -> None:
    x, y = at.zeros(2, dtype=at.int64), at.zeros(2, dtype=at.uint64)
    for function in (at.unique_all, at.unique_counts, at.unique_inverse, at.unique_values):
        with refuses(TypeError, function.__name__, "list"):
            function([1])  # type: ignore[arg-type]
    with refuses(TypeError, "isin", "uint64"):
        at.isin(x, y)
    with refuses(TypeError, "isin"):
        at.isin(1, 2)
    with refuses(TypeError, "isin", "list"):
        at.isin(x, [1])  # type: ignore[arg-type]
    with refuses(OverflowError, "isin"):
        at.isin(x, 2**70)
