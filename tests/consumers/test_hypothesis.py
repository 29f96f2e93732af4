"""Hypothesis' strategies for the array API draw tensors."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.array_api import make_strategies_namespace

import ascendtensor as at
from ops_registry.dtypes import DType

BY_KIND = {
    "b": "boolean_dtypes",
    "i": "integer_dtypes",
    "u": "unsigned_integer_dtypes",
    "f": "floating_dtypes",
    "c": "complex_dtypes",
}


@cache
def strategies() -> Any:
    """Made when a test first asks: it uses the device, which gathering the tests may not do."""
    return make_strategies_namespace(at)


def test_the_namespace_is_known_by_its_version() -> None:
    assert repr(strategies()) == "make_strategies_namespace(ascendtensor)"
    assert strategies().api_version in at.API_VERSIONS


@pytest.mark.parametrize("kind", BY_KIND)
@given(data=st.data())
def test_arrays_of_every_kind(kind: str, data: st.DataObject) -> None:
    dtype: DType = data.draw(getattr(strategies(), BY_KIND[kind])())
    assert dtype.kind == kind
    shape = data.draw(strategies().array_shapes(min_dims=0, min_side=0))
    x = data.draw(strategies().arrays(dtype, shape))
    assert isinstance(x, at.Tensor)
    assert (x.dtype, x.shape) == (dtype, shape)


@given(data=st.data())
def test_values_are_those_that_were_drawn(data: st.DataObject) -> None:
    dtype = data.draw(strategies().scalar_dtypes())
    element = data.draw(strategies().from_dtype(dtype))
    x = data.draw(strategies().arrays(dtype, 3, elements=st.just(element)))
    np.testing.assert_array_equal(x.numpy(), np.full(3, element, dtype.dtype))


@given(data=st.data())
def test_unique_elements(data: st.DataObject) -> None:
    x = data.draw(strategies().arrays(at.int16, st.integers(0, 20), unique=True))
    assert at.unique_values(x).shape == x.shape


@given(data=st.data())
def test_bounds_are_kept(data: st.DataObject) -> None:
    bounds: dict[str, Any] = {"min_value": -1.5, "max_value": 4.0, "allow_nan": False}
    x = data.draw(
        strategies().arrays(strategies().real_dtypes().filter(lambda d: d.kind == "f"), (2, 2), elements=bounds)
    )
    assert bool(at.all((x >= -1.5) & (x <= 4.0)))


@given(data=st.data())
def test_indices_and_axes(data: st.DataObject) -> None:
    shape = data.draw(strategies().array_shapes(max_dims=4, max_side=4))
    x = at.reshape(at.arange(int(np.prod(shape))), shape)
    index = data.draw(strategies().indices(shape, allow_newaxis=True))
    np.testing.assert_array_equal(x[index].numpy(), x.numpy()[index])
    axes = data.draw(strategies().valid_tuple_axes(x.ndim))
    np.testing.assert_array_equal(at.sum(x, axis=axes).numpy(), x.numpy().sum(axis=axes))
