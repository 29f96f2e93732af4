"""What every test gets: the embedded runtime, and hypothesis without time limits.

ASCENDTENSOR_TEST_RECORD=DIR keeps a call of each kind that was accepted, in a file for each process of the run.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# Read when the library first needs an `acl`, which is after this.
os.environ.setdefault("ASCENDTENSOR_RUNTIME", "embedded")

# Machines are shared: no test fails for being slow.
settings.register_profile(
    "ascendtensor",
    deadline=None,
    max_examples=int(os.environ.get("ASCENDTENSOR_EXAMPLES", "25")),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
    derandomize=bool(os.environ.get("CI")),
)
settings.load_profile("ascendtensor")


def pytest_configure(config: pytest.Config) -> None:
    """Begin the record."""
    if directory := os.environ.get("ASCENDTENSOR_TEST_RECORD"):
        from ascendtensor.embedded import record_ops

        Path(directory).mkdir(parents=True, exist_ok=True)
        record_ops(Path(directory, f"{os.getpid()}.jsonl"), distinct=True)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The embedded runtime's tests come first: they reset the machine, which nobody may be using by then."""
    items.sort(key=lambda item: "embedded" not in item.path.parts)
