"""Values from the host on their way to the device: numbers as operands, and what assignments take."""

from __future__ import annotations

from math import isfinite, isnan
from typing import Any

import numpy as np

from ops_registry import dtypes
from ops_registry.dtypes import DType

from .runtime.scalars import HostScalar, Scalar, host_scalar

__all__ = ["assignable", "assigned_values", "filling_operand", "python_number", "scalar_operand"]


def scalar_operand(function: str, value: Scalar, dtype: DType) -> HostScalar:
    """A scalar in a dtype.

    Raises:
        OverflowError: an integer out of the dtype's range.
    """
    if dtype.kind in "iu" and type(value) is int:
        bits = 8 * dtype.itemsize
        low, high = (0, 2**bits) if dtype.kind == "u" else (-(2 ** (bits - 1)), 2 ** (bits - 1))
        if not low <= value < high:
            raise OverflowError(f"{function}: the integer {value} is out of range for {dtype}")
    return host_scalar(value, dtype)


def python_number(function: str, value: Any) -> Scalar:
    """A Python number.

    Raises:
        TypeError: it is none.
    """
    found = value.item() if isinstance(value, np.generic) else value
    if not isinstance(found, bool | int | float | complex):
        raise TypeError(f"{function}: a number is wanted, not {value!r}")
    return found


def filling_operand(function: str, value: Scalar | Any, dtype: DType) -> HostScalar:
    """A number that elements of a dtype are set to; a fraction is cut off for an integer dtype.

    Raises:
        TypeError: no number, or a complex one for a real dtype.
        OverflowError, ValueError: no integer of the dtype.
    """
    value = python_number(function, value)
    if isinstance(value, complex) and dtype.kind != "c":
        raise TypeError(f"{function}: the complex number {value} does not go into {dtype}")
    if isinstance(value, float) and dtype.kind in "iu":
        if not isfinite(value):
            error = ValueError if isnan(value) else OverflowError
            raise error(f"{function}: {value} is no integer for {dtype}")
        value = int(value)
    return scalar_operand(function, value, dtype)


def assignable(source: DType, target: DType) -> bool:
    """Whether assignment casts: towards a kind that holds the source's, or between the real kinds."""
    return source.kind != "c" or target.kind == "c"


def assigned_values(value: Any, dtype: DType) -> np.ndarray[Any, Any]:
    """What stands on the right of an assignment, neither a Tensor nor a number, as an array.

    Raises:
        TypeError: not numbers, or complex numbers for a real dtype.
        OverflowError, ValueError: Python numbers that are no integers of the dtype; not a regular shape.
    """
    if not isinstance(value, np.ndarray):
        try:
            array = np.asarray(value)
        except ValueError as error:
            raise ValueError(f"setitem: {error}") from None
    else:
        array = value
    if array.dtype.kind not in "biufc" and array.dtype.name not in dtypes.BY_NAME and not _are_integers(array):
        raise TypeError(f"setitem: a tensor takes numbers, not {value!r}")
    if array.dtype.kind == "c" and dtype.kind != "c":
        raise TypeError(f"setitem: complex values cannot be assigned into a tensor of {dtype}")
    if hasattr(value, "dtype") and array.dtype.kind != "O":
        return array
    # Python numbers must fit.
    try:
        return np.array(value, dtype=dtype.dtype)
    except (OverflowError, ValueError) as error:
        raise type(error)(f"setitem: {error}") from None


def _are_integers(array: np.ndarray[Any, Any]) -> bool:
    """Whether an array holds Python's integers, which NumPy keeps as objects where they are large."""
    return array.dtype.kind == "O" and all(isinstance(one, int) for one in array.flat)
