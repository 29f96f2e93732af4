"""Matrix products (standard section "Linear Algebra Functions")."""

from __future__ import annotations

from math import prod

from .. import promotion, shapes
from ..builder import Builder
from ..program import Value
from .registry import lowering

# BatchMatMulV2 takes 2 to 6 dimensions.
_MOST_DIMENSIONS = 6


def _promoted(b: Builder, x1: Value, x2: Value) -> tuple[Value, Value]:
    dtype = promotion.promote(x1.dtype, x2.dtype)
    if dtype.kind == "b":
        raise TypeError(f"{b.function}: tensors of bool are not taken; the function takes numeric dtypes")
    return b.cast(x1, dtype), b.cast(x2, dtype)


@lowering("matmul")
def _matmul(b: Builder, x1: Value, x2: Value, transpose_x1: bool, transpose_x2: bool) -> Value:
    """The flags say that an operand's last two dimensions stand swapped in memory (and in its shape here)."""
    if not x1.shape or not x2.shape:
        raise ValueError(f"matmul: operands need at least one dimension; their shapes are {x1.shape} and {x2.shape}")
    left = (1, *x1.shape) if x1.ndim == 1 else x1.shape
    right = (*x2.shape, 1) if x2.ndim == 1 else x2.shape
    *batch1, rows, inner = (*left[:-2], left[-1], left[-2]) if transpose_x1 else left
    *batch2, inner2, columns = (*right[:-2], right[-1], right[-2]) if transpose_x2 else right
    if inner != inner2:
        told = [_true_shape(x, flag) for x, flag in ((x1, transpose_x1), (x2, transpose_x2))]
        raise ValueError(f"matmul: shapes {told[0]} and {told[1]} do not fit: {inner} columns against {inner2} rows")
    batch = shapes.broadcast("matmul", tuple(batch1), tuple(batch2))
    x1, x2 = _promoted(b, x1, x2)
    result = (*batch, rows, columns)
    if prod(result) == 0 or inner == 0:
        product = b.fill(0, x1.dtype, result)
    else:
        product = matrix_product(b, b.view(x1, shape=left), b.view(x2, shape=right), result, transpose_x1, transpose_x2)
    shown = (*batch, *((rows,) if len(x1.shape) > 1 else ()), *((columns,) if len(x2.shape) > 1 else ()))
    return b.view(product, shape=shown)


def _true_shape(x: Value, transposed: bool) -> tuple[int, ...]:
    return (*x.shape[:-2], x.shape[-1], x.shape[-2]) if transposed else x.shape


def matrix_product(
    b: Builder, x1: Value, x2: Value, shape: tuple[int, ...], flag1: bool = False, flag2: bool = False
) -> Value:
    """The product of matrices or stacks of them that broadcast, none of them empty, in one dtype.

    Parameters:
        shape: of the product.
        flag1, flag2: whether an operand is turned first. On complex ones this may conjugate too.
    """
    if len(shape) > _MOST_DIMENSIONS:
        return _flattened_batch(b, x1, x2, shape, flag1, flag2)
    op_type, names = "BatchMatMulV2", ("adj_x1", "adj_x2")
    if len(shape) == 2 and b.has_kernel("MatMulV2", x1.dtype, x2.dtype, None, None, x1.dtype):
        op_type, names = "MatMulV2", ("transpose_x1", "transpose_x2")
    attrs = dict(zip(names, (flag1, flag2), strict=True))
    return b.op(op_type, x1, x2, None, None, shape=shape, attrs=attrs)


def _flattened_batch(b: Builder, x1: Value, x2: Value, shape: tuple[int, ...], flag1: bool, flag2: bool) -> Value:
    batch = shape[:-2]
    spread = [x if x.shape[:-2] == batch else b.broadcast(x, (*batch, *x.shape[-2:])) for x in (x1, x2)]
    flat = [b.view(x, shape=(prod(batch), *x.shape[-2:])) for x in spread]
    product = matrix_product(b, flat[0], flat[1], (prod(batch), *shape[-2:]), flag1, flag2)
    return b.view(product, shape=shape)


@lowering("vecdot")
def _vecdot(b: Builder, x1: Value, x2: Value) -> Value:
    """Along the last axis, which the caller has put there and checked."""
    x1, x2 = _promoted(b, x1, x2)
    if x1.dtype.kind == "c":
        x1 = b.op("Conj", x1, shape=x1.shape)
    batch = shapes.broadcast("vecdot", x1.shape[:-1], x2.shape[:-1])
    if prod(batch) == 0 or x1.shape[-1] == 0:
        return b.fill(0, x1.dtype, batch)
    row = b.view(x1, shape=(*x1.shape[:-1], 1, x1.shape[-1]))
    column = b.view(x2, shape=(*x2.shape, 1))
    return b.view(matrix_product(b, row, column, (*batch, 1, 1), False, False), shape=batch)
