"""Kernels that move elements and compute nothing."""

from __future__ import annotations

import numpy as np

from ..shapes import slice_index
from .registry import Array, Attrs, Inputs, Kernel, Outputs, kernel


def _ints(x: Array) -> tuple[int, ...]:
    return tuple(x.reshape(-1).tolist())


@kernel("BroadcastTo")
def _broadcast_to(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
    np.copyto(outputs[0], inputs[0])


@kernel("Tile")
def _tile(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
    x, multiples = inputs[0], _ints(inputs[1])
    # Every axis splits into which copy and where in it; the copies are a broadcast.
    copies = [length for pair in zip(multiples, x.shape, strict=True) for length in pair]
    once = [length for n in x.shape for length in (1, n)]
    np.copyto(outputs[0].reshape(copies), x.reshape(once))


@kernel("Transpose")
def _transpose(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
    np.copyto(outputs[0], inputs[0].transpose(_ints(inputs[1])))


@kernel("TransposeD")
def _transpose_d(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
    np.copyto(outputs[0], inputs[0].transpose(attrs["perm"]))


@kernel("ReverseV2")
def _reverse(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
    np.copyto(outputs[0], np.flip(inputs[0], _ints(inputs[1])))


@kernel("ReverseV2D")
def _reverse_d(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
    np.copyto(outputs[0], np.flip(inputs[0], tuple(attrs["axis"])))


@kernel("ConcatD")
def _concat_d(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
    np.concatenate(inputs, attrs["concat_dim"], out=outputs[0])


@kernel("ConcatV2")
def _concat(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
    *tensors, axis = inputs
    np.concatenate(tensors, _ints(axis)[0], out=outputs[0])


@kernel("Pack")
def _pack(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
    np.stack(inputs, attrs["axis"], out=outputs[0])


@kernel("StridedSlice")
def _strided_slice(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
    x, begin, end, strides = inputs
    index, _ = slice_index(x.shape, _ints(begin), _ints(end), _ints(strides), attrs)
    np.copyto(outputs[0], x[index])


def _gather(op_type: str) -> Kernel:
    def run(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
        x, indices, axis = inputs[0], inputs[1], _ints(inputs[2])[0] % inputs[0].ndim
        batch = attrs["batch_dims"] + (indices.ndim if attrs["batch_dims"] < 0 else 0)
        length = x.shape[axis]
        lowest = -length if attrs["negative_index_support"] else 0
        if indices.size and (indices.min() < lowest or indices.max() >= length):
            wrong = indices[(indices < lowest) | (indices >= length)].flat[0]
            raise IndexError(f"{op_type}: index {wrong} is not in [{lowest}, {length}), axis {axis} of shape {x.shape}")
        # The range is checked, so `wrap` only turns negative indices; `raise` would copy the output.
        for place in np.ndindex(x.shape[:batch]):
            where = (*place, ...)
            x[where].take(indices[where], axis - batch, out=outputs[0][where], mode="wrap")

    return run


for _op_type in ("GatherV2", "GatherV3"):
    kernel(_op_type)(_gather(_op_type))


@kernel("AsStrided")
def _as_strided(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
    x, size, stride, offset = inputs
    np.copyto(outputs[0], _view("AsStrided", "x", x, size, stride, offset))


@kernel("ViewCopy")
def _view_copy(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
    dst, *dst_where, src, src_size, src_stride, src_offset = inputs
    out = outputs[0]
    if not np.may_share_memory(dst, out):
        np.copyto(out, dst)
    target = _view("ViewCopy", "dst", out, *dst_where)
    np.copyto(target, _view("ViewCopy", "src", src, src_size, src_stride, src_offset))


def _view(op_type: str, port: str, memory: Array, size: Array, stride: Array, offset: Array) -> Array:
    """A strided view of `memory`, which is taken for flat.

    Raises:
        IndexError: it would reach outside.
    """
    shape, strides, start = _ints(size), _ints(stride), _ints(offset)[0]
    flat = memory.reshape(-1)
    if len(shape) != len(strides) or min(shape, default=0) < 0:
        raise IndexError(f"{op_type}: size {shape} and stride {strides} of {port} do not fit together")
    if 0 in shape:
        return flat[:0].reshape(shape)
    last = start + sum((n - 1) * step for n, step in zip(shape, strides, strict=True))
    if start < 0 or last >= flat.size or min(strides, default=0) < 0:
        raise IndexError(
            f"{op_type}: size {shape}, stride {strides} and offset {start} of {port} reach outside its "
            f"{flat.size} elements"
        )
    item = flat.dtype.itemsize
    # Through bytes, since the buffer protocol does not know bfloat16.
    return np.ndarray(shape, flat.dtype, flat.view(np.uint8), start * item, tuple(step * item for step in strides))
