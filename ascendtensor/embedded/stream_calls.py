"""`acl.rt`: streams and events."""

from __future__ import annotations

from . import codes, machine, streams
from .device_calls import no_context
from .messages import last_error, refuse
from .streams import EVENTS, STREAMS, Event, Record, Stream
from .surface import function

__all__ = ["stream_for"]

# Valid priorities: 0 is the highest, 7 the lowest.
_PRIORITIES = range(8)
_STREAM_BITS = codes.STREAM_FAST_LAUNCH | codes.STREAM_FAST_SYNC
_EVENT_BITS = codes.EVENT_SYNC | codes.EVENT_CAPTURE_STREAM_PROGRESS | codes.EVENT_TIME_LINE


def stream_for(handle: int, caller: str, *, of_any_context: bool = False) -> Stream | int:
    """The stream that a call of this thread means, 0 being its default stream; or the code that refuses it."""
    context = machine.current_context()
    if not handle:
        return no_context(caller) if context is None else context.default_stream
    stream = STREAMS.get(handle)
    if stream is None:
        return refuse(codes.INVALID_PARAM, f"{caller}: {handle:#x} is not a live stream; it was destroyed already")
    if stream.context is context or of_any_context:
        return stream
    if context is None:
        return no_context(caller)
    return refuse(
        codes.RT_STREAM_CONTEXT,
        f"{caller}: stream {handle:#x} belongs to another context than this thread's; call acl.rt.set_context",
    )


def event_for(handle: int, caller: str) -> Event | int:
    """The event of a handle, or the code that refuses it."""
    event = EVENTS.get(handle)
    if event is not None:
        return event
    return refuse(codes.INVALID_PARAM, f"{caller}: {handle:#x} is not a live event; NULL, or destroyed already")


def _bad_timeout(caller: str, milliseconds: int) -> int:
    return refuse(codes.RT_PARAM_INVALID, f"{caller}: a timeout of {milliseconds} ms; use -1 (for ever) or more than 0")


@function("acl.rt.create_stream", returns="value ret")
def create_stream() -> tuple[int, int]:
    return _create_stream("acl.rt.create_stream", 0, 0)


@function("acl.rt.create_stream_with_config", "ii", returns="value ret")
def create_stream_with_config(priority: int, flags: int) -> tuple[int, int]:
    return _create_stream("acl.rt.create_stream_with_config", priority, flags)


def _create_stream(caller: str, priority: int, flags: int) -> tuple[int, int]:
    context = machine.current_context()
    if context is None:
        return 0, no_context(caller)
    if flags & ~_STREAM_BITS:
        return 0, refuse(codes.RT_PARAM_INVALID, f"{caller}: flags {flags:#x} has bits other than 1 and 2")
    clamped = min(max(priority, _PRIORITIES[0]), _PRIORITIES[-1])
    with machine.lock:
        return Stream(context, clamped, flags).handle, codes.SUCCESS


@function("acl.rt.destroy_stream", "k")
def destroy_stream(handle: int) -> int:
    return _destroy_stream("acl.rt.destroy_stream", handle, wait=True)


@function("acl.rt.destroy_stream_force", "k")
def destroy_stream_force(handle: int) -> int:
    return _destroy_stream("acl.rt.destroy_stream_force", handle, wait=False)


def _destroy_stream(caller: str, handle: int, *, wait: bool) -> int:
    if not handle:
        return refuse(codes.INVALID_PARAM, f"{caller}: the default stream lives as long as its context")
    stream = stream_for(handle, caller)
    if isinstance(stream, int):
        return stream
    if stream is stream.context.default_stream:
        return refuse(codes.INVALID_PARAM, f"{caller}: the default stream lives as long as its context")
    if wait:
        # What failed is kept as the thread's last error; the stream is gone all the same.
        streams.synchronize([stream])
    streams.abandon(stream)
    return codes.SUCCESS


@function("acl.rt.synchronize_stream", "k")
def synchronize_stream(handle: int) -> int:
    stream = stream_for(handle, "acl.rt.synchronize_stream", of_any_context=True)
    return stream if isinstance(stream, int) else _synchronize([stream])


@function("acl.rt.synchronize_stream_with_timeout", "ki")
def synchronize_stream_with_timeout(handle: int, milliseconds: int) -> int:
    caller = "acl.rt.synchronize_stream_with_timeout"
    if milliseconds == 0 or milliseconds < -1:
        return _bad_timeout(caller, milliseconds)
    stream = stream_for(handle, caller, of_any_context=True)
    return stream if isinstance(stream, int) else _synchronize([stream], caller, milliseconds)


@function("acl.rt.synchronize_device")
def synchronize_device() -> int:
    return _synchronize_device("acl.rt.synchronize_device", -1)


@function("acl.rt.synchronize_device_with_timeout", "i")
def synchronize_device_with_timeout(milliseconds: int) -> int:
    caller = "acl.rt.synchronize_device_with_timeout"
    if milliseconds == 0 or milliseconds < -1:
        return _bad_timeout(caller, milliseconds)
    return _synchronize_device(caller, milliseconds)


def _synchronize_device(caller: str, milliseconds: int) -> int:
    context = machine.current_context()
    if context is None:
        return no_context(caller)
    everything = [s for s in list(STREAMS.objects.values()) if s.context.device is context.device]
    return _synchronize(everything, caller, milliseconds)


def _synchronize(waited_for: list[Stream], caller: str = "", milliseconds: int = -1) -> int:
    code = streams.synchronize(waited_for, timeout_ms=milliseconds)
    if code is not None:
        return code
    return refuse(codes.RT_STREAM_SYNC_TIMEOUT, f"{caller}: not done after {milliseconds} ms")


@function("acl.rt.stream_query", "k", returns="value ret")
def stream_query(handle: int) -> tuple[int, int]:
    stream = stream_for(handle, "acl.rt.stream_query")
    if isinstance(stream, int):
        return 0, stream
    pending = bool(stream.queue) or stream.busy
    streams.progress(stream)
    return int(pending), codes.SUCCESS


@function("acl.rt.stream_get_id", "k", returns="value ret")
def stream_get_id(handle: int) -> tuple[int, int]:
    stream = stream_for(handle, "acl.rt.stream_get_id")
    if isinstance(stream, int):
        return 0, stream
    return stream.identity, codes.SUCCESS


@function("acl.rt.set_stream_failure_mode", "kI")
def set_stream_failure_mode(handle: int, mode: int) -> int:
    stream = stream_for(handle, "acl.rt.set_stream_failure_mode")
    if isinstance(stream, int):
        return stream
    stop = bool(mode & 1)
    if stream.stop_on_failure and not stop:
        return refuse(
            codes.RT_FEATURE_NOT_SUPPORT,
            "acl.rt.set_stream_failure_mode: a stream that stops on failures cannot go back to carrying on",
        )
    stream.stop_on_failure = stop
    return codes.SUCCESS


@function("acl.rt.set_stream_overflow_switch", "kI")
def set_stream_overflow_switch(handle: int, flag: int) -> int:
    if flag not in (0, 1):
        return refuse(codes.INVALID_PARAM, f"acl.rt.set_stream_overflow_switch: {flag} is not 0 or 1")
    stream = stream_for(handle, "acl.rt.set_stream_overflow_switch")
    if isinstance(stream, int):
        return stream
    stream.overflow_check = flag
    return codes.SUCCESS


@function("acl.rt.get_stream_overflow_switch", "k", returns="value ret")
def get_stream_overflow_switch(handle: int) -> tuple[int, int]:
    stream = stream_for(handle, "acl.rt.get_stream_overflow_switch")
    return (0, stream) if isinstance(stream, int) else (stream.overflow_check, codes.SUCCESS)


@function("acl.rt.peek_at_last_error", "i")
def peek_at_last_error(level: int) -> int:
    return _last_error("acl.rt.peek_at_last_error", level, clear=False)


@function("acl.rt.get_last_error", "i")
def get_last_error(level: int) -> int:
    return _last_error("acl.rt.get_last_error", level, clear=True)


def _last_error(caller: str, level: int, *, clear: bool) -> int:
    if level:
        return refuse(codes.INVALID_PARAM, f"{caller}: level {level}; only 0, the thread's, exists")
    return last_error(clear=clear)


@function("acl.rt.create_event", returns="value ret")
def create_event() -> tuple[int, int]:
    return _create_event("acl.rt.create_event", _EVENT_BITS, extended=False)


@function("acl.rt.create_event_with_flag", "I", returns="value ret")
def create_event_with_flag(flags: int) -> tuple[int, int]:
    return _create_event("acl.rt.create_event_with_flag", flags, extended=False)


@function("acl.rt.create_event_ex_with_flag", "I", returns="value ret")
def create_event_ex_with_flag(flags: int) -> tuple[int, int]:
    return _create_event("acl.rt.create_event_ex_with_flag", flags, extended=True)


def _create_event(caller: str, flags: int, *, extended: bool) -> tuple[int, int]:
    if machine.current_context() is None:
        return 0, no_context(caller)
    if flags != codes.EVENT_EXTERNAL and (not flags or flags & ~_EVENT_BITS):
        return 0, refuse(codes.RT_PARAM_INVALID, f"{caller}: flags {flags:#x}; use a mix of 1, 2 and 8, or 0x20 alone")
    return Event(flags, extended=extended).handle, codes.SUCCESS


@function("acl.rt.destroy_event", "k")
def destroy_event(handle: int) -> int:
    event = event_for(handle, "acl.rt.destroy_event")
    if isinstance(event, int):
        return event
    EVENTS.pop(handle)
    return codes.SUCCESS


@function("acl.rt.record_event", "kk")
def record_event(event_handle: int, stream_handle: int) -> int:
    event = event_for(event_handle, "acl.rt.record_event")
    if isinstance(event, int):
        return event
    stream = stream_for(stream_handle, "acl.rt.record_event")
    if isinstance(stream, int):
        return stream
    record = Record(stream)
    event.record = record
    stream.put(streams.reach, record)
    return codes.SUCCESS


@function("acl.rt.stream_wait_event", "kk")
def stream_wait_event(stream_handle: int, event_handle: int) -> int:
    caller = "acl.rt.stream_wait_event"
    event = event_for(event_handle, caller)
    if isinstance(event, int):
        return event
    stream = stream_for(stream_handle, caller)
    if isinstance(stream, int):
        return stream
    if not event.flags & codes.EVENT_SYNC:
        return refuse(codes.RT_PARAM_INVALID, f"{caller}: a stream can only wait for events made with the sync flag, 1")
    if event.record is not None and not event.record.done:
        event.waiting.append(stream)
        stream.put(streams.wait_for, event.record)
        stream.put(streams.pass_wait, event, stream)
    return codes.SUCCESS


@function("acl.rt.reset_event", "kk")
def reset_event(event_handle: int, stream_handle: int) -> int:
    event = _plain_event(event_handle, "acl.rt.reset_event")
    if isinstance(event, int):
        return event
    stream = stream_for(stream_handle, "acl.rt.reset_event")
    if isinstance(stream, int):
        return stream
    stream.put(streams.forget_record, event, event.record)
    return codes.SUCCESS


def _plain_event(handle: int, caller: str) -> Event | int:
    event = event_for(handle, caller)
    if isinstance(event, Event) and event.extended:
        return refuse(codes.RT_FEATURE_NOT_SUPPORT, f"{caller}: not for events of acl.rt.create_event_ex_with_flag")
    return event


def _reached(event: Event) -> bool | None:
    """Whether an event's record is reached, None if there is none; lets the device get on a little."""
    record = event.record
    if record is None:
        return None
    done = record.done
    streams.progress(record.stream, record)
    return done


@function("acl.rt.query_event", "k", returns="value ret")
def query_event(handle: int) -> tuple[int, int]:
    event = _plain_event(handle, "acl.rt.query_event")
    if isinstance(event, int):
        return 0, event
    # Here 0 stands for complete, and an event never recorded counts as such.
    return int(_reached(event) is False), codes.SUCCESS


@function("acl.rt.query_event_status", "k", returns="value ret")
def query_event_status(handle: int) -> tuple[int, int]:
    event = event_for(handle, "acl.rt.query_event_status")
    if isinstance(event, int):
        return 0, event
    # Here 1 stands for complete; events never recorded differ by how they were made.
    reached = _reached(event)
    return int(event.extended if reached is None else reached), codes.SUCCESS


@function("acl.rt.query_event_wait_status", "k", returns="value ret")
def query_event_wait_status(handle: int) -> tuple[int, int]:
    event = _plain_event(handle, "acl.rt.query_event_wait_status")
    if isinstance(event, int):
        return 0, event
    waiting = list(event.waiting)
    for stream in waiting:
        streams.progress(stream)
    return int(bool(waiting)), codes.SUCCESS


@function("acl.rt.synchronize_event", "k")
def synchronize_event(handle: int) -> int:
    return _synchronize_event("acl.rt.synchronize_event", handle, -1)


@function("acl.rt.synchronize_event_with_timeout", "ki")
def synchronize_event_with_timeout(handle: int, milliseconds: int) -> int:
    caller = "acl.rt.synchronize_event_with_timeout"
    if milliseconds == 0 or milliseconds < -1:
        return _bad_timeout(caller, milliseconds)
    return _synchronize_event(caller, handle, milliseconds)


def _synchronize_event(caller: str, handle: int, milliseconds: int) -> int:
    event = event_for(handle, caller)
    if isinstance(event, int):
        return event
    record = event.record
    if record is None:
        return codes.SUCCESS
    code = streams.synchronize([record.stream], record, milliseconds)
    if code is not None:
        return code
    return refuse(codes.RT_EVENT_SYNC_TIMEOUT, f"{caller}: not reached after {milliseconds} ms")


@function("acl.rt.event_elapsed_time", "kk", returns="value ret")
def event_elapsed_time(start_handle: int, end_handle: int) -> tuple[float, int]:
    caller = "acl.rt.event_elapsed_time"
    records = []
    for handle in (start_handle, end_handle):
        record = _timed_record(handle, caller)
        if isinstance(record, int):
            return 0.0, record
        records.append(record)
    start, end = records
    return (end.nanoseconds - start.nanoseconds) / 1e6, codes.SUCCESS


@function("acl.rt.event_get_timestamp", "k", returns="value ret")
def event_get_timestamp(handle: int) -> tuple[int, int]:
    record = _timed_record(handle, "acl.rt.event_get_timestamp")
    return (0, record) if isinstance(record, int) else (record.nanoseconds // 1000, codes.SUCCESS)


def _timed_record(handle: int, caller: str) -> Record | int:
    """The record of an event that has its time, or the code that says why there is none."""
    event = event_for(handle, caller)
    if isinstance(event, int):
        return event
    if event.flags & codes.EVENT_EXTERNAL:
        return refuse(codes.RT_FEATURE_NOT_SUPPORT, f"{caller}: external events have no time")
    if event.record is None or not event.flags & codes.EVENT_TIME_LINE:
        return refuse(
            codes.RT_INTERNAL_ERROR, f"{caller}: event {handle:#x} was never recorded, or made without flag 8"
        )
    if not event.record.done:
        return refuse(
            codes.RT_EVENT_TIMESTAMP_INVALID,
            f"{caller}: event {handle:#x} is not reached yet; synchronise with it first",
        )
    return event.record
