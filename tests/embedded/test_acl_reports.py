"""Callbacks from streams, and about failures."""

from __future__ import annotations

import threading

import pytest

from ascendtensor.embedded import codes

NO_BLOCK, BLOCK = 0, 1


@pytest.fixture
def reporter(acl):
    """A report thread serving the default stream; it stops at the end of the test."""
    context, _ = acl.rt.get_context()
    going, results = [True], []

    def serve(wait):
        acl.rt.set_context(context)
        while going:
            results.append(acl.rt.process_report(wait))

    thread, ret = acl.util.start_thread(serve, 10)
    assert ret == 0
    assert acl.rt.subscribe_report(thread, 0) == 0
    yield thread
    going.clear()
    assert acl.util.stop_thread(thread) == 0
    assert set(results) <= {0, codes.RT_REPORT_TIMEOUT, codes.RT_THREAD_SUBSCRIBE}


def test_a_blocking_callback_runs_before_the_stream_goes_on(acl, program, reporter):
    block = program.upload(bytes(8))
    seen = []

    def look(offset):
        seen.append((threading.get_ident(), program.read(block, 8)[offset]))

    acl.rt.memset_async(block, 8, 1, 8, 0)
    assert acl.rt.launch_callback(look, 3, BLOCK, 0) == 0
    acl.rt.memset_async(block, 8, 2, 8, 0)
    assert not seen or seen == [(reporter, 1)]
    assert acl.rt.synchronize_stream(0) == 0
    assert seen == [(reporter, 1)]
    assert program.read(block, 8)[0] == 2


def test_callbacks_come_in_order_and_without_a_wait(acl, reporter):
    seen, done = [], threading.Event()
    for number in range(5):
        assert acl.rt.launch_callback(seen.append, number, NO_BLOCK, 0) == 0
    assert acl.rt.launch_callback(lambda event: event.set(), done, NO_BLOCK, 0) == 0
    assert done.wait(60)
    assert seen == [0, 1, 2, 3, 4]


def test_a_blocking_callback_may_use_other_streams(acl, program, reporter):
    other, results = program.stream(), []
    block = program.upload(bytes(8))
    acl.rt.memset_async(block, 8, 7, 8, other)
    acl.rt.launch_callback(lambda stream: results.append(acl.rt.synchronize_stream(stream)), other, BLOCK, 0)
    assert acl.rt.synchronize_stream(0) == 0
    assert results == [0]
    assert program.read(block, 8)[0] == 7


def test_launching_where_nobody_listens(acl):
    assert acl.rt.launch_callback(print, 0, NO_BLOCK, 0) == codes.RT_STREAM_NO_CB_REG
    assert acl.rt.launch_callback(print, 0, 2, 0) == codes.INVALID_PARAM
    with pytest.raises(TypeError, match="callable"):
        acl.rt.launch_callback(3, 0, NO_BLOCK, 0)


def test_subscriptions(acl, program):
    me = threading.get_ident()
    stream = program.stream()
    assert acl.rt.unsubscribe_report(me, stream) == codes.RT_STREAM_SUBSCRIBE
    assert acl.rt.subscribe_report(me, stream) == 0
    assert acl.rt.subscribe_report(me, stream) == codes.RT_STREAM_SUBSCRIBE
    acl.rt.set_device(1)
    assert acl.rt.subscribe_report(me, 0) == codes.RT_THREAD_SUBSCRIBE
    acl.rt.set_device(0)
    assert acl.rt.unsubscribe_report(me, stream) == 0
    assert acl.rt.subscribe_report(me, 12345) == codes.INVALID_PARAM


def test_processing_reports_in_one_thread(acl):
    me = threading.get_ident()
    assert acl.rt.process_report(1) == codes.RT_THREAD_SUBSCRIBE
    assert acl.rt.subscribe_report(me, 0) == 0
    assert [acl.rt.process_report(wait) for wait in (0, -2)] == [codes.INVALID_PARAM] * 2
    assert acl.rt.process_report(1) == codes.RT_REPORT_TIMEOUT
    seen = []
    acl.rt.launch_callback(seen.append, 1, BLOCK, 0)
    assert acl.rt.process_report(-1) == 0
    assert seen == [1]
    assert acl.rt.synchronize_stream(0) == 0


def test_an_exception_in_a_callback_comes_out_of_process_report(acl):
    acl.rt.subscribe_report(threading.get_ident(), 0)
    seen = []
    acl.rt.launch_callback(lambda _: 1 / 0, None, NO_BLOCK, 0)
    acl.rt.launch_callback(seen.append, 2, NO_BLOCK, 0)
    acl.rt.synchronize_stream(0)
    with pytest.raises(ZeroDivisionError):
        acl.rt.process_report(-1)
    assert seen == [2]


def test_a_callback_after_the_end_of_the_subscription_is_a_failure(acl):
    me = threading.get_ident()
    acl.rt.subscribe_report(me, 0)
    acl.rt.launch_callback(print, 0, NO_BLOCK, 0)
    acl.rt.unsubscribe_report(me, 0)
    assert acl.rt.synchronize_stream(0) == codes.RT_STREAM_NO_CB_REG


def fail(acl):
    """Let a task fail; gives what synchronisation says."""
    address, _ = acl.rt.malloc(8, 0)
    acl.rt.memset_async(address, 8, 0, 8, 0)
    acl.rt.free(address)
    return acl.rt.synchronize_stream(0)


def test_failures_are_told_to_a_callback(acl):
    facts = []

    def note(info):
        facts.append(
            [
                acl.rt.get_error_code_from_exception_info(info),
                acl.rt.get_device_id_from_exception_info(info),
                acl.rt.get_stream_id_from_exception_info(info),
                acl.rt.get_thread_id_from_exception_info(info),
                acl.rt.get_task_id_from_exception_info(info),
            ]
        )
        facts.append(info)

    assert acl.rt.set_exception_info_callback(note) == 0
    assert fail(acl) == codes.RT_SYS_DMA
    known, info = facts
    default, _ = acl.rt.ctx_get_current_default_stream()
    assert known[:3] == [codes.RT_SYS_DMA, 0, acl.rt.stream_get_id(default)[0]]
    assert 0xFFFFFFFF not in known
    assert acl.rt.get_error_code_from_exception_info(info) == 0xFFFFFFFF
    assert acl.rt.get_error_code_from_exception_info(0) == 0xFFFFFFFF
    assert acl.rt.set_exception_info_callback() == 0
    assert fail(acl) == codes.RT_SYS_DMA
    assert len(facts) == 2


def test_a_failure_callback_that_raises_is_removed(acl, program):
    seen = []

    def broken(info):
        seen.append(info)
        raise KeyError("mine")

    acl.rt.set_exception_info_callback(broken)
    assert fail(acl) == codes.RT_SYS_DMA
    assert "KeyError('mine')" in program.message()
    assert fail(acl) == codes.RT_SYS_DMA
    assert len(seen) == 1
    with pytest.raises(TypeError, match="callable"):
        acl.rt.set_exception_info_callback(3)
    assert acl.rt.set_exception_info_callback(None) == 0
