"""The arithmetic of views against NumPy's: shape, strides, and which elements they show."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ascendtensor import views
from ascendtensor.views import View, contiguous_strides

from .comparison import shapes
from .comparison import views as indices
from .layouts import Array, axes_of, volume

Both = tuple[Array, View]


def positions(view: View) -> Array:
    """The positions in memory that a view shows."""
    total = np.full(view.shape, view.offset)
    for axis, (n, stride) in enumerate(zip(view.shape, view.strides, strict=True)):
        steps = np.arange(n) * stride
        total = total + steps.reshape([-1 if one == axis else 1 for one in range(len(view.shape))])
    return total


def assert_same(view: View, array: Array) -> None:
    """A view shows what NumPy's shows. The array's values are their own positions in memory."""
    assert view.shape == array.shape
    assert len(view.strides) == len(view.shape)
    np.testing.assert_array_equal(positions(view), array)
    if array.size:
        told = [stride for n, stride in zip(view.shape, view.strides, strict=True) if n > 1]
        assert told == [s // array.itemsize for n, s in zip(array.shape, array.strides, strict=True) if n > 1]
    assert view.is_contiguous == array.flags.c_contiguous


@st.composite
def strided(draw: st.DrawFn, side: int = 4) -> Both:
    """A view after some steps, and NumPy's after the same ones."""
    shape = draw(shapes(max_side=side))
    array = np.arange(volume(shape)).reshape(shape)
    view = View(shape, contiguous_strides(shape), 0)
    for step in draw(st.lists(st.sampled_from(["index", "permute", "spread"]), max_size=3)):
        if step == "index":
            key = draw(indices(array.ndim))
            array, view = array[key], views.indexed(view, key)
            array = np.asarray(array)
        elif step == "permute":
            order = draw(st.permutations(range(array.ndim)))
            array, view = array.transpose(order), views.permuted(view, order)
        else:
            wide = tuple(draw(st.integers(0, 3)) if n == 1 else n for n in array.shape)
            wide = (*draw(shapes(max_dims=1, max_side=3)), *wide)
            array, view = np.broadcast_to(array, wide), views.spread(view, wide)
    return array, view


@st.composite
def factored(draw: st.DrawFn, size: int) -> tuple[int, ...]:
    """A shape of `size` elements, some of its lengths 1."""
    lengths = []
    while size > 1 and len(lengths) < 5:
        lengths.append(draw(st.sampled_from([n for n in range(1, size + 1) if size % n == 0])))
        size //= lengths[-1]
    rest = [0, *draw(st.lists(st.integers(0, 3), max_size=2))] if size == 0 else [size]
    return tuple(draw(st.permutations([*lengths, *rest])))


@given(strided())
def test_steps_add_up(both: Both) -> None:
    array, view = both
    assert_same(view, array)


@given(both=strided(), data=st.data())
def test_indexed(both: Both, data: st.DataObject) -> None:
    array, view = both
    key = data.draw(indices(array.ndim))
    assert_same(views.indexed(view, key), np.asarray(array[key]))


@given(both=strided(), data=st.data())
def test_integers_in_an_index(both: Both, data: st.DataObject) -> None:
    array, view = both
    places = [n for n in array.shape if n]
    if len(places) < array.ndim:
        return
    key = tuple(data.draw(st.integers(-n, n - 1).map(np.int64) | st.just(slice(None))) for n in places)
    assert_same(views.indexed(view, key), np.asarray(array[key]))


@given(both=strided(), data=st.data())
@settings(max_examples=200)
def test_reshaped_is_a_view_exactly_where_numpy_has_one(both: Both, data: st.DataObject) -> None:
    array, view = both
    shape = data.draw(factored(array.size))
    try:
        expected = np.reshape(array, shape, copy=False)
    except ValueError:
        expected = None
    found = views.reshaped(view, shape)
    assert (found is None) == (expected is None)
    if found is not None and expected is not None:
        assert_same(found, expected)


@given(both=strided(), data=st.data())
def test_expanded_and_squeezed_are_inverse(both: Both, data: st.DataObject) -> None:
    array, view = both
    count = data.draw(st.integers(0, 2))
    total = array.ndim + count
    axes = tuple(data.draw(st.permutations(range(total)))[:count])
    named = tuple(axis - data.draw(st.sampled_from([0, total])) for axis in axes)
    wide = views.expanded(view, named, "expand_dims")
    assert_same(wide, np.expand_dims(array, named))
    assert_same(views.squeezed(wide, axes), array)


@given(both=strided(), data=st.data())
def test_spread(both: Both, data: st.DataObject) -> None:
    array, view = both
    shape = data.draw(shapes(max_side=3))
    try:
        expected = np.broadcast_to(array, shape)
    except ValueError:
        with pytest.raises(ValueError, match="does not broadcast"):
            views.spread(view, shape)
    else:
        assert_same(views.spread(view, shape), expected)


@given(data=st.data(), shape=shapes())
def test_requested_shape_works_out_the_one_unknown(data: st.DataObject, shape: tuple[int, ...]) -> None:
    wanted: list[Any] = list(data.draw(factored(volume(shape))))
    if wanted and data.draw(st.booleans()):
        wanted[data.draw(st.integers(0, len(wanted) - 1))] = -1
    array = np.empty(shape)
    try:
        expected = array.reshape(wanted).shape
    except ValueError:
        with pytest.raises(ValueError, match="reshape: "):
            views.requested_shape(array.size, wanted, shape)
    else:
        assert views.requested_shape(array.size, wanted, shape) == expected


WRONG_SHAPES: list[tuple[Any, type[Exception]]] = [
    ((-1, -1), ValueError),
    ((2, -2), ValueError),
    ((-1, 0), ValueError),
    ((5,), ValueError),
    ((-1, 4), ValueError),
    ((2.0, 3), TypeError),
    (("2", 3), TypeError),
    ("6", TypeError),
    (None, TypeError),
    (6.0, TypeError),
]


@pytest.mark.parametrize(("shape", "error"), WRONG_SHAPES)
def test_shapes_that_do_not_fit(shape: Any, error: type[Exception]) -> None:
    with pytest.raises(error) as told:
        views.requested_shape(6, shape, (2, 3))
    assert type(told.value) is error


@given(axes_of(3))
def test_axes_strategy_is_what_numpy_takes(axis: Any) -> None:
    assert np.sum(np.ones((2, 3, 4)), axis=axis).size > 0
