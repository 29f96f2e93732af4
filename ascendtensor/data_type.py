"""Data type functions (standard section "Data Type Functions")."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import ml_dtypes
import numpy as np

from ops_registry import dtypes, promotion
from ops_registry.dtypes import DType

from .runtime.device import Device
from .runtime.plans import forget_plans
from .runtime.scalars import Scalar
from .tensor import Tensor, run, tensor_operand

__all__ = [
    "astype",
    "can_cast",
    "finfo",
    "get_default_dtype",
    "iinfo",
    "isdtype",
    "result_type",
    "set_default_dtype",
]


def astype(x: Tensor, dtype: DType, /, *, copy: bool = True, device: Device | str | None = None) -> Tensor:
    """The elements in another dtype (CANN: Cast).

    Parameters:
        dtype: floating to integer drops the fraction; what does not fit is undefined, as in NumPy.
        copy: whether to copy where the dtype is the tensor's own.
        device: where the result is to be; the tensor's own by default.

    Raises:
        TypeError: from complex to real; take `real(x)` first.
    """
    x = tensor_operand("astype", x)
    moved = x if device is None else x.to_device(device)
    chosen = dtypes.of(dtype)
    if chosen is moved.dtype and not (copy and moved is x):
        return moved
    cast: Tensor = run("astype", moved, chosen)
    return cast


def can_cast(from_: DType | Tensor, to: DType, /) -> bool:
    """Whether promotion turns one dtype into the other.

    Parameters:
        from_: a dtype, or a Tensor that has it.
    """
    return promotion.can_cast(_dtype_of(from_), dtypes.of(to))


def result_type(*arrays_and_dtypes: Tensor | DType | Scalar) -> DType:
    """The dtype of an operation on all arguments: Tensors, dtypes and Python numbers.

    Raises:
        TypeError: numbers alone, or dtypes that have no common one.
    """
    return promotion.result_type(*arrays_and_dtypes)


def get_default_dtype() -> DType:
    """The dtype of new floating-point tensors where none is named; float32 at first (see `set_default_dtype`)."""
    return promotion.default_float()


def set_default_dtype(dtype: DType, /) -> None:
    """Choose the dtype of new floating-point tensors where none is named, for all threads; as PyTorch's.

    It is also what functions that compute in floating point make of integers. complex64 or complex128 goes with it.
    Set it before threads start to work.

    Parameters:
        dtype: float32, which the device computes in fastest, or float64.

    Raises:
        ValueError: another dtype.
    """
    dtypes.set_default_float(dtypes.of(dtype))
    forget_plans()


def isdtype(dtype: DType, kind: DType | str | tuple[DType | str, ...]) -> bool:
    """Whether a dtype is of a kind.

    Parameters:
        kind: a dtype; `"bool"`, `"signed integer"`, `"unsigned integer"`, `"integral"`, `"real floating"`,
            `"complex floating"` or `"numeric"`; or a tuple of these.

    Raises:
        TypeError, ValueError: another kind.
    """
    return promotion.isdtype(dtypes.of(dtype), kind)


@dataclass(frozen=True)
class FloatInfo:
    """The limits of a floating dtype, as Python floats.

    Attributes:
        bits: of one element, of a complex one's part.
        eps: the difference of 1 and the next number.
        max, min: the greatest and the least finite number.
        smallest_normal: the smallest positive number of full precision.
        dtype: the real dtype.
    """

    bits: int
    eps: float
    max: float
    min: float
    smallest_normal: float
    dtype: DType


@dataclass(frozen=True)
class IntegerInfo:
    """The limits of an integer dtype: bits, greatest and least number."""

    bits: int
    max: int
    min: int
    dtype: DType


def finfo(type: DType | Tensor, /) -> FloatInfo:
    """The limits of a floating or complex dtype.

    Raises:
        TypeError: another dtype.
    """
    dtype = _dtype_of(type)
    real = dtypes.REAL_OF.get(dtype, dtype)
    if real.kind != "f":
        raise TypeError(f"finfo: {dtype} is not a floating dtype; see iinfo")
    info: Any = (ml_dtypes.finfo if real is dtypes.bfloat16 else np.finfo)(real.dtype)
    eps, most, least, smallest = (float(value) for value in (info.eps, info.max, info.min, info.smallest_normal))
    return FloatInfo(8 * real.itemsize, eps, most, least, smallest, real)


def iinfo(type: DType | Tensor, /) -> IntegerInfo:
    """The limits of an integer dtype.

    Raises:
        TypeError: another dtype.
    """
    dtype = _dtype_of(type)
    if dtype.kind not in "iu":
        raise TypeError(f"iinfo: {dtype} is not an integer dtype; see finfo")
    info = np.iinfo(dtype.dtype)
    return IntegerInfo(8 * dtype.itemsize, int(info.max), int(info.min), dtype)


def _dtype_of(argument: DType | Tensor | Any) -> DType:
    return argument.dtype if isinstance(argument, Tensor) else dtypes.of(argument)
