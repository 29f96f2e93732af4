"""Operands for property tests: arrays of any dtype, uploaded so that the tensor is one kind of view or another."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import ascendtensor as at
from ops_registry.dtypes import DType

from .comparison import elements, on_device

__all__ = ["LAYOUTS", "Operand", "laid_out", "operands"]

Array = np.ndarray[Any, Any]
Operand = tuple[at.Tensor, Array]

LAYOUTS = ("contiguous", "reversed", "transposed", "every other", "offset", "repeated")


def laid_out(array: Array, layout: str) -> Operand:
    """A tensor whose memory is laid out in a certain way, and the array of the same values."""
    axes = range(array.ndim)
    if layout == "reversed":
        backwards = (slice(None, None, -1),) * array.ndim
        return on_device(array[backwards])[backwards], array
    if layout == "transposed":
        return at.permute_dims(on_device(array.transpose().copy()), tuple(reversed(axes))), array
    if layout == "every other":
        spread = np.zeros(tuple(2 * n for n in array.shape), array.dtype)
        odd = (slice(1, None, 2),) * array.ndim
        spread[odd] = array
        return on_device(spread)[odd], array
    if layout == "offset" and array.ndim:
        longer = np.concatenate([np.zeros((1, *array.shape[1:]), array.dtype), array])
        return on_device(longer)[1:], array
    if layout == "repeated":
        first = array[(slice(0, 1),) * array.ndim]
        return at.broadcast_to(on_device(first), array.shape), np.broadcast_to(first, array.shape)
    return on_device(array), array


@st.composite
def operands(
    draw: st.DrawFn, *dtypes: DType, values: dict[int, st.SearchStrategy[Any]] | None = None
) -> tuple[Operand, ...]:
    """One operand of each dtype; their shapes broadcast, 0-d and empty ones among them.

    Parameters:
        values: for the operands of some positions, the values they are made of; by default any of the dtype.
    """
    shapes = draw(hnp.mutually_broadcastable_shapes(num_shapes=len(dtypes), min_side=0, max_side=4, max_dims=3))
    made = []
    for position, (dtype, shape) in enumerate(zip(dtypes, shapes.input_shapes, strict=True)):
        pool = draw(st.lists((values or {}).get(position, elements(dtype)), min_size=1, max_size=7 - position))
        with np.errstate(all="ignore"):
            array = np.resize(np.asarray(pool).astype(dtype.dtype), shape)
        made.append(laid_out(array, draw(st.sampled_from(LAYOUTS))))
    return tuple(made)
