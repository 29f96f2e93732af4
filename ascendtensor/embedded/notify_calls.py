"""`acl.rt`: notifies, flags that one stream raises and another waits for and lowers; and waits for values in memory."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from . import codes, machine, memory, streams
from .device_calls import no_context
from .handles import Handles
from .messages import refuse
from .shared_memory import KEY_LENGTH, Keys, check_processes
from .stream_calls import stream_for
from .streams import TaskError
from .surface import function, handle_list

__all__ = ["NOTIFIES", "reset"]

_MOST = 8192
_UINT32 = range(2**32)


class Notify:
    """A flag of a device."""

    __slots__ = ("handle", "raised")

    def __init__(self) -> None:
        self.raised = False
        self.handle = NOTIFIES.add(self)


NOTIFIES: Handles[Notify] = Handles("notify")
_keys = Keys("notify")


def reset() -> None:
    """Forget every key."""
    _keys.exported.clear()


def _notify(handle: int, caller: str) -> Notify | int:
    notify = NOTIFIES.get(handle)
    if notify is not None:
        return notify
    return refuse(codes.INVALID_PARAM, f"{caller}: the notify is NULL, or destroyed already")


@function("acl.rt.create_notify", "K", returns="value ret")
def create_notify(flags: int) -> tuple[int, int]:
    caller = "acl.rt.create_notify"
    if machine.current_context() is None:
        return 0, no_context(caller)
    if flags not in (0, 1):
        return 0, refuse(codes.INVALID_PARAM, f"{caller}: flags {flags:#x}; use 0 or 1")
    return Notify().handle, codes.SUCCESS


@function("acl.rt.destroy_notify", "k")
def destroy_notify(handle: int) -> int:
    notify = _notify(handle, "acl.rt.destroy_notify")
    if isinstance(notify, int):
        return notify
    NOTIFIES.pop(handle)
    return codes.SUCCESS


@function("acl.rt.record_notify", "kk")
def record_notify(handle: int, stream_handle: int) -> int:
    notify = _notify(handle, "acl.rt.record_notify")
    if isinstance(notify, int):
        return notify
    stream = stream_for(stream_handle, "acl.rt.record_notify")
    if isinstance(stream, int):
        return stream
    stream.put(_raise, notify)
    return codes.SUCCESS


def _raise(notify: Notify) -> None:
    """A stream has come to where a notify is recorded: a task."""
    notify.raised = True
    streams.DEVICE_TURN.notify_all()


@function("acl.rt.wait_and_reset_notify", "kkL")
def wait_and_reset_notify(handle: int, stream_handle: int, milliseconds: int) -> int:
    caller = "acl.rt.wait_and_reset_notify"
    if milliseconds not in _UINT32:
        raise TypeError(f"{caller} args parse failed")
    notify = _notify(handle, caller)
    if isinstance(notify, int):
        return notify
    stream = stream_for(stream_handle, caller)
    if isinstance(stream, int):
        return stream
    stream.put(_wait_and_lower, notify, milliseconds)
    return codes.SUCCESS


def _wait_and_lower(notify: Notify, milliseconds: int) -> None:
    """A stream waits for a notify: a task. 0 ms stand for no limit."""
    _wait_until(lambda: notify.raised, milliseconds or None, "a notify that nobody records")
    notify.raised = False


def _wait_until(reached: Callable[[], bool], milliseconds: int | None, what: str) -> None:
    """Let other streams and threads get on until a condition holds."""
    deadline = None if milliseconds is None else time.monotonic() + milliseconds / 1000
    while not reached():
        if streams.run_others():
            continue
        left = None if deadline is None else deadline - time.monotonic()
        if streams.alone() if left is None else left <= 0:
            raise TaskError(codes.RT_WAIT_TIMEOUT, f"a stream waits for {what}")
        streams.DEVICE_TURN.wait(streams.LAST_WAIT if left is None else left)
    # Threads that found the waiting stream held up meanwhile look again.
    streams.DEVICE_TURN.notify_all()


@function("acl.rt.get_notify_id", "k", returns="value ret")
def get_notify_id(handle: int) -> tuple[int, int]:
    notify = _notify(handle, "acl.rt.get_notify_id")
    return (0, notify) if isinstance(notify, int) else (handle >> 4 & (_MOST - 1), codes.SUCCESS)


@function("acl.rt.notify_batch_reset", "O")
def notify_batch_reset(handles: Any) -> int:
    caller = "acl.rt.notify_batch_reset"
    found = [_notify(handle, caller) for handle in handle_list(handles, 1)]
    if not found:
        return refuse(codes.INVALID_PARAM, f"{caller}: the list is empty")
    for notify in found:
        if isinstance(notify, int):
            return notify
    for notify in found:
        assert isinstance(notify, Notify)
        notify.raised = False
    return codes.SUCCESS


@function("acl.rt.notify_get_export_key", "kkK", returns="text ret")
def notify_get_export_key(handle: int, key_length: int, flags: int) -> tuple[str, int]:
    caller = "acl.rt.notify_get_export_key"
    notify = _notify(handle, caller)
    if isinstance(notify, int):
        return "", notify
    if key_length < KEY_LENGTH or flags not in (0, 1):
        return "", refuse(codes.INVALID_PARAM, f"{caller}: needs a key of {KEY_LENGTH} bytes, and flags 0 or 1")
    return _keys.hand_on(notify), codes.SUCCESS


@function("acl.rt.notify_set_import_pid", "kO")
def notify_set_import_pid(handle: int, processes: Any) -> int:
    caller = "acl.rt.notify_set_import_pid"
    wanted = check_processes(processes)
    notify = _notify(handle, caller)
    if isinstance(notify, int):
        return notify
    return codes.SUCCESS if wanted else refuse(codes.INVALID_PARAM, f"{caller}: no process")


@function("acl.rt.notify_import_by_key", "sK", returns="value ret")
def notify_import_by_key(key: str, flags: int) -> tuple[int, int]:
    caller = "acl.rt.notify_import_by_key"
    exported = _keys.exported.get(key)
    if exported is None or flags not in (0, 1):
        return 0, refuse(codes.RT_PARAM_INVALID, f"{caller}: {key!r} leads to no notify of this process")
    return NOTIFIES.add(exported.thing), codes.SUCCESS


# Values in device memory that streams write and wait for. All of them are 64 bits wide.

_VALUE_BYTES = 8
_CONDITIONS: dict[int, Callable[[int, int], bool]] = {
    0: lambda there, value: there >= value,
    1: lambda there, value: there == value,
    2: lambda there, value: bool(there & value),
    3: lambda there, value: (there | value) != 2**64 - 1,
}


@function("acl.rt.value_write", "kkIk")
def value_write(address: int, value: int, flags: int, stream_handle: int) -> int:
    caller = "acl.rt.value_write"
    if flags:
        return refuse(codes.INVALID_PARAM, f"{caller}: the flags must be 0")
    return _queue_value(caller, address, stream_handle, _write_value, value)


@function("acl.rt.value_wait", "kkIk")
def value_wait(address: int, value: int, flags: int, stream_handle: int) -> int:
    caller = "acl.rt.value_wait"
    if flags not in _CONDITIONS:
        return refuse(codes.INVALID_PARAM, f"{caller}: there is no condition {flags}; use 0 to 3")
    return _queue_value(caller, address, stream_handle, _wait_for_value, value, flags)


def _queue_value(caller: str, address: int, handle: int, work: Callable[..., None], *args: int) -> int:
    if not address:
        return refuse(codes.INVALID_PARAM, f"{caller}: the address is NULL")
    stream = stream_for(handle, caller)
    if isinstance(stream, int):
        return stream
    if address % _VALUE_BYTES:
        return refuse(codes.RT_PARAM_INVALID, f"{caller}: {address:#x} is not a multiple of {_VALUE_BYTES}")
    stream.put(work, address, *args)
    return codes.SUCCESS


def _write_value(address: int, value: int) -> None:
    memory.write_bytes(address, value.to_bytes(_VALUE_BYTES, "little"))
    streams.DEVICE_TURN.notify_all()


def _wait_for_value(address: int, value: int, flags: int) -> None:
    holds = _CONDITIONS[flags]
    _wait_until(
        lambda: holds(int.from_bytes(memory.device_bytes(address, _VALUE_BYTES), "little"), value),
        None,
        f"a value at {address:#x} that nobody writes",
    )
