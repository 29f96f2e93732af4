"""Utility functions (standard section "Utility Functions")."""

from __future__ import annotations

from operator import index

from ops_registry import dtypes
from ops_registry.shapes import axis_index

from .arguments import axis_parameter
from .manipulation import concat
from .tensor import Tensor, run, tensor_operand

__all__ = ["all", "any", "diff"]

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


def diff(
    x: Tensor, /, *, axis: int = -1, n: int = 1, prepend: Tensor | None = None, append: Tensor | None = None
) -> Tensor:
    """The differences of neighbours along an axis, `n` times over (CANN: Sub; NotEqual for bool).

    Parameters:
        prepend, append: what stands before and after the elements first.

    Raises:
        ValueError: a negative `n`, a tensor of no dimensions, or shapes that do not go together.
        IndexError: the axis is out of range.
    """
    x = tensor_operand("diff", x)
    if not x.ndim:
        raise ValueError("diff: a tensor of no dimensions has no neighbours")
    along = axis_index("diff", axis, x.ndim)
    try:
        times = index(n)
    except TypeError:
        raise TypeError(f"diff: n must be an integer, not {n!r}") from None
    if times < 0:
        raise ValueError(f"diff: n must not be negative; it is {n}")
    parts = [tensor_operand("diff", part) for part in (prepend, x, append) if part is not None]
    joined = concat(parts, axis=along) if len(parts) > 1 and times else x
    for _ in range(times):
        before, after = ((*[slice(None)] * along, part) for part in (slice(None, -1), slice(1, None)))
        function = "not_equal" if joined.dtype is dtypes.bool_ else "subtract"
        joined = run(function, joined[after], joined[before])
    return joined if times else x.clone()
