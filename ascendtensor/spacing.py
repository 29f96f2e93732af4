"""Numbers spaced evenly on a logarithmic scale, by NumPy's names."""

from __future__ import annotations

from cmath import log10

from ops_registry import dtypes, promotion
from ops_registry.dtypes import DType

from .creation import Place, linspace
from .data_type import astype
from .host_values import python_number
from .runtime.scalars import Scalar
from .tensor import Tensor, binary

__all__ = ["geomspace", "logspace"]


def logspace(
    start: Scalar,
    stop: Scalar,
    /,
    num: int = 50,
    *,
    endpoint: bool = True,
    base: Scalar = 10.0,
    dtype: DType | None = None,
    device: Place = None,
) -> Tensor:
    """Powers of a base to `num` evenly spaced exponents (CANN: LinSpace, Pow, in double precision; Cast).

    Parameters:
        start, stop: the first and the last exponent.
        num: how many numbers.
        endpoint: whether `stop` is the last exponent, or the one that would follow.
        base: a number.
        dtype: float32, or complex64 where one of the numbers is complex, by default; integers are cut off.
        device: the current one by default.

    Raises:
        TypeError: what is no number, complex numbers for a real dtype, or bool.
        ValueError: `num` is negative.
    """
    first, last, basis = (python_number("logspace", value) for value in (start, stop, base))
    chosen = _dtype("logspace", dtype, first, last, basis)
    return _cast(_powers(basis, first, last, num, endpoint, chosen, device), chosen)


def geomspace(
    start: Scalar,
    stop: Scalar,
    /,
    num: int = 50,
    *,
    endpoint: bool = True,
    dtype: DType | None = None,
    device: Place = None,
) -> Tensor:
    """Numbers of which each is a constant multiple of the one before (CANN: LinSpace, Pow, in double precision; Cast).

    Parameters:
        start, stop: the first and the last number, exactly; neither is 0. Complex ones lie on a spiral.
        num, endpoint, dtype, device: as of `logspace`.

    Raises:
        TypeError: what is no number, complex numbers for a real dtype, or bool.
        ValueError: a number is 0, real ones differ in sign, or `num` is negative.
    """
    first, last = (python_number("geomspace", value) for value in (start, stop))
    chosen = _dtype("geomspace", dtype, first, last)
    if first == 0 or last == 0:
        raise ValueError(f"geomspace: no number is a multiple of 0; the ends are {first} and {last}")
    # As multiples of 1 turned to where the first number stands, so that real numbers stay real.
    turn = first / abs(first)
    begin, end = log10(first / turn).real, log10(last / turn)
    if chosen.kind != "c" and end.imag:
        raise ValueError(f"geomspace: no real multiples lead from {first} to {last}")
    spaced = _powers(10.0, begin, end if chosen.kind == "c" else end.real, num, endpoint, chosen, device)
    if turn != 1:
        spaced = binary("multiply", spaced, turn)
    if spaced.size:
        spaced[0] = first
    if spaced.size > 1 and endpoint:
        spaced[-1] = last
    return _cast(spaced, chosen)


def _dtype(function: str, dtype: DType | None, *numbers: Scalar) -> DType:
    is_complex = any(isinstance(number, complex) for number in numbers)
    default = promotion.default_complex() if is_complex else promotion.default_float()
    chosen = default if dtype is None else dtypes.of(dtype)
    if chosen.kind == "b" or (is_complex and chosen.kind != "c"):
        told = "complex numbers do" if is_complex else "a range does"
        raise TypeError(f"{function}: {told} not go into {chosen}")
    return chosen


def _powers(base: Scalar, first: Scalar, last: Scalar, num: int, endpoint: bool, dtype: DType, device: Place) -> Tensor:
    """In double precision: in a narrower one an exponent's error would be the power's many times over."""
    wide = dtypes.complex128 if dtype.kind == "c" else dtypes.float64
    exponents = linspace(first, last, num, dtype=wide, device=device, endpoint=endpoint)
    powers: Tensor = binary("pow", float(base) if not isinstance(base, complex) else base, exponents)
    return powers


def _cast(x: Tensor, dtype: DType) -> Tensor:
    return astype(x, dtype, copy=False)
