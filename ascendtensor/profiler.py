"""What the device did in a stretch of code, named as in `torch.profiler`."""

from __future__ import annotations

from types import TracebackType
from typing import Self

from .runtime.allocator import allocator
from .runtime.device import current
from .runtime.statistics import OpCount, op_counts

__all__ = ["profile"]


class profile:
    """Counts op calls in a `with` block.

    Attributes:
        peak_memory: the most bytes that tensors on the current device held at once, known after the block.
    """

    def __init__(self) -> None:
        self.peak_memory = 0
        self._before: dict[str, OpCount] = {}
        self._after: dict[str, OpCount] | None = None

    def __enter__(self) -> Self:
        allocator(current()).reset_peaks()
        self._before = op_counts()
        self._after = None
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._after = op_counts()
        memory = allocator(current())
        memory.settle()
        self.peak_memory = memory.peak_allocated

    def key_averages(self) -> list[OpCount]:
        """The counts of each op type that was called, most calls first."""
        nothing = OpCount("")
        counts = []
        for name, after in (self._after or op_counts()).items():
            before = self._before.get(name, nothing)
            count = OpCount(
                name,
                after.calls - before.calls,
                after.bytes_in - before.bytes_in,
                after.bytes_out - before.bytes_out,
                after.host_calls - before.host_calls,
            )
            if count.calls or count.host_calls:
                counts.append(count)
        return sorted(counts, key=lambda count: (-count.calls, count.op_type))
