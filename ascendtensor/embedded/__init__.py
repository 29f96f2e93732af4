"""A stand-in for pyACL's `acl` module that executes on the CPU, inside the process.

`acl_module()` gives the module; `install()` makes `import acl` find it where no real one is installed.
It has pyACL's functions with their arguments, results and error codes, and its asynchrony: what is queued
on a stream has not happened until somebody waits for it.

For tests there is more, none of it visible through `acl`: `reset` for another machine, `live_handles` and
`executed_ops` to look inside, and `faults` to make calls fail.
"""

from __future__ import annotations

from . import faults
from .module import acl_module, install, is_embedded
from .observation import executed_ops, live_handles, reclaimed_handles, reset, reset_executed_ops

__all__ = [
    "acl_module",
    "executed_ops",
    "faults",
    "install",
    "is_embedded",
    "live_handles",
    "reclaimed_handles",
    "reset",
    "reset_executed_ops",
]
