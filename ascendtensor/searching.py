"""Searching and indexing functions (standard sections "Searching Functions", "Indexing Functions")."""

from __future__ import annotations

import numpy as np

from ops_registry import promotion

from .arguments import axis_parameter
from .host_values import scalar_operand
from .runtime.scalars import Scalar
from .tensor import Tensor, run, tensor_operand, to_operands

__all__ = ["argmax", "argmin", "take", "where"]


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
