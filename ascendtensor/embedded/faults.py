"""Making the embedded runtime hard on its caller: tools for tests.

Each is a context manager; its effect ends with the `with` block.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from . import machine, memory, op_running, streams, surface

__all__ = ["Calls", "fail_call", "fail_op", "fill_new_memory", "limit_memory", "record_calls", "stall"]


class Calls:
    """The calls of `acl` functions while a tool was watching.

    Attributes:
        names: the full names, in order.
        failed: the name of the call that was made to fail, None if it did not come to that.
    """

    def __init__(self) -> None:
        self.names: list[str] = []
        self.failed: str | None = None


Verdict = Callable[[Calls, str], int]


@contextmanager
def record_calls() -> Iterator[Calls]:
    """Write down every call of an `acl` function."""
    with _observer(Calls(), lambda calls, name: 0) as calls:
        yield calls


@contextmanager
def fail_call(code: int, function: str | None = None, n: int = 1) -> Iterator[Calls]:
    """Make one call fail with `code`, without doing anything.

    Functions that only return a handle return NULL. Functions that cannot report a failure are not
    counted and never fail.

    Parameters:
        function: the full name, for instance `"acl.rt.malloc"`; None stands for any function.
        n: which of its calls fails, counted from 1.

    Raises:
        ValueError: there is no such function, or it cannot fail.
    """
    if function is not None and surface.failure(function) is None:
        raise ValueError(f"{function!r} is not a function of the embedded acl that can report a failure")
    left = n

    def verdict(calls: Calls, name: str) -> int:
        nonlocal left
        if function not in (None, name) or surface.failure(name) is None:
            return 0
        left -= 1
        if left:
            return 0
        calls.failed = name
        return code

    with _observer(Calls(), verdict) as calls:
        yield calls


@contextmanager
def fail_op(code: int, op_type: str | None = None, n: int = 1) -> Iterator[None]:
    """Make the n-th op that runs fail on the device: the failure shows when somebody waits for it.

    Parameters:
        code: what synchronisation reports, for instance 507015.
        op_type: count this op type only; None stands for any.
    """
    left = n

    def refuse_op(running: str) -> int:
        nonlocal left
        if op_type not in (None, running):
            return 0
        left -= 1
        return 0 if left else code

    previous, op_running.refuse_op = op_running.refuse_op, refuse_op
    try:
        yield
    finally:
        op_running.refuse_op = previous


@contextmanager
def limit_memory(total: int, device: int = 0) -> Iterator[None]:
    """Give a device `total` bytes of memory, as `get_mem_info` will say; what is allocated stays allocated."""
    room = machine.devices[device].memory
    previous, room.limit = room.limit, total
    try:
        yield
    finally:
        room.limit = previous


@contextmanager
def fill_new_memory(byte: int = 0xA5) -> Iterator[None]:
    """Fill new device memory with a byte, so that reading what nobody wrote gives a telling value."""
    previous, memory.dirt = memory.dirt, byte
    try:
        yield
    finally:
        memory.dirt = previous


@contextmanager
def stall() -> Iterator[None]:
    """Stop the devices: nothing queued runs. Timed waits run out; others wait until the block ends.

    Waiting without a limit in the thread that holds the block never ends.
    """
    _set_stalled(True)
    try:
        yield
    finally:
        _set_stalled(False)


def _set_stalled(value: bool) -> None:
    with streams.DEVICE_TURN:
        streams.stalled = value
        streams.DEVICE_TURN.notify_all()


@contextmanager
def _observer(calls: Calls, verdict: Verdict) -> Iterator[Calls]:
    lock = threading.Lock()

    def observe(name: str) -> int:
        with lock:
            calls.names.append(name)
            outer = previous(name) if previous is not None else 0
            return outer or verdict(calls, name)

    previous = surface.observe(observe)
    try:
        yield calls
    finally:
        surface.observe(previous)
