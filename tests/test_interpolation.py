"""interp against NumPy's."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ascendtensor as at
from ops_registry import dtypes, promotion
from ops_registry.dtypes import DType

from .comparison import COMPLEX, FLOATING, INTEGERS, NUMERIC, REAL, assert_matches, on_device, shapes
from .layouts import Array, laid_out, moderate, refuses, tensors

pytestmark = pytest.mark.filterwarnings("error::ascendtensor.HostFallbackWarning")

REALS = pytest.mark.parametrize("dtype", REAL, ids=str)
FLOATS = pytest.mark.parametrize("dtype", FLOATING, ids=str)


def small(dtype: DType) -> st.SearchStrategy[Any]:
    """Numbers that float32 computes with exactly for a while, and that every dtype has."""
    if dtype.kind in "iu":
        return st.integers(0 if dtype.kind == "u" else -100, 100)
    return moderate(dtype, 20)


def wide(array: Array) -> Array:
    return array.astype(np.complex128 if array.dtype.kind == "c" else np.float64)


def result_of(*given: DType) -> DType:
    floating = [dtype for dtype in given if dtype.kind in "fc"]
    result = promotion.default_float() if not floating else floating[0]
    for dtype in floating[1:]:
        result = promotion.promote(result, dtype)
    return result


@st.composite
def places_of(draw: st.DrawFn, dtype: DType) -> tuple[Array, at.Tensor]:
    """Where points are, in order and all different."""
    values = sorted(draw(st.sets(small(dtype), min_size=1, max_size=5)))
    array = np.unique(np.asarray(values).astype(dtype.dtype))
    return array, draw(laid_out(array))


def check(found: at.Tensor, expected: Any, dtype: DType, fp: Array) -> None:
    scale = float(np.max(np.abs(wide(fp)), where=np.isfinite(wide(fp)), initial=0))
    assert_matches(found, expected, dtype=dtype, scale=4 * scale)


@REALS
@given(data=st.data(), kind=st.sampled_from(REAL), value=st.sampled_from(NUMERIC))
def test_interp(dtype: DType, data: st.DataObject, kind: DType, value: DType) -> None:
    places, x = data.draw(tensors(dtype, shapes(max_dims=3, max_side=3), small(dtype)))
    xs, xp = data.draw(places_of(kind))
    ys, fp = data.draw(tensors(value, xs.shape, small(value)))
    left, right = data.draw(st.none() | st.integers(-5, 5)), data.draw(st.none() | st.sampled_from([0.5, np.nan]))
    expected = np.interp(wide(places), wide(xs), wide(ys), left, right)
    check(at.interp(x, xp, fp, left, right), expected, result_of(dtype, kind, value), ys)


@REALS
@given(data=st.data(), period=st.sampled_from([1, -7, 2.5, 64.0]), value=st.sampled_from(NUMERIC))
def test_a_period(dtype: DType, data: st.DataObject, period: float, value: DType) -> None:
    places, x = data.draw(tensors(dtype, shapes(max_dims=2), small(dtype)))
    xs, xp = data.draw(places_of(dtype))
    # Of points that fall on one another NumPy does not say which counts.
    _, distinct = np.unique(np.mod(wide(xs), period), return_index=True)
    order = data.draw(st.permutations(distinct.tolist()))
    ys, fp = data.draw(tensors(value, (len(order),), small(value)))
    expected = np.interp(wide(places), wide(xs[order]), wide(ys), left=9, right=9, period=period)
    index = on_device(np.asarray(order))
    check(at.interp(x, at.take(xp, index), fp, 9, 9, period), expected, result_of(dtype, value), ys)


@FLOATS
def test_places_and_values_that_are_no_numbers(dtype: DType) -> None:
    inf, nan = np.inf, np.nan
    x = np.asarray([-inf, -1, 0, 0.5, 1, 1.5, 2, 3, inf, nan])
    for xs, ys in [
        ([0, 1, 2], [1, 2, 4]),
        ([0, 1, 2], [1, inf, 4]),
        ([0, 1, 2], [-inf, 3, inf]),
        ([0, 1, 2], [inf, inf, 1]),
        ([0, 1, 2], [nan, 3, 1]),
        ([-inf, 0, inf], [1, 2, 3]),
        ([-inf, 0, 2], [inf, 0, 3]),
        ([0, 1, inf], [1, 1, 1]),
        ([0, 0.5, 0.5, 2], [1, 2, 3, 4]),
    ]:
        points = [at.asarray(values, dtype=dtype) for values in (xs, ys)]
        with np.errstate(all="ignore"):
            expected = np.interp(x, xs, ys)
        assert_matches(at.interp(at.asarray(x, dtype=dtype), *points), expected, dtype=dtype)


def test_one_point() -> None:
    xp, fp = at.asarray([2.0]), at.asarray([5.0])
    x = at.asarray([1.0, 2.0, 3.0, float("nan")])
    assert_matches(at.interp(x, xp, fp, -1, 9), np.asarray([-1, 5, 9, np.nan], np.float32))
    assert_matches(at.interp(x, xp, fp), np.asarray([5, 5, 5, np.nan], np.float32))
    assert_matches(at.interp(x, xp, fp, period=4), np.asarray([5, 5, 5, np.nan], np.float32))


def test_a_number_takes_the_dtype_of_the_points() -> None:
    for dtype in FLOATING:
        xp, fp = at.asarray([0, 2], dtype=dtype), at.asarray([0, 1], dtype=dtype)
        for number in (1, 1.0, np.float64(1), np.int8(1)):
            assert_matches(at.interp(number, xp, fp), np.asarray(0.5), dtype=dtype)
    integers = at.asarray([0, 2])
    assert_matches(at.interp(1, integers, at.asarray([0, 1])), np.asarray(0.5), dtype=at.float32)


@pytest.mark.parametrize("dtype", [d for d in INTEGERS if d.itemsize >= 4], ids=str)
def test_distances_of_large_integers(dtype: DType) -> None:
    first = 1_700_000_000
    xp = at.asarray([first, first + 4], dtype=dtype)
    x = at.asarray([first + n for n in range(5)], dtype=dtype)
    assert_matches(at.interp(x, xp, at.asarray([0.0, 1.0])), np.arange(5) / 4, dtype=at.float32)


@pytest.mark.parametrize("dtype", COMPLEX, ids=str)
def test_complex_ends(dtype: DType) -> None:
    x, xp = at.asarray([-1.0, 0.5, 2.0]), at.asarray([0.0, 1.0])
    fp = at.asarray([1 + 2j, 3 + 4j], dtype=dtype)
    assert_matches(at.interp(x, xp, fp, 5j, 7), np.asarray([5j, 2 + 3j, 7]), dtype=dtype)


def test_nowhere() -> None:
    xp = at.asarray([0.0, 1.0])
    for dtype in REAL:
        found = at.interp(at.zeros((0, 3), dtype=dtype), xp, xp)
        assert_matches(found, np.zeros((0, 3)), dtype=result_of(dtype, dtypes.float32))


def test_what_is_refused() -> None:
    x, two, three, square, none = at.ones(2), at.ones(2), at.ones(3), at.ones((2, 2)), at.ones(0)
    turning = at.ones(2, dtype=at.complex64)
    for xp, fp in ((two, three), (square, square), (three, square), (none, none)):
        with refuses(ValueError, "interp", "xp and fp"):
            at.interp(x, xp, fp)
    for call in (
        lambda: at.interp(turning, two, two),
        lambda: at.interp(x, turning, two),
        lambda: at.interp(1j, two, two),
    ):
        with refuses(TypeError, "interp"):
            call()
    for end in (1j, "1", two):
        with refuses(TypeError, "interp"):
            at.interp(x, two, two, end)  # type: ignore[arg-type]
        with refuses(TypeError, "interp"):
            at.interp(x, two, two, None, end)  # type: ignore[arg-type]
        with refuses(TypeError, "interp"):
            at.interp(x, two, two, period=end)  # type: ignore[arg-type]
    with refuses(ValueError, "interp", "period"):
        at.interp(x, two, two, period=0)
    for operands in (([1.0], two, two), (x, [1, 2], two), (x, two, [1, 2])):
        with refuses(TypeError, "interp"):
            at.interp(*operands)  # type: ignore[arg-type]
