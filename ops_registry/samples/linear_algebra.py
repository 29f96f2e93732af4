"""Sample calls of the matrix products."""

from __future__ import annotations

from .case import Case, operands, taking

__all__ = ["CALLS"]


def _matmul(left: tuple[int, ...], right: tuple[int, ...], *flags: bool) -> Case:
    return Case(taking(*flags, shapes=(left, right)), "iufc")


CALLS: dict[str, list[Case]] = {
    "matmul": [
        _matmul((2, 3), (3, 4), False, False),
        _matmul((3, 2), (3, 4), True, False),
        _matmul((5, 2, 3), (3, 4), False, False),
        _matmul((3,), (3,), False, False),
        _matmul((1, 1, 1, 1, 2, 2, 3), (1, 1, 1, 2, 1, 3, 4), False, False),
        _matmul((2, 0), (0, 4), False, False),
    ],
    "vecdot": [Case(operands((2, 3), (3,)), "iufc")],
}
