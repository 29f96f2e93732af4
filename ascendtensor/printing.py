"""How a tensor looks when printed: PyTorch's way, with dtype where it is not the default one, and the device."""

from __future__ import annotations

from typing import Any

import numpy as np

from ops_registry import dtypes
from ops_registry.dtypes import DType

__all__ = ["tensor_repr"]

_DEFAULT = (dtypes.bool_, dtypes.int64, dtypes.float32, dtypes.complex64)
_PREFIX = "Tensor("


def tensor_repr(values: np.ndarray[Any, Any], dtype: DType, device: str) -> str:
    """The repr of a tensor.

    Parameters:
        values: its elements.
    """
    shown = values.astype(np.float32) if dtype is dtypes.bfloat16 else values
    text = np.array2string(
        shown, separator=", ", prefix=_PREFIX, precision=4, floatmode="maxprec_equal", threshold=1000
    )
    parts = [text]
    if values.size == 0 and values.ndim != 1:
        parts.append(f"size={values.shape}")
    parts.append(f"device='{device}'")
    if dtype not in _DEFAULT or values.size == 0:
        parts.append(f"dtype={dtype!r}")
    return f"{_PREFIX}{', '.join(parts)})"
