"""Sample calls of the sorts."""

from __future__ import annotations

from .case import Case, taking

__all__ = ["CALLS"]

CALLS: dict[str, list[Case]] = {
    "argsort": [Case(taking(-1, False), "biuf"), Case(taking(0, True), "biuf")],
    "sort": [Case(taking(-1, False), "biuf"), Case(taking(0, True), "biuf")],
    "topk": [
        Case(taking(2, -1, True, True), "biuf"),
        Case(taking(1, 0, False, True), "biuf"),
        Case(taking(0, 0, False, False), "biuf"),
    ],
}
