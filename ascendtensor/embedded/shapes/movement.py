"""Elements that are moved as they are."""

from __future__ import annotations

import math
from collections.abc import Sequence

from .call import Call, Extent, Rule, Shape

__all__ = ["FLAT", "SHAPES"]


def _tile(call: Call, multiples: Shape) -> Shape:
    shape = call.shape("x")
    call.not_negative("multiples", multiples)
    if len(multiples) != len(shape):
        raise call.error(f"multiples {list(multiples)} must have a number for each dimension of shape {shape}")
    return tuple(n * times for n, times in zip(shape, multiples, strict=True))


def _concat(call: Call, axis: float) -> Shape:
    shapes = [facts.shape for facts in call.ports["x"]]
    axis = call.axis(axis, shapes[0])
    rests = {(*shape[:axis], *shape[axis + 1 :]) for shape in shapes}
    if len(rests) > 1 or len(set(map(len, shapes))) > 1:
        raise call.error(f"shapes {' and '.join(map(str, shapes))} differ outside axis {axis}")
    return (*shapes[0][:axis], sum(shape[axis] for shape in shapes), *shapes[0][axis + 1 :])


def _pack(call: Call) -> Shape:
    shapes = [facts.shape for facts in call.ports["x"]]
    if len(set(shapes)) > 1:
        raise call.error(f"shapes {' and '.join(map(str, shapes))} differ")
    axis = call.axis(call.attrs["axis"], shapes[0], extra=1)
    return (*shapes[0][:axis], len(shapes), *shapes[0][axis:])


def _transpose(call: Call, perm: Sequence[int]) -> Shape:
    shape = call.shape("x")
    if sorted(perm) != list(range(len(shape))):
        raise call.error(f"perm {list(perm)} does not order the dimensions of shape {shape}")
    return tuple(shape[axis] for axis in perm)


def _reverse(call: Call) -> Shape:
    if call.knows("axis"):
        call.axes(call.ints("axis"), call.shape("x"))
    return call.shape("x")


def _reverse_d(call: Call) -> Shape:
    call.axes(call.attrs["axis"], call.shape("x"))
    return call.shape("x")


def _flatten(call: Call) -> Shape:
    """The dimensions before an axis become one, and those from it on another."""
    shape = call.shape("x")
    axis = call.attrs["axis"]
    if not -len(shape) <= axis <= len(shape):
        raise call.error(f"axis {axis} is out of range for shape {shape}")
    axis += len(shape) if axis < 0 else 0
    return (math.prod(shape[:axis]), math.prod(shape[axis:]))


def _roll(call: Call) -> Shape:
    shape, shifts, dims = call.shape("x"), call.attrs["shifts"], call.attrs["dims"]
    for axis in dims:
        call.axis(axis, shape)
    if len(shifts) != (len(dims) or 1):
        raise call.error(f"shifts {shifts} and dims {dims} differ in length")
    return shape


# The axis that stands for all elements in a row.
FLAT = 1000


def _repeat_interleave(call: Call) -> Shape:
    shape, axis, repeats = call.shape("x"), call.attrs["axis"], call.not_negative("repeats", call.ints("repeats"))
    if axis == FLAT:
        shape, axis = (math.prod(shape),), 0
    axis = call.axis(axis, shape)
    if len(repeats) not in (1, shape[axis]):
        raise call.error(f"{len(repeats)} repeats for axis {axis} of shape {shape}")
    total = repeats[0] * shape[axis] if len(repeats) == 1 else sum(repeats)
    return (*shape[:axis], total, *shape[axis + 1 :])


def _unpack(call: Call) -> list[Shape | Extent]:
    shape, num = call.shape("x"), call.attrs["num"]
    axis = call.axis(call.attrs["axis"], shape)
    if num != shape[axis]:
        raise call.error(f"num is {num}, axis {axis} of shape {shape} has {shape[axis]}")
    return [(*shape[:axis], *shape[axis + 1 :])] * num


def _split(call: Call, axis: float, sizes: Shape | None = None) -> list[Shape | Extent]:
    """sizes: of the parts, -1 for one that takes the rest; None for equal parts."""
    shape, num = call.shape("x"), call.attrs["num_split"]
    axis = call.axis(axis, shape)
    length = shape[axis]
    if num < 1 or (sizes is None and length % num):
        raise call.error(f"axis {axis} of shape {shape} does not split into {num} equal parts")
    parts = list(sizes or [length // num] * num)
    if parts.count(-1) == 1:
        parts[parts.index(-1)] = length - sum(parts) - 1
    if len(parts) != num or sum(parts) != length or min(parts) < 0:
        raise call.error(f"axis {axis} of shape {shape} does not split into {num} parts of sizes {list(sizes or ())}")
    return [(*shape[:axis], part, *shape[axis + 1 :]) for part in parts]


SHAPES: dict[str, Rule] = {
    "ConcatD": lambda call: _concat(call, call.attrs["concat_dim"]),
    "ConcatV2": lambda call: _concat(call, call.scalar("concat_dim")),
    "Flatten": _flatten,
    "Pack": _pack,
    "RepeatInterleave": _repeat_interleave,
    "ReverseV2": _reverse,
    "ReverseV2D": _reverse_d,
    "Roll": _roll,
    "Split": lambda call: _split(call, call.scalar("split_dim")),
    "SplitD": lambda call: _split(call, call.attrs["split_dim"]),
    "SplitV": lambda call: _split(call, call.scalar("split_dim"), call.ints("size_splits")),
    "Tile": lambda call: _tile(call, call.ints("multiples")),
    "TileD": lambda call: _tile(call, tuple(call.attrs["multiples"])),
    "Transpose": lambda call: _transpose(call, call.ints("perm")),
    "TransposeD": lambda call: _transpose(call, call.attrs["perm"]),
    "Unpack": _unpack,
}
