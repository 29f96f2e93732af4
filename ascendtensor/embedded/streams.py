"""Streams and events: work that is queued now and happens when somebody waits for it.

A stream is a queue of tasks. Nothing in it has happened until a thread waits for the stream, an event
recorded on it, or its device; then the tasks run, in that thread, in order. A task that waits for an event
first runs the event's stream up to the record. One condition, `DEVICE_TURN`, is held while tasks run, so
every stream has its order whoever waits, and a task may wait for another thread without blocking the rest.

A stream that collects more than `QUEUE_LIMIT` tasks runs its oldest ones, as a device would have long ago.
"""

from __future__ import annotations

import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from typing import Any

from . import codes
from .handles import Handles
from .machine import Context
from .memory import AddressError
from .messages import note_asynchronous, refuse

__all__ = ["DEVICE_TURN", "EVENTS", "STREAMS", "Event", "Record", "Stream", "TaskError", "run", "synchronize"]

QUEUE_LIMIT = 4096
# How many tasks a look at a stream's state lets the device get on with; see `progress`.
LOOK_AHEAD = 64

# Seconds after which a wait without a limit looks again whether it can end, and that such a wait lasts while the
# interpreter ends: whoever would end it may be gone already.
LAST_WAIT = 1.0


class _Turn(threading.Condition):
    """The right to run tasks, which at the interpreter's end may never come back from a thread that was stopped."""

    def __enter__(self) -> bool:
        if not self.acquire(timeout=LAST_WAIT if sys.is_finalizing() else -1):
            raise RuntimeError("the interpreter ends, and a thread that was stopped keeps the device")
        return True


DEVICE_TURN = _Turn(threading.RLock())
# Set by tests: no task runs, so that timed waits run out and others wait until it ends.
stalled = False

# How many tasks have run.
tasks_run = 0

Task = tuple[Callable[..., Any], tuple[Any, ...]]


class TaskError(Exception):
    """A task failed on the device: the code that synchronisation reports, and why."""

    def __init__(self, code: int, text: str) -> None:
        super().__init__(text)
        self.code = code


class Stream:
    """A queue of tasks of one context."""

    __slots__ = (
        "alive",
        "busy",
        "context",
        "failures",
        "flags",
        "handle",
        "overflow_check",
        "priority",
        "queue",
        "report_thread",
        "running",
        "stop_on_failure",
        "user",
    )

    def __init__(self, context: Context, priority: int = 0, flags: int = 0, *, own: bool = False) -> None:
        self.context = context
        self.priority = priority
        self.flags = flags
        self.alive = True
        self.queue: deque[Task] = deque()
        # A callback of this stream is waiting for its thread, or runs there.
        self.busy = False
        # The thread in which a task of this stream runs, 0 if none does.
        self.running = 0
        # The thread that executed an operator on this stream last.
        self.user = 0
        # What failed and was not reported yet: code and reason.
        self.failures: list[tuple[int, str]] = []
        self.stop_on_failure = False
        self.overflow_check = 0
        self.report_thread: int | None = None
        self.handle = STREAMS.add(self, own=own)
        context.streams.append(self)

    @property
    def identity(self) -> int:
        """The stream's number for people, as in exception reports."""
        return self.handle >> 4 & 0x7FFFFFFF

    def put(self, function: Callable[..., Any], *args: Any) -> None:
        """Queue `function(*args)`."""
        self.queue.append((function, args))
        if len(self.queue) > QUEUE_LIMIT:
            run(self, count=QUEUE_LIMIT // 2)


# Told of every task that fails, with its code.
tell_failure: Callable[[Stream, int], None] = lambda stream, code: None  # noqa: E731


class Record:
    """One recording of an event: a point in a stream that is reached or not."""

    __slots__ = ("done", "nanoseconds", "stream")

    def __init__(self, stream: Stream) -> None:
        self.stream = stream
        self.done = False
        self.nanoseconds = 0


class Event:
    """An event: its latest record, and the streams with queued waits for it that they have not passed."""

    __slots__ = ("extended", "flags", "handle", "record", "waiting")

    def __init__(self, flags: int, *, extended: bool = False) -> None:
        self.flags = flags
        # Made by create_event_ex_with_flag, whose events answer fewer questions.
        self.extended = extended
        self.record: Record | None = None
        self.waiting: list[Stream] = []
        self.handle = EVENTS.add(self)


STREAMS: Handles[Stream] = Handles("stream")
EVENTS: Handles[Event] = Handles("event")


def run(stream: Stream, until: Record | None = None, count: int | None = None, deadline: float | None = None) -> bool:
    """Run tasks of `stream`: all, those up to a record, or `count` of them.

    Gives False when `deadline` (of `time.monotonic`) passed first, or the end can never come. Failures are kept
    in the stream.
    """
    if deadline is None and sys.is_finalizing():
        deadline = time.monotonic() + LAST_WAIT
    if not DEVICE_TURN.acquire(timeout=_left(deadline)):
        return False
    try:
        while count is None or count > 0:
            if until is not None and until.done:
                return True
            if stalled or stream.busy or stream.running:
                # A count is device time that nobody waits for.
                if count is not None or _endless(stream, deadline):
                    return False
                # Without a limit, look again and again whether somebody is still there to end the wait.
                if not DEVICE_TURN.wait(_left(deadline, forever=LAST_WAIT)) and deadline is not None:
                    return False
                continue
            if not stream.queue:
                return True
            if deadline is not None and time.monotonic() >= deadline:
                return False
            _run_task(stream)
            if count is not None:
                count -= 1
        return True
    finally:
        DEVICE_TURN.release()


def alone() -> bool:
    """Whether no other thread is there that could end a wait."""
    return threading.active_count() == 1


def _endless(stream: Stream, deadline: float | None) -> bool:
    """Whether waiting for a stream that is held up would wait for the waiting thread itself, or for nobody."""
    if stalled:
        return False
    thread = threading.get_ident()
    own_callback = stream.busy and stream.report_thread == thread
    return own_callback or stream.running == thread or (deadline is None and alone())


def run_others() -> bool:
    """Run one task of every stream that has one and is not held up; False if there was none."""
    before = tasks_run
    for stream in list(STREAMS.objects.values()):
        if stream.queue:
            run(stream, count=1)
    return tasks_run != before


def _run_task(stream: Stream) -> None:
    global tasks_run
    tasks_run += 1
    function, args = stream.queue.popleft()
    stream.running = threading.get_ident()
    try:
        function(*args)
    except TaskError as error:
        failure = error.code, str(error)
    except AddressError as error:
        failure = codes.RT_SYS_DMA, str(error)
    else:
        return
    finally:
        stream.running = 0
    stream.failures.append(failure)
    tell_failure(stream, failure[0])
    if stream.stop_on_failure:
        _skip_all(stream)


def _skip_all(stream: Stream) -> None:
    """Drop what is queued, save the bookkeeping: whoever waits for an event must not wait for ever."""
    while stream.queue:
        function, args = stream.queue.popleft()
        if function in _BOOKKEEPING:
            function(*args)


def progress(stream: Stream, until: Record | None = None) -> None:
    """Let some of the work happen after a look at its state, so that polling comes to an end."""
    if until is None or not until.done:
        run(stream, until, count=LOOK_AHEAD)


def reach(record: Record) -> None:
    """A stream has come to where an event was recorded: a task."""
    record.nanoseconds = time.perf_counter_ns()
    record.done = True


def wait_for(record: Record) -> None:
    """A stream waits for another to reach a record: a task."""
    reached = run(record.stream, record)
    # Threads that found this stream held up meanwhile look again.
    DEVICE_TURN.notify_all()
    if not reached:
        raise TaskError(codes.RT_INTERNAL_ERROR, "the stream that a queued wait depends on makes no progress")


def pass_wait(event: Event, stream: Stream) -> None:
    """A stream has left a wait for an event behind: a task."""
    event.waiting.remove(stream)


def forget_record(event: Event, record: Record | None) -> None:
    """A queued reset of an event happens, unless it was recorded again since: a task."""
    if event.record is record:
        event.record = None


_BOOKKEEPING = frozenset({reach, pass_wait, forget_record})


_NEVER = (
    "this wait would never end: the stream waits for a callback that only this thread could run, or for something "
    "that no other thread is there to do"
)


def synchronize(streams: Iterable[Stream], until: Record | None = None, timeout_ms: int = -1) -> int | None:
    """Wait for streams and report their first failure: its code, 0 if all went well, None if time ran out.

    A wait that could never end is a failure itself.
    """
    deadline = None if timeout_ms < 0 else time.monotonic() + timeout_ms / 1000
    streams = list(streams)
    for stream in streams:
        if not run(stream, until, deadline=deadline):
            return None if timeout_ms >= 0 else refuse(codes.RT_STREAM_SYNC_TIMEOUT, _NEVER)
    return report_failures(streams)


def report_failures(streams: Iterable[Stream]) -> int:
    """Hand the failures of `streams` over to the calling thread; gives the first code."""
    first = 0
    for stream in streams:
        failures, stream.failures = stream.failures, []
        for code, text in failures:
            note_asynchronous(code, text)
            first = first or code
    return first


def drop_tasks(stream: Stream) -> None:
    """Take back what is still queued on a stream."""
    with DEVICE_TURN:
        _skip_all(stream)
        DEVICE_TURN.notify_all()


def abandon(stream: Stream) -> None:
    """Take a stream out of use; what is still queued on it does not happen."""
    drop_tasks(stream)
    stream.alive = False
    STREAMS.pop(stream.handle)
    if stream in stream.context.streams:
        stream.context.streams.remove(stream)


def _left(deadline: float | None, forever: float | None = -1) -> Any:
    """Seconds until `deadline`; `forever` where there is none."""
    return forever if deadline is None else max(0.0, deadline - time.monotonic())
