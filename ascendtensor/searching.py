"""Searching and indexing functions (standard sections "Searching Functions", "Indexing Functions")."""

from __future__ import annotations

from typing import Literal

import numpy as np

from ops_registry import promotion

from .arguments import axis_parameter, one_axis
from .host_values import scalar_operand
from .runtime.scalars import Scalar
from .tensor import Tensor, run, tensor_operand, to_operands

__all__ = [
    "argmax",
    "argmin",
    "count_nonzero",
    "nonzero",
    "searchsorted",
    "take",
    "take_along_axis",
    "where",
]


def argmax(x: Tensor, /, *, axis: int | None = None, keepdims: bool = False) -> Tensor:
    """Where the greatest element along an axis is, the first of equals, a NaN before all (CANN: ArgMaxV2).

    Parameters:
        axis: None searches the flattened tensor.

    Returns:
        Positions as int64.

    Raises:
        TypeError: a complex dtype.
        ValueError: no elements along the axis.
        IndexError: the axis is out of range.
    """
    found: Tensor = run("argmax", tensor_operand("argmax", x), axis_parameter("argmax", axis), keepdims)
    return found


def argmin(x: Tensor, /, *, axis: int | None = None, keepdims: bool = False) -> Tensor:
    """Where the least element along an axis is; otherwise as `argmax` (CANN: ArgMin)."""
    found: Tensor = run("argmin", tensor_operand("argmin", x), axis_parameter("argmin", axis), keepdims)
    return found


def nonzero(x: Tensor, /) -> tuple[Tensor, ...]:
    """Where the elements are that are not zero (CANN: NonZero). Waits for the device, which alone knows how many.

    Returns:
        Positions as int64, one tensor for each dimension, in the order in which the elements stand.

    Raises:
        ValueError: no dimensions.
    """
    found = run("nonzero", tensor_operand("nonzero", x))
    return tuple(found[axis] for axis in range(x.ndim))


def count_nonzero(x: Tensor, /, *, axis: int | tuple[int, ...] | None = None, keepdims: bool = False) -> Tensor:
    """How many elements along axes are not zero, as int64 (CANN: ReduceSum).

    Parameters:
        axis: None counts in the whole tensor.

    Raises:
        IndexError: an axis is out of range.
        ValueError: an axis is named twice.
    """
    axis = axis_parameter("count_nonzero", axis)
    counted: Tensor = run("count_nonzero", tensor_operand("count_nonzero", x), axis, keepdims)
    return counted


def searchsorted(
    x1: Tensor,
    x2: Tensor | Scalar,
    /,
    *,
    side: Literal["left", "right"] = "left",
    sorter: Tensor | None = None,
) -> Tensor:
    """Where elements go in a line that is in order, so that it stays in order (CANN: SearchSorted).

    Parameters:
        x1: the line, one dimension, real, in the order that `sort` gives, or that `sorter` brings it into.
        x2: the elements, of any shape, or a number.
        side: "left" before what equals them, "right" after.
        sorter: positions in `x1`, as `argsort` gives them.

    Returns:
        Positions as int64, of the shape of `x2`.

    Raises:
        TypeError: not real numbers, or dtypes without a common one.
        ValueError: another side; `x1` or `sorter` of other than one dimension.
    """
    tensor_operand("searchsorted", x1)
    if side not in ("left", "right"):
        raise ValueError(f"searchsorted: side is 'left' or 'right', not {side!r}")
    operands = to_operands("searchsorted", x1, x2)
    if operands is None:
        raise TypeError(f"searchsorted: x2 must be a Tensor or a number, not {type(x2).__name__}")
    line, values = operands
    if sorter is not None:
        if x1.ndim != 1 or tensor_operand("searchsorted", sorter).shape != x1.shape:
            raise ValueError(f"searchsorted: a sorter of shape {sorter.shape} for x1 of shape {x1.shape}")
        line = take(x1, sorter, axis=0)
    places: Tensor = run("searchsorted", line, values, side == "right")
    return places


def where(condition: Tensor, x1: Tensor | Scalar, x2: Tensor | Scalar, /) -> Tensor:
    """`x1` where the condition holds, else `x2` (CANN: SelectV2).

    Parameters:
        condition: a bool Tensor.
        x1, x2: Tensors or numbers; all three broadcast.

    Raises:
        TypeError: the condition is no bool Tensor, or the dtypes have no common one.
        ValueError: shapes that do not broadcast.
    """
    tensor_operand("where", condition)
    x1, x2 = (x.item() if isinstance(x, np.generic) else x for x in (x1, x2))
    if isinstance(x1, Tensor) or isinstance(x2, Tensor):
        choices = to_operands("where", x1, x2)
    elif isinstance(x1, bool | int | float | complex) and isinstance(x2, bool | int | float | complex):
        dtype = promotion.result_type(type(x1), type(x2))
        choices = [scalar_operand("where", x, dtype) for x in (x1, x2)]
    else:
        choices = None
    if choices is None:
        raise TypeError(f"where: choices are Tensors and numbers, not {type(x1).__name__} and {type(x2).__name__}")
    chosen: Tensor = run("where", condition, *choices)
    return chosen


def take(x: Tensor, indices: Tensor, /, *, axis: int | None = None) -> Tensor:
    """The elements at positions along an axis (CANN: GatherV2).

    Parameters:
        indices: integers of any shape; negative ones count from the end. One out of range is found by the
            device, and reported when somebody waits for it.
        axis: needed unless `x` has one dimension.

    Raises:
        TypeError: the indices are not integers.
        ValueError: no axis, and not one dimension.
        IndexError: the axis is out of range, or there is nothing to take.
    """
    x, indices = tensor_operand("take", x), tensor_operand("take", indices)
    if axis is None:
        if x.ndim != 1:
            raise ValueError(f"take: a tensor of {x.ndim} dimensions needs its axis named")
        axis = 0
    taken: Tensor = run("take", x, indices, axis_parameter("take", axis))
    return taken


def take_along_axis(x: Tensor, indices: Tensor, /, *, axis: int = -1) -> Tensor:
    """The elements at positions along an axis, other ones for each line (CANN: GatherElements).

    Parameters:
        indices: integers, of as many dimensions as `x` has; all but `axis` broadcast. Negative ones count from
            the end. One out of range is found by the device, and reported when somebody waits for it.

    Raises:
        TypeError: the indices are not integers.
        ValueError: numbers of dimensions that differ, or lengths that do not broadcast.
        IndexError: the axis is out of range, or there is nothing to take.
    """
    x, indices = tensor_operand("take_along_axis", x), tensor_operand("take_along_axis", indices)
    taken: Tensor = run("take_along_axis", x, indices, one_axis("take_along_axis", axis))
    return taken
