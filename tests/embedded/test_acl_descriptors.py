"""Data buffers and tensor descriptors."""

from __future__ import annotations

import pytest

from ascendtensor import embedded
from ascendtensor.embedded import codes

FLOAT, UNDEFINED, ND, NCHW, NHWC = 0, -1, 2, 0, 1


@pytest.fixture
def desc(acl):
    return acl.create_tensor_desc(FLOAT, [2, 3], ND)


def test_a_data_buffer_is_a_pair_of_numbers(acl):
    buffer = acl.create_data_buffer(64, 2**33 + 5)
    assert acl.get_data_buffer_addr(buffer) == 64
    assert acl.get_data_buffer_size_v2(buffer) == 2**33 + 5
    assert acl.get_data_buffer_size(buffer) == 5
    assert acl.update_data_buffer(buffer, 0, 0) == 0
    assert acl.get_data_buffer_addr(buffer) == 0
    assert acl.destroy_data_buffer(buffer) == 0


def test_a_data_buffer_does_not_own_memory(acl, program):
    address = program.upload(b"1234")
    assert acl.destroy_data_buffer(acl.create_data_buffer(address, 4)) == 0
    assert program.read(address, 4) == b"1234"


def test_buffers_that_are_not_there(acl):
    buffer = acl.create_data_buffer(0, 0)
    assert buffer
    assert acl.destroy_data_buffer(buffer) == 0
    for dead in (buffer, 0):
        assert acl.destroy_data_buffer(dead) == codes.INVALID_PARAM
        assert acl.update_data_buffer(dead, 1, 1) == codes.INVALID_PARAM
        assert acl.get_data_buffer_addr(dead) == 0
        assert acl.get_data_buffer_size_v2(dead) == 0


def test_what_a_descriptor_says(acl, desc):
    assert acl.get_tensor_desc_type(desc) == FLOAT
    assert acl.get_tensor_desc_format(desc) == ND
    assert acl.get_tensor_desc_num_dims(desc) == 2
    assert acl.get_tensor_desc_element_count(desc) == 6
    assert acl.get_tensor_desc_size(desc) == 24
    assert [acl.get_tensor_desc_dim(desc, i) for i in range(3)] == [2, 3, -1]
    assert acl.get_tensor_desc_dim_v2(desc, 1) == (3, 0)
    assert acl.get_tensor_desc_dim_v2(desc, 2) == (0, codes.INVALID_PARAM)
    assert acl.get_tensor_desc_address(desc) == 0
    assert acl.get_tensor_desc_by_index(desc, 0) == desc


# dtype, dims -> dims counted, elements, bytes.
SHAPES = [
    (FLOAT, [], 0, 1, 4),
    (FLOAT, [0, 3], 2, 0, 0),
    (FLOAT, [-1, 3], 2, 0, 0),
    (FLOAT, [-2], 2**64 - 2, 0, 0),
    (13, [2], 1, 2, 0),
    (999, [2], 1, 2, 16),
    (FLOAT, [2**62, 2], 2, 2**63, 0),
    (FLOAT, [2**62, 2**62], 2, 0, 0),
]


@pytest.mark.parametrize(("dtype", "dims", "rank", "count", "size"), SHAPES)
def test_counting(acl, dtype, dims, rank, count, size):
    desc = acl.create_tensor_desc(dtype, dims, ND)
    assert acl.get_tensor_desc_num_dims(desc) == rank
    assert acl.get_tensor_desc_element_count(desc) == count
    assert acl.get_tensor_desc_size(desc) == size


def test_creation_checks_nothing(acl):
    desc = acl.create_tensor_desc(12345, [-7], 12345)
    assert acl.get_tensor_desc_type(desc) == acl.get_tensor_desc_format(desc) == 12345


@pytest.mark.parametrize("setter", ["set_tensor_shape", "set_tensor_storage_shape"])
def test_setting_the_shape_sets_the_storage_and_the_getters_show_the_origin(acl, desc, setter):
    assert getattr(acl, setter)(desc, [6, 1, 1]) == 0
    assert acl.get_tensor_desc_num_dims(desc) == 2
    assert acl.set_tensor_origin_shape(desc, [6, 1, 1]) == 0
    assert acl.get_tensor_desc_num_dims(desc) == 3


@pytest.mark.parametrize("setter", ["set_tensor_format", "set_tensor_storage_format"])
def test_setting_the_format_sets_the_storage(acl, desc, setter):
    assert getattr(acl, setter)(desc, NCHW) == 0
    assert acl.get_tensor_desc_format(desc) == ND
    assert acl.set_tensor_origin_format(desc, NCHW) == 0
    assert acl.get_tensor_desc_format(desc) == NCHW


# What each function makes of a descriptor that is NULL.
ON_NULL = [
    ("get_tensor_desc_type", (), -1),
    ("get_tensor_desc_format", (), -1),
    ("get_tensor_desc_size", (), 0),
    ("get_tensor_desc_element_count", (), 0),
    ("get_tensor_desc_num_dims", (), 0),
    ("get_tensor_desc_name", (), ""),
    ("get_tensor_desc_dim", (0,), -1),
    ("get_tensor_desc_dim_v2", (0,), (0, codes.INVALID_PARAM)),
    ("get_tensor_desc_dim_range", (0, 2), (None, codes.INVALID_PARAM)),
    ("get_tensor_desc_by_index", (0,), 0),
    ("set_tensor_format", (2,), 0),
    ("set_tensor_storage_format", (2,), 0),
    ("set_tensor_origin_format", (2,), 0),
    ("set_tensor_shape", ([],), codes.INVALID_PARAM),
    ("set_tensor_storage_shape", ([],), codes.INVALID_PARAM),
    ("set_tensor_origin_shape", ([],), codes.INVALID_PARAM),
    ("set_tensor_shape_range", ([],), codes.INVALID_PARAM),
    ("set_tensor_value_range", ([],), codes.INVALID_PARAM),
    ("set_tensor_dynamic_input", ("x",), codes.INVALID_PARAM),
    ("set_tensor_const", (64, 8), codes.INVALID_PARAM),
    ("set_tensor_place_ment", (1,), codes.INVALID_PARAM),
    ("set_tensor_desc_name", ("x",), None),
    ("trans_tensor_desc_format", (0,), (0, codes.INVALID_PARAM)),
    ("destroy_tensor_desc", (), None),
]


@pytest.mark.parametrize(("name", "arguments", "result"), ON_NULL)
def test_null_descriptors(acl, desc, name, arguments, result):
    assert acl.destroy_tensor_desc(desc) is None
    for dead in (0, desc):
        assert getattr(acl, name)(dead, *arguments) == result


def test_shape_ranges(acl, desc):
    assert acl.get_tensor_desc_dim_range(desc, 0, 2) == (None, codes.INVALID_PARAM)
    assert acl.set_tensor_shape_range(desc, [[1, 16], [2, -1], [3, 3]]) == 0
    assert acl.get_tensor_desc_dim_range(desc, 1, 2) == ([2, -1], 0)
    assert acl.get_tensor_desc_dim_range(desc, 2, 4) == ([3, 3, 0, 0], 0)
    assert acl.get_tensor_desc_dim_range(desc, 3, 2) == (None, codes.INVALID_PARAM)
    for count in (1, 4097):
        assert acl.get_tensor_desc_dim_range(desc, 0, count) == (None, codes.INVALID_PARAM)


@pytest.mark.parametrize("ranges", [((1, 2),), [(1, 2)], [[1]], [[1.0, 2]], 3])
@pytest.mark.parametrize("setter", ["set_tensor_shape_range", "set_tensor_value_range"])
def test_ranges_are_lists_of_lists(acl, desc, setter, ranges):
    with pytest.raises(TypeError, match="argument 2"):
        getattr(acl, setter)(desc, ranges)


def test_names(acl, desc):
    assert acl.get_tensor_desc_name(desc) == ""
    assert acl.set_tensor_desc_name(desc, "x0") is None
    assert acl.get_tensor_desc_name(desc) == "x0"
    assert acl.set_tensor_dynamic_input(desc, "x") == 0


def test_constants_are_copied_from_host_memory_at_once(acl, program, desc):
    data = b"123456781234567812345678"
    assert acl.set_tensor_const(desc, acl.util.bytes_to_ptr(data), 24) == 0
    assert acl.set_tensor_const(desc, 0, 24) == codes.INVALID_PARAM
    assert acl.set_tensor_const(desc, acl.util.bytes_to_ptr(data), 0) == codes.INVALID_PARAM
    assert acl.set_tensor_const(desc, program.upload(data), 24) == codes.INVALID_PARAM
    assert "acl.rt.memcpy" in program.message()


@pytest.mark.parametrize("placement", [0, 1, 2, 77])
def test_any_placement_is_taken(acl, desc, placement):
    assert acl.set_tensor_place_ment(desc, placement) == 0


def test_changing_layouts(acl):
    desc = acl.create_tensor_desc(FLOAT, [1, 2, 3, 4], NCHW)
    other, ret = acl.trans_tensor_desc_format(desc, NHWC)
    assert ret == 0
    assert [acl.get_tensor_desc_dim(other, i) for i in range(4)] == [1, 3, 4, 2]
    assert acl.get_tensor_desc_format(other) == NCHW
    acl.destroy_tensor_desc(other)
    assert acl.trans_tensor_desc_format(desc, ND) == (0, codes.GE_FAILURE)


def test_live_descriptors_and_buffers_are_reported(acl, desc):
    buffer = acl.create_data_buffer(0, 0)
    live = embedded.live_handles()
    assert live["tensor descriptor"] == [desc]
    assert live["data buffer"] == [buffer]
    acl.destroy_tensor_desc(desc)
    acl.destroy_data_buffer(buffer)
    assert embedded.live_handles().keys() == {"device"}


# Datasets are lists of data buffers.


def test_datasets(acl, desc):
    dataset = acl.mdl.create_dataset()
    buffers = [acl.create_data_buffer(64 * i, 64) for i in range(1, 4)]
    for buffer in buffers:
        assert acl.mdl.add_dataset_buffer(dataset, buffer) == (dataset, 0)
    assert acl.mdl.add_dataset_buffer(dataset, 0) == (dataset, codes.INVALID_PARAM)
    assert acl.mdl.get_dataset_num_buffers(dataset) == 3
    assert [acl.mdl.get_dataset_buffer(dataset, i) for i in range(4)] == [*buffers, 0]
    assert acl.mdl.set_dataset_tensor_desc(dataset, desc, 1) == (dataset, 0)
    assert acl.mdl.set_dataset_tensor_desc(dataset, desc, 3) == (dataset, codes.INVALID_PARAM)
    own = acl.mdl.get_dataset_tensor_desc(dataset, 1)
    assert own not in (0, desc)
    assert acl.get_tensor_desc_size(own) == 24
    assert own not in embedded.live_handles()["tensor descriptor"]
    assert acl.mdl.set_dataset_tensor_desc(dataset, 0, 1) == (dataset, 0)
    assert acl.mdl.get_dataset_tensor_desc(dataset, 1) == 0
    assert acl.mdl.destroy_dataset(dataset) == 0
    assert acl.get_data_buffer_addr(buffers[0]) == 64
    assert acl.mdl.destroy_dataset(dataset) == codes.INVALID_PARAM
    assert acl.mdl.add_dataset_buffer(dataset, buffers[0]) == (dataset, codes.INVALID_PARAM)
    assert acl.mdl.set_dataset_tensor_desc(dataset, desc, 0) == (dataset, codes.INVALID_PARAM)
