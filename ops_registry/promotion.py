"""Type promotion: which dtype an operation of several operands has.

Within a kind this is the array API standard's table (section "Type Promotion Rules"), with float16 and
bfloat16 below float32. Across kinds, which the standard leaves open, the higher kind's dtype wins as in
PyTorch: an integer tensor with a float32 one gives float32. Python scalars are weak: they never widen a
tensor of their own kind or a higher one.
"""

from __future__ import annotations

from functools import cache, reduce
from typing import Any

from . import dtypes
from .dtypes import DType

__all__ = [
    "DEFAULT_INT",
    "KINDS",
    "can_cast",
    "can_cast_in_place",
    "default_complex",
    "default_float",
    "isdtype",
    "promote",
    "result_type",
    "with_scalar",
]

DEFAULT_INT = dtypes.int64

_KIND_RANK = {"b": 0, "u": 1, "i": 1, "f": 2, "c": 3}

# A result goes in place into a tensor of its own kind or of one that stands after it.
_IN_PLACE = "buifc"

# The names of sets of dtypes that the standard's `isdtype` knows, by the kinds they hold.
KINDS: dict[str, str] = {
    "bool": "b",
    "signed integer": "i",
    "unsigned integer": "u",
    "integral": "iu",
    "real floating": "f",
    "complex floating": "c",
    "numeric": "iufc",
}

_SIGNED = {dtype.itemsize: dtype for dtype in dtypes.ALL if dtype.kind == "i"}


def default_float() -> DType:
    """The dtype of Python's floats, and of what floating-point functions make of integers."""
    return dtypes.of(float)


def default_complex() -> DType:
    """The complex dtype whose parts are of the default one."""
    return dtypes.of(complex)


@cache
def promote(first: DType, second: DType) -> DType:
    """The dtype that holds both.

    Raises:
        TypeError: uint64 with a signed integer: no integer dtype holds both.
    """
    if first is second:
        return first
    low, high = sorted((first, second), key=lambda d: (_KIND_RANK[d.kind], d.itemsize))
    if _KIND_RANK[low.kind] == _KIND_RANK[high.kind]:
        return _within_kind(low, high)
    if high.kind == "c" and low is dtypes.float64:
        return dtypes.complex128
    return high


def _within_kind(low: DType, high: DType) -> DType:
    if low.kind == high.kind:
        # float16 and bfloat16: neither holds the other.
        return high if low.itemsize < high.itemsize else dtypes.float32
    signed, unsigned = (low, high) if low.kind == "i" else (high, low)
    if unsigned.itemsize < signed.itemsize:
        return signed
    wider = _SIGNED.get(2 * unsigned.itemsize)
    if wider is None:
        raise TypeError(
            f"{signed} and {unsigned} have no common integer data type; convert one of them with astype first"
        )
    return wider


def with_scalar(dtype: DType, scalar: bool | int | float | complex) -> DType:
    """The dtype of an operation between a tensor of `dtype` and a Python scalar."""
    if isinstance(scalar, bool):
        return dtype
    if isinstance(scalar, int):
        return DEFAULT_INT if dtype.kind == "b" else dtype
    if isinstance(scalar, float):
        return dtype if dtype.kind in "fc" else default_float()
    if dtype.kind == "c":
        return dtype
    return dtypes.COMPLEX_OF.get(dtype) or default_complex()


def result_type(*arguments: Any) -> DType:
    """The dtype of an operation on all of `arguments`: dtypes (anything with a `.dtype` too) and scalars.

    Raises:
        TypeError: nothing to take a dtype from, or no common dtype.
    """
    strong = [_dtype_of(argument) for argument in arguments if not isinstance(argument, bool | int | float | complex)]
    scalars = [argument for argument in arguments if isinstance(argument, bool | int | float | complex)]
    if not strong:
        raise TypeError("result_type needs at least one tensor or data type among its arguments")
    return reduce(with_scalar, scalars, reduce(promote, strong))


def _dtype_of(argument: Any) -> DType:
    dtype = argument if isinstance(argument, DType) else getattr(argument, "dtype", argument)
    return dtypes.of(dtype)


def can_cast(source: DType, target: DType) -> bool:
    """Whether promotion turns `source` into `target` without another dtype coming in."""
    try:
        return promote(source, target) is target
    except TypeError:
        return False


def can_cast_in_place(result: DType, target: DType) -> bool:
    """Whether an in-place operator may cast its result to the tensor's dtype, as NumPy has it: within a kind."""
    return _IN_PLACE.index(result.kind) <= _IN_PLACE.index(target.kind)


def isdtype(dtype: DType, kind: DType | str | tuple[DType | str, ...]) -> bool:
    """Whether `dtype` is of `kind`: a dtype, a name of `KINDS`, or a tuple of them.

    Raises:
        TypeError, ValueError: `kind` is something else.
    """
    if isinstance(kind, tuple):
        return any(isdtype(dtype, one) for one in kind)
    if isinstance(kind, DType):
        return dtype is kind
    if not isinstance(kind, str):
        raise TypeError(f"isdtype: kind must be a data type, a name of a kind or a tuple of them, not {kind!r}")
    if kind not in KINDS:
        raise ValueError(f"isdtype: {kind!r} is not a kind of data type; the kinds are {', '.join(KINDS)}")
    return dtype.kind in KINDS[kind]
