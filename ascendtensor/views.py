"""Views: the arithmetic of shape, strides and offset. Everything counts in elements; nothing touches data."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from operator import index
from typing import Any, NamedTuple

from ops_registry.shapes import axis_index

__all__ = [
    "View",
    "check_distinct",
    "contiguous_strides",
    "diagonal",
    "expanded",
    "fitted",
    "flipped",
    "forward",
    "indexed",
    "permuted",
    "requested_shape",
    "reshaped",
    "retyped",
    "spread",
    "squeezed",
]


class View(NamedTuple):
    """Which elements of a storage a tensor shows, and in what order."""

    shape: tuple[int, ...]
    strides: tuple[int, ...]
    offset: int

    @property
    def is_contiguous(self) -> bool:
        """Whether the elements stand one after the other, last dimension fastest."""
        if 0 in self.shape:
            return True
        expected = 1
        for n, stride in zip(reversed(self.shape), reversed(self.strides), strict=True):
            if n != 1:
                if stride != expected:
                    return False
                expected *= n
        return True


def contiguous_strides(shape: Sequence[int]) -> tuple[int, ...]:
    """The strides of a contiguous tensor."""
    strides = []
    step = 1
    for n in reversed(shape):
        strides.append(step)
        step *= max(n, 1)
    return tuple(reversed(strides))


def indexed(view: View, key: Any) -> View:
    """The view that a basic index selects: integers, slices, an ellipsis and None (standard section "Indexing").

    Raises:
        IndexError: too many indices, one out of range, a second ellipsis, or an index of another kind.
        ValueError: a slice step of zero.
    """
    keys = list(key) if isinstance(key, tuple) else [key]
    ellipses = [position for position, one in enumerate(keys) if one is Ellipsis]
    if len(ellipses) > 1:
        raise IndexError("an index can hold one ellipsis only")
    used = sum(one is not None and one is not Ellipsis for one in keys)
    ndim = len(view.shape)
    if used > ndim:
        raise IndexError(f"{used} indices for a tensor of {ndim} dimensions")
    at = ellipses[0] if ellipses else len(keys)
    keys[at : at + 1] = [slice(None)] * (ndim - used)

    shape: list[int] = []
    strides: list[int] = []
    offset = view.offset
    axis = 0
    for one in keys:
        if one is None:
            shape.append(1)
            strides.append(0)
            continue
        n, stride = view.shape[axis], view.strides[axis]
        if isinstance(one, slice):
            start, stop, step = _bounds(one, n)
            length = len(range(start, stop, step))
            offset += start * stride if length else 0
            shape.append(length)
            strides.append(stride * step)
        else:
            offset += _position(one, n, axis) * stride
        axis += 1
    return View(tuple(shape), tuple(strides), offset)


def _bounds(one: slice, n: int) -> tuple[int, int, int]:
    try:
        return one.indices(n)
    except TypeError as error:
        raise IndexError(f"a slice takes integers: {error}") from None


def _position(one: Any, n: int, axis: int) -> int:
    try:
        if isinstance(one, bool):
            raise TypeError
        position = index(one)
    except TypeError:
        told = f"{type(one).__name__} {one!r}"
        raise IndexError(f"a tensor is indexed by integers, slices, an ellipsis and None, not by {told}") from None
    if not -n <= position < n:
        raise IndexError(f"index {position} is out of range for dimension {axis} of length {n}")
    return position + n if position < 0 else position


def permuted(view: View, axes: Sequence[int]) -> View:
    """The dimensions in another order."""
    return View(tuple(view.shape[a] for a in axes), tuple(view.strides[a] for a in axes), view.offset)


def diagonal(view: View, offset: int) -> View:
    """A diagonal of the last two dimensions, as the last one; `offset` counts it from the main one, upwards."""
    *stack, rows, columns = view.shape
    *strides, down, across = view.strides
    length = max(0, min(rows + min(offset, 0), columns - max(offset, 0)))
    skipped = max(offset, 0) * across + max(-offset, 0) * down if length else 0
    return View((*stack, length), (*strides, down + across), view.offset + skipped)


def spread(view: View, shape: tuple[int, ...]) -> View:
    """The view repeated to a shape that it broadcasts to: new and stretched dimensions have stride 0.

    Raises:
        ValueError: it does not broadcast to it.
    """
    missing = len(shape) - len(view.shape)
    fits = missing >= 0 and all(n in (1, m) for n, m in zip(view.shape, shape[missing:], strict=True))
    if not fits:
        raise ValueError(f"broadcast_to: shape {view.shape} does not broadcast to {shape}")
    kept = (
        0 if n == 1 != m else stride for n, m, stride in zip(view.shape, shape[missing:], view.strides, strict=True)
    )
    return View(shape, ((0,) * missing + tuple(kept)), view.offset)


def requested_shape(size: int, shape: int | Sequence[int], shown: tuple[int, ...]) -> tuple[int, ...]:
    """The shape that a reshape asks for, with its one −1 worked out.

    Parameters:
        size: how many elements there are.
        shown: the present shape, for messages.

    Raises:
        TypeError: a length is not an integer.
        ValueError: the sizes differ, or there is more than one −1.
    """
    wanted = lengths("reshape", shape)
    unknown = [axis for axis, n in enumerate(wanted) if n == -1]
    if len(unknown) > 1 or any(n < -1 for n in wanted):
        raise ValueError(f"reshape: {wanted} can have one -1 and no other negative length")
    found = wanted
    if unknown:
        rest = prod(n for n in wanted if n != -1)
        if rest == 0 or size % rest:
            raise ValueError(f"reshape: {size} elements of shape {shown} do not go into shape {wanted}")
        found = tuple(size // rest if n == -1 else n for n in wanted)
    if prod(found) != size:
        raise ValueError(f"reshape: {size} elements of shape {shown} do not go into shape {wanted}")
    return found


def lengths(function: str, shape: int | Sequence[int]) -> tuple[int, ...]:
    """A shape as a tuple; an integer stands for one dimension.

    Raises:
        TypeError: a length is not an integer.
    """
    found = []
    for n in shape if isinstance(shape, Sequence) else (shape,):
        if isinstance(n, bool) or not hasattr(n, "__index__"):
            raise TypeError(f"{function}: a shape is made of integers, not of {n!r}")
        found.append(int(n.__index__()))
    return tuple(found)


def reshaped(view: View, shape: tuple[int, ...]) -> View | None:
    """The same elements under another shape of the same size, or None if that takes a copy."""
    if prod(shape) == 0:
        return View(shape, contiguous_strides(shape), view.offset)
    # Runs of dimensions that stand in memory as one; each run is split anew.
    old = [(n, s) for n, s in zip(view.shape, view.strides, strict=True) if n != 1]
    strides: list[int] = []
    pending = [n for n in shape if n != 1]
    position = 0
    while position < len(old):
        run, last = old[position][0], position
        taken: list[int] = []
        product = 1
        while product != run:
            if product < run:
                product *= pending[len(strides) + len(taken)]
                taken.append(pending[len(strides) + len(taken)])
            else:
                if old[last][1] != old[last + 1][0] * old[last + 1][1]:
                    return None
                last += 1
                run *= old[last][0]
        step = old[last][1]
        split = []
        for n in reversed(taken):
            split.append(step)
            step *= n
        strides += reversed(split)
        position = last + 1
    given = iter(strides)
    return View(shape, tuple(next(given) if n != 1 else 0 for n in shape), view.offset)


def retyped(view: View, itemsize: int, wanted: int) -> View:
    """The same bytes as elements of another size, in bytes: the last dimension becomes longer or shorter.

    Raises:
        ValueError: there is no last dimension, its elements stand apart, or the bytes don't make up whole elements.
    """
    if itemsize == wanted:
        return view
    if not view.shape or (view.strides[-1] != 1 and view.shape[-1] != 1):
        raise ValueError(
            f"view: elements of {itemsize} bytes are seen as elements of {wanted} bytes only where those of the last "
            f"dimension stand one after the other; here are shape {view.shape} and strides {view.strides}"
        )

    def counted(elements: int) -> int:
        whole, rest = divmod(elements * itemsize, wanted)
        if rest:
            raise ValueError(
                f"view: shape {view.shape}, strides {view.strides} and offset {view.offset} in elements of {itemsize} "
                f"bytes are not whole numbers of {wanted} bytes"
            )
        return whole

    shape = (*view.shape[:-1], counted(view.shape[-1]))
    if 0 in shape:
        return View(shape, contiguous_strides(shape), 0)
    # The stride of a dimension of length 1 leads nowhere.
    steps = (counted(s) if n > 1 else 0 for n, s in zip(view.shape[:-1], view.strides[:-1], strict=True))
    return View(shape, (*steps, 1), counted(view.offset))


def squeezed(view: View, axes: Sequence[int]) -> View:
    """The view without some dimensions of length 1."""
    kept = [axis for axis in range(len(view.shape)) if axis not in axes]
    return permuted(view, kept)


def expanded(view: View, axes: Sequence[int], function: str) -> View:
    """The view with new dimensions of length 1 at `axes` of the result.

    Raises:
        IndexError: an axis is out of range.
        ValueError: an axis is named twice.
    """
    ndim = len(view.shape) + len(axes)
    places = {axis_index(function, axis, ndim) for axis in axes}
    if len(places) != len(axes):
        raise ValueError(f"{function}: axis {tuple(axes)} names a dimension twice")
    rest = iter(zip(view.shape, view.strides, strict=True))
    dims = [(1, 0) if axis in places else next(rest) for axis in range(ndim)]
    return View(tuple(n for n, _ in dims), tuple(s for _, s in dims), view.offset)


def fitted(source: View, shape: tuple[int, ...]) -> View:
    """A value's view broadcast to the part that is assigned; dimensions of length 1 before that are dropped."""
    excess = len(source.shape) - len(shape)
    kept = source
    if excess > 0 and all(n == 1 for n in source.shape[:excess]):
        kept = squeezed(source, range(excess))
    try:
        return spread(kept, shape)
    except ValueError:
        raise ValueError(
            f"setitem: a value of shape {source.shape} does not broadcast to the assigned part's shape {shape}"
        ) from None


def check_distinct(function: str, view: View) -> None:
    """A view that is written to shows no element twice: which of the values would stay is not said.

    Raises:
        ValueError: it does, as what `broadcast_to` makes.
    """
    if any(stride == 0 and n > 1 for n, stride in zip(view.shape, view.strides, strict=True)):
        raise ValueError(f"{function}: elements of a broadcast view share memory; write to a clone() of it")


def forward(view: View) -> tuple[View, list[int]]:
    """The view with every stride made positive, and the dimensions that were turned round for it."""
    turned = [axis for axis, stride in enumerate(view.strides) if stride < 0]
    return flipped(view, turned), turned


def flipped(view: View, axes: Sequence[int]) -> View:
    """The view with some dimensions in reverse order."""
    strides, offset = list(view.strides), view.offset
    for axis in axes:
        offset += (view.shape[axis] - 1) * strides[axis]
        strides[axis] = -strides[axis]
    return View(view.shape, tuple(strides), offset)
