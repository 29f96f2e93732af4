"""softmax and log_softmax against their formulas in double precision."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ascendtensor as at
from ops_registry import dtypes
from ops_registry.dtypes import DType

from .comparison import COMPLEX, FLOATING, REAL, assert_matches, elements, on_device, shapes
from .layouts import Array, refuses, tensors

pytestmark = pytest.mark.filterwarnings("error::ascendtensor.HostFallbackWarning")

REALS = pytest.mark.parametrize("dtype", [dtypes.bool_, *REAL], ids=str)
FLOATS = pytest.mark.parametrize("dtype", FLOATING, ids=str)


def softmax(array: Array, axis: int) -> Array:
    with np.errstate(all="ignore"):
        powers = np.exp(array - array.max(axis, keepdims=True, initial=-np.inf))
        return powers / powers.sum(axis, keepdims=True)


def log_softmax(array: Array, axis: int) -> Array:
    with np.errstate(all="ignore"):
        shifted = array - array.max(axis, keepdims=True, initial=-np.inf)
        return shifted - np.log(np.exp(shifted).sum(axis, keepdims=True))


def computed_in(array: Array, result: DType) -> Array:
    """The values as the function sees them, in double precision."""
    return array.astype(result.dtype).astype(np.float64)


@REALS
@given(data=st.data())
def test_softmax_and_its_logarithm(dtype: DType, data: st.DataObject) -> None:
    # Numbers whose differences and exponentials keep their precision in float32.
    values = st.integers(-30, 30).map(lambda n: n / 4) if dtype.kind == "f" else elements(dtype)
    array, x = data.draw(tensors(dtype, shapes(min_dims=1, max_dims=3), values))
    axis = data.draw(st.integers(-array.ndim, array.ndim - 1))
    result = dtype if dtype.kind == "f" else dtypes.float32
    wide = computed_in(array, result)
    assert_matches(at.softmax(x, axis), softmax(wide, axis), dtype=result, ulps=64)
    biggest = float(np.max(np.abs(wide), initial=1))
    assert_matches(at.log_softmax(x, axis), log_softmax(wide, axis), dtype=result, scale=2 * biggest)


@FLOATS
@given(data=st.data())
def test_special_values(dtype: DType, data: st.DataObject) -> None:
    array, x = data.draw(tensors(dtype, (4,), st.sampled_from([np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0])))
    wide = array.astype(np.float64)
    assert_matches(at.softmax(x), softmax(wide, -1), dtype=dtype)
    assert_matches(at.log_softmax(x), log_softmax(wide, -1), dtype=dtype)


@FLOATS
def test_nothing_overflows(dtype: DType) -> None:
    info = at.finfo(dtype)
    x = at.asarray([info.max, info.max, info.min], dtype=dtype)
    assert_matches(at.softmax(x), [0.5, 0.5, 0.0], dtype=dtype)
    assert_matches(at.log_softmax(x)[:2], np.full(2, -np.log(2)), dtype=dtype)


@FLOATS
def test_a_result_has_memory_of_its_own(dtype: DType) -> None:
    for shape in ((3, 1), (0, 3)):
        x = at.zeros(shape, dtype=dtype)
        assert at.softmax(x).storage is not x.storage


def test_the_axis_by_either_name() -> None:
    x = on_device(np.asarray([[0.0, 1.0], [2.0, 5.0]]))
    for function in (at.softmax, at.log_softmax):
        assert function(x).tolist() == function(x, axis=1).tolist() == function(x, dim=1).tolist()
        assert function(x, 0).tolist() == function(x, dim=0).tolist() != function(x).tolist()


@pytest.mark.parametrize("name", ["softmax", "log_softmax"])
def test_what_is_refused(name: str) -> None:
    function = getattr(at, name)
    x, number = at.zeros((2, 3)), at.zeros(())
    for axis in (2, -3):
        with refuses(IndexError, name, f"axis {axis}"):
            function(x, axis)
    with refuses(IndexError, name, "0 dimensions"):
        function(number)
    for axis in (1.0, (0, 1), "0"):
        with refuses(TypeError, name, "axis"):
            function(x, axis=axis)
    with refuses(TypeError, name, "axis and dim"):
        function(x, 1, dim=1)
    with refuses(TypeError, name, "list"):
        function([1.0, 2.0])
    for dtype in COMPLEX:
        turning = at.zeros(2, dtype=dtype)
        with refuses(TypeError, name, dtype.name):
            function(turning)
