"""Layers of networks: normalization and pooling."""

from __future__ import annotations

import math
from typing import NamedTuple

from .broadcasting import broadcast_shapes, channel_axis
from .call import Call, Extent, Rule, Shape

__all__ = ["SHAPES", "Window", "pool_windows"]


def _layer_norm(call: Call) -> list[Shape | Extent]:
    return _layer_norm_from(call, call.axis(call.attrs["begin_norm_axis"], call.shape("x")))


def _layer_norm_of_shape(call: Call) -> list[Shape | Extent]:
    shape = call.shape("x")
    count = math.prod(call.shape("normalized_shape"))
    known = call.ints("normalized_shape") if call.knows("normalized_shape") else shape[len(shape) - count :]
    if not 0 < count <= len(shape) or known != shape[len(shape) - count :]:
        raise call.error(f"normalized_shape {list(known)} is not the end of shape {shape}")
    return _layer_norm_from(call, len(shape) - count)


def _layer_norm_from(call: Call, axis: int) -> list[Shape | Extent]:
    shape = call.shape("x")
    for port in ("gamma", "beta"):
        if call.ports[port] and broadcast_shapes(call, shape, call.shape(port)) != shape:
            raise call.error(f"{port} of shape {call.shape(port)} does not broadcast to {shape}")
    told = (*shape[:axis], *[1] * (len(shape) - axis))
    return [shape, told, told]


def _rms_norm(call: Call) -> list[Shape | Extent]:
    shape, gamma = call.shape("x"), call.shape("gamma")
    kept = len(shape) - len(gamma)
    if not gamma or kept < 0 or shape[kept:] != gamma:
        raise call.error(f"gamma of shape {gamma} is not the end of shape {shape}")
    return [shape, (*shape[:kept], *[1] * len(gamma))]


def _batch_norm(call: Call) -> list[Shape | Extent]:
    shape = call.shape("x")
    if len(shape) < 2:
        raise call.error(f"x must have at least 2 dimensions; its shape is {shape}")
    channels = (shape[channel_axis(call.attrs["data_format"], len(shape))],)
    for port in ("scale", "offset", "mean", "variance"):
        if call.ports[port] and call.shape(port) != channels:
            raise call.error(
                f"{port} of shape {call.shape(port)} must have a number for each of {channels[0]} channels"
            )
    if not call.attrs["is_training"] and not (call.ports["mean"] and call.ports["variance"]):
        raise call.error("mean and variance are needed where is_training is false")
    return [shape, *[channels] * 5]


class Window(NamedTuple):
    """How a window moves along one dimension: over what is padded before and after it, to so many places.

    With ceil_mode the last place may reach beyond what is padded.
    """

    size: int
    stride: int
    before: int
    after: int
    places: int


def pool_windows(op_type: str, shape: Shape, attrs: dict[str, object]) -> dict[int, Window]:
    """The windows of a pooling, by axis; axes without one have windows of 1.

    Raises:
        ValueError: the attributes do not fit the shape.
    """
    data_format = str(attrs["data_format"])
    ksize, strides = (_four(attrs[name], data_format) for name in ("ksize", "strides"))
    if len(shape) != 4 or len(data_format) != 4:
        raise ValueError(f"x must have 4 dimensions; its shape is {shape}")
    mode = str(attrs.get("padding_mode", attrs.get("padding")))
    if mode not in (("CALCULATED", "SAME", "VALID") if op_type == "AvgPoolV2" else ("SAME", "VALID")):
        raise ValueError(f"padding {mode!r} is not known")
    windows = {}
    for axis, name in enumerate(data_format):
        size, stride, length = ksize[axis], strides[axis], shape[axis]
        if name in "NC":
            if size != 1 or stride != 1:
                raise ValueError(f"ksize {ksize} and strides {strides} must be 1 along {name}")
            continue
        if attrs.get("global_pooling"):
            windows[axis] = Window(length, 1, 0, 0, 1)
            continue
        if size < 1 or stride < 1:
            raise ValueError(f"ksize {ksize} and strides {strides} must be positive")
        if mode == "SAME":
            count = -(-length // stride)
            missing = max(0, (count - 1) * stride + size - length)
            windows[axis] = Window(size, stride, missing // 2, missing - missing // 2, count)
            continue
        pads = [0, 0] if mode == "VALID" else _pads(attrs, name)
        windows[axis] = _calculated(size, stride, pads, length, bool(attrs.get("ceil_mode")))
    return windows


def _calculated(size: int, stride: int, pads: list[int], length: int, ceil_mode: bool) -> Window:
    before, after = pads
    room = length + before + after - size
    if room < 0:
        raise ValueError(f"a window of {size} does not fit a dimension of {length}")
    count = math.ceil(room / stride) + 1 if ceil_mode else room // stride + 1
    if ceil_mode and (count - 1) * stride >= length + before:
        count -= 1
    return Window(size, stride, before, after, count)


def _pads(attrs: dict[str, object], name: str) -> list[int]:
    pads = attrs["pads"]
    assert isinstance(pads, list)
    if len(pads) != 4:
        raise ValueError(f"pads {pads} must have 4 numbers")
    return pads[:2] if name == "H" else pads[2:]


def _four(numbers: object, data_format: str) -> list[int]:
    """One number for each dimension; those along height and width alone stand for 1 along the others."""
    assert isinstance(numbers, list)
    if len(numbers) == 2:
        height, width = numbers
        return [{"H": height, "W": width}.get(name, 1) for name in data_format]
    if len(numbers) != 4:
        raise ValueError(f"ksize and strides must have 4 numbers, not {numbers}")
    return numbers


def _pooled(call: Call) -> Shape:
    shape = call.shape("x")
    try:
        windows = pool_windows(call.prototype.op_type, shape, call.attrs)
    except ValueError as error:
        raise call.error(str(error)) from None
    return tuple(windows[axis].places if axis in windows else n for axis, n in enumerate(shape))


SHAPES: dict[str, Rule] = {
    "AvgPool": _pooled,
    "AvgPoolV2": _pooled,
    "BatchNorm": _batch_norm,
    "LayerNorm": _layer_norm,
    "LayerNormV3": _layer_norm,
    "LayerNormV4": _layer_norm_of_shape,
    "MaxPool": _pooled,
    "RmsNorm": _rms_norm,
}
