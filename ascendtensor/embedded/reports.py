"""`acl.rt`: callbacks into Python, from a stream and about failures.

A stream hands a callback to the thread that is subscribed to it; `process_report` in that thread runs it.
That call waits for callbacks, so the streams it serves get on with their work meanwhile.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from . import codes, streams
from .messages import refuse
from .stream_calls import stream_for
from .streams import DEVICE_TURN, Stream
from .surface import function

__all__ = ["reset"]

_NO_BLOCK, _BLOCK = 0, 1


@dataclass(slots=True)
class _Reporter:
    """A thread that runs callbacks: for which streams, and which are ready. Guarded by `DEVICE_TURN`."""

    device: int
    streams: list[Stream] = field(default_factory=list)
    ready: deque[tuple[Callable[[Any], Any], Any, Stream | None]] = field(default_factory=deque)


_reporters: dict[int, _Reporter] = {}


def reset() -> None:
    """Forget every subscription and the failure callback."""
    global _failure_callback
    _reporters.clear()
    _failure_callback = None


@function("acl.rt.subscribe_report", "Kk")
def subscribe_report(thread: int, handle: int) -> int:
    caller = "acl.rt.subscribe_report"
    stream = stream_for(handle, caller)
    if isinstance(stream, int):
        return stream
    with DEVICE_TURN:
        if stream.report_thread is not None:
            return refuse(codes.RT_STREAM_SUBSCRIBE, f"{caller}: the stream is bound to thread {stream.report_thread}")
        device = stream.context.device.index
        reporter = _reporters.setdefault(thread, _Reporter(device))
        if reporter.device != device:
            return refuse(
                codes.RT_THREAD_SUBSCRIBE, f"{caller}: thread {thread} serves device {reporter.device} already"
            )
        stream.report_thread = thread
        reporter.streams.append(stream)
        # A thread that waits for callbacks looks after this stream from now on.
        DEVICE_TURN.notify_all()
    return codes.SUCCESS


@function("acl.rt.unsubscribe_report", "Kk")
def unsubscribe_report(thread: int, handle: int) -> int:
    caller = "acl.rt.unsubscribe_report"
    stream = stream_for(handle, caller)
    if isinstance(stream, int):
        return stream
    with DEVICE_TURN:
        if stream.report_thread != thread:
            return refuse(codes.RT_STREAM_SUBSCRIBE, f"{caller}: the stream is not bound to thread {thread}")
        stream.report_thread = None
        reporter = _reporters[thread]
        reporter.streams.remove(stream)
        # What is ready but has not run will not; the stream must not wait for it.
        if any(blocked is stream for _, _, blocked in reporter.ready):
            stream.busy = False
            DEVICE_TURN.notify_all()
        reporter.ready = deque(item for item in reporter.ready if item[2] is not stream)
        if not reporter.streams:
            del _reporters[thread]
    return codes.SUCCESS


@function("acl.rt.launch_callback", "OOik")
def launch_callback(callback: Any, user_data: Any, block_type: int, handle: int) -> int:
    caller = "acl.rt.launch_callback"
    if not callable(callback):
        raise TypeError(f"{caller}: the first argument must be callable")
    if block_type not in (_NO_BLOCK, _BLOCK):
        return refuse(codes.INVALID_PARAM, f"{caller}: block type {block_type} is not 0 or 1")
    stream = stream_for(handle, caller)
    if isinstance(stream, int):
        return stream
    if stream.report_thread is None:
        return refuse(codes.RT_STREAM_NO_CB_REG, f"{caller}: no thread serves the stream; call acl.rt.subscribe_report")
    stream.put(_hand_over, callback, user_data, stream, block_type == _BLOCK)
    with DEVICE_TURN:
        DEVICE_TURN.notify_all()
    return codes.SUCCESS


def _hand_over(callback: Callable[[Any], Any], user_data: Any, stream: Stream, block: bool) -> None:
    """Give a callback to its thread: a task. A blocking one keeps the stream busy until it has run."""
    reporter = _reporters.get(stream.report_thread or 0)
    if reporter is None:
        raise streams.TaskError(
            codes.RT_STREAM_NO_CB_REG, "a callback came up after acl.rt.unsubscribe_report, and did not run"
        )
    reporter.ready.append((callback, user_data, stream if block else None))
    stream.busy = block
    DEVICE_TURN.notify_all()


@function("acl.rt.process_report", "i")
def process_report(milliseconds: int) -> int:
    caller = "acl.rt.process_report"
    if milliseconds == 0 or milliseconds < -1:
        return refuse(codes.INVALID_PARAM, f"{caller}: {milliseconds} ms; use -1 (for ever) or more than 0")
    thread = threading.get_ident()
    deadline = None if milliseconds < 0 else time.monotonic() + milliseconds / 1000
    with DEVICE_TURN:
        while True:
            reporter = _reporters.get(thread)
            if reporter is None:
                return refuse(codes.RT_THREAD_SUBSCRIBE, f"{caller}: this thread is not subscribed to any stream")
            for stream in list(reporter.streams):
                while not reporter.ready and stream.queue and streams.run(stream, count=1):
                    pass
            if reporter.ready:
                break
            left = None if deadline is None else deadline - time.monotonic()
            if streams.alone() if left is None else left <= 0:
                return refuse(codes.RT_REPORT_TIMEOUT, f"{caller}: no callback in {milliseconds} ms")
            DEVICE_TURN.wait(streams.LAST_WAIT if left is None else left)
        ready, reporter.ready = reporter.ready, deque()
    _call_all(ready)
    return codes.SUCCESS


def _call_all(ready: deque[tuple[Callable[[Any], Any], Any, Stream | None]]) -> None:
    """Run callbacks; the first exception comes out when all have run."""
    raised: BaseException | None = None
    for callback, user_data, blocked in ready:
        try:
            callback(user_data)
        except BaseException as error:  # raised below
            raised = raised or error
        finally:
            if blocked is not None:
                with DEVICE_TURN:
                    blocked.busy = False
                    DEVICE_TURN.notify_all()
    if raised is not None:
        raise raised


# Telling about failing tasks. The callback gets a number that stands for the failure while it runs.


@dataclass(frozen=True, slots=True)
class _Failure:
    code: int
    task: int
    stream: int
    thread: int
    device: int


_UNKNOWN = 0xFFFFFFFF
_failure_callback: Callable[[int], Any] | None = None
_failures: dict[int, _Failure] = {}


@function("acl.rt.set_exception_info_callback", "|O")
def set_exception_info_callback(callback: Any = None) -> int:
    global _failure_callback
    if callback is not None and not callable(callback):
        raise TypeError("acl.rt.set_exception_info_callback: the argument must be callable or None")
    _failure_callback = callback
    return codes.SUCCESS


def _tell_failure(stream: Stream, code: int) -> None:
    global _failure_callback
    if _failure_callback is None:
        return
    failure = _Failure(
        code,
        streams.tasks_run & 0xFFFFFFFF,
        stream.identity,
        threading.get_native_id(),
        stream.context.device.index,
    )
    address = id(failure)
    _failures[address] = failure
    try:
        _failure_callback(address)
    except Exception as error:  # as pyACL does: a callback that raises is removed
        _failure_callback = None
        refuse(codes.RT_INTERNAL_ERROR, f"the callback of acl.rt.set_exception_info_callback raised {error!r}")
    finally:
        del _failures[address]


def _fact(address: int, name: str) -> int:
    failure = _failures.get(address)
    return _UNKNOWN if failure is None else getattr(failure, name)


@function("acl.rt.get_error_code_from_exception_info", "k", returns="plain")
def get_error_code_from_exception_info(address: int) -> int:
    return _fact(address, "code")


@function("acl.rt.get_task_id_from_exception_info", "k", returns="plain")
def get_task_id_from_exception_info(address: int) -> int:
    return _fact(address, "task")


@function("acl.rt.get_stream_id_from_exception_info", "k", returns="plain")
def get_stream_id_from_exception_info(address: int) -> int:
    return _fact(address, "stream")


@function("acl.rt.get_thread_id_from_exception_info", "k", returns="plain")
def get_thread_id_from_exception_info(address: int) -> int:
    return _fact(address, "thread")


@function("acl.rt.get_device_id_from_exception_info", "k", returns="plain")
def get_device_id_from_exception_info(address: int) -> int:
    return _fact(address, "device")


streams.tell_failure = _tell_failure
