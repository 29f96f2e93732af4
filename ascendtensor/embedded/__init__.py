"""A stand-in for pyACL's `acl` module that executes on the CPU, inside the process.

`acl_module()` gives the module; `install()` makes `import acl` find it where no real one is installed.
It has pyACL's functions with their arguments, results and error codes, and its asynchrony: what is queued
on a stream has not happened until somebody waits for it.

`python -m ascendtensor run program.py` does both and runs a program.

For tests there is more, none of it visible through `acl`: `reset` for another machine, `live_handles`,
`find_leaks` and `executed_ops` to look inside, `faults` to make calls fail, `record_ops` to keep what was
called, `require_compiled` and `compile_op` for operators that have to be compiled first.
"""

from __future__ import annotations

from . import faults
from .leaks import Leak, find_leaks, report_at_finalize
from .module import acl_module, install, is_embedded
from .observation import executed_ops, live_handles, reclaimed_handles, reset, reset_executed_ops
from .op_models import compile_op
from .recording import record_ops
from .strictness import require_compiled
from .unsupported_calls import AbsentGroupError

__all__ = [
    "AbsentGroupError",
    "Leak",
    "acl_module",
    "compile_op",
    "executed_ops",
    "faults",
    "find_leaks",
    "install",
    "is_embedded",
    "live_handles",
    "reclaimed_handles",
    "record_ops",
    "report_at_finalize",
    "require_compiled",
    "reset",
    "reset_executed_ops",
]
