"""diag against NumPy's."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ascendtensor as at
from ops_registry import dtypes
from ops_registry.dtypes import DType

from .comparison import assert_matches, shapes
from .layouts import refuses, tensors

pytestmark = pytest.mark.filterwarnings("error::ascendtensor.HostFallbackWarning")

EVERY = pytest.mark.parametrize("dtype", dtypes.ALL, ids=str)


@EVERY
@given(data=st.data(), k=st.integers(-5, 5))
def test_diag(dtype: DType, data: st.DataObject, k: int) -> None:
    array, x = data.draw(tensors(dtype, shapes(min_dims=1, max_dims=2)))
    assert_matches(at.diag(x, k), np.diag(array, k), dtype=dtype, exact=True)
    assert_matches(at.diag(x), np.diag(array), dtype=dtype, exact=True)


def test_the_diagonal_of_a_matrix_is_a_view() -> None:
    x = at.zeros((3, 4))
    at.diag(x, 1)[1:] = 5
    assert x.tolist() == np.diag([0.0, 5.0, 5.0], 1)[:3].tolist()


def test_far_from_the_main_diagonal() -> None:
    assert at.diag(at.zeros((3, 4)), k=2**70).shape == (0,)
    assert at.diag(at.zeros((3, 4)), k=-(2**70)).shape == (0,)


def test_what_is_refused() -> None:
    for shape in ((), (1, 2, 3)):
        x = at.zeros(shape)
        with refuses(ValueError, "diag", f"{len(shape)} dimensions"):
            at.diag(x)
    line = at.zeros(3)
    with refuses(TypeError, "diag", "k"):
        at.diag(line, 1.0)  # type: ignore[arg-type]
    with refuses(TypeError, "diag", "list"):
        at.diag([1, 2])  # type: ignore[arg-type]
    with refuses(ValueError, "more bytes"):
        at.diag(line, 2**40)
