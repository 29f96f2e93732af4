"""Statistical functions (standard section "Statistical Functions")."""

from __future__ import annotations

from math import prod

from .. import dtypes, promotion
from ..builder import Builder
from ..dtypes import DType
from ..program import Value
from ..shapes import axes_tuple, axis_index, reduced
from .manipulation import concatenated
from .registry import lowering

Axis = int | tuple[int, ...] | None


def _accumulator(b: Builder, x: Value, dtype: DType | None) -> DType:
    """The dtype of a sum or product: the one asked for, else no narrower than the default integer."""
    if dtype is not None:
        return dtype
    if x.dtype.kind in "bi":
        return promotion.DEFAULT_INT
    return dtypes.uint64 if x.dtype.kind == "u" else x.dtype


def _cast_in(b: Builder, x: Value, dtype: DType) -> Value:
    if x.dtype.kind == "c" and dtype.kind != "c":
        raise TypeError(f"{b.function}: {x.dtype} does not go into {dtype} without losing its imaginary part")
    return b.cast(x, dtype)


@lowering("sum", "prod")
def _sum(b: Builder, x: Value, axis: Axis, dtype: DType | None, keepdims: bool) -> Value:
    axes = axes_tuple(b.function, axis, x.ndim)
    x = _cast_in(b, x, _accumulator(b, x, dtype))
    if x.size == 0:
        return b.fill(0 if b.function == "sum" else 1, x.dtype, reduced(x.shape, axes, keepdims))
    return b.reduce("ReduceSum" if b.function == "sum" else "ReduceProd", x, axes, keepdims)


def _floating(b: Builder, x: Value, kinds: str) -> Value:
    if x.dtype.kind in "biu":
        return b.cast(x, promotion.default_float())
    if x.dtype.kind not in kinds:
        raise TypeError(f"{b.function}: a tensor of {x.dtype} is not taken")
    return x


@lowering("mean")
def _mean(b: Builder, x: Value, axis: Axis, keepdims: bool) -> Value:
    x = _floating(b, x, "fc")
    axes = axes_tuple("mean", axis, x.ndim)
    if x.size == 0:
        nothing = complex("nan+nanj") if x.dtype.kind == "c" else float("nan")
        return b.fill(nothing, x.dtype, reduced(x.shape, axes, keepdims))
    return b.reduce("ReduceMean", x, axes, keepdims)


@lowering("var", "std")
def _var(b: Builder, x: Value, axis: Axis, correction: float, keepdims: bool) -> Value:
    given = _floating(b, x, "f")
    axes = axes_tuple(b.function, axis, x.ndim)
    count = prod(x.shape[axis] for axis in axes)
    if given.size == 0:
        return b.fill(float("nan"), given.dtype, reduced(x.shape, axes, keepdims))
    # Squares of narrow floats would overflow and round away: two bytes are too few.
    x = b.cast(given, dtypes.float32) if given.dtype.itemsize == 2 else given
    mean = b.reduce("ReduceMean", x, axes, keepdims=True)
    deviation = b.elementwise("Sub", x, mean)
    squares = b.elementwise("Mul", deviation, deviation)
    total = b.reduce("ReduceSum", squares, axes, keepdims)
    variance = b.elementwise("RealDiv", total, b.literal(max(count - correction, 0.0), x.dtype))
    result = b.op("Sqrt", variance, shape=variance.shape) if b.function == "std" else variance
    return b.cast(result, given.dtype)


@lowering("max", "min")
def _extreme(b: Builder, x: Value, axis: Axis, keepdims: bool) -> Value:
    if x.dtype.kind == "c":
        raise TypeError(f"{b.function}: complex numbers have no order; a tensor of {x.dtype} is not taken")
    axes = axes_tuple(b.function, axis, x.ndim)
    if prod(x.shape[axis] for axis in axes) == 0:
        raise ValueError(f"{b.function}: a reduction over no elements (shape {x.shape}, axis {axis}) has no value")
    if x.dtype is dtypes.bool_:
        return b.reduce("ReduceAny" if b.function == "max" else "ReduceAll", x, axes, keepdims)
    return b.reduce("ReduceMax" if b.function == "max" else "ReduceMin", x, axes, keepdims)


@lowering("cumulative_sum", "cumulative_prod")
def _cumulative(b: Builder, x: Value, axis: int | None, dtype: DType | None, include_initial: bool) -> Value:
    if axis is None:
        if x.ndim != 1:
            raise ValueError(f"{b.function}: a tensor of {x.ndim} dimensions needs its axis named")
        axis = 0
    axis = axis_index(b.function, axis, x.ndim)
    x = _cast_in(b, x, _accumulator(b, x, dtype))
    total = _running(b, x, axis) if x.size else x
    if not include_initial:
        return total
    first = b.fill(0 if b.function == "cumulative_sum" else 1, x.dtype, (*x.shape[:axis], 1, *x.shape[axis + 1 :]))
    return concatenated(b, [first, total], axis)


def _running(b: Builder, x: Value, axis: int) -> Value:
    if b.function == "cumulative_sum":
        return b.op("Cumsum", x, b.const(axis), shape=x.shape)
    # Cumprod's axis is an operand like any other, and no kernel of it has bfloat16.
    wide = b.cast(x, dtypes.float32) if x.dtype is dtypes.bfloat16 else x
    return b.cast(b.op("Cumprod", wide, b.literal(axis, dtypes.int64), shape=x.shape), x.dtype)
