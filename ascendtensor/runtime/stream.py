"""Streams and events: in what order work happens, and how to wait for it.

A stream is used by one thread at a time. The library gives every thread a stream of its own, and never
uses the default stream; work that crosses from one thread's stream to another's is ordered by events.
Other threads touch a stream only to record an event on it, in a call that holds the GIL throughout.
"""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from ops_registry.prototype import PROTOTYPES

from . import device as devices
from .binding import acl
from .device import Device
from .errors import AICPU_EXCEPTION, AclError, LinAlgError, check

__all__ = ["Event", "Stream", "current_stream", "synchronize", "using"]

# How many launches a stream remembers for naming the one that failed.
_REMEMBERED = 4096

# The codes of failures that happened on the device, after the call that queued them.
_ASYNCHRONOUS = range(507000, 508000)

LAUNCH_BLOCKING = os.environ.get("ASCENDTENSOR_LAUNCH_BLOCKING", "0") not in ("", "0")

_thread = threading.local()
_idle: dict[Device, deque[Stream]] = {}
_all: list[Stream] = []


class Event:
    """A point in a stream's work."""

    __slots__ = ("handle",)

    def __init__(self) -> None:
        self.handle, code = acl().rt.create_event()
        check("acl.rt.create_event", code, "an event to order two streams by")

    def record(self, stream: Stream) -> None:
        """Let the event happen when all that is queued on `stream` now is done."""
        check("acl.rt.record_event", acl().rt.record_event(self.handle, stream.handle))

    def synchronize(self) -> None:
        """Wait until the event has happened."""
        check("acl.rt.synchronize_event", acl().rt.synchronize_event(self.handle))

    def __del__(self) -> None:
        if self.handle and devices.running():
            acl().rt.destroy_event(self.handle)


class Stream:
    """A queue of work on a device.

    Attributes:
        device: where it works.
        handle: pyACL's number for it.
        launches: what was queued since the last synchronisation: launch records, oldest first.
    """

    __slots__ = ("__weakref__", "device", "handle", "launches")

    def __init__(self, on: Device) -> None:
        devices.use(on)
        self.device = on
        self.handle, code = acl().rt.create_stream()
        check("acl.rt.create_stream", code)
        self.launches: deque[Any] = deque(maxlen=_REMEMBERED)
        _all.append(self)

    def __repr__(self) -> str:
        return f"<Stream {self.handle:#x} of {self.device}>"

    def synchronize(self) -> None:
        """Wait until all that is queued is done.

        Raises:
            AclError, LinAlgError: something of it failed; names the op, its operands and the line that queued it.
        """
        devices.use(self.device)
        self.done_or_raise("acl.rt.synchronize_stream", acl().rt.synchronize_stream(self.handle))

    def done_or_raise(self, function: str, code: int, about: str = "") -> None:
        """What follows a call that waited for the stream: forget the launches, or raise for the one that failed.

        Raises:
            LinAlgError: an op met values that it cannot take, such as a singular matrix.
            AclError: any other failure.
        """
        launches = list(self.launches)
        self.launches.clear()
        if code != 0:
            message = (acl().get_recent_err_msg() or "").strip()
            named = [launch for launch in launches if launch.op_type in message] if code in _ASYNCHRONOUS else []
            suspects = _told(named or launches[-1:]) if code in _ASYNCHRONOUS else ""
            error = AclError(function, code, "; ".join(filter(None, (about, suspects, message))))
            if code == AICPU_EXCEPTION and (wrong := _wrong_values(named)):
                raise LinAlgError(f"{wrong}; {suspects}") from error
            raise error

    def wait_for(self, other: Stream) -> None:
        """Let what is queued here from now on happen after what is queued on `other` now."""
        event = Event()
        event.record(other)
        check("acl.rt.stream_wait_event", acl().rt.stream_wait_event(self.handle, event.handle))


def _told(suspects: list[Any]) -> str:
    """The launches one of which failed: those of the op type that the device's message names, or the last one."""
    told = [str(launch) for launch in suspects]
    if not told:
        return ""
    if len(set(told)) == 1:
        return f"the operation that failed is {told[0]}"
    return f"the operation that failed is one of {len(told)} queued, the latest {told[-1]}"


def _wrong_values(suspects: list[Any]) -> str:
    """What is wrong with the operands, if the ops are such as fail for no other reason."""
    reasons = {PROTOTYPES[launch.op_type].fails for launch in suspects}
    return "" if "" in reasons else " or ".join(sorted(reasons))


class _ThreadStreams:
    """The streams of one thread, given back for the next thread when it ends."""

    def __init__(self) -> None:
        self.by_device: dict[Device, Stream] = {}

    def __del__(self) -> None:
        for on, stream in self.by_device.items():
            _idle.setdefault(on, deque()).append(stream)


def current_stream(on: Device | None = None) -> Stream:
    """The stream on which this thread queues its work for a device (the current one by default)."""
    chosen = on or devices.current()
    devices.use(chosen)
    try:
        return _thread.streams.by_device[chosen]
    except AttributeError:
        _thread.streams = _ThreadStreams()
    except KeyError:
        pass
    try:
        stream = _idle[chosen].popleft()
    except (KeyError, IndexError):
        stream = Stream(chosen)
    _thread.streams.by_device[chosen] = stream
    return stream


@contextmanager
def using(stream: Stream) -> Iterator[Stream]:
    """Make `stream` this thread's current one for its device, for the time of a `with`."""
    before = current_stream(stream.device)
    _thread.streams.by_device[stream.device] = stream
    try:
        yield stream
    finally:
        _thread.streams.by_device[stream.device] = before


def synchronize(on: Device | None = None) -> None:
    """Wait until all that is queued on a device is done, by any thread.

    Raises:
        AclError: something of it failed.
    """
    chosen = on or devices.current()
    with ExitStack() as waiting:
        # Each is waited for, even if another one's work failed.
        for stream in list(_all):
            if stream.device == chosen:
                waiting.callback(stream.synchronize)


def _destroy_all() -> None:
    for stream in _all:
        acl().rt.destroy_stream(stream.handle)
    _all.clear()
    _idle.clear()


devices.at_shutdown(_destroy_all)
