"""sort, argsort and topk against NumPy's sort."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ascendtensor as at
from ops_registry import dtypes
from ops_registry.dtypes import DType

from .comparison import COMPLEX, REAL, assert_matches, elements, on_device, shapes
from .layouts import Array, reference, refuses, tensors

pytestmark = pytest.mark.filterwarnings("error::ascendtensor.HostFallbackWarning")

ORDERED = pytest.mark.parametrize("dtype", [dtypes.bool_, *REAL], ids=str)
DESCENDING = pytest.mark.parametrize("descending", [False, True])


def places_in_order(array: Array, axis: int, descending: bool) -> Array:
    """NumPy's stable order; descending, the first of equals still comes first."""
    values = reference(array)
    if not descending:
        return np.argsort(values, axis=axis, kind="stable")
    order = np.argsort(np.flip(values, axis), axis=axis, kind="stable")
    return np.flip(array.shape[axis] - 1 - order, axis)


def few(dtype: DType) -> st.SearchStrategy[Any]:
    """Values among which equal ones are common."""
    return elements(dtype) | st.sampled_from([0, 1]).map(dtype.dtype.type)


@ORDERED
@DESCENDING
@given(data=st.data())
def test_sort_and_argsort(dtype: DType, descending: bool, data: st.DataObject) -> None:
    array, x = data.draw(tensors(dtype, shapes(min_dims=1, max_dims=3, max_side=6), few(dtype)))
    axis = data.draw(st.integers(-array.ndim, array.ndim - 1))
    stable = data.draw(st.booleans())
    order = places_in_order(array, axis, descending)
    found = at.argsort(x, axis=axis, descending=descending, stable=stable)
    assert_matches(found, order, dtype=dtypes.int64)
    ordered = at.sort(x, axis=axis, descending=descending, stable=stable)
    assert_matches(ordered, np.take_along_axis(array, order, axis), dtype=dtype, exact=True)


@ORDERED
def test_the_last_axis_and_ascending_by_default(dtype: DType) -> None:
    array = np.asarray([[1, 0, 1], [0, 1, 0]]).astype(dtype.dtype)
    assert_matches(at.sort(on_device(array)), np.sort(reference(array)), dtype=dtype)
    assert at.argsort(on_device(array)).tolist() == [[1, 0, 2], [0, 2, 1]]


@ORDERED
@DESCENDING
def test_long_lines(dtype: DType, descending: bool) -> None:
    rng = np.random.default_rng(5)
    numbers = rng.normal(0, 100, 5000) if dtype.kind == "f" else rng.integers(0, 2**63, 5000)
    array = numbers.astype(dtype.dtype)
    x = on_device(array)
    order = places_in_order(array, 0, descending)
    assert_matches(at.argsort(x, descending=descending), order, dtype=dtypes.int64)
    assert_matches(at.sort(x, descending=descending), array[order], dtype=dtype, exact=True)


@pytest.mark.parametrize("dtype", [d for d in REAL if d.kind == "f"], ids=str)
@DESCENDING
def test_nan_is_the_greatest_and_zeros_are_equal(dtype: DType, descending: bool) -> None:
    info = at.finfo(dtype)
    values = [np.nan, 0.0, -np.inf, -0.0, info.max, -np.nan, info.min, np.inf, 0.0, info.smallest_normal, -0.0]
    array = np.asarray(values).astype(dtype.dtype)
    order = places_in_order(array, 0, descending)
    assert at.argsort(on_device(array), descending=descending).tolist() == order.tolist()
    assert_matches(at.sort(on_device(array), descending=descending), array[order], dtype=dtype, exact=True)


@ORDERED
@pytest.mark.parametrize(("shape", "axis"), [((0,), 0), ((2, 0), 1), ((0, 3), 1), ((1, 1), 0)])
def test_little_to_sort(dtype: DType, shape: tuple[int, ...], axis: int) -> None:
    x = at.ones(shape, dtype=dtype)
    assert_matches(at.sort(x, axis=axis), np.ones(shape), dtype=dtype)
    assert_matches(at.argsort(x, axis=axis), np.zeros(shape), dtype=dtypes.int64)


@ORDERED
def test_a_sorted_copy_has_memory_of_its_own(dtype: DType) -> None:
    x = at.zeros((3,), dtype=dtype)
    ordered = at.sort(x)
    ordered[0] = 1
    assert not at.any(x)


@pytest.mark.parametrize("function", ["sort", "argsort"])
def test_what_is_refused(function: str) -> None:
    sorts = getattr(at, function)
    x, number = at.zeros((2, 3)), at.zeros(())
    for axis in (2, -3):
        with refuses(IndexError, function, f"axis {axis}"):
            sorts(x, axis=axis)
    with refuses(IndexError, function, "axis -1"):
        sorts(number)
    for axis in (None, 1.0, (0, 1)):
        with refuses(TypeError, function, "axis"):
            sorts(x, axis=axis)
    with refuses(TypeError, function, "list"):
        sorts([1, 2])
    for dtype in COMPLEX:
        turning = at.zeros(2, dtype=dtype)
        with refuses(TypeError, function, dtype.name):
            sorts(turning)


@ORDERED
@pytest.mark.parametrize("largest", [True, False])
@given(data=st.data())
def test_topk(dtype: DType, largest: bool, data: st.DataObject) -> None:
    array, x = data.draw(tensors(dtype, shapes(min_dims=1, max_dims=3, max_side=6), few(dtype)))
    axis = data.draw(st.integers(-array.ndim, array.ndim - 1))
    k = data.draw(st.integers(0, array.shape[axis]))
    order = places_in_order(array, axis, largest).take(range(k), axis)
    values, indices = at.topk(x, k, axis, largest=largest)
    assert_matches(indices, order, dtype=dtypes.int64)
    assert_matches(values, np.take_along_axis(array, order, axis), dtype=dtype, exact=True)
    loose = at.topk(x, k, axis, largest, sorted=False)
    assert loose.indices.shape == order.shape
    assert_matches(
        at.sort(loose.values, axis=axis, descending=largest), np.take_along_axis(array, order, axis), dtype=dtype
    )
    found = np.take_along_axis(array, loose.indices.numpy(), axis)
    assert_matches(loose.values, found, dtype=dtype, exact=True)


@ORDERED
def test_the_greatest_by_default(dtype: DType) -> None:
    x = on_device(np.asarray([[0, 1, 0], [1, 0, 0]]).astype(dtype.dtype))
    assert at.topk(x, 1).values.tolist() == [[1], [1]]
    assert at.topk(x, 1).indices.tolist() == [[1], [0]]
    assert at.topk(x, np.int8(1), 0).indices.tolist() == [[1, 0, 0]]


def test_what_topk_refuses() -> None:
    x, number = at.zeros((2, 3)), at.zeros(())
    for k, axis in ((4, -1), (3, 0), (-1, 0)):
        with refuses(ValueError, "topk", str(k)):
            at.topk(x, k, axis)
    for axis in (2, -3):
        with refuses(IndexError, "topk", f"axis {axis}"):
            at.topk(x, 1, axis)
    with refuses(IndexError, "topk"):
        at.topk(number, 1)
    for wrong in (1.0, None, "1", (0, 1)):
        with refuses(TypeError, "topk", "k must"):
            at.topk(x, wrong)  # type: ignore[arg-type]
        with refuses(TypeError, "topk", "axis"):
            at.topk(x, 1, wrong)  # type: ignore[arg-type]
    with refuses(TypeError, "topk", "list"):
        at.topk([1, 2], 1)  # type: ignore[arg-type]
    for dtype in COMPLEX:
        turning = at.zeros(2, dtype=dtype)
        with refuses(TypeError, "topk", dtype.name):
            at.topk(turning, 1)
