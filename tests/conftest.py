"""What every test gets: the embedded runtime, hypothesis without time limits, and a check that nothing leaks."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator

os.environ.setdefault("ASCENDTENSOR_RUNTIME", "embedded")

import pytest
from hypothesis import HealthCheck, settings

import ascendtensor as at

# Machines are shared: no test fails for being slow.
settings.register_profile(
    "ascendtensor",
    deadline=None,
    max_examples=int(os.environ.get("ASCENDTENSOR_EXAMPLES", "25")),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
    derandomize=bool(os.environ.get("CI")),
)
settings.load_profile("ascendtensor")


@pytest.fixture
def no_leaks() -> Iterator[None]:
    """The test gives back all device memory that it takes."""
    gc.collect()
    before = at.npu.memory_allocated()
    yield
    gc.collect()
    assert at.npu.memory_allocated() == before, "tensors of this test are still alive"
