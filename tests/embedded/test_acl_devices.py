"""Devices and contexts."""

from __future__ import annotations

import pytest

from ascendtensor import embedded
from ascendtensor.embedded import codes


@pytest.mark.parametrize("index", [-1, 2, 100])
@pytest.mark.parametrize("call", ["set_device", "reset_device", "reset_device_force", "create_context"])
def test_a_device_that_is_not_there(bare, call, index):
    result = getattr(bare.rt, call)(index)
    assert result in (codes.RT_INVALID_DEVICEID, (0, codes.RT_INVALID_DEVICEID))


def test_setting_a_device_gives_the_thread_its_primary_context(bare):
    assert bare.rt.get_device() == (0, codes.RT_CONTEXT_NULL)
    assert bare.rt.get_context() == (0, codes.RT_CONTEXT_NULL)
    assert bare.rt.set_device(1) == 0
    assert bare.rt.get_device() == (1, 0)
    context, ret = bare.rt.get_context()
    assert ret == 0
    assert bare.rt.set_device(0) == 0
    assert bare.rt.set_device(1) == 0
    assert bare.rt.get_context() == (context, 0)


def test_resets_are_counted(bare):
    for _ in range(2):
        assert bare.rt.set_device(0) == 0
    assert bare.rt.get_primary_ctx_state(0) == (1, 0, 0)
    assert bare.rt.reset_device(0) == 0
    assert bare.rt.get_device() == (0, 0)
    assert bare.rt.reset_device(0) == 0
    assert bare.rt.get_primary_ctx_state(0) == (0, 0, 0)
    assert bare.rt.get_device() == (0, codes.RT_CONTEXT_NULL)
    assert bare.rt.reset_device(0) == codes.RT_CONTEXT_RELEASE_ERROR
    assert bare.rt.reset_device_force(0) == codes.RT_CONTEXT_RELEASE_ERROR


def test_a_forced_reset_does_not_count(bare):
    for _ in range(3):
        assert bare.rt.set_device(0) == 0
    assert bare.rt.reset_device_force(0) == 0
    assert bare.rt.get_device() == (0, codes.RT_CONTEXT_NULL)


def test_the_last_reset_takes_back_what_is_left(acl, program):
    address = program.upload(b"1234")
    stream = program.stream()
    free, total, _ = acl.rt.get_mem_info(1)
    assert free < total
    assert acl.rt.reset_device(0) == 0
    assert ("device memory", address) in embedded.reclaimed_handles()
    assert ("stream", stream) in embedded.reclaimed_handles()
    assert "device memory" not in embedded.live_handles()
    assert acl.rt.free(address) == codes.RT_PARAM_INVALID
    assert acl.rt.set_device(0) == 0
    assert acl.rt.get_mem_info(1) == (total, total, 0)


def test_an_explicit_context_becomes_current(acl):
    primary, _ = acl.rt.get_context()
    context, ret = acl.rt.create_context(1)
    assert ret == 0
    assert acl.rt.get_context() == (context, 0)
    assert acl.rt.get_device() == (1, 0)
    assert acl.rt.set_context(primary) == 0
    assert acl.rt.get_device() == (0, 0)
    assert acl.rt.destroy_context(context) == 0


def test_setting_a_device_forgets_an_explicit_context(acl):
    primary, _ = acl.rt.get_context()
    context, _ = acl.rt.create_context(0)
    assert acl.rt.set_device(0) == 0
    assert acl.rt.get_context() == (primary, 0)
    assert acl.rt.destroy_context(context) == 0


def test_destroying_contexts(acl):
    context, _ = acl.rt.create_context(0)
    assert acl.rt.destroy_context(0) == codes.INVALID_PARAM
    assert acl.rt.destroy_context(context) == 0
    assert acl.rt.get_context() == (0, codes.RT_CONTEXT_NULL)
    assert acl.rt.destroy_context(context) == codes.RT_CONTEXT_NULL
    assert acl.rt.set_context(context) == codes.RT_CONTEXT_NULL
    assert acl.rt.set_context(0) == codes.INVALID_PARAM


def test_the_primary_context_cannot_be_destroyed(acl):
    context, _ = acl.rt.get_context()
    assert acl.rt.destroy_context(context) == codes.RT_CONTEXT_NULL
    assert acl.rt.get_context() == (context, 0)


def test_memory_belongs_to_the_device_and_not_to_the_context(acl, program):
    first, _ = acl.rt.create_context(0)
    address = program.upload(b"1234")
    assert acl.rt.set_device(0) == 0
    assert program.read(address, 4) == b"1234"
    assert acl.rt.destroy_context(first) == 0
    assert acl.rt.free(address) == 0


# A thread starts without a context, whatever the thread that started it had.
WITHOUT_CONTEXT = [
    ("malloc", (8, 0), (0, codes.RT_CONTEXT_NULL)),
    ("malloc_host", (8,), (0, codes.RT_CONTEXT_NULL)),
    ("get_mem_info", (1,), (0, 0, codes.RT_CONTEXT_NULL)),
    ("create_stream", (), (0, codes.RT_CONTEXT_NULL)),
    ("create_event", (), (0, codes.RT_CONTEXT_NULL)),
    ("get_device", (), (0, codes.RT_CONTEXT_NULL)),
    ("ctx_get_current_default_stream", (), (0, codes.RT_CONTEXT_NULL)),
    ("ctx_set_sys_param_opt", (0, 1), codes.RT_CONTEXT_NULL),
    ("ctx_get_sys_param_opt", (0,), (0, codes.RT_CONTEXT_NULL)),
    ("memcpy", (64, 8, 128, 8, 1), codes.RT_CONTEXT_NULL),
    ("memset", (64, 8, 0, 8), codes.RT_CONTEXT_NULL),
    ("synchronize_stream", (0,), codes.RT_CONTEXT_NULL),
    ("synchronize_device", (), codes.RT_CONTEXT_NULL),
]


@pytest.mark.parametrize(("name", "arguments", "result"), WITHOUT_CONTEXT)
def test_a_new_thread_has_no_context(acl, elsewhere, name, arguments, result):
    assert elsewhere(getattr(acl.rt, name), *arguments) == result


def test_a_context_can_be_current_in_several_threads(acl, elsewhere):
    context, _ = acl.rt.get_context()

    def allocate():
        assert acl.rt.set_context(context) == 0
        return acl.rt.malloc(8, 0)

    address, ret = elsewhere(allocate)
    assert ret == 0
    assert acl.rt.free(address) == 0


@pytest.mark.parametrize(("soc", "mode"), [("Ascend910B1", 1), ("Ascend310P3", 1), ("Ascend310B1", 0)])
def test_run_mode(bare, soc, mode):
    embedded.reset(soc=soc)
    assert bare.rt.get_run_mode() == (mode, 0)


def test_task_schedulers(acl):
    assert [acl.rt.set_ts_device(n) for n in (0, 1, 2)] == [0, 0, codes.INVALID_PARAM]


def test_system_options(acl):
    for setter, getter in (
        ("set_sys_param_opt", "get_sys_param_opt"),
        ("ctx_set_sys_param_opt", "ctx_get_sys_param_opt"),
    ):
        put, get = getattr(acl.rt, setter), getattr(acl.rt, getter)
        assert get(0) == (0, codes.RT_SYSPARAMOPT_NOT_SET)
        assert put(0, 1) == 0
        assert get(0) == (1, 0)
        assert put(9, 1) == codes.INVALID_PARAM
        assert get(9) == (0, codes.INVALID_PARAM)
    assert acl.rt.set_device(1) == 0
    assert acl.rt.ctx_get_sys_param_opt(0) == (0, codes.RT_SYSPARAMOPT_NOT_SET)


def test_peer_access_is_needed_between_devices(acl, program):
    source = program.upload(b"12345678")
    assert acl.rt.set_device(1) == 0
    target = program.upload(b"--------")
    assert acl.rt.device_can_access_peer(1, 0) == (1, 0)
    assert acl.rt.memcpy(target, 8, source, 8, 3) == codes.RT_PARAM_INVALID
    assert "peer" in program.message()
    assert acl.rt.device_enable_peer_access(0, 0) == 0
    assert acl.rt.memcpy(target, 8, source, 8, 3) == 0
    assert program.read(target, 8) == b"12345678"
    assert acl.rt.device_disable_peer_access(0) == 0
    assert acl.rt.memcpy(target, 8, source, 8, 3) == codes.RT_PARAM_INVALID
    assert acl.rt.device_enable_peer_access(1, 0) == codes.INVALID_PARAM
    assert acl.rt.device_enable_peer_access(7, 0) == codes.RT_INVALID_DEVICEID


def test_live_handles_name_the_devices_that_are_set(bare):
    assert embedded.live_handles() == {}
    assert bare.rt.set_device(1) == 0
    assert embedded.live_handles() == {"device": [1]}
    assert bare.rt.reset_device(1) == 0
    assert embedded.live_handles() == {}
