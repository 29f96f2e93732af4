"""The tools that make the runtime hard on its caller."""

from __future__ import annotations

import numpy as np
import pytest

from ascendtensor import embedded
from ascendtensor.embedded import codes, faults, surface


def test_the_nth_call_of_a_function_fails_and_does_nothing(acl):
    with faults.fail_call(codes.RT_MEMORY_ALLOCATION, "acl.rt.malloc", n=2) as calls:
        first, ret = acl.rt.malloc(8, 0)
        assert ret == 0
        assert acl.rt.malloc(8, 0) == (0, codes.RT_MEMORY_ALLOCATION)
        assert calls.failed == "acl.rt.malloc"
        assert acl.rt.malloc(8, 0)[1] == 0
    assert len(embedded.live_handles()["device memory"]) == 2
    assert acl.rt.free(first) == 0


def test_any_call_can_fail(acl):
    with faults.fail_call(codes.INVALID_PARAM, n=3) as calls:
        assert acl.create_data_buffer(0, 0)
        acl.destroy_tensor_desc(0)
        acl.data_type_size(0)
        assert acl.create_data_buffer(0, 0)
        assert acl.create_data_buffer(0, 0) == 0
    assert calls.failed == "acl.create_data_buffer"
    assert len(calls.names) == 5


# What each kind of function gives when it is made to fail.
@pytest.mark.parametrize(
    ("name", "arguments", "result"),
    [
        ("acl.rt.synchronize_stream", (0,), 7),
        ("acl.rt.create_stream", (), (0, 7)),
        ("acl.rt.get_mem_info", (1,), (0, 0, 7)),
        ("acl.create_tensor_desc", (0, [], 2), 0),
        ("acl.op.create_attr", (), 0),
        ("acl.get_tensor_desc_dim_range", (0, 0, 2), (None, 7)),
    ],
)
def test_failed_results(acl, name, arguments, result):
    with faults.fail_call(7, name):
        assert surface.FUNCTIONS[name](*arguments) == result


@pytest.mark.parametrize("name", ["acl.rt.mallocc", "acl.destroy_tensor_desc", "acl.get_soc_name"])
def test_functions_that_cannot_fail(acl, name):
    with pytest.raises(ValueError, match=name), faults.fail_call(7, name):
        pass


def test_functions_taken_from_the_module_earlier_fail_too(acl):
    malloc = acl.rt.malloc
    with faults.fail_call(7, "acl.rt.malloc"):
        assert malloc(8, 0) == (0, 7)


def test_tools_can_be_nested(acl):
    with faults.record_calls() as calls, faults.fail_call(7, "acl.rt.malloc"):
        assert acl.rt.malloc(8, 0) == (0, 7)
        assert acl.rt.malloc(8, 0)[1] == 0
    acl.rt.get_device()
    assert calls.names == ["acl.rt.malloc"] * 2


def test_memory_can_be_limited(acl):
    address, _ = acl.rt.malloc(1000, 0)
    with faults.limit_memory(2048):
        assert acl.rt.get_mem_info(1)[1] == 2048
        assert acl.rt.malloc(1000, 0) == (0, codes.RT_MEMORY_ALLOCATION)
        assert acl.rt.free(address) == 0
        assert acl.rt.malloc(1000, 0)[1] == 0
    assert acl.rt.malloc(4096, 0)[1] == 0


def test_new_memory_can_be_made_telling(acl, program):
    with faults.fill_new_memory(0xEE):
        address, _ = acl.rt.malloc(4, 0)
    assert program.read(address, 4) == b"\xee" * 4


def test_an_op_can_be_made_to_fail_on_the_device(acl, program):
    x = program.tensor(np.ones(4, np.float32))

    def run(op_type):
        return acl.op.execute_v2(op_type, [x[0]], [x[1]], [x[0]], [x[1]], 0, 0)

    with faults.fail_op(codes.RT_AICORE_EXCEPTION, "Exp", n=2):
        for op_type in ("Exp", "Neg", "Exp", "Exp"):
            assert run(op_type) == 0
        assert acl.rt.synchronize_stream(0) == codes.RT_AICORE_EXCEPTION
    assert embedded.executed_ops() == {"Exp": 2, "Neg": 1}
    assert "Exp" in program.message()
    assert run("Exp") == 0
    assert acl.rt.synchronize_stream(0) == 0
