"""`acl.rt`: the cores of a chip, limits of how many are used, and groups of them."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import NamedTuple

from . import codes, machine
from .device_calls import device_at, no_context
from .handles import Handles
from .messages import refuse
from .stream_calls import stream_for
from .surface import function

__all__ = ["Chip", "chip", "reset"]


class Chip(NamedTuple):
    """What a usual chip of a family has."""

    cube_cores: int
    vector_cores: int
    l2_bytes: int
    cpus: int


CHIPS = {
    "910b": Chip(24, 48, 192 * 2**20, 6),
    "910_93": Chip(24, 48, 192 * 2**20, 6),
    "910": Chip(32, 32, 32 * 2**20, 14),
    "310p": Chip(8, 7, 16 * 2**20, 7),
    "310b": Chip(1, 1, 4 * 2**20, 3),
}


def chip() -> Chip:
    """The chip of this machine."""
    return CHIPS[machine.chip]


# Limits of how many cores are used. They are kept, and change nothing.

_CORES = {0: "cube_cores", 1: "vector_cores"}
# By device number, or by a stream's handle: the limits that were set.
_limits: dict[int, dict[int, int]] = {}


class _PerThread(threading.local):
    stream = 0


_thread = _PerThread()


def reset() -> None:
    """Forget every limit."""
    _limits.clear()


def _limit(caller: str, key: int, kind: int, otherwise: int = -1) -> tuple[int, int]:
    if kind not in _CORES:
        return 0, refuse(codes.INVALID_PARAM, f"{caller}: there is no kind of core {kind}")
    standing = _limits.get(otherwise, {}).get(kind, getattr(chip(), _CORES[kind]))
    return _limits.get(key, {}).get(kind, standing), codes.SUCCESS


def _set_limit(caller: str, key: int, kind: int, value: int) -> int:
    if kind not in _CORES:
        return refuse(codes.INVALID_PARAM, f"{caller}: there is no kind of core {kind}")
    if not 0 < value <= getattr(chip(), _CORES[kind]):
        return refuse(codes.RT_PARAM_INVALID, f"{caller}: {value} cores of {getattr(chip(), _CORES[kind])}")
    _limits.setdefault(key, {})[kind] = value
    return codes.SUCCESS


@function("acl.rt.get_device_res_limit", "iI", returns="value ret")
def get_device_res_limit(index: int, kind: int) -> tuple[int, int]:
    caller = "acl.rt.get_device_res_limit"
    device = device_at(index, caller)
    return (0, device) if isinstance(device, int) else _limit(caller, index, kind)


@function("acl.rt.set_device_res_limit", "iII")
def set_device_res_limit(index: int, kind: int, value: int) -> int:
    caller = "acl.rt.set_device_res_limit"
    device = device_at(index, caller)
    return device if isinstance(device, int) else _set_limit(caller, index, kind, value)


@function("acl.rt.reset_device_res_limit", "i")
def reset_device_res_limit(index: int) -> int:
    device = device_at(index, "acl.rt.reset_device_res_limit")
    if isinstance(device, int):
        return device
    _limits.pop(index, None)
    return codes.SUCCESS


@function("acl.rt.get_stream_res_limit", "ki", returns="value ret")
def get_stream_res_limit(handle: int, kind: int) -> tuple[int, int]:
    caller = "acl.rt.get_stream_res_limit"
    stream = stream_for(handle, caller)
    if isinstance(stream, int):
        return 0, stream
    return _limit(caller, stream.handle, kind, stream.context.device.index)


@function("acl.rt.set_stream_res_limit", "kiI")
def set_stream_res_limit(handle: int, kind: int, value: int) -> int:
    caller = "acl.rt.set_stream_res_limit"
    stream = stream_for(handle, caller)
    return stream if isinstance(stream, int) else _set_limit(caller, stream.handle, kind, value)


@function("acl.rt.reset_stream_res_limit", "k")
def reset_stream_res_limit(handle: int) -> int:
    stream = stream_for(handle, "acl.rt.reset_stream_res_limit")
    if isinstance(stream, int):
        return stream
    _limits.pop(stream.handle, None)
    return codes.SUCCESS


@function("acl.rt.use_stream_res_in_current_thread", "k")
def use_stream_res_in_current_thread(handle: int) -> int:
    stream = stream_for(handle, "acl.rt.use_stream_res_in_current_thread")
    if isinstance(stream, int):
        return stream
    _thread.stream = stream.handle
    return codes.SUCCESS


@function("acl.rt.unuse_stream_res_in_current_thread", "k")
def unuse_stream_res_in_current_thread(handle: int) -> int:
    stream = stream_for(handle, "acl.rt.unuse_stream_res_in_current_thread")
    if isinstance(stream, int):
        return stream
    _thread.stream = 0
    return codes.SUCCESS


@function("acl.rt.get_res_in_current_thread", "i", returns="value ret")
def get_res_in_current_thread(kind: int) -> tuple[int, int]:
    caller = "acl.rt.get_res_in_current_thread"
    context = machine.current_context()
    if context is None:
        return 0, no_context(caller)
    return _limit(caller, _thread.stream, kind, context.device.index)


# Groups of cores: every device is one group.

_GROUP_ATTRIBUTES: dict[int, Callable[[Chip], int]] = {
    0: lambda chip: chip.cube_cores,
    1: lambda chip: chip.vector_cores,
    2: lambda chip: chip.cube_cores,
    3: lambda chip: 0,
    4: lambda chip: 0,
    5: lambda chip: 0,
}


class GroupInfo:
    """What is asked about groups is answered from the chip; this only stands for having asked."""


GROUPS: Handles[GroupInfo] = Handles("group information")


@function("acl.rt.set_group", "I")
def set_group(group: int) -> int:
    if machine.current_context() is None:
        return no_context("acl.rt.set_group")
    if group:
        return refuse(codes.RT_GROUP_NOT_CREATE, f"acl.rt.set_group: there is no group {group}, only 0")
    return codes.SUCCESS


@function("acl.rt.get_group_count", "I", returns="value ret")
def get_group_count(ignored: int) -> tuple[int, int]:
    return 1, codes.SUCCESS


@function("acl.rt.create_group_info", returns="handle")
def create_group_info() -> int:
    return GROUPS.add(GroupInfo())


def _group_info(handle: int, caller: str) -> int:
    if GROUPS.get(handle) is None:
        return refuse(codes.INVALID_PARAM, f"{caller}: the group information is NULL, or destroyed already")
    return codes.SUCCESS


@function("acl.rt.destroy_group_info", "k")
def destroy_group_info(handle: int) -> int:
    code = _group_info(handle, "acl.rt.destroy_group_info")
    GROUPS.pop(handle)
    return code


@function("acl.rt.get_all_group_info", "k")
def get_all_group_info(handle: int) -> int:
    return _group_info(handle, "acl.rt.get_all_group_info")


@function("acl.rt.get_group_info_detail", "kii", returns="list ret")
def get_group_info_detail(handle: int, group: int, attribute: int) -> tuple[list[int], int]:
    caller = "acl.rt.get_group_info_detail"
    if attribute not in _GROUP_ATTRIBUTES:
        raise RuntimeError(f"{caller}: there is no attribute {attribute}")
    code = _group_info(handle, caller)
    if code:
        return [], code
    if group:
        return [], refuse(codes.INVALID_PARAM, f"{caller}: there is no group {group}, only 0")
    return [_GROUP_ATTRIBUTES[attribute](chip())], codes.SUCCESS
