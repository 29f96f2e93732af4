"""Being hard on a program that nobody changes: what the environment asks for.

    ASCENDTENSOR_EMBEDDED_FAIL=acl.rt.malloc:3:207001   the third call fails with that code; more after commas
    ASCENDTENSOR_EMBEDDED_LEAKS=report                  say at acl.finalize what is still alive
    ASCENDTENSOR_EMBEDDED_RECORD=FILE                   append every operator call to a file
    ASCENDTENSOR_EMBEDDED_REQUIRE_COMPILED=1            refuse operators that were not compiled

They are read when the package is imported and at each `reset`.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import ExitStack

from . import faults, leaks, observation, op_calls, op_models, recording

__all__ = ["configure", "require_compiled"]

_standing_faults = ExitStack()


def require_compiled(on: bool = True) -> bool:
    """Refuse operators that were not compiled or loaded, from now on or no more; gives what held before."""
    # Plans of operators that fitted before must not hide that they were not compiled.
    op_calls.reset()
    return op_models.require(on)


def _fail_calls(text: str) -> None:
    _standing_faults.close()
    for entry in filter(None, text.split(",")):
        function, _, rest = entry.strip().partition(":")
        count, _, code = rest.partition(":")
        if not (count.isdecimal() and code.isdecimal()):
            raise ValueError(f"ASCENDTENSOR_EMBEDDED_FAIL={text!r}: an entry reads function:n:code")
        _standing_faults.enter_context(faults.fail_call(int(code), function, int(count)))


def _report_leaks(text: str) -> None:
    leaks.report_at_finalize(_choice("ASCENDTENSOR_EMBEDDED_LEAKS", text, {"": False, "report": True}))


def _record(text: str) -> None:
    recording.record_ops(text or None)


def _require(text: str) -> None:
    require_compiled(_choice("ASCENDTENSOR_EMBEDDED_REQUIRE_COMPILED", text, {"": False, "0": False, "1": True}))


def _choice(variable: str, text: str, choices: dict[str, bool]) -> bool:
    if text not in choices:
        raise ValueError(f"{variable}={text!r}: it can be {' or '.join(filter(None, choices))}")
    return choices[text]


_SETTINGS: dict[str, Callable[[str], None]] = {
    "ASCENDTENSOR_EMBEDDED_FAIL": _fail_calls,
    "ASCENDTENSOR_EMBEDDED_LEAKS": _report_leaks,
    "ASCENDTENSOR_EMBEDDED_RECORD": _record,
    "ASCENDTENSOR_EMBEDDED_REQUIRE_COMPILED": _require,
}
# What was read last. A setting that has not changed is left as it is, whatever the program has done since.
_applied = dict.fromkeys(_SETTINGS, "")


def configure() -> None:
    """Do what the environment asks for.

    Raises:
        ValueError: a value that makes no sense.
    """
    for variable, apply in _SETTINGS.items():
        text = os.environ.get(variable, "").strip()
        if text != _applied[variable]:
            apply(text)
            _applied[variable] = text


observation.at_reset.append(configure)
configure()
