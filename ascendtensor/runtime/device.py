"""Devices: their names, their start, and which one a thread works on."""

from __future__ import annotations

import atexit
import os
import threading
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from functools import cache
from typing import Any

from ops_registry import soc

from .binding import acl, binding, refuse_after_fork
from .errors import check

__all__ = ["Device", "chip", "choose", "count", "current", "device", "name", "runtime_info", "shares_memory", "use"]

ALREADY_INITIALISED = 100002

# The run mode of a chip whose own processors run the program; 1 is that of a card in a host.
_ON_THE_DEVICE = 0

_thread = threading.local()
_start_lock = threading.Lock()
_started = False
# How often each device was taken, by all threads: the device counts too, and is given back as often.
_taken: Counter[int] = Counter()
_at_shutdown = ExitStack()


class Device:
    """An NPU, by its number. Equal numbers are the same object.

    Attributes:
        type: always `"npu"`.
        index: the number, from 0.
    """

    __slots__ = ("index",)

    type = "npu"

    def __init__(self, index: int) -> None:
        self.index = index

    def __repr__(self) -> str:
        return f"device('{self}')"

    def __str__(self) -> str:
        return f"npu:{self.index}"

    def __eq__(self, other: object) -> bool:
        if isinstance(other, str):
            return other == str(self) or (other == "npu" and self.index == 0)
        return isinstance(other, Device) and other.index == self.index

    def __hash__(self) -> int:
        return hash(str(self))

    def __reduce__(self) -> tuple[Any, ...]:
        return _numbered, (self.index,)


@cache
def _numbered(index: int) -> Device:
    return Device(index)


def device(name: Device | str | int | None = None) -> Device:
    """The device of a name.

    Parameters:
        name: `"npu:1"`, `"npu"` (the current one), a number, a Device, or None (the current one).

    Raises:
        TypeError: not a name.
        ValueError: not of that form, or there is no such device.
    """
    if name is None or name == "npu":
        return current()
    if isinstance(name, Device):
        return name
    if isinstance(name, str):
        kind, _, number = name.partition(":")
        if kind != "npu" or not number.isdigit():
            raise ValueError(f"{name!r} is not the name of a device; names are npu, npu:0, npu:1, …")
        index = int(number)
    elif isinstance(name, int) and not isinstance(name, bool):
        index = name
    else:
        raise TypeError(f"a device is given by a name such as 'npu:0' or a number, not by {name!r}")
    if not 0 <= index < count():
        raise ValueError(f"there is no device npu:{index}; there are {count()}")
    return _numbered(index)


def start() -> None:
    """Initialise `acl`, once in the process."""
    global _started
    with _start_lock:
        if _started:
            return
        code = acl().init()
        ours = code != ALREADY_INITIALISED
        if ours:
            check("acl.init", code)
        _started = True
        atexit.register(_shut_down, ours)


def running() -> bool:
    """Whether `acl` may be called: from the first use until the interpreter's end."""
    return _started


def at_shutdown(action: Callable[[], object]) -> None:
    """Have `action` called before `acl` is finalised, whatever happens before; the last one registered first."""
    _at_shutdown.callback(action)


def _shut_down(ours: bool) -> None:
    global _started
    try:
        _at_shutdown.close()
    finally:
        _started = False
        for index, times in _taken.items():
            for _ in range(times):
                acl().rt.reset_device(index)
        if ours:
            acl().finalize()


def _in_forked_child() -> None:
    """Leave the parent's device alone: no use, no handle destroyed, nothing shut down at the child's end."""
    global _started, _start_lock
    if _started:
        _started = False
        # A thread that is not in the child may have held it.
        _start_lock = threading.Lock()
        atexit.unregister(_shut_down)
        refuse_after_fork()


os.register_at_fork(after_in_child=_in_forked_child)


def count() -> int:
    """How many devices there are."""
    number, code = acl().rt.get_device_count()
    check("acl.rt.get_device_count", code)
    return int(number)


def current() -> Device:
    """The device on which this thread makes new tensors: npu:0 until `choose` says otherwise."""
    return _numbered(getattr(_thread, "chosen", 0))


def choose(wanted: Device) -> None:
    """Make new tensors of this thread on a device."""
    use(wanted)
    _thread.chosen = wanted.index


def use(wanted: Device) -> None:
    """Make `acl` work on a device in this thread. Every thread has to, before it calls anything of `acl.rt`."""
    if getattr(_thread, "used", None) != wanted.index:
        start()
        check("acl.rt.set_device", acl().rt.set_device(wanted.index), f"taking {wanted}")
        _thread.used = wanted.index
        with _start_lock:
            _taken[wanted.index] += 1


def name(of: Device) -> str:
    """The name that `acl` gives a device's chip; empty if it has none to give."""
    use(of)
    return acl().get_soc_name() or ""


@cache
def chip() -> str:
    """The operator tables' row for the chip (`ops_registry.soc`)."""
    called = name(current())
    return soc.family(called) if called else soc.DEFAULT


@cache
def shares_memory() -> bool:
    """Whether the program runs on the device itself, which then has one memory: its addresses are the host's too."""
    use(current())
    mode, code = acl().rt.get_run_mode()
    check("acl.rt.get_run_mode", code)
    return bool(mode == _ON_THE_DEVICE)


def runtime_info() -> dict[str, Any]:
    """What the library runs on: which `acl` and why, chip, number of devices, version of the ACL interface."""
    chosen = binding()
    use(current())
    *version, code = acl().get_version()
    check("acl.get_version", code)
    return {
        "runtime": chosen.kind,
        "reason": chosen.reason,
        "soc": acl().get_soc_name(),
        "chip": chip(),
        "devices": count(),
        "acl_version": ".".join(map(str, version)),
    }
