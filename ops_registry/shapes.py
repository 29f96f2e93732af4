"""Shapes and axes: the rules that array-API functions share, with errors that name the function."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["axes_tuple", "axis_index", "broadcast", "reduced"]

Shape = tuple[int, ...]


def broadcast(function: str, *shapes: Shape) -> Shape:
    """The shape that all of `shapes` broadcast to (standard section "Broadcasting").

    Raises:
        ValueError: they don't.
    """
    if len(shapes) == 1 or (len(shapes) == 2 and shapes[0] == shapes[1]):
        return shapes[0]
    result: list[int] = []
    for lengths in zip(*_aligned(shapes), strict=True):
        length = next((n for n in lengths if n != 1), 1)
        if any(n not in (1, length) for n in lengths):
            raise ValueError(f"{function}: shapes {' and '.join(map(str, shapes))} cannot be broadcast together")
        result.append(length)
    return tuple(result)


def _aligned(shapes: Sequence[Shape]) -> list[Shape]:
    ndim = max(map(len, shapes), default=0)
    return [(1,) * (ndim - len(shape)) + shape for shape in shapes]


def axis_index(function: str, axis: int, ndim: int) -> int:
    """`axis` counted from the front.

    Raises:
        TypeError: not an integer.
        IndexError: outside [-ndim, ndim).
    """
    try:
        index = axis.__index__()
    except AttributeError:
        raise TypeError(f"{function}: axis must be an integer, not {axis!r}") from None
    if not -ndim <= index < ndim:
        raise IndexError(f"{function}: axis {axis} is out of range for a tensor of {ndim} dimensions")
    return index % ndim


def axes_tuple(function: str, axis: int | Sequence[int] | None, ndim: int) -> tuple[int, ...]:
    """The axes that `axis` names, in order: all of them for None.

    Raises:
        IndexError: one is out of range.
        ValueError: one is named twice.
    """
    if axis is None:
        return tuple(range(ndim))
    named = axis if isinstance(axis, tuple | list) else (axis,)
    axes = sorted(axis_index(function, one, ndim) for one in named)
    if len(set(axes)) != len(axes):
        raise ValueError(f"{function}: axis {axis} names a dimension twice")
    return tuple(axes)


def reduced(shape: Shape, axes: tuple[int, ...], keepdims: bool) -> Shape:
    """The shape after a reduction over `axes`."""
    if keepdims:
        return tuple(1 if axis in axes else n for axis, n in enumerate(shape))
    return tuple(n for axis, n in enumerate(shape) if axis not in axes)
