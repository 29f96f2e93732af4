"""A pytest plug-in that adds this library to the backends of SciPy's own array API tests.

They take double precision for the default, as SciPy asks of PyTorch.
"""

from __future__ import annotations

import pytest
import scipy.conftest as conftest

import ascendtensor as at

at.set_default_dtype(at.float64)

conftest.xp_known_backends.add("ascendtensor")
conftest.xp_available_backends[:] = [pytest.param(at, id="ascendtensor", marks=pytest.mark.array_api_backends)]
