"""`acl.rt`: attributes of streams, ending their work early, time limits of operators, and numbers for people."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import codes, machine, memory, streams
from .device_calls import device_at, no_context
from .handles import Handles
from .messages import refuse
from .stream_calls import event_for, set_stream_failure_mode, set_stream_overflow_switch, stream_for
from .streams import STREAMS, Stream
from .surface import function

__all__ = ["reset"]


# Attributes by number: the key of their value, and how they are read and set.
_FAILURE_MODE, _OVERFLOW, _TAG = 1, 2, 3
_KEYS = {_FAILURE_MODE: "failureMode", _OVERFLOW: "overflowSwitch", _TAG: "userCustomTag"}
_READ: dict[int, Callable[[Stream], int]] = {
    _FAILURE_MODE: lambda stream: int(stream.stop_on_failure),
    _OVERFLOW: lambda stream: stream.overflow_check,
    _TAG: lambda stream: _tags.get(stream.handle, 0),
}
_tags: dict[int, int] = {}


def _set_tag(handle: int, value: int) -> int:
    _tags[handle] = value
    return codes.SUCCESS


_SET: dict[int, Callable[[int, int], int]] = {
    _FAILURE_MODE: set_stream_failure_mode,
    _OVERFLOW: set_stream_overflow_switch,
    _TAG: _set_tag,
}


@function("acl.rt.set_stream_attribute", "kiO")
def set_stream_attribute(handle: int, attribute: int, value: Any) -> int:
    caller = "acl.rt.set_stream_attribute"
    if not isinstance(value, dict):
        raise TypeError(f"{caller} args parse failed")
    if attribute not in _KEYS:
        return refuse(codes.INVALID_PARAM, f"{caller}: there is no attribute {attribute}; use 1 to 3")
    stream = stream_for(handle, caller)
    if isinstance(stream, int):
        return stream
    number = value.get(_KEYS[attribute])
    # What is missing or of another type counts as 0, as in pyACL.
    return _SET[attribute](stream.handle, number & 0xFFFFFFFF if isinstance(number, int) else 0)


@function("acl.rt.get_stream_attribute", "ki", returns="dict ret")
def get_stream_attribute(handle: int, attribute: int) -> tuple[dict[str, int], int]:
    caller = "acl.rt.get_stream_attribute"
    if attribute not in _KEYS:
        return {}, refuse(codes.INVALID_PARAM, f"{caller}: there is no attribute {attribute}; use 1 to 3")
    stream = stream_for(handle, caller)
    if isinstance(stream, int):
        return {}, stream
    return {_KEYS[attribute]: _READ[attribute](stream)}, codes.SUCCESS


# Ending work early.


@function("acl.rt.stream_abort", "k")
def stream_abort(handle: int) -> int:
    stream = stream_for(handle, "acl.rt.stream_abort")
    if isinstance(stream, int):
        return stream
    streams.drop_tasks(stream)
    return codes.SUCCESS


@function("acl.rt.device_task_abort", "iI")
def device_task_abort(index: int, milliseconds: int) -> int:
    device = device_at(index, "acl.rt.device_task_abort")
    if isinstance(device, int):
        return device
    for stream in list(STREAMS.objects.values()):
        if stream.context.device is device:
            streams.drop_tasks(stream)
    return codes.SUCCESS


# Time limits of operators. Kernels here come to an end, so they are kept and change nothing.

_INTERVAL_US = 1000
_DEFAULT_US = 1_800_000_000


class _Limits:
    execute_us = _DEFAULT_US


def reset() -> None:
    """Forget tags, limits and allocators."""
    _tags.clear()
    _allocators.clear()
    _Limits.execute_us = _DEFAULT_US


@function("acl.rt.set_op_wait_timeout", "I")
def set_op_wait_timeout(seconds: int) -> int:
    return codes.SUCCESS


@function("acl.rt.set_op_execute_time_out", "I")
def set_op_execute_time_out(seconds: int) -> int:
    _Limits.execute_us = seconds * 1_000_000 or _DEFAULT_US
    return codes.SUCCESS


@function("acl.rt.set_op_execute_timeout_v2", "K", returns="value ret")
def set_op_execute_timeout_v2(microseconds: int) -> tuple[int, int]:
    whole = -(-microseconds // _INTERVAL_US) * _INTERVAL_US or _DEFAULT_US
    _Limits.execute_us = whole
    return whole, codes.SUCCESS


@function("acl.rt.get_op_timeout_interval", returns="value ret")
def get_op_timeout_interval() -> tuple[int, int]:
    return _INTERVAL_US, codes.SUCCESS


@function("acl.rt.get_op_execute_timeout", returns="value ret")
def get_op_execute_timeout() -> tuple[int, int]:
    return _Limits.execute_us // 1000, codes.SUCCESS


# Numbers for people.


@function("acl.rt.get_event_id", "k", returns="value ret", own_errors=False)
def get_event_id(handle: int) -> tuple[int, int]:
    event = event_for(handle, "acl.rt.get_event_id")
    return (0, event) if isinstance(event, int) else (handle >> 4 & 0xFFFF, codes.SUCCESS)


@function("acl.rt.get_thread_last_task_id", returns="value ret")
def get_thread_last_task_id() -> tuple[int, int]:
    if machine.current_context() is None:
        return 0, no_context("acl.rt.get_thread_last_task_id")
    # The number of a task is settled when it runs.
    return streams.tasks_run & 0xFFFFFFFF, codes.SUCCESS


# Overflows. Kernels here give infinities where a device might saturate, so none is ever found.


@function("acl.rt.get_overflow_status", "kkk")
def get_overflow_status(address: int, size: int, handle: int) -> int:
    caller = "acl.rt.get_overflow_status"
    if not address or not size:
        return refuse(codes.INVALID_PARAM, f"{caller}: the address is NULL or the size 0")
    stream = stream_for(handle, caller)
    if isinstance(stream, int):
        return stream
    stream.put(memory.fill, address, 0, size)
    return codes.SUCCESS


@function("acl.rt.reset_overflow_status", "k")
def reset_overflow_status(handle: int) -> int:
    stream = stream_for(handle, "acl.rt.reset_overflow_status")
    return stream if isinstance(stream, int) else codes.SUCCESS


# Allocators for scratch memory, which embedded kernels do not need. pyACL drops what a hook written in Python
# returns, so programs cannot do more than register them.


class AllocatorDescription:
    """The hooks of an allocator, by the function that set them."""

    def __init__(self) -> None:
        self.hooks: dict[str, Any] = {}


ALLOCATORS: Handles[AllocatorDescription] = Handles("allocator description")
_allocators: dict[int, AllocatorDescription] = {}


@function("acl.rt.allocator_create_desc", returns="handle")
def allocator_create_desc() -> int:
    return ALLOCATORS.add(AllocatorDescription())


def _dead_description(caller: str) -> int:
    return refuse(codes.INVALID_PARAM, f"{caller}: the description is NULL, or destroyed already")


@function("acl.rt.allocator_destroy_desc", "k")
def allocator_destroy_desc(handle: int) -> int:
    caller = "acl.rt.allocator_destroy_desc"
    return _dead_description(caller) if ALLOCATORS.pop(handle) is None else codes.SUCCESS


def _declare_hooks() -> None:
    for hook, arg_format in {
        "obj": "kk",
        "alloc_func": "kO",
        "free_func": "kO",
        "alloc_advise_func": "kO",
        "get_addr_from_block_func": "kO",
    }.items():
        name = f"acl.rt.allocator_set_{hook}_to_desc"

        def body(handle: int, value: Any, *, name: str = name, hook: str = hook) -> int:
            if hook != "obj" and not callable(value):
                raise TypeError(f"{name}: the second argument must be callable")
            description = ALLOCATORS.get(handle)
            if description is None:
                return _dead_description(name)
            description.hooks[hook] = value
            return codes.SUCCESS

        function(name, arg_format)(body)


_declare_hooks()
_NEEDED_HOOKS = {"obj", "alloc_func", "free_func", "get_addr_from_block_func"}


@function("acl.rt.allocator_register", "kk")
def allocator_register(handle: int, description_handle: int) -> int:
    caller = "acl.rt.allocator_register"
    description = ALLOCATORS.get(description_handle)
    if description is None:
        return _dead_description(caller)
    missing = _NEEDED_HOOKS - description.hooks.keys()
    if missing:
        return refuse(codes.INVALID_PARAM, f"{caller}: the description lacks {', '.join(sorted(missing))}")
    stream = stream_for(handle, caller)
    if isinstance(stream, int):
        return stream
    _allocators[stream.handle] = description
    return codes.SUCCESS


@function("acl.rt.allocator_unregister", "k")
def allocator_unregister(handle: int) -> int:
    stream = stream_for(handle, "acl.rt.allocator_unregister")
    if isinstance(stream, int):
        return stream
    _allocators.pop(stream.handle, None)
    return codes.SUCCESS
