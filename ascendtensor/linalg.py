"""Linear algebra (standard section "Linear Algebra Extension").

Matrices are the last two dimensions of a tensor, in stacks along the others. float16 and bfloat16 are computed in
float32, integers as the default floating dtype. What only the values tell, that a matrix is singular for instance, is
found by the device: `LinAlgError` is raised where somebody waits for the result.
"""

from __future__ import annotations

from math import inf, isnan
from typing import Any, NamedTuple

from ops_registry import dtypes, promotion
from ops_registry.dtypes import DType

from . import views
from .arguments import axis_parameter, integer_parameter, one_axis
from .elementwise import conj
from .host_values import python_number, scalar_operand
from .linear_algebra import matmul, matrix_transpose, tensordot, vecdot
from .runtime.errors import LinAlgError
from .statistical import sum as _sum
from .tensor import Tensor, run, tensor_operand

__all__ = [
    "EigResult",
    "EighResult",
    "LinAlgError",
    "QRResult",
    "SVDResult",
    "SlogdetResult",
    "cholesky",
    "cross",
    "det",
    "diagonal",
    "eig",
    "eigh",
    "eigvals",
    "eigvalsh",
    "inv",
    "matmul",
    "matrix_norm",
    "matrix_power",
    "matrix_rank",
    "matrix_transpose",
    "outer",
    "pinv",
    "qr",
    "slogdet",
    "solve",
    "svd",
    "svdvals",
    "tensordot",
    "trace",
    "vecdot",
    "vector_norm",
]


class EigResult(NamedTuple):
    """Eigenvalues, and eigenvectors as columns."""

    eigenvalues: Tensor
    eigenvectors: Tensor


class EighResult(NamedTuple):
    """Eigenvalues in ascending order, and orthonormal eigenvectors as columns."""

    eigenvalues: Tensor
    eigenvectors: Tensor


class QRResult(NamedTuple):
    """An orthonormal and an upper triangular factor."""

    Q: Tensor
    R: Tensor


class SlogdetResult(NamedTuple):
    """The sign of a determinant, and the logarithm of its absolute value."""

    sign: Tensor
    logabsdet: Tensor


class SVDResult(NamedTuple):
    """Left singular vectors as columns, singular values in descending order, right singular vectors as rows."""

    U: Tensor
    S: Tensor
    Vh: Tensor


# Decompositions


def _adjoint(x: Tensor) -> Tensor:
    """Conjugated and turned: a view for real numbers."""
    return conj(x).mT if x.dtype.kind == "c" else x.mT


def cholesky(x: Tensor, /, *, upper: bool = False) -> Tensor:
    """The triangular factor L with x = L L^H, or U with x = U^H U (CANN: Cholesky).

    Parameters:
        x: positive definite matrices; only the triangle of the factor's side is read.
        upper: whether to give U.

    Raises:
        TypeError: bool matrices.
        ValueError: no square matrices.
        LinAlgError: a matrix is not positive definite; raised where the result is waited for.
    """
    x = tensor_operand("cholesky", x)
    if not upper or x.ndim < 2:
        factor: Tensor = run("cholesky", x)
        return factor
    return _adjoint(run("cholesky", _adjoint(x)))


def qr(x: Tensor, /, *, mode: str = "reduced") -> QRResult:
    """The factors of x = Q R (CANN: Qr).

    Parameters:
        x: matrices (..., M, N).
        mode: `"reduced"`: Q is (..., M, K) and R (..., K, N), K the smaller of M and N; `"complete"`: (..., M, M) and
            (..., M, N).

    Raises:
        TypeError: bool matrices.
        ValueError: no matrices, or another mode.
    """
    if mode not in ("reduced", "complete"):
        raise ValueError(f"qr: mode must be 'reduced' or 'complete', not {mode!r}")
    return QRResult(*run("qr", tensor_operand("qr", x), mode == "complete"))


def svd(x: Tensor, /, *, full_matrices: bool = True) -> SVDResult:
    """The factors of x = U diag(S) Vh (CANN: Svd).

    Parameters:
        x: matrices (..., M, N).
        full_matrices: whether U is (..., M, M) and Vh (..., N, N); else (..., M, K) and (..., K, N), K the smaller
            of M and N.

    Raises:
        TypeError: bool matrices.
        ValueError: no matrices.
        LinAlgError: the singular values do not converge; raised where they are waited for.
    """
    u, s, v = run("svd", tensor_operand("svd", x), bool(full_matrices))
    return SVDResult(u, s, _adjoint(v))


def svdvals(x: Tensor, /) -> Tensor:
    """The singular values of matrices in descending order (CANN: Svd). Raises as `svd`."""
    values: Tensor = run("svdvals", tensor_operand("svdvals", x))
    return values


# Eigenvalues


def eigh(x: Tensor, /) -> EighResult:
    """Eigenvalues and eigenvectors of symmetric or Hermitian matrices (CANN: SelfAdjointEig).

    Parameters:
        x: matrices of which only the lower triangle is read.

    Raises:
        TypeError: bool matrices.
        ValueError: no square matrices.
        LinAlgError: the eigenvalues do not converge; raised where they are waited for.
    """
    return EighResult(*run("eigh", tensor_operand("eigh", x)))


def eigvalsh(x: Tensor, /) -> Tensor:
    """The eigenvalues that `eigh` gives, alone (CANN: SelfAdjointEig)."""
    values: Tensor = run("eigvalsh", tensor_operand("eigvalsh", x))
    return values


def eig(x: Tensor, /) -> EigResult:
    """Eigenvalues and eigenvectors, complex ones, of any square matrices. CANN has no op for it: the host computes it.

    Raises:
        TypeError: bool matrices.
        ValueError: no square matrices.
        LinAlgError: an element is not finite, or the eigenvalues do not converge.
    """
    return EigResult(*run("eig", tensor_operand("eig", x)))


def eigvals(x: Tensor, /) -> Tensor:
    """The eigenvalues that `eig` gives, alone; on the host too."""
    values: Tensor = run("eigvals", tensor_operand("eigvals", x))
    return values


# Determinants, inverses, equations


def det(x: Tensor, /) -> Tensor:
    """The determinants of square matrices (CANN: MatrixDeterminant).

    Raises:
        TypeError: bool matrices.
        ValueError: no square matrices.
    """
    determinants: Tensor = run("det", tensor_operand("det", x))
    return determinants


def slogdet(x: Tensor, /) -> SlogdetResult:
    """Sign and logarithm of determinants, 0 and -inf for a singular matrix (CANN: LogMatrixDeterminant).

    Raises:
        TypeError: bool matrices.
        ValueError: no square matrices.
    """
    return SlogdetResult(*run("slogdet", tensor_operand("slogdet", x)))


def inv(x: Tensor, /) -> Tensor:
    """The inverses of matrices (CANN: MatrixInverse).

    Raises:
        TypeError: bool matrices.
        ValueError: no square matrices.
        LinAlgError: a matrix is singular; raised where the result is waited for.
    """
    inverse: Tensor = run("inv", tensor_operand("inv", x))
    return inverse


def solve(x1: Tensor, x2: Tensor, /) -> Tensor:
    """The solution of x1 y = x2 (CANN: MatrixSolve).

    Parameters:
        x1: matrices (..., M, M).
        x2: one vector (M,), or matrices (..., M, K); the stacks broadcast.

    Raises:
        TypeError: bool operands.
        ValueError: shapes that don't fit.
        LinAlgError: a matrix is singular; raised where the result is waited for.
    """
    solution: Tensor = run("solve", tensor_operand("solve", x1), tensor_operand("solve", x2))
    return solution


def pinv(x: Tensor, /, *, rtol: float | Tensor | None = None) -> Tensor:
    """The pseudo-inverses of matrices (CANN: Svd, BatchMatMulV2).

    Parameters:
        x: matrices (..., M, N).
        rtol: singular values up to this part of the largest one count as zero; a number, or real numbers that
            broadcast with the stack. By default the dtype's eps times the larger of M and N.

    Raises:
        TypeError: bool matrices, or a tolerance that is not real.
        ValueError: no matrices, or shapes that don't broadcast.
        LinAlgError: as of `svd`.
    """
    inverse: Tensor = run("pinv", *_with_tolerance("pinv", x, rtol))
    return inverse


def matrix_rank(x: Tensor, /, *, rtol: float | Tensor | None = None) -> Tensor:
    """How many singular values of each matrix count, as int64; parameters and errors as of `pinv` (CANN: Svd)."""
    ranks: Tensor = run("matrix_rank", *_with_tolerance("matrix_rank", x, rtol))
    return ranks


def _with_tolerance(function: str, x: Tensor, rtol: Any) -> list[Any]:
    x = tensor_operand(function, x)
    if rtol is None or isinstance(rtol, Tensor):
        return [x] if rtol is None else [x, rtol]
    return [x, scalar_operand(function, _real_number(function, "rtol", rtol), _real_computed(x.dtype))]


def _real_number(function: str, name: str, value: Any) -> float:
    number = python_number(function, value)
    if isinstance(number, complex):
        raise TypeError(f"{function}: {name} must be a real number, not {value!r}")
    return float(number)


def _real_computed(dtype: DType) -> DType:
    """The dtype of singular values as they are computed."""
    if dtype.kind in "biu":
        return promotion.default_float()
    return dtypes.float32 if dtype.itemsize == 2 else dtypes.REAL_OF.get(dtype, dtype)


def matrix_power(x: Tensor, n: int, /) -> Tensor:
    """The product of `n` times the same matrices (CANN: BatchMatMulV2, MatrixInverse).

    Parameters:
        x: square matrices. Integers stay integers, which wrap, unless n is negative.
        n: 0 gives the identity, a negative number a power of the inverse.

    Raises:
        TypeError: bool matrices, or `n` is no integer.
        ValueError: no square matrices.
        LinAlgError: `n` is negative and a matrix singular; raised where the result is waited for.
    """
    exponent = integer_parameter("matrix_power", "the exponent", n)
    power: Tensor = run("matrix_power", tensor_operand("matrix_power", x), exponent)
    return power


# Vectors and diagonals


def cross(x1: Tensor, x2: Tensor, /, *, axis: int = -1) -> Tensor:
    """The cross products of vectors along an axis of 3 (CANN: Cross).

    Parameters:
        axis: counted in both tensors; the other dimensions broadcast.

    Raises:
        TypeError: bool operands, or an axis that is no integer.
        ValueError: the axis has not 3 elements, or shapes that don't broadcast.
        IndexError: the axis is out of range.
    """
    products: Tensor = run("cross", tensor_operand("cross", x1), tensor_operand("cross", x2), one_axis("cross", axis))
    return products


def outer(x1: Tensor, x2: Tensor, /) -> Tensor:
    """The products of each element of one vector with each of another (CANN: Mul).

    Raises:
        TypeError: bool operands.
        ValueError: no vectors.
    """
    products: Tensor = run("outer", tensor_operand("outer", x1), tensor_operand("outer", x2))
    return products


def diagonal(x: Tensor, /, *, offset: int = 0) -> Tensor:
    """The diagonals of matrices, as a view.

    Parameters:
        x: matrices of any dtype.
        offset: of the diagonal: above the main one if positive, below it if negative.

    Raises:
        TypeError: the offset is no integer.
        ValueError: no matrices.
    """
    x = tensor_operand("diagonal", x)
    if x.ndim < 2:
        raise ValueError(f"diagonal: a tensor of shape {x.shape} is no stack of matrices")
    return x._viewed(views.diagonal(x._view, integer_parameter("diagonal", "offset", offset)))


def trace(x: Tensor, /, *, offset: int = 0, dtype: DType | None = None) -> Tensor:
    """The sums of diagonals (CANN: ReduceSum).

    Parameters:
        x: matrices.
        offset: as of `diagonal`.
        dtype: as of `sum`.

    Raises:
        TypeError: the offset is no integer.
        ValueError: no matrices.
    """
    x = tensor_operand("trace", x)
    if x.ndim < 2:
        raise ValueError(f"trace: a tensor of shape {x.shape} is no stack of matrices")
    return _sum(x._viewed(views.diagonal(x._view, integer_parameter("trace", "offset", offset))), axis=-1, dtype=dtype)


# Norms


def vector_norm(
    x: Tensor,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    keepdims: bool = False,
    ord: float = 2,
) -> Tensor:
    """The norms of vectors over axes, real numbers (CANN: Mul, ReduceSum, Sqrt).

    Parameters:
        axis: an axis, several, or None for all.
        keepdims: whether the reduced dimensions stay, with length 1.
        ord: p of (sum |x|^p)^(1/p); inf is the largest |x|, -inf the smallest, 0 how many are not zero.

    Raises:
        TypeError: a bool tensor, or an order that is no real number.
        ValueError: the smallest of no elements, or an order that is NaN.
        IndexError: an axis is out of range.
    """
    number = _real_number("vector_norm", "ord", ord)
    if isnan(number):
        raise ValueError("vector_norm: ord must be a number, not NaN")
    along = axis_parameter("vector_norm", axis)
    norm: Tensor = run("vector_norm", tensor_operand("vector_norm", x), along, bool(keepdims), number)
    return norm


_MATRIX_NORMS = ("fro", "nuc", 1.0, -1.0, 2.0, -2.0, inf, -inf)


def matrix_norm(x: Tensor, /, *, keepdims: bool = False, ord: float | str | None = "fro") -> Tensor:
    """The norms of matrices, real numbers (CANN: Mul, ReduceSum, Sqrt, or Svd).

    Parameters:
        keepdims: whether the last two dimensions stay, with length 1.
        ord: `"fro"`: the root of the sum of squares; `"nuc"`: the sum of singular values; 2 and -2: the largest and
            the smallest singular value; 1 and -1: the largest and the smallest sum of |x| over a column; inf and
            -inf: over a row. None is `"fro"`.

    Raises:
        TypeError: bool matrices.
        ValueError: no matrices, another order, or the smallest of no elements.
        LinAlgError: as of `svd`.
    """
    wanted = "fro" if ord is None else ord if isinstance(ord, str) else _real_number("matrix_norm", "ord", ord)
    if wanted not in _MATRIX_NORMS:
        told = ", ".join(map(repr, _MATRIX_NORMS))
        raise ValueError(f"matrix_norm: ord must be one of {told}, not {ord!r}")
    norm: Tensor = run("matrix_norm", tensor_operand("matrix_norm", x), bool(keepdims), wanted)
    return norm
