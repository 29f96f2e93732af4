"""Reading and writing memory of this process that somebody else manages, without trusting the address.

A program may pass any number for a host pointer. On Linux the kernel makes such copies and answers where
an address is not mapped, or not writable; touching it would end the process. Where the kernel has no such
call, addresses are taken as they are.
"""

from __future__ import annotations

import ctypes
import os
import struct
from typing import Any

import numpy as np

__all__ = ["fill", "mapped", "move", "read"]

# What the kernel takes at once; it would cut a longer copy short by itself.
_LARGEST_PIECE = 2**30
_FILL_PIECE = 2**20
_BYTES_HEADER = bytes.__basicsize__ - 1
# Two vectors of one piece each: where to, and where from.
_vectors = struct.Struct("QQQQ").pack


def _kernel_copy() -> Any:
    """`process_vm_readv` where it exists and may be used."""
    try:
        call = ctypes.CDLL(None).process_vm_readv
    except (AttributeError, OSError, TypeError):
        return None
    pointer, count = ctypes.c_void_p, ctypes.c_ulong
    call.argtypes = (ctypes.c_int, pointer, count, pointer, count, count)
    call.restype = ctypes.c_ssize_t
    probe = _vectors(*[_address_of(b"12345678"), 0] * 2)
    return call if call(os.getpid(), _address_of(probe), 1, _address_of(probe) + 16, 1, 0) == 0 else None


def _address_of(data: bytes) -> int:
    return id(data) + _BYTES_HEADER


_copy = _kernel_copy()


def move(to: int, from_: int, count: int) -> bool:
    """Copy bytes inside this process; False where one side cannot be touched, which may leave a part copied."""
    if _copy is None:
        ctypes.memmove(to, from_, count)
        return True
    process = os.getpid()
    done = 0
    while done < count:
        piece = min(count - done, _LARGEST_PIECE)
        vectors = _vectors(to + done, piece, from_ + done, piece)
        place = _address_of(vectors)
        copied = _copy(process, place, 1, place + 16, 1, 0)
        if copied <= 0:
            return False
        done += copied
    return True


def read(address: int, count: int) -> bytes | None:
    """A copy of memory, None where some of it cannot be read."""
    if _copy is None:
        return ctypes.string_at(address, count)
    try:
        data = np.empty(count, np.uint8)
    except (MemoryError, ValueError):
        return None
    return data.tobytes() if move(data.__array_interface__["data"][0], address, count) else None


def fill(address: int, value: int, count: int) -> bool:
    """Set bytes; False where some of them cannot be written."""
    piece = bytes([value]) * min(count, _FILL_PIECE)
    return all(
        move(address + done, _address_of(piece), min(len(piece), count - done))
        for done in range(0, count, max(1, len(piece)))
    )


def mapped(address: int, count: int, *, write: bool = False) -> bool:
    """Whether memory can be read, and written if asked, by code that touches it directly."""
    end = address + count
    try:
        with open("/proc/self/maps", encoding="utf-8") as maps:
            for line in maps:
                extent, access = line.split(None, 2)[:2]
                low, high = (int(bound, 16) for bound in extent.split("-"))
                if low <= address < high:
                    if access[0] != "r" or (write and access[1] != "w"):
                        return False
                    # The areas are in order of address: the next line goes on where this one ends, or there is a gap.
                    address = high
                    if address >= end:
                        return True
    except OSError:
        return True
    return address >= end
