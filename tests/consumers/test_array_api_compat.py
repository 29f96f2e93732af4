"""array-api-compat takes tensors for what they are: arrays of a namespace that it need not wrap."""

from __future__ import annotations

import array_api_compat as compat
import numpy as np
import pytest

import ascendtensor as at
from ops_registry import dtypes
from ops_registry.dtypes import DType

EVERY = pytest.mark.parametrize("dtype", dtypes.ALL, ids=str)


@EVERY
@pytest.mark.parametrize("shape", [(), (0,), (2, 3)], ids=str)
def test_what_it_says_of_a_tensor(dtype: DType, shape: tuple[int, ...]) -> None:
    x = at.ones(shape, dtype=dtype)
    assert compat.is_array_api_obj(x)
    assert compat.array_namespace(x, 1.0, None) is at
    assert compat.array_namespace(x, api_version="2024.12") is at
    assert compat.device(x) == x.device
    assert compat.size(x) == x.size
    assert not compat.is_lazy_array(x)
    assert compat.is_writeable_array(x)


def test_it_takes_tensors_for_no_other_librarys() -> None:
    x = at.ones(3)
    for library in ("numpy", "cupy", "torch", "dask", "jax", "ndonnx", "pydata_sparse"):
        assert not getattr(compat, f"is_{library}_array")(x)
        assert not getattr(compat, f"is_{library}_namespace")(at)


def test_to_device() -> None:
    x = at.ones(3)
    assert compat.to_device(x, x.device) is x
    with pytest.raises(ValueError, match="tpu:0"):
        compat.to_device(x, "tpu:0")


def test_tensors_are_not_mixed_with_others() -> None:
    with pytest.raises(TypeError, match="Multiple namespaces"):
        compat.array_namespace(at.ones(3), np.ones(3))
