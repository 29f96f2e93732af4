"""`acl.rt`: virtual memory. Addresses are reserved, memory is made, and then put behind the addresses."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from . import addresses, codes, machine, memory
from .addresses import AddressError, Block
from .device_calls import device_at, no_context
from .handles import Handles
from .messages import refuse
from .surface import function, int_list

__all__ = ["reset"]

# Sizes and addresses are multiples of this, whatever the pages.
GRANULARITY = 2 * 2**20
_MINIMUM, _RECOMMENDED = 0, 1
_HUGE_PAGES = 1
_MOST_KINDS = 18
_ON_DEVICE = 1


class Physical:
    """Memory of a device that no address leads to; it goes when nobody holds it and nothing maps it."""

    __slots__ = ("data", "device", "holders")

    def __init__(self, data: np.ndarray, device: machine.Device) -> None:
        self.data = data
        self.device = device
        # The handles, shared ones included, and the mappings.
        self.holders = 1

    def release(self) -> None:
        """One holder fewer."""
        self.holders -= 1
        if not self.holders:
            self.device.memory.charge(-self.data.size)


PHYSICAL: Handles[Physical] = Handles("physical memory")
# The reserved ranges by their first address, and what lies behind mapped addresses.
_reserved: dict[int, range] = {}
_mapped: dict[int, Physical] = {}
_shared: dict[int, Physical] = {}
_share_numbers = itertools.count(1)


def reset() -> None:
    """Forget every reservation, mapping and shared handle."""
    for table in (_reserved, _mapped, _shared):
        table.clear()


def _whole(size: int) -> bool:
    return size > 0 and not size % GRANULARITY


def _bad_size(caller: str, size: int) -> int:
    return refuse(codes.INVALID_PARAM, f"{caller}: {size} bytes are no multiple of {GRANULARITY} above 0")


@function("acl.rt.reserve_mem_address", "kkkK", returns="value ret")
def reserve_mem_address(size: int, alignment: int, expected: int, flags: int) -> tuple[int, int]:
    caller = "acl.rt.reserve_mem_address"
    if machine.current_context() is None:
        return 0, no_context(caller)
    if not _whole(size):
        return 0, _bad_size(caller, size)
    if alignment or flags not in (0, _HUGE_PAGES):
        return 0, refuse(codes.INVALID_PARAM, f"{caller}: the alignment must be 0, and the flags 0 or 1")
    start = memory.take_addresses(size, GRANULARITY)
    if start is None:
        return 0, refuse(codes.RT_MEMORY_ALLOCATION, f"{caller}: no {size} addresses are left")
    _reserved[start] = range(start, start + size)
    return start, codes.SUCCESS


@function("acl.rt.release_mem_address", "k")
def release_mem_address(address: int) -> int:
    caller = "acl.rt.release_mem_address"
    reserved = _reserved.get(address)
    if reserved is None:
        return refuse(
            codes.RT_PARAM_INVALID if address else codes.INVALID_PARAM, f"{caller}: nothing is reserved there"
        )
    if any(start in reserved for start in _live_mappings()):
        return refuse(codes.RT_PARAM_INVALID, f"{caller}: memory is still mapped there; call acl.rt.unmap_mem first")
    del _reserved[address]
    return codes.SUCCESS


@function("acl.rt.malloc_physical", "kOK", returns="value ret")
def malloc_physical(size: int, prop: object, flags: int) -> tuple[int, int]:
    caller = "acl.rt.malloc_physical"
    location = _location(caller, prop)
    if machine.current_context() is None:
        return 0, no_context(caller)
    if not _whole(size):
        return 0, _bad_size(caller, size)
    if flags or location.get("type", 0) != _ON_DEVICE:
        return 0, refuse(codes.INVALID_PARAM, f"{caller}: needs flags 0 and a location of type 1, a device")
    device = device_at(location.get("id", 0), caller)
    if isinstance(device, int):
        return 0, device
    data = memory.charge_bytes(size, size, device.memory)
    if data is None:
        return 0, refuse(codes.RT_MEMORY_ALLOCATION, f"{caller}: no room for {size} bytes on device {device.index}")
    return PHYSICAL.add(Physical(data, device)), codes.SUCCESS


def _location(caller: str, prop: object) -> dict[str, int]:
    """The place that properties name. What is missing or of another type counts as 0, as in pyACL."""
    if not isinstance(prop, dict):
        raise TypeError(f"{caller} args parse failed")
    location = prop.get("location")
    found = {}
    for name in ("id", "type"):
        value = location.get(name) if isinstance(location, dict) else None
        if isinstance(value, int):
            if not 0 <= value < 2**32:
                raise ValueError(f"{caller}: {name} {value} does not fit 32 bits")
            found[name] = int(value)
    return found


def _live_mappings() -> dict[int, Physical]:
    """What is mapped now; a device that was reset has lost its mappings."""
    for start in [start for start in _mapped if start not in memory.DEVICE.blocks]:
        _mapped.pop(start).release()
    return _mapped


def _dead(caller: str) -> int:
    return refuse(codes.INVALID_PARAM, f"{caller}: the memory handle is NULL, or freed already")


@function("acl.rt.free_physical", "k")
def free_physical(handle: int) -> int:
    physical = PHYSICAL.pop(handle)
    if physical is None:
        return _dead("acl.rt.free_physical")
    physical.release()
    return codes.SUCCESS


@function("acl.rt.map_mem", "kkkkK")
def map_mem(address: int, size: int, offset: int, handle: int, flags: int) -> int:
    caller = "acl.rt.map_mem"
    physical = PHYSICAL.get(handle)
    if physical is None:
        return _dead(caller)
    if offset or flags or size != physical.data.size:
        return refuse(
            codes.INVALID_PARAM, f"{caller}: needs offset 0, flags 0 and the handle's {physical.data.size} bytes"
        )
    wanted = range(address, address + size)
    if address % GRANULARITY or not any(address in r and wanted[-1] in r for r in _reserved.values()):
        return refuse(codes.RT_PARAM_INVALID, f"{caller}: {size} bytes at {address:#x} are not reserved")
    old = _live_mappings()
    if any(start in wanted or address in range(start, start + old[start].data.size) for start in old):
        return refuse(codes.RT_PARAM_INVALID, f"{caller}: memory is mapped at {address:#x} already")
    block = Block(physical.data, addresses.MAPPED, physical.device.index)
    block.address = address
    memory.DEVICE.add(block)
    physical.holders += 1
    _mapped[address] = physical
    return codes.SUCCESS


@function("acl.rt.unmap_mem", "k")
def unmap_mem(address: int) -> int:
    caller = "acl.rt.unmap_mem"
    if not address:
        return refuse(codes.INVALID_PARAM, f"{caller}: the address is NULL")
    try:
        memory.DEVICE.remove(address, addresses.MAPPED)
    except AddressError as error:
        return refuse(codes.RT_PARAM_INVALID, f"{caller}: {error}")
    _mapped.pop(address).release()
    return codes.SUCCESS


@function("acl.rt.mem_get_allocation_granularity", "Oi", returns="value ret")
def mem_get_allocation_granularity(prop: object, option: int) -> tuple[int, int]:
    caller = "acl.rt.mem_get_allocation_granularity"
    _location(caller, prop)
    if option not in (_MINIMUM, _RECOMMENDED):
        return 0, refuse(codes.INVALID_PARAM, f"{caller}: there is no option {option}")
    return GRANULARITY, codes.SUCCESS


# Handing memory over. Only this process is there to take it.


@function("acl.rt.mem_export_to_shareable_handle", "kiK", returns="value ret")
def mem_export_to_shareable_handle(handle: int, kind: int, flags: int) -> tuple[int, int]:
    caller = "acl.rt.mem_export_to_shareable_handle"
    physical = PHYSICAL.get(handle)
    if physical is None:
        return 0, _dead(caller)
    if kind:
        return 0, refuse(codes.INVALID_PARAM, f"{caller}: there is no kind of handle {kind}")
    number = next(_share_numbers)
    _shared[number] = physical
    return number, codes.SUCCESS


@function("acl.rt.mem_set_pid_to_shareable_handle", "KO")
def mem_set_pid_to_shareable_handle(number: int, processes: Any) -> int:
    caller = "acl.rt.mem_set_pid_to_shareable_handle"
    wanted = int_list(processes, 2, -(2**31), 2**31 - 1)
    if number not in _shared or not wanted:
        return refuse(codes.INVALID_PARAM, f"{caller}: no such shared handle, or no process")
    return codes.SUCCESS


@function("acl.rt.mem_import_from_shareable_handle", "Ki", returns="value ret")
def mem_import_from_shareable_handle(number: int, index: int) -> tuple[int, int]:
    caller = "acl.rt.mem_import_from_shareable_handle"
    device = device_at(index, caller)
    if isinstance(device, int):
        return 0, device
    physical = _shared.get(number)
    if physical is None or not physical.holders:
        return 0, refuse(codes.RT_PARAM_INVALID, f"{caller}: {number} is not a handle shared by this process")
    physical.holders += 1
    return PHYSICAL.add(physical), codes.SUCCESS
