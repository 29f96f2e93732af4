"""Records of distinct calls: small, of accepted calls only, and in the form that verification reads."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import ascendtensor as at
from ascendtensor.embedded import faults, op_calls, record_ops
from ops_registry import soc
from ops_registry.verification import recorded_calls


@pytest.fixture
def record(tmp_path: Path) -> Iterator[Path]:
    # The whole run may be recorded, and goes on being so.
    before = op_calls.tell_call
    path = tmp_path / "calls.jsonl"
    record_ops(path, distinct=True)
    yield path
    op_calls.tell_call = before


def told(path: Path) -> list[str]:
    return [json.loads(line)["op"] for line in path.read_text().splitlines()] if path.exists() else []


def test_calls_that_differ_in_shape_only_are_kept_once(record: Path) -> None:
    for shape in ((2,), (2, 3), ()):
        x = at.asarray(np.ones(shape, np.float32))
        x + x
    assert told(record) == ["Add"]


def test_calls_that_differ_in_dtype_constants_or_attributes_are_all_kept(record: Path) -> None:
    x = at.asarray(np.ones((2, 3), np.float32))
    x + x
    x + 1.0
    y = at.asarray(np.ones((2, 3), np.int32))
    y + y
    at.sum(x, axis=0)
    at.sum(x, axis=1)
    at.sum(x, axis=0, keepdims=True)
    assert told(record) == ["Add"] * 3 + ["ReduceSum"] * 2
    assert len(list(recorded_calls(record, soc.ALL))) == 5


def test_refused_calls_are_not_kept(record: Path) -> None:
    x = at.ones((2,))
    record.unlink(missing_ok=True)
    with faults.fail_call(100000, "acl.op.execute_v2"), pytest.raises(at.AclError):
        x + x
    assert told(record) == []
