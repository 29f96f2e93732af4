"""Linear interpolation between points, by NumPy's name."""

from __future__ import annotations

from functools import reduce
from math import nan
from typing import Any

import numpy as np

from ops_registry import dtypes, promotion
from ops_registry.dtypes import DType

from .creation import empty
from .data_type import astype
from .elementwise import equal, greater, isnan, less, maximum, minimum
from .host_values import python_number
from .manipulation import concat
from .runtime.scalars import Scalar
from .searching import searchsorted, take, where
from .sorting import argsort
from .tensor import Tensor, binary, from_numpy, run, tensor_operand

__all__ = ["interp"]


def interp(
    x: Tensor | float,
    xp: Tensor,
    fp: Tensor,
    /,
    left: Scalar | None = None,
    right: Scalar | None = None,
    period: float | None = None,
) -> Tensor:
    """The values, at places, of the line through points (CANN: SearchSorted, GatherV2, RealDiv, Mul, Add).

    Parameters:
        x: the places: a real Tensor of any shape, or a number.
        xp: where the points are: one dimension, real, in ascending order, which nobody checks.
        fp: their values, as many; they may be complex.
        left, right: what there is before the first point and after the last; these points' values by default.
        period: after what distance the line comes again. `xp` is then in any order, and nothing is left or right.

    Returns:
        The shape of `x`, in the dtype that the floating operands have in common, or the default one if there are none.
        Integers are computed in float64, float16 and bfloat16 in float32. NaN where `x` is NaN.

    Raises:
        TypeError: other operands, complex places, or complex ends of real values.
        ValueError: no points, not one dimension, lengths that differ, or a period of 0.
    """
    xp, fp = tensor_operand("interp", xp), tensor_operand("interp", fp)
    _check_points(xp, fp)
    places = x if isinstance(x, Tensor) else _real_number("x", x)
    if isinstance(places, Tensor) and places.dtype.kind == "c":
        raise TypeError(f"interp: complex numbers have no order; x is a tensor of {places.dtype}")
    ends = [None if end is None else _end(end, fp.dtype) for end in (left, right)]
    if period is not None:
        period, ends = abs(_real_number("period", period)), [None, None]
        if period == 0:
            raise ValueError("interp: the period must not be 0")

    given = [xp.dtype, fp.dtype, *([places.dtype] if isinstance(places, Tensor) else [])]
    result = _result_dtype(given)
    wide = _wide_dtype(result, given)
    x, xp = (_cast(one, wide, fp) for one in (places, xp))
    parts = [astype(part, wide, copy=False) for part in ([fp.real, fp.imag] if fp.dtype.kind == "c" else [fp])]
    if period is not None:
        x, xp, parts = _unrolled(x, xp, parts, period)
    real = _interpolated(x, xp, parts[0], *(end if end is None else end.real for end in ends))
    if len(parts) == 1:
        return astype(real, result, copy=False)
    joined = empty(x.shape, dtype=result, device=x.device)
    joined.real[...] = real
    joined.imag[...] = _interpolated(x, xp, parts[1], *(end if end is None else end.imag for end in ends))
    return joined


# Arguments


def _check_points(xp: Tensor, fp: Tensor) -> None:
    if xp.dtype.kind == "c":
        raise TypeError(f"interp: complex numbers have no order; xp is a tensor of {xp.dtype}")
    if xp.ndim != 1 or fp.shape != xp.shape:
        raise ValueError(f"interp: xp and fp have one dimension of one length, not shapes {xp.shape} and {fp.shape}")
    if not xp.size:
        raise ValueError("interp: there is no line without points; xp and fp are empty")


def _real_number(name: str, value: Any) -> float:
    number = python_number("interp", value)
    if isinstance(number, complex):
        raise TypeError(f"interp: {name} is a real number, not {number}")
    return float(number)


def _end(value: Any, dtype: DType) -> float | complex:
    number = python_number("interp", value)
    if isinstance(number, complex) and dtype.kind != "c":
        raise TypeError(f"interp: the complex number {number} is no end of a line of {dtype}")
    return number


def _result_dtype(given: list[DType]) -> DType:
    floating = [dtype for dtype in given if dtype.kind in "fc"]
    return reduce(promotion.promote, floating) if floating else promotion.default_float()


def _wide_dtype(result: DType, given: list[DType]) -> DType:
    """The real dtype that is computed in."""
    single = dtypes.REAL_OF.get(result, result) is not dtypes.float64 and all(dtype.kind in "fc" for dtype in given)
    return dtypes.float32 if single else dtypes.float64


def _cast(value: Tensor | float, dtype: DType, like: Tensor) -> Tensor:
    if isinstance(value, Tensor):
        return astype(value, dtype, copy=False)
    return from_numpy(np.asarray(value), dtype, like.device)


# Computation


def _unrolled(x: Tensor, xp: Tensor, parts: list[Tensor], period: float) -> tuple[Tensor, Tensor, list[Tensor]]:
    """Places and points within one period, with the last point before the first and the first after the last."""
    x, xp = (binary("remainder", one, period) for one in (x, xp))
    order = argsort(xp)
    xp, *parts = (take(one, order) for one in (xp, *parts))
    before, after = binary("subtract", xp[-1:], period), binary("add", xp[:1], period)
    return x, concat([before, xp, after]), [concat([part[-1:], part, part[:1]]) for part in parts]


def _interpolated(x: Tensor, xp: Tensor, fp: Tensor, left: float | None, right: float | None) -> Tensor:
    last = xp.size - 1
    # The last point that is not after a place, and the next one; at the ends they may be the same.
    passed = searchsorted(xp, x, side="right")
    before, after = maximum(binary("subtract", passed, 1), 0), minimum(passed, last)
    (x1, y1), (x2, y2) = ((take(xp, point), take(fp, point)) for point in (before, after))
    slope: Tensor = run("divide", run("subtract", y2, y1), run("subtract", x2, x1))
    rising, falling = (run("add", run("multiply", slope, run("subtract", x, a)), b) for a, b in ((x1, y1), (x2, y2)))
    # From an infinite point no slope leads on, from the other one it may.
    between = where(isnan(rising), falling, rising)
    # On a point, and on a level line, there is its value, whatever a slope makes of infinities.
    values = where(run("logical_or", equal(x, x1), equal(y1, y2)), y1, between)
    values = where(less(x, xp[0]), fp[0] if left is None else left, values)
    values = where(greater(x, xp[last]), fp[last] if right is None else right, values)
    return where(isnan(x), nan, values)
