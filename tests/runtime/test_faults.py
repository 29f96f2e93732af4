"""Every `acl` call failing in turn: a clear error, nothing leaked, and the next operation works."""

from __future__ import annotations

import gc
from collections.abc import Callable

import numpy as np
import pytest

import ascendtensor as at
from ascendtensor import embedded
from ascendtensor.embedded import faults
from ascendtensor.runtime.plans import plan_for

from ..comparison import settled_memory

REFUSED = 100000
# What stands for a function that gives a handle, and gave none.
NO_HANDLE = 200000


def upload_and_read() -> None:
    assert at.asarray([1.0, 2.0]).tolist() == [1.0, 2.0]


def arithmetic() -> None:
    x = at.ones((3, 5)) * 2.0 + 1
    assert x.tolist() == [[3.0] * 5] * 3


def reduction() -> None:
    assert float(at.var(at.asarray(np.arange(12.0)).reshape(3, 4))) == pytest.approx(np.var(np.arange(12.0)))


def product() -> None:
    x = at.reshape(at.arange(6, dtype=at.float32), (2, 3))
    assert (x @ x.T).tolist() == [[5.0, 14.0], [14.0, 50.0]]


def strided_write() -> None:
    x = at.zeros((4, 4), dtype=at.int32)
    x[::2, ::-1] = at.arange(4, dtype=at.int32)
    assert x[0].tolist() == [3, 2, 1, 0]


def joined() -> None:
    assert at.concat([at.ones((2,)), at.zeros((1,))]).tolist() == [1.0, 1.0, 0.0]


PROGRAMS: list[Callable[[], None]] = [upload_and_read, arithmetic, reduction, product, strided_write, joined]


def raised_by(program: Callable[[], None]) -> at.AclError | None:
    try:
        program()
    except at.AclError as error:
        return error
    return None


def fresh() -> None:
    """Forget plans and cached memory, so that a program makes every call that it can."""
    plan_for.cache_clear()
    at.npu.empty_cache()
    gc.collect()


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_every_call_that_fails_is_reported_and_leaks_nothing(program: Callable[[], None]) -> None:
    program()
    fresh()
    with faults.record_calls() as recorded:
        program()
    assert "acl.op.execute_v2" in recorded.names or program is upload_and_read
    failed: set[str] = set()
    for n in range(1, len(recorded.names) + 1):
        fresh()
        allocated = settled_memory()
        with faults.fail_call(REFUSED, n=n) as calls:
            error = raised_by(program)
        if error is None:
            assert calls.failed is None or calls.failed in TOLERATED, calls.failed
        else:
            assert calls.failed == error.function
            assert error.code in (REFUSED, NO_HANDLE)
            failed.add(error.function)
        del error
        gc.collect()
        assert at.npu.memory_allocated() == allocated
        program()
    assert failed


# Called from destructors, which cannot raise; and to ask for a message that there may not be.
TOLERATED = {
    "acl.destroy_data_buffer",
    "acl.rt.destroy_event",
    "acl.op.destroy_attr",
    "acl.destroy_tensor_desc",
    "acl.get_recent_err_msg",
    "acl.rt.get_mem_info",
}


@pytest.mark.parametrize(
    ("function", "program"),
    [
        ("acl.rt.malloc", arithmetic),
        ("acl.op.execute_v2", arithmetic),
        ("acl.rt.memcpy", upload_and_read),
        ("acl.rt.memcpy_async", upload_and_read),
        ("acl.rt.synchronize_stream", arithmetic),
        ("acl.set_tensor_const", reduction),
        ("acl.op.set_attr_bool", product),
        ("acl.op.set_attr_int", joined),
    ],
)
def test_the_error_names_the_function_that_failed(function: str, program: Callable[[], None]) -> None:
    fresh()
    with faults.fail_call(REFUSED, function), pytest.raises(at.AclError) as caught:
        program()
    assert caught.value.function == function
    assert str(caught.value).startswith(f"{function} returned 100000 (ACL_ERROR_INVALID_PARAM)")
    program()


def test_a_program_leaves_no_handle_behind_after_failures() -> None:
    for program in PROGRAMS:
        program()
    fresh()
    before = {kind: len(handles) for kind, handles in embedded.live_handles().items()}
    for program in PROGRAMS:
        for n in range(1, 40):
            with faults.fail_call(REFUSED, n=n):
                try:
                    program()
                except at.AclError:
                    continue
    fresh()
    after = {kind: len(handles) for kind, handles in embedded.live_handles().items()}
    lost = {kind: count for kind, count in after.items() if count > before.get(kind, 0)}
    # A destructor whose own call was made to fail has lost its handle; nothing else may be lost.
    assert all(kind in ("data buffer", "device memory", "event") for kind in lost), lost
