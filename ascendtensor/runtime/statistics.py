"""What the device has been asked to do, by op type, and what the host did in its place, by function."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Protocol

__all__ = ["FallbackCount", "OpCount", "count_fallback", "count_of", "fallback_counts", "forget_fallbacks", "op_counts"]


@dataclass(slots=True)
class OpCount:
    """The calls of one op type since the process began.

    Attributes:
        calls: of `acl.op.execute_v2`.
        bytes_in, bytes_out: of all operands and results.
        host_calls: how often the host computed it, for want of an engine.
    """

    op_type: str
    calls: int = 0
    bytes_in: int = 0
    bytes_out: int = 0
    host_calls: int = 0


_counts: dict[str, OpCount] = {}


def count_of(op_type: str) -> OpCount:
    """The counter of an op type; it only ever grows."""
    return _counts.setdefault(op_type, OpCount(op_type))


def op_counts() -> dict[str, OpCount]:
    """A snapshot of all counters."""
    return {name: OpCount(name, c.calls, c.bytes_in, c.bytes_out, c.host_calls) for name, c in _counts.items()}


@dataclass(slots=True)
class FallbackCount:
    """How often the host computed a function, or a part of it, for want of an engine.

    Attributes:
        calls: of the function.
        bytes: what was moved from the device and back for them.
        op_types: how often each op type was computed.
    """

    function: str
    calls: int = 0
    bytes: int = 0
    op_types: dict[str, int] = field(default_factory=dict)


class HostStep(Protocol):
    """An op call that the host computed."""

    op_type: str
    bytes_in: int
    bytes_out: int


_fallbacks: dict[str, FallbackCount] = {}
# Threads may compute the same function, and a count may be read or forgotten meanwhile.
_fallback_lock = threading.Lock()


def count_fallback(function: str, steps: Iterable[HostStep]) -> None:
    """Count one call of a function, with those of its steps that the host computed."""
    with _fallback_lock:
        count = _fallbacks.setdefault(function, FallbackCount(function))
        count.calls += 1
        for step in steps:
            count.bytes += step.bytes_in + step.bytes_out
            count.op_types[step.op_type] = count.op_types.get(step.op_type, 0) + 1


def fallback_counts() -> dict[str, FallbackCount]:
    """A snapshot of what was counted, by function."""
    with _fallback_lock:
        return {name: FallbackCount(name, c.calls, c.bytes, dict(c.op_types)) for name, c in _fallbacks.items()}


def forget_fallbacks() -> None:
    """Count anew from nothing."""
    with _fallback_lock:
        _fallbacks.clear()
