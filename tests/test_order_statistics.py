"""median, quantile, percentile and ptp against NumPy's."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ascendtensor as at
from ops_registry import dtypes, promotion
from ops_registry.dtypes import DType

from .comparison import COMPLEX, FLOATING, REAL, assert_matches, elements, on_device, shapes
from .layouts import Array, axes_of, moderate, refuses, tensors

pytestmark = pytest.mark.filterwarnings("error::ascendtensor.HostFallbackWarning")

ORDERED = pytest.mark.parametrize("dtype", [dtypes.bool_, *REAL], ids=str)
REALS = pytest.mark.parametrize("dtype", REAL, ids=str)
FLOATS = pytest.mark.parametrize("dtype", FLOATING, ids=str)
CHOOSING = ("inverted_cdf", "closest_observation", "lower", "higher", "nearest")
BLENDING = (
    "linear",
    "hazen",
    "weibull",
    "median_unbiased",
    "normal_unbiased",
    "interpolated_inverted_cdf",
    "averaged_inverted_cdf",
    "midpoint",
)
FUNCTIONS = ("median", "quantile", "percentile")

# Shares at which many methods fall on an element, and others.
SHARES = st.sampled_from([0, 1, 0.5, 0.25, 0.75, 1 / 3, 0.1, 0.9]) | st.floats(0, 1)


def sometimes_nan(dtype: DType) -> st.SearchStrategy[Any]:
    """Finite values, now and then a NaN."""
    return st.one_of(*[moderate(dtype)] * 4, st.just(float("nan"))) if dtype.kind == "f" else elements(dtype)


def wide(array: Array) -> Array:
    """The values in a dtype that NumPy blends without a loss that matters here."""
    return array.astype(np.float64)


def native(array: Array) -> Array:
    """The values in a dtype that NumPy has, and puts in order as they are."""
    return wide(array) if dtypes.of(array.dtype) is dtypes.bfloat16 else array


def blended(dtype: DType) -> DType:
    return dtype if dtype.kind == "f" else promotion.default_float()


def biggest(array: Array) -> float:
    values = np.abs(wide(array))
    return float(np.max(values, initial=0, where=np.isfinite(values)))


def nonempty(draw: st.DataObject, dtype: DType, values: st.SearchStrategy[Any]) -> tuple[Array, at.Tensor]:
    return draw.draw(tensors(dtype, shapes(max_dims=3, max_side=5, min_side=1), values))


@ORDERED
@given(data=st.data())
def test_median(dtype: DType, data: st.DataObject) -> None:
    array, x = nonempty(data, dtype, sometimes_nan(dtype))
    axis, keepdims = data.draw(axes_of(array.ndim)), data.draw(st.booleans())
    expected = np.median(wide(array), axis=axis, keepdims=keepdims)
    assert_matches(at.median(x, axis, keepdims=keepdims), expected, dtype=blended(dtype), scale=biggest(array))


@ORDERED
@given(data=st.data(), method=st.sampled_from(BLENDING))
def test_methods_that_blend(dtype: DType, data: st.DataObject, method: str) -> None:
    array, x = nonempty(data, dtype, sometimes_nan(dtype))
    axis, keepdims = data.draw(axes_of(array.ndim)), data.draw(st.booleans())
    q = data.draw(
        SHARES | st.lists(SHARES, max_size=3) | st.lists(st.lists(SHARES, min_size=2, max_size=2), max_size=2)
    )
    expected = np.quantile(wide(array), q, axis=axis, method=method, keepdims=keepdims)
    found = at.quantile(x, q, axis, method=method, keepdims=keepdims)
    assert_matches(found, expected, dtype=blended(dtype), scale=biggest(array))


@ORDERED
@given(data=st.data(), method=st.sampled_from(CHOOSING))
def test_methods_that_choose(dtype: DType, data: st.DataObject, method: str) -> None:
    """They give elements as they are, whatever these are."""
    array, x = nonempty(data, dtype, elements(dtype))
    axis, keepdims = data.draw(axes_of(array.ndim)), data.draw(st.booleans())
    q = data.draw(SHARES | st.lists(SHARES, max_size=3))
    expected = np.quantile(native(array), q, axis=axis, method=method, keepdims=keepdims)
    assert_matches(at.quantile(x, q, axis, method=method, keepdims=keepdims), expected, dtype=dtype)


@ORDERED
@given(data=st.data())
def test_percentile(dtype: DType, data: st.DataObject) -> None:
    array, x = nonempty(data, dtype, sometimes_nan(dtype))
    axis = data.draw(axes_of(array.ndim))
    q = data.draw(st.floats(0, 100) | st.lists(st.integers(0, 100), max_size=3))
    expected = np.percentile(wide(array), q, axis=axis)
    assert_matches(at.percentile(x, q, axis), expected, dtype=blended(dtype), scale=biggest(array))
    nearest = np.percentile(native(array), q, axis=axis, method="nearest")
    assert_matches(at.percentile(x, q, axis, method="nearest"), nearest, dtype=dtype)


@pytest.mark.parametrize("method", [*BLENDING, *CHOOSING])
@pytest.mark.parametrize("n", range(1, 8))
def test_every_method_where_shares_fall_on_elements_and_between(method: str, n: int) -> None:
    array = np.arange(n, dtype=np.float64) ** 2
    shares = np.arange(8 * n + 1) / (8 * n)
    assert_matches(at.quantile(on_device(array), shares, method=method), np.quantile(array, shares, method=method))


@pytest.mark.parametrize("kind", [dtypes.int8, *FLOATING], ids=str)
def test_shares_of_many_forms(kind: DType) -> None:
    x = at.asarray([3.0, 1.0, 2.0])
    tensor = at.asarray([[0, 1], [1, 0]], dtype=kind)
    assert at.quantile(x, tensor).tolist() == [[1, 3], [3, 1]]
    assert at.quantile(x, tensor[:, ::-1]).tolist() == [[3, 1], [1, 3]]
    assert at.quantile(x, tensor.numpy()[0]).tolist() == [1, 3]
    assert at.quantile(x, tensor[0, 0]).item() == 1
    assert at.quantile(x, (True, 0.5)).tolist() == [3, 2]


@REALS
@given(data=st.data())
def test_weights(dtype: DType, data: st.DataObject) -> None:
    array, x = nonempty(data, dtype, sometimes_nan(dtype))
    axis, keepdims = data.draw(axes_of(array.ndim)), data.draw(st.booleans())
    kind = data.draw(st.sampled_from([dtypes.uint8, dtypes.float16, dtypes.float32, dtypes.float64]))
    axes = (axis,) if isinstance(axis, int) else axis
    own = axes is not None and data.draw(st.booleans())
    shape = tuple(array.shape[one] for one in axes) if own else array.shape  # type: ignore[union-attr]
    # Sums of these are exact, and some elements have none.
    heavy, weights = data.draw(tensors(kind, shape, st.sampled_from([0, 1, 2, 3])))
    q = data.draw(SHARES | st.lists(SHARES, min_size=1, max_size=3))
    with np.errstate(all="ignore"):
        try:
            expected = np.quantile(
                native(array), np.asarray(q, np.float64), axis, method="inverted_cdf", keepdims=keepdims, weights=heavy
            )
        except ValueError:
            with pytest.raises(ValueError, match="quantile: weights must have a sum"):
                at.quantile(x, q, axis, method="inverted_cdf", weights=weights)
            return
    found = at.quantile(x, q, axis, method="inverted_cdf", keepdims=keepdims, weights=weights)
    assert_matches(found, expected, dtype=dtype)


def test_weights_that_do_not_fit() -> None:
    x = at.asarray([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    three, flat, imaginary = at.ones(3), at.ones(6), at.ones((2, 3), dtype=at.complex64)
    for weights, axis in ((flat, None), (three, None), (three, 0), (three, (0, 1)), (flat, (0, 1))):
        with refuses(ValueError, "quantile", "weights", str(weights.shape)):
            at.quantile(x, 0.5, axis, method="inverted_cdf", weights=weights)
    with refuses(ValueError, "percentile", "inverted_cdf", "linear"):
        at.percentile(x, 50, 1, weights=three)
    with refuses(TypeError, "quantile", "complex64"):
        at.quantile(x, 0.5, method="inverted_cdf", weights=imaginary)
    with refuses(TypeError, "quantile", "list"):
        at.quantile(x, 0.5, 1, method="inverted_cdf", weights=[1, 2, 3])  # type: ignore[arg-type]
    for values, words in (
        ([1, -1, 1], "negative"),
        ([0, 0, 0], "sum"),
        ([1, float("nan"), 1], "sum"),
        ([float("inf"), 1, 1], "sum"),
    ):
        with pytest.raises(ValueError, match=f"quantile: weights must .*{words}"):
            at.quantile(x, 0.5, 1, method="inverted_cdf", weights=at.asarray(values))


@FLOATS
def test_infinities_and_extremes_are_blended_without_a_nan(dtype: DType) -> None:
    inf, most = float("inf"), at.finfo(dtype).max
    for values, q, wanted in [
        ([1, inf], [0, 0.25, 1], [1, inf, inf]),
        ([-inf, 1], [0, 0.75, 1], [-inf, -inf, 1]),
        ([inf, 1, inf], [0, 0.5, 0.75, 1], [1, inf, inf, inf]),
        ([-inf, -inf, 1], [0, 0.25, 0.5], [-inf, -inf, -inf]),
        ([most, most], [0, 0.3, 1], [most, most, most]),
        ([-most, most], [0, 0.5, 1], [-most, 0, most]),
    ]:
        x = at.asarray(values, dtype=dtype)
        assert_matches(at.quantile(x, q), np.asarray(wanted), dtype=dtype)
    assert_matches(at.median(at.asarray([-inf, inf], dtype=dtype)), np.asarray(np.nan), dtype=dtype)
    assert at.median(at.asarray([inf, inf, 1, 1], dtype=dtype)).item() == inf


@FLOATS
def test_a_nan_is_the_result_of_its_line_alone(dtype: DType) -> None:
    x = at.asarray([[1, float("nan"), 3], [1, 2, 3]], dtype=dtype)
    for method in (*BLENDING, *CHOOSING):
        wanted = np.asarray([np.nan, np.quantile([1.0, 2, 3], 0.5, method=method)])
        assert_matches(at.quantile(x, 0.5, 1, method=method), wanted, dtype=dtype, scale=3)
    wanted = np.asarray([np.nan, 2])
    weighted = at.quantile(x, 0.5, 1, method="inverted_cdf", weights=at.ones((2, 3)))
    assert_matches(weighted, wanted, dtype=dtype)
    assert_matches(at.ptp(x, 1), np.asarray([np.nan, 2]), dtype=dtype)


@REALS
@given(data=st.data())
def test_ptp(dtype: DType, data: st.DataObject) -> None:
    array, x = nonempty(data, dtype, elements(dtype))
    axis, keepdims = data.draw(axes_of(array.ndim)), data.draw(st.booleans())
    values = wide(array) if dtype.kind == "f" else array
    with np.errstate(all="ignore"):
        expected = np.asarray(np.ptp(values, axis=axis, keepdims=keepdims))
    assert_matches(at.ptp(x, axis, keepdims=keepdims), expected, dtype=dtype)


@ORDERED
def test_no_elements(dtype: DType) -> None:
    x = at.zeros((2, 0, 3), dtype=dtype)
    result = blended(dtype)
    assert_matches(at.median(x, 1), np.full((2, 3), np.nan), dtype=result)
    assert_matches(at.median(x, (0, 2), keepdims=True), np.zeros((1, 0, 1)), dtype=result)
    assert_matches(at.median(x), np.asarray(np.nan), dtype=result)
    assert_matches(at.quantile(x, [0, 1], 2), np.zeros((2, 2, 0)), dtype=result)
    assert_matches(at.quantile(x, [], 1), np.zeros((0, 2, 3)), dtype=result)
    assert_matches(at.quantile(x, 1, 0, method="lower"), np.zeros((0, 3)), dtype=dtype)
    for function, arguments in (("quantile", (0.5,)), ("percentile", (50,)), ("ptp", ())):
        if dtype is dtypes.bool_ and function == "ptp":
            continue
        for axis in (None, 1, (0, 1)):
            with refuses(ValueError, function, "(2, 0, 3)"):
                getattr(at, function)(x, *arguments, axis)
    if dtype is not dtypes.bool_:
        assert_matches(at.ptp(x, 2), np.zeros((2, 0)), dtype=dtype)


def test_the_default_dtype_is_that_of_integers() -> None:
    x = at.asarray([1, 2])
    at.set_default_dtype(at.float64)
    try:
        assert_matches(at.median(x), np.asarray(1.5), dtype=at.float64)
        assert_matches(at.quantile(x, 0.25), np.asarray(1.25), dtype=at.float64)
    finally:
        at.set_default_dtype(at.float32)


@pytest.mark.parametrize("function", [*FUNCTIONS, "ptp"])
def test_what_is_refused(function: str) -> None:
    x = at.ones((2, 3))
    call = getattr(at, function)
    arguments = () if function in ("median", "ptp") else (1,)
    for axis, error in ((2, IndexError), (-3, IndexError), ((0, 0), ValueError), (1.0, TypeError), ("0", TypeError)):
        with refuses(error, function):
            call(x, *arguments, axis)
    with refuses(TypeError, function, "list"):
        call([1, 2], *arguments)
    for dtype in COMPLEX:
        turning = at.zeros(2, dtype=dtype)
        with refuses(TypeError, function, dtype.name):
            call(turning, *arguments)


def test_what_quantiles_refuse() -> None:
    x, truth = at.ones((2, 3)), at.ones(2, dtype=at.bool)
    for function, whole in (("quantile", 1), ("percentile", 100)):
        call = getattr(at, function)
        for q in (-0.1, whole + 0.1, float("nan"), [0, float("inf")]):
            with refuses(ValueError, function, f"from 0 to {whole}"):
                call(x, q)
        for q in ("1", None, 1j, [{}]):
            with refuses(TypeError, function, "q is"):
                call(x, q)
        for method in ("LINEAR", None, 1, "middle"):
            with refuses(ValueError, function, "method", "linear"):
                call(x, 1, method=method)
    with refuses(TypeError, "ptp", "bool"):
        at.ptp(truth)


def test_a_view_is_left_as_it_was() -> None:
    array = np.asarray([[3.0, 1.0, 2.0], [9.0, 7.0, 8.0]])
    x = on_device(array)
    for one in (x[::-1, ::2], x.T, x[0]):
        at.median(one)
        at.quantile(one, [0.5, 1], 0)
    assert_matches(x, array)
