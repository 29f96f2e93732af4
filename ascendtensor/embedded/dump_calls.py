"""Dumps of what operators read and write. They can be switched on and off; the embedded runtime writes none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import acl_calls, codes
from .messages import refuse
from .surface import function

__all__ = ["reset"]

_OPERATOR_ARGUMENTS = 1


class _Dumps:
    def __init__(self) -> None:
        self.ready = False
        self.arguments = False
        self.callback: tuple[Callable[..., Any], int] | None = None


_dumps = _Dumps()


def reset() -> None:
    """Switch all dumps off."""
    _dumps.__init__()  # type: ignore[misc]


@function("acl.mdl.init_dump")
def init_dump() -> int:
    if not acl_calls.initialised():
        return refuse(codes.UNINITIALIZE, "acl.mdl.init_dump: call acl.init first")
    if _dumps.ready:
        return refuse(codes.DUMP_ALREADY_RUN, "acl.mdl.init_dump: dumps are initialised already")
    _dumps.ready = True
    return codes.SUCCESS


@function("acl.mdl.set_dump", "|s")
def set_dump(path: str = "") -> int:
    caller = "acl.mdl.set_dump"
    if not acl_calls.initialised():
        return refuse(codes.UNINITIALIZE, f"{caller}: call acl.init first")
    if not _dumps.ready:
        return refuse(codes.DUMP_NOT_RUN, f"{caller}: call acl.mdl.init_dump first")
    return acl_calls.read_config(caller, path)[1]


@function("acl.mdl.finalize_dump")
def finalize_dump() -> int:
    if not acl_calls.initialised():
        return refuse(codes.UNINITIALIZE, "acl.mdl.finalize_dump: call acl.init first")
    if not _dumps.ready:
        return refuse(codes.DUMP_NOT_RUN, "acl.mdl.finalize_dump: call acl.mdl.init_dump first")
    _dumps.ready = False
    return codes.SUCCESS


@function("acl.mdl.dump_reg_callback", "Oi")
def dump_reg_callback(callback: Any, flag: int) -> int:
    if not callable(callback):
        raise TypeError("acl.mdl.dump_reg_callback: the first argument must be callable")
    _dumps.callback = (callback, flag)
    return codes.SUCCESS


@function("acl.mdl.dump_unreg_callback", returns="plain")
def dump_unreg_callback() -> None:
    _dumps.callback = None


@function("acl.op.start_dump_args", "Is")
def start_dump_args(kind: int, path: str) -> int:
    if kind != _OPERATOR_ARGUMENTS or not path:
        return refuse(codes.INVALID_PARAM, f"acl.op.start_dump_args: kind {kind} is not 1, or the folder has no name")
    _dumps.arguments = True
    return codes.SUCCESS


@function("acl.op.stop_dump_args", "I")
def stop_dump_args(kind: int) -> int:
    if kind != _OPERATOR_ARGUMENTS:
        return refuse(codes.INVALID_PARAM, f"acl.op.stop_dump_args: kind {kind} is not 1")
    _dumps.arguments = False
    return codes.SUCCESS
