"""Indexing (standard section "Indexing"), and the moves between strided views and contiguous tensors."""

from __future__ import annotations

from math import prod

from .. import dtypes
from ..builder import Builder
from ..program import Value
from ..shapes import axis_index
from .registry import lowering

Strides = tuple[int, ...]


@lowering("take")
def _take(b: Builder, x: Value, indices: Value, axis: int) -> Value:
    if indices.dtype.kind not in "iu":
        raise TypeError(f"take: indices must be integers, not {indices.dtype}")
    axis = axis_index("take", axis, x.ndim)
    if x.shape[axis] == 0 and indices.size:
        raise IndexError(f"take: axis {axis} of a tensor of shape {x.shape} is empty; there is nothing to take")
    shape = (*x.shape[:axis], *indices.shape, *x.shape[axis + 1 :])
    # GatherV2 counts from the front only.
    index = b.cast(indices, dtypes.int64)
    below = b.elementwise("Less", index, b.literal(0, dtypes.int64))
    index = b.select(below, b.elementwise("Add", index, b.literal(x.shape[axis], dtypes.int64)), index)
    return b.op("GatherV2", x, index, b.const(axis), shape=shape)


@lowering("contiguous")
def _contiguous(b: Builder, memory: Value, shape: tuple[int, ...], strides: Strides, offset: int) -> Value:
    """A view's elements in a buffer of their own. memory: the storage, flat; strides, offset: in elements."""
    flipped = tuple(axis for axis, stride in enumerate(strides) if stride < 0 and shape[axis] > 1)
    for axis in flipped:
        offset += (shape[axis] - 1) * strides[axis]
    forward = tuple(abs(stride) for stride in strides)
    gathered = _gather_strided(b, memory, shape, forward, offset)
    if not flipped:
        return gathered
    if memory.dtype is dtypes.complex128:
        pairs = b.view(gathered, dtypes.int64, (*shape, 2))
        turned = b.op("ReverseV2", pairs, b.const(flipped), shape=pairs.shape)
        return b.view(turned, memory.dtype, shape)
    return b.op("ReverseV2", gathered, b.const(flipped), shape=shape)


def _gather_strided(b: Builder, memory: Value, shape: tuple[int, ...], strides: Strides, offset: int) -> Value:
    if memory.dtype is dtypes.complex128:
        pairs = b.view(memory, dtypes.int64, (2 * memory.size,))
        doubled = (*(2 * stride for stride in strides), 1)
        gathered = _gather_strided(b, pairs, (*shape, 2), doubled, 2 * offset)
        return b.view(gathered, memory.dtype, shape)
    if not shape:
        return b.view(_gather_strided(b, memory, (1,), (1,), offset), shape=())
    return b.op("AsStrided", memory, b.const(shape), b.const(strides), b.const([offset]), shape=shape)


@lowering("copy_into")
def _copy_into(
    b: Builder,
    memory: Value,
    source: Value,
    shape: tuple[int, ...],
    strides: Strides,
    offset: int,
    source_shape: tuple[int, ...],
    source_strides: Strides,
    source_offset: int,
) -> tuple[Value, ...]:
    """Write a view of `source` into a view of `memory`, both flat, in place. Strides are not negative.

    The source's view broadcasts to the target's; its dtype is already the target's.
    """
    padded = (0,) * (len(shape) - len(source_shape))
    spread = (
        *padded,
        *(0 if n == 1 else stride for n, stride in zip(source_shape, source_strides, strict=True)),
    )
    b.write_view(memory, shape or (1,), strides or (1,), offset, source, spread or (1,), source_offset)
    return ()


def span(shape: tuple[int, ...], strides: Strides) -> int:
    """How many elements of memory a view with these strides covers, from its first to its last."""
    if prod(shape) == 0:
        return 0
    return 1 + sum((n - 1) * abs(stride) for n, stride in zip(shape, strides, strict=True))
