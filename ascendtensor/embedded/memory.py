"""Memory: device blocks behind addresses that no process can touch, and page-locked host blocks.

A device address is a number from a range that no operating system maps, so using it as a host pointer
fails at once instead of appearing to work. Only `resolve` turns one into real bytes, and it first checks
that the whole range lies in one live block. Addresses are not given out twice: a freed one stays wrong.

On chips that share memory with their host a device address *is* the address of its bytes, and any host
address may stand for device memory.
"""

from __future__ import annotations

import bisect
import ctypes
import threading
from collections.abc import Callable
from typing import Any

import numpy as np

from .codes import MALLOC_HUGE1G_POLICIES

__all__ = ["AddressError", "AddressSpace", "Block", "DEVICE_RANGE", "copy", "fill", "host_bytes", "is_host"]

# Bits 55 and 53: beyond what processes get on any 64-bit system, and positive as a signed number.
DEVICE_RANGE = range(0x00A0_0000_0000_0000, 0x0100_0000_0000_0000)
# An address below the first page or from here on is no host pointer, whatever else it is.
_HOST_RANGE = range(0x1000, 0x0001_0000_0000_0000)
_ALIGNMENT = 64
# Device blocks begin at multiples of this, and none begins where another ends: an overrun hits nothing.
_SPACING = 512

KERNEL_ALIGNMENT = 32


class AddressError(Exception):
    """An address range that cannot be used; the text says why and what to do."""


class Block:
    """One allocation: `size` bytes at `address`, which in the process lie at `host`."""

    __slots__ = ("address", "bytes", "charged", "device", "host", "size")

    def __init__(self, size: int, charged: int, device: int | None) -> None:
        raw = np.empty(size + _ALIGNMENT, np.uint8)
        skip = -raw.__array_interface__["data"][0] % _ALIGNMENT
        self.bytes = raw[skip : skip + size]
        self.host: int = self.bytes.__array_interface__["data"][0]
        self.address = self.host
        self.size = size
        # What the block costs its device, padding included.
        self.charged = charged
        # The device's number, None for page-locked host memory.
        self.device = device


class AddressSpace:
    """The live blocks of one kind, found by any address inside them."""

    def __init__(self, kind: str, freed_by: str) -> None:
        self.kind = kind
        self._freed_by = freed_by
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

    def remove(self, address: int) -> Block:
        """Take the block that begins at `address` out.

        Raises:
            AddressError: no live block begins there.
        """
        with self._lock:
            block = self.blocks.pop(address, None)
            if block is not None:
                del self._starts[bisect.bisect_left(self._starts, address)]
                return block
        inside = self.find(address)
        if inside is not None:
            raise AddressError(
                f"{address:#x} lies {address - inside.address} bytes inside the {self.kind} block at "
                f"{inside.address:#x}; {self._freed_by} takes the address that the allocation gave"
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


DEVICE = AddressSpace("device", "acl.rt.free")
PINNED = AddressSpace("page-locked host", "acl.rt.free_host")

# Pairs (user, owner): the first device may use the second one's memory.
peer_access: set[tuple[int | None, int | None]] = set()
# Set for chips that share memory with their host.
shared = False
# What new device memory is filled with, None to leave it as it comes.
dirt: int | None = None

_next_address = DEVICE_RANGE.start
_address_lock = threading.Lock()


def charged_size(size: int, policy: int, padding: int = 32) -> int:
    """What a request costs: whole units of 32 bytes, and room for kernels that read past the end."""
    return _round_up(size, 32) + (0 if policy & 0xFF in MALLOC_HUGE1G_POLICIES else padding)


def allocate_device(size: int, charged: int, memory: DeviceMemory) -> Block | None:
    """A new block on a device, or None where it does not fit."""
    if not memory.charge(charged):
        return None
    try:
        block = Block(size, charged, memory.device)
    except MemoryError:
        memory.charge(-charged)
        return None
    if not shared:
        block.address = _take_addresses(size)
    if dirt is not None:
        block.bytes.fill(dirt)
    DEVICE.add(block)
    return block


def allocate_pinned(size: int) -> Block | None:
    """A new page-locked host block, or None where the host has no memory left."""
    try:
        block = Block(size, size, None)
    except MemoryError:
        return None
    PINNED.add(block)
    return block


def is_device(address: int) -> bool:
    """Whether an address means device memory, live or not."""
    return address in DEVICE_RANGE or (shared and DEVICE.find(address) is not None)


def is_host(address: int) -> bool:
    """Whether an address can be one of ordinary process memory."""
    return address in _HOST_RANGE


def is_pinned(address: int) -> bool:
    """Whether an address lies in page-locked host memory."""
    return PINNED.find(address) is not None


def is_for_device(address: int) -> bool:
    """Whether an address means memory that the device itself can reach."""
    return is_device(address) or is_pinned(address)


def locate(address: int, count: int) -> int:
    """The real address behind `count` bytes of device or host memory.

    Raises:
        AddressError: outside live device memory, or no pointer at all.
    """
    if is_device(address):
        block, offset = DEVICE.resolve(address, count)
        return block.host + offset
    if not is_host(address) or not is_host(address + count - 1):
        raise AddressError(f"{address:#x} is neither a device address nor a pointer of this process")
    if is_pinned(address):
        PINNED.resolve(address, count)
    return address


def locate_for_device(address: int, count: int) -> int:
    """As `locate`, for memory that the device itself reads or writes: its own, or page-locked.

    Raises:
        AddressError: the range is not inside one live block of either.
    """
    if not is_for_device(address) and not shared:
        raise AddressError(
            f"{address:#x} is ordinary host memory, or page-locked memory freed already; the device reaches memory of "
            "acl.rt.malloc and acl.rt.malloc_host"
        )
    return locate(address, count)


def copy(target: int, source: int, count: int, find: Callable[[int, int], int] = locate) -> None:
    """Copy bytes between any two places; the ranges may overlap.

    Raises:
        AddressError: one of the ranges cannot be used, or the devices of both cannot reach each other.
    """
    to, from_ = find(target, count), find(source, count)
    _check_reach(target, source)
    ctypes.memmove(to, from_, count)


def copy_rows(
    target: int,
    target_pitch: int,
    source: int,
    source_pitch: int,
    width: int,
    height: int,
    find: Callable[[int, int], int] = locate,
) -> None:
    """Copy `height` rows of `width` bytes that lie `pitch` bytes apart.

    Raises:
        AddressError: one of the areas cannot be used; nothing was copied then.
    """
    to = find(target, target_pitch * (height - 1) + width)
    from_ = find(source, source_pitch * (height - 1) + width)
    for row in range(height):
        ctypes.memmove(to + row * target_pitch, from_ + row * source_pitch, width)


def fill(target: int, value: int, count: int) -> None:
    """Set bytes of device or page-locked memory.

    Raises:
        AddressError: the range cannot be used.
    """
    ctypes.memset(locate_for_device(target, count), value & 0xFF, count)


def _check_reach(target: int, source: int) -> None:
    """Devices reach each other's memory only once one of them has been given access."""
    to, from_ = DEVICE.find(target), DEVICE.find(source)
    if to is None or from_ is None or to.device == from_.device:
        return
    pair = (to.device, from_.device)
    if not {pair, pair[::-1]} & peer_access:
        raise AddressError(
            f"devices {from_.device} and {to.device} cannot reach each other's memory; call "
            "acl.rt.device_enable_peer_access first"
        )


def host_bytes(address: int, count: int) -> bytes:
    """A copy of host memory.

    Raises:
        AddressError: a device address, or no pointer at all.
    """
    if address in DEVICE_RANGE:
        raise AddressError(
            f"{address:#x} is a device address where host memory is due; copy the data with acl.rt.memcpy first"
        )
    return ctypes.string_at(locate(address, count), count)


def array_view(address: int, shape: tuple[int, ...], dtype: np.dtype[Any], count: int, device: int) -> np.ndarray:
    """The tensor at a device address, as a kernel of `device` sees it.

    Raises:
        AddressError: unaligned, on another device, or not inside one live block.
    """
    exact = DEVICE.blocks.get(address)
    if exact is not None and exact.device == device and count <= exact.size:
        # Nearly every tensor begins where its block does; blocks are aligned.
        return np.ndarray(shape, dtype, exact.bytes)
    if not count:
        return np.empty(shape, dtype)
    if address % KERNEL_ALIGNMENT:
        raise AddressError(f"{address:#x} is not a multiple of {KERNEL_ALIGNMENT}, as kernels need their tensors")
    if shared and DEVICE.find(address) is None:
        data = (ctypes.c_uint8 * count).from_address(locate(address, count))
        return np.ndarray(shape, dtype, memoryview(data))
    if not is_device(address):
        raise AddressError(f"{address:#x} is a host address where the kernel needs device memory")
    block, offset = DEVICE.resolve(address, count)
    if block.device != device and (device, block.device) not in peer_access:
        raise AddressError(f"{address:#x} lies on device {block.device}, the kernel runs on device {device}")
    return np.ndarray(shape, dtype, block.bytes, offset)


def _take_addresses(size: int) -> int:
    """The beginning of `size` unused device addresses."""
    global _next_address
    with _address_lock:
        start = _next_address
        _next_address = _round_up(start + size + 1, _SPACING)
    return start


def _round_up(size: int, unit: int) -> int:
    return -(-size // unit) * unit
