"""Sorting functions (standard section "Sorting Functions"), and PyTorch's `topk` beside them."""

from __future__ import annotations

from typing import NamedTuple

from .arguments import integer_parameter, one_axis
from .tensor import Tensor, run, tensor_operand

__all__ = ["argsort", "sort", "topk"]


class TopK(NamedTuple):
    """The greatest or least elements along an axis, and where they are."""

    values: Tensor
    indices: Tensor


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


def topk(x: Tensor, k: int, /, axis: int = -1, largest: bool = True, sorted: bool = True) -> TopK:
    """The `k` greatest elements along an axis, or the least (CANN: TopKV2). A NaN is greater than any number.

    Parameters:
        x: a Tensor of real dtype or bool.
        largest: whether the greatest are taken, or the least.
        sorted: whether they come in order, the greatest (or least) first; else in any order.

    Returns:
        The elements, and their positions as int64. Which of equal elements are taken is not said.

    Raises:
        TypeError: a complex dtype, or a number or an axis that is no integer.
        ValueError: there are not as many elements.
        IndexError: the axis is out of range.
    """
    count, along = integer_parameter("topk", "k", k), one_axis("topk", axis)
    return TopK(*run("topk", tensor_operand("topk", x), count, along, bool(largest), bool(sorted)))
