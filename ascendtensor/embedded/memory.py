"""Memory: device blocks behind addresses that no process can touch, and page-locked host blocks.

A device address is a number from a range that no operating system maps, so using it as a host pointer
fails at once instead of appearing to work. Only `resolve` turns one into real bytes, and it first checks
that the whole range lies in one live block. Addresses are not given out twice: a freed one stays wrong.

On chips that share memory with their host a device address *is* the address of its bytes, and any host
address may stand for device memory.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable
from typing import Any

import numpy as np

from . import process_memory
from .addresses import (
    ALLOCATED,
    PAGE_LOCKED,
    REGISTERED_HOST,
    AddressError,
    AddressSpace,
    Block,
    DeviceMemory,
    new_bytes,
)
from .codes import MALLOC_HUGE1G_POLICIES

__all__ = [
    "DEVICE_RANGE",
    "AddressError",
    "AddressSpace",
    "Block",
    "DeviceMemory",
    "copy",
    "fill",
    "host_bytes",
    "is_host",
    "locate",
]

# Bits 55 and 53: beyond what processes get on any 64-bit system, and positive as a signed number.
DEVICE_RANGE = range(0x00A0_0000_0000_0000, 0x0100_0000_0000_0000)
# An address below the first page or from here on is no host pointer, whatever else it is.
_HOST_RANGE = range(0x1000, 0x0001_0000_0000_0000)
# Device blocks begin at multiples of this, and none begins where another ends: an overrun hits nothing.
_SPACING = 512

KERNEL_ALIGNMENT = 32


DEVICE = AddressSpace("device")
PINNED = AddressSpace("page-locked host")

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
    data = charge_bytes(size, charged, memory)
    if data is None:
        return None
    block = Block(data, ALLOCATED, memory.device, charged)
    if not shared:
        start = take_addresses(size)
        if start is None:
            memory.charge(-charged)
            return None
        block.address = start
    DEVICE.add(block)
    return block


def charge_bytes(size: int, charged: int, memory: DeviceMemory) -> np.ndarray | None:
    """The bytes of new memory on a device, or None where they do not fit."""
    if not memory.charge(charged):
        return None
    try:
        data = new_bytes(size)
    except (MemoryError, ValueError):
        memory.charge(-charged)
        return None
    if dirt is not None:
        data.fill(dirt)
    return data


def allocate_pinned(size: int) -> Block | None:
    """A new page-locked host block, or None where the host has no memory left."""
    try:
        block = Block(new_bytes(size), PAGE_LOCKED)
    except (MemoryError, ValueError):
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


Place = tuple[int, Block | None]
"""An address in the process, and the block it lies in; None for memory that is not of the runtime's making."""


def locate(address: int, count: int) -> Place:
    """Where `count` bytes of device or host memory are.

    Raises:
        AddressError: outside live device memory, or no pointer at all.
    """
    if is_device(address):
        block, offset = DEVICE.resolve(address, count)
        return block.host + offset, block
    if is_pinned(address):
        block, offset = PINNED.resolve(address, count)
        return address, block
    if not is_host(address) or not is_host(address + count - 1):
        raise AddressError(f"{address:#x} is neither a device address nor a pointer of this process")
    return address, None


def locate_for_device(address: int, count: int) -> Place:
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


Locator = Callable[[int, int], Place]


def copy(target: int, source: int, count: int, find: Locator = locate) -> None:
    """Copy bytes between any two places; the ranges may overlap.

    Raises:
        AddressError: one of the ranges cannot be used, or the devices of both cannot reach each other.
    """
    to, from_ = find(target, count), find(source, count)
    _check_reach(to[1], from_[1])
    _move(to, from_, count)


def copy_rows(
    target: int,
    target_pitch: int,
    source: int,
    source_pitch: int,
    width: int,
    height: int,
    find: Locator = locate,
) -> None:
    """Copy `height` rows of `width` bytes that lie `pitch` bytes apart.

    Raises:
        AddressError: one of the areas cannot be used; nothing was copied then, unless the host's is not mapped.
    """
    to, to_block = find(target, target_pitch * (height - 1) + width)
    from_, from_block = find(source, source_pitch * (height - 1) + width)
    _check_reach(to_block, from_block)
    for row in range(height):
        _move((to + row * target_pitch, to_block), (from_ + row * source_pitch, from_block), width)


def _move(to: Place, from_: Place, count: int) -> None:
    if _lasting(to) and _lasting(from_):
        ctypes.memmove(to[0], from_[0], count)
    elif not process_memory.move(to[0], from_[0], count):
        raise AddressError(
            f"host memory of {count} bytes at {from_[0] if _lasting(to) else to[0]:#x} is not mapped in this process, "
            "or not writable; its owner is gone already"
        )


def _lasting(place: Place) -> bool:
    return place[1] is not None and place[1].lasting


def fill(target: int, value: int, count: int) -> None:
    """Set bytes of device or page-locked memory.

    Raises:
        AddressError: the range cannot be used.
    """
    place = locate_for_device(target, count)
    if _lasting(place):
        ctypes.memset(place[0], value & 0xFF, count)
    elif not process_memory.fill(place[0], value & 0xFF, count):
        raise AddressError(f"{count} bytes at {target:#x} are not mapped in this process, or not writable")


def device_bytes(address: int, count: int) -> bytes:
    """A copy of device memory.

    Raises:
        AddressError: the range cannot be used.
    """
    block, offset = DEVICE.resolve(address, count)
    return block.bytes[offset : offset + count].tobytes()


def write_bytes(address: int, data: bytes) -> None:
    """Put bytes into device memory.

    Raises:
        AddressError: the range cannot be used.
    """
    block, offset = DEVICE.resolve(address, len(data))
    block.bytes[offset : offset + len(data)] = np.frombuffer(data, np.uint8)


def _check_reach(to: Block | None, from_: Block | None) -> None:
    """Devices reach each other's memory only once one of them has been given access."""
    if to is None or from_ is None or to.device is None or from_.device is None or to.device == from_.device:
        return
    pair = (to.device, from_.device)
    if not {pair, pair[::-1]} & peer_access:
        raise AddressError(
            f"devices {from_.device} and {to.device} cannot reach each other's memory; call "
            "acl.rt.device_enable_peer_access first"
        )


def _locate_on_host(address: int, count: int) -> Place:
    if address in DEVICE_RANGE:
        raise AddressError(
            f"{address:#x} is a device address where host memory is due; copy the data with acl.rt.memcpy first"
        )
    return locate(address, count)


def host_bytes(address: int, count: int) -> bytes:
    """A copy of host memory.

    Raises:
        AddressError: a device address, or no pointer of this process.
    """
    place = _locate_on_host(address, count)
    if _lasting(place):
        return ctypes.string_at(place[0], count)
    data = process_memory.read(place[0], count)
    if data is None:
        raise AddressError(f"{count} bytes of host memory at {address:#x} are not mapped in this process")
    return data


def array_view(address: int, shape: tuple[int, ...], dtype: np.dtype[Any], count: int, device: int) -> np.ndarray:
    """The tensor at a device address, as a kernel of `device` sees it.

    Raises:
        AddressError: unaligned, on another device, or not inside one live block.
    """
    exact = DEVICE.blocks.get(address)
    if exact is not None and exact.device == device and count <= exact.size and exact.kind != REGISTERED_HOST:
        # Nearly every tensor begins where its block does; blocks are aligned.
        return np.ndarray(shape, dtype, exact.bytes)
    if not count:
        return np.empty(shape, dtype)
    if shared and DEVICE.find(address) is None:
        # Python's own objects lie as they come.
        return np.ndarray(shape, dtype, host_view(address, count))
    if address % KERNEL_ALIGNMENT:
        raise AddressError(f"{address:#x} is not a multiple of {KERNEL_ALIGNMENT}, as kernels need their tensors")
    if not is_device(address):
        raise AddressError(f"{address:#x} is a host address where the kernel needs device memory")
    block, offset = DEVICE.resolve(address, count)
    if block.device != device and (device, block.device) not in peer_access:
        raise AddressError(f"{address:#x} lies on device {block.device}, the kernel runs on device {device}")
    return np.ndarray(shape, dtype, block.bytes if block.lasting else host_view(block.host, block.size), offset)


def host_view(address: int, count: int) -> memoryview:
    """Host memory to be read and written in place.

    Raises:
        AddressError: some of it is not this process's, or must not be written.
    """
    host, block = _locate_on_host(address, count)
    if block is not None and block.lasting:
        # A part of the block's own bytes keeps them alive.
        offset = address - block.address
        return block.bytes[offset : offset + count].data
    if not process_memory.mapped(host, count, write=True):
        raise AddressError(
            f"{count} bytes of host memory at {address:#x} are not mapped in this process, or not writable"
        )
    return memoryview((ctypes.c_uint8 * count).from_address(host))


def take_addresses(size: int, alignment: int = _SPACING) -> int | None:
    """The beginning of `size` unused device addresses, None when they are used up."""
    global _next_address
    with _address_lock:
        start = _round_up(_next_address, alignment)
        end = _round_up(start + size + 1, _SPACING)
        if end > DEVICE_RANGE.stop:
            return None
        _next_address = end
    return start


def _round_up(size: int, unit: int) -> int:
    return -(-size // unit) * unit
