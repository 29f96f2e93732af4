"""`acl` and `acl.rt`: what a device is, has and can do."""

from __future__ import annotations

import hashlib
import os
from typing import Any

from . import codes, machine
from .core_calls import chip
from .device_calls import device_at, no_context
from .machine import Device
from .messages import refuse
from .streams import EVENTS, STREAMS
from .surface import function

__all__: list[str] = []


# Facts by number.

# Of `aclDeviceInfo`.
_CORE_FACTS = {0: "cube_cores", 1: "vector_cores", 2: "l2_bytes"}
# Of `aclrtDevAttr`, those that the embedded machine knows.
_ATTRIBUTES = {1: "cpus", 101: "cube_cores", 102: "cube_cores", 201: "vector_cores", 302: "l2_bytes"}
_TOTAL_MEMORY, _PHYSICAL_CHIP, _IS_VIRTUAL = 301, 402, 501
# Of `aclrtDevFeatureType`: the embedded machine has neither.
_FEATURES = (1, 21)


@function("acl.get_device_capability", "Ii", returns="value ret")
def get_device_capability(index: int, fact: int) -> tuple[int, int]:
    caller = "acl.get_device_capability"
    device = device_at(index, caller)
    if isinstance(device, int):
        return 0, device
    if fact not in _CORE_FACTS:
        return 0, refuse(codes.INVALID_PARAM, f"{caller}: there is no fact {fact}; use 0 to 2")
    return getattr(chip(), _CORE_FACTS[fact]), codes.SUCCESS


@function("acl.rt.get_device_info", "II", returns="value ret")
def get_device_info(index: int, attribute: int) -> tuple[int, int]:
    caller = "acl.rt.get_device_info"
    device = device_at(index, caller)
    if isinstance(device, int):
        return 0, device
    facts = {number: getattr(chip(), name) for number, name in _ATTRIBUTES.items()}
    facts |= {_TOTAL_MEMORY: device.memory.limit, _PHYSICAL_CHIP: device.index, _IS_VIRTUAL: 0}
    if attribute not in facts:
        return 0, refuse(codes.INVALID_PARAM, f"{caller}: attribute {attribute} is not known here")
    # pyACL cuts the number like this.
    return facts[attribute] & 0xFFFFFFFF, codes.SUCCESS


@function("acl.rt.get_device_capability", "iI", returns="value ret")
def get_feature(index: int, feature: int) -> tuple[int, int]:
    caller = "acl.rt.get_device_capability"
    device = device_at(index, caller)
    if isinstance(device, int):
        return 0, device
    if feature not in _FEATURES:
        return 0, refuse(codes.INVALID_PARAM, f"{caller}: there is no feature {feature}")
    return 0, codes.SUCCESS


@function("acl.rt.device_get_uuid", "i", returns="dict ret")
def device_get_uuid(index: int) -> tuple[dict[str, list[int]], int]:
    device = device_at(index, "acl.rt.device_get_uuid")
    if isinstance(device, int):
        return {}, device
    digest = hashlib.sha256(f"{machine.soc_name}/{index}".encode()).digest()
    return {"bytes": list(digest[:16])}, codes.SUCCESS


@function("acl.rt.get_device_utilization_rate", "i", returns="dict ret")
def get_device_utilization_rate(index: int) -> tuple[dict[str, int], int]:
    device = device_at(index, "acl.rt.get_device_utilization_rate")
    if isinstance(device, int):
        return {}, device
    memory = 100 * device.memory.used // device.memory.limit
    # Work happens when somebody waits for it: whoever asks finds the cores idle.
    idle = dict.fromkeys(("cube_utilization", "vector_utilization", "aicpu_utilization"), 0)
    return {**idle, "memory_utilization": memory}, codes.SUCCESS


@function("acl.rt.get_devices_topo", "II", returns="value ret")
def get_devices_topo(index: int, other: int) -> tuple[int, int]:
    caller = "acl.rt.get_devices_topo"
    for number in (index, other):
        device = device_at(number, caller)
        if isinstance(device, int):
            return 0, device
    return 0, refuse(codes.RT_FEATURE_NOT_SUPPORT, f"{caller}: embedded devices have no links to tell of")


@function("acl.rt.device_get_bare_tgid", returns="value ret")
def device_get_bare_tgid() -> tuple[int, int]:
    return os.getpid(), codes.SUCCESS


@function("acl.rt.device_get_stream_priority_range", returns="value value ret")
def device_get_stream_priority_range() -> tuple[int, int, int]:
    if machine.current_context() is None:
        return 0, 0, no_context("acl.rt.device_get_stream_priority_range")
    return 7, 0, codes.SUCCESS


def _declare_numberings() -> None:
    """The numbers that users, drivers and boards give to devices are all the same here."""
    for short in (
        "get_logic_dev_id_by_user_dev_id",
        "get_user_dev_id_by_logic_dev_id",
        "get_logic_dev_id_by_phy_dev_id",
        "get_phy_dev_id_by_logic_dev_id",
    ):
        name = f"acl.rt.{short}"

        def same(index: int, *, name: str = name) -> tuple[int, int]:
            device = device_at(index, name)
            return (0, device) if isinstance(device, int) else (index, codes.SUCCESS)

        function(name, "i", returns="value ret")(same)


_declare_numberings()


# What is left of things that a device has only so many of.

_MOST_EVENTS, _MOST_STREAMS = 65536, 1984


@function("acl.rt.get_event_avail_num", returns="value ret")
def get_event_avail_num() -> tuple[int, int]:
    if machine.current_context() is None:
        return 0, no_context("acl.rt.get_event_avail_num")
    counted = sum(not event.extended for event in list(EVENTS.objects.values()))
    return max(0, _MOST_EVENTS - counted), codes.SUCCESS


@function("acl.rt.get_stream_available_num", returns="value ret")
def get_stream_available_num() -> tuple[int, int]:
    context = machine.current_context()
    if context is None:
        return 0, no_context("acl.rt.get_stream_available_num")
    taken = sum(stream.context.device is context.device for stream in list(STREAMS.objects.values()))
    return max(0, _MOST_STREAMS - taken), codes.SUCCESS


# Modes and faults of the hardware.

_SATURATE, _INFINITIES = 0, 1


@function("acl.rt.set_device_sat_mode", "i")
def set_device_sat_mode(mode: int) -> int:
    caller = "acl.rt.set_device_sat_mode"
    device = _current(caller)
    if isinstance(device, int):
        return device
    if mode not in (_SATURATE, _INFINITIES):
        return refuse(codes.INVALID_PARAM, f"{caller}: there is no mode {mode}; use 0 or 1")
    if mode == _SATURATE:
        return refuse(codes.RT_FEATURE_NOT_SUPPORT, f"{caller}: embedded kernels compute with infinities and NaNs only")
    return codes.SUCCESS


@function("acl.rt.get_device_sat_mode", returns="value ret")
def get_device_sat_mode() -> tuple[int, int]:
    device = _current("acl.rt.get_device_sat_mode")
    return (0, device) if isinstance(device, int) else (_INFINITIES, codes.SUCCESS)


def _current(caller: str) -> Device | int:
    context = machine.current_context()
    return no_context(caller) if context is None else context.device


@function("acl.rt.get_mem_uce_info", "iI", returns="list ret")
def get_mem_uce_info(index: int, most: int) -> tuple[list[dict[str, int]], int]:
    caller = "acl.rt.get_mem_uce_info"
    device = device_at(index, caller)
    if isinstance(device, int):
        return [], device
    return ([], codes.SUCCESS) if most else ([], refuse(codes.INVALID_PARAM, f"{caller}: room for no entry"))


@function("acl.rt.mem_uce_repair", "iO")
def mem_uce_repair(index: int, faults: Any) -> int:
    caller = "acl.rt.mem_uce_repair"
    if not isinstance(faults, list):
        raise TypeError("argument 2 is not list")
    device = device_at(index, caller)
    if isinstance(device, int):
        return device
    return refuse(codes.INVALID_PARAM, f"{caller}: the memory of an embedded device has no faults to repair")
