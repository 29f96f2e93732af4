"""`acl.op`: finding an operator, queueing it, and what goes wrong when."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from ascendtensor import embedded
from ascendtensor.embedded import codes, op_calls

FLOAT, INT32, INT64, UNDEFINED, ND = 0, 3, 9, -1, 2
X = np.arange(6, dtype=np.float32).reshape(2, 3)
Y = np.array([10, 20, 30], np.float32)


class Adding:
    """`Add` of a (2, 3) and a (3,) tensor, ready to run, its lists open to change."""

    def __init__(self, acl, program):
        self.acl = acl
        self.program = program
        x, y, out = program.tensor(X), program.tensor(Y), program.tensor(np.zeros_like(X))
        self.descs, self.buffers = [x[0], y[0]], [x[1], y[1]]
        self.out_descs, self.out_buffers = [out[0]], [out[1]]
        self.out = out[2]
        self.op_type, self.attr, self.stream = "Add", 0, 0

    def execute(self, call="execute_v2"):
        return getattr(self.acl.op, call)(
            self.op_type, self.descs, self.buffers, self.out_descs, self.out_buffers, self.attr, self.stream
        )

    def result(self):
        return self.program.download(self.out, X)


@pytest.fixture
def adding(acl, program):
    return Adding(acl, program)


@pytest.mark.parametrize("call", ["execute_v2", "execute"])
def test_an_op_runs_when_somebody_waits(acl, adding, call):
    assert adding.execute(call) == 0
    assert not adding.result().any()
    assert embedded.executed_ops() == {}
    assert acl.rt.synchronize_stream(0) == 0
    assert np.array_equal(adding.result(), X + Y)
    assert embedded.executed_ops() == {"Add": 1}
    embedded.reset_executed_ops()
    assert embedded.executed_ops() == {}


def test_handles_may_go_once_the_call_has_returned(acl, adding):
    adding.attr = acl.op.create_attr()
    assert adding.execute() == 0
    for desc in adding.descs + adding.out_descs:
        acl.destroy_tensor_desc(desc)
    for buffer in adding.buffers + adding.out_buffers:
        acl.destroy_data_buffer(buffer)
    acl.op.destroy_attr(adding.attr)
    assert acl.rt.synchronize_stream(0) == 0
    assert np.array_equal(adding.result(), X + Y)


def test_device_inputs_are_read_when_the_op_runs(acl, program, adding):
    assert adding.execute() == 0
    program.write(acl.get_data_buffer_addr(adding.buffers[1]), np.zeros(3, np.float32).tobytes())
    assert acl.rt.synchronize_stream(0) == 0
    assert np.array_equal(adding.result(), X)


def test_ops_of_a_stream_run_in_order(acl, program, adding):
    # out = x + y; out = out + y
    assert adding.execute() == 0
    adding.descs[0], adding.buffers[0] = adding.out_descs[0], adding.out_buffers[0]
    assert adding.execute() == 0
    assert acl.rt.synchronize_stream(0) == 0
    assert np.array_equal(adding.result(), X + Y + Y)


# Changes that make the call wrong, and the code that it then gets.


def _null_desc(acl, adding):
    adding.descs[1] = 0


def _dead_desc(acl, adding):
    acl.destroy_tensor_desc(adding.out_descs[0])


def _dead_buffer(acl, adding):
    acl.destroy_data_buffer(adding.buffers[0])


def _null_buffer(acl, adding):
    adding.out_buffers[0] = 0


def _length_without_address(acl, adding):
    acl.update_data_buffer(adding.buffers[0], 0, 24)


def _too_few_descs(acl, adding):
    del adding.descs[1]


def _dead_attributes(acl, adding):
    adding.attr = 12345


def _unknown_op(acl, adding):
    adding.op_type = "Addd"


def _op_that_only_the_host_computes(acl, adding):
    adding.op_type = "EigVals"


def _unknown_attribute(acl, adding):
    adding.attr = acl.op.create_attr()
    acl.op.set_attr_int(adding.attr, "axis", 0)


def _too_few_inputs(acl, adding):
    del adding.buffers[1]


def _too_many_inputs(acl, adding):
    adding.descs.append(adding.descs[0])
    adding.buffers.append(adding.buffers[0])


def _too_many_outputs(acl, adding):
    adding.out_descs.append(adding.out_descs[0])
    adding.out_buffers.append(adding.out_buffers[0])


def _mixed_dtypes(acl, adding):
    adding.descs[1] = acl.create_tensor_desc(INT64, [3], ND)


def _dtype_of_no_tensor(acl, adding):
    adding.descs[1] = acl.create_tensor_desc(13, [3], ND)


def _absent_but_required(acl, adding):
    adding.descs[1] = acl.create_tensor_desc(UNDEFINED, [], UNDEFINED)
    adding.buffers[1] = acl.create_data_buffer(0, 0)


def _wrong_output_shape(acl, adding):
    adding.out_descs[0] = acl.create_tensor_desc(FLOAT, [3, 2], ND)


def _no_broadcast(acl, adding):
    adding.descs[1] = acl.create_tensor_desc(FLOAT, [2], ND)


def _tiled_format(acl, adding):
    acl.set_tensor_format(adding.descs[0], 29)


def _other_storage_shape(acl, adding):
    acl.set_tensor_shape(adding.descs[0], [7])


def _changed_after_use(acl, adding):
    assert adding.execute() == 0
    acl.set_tensor_origin_shape(adding.descs[0], [4])


def _negative_dim(acl, adding):
    adding.descs[0] = acl.create_tensor_desc(FLOAT, [-1, 3], ND)


def _short_input(acl, adding):
    acl.update_data_buffer(adding.buffers[1], 64, 0)


def _short_output(acl, adding):
    adding.out_buffers[0] = acl.create_data_buffer(0, 0)


def _dead_stream(acl, adding):
    adding.stream = 12345


def _other_context(acl, adding):
    adding.stream, _ = acl.rt.create_stream()
    acl.rt.create_context(0)


WRONG = [
    (_null_desc, codes.INVALID_PARAM),
    (_dead_desc, codes.INVALID_PARAM),
    (_dead_buffer, codes.INVALID_PARAM),
    (_null_buffer, codes.INVALID_PARAM),
    (_length_without_address, codes.INVALID_PARAM),
    (_too_few_descs, codes.INVALID_PARAM),
    (_dead_attributes, codes.INVALID_PARAM),
    (_negative_dim, codes.INVALID_PARAM),
    (_dead_stream, codes.INVALID_PARAM),
    (_other_context, codes.RT_STREAM_CONTEXT),
    (_unknown_op, codes.OP_NOT_FOUND),
    (_op_that_only_the_host_computes, codes.OP_NOT_FOUND),
    (_unknown_attribute, codes.OP_NOT_FOUND),
    (_too_few_inputs, codes.OP_NOT_FOUND),
    (_too_many_inputs, codes.OP_NOT_FOUND),
    (_too_many_outputs, codes.OP_NOT_FOUND),
    (_mixed_dtypes, codes.OP_NOT_FOUND),
    (_dtype_of_no_tensor, codes.OP_NOT_FOUND),
    (_absent_but_required, codes.OP_NOT_FOUND),
    (_wrong_output_shape, codes.OP_NOT_FOUND),
    (_no_broadcast, codes.OP_NOT_FOUND),
    (_tiled_format, codes.OP_NOT_FOUND),
    (_other_storage_shape, codes.OP_NOT_FOUND),
    (_changed_after_use, codes.OP_NOT_FOUND),
    (_short_input, codes.GE_PARAM_INVALID),
    (_short_output, codes.GE_PARAM_INVALID),
]


@pytest.mark.parametrize(("spoil", "code"), WRONG, ids=[spoil.__name__ for spoil, _ in WRONG])
def test_what_makes_the_call_fail(acl, program, adding, spoil, code):
    spoil(acl, adding)
    assert adding.execute() == code
    text = program.message()
    assert adding.op_type in text
    assert str(code) in text


def test_a_failing_call_queues_nothing(acl, adding):
    adding.op_type = "Addd"
    assert adding.execute() == codes.OP_NOT_FOUND
    assert acl.rt.stream_query(0) == (0, 0)


def test_extra_descriptors_are_ignored(acl, adding):
    adding.descs += [0, 12345]
    adding.out_descs.append(0)
    assert adding.execute() == 0
    assert acl.rt.synchronize_stream(0) == 0
    assert np.array_equal(adding.result(), X + Y)


def test_when_all_outputs_are_empty_nothing_is_looked_at(acl):
    empty = acl.create_tensor_desc(FLOAT, [2, 0], ND)
    assert acl.op.execute_v2("NoSuchOp", [empty], [0], [empty], [0], 0, 12345) == 0
    assert acl.op.execute_v2("NoSuchOp", [0], [0], [empty], [0], 0, 0) == codes.INVALID_PARAM


def test_without_a_context_the_default_stream_is_missing(acl, adding, elsewhere):
    assert elsewhere(adding.execute) == codes.INVALID_PARAM
    # A worse mistake is noticed first.
    adding.op_type = "Addd"
    assert elsewhere(adding.execute) == codes.OP_NOT_FOUND


def test_a_storage_shape_of_as_many_elements_is_fine(acl, adding):
    acl.set_tensor_shape(adding.descs[0], [6])
    acl.set_tensor_format(adding.descs[0], 2)
    assert adding.execute() == 0


@pytest.mark.parametrize("format_", [-1, 0, 1, 2])
def test_plain_formats_are_one(acl, adding, format_):
    adding.descs[0] = acl.create_tensor_desc(FLOAT, [2, 3], format_)
    assert adding.execute() == 0


def test_a_buffer_may_be_larger(acl, adding):
    acl.update_data_buffer(adding.buffers[1], acl.get_data_buffer_addr(adding.buffers[1]), 4096)
    assert adding.execute() == 0
    assert acl.rt.synchronize_stream(0) == 0


def test_what_exists_depends_on_the_chip(bare, start):
    for soc, code in (("Ascend910B1", 0), ("Ascend910", codes.OP_NOT_FOUND)):
        embedded.reset(soc=soc)
        program = start()
        desc = bare.create_tensor_desc(27, [2], ND)
        buffer = bare.create_data_buffer(program.upload(bytes(4)), 4)
        assert bare.op.execute_v2("TensorMove", [desc], [buffer], [desc], [buffer], 0, 0) == code


def test_where_memory_is_shared_kernels_take_host_addresses(bare, start):
    embedded.reset(soc="Ascend310B1")
    program = start()
    # Page-locked memory is aligned as kernels want it.
    host, _ = bare.rt.malloc_host(X.nbytes)
    bare.rt.memset(host, X.nbytes, 0, X.nbytes)
    x = program.tensor(X)
    out = program.desc(X), bare.create_data_buffer(host, X.nbytes)
    assert bare.op.execute_v2("Exp", [x[0]], [x[1]], [out[0]], [out[1]], 0, 0) == 0
    assert bare.rt.synchronize_stream(0) == 0
    assert np.allclose(bare.util.ptr_to_numpy(host, X.shape, 11), np.exp(X))


# Failures on the device.


def _unaligned(acl, program, adding):
    acl.update_data_buffer(adding.buffers[1], acl.get_data_buffer_addr(adding.buffers[1]) + 4, 24)
    return "multiple of 32"


def _host_address(acl, program, adding):
    host, _ = acl.rt.malloc_host(64)
    acl.update_data_buffer(adding.buffers[1], host, 24)
    return "host address"


def _freed(acl, program, adding):
    acl.rt.free(acl.get_data_buffer_addr(adding.buffers[1]))
    return "freed"


def _block_too_small(acl, program, adding):
    acl.update_data_buffer(adding.out_buffers[0], program.upload(bytes(8)), 24)
    return "past the end"


def _no_address_at_all(acl, program, adding):
    acl.update_data_buffer(adding.buffers[0], 2**64 - 32, 24)
    return "0xffff"


def _other_device(acl, program, adding):
    acl.rt.set_device(1)
    acl.update_data_buffer(adding.buffers[0], program.upload(X), 24)
    acl.rt.set_device(0)
    return "device 1"


@pytest.mark.parametrize(
    "spoil", [_unaligned, _host_address, _freed, _block_too_small, _no_address_at_all, _other_device]
)
def test_bad_addresses_fail_on_the_device(acl, program, adding, spoil):
    words = spoil(acl, program, adding)
    assert adding.execute() == 0
    assert acl.rt.synchronize_stream(0) == codes.RT_AICORE_EXCEPTION
    text = program.message()
    assert "Add(float32[2, 3], float32[3]) -> (float32[2, 3])" in text
    assert words in text
    assert acl.rt.get_last_error(0) == codes.RT_AICORE_EXCEPTION
    assert embedded.executed_ops() == {}
    # The stream goes on working.
    fresh = Adding(acl, program)
    assert fresh.execute() == 0
    assert acl.rt.synchronize_stream(0) == 0
    assert np.array_equal(fresh.result(), X + Y)


@pytest.mark.parametrize(("dtype", "code"), [(FLOAT, codes.RT_AICORE_EXCEPTION), (11, codes.RT_AICPU_EXCEPTION)])
def test_the_code_of_a_failure_names_the_engine(acl, program, dtype, code):
    desc = acl.create_tensor_desc(dtype, [1], ND)
    buffer = acl.create_data_buffer(32, 32)
    assert acl.op.execute_v2("Exp", [desc], [buffer], [desc], [buffer], 0, 0) == 0
    assert acl.rt.synchronize_stream(0) == code


def test_an_index_out_of_range_is_a_failure_on_the_device(acl, program):
    table, indices = program.tensor(Y), program.tensor(np.array([7], np.int64))
    axis = acl.create_tensor_desc(INT64, [1], ND)
    zero = bytes(8)
    acl.set_tensor_const(axis, acl.util.bytes_to_ptr(zero), 8)
    out = program.tensor(np.zeros(1, np.float32))
    nothing = acl.create_data_buffer(0, 0)
    descs, buffers = [table[0], indices[0], axis], [table[1], indices[1], nothing]
    assert acl.op.execute_v2("GatherV2", descs, buffers, [out[0]], [out[1]], 0, 0) == 0
    assert acl.rt.synchronize_stream(0) == codes.RT_AICORE_EXCEPTION
    assert "IndexError" in program.message()


# Constant inputs, and inputs on the host.


class Reducing:
    """`ReduceSum` of a (2, 3) tensor over axes that the caller provides in one way or another."""

    def __init__(self, acl, program, out_shape):
        self.acl, self.program = acl, program
        x, out = program.tensor(X), program.tensor(np.zeros(out_shape, np.float32))
        self.axes = acl.create_tensor_desc(INT32, [1], ND)
        self.axes_buffer = acl.create_data_buffer(0, 0)
        self.lists = [x[0], self.axes], [x[1], self.axes_buffer], [out[0]], [out[1]]
        self.out, self.out_shape = out[2], out_shape

    def execute(self, attr=0):
        return self.acl.op.execute_v2("ReduceSum", *self.lists, attr, 0)

    def result(self):
        return self.program.download(self.out, np.zeros(self.out_shape, np.float32))


def const(acl, reducing, axis):
    data = np.array([axis], np.int32).tobytes()
    assert acl.set_tensor_const(reducing.axes, acl.util.bytes_to_ptr(data), 4) == 0


@pytest.mark.parametrize(("axis", "shape"), [(0, (3,)), (1, (2,)), (-1, (2,))])
def test_a_constant_input(acl, program, axis, shape):
    reducing = Reducing(acl, program, shape)
    const(acl, reducing, axis)
    assert reducing.execute() == 0
    assert acl.rt.synchronize_stream(0) == 0
    assert np.array_equal(reducing.result(), X.sum(axis))


def test_the_constant_is_part_of_the_match(acl, program):
    reducing = Reducing(acl, program, (3,))
    const(acl, reducing, 0)
    assert reducing.execute() == 0
    const(acl, reducing, 1)
    assert reducing.execute() == codes.OP_NOT_FOUND


def test_a_constant_of_another_size_does_not_match(acl, program):
    reducing = Reducing(acl, program, (3,))
    data = bytes(8)
    acl.set_tensor_const(reducing.axes, acl.util.bytes_to_ptr(data), 8)
    assert reducing.execute() == codes.OP_NOT_FOUND


def test_a_shape_deciding_input_on_the_device_does_not_match(acl, program):
    reducing = Reducing(acl, program, (3,))
    acl.update_data_buffer(reducing.axes_buffer, program.upload(np.array([0], np.int32)), 4)
    assert reducing.execute() == codes.OP_NOT_FOUND
    assert "acl.set_tensor_const" in program.message()


@pytest.mark.parametrize("placement", [1, 2])
def test_an_input_on_the_host_is_consumed_during_the_call(acl, program, placement):
    reducing = Reducing(acl, program, (3,))
    axes = np.array([0], np.int32)
    acl.set_tensor_place_ment(reducing.axes, placement)
    acl.update_data_buffer(reducing.axes_buffer, axes.ctypes.data, 4)
    for _ in range(2):
        axes[0] = 0
        assert reducing.execute() == 0
        axes[0] = 1
        assert acl.rt.synchronize_stream(0) == 0
        assert np.array_equal(reducing.result(), X.sum(0))
        assert reducing.execute() == codes.OP_NOT_FOUND


def test_a_host_input_with_a_device_address_is_refused(acl, program):
    reducing = Reducing(acl, program, (3,))
    acl.set_tensor_place_ment(reducing.axes, 1)
    acl.update_data_buffer(reducing.axes_buffer, program.upload(np.array([0], np.int32)), 4)
    assert reducing.execute() == codes.INVALID_PARAM
    assert "device address where host memory is due" in program.message()
    acl.update_data_buffer(reducing.axes_buffer, 64, 2)
    assert reducing.execute() == codes.GE_PARAM_INVALID


def test_a_scalar_on_the_host_is_no_part_of_the_match(acl, program, adding):
    scalar = np.array([10, 20, 30], np.float32)
    acl.set_tensor_place_ment(adding.descs[1], 1)
    acl.update_data_buffer(adding.buffers[1], scalar.ctypes.data, 12)
    for step in range(3):
        scalar[:] = step
        assert adding.execute() == 0
        scalar[:] = -1
        assert acl.rt.synchronize_stream(0) == 0
        assert np.array_equal(adding.result(), X + step)
    assert len(op_calls._plans) == 1


# Attributes, optional and repeated inputs, empty tensors.


@pytest.mark.parametrize(("keep", "shape"), [(True, (1, 3)), (False, (3,)), (None, (3,))])
def test_attributes_and_their_defaults(acl, program, keep, shape):
    reducing = Reducing(acl, program, shape)
    const(acl, reducing, 0)
    attr = acl.op.create_attr()
    if keep is not None:
        acl.op.set_attr_bool(attr, "keep_dims", keep)
    assert reducing.execute(attr) == 0
    assert acl.rt.synchronize_stream(0) == 0
    assert np.array_equal(reducing.result(), X.sum(0, keepdims=bool(keep)))


def test_an_attribute_of_another_type_does_not_match(acl, program):
    reducing = Reducing(acl, program, (3,))
    const(acl, reducing, 0)
    attr = acl.op.create_attr()
    acl.op.set_attr_int(attr, "keep_dims", 0)
    assert reducing.execute(attr) == codes.OP_NOT_FOUND
    assert "Bool" in program.message()
    acl.op.set_attr_bool(attr, "keep_dims", False)
    assert reducing.execute(attr) == 0


def test_a_required_attribute_must_be_there(acl, program, adding):
    adding.op_type = "Cast"
    del adding.buffers[1]
    assert adding.execute() == codes.OP_NOT_FOUND
    assert "dst_type" in program.message()


def matmul(acl, program, extra):
    a, b = np.ones((2, 3), np.float32), np.arange(12, dtype=np.float32).reshape(3, 4)
    x1, x2, out = program.tensor(a), program.tensor(b), program.tensor(np.zeros((2, 4), np.float32))
    absent = acl.create_tensor_desc(UNDEFINED, [], UNDEFINED), acl.create_data_buffer(0, 0)
    descs = [x1[0], x2[0]] + [absent[0]] * extra
    buffers = [x1[1], x2[1]] + [absent[1]] * extra
    ret = acl.op.execute_v2("MatMulV2", descs, buffers, [out[0]], [out[1]], 0, 0)
    assert acl.rt.synchronize_stream(0) == 0
    return ret, np.array_equal(program.download(out[2], np.zeros((2, 4), np.float32)), a @ b)


@pytest.mark.parametrize("extra", [0, 1, 2])
def test_optional_inputs_are_left_out_or_placeholders(acl, program, extra):
    assert matmul(acl, program, extra) == (0, True)


def test_too_many_placeholders_do_not_match(acl, program):
    assert matmul(acl, program, 3)[0] == codes.OP_NOT_FOUND


@pytest.mark.parametrize("count", [1, 2, 5])
def test_a_repeated_input_takes_any_number(acl, program, count):
    parts = [program.tensor(X + i) for i in range(count)]
    expected = np.concatenate([X + i for i in range(count)])
    out = program.tensor(np.zeros_like(expected))
    attr = acl.op.create_attr()
    acl.op.set_attr_int(attr, "concat_dim", 0)
    acl.op.set_attr_int(attr, "N", count)
    descs, buffers = [p[0] for p in parts], [p[1] for p in parts]
    assert acl.op.execute_v2("ConcatD", descs, buffers, [out[0]], [out[1]], attr, 0) == 0
    assert acl.rt.synchronize_stream(0) == 0
    assert np.array_equal(program.download(out[2], expected), expected)
    assert acl.op.execute_v2("ConcatD", [], [], [out[0]], [out[1]], attr, 0) == codes.OP_NOT_FOUND


def test_a_repeated_input_has_one_dtype(acl, program):
    parts = [program.tensor(X), program.tensor(X.astype(np.int32))]
    out = program.tensor(np.zeros((4, 3), np.float32))
    attr = acl.op.create_attr()
    acl.op.set_attr_int(attr, "concat_dim", 0)
    descs, buffers = [p[0] for p in parts], [p[1] for p in parts]
    assert acl.op.execute_v2("ConcatD", descs, buffers, [out[0]], [out[1]], attr, 0) == codes.OP_NOT_FOUND


def test_an_empty_input_needs_no_memory(acl, program):
    empty = acl.create_tensor_desc(FLOAT, [0, 3], ND), acl.create_data_buffer(0, 0)
    x, out = program.tensor(X), program.tensor(np.zeros_like(X))
    attr = acl.op.create_attr()
    acl.op.set_attr_int(attr, "concat_dim", 0)
    acl.op.set_attr_int(attr, "N", 2)
    assert acl.op.execute_v2("ConcatD", [empty[0], x[0]], [empty[1], x[1]], [out[0]], [out[1]], attr, 0) == 0
    assert acl.rt.synchronize_stream(0) == 0
    assert np.array_equal(program.download(out[2], X), X)


# Handles of operators, casts, shape inference.


def test_an_operator_handle_runs_without_descriptors(acl, program, adding):
    handle, ret = acl.op.create_handle("Add", adding.descs, adding.out_descs, 0)
    assert ret == 0
    for desc in adding.descs + adding.out_descs:
        acl.destroy_tensor_desc(desc)
    assert acl.op.execute_with_handle(handle, adding.buffers, adding.out_buffers, 0) == 0
    assert acl.rt.synchronize_stream(0) == 0
    assert np.array_equal(adding.result(), X + Y)
    buffers, outs = adding.buffers, adding.out_buffers
    assert acl.op.execute_with_handle(handle, buffers[:1], outs, 0) == codes.OP_INPUT_NOT_MATCH
    assert acl.op.execute_with_handle(handle, buffers * 2, outs, 0) == codes.OP_INPUT_NOT_MATCH
    assert acl.op.execute_with_handle(handle, buffers, outs * 2, 0) == codes.OP_OUTPUT_NOT_MATCH
    assert acl.op.execute_with_handle(handle, [0, 0], outs, 0) == codes.INVALID_PARAM
    acl.update_data_buffer(outs[0], 0, 0)
    assert acl.op.execute_with_handle(handle, buffers, outs, 12345) == 0
    assert acl.op.destroy_handle(handle) is None
    assert acl.op.execute_with_handle(handle, buffers, outs, 0) == codes.INVALID_PARAM
    assert acl.op.destroy_handle(0) is None


def test_operator_handles_that_cannot_be(acl, adding):
    assert acl.op.create_handle("Addd", adding.descs, adding.out_descs, 0) == (0, codes.OP_NOT_FOUND)
    assert acl.op.create_handle("Add", [0, 0], adding.out_descs, 0) == (0, codes.INVALID_PARAM)
    acl.set_tensor_place_ment(adding.descs[0], 2)
    assert acl.op.create_handle("Add", adding.descs, adding.out_descs, 0) == (0, codes.API_NOT_SUPPORT)


def test_cast(acl, program):
    x, out = program.tensor(X + 0.75), program.tensor(np.zeros(X.shape, np.int32))
    assert acl.op.cast(x[0], x[1], out[0], out[1], 0, 0) == 0
    assert acl.rt.synchronize_stream(0) == 0
    assert np.array_equal(program.download(out[2], np.zeros(X.shape, np.int32)), (X + 0.75).astype(np.int32))
    handle, ret = acl.op.create_handle_for_cast(x[0], out[0], 0)
    assert ret == 0
    assert acl.op.execute_with_handle(handle, [x[1]], [out[1]], 0) == 0
    assert acl.rt.synchronize_stream(0) == 0
    acl.op.destroy_handle(handle)
    assert acl.op.cast(x[0], x[1], 0, out[1], 0, 0) == codes.INVALID_PARAM
    assert "operator attributes" not in embedded.live_handles()


def test_shapes_are_inferred_from_host_memory(acl, program):
    axes = np.array([1], np.int64)
    descs = [program.desc(X), program.desc(axes)]
    buffers = [acl.create_data_buffer(array.ctypes.data, array.nbytes) for array in (X, axes)]
    out = acl.create_tensor_desc(UNDEFINED, [], UNDEFINED)
    assert acl.op.infer_shape("ReduceSum", descs, buffers, 1, [out], 0) == 0
    assert acl.get_tensor_desc_type(out) == FLOAT
    assert acl.get_tensor_desc_dim_v2(out, 0) == (2, 0)
    assert acl.get_tensor_desc_dim_range(out, 0, 2) == ([2, 2], 0)
    assert acl.get_tensor_desc_size(out) == 8


def test_inference_that_fails(acl, program):
    x = program.desc(X)
    buffer = acl.create_data_buffer(X.ctypes.data, X.nbytes)
    odd = program.desc(np.zeros(4, np.float32))
    out = acl.create_tensor_desc(UNDEFINED, [], UNDEFINED)
    infer = acl.op.infer_shape
    assert infer("Add", [x, odd], [buffer, buffer], 1, [out], 0) == codes.GE_FAILURE
    assert infer("Addd", [x, x], [buffer, buffer], 1, [out], 0) == codes.OP_NOT_FOUND
    assert infer("Add", [x, x], [buffer, buffer], 2, [out], 0) == codes.INVALID_PARAM
    assert infer("Add", [x, x], [buffer, buffer], 2, [out, out], 0) == codes.INVALID_PARAM
    empty = acl.create_data_buffer(0, 0)
    assert infer("Add", [x, x], [buffer, empty], 1, [out], 0) == codes.INVALID_PARAM
    device = program.tensor(X)[1]
    assert infer("Add", [x, x], [buffer, device], 1, [out], 0) == codes.INVALID_PARAM
    assert "host memory is due" in program.message()


def test_the_model_directory(acl, tmp_path):
    assert acl.op.set_model_dir(str(tmp_path / "none")) == codes.READ_MODEL_FAILURE
    assert acl.op.set_model_dir(str(tmp_path)) == 0
    assert acl.op.set_model_dir(str(tmp_path)) == codes.REPEAT_INITIALIZE
    assert acl.op.set_max_op_queue_num(0) == codes.INVALID_PARAM
    assert acl.op.set_max_op_queue_num(1) == 0


# Threads, and the cache of signatures.


def test_repeated_signatures_are_matched_once(acl, program, adding, monkeypatch):
    seen = []
    real = op_calls.match
    monkeypatch.setattr(op_calls, "match", lambda *args: seen.append(args[0]) or real(*args))
    for _ in range(3):
        assert adding.execute() == 0
    other = Adding(acl, program)
    assert other.execute() == 0
    assert seen == ["Add"]


def test_the_cache_of_signatures_stays_small(acl, program, monkeypatch):
    monkeypatch.setattr(op_calls, "_MOST_PLANS", 4)
    for size in range(1, 12):
        x = program.tensor(np.ones(size, np.float32))
        assert acl.op.execute_v2("Exp", [x[0]], [x[1]], [x[0]], [x[1]], 0, 0) == 0
        assert len(op_calls._plans) <= 4
    assert acl.rt.synchronize_stream(0) == 0


def test_threads_executing_on_their_own_streams(acl, program):
    context, _ = acl.rt.get_context()
    results = {}

    def work(number):
        acl.rt.set_context(context)
        mine = Adding(acl, program)
        mine.stream, _ = acl.rt.create_stream()
        good = [mine.execute() == 0 for _ in range(50)]
        good.append(acl.rt.synchronize_stream(mine.stream) == 0)
        results[number] = all(good) and np.array_equal(mine.result(), X + Y)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == dict.fromkeys(range(4), True)
    assert embedded.executed_ops() == {"Add": 200}


def test_a_program_that_cleans_up_leaves_nothing(acl, adding):
    assert adding.execute() == 0
    assert acl.rt.synchronize_stream(0) == 0
    for desc in adding.descs + adding.out_descs:
        acl.destroy_tensor_desc(desc)
    for buffer in adding.buffers + adding.out_buffers:
        assert acl.rt.free(acl.get_data_buffer_addr(buffer)) == 0
        assert acl.destroy_data_buffer(buffer) == 0
    assert acl.rt.reset_device(0) == 0
    assert embedded.live_handles() == {}
    assert embedded.reclaimed_handles() == []
