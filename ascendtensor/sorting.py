"""Sorting functions (standard section "Sorting Functions")."""

from __future__ import annotations

from .arguments import one_axis
from .tensor import Tensor, run, tensor_operand

__all__ = ["argsort", "sort"]


def sort(x: Tensor, /, *, axis: int = -1, descending: bool = False, stable: bool = True) -> Tensor:
    """The elements along an axis in order (CANN: Sort). A NaN is greater than any number.

    Parameters:
        descending: the greatest first.
        stable: whether equal elements keep their order; they always do.

    Raises:
        TypeError: a complex dtype.
        IndexError: the axis is out of range.
    """
    ordered: Tensor = run("sort", tensor_operand("sort", x), one_axis("sort", axis), bool(descending))
    return ordered


def argsort(x: Tensor, /, *, axis: int = -1, descending: bool = False, stable: bool = True) -> Tensor:
    """Where the elements along an axis stand, in the order that `sort` gives them (CANN: Sort).

    Returns:
        Positions as int64.

    Raises:
        TypeError: a complex dtype.
        IndexError: the axis is out of range.
    """
    order: Tensor = run("argsort", tensor_operand("argsort", x), one_axis("argsort", axis), bool(descending))
    return order
