"""Sample calls of comparison with a tolerance."""

from __future__ import annotations

from ..dtypes import DType
from ..program import Spec
from .case import Arguments, Case, taking

__all__ = ["CALLS"]


def _to_a_number(dtype: DType) -> Arguments:
    return (Spec(dtype, (2, 3)), Spec(dtype, (), on_host=True)), (1e-5, 1e-8, False)


CALLS: dict[str, list[Case]] = {
    "isclose": [Case(taking(0.1, 0.5, True, shapes=((2, 3), (3,)))), Case(_to_a_number)],
}
