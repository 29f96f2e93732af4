"""Streams and events: nothing queued has happened until somebody waits."""

from __future__ import annotations

import threading

import hypothesis
import hypothesis.strategies as st
import pytest

from ascendtensor import embedded
from ascendtensor.embedded import codes, faults, streams


@pytest.fixture
def block(program):
    """Eight bytes on the device, all 0."""
    return program.upload(bytes(8))


def queue(acl, block, value, stream):
    """Queue one task: set the block to `value`."""
    assert acl.rt.memset_async(block, 8, value, 8, stream) == 0


def value(program, block):
    return program.read(block, 8)[0]


def free_under_way(acl, block, stream):
    """Queue a task that fails: its memory is freed before it runs."""
    doomed, _ = acl.rt.malloc(8, 0)
    queue(acl, doomed, 1, stream)
    assert acl.rt.free(doomed) == 0


def test_queued_work_waits_for_somebody(acl, program, block):
    stream = program.stream()
    queue(acl, block, 1, stream)
    assert value(program, block) == 0
    assert acl.rt.synchronize_stream(stream) == 0
    assert value(program, block) == 1


@pytest.mark.parametrize(
    "wait",
    [
        lambda rt, stream, event: rt.synchronize_stream(stream),
        lambda rt, stream, event: rt.synchronize_stream_with_timeout(stream, 60_000),
        lambda rt, stream, event: rt.synchronize_stream_with_timeout(stream, -1),
        lambda rt, stream, event: rt.synchronize_device(),
        lambda rt, stream, event: rt.synchronize_device_with_timeout(60_000),
        lambda rt, stream, event: rt.synchronize_event(event),
        lambda rt, stream, event: rt.synchronize_event_with_timeout(event, 60_000),
        lambda rt, stream, event: rt.destroy_stream(stream),
    ],
)
def test_every_way_to_wait(acl, program, block, wait):
    stream, event = program.stream(), program.event()
    queue(acl, block, 1, stream)
    assert acl.rt.record_event(event, stream) == 0
    assert wait(acl.rt, stream, event) == 0
    assert value(program, block) == 1


def test_waiting_for_an_event_does_not_run_what_comes_after(acl, program, block):
    stream, event = program.stream(), program.event()
    queue(acl, block, 1, stream)
    acl.rt.record_event(event, stream)
    queue(acl, block, 2, stream)
    assert acl.rt.synchronize_event(event) == 0
    assert value(program, block) == 1
    assert acl.rt.synchronize_stream(stream) == 0
    assert value(program, block) == 2


def test_streams_do_not_wait_for_each_other_by_themselves(acl, program, block):
    first, second = program.stream(), program.stream()
    queue(acl, block, 1, first)
    queue(acl, block, 2, second)
    assert acl.rt.synchronize_stream(second) == 0
    assert value(program, block) == 2
    assert acl.rt.synchronize_stream(first) == 0
    assert value(program, block) == 1


def test_a_stream_waits_for_an_event_of_another(acl, program, block):
    first, second, event = program.stream(), program.stream(), program.event()
    queue(acl, block, 1, first)
    assert acl.rt.record_event(event, first) == 0
    queue(acl, block, 2, first)
    assert acl.rt.stream_wait_event(second, event) == 0
    queue(acl, block, 3, second)
    assert acl.rt.query_event_wait_status(event) == (1, 0)
    assert acl.rt.synchronize_stream(second) == 0
    assert acl.rt.query_event_wait_status(event) == (0, 0)
    # 1 came before 3, and 2 is still to come.
    assert value(program, block) == 3
    assert acl.rt.synchronize_stream(first) == 0
    assert value(program, block) == 2


def test_recording_again_moves_the_event_and_not_the_waits(acl, program, block):
    first, second, event = program.stream(), program.stream(), program.event()
    queue(acl, block, 1, first)
    acl.rt.record_event(event, first)
    acl.rt.stream_wait_event(second, event)
    queue(acl, block, 2, first)
    acl.rt.record_event(event, first)
    assert acl.rt.synchronize_stream(second) == 0
    assert value(program, block) == 1
    assert acl.rt.synchronize_event(event) == 0
    assert value(program, block) == 2


def test_ping_pong_between_streams_keeps_its_order(acl, program, block):
    first, second = program.stream(), program.stream()
    for step in range(200):
        here, there = (first, second) if step % 2 else (second, first)
        queue(acl, block, step, here)
        event = program.event()
        acl.rt.record_event(event, here)
        acl.rt.stream_wait_event(there, event)
        assert acl.rt.destroy_event(event) == 0
    assert acl.rt.synchronize_stream(there) == 0
    assert value(program, block) == 199


def test_a_long_queue_runs_its_oldest_part(acl, program, block):
    stream = program.stream()
    for step in range(streams.QUEUE_LIMIT + 1):
        queue(acl, block, 1 if step == 0 else 2, stream)
    assert value(program, block) == 2
    assert acl.rt.stream_query(stream) == (1, 0)


def test_the_default_stream_is_a_stream_like_others(acl, program, block):
    real, ret = acl.rt.ctx_get_current_default_stream()
    assert ret == 0
    queue(acl, block, 1, 0)
    assert value(program, block) == 0
    assert acl.rt.synchronize_stream(real) == 0
    assert value(program, block) == 1
    for handle in (0, real):
        assert acl.rt.destroy_stream(handle) == codes.INVALID_PARAM
        assert acl.rt.destroy_stream_force(handle) == codes.INVALID_PARAM


def test_a_forced_destruction_does_not_wait(acl, program, block):
    stream, event = program.stream(), program.event()
    queue(acl, block, 1, stream)
    acl.rt.record_event(event, stream)
    other = program.stream()
    acl.rt.stream_wait_event(other, event)
    assert acl.rt.destroy_stream_force(stream) == 0
    assert acl.rt.synchronize_stream(other) == 0
    assert value(program, block) == 0


def test_destroyed_streams_are_dead(acl, program):
    stream = program.stream()
    assert acl.rt.destroy_stream(stream) == 0
    for call in (acl.rt.destroy_stream, acl.rt.synchronize_stream):
        assert call(stream) == codes.INVALID_PARAM
    assert acl.rt.stream_query(stream) == (0, codes.INVALID_PARAM)
    assert acl.rt.memset_async(64, 8, 0, 8, stream) == codes.INVALID_PARAM


def test_a_stream_belongs_to_its_context(acl, program, block):
    stream, event = program.stream(), program.event()
    queue(acl, block, 1, stream)
    context, _ = acl.rt.create_context(0)
    assert acl.rt.record_event(event, stream) == codes.RT_STREAM_CONTEXT
    assert acl.rt.stream_wait_event(stream, event) == codes.RT_STREAM_CONTEXT
    assert acl.rt.memset_async(block, 8, 0, 8, stream) == codes.RT_STREAM_CONTEXT
    assert acl.rt.destroy_stream(stream) == codes.RT_STREAM_CONTEXT
    # Waiting is the exception.
    assert acl.rt.synchronize_stream(stream) == 0
    assert value(program, block) == 1
    assert acl.rt.destroy_context(context) == 0


def test_queries_tell_the_state_and_polling_ends(acl, program, block):
    stream, event = program.stream(), program.event()
    assert acl.rt.stream_query(stream) == (0, 0)
    for _ in range(1000):
        queue(acl, block, 1, stream)
    acl.rt.record_event(event, stream)
    assert acl.rt.stream_query(stream) == (1, 0)
    assert acl.rt.query_event_status(event) == (0, 0)
    assert acl.rt.query_event(event) == (1, 0)
    polls = 0
    while acl.rt.query_event_status(event) == (0, 0):
        polls += 1
        assert polls < 1000
    assert acl.rt.query_event(event) == (0, 0)
    assert value(program, block) == 1


def test_events_that_were_never_recorded(acl, program):
    event = program.event()
    assert acl.rt.query_event(event) == (0, 0)
    assert acl.rt.query_event_status(event) == (0, 0)
    assert acl.rt.query_event_wait_status(event) == (0, 0)
    assert acl.rt.synchronize_event(event) == 0
    assert acl.rt.synchronize_event_with_timeout(event, 1) == 0
    assert acl.rt.stream_wait_event(0, event) == 0
    extended, _ = acl.rt.create_event_ex_with_flag(1)
    assert acl.rt.query_event_status(extended) == (1, 0)


@pytest.mark.parametrize("flags", [1, 2, 8, 3, 9, 11, 0x20])
@pytest.mark.parametrize("call", ["create_event_with_flag", "create_event_ex_with_flag"])
def test_event_flags(acl, call, flags):
    event, ret = getattr(acl.rt, call)(flags)
    assert ret == 0
    assert acl.rt.destroy_event(event) == 0


@pytest.mark.parametrize("flags", [0, 4, 0x21, 16, -1])
@pytest.mark.parametrize("call", ["create_event_with_flag", "create_event_ex_with_flag"])
def test_wrong_event_flags(acl, call, flags):
    assert getattr(acl.rt, call)(flags) == (0, codes.RT_PARAM_INVALID)


def test_a_stream_cannot_wait_for_an_event_without_the_flag(acl):
    event, _ = acl.rt.create_event_with_flag(8)
    assert acl.rt.stream_wait_event(0, event) == codes.RT_PARAM_INVALID


def test_extended_events_answer_less(acl):
    event, _ = acl.rt.create_event_ex_with_flag(1)
    assert acl.rt.reset_event(event, 0) == codes.RT_FEATURE_NOT_SUPPORT
    assert acl.rt.query_event(event) == (0, codes.RT_FEATURE_NOT_SUPPORT)
    assert acl.rt.query_event_wait_status(event) == (0, codes.RT_FEATURE_NOT_SUPPORT)


def test_a_reset_event_is_as_if_never_recorded(acl, program):
    event, _ = acl.rt.create_event_with_flag(9)
    acl.rt.record_event(event, 0)
    acl.rt.synchronize_stream(0)
    assert acl.rt.query_event_status(event) == (1, 0)
    assert acl.rt.reset_event(event, 0) == 0
    assert acl.rt.query_event_status(event) == (1, 0)
    acl.rt.synchronize_stream(0)
    assert acl.rt.query_event_status(event) == (0, 0)


def test_elapsed_time(acl, program):
    start, end = program.event(), program.event()
    assert acl.rt.event_elapsed_time(start, end) == (0.0, codes.RT_INTERNAL_ERROR)
    acl.rt.record_event(start, 0)
    acl.rt.record_event(end, 0)
    assert acl.rt.event_elapsed_time(start, end) == (0.0, codes.RT_EVENT_TIMESTAMP_INVALID)
    assert acl.rt.event_get_timestamp(start) == (0, codes.RT_EVENT_TIMESTAMP_INVALID)
    acl.rt.synchronize_event(end)
    forward, ret = acl.rt.event_elapsed_time(start, end)
    assert ret == 0
    assert isinstance(forward, float)
    assert forward >= 0
    backward, ret = acl.rt.event_elapsed_time(end, start)
    assert (backward, ret) == (-forward, 0)
    early, late = acl.rt.event_get_timestamp(start)[0], acl.rt.event_get_timestamp(end)[0]
    assert early <= late


@pytest.mark.parametrize(("flags", "code"), [(0x20, codes.RT_FEATURE_NOT_SUPPORT), (1, codes.RT_INTERNAL_ERROR)])
def test_events_without_a_time(acl, flags, code):
    event, _ = acl.rt.create_event_with_flag(flags)
    acl.rt.record_event(event, 0)
    acl.rt.synchronize_stream(0)
    assert acl.rt.event_elapsed_time(event, event) == (0.0, code)


def test_dead_events(acl, program):
    event = program.event()
    assert acl.rt.destroy_event(event) == 0
    for call in (acl.rt.destroy_event, acl.rt.synchronize_event):
        assert call(event) == codes.INVALID_PARAM
        assert call(0) == codes.INVALID_PARAM
    assert acl.rt.record_event(event, 0) == codes.INVALID_PARAM
    assert acl.rt.stream_wait_event(0, event) == codes.INVALID_PARAM
    assert acl.rt.query_event_status(event) == (0, codes.INVALID_PARAM)


def test_the_argument_orders_of_record_and_wait_differ(acl, program):
    stream, event = program.stream(), program.event()
    assert acl.rt.record_event(event, stream) == 0
    assert acl.rt.record_event(stream, event) == codes.INVALID_PARAM
    assert acl.rt.stream_wait_event(stream, event) == 0
    assert acl.rt.stream_wait_event(event, stream) == codes.INVALID_PARAM


@pytest.mark.parametrize("timeout", [0, -2])
def test_senseless_timeouts(acl, program, timeout):
    event = program.event()
    assert acl.rt.synchronize_stream_with_timeout(0, timeout) == codes.RT_PARAM_INVALID
    assert acl.rt.synchronize_device_with_timeout(timeout) == codes.RT_PARAM_INVALID
    assert acl.rt.synchronize_event_with_timeout(event, timeout) == codes.RT_PARAM_INVALID


def test_timed_waits_run_out_when_the_device_hangs(acl, program, block):
    event = program.event()
    queue(acl, block, 1, 0)
    acl.rt.record_event(event, 0)
    with faults.stall():
        assert acl.rt.synchronize_stream_with_timeout(0, 1) == codes.RT_STREAM_SYNC_TIMEOUT
        assert acl.rt.synchronize_device_with_timeout(1) == codes.RT_STREAM_SYNC_TIMEOUT
        assert acl.rt.synchronize_event_with_timeout(event, 1) == codes.RT_EVENT_SYNC_TIMEOUT
        assert acl.rt.stream_query(0) == (1, 0)
        assert value(program, block) == 0
    assert acl.rt.synchronize_stream_with_timeout(0, 60_000) == 0
    assert value(program, block) == 1


def test_a_wait_without_limit_outlasts_the_stall(acl, program, block):
    queue(acl, block, 1, 0)
    context, _ = acl.rt.get_context()
    results = []

    def wait():
        acl.rt.set_context(context)
        results.append(acl.rt.synchronize_stream(0))

    with faults.stall():
        thread = threading.Thread(target=wait)
        thread.start()
        assert not results
    thread.join()
    assert results == [0]
    assert value(program, block) == 1


def test_a_failure_shows_at_synchronisation_and_the_stream_goes_on(acl, program, block):
    stream = program.stream()
    free_under_way(acl, block, stream)
    queue(acl, block, 2, stream)
    assert acl.get_recent_err_msg() is None
    assert acl.rt.synchronize_stream(stream) == codes.RT_SYS_DMA
    assert "freed" in program.message()
    assert acl.rt.peek_at_last_error(0) == codes.RT_SYS_DMA
    assert acl.rt.get_last_error(0) == codes.RT_SYS_DMA
    assert acl.rt.get_last_error(0) == 0
    assert value(program, block) == 2
    queue(acl, block, 3, stream)
    assert acl.rt.synchronize_stream(stream) == 0
    assert value(program, block) == 3


def test_a_failure_is_told_to_the_thread_that_waits(acl, program, block, elsewhere):
    context, _ = acl.rt.get_context()
    free_under_way(acl, block, 0)

    def wait():
        acl.rt.set_context(context)
        return acl.rt.synchronize_stream(0), acl.get_recent_err_msg(), acl.rt.get_last_error(0)

    code, text, last = elsewhere(wait)
    assert code == last == codes.RT_SYS_DMA
    assert "freed" in text
    assert acl.get_recent_err_msg() is None
    assert acl.rt.get_last_error(0) == 0


def test_a_stream_that_stops_on_failures_drops_the_rest(acl, program, block):
    stream, event = program.stream(), program.event()
    assert acl.rt.set_stream_failure_mode(stream, 1) == 0
    free_under_way(acl, block, stream)
    queue(acl, block, 2, stream)
    acl.rt.record_event(event, stream)
    assert acl.rt.synchronize_stream(stream) == codes.RT_SYS_DMA
    assert value(program, block) == 0
    assert acl.rt.query_event_status(event) == (1, 0)
    assert acl.rt.set_stream_failure_mode(stream, 0) == codes.RT_FEATURE_NOT_SUPPORT
    queue(acl, block, 3, stream)
    assert acl.rt.synchronize_stream(stream) == 0
    assert value(program, block) == 3


def test_an_event_wait_tells_the_failure_before_it(acl, program, block):
    event = program.event()
    free_under_way(acl, block, 0)
    acl.rt.record_event(event, 0)
    assert acl.rt.synchronize_event(event) == codes.RT_SYS_DMA
    assert acl.rt.synchronize_stream(0) == 0


def test_device_synchronisation_tells_failures_of_any_stream(acl, program, block):
    stream = program.stream()
    free_under_way(acl, block, stream)
    assert acl.rt.synchronize_device() == codes.RT_SYS_DMA
    assert acl.rt.synchronize_stream(stream) == 0


@pytest.mark.parametrize("level", [1, -1])
def test_only_the_threads_level_of_errors_exists(acl, level):
    assert acl.rt.peek_at_last_error(level) == codes.INVALID_PARAM
    assert acl.rt.get_last_error(level) == codes.INVALID_PARAM


def test_configured_streams(acl):
    stream, ret = acl.rt.create_stream_with_config(100, 3)
    assert ret == 0
    assert acl.rt.destroy_stream(stream) == 0
    assert acl.rt.create_stream_with_config(0, 4) == (0, codes.RT_PARAM_INVALID)


def test_the_overflow_switch(acl, program):
    stream = program.stream()
    assert acl.rt.get_stream_overflow_switch(stream) == (0, 0)
    assert acl.rt.set_stream_overflow_switch(stream, 1) == 0
    assert acl.rt.get_stream_overflow_switch(stream) == (1, 0)
    assert acl.rt.set_stream_overflow_switch(stream, 2) == codes.INVALID_PARAM


def test_streams_have_numbers(acl, program):
    numbers = [acl.rt.stream_get_id(program.stream()) for _ in range(3)]
    assert len(set(numbers)) == 3
    assert {ret for _, ret in numbers} == {0}


# Copies on streams.


def test_a_copy_with_page_locked_memory_is_queued(acl, program, block):
    host, _ = acl.rt.malloc_host(8)
    program.acl.rt.memset(host, 8, 5, 8)
    assert acl.rt.memcpy_async(block, 8, host, 8, 1, 0) == 0
    assert value(program, block) == 0
    acl.rt.synchronize_stream(0)
    assert value(program, block) == 5


def test_a_copy_with_ordinary_memory_waits_for_the_stream(acl, program, block):
    queue(acl, block, 1, 0)
    target = bytes(bytearray(8))
    assert acl.rt.memcpy_async(acl.util.bytes_to_ptr(target), 8, block, 8, 2, 0) == 0
    assert target == b"\1" * 8


def test_a_copy_that_waits_tells_what_failed_before(acl, program, block):
    free_under_way(acl, block, 0)
    target = bytes(bytearray(8))
    assert acl.rt.memcpy_async(acl.util.bytes_to_ptr(target), 8, block, 8, 2, 0) == codes.RT_SYS_DMA


def test_copies_inside_the_device_are_queued(acl, program, block):
    source = program.upload(b"abcdefgh")
    assert acl.rt.memcpy_async(block, 8, source, 8, 3, 0) == 0
    assert value(program, block) == 0
    acl.rt.synchronize_stream(0)
    assert program.read(block, 8) == b"abcdefgh"


def test_ordinary_memory_cannot_be_set_on_a_stream(acl):
    ordinary = bytes(bytearray(8))
    assert acl.rt.memset_async(acl.util.bytes_to_ptr(ordinary), 8, 1, 8, 0) == codes.RT_PARAM_INVALID


def test_host_to_host_is_not_asynchronous(acl):
    host, _ = acl.rt.malloc_host(16)
    assert acl.rt.memcpy_async(host, 8, host + 8, 8, 0, 0) == codes.RT_FEATURE_NOT_SUPPORT


def test_page_locked_memory_freed_too_early_is_a_failure_and_no_crash(acl, program, block):
    host, _ = acl.rt.malloc_host(2**16)
    assert acl.rt.memcpy_async(block, 8, host, 8, 1, 0) == 0
    assert acl.rt.free_host(host) == 0
    # The address means ordinary memory now, or nothing: the copy is not made.
    assert acl.rt.synchronize_stream(0) == codes.RT_SYS_DMA


def test_rows_are_copied_on_streams(acl, program):
    device = program.upload(bytes(16))
    host, _ = acl.rt.malloc_host(8)
    acl.rt.memset(host, 8, 9, 8)
    assert acl.rt.memcpy2d_async(device, 8, host, 4, 4, 2, 1, 0) == 0
    assert program.read(device, 16) == bytes(16)
    acl.rt.synchronize_stream(0)
    assert program.read(device, 16) == (b"\x09" * 4 + bytes(4)) * 2


def test_threads_with_streams_of_their_own_do_not_disturb_each_other(acl, program):
    context, _ = acl.rt.get_context()
    blocks = [program.upload(bytes(8)) for _ in range(4)]
    failures = []

    def work(number):
        acl.rt.set_context(context)
        stream, _ = acl.rt.create_stream()
        for step in range(300):
            acl.rt.memset_async(blocks[number], 8, (step + number) % 256, 8, stream)
            if step % 7 == 0:
                failures.append(acl.rt.synchronize_stream(stream))
        failures.append(acl.rt.destroy_stream(stream))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not any(failures)
    assert [value(program, block) for block in blocks] == [(299 + n) % 256 for n in range(4)]


def test_threads_sharing_a_stream_corrupt_nothing(acl, program, block):
    context, _ = acl.rt.get_context()
    stream = program.stream()

    def work():
        acl.rt.set_context(context)
        for _ in range(3000):
            acl.rt.memset_async(block, 8, 1, 8, stream)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert acl.rt.synchronize_stream(stream) == 0
    assert acl.rt.stream_query(stream) == (0, 0)
    assert value(program, block) == 1


STREAM, EVENT = st.integers(0, 2), st.integers(0, 2)
STEPS = st.one_of(
    st.tuples(st.just("work"), STREAM),
    st.tuples(st.just("record"), STREAM, EVENT),
    st.tuples(st.just("wait"), STREAM, EVENT),
    st.tuples(st.just("synchronize"), STREAM),
    st.tuples(st.just("poll"), STREAM),
)


@hypothesis.settings(derandomize=True, deadline=None, max_examples=200)
@hypothesis.given(st.lists(STEPS, max_size=40))
def test_any_program_of_streams_and_events_keeps_its_order(steps):
    """Each piece of work runs once, after all that its stream and the events it waited for order before it."""
    embedded.reset(soc="Ascend910B1", devices=1)
    rt = embedded.acl_module().rt
    rt.set_device(0)
    handles = [rt.create_stream()[0] for _ in range(3)]
    events = [rt.create_event()[0] for _ in range(3)]
    ran = []
    # What must have run before the next work of each stream, and before each event's record.
    before = [set() for _ in handles]
    recorded = [set() for _ in events]
    required = {}
    for number, (what, place, *rest) in enumerate(steps):
        if what == "work":
            required[number] = set(before[place])
            streams.STREAMS.get(handles[place]).put(ran.append, number)
            before[place].add(number)
        elif what == "record":
            assert rt.record_event(events[rest[0]], handles[place]) == 0
            recorded[rest[0]] = set(before[place])
        elif what == "wait":
            assert rt.stream_wait_event(handles[place], events[rest[0]]) == 0
            before[place] |= recorded[rest[0]]
        elif what == "poll":
            assert rt.stream_query(handles[place])[1] == 0
        else:
            assert rt.synchronize_stream(handles[place]) == 0
            assert before[place] <= set(ran)
    assert rt.synchronize_device() == 0
    assert sorted(ran) == sorted(required)
    for index, number in enumerate(ran):
        assert required[number] <= set(ran[:index])


def test_live_streams_and_events_are_reported(acl, program):
    stream, event = program.stream(), program.event()
    live = embedded.live_handles()
    assert live["stream"] == [stream]
    assert live["event"] == [event]
