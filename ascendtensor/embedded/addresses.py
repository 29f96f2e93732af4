"""Blocks of memory behind addresses, found by any address inside them."""

from __future__ import annotations

import bisect
import threading

import numpy as np

__all__ = ["AddressError", "AddressSpace", "Block", "DeviceMemory", "new_bytes"]

_ALIGNMENT = 64


class AddressError(Exception):
    """An address range that cannot be used; the text says why and what to do."""


# What ends a block of each kind; a block is of the kind that its maker says.
ALLOCATED, PAGE_LOCKED = "device memory", "page-locked memory"
REGISTERED_HOST, MAPPED, IMPORTED = "registered host memory", "mapped memory", "imported memory"
_ENDED_BY = {
    ALLOCATED: "acl.rt.free",
    PAGE_LOCKED: "acl.rt.free_host",
    REGISTERED_HOST: "acl.rt.host_unregister",
    MAPPED: "acl.rt.unmap_mem",
    IMPORTED: "acl.rt.ipc_mem_close",
}


class Block:
    """Bytes that the program may use by their address.

    Attributes:
        address: where they begin for the program; in the process they begin at `host`.
        kind: how they came to be, which says what ends them.
        charged: what they cost their device, padding included.
        device: the device's number, None for host memory.
    """

    __slots__ = ("address", "bytes", "charged", "device", "host", "kind", "size")

    def __init__(self, data: np.ndarray, kind: str, device: int | None = None, charged: int = 0) -> None:
        self.bytes = data
        self.host: int = data.__array_interface__["data"][0]
        self.address = self.host
        self.size = data.size
        self.kind = kind
        self.charged = charged
        self.device = device

    @property
    def lasting(self) -> bool:
        """Whether the bytes stay as long as the block: those of a registered host block belong to somebody else."""
        return self.kind != REGISTERED_HOST


def new_bytes(size: int) -> np.ndarray:
    """Aligned bytes with any content.

    Raises:
        MemoryError: the host has no room.
    """
    raw = np.empty(size + _ALIGNMENT, np.uint8)
    skip = -raw.__array_interface__["data"][0] % _ALIGNMENT
    return raw[skip : skip + size]


class AddressSpace:
    """The live blocks of one kind, found by any address inside them."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self._lock = threading.Lock()
        self.clear()

    def clear(self) -> None:
        """Forget every block."""
        with self._lock:
            self.blocks: dict[int, Block] = {}
            self._starts: list[int] = []

    def add(self, block: Block) -> int:
        """Enter a block; gives its address."""
        with self._lock:
            self.blocks[block.address] = block
            bisect.insort(self._starts, block.address)
        return block.address

    def remove(self, address: int, kind: str | None = None) -> Block:
        """Take the block that begins at `address` out; None stands for a block of any kind.

        Raises:
            AddressError: no live block of that kind begins there.
        """
        with self._lock:
            block = self.blocks.get(address)
            if block is not None and kind in (None, block.kind):
                del self.blocks[address]
                del self._starts[bisect.bisect_left(self._starts, address)]
                return block
        inside = self.find(address)
        if block is not None:
            raise AddressError(f"{address:#x} is {block.kind}, which {_ENDED_BY[block.kind]} ends")
        if inside is not None:
            raise AddressError(
                f"{address:#x} lies {address - inside.address} bytes inside the {self.kind} block at "
                f"{inside.address:#x}; {_ENDED_BY[inside.kind]} takes the address that the allocation gave"
            )
        raise AddressError(f"{address:#x} is not a live {self.kind} block; it was never allocated, or is freed already")

    def find(self, address: int) -> Block | None:
        """The live block that `address` lies in."""
        block = self.blocks.get(address)
        if block is not None:
            return block
        with self._lock:
            place = bisect.bisect_right(self._starts, address) - 1
            if place < 0:
                return None
            block = self.blocks[self._starts[place]]
        return block if address < block.address + block.size else None

    def resolve(self, address: int, count: int) -> tuple[Block, int]:
        """The block that holds `count` bytes from `address` on, and the offset in it.

        Raises:
            AddressError: the range is not wholly inside one live block.
        """
        block = self.find(address)
        if block is None:
            raise AddressError(f"{address:#x} is not in live {self.kind} memory; it was freed or never allocated")
        offset = address - block.address
        if offset + count > block.size:
            raise AddressError(
                f"{count} bytes from {address:#x} reach {offset + count - block.size} bytes past the end of the "
                f"{self.kind} block of {block.size} bytes at {block.address:#x}"
            )
        return block, offset


class DeviceMemory:
    """How much memory one device has, and how much of it is taken."""

    def __init__(self, device: int, limit: int) -> None:
        self.device = device
        self.limit = limit
        self.used = 0
        self._lock = threading.Lock()

    def charge(self, amount: int) -> bool:
        """Take `amount` bytes (negative gives back); False and nothing taken if there is no room."""
        with self._lock:
            if amount > 0 and self.used + amount > self.limit:
                return False
            self.used += amount
            return True
