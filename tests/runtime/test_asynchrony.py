"""The contract of `execute_v2`: queued is not done, and failures surface where somebody waits."""

from __future__ import annotations

import linecache
import re

import numpy as np
import pytest

import ascendtensor as at
from ascendtensor import embedded
from ascendtensor.embedded import faults
from ascendtensor.runtime import stream as streams

from ..comparison import settled_memory

AICORE_EXCEPTION = 507015


def test_an_operation_returns_before_it_has_run() -> None:
    x = at.ones((8,))
    at.npu.synchronize()
    embedded.reset_executed_ops()
    y = x + x
    assert embedded.executed_ops() == {}
    at.npu.synchronize()
    assert embedded.executed_ops() == {"Add": 1}
    assert y.tolist() == [2.0] * 8


@pytest.mark.parametrize(
    "read",
    [
        lambda y: y.numpy(),
        lambda y: float(y[0]),
        lambda y: bool(y[0]),
        lambda y: repr(y),
        lambda y: y.tolist(),
        lambda y: np.asarray(y),
        lambda y: np.from_dlpack(y),
        lambda y: at.npu.synchronize(),
    ],
)
def test_reading_a_value_waits_for_it(read: object) -> None:
    at.npu.synchronize()
    embedded.reset_executed_ops()
    y = at.ones((4,)) * 3
    read(y)  # type: ignore[operator]
    assert embedded.executed_ops()["Mul"] == 1


@pytest.mark.parametrize(
    "view",
    [
        lambda x: at.reshape(x, (3, 2)),
        lambda x: at.permute_dims(x, (1, 0)),
        lambda x: x[:, ::-1],
        lambda x: at.expand_dims(x, axis=0),
        lambda x: at.broadcast_to(x, (5, 2, 3)),
        lambda x: at.squeeze(at.expand_dims(x, axis=0), 0),
        lambda x: at.flip(x),
        lambda x: at.moveaxis(x, 0, 1),
        lambda x: x.T,
    ],
)
def test_views_move_nothing(view: object) -> None:
    x = at.asarray(np.arange(6.0).reshape(2, 3))
    at.npu.synchronize()
    embedded.reset_executed_ops()
    held = settled_memory()
    y = view(x)  # type: ignore[operator]
    at.npu.synchronize()
    assert embedded.executed_ops() == {}
    assert at.npu.memory_allocated() == held
    assert y.storage is x.storage


def test_a_failure_names_the_op_its_operands_and_the_line_that_queued_it() -> None:
    x = at.ones((2, 3))
    at.npu.synchronize()
    with faults.fail_op(AICORE_EXCEPTION, "Exp"):
        y = at.exp(x)  # queued here
        at.abs(x)
        with pytest.raises(at.AclError) as caught:
            y.numpy()
    told = str(caught.value)
    assert caught.value.code == AICORE_EXCEPTION
    assert "Exp(float32[2, 3])" in told
    file, line = re.search(r"queued at (.*?):(\d+)", told).groups()  # type: ignore[union-attr]
    assert "# queued here" in linecache.getline(file, int(line))


def test_after_a_failure_the_stream_works_again() -> None:
    x = at.ones((4,))
    with faults.fail_op(AICORE_EXCEPTION, "Exp"), pytest.raises(at.AclError):
        at.exp(x).numpy()
    assert (x + 1).tolist() == [2.0] * 4


def test_an_index_out_of_range_on_the_device_is_reported_at_synchronisation() -> None:
    x = at.arange(4)
    taken = at.take(x, at.asarray([0, 9]))
    with pytest.raises(at.AclError, match="GatherV2"):
        taken.numpy()
    assert at.take(x, at.asarray([0, -1])).tolist() == [0, 3]


def test_launch_blocking_raises_at_the_call(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "LAUNCH_BLOCKING", True)
    x = at.ones((4,))
    with faults.fail_op(AICORE_EXCEPTION, "Exp"), pytest.raises(at.AclError, match="Exp"):
        at.exp(x)


def test_one_failed_stream_does_not_hide_another() -> None:
    x, y = at.ones((4,)), at.ones((4,))
    other = streams.Stream(x.device)
    with faults.fail_op(AICORE_EXCEPTION, "Exp"):
        at.exp(x)
        with streams.using(other):
            doubled = y * 2
        with pytest.raises(at.AclError):
            at.npu.synchronize()
    assert doubled.tolist() == [2.0] * 4
