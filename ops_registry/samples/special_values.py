"""Sample calls of what replaces NaN and the infinities."""

from __future__ import annotations

from .. import dtypes
from ..dtypes import DType
from ..program import Spec
from .case import Arguments, Case

__all__ = ["CALLS"]


def _three_numbers(dtype: DType) -> Arguments:
    number = Spec(dtypes.REAL_OF.get(dtype, dtype), (), on_host=True)
    return (Spec(dtype, (2, 3)), number, number, number), ()


CALLS: dict[str, list[Case]] = {"nan_to_num": [Case(_three_numbers, "fc")]}
