"""Operands that broadcast together."""

from __future__ import annotations

from .call import Call, Rule, Shape

__all__ = ["SHAPES", "broadcast", "broadcast_shapes"]


def broadcast(call: Call) -> Shape:
    """All inputs whose values do not decide the shape, broadcast together."""
    return broadcast_shapes(call, *(facts.shape for facts in call.given()))


def broadcast_shapes(call: Call, *shapes: Shape) -> Shape:
    """The shape that shapes broadcast to."""
    ndim = max(map(len, shapes))
    result: list[int] = []
    for lengths in zip(*((1,) * (ndim - len(shape)) + shape for shape in shapes), strict=True):
        length = next((n for n in lengths if n != 1), 1)
        if any(n not in (1, length) for n in lengths):
            raise call.error(f"shapes {' and '.join(map(str, shapes))} do not broadcast together")
        result.append(length)
    return tuple(result)


def _broadcast_to(call: Call, shape: Shape) -> Shape:
    if broadcast_shapes(call, call.shape("x"), call.not_negative("shape", shape)) != shape:
        raise call.error(f"shape {call.shape('x')} does not broadcast to {shape}")
    return shape


SHAPES: dict[str, Rule] = {
    "BroadcastTo": lambda call: _broadcast_to(call, call.ints("shape")),
}
