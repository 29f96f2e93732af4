"""Sample calls of the searches."""

from __future__ import annotations

from .. import dtypes
from ..dtypes import DType
from ..program import Spec
from .case import Arguments, Case, taking

__all__ = ["CALLS"]


def _condition_first(dtype: DType) -> Arguments:
    return (Spec(dtypes.bool_, (2, 1)), Spec(dtype, (3,)), Spec(dtype, (), on_host=True)), ()


CALLS: dict[str, list[Case]] = {
    "argmax": [Case(taking(1, False), "biuf"), Case(taking(None, True), "biuf")],
    "argmin": [Case(taking(1, False), "biuf"), Case(taking(None, True), "biuf")],
    "where": [Case(_condition_first)],
}
