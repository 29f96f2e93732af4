"""Every thread has its own stream, and what crosses from one to another is ordered by events."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import ascendtensor as at
from ascendtensor.runtime.device import current
from ascendtensor.runtime.stream import Event, Stream, current_stream, using


def in_thread(work: Callable[[], Any]) -> Any:
    """What `work` gives, done in a thread of its own."""
    found: list[Any] = []
    trouble: list[BaseException] = []

    def body() -> None:
        try:
            found.append(work())
        except BaseException as error:
            trouble.append(error)

    thread = threading.Thread(target=body)
    thread.start()
    thread.join()
    if trouble:
        raise trouble[0]
    return found[0]


def test_threads_have_streams_of_their_own_and_never_the_default_one() -> None:
    mine = current_stream()
    theirs = in_thread(current_stream)
    assert theirs is not mine
    assert 0 not in (mine.handle, theirs.handle)
    assert current_stream() is mine


def test_a_stream_is_used_again_when_its_thread_has_ended() -> None:
    first = in_thread(current_stream)
    assert in_thread(current_stream) is first


def test_what_one_thread_wrote_another_reads() -> None:
    x = at.ones((16,)) * 5
    assert in_thread(lambda: (x + 1).tolist()) == [6.0] * 16


def test_a_write_waits_for_reads_on_other_streams() -> None:
    x = at.ones((16,))
    other = Stream(x.device)
    with using(other):
        y = x + 1
    x[...] = 100
    other.synchronize()
    assert y.tolist() == [2.0] * 16
    assert x.tolist() == [100.0] * 16


def test_a_read_waits_for_a_write_on_another_stream() -> None:
    x = at.zeros((16,))
    other = Stream(x.device)
    with using(other):
        x[...] = 7
    assert (x + 0).tolist() == [7.0] * 16


def test_writes_on_two_streams_keep_their_order() -> None:
    x = at.zeros((16,))
    other = Stream(x.device)
    for value in range(6):
        if value % 2:
            x[...] = value
        else:
            with using(other):
                x[...] = value
    assert x.tolist() == [5.0] * 16


def test_memory_freed_on_one_stream_is_not_reused_before_another_has_read_it() -> None:
    other = Stream(current())
    x = at.ones((1000,))
    address = x.storage.block.address
    with using(other):
        y = x + 1
    del x
    z = at.full((1000,), 99.0)
    assert z.storage.block.address == address
    at.npu.synchronize()
    assert y.tolist() == [2.0] * 1000


def test_memory_written_on_a_second_stream_is_ordered_when_it_comes_back() -> None:
    other = Stream(current())
    x = at.zeros((1000,))
    address = x.storage.block.address
    with using(other):
        x[...] = 3
    del x
    z = at.full((1000,), 99.0)
    assert z.storage.block.address == address
    assert z.tolist() == [99.0] * 1000


def test_an_event_is_waited_for() -> None:
    stream = current_stream()
    x = at.ones((4,)) + 1
    event = Event()
    event.record(stream)
    event.synchronize()
    assert x.tolist() == [2.0] * 4


@pytest.mark.parametrize("threads", [8])
def test_many_threads_get_their_own_results(threads: int) -> None:
    results: list[Any] = [None] * threads

    def work(k: int) -> None:
        for _ in range(20):
            a = at.full((2000,), k, dtype=at.int64)
            b = a * 2 + 1
            results[k] = int(at.sum(b))

    workers = [threading.Thread(target=work, args=(k,)) for k in range(threads)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert results == [2000 * (2 * k + 1) for k in range(threads)]


def test_many_threads_read_one_tensor() -> None:
    x = at.asarray(np.arange(1000.0))
    totals: list[float] = []
    workers = [threading.Thread(target=lambda: totals.append(float(at.sum(x * 1.0)))) for _ in range(8)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert totals == [float(np.arange(1000.0).sum())] * 8
