"""What an index means that holds arrays: masks and integer arrays (standard section "Indexing").

An index is split into a basic one, which is a view, and arrays that each select along dimensions of that view.
What the host knows of the arrays is checked here, before anything is uploaded.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

__all__ = ["AdvancedIndex", "advanced_index"]

_BASIC = (int, slice, type(Ellipsis), type(None))

# An integer array in host memory as int64, each index counted from the front; or a tensor of integers or bools.
IndexArray = Any


@dataclass
class AdvancedIndex:
    """An index with arrays.

    Attributes:
        basic: the index without them: where an array selects, the whole dimension is shown.
        arrays: the first dimension of the basic view that each array selects along, and the array. A mask selects
            along as many dimensions as it has itself.
        position: where in the result the dimensions of the arrays stand, before any after it: NumPy's rule.
    """

    basic: tuple[Any, ...] = ()
    arrays: list[tuple[int, IndexArray]] = field(default_factory=list)
    position: int = 0


def advanced_index(key: Any, shape: tuple[int, ...]) -> AdvancedIndex | None:
    """The meaning of an index that holds arrays; None for one that holds none.

    Parameters:
        key: as in square brackets.
        shape: of the tensor that is indexed.

    Raises:
        IndexError: an array of another kind; too many indices; a mask of another shape; an index out of range.
    """
    keys = key if type(key) is tuple else (key,)
    if all(type(one) in _BASIC for one in keys):
        return None
    read = [_component(one) for one in keys]
    if not any(_is_array(one) for one in read):
        # Integers of other kinds; what else there is, the view complains of.
        return AdvancedIndex(tuple(read))
    return _split(read, shape)


def _component(one: Any) -> Any:
    """An index as an integer, as an array or as it is: lists become arrays, arrays of one integer integers."""
    if isinstance(one, list | tuple):
        one = _as_array(one)
    if isinstance(one, bool):
        return np.asarray(one)
    if not hasattr(one, "shape") or not hasattr(one, "dtype"):
        return one
    if one.dtype.kind not in "biu":
        raise IndexError(f"a tensor is indexed by integers, slices, masks and the like, not by an array of {one.dtype}")
    if one.dtype.kind != "b" and not one.shape:
        return one.__index__()
    return np.asarray(one) if isinstance(one, np.generic) else one


def _as_array(one: list[Any] | tuple[Any, ...]) -> Any:
    try:
        array = np.asarray(one)
    except ValueError as error:
        raise IndexError(f"a list that is indexed by must be a regular array: {error}") from None
    if not array.size:
        return array.astype(np.int64)
    if array.dtype.kind == "O":
        raise IndexError(f"a tensor is indexed by lists of integers or bools, not by {one!r}")
    return array


def _is_array(one: Any) -> bool:
    return hasattr(one, "shape")


def _consumed(one: Any) -> int:
    """How many dimensions of the tensor an index speaks of."""
    if one is None or one is Ellipsis:
        return 0
    return len(one.shape) if _is_array(one) and one.dtype.kind == "b" else 1


def _split(keys: list[Any], shape: tuple[int, ...]) -> AdvancedIndex:
    used = sum(map(_consumed, keys))
    if used > len(shape):
        raise IndexError(f"{used} indices for a tensor of {len(shape)} dimensions")
    if sum(one is Ellipsis for one in keys) > 1:
        raise IndexError("an index can hold one ellipsis only")
    basic: list[Any] = []
    arrays: list[tuple[int, IndexArray]] = []
    # Dimensions of the tensor, of the basic view, and of the result but those of the arrays.
    dim = axis = kept = 0
    # Where each stretch of arrays and integers begins, among what is kept: one stretch stays in its place.
    stretches: list[int] = []
    inside = False
    for one in keys:
        apart = one is None or one is Ellipsis or isinstance(one, slice)
        if not apart and not inside:
            stretches.append(kept)
        inside = not apart
        if one is Ellipsis:
            count = len(shape) - used
            basic += [slice(None)] * count
            dim, axis, kept = dim + count, axis + count, kept + count
        elif apart:
            basic.append(one)
            dim, axis, kept = dim + (one is not None), axis + 1, kept + 1
        elif not _is_array(one):
            basic.append(one)
            dim += 1
        else:
            count = _consumed(one)
            # A single bool is a mask of one along a new dimension.
            basic += [slice(None)] * count if count else [None]
            lengths = shape[dim : dim + count] if count else (1,)
            selecting = one if count else one.reshape((1,))
            arrays += [(axis + place, array) for place, array in enumerate(_checked(selecting, lengths, dim))]
            dim, axis = dim + count, axis + max(count, 1)
    return AdvancedIndex(tuple(basic), arrays, stretches[0] if len(stretches) == 1 else 0)


def _checked(array: IndexArray, lengths: tuple[int, ...], dim: int) -> list[IndexArray]:
    """An array as what selects: integer arrays of the host, one for each dimension, or the tensor that it is.

    Parameters:
        lengths: of the dimensions that it selects along; dim: the first of them.

    Raises:
        IndexError: it does not fit them.
    """
    if array.dtype.kind == "b":
        if any(m not in (n, 0) for m, n in zip(array.shape, lengths, strict=True)):
            raise IndexError(f"a mask of shape {tuple(array.shape)} for dimensions of lengths {lengths} from {dim} on")
        if 0 in array.shape:
            # It selects nothing, whatever the other lengths: the standard lets a mask's length be zero anywhere.
            return [np.empty(0, np.int64)] * len(lengths)
        return list(np.nonzero(array)) if isinstance(array, np.ndarray) else [array]
    (length,) = lengths
    if not isinstance(array, np.ndarray):
        if not length and 0 not in array.shape:
            raise IndexError(f"dimension {dim} is empty: there is nothing to index")
        return [array]
    wrong = array[(array < -length) | (array >= length)]
    if wrong.size:
        raise IndexError(f"index {wrong[0]} is out of range for dimension {dim} of length {length}")
    # A fresh array: the caller may change theirs.
    wide = array.astype(np.int64)
    return [np.where(wide < 0, wide + length, wide)]
