"""Programs as people write them for pyACL, with the habits that theirs have."""

from __future__ import annotations

import numpy as np
import pytest

from ascendtensor import embedded


def test_the_class_of_an_image_classifier(acl, tmp_path):
    """Cast and find the greatest: a constant with an empty buffer, a scalar written as one element."""
    assert acl.op.set_model_dir(str(tmp_path)) == 0
    scores = np.linspace(0, 1, 1000, dtype=np.float32)
    scores[417] = 3
    stream, _ = acl.rt.create_stream()
    device, _ = acl.rt.malloc(scores.nbytes, 2)
    data = scores.tobytes()
    assert acl.rt.memcpy(device, len(data), acl.util.bytes_to_ptr(data), len(data), 1) == 0
    dataset = acl.mdl.create_dataset()
    _, ret = acl.mdl.add_dataset_buffer(dataset, acl.create_data_buffer(device, len(data)))
    assert ret == 0
    wide, narrow = acl.create_tensor_desc(0, [1000], 2), acl.create_tensor_desc(1, [1000], 2)
    half, _ = acl.rt.malloc(2000, 2)
    half_buffer = acl.create_data_buffer(half, 2000)
    assert acl.op.cast(wide, acl.mdl.get_dataset_buffer(dataset, 0), narrow, half_buffer, 0, stream) == 0
    assert acl.rt.synchronize_stream(stream) == 0
    axis, label = acl.create_tensor_desc(3, [1], 2), acl.create_tensor_desc(3, [1], 2)
    zero = bytes(4)
    assert acl.set_tensor_const(axis, acl.util.bytes_to_ptr(zero), 4) == 0
    found, _ = acl.rt.malloc(4, 2)
    buffers = [half_buffer, acl.create_data_buffer(0, 0)], [acl.create_data_buffer(found, 4)]
    attr = acl.op.create_attr()
    assert acl.op.execute_v2("ArgMaxV2", [narrow, axis], buffers[0], [label], buffers[1], attr, stream) == 0
    # Descriptors, buffers and attributes may go as soon as the call is back.
    for desc in (narrow, axis, label):
        acl.destroy_tensor_desc(desc)
    for buffer in (*buffers[0], *buffers[1]):
        assert acl.destroy_data_buffer(buffer) == 0
    acl.op.destroy_attr(attr)
    assert acl.rt.synchronize_stream(stream) == 0
    host, _ = acl.rt.malloc_host(4)
    assert acl.rt.memcpy(host, 4, found, 4, 2) == 0
    assert np.frombuffer(acl.util.ptr_to_bytes(host, 4), np.int32)[0] == 417


@pytest.mark.parametrize("by_handle", [True, False])
def test_a_program_on_the_chip_itself_uses_host_pointers(bare, by_handle):
    """Where memory is shared, what decides a shape is read wherever it lies."""
    embedded.reset(soc="Ascend310B1")
    acl = bare
    assert acl.rt.set_device(0) == 0
    assert acl.rt.get_run_mode() == (0, 0)
    values = np.arange(24, dtype=np.float16).reshape(4, 6)
    kept = [values.tobytes(), np.array([1, 2], np.int32).tobytes(), np.array([2, 3], np.int32).tobytes()]
    descs = [acl.create_tensor_desc(number, dims, 2) for number, dims in ((1, [4, 6]), (3, [2]), (3, [2]))]
    inputs = [acl.create_data_buffer(acl.util.bytes_to_ptr(data), len(data)) for data in kept]
    out = acl.create_tensor_desc(1, [2, 3], 2)
    device, _ = acl.rt.malloc(12, 0)
    target = acl.create_data_buffer(device, 12)
    if by_handle:
        handle, ret = acl.op.create_handle("Slice", descs, [out], 0)
        assert ret == 0
        assert acl.op.execute_with_handle(handle, inputs, [target], 0) == 0
    else:
        assert acl.op.execute_v2("Slice", descs, inputs, [out], [target], 0, 0) == 0
    assert acl.rt.synchronize_stream(0) == 0
    result = np.frombuffer(acl.util.ptr_to_bytes(device, 12), np.float16).reshape(2, 3)
    assert np.array_equal(result, values[1:3, 2:5])
    # Its own pointers are told from wild ones here too.
    acl.update_data_buffer(inputs[0], 0x7000_0000_0000, 48)
    if not by_handle:
        assert acl.op.execute_v2("Slice", descs, inputs, [out], [target], 0, 0) == 0
        assert acl.rt.synchronize_stream(0) != 0


def test_a_destroyed_context_takes_its_streams_along(acl):
    context, _ = acl.rt.create_context(0)
    stream, _ = acl.rt.create_stream()
    address, _ = acl.rt.malloc(64, 0)
    assert acl.rt.memset_async(address, 64, 1, 64, stream) == 0
    assert acl.rt.destroy_context(context) == 0
    assert acl.rt.set_device(0) == 0
    assert acl.rt.synchronize_stream(stream) != 0
    assert acl.rt.destroy_stream(stream) != 0
    assert ("stream", stream) in embedded.reclaimed_handles()
    # The memory is the device's, and the work was done.
    host, _ = acl.rt.malloc_host(64)
    assert acl.rt.memcpy(host, 64, address, 64, 2) == 0
    assert acl.util.ptr_to_bytes(host, 64) == b"\1" * 64


def test_what_programs_ask_before_anything_else(bare, tmp_path):
    assert bare.get_soc_name() == "Ascend910B1"
    assert bare.rt.get_run_mode() == (1, 0)
    assert bare.op.set_model_dir(str(tmp_path)) == 0
    assert {"bytes_to_ptr", "ptr_to_bytes", "numpy_to_ptr", "ptr_to_numpy"} <= set(dir(bare.util))
    assert bare.rt.set_device(0) == 0
    # Setting a device is all it takes.
    for attribute in (0, 1):
        free, total, ret = bare.rt.get_mem_info(attribute)
        assert ret == 0
        assert 0 < free <= total
    host, ret = bare.rt.malloc_host(64)
    assert ret == 0
    assert bare.rt.memset(host, 64, 7, 64) == 0
    assert bare.rt.memset_async(host, 64, 8, 64, 0) == 0
    assert bare.rt.synchronize_stream(0) == 0
    assert bare.util.ptr_to_bytes(host, 64) == b"\x08" * 64
    data = bytes(64)
    assert bare.rt.memcpy(bare.util.bytes_to_ptr(data), 64, host, 64, 0) == 0
    assert data == b"\x08" * 64
