"""The border to Python: how pyACL parses arguments, and the table of the functions it has.

Each function is written once, with the format that pyACL parses its arguments by:

    @function("acl.rt.malloc", "ki", returns="value ret")
    def malloc(size: int, policy: int) -> tuple[int, int]: ...

and receives plain parsed values. Two letters are added to those of `PyArg_ParseTuple`: `P` is a list of
handles and `D` a list of 64-bit numbers; pyACL parses both as any object and looks at them afterwards.
"""

from __future__ import annotations

import ctypes
import functools
import operator
import sys
from collections.abc import Callable
from typing import Any, TypeVar

__all__ = ["FORMATS", "FUNCTIONS", "RETURNS", "failure", "function", "int_list", "observe"]

MASK = 2**64 - 1

# The finished functions by full name, and the format each was declared with.
FUNCTIONS: dict[str, Callable[..., Any]] = {}
FORMATS: dict[str, str] = {}

# What each function gives, in the words of `function`.
RETURNS: dict[str, str] = {}

# What stands in the place of each part of a result when a call fails.
_NOTHING: dict[str, Callable[[], Any]] = {
    "value": int,
    "text": str,
    "list": list,
    "dict": dict,
    "none": lambda: None,
}

# Asked before every call while a test watches: the code that the call must fail with, or 0.
_observer: Callable[[str], int] | None = None

Body = TypeVar("Body", bound=Callable[..., Any])


def observe(observer: Callable[[str], int] | None) -> Callable[[str], int] | None:
    """Ask `observer(full_name)` before each call from now on, None for nobody; gives the one before.

    A code other than 0 becomes the result of the call, which then does nothing.
    """
    global _observer
    previous, _observer = _observer, observer
    return previous


def failure(name: str) -> Callable[[int], Any] | None:
    """What a function gives in place of its result when it fails with a code; None if it cannot tell a failure."""
    return _failure(RETURNS[name]) if name in RETURNS else None


def _failure(returns: str) -> Callable[[int], Any] | None:
    *parts, last = returns.split()
    if last == "handle":
        return lambda code: 0
    if last != "ret":
        return None
    if not parts:
        return lambda code: code
    return lambda code: (*[_NOTHING[part]() for part in parts], code)


def function(
    name: str, arg_format: str = "", *, returns: str = "ret", own_errors: bool = True
) -> Callable[[Body], Body]:
    """Make a function of `acl` out of a body that takes parsed arguments.

    Parameters:
        name: the full name, for instance `"acl.rt.malloc"`.
        arg_format: the letters of `PyArg_ParseTuple`, and `P` and `D`.
        returns: `"ret"` for a code, with words before it for the other items of a tuple: `"value ret"`,
            `"text value ret"`, with `list`, `dict`, and `none` where a failure gives None; `"handle"` for a
            bare handle; `"plain"` for anything else, which cannot tell a failure.
        own_errors: arguments that do not fit get pyACL's text; a few functions keep CPython's.
    """

    def register(body: Body) -> Body:
        parse = _parser(name, arg_format, own_errors)
        failed = _failure(returns)
        # Kept here: the module's own names may be gone when it is asked.
        ending = sys.is_finalizing

        @functools.wraps(body)
        def call(*args: Any) -> Any:
            if _observer is not None and (code := _observer(name)) and failed:
                return failed(code)
            try:
                return body(*parse(args))
            except Exception:
                if not ending():
                    raise
                # A destructor at the interpreter's end: parts of the runtime are gone, and its objects with them.
                return None if failed is None else failed(0)

        del call.__wrapped__
        FUNCTIONS[name] = call
        FORMATS[name] = arg_format
        RETURNS[name] = returns
        # The modules here call each other's bodies with parsed values, never the public function.
        return body

    return register


def int_list(value: Any, position: int, low: int = -(2**63), high: int = 2**63 - 1) -> list[int]:
    """A real list of real ints between `low` and `high`, as pyACL wants one."""
    if not isinstance(value, list):
        raise TypeError(f"argument {position} is not list")
    for item in value:
        if not isinstance(item, int):
            raise TypeError(f"argument {position}: the elements of the list must be int, not {type(item).__name__}")
        if not low <= item <= high:
            raise ValueError(f"argument {position}: {int(item)} does not fit the C type of the list's elements")
    return [int(item) for item in value]


def handle_list(value: Any, position: int) -> list[int]:
    """A list of handles: addresses, so a negative number wraps around."""
    return [item & MASK for item in int_list(value, position, high=MASK)]


# One function a letter; each raises where CPython's parser would, and the caller words the TypeError.


def _wide(value: Any) -> int:
    if not isinstance(value, int):
        raise TypeError
    return int(value) & MASK


def _masked(bits: int) -> Callable[[Any], int]:
    mask = 2**bits - 1
    return lambda value: operator.index(value) & mask


def _ranged(low: int, high: int) -> Callable[[Any], int]:
    def convert(value: Any) -> int:
        number = operator.index(value)
        if not low <= number <= high:
            raise OverflowError
        return number

    return convert


def _float32(value: Any) -> float:
    kind = type(value)
    if not (hasattr(kind, "__float__") or hasattr(kind, "__index__")):
        raise TypeError
    return ctypes.c_float(float(value)).value


def _text(value: Any) -> str:
    if not isinstance(value, str) or "\0" in value:
        raise TypeError
    value.encode()
    return value


def _anything(value: Any) -> Any:
    return value


_INT32 = _ranged(-(2**31), 2**31 - 1)
_INT64 = _ranged(-(2**63), 2**63 - 1)

_SCALARS: dict[str, Callable[[Any], Any]] = {
    "k": _wide,
    "K": _wide,
    "i": _INT32,
    "I": _masked(32),
    "l": _INT64,
    "L": _INT64,
    "H": _masked(16),
    "B": _masked(8),
    "b": _ranged(0, 255),
    "h": _ranged(-(2**15), 2**15 - 1),
    "f": _float32,
    "s": _text,
    "O": _anything,
}
_LISTS: dict[str, Callable[[Any, int], list[int]]] = {"P": handle_list, "D": int_list}

# Ints from 0 to these come out of the conversion as they went in.
_UNCHANGED = {
    "k": MASK,
    "K": MASK,
    "i": 2**31 - 1,
    "I": 2**32 - 1,
    "l": 2**63 - 1,
    "L": 2**63 - 1,
    "H": 2**16 - 1,
    "B": 2**8 - 1,
    "b": 2**8 - 1,
    "h": 2**15 - 1,
    # No int passes these; they stand for the kind of value that does.
    "s": -1,
    "P": -2,
    "D": -3,
}
_TEXT_TOP = _UNCHANGED["s"]
# The greatest element of a list by what stands for the list.
_LIST_TOPS = {_UNCHANGED["P"]: MASK, _UNCHANGED["D"]: 2**63 - 1}


def _parser(name: str, arg_format: str, own_errors: bool) -> Callable[[tuple[Any, ...]], tuple[Any, ...]]:
    if not arg_format:
        # pyACL's functions without arguments do not look at their argument tuple.
        return lambda args: ()
    required, _, optional = arg_format.partition("|")
    letters = required + optional
    scalars = [_SCALARS.get(letter, _anything) for letter in letters]
    lists = [(place, _LISTS[letter]) for place, letter in enumerate(letters) if letter in _LISTS]
    counts = range(len(required), len(letters) + 1)

    def parse(args: tuple[Any, ...]) -> tuple[Any, ...]:
        if len(args) not in counts:
            raise _parse_failure(name, own_errors, f"takes {len(letters)} arguments ({len(args)} given)")
        try:
            parsed = [convert(value) for convert, value in zip(scalars, args, strict=False)]
        except (TypeError, OverflowError, UnicodeEncodeError):
            raise _parse_failure(name, own_errors, "got an argument of the wrong type") from None
        for place, convert in lists:
            parsed[place] = convert(parsed[place], place + 1)
        return tuple(parsed)

    if optional or any(letter not in _UNCHANGED for letter in letters):
        return parse
    tops = [_UNCHANGED[letter] for letter in letters]

    def parse_quickly(args: tuple[Any, ...]) -> tuple[Any, ...]:
        if len(args) == len(tops) and _all_unchanged(args, tops):
            return args
        return parse(args)

    return parse_quickly


def _all_unchanged(args: tuple[Any, ...], tops: list[int]) -> bool:
    """Whether parsing would change nothing; a quick test that may say no where yes is true.

    Every call comes through here, hence the plain loops.
    """
    for value, top in zip(args, tops):  # noqa: B905  (the caller compared the lengths)
        kind = type(value)
        if kind is int:
            if not 0 <= value <= top:
                return False
        elif kind is list:
            if top not in _LIST_TOPS:
                return False
            limit = _LIST_TOPS[top]
            for item in value:
                if type(item) is not int or not 0 <= item <= limit:
                    return False
        elif kind is not str or top != _TEXT_TOP or not value.isascii() or "\0" in value:
            return False
    return True


def _parse_failure(name: str, own_errors: bool, text: str) -> TypeError:
    return TypeError(f"{name} args parse failed" if own_errors else f"{name.rpartition('.')[2]}() {text}")
