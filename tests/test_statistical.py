"""Reductions and running sums against NumPy's, for every dtype, axis and layout."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ascendtensor as at
from ops_registry import dtypes
from ops_registry.dtypes import DType

from .comparison import FLOATING, NUMERIC, REAL, assert_matches, on_device, shapes
from .layouts import Array, axes_of, moderate, refuses, tensors

EVERY = pytest.mark.parametrize("dtype", dtypes.ALL, ids=str)
NUMBERS = pytest.mark.parametrize("dtype", NUMERIC, ids=str)
REALS = pytest.mark.parametrize("dtype", REAL, ids=str)
FLOATS = pytest.mark.parametrize("dtype", FLOATING, ids=str)

# The dtype of a sum by the kind of its elements.
SUM_DTYPE = {"b": dtypes.int64, "i": dtypes.int64, "u": dtypes.uint64}


def wide(array: Array) -> Array:
    """The values in a dtype that NumPy reduces without a loss that matters here."""
    kind = dtypes.of(array.dtype).kind
    return array.astype(np.complex128 if kind == "c" else np.float64) if kind in "fc" else array


def biggest(array: Array) -> float:
    """What the summands come to, their signs aside: the scale of a sum's error."""
    sizes = np.abs(wide(array).astype(np.complex128)) if array.size else np.zeros(1)
    return float(np.sum(sizes[np.isfinite(sizes)]))


@EVERY
@given(data=st.data())
def test_sum(dtype: DType, data: st.DataObject) -> None:
    array, x = data.draw(tensors(dtype, None, moderate(dtype)))
    axis, keepdims = data.draw(axes_of(array.ndim)), data.draw(st.booleans())
    result = SUM_DTYPE.get(dtype.kind, dtype)
    native = wide(array) if dtype.kind in "fc" else array.astype(result.dtype)
    expected = np.sum(native, axis=axis, keepdims=keepdims)
    assert_matches(at.sum(x, axis=axis, keepdims=keepdims), expected, dtype=result, scale=biggest(array))
    assert_matches(x.sum(axis, keepdims=keepdims), expected, dtype=result, scale=biggest(array))


@EVERY
@given(data=st.data())
def test_prod(dtype: DType, data: st.DataObject) -> None:
    few = moderate(dtype, 2)
    array, x = data.draw(tensors(dtype, shapes(max_dims=3, max_side=2), few))
    axis, keepdims = data.draw(axes_of(array.ndim)), data.draw(st.booleans())
    result = SUM_DTYPE.get(dtype.kind, dtype)
    native = wide(array) if dtype.kind in "fc" else array.astype(result.dtype)
    expected = np.prod(native, axis=axis, keepdims=keepdims)
    scale = float(np.max(np.abs(expected), initial=0)) if dtype.kind in "fc" else 0.0
    assert_matches(at.prod(x, axis=axis, keepdims=keepdims), expected, dtype=result, scale=scale)


@EVERY
@pytest.mark.parametrize("result", NUMERIC, ids=str)
@pytest.mark.parametrize("function", ["sum", "prod", "cumulative_sum"])
def test_dtype_asked_for(dtype: DType, result: DType, function: str) -> None:
    array = np.asarray([[1, 0, 1], [1, 1, 1]]).astype(dtype.dtype)
    x = on_device(array)
    reduce = getattr(at, function)
    if dtype.kind == "c" != result.kind:
        with refuses(TypeError, function, dtype.name, result.name):
            reduce(x, axis=1, dtype=result)
        return
    numpys = np.cumsum if function == "cumulative_sum" else getattr(np, function)
    expected = numpys(array.astype(np.complex128 if dtype.kind == "c" else np.float64), axis=1)
    assert_matches(reduce(x, axis=1, dtype=result), expected, dtype=result)
    if result is not dtypes.bfloat16:
        assert_matches(reduce(x, axis=1, dtype=result.dtype), expected, dtype=result)


@NUMBERS
@given(data=st.data())
@pytest.mark.filterwarnings("ignore:Mean of empty slice:RuntimeWarning", "ignore:invalid value:RuntimeWarning")
def test_mean(dtype: DType, data: st.DataObject) -> None:
    array, x = data.draw(tensors(dtype, None, moderate(dtype)))
    axis, keepdims = data.draw(axes_of(array.ndim)), data.draw(st.booleans())
    result = dtype if dtype.kind in "fc" else dtypes.float32
    expected = np.mean(wide(array), axis=axis, keepdims=keepdims)
    assert_matches(at.mean(x, axis=axis, keepdims=keepdims), expected, dtype=result, scale=biggest(array))


@REALS
@given(data=st.data(), correction=st.sampled_from([0, 1, 0.5, 2, 100]))
@pytest.mark.filterwarnings("ignore:Degrees of freedom:RuntimeWarning", "ignore:invalid value:RuntimeWarning")
@pytest.mark.filterwarnings("ignore:Mean of empty slice:RuntimeWarning")
def test_var_and_std(dtype: DType, data: st.DataObject, correction: float) -> None:
    array, x = data.draw(tensors(dtype, None, st.integers(0, 100)))
    axis, keepdims = data.draw(axes_of(array.ndim)), data.draw(st.booleans())
    result = dtype if dtype.kind == "f" else dtypes.float32
    for function, numpys in ((at.var, np.var), (at.std, np.std)):
        with np.errstate(all="ignore"):
            expected = np.asarray(numpys(wide(array), axis=axis, ddof=correction, keepdims=keepdims))
        found = function(x, axis=axis, correction=correction, keepdims=keepdims)
        assert_matches(found, expected, dtype=result, ulps=16)


@FLOATS
@pytest.mark.parametrize("n", [3000, 70_000])
def test_long_sums_keep_their_precision(dtype: DType, n: int) -> None:
    array = np.full((2, n), 0.1).astype(dtype.dtype)
    x = on_device(array)
    expected = wide(array)
    assert_matches(at.mean(x, axis=1), np.mean(expected, axis=1), dtype=dtype, ulps=64)
    if dtype is not dtypes.float16 or n < 65_000:
        assert_matches(at.sum(x, axis=1), np.sum(expected, axis=1), dtype=dtype, ulps=64)
        last = at.cumulative_sum(x, axis=1)[:, -1]
        assert_matches(last, np.sum(expected, axis=1), dtype=dtype, ulps=64 if dtype.itemsize == 2 else 4 * n)


@FLOATS
def test_the_variance_of_small_differences_from_a_large_number(dtype: DType) -> None:
    offset = {2: 128, 4: 2.0**20, 8: 2.0**40}[dtype.itemsize]
    array = (offset + np.asarray([[0, 1, 2, 3], [3, 3, 1, 1]])).astype(dtype.dtype)
    assert_matches(at.var(on_device(array), axis=1), np.var(wide(array), axis=1), dtype=dtype)
    assert_matches(at.std(on_device(array), axis=1), np.std(wide(array), axis=1), dtype=dtype)


@FLOATS
@pytest.mark.parametrize("function", ["sum", "prod", "mean", "var", "std", "max", "min"])
@pytest.mark.parametrize(
    "values",
    [[np.nan, 1], [1, np.nan, -np.inf], [np.inf, 1], [-np.inf, 2], [np.inf, -np.inf], [np.inf, np.inf], [0.0, np.inf]],
)
@pytest.mark.filterwarnings("ignore:invalid value:RuntimeWarning")
def test_values_that_are_no_numbers(dtype: DType, function: str, values: list[float]) -> None:
    array = np.asarray([values, values[::-1], [1.0] * len(values)]).astype(dtype.dtype)
    for axis in (None, 0, 1):
        expected = getattr(np, function)(wide(array), axis=axis)
        assert_matches(getattr(at, function)(on_device(array), axis=axis), expected, dtype=dtype)


@pytest.mark.parametrize("dtype", [dtypes.bool_, *REAL], ids=str)
@given(data=st.data())
def test_max_and_min(dtype: DType, data: st.DataObject) -> None:
    array, x = data.draw(tensors(dtype, shapes(min_side=1)))
    axis, keepdims = data.draw(axes_of(array.ndim)), data.draw(st.booleans())
    for function, numpys in ((at.max, np.max), (at.min, np.min)):
        with np.errstate(all="ignore"):
            expected = np.asarray(numpys(wide(array), axis=axis, keepdims=keepdims))
        assert_matches(function(x, axis=axis, keepdims=keepdims), expected, dtype=dtype)
    assert_matches(x.max(axis, keepdims), np.asarray(np.max(wide(array), axis=axis, keepdims=keepdims)), dtype=dtype)


@EVERY
@given(data=st.data())
def test_cumulative_sum(dtype: DType, data: st.DataObject) -> None:
    array, x = data.draw(tensors(dtype, shapes(min_dims=1), moderate(dtype)))
    axis = data.draw(st.integers(-array.ndim, array.ndim - 1))
    result = SUM_DTYPE.get(dtype.kind, dtype)
    native = wide(array) if dtype.kind in "fc" else array.astype(result.dtype)
    for initial in (False, True):
        expected = np.cumulative_sum(native, axis=axis, include_initial=initial)
        found = at.cumulative_sum(x, axis=axis, include_initial=initial)
        assert_matches(found, expected, dtype=result, scale=biggest(array))
    if array.ndim == 1:
        assert_matches(at.cumulative_sum(x), np.cumulative_sum(native), dtype=result, scale=biggest(array))


@pytest.mark.parametrize("dtype", [d for d in NUMERIC if d.kind in "iu"], ids=str)
def test_integers_wrap(dtype: DType) -> None:
    info = at.iinfo(dtype)
    array = np.asarray([[info.max, info.max, 3], [info.min, info.max, info.min]], dtype=dtype.dtype)
    x = on_device(array)
    for function, numpys in ((at.sum, np.sum), (at.prod, np.prod), (at.cumulative_sum, np.cumsum)):
        for result in (None, dtype, dtypes.int64, dtypes.uint64, dtypes.int8):
            chosen = result or SUM_DTYPE[dtype.kind]
            expected = numpys(array.astype(chosen.dtype), axis=1, dtype=chosen.dtype)
            assert_matches(function(x, axis=1, dtype=result), expected, exact=True)


# What does not fit

ONE_AXIS = ("argmax", "argmin", "cumulative_sum")


@pytest.mark.parametrize(
    "function", ["sum", "prod", "mean", "var", "std", "max", "min", "all", "any", "argmax", "argmin", "cumulative_sum"]
)
def test_axes_that_do_not_fit(function: str) -> None:
    reduce: Callable[..., Any] = getattr(at, function)
    x, turned = at.ones((2, 3)), at.ones((3, 2)).T
    # The plans for axes that equal the wrong ones are there already.
    for axis in (0, 1):
        reduce(x, axis=axis)
    for one in (x, turned):
        bad: list[tuple[Any, type[Exception]]] = [(2, IndexError), (-3, IndexError), (1.0, TypeError), ("0", TypeError)]
        if function in ONE_AXIS:
            bad += [((0, 1), TypeError)]
        else:
            bad += [((0, 0), ValueError), ((0, -2), ValueError), ((0, 2), IndexError), ((0, 1.0), TypeError)]
        for axis, error in bad:
            with refuses(error, function):
                reduce(one, axis=axis)
    with refuses(TypeError, function, "list"):
        reduce([1, 2], axis=0)
    for axis in (np.int64(1), at.asarray(1)):
        np.testing.assert_array_equal(reduce(x, axis=axis).numpy(), reduce(x, axis=1).numpy())
    if function not in ONE_AXIS:
        np.testing.assert_array_equal(reduce(x, axis=[0, 1]).numpy(), reduce(x).numpy())


def test_dtypes_that_do_not_fit() -> None:
    x, turned = at.ones((2, 2), dtype=at.complex64), at.ones((2, 2), dtype=at.complex128).T
    for function in ("var", "std", "max", "min", "argmax", "argmin"):
        for one in (x, turned):
            with refuses(TypeError, function, one.dtype.name):
                getattr(at, function)(one)
    truth = at.ones(2, dtype=at.bool)
    for function in ("sum", "prod", "cumulative_sum"):
        with refuses(TypeError, "text"):
            getattr(at, function)(truth, dtype="text")


@pytest.mark.parametrize("dtype", [dtypes.bool_, *REAL], ids=str)
@pytest.mark.parametrize(("shape", "axis"), [((0,), None), ((2, 0), 1), ((0, 2), (0, 1)), ((2, 0, 3), -2)])
def test_no_elements_have_no_extreme(dtype: DType, shape: tuple[int, ...], axis: Any) -> None:
    x = at.zeros(shape, dtype=dtype)
    for function in ("max", "min"):
        with refuses(ValueError, function, str(shape)):
            getattr(at, function)(x, axis=axis)


@pytest.mark.parametrize("dtype", [dtypes.bool_, *REAL], ids=str)
def test_extremes_of_empty_rows_that_are_not_reduced(dtype: DType) -> None:
    x = at.zeros((2, 0, 3), dtype=dtype)
    for function in ("max", "min"):
        assert getattr(at, function)(x, axis=2).shape == (2, 0)
        assert getattr(at, function)(x, axis=(0, 2), keepdims=True).shape == (1, 0, 1)


def test_cumulative_sum_needs_an_axis() -> None:
    for x in (at.zeros((2, 2)), at.zeros(())):
        with refuses(ValueError, "cumulative_sum"):
            at.cumulative_sum(x)


@pytest.mark.parametrize("function", [at.var, at.std])
@pytest.mark.parametrize("correction", ["1", None, 1j, [1]])
def test_a_correction_that_is_no_number_is_refused(function, correction):
    with pytest.raises(TypeError, match=f"{function.__name__}: the correction must be a number"):
        function(at.ones((3,)), correction=correction)
