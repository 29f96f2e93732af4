"""Operands that broadcast together."""

from __future__ import annotations

import math

from .call import Call, Rule, Shape

__all__ = ["SHAPES", "broadcast", "broadcast_shapes", "channel_axis"]


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
            raise call.error(f"shapes {' and '.join(map(str, shapes))} cannot be broadcast together")
        result.append(length)
    return tuple(result)


def _broadcast_to(call: Call, shape: Shape) -> Shape:
    if broadcast_shapes(call, call.shape("x"), call.not_negative("shape", shape)) != shape:
        raise call.error(f"shape {call.shape('x')} does not broadcast to {shape}")
    return shape


def _masked_fill(call: Call) -> Shape:
    if math.prod(call.shape("value")) != 1:
        raise call.error(f"value must be one number; its shape is {call.shape('value')}")
    return broadcast_shapes(call, call.shape("x"), call.shape("mask"))


def _masked_scatter(call: Call) -> Shape:
    shape, mask = call.shape("x"), call.shape("mask")
    if broadcast_shapes(call, shape, mask) != shape:
        raise call.error(f"mask of shape {mask} does not broadcast to {shape}")
    return shape


def _alike(port: str) -> Rule:
    """The tensors of one port, which do not broadcast."""

    def rule(call: Call) -> Shape:
        shapes = {facts.shape for facts in call.ports[port]}
        if len(shapes) > 1:
            raise call.error(f"shapes {' and '.join(map(str, sorted(shapes)))} differ")
        return shapes.pop()

    return rule


def _select(call: Call) -> Shape:
    """The condition has the values' shape, or one element for all or for each along the first axis."""
    condition, x1, x2 = (call.shape(port) for port in ("condition", "x1", "x2"))
    if x1 != x2:
        raise call.error(f"shapes {x1} of x1 and {x2} of x2 differ")
    if condition not in (x1, (), x1[:1]):
        raise call.error(f"condition of shape {condition} fits neither {x1} nor its first axis")
    return x1


def channel_axis(data_format: str, ndim: int) -> int:
    """Where a layout has its channels: 1 for one that is named NC..., else last."""
    return 1 if data_format.startswith("NC") and ndim > 1 else ndim - 1


def _bias_add(call: Call) -> Shape:
    shape, bias = call.shape("x"), call.shape("bias")
    axis = channel_axis(call.attrs["data_format"], len(shape))
    if len(shape) < 2 or bias != (shape[axis],):
        raise call.error(f"bias of shape {bias} does not fit the channels of x, whose shape is {shape}")
    return shape


def _p_relu(call: Call) -> Shape:
    shape, weight = call.shape("x"), call.shape("weight")
    channels = shape[1] if len(shape) > 1 else 1
    if math.prod(weight) not in (1, channels):
        raise call.error(f"weight of shape {weight} has neither one number nor {channels}, one a channel of {shape}")
    return shape


SHAPES: dict[str, Rule] = {
    "AddN": _alike("x"),
    "BiasAdd": _bias_add,
    "BroadcastTo": lambda call: _broadcast_to(call, call.ints("shape")),
    "ExpandD": lambda call: _broadcast_to(call, tuple(call.attrs["shape"])),
    "MaskedFill": _masked_fill,
    "MaskedScatter": _masked_scatter,
    "PRelu": _p_relu,
    "Select": _select,
}
