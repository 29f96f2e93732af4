"""Sample calls of softmax and its logarithm."""

from __future__ import annotations

from .case import Case, taking

__all__ = ["CALLS"]

CALLS: dict[str, list[Case]] = {
    "log_softmax": [Case(taking(-1), "biuf"), Case(taking(0), "biuf")],
    "softmax": [Case(taking(-1), "biuf"), Case(taking(0), "biuf")],
}
