"""The caching allocator: device memory in blocks that are reused, in stream order, without waiting.

A block belongs to the stream it was allocated on. When it comes back it may be given out again on that
stream at once: whatever was queued on it before is done before whatever is queued next. Other streams
that used the block are waited for, on the stream, before it is given out.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterable

from . import device as devices
from .binding import acl
from .buffers import DataBuffer
from .device import Device
from .errors import OUT_OF_MEMORY, OutOfMemoryError, check
from .stream import Stream, synchronize

__all__ = ["Block", "CachingAllocator", "allocator"]

# torch.npu's malloc policy: huge pages where there are any.
_HUGE_FIRST = 0
_SMALLEST = 512


class Block:
    """Device memory and the data buffer that describes it to ops.

    Attributes:
        address: where it is, for copies only.
        size: bytes.
        buffer: the data buffer.
        stream: whose queue orders its reuse.
    """

    __slots__ = ("address", "buffer", "size", "stream")

    def __init__(self, address: int, size: int, stream: Stream | None) -> None:
        self.address = address
        self.size = size
        self.stream = stream
        self.buffer = DataBuffer(address, size)


def size_class(nbytes: int) -> int:
    """The size of the block for a request: at most an eighth more than asked, so that sizes meet again."""
    if nbytes <= _SMALLEST:
        return _SMALLEST
    step = max(_SMALLEST, 1 << (nbytes - 1).bit_length() - 4)
    return -(-nbytes // step) * step


class CachingAllocator:
    """The memory of one device."""

    def __init__(self, device: Device) -> None:
        self.device = device
        self._lock = threading.Lock()
        self._free: dict[tuple[Stream, int], list[Block]] = {}
        # Every block there is. When the cycle collector finalises a storage, the block must not be part of
        # the same garbage, or its data buffer would be destroyed while the block goes back to the cache.
        self._blocks: set[Block] = set()
        # Blocks on their way back. Tensors die anywhere, also inside these methods: appending needs no lock.
        self._returned: deque[tuple[Block, tuple[Stream, ...]]] = deque()
        self.allocated = 0
        self.reserved = 0
        self.peak_allocated = 0
        self.peak_reserved = 0
        self._nothing: Block | None = None

    def allocate(self, nbytes: int, stream: Stream) -> Block:
        """A block of at least `nbytes` bytes, free on `stream`; its content is undefined.

        Raises:
            OutOfMemoryError: there is none, after the cache was given back.
        """
        if nbytes == 0:
            return self._empty_block()
        size = size_class(nbytes)
        with self._lock:
            self._take_back()
            cached = self._free.get((stream, size))
            block = cached.pop() if cached else None
        if block is None:
            block = self._new_block(size, stream)
        with self._lock:
            self.allocated += size
            self.peak_allocated = max(self.peak_allocated, self.allocated)
        return block

    def release(self, block: Block, users: Iterable[Stream] = ()) -> None:
        """Take a block back. users: other streams than the block's own that have work queued on it."""
        if block.size:
            self._returned.append((block, tuple(users)))

    def _empty_block(self) -> Block:
        if self._nothing is None:
            self._nothing = Block(0, 0, None)
        return self._nothing

    def _take_back(self) -> None:
        if self._returned:
            devices.use(self.device)
        while self._returned:
            block, users = self._returned.popleft()
            home = block.stream
            assert home is not None
            try:
                for user in users:
                    if user is not home:
                        home.wait_stream(user)
            except BaseException:
                self._returned.appendleft((block, users))
                raise
            self.allocated -= block.size
            self._free.setdefault((home, block.size), []).append(block)

    def _new_block(self, size: int, stream: Stream) -> Block:
        address, code = acl().rt.malloc(size, _HUGE_FIRST)
        if code == OUT_OF_MEMORY:
            self.empty_cache()
            address, code = acl().rt.malloc(size, _HUGE_FIRST)
        if code == OUT_OF_MEMORY:
            acl().get_recent_err_msg()
            raise OutOfMemoryError("acl.rt.malloc", code, f"asked for {_amount(size)}; {self.summary()}")
        check("acl.rt.malloc", code, f"asked for {_amount(size)} on {self.device}")
        try:
            block = Block(address, size, stream)
        except BaseException:
            acl().rt.free(address)
            raise
        with self._lock:
            self.reserved += size
            self.peak_reserved = max(self.peak_reserved, self.reserved)
            self._blocks.add(block)
        return block

    def empty_cache(self) -> None:
        """Give back to the device every block that no tensor uses."""
        # The device's own free does not wait for work that is queued on the memory.
        synchronize(self.device)
        with self._lock:
            self._take_back()
            blocks = [block for cached in self._free.values() for block in cached]
            self._free.clear()
            self._blocks.difference_update(blocks)
            self.reserved -= sum(block.size for block in blocks)
        for block in blocks:
            check("acl.rt.free", acl().rt.free(block.address))

    def settle(self) -> None:
        """Count in the blocks that have come back, so that the figures are exact."""
        with self._lock:
            self._take_back()

    def reset_peaks(self) -> None:
        """Let the peaks start from what is in use now."""
        self.settle()
        self.peak_allocated, self.peak_reserved = self.allocated, self.reserved

    def summary(self) -> str:
        """The figures in a line, with what the device itself says of its memory."""
        self.settle()
        figures = [
            f"{self.device}: tensors hold {_amount(self.allocated)} (at most {_amount(self.peak_allocated)} so far)",
            f"the cache holds {_amount(self.reserved - self.allocated)} more",
        ]
        for attribute in (1, 0):  # HBM, else DDR
            free, total, code = acl().rt.get_mem_info(attribute)
            if code == 0 and total:
                figures.append(f"the device has {_amount(free)} free of {_amount(total)}")
                break
        return ", ".join(figures)


def _amount(nbytes: float) -> str:
    for unit in ("bytes", "KiB", "MiB"):
        if nbytes < 1024:
            return f"{nbytes:.0f} {unit}" if unit == "bytes" else f"{nbytes:.1f} {unit}"
        nbytes /= 1024
    return f"{nbytes:.2f} GiB"


_allocators: dict[Device, CachingAllocator] = {}
_allocators_lock = threading.Lock()


def allocator(device: Device) -> CachingAllocator:
    """The allocator of a device."""
    found = _allocators.get(device)
    if found is None:
        with _allocators_lock:
            found = _allocators.setdefault(device, CachingAllocator(device))
    return found


def _give_back_all() -> None:
    for one in _allocators.values():
        one.empty_cache()
    _allocators.clear()


devices.at_shutdown(_give_back_all)
