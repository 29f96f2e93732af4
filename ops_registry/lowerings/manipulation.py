"""Manipulation functions that move data; the others are views (standard section "Manipulation Functions")."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from math import prod

from .. import dtypes, promotion
from ..builder import Builder
from ..program import Value
from ..shapes import axis_index
from .registry import lowering


def _promoted(b: Builder, tensors: Sequence[Value]) -> list[Value]:
    dtype = reduce(promotion.promote, (x.dtype for x in tensors))
    return [b.cast(x, dtype) for x in tensors]


@lowering("concat")
def _concat(b: Builder, *arguments: Value | int) -> Value:
    """The tensors, then the axis."""
    *tensors, axis = arguments
    return concatenated(b, _promoted(b, tensors), axis)  # type: ignore[arg-type]


def concatenated(b: Builder, tensors: Sequence[Value], axis: int) -> Value:
    """Tensors of one dtype, one after the other along `axis`."""
    first = tensors[0]
    if not first.shape:
        raise ValueError(f"{b.function}: tensors of no dimensions do not go one after the other; see stack")
    axis = axis_index(b.function, axis, first.ndim)
    for other in tensors[1:]:
        if other.ndim != first.ndim or _without(other.shape, axis) != _without(first.shape, axis):
            raise ValueError(f"{b.function}: shapes {first.shape} and {other.shape} differ away from axis {axis}")
    length = sum(x.shape[axis] for x in tensors)
    shape = (*first.shape[:axis], length, *first.shape[axis + 1 :])
    full = [x for x in tensors if x.size] or [first]
    if len(full) == 1:
        return b.copy(b.view(full[0], shape=shape))
    if first.dtype is dtypes.complex128:
        pairs = [b.view(x, dtypes.int64, (*x.shape, 2)) for x in full]
        joined = b.op("ConcatD", *pairs, shape=(*shape, 2), attrs={"concat_dim": axis, "N": len(full)})
        return b.view(joined, first.dtype, shape)
    return b.op("ConcatD", *full, shape=shape, attrs={"concat_dim": axis, "N": len(full)})


@lowering("tile")
def _tile(b: Builder, x: Value, multiples: tuple[int, ...]) -> Value:
    """multiples: as many as there are dimensions, which are at least one."""
    shape = tuple(n * times for n, times in zip(x.shape, multiples, strict=True))
    if prod(shape) == 0:
        return b.fill(0, x.dtype, shape)
    if x.dtype is dtypes.complex128:
        pairs = b.view(x, dtypes.int64, (*x.shape, 2))
        tiled = b.op("Tile", pairs, b.const((*multiples, 1)), shape=(*shape, 2))
        return b.view(tiled, x.dtype, shape)
    return b.op("Tile", x, b.const(multiples), shape=shape)


def _without(shape: tuple[int, ...], axis: int) -> tuple[int, ...]:
    return (*shape[:axis], *shape[axis + 1 :])


@lowering("stack")
def _stack(b: Builder, *arguments: Value | int) -> Value:
    """The tensors, then the axis."""
    *given, axis = arguments
    tensors = _promoted(b, given)  # type: ignore[arg-type]
    shape = tensors[0].shape
    for other in tensors[1:]:
        if other.shape != shape:
            raise ValueError(f"stack: all tensors must have one shape; there are {shape} and {other.shape}")
    axis = axis_index("stack", axis, len(shape) + 1)  # type: ignore[arg-type]
    stacked = (*shape[:axis], len(tensors), *shape[axis:])
    if tensors[0].dtype is dtypes.complex128:
        pairs = [b.view(x, dtypes.int64, (*shape, 2)) for x in tensors]
        packed = b.op("Pack", *pairs, shape=(*stacked, 2), attrs={"axis": axis, "N": len(tensors)})
        return b.view(packed, tensors[0].dtype, stacked)
    return b.op("Pack", *tensors, shape=stacked, attrs={"axis": axis, "N": len(tensors)})
