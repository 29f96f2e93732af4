"""The rules of shapes and axes."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, mutually_broadcastable_shapes

from ops_registry import shapes

SHAPES = array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=3)


@given(mutually_broadcastable_shapes(num_shapes=3, min_side=0, max_side=4, max_dims=4))
def test_shapes_broadcast_as_in_numpy(given_shapes: Any) -> None:
    assert shapes.broadcast("f", *given_shapes.input_shapes) == given_shapes.result_shape


@given(SHAPES, SHAPES)
def test_shapes_that_numpy_refuses_are_refused_in_words(first: tuple[int, ...], second: tuple[int, ...]) -> None:
    try:
        wanted = np.broadcast_shapes(first, second)
    except ValueError:
        with pytest.raises(ValueError, match=re.escape(f"add: shapes {first} and {second} cannot be broadcast")):
            shapes.broadcast("add", first, second)
    else:
        assert shapes.broadcast("add", first, second) == wanted


def test_one_shape_and_none() -> None:
    assert shapes.broadcast("f", (2, 0)) == (2, 0)
    assert shapes.broadcast("f") == ()


@given(st.integers(0, 5), st.integers(-8, 8))
def test_an_axis_counts_from_either_end(ndim: int, axis: int) -> None:
    if axis in range(-ndim, ndim):
        assert shapes.axis_index("f", axis, ndim) == range(ndim)[axis]
    else:
        with pytest.raises(IndexError, match=f"f: axis {axis} is out of range for a tensor of {ndim} dim"):
            shapes.axis_index("f", axis, ndim)


@pytest.mark.parametrize("axis", [1.0, "0", None])
def test_an_axis_is_an_integer(axis: Any) -> None:
    with pytest.raises(TypeError, match=f"f: axis must be an integer, not {axis!r}"):
        shapes.axis_index("f", axis, 3)


def test_a_numpy_integer_is_an_axis() -> None:
    assert shapes.axis_index("f", np.int8(-1), 3) == 2  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("axis", "axes"), [(None, (0, 1, 2)), (1, (1,)), (-1, (2,)), ((2, 0), (0, 2)), ([-1, 0], (0, 2)), ((), ())]
)
def test_axes_come_in_order(axis: Any, axes: tuple[int, ...]) -> None:
    assert shapes.axes_tuple("f", axis, 3) == axes


@pytest.mark.parametrize("axis", [(0, 0), (1, -2), [2, -1]])
def test_an_axis_is_named_once(axis: Any) -> None:
    with pytest.raises(ValueError, match=r"f: axis .* names a dimension twice"):
        shapes.axes_tuple("f", axis, 3)


@given(st.data(), SHAPES, st.booleans())
def test_reduced_shapes_are_numpys(data: st.DataObject, shape: tuple[int, ...], keepdims: bool) -> None:
    axes = tuple(sorted(data.draw(st.sets(st.sampled_from(range(len(shape)))) if shape else st.just(set()))))
    assert shapes.reduced(shape, axes, keepdims) == np.zeros(shape).sum(axis=axes, keepdims=keepdims).shape
