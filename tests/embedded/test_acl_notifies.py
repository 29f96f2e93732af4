"""Notifies and values that streams wait for, callbacks that call, and threads that meet on a stream."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from ascendtensor.embedded import codes


def test_a_stream_waits_for_another_ones_notify(acl, program):
    first, second = program.stream(), program.stream()
    notify, ret = acl.rt.create_notify(0)
    assert ret == 0
    address = program.upload(np.zeros(8, np.uint8))
    assert acl.rt.wait_and_reset_notify(notify, second, 0) == 0
    assert acl.rt.memset_async(address, 8, 2, 8, second) == 0
    assert acl.rt.memset_async(address, 8, 1, 8, first) == 0
    assert acl.rt.record_notify(notify, first) == 0
    assert acl.rt.synchronize_stream(second) == 0
    assert program.read(address, 8) == b"\2" * 8
    assert acl.rt.destroy_notify(notify) == 0
    assert acl.rt.destroy_notify(notify) == codes.INVALID_PARAM


def test_a_wait_lowers_the_notify(acl, program):
    notify, _ = acl.rt.create_notify(0)
    assert acl.rt.record_notify(notify, 0) == 0
    assert acl.rt.wait_and_reset_notify(notify, 0, 0) == 0
    assert acl.rt.synchronize_stream(0) == 0
    for milliseconds in (1, 0):
        # Nobody records it again: in time, or ever.
        assert acl.rt.wait_and_reset_notify(notify, 0, milliseconds) == 0
        assert acl.rt.synchronize_stream(0) == codes.RT_WAIT_TIMEOUT
        assert "nobody records" in program.message()


def test_a_notify_of_another_thread_comes_in_time(acl, program):
    notify, _ = acl.rt.create_notify(0)
    context, _ = acl.rt.get_context()
    other = program.stream()
    results = []

    def record():
        results.append(acl.rt.set_context(context))
        results.append(acl.rt.record_notify(notify, other))
        results.append(acl.rt.synchronize_stream(other))

    assert acl.rt.wait_and_reset_notify(notify, 0, 60_000) == 0
    thread = threading.Thread(target=record)
    thread.start()
    assert acl.rt.synchronize_stream(0) == 0
    thread.join()
    assert results == [0, 0, 0]


def test_notifies_have_numbers_keys_and_are_lowered_together(acl):
    notify, _ = acl.rt.create_notify(0)
    number, ret = acl.rt.get_notify_id(notify)
    assert ret == 0
    assert number < 8192
    key, ret = acl.rt.notify_get_export_key(notify, 65, 0)
    assert ret == 0
    assert acl.rt.notify_set_import_pid(notify, [1]) == 0
    same, ret = acl.rt.notify_import_by_key(key, 0)
    assert ret == 0
    assert acl.rt.record_notify(same, 0) == 0
    assert acl.rt.wait_and_reset_notify(notify, 0, 1) == 0
    assert acl.rt.synchronize_stream(0) == 0
    assert acl.rt.record_notify(notify, 0) == 0
    assert acl.rt.synchronize_stream(0) == 0
    assert acl.rt.notify_batch_reset([notify, same]) == 0
    assert acl.rt.wait_and_reset_notify(notify, 0, 1) == 0
    assert acl.rt.synchronize_stream(0) == codes.RT_WAIT_TIMEOUT
    assert acl.rt.notify_batch_reset([notify, 0]) == codes.INVALID_PARAM
    assert acl.rt.notify_batch_reset([]) == codes.INVALID_PARAM


@pytest.mark.parametrize("milliseconds", [-1, 2**32])
def test_a_limit_that_is_none(acl, milliseconds):
    notify, _ = acl.rt.create_notify(0)
    with pytest.raises(TypeError, match="wait_and_reset_notify args parse failed"):
        acl.rt.wait_and_reset_notify(notify, 0, milliseconds)


@pytest.mark.parametrize(
    ("condition", "start", "value", "holds"),
    [(0, 5, 4, True), (0, 3, 4, False), (1, 4, 4, True), (1, 5, 4, False), (2, 6, 2, True), (2, 4, 2, False)],
)
def test_a_stream_waits_for_a_value(acl, program, condition, start, value, holds):
    address = program.upload(np.array([start, 0], np.uint64))
    assert acl.rt.value_wait(address, value, condition, 0) == 0
    assert acl.rt.value_write(address + 8, 9, 0, 0) == 0
    assert acl.rt.synchronize_stream(0) == (0 if holds else codes.RT_WAIT_TIMEOUT)
    assert acl.rt.value_wait(address, value, 4, 0) == codes.INVALID_PARAM
    assert acl.rt.value_write(address + 1, 9, 0, 0) == codes.RT_PARAM_INVALID


def test_a_value_that_another_stream_writes(acl, program):
    address = program.upload(np.zeros(1, np.uint64))
    first, second = program.stream(), program.stream()
    assert acl.rt.value_wait(address, 7, 1, second) == 0
    assert acl.rt.value_write(address, 7, 0, first) == 0
    assert acl.rt.synchronize_stream(second) == 0


# Threads.


@pytest.fixture
def add(acl, program):
    """Execute an operator on a stream; gives the code."""
    desc, buffer, _ = program.tensor(np.ones(8, np.float32))

    def execute(stream):
        return acl.op.execute_v2("Add", [desc, desc], [buffer, buffer], [desc], [buffer], 0, stream)

    return execute


@pytest.fixture
def second_thread(acl):
    """Call something in one other thread that stays alive, in the same context."""
    context, _ = acl.rt.get_context()
    wanted, done, over = threading.Semaphore(0), threading.Semaphore(0), []
    results = []

    def serve():
        acl.rt.set_context(context)
        while wanted.acquire() and not over:
            call, args = results.pop()
            results.append((call(*args), acl.get_recent_err_msg()))
            done.release()

    thread = threading.Thread(target=serve)
    thread.start()

    def call(function, *args):
        results.append((function, args))
        wanted.release()
        done.acquire()
        return results.pop()

    yield call
    over.append(True)
    wanted.release()
    thread.join()


@pytest.mark.parametrize("default", [True, False])
def test_two_threads_on_one_stream_are_told(acl, program, add, second_thread, default):
    stream = 0 if default else program.stream()
    assert add(stream) == 0
    code, text = second_thread(add, stream)
    assert code == codes.GE_FAILURE
    assert "two threads" in text
    assert "Add" in text
    # After a synchronisation the other one may take over, and this one is the stranger.
    assert acl.rt.synchronize_stream(stream) == 0
    assert second_thread(add, stream)[0] == 0
    assert add(stream) == codes.GE_FAILURE
    assert second_thread(acl.rt.synchronize_stream, stream)[0] == 0
    assert add(stream) == 0


def test_two_threads_on_two_streams_are_fine(acl, program, add, second_thread):
    first, second = program.stream(), program.stream()
    for _ in range(3):
        assert add(first) == 0
        assert second_thread(add, second)[0] == 0
    assert acl.rt.synchronize_device() == 0


def test_a_thread_that_has_ended_leaves_its_stream_to_others(acl, program, add, elsewhere):
    stream = program.stream()
    context, _ = acl.rt.get_context()
    assert elsewhere(lambda: (acl.rt.set_context(context), add(stream))) == (0, 0)
    assert add(stream) == 0


def test_other_work_is_no_operator(acl, program, add, second_thread):
    stream = program.stream()
    address = program.upload(np.zeros(8, np.uint8))
    assert add(stream) == 0
    assert acl.rt.synchronize_stream(stream) == 0
    assert acl.rt.memset_async(address, 8, 1, 8, stream) == 0
    assert second_thread(add, stream)[0] == 0


# Callbacks that call.


@pytest.fixture
def reporting(acl, program):
    """A stream and the thread that runs its callbacks, ended after the test."""
    context, _ = acl.rt.get_context()
    stream = program.stream()
    over = threading.Event()

    def report(args):
        acl.rt.set_context(context)
        while not over.is_set():
            acl.rt.process_report(10)

    thread, ret = acl.util.start_thread(report, [])
    assert ret == 0
    assert acl.rt.subscribe_report(thread, stream) == 0
    yield stream
    assert acl.rt.unsubscribe_report(thread, stream) == 0
    over.set()
    assert acl.util.stop_thread(thread) == 0


@pytest.mark.parametrize("block", [0, 1])
def test_calls_within_a_callback_do_not_deadlock(acl, program, reporting, add, block):
    other = program.stream()
    address = program.upload(np.zeros(8, np.uint8))
    done = threading.Event()
    results = []

    def callback(data):
        results.append(add(other))
        results.append(acl.rt.synchronize_stream(other))
        results.append(acl.rt.memset(address, 8, 1, 8))
        results.append(acl.rt.launch_callback(lambda _: done.set(), None, 0, reporting))
        # A stream that waits for this very callback can never come to its end.
        results.append(acl.rt.synchronize_stream(reporting))

    assert acl.rt.launch_callback(callback, ["data"], block, reporting) == 0
    assert acl.rt.synchronize_stream(reporting) == 0
    assert done.wait(60)
    assert results[:4] == [0, 0, 0, 0]
    assert results[4] in ((codes.RT_STREAM_SYNC_TIMEOUT,) if block else (0, codes.RT_STREAM_SYNC_TIMEOUT))


def test_a_callback_about_a_failure_may_call(acl, program):
    stream = program.stream()
    address = program.upload(np.zeros(8, np.uint8))
    results = []

    def callback(info):
        results.append(acl.rt.get_error_code_from_exception_info(info))
        results.append(acl.rt.memset(address, 8, 1, 8))
        results.append(acl.rt.synchronize_stream(stream))

    assert acl.rt.set_exception_info_callback(callback) == 0
    assert acl.rt.memset_async(address, 9, 1, 9, stream) == 0
    assert acl.rt.memset_async(address, 8, 1, 8, stream) == 0
    assert acl.rt.synchronize_stream(stream) in (0, codes.RT_SYS_DMA)
    assert results[:2] == [codes.RT_SYS_DMA, 0]


@pytest.mark.parametrize("block", [0, 1])
def test_waiting_for_callbacks_that_nobody_will_run_ends(acl, program, block):
    stream = program.stream()
    assert acl.rt.subscribe_report(threading.get_ident(), stream) == 0
    assert acl.rt.launch_callback(lambda data: None, None, block, stream) == 0
    assert acl.rt.memset_async(program.upload(np.zeros(8, np.uint8)), 8, 1, 8, stream) == 0
    assert acl.rt.synchronize_stream(stream) == (codes.RT_STREAM_SYNC_TIMEOUT if block else 0)
    assert acl.rt.process_report(-1) == 0
    assert acl.rt.synchronize_stream(stream) == 0
    assert acl.rt.process_report(-1) == codes.RT_REPORT_TIMEOUT


def test_unsubscribing_lets_a_waiting_stream_go(acl, program):
    stream = program.stream()
    assert acl.rt.subscribe_report(threading.get_ident(), stream) == 0
    assert acl.rt.launch_callback(lambda data: None, None, 1, stream) == 0
    assert acl.rt.synchronize_stream(stream) == codes.RT_STREAM_SYNC_TIMEOUT
    assert acl.rt.unsubscribe_report(threading.get_ident(), stream) == 0
    assert acl.rt.synchronize_stream(stream) == 0
