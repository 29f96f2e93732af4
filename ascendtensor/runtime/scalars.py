"""Python numbers as operands: host memory that goes to the device with the call."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from ops_registry import dtypes
from ops_registry.dtypes import DType

from . import device as devices
from .binding import acl
from .buffers import DataBuffer
from .descriptors import Descriptor, descriptor

__all__ = ["HostScalar", "Scalar", "host_row", "host_scalar"]

Scalar = bool | int | float | complex


class HostScalar:
    """One number, or a row of them, in host memory, with its descriptor and data buffer. It never changes."""

    __slots__ = ("_buffer", "_data", "buffer", "descriptor", "storage")

    def __init__(self, data: bytes, dtype: DType, shape: tuple[int, ...] = ()) -> None:
        self.descriptor: Descriptor = descriptor(dtype, shape, on_host=True)
        # pyACL keeps no reference to the bytes: they live as long as the buffer that points to them.
        self._data = data
        self._buffer = DataBuffer(acl().util.bytes_to_ptr(data), len(data))
        self.buffer = self._buffer.handle
        self.storage = None


@lru_cache(maxsize=1024)
def _shared(data: bytes, dtype: DType) -> HostScalar:
    return HostScalar(data, dtype)


@lru_cache(maxsize=1024, typed=True)
def _encoded(value: Scalar, dtype: DType) -> HostScalar:
    return _shared(dtypes.encode(value, dtype), dtype)


def host_scalar(value: Scalar, dtype: DType) -> HostScalar:
    """`value` as an operand of `dtype`, in whose range it is."""
    if not (value.real and (value.imag or not isinstance(value, complex))) or value != value:
        # Equal numbers are not always the same: -0.0 equals 0.0, and NaN nothing.
        return _shared(dtypes.encode(value, dtype), dtype)
    return _encoded(value, dtype)


def host_row(values: Sequence[int], dtype: DType) -> HostScalar:
    """Numbers as a one-dimensional operand, for one call."""
    return HostScalar(dtypes.encode(values, dtype), dtype, (len(values),))


devices.at_shutdown(_encoded.cache_clear)
devices.at_shutdown(_shared.cache_clear)
