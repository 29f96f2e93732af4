"""Sample calls of the searches."""

from __future__ import annotations

import numpy as np

from .. import dtypes
from ..dtypes import DType
from ..program import Spec
from .case import Arguments, Array, Case, taking

__all__ = ["CALLS"]


def _condition_first(dtype: DType) -> Arguments:
    return (Spec(dtypes.bool_, (2, 1)), Spec(dtype, (3,)), Spec(dtype, (), on_host=True)), ()


def _sorted_first(arrays: list[Array]) -> list[Array]:
    return [np.sort(arrays[0]), *arrays[1:]]


def _line_and_number(dtype: DType) -> Arguments:
    return (Spec(dtype, (5,)), Spec(dtype, (), on_host=True)), (True,)


CALLS: dict[str, list[Case]] = {
    "argmax": [Case(taking(1, False), "biuf"), Case(taking(None, True), "biuf")],
    "argmin": [Case(taking(1, False), "biuf"), Case(taking(None, True), "biuf")],
    "count_nonzero": [Case(taking(None, False)), Case(taking(1, True))],
    "nonzero": [Case(taking())],
    "searchsorted": [
        Case(taking(False, shapes=((5,), (2, 3))), "iuf", _sorted_first),
        Case(_line_and_number, "iuf", _sorted_first),
    ],
    "where": [Case(_condition_first)],
}
