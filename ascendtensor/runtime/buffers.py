"""Data buffers: an address and a length, as pyACL hands them to ops. They own no memory."""

from __future__ import annotations

from . import device as devices
from .binding import acl
from .errors import handle_of

__all__ = ["DataBuffer"]


class DataBuffer:
    """One data buffer; its handle is destroyed with it.

    Attributes:
        handle: pyACL's number.
    """

    __slots__ = ("__weakref__", "handle")

    def __init__(self, address: int, size: int) -> None:
        self.handle = 0
        self.handle = handle_of("acl.create_data_buffer", acl().create_data_buffer(address, size))

    def __del__(self) -> None:
        if self.handle and devices.running():
            acl().destroy_data_buffer(self.handle)
