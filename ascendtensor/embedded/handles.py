"""Handles: the plain ints that stand for objects on the other side of the border.

Every number is given out once, over all kinds, so that a handle used twice, or as another kind of thing,
is found out and never meets a stranger's object.
"""

from __future__ import annotations

import itertools
from typing import Generic, TypeVar

__all__ = ["Handles", "clear", "live"]

Thing = TypeVar("Thing")

# Spaced like addresses of small objects; handles are never mistaken for small ints such as device numbers.
_numbers = itertools.count(0x5500_0000_1000, 0x10)
_kinds: dict[str, Handles] = {}


class Handles(Generic[Thing]):
    """The live objects of one kind by their handles."""

    def __init__(self, kind: str) -> None:
        self.objects: dict[int, Thing] = {}
        # What the runtime made for itself, such as default streams, is nobody's duty to destroy.
        self.own: set[int] = set()
        # Looking up is the commonest thing done with a handle: no method of this class around it.
        self.get = self.objects.get
        _kinds[kind] = self

    def add(self, thing: Thing, *, own: bool = False) -> int:
        """A new handle for `thing`; `own` marks what the runtime will destroy by itself."""
        handle = next(_numbers)
        self.objects[handle] = thing
        if own:
            self.own.add(handle)
        return handle

    def pop(self, handle: int) -> Thing | None:
        """Take `handle` out of use; None if it is not in use."""
        self.own.discard(handle)
        return self.objects.pop(handle, None)


def live() -> dict[str, list[int]]:
    """The handles that somebody still has to destroy, by kind; kinds with none are left out."""
    alive = {kind: [h for h in list(table.objects) if h not in table.own] for kind, table in _kinds.items()}
    return {kind: found for kind, found in alive.items() if found}


def clear() -> None:
    """Forget every handle of every kind."""
    for table in _kinds.values():
        table.objects.clear()
        table.own.clear()
