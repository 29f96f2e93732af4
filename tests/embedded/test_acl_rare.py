"""Facts about devices, attributes of streams, a program's own kernels, allocators, dumps, binaries and models."""

from __future__ import annotations

import os

import numpy as np
import pytest

from ascendtensor import embedded
from ascendtensor.embedded import codes

# Facts.


def test_what_a_chip_has(bare):
    assert bare.get_device_capability(0, 0) == (24, 0)
    assert bare.get_device_capability(0, 1) == (48, 0)
    assert bare.get_device_capability(0, 2)[0] > 2**20
    assert bare.get_device_capability(0, 3) == (0, codes.INVALID_PARAM)
    assert bare.get_device_capability(2, 0) == (0, codes.RT_INVALID_DEVICEID)
    assert bare.rt.get_device_info(0, 101) == (24, 0)
    assert bare.rt.get_device_info(0, 301) == (2**24, 0)
    assert bare.rt.get_device_info(0, 7) == (0, codes.INVALID_PARAM)
    assert bare.rt.get_device_capability(0, 1) == (0, 0)
    assert bare.rt.get_device_capability(0, 2) == (0, codes.INVALID_PARAM)


def test_devices_have_numbers_and_names(bare):
    for name in ("get_logic_dev_id_by_user_dev_id", "get_phy_dev_id_by_logic_dev_id"):
        assert getattr(bare.rt, name)(1) == (1, 0)
        assert getattr(bare.rt, name)(2) == (0, codes.RT_INVALID_DEVICEID)
    first, second = (bare.rt.device_get_uuid(index)[0]["bytes"] for index in (0, 1))
    assert len(first) == 16
    assert first != second
    assert bare.rt.device_get_bare_tgid() == (os.getpid(), 0)
    assert bare.rt.get_device_utilization_rate(0)[0]["memory_utilization"] == 0


def test_peers(acl):
    assert acl.rt.device_peer_access_status(0, 1) == (0, 0)
    assert acl.rt.device_enable_peer_access(1, 0) == 0
    assert acl.rt.device_peer_access_status(0, 1) == (1, 0)
    assert acl.rt.device_peer_access_status(0, 2) == (0, codes.RT_INVALID_DEVICEID)


def test_versions(bare):
    version, ret = bare.get_cann_version(0)
    assert ret == 0
    assert version["version"] == ".".join(version[f"{part}_version"] for part in ("major", "minor", "release"))
    assert bare.get_cann_version(8) == ({}, codes.INVALID_PARAM)
    assert bare.get_version_str("runtime") == (version["version"], 0)
    assert bare.get_version_str("nothing") == ("", codes.INVALID_PARAM)


def test_limits_of_cores(acl, program):
    stream = program.stream()
    assert acl.rt.set_device_res_limit(0, 0, 10) == 0
    assert acl.rt.get_device_res_limit(0, 0) == (10, 0)
    assert acl.rt.get_stream_res_limit(stream, 0) == (10, 0)
    assert acl.rt.set_stream_res_limit(stream, 0, 5) == 0
    assert acl.rt.get_stream_res_limit(stream, 0) == (5, 0)
    assert acl.rt.get_res_in_current_thread(0) == (10, 0)
    assert acl.rt.use_stream_res_in_current_thread(stream) == 0
    assert acl.rt.get_res_in_current_thread(0) == (5, 0)
    assert acl.rt.unuse_stream_res_in_current_thread(stream) == 0
    assert acl.rt.get_res_in_current_thread(0) == (10, 0)
    assert acl.rt.reset_stream_res_limit(stream) == 0
    assert acl.rt.reset_device_res_limit(0) == 0
    assert acl.rt.get_device_res_limit(0, 0) == (24, 0)
    assert acl.rt.set_device_res_limit(0, 0, 25) == codes.RT_PARAM_INVALID
    assert acl.rt.set_device_res_limit(0, 2, 1) == codes.INVALID_PARAM


def test_groups(acl):
    assert acl.rt.get_group_count(0) == (1, 0)
    assert acl.rt.set_group(0) == 0
    assert acl.rt.set_group(1) == codes.RT_GROUP_NOT_CREATE
    info = acl.rt.create_group_info()
    assert acl.rt.get_all_group_info(info) == 0
    assert acl.rt.get_group_info_detail(info, 0, 0) == ([24], 0)
    assert acl.rt.get_group_info_detail(info, 1, 0) == ([], codes.INVALID_PARAM)
    with pytest.raises(RuntimeError):
        acl.rt.get_group_info_detail(info, 0, 6)
    assert acl.rt.destroy_group_info(info) == 0
    assert acl.rt.destroy_group_info(info) == codes.INVALID_PARAM


# Streams.


def test_attributes_of_streams(acl, program):
    stream = program.stream()
    for attribute, key in ((1, "failureMode"), (2, "overflowSwitch"), (3, "userCustomTag")):
        assert acl.rt.get_stream_attribute(stream, attribute) == ({key: 0}, 0)
        assert acl.rt.set_stream_attribute(stream, attribute, {key: 1}) == 0
        assert acl.rt.get_stream_attribute(stream, attribute) == ({key: 1}, 0)
    assert acl.rt.set_stream_attribute(stream, 1, {"failureMode": 0}) == codes.RT_FEATURE_NOT_SUPPORT
    assert acl.rt.set_stream_attribute(stream, 2, {"overflowSwitch": "1"}) == 0
    assert acl.rt.get_stream_attribute(stream, 2) == ({"overflowSwitch": 0}, 0)
    assert acl.rt.set_stream_attribute(stream, 9, {}) == codes.INVALID_PARAM
    with pytest.raises(TypeError):
        acl.rt.set_stream_attribute(stream, 1, 1)


@pytest.mark.parametrize("whole_device", [True, False])
def test_work_that_is_aborted_does_not_happen(acl, program, whole_device):
    stream = program.stream()
    address = program.upload(np.zeros(8, np.uint8))
    event = program.event()
    assert acl.rt.memset_async(address, 8, 1, 8, stream) == 0
    assert acl.rt.record_event(event, stream) == 0
    assert (acl.rt.device_task_abort(0, 100) if whole_device else acl.rt.stream_abort(stream)) == 0
    # Whoever waits for the event must not wait for ever.
    assert acl.rt.synchronize_event(event) == 0
    assert program.read(address, 8) == bytes(8)
    assert acl.rt.memset_async(address, 8, 1, 8, stream) == 0
    assert acl.rt.synchronize_stream(stream) == 0
    assert program.read(address, 8) == b"\1" * 8


def test_time_limits_are_rounded_up_and_kept(acl):
    interval, ret = acl.rt.get_op_timeout_interval()
    assert ret == 0
    actual, ret = acl.rt.set_op_execute_timeout_v2(interval + 1)
    assert (actual, ret) == (2 * interval, 0)
    assert acl.rt.set_op_execute_time_out(7) == 0
    assert acl.rt.get_op_execute_timeout() == (7000, 0)


def test_what_is_left_of_events_and_streams(acl, program):
    events, streams = acl.rt.get_event_avail_num()[0], acl.rt.get_stream_available_num()[0]
    event, _ = program.event(), program.stream()
    acl.rt.create_event_ex_with_flag(1)
    assert acl.rt.get_event_avail_num() == (events - 1, 0)
    assert acl.rt.get_stream_available_num() == (streams - 1, 0)
    assert acl.rt.get_event_id(event)[1] == 0
    with pytest.raises(TypeError, match="get_event_id"):
        acl.rt.get_event_id()


def test_overflows(acl, program):
    address = program.upload(np.ones(64, np.uint8))
    assert acl.rt.get_overflow_status(address, 64, 0) == 0
    assert acl.rt.reset_overflow_status(0) == 0
    assert acl.rt.synchronize_stream(0) == 0
    assert program.read(address, 64) == bytes(64)
    assert acl.rt.get_overflow_status(0, 64, 0) == codes.INVALID_PARAM
    assert acl.rt.get_device_sat_mode() == (1, 0)
    assert acl.rt.set_device_sat_mode(1) == 0
    assert acl.rt.set_device_sat_mode(0) == codes.RT_FEATURE_NOT_SUPPORT
    assert acl.rt.set_device_sat_mode(2) == codes.INVALID_PARAM


# A program's own kernels.


@pytest.fixture
def kernel(acl):
    binary, _ = acl.rt.malloc_host(64)
    assert acl.op.create_kernel("Own", "first", "own_kernel", binary, 64, 1, 1) == 0
    yield binary
    acl.op.unregister_compile_func("Own")


def test_a_selector_chooses_a_kernel(acl, program, kernel):
    desc = acl.create_tensor_desc(0, [4], 2)
    attr = acl.op.create_attr()
    seen = []

    def select(*args):
        seen.append(args[:5])
        sizes = np.array([64, 128], np.uint64).tobytes()
        assert acl.op.set_kernel_args(args[5], "first", 2, acl.util.bytes_to_ptr(sizes), 16) == 0
        assert acl.op.set_kernel_workspace_sizes(args[5], 2, acl.util.bytes_to_ptr(sizes)) == 0
        assert acl.op.set_kernel_args(args[5], "first", 2, 0, 16) == codes.INVALID_PARAM
        return 1

    assert acl.op.update_params("Own", [desc], [desc], attr) == codes.BIN_SELECTOR_NOT_REGISTERED
    assert acl.op.register_compile_func("Own", select) == 0
    assert acl.op.update_params("Own", [desc, desc], [desc], attr) == 0
    assert seen == [(2, [desc, desc], 1, [desc], attr)]
    assert acl.op.update_params("Own", [desc], [0], attr) == codes.INVALID_PARAM
    # A second function is refused and takes over all the same.
    assert acl.op.register_compile_func("Own", lambda *args: None) == codes.BIN_SELECTOR_ALREADY_REGISTERED
    assert acl.op.update_params("Own", [desc], [desc], 0) == codes.KERNEL_NOT_FOUND
    with pytest.raises(TypeError, match="callable"):
        acl.op.register_compile_func("Own", 3)


def test_an_exception_in_a_selector(acl, kernel):
    def fail(*args):
        raise KeyError("why")

    assert acl.op.register_compile_func("Own", fail) == 0
    with pytest.raises(SystemError) as caught:
        acl.op.update_params("Own", [], [], 0)
    assert isinstance(caught.value.__cause__, KeyError)


def test_kernels_are_registered_once_and_their_memory_goes_with_the_library(acl, kernel):
    assert acl.op.create_kernel("Own", "first", "own", kernel, 64, 1, 0) == codes.KERNEL_ALREADY_REGISTERED
    assert acl.op.create_kernel("Own", "second", "own", 0, 64, 1, 0) == codes.INVALID_PARAM
    assert acl.op.create_kernel("Own", "second", "own", kernel, 64, 3, 0) == codes.INVALID_PARAM
    assert "page-locked memory" in embedded.live_handles()
    assert acl.init() == 0
    assert acl.finalize() == 0
    assert "page-locked memory" not in embedded.live_handles()


def test_without_a_context_a_selector_changes_the_code(bare, elsewhere):
    bare.rt.set_device(0)
    desc, buffer = bare.create_tensor_desc(0, [4], 2), bare.create_data_buffer(bare.rt.malloc(16, 0)[0], 16)

    def execute():
        return bare.op.execute_v2("Relu", [desc], [buffer], [desc], [buffer], 0, 0)

    assert elsewhere(execute) == codes.INVALID_PARAM
    assert bare.op.register_compile_func("Relu", lambda *args: None) == 0
    assert elsewhere(execute) == codes.RT_CONTEXT_NULL


# Models of single operators.


def test_a_model_directory_is_taken_once_and_looked_through(bare, tmp_path):
    assert bare.op.set_model_dir(str(tmp_path / "none")) == codes.READ_MODEL_FAILURE
    (tmp_path / "for_a_device.om").write_bytes(b"IMOD\0\xff")
    assert bare.op.set_model_dir(str(tmp_path)) == 0
    assert bare.op.set_model_dir(str(tmp_path)) == codes.REPEAT_INITIALIZE


@pytest.mark.parametrize(("depth", "found"), [(1, True), (2, True), (3, True), (4, False)])
def test_models_are_found_three_levels_deep(acl, tmp_path, depth, found):
    folder = tmp_path.joinpath(*"abc"[: depth - 1])
    folder.mkdir(parents=True, exist_ok=True)
    desc, buffer = acl.create_tensor_desc(0, [4], 2), acl.create_data_buffer(acl.rt.malloc(16, 0)[0], 16)
    assert embedded.compile_op("Relu", [desc], [desc], folder=folder) == 0
    embedded.reset(soc="Ascend910B1")
    assert acl.rt.set_device(0) == 0
    desc, buffer = acl.create_tensor_desc(0, [4], 2), acl.create_data_buffer(acl.rt.malloc(16, 0)[0], 16)
    before = embedded.require_compiled()
    try:
        assert acl.op.set_model_dir(str(tmp_path)) == 0
        code = acl.op.execute_v2("Relu", [desc], [buffer], [desc], [buffer], 0, 0)
        assert code == (0 if found else codes.OP_NOT_FOUND)
        assert acl.op.create_handle("Relu", [desc], [desc], 0)[1] == code
    finally:
        embedded.require_compiled(before)


def test_compiling_distinguishes_what_a_device_does(acl, program):
    x = np.ones((2, 3), np.float32)
    desc, buffer, _ = program.tensor(x)
    axes = acl.create_tensor_desc(3, [1], 2)
    zero, one = bytes(4), (1).to_bytes(4, "little")
    out = [acl.create_tensor_desc(0, dims, 2) for dims in ([3], [2])]
    before = embedded.require_compiled()

    def reduce(place, target):
        assert acl.set_tensor_const(axes, acl.util.bytes_to_ptr(place), 4) == 0
        return acl.op.execute_v2("ReduceSum", [desc, axes], [buffer, buffer], [target], [buffer], 0, 0)

    try:
        assert reduce(zero, out[0]) == codes.OP_NOT_FOUND
        assert embedded.compile_op("ReduceSum", [desc, axes], [out[0]]) == 0
        assert reduce(zero, out[0]) == 0
        assert reduce(one, out[1]) == codes.OP_NOT_FOUND
        assert embedded.compile_op("NoSuchOp", [desc], [desc]) == codes.OP_NOT_FOUND
        assert embedded.compile_op("Relu", [desc], [0]) == codes.INVALID_PARAM
        strange = b"not a model"
        assert acl.op.load(acl.util.bytes_to_ptr(strange), len(strange)) == codes.OP_LOAD_FAILED
    finally:
        embedded.require_compiled(before)
    assert reduce(one, out[1]) == 0
    assert acl.op.load(acl.util.bytes_to_ptr(strange), len(strange)) == 0
    assert acl.op.load(0, 4) == codes.INVALID_PARAM
    assert acl.op.load(acl.util.bytes_to_ptr(strange), 0) == codes.INVALID_PARAM


# Allocators, dumps, binaries, models.


def test_allocators_are_registered_when_complete(acl, program):
    stream = program.stream()
    desc = acl.rt.allocator_create_desc()
    assert acl.rt.allocator_register(stream, desc) == codes.INVALID_PARAM
    assert acl.rt.allocator_set_obj_to_desc(desc, 1) == 0
    for hook in ("alloc", "free", "get_addr_from_block"):
        assert getattr(acl.rt, f"allocator_set_{hook}_func_to_desc")(desc, print) == 0
    with pytest.raises(TypeError, match="callable"):
        acl.rt.allocator_set_alloc_advise_func_to_desc(desc, None)
    assert acl.rt.allocator_register(stream, desc) == 0
    assert acl.rt.allocator_unregister(stream) == 0
    assert acl.rt.allocator_destroy_desc(desc) == 0
    assert acl.rt.allocator_destroy_desc(desc) == codes.INVALID_PARAM


def test_dumps_follow_their_order(bare, tmp_path):
    assert bare.mdl.init_dump() == codes.UNINITIALIZE
    assert bare.init() == 0
    assert bare.mdl.set_dump() == codes.DUMP_NOT_RUN
    assert bare.mdl.init_dump() == 0
    assert bare.mdl.set_dump(str(tmp_path / "none.json")) == codes.INVALID_FILE
    assert bare.mdl.set_dump() == 0
    assert bare.mdl.finalize_dump() == 0
    assert bare.mdl.finalize_dump() == codes.DUMP_NOT_RUN
    assert bare.mdl.dump_reg_callback(print, 0) == 0
    assert bare.mdl.dump_unreg_callback() is None
    assert bare.op.start_dump_args(1, "x") == 0
    assert bare.op.stop_dump_args(1) == 0
    assert bare.op.start_dump_args(2, "x") == codes.INVALID_PARAM


def test_binaries_cannot_be_launched(acl, program):
    data = bytes(16)
    binary = acl.rt.create_binary(acl.util.bytes_to_ptr(data), 16)
    assert acl.rt.binary_load(binary) == (0, codes.RT_FEATURE_NOT_SUPPORT)
    assert "made for a device" in program.message()
    assert acl.rt.binary_load(0) == (0, codes.INVALID_PARAM)
    assert acl.rt.launch_kernel(1, 1, 0, 0, 0) == codes.RT_FEATURE_NOT_SUPPORT
    assert acl.rt.destroy_binary(binary) == 0
    assert acl.rt.destroy_binary(binary) == codes.INVALID_PARAM
    for name, arguments, error in [
        ("register_cpu_func", (1, "", "k"), ValueError),
        ("get_function_name", (1, 1024), ValueError),
        ("binary_load_from_file", ("x", ()), TypeError),
        ("launch_kernel_with_config", (1, 1, 0, [3], 0, 0), TypeError),
    ]:
        with pytest.raises(error):
            getattr(acl.rt, name)(*arguments)


def test_models_cannot_be_loaded_and_the_message_says_so(bare, program, tmp_path):
    path = tmp_path / "model.om"
    assert bare.mdl.load_from_file(str(path)) == (0, codes.GE_MODEL_PATH_INVALID)
    path.write_bytes(b"IMOD")
    program.message()
    assert bare.mdl.load_from_file(str(path)) == (0, codes.GE_LOAD_MODEL)
    assert "cannot load compiled models" in program.message()
    assert bare.mdl.query_size(str(path)) == (0, 0, codes.GE_LOAD_MODEL)
    assert bare.mdl.load_from_mem(0, 4) == (0, codes.INVALID_PARAM)
    assert bare.mdl.unload(1) == codes.GE_MODEL_ID_INVALID
    dataset = bare.mdl.create_dataset()
    assert bare.mdl.execute(1, dataset, dataset) == codes.GE_MODEL_ID_INVALID
    assert bare.mdl.execute(1, dataset, 0) == codes.INVALID_PARAM
    assert bare.mdl.execute_v2(1, dataset, dataset, 0, 0) == codes.INVALID_PARAM


def test_how_a_model_is_to_be_loaded(bare, tmp_path):
    config = bare.mdl.create_config_handle()
    assert bare.mdl.load_with_config(config) == (0, codes.INVALID_PARAM)
    assert bare.mdl.set_config_opt(config, 1, 1) == 0
    assert bare.mdl.load_with_config(config) == (0, codes.INVALID_PARAM)
    assert bare.mdl.set_config_opt(config, 2, str(tmp_path / "no.om")) == 0
    assert bare.mdl.load_with_config(config) == (0, codes.GE_MODEL_PATH_INVALID)
    assert bare.mdl.set_config_opt(config, 28, 1) == codes.INVALID_PARAM
    assert bare.mdl.set_config_opt(config, 3, 0) == codes.INVALID_PARAM
    for attribute, value in [(0, 2**31), (0, "1"), (2, 5), (4, "5"), (13, 1.0)]:
        with pytest.raises(TypeError, match="set_config_opt args parse failed"):
            bare.mdl.set_config_opt(config, attribute, value)
    assert bare.mdl.destroy_config_handle(config) == 0
    assert bare.mdl.destroy_config_handle(config) == codes.INVALID_PARAM


@pytest.mark.parametrize(
    ("attribute", "value", "code"), [(0, 100, 0), (1, -1, 0), (0, -2, 100000), (2, 1, 100000), (8, 1, 100000)]
)
def test_limits_of_an_execution(bare, attribute, value, code):
    config = bare.mdl.create_exec_config_handle()
    assert bare.mdl.set_exec_config_opt(config, attribute, value) == code
    assert bare.mdl.set_exec_config_opt(0, attribute, value) == codes.INVALID_PARAM


def test_an_empty_description(bare):
    desc = bare.mdl.create_desc()
    assert bare.mdl.get_num_inputs(desc) == 0
    assert bare.mdl.get_input_name_by_index(desc, 0) == ""
    assert bare.mdl.get_input_format(desc, 0) == -1
    assert bare.mdl.get_input_dims(desc, 0) == ({}, codes.INVALID_PARAM)
    assert bare.mdl.get_input_index_by_name(desc, "x") == (0, codes.INVALID_PARAM)
    assert bare.mdl.get_input_dynamic_dims(desc, -1, 4097) == (None, codes.INVALID_PARAM)
    assert bare.mdl.get_desc(desc, 1) == codes.GE_MODEL_ID_INVALID
    assert bare.mdl.destroy_desc(desc) == 0
    assert bare.mdl.destroy_desc(desc) == codes.INVALID_PARAM


def test_image_preprocessing_is_checked(bare):
    assert bare.mdl.create_aipp(0) == 0
    aipp = bare.mdl.create_aipp(2)
    assert bare.mdl.set_aipp_input_format(aipp, 1) == 0
    assert bare.mdl.set_aipp_input_format(aipp, 15) == codes.INVALID_PARAM
    assert bare.mdl.set_aipp_dtc_pixel_mean(aipp, 1, 2, 3, 4, 1) == 0
    assert bare.mdl.set_aipp_dtc_pixel_mean(aipp, 1, 2, 3, 4, 2) == codes.INVALID_PARAM
    with pytest.raises(TypeError):
        bare.mdl.set_aipp_rbuv_swap_switch(aipp, 256)
    assert bare.mdl.destroy_aipp(aipp) == 0
    assert bare.mdl.destroy_aipp(aipp) == codes.INVALID_PARAM
