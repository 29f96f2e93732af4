"""Data interchange through DLPack (standard section "Data Interchange Mechanisms")."""

from __future__ import annotations

from typing import Any

import numpy as np

from ops_registry import dtypes

from .runtime.device import Device, device
from .tensor import Tensor, from_numpy

__all__ = ["from_dlpack"]


def from_dlpack(x: Any, /, *, device: Device | str | None = None, copy: bool | None = None) -> Tensor:
    """A tensor of what another library's array holds.

    Parameters:
        x: an array with `__dlpack__`, in the host's memory or a Tensor.
        device: where the result is to be; by default where `x` is, or the current device for a host array.
        copy: True always copies; False never does, which only a Tensor that stays on its device can keep.

    Raises:
        TypeError: `x` has no `__dlpack__`, or a data type that tensors don't have.
        ValueError: `copy` is False and it takes one.
        BufferError: the array's memory cannot be read from the host.
    """
    if isinstance(x, Tensor):
        moved = x if device is None else x.to_device(device)
        if copy is False and moved is not x:
            raise ValueError("from_dlpack: moving to another device copies, which copy=False rules out")
        return moved.clone() if copy and moved is x else moved
    if not hasattr(x, "__dlpack__"):
        raise TypeError(f"from_dlpack: {type(x).__name__} has no __dlpack__ method")
    if copy is False:
        raise ValueError("from_dlpack: taking a host array to the device copies it, which copy=False rules out")
    values = np.from_dlpack(x)
    return from_numpy(values, dtypes.of(values.dtype), _place(device))


def _place(where: Device | str | None) -> Device | None:
    return None if where is None else device(where)
