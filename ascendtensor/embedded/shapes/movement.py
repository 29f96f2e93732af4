"""Elements that are moved as they are."""

from __future__ import annotations

from collections.abc import Sequence

from .call import Call, Rule, Shape

__all__ = ["SHAPES"]


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


SHAPES: dict[str, Rule] = {
    "ConcatD": lambda call: _concat(call, call.attrs["concat_dim"]),
    "ConcatV2": lambda call: _concat(call, call.scalar("concat_dim")),
    "Pack": _pack,
    "ReverseV2": _reverse,
    "ReverseV2D": _reverse_d,
    "Tile": lambda call: _tile(call, call.ints("multiples")),
    "Transpose": lambda call: _transpose(call, call.ints("perm")),
    "TransposeD": lambda call: _transpose(call, call.attrs["perm"]),
}
