"""The linear algebra extension (standard section "Linear Algebra Extension").

Decompositions compute in float32 or wider: float16, bfloat16 and integers are cast, and what comes of the
former is rounded once, at the end. Matrices without elements are not handed to ops that work on matrices.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from math import inf, prod

from .. import dtypes, promotion, shapes
from ..builder import Builder
from ..dtypes import DType
from ..program import Value
from ..shapes import axes_tuple, axis_index, reduced
from .creation import ones_on_diagonal
from .elementwise import complex_abs
from .linear_algebra import matrix_product
from .registry import lowering

Shape = tuple[int, ...]

_EPS = {
    dtypes.float16: 2.0**-10,
    dtypes.bfloat16: 2.0**-7,
    dtypes.float32: 2.0**-23,
    dtypes.complex64: 2.0**-23,
    dtypes.float64: 2.0**-52,
    dtypes.complex128: 2.0**-52,
}


# What operands may be


def _numeric(b: Builder, *operands: Value) -> DType:
    dtype = reduce(promotion.promote, (x.dtype for x in operands))
    if dtype.kind == "b":
        raise TypeError(f"{b.function}: tensors of bool are not taken; the function takes numeric dtypes")
    return dtype


def _floating(b: Builder, *operands: Value) -> tuple[DType, list[Value]]:
    """The floating dtype of the result, and the operands in the one that it is computed in."""
    dtype = _numeric(b, *operands)
    if dtype.kind in "iu":
        dtype = promotion.default_float()
    wide = dtypes.float32 if dtype.itemsize == 2 else dtype
    return dtype, [b.cast(x, wide) for x in operands]


def _real(dtype: DType) -> DType:
    return dtypes.REAL_OF.get(dtype, dtype)


def _matrices(b: Builder, x: Value) -> tuple[Shape, int, int]:
    """The shape of a stack of matrices, their rows and their columns."""
    if x.ndim < 2:
        raise ValueError(f"{b.function}: a tensor of shape {x.shape} is no stack of matrices")
    return x.shape[:-2], x.shape[-2], x.shape[-1]


def _square_matrices(b: Builder, x: Value) -> tuple[Shape, int]:
    stack, rows, columns = _matrices(b, x)
    if rows != columns:
        raise ValueError(f"{b.function}: matrices must be square; the shape is {x.shape}")
    return stack, rows


# Steps


def _spread(b: Builder, x: Value, shape: Shape) -> Value:
    return x if x.shape == shape else b.broadcast(x, shape)


def _identity(b: Builder, dtype: DType, stack: Shape, n: int) -> Value:
    if prod(stack) * n == 0:
        return b.fill(0, dtype, (*stack, n, n))
    return _spread(b, ones_on_diagonal(b, n, n, 0, dtype), (*stack, n, n))


def _real_part(b: Builder, x: Value) -> Value:
    """The real numbers that an op gives in a complex dtype."""
    if x.dtype.kind != "c":
        return x
    real = _real(x.dtype)
    return b.op("Real", x, shape=x.shape, dtype=real, attrs={"Tout": real.code})


# Decompositions, and what follows from them


# Of `cholesky` the lower factor; the op reads the lower triangles only.
_MATRIX_TO_MATRIX = {"cholesky": "Cholesky", "inv": "MatrixInverse"}


@lowering(*_MATRIX_TO_MATRIX)
def _matrix_to_matrix(b: Builder, x: Value) -> Value:
    _square_matrices(b, x)
    dtype, (x,) = _floating(b, x)
    if x.size == 0:
        return b.fill(0, dtype, x.shape)
    return b.cast(b.op(_MATRIX_TO_MATRIX[b.function], x, shape=x.shape), dtype)


@lowering("det")
def _determinant(b: Builder, x: Value) -> Value:
    stack, _ = _square_matrices(b, x)
    dtype, (x,) = _floating(b, x)
    if x.size == 0:
        return b.fill(1, dtype, stack)
    return b.cast(b.op("MatrixDeterminant", x, shape=stack), dtype)


@lowering("slogdet")
def _log_determinant(b: Builder, x: Value) -> tuple[Value, Value]:
    stack, _ = _square_matrices(b, x)
    dtype, (x,) = _floating(b, x)
    if x.size == 0:
        return b.fill(1, dtype, stack), b.fill(0, _real(dtype), stack)
    sign, logarithm = b.ops("LogMatrixDeterminant", x, outputs=[(stack, None)] * 2)
    return b.cast(sign, dtype), b.cast(_real_part(b, logarithm), _real(dtype))


@lowering("eigh")
def _symmetric_eigen(b: Builder, x: Value) -> tuple[Value, Value]:
    stack, n = _square_matrices(b, x)
    dtype, (x,) = _floating(b, x)
    if x.size == 0:
        return b.fill(0, _real(dtype), (*stack, n)), b.fill(0, dtype, x.shape)
    values, vectors = b.ops("SelfAdjointEig", x, outputs=[((*stack, n), None), (x.shape, None)])
    return b.cast(_real_part(b, values), _real(dtype)), b.cast(vectors, dtype)


@lowering("eigvalsh")
def _symmetric_eigenvalues(b: Builder, x: Value) -> Value:
    stack, n = _square_matrices(b, x)
    dtype, (x,) = _floating(b, x)
    if x.size == 0:
        return b.fill(0, _real(dtype), (*stack, n))
    values, _ = b.ops("SelfAdjointEig", x, outputs=[((*stack, n), None), ((0,), None)], attrs={"compute_v": False})
    return b.cast(_real_part(b, values), _real(dtype))


@lowering("eig")
def _eigen(b: Builder, x: Value) -> tuple[Value, ...]:
    stack, n = _square_matrices(b, x)
    _, (x,) = _floating(b, x)
    made = dtypes.COMPLEX_OF.get(x.dtype, x.dtype)
    if x.size == 0:
        return b.fill(0, made, (*stack, n)), b.fill(0, made, x.shape)
    return b.ops("Eig", x, outputs=[((*stack, n), made), (x.shape, made)])


@lowering("eigvals")
def _eigenvalues(b: Builder, x: Value) -> Value:
    stack, n = _square_matrices(b, x)
    _, (x,) = _floating(b, x)
    made = dtypes.COMPLEX_OF.get(x.dtype, x.dtype)
    if x.size == 0:
        return b.fill(0, made, (*stack, n))
    return b.op("EigVals", x, shape=(*stack, n), dtype=made)


@lowering("qr")
def _qr(b: Builder, x: Value, complete: bool) -> tuple[Value, Value]:
    stack, rows, columns = _matrices(b, x)
    dtype, (x,) = _floating(b, x)
    inner = rows if complete else min(rows, columns)
    if x.size == 0:
        return _empty_square(b, dtype, (*stack, rows, inner)), b.fill(0, dtype, (*stack, inner, columns))
    sizes = (*stack, rows, inner), (*stack, inner, columns)
    q, r = b.ops("Qr", x, outputs=[(shape, None) for shape in sizes], attrs={"full_matrices": complete})
    return b.cast(q, dtype), b.cast(r, dtype)


def _empty_square(b: Builder, dtype: DType, shape: Shape) -> Value:
    """An orthogonal factor of a matrix without elements: the identity, or without elements itself."""
    if shape[-2] == shape[-1]:
        return _identity(b, dtype, shape[:-2], shape[-1])
    return b.fill(0, dtype, shape)


def _singular(b: Builder, x: Value, full: bool) -> tuple[Value, Value, Value]:
    """Singular values (real), left and right singular vectors as columns, of matrices with elements."""
    stack, rows, columns = _matrices(b, x)
    least = min(rows, columns)
    left, right = (rows, columns) if full else (least, least)
    sizes = (*stack, least), (*stack, rows, left), (*stack, columns, right)
    sigma, u, v = b.ops("Svd", x, outputs=[(shape, None) for shape in sizes], attrs={"full_matrices": full})
    return _real_part(b, sigma), u, v


def _singular_values(b: Builder, x: Value) -> Value:
    """The singular values of matrices with elements, as real numbers."""
    stack, rows, columns = _matrices(b, x)
    outputs: list[tuple[Shape, DType | None]] = [((*stack, min(rows, columns)), None), ((0,), None), ((0,), None)]
    sigma, _, _ = b.ops("Svd", x, outputs=outputs, attrs={"compute_uv": False})
    return _real_part(b, sigma)


@lowering("svd")
def _svd(b: Builder, x: Value, full: bool) -> tuple[Value, Value, Value]:
    """The left singular vectors, the singular values, the right singular vectors: all vectors as columns."""
    stack, rows, columns = _matrices(b, x)
    dtype, (x,) = _floating(b, x)
    if x.size == 0:
        least = min(rows, columns)
        left, right = (rows, columns) if full else (least, least)
        u, v = (_empty_square(b, dtype, (*stack, n, m)) for n, m in ((rows, left), (columns, right)))
        return u, b.fill(0, _real(dtype), (*stack, least)), v
    sigma, u, v = _singular(b, x, full)
    return b.cast(u, dtype), b.cast(sigma, _real(dtype)), b.cast(v, dtype)


@lowering("svdvals")
def _svdvals(b: Builder, x: Value) -> Value:
    stack, rows, columns = _matrices(b, x)
    dtype, (x,) = _floating(b, x)
    if x.size == 0:
        return b.fill(0, _real(dtype), (*stack, min(rows, columns)))
    return b.cast(_singular_values(b, x), _real(dtype))


def _counting(b: Builder, sigma: Value, largest_side: int, dtype: DType, rtol: Value | None) -> Value:
    """Which singular values are more than a part `rtol` of the largest one.

    Parameters:
        largest_side: of the matrices, by which rounding grows.
        dtype: what the matrices were given in, whose rounding they carry.
        rtol: broadcasts with the stack.
    """
    if rtol is None:
        part = b.literal(largest_side * _EPS[dtype], sigma.dtype)
    else:
        part = b.view(rtol, shape=(*rtol.shape, 1)) if rtol.shape else rtol
    wide = promotion.promote(sigma.dtype, part.dtype)
    sigma, part = b.cast(sigma, wide), b.cast(part, wide)
    largest = b.reduce("ReduceMax", sigma, (sigma.ndim - 1,), keepdims=True)
    return b.elementwise("Greater", sigma, b.elementwise("Mul", largest, part))


def _tolerance_shape(b: Builder, rtol: Value | None) -> Shape:
    if rtol is None:
        return ()
    if rtol.dtype.kind not in "iuf":
        raise TypeError(f"{b.function}: rtol must be real numbers, not {rtol.dtype}")
    return rtol.shape


@lowering("matrix_rank")
def _rank(b: Builder, x: Value, rtol: Value | None = None) -> Value:
    stack, rows, columns = _matrices(b, x)
    result = shapes.broadcast(b.function, stack, _tolerance_shape(b, rtol))
    dtype, (x,) = _floating(b, x)
    if prod(result) == 0 or x.size == 0:
        return b.fill(0, promotion.DEFAULT_INT, result)
    counted = _counting(b, _singular_values(b, x), max(rows, columns), dtype, rtol)
    return b.reduce("ReduceSum", b.cast(counted, promotion.DEFAULT_INT), (len(result),), keepdims=False)


@lowering("pinv")
def _pseudo_inverse(b: Builder, x: Value, rtol: Value | None = None) -> Value:
    stack, rows, columns = _matrices(b, x)
    result = (*shapes.broadcast(b.function, stack, _tolerance_shape(b, rtol)), columns, rows)
    dtype, (x,) = _floating(b, x)
    if prod(result) == 0:
        return b.fill(0, dtype, result)
    sigma, u, v = _singular(b, x, full=False)
    kept = _counting(b, sigma, max(rows, columns), dtype, rtol)
    zero, one = b.literal(0, sigma.dtype), b.literal(1, sigma.dtype)
    inverse = b.select(kept, b.elementwise("RealDiv", one, sigma), zero)
    scales = b.cast(b.view(inverse, shape=(*inverse.shape[:-1], 1, inverse.shape[-1])), x.dtype)
    scaled = b.elementwise("Mul", v, scales)
    return b.cast(_times_adjoint(b, scaled, u, result), dtype)


def _times_adjoint(b: Builder, x1: Value, x2: Value, shape: Shape) -> Value:
    if x2.dtype.kind != "c":
        return matrix_product(b, x1, x2, shape, flag2=True)
    turned = (*x2.shape[:-2], x2.shape[-1], x2.shape[-2])
    order = [*range(x2.ndim - 2), x2.ndim - 1, x2.ndim - 2]
    adjoint = b.op("Conj", b.op("Transpose", x2, b.const(order), shape=turned), shape=turned)
    return matrix_product(b, x1, adjoint, shape)


# Products and solutions


@lowering("solve")
def _solve(b: Builder, x1: Value, x2: Value) -> Value:
    stack, n = _square_matrices(b, x1)
    if x2.ndim == 0:
        raise ValueError("solve: the right-hand side needs at least one dimension")
    columns = b.view(x2, shape=(*x2.shape, 1)) if x2.ndim == 1 else x2
    if columns.shape[-2] != n:
        raise ValueError(f"solve: shapes {x1.shape} and {x2.shape} do not fit: {n} equations, {columns.shape[-2]} rows")
    batch = shapes.broadcast("solve", stack, columns.shape[:-2])
    result = (*batch, *columns.shape[-2:])
    dtype, (matrix, rhs) = _floating(b, x1, columns)
    if prod(result) == 0:
        solution = b.fill(0, dtype, result)
    else:
        operands = _spread(b, matrix, (*batch, n, n)), _spread(b, rhs, result)
        solution = b.cast(b.op("MatrixSolve", *operands, shape=result), dtype)
    return b.view(solution, shape=result[:-1]) if x2.ndim == 1 else solution


@lowering("matrix_power")
def _power(b: Builder, x: Value, n: int) -> Value:
    stack, side = _square_matrices(b, x)
    dtype = _numeric(b, x)
    if dtype.kind not in "iu" or n < 0:
        dtype, (x,) = _floating(b, x)
    if x.size == 0:
        return b.fill(0, dtype, x.shape)
    if n == 0:
        return _identity(b, dtype, stack, side)
    if n < 0:
        x = b.op("MatrixInverse", x, shape=x.shape)
    return b.cast(_raised(b, x, abs(n)), dtype)


def _raised(b: Builder, x: Value, n: int) -> Value:
    """A power above 0, by squaring."""
    square = x
    power: Value | None = None
    while n:
        if n % 2:
            power = square if power is None else matrix_product(b, power, square, x.shape)
        n //= 2
        if n:
            square = matrix_product(b, square, square, x.shape)
    assert power is not None
    return power


@lowering("cross")
def _cross(b: Builder, x1: Value, x2: Value, axis: int) -> Value:
    ndim = max(x1.ndim, x2.ndim)
    # Shapes are lined up at their ends: an axis from the front is one of the longer shape.
    last = axis_index("cross", axis, ndim) - ndim
    lengths = [x.shape[axis_index("cross", last, x.ndim)] for x in (x1, x2)]
    if lengths != [3, 3]:
        raise ValueError(f"cross: axis {axis} of shapes {x1.shape} and {x2.shape} must have 3 elements")
    shape = shapes.broadcast("cross", x1.shape, x2.shape)
    dtype = _numeric(b, x1, x2)
    if prod(shape) == 0:
        return b.fill(0, dtype, shape)
    operands = (_spread(b, b.cast(x, dtype), shape) for x in (x1, x2))
    return b.op("Cross", *operands, shape=shape, attrs={"dim": ndim + last})


@lowering("outer")
def _outer(b: Builder, x1: Value, x2: Value) -> Value:
    if (x1.ndim, x2.ndim) != (1, 1):
        raise ValueError(f"outer: operands must be vectors; their shapes are {x1.shape} and {x2.shape}")
    dtype = _numeric(b, x1, x2)
    column = b.view(b.cast(x1, dtype), shape=(*x1.shape, 1))
    return b.elementwise("Mul", column, b.cast(x2, dtype))


# Norms


@lowering("vector_norm")
def _vector_norm(b: Builder, x: Value, axis: int | Shape | None, keepdims: bool, ord: float) -> Value:
    axes = axes_tuple("vector_norm", axis, x.ndim)
    return _in_real(b, x, _norm(b, x, axes, ord), reduced(x.shape, axes, keepdims))


@lowering("matrix_norm")
def _matrix_norm(b: Builder, x: Value, keepdims: bool, ord: float | str) -> Value:
    stack, rows, columns = _matrices(b, x)
    row_axis, column_axis = x.ndim - 2, x.ndim - 1
    if ord == "fro":
        norm = _norm(b, x, (row_axis, column_axis), 2)
    elif ord in ("nuc", 2, -2):
        _, (wide,) = _floating(b, x)
        real = _real(wide.dtype)
        sigma = _singular_values(b, wide) if wide.size else b.fill(0, real, (*stack, min(rows, columns)))
        norm = _gathered(b, "sum" if ord == "nuc" else ord, sigma, (len(stack),))
    else:
        # The sums of columns (1) or of rows (inf), and the largest or smallest of them.
        summed = row_axis if abs(float(ord)) == 1 else column_axis
        norm = _gathered(b, ord, _norm(b, x, (summed,), 1), (len(stack),))
    return _in_real(b, x, norm, reduced(x.shape, (row_axis, column_axis), keepdims))


def _in_real(b: Builder, x: Value, norm: Value, shape: Shape) -> Value:
    """A norm of `x` in the dtype and the shape that the result has."""
    dtype = promotion.default_float() if x.dtype.kind in "iu" else _real(x.dtype)
    return b.cast(b.view(norm, shape=shape), dtype)


def _norm(b: Builder, x: Value, axes: Shape, ord: float) -> Value:
    """The norm of vectors along axes, in float32 or wider; the axes are gone."""
    _, (x,) = _floating(b, x)
    real = _real(x.dtype)
    if ord == 2:
        # A complex number's parts count as two numbers.
        numbers, over = (b.parts(x), (*axes, x.ndim)) if x.dtype.kind == "c" else (x, axes)
        total = _gathered(b, "sum", b.elementwise("Mul", numbers, numbers), over)
        return b.op("Sqrt", total, shape=total.shape)
    if ord == 0:
        return _gathered(b, "sum", b.cast(b.elementwise("NotEqual", x, b.literal(0, x.dtype)), real), axes)
    size = complex_abs(b, x) if x.dtype.kind == "c" else b.op("Abs", x, shape=x.shape)
    if ord in (inf, -inf):
        return _gathered(b, ord, size, axes)
    if ord == 1:
        return _gathered(b, "sum", size, axes)
    total = _gathered(b, "sum", b.elementwise("Pow", size, b.literal(ord, real)), axes)
    return b.elementwise("Pow", total, b.literal(1 / ord, real))


def _gathered(b: Builder, how: float | str, x: Value, axes: Sequence[int]) -> Value:
    """Numbers that are not negative, over axes: their `"sum"`, else the largest or smallest by the sign of `how`."""
    op_type = "ReduceSum" if how == "sum" else "ReduceMax" if float(how) > 0 else "ReduceMin"
    if x.size:
        return b.reduce(op_type, x, tuple(axes), keepdims=False)
    shape = reduced(x.shape, tuple(axes), keepdims=False)
    if op_type == "ReduceMin" and 0 not in shape:
        raise ValueError(f"{b.function}: of no elements (shape {b.operands[0].shape}) none is the smallest")
    return b.fill(0, x.dtype, shape)
