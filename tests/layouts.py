"""Tensors in every layout that views can give them, and the check that a refused call left no trace."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from math import prod
from typing import Any

import numpy as np
from hypothesis import strategies as st

import ascendtensor as at
from ops_registry import dtypes
from ops_registry.dtypes import DType

from .comparison import arrays, elements, on_device

__all__ = ["Array", "axes_of", "laid_out", "moderate", "refuses", "tensors"]

Array = np.ndarray[Any, Any]


@st.composite
def laid_out(draw: st.DrawFn, array: Array) -> at.Tensor:
    """A tensor with an array's values: contiguous, or a view with strides, an offset and an order of its own."""
    if draw(st.booleans()):
        return on_device(array)
    order = draw(st.permutations(range(array.ndim)))
    turned = array.transpose(order)
    steps = [draw(st.sampled_from([1, 1, 2, -1, -2])) for _ in order]
    starts = [draw(st.integers(0, 3)) for _ in order]
    key = tuple(_slice(start, n, step) for start, n, step in zip(starts, turned.shape, steps, strict=True))
    room = tuple(s + abs(step) * n for s, n, step in zip(starts, turned.shape, steps, strict=True))
    around = np.ones(room, dtype=array.dtype)
    around[key] = turned
    return at.permute_dims(on_device(around)[key], np.argsort(order).tolist())


def _slice(start: int, n: int, step: int) -> slice:
    last = start + abs(step) * (n - 1)
    if n == 0:
        return slice(0, 0)
    if step > 0:
        return slice(start, last + 1, step)
    return slice(last, start - 1 if start else None, step)


@st.composite
def tensors(
    draw: st.DrawFn,
    dtype: DType,
    shape: tuple[int, ...] | st.SearchStrategy[tuple[int, ...]] | None = None,
    values: st.SearchStrategy[Any] | None = None,
) -> tuple[Array, at.Tensor]:
    """An array, and a tensor of the same values in some layout."""
    array = draw(arrays(dtype, shape, values))
    return array, draw(laid_out(array))


def moderate(dtype: DType, most: int = 100) -> st.SearchStrategy[Any]:
    """Finite values of which a few can be added and multiplied without overflow of a float."""
    if dtype.kind in "biu":
        return elements(dtype)
    real = st.sampled_from([n / 4 for n in range(-4 * most, 4 * most + 1)])
    return real if dtype.kind == "f" else st.builds(complex, real, real)


def axes_of(ndim: int, none: bool = True) -> st.SearchStrategy[Any]:
    """What `axis` may be: an axis from either end, several, none of them, or None."""
    several = st.lists(st.integers(0, max(ndim - 1, 0)), unique=True, max_size=ndim).flatmap(
        lambda axes: st.tuples(*(st.sampled_from([axis, axis - ndim]) for axis in axes))
    )
    choices: list[st.SearchStrategy[Any]] = [several if ndim else st.just(())]
    if ndim:
        choices.append(st.integers(-ndim, ndim - 1))
    if none:
        choices.append(st.none())
    return st.one_of(choices)


@contextmanager
def refuses(error: type[BaseException], *words: str) -> Iterator[None]:
    """The block raises just this error with these words in its message, and neither queues nor allocates."""
    memory = at.npu.memory_allocated()
    profile = at.profiler.profile()
    raised: BaseException | None = None
    with profile:
        try:
            yield
        except Exception as found:
            raised = found
    assert raised is not None, "nothing was raised"
    if type(raised) is not error:
        raise AssertionError(f"{error.__name__} was expected") from raised
    message = str(raised)
    for word in words:
        assert re.search(re.escape(word), message), f"{word!r} is not in {message!r}"
    assert profile.key_averages() == [], "an op was queued"
    raised.__traceback__ = None
    # Less if the garbage collector came by, which finds what earlier tests left.
    assert at.npu.memory_allocated() <= memory, "memory was taken"


def reference(array: Array) -> Array:
    """The values in a dtype that NumPy computes in well: float16 and bfloat16 as float64."""
    return array.astype(np.float64) if dtypes.of(array.dtype).itemsize == 2 and array.dtype.kind not in "iu" else array


def volume(shape: tuple[int, ...]) -> int:
    """How many elements a shape has."""
    return prod(shape)
