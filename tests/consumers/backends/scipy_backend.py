"""A pytest plug-in that makes this library the backend of SciPy's own array API tests.

They take double precision for the default, as SciPy asks of PyTorch.
"""

from __future__ import annotations

import inspect

import pytest
import scipy.conftest as conftest

import ascendtensor as at

at.set_default_dtype(at.float64)

conftest.xp_known_backends.add("ascendtensor")
# The fixture keeps a copy of the backends that it was made with.
conftest.xp_available_backends[:] = [pytest.param(at, id="ascendtensor", marks=pytest.mark.array_api_backends)]
conftest.xp = pytest.fixture(params=conftest.xp_available_backends)(inspect.unwrap(conftest.xp))
