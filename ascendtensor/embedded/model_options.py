"""`acl.mdl`: how a model is to be loaded, and how executed."""

from __future__ import annotations

from typing import Any, ClassVar

from . import codes
from .handles import Handles
from .messages import refuse
from .surface import MASK, function

__all__ = ["CONFIGS", "EXEC_CONFIGS", "ExecConfig", "LoadConfig"]


class LoadConfig:
    """Values by attribute, and what loading needs of them."""

    LOAD_TYPE, PATH, ADDRESS, SIZE = 1, 2, 3, 4
    WEIGHTS, WORKSPACE = (5, 6), (7, 8)
    QUEUES = (9, 10, 11, 12)
    FROM_FILE = (1, 2, 5)

    # By the load type: the attributes that must be there.
    _NEEDED: ClassVar[dict[Any, tuple[int, ...]]] = {
        1: (PATH,),
        2: (PATH, *WEIGHTS, *WORKSPACE),
        3: (ADDRESS, SIZE),
        4: (ADDRESS, SIZE, *WEIGHTS, *WORKSPACE),
        5: (PATH, *QUEUES),
        6: (ADDRESS, SIZE, *QUEUES),
    }

    def __init__(self) -> None:
        self.values: dict[int, int | str] = {}

    def missing(self) -> str:
        """What keeps a model from being loaded, in words; empty if nothing does."""
        needed = self._NEEDED.get(self.values.get(self.LOAD_TYPE))
        if needed is None:
            return f"attribute {self.LOAD_TYPE}, the way of loading, must be 1 to 6"
        absent = [attribute for attribute in needed if attribute not in self.values]
        return f"this way of loading needs attributes {absent} as well" if absent else ""


class ExecConfig:
    """Limits of an execution by attribute, in milliseconds; -1 stands for none."""

    def __init__(self) -> None:
        self.values: dict[int, int] = {}


CONFIGS: Handles[LoadConfig] = Handles("model configuration")
EXEC_CONFIGS: Handles[ExecConfig] = Handles("execution configuration")

# Attributes by the C type of their value; all others are 64 bits wide.
_INT32, _TEXT = {0}, {2}
_POINTERS = {3, 5, 7, 14}
# The version whose interface this is knows no others.
_KNOWN = range(28)
_STREAM_LIMIT, _EVENT_LIMIT = 0, 1


@function("acl.mdl.create_config_handle", returns="handle")
def create_config_handle() -> int:
    return CONFIGS.add(LoadConfig())


@function("acl.mdl.destroy_config_handle", "k")
def destroy_config_handle(handle: int) -> int:
    if CONFIGS.pop(handle) is None:
        return _dead("acl.mdl.destroy_config_handle")
    return codes.SUCCESS


@function("acl.mdl.set_config_opt", "kiO")
def set_config_opt(handle: int, attribute: int, value: object) -> int:
    caller = "acl.mdl.set_config_opt"
    stored = _value(caller, attribute, value)
    config = CONFIGS.get(handle)
    if config is None:
        return _dead(caller)
    if attribute not in _KNOWN:
        return refuse(codes.INVALID_PARAM, f"{caller}: there is no attribute {attribute} with a value of that width")
    if attribute in _POINTERS and not stored:
        return refuse(codes.INVALID_PARAM, f"{caller}: attribute {attribute} is a pointer and NULL")
    config.values[attribute] = stored
    return codes.SUCCESS


def _value(caller: str, attribute: int, value: object) -> int | str:
    """The value as the C type of its attribute.

    Raises:
        TypeError: it is of another type, or does not fit.
    """
    if attribute in _TEXT:
        if isinstance(value, str) and "\0" not in value:
            return value
    elif isinstance(value, int) and (attribute not in _INT32 or -(2**31) <= value < 2**31):
        return int(value) if attribute in _INT32 else int(value) & MASK
    raise TypeError(f"{caller} args parse failed")


@function("acl.mdl.create_exec_config_handle", returns="handle")
def create_exec_config_handle() -> int:
    return EXEC_CONFIGS.add(ExecConfig())


@function("acl.mdl.destroy_exec_config_handle", "k")
def destroy_exec_config_handle(handle: int) -> int:
    if EXEC_CONFIGS.pop(handle) is None:
        return _dead("acl.mdl.destroy_exec_config_handle")
    return codes.SUCCESS


@function("acl.mdl.set_exec_config_opt", "kkI")
def set_exec_config_opt(handle: int, attribute: int, value: int) -> int:
    caller = "acl.mdl.set_exec_config_opt"
    config = EXEC_CONFIGS.get(handle)
    if config is None:
        return _dead(caller)
    if attribute not in (_STREAM_LIMIT, _EVENT_LIMIT):
        return refuse(
            codes.INVALID_PARAM, f"{caller}: attribute {attribute} is not 0 (stream limit) or 1 (event limit)"
        )
    # C reads the 32 bits as a signed number.
    limit = value - 2**32 if value >= 2**31 else value
    if limit < -1:
        return refuse(codes.INVALID_PARAM, f"{caller}: a limit of {limit} ms; use -1 (for ever), 0 or more")
    config.values[attribute] = limit
    return codes.SUCCESS


def _dead(caller: str) -> int:
    return refuse(codes.INVALID_PARAM, f"{caller}: the configuration is NULL, or destroyed already")
