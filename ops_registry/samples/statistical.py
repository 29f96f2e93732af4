"""Sample calls of the reductions and running sums."""

from __future__ import annotations

from .case import ANY, Case, reductions, taking

__all__ = ["CALLS"]

CALLS: dict[str, list[Case]] = {
    "cumulative_prod": [Case(taking(1, None, False)), Case(taking(1, None, True))],
    "cumulative_sum": [Case(taking(1, None, False)), Case(taking(1, None, True))],
    "max": reductions("biuf"),
    "mean": reductions(ANY),
    "min": reductions("biuf"),
    "prod": reductions(ANY, None),
    "std": reductions("biuf", 1.0),
    "sum": reductions(ANY, None),
    "var": reductions("biuf", 1.0),
}
