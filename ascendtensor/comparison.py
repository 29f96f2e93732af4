"""Comparison with a tolerance, and of whole tensors, by NumPy's names."""

from __future__ import annotations

from . import utility
from .host_values import python_number
from .runtime.scalars import Scalar
from .tensor import Tensor, run, tensor_operand, to_operands

__all__ = ["allclose", "array_equal", "isclose"]


def isclose(
    x1: Tensor | Scalar, x2: Tensor | Scalar, /, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False
) -> Tensor:
    """Whether elements differ by no more than `atol + rtol * |x2|` (CANN: Sub, Abs, LessEqual).

    Parameters:
        x1, x2: Tensors of any dtype, one of which may be a number; they broadcast. Integers are compared as float64,
            float16 and bfloat16 as float32.
        rtol, atol: the tolerance relative to `x2`, and the absolute one.
        equal_nan: whether NaN is close to NaN.

    Raises:
        TypeError: other operands, dtypes that have no common one, or a tolerance that is no real number.
        ValueError: shapes that do not broadcast.
    """
    return _close("isclose", x1, x2, rtol, atol, equal_nan)


def allclose(
    x1: Tensor | Scalar, x2: Tensor | Scalar, /, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False
) -> bool:
    """Whether all elements are close, as `isclose` has it. Waits for the device."""
    return bool(utility.all(_close("allclose", x1, x2, rtol, atol, equal_nan)))


def _close(
    function: str, x1: Tensor | Scalar, x2: Tensor | Scalar, rtol: float, atol: float, equal_nan: bool
) -> Tensor:
    operands = to_operands(function, x1, x2)
    if operands is None:
        told = " and ".join(type(x).__name__ for x in (x1, x2))
        raise TypeError(f"{function}: operands are Tensors and numbers, not {told}")
    close: Tensor = run("isclose", *operands, *(_tolerance(function, one) for one in (rtol, atol)), bool(equal_nan))
    return close


def _tolerance(function: str, value: float) -> float:
    number = python_number(function, value)
    if isinstance(number, complex):
        raise TypeError(f"{function}: a tolerance is a real number, not {value!r}")
    return float(number)


def array_equal(x1: Tensor, x2: Tensor, /, equal_nan: bool = False) -> bool:
    """Whether two tensors have one shape and equal elements (CANN: Equal, ReduceAll). Waits for the device.

    Parameters:
        x1, x2: Tensors of any dtype.
        equal_nan: whether NaN equals NaN.

    Raises:
        TypeError: other operands, or dtypes that have no common one.
    """
    x1, x2 = tensor_operand("array_equal", x1), tensor_operand("array_equal", x2)
    if x1.shape != x2.shape:
        return False
    equal: Tensor = run("equal", x1, x2)
    if equal_nan:
        equal = run("logical_or", equal, run("logical_and", run("isnan", x1), run("isnan", x2)))
    return bool(utility.all(equal))
