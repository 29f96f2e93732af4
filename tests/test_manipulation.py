"""The manipulation functions against NumPy's, on tensors of every dtype and layout."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ascendtensor as at
from ops_registry import dtypes, promotion
from ops_registry.dtypes import DType

from .comparison import arrays, assert_matches, shapes
from .layouts import axes_of, laid_out, moderate, refuses, tensors
from .test_views import factored

EVERY = pytest.mark.parametrize("dtype", dtypes.ALL, ids=str)


def assert_view(view: at.Tensor, of: at.Tensor, expected: Any) -> None:
    """A view of a tensor's own memory, with the values that NumPy's has."""
    assert view.storage is of.storage
    assert_matches(view, np.asarray(expected), exact=True)


# reshape


@EVERY
@given(data=st.data())
def test_reshape(dtype: DType, data: st.DataObject) -> None:
    array, x = data.draw(tensors(dtype))
    shape = data.draw(factored(array.size))
    assert_matches(at.reshape(x, shape), array.reshape(shape), exact=True)
    assert_matches(x.reshape(*shape) if shape else x.reshape(()), array.reshape(shape), exact=True)
    copied = at.reshape(x, shape, copy=True)
    assert copied.storage is not x.storage
    assert_matches(copied, array.reshape(shape), exact=True)


@given(data=st.data())
def test_reshape_without_a_copy(data: st.DataObject) -> None:
    array, x = data.draw(tensors(dtypes.int16))
    shape = data.draw(factored(array.size))
    reshaped = at.reshape(x, shape)
    if reshaped.storage is x.storage:
        with at.profiler.profile() as profile:
            assert_view(at.reshape(x, shape, copy=False), x, array.reshape(shape))
        assert reshaped.is_contiguous() == (profile.key_averages() == [])
    else:
        with refuses(ValueError, "reshape", "takes a copy"):
            at.reshape(x, shape, copy=False)


@pytest.mark.parametrize("shape", [6, (6,), [6], (-1,), -1, (np.int64(3), -1), (1, 6, 1)])
def test_reshape_takes(shape: Any) -> None:
    assert at.reshape(at.ones((2, 3)), shape).shape == np.ones((2, 3)).reshape(shape).shape


# Views


@EVERY
@given(data=st.data())
def test_permute_dims(dtype: DType, data: st.DataObject) -> None:
    array, x = data.draw(tensors(dtype))
    axes = tuple(axis - data.draw(st.sampled_from([0, array.ndim])) for axis in data.draw(orders(array.ndim)))
    assert_view(at.permute_dims(x, axes), x, array.transpose(axes))


def orders(ndim: int) -> st.SearchStrategy[list[int]]:
    return st.permutations(range(ndim))


@EVERY
@given(data=st.data())
def test_moveaxis(dtype: DType, data: st.DataObject) -> None:
    array, x = data.draw(tensors(dtype, shapes(min_dims=1)))
    count = data.draw(st.integers(0, array.ndim))
    source, target = (tuple(data.draw(orders(array.ndim))[:count]) for _ in range(2))
    assert_view(at.moveaxis(x, source, target), x, np.moveaxis(array, source, target))
    if count:
        negative = source[0] - array.ndim
        assert_view(at.moveaxis(x, negative, target[0]), x, np.moveaxis(array, negative, target[0]))


@EVERY
@given(data=st.data())
def test_expand_dims_and_squeeze(dtype: DType, data: st.DataObject) -> None:
    array, x = data.draw(tensors(dtype, shapes(max_dims=3)))
    count = data.draw(st.integers(0, 3))
    total = array.ndim + count
    axes = tuple(a - data.draw(st.sampled_from([0, total])) for a in data.draw(orders(total))[:count])
    wide = at.expand_dims(x, axes)
    assert_view(wide, x, np.expand_dims(array, axes))
    assert_view(at.squeeze(wide, axes), x, array)
    one = data.draw(st.integers(-array.ndim - 1, array.ndim))
    assert_view(at.expand_dims(x, one), x, np.expand_dims(array, one))
    assert_view(at.squeeze(at.expand_dims(x, one), one), x, array)


@EVERY
@given(data=st.data())
def test_broadcast_to(dtype: DType, data: st.DataObject) -> None:
    shape = data.draw(shapes(max_dims=3))
    narrow = tuple(data.draw(st.sampled_from([n, 1])) for n in shape)[data.draw(st.integers(0, len(shape))) :]
    array, x = data.draw(tensors(dtype, narrow))
    assert_view(at.broadcast_to(x, shape), x, np.broadcast_to(array, shape))


@given(data=st.data())
def test_broadcast_arrays_and_shapes(data: st.DataObject) -> None:
    given_shapes = data.draw(st.lists(st.sampled_from([(), (1,), (3,), (2, 1), (2, 3), (0, 1, 1), (4,)]), max_size=3))
    pairs = [data.draw(tensors(data.draw(st.sampled_from(dtypes.ALL)), shape)) for shape in given_shapes]
    try:
        expected = np.broadcast_shapes(*given_shapes)
    except ValueError:
        for function, arguments in ((at.broadcast_shapes, given_shapes), (at.broadcast_arrays, [x for _, x in pairs])):
            with refuses(ValueError, "broadcast together"):
                function(*arguments)
        return
    assert at.broadcast_shapes(*given_shapes) == expected
    found = at.broadcast_arrays(*(x for _, x in pairs))
    for (array, x), wide in zip(pairs, found, strict=True):
        assert_view(wide, x, np.broadcast_to(array, expected))


@EVERY
@given(data=st.data())
def test_flip(dtype: DType, data: st.DataObject) -> None:
    array, x = data.draw(tensors(dtype))
    axis = data.draw(axes_of(array.ndim))
    assert_view(at.flip(x, axis=axis), x, np.flip(array, axis=axis))


# Moves


@EVERY
@given(data=st.data())
def test_concat(dtype: DType, data: st.DataObject) -> None:
    shape = data.draw(shapes(min_dims=1))
    axis = data.draw(st.integers(-len(shape), len(shape) - 1))
    pairs = []
    for length in data.draw(st.lists(st.integers(0, 3), min_size=1, max_size=4)):
        one = list(shape)
        one[axis] = length
        pairs.append(data.draw(tensors(dtype, tuple(one))))
    arrays_given, given_tensors = zip(*pairs, strict=True)
    joined = at.concat(given_tensors, axis=axis)
    assert_matches(joined, np.concatenate(arrays_given, axis=axis), dtype=dtype, exact=True)
    flat = at.concat(list(given_tensors), axis=None)
    assert_matches(flat, np.concatenate(arrays_given, axis=None), dtype=dtype, exact=True)
    assert all(joined.storage is not x.storage for x in given_tensors)


@EVERY
@given(data=st.data())
def test_stack(dtype: DType, data: st.DataObject) -> None:
    shape = data.draw(shapes(max_dims=3))
    pairs = [data.draw(tensors(dtype, shape)) for _ in range(data.draw(st.integers(1, 4)))]
    axis = data.draw(st.integers(-len(shape) - 1, len(shape)))
    packed = at.stack([x for _, x in pairs], axis=axis)
    assert_matches(packed, np.stack([array for array, _ in pairs], axis=axis), dtype=dtype, exact=True)


@EVERY
@pytest.mark.parametrize("other", dtypes.ALL, ids=str)
@pytest.mark.parametrize("join", [at.concat, at.stack])
def test_dtypes_are_promoted(dtype: DType, other: DType, join: Callable[..., at.Tensor]) -> None:
    first, second = at.ones((2, 3), dtype=dtype), at.zeros((3, 2), dtype=other).T
    if {dtype.kind, other.kind} == {"i", "u"} and "uint64" in (dtype.name, other.name):
        with refuses(TypeError, dtype.name, other.name):
            join([first, second], axis=1)
        return
    joined = join([first, second], axis=1)
    numpys = np.concatenate if join is at.concat else np.stack
    expected = numpys([np.ones((2, 3)), np.zeros((2, 3))], axis=1)
    assert_matches(joined, expected, dtype=promotion.promote(dtype, other))


@given(dtype=st.sampled_from(dtypes.ALL), data=st.data())
def test_a_join_of_many(dtype: DType, data: st.DataObject) -> None:
    array = data.draw(arrays(dtype, (2, 3), moderate(dtype)))
    x = data.draw(laid_out(array))
    for count in (1, 7, 40):
        assert_matches(at.concat([x] * count, axis=1), np.concatenate([array] * count, axis=1), exact=True)
        assert_matches(at.stack([x] * count, axis=1), np.stack([array] * count, axis=1), exact=True)


# What does not fit


def test_what_does_not_fit() -> None:
    x, cube, vector, number = at.zeros((2, 3)), at.zeros((1, 2, 1)), at.zeros(3), at.zeros(())
    bad: list[tuple[Callable[[], Any], type[Exception], str]] = [
        (lambda: at.reshape(x, (4,)), ValueError, "reshape: 6 elements of shape (2, 3)"),
        (lambda: at.reshape(x, (-1, -1)), ValueError, "reshape"),
        (lambda: at.reshape(x, (2.0, 3)), TypeError, "reshape"),  # type: ignore[arg-type]
        (lambda: at.reshape([1], (1,)), TypeError, "reshape"),  # type: ignore[arg-type]
        (lambda: at.permute_dims(x, (0,)), ValueError, "permute_dims: axes (0,)"),
        (lambda: at.permute_dims(x, (0, 0)), ValueError, "permute_dims"),
        (lambda: at.permute_dims(x, (0, 2)), IndexError, "permute_dims: axis 2"),
        (lambda: at.permute_dims(x, (0.0, 1.0)), TypeError, "permute_dims"),  # type: ignore[arg-type]
        (lambda: at.permute_dims(x, 1), TypeError, "permute_dims"),  # type: ignore[arg-type]
        (lambda: at.permute_dims(x, None), TypeError, "permute_dims"),  # type: ignore[arg-type]
        (lambda: at.moveaxis(x, 0, 2), IndexError, "moveaxis: axis 2"),
        (lambda: at.moveaxis(x, (0, 1), 0), ValueError, "moveaxis"),
        (lambda: at.moveaxis(x, (0, 0), (0, 1)), ValueError, "moveaxis"),
        (lambda: at.moveaxis(x, 0.0, 1), TypeError, "moveaxis"),  # type: ignore[arg-type]
        (lambda: at.expand_dims(x, 3), IndexError, "expand_dims: axis 3"),
        (lambda: at.expand_dims(x, -4), IndexError, "expand_dims: axis -4"),
        (lambda: at.expand_dims(x, (0, 0)), ValueError, "expand_dims"),
        (lambda: at.expand_dims(x, "0"), TypeError, "expand_dims"),  # type: ignore[arg-type]
        (lambda: at.squeeze(cube, 1), ValueError, "squeeze: dimension 1 of shape (1, 2, 1)"),
        (lambda: at.squeeze(cube, 3), IndexError, "squeeze: axis 3"),
        (lambda: at.squeeze(cube, (0, -3)), ValueError, "squeeze"),
        (lambda: at.squeeze(cube, None), TypeError, "squeeze"),  # type: ignore[arg-type]
        (lambda: at.broadcast_to(x, (3, 2)), ValueError, "broadcast_to: shape (2, 3) does not broadcast to (3, 2)"),
        (lambda: at.broadcast_to(x, (3,)), ValueError, "broadcast_to"),
        (lambda: at.broadcast_to(x, (-1, 3)), ValueError, "broadcast_to"),
        (lambda: at.broadcast_to(number, (-1,)), ValueError, "broadcast_to"),
        (lambda: at.broadcast_to(number, (2.0,)), TypeError, "broadcast_to"),  # type: ignore[arg-type]
        (lambda: at.broadcast_to(number, 2.0), TypeError, "broadcast_to"),  # type: ignore[arg-type]
        (lambda: at.broadcast_arrays(x, 1), TypeError, "broadcast_arrays"),  # type: ignore[arg-type]
        (lambda: at.flip(x, axis=2), IndexError, "flip: axis 2"),
        (lambda: at.flip(x, axis=(0, 0)), ValueError, "flip"),
        (lambda: at.flip(x, axis=0.0), TypeError, "flip"),  # type: ignore[arg-type]
        (lambda: at.concat([]), ValueError, "concat"),
        (lambda: at.concat([x, vector]), ValueError, "concat: shapes (2, 3) and (3,)"),
        (lambda: at.concat([x.T, x]), ValueError, "concat: shapes (3, 2) and (2, 3)"),
        (lambda: at.concat([x, x], axis=2), IndexError, "concat: axis 2"),
        (lambda: at.concat([number, number]), ValueError, "concat"),
        (lambda: at.concat([x, x], axis=0.0), TypeError, "concat"),  # type: ignore[arg-type]
        (lambda: at.concat([x, [1]]), TypeError, "concat"),  # type: ignore[list-item]
        (lambda: at.concat(3), TypeError, "concat"),  # type: ignore[arg-type]
        (lambda: at.stack([]), ValueError, "stack"),
        (lambda: at.stack([x.T, x]), ValueError, "stack: all tensors must have one shape"),
        (lambda: at.stack([x, x], axis=3), IndexError, "stack: axis 3"),
        (lambda: at.stack([x, x], axis=1.0), TypeError, "stack"),  # type: ignore[arg-type]
        (lambda: at.stack(None), TypeError, "stack"),  # type: ignore[arg-type]
    ]
    at.concat([x, x], axis=0)
    at.stack([x, x], axis=1)
    for call, error, words in bad:
        with refuses(error, words):
            call()
