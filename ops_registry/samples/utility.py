"""Sample calls of the tests for truth."""

from __future__ import annotations

from .case import ANY, Case, reductions

__all__ = ["CALLS"]

CALLS: dict[str, list[Case]] = {"all": reductions(ANY), "any": reductions(ANY)}
