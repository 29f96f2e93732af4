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

__all__ = ["Event", "Stream", "current_stream", "default_stream", "set_stream", "synchronize", "using"]

# How many launches a stream remembers for naming the one that failed.
_REMEMBERED = 4096

# The codes of failures that happened on the device, after the call that queued them.
_ASYNCHRONOUS = range(507000, 508000)

# Bits of `acl.rt.create_event_with_flag`.
_SYNC, _TIME_LINE = 1, 8

# What `acl.rt.query_event_status` and `acl.rt.stream_query` say of what is done.
_HAPPENED = 1
_DONE = 0

LAUNCH_BLOCKING = os.environ.get("ASCENDTENSOR_LAUNCH_BLOCKING", "0") not in ("", "0")

_thread = threading.local()
_idle: dict[Device, deque[Stream]] = {}
_all: list[Stream] = []


class Event:
    """A point in a stream's work, as `torch.npu.Event`: streams and the host can wait for it.

    It comes to be when it is first recorded, on that stream's device. One that was never recorded has happened.

    Parameters:
        enable_timing: whether `elapsed_time` may be asked of it.
    """

    __slots__ = ("enable_timing", "handle", "stream")

    def __init__(self, enable_timing: bool = False) -> None:
        self.handle = 0
        self.enable_timing = enable_timing
        self.stream: Stream | None = None

    def record(self, stream: Stream | None = None) -> None:
        """Let the event happen when all that is queued now on `stream`, the current one by default, is done.

        Raises:
            ValueError: it was recorded on another device before.
        """
        chosen = stream or current_stream()
        if self.stream is not None and self.stream.device != chosen.device:
            raise ValueError(f"Event.record: this event is of {self.stream.device}, the stream of {chosen.device}")
        devices.use(chosen.device)
        if not self.handle:
            flags = _SYNC | _TIME_LINE if self.enable_timing else _SYNC
            self.handle, code = acl().rt.create_event_with_flag(flags)
            check("acl.rt.create_event_with_flag", code, "an event to order streams by")
        check("acl.rt.record_event", acl().rt.record_event(self.handle, chosen.handle))
        self.stream = chosen

    def wait(self, stream: Stream | None = None) -> None:
        """Let what is queued from now on on `stream`, the current one by default, come after the event."""
        (stream or current_stream()).wait_event(self)

    def query(self) -> bool:
        """Whether the event has happened."""
        if self.stream is None:
            return True
        devices.use(self.stream.device)
        status, code = acl().rt.query_event_status(self.handle)
        check("acl.rt.query_event_status", code)
        return bool(status == _HAPPENED)

    def synchronize(self) -> None:
        """Wait until the event has happened.

        Raises:
            AclError, LinAlgError: something queued before it failed.
        """
        if self.stream is None:
            return
        devices.use(self.stream.device)
        code = acl().rt.synchronize_event(self.handle)
        if code:
            self.stream.done_or_raise("acl.rt.synchronize_event", code)

    def elapsed_time(self, end_event: Event) -> float:
        """The milliseconds from this event to another one; both have happened.

        Raises:
            ValueError: one of them is without timing, or was never recorded.
            AclError: one of them has not happened yet.
        """
        for event in (self, end_event):
            if not event.enable_timing:
                raise ValueError("Event.elapsed_time: both events must be made with enable_timing=True")
            if event.stream is None:
                raise ValueError("Event.elapsed_time: both events must have been recorded")
        devices.use(self.stream.device)  # type: ignore[union-attr]
        milliseconds, code = acl().rt.event_elapsed_time(self.handle, end_event.handle)
        check("acl.rt.event_elapsed_time", code, "synchronize with the later event first")
        return float(milliseconds)

    def __repr__(self) -> str:
        return f"<Event of {self.stream!r}>" if self.stream else "<Event, not recorded>"

    def __del__(self) -> None:
        if self.handle and devices.running():
            acl().rt.destroy_event(self.handle)


class Stream:
    """A queue of work on a device, as `torch.npu.Stream`. It lasts until the program's end.

    One thread at a time queues work on a stream: synchronise it before another thread takes over, or pyACL refuses.

    Parameters:
        device: where it works; the current device by default.

    Attributes:
        device: where it works.
        handle: pyACL's number for it.
        launches: what was queued since the last synchronisation: launch records, oldest first.
    """

    __slots__ = ("__weakref__", "device", "handle", "launches")

    def __init__(self, device: Device | str | int | None = None) -> None:
        on = devices.device(device)
        devices.use(on)
        self.device = on
        self.handle, code = acl().rt.create_stream()
        check("acl.rt.create_stream", code)
        self.launches: deque[Any] = deque(maxlen=_REMEMBERED)
        _all.append(self)

    def __repr__(self) -> str:
        return f"<Stream {self.handle:#x} of {self.device}>"

    def query(self) -> bool:
        """Whether all that is queued is done."""
        devices.use(self.device)
        status, code = acl().rt.stream_query(self.handle)
        check("acl.rt.stream_query", code)
        return bool(status == _DONE)

    def record_event(self, event: Event | None = None) -> Event:
        """Record an event, a new one by default, and return it."""
        recorded = event or Event()
        recorded.record(self)
        return recorded

    def wait_event(self, event: Event) -> None:
        """Let what is queued here from now on happen after an event, as it was last recorded."""
        if event.stream is not None:
            devices.use(self.device)
            check("acl.rt.stream_wait_event", acl().rt.stream_wait_event(self.handle, event.handle))

    def wait_stream(self, stream: Stream) -> None:
        """Let what is queued here from now on happen after what is queued on `stream` now."""
        self.wait_event(stream.record_event())

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
    """The streams of one thread: those it queues on now, and its own, given to the next thread when it ends."""

    def __init__(self) -> None:
        self.current: dict[Device, Stream] = {}
        self.own: dict[Device, Stream] = {}

    def __del__(self) -> None:
        for on, stream in self.own.items():
            _idle.setdefault(on, deque()).append(stream)


def _streams() -> _ThreadStreams:
    try:
        return _thread.streams
    except AttributeError:
        _thread.streams = _ThreadStreams()
        return _thread.streams


def default_stream(on: Device | None = None) -> Stream:
    """This thread's own stream of a device (the current one by default), on which it queues unless told otherwise."""
    chosen = on or devices.current()
    devices.use(chosen)
    own = _streams().own
    if chosen not in own:
        try:
            own[chosen] = _idle[chosen].pop()
        except (KeyError, IndexError):
            own[chosen] = Stream(chosen)
    return own[chosen]


def current_stream(on: Device | None = None) -> Stream:
    """The stream on which this thread queues its work for a device (the current one by default)."""
    chosen = on or devices.current()
    devices.use(chosen)
    try:
        return _thread.streams.current[chosen]
    except (AttributeError, KeyError):
        return _streams().current.setdefault(chosen, default_stream(chosen))


def set_stream(stream: Stream) -> None:
    """Make `stream` this thread's current one, and its device the current one."""
    devices.choose(stream.device)
    _streams().current[stream.device] = stream


@contextmanager
def using(stream: Stream | None) -> Iterator[Stream | None]:
    """Make `stream` and its device this thread's current ones for the time of a `with`; None changes nothing."""
    if stream is None:
        yield None
        return
    device, before = devices.current(), current_stream(stream.device)
    set_stream(stream)
    try:
        yield stream
    finally:
        set_stream(before)
        devices.choose(device)


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
