"""Arguments in the form in which plans are kept: plain and hashable, and equal only where they mean the same."""

from __future__ import annotations

from operator import index
from typing import Any

__all__ = ["axis_parameter", "integer_parameter", "one_axis"]


def axis_parameter(function: str, axis: Any) -> Any:
    """`axis` in the form in which plans are kept: None, an int or a tuple of ints.

    Raises:
        TypeError: it is something else. A plan would take 1.0 for the 1 that it equals.
    """
    if axis is None or type(axis) is int:
        return axis
    if isinstance(axis, tuple | list):
        return tuple(_axis(function, one) for one in axis)
    return _axis(function, axis)


def one_axis(function: str, axis: Any) -> int:
    """An axis that must be one.

    Raises:
        TypeError: it is not an integer.
    """
    return axis if type(axis) is int else _axis(function, axis)


def _axis(function: str, axis: Any) -> int:
    try:
        return index(axis)
    except TypeError:
        raise TypeError(f"{function}: axis must be an integer, not {axis!r}") from None


def integer_parameter(function: str, name: str, value: Any) -> int:
    """An integer.

    Raises:
        TypeError: it is none.
    """
    try:
        return index(value)
    except TypeError:
        raise TypeError(f"{function}: {name} must be an integer, not {value!r}") from None
