"""What every test gets: the embedded runtime, and hypothesis without time limits."""

from __future__ import annotations

import os

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
