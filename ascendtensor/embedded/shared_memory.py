"""`acl.rt`: memory that more than one party uses: registered host memory, and memory handed on by a key.

A key leads to memory of this process only: each process has an embedded machine of its own.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import addresses, codes, machine, memory, process_memory
from .addresses import AddressError, Block
from .device_calls import no_context
from .messages import refuse
from .surface import function, int_list

__all__ = ["Exported", "Keys", "check_processes", "reset"]

# Bytes of a key, the final NUL included.
KEY_LENGTH = 65
_MAPPED_TYPE = 0
# Flags of host_register_v2: mapped, input and output, read-only, pinned.
_REGISTER_FLAGS = 2 | 4 | 8 | 0x10000000


@dataclass(slots=True)
class Exported:
    """Something handed on by a key, and which processes may take it; None stands for any that asks."""

    thing: Any
    processes: list[int] | None = None


class Keys:
    """What was handed on, by its key."""

    def __init__(self, kind: str) -> None:
        self._kind = kind
        self._numbers = itertools.count(1)
        self.exported: dict[str, Exported] = {}

    def hand_on(self, thing: Any) -> str:
        """A new key for `thing`."""
        key = f"ascendtensor-{self._kind}-{next(self._numbers):08x}"
        self.exported[key] = Exported(thing)
        return key


def check_processes(value: Any) -> list[int]:
    """A list of process numbers."""
    return int_list(value, 2, -(2**31), 2**31 - 1)


_keys = Keys("memory")
# The imported blocks by key.
_imported: dict[str, int] = {}
# The device's addresses of registered host memory by the host's.
_registered: dict[int, int] = {}


def reset() -> None:
    """Forget every key and registration."""
    for table in (_keys.exported, _imported, _registered):
        table.clear()


def _register(caller: str, address: int, size: int) -> int:
    """Make host memory reachable for the device; gives the code."""
    if not address or not size:
        return refuse(codes.INVALID_PARAM, f"{caller}: the address is NULL or the size 0")
    context = machine.current_context()
    if context is None:
        return no_context(caller)
    if not memory.is_host(address) or not memory.is_host(address + size - 1):
        return refuse(codes.RT_PARAM_INVALID, f"{caller}: {address:#x} is no host memory of this process")
    if memory.is_pinned(address) or memory.is_pinned(address + size - 1):
        return refuse(codes.RT_PARAM_INVALID, f"{caller}: {address:#x} is page-locked or registered already")
    if not process_memory.mapped(address, size, write=True):
        return refuse(codes.RT_PARAM_INVALID, f"{caller}: {size} bytes at {address:#x} are not this process's to write")
    start = address if memory.shared else memory.take_addresses(size)
    if start is None:
        return refuse(codes.RT_MEMORY_ALLOCATION, f"{caller}: no {size} addresses are left")
    data = np.frombuffer(memory.host_view(address, size), np.uint8)
    memory.PINNED.add(Block(data, addresses.REGISTERED_HOST))
    if start != address:
        alias = Block(data, addresses.REGISTERED_HOST, context.device.index)
        alias.address = start
        memory.DEVICE.add(alias)
    _registered[address] = start
    return codes.SUCCESS


@function("acl.rt.host_register", "kki", returns="value ret")
def host_register(address: int, size: int, kind: int) -> tuple[int, int]:
    caller = "acl.rt.host_register"
    if kind != _MAPPED_TYPE:
        return 0, refuse(codes.INVALID_PARAM, f"{caller}: there is no way {kind} to register; use 0")
    code = _register(caller, address, size)
    return (0, code) if code else (_registered[address], codes.SUCCESS)


@function("acl.rt.host_register_v2", "KKI")
def host_register_v2(address: int, size: int, flags: int) -> int:
    caller = "acl.rt.host_register_v2"
    if not flags or flags & ~_REGISTER_FLAGS:
        return refuse(codes.INVALID_PARAM, f"{caller}: there are no flags {flags:#x}")
    return _register(caller, address, size)


@function("acl.rt.host_get_device_pointer", "KI", returns="value ret")
def host_get_device_pointer(address: int, flags: int) -> tuple[int, int]:
    caller = "acl.rt.host_get_device_pointer"
    if flags or not address:
        return 0, refuse(codes.INVALID_PARAM, f"{caller}: the address is NULL, or the flags are not 0")
    block = memory.PINNED.find(address)
    if block is None:
        return 0, refuse(codes.RT_PARAM_INVALID, f"{caller}: {address:#x} is not registered")
    return _registered.get(block.address, block.address) + address - block.address, codes.SUCCESS


@function("acl.rt.host_unregister", "k")
def host_unregister(address: int) -> int:
    caller = "acl.rt.host_unregister"
    if not address:
        return refuse(codes.INVALID_PARAM, f"{caller}: the address is NULL")
    try:
        memory.PINNED.remove(address, addresses.REGISTERED_HOST)
    except AddressError as error:
        return refuse(codes.RT_PARAM_INVALID, f"{caller}: {error}")
    start = _registered.pop(address)
    # The device's side is gone already where the device was reset.
    if start in memory.DEVICE.blocks:
        memory.DEVICE.remove(start, addresses.REGISTERED_HOST)
    return codes.SUCCESS


@function("acl.rt.ipc_mem_get_export_key", "kkkK", returns="text ret")
def ipc_mem_get_export_key(address: int, size: int, key_length: int, flags: int) -> tuple[str, int]:
    caller = "acl.rt.ipc_mem_get_export_key"
    if not address or not size or key_length < KEY_LENGTH or flags not in (0, 1):
        return "", refuse(
            codes.INVALID_PARAM, f"{caller}: needs an address, a size, flags 0 or 1, and a key of {KEY_LENGTH} bytes"
        )
    try:
        block, _ = memory.DEVICE.resolve(address, size)
    except AddressError as error:
        return "", refuse(codes.RT_PARAM_INVALID, f"{caller}: {error}")
    return _keys.hand_on(block), codes.SUCCESS


@function("acl.rt.ipc_mem_set_import_pid", "sO")
def ipc_mem_set_import_pid(key: str, processes: Any) -> int:
    caller = "acl.rt.ipc_mem_set_import_pid"
    wanted = check_processes(processes)
    exported = _keys.exported.get(key)
    if exported is None or not wanted:
        return refuse(codes.INVALID_PARAM, f"{caller}: no such key, or no process")
    exported.processes = wanted
    return codes.SUCCESS


@function("acl.rt.ipc_mem_import_by_key", "sK", returns="value ret")
def ipc_mem_import_by_key(key: str, flags: int) -> tuple[int, int]:
    caller = "acl.rt.ipc_mem_import_by_key"
    if machine.current_context() is None:
        return 0, no_context(caller)
    exported = _keys.exported.get(key)
    if exported is None or flags not in (0, 1):
        return 0, refuse(codes.RT_PARAM_INVALID, f"{caller}: {key!r} leads to no memory of this process")
    if key in _imported:
        return 0, refuse(codes.RT_PARAM_INVALID, f"{caller}: {key!r} is imported already")
    original: Block = exported.thing
    start = memory.take_addresses(original.size)
    if start is None:
        return 0, refuse(codes.RT_MEMORY_ALLOCATION, f"{caller}: no {original.size} addresses are left")
    block = Block(original.bytes, addresses.IMPORTED, original.device)
    block.address = start
    _imported[key] = memory.DEVICE.add(block)
    return start, codes.SUCCESS


@function("acl.rt.ipc_mem_close", "s")
def ipc_mem_close(key: str) -> int:
    if _keys.exported.pop(key, None) is None:
        return refuse(codes.INVALID_PARAM, f"acl.rt.ipc_mem_close: there is no key {key!r}")
    start = _imported.pop(key, 0)
    if start in memory.DEVICE.blocks:
        memory.DEVICE.remove(start, addresses.IMPORTED)
    return codes.SUCCESS
