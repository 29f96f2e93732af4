"""The Python line that made each handle and block of memory, for those who look for leaks.

While nobody does, making them costs nothing more: the methods that note lines take the places of the usual
ones only for that time.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Hashable
from typing import Any

from .addresses import AddressSpace
from .handles import Handles

__all__ = ["line_of", "note", "track"]

# Lines of this package are nobody's mistake: the caller's line is the one to show.
_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
_UNKNOWN = "an unknown line"
_lines: dict[Hashable, str] = {}
_plain: list[tuple[type, Callable[..., Any]]] = [(Handles, Handles.add), (AddressSpace, AddressSpace.add)]
_tracking = False


def track(on: bool) -> bool:
    """Note lines from now on or no more; gives what held before. Lines noted before are forgotten."""
    global _tracking
    before, _tracking = _tracking, on
    if on != before:
        _lines.clear()
        for owner, add in _plain:
            type.__setattr__(owner, "add", _noting(add) if on else add)
    return before


def _noting(add: Callable[..., Any]) -> Callable[..., Any]:
    def add_and_note(self: Any, *args: Any, **kwargs: Any) -> Any:
        key = add(self, *args, **kwargs)
        note(key)
        return key

    return add_and_note


def note(key: Hashable) -> None:
    """Keep the calling program's line for a handle, an address, or a kind with a number."""
    if not _tracking:
        return
    frame: Any = sys._getframe(1)
    while frame is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        frame = frame.f_back
    _lines[key] = _UNKNOWN if frame is None else f"{frame.f_code.co_filename}:{frame.f_lineno}"


def line_of(key: Hashable) -> str:
    """Where a handle, an address, or a kind with a number was made."""
    return _lines.get(key, _UNKNOWN)
