"""Sample calls of the set functions. Complex numbers come as the integers by which they rank."""

from __future__ import annotations

from .case import Case, taking

__all__ = ["CALLS"]

CALLS: dict[str, list[Case]] = {
    "isin": [
        Case(taking(False, shapes=((2, 3), (4,))), "biuf"),
        Case(taking(True, shapes=((3,), (2, 2))), "biuf"),
    ],
    "unique": [Case(taking(), "biuf")],
}
