"""How wide the bins of a histogram are best, by rules of thumb that NumPy names.

Every rule takes a sample: what is known of the elements as numbers of the host. Only those that a rule asks for are
waited for.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from math import ceil, inf, log2, pi, sqrt

import numpy as np

from ops_registry import dtypes

from .data_type import astype
from .order_statistics import percentile
from .statistical import mean, std
from .tensor import Tensor, binary

__all__ = ["RULES", "Sample", "bins_of"]


class Sample:
    """The elements that a rule judges by.

    Attributes:
        n: how many there are, at least one.
        span: the greatest less the least.
        counts: how many lie in each of a number of bins.
    """

    def __init__(self, x: Tensor, span: float, counts: Callable[[int], Tensor]) -> None:
        self.n = x.size
        self.span = span
        self.counts = counts
        self._x = x

    @cached_property
    def _wide(self) -> Tensor:
        return astype(self._x, dtypes.float64, copy=False)

    @cached_property
    def deviation(self) -> float:
        """The standard deviation."""
        return float(std(self._wide))

    @cached_property
    def skewness(self) -> float:
        """The third moment, of elements in units of the deviation."""
        moved = binary("divide", binary("subtract", self._wide, mean(self._wide)), self.deviation)
        return float(mean(binary("pow", moved, 3)))

    @cached_property
    def middle_half(self) -> float:
        """The distance of the quartiles."""
        first, third = percentile(self._wide, [25, 75]).tolist()
        return float(third - first)


def _sqrt(sample: Sample) -> float:
    return sample.span / sqrt(sample.n)


def _sturges(sample: Sample) -> float:
    return sample.span / (log2(sample.n) + 1)


def _rice(sample: Sample) -> float:
    return sample.span / (2 * sample.n ** (1 / 3))


def _scott(sample: Sample) -> float:
    return float((24 * pi**0.5 / sample.n) ** (1 / 3) * sample.deviation)


def _freedman_diaconis(sample: Sample) -> float:
    return float(2 * sample.middle_half * sample.n ** (-1 / 3))


def _doane(sample: Sample) -> float:
    """Sturges' rule with more bins for what is not symmetric."""
    n = sample.n
    if n <= 2 or not sample.deviation > 0:
        return 0.0
    expected = sqrt(6 * (n - 2) / ((n + 1) * (n + 3)))
    return sample.span / (1 + log2(n) + log2(1 + abs(sample.skewness) / expected))


def _stone(sample: Sample) -> float:
    """The number of bins, of many that are tried, that a cross-validation finds the least error for."""
    n, span = sample.n, sample.span
    if n <= 1 or span == 0:
        return 0.0
    best, least = 1, inf
    for bins in range(1, max(100, int(sqrt(n))) + 1):
        shares = sample.counts(bins).numpy() / n
        error = (2 - (n + 1) * float(np.dot(shares, shares))) * bins / span
        if error < least:
            best, least = bins, error
    return span / best


def _auto(sample: Sample) -> float:
    """Sturges' for few elements, Freedman's and Diaconis' for many, unless that is far too narrow."""
    return min(max(_freedman_diaconis(sample), _sqrt(sample) / 2), _sturges(sample))


RULES: dict[str, Callable[[Sample], float]] = {
    "auto": _auto,
    "doane": _doane,
    "fd": _freedman_diaconis,
    "rice": _rice,
    "scott": _scott,
    "sqrt": _sqrt,
    "stone": _stone,
    "sturges": _sturges,
}


def bins_of(sample: Sample, rule: str, length: float, whole: bool) -> int:
    """How many bins of the rule's width a range is divided into.

    Parameters:
        length: of the range.
        whole: whether the elements are integers, between which no bin ends.
    """
    width = RULES[rule](sample)
    if not width:
        return 1
    return ceil(length / max(width, 1) if whole else length / width)
