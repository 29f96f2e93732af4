"""What went wrong, in words, for each thread: the text behind `acl.get_recent_err_msg`."""

from __future__ import annotations

import threading
from collections import deque

from .codes import describe

__all__ = ["last_error", "note_asynchronous", "refuse", "take_text"]

# A thread that never reads its messages must not collect them for ever.
_KEPT = 16


class _PerThread(threading.local):
    def __init__(self) -> None:
        self.texts: deque[str] = deque(maxlen=_KEPT)
        self.last_error = 0


_thread = _PerThread()


def refuse(code: int, text: str) -> int:
    """Keep `text` as the reason for `code` in this thread, and return the code."""
    _thread.texts.append(f"{describe(code)}: {text}")
    return code


def note_asynchronous(code: int, text: str) -> int:
    """As `refuse`, for a failure of queued work: the thread's last error becomes `code`."""
    _thread.last_error = code
    return refuse(code, text)


def last_error(*, clear: bool) -> int:
    """The last failure of queued work that this thread was told of, 0 if there was none."""
    code = _thread.last_error
    if clear:
        _thread.last_error = 0
    return code


def take_text() -> str | None:
    """All messages since the last reading, oldest first, and forget them."""
    if not _thread.texts:
        return None
    text = "\n".join(_thread.texts)
    _thread.texts.clear()
    return text
