"""The sample calls that the routes of all chips are checked with: those of `ops_registry.samples`."""

from __future__ import annotations

from ops_registry import samples
from ops_registry.dtypes import DType
from ops_registry.samples import Case

__all__ = ["CALLS", "CASES", "ON_HOST", "Case"]

CALLS: dict[str, list[Case]] = {**samples.CALLS}
ON_HOST: set[tuple[str, str]] = {*samples.ON_HOST}
CASES: list[tuple[str, DType, Case]] = list(samples.cases(CALLS))
