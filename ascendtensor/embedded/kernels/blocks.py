"""Kernels that move blocks of elements: padding, splitting, slicing, repeating."""

from __future__ import annotations

from math import prod

import numpy as np

from ..shapes import slice_index
from ..shapes.movement import FLAT
from ..shapes.padding import pad_widths
from ..shapes.slicing import assigned_index
from .registry import Array, Attrs, Inputs, Outputs, kernel, store


def _ints(x: Array) -> tuple[int, ...]:
    return tuple(x.reshape(-1).tolist())


@kernel("ExpandD")
def _expand(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
    np.copyto(outputs[0], inputs[0])


@kernel("Flatten")
def _flatten(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
    np.copyto(outputs[0], inputs[0].reshape(outputs[0].shape))


@kernel("TileD")
def _tile(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
    store(outputs[0], np.tile(inputs[0], attrs["multiples"]))


@kernel("RepeatInterleave")
def _repeat(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
    axis = None if attrs["axis"] == FLAT else attrs["axis"]
    store(outputs[0], np.repeat(inputs[0], inputs[1].reshape(-1), axis))


@kernel("Roll")
def _roll(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
    dims = tuple(attrs["dims"])
    store(outputs[0], np.roll(inputs[0], tuple(attrs["shifts"]), dims) if dims else np.roll(inputs[0], attrs["shifts"]))


def _split(x: Array, axis: int, outputs: Outputs) -> None:
    start = 0
    for out in outputs:
        length = out.shape[axis]
        np.copyto(out, x[(*[slice(None)] * (axis % x.ndim), slice(start, start + length))])
        start += length


@kernel("Split")
def _split_by_input(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
    _split(inputs[1], _ints(inputs[0])[0], outputs)


@kernel("SplitD")
def _split_by_attribute(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
    _split(inputs[0], attrs["split_dim"], outputs)


@kernel("SplitV")
def _split_in_sizes(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
    _split(inputs[0], _ints(inputs[2])[0], outputs)


@kernel("Unpack")
def _unpack(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
    for out, part in zip(outputs, np.moveaxis(inputs[0], attrs["axis"], 0), strict=True):
        np.copyto(out, part)


@kernel("Slice")
def _slice(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
    # A size of -1 is in the output's shape already.
    parts = (slice(start, start + n) for start, n in zip(_ints(inputs[1]), outputs[0].shape, strict=True))
    np.copyto(outputs[0], inputs[0][tuple(parts)])


@kernel("StridedSliceD")
def _strided_slice(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
    begin, end, strides = (tuple(attrs[name]) for name in ("begin", "end", "strides"))
    index, _ = slice_index(inputs[0].shape, begin, end, strides, attrs)
    np.copyto(outputs[0], inputs[0][index])


@kernel("StridedSliceAssignV2")
def _assign_slice(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
    var, value, begin, end, strides, *rest = inputs
    axes = _ints(rest[0]) if rest and rest[0] is not None else None
    out = outputs[0]
    if not np.may_share_memory(var, out):
        np.copyto(out, var)
    out[assigned_index(_ints(begin), _ints(end), _ints(strides), axes, out.ndim)] = value


def _pad(x: Array, out: Array, paddings: Array, mode: str, fill: Array | None = None, contiguous: bool = True) -> None:
    widths = pad_widths(_ints(paddings), contiguous)
    if mode != "constant":
        # Of a dimension of none, only nothing can be repeated.
        store(out, np.pad(x, widths, mode) if prod(x.shape) else out)  # type: ignore[call-overload]
        return
    inner = tuple(slice(before, before + n) for n, (before, _) in zip(x.shape, widths, strict=True))
    out[...] = out.dtype.type(0) if fill is None else fill.reshape(-1)[0]
    out[inner] = x


@kernel("Pad")
def _pad_zeros(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
    _pad(inputs[0], outputs[0], inputs[1], "constant")


@kernel("PadV2")
def _pad_value(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
    _pad(inputs[0], outputs[0], inputs[1], "constant", inputs[2])


@kernel("PadV3")
def _pad_mode(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
    x, paddings, *value = inputs
    fill = value[0] if value else None
    _pad(x, outputs[0], paddings, attrs["mode"], fill, attrs["paddings_contiguous"])


@kernel("MirrorPad")
def _pad_mirrored(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
    _pad(inputs[0], outputs[0], inputs[1], attrs["mode"].lower())
