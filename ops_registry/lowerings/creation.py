"""Creation functions (standard section "Creation Functions")."""

from __future__ import annotations

from .. import dtypes
from ..builder import Builder
from ..dtypes import DType
from ..program import Value
from .data_type import as_dtype
from .elementwise import join_parts
from .registry import lowering

# Narrow dtypes are made in a wide one and cast: their own arithmetic would round at every step.
_RANGE_IN = {
    "b": dtypes.int64,
    "i": dtypes.int64,
    "u": dtypes.int64,
    "f": dtypes.float32,
    "c": dtypes.float32,
}
_WIDE = (dtypes.int64, dtypes.float32, dtypes.float64)


@lowering("full")
def _full(b: Builder, value: Value, shape: tuple[int, ...], dtype: DType) -> Value:
    if value.dtype.kind == "c" and dtype.kind not in "cb":
        raise TypeError(f"full: a value of {value.dtype} does not go into {dtype} without losing its imaginary part")
    return b.fill(as_dtype(b, value, dtype), dtype, shape)


@lowering("arange")
def _arange(b: Builder, start: float, step: float, count: int, dtype: DType) -> Value:
    if dtype.kind == "c":
        real = _range(b, start, step, count, dtypes.REAL_OF[dtype])
        return b.cast(real, dtype)
    return b.cast(_range(b, start, step, count, dtype), dtype)


def _range(b: Builder, start: float, step: float, count: int, dtype: DType) -> Value:
    wide = dtype if dtype in _WIDE else _RANGE_IN[dtype.kind]
    if wide.kind != "i":
        # Half a step inside the next element, so that rounding cannot change the count.
        return range_op(b, start, start + (count - 0.5) * step, step, count, wide)
    first, limit, distance = int(start), int(start + count * step), int(step)
    if all(-(2**63) <= value < 2**63 for value in (first, limit, distance)):
        made = range_op(b, first, limit, distance, count, wide)
    else:
        # Beyond int64, by arithmetic that wraps into place.
        places = range_op(b, 0, count, 1, count, wide)
        steps = b.elementwise("Mul", places, b.literal(_wrapped(distance), wide))
        made = b.elementwise("Add", steps, b.literal(_wrapped(first), wide))
    return b.view(made, dtype) if dtype is dtypes.uint64 else made


def _wrapped(value: int) -> int:
    return (value + 2**63) % 2**64 - 2**63


def range_op(b: Builder, start: float, limit: float, step: float, count: int, dtype: DType) -> Value:
    """The numbers from `start` on, before `limit`, of which there are `count`."""
    scalars = [b.const(value, dtype) for value in (start, limit, step)]
    return b.op("Range", *scalars, shape=(count,), dtype=dtype)


@lowering("linspace")
def _linspace(b: Builder, start: complex, stop: complex, num: int, dtype: DType) -> Value:
    if dtype.kind == "c":
        part = dtypes.REAL_OF[dtype]
        real, imaginary = (
            _linspace_op(b, x.real, y.real, num, part)
            for x, y in ((start, stop), (complex(start).imag + 0j, complex(stop).imag + 0j))
        )
        return join_parts(b, real, imaginary)
    if dtype.kind in "iu":
        spaced = _linspace_op(b, start.real, stop.real, num, dtypes.float64)
        return b.cast(b.op("Floor", spaced, shape=spaced.shape), dtype)
    wide = dtype if dtype in _WIDE else dtypes.float32
    return b.cast(_linspace_op(b, start.real, stop.real, num, wide), dtype)


def _linspace_op(b: Builder, start: float, stop: float, num: int, dtype: DType) -> Value:
    ends = [b.const([value], dtype) for value in (start, stop)]
    return b.op("LinSpace", *ends, b.const([num], dtypes.int32), shape=(num,), dtype=dtype)


@lowering("eye")
def _eye(b: Builder, rows: int, columns: int, k: int, dtype: DType) -> Value:
    return ones_on_diagonal(b, rows, columns, k, dtype)


def ones_on_diagonal(b: Builder, rows: int, columns: int, k: int, dtype: DType) -> Value:
    """A matrix of zeros elsewhere; k counts the diagonal from the main one, upwards."""
    k = max(-rows, min(k, columns))
    if k == 0 and b.has_kernel("Eye", dtype):
        attrs = {"num_rows": rows, "num_columns": columns, "dtype": dtype.code}
        return b.op("Eye", shape=(rows, columns), dtype=dtype, attrs=attrs)
    row = b.view(range_op(b, k, rows + k, 1, rows, dtypes.int64), shape=(rows, 1))
    column = range_op(b, 0, columns, 1, columns, dtypes.int64)
    return b.cast(b.elementwise("Equal", row, column), dtype)


@lowering("tril", "triu")
def _triangle(b: Builder, x: Value, k: int) -> Value:
    op_type = "Tril" if b.function == "tril" else "Triu"
    # The ops hold the diagonal in 32 bits; beyond the edges it makes no difference.
    attrs = {"diagonal": max(-x.shape[-2] - 1, min(k, x.shape[-1] + 1))}
    if x.dtype is not dtypes.complex128:
        return b.op(op_type, x, shape=x.shape, attrs=attrs)
    ones = b.fill(True, dtypes.bool_, x.shape[-2:])
    mask = b.op(op_type, ones, shape=ones.shape, attrs=attrs)
    return b.select(mask, x, b.literal(0, x.dtype))
