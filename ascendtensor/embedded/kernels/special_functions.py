"""Functions that NumPy lacks, in double precision."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from .registry import Array

__all__ = ["digamma", "erf", "erfc", "lgamma"]


def _each(function: Callable[[float], float]) -> Callable[[Array], Array]:
    """A function of the C library, element by element: none of NumPy is as exact."""
    called = np.frompyfunc(function, 1, 1)
    return lambda x: np.asarray(called(x.astype(np.float64))).astype(np.float64)


def _lgamma(x: float) -> float:
    try:
        return math.lgamma(x)
    except (ValueError, OverflowError):  # a pole, or beyond the range
        return math.inf


erf = _each(math.erf)
erfc = _each(math.erfc)
lgamma = _each(_lgamma)

# B(2k) / 2k, of Stirling's series; from 10 on, what it leaves out is below the precision of a double.
_SERIES = (1 / 12, -1 / 120, 1 / 252, -1 / 240, 1 / 132, -691 / 32760, 1 / 12)
_LARGE = 10


def digamma(x: Array) -> Array:
    """The derivative of lgamma: exact to the precision of its terms, so absolutely near its zeros.

    As SciPy has it, the negative integers are NaN, and at 0 it is infinite with the other sign.
    """
    x = x.astype(np.float64)
    reflected = x < 0.5
    # psi(1 - x) - psi(x) is pi / tan(pi x), whose argument is brought near 0 before pi spoils it.
    rest = x - np.round(x)
    pole = reflected & (rest == 0)
    turned = np.where(reflected, np.pi / np.tan(np.pi * rest), 0.0)
    result = _digamma_of_positive(np.where(reflected, 1 - x, x)) - turned
    at_pole = np.where(x == 0, np.copysign(np.inf, -x), np.nan)
    return np.where(pole, at_pole, np.where(np.isneginf(x), np.nan, result))


def _digamma_of_positive(x: Array) -> Array:
    shift = np.zeros_like(x)
    for _ in range(_LARGE):
        small = x < _LARGE
        shift = np.where(small, shift + 1 / x, shift)
        x = np.where(small, x + 1, x)
    square = 1 / (x * x)
    series = np.zeros_like(x)
    for term in reversed(_SERIES):
        series = (series + term) * square
    return np.log(x) - 0.5 / x - series - shift
