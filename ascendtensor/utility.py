"""Utility functions (standard section "Utility Functions")."""

from __future__ import annotations

from .arguments import axis_parameter
from .tensor import Tensor, run, tensor_operand

__all__ = ["all", "any"]

Axis = int | tuple[int, ...] | None


def all(x: Tensor, /, *, axis: Axis = None, keepdims: bool = False) -> Tensor:
    """Whether every element over axes is nonzero; true of no elements (CANN: ReduceAll).

    Raises:
        IndexError: an axis is out of range.
    """
    told: Tensor = run("all", tensor_operand("all", x), axis_parameter("all", axis), keepdims)
    return told


def any(x: Tensor, /, *, axis: Axis = None, keepdims: bool = False) -> Tensor:
    """Whether some element over axes is nonzero; false of no elements (CANN: ReduceAny).

    Raises:
        IndexError: an axis is out of range.
    """
    told: Tensor = run("any", tensor_operand("any", x), axis_parameter("any", axis), keepdims)
    return told
