"""Arguments in the form in which plans are kept: plain and hashable, and equal only where they mean the same."""

from __future__ import annotations

from collections.abc import Sequence
from operator import index
from typing import Any

__all__ = ["Shape", "axis_parameter", "integer_parameter", "one_axis", "shape_parameter"]

Shape = int | Sequence[int]


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
    return integer_parameter(function, "axis", axis)


def integer_parameter(function: str, name: str, value: Any) -> int:
    """An integer parameter.

    Raises:
        TypeError: it is none.
    """
    try:
        return index(value)
    except TypeError:
        raise TypeError(f"{function}: {name} must be an integer, not {value!r}") from None


def shape_parameter(function: str, shape: Shape) -> tuple[int, ...]:
    """`shape` as a tuple of lengths; an integer stands for one dimension.

    Raises:
        TypeError: a length is not an integer.
        ValueError: a length is negative, or more than can be counted.
    """
    lengths = shape if isinstance(shape, Sequence) else (shape,)
    for n in lengths:
        if isinstance(n, bool) or not hasattr(n, "__index__"):
            raise TypeError(f"{function}: a shape is made of integers, not of {n!r}")
        if n.__index__() < 0:
            raise ValueError(f"{function}: a shape has no negative lengths; {tuple(lengths)} has")
        if n.__index__() >= 2**63:
            raise ValueError(f"{function}: a length of {n} has more bytes than can be counted in 64 bits")
    return tuple(n.__index__() for n in lengths)
