"""Data buffers: an address and a length, which never own the memory."""

from __future__ import annotations

from . import codes
from .handles import Handles
from .messages import refuse
from .surface import function

__all__ = ["BUFFERS", "DataBuffer"]

DataBuffer = list[int]
"""An address and a length; a bare list, since a program makes and drops these at every call."""

BUFFERS: Handles[DataBuffer] = Handles("data buffer")


def _dead(caller: str) -> int:
    return refuse(codes.INVALID_PARAM, f"{caller}: the data buffer is NULL, or destroyed already")


@function("acl.create_data_buffer", "kk", returns="handle")
def create_data_buffer(address: int, size: int) -> int:
    return BUFFERS.add([address, size])


@function("acl.destroy_data_buffer", "k")
def destroy_data_buffer(handle: int) -> int:
    if BUFFERS.objects.pop(handle, None) is None:
        return _dead("acl.destroy_data_buffer")
    return codes.SUCCESS


@function("acl.update_data_buffer", "kkk")
def update_data_buffer(handle: int, address: int, size: int) -> int:
    buffer = BUFFERS.get(handle)
    if buffer is None:
        return _dead("acl.update_data_buffer")
    buffer[:] = (address, size)
    return codes.SUCCESS


@function("acl.get_data_buffer_addr", "k", returns="plain")
def get_data_buffer_addr(handle: int) -> int:
    buffer = BUFFERS.get(handle)
    return 0 if buffer is None else buffer[0]


@function("acl.get_data_buffer_size", "k", returns="plain")
def get_data_buffer_size(handle: int) -> int:
    return get_data_buffer_size_v2(handle) & 0xFFFFFFFF


@function("acl.get_data_buffer_size_v2", "k", returns="plain")
def get_data_buffer_size_v2(handle: int) -> int:
    buffer = BUFFERS.get(handle)
    return 0 if buffer is None else buffer[1]
