"""What a program has left alive, and the line that made it."""

from __future__ import annotations

import sys
from typing import NamedTuple

from . import acl_calls, creation, memory
from .observation import live_handles

__all__ = ["Leak", "describe_leaks", "find_leaks", "report_at_finalize"]


class Leak(NamedTuple):
    """Something that is still to be destroyed, freed or reset."""

    kind: str
    handle: int
    bytes: int
    line: str


def find_leaks() -> list[Leak]:
    """Everything alive now. Lines are known of what was made while they were noted."""
    found = []
    for kind, alive in live_handles().items():
        for handle in alive:
            block = memory.DEVICE.blocks.get(handle) or memory.PINNED.blocks.get(handle)
            key = (kind, handle) if kind == "device" else handle
            found.append(Leak(kind, handle, 0 if block is None else block.size, creation.line_of(key)))
    return found


def describe_leaks(leaks: list[Leak]) -> list[str]:
    """A line of text a leak."""
    return [
        f"{leak.kind} {leak.handle if leak.kind == 'device' else hex(leak.handle)}"
        f"{f' of {leak.bytes} bytes' if leak.bytes else ''}, made at {leak.line}"
        for leak in leaks
    ]


def _report() -> None:
    leaks = find_leaks()
    if leaks:
        lines = "\n".join(f"  {text}" for text in describe_leaks(leaks))
        print(f"ascendtensor: still alive at acl.finalize: {len(leaks)}\n{lines}", file=sys.stderr, flush=True)


def report_at_finalize(on: bool) -> bool:
    """Write to standard error at `acl.finalize` what is still alive, from now on or no more; gives what held before."""
    before = acl_calls.at_finalize is not None
    acl_calls.at_finalize = _report if on else None
    if on != before:
        creation.track(on)
    return before
