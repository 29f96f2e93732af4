"""logspace and geomspace against NumPy's."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import ascendtensor as at
from ops_registry.dtypes import DType

from .comparison import COMPLEX, FLOATING, INTEGERS, assert_matches
from .layouts import refuses

pytestmark = pytest.mark.filterwarnings("error::ascendtensor.HostFallbackWarning")

FLOATS = pytest.mark.parametrize("dtype", FLOATING, ids=str)
COMPLEXES = pytest.mark.parametrize("dtype", COMPLEX, ids=str)

SMALL = st.floats(-4, 4, width=16)
TURNS = st.builds(complex, SMALL, SMALL)


@FLOATS
@given(start=SMALL, stop=SMALL, num=st.integers(0, 9), endpoint=st.booleans(), base=st.sampled_from([10.0, 2, 0.5]))
def test_logspace(dtype: DType, start: float, stop: float, num: int, endpoint: bool, base: float) -> None:
    expected = np.logspace(start, stop, num, endpoint=endpoint, base=base)
    made = at.logspace(start, stop, num, endpoint=endpoint, base=base, dtype=dtype)
    assert_matches(made, expected, dtype=dtype, ulps=32)


@COMPLEXES
@given(start=TURNS, stop=TURNS, num=st.integers(0, 9), base=st.sampled_from([2.0, 1 + 2j]))
def test_complex_logspace(dtype: DType, start: complex, stop: complex, num: int, base: complex) -> None:
    expected = np.logspace(start, stop, num, base=base)
    scale = float(np.max(np.abs(expected), initial=0))
    assert_matches(at.logspace(start, stop, num, base=base, dtype=dtype), expected, dtype=dtype, ulps=64, scale=scale)


MAGNITUDES = st.floats(0.015625, 1000, width=16)


@FLOATS
@given(start=MAGNITUDES, stop=MAGNITUDES, num=st.integers(0, 9), endpoint=st.booleans(), sign=st.sampled_from([1, -1]))
def test_geomspace(dtype: DType, start: float, stop: float, num: int, endpoint: bool, sign: int) -> None:
    start, stop = sign * start, sign * stop
    expected = np.geomspace(start, stop, num, endpoint=endpoint)
    made = at.geomspace(start, stop, num, endpoint=endpoint, dtype=dtype)
    assert_matches(made, expected, dtype=dtype, ulps=32)
    if num > 1 and endpoint:
        assert_matches(made[:: num - 1], np.asarray([start, stop]), dtype=dtype, exact=True)


@COMPLEXES
@given(start=TURNS, stop=TURNS | SMALL, num=st.integers(0, 9))
def test_complex_geomspace(dtype: DType, start: complex, stop: complex, num: int) -> None:
    assume(abs(start) > 0.01)
    assume(abs(stop) > 0.01)
    # Where the way round is the same either way, rounding decides.
    assume(abs(abs(np.angle(stop / start)) - math.pi) > 0.01)
    expected = np.geomspace(start, stop, num)
    scale = float(np.max(np.abs(expected), initial=0))
    assert_matches(at.geomspace(start, stop, num, dtype=dtype), expected, dtype=dtype, ulps=64, scale=scale)


@pytest.mark.parametrize("dtype", INTEGERS, ids=str)
def test_integers_are_cut_off(dtype: DType) -> None:
    assert_matches(at.logspace(0, 6, 14, base=2, dtype=dtype), np.logspace(0, 6, 14, base=2), dtype=dtype)
    assert at.geomspace(1, 100, 3, dtype=dtype).tolist()[::2] == [1, 100]


def test_what_is_taken_by_default() -> None:
    assert at.logspace(0, 1).shape == at.geomspace(1, 2).shape == (50,)
    assert at.logspace(0, 1).dtype is at.geomspace(1, 2).dtype is at.float32
    assert at.logspace(0, 1j).dtype is at.geomspace(1, 1j).dtype is at.complex64
    assert_matches(at.geomspace(1, -1, 3, dtype=at.complex128), [1, 1j, -1], dtype=at.complex128, scale=1)
    assert at.logspace(np.float32(1), np.int64(2), 2).tolist() == [10.0, 100.0]


def test_what_is_refused() -> None:
    for function, ends in ((at.logspace, (0, 1)), (at.geomspace, (1, 2))):
        name = function.__name__
        cases: list[tuple[type[Exception], str, tuple[Any, ...], dict[str, Any]]] = [
            (ValueError, "num", (*ends, -1), {}),
            (TypeError, "num", (*ends, 2.0), {}),
            (TypeError, "bool", ends, {"dtype": at.bool}),
            (TypeError, "complex", (1j, 2), {"dtype": at.float32}),
            (TypeError, name, ("1", 2), {}),
            (TypeError, name, (1, at.ones(())), {}),
        ]
        for error, word, arguments, options in cases:
            with refuses(error, word):
                function(*arguments, **options)
    for start, stop in ((0, 1), (1, 0), (0j, 1), (1, -1), (-1, 1)):
        with refuses(ValueError, "geomspace"):
            at.geomspace(start, stop)
