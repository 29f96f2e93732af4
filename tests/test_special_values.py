"""nan_to_num against NumPy's."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ascendtensor as at
from ops_registry import dtypes
from ops_registry.dtypes import DType

from .comparison import COMPLEX, FLOATING, assert_matches
from .layouts import Array, refuses, tensors

pytestmark = pytest.mark.filterwarnings("error::ascendtensor.HostFallbackWarning")

EVERY = pytest.mark.parametrize("dtype", dtypes.ALL, ids=str)

NUMBERS = st.sampled_from([0.0, -0.0, 1.5, np.inf, -np.inf, np.nan, -300.0])


def replaced(array: Array, nan: float, posinf: float | None, neginf: float | None) -> Array:
    """NumPy's, which has no bfloat16."""
    dtype = dtypes.of(array.dtype)
    if dtype.kind in "biu":
        return array
    limits = at.finfo(dtype)
    most, least = limits.max if posinf is None else posinf, limits.min if neginf is None else neginf
    if dtype is dtypes.bfloat16:
        return np.nan_to_num(array.astype(np.float32), nan=nan, posinf=most, neginf=least)
    return np.nan_to_num(array, nan=nan, posinf=most, neginf=least)


@EVERY
@given(data=st.data(), nan=NUMBERS, posinf=st.none() | NUMBERS, neginf=st.none() | NUMBERS)
def test_nan_to_num(dtype: DType, data: st.DataObject, nan: float, posinf: float | None, neginf: float | None) -> None:
    array, x = data.draw(tensors(dtype))
    expected = replaced(array, nan, posinf, neginf)
    found = at.nan_to_num(x, nan=nan, posinf=posinf, neginf=neginf)
    assert_matches(found, expected, dtype=dtype, exact=True)
    assert_matches(at.nan_to_num(x), replaced(array, 0.0, None, None), dtype=dtype, exact=True)
    assert found.storage is not x.storage


@pytest.mark.parametrize("dtype", [*FLOATING, *COMPLEX], ids=str)
def test_the_defaults_are_finite(dtype: DType) -> None:
    x = at.asarray([float("nan"), float("inf"), float("-inf")], dtype=dtype)
    limits = at.finfo(dtype)
    assert at.real(at.nan_to_num(x)).tolist() == [0.0, limits.max, limits.min]
    assert at.real(at.nan_to_num(x, 1, 2, 3)).tolist() == [1, 2, 3]


def test_what_is_refused() -> None:
    for x in (at.ones(2), at.ones(2, dtype=at.complex64), at.ones(2, dtype=at.int8)):
        for number in (1j, "1", x):
            with refuses(TypeError, "nan_to_num"):
                at.nan_to_num(x, nan=number)  # type: ignore[arg-type]
            with refuses(TypeError, "nan_to_num"):
                at.nan_to_num(x, neginf=number)  # type: ignore[arg-type]
    with refuses(TypeError, "nan_to_num", "float"):
        at.nan_to_num(1.0)  # type: ignore[arg-type]
