"""Data interchange through DLPack (standard section "Data Interchange Mechanisms")."""

from __future__ import annotations

from typing import Any

from ops_registry import dtypes

from . import dlpack
from .runtime.device import Device, device
from .tensor import Tensor, from_numpy

__all__ = ["from_dlpack"]


def from_dlpack(x: Any, /, *, device: Device | str | None = None, copy: bool | None = None) -> Tensor:
    """A tensor of what another library's array holds.

    Parameters:
        x: an array with `__dlpack__` and `__dlpack_device__`: in memory that its library exports to the host, or in an
            NPU's memory that is a Tensor's.
        device: where the result is to be; by default where `x` is, or the current device for a host array.
        copy: True always copies; False never does, which only a Tensor that stays on its device can keep.

    Raises:
        AttributeError: `x` has no `__dlpack__` or no `__dlpack_device__`.
        TypeError: a data type that tensors don't have.
        ValueError: `copy` is False and it takes one, or `x` gives a capsule that was taken before.
        BufferError: the array's library does not export its memory to the host, or not in its layout.
    """
    if isinstance(x, Tensor):
        return _placed(x, device, copy)
    for method in ("__dlpack__", "__dlpack_device__"):
        if not hasattr(x, method):
            raise AttributeError(f"from_dlpack: {type(x).__name__} has no method {method}")
    if dlpack.device_of(x)[0] == dlpack.EXTENSION:
        return _placed(dlpack.owner_of(x), device, copy)
    if copy is False:
        raise ValueError("from_dlpack: taking a host array to the device copies it, which copy=False rules out")
    place = _place(device)
    values = dlpack.exchanged(x)
    return from_numpy(values, dtypes.of(values.dtype), place)


def _placed(x: Tensor, where: Device | str | None, copy: bool | None) -> Tensor:
    """A tensor on a device, in memory of its own where that is wanted."""
    moved = x if where is None else x.to_device(where)
    if copy is False and moved is not x:
        raise ValueError("from_dlpack: moving to another device copies, which copy=False rules out")
    return moved.clone() if copy and moved is x else moved


def _place(where: Device | str | None) -> Device | None:
    return None if where is None else device(where)
