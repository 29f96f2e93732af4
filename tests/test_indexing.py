"""Reading and writing through indices, and `take`, against NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ascendtensor as at
from ops_registry import dtypes
from ops_registry.dtypes import DType

from .comparison import INTEGERS, arrays, assert_matches, elements, on_device, shapes
from .comparison import views as slices
from .layouts import Array, laid_out, moderate, refuses, tensors

EVERY = pytest.mark.parametrize("dtype", dtypes.ALL, ids=str)


@st.composite
def keys(draw: st.DrawFn, shape: tuple[int, ...]) -> Any:
    """A basic index of a shape: what `slices` gives, some dimensions by integers of several kinds."""
    key = draw(slices(len(shape)))
    axis, result = 0, []
    after = sum(one is not None and one is not ... for one in key[key.index(...) :]) if ... in key else 0
    for one in key:
        if one is None:
            result.append(one)
        elif one is ...:
            result.append(one)
            axis = len(shape) - after
        else:
            n = shape[axis]
            axis += 1
            result.append(draw(integers(n)) if n and draw(st.booleans()) else one)
    return result[0] if len(result) == 1 and draw(st.booleans()) else tuple(result)


def integers(n: int) -> st.SearchStrategy[Any]:
    """A position among `n`, as one of the things that are integers."""
    kinds = st.sampled_from([int, np.int64, np.int8, np.array, lambda i: at.asarray(i, dtype=at.int32)])
    return st.builds(lambda kind, i: kind(i), kinds, st.integers(-n, n - 1))


def in_numpy(key: Any) -> Any:
    """A key that NumPy takes for a basic index too."""
    if isinstance(key, tuple):
        return tuple(in_numpy(one) for one in key)
    return int(key) if isinstance(key, at.Tensor | np.ndarray) else key


def assert_same(x: at.Tensor, array: Any) -> None:
    assert_matches(x, np.asarray(array), exact=True)


# Reading


@EVERY
@given(data=st.data())
def test_getitem(dtype: DType, data: st.DataObject) -> None:
    array, x = data.draw(tensors(dtype))
    key = data.draw(keys(array.shape))
    assert_matches(x[key], np.asarray(array[in_numpy(key)]), dtype=dtype, exact=True)


@EVERY
@given(data=st.data())
def test_views_of_views(dtype: DType, data: st.DataObject) -> None:
    array, x = data.draw(tensors(dtype, shapes(min_dims=1, max_side=6)))
    for _ in range(3):
        key = data.draw(keys(array.shape))
        array, x = np.asarray(array[in_numpy(key)]), x[key]
    assert_matches(x, array, dtype=dtype, exact=True)


@given(shape=shapes(), data=st.data())
def test_reading_an_index_moves_nothing(shape: tuple[int, ...], data: st.DataObject) -> None:
    x = at.zeros(shape)
    key = in_numpy(data.draw(keys(shape)))
    with at.profiler.profile() as profile:
        part = x[key]
    assert profile.key_averages() == []
    assert part.storage is x.storage


# Writing


@EVERY
@given(data=st.data())
def test_writes_show_through_views(dtype: DType, data: st.DataObject) -> None:
    array, x = data.draw(tensors(dtype))
    key = data.draw(keys(array.shape))
    part = x[key]
    value = data.draw(elements(dtype))
    number = np.asarray(value, dtype=dtype.dtype).item()
    part[...] = number
    expected = array.copy()
    expected[in_numpy(key)] = number
    assert_same(x, expected)
    x[...] = 0
    assert_same(part, np.zeros(part.shape, dtype=dtype.dtype))


@EVERY
@given(data=st.data())
def test_setitem_broadcasts_tensors_and_arrays(dtype: DType, data: st.DataObject) -> None:
    array, x = data.draw(tensors(dtype))
    key = data.draw(keys(array.shape))
    target = np.asarray(array[in_numpy(key)]).shape
    shape = tuple(data.draw(st.sampled_from([n, 1])) for n in target)
    shape = (*(1,) * data.draw(st.integers(0, 2)), *shape) if data.draw(st.booleans()) else shape[len(shape) // 2 :]
    value = data.draw(arrays(dtype, shape))
    given_as = data.draw(st.sampled_from(["tensor", "array"]))
    array[in_numpy(key)] = np.broadcast_to(value.reshape(shape[max(len(shape) - len(target), 0) :]), target)
    x[key] = data.draw(laid_out(value)) if given_as == "tensor" else value
    assert_same(x, array)


@EVERY
@pytest.mark.parametrize("source", dtypes.ALL, ids=str)
def test_setitem_casts(dtype: DType, source: DType) -> None:
    # 1 and 2 are values of all dtypes but bool, which has True for both.
    value = np.asarray([1, 2, 0, 1]).astype(source.dtype)
    x = at.zeros((2, 6), dtype=dtype)
    if source.kind == "c" and dtype.kind != "c":
        complex_value = on_device(value)
        with refuses(TypeError, source.name, dtype.name):
            x[:, 1:5] = complex_value
        assert not at.any(x)
        return
    x[:, 1:5] = on_device(value)
    expected = np.zeros((2, 6), dtype=dtype.dtype)
    expected[:, 1:5] = value
    assert_same(x, expected)


@EVERY
@given(data=st.data())
def test_source_and_target_may_overlap(dtype: DType, data: st.DataObject) -> None:
    array, x = data.draw(tensors(dtype, shapes(min_dims=1, max_side=8, max_dims=2)))
    n = array.shape[0]
    shift = data.draw(st.integers(0, n))
    steps = [(slice(shift, None), slice(0, n - shift)), (slice(0, n - shift), slice(shift, None))]
    turned = [(slice(None, None, -1), slice(None)), (slice(None), slice(None, None, -1))]
    halves = [(slice(0, 2 * (n // 2), 2), slice(1, 2 * (n // 2), 2)), (slice(n // 2), slice(n - n // 2, None))]
    to, of = data.draw(st.sampled_from(steps + turned + halves))
    array[to] = array[of]
    x[to] = x[of]
    assert_same(x, array)


@EVERY
def test_transposed_onto_itself(dtype: DType) -> None:
    array = np.arange(16).reshape(4, 4).astype(dtype.dtype)
    x = on_device(array)
    x[...] = x.T
    assert_same(x, array.T)


@EVERY
@pytest.mark.parametrize("offset", range(9))
def test_any_offset(dtype: DType, offset: int) -> None:
    """Ops read from addresses that are multiples of 32; views begin anywhere."""
    array = (np.arange(24) % 7).astype(dtype.dtype)
    x = on_device(array)
    part = x[offset : offset + 8]
    assert_same(part, array[offset : offset + 8])
    assert_same(at.concat([part, part]), np.concatenate([array[offset : offset + 8]] * 2))
    part[1:3] = on_device(array[:2])
    array[offset + 1 : offset + 3] = array[:2].copy()
    assert_same(x, array)


@EVERY
@pytest.mark.parametrize("key", [slice(2, 2), slice(0, 0), (slice(None), slice(5, 9)), (slice(1, 1), 2)])
def test_writing_nothing(dtype: DType, key: Any) -> None:
    x = at.ones((3, 4), dtype=dtype)
    x[key] = 0
    x[key] = at.zeros(x[key].shape, dtype=dtype)
    assert at.all(x == 1)


def test_elements_that_share_memory_cannot_be_assigned() -> None:
    """Which of the writes would last is up to the device; NumPy's broadcast views are read-only too."""
    x = at.broadcast_to(at.zeros(3), (2, 3))
    with refuses(ValueError, "share"):
        x[...] = 1
    with refuses(ValueError, "share"):
        x += 1
    with refuses(ValueError, "share"):
        x[:, 1:] = [1, 2]
    x[0] = 1
    assert x.tolist() == [[1, 1, 1], [1, 1, 1]]


# What does not fit

BAD_KEYS: list[tuple[Any, str]] = [
    (3, "index 3 is out of range"),
    (-4, "index -4 is out of range"),
    ((0, 4), "dimension 1"),
    ((0, 0, 0), "3 indices"),
    ((..., ...), "ellipsis"),
    (1.0, "1.0"),
    ("a", "'a'"),
    ((0, "a"), "'a'"),
    (slice(0.5, None), "slice"),
    (slice(None, "b"), "slice"),
    (2**70, "out of range"),
]


@pytest.mark.parametrize(("key", "words"), BAD_KEYS)
def test_bad_keys(key: Any, words: str) -> None:
    x = at.zeros((3, 4))
    for raised in (lambda: np.zeros((3, 4))[key], lambda: x[key], lambda: x.__setitem__(key, 1)):
        with pytest.raises((IndexError, TypeError)):
            raised()
    with refuses(IndexError, words):
        x[key]
    with refuses(IndexError, words):
        x[key] = 1


def test_bad_keys_of_other_kinds() -> None:
    x = at.zeros((3, 4))
    with refuses(ValueError, "step"):
        x[::0]
    with refuses(IndexError, "indexed by"):
        x[1j]
    number = at.zeros(())
    with refuses(IndexError, "1 indices"):
        number[0]


BAD_VALUES: list[tuple[Any, DType, type[Exception], str]] = [
    ("a", at.float32, TypeError, "'a'"),
    (None, at.float32, TypeError, "None"),
    ([[1, "a"]], at.float32, TypeError, "a"),
    (1j, at.float32, TypeError, "complex"),
    ([1j, 2], at.float32, TypeError, "complex"),
    (np.complex64(1j), at.int8, TypeError, "complex"),
    (128, at.int8, OverflowError, "128"),
    (-1, at.uint8, OverflowError, "-1"),
    ([1, 300], at.int8, OverflowError, "300"),
    (2**64, at.int64, OverflowError, str(2**64)),
    (float("inf"), at.int32, OverflowError, "inf"),
    (float("nan"), at.int32, ValueError, "nan"),
    ([float("nan"), 1.0, 1.0, 1.0], at.int32, ValueError, "NaN"),
    (1e30, at.int64, OverflowError, "1000000000000000019884624838656"),
    (-1.5, at.uint16, OverflowError, "-1"),
    ([2**70, 0, 0, 0], at.int64, OverflowError, ""),
    ([1, 2, 3], at.float32, ValueError, "(3,)"),
    (np.zeros((2, 2, 4)), at.float32, ValueError, "(2, 2, 4)"),
    ([[1], [1, 2]], at.float32, ValueError, ""),
]


@pytest.mark.parametrize(("value", "dtype", "error", "words"), BAD_VALUES)
def test_bad_values(value: Any, dtype: DType, error: type[Exception], words: str) -> None:
    x = at.ones((2, 4), dtype=dtype)
    with refuses(error, words):
        x[...] = value
    assert at.all(x == 1)


def test_bad_tensor_values() -> None:
    x, wide = at.ones((2, 4)), at.zeros((2, 5))
    turned = wide.T
    with refuses(ValueError, "(2, 5)", "(2, 4)"):
        x[...] = wide
    with refuses(ValueError, "(5, 2)", "(2, 4)"):
        x[...] = turned
    assert at.all(x == 1)


# take


@EVERY
@given(data=st.data())
def test_take(dtype: DType, data: st.DataObject) -> None:
    array, x = data.draw(tensors(dtype, shapes(min_dims=1)))
    axis = data.draw(st.integers(-array.ndim, array.ndim - 1))
    n = array.shape[axis]
    kind = data.draw(st.sampled_from(INTEGERS))
    shape = data.draw(shapes(max_dims=2)) if n else (0,)
    low = -n if kind.kind == "i" else 0
    places, indices = data.draw(tensors(kind, shape, st.integers(low, max(n - 1, 0))))
    expected = np.take(array, places.astype(np.int64), axis=axis)
    assert_matches(at.take(x, indices, axis=axis), expected, dtype=dtype, exact=True)


@EVERY
@pytest.mark.parametrize("index", [3, -4, 2**31 - 1])
def test_take_out_of_range_is_told_at_synchronisation(dtype: DType, index: int) -> None:
    x = at.ones((2, 3), dtype=dtype)
    taken = at.take(x, at.asarray([0, index]), axis=1)
    with pytest.raises(at.AclError, match="GatherV2"):
        at.npu.synchronize()
    del taken
    assert at.all(at.take(x, at.asarray([0, -1]), axis=1) == 1)


def test_take_refuses() -> None:
    x, places = at.zeros((2, 3)), at.asarray([0])
    empty, floats = at.zeros((2, 0)), at.zeros(1)
    with refuses(ValueError, "take", "axis"):
        at.take(x, places)
    with refuses(IndexError, "take", "axis 2"):
        at.take(x, places, axis=2)
    with refuses(TypeError, "take", "float32"):
        at.take(x, floats, axis=0)
    with refuses(TypeError, "take", "list"):
        at.take(x, [0], axis=0)  # type: ignore[arg-type]
    with refuses(IndexError, "take", "(2, 0)"):
        at.take(empty, places, axis=1)
    with refuses(TypeError, "take", "axis"):
        at.take(x, places, axis=1.0)  # type: ignore[arg-type]


@given(shape=shapes(), data=st.data())
def test_every_element_by_itself(shape: tuple[int, ...], data: st.DataObject) -> None:
    array: Array = data.draw(arrays(dtypes.float32, shape, moderate(dtypes.float32)))
    x = on_device(array)
    for place in np.ndindex(shape):
        assert x[place].item() == array[place]
