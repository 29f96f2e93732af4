"""What the host computes for want of an engine: warned of once, before anything is queued, and counted."""

from __future__ import annotations

import gc
import warnings
from collections.abc import Iterator

import pytest

import ascendtensor as at
from ascendtensor import linalg
from ascendtensor.profiler import profile
from ascendtensor.runtime import executor


@pytest.fixture(autouse=True)
def _nothing_was_told(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(executor, "_warned", set())
    at.npu.reset_fallback_stats()
    yield
    at.npu.reset_fallback_stats()


def test_an_error_comes_before_anything_is_queued_or_allocated() -> None:
    # A transposed operand would have to be gathered first.
    x = at.asarray([[1.0, 2.0], [3.0, 4.0]]).T
    at.npu.synchronize()
    gc.collect()
    held = at.npu.memory_allocated()
    with warnings.catch_warnings():
        warnings.simplefilter("error", at.HostFallbackWarning)
        for _ in range(2):
            with profile() as seen, pytest.raises(at.HostFallbackWarning, match=r"eigvals.* runs on the host"):
                linalg.eigvals(x)
            assert list(seen.key_averages()) == []
            assert seen.peak_memory == held
        assert at.npu.fallback_stats() == {}
        warnings.simplefilter("ignore", at.HostFallbackWarning)
        assert sorted(linalg.eigvals(at.eye(2)).tolist(), key=abs) == [1, 1]


def test_a_warning_is_given_once_a_function() -> None:
    x = at.eye(2)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        linalg.eigvals(x)
        linalg.eigvals(at.eye(3))
        linalg.eig(x)
    assert [one.category for one in caught] == [at.HostFallbackWarning] * 2
    assert [one.filename for one in caught] == [__file__] * 2


def test_an_ignored_warning_is_silent_and_counted() -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("ignore", at.HostFallbackWarning)
        linalg.eigvals(at.eye(2))
    assert caught == []
    assert at.npu.fallback_stats()["eigvals"].calls == 1


@pytest.mark.filterwarnings("ignore::ascendtensor.HostFallbackWarning")
def test_calls_are_counted_by_function_until_they_are_reset() -> None:
    x = at.eye(2)
    for _ in range(3):
        linalg.eigvals(x)
    linalg.eig(x)
    x + x
    counts = at.npu.fallback_stats()
    assert {name: count.calls for name, count in counts.items()} == {"eigvals": 3, "eig": 1}
    assert counts["eigvals"].op_types == {"EigVals": 3}
    # A 2x2 of float32 in, two complex64 out.
    assert counts["eigvals"].bytes == 3 * (16 + 16)
    # What was given is a snapshot.
    counts["eigvals"].op_types.clear()
    linalg.eigvals(x)
    assert at.npu.fallback_stats()["eigvals"].op_types == {"EigVals": 4}
    at.npu.reset_fallback_stats()
    assert at.npu.fallback_stats() == {}
