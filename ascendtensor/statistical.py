"""Statistical functions (standard section "Statistical Functions")."""

from __future__ import annotations

from ops_registry import dtypes
from ops_registry.dtypes import DType

from .arguments import axis_parameter
from .tensor import Tensor, run, tensor_operand

__all__ = ["cumulative_prod", "cumulative_sum", "max", "mean", "min", "prod", "std", "sum", "var"]

Axis = int | tuple[int, ...] | None


def _reduced(function: str, x: Tensor, axis: Axis, *parameters: object) -> Tensor:
    result: Tensor = run(function, tensor_operand(function, x), axis_parameter(function, axis), *parameters)
    return result


def _number(function: str, correction: float) -> float:
    if not isinstance(correction, int | float):
        raise TypeError(f"{function}: the correction must be a number, not {correction!r}")
    return float(correction)


def sum(x: Tensor, /, *, axis: Axis = None, dtype: DType | None = None, keepdims: bool = False) -> Tensor:
    """The sum over axes (CANN: ReduceSum).

    Parameters:
        x: any dtype.
        axis: an axis, several, or None for all.
        dtype: of the result and the computation; by default int64 for bool and signed integers, uint64 for
            unsigned ones, the tensor's own otherwise.
        keepdims: whether the reduced dimensions stay, with length 1.

    Raises:
        IndexError: an axis is out of range.
    """
    return _reduced("sum", x, axis, None if dtype is None else dtypes.of(dtype), keepdims)


def prod(x: Tensor, /, *, axis: Axis = None, dtype: DType | None = None, keepdims: bool = False) -> Tensor:
    """The product over axes; parameters as of `sum` (CANN: ReduceProd)."""
    return _reduced("prod", x, axis, None if dtype is None else dtypes.of(dtype), keepdims)


def mean(x: Tensor, /, *, axis: Axis = None, keepdims: bool = False) -> Tensor:
    """The mean over axes; integers as float32; NaN of no elements (CANN: ReduceMean).

    Raises:
        IndexError: an axis is out of range.
    """
    return _reduced("mean", x, axis, keepdims)


def var(x: Tensor, /, *, axis: Axis = None, correction: float = 0.0, keepdims: bool = False) -> Tensor:
    """The variance over axes (CANN: ReduceMean, Sub, Mul, ReduceSum, RealDiv).

    Parameters:
        x: a real dtype; integers are computed as float32.
        correction: what is taken off the number of elements before the division: 1 for a sample's variance.

    Raises:
        TypeError: a complex dtype, or a correction that is no number.
        IndexError: an axis is out of range.
    """
    return _reduced("var", x, axis, _number("var", correction), keepdims)


def std(x: Tensor, /, *, axis: Axis = None, correction: float = 0.0, keepdims: bool = False) -> Tensor:
    """The standard deviation over axes: the square root of `var`."""
    return _reduced("std", x, axis, _number("std", correction), keepdims)


def max(x: Tensor, /, *, axis: Axis = None, keepdims: bool = False) -> Tensor:
    """The greatest element over axes; NaN if there is one (CANN: ReduceMax).

    Raises:
        TypeError: a complex dtype.
        ValueError: a reduction over no elements.
        IndexError: an axis is out of range.
    """
    return _reduced("max", x, axis, keepdims)


def min(x: Tensor, /, *, axis: Axis = None, keepdims: bool = False) -> Tensor:
    """The least element over axes; NaN if there is one (CANN: ReduceMin). Raises as `max`."""
    return _reduced("min", x, axis, keepdims)


def cumulative_sum(
    x: Tensor, /, *, axis: int | None = None, dtype: DType | None = None, include_initial: bool = False
) -> Tensor:
    """The running sum along an axis (CANN: Cumsum).

    Parameters:
        axis: needed unless the tensor has one dimension.
        dtype: as of `sum`.
        include_initial: whether a zero stands before the first sum.

    Raises:
        ValueError: no axis, and not one dimension.
        IndexError: the axis is out of range.
    """
    return _reduced("cumulative_sum", x, axis, None if dtype is None else dtypes.of(dtype), include_initial)


def cumulative_prod(
    x: Tensor, /, *, axis: int | None = None, dtype: DType | None = None, include_initial: bool = False
) -> Tensor:
    """The running product along an axis (CANN: Cumprod).

    Parameters:
        axis: needed unless the tensor has one dimension.
        dtype: as of `sum`.
        include_initial: whether a one stands before the first product.

    Raises:
        ValueError: no axis, and not one dimension.
        IndexError: the axis is out of range.
    """
    return _reduced("cumulative_prod", x, axis, None if dtype is None else dtypes.of(dtype), include_initial)
