"""pad against NumPy's."""

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
from .layouts import refuses, tensors

pytestmark = pytest.mark.filterwarnings("error::ascendtensor.HostFallbackWarning")

EVERY = pytest.mark.parametrize("dtype", dtypes.ALL, ids=str)
MODES = ("edge", "reflect", "symmetric", "wrap")
NARROW = (dtypes.bool_, dtypes.uint8, dtypes.bfloat16, dtypes.int64, dtypes.complex128)


def widths_for(ndim: int, most: int = 9) -> st.SearchStrategy[Any]:
    """What pad_width may be."""
    width = st.integers(0, most)
    pair = st.tuples(width, width)
    each = st.lists(pair, min_size=ndim, max_size=ndim)
    some = st.dictionaries(st.integers(-ndim, -1), pair | width) if ndim else st.just({})
    return st.one_of(
        width, pair, width.map(lambda n: (n,)), pair.map(lambda both: [both]), *([each, some] * (ndim > 0))
    )


@EVERY
@given(data=st.data())
def test_constants(dtype: DType, data: st.DataObject) -> None:
    array, x = data.draw(tensors(dtype, shapes(max_dims=3, max_side=3)))
    widths = data.draw(widths_for(array.ndim, 3))
    value = elements(dtype).map(lambda one: dtype.dtype.type(one).item())
    pairs = st.tuples(value, value)
    values = data.draw(
        value | pairs | st.lists(pairs, min_size=array.ndim, max_size=array.ndim) if array.ndim else value
    )
    with np.errstate(all="ignore"):
        expected = np.pad(array, widths, constant_values=np.asarray(values, dtype.dtype))
    assert_matches(at.pad(x, widths, constant_values=values), expected, dtype=dtype, exact=True)


@EVERY
@pytest.mark.parametrize("mode", MODES)
@given(data=st.data())
def test_repeated_elements(dtype: DType, mode: str, data: st.DataObject) -> None:
    array, x = data.draw(tensors(dtype, shapes(max_dims=3, max_side=4, min_side=1)))
    widths = data.draw(widths_for(array.ndim, data.draw(st.sampled_from([1, 3, 9]))))
    assert_matches(at.pad(x, widths, mode), np.pad(array, widths, mode), dtype=dtype, exact=True)


@EVERY
def test_zeros_by_default(dtype: DType) -> None:
    x = at.ones((1, 2), dtype=dtype)
    assert_matches(at.pad(x, 1), np.pad(np.ones((1, 2)), 1), dtype=dtype)


@pytest.mark.parametrize("dtype", NARROW, ids=str)
@pytest.mark.parametrize("mode", ["constant", *MODES])
def test_nothing_added_is_a_copy(dtype: DType, mode: str) -> None:
    for shape in ((), (3,), (0, 2)):
        x = at.ones(shape, dtype=dtype)
        padded = at.pad(x, 0, mode)
        assert_matches(padded, np.ones(shape), dtype=dtype)
        assert padded.storage is not x.storage


@pytest.mark.parametrize("dtype", NARROW, ids=str)
def test_empty_axes(dtype: DType) -> None:
    x = at.zeros((0, 2), dtype=dtype)
    assert_matches(at.pad(x, 1, constant_values=1), np.ones((2, 4)), dtype=dtype)
    assert_matches(at.pad(x, 1, constant_values=[(1, 0), (0, 1)]), [[0, 1, 1, 1], [0, 0, 0, 1]], dtype=dtype)
    for mode in MODES:
        assert at.pad(x, [(0, 0), (5, 1)], mode).shape == (0, 8)
        with refuses(ValueError, "pad", "axis 0", mode):
            at.pad(x, 1, mode)


def test_a_fraction_is_cut_off_for_integers() -> None:
    assert at.pad(at.asarray([1]), 1, constant_values=-2.5).tolist() == [-2, 1, -2]
    assert at.pad(at.asarray([1]), 1, constant_values=np.float32(7)).tolist() == [7, 1, 7]
    assert at.pad(at.asarray([1]), (np.int8(1), np.uint64(0))).tolist() == [0, 1]
    assert at.pad(at.asarray([1, 2]), np.asarray([1, 2])).tolist() == [0, 1, 2, 0, 0]


def test_large_mirrored_padding_of_a_view() -> None:
    array = np.arange(24.0).reshape(2, 3, 4)
    x = on_device(array)[::-1, :, 1:]
    for mode in MODES:
        assert_matches(
            at.pad(x, [(3, 0), (1, 2), (0, 7)], mode), np.pad(array[::-1, :, 1:], [(3, 0), (1, 2), (0, 7)], mode)
        )


def test_what_is_refused() -> None:
    x = at.zeros((2, 3))
    integers = at.zeros((2, 3), dtype=at.int8)
    for widths in (1.0, "1", (1, 2.0), True, None, [(1, True)], [(1,), (2, 3)]):
        with refuses(TypeError, "pad", "integers"):
            at.pad(x, widths)
    for widths in (-1, (0, -1)):
        with refuses(ValueError, "pad", "negative"):
            at.pad(x, widths)
    for widths in ([1, 2, 3], [(1, 2)] * 3, []):
        with refuses(ValueError, "pad", "pad_width"):
            at.pad(x, widths)
    with refuses(IndexError, "pad", "axis 2"):
        at.pad(x, {2: 1})
    for mode in ("median", "EDGE", None, 1):
        with refuses(ValueError, "pad", "mode"):
            at.pad(x, 1, mode)  # type: ignore[arg-type]
    with refuses(ValueError, "pad", "constant_values"):
        at.pad(x, 1, constant_values=[1, 2, 3])
    for value in (1j, "a", None):
        with refuses(TypeError, "pad"):
            at.pad(x, 1, constant_values=value)
    for value, error in ((300, OverflowError), (float("nan"), ValueError), (float("inf"), OverflowError)):
        with refuses(error, "pad", "int8"):
            at.pad(integers, 1, constant_values=value)
    with refuses(TypeError, "pad", "list"):
        at.pad([1, 2], 1)
    for mode in ("constant", *MODES):
        with refuses(ValueError, "more bytes"):
            at.pad(x, 2**62, mode)
