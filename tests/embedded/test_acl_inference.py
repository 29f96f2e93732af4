"""Shapes before an operator runs, and the true ones after it has run."""

from __future__ import annotations

import numpy as np
import pytest

from ascendtensor.embedded import codes, faults

UNKNOWN_RANK = 2**64 - 2


class Inferring:
    """Inputs on the host, an output descriptor, and the call."""

    def __init__(self, acl, op_type, *arrays, outputs=1):
        self.acl, self.op_type = acl, op_type
        self.kept = [np.asarray(array).tobytes() for array in arrays]
        numbers = {"float32": 0, "int32": 3, "int64": 9, "bool": 12}
        self.ins = [acl.create_tensor_desc(numbers[str(np.asarray(a).dtype)], list(np.shape(a)), 2) for a in arrays]
        self.buffers = [acl.create_data_buffer(acl.util.bytes_to_ptr(data), len(data)) for data in self.kept]
        self.outs = [acl.create_tensor_desc(-1, [], -1) for _ in range(outputs)]

    def infer(self, attr=0, count=None):
        count = len(self.outs) if count is None else count
        return self.acl.op.infer_shape(self.op_type, self.ins, self.buffers, count, self.outs, attr)

    def dims(self, place=0):
        desc = self.outs[place]
        count = self.acl.get_tensor_desc_num_dims(desc)
        if count == UNKNOWN_RANK:
            return None
        return [self.acl.get_tensor_desc_dim_v2(desc, axis)[0] for axis in range(count)]

    def ranges(self, place=0):
        return [self.acl.get_tensor_desc_dim_range(self.outs[place], i, 2)[0] for i in range(len(self.dims(place)))]


def test_an_exact_shape(acl):
    call = Inferring(acl, "Add", np.zeros((2, 1), np.float32), np.zeros(3, np.float32))
    assert call.infer() == 0
    assert call.dims() == [2, 3]
    assert call.ranges() == [[2, 2], [3, 3]]
    assert acl.get_tensor_desc_type(call.outs[0]) == 0
    assert acl.get_tensor_desc_size(call.outs[0]) == 24


def test_a_shape_that_a_value_decides(acl):
    call = Inferring(acl, "BroadcastTo", np.zeros(3, np.float32), np.array([4, 3], np.int32))
    assert call.infer() == 0
    assert call.dims() == [4, 3]


def test_a_shape_that_depends_on_data_is_a_range(acl):
    call = Inferring(acl, "NonZero", np.zeros((2, 3), np.float32))
    assert call.infer() == 0
    assert -1 in call.dims()
    assert [0, 6] in call.ranges()


@pytest.mark.parametrize(
    ("dims", "ranges", "expected", "expected_ranges"),
    [
        ([-1, 3], [[2, 5], [3, 3]], [-1, 3], [[2, 5], [3, 3]]),
        ([-1, 3], [[2, -1], [3, 3]], [-1, 3], [[0, -1], [3, 3]]),
        ([-1, 3], [], [-1, 3], [[0, -1], [3, 3]]),
        ([4, 3], [[4, 4], [3, 3]], [4, 3], [[4, 4], [3, 3]]),
    ],
)
def test_an_unknown_dim_of_an_input_stays_unknown(acl, dims, ranges, expected, expected_ranges):
    call = Inferring(acl, "Relu", np.zeros((4, 3), np.float32))
    assert acl.set_tensor_origin_shape(call.ins[0], dims) == 0
    assert acl.set_tensor_shape_range(call.ins[0], ranges) == 0
    assert call.infer() == 0
    assert call.dims() == expected
    assert call.ranges() == expected_ranges


def test_an_unknown_rank_of_an_input_stays_unknown(acl):
    call = Inferring(acl, "Relu", np.zeros((4, 3), np.float32))
    assert acl.set_tensor_origin_shape(call.ins[0], [-2]) == 0
    assert call.infer() == 0
    assert call.dims() is None


def _no_attr(acl, call):
    acl.op.destroy_attr(attr := acl.op.create_attr())
    return {"attr": attr}


def _dead_output(acl, call):
    acl.destroy_tensor_desc(call.outs[0])
    return {}


def _dead_buffer(acl, call):
    acl.destroy_data_buffer(call.buffers[0])
    return {}


def _empty_buffer(acl, call):
    acl.update_data_buffer(call.buffers[0], 0, 0)
    return {}


def _device_buffer(acl, call):
    acl.update_data_buffer(call.buffers[0], acl.rt.malloc(24, 0)[0], 24)
    return {}


def _unmapped_buffer(acl, call):
    acl.update_data_buffer(call.buffers[0], 0x7000_0000_0000, 24)
    return {}


def _wrong_count(acl, call):
    return {"count": 2}


@pytest.mark.parametrize(
    "spoil", [_no_attr, _dead_output, _dead_buffer, _empty_buffer, _device_buffer, _unmapped_buffer, _wrong_count]
)
def test_what_makes_inference_fail(acl, program, spoil):
    call = Inferring(acl, "Relu", np.zeros((2, 3), np.float32))
    assert call.infer(**spoil(acl, call)) == codes.INVALID_PARAM
    assert "Relu" in program.message()


def test_an_unknown_op_type_and_inputs_that_do_not_fit(acl):
    for op_type in ("NoSuchOp", "EigVals"):
        assert Inferring(acl, op_type, np.zeros((3, 3), np.float32)).infer() == codes.OP_NOT_FOUND
    mismatched = Inferring(acl, "Add", np.zeros(2, np.float32), np.zeros(3, np.float32))
    assert mismatched.infer() == codes.GE_FAILURE


# Executing an operator whose output's shape depends on data.


@pytest.fixture
def nonzero(acl, program):
    values = np.array([[0, 1, 0], [2, 0, 3]], np.float32)
    desc, buffer, _ = program.tensor(values)
    room, ret = acl.rt.malloc(128, 0)
    assert ret == 0
    out = acl.create_data_buffer(room, 128)

    def execute(dims, name="execute_v2", stream=0):
        target = acl.create_tensor_desc(9, dims, 2)
        ret = getattr(acl.op, name)("NonZero", [desc], [buffer], [target], [out], 0, stream)
        shape = [acl.get_tensor_desc_dim_v2(target, i)[0] for i in range(acl.get_tensor_desc_num_dims(target))]
        return ret, shape, room

    return execute


@pytest.mark.parametrize("dims", [[6, 2], [7, 2], [-1, 2]])
def test_the_call_waits_and_writes_the_true_shape_back(acl, program, nonzero, dims):
    ret, shape, room = nonzero(dims)
    assert ret == 0
    assert shape == [3, 2]
    assert np.frombuffer(program.read(room, 48), np.int64).reshape(3, 2).tolist() == [[0, 1], [1, 0], [1, 2]]


def test_the_older_call_waits_too_but_leaves_the_descriptor(acl, nonzero):
    ret, shape, _ = nonzero([6, 2], "execute")
    assert (ret, shape) == (0, [6, 2])
    assert acl.rt.stream_query(0) == (0, 0)


@pytest.mark.parametrize("dims", [[5, 2], [6, 1], [6], [6, 2, 1]])
def test_a_descriptor_that_does_not_hold_the_largest_shape(nonzero, dims):
    assert nonzero(dims)[0] == codes.OP_NOT_FOUND


def test_a_failure_on_the_way_is_the_calls_own(acl, program, nonzero):
    with faults.fail_op(codes.RT_AICPU_EXCEPTION, "NonZero"):
        ret, shape, _ = nonzero([6, 2])
    assert ret == codes.RT_AICPU_EXCEPTION
    assert shape == [6, 2]
    assert nonzero([6, 2])[0] == 0


def test_earlier_work_of_the_stream_comes_first(acl, program):
    values = np.array([1, 0, 2, 0], np.float32)
    desc, buffer, _ = program.tensor(np.zeros(4, np.float32))
    one, one_buffer, _ = program.tensor(values)
    room, _ = acl.rt.malloc(32, 0)
    out = acl.create_data_buffer(room, 32)
    target = acl.create_tensor_desc(9, [4, 1], 2)
    stream = program.stream()
    assert acl.op.execute_v2("Relu", [one], [one_buffer], [desc], [buffer], 0, stream) == 0
    assert acl.op.execute_v2("NonZero", [desc], [buffer], [target], [out], 0, stream) == 0
    assert acl.get_tensor_desc_dim_v2(target, 0) == (2, 0)


def test_a_number_of_outputs_that_an_attribute_decides(acl, program):
    values = np.arange(12, dtype=np.float32).reshape(2, 6)
    desc, buffer, _ = program.tensor(values)
    parts = [program.tensor(np.zeros((2, 2), np.float32)) for _ in range(3)]
    attr = acl.op.create_attr()
    assert acl.op.set_attr_int(attr, "split_dim", 1) == 0
    assert acl.op.set_attr_int(attr, "num_split", 3) == 0
    descs, buffers = [part[0] for part in parts], [part[1] for part in parts]
    assert acl.op.execute_v2("SplitD", [desc], [buffer], descs, buffers, attr, 0) == 0
    assert acl.rt.synchronize_stream(0) == 0
    for place, part in enumerate(parts):
        assert np.array_equal(program.download(part[2], np.zeros((2, 2), np.float32)), np.split(values, 3, 1)[place])
    assert acl.op.execute_v2("SplitD", [desc], [buffer], descs[:2], buffers[:2], attr, 0) == codes.OP_NOT_FOUND
