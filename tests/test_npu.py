"""Streams and events as `torch.npu` names them: what they promise, and random programs over several of them."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ascendtensor as at
from ascendtensor.embedded import faults

from .processes import said

# The embedded runtime's code of an op that failed on an AI Core.
AICORE_EXCEPTION = 507015


@pytest.fixture
def threads() -> Iterator[list[Callable[[Callable[[], Any]], Any]]]:
    """Two threads, each of which does what it is called with, and gives back what comes of it."""
    with ThreadPoolExecutor(1) as first, ThreadPoolExecutor(1) as second:
        yield [lambda work: first.submit(work).result(), lambda work: second.submit(work).result()]


def test_the_current_stream_is_the_threads_own_until_another_is_set() -> None:
    own = at.npu.default_stream()
    assert at.npu.current_stream() is own
    other = at.npu.Stream()
    with at.npu.stream(other) as entered:
        assert entered is other
        assert at.npu.current_stream() is other
        assert at.npu.default_stream() is own
        with at.npu.stream(None):
            assert at.npu.current_stream() is other
    assert at.npu.current_stream() is own
    at.npu.set_stream(other)
    assert at.npu.current_stream("npu:0") is other
    at.npu.set_stream(own)
    assert at.npu.current_stream() is own


def test_an_exception_leaves_the_stream_that_was_current_before() -> None:
    own = at.npu.current_stream()
    with pytest.raises(KeyError), at.npu.stream(at.npu.Stream()):
        raise KeyError
    assert at.npu.current_stream() is own


def test_a_stream_that_a_thread_had_set_is_not_given_to_the_next_thread() -> None:
    mine = at.npu.Stream()
    with ThreadPoolExecutor(1) as thread:
        thread.submit(at.npu.set_stream, mine).result()
    for _ in range(2):
        with ThreadPoolExecutor(1) as thread:
            assert thread.submit(at.npu.current_stream).result() is not mine


def test_a_stream_on_no_device_is_refused() -> None:
    with pytest.raises(ValueError, match="there is no device npu:7"):
        at.npu.Stream("npu:7")
    with pytest.raises(ValueError, match="there is no device npu:7"), at.npu.device(7):
        pass


def test_a_stream_tells_when_its_work_is_done() -> None:
    stream = at.npu.Stream()
    assert stream.query()
    with at.npu.stream(stream):
        y = at.ones((4,)) + 1
    stream.synchronize()
    assert stream.query()
    assert y.tolist() == [2.0] * 4


def test_an_event_tells_when_it_has_happened() -> None:
    event = at.npu.Event()
    assert event.query()
    event.synchronize()
    at.exp(at.ones((4,)))
    event.record()
    event.synchronize()
    assert event.query()


def test_an_event_never_recorded_holds_up_nobody() -> None:
    at.npu.Event().wait()
    assert (at.ones((2,)) + 1).tolist() == [2.0, 2.0]


def test_time_passes_between_events() -> None:
    first, last = at.npu.Event(enable_timing=True), at.npu.Event(enable_timing=True)
    first.record()
    at.exp(at.ones((1000,)))
    last.record()
    last.synchronize()
    assert first.elapsed_time(last) >= 0
    assert last.elapsed_time(first) <= 0


def test_time_is_refused_where_there_is_none() -> None:
    timed, plain = at.npu.Event(enable_timing=True), at.npu.Event()
    plain.record()
    with pytest.raises(ValueError, match="recorded"):
        timed.elapsed_time(at.npu.Event(enable_timing=True))
    timed.record()
    with pytest.raises(ValueError, match="enable_timing=True"):
        timed.elapsed_time(plain)


def test_streams_wait_for_streams_and_events() -> None:
    first, second = at.npu.Stream(), at.npu.Stream()
    with at.npu.stream(first):
        x = at.ones((8,)) + 1
    event = first.record_event()
    second.wait_event(event)
    second.wait_stream(first)
    event.wait(second)
    # What the second waits for is done with it.
    second.synchronize()
    assert event.query()
    assert x.tolist() == [2.0] * 8


def test_memory_recorded_for_a_stream_waits_for_it() -> None:
    x = at.ones((1000,))
    other = at.npu.Stream()
    x.record_stream(other)
    assert other in (x.storage.readers or ())
    x.record_stream(at.npu.current_stream())
    assert x.tolist() == [1.0] * 1000
    with pytest.raises(TypeError, match="record_stream"):
        x.record_stream(0)  # type: ignore[arg-type]


def test_an_error_on_a_users_stream_is_raised_where_it_is_waited_for(threads: list[Any]) -> None:
    failing, other = at.npu.Stream(), at.npu.Stream()
    x = at.ones((2, 3))

    def queue() -> None:
        with at.npu.stream(failing):
            at.exp(x)

    with faults.fail_op(AICORE_EXCEPTION, "Exp"):
        threads[0](queue)
        with at.npu.stream(other):
            assert (x + 1).tolist() == [[2.0] * 3] * 2
        with pytest.raises(at.AclError, match=r"Exp\(float32\[2, 3\]\).*test_npu.py"):
            threads[1](failing.synchronize)
    with at.npu.stream(failing):
        assert (x + 2).tolist() == [[3.0] * 3] * 2


def test_an_error_is_raised_where_an_event_after_it_is_waited_for() -> None:
    stream, x = at.npu.Stream(), at.ones((2, 3))
    with faults.fail_op(AICORE_EXCEPTION, "Exp"), at.npu.stream(stream):
        at.exp(x)
        with pytest.raises(at.AclError, match=r"Exp\(float32\[2, 3\]\)"):
            stream.record_event().synchronize()


def run_program(seed: int, threads: list[Any]) -> None:
    """Do random things to a few tensors, each in one of two threads on one of its three streams, and to arrays."""
    rng = random.Random(seed)
    streams = streams_of_threads()
    arrays = [np.arange(k, k + 12) for k in range(4)]
    tensors = [at.asarray(array) for array in arrays]
    events: list[at.npu.Event] = []

    def step() -> None:
        a, b, c = (rng.randrange(4) for _ in range(3))
        start, step = rng.randrange(6), rng.choice([1, 2, -1])
        match rng.randrange(8):
            case 0:
                arrays[c], tensors[c] = arrays[a] + arrays[b], tensors[a] + tensors[b]
            case 1:
                arrays[a][start:] = arrays[b][: 12 - start].copy()
                tensors[a][start:] = tensors[b][: 12 - start]
            case 2:
                arrays[a][::step] -= start
                tensors[a][::step] -= start
            case 3:
                # The old tensor is freed, perhaps while others read it.
                arrays[c], tensors[c] = arrays[a][::-1].copy(), tensors[a][::-1].clone()
            case 4:
                # From here on two names share their memory.
                arrays[c], tensors[c] = arrays[a], tensors[a]
            case 5:
                np.testing.assert_array_equal(tensors[a].numpy(), arrays[a])
            case 6:
                events.append(at.npu.current_stream().record_event())
                tensors[a].record_stream(rng.choice(rng.choice(streams)))
            case 7:
                if events:
                    rng.choice(events).wait()

    def on(stream: at.npu.Stream) -> None:
        with at.npu.stream(stream):
            step()

    for _ in range(25):
        which = rng.randrange(2)
        stream = rng.choice(streams[which])
        threads[which](lambda stream=stream: on(stream))
    for array, tensor in zip(arrays, tensors, strict=True):
        np.testing.assert_array_equal(tensor.numpy(), array)


@cache
def streams_of_threads() -> list[list[at.npu.Stream]]:
    """Three streams for each of two threads, for all random programs: streams last until the process ends."""
    return [[at.npu.Stream() for _ in range(3)] for _ in range(2)]


@pytest.mark.parametrize("start", [0, *(pytest.param(k, marks=pytest.mark.long) for k in range(50, 500, 50))])
def test_random_programs_on_streams_and_threads_do_as_numpy(start: int, threads: list[Any]) -> None:
    for seed in range(start, start + 50):
        run_program(seed, threads)


def test_streams_and_copies_on_a_second_device_are_its_own(tmp_path: Path) -> None:
    # The number of devices is settled before the library starts: in a process of its own.
    program = """
import ascendtensor as at
first, second = at.npu.Stream(0), at.npu.Stream(1)
with at.npu.stream(second):
    assert at.npu.current_device() == 1
    x = at.ones((4,)) + 1
    assert str(x.device) == "npu:1" and at.npu.current_stream() is second
assert at.npu.current_device() == 0
event = second.record_event()
first.wait_event(event)
first.wait_stream(second)
first.synchronize()
for wrong in (lambda: event.record(first), lambda: x.record_stream(first)):
    try:
        wrong()
    except ValueError as error:
        assert "npu:0" in str(error) and "npu:1" in str(error), error
    else:
        raise AssertionError
assert x.to_device("npu:0").tolist() == [2.0] * 4
with at.npu.device(1):
    assert at.npu.current_device() == 1 and str(at.zeros(2).device) == "npu:1"
    with at.npu.device("npu:0"), at.npu.device(None):
        assert str(at.zeros(2).device) == "npu:0"
    assert at.npu.current_device() == 1
try:
    with at.npu.device(1):
        raise KeyError
except KeyError:
    assert at.npu.current_device() == 0
assert at.npu.get_device_name(1) == "Ascend310P3"
"""
    environment = {"ASCENDTENSOR_EMBEDDED_DEVICES": "2", "ASCENDTENSOR_EMBEDDED_SOC": "Ascend310P3"}
    said(program, tmp_path, ASCENDTENSOR_RUNTIME="embedded", **environment)
