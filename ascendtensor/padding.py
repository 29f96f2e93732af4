"""Padding, by NumPy's name and modes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ops_registry import dtypes
from ops_registry.shapes import axis_index

from .host_values import filling_operand
from .runtime.descriptors import descriptor
from .runtime.scalars import Scalar
from .tensor import Tensor, from_numpy, run, tensor_operand

__all__ = ["pad"]

Widths = list[tuple[int, int]]

# The modes that repeat elements, and how many the device's op adds at most to an axis of `n`.
_MOST: dict[str, Callable[[int], float]] = {
    "edge": lambda n: float("inf"),
    "reflect": lambda n: n - 1,
    "symmetric": lambda n: n,
    "wrap": lambda n: 0,
}


def pad(
    x: Tensor,
    /,
    pad_width: Any,
    mode: str = "constant",
    *,
    constant_values: Scalar | Any = 0,
) -> Tensor:
    """The tensor with elements added at the ends of its axes (CANN: PadV2, MirrorPad, PadV3, GatherV2).

    Parameters:
        x: any dtype.
        pad_width: how many elements: a number for all ends, a pair for before and after, a pair for each axis, or a
            dict from axes to these, where the axes left out are not padded.
        mode: what is added: "constant" numbers; the "edge" element; the elements mirrored without the edge
            ("reflect") or with it ("symmetric"); those from the other end ("wrap"). As NumPy's of these names.
        constant_values: a number, or several in the forms of `pad_width`.

    Raises:
        TypeError: widths that are no integers, or numbers that are none of the dtype.
        ValueError: another mode; negative widths, or not two for each axis; an empty axis with nothing to repeat.
        IndexError: an axis is out of range.
    """
    x = tensor_operand("pad", x)
    widths = _widths(pad_width, x.ndim)
    flat = tuple(width for pair in widths for width in pair)
    if mode == "constant":
        numbers = [number for pair in _pairs("constant_values", constant_values, x.ndim) for number in pair]
        if np.size(constant_values) == 1:
            numbers = [np.asarray(constant_values, object).item()]
        values = [filling_operand("pad", number, x.dtype) for number in numbers]
        padded: Tensor = run("pad", x, *values, flat, mode)
        return padded
    if mode not in _MOST:
        raise ValueError(f"pad: mode is {mode!r}; it can be 'constant', {', '.join(map(repr, _MOST))}")
    for axis, (n, pair) in enumerate(zip(x.shape, widths, strict=True)):
        if not n and any(pair):
            raise ValueError(f"pad: axis {axis} of shape {x.shape} is empty, and mode {mode!r} has nothing to repeat")
    if all(max(pair) <= _MOST[mode](n) for n, pair in zip(x.shape, widths, strict=True) if any(pair)):
        repeated: Tensor = run("pad", x, flat, mode)
        return repeated
    return _gathered(x, widths, mode)


def _gathered(x: Tensor, widths: Widths, mode: str) -> Tensor:
    """Elements fetched from where they are found, which NumPy tells by padding positions."""
    # Whether there is such a tensor, before positions are made for it.
    descriptor(x.dtype, tuple(n + sum(pair) for n, pair in zip(x.shape, widths, strict=True)))
    for axis, pair in enumerate(widths):
        if any(pair):
            places = np.pad(np.arange(x.shape[axis]), pair, mode)  # type: ignore[call-overload]
            x = run("take", x, from_numpy(places, dtypes.int64, x.device), axis)
    return x


def _widths(pad_width: Any, ndim: int) -> Widths:
    if isinstance(pad_width, Mapping):
        widths = [(0, 0)] * ndim
        for axis, given in pad_width.items():
            widths[axis_index("pad", axis, ndim)] = _widths(given, 1)[0]
        return widths
    pairs = _pairs("pad_width", pad_width, ndim)
    for width in (width for pair in pairs for width in pair):
        if isinstance(width, bool | np.bool_) or not hasattr(width, "__index__"):
            raise TypeError(f"pad: pad_width is made of integers, not of {width!r}")
        if width < 0:
            raise ValueError(f"pad: pad_width {pad_width} holds a negative number")
    return [(before.__index__(), after.__index__()) for before, after in pairs]


def _pairs(name: str, given: Any, ndim: int) -> list[tuple[Any, Any]]:
    """Before and after for each axis, by NumPy's rules: a number for all, a pair for each axis, or all pairs.

    Raises:
        ValueError: it is none of these.
    """
    try:
        numbers = np.asarray(given, object)
        if numbers.size == 2 and numbers.shape != (2, 1):
            numbers = numbers.reshape(1, 2)
        spread = np.broadcast_to(numbers.reshape(()) if numbers.size == 1 else numbers, (ndim, 2))
    except ValueError:
        raise ValueError(f"pad: {name} {given!r} is not a number, a pair, or a pair for each of {ndim} axes") from None
    return [(before, after) for before, after in spread]
