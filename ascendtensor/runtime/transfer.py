"""Copies between host and device, and from device to device."""

from __future__ import annotations

from typing import Any

import ml_dtypes  # noqa: F401  (makes NumPy know bfloat16)
import numpy as np

from .binding import acl
from .descriptors import Descriptor
from .errors import check
from .storage import Storage
from .stream import Stream

__all__ = ["copy_within", "to_device", "to_host"]

HOST_TO_DEVICE = 1
DEVICE_TO_HOST = 2
DEVICE_TO_DEVICE = 3


def to_device(array: np.ndarray[Any, Any], stream: Stream) -> Storage:
    """A storage with the bytes of `array`, which is C-contiguous. The array may change afterwards."""
    storage = Storage(array.nbytes, stream)
    if array.nbytes:
        # Pageable host memory: the runtime waits for the stream, on which the block may still be in use, and copies.
        code = acl().rt.memcpy_async(
            storage.block.address,
            storage.block.size,
            array.ctypes.data,
            array.nbytes,
            HOST_TO_DEVICE,
            stream.handle,
        )
        if code != 0:
            stream.done_or_raise("acl.rt.memcpy_async", code)
    return storage


def to_host(storage: Storage, descriptor: Descriptor, offset: int, stream: Stream) -> np.ndarray[Any, Any]:
    """The elements of a contiguous tensor as a new NumPy array, when all that is queued before is done.

    Parameters:
        offset: of the first element, in bytes.
    """
    array = np.empty(descriptor.shape, dtype=descriptor.dtype.dtype)
    storage.before_read(stream)
    stream.synchronize()
    if array.nbytes:
        code = acl().rt.memcpy(
            array.ctypes.data, array.nbytes, storage.block.address + offset, array.nbytes, DEVICE_TO_HOST
        )
        check("acl.rt.memcpy", code, "copying a tensor to the host")
    return array


def copy_within(
    target: Storage, target_offset: int, source: Storage, source_offset: int, nbytes: int, stream: Stream
) -> None:
    """Queue a copy of contiguous bytes from one storage to another on the same device."""
    source.before_read(stream)
    target.before_write(stream)
    code = acl().rt.memcpy_async(
        target.block.address + target_offset,
        target.nbytes - target_offset,
        source.block.address + source_offset,
        nbytes,
        DEVICE_TO_DEVICE,
        stream.handle,
    )
    check("acl.rt.memcpy_async", code, "copying on the device")
