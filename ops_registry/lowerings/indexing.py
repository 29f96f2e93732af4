"""Indexing (standard section "Indexing"), and the moves between strided views and contiguous tensors."""

from __future__ import annotations

from math import gcd, prod

from .. import dtypes, shapes
from ..builder import Builder
from ..program import Value
from ..shapes import axis_index
from .creation import range_op
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
    return b.op("GatherV2", x, _from_front(b, indices, x.shape[axis]), b.const(axis), shape=shape)


def _from_front(b: Builder, indices: Value, length: int) -> Value:
    """Indices as int64, negative ones counted from the front: the gathering ops know no other end."""
    index = b.cast(indices, dtypes.int64)
    below = b.elementwise("Less", index, b.literal(0, dtypes.int64))
    return b.select(below, b.elementwise("Add", index, b.literal(length, dtypes.int64)), index)


@lowering("take_along_axis")
def _take_along_axis(b: Builder, x: Value, indices: Value, axis: int) -> Value:
    """The dimensions but `axis` broadcast."""
    if indices.dtype.kind not in "iu":
        raise TypeError(f"take_along_axis: indices must be integers, not {indices.dtype}")
    if indices.ndim != x.ndim:
        raise ValueError(f"take_along_axis: indices of {indices.ndim} dimensions for a tensor of {x.ndim}")
    axis = axis_index("take_along_axis", axis, x.ndim)
    length, count = x.shape[axis], indices.shape[axis]
    if not length and indices.size:
        raise IndexError(f"take_along_axis: axis {axis} of a tensor of shape {x.shape} is empty; nothing to take")
    one = (*x.shape[:axis], 1, *x.shape[axis + 1 :])
    around = shapes.broadcast("take_along_axis", one, (*indices.shape[:axis], 1, *indices.shape[axis + 1 :]))
    shape, whole = ((*around[:axis], n, *around[axis + 1 :]) for n in (count, length))
    if prod(shape) == 0:
        return b.fill(0, x.dtype, shape)
    x = x if x.shape == whole else b.broadcast(x, whole)
    index = _from_front(b, indices, length)
    index = index if index.shape == shape else b.broadcast(index, shape)
    if x.dtype is dtypes.complex128:
        pairs = b.broadcast(b.view(index, shape=(*shape, 1)), (*shape, 2))
        taken = b.op(
            "GatherElements", b.view(x, dtypes.int64, (*whole, 2)), pairs, shape=pairs.shape, attrs={"dim": axis}
        )
        return b.view(taken, x.dtype, shape)
    return b.op("GatherElements", x, index, shape=shape, attrs={"dim": axis})


@lowering("gather")
def _gather(b: Builder, x: Value, *indices: Value) -> Value:
    """The rows that index arrays name together, one array for each of the first dimensions."""
    around = shapes.broadcast("index", *(index.shape for index in indices))
    shape = (*around, *x.shape[len(indices) :])
    if prod(shape) == 0:
        return b.fill(0, x.dtype, shape)
    aligned = [_from_front(b, index, n) for index, n in zip(indices, x.shape, strict=False)]
    aligned = [index if index.shape == around else b.broadcast(index, around) for index in aligned]
    attrs = {"axis": len(around), "N": len(indices)}
    tuples = b.op("Pack", *aligned, shape=(*around, len(indices)), attrs=attrs)
    return b.op("GatherNd", x, tuples, shape=shape)


@lowering("masked_select")
def _masked_select(b: Builder, x: Value, mask: Value) -> Value:
    """The elements where the mask, of the same shape, holds."""
    (found,) = b.ops("MaskedSelect", x, mask, outputs=[((x.size,), None)], data_dependent=True)
    return found


@lowering("scatter_into")
def _scatter_into(b: Builder, memory: Value, source: Value, *rest: Value | Strides | int) -> tuple[Value, ...]:
    """Write `source` into a view of `memory`, in place, at the rows that index arrays name.

    rest: an index array for each of the view's first dimensions; then the view's shape, strides and offset.
    The source has the memory's dtype, and the shape of the rows or none. Of values for one place any may stay.
    """
    *indices, shape, strides, offset = rest
    assert isinstance(shape, tuple)
    assert isinstance(strides, tuple)
    assert isinstance(offset, int)
    depth = len(indices)
    around = shapes.broadcast("setitem", *(index.shape for index in indices))  # type: ignore[union-attr]
    run = _block(shape[depth:], strides[depth:], gcd(offset, *strides[:depth]))
    kept = len(shape) if run == 1 else _kept(shape, run)
    whole = (*around, *shape[depth:kept])

    # The table's look-up fails on the device for an index that is out of range: nothing is written then.
    places = b.literal(offset // run, dtypes.int64)
    for axis, index in enumerate(indices):
        table = range_op(b, 0, shape[axis], 1, shape[axis], dtypes.int64)
        front = _from_front(b, index, shape[axis])  # type: ignore[arg-type]
        row = b.op("GatherV2", table, front, b.const(0), shape=front.shape)
        aligned = b.view(row, shape=(*row.shape, *(1,) * (kept - depth)))
        places = b.elementwise("Add", places, _times(b, aligned, strides[axis] // run))
    for axis in range(depth, kept):
        line = range_op(b, 0, shape[axis], 1, shape[axis], dtypes.int64)
        aligned = b.view(line, shape=(shape[axis], *(1,) * (kept - axis - 1)))
        places = b.elementwise("Add", places, _times(b, aligned, strides[axis] // run))
    tuples = b.view(places if places.shape == whole else b.broadcast(places, whole), shape=(*whole, 1))

    updates_shape = whole if run == 1 else (*whole, run)
    updates = b.view(source, shape=updates_shape) if source.ndim else b.fill(source, memory.dtype, updates_shape)
    rows = (memory.size,) if run == 1 else (memory.size // run, run)
    b.op("ScatterNdUpdate", b.view(memory, shape=rows), tuples, updates, shape=rows, into=memory)
    return ()


def _times(b: Builder, places: Value, step: int) -> Value:
    return places if step == 1 else b.elementwise("Mul", places, b.literal(step, dtypes.int64))


def _block(shape: tuple[int, ...], strides: Strides, divisor: int) -> int:
    """How many elements at the end of a view stand together, in a block that all its parts begin at multiples of."""
    run, longest = 1, 1
    for axis in reversed(range(len(shape))):
        if shape[axis] != 1 and strides[axis] != run:
            break
        run *= shape[axis]
        if all(
            step % run == 0 for step in (divisor, *(s for s, n in zip(strides[:axis], shape, strict=False) if n > 1))
        ):
            longest = run
    return longest


def _kept(shape: tuple[int, ...], run: int) -> int:
    """How many dimensions are left when the last ones, of `run` elements together, are taken for one block."""
    kept = len(shape)
    while run > 1:
        kept -= 1
        run //= shape[kept]
    return kept


@lowering("contiguous")
def _contiguous(b: Builder, memory: Value, shape: tuple[int, ...], strides: Strides, offset: int) -> Value:
    return contiguous(b, memory, shape, strides, offset)


def contiguous(b: Builder, memory: Value, shape: tuple[int, ...], strides: Strides, offset: int) -> Value:
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
