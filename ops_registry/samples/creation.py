"""Sample calls of what makes tensors."""

from __future__ import annotations

from ..program import Spec
from .case import Case, made, taking

__all__ = ["CALLS"]


def _full(shape: tuple[int, ...], on_host: bool) -> Case:
    return Case(lambda dtype: ((Spec(dtype, (), on_host),), (shape, dtype)))


CALLS: dict[str, list[Case]] = {
    "arange": [
        Case(made(2, 3, 4), "iufc"),
        Case(made(5, -1, 4), "iufc"),
        Case(made(0, 1, 0), "iufc"),
        Case(made(2**63 - 2, 1, 4), "iu"),
    ],
    "eye": [Case(made(3, 4, 0)), Case(made(3, 4, 1)), Case(made(2, 2, -9))],
    "full": [_full((2, 3), True), _full((), True), _full((2, 3), False)],
    "linspace": [Case(made(0, 3, 4), "iufc"), Case(made(2, 2, 1), "iufc")],
    "tril": [Case(taking(1)), Case(taking(-9))],
    "triu": [Case(taking(1)), Case(taking(-9))],
}
