"""What the device has been asked to do, by op type."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["OpCount", "count_of", "op_counts"]


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
