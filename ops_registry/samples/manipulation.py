"""Sample calls of what rearranges elements."""

from __future__ import annotations

from .case import Case, taking

__all__ = ["CALLS"]

CALLS: dict[str, list[Case]] = {
    "concat": [Case(taking(1, shapes=((2, 3), (2, 1), (2, 0)))), Case(taking(0, shapes=((2, 3),)))],
    "stack": [Case(taking(1, shapes=((2, 3), (2, 3))))],
    "tile": [Case(taking((2, 3))), Case(taking((0, 3)))],
}
