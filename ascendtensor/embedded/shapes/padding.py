"""Padding: what is added around a tensor."""

from __future__ import annotations

from collections.abc import Callable

from .call import Call, Rule, Shape

__all__ = ["SHAPES", "pad_widths"]

# How many elements a mode can add before or after `n` of them.
_MOST: dict[str, Callable[[int], int]] = {
    "REFLECT": lambda n: n - 1,
    "SYMMETRIC": lambda n: n,
    "reflect": lambda n: n - 1,
}
_MODES = {"MirrorPad": ("REFLECT", "SYMMETRIC"), "PadV3": ("constant", "edge", "reflect")}


def pad_widths(paddings: Shape, contiguous: bool = True) -> list[tuple[int, int]]:
    """What comes before and after, for each axis; not contiguous: all that comes before stands first."""
    half = len(paddings) // 2
    before, after = (paddings[::2], paddings[1::2]) if contiguous else (paddings[:half], paddings[half:])
    return list(zip(before, after, strict=True))


def _padded(call: Call) -> Shape:
    shape, paddings = call.shape("x"), call.not_negative("paddings", call.ints("paddings"))
    op_type, mode = call.prototype.op_type, call.attrs.get("mode", "constant")
    if mode not in _MODES.get(op_type, ("constant",)):
        raise call.error(f"mode {mode!r} is none of {', '.join(_MODES[op_type])}")
    if len(paddings) != 2 * len(shape):
        raise call.error(f"paddings {list(paddings)} must have two numbers for each dimension of shape {shape}")
    widths = pad_widths(paddings, call.attrs.get("paddings_contiguous", True))
    for n, width in zip(shape, widths, strict=True):
        most = _MOST[mode](n) if mode in _MOST else None
        if (most is not None and max(width) > max(most, 0)) or (mode == "edge" and not n and any(width)):
            raise call.error(f"mode {mode!r} cannot add {width} to a dimension of {n}")
    return tuple(n + before + after for n, (before, after) in zip(shape, widths, strict=True))


SHAPES: dict[str, Rule] = dict.fromkeys(("MirrorPad", "Pad", "PadV2", "PadV3"), _padded)
