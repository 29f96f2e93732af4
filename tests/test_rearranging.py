"""Repetitions, rolls, tiles, running products and differences against NumPy's."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ascendtensor as at
from ops_registry import dtypes
from ops_registry.dtypes import DType

from .comparison import NUMERIC, assert_matches, on_device, shapes
from .layouts import moderate, refuses, tensors

EVERY = pytest.mark.parametrize("dtype", dtypes.ALL, ids=str)
NUMBERS = pytest.mark.parametrize("dtype", NUMERIC, ids=str)


@EVERY
@given(data=st.data())
def test_repeat(dtype: DType, data: st.DataObject) -> None:
    array, x = data.draw(tensors(dtype))
    axis = data.draw(st.none() | st.integers(-array.ndim, array.ndim - 1)) if array.ndim else None
    times = data.draw(st.integers(0, 3))
    assert_matches(at.repeat(x, times, axis=axis), np.repeat(array, times, axis), dtype=dtype, exact=True)
    length = array.size if axis is None else array.shape[axis]
    each = np.asarray(data.draw(st.lists(st.integers(0, 3), min_size=length, max_size=length)), np.int32)
    assert_matches(at.repeat(x, on_device(each), axis=axis), np.repeat(array, each, axis), dtype=dtype, exact=True)


@EVERY
@given(data=st.data())
def test_roll(dtype: DType, data: st.DataObject) -> None:
    array, x = data.draw(tensors(dtype))
    far = st.integers(-9, 9)
    shift = data.draw(far)
    assert_matches(at.roll(x, shift), np.roll(array, shift), dtype=dtype, exact=True)
    axes = tuple(data.draw(st.lists(st.integers(-array.ndim, array.ndim - 1), max_size=3))) if array.ndim else ()
    if axes:
        shifts = tuple(data.draw(far) for _ in axes)
        assert_matches(at.roll(x, shifts, axis=axes), np.roll(array, shifts, axes), dtype=dtype, exact=True)
        assert_matches(at.roll(x, shift, axis=axes), np.roll(array, shift, axes), dtype=dtype, exact=True)


@EVERY
@given(data=st.data())
def test_tile(dtype: DType, data: st.DataObject) -> None:
    array, x = data.draw(tensors(dtype, shapes(max_dims=3)))
    times = tuple(data.draw(st.lists(st.integers(0, 3), max_size=4)))
    assert_matches(at.tile(x, times), np.tile(array, times), dtype=dtype, exact=True)


@EVERY
@given(data=st.data())
def test_unstack(dtype: DType, data: st.DataObject) -> None:
    array, x = data.draw(tensors(dtype, shapes(min_dims=1)))
    axis = data.draw(st.integers(-array.ndim, array.ndim - 1))
    parts = at.unstack(x, axis=axis)
    assert len(parts) == array.shape[axis]
    for part, expected in zip(parts, np.moveaxis(array, axis, 0), strict=True):
        assert part.storage is x.storage
        assert_matches(part, expected, dtype=dtype, exact=True)


@EVERY
@given(data=st.data())
def test_cumulative_prod(dtype: DType, data: st.DataObject) -> None:
    array, x = data.draw(tensors(dtype, shapes(min_dims=1, max_dims=3), moderate(dtype, 2)))
    axis, initial = data.draw(st.integers(-array.ndim, array.ndim - 1)), data.draw(st.booleans())
    result = {"b": dtypes.int64, "i": dtypes.int64, "u": dtypes.uint64}.get(dtype.kind, dtype)
    wide = {"f": np.float64, "c": np.complex128}.get(dtype.kind, result.dtype)
    expected = np.cumulative_prod(array.astype(wide), axis=axis, include_initial=initial)
    scale = float(np.max(np.abs(expected), initial=0)) if dtype.kind in "fc" else 0.0
    assert_matches(at.cumulative_prod(x, axis=axis, include_initial=initial), expected, dtype=result, scale=scale)


@EVERY
@given(data=st.data())
def test_diff(dtype: DType, data: st.DataObject) -> None:
    array, x = data.draw(tensors(dtype, shapes(min_dims=1, max_dims=3), moderate(dtype, 4)))
    axis, n = data.draw(st.integers(-array.ndim, array.ndim - 1)), data.draw(st.integers(0, 3))
    assert_matches(at.diff(x, axis=axis, n=n), np.diff(array, n, axis), dtype=dtype, scale=64)
    beside = np.ones_like(np.take(array, [0], axis) if array.shape[axis] else array)
    y = on_device(beside)
    expected = np.diff(array, n, axis, prepend=beside, append=beside) if n else array
    assert_matches(at.diff(x, axis=axis, n=n, prepend=y, append=y), expected, dtype=dtype, scale=64)


def test_what_does_not_fit() -> None:
    x, number = at.zeros((2, 3)), at.zeros(())
    with refuses(TypeError, "repeat", "integer"):
        at.repeat(x, 1.5)  # type: ignore[arg-type]
    with refuses(ValueError, "repeat", "-1"):
        at.repeat(x, -1)
    with refuses(ValueError, "roll", "2 shifts for 3 axes"):
        at.roll(x, (1, 2), axis=(0, 1, 0))
    with refuses(IndexError, "roll: axis 2"):
        at.roll(x, 1, axis=2)
    with refuses(ValueError, "tile", "negative"):
        at.tile(x, (-1,))
    with refuses(IndexError, "unstack"):
        at.unstack(number)
    with refuses(ValueError, "cumulative_prod", "axis"):
        at.cumulative_prod(x)
    with refuses(ValueError, "diff", "dimensions"):
        at.diff(number)
    with refuses(ValueError, "diff", "negative"):
        at.diff(x, n=-1)
