"""Storage: one block of device memory, shared by the views on it, and the order of what happens to it."""

from __future__ import annotations

import threading

from . import device as devices
from .allocator import Block, CachingAllocator, allocator
from .device import Device
from .stream import Stream

__all__ = ["Storage"]

# Threads may read one tensor at the same time, and none of them must be forgotten.
_registering = threading.RLock()


class Storage:
    """Memory that tensors share; it goes back to the allocator with the last of them.

    Attributes:
        block: the memory.
        nbytes: how many of its bytes are meant.
        stream: where it was last written.
        readers: the other streams that have read it since.
    """

    __slots__ = ("__weakref__", "_allocator", "block", "nbytes", "readers", "stream")

    block: Block

    def __init__(self, nbytes: int, stream: Stream) -> None:
        self.nbytes = nbytes
        self.stream = stream
        self.readers: set[Stream] | None = None
        self._allocator: CachingAllocator = allocator(stream.device)
        self.block = self._allocator.allocate(nbytes, stream)

    @property
    def device(self) -> Device:
        """Where the memory is."""
        return self.stream.device

    def before_read(self, stream: Stream) -> None:
        """Let what `stream` does next see what was written."""
        if stream is not self.stream:
            stream.wait_stream(self.stream)
            self.keep_for(stream)

    def keep_for(self, stream: Stream) -> None:
        """Have the memory stay as it is until what is queued on `stream`, when it is freed or written, is done."""
        if stream is not self.stream:
            with _registering:
                if self.readers is None:
                    self.readers = set()
                self.readers.add(stream)

    def before_write(self, stream: Stream) -> None:
        """Let what `stream` does next come after every read and write so far, and be the last write."""
        for other in (self.stream, *(self.readers or ())):
            if other is not stream:
                stream.wait_stream(other)
        self.readers = None
        if stream is not self.stream:
            # The block's own stream must not give the memory out before this write is done.
            self.readers = {self.stream}
            self.stream = stream

    def __del__(self) -> None:
        block = getattr(self, "block", None)
        if block is not None and devices.running():
            users = {self.stream, *(self.readers or ())} if self.readers else (self.stream,)
            self._allocator.release(block, [user for user in users if user is not block.stream])
