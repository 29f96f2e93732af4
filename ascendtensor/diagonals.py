"""Diagonals, by NumPy's name."""

from __future__ import annotations

from . import views
from .arguments import integer_parameter
from .creation import zeros
from .tensor import Tensor, tensor_operand

__all__ = ["diag"]


def diag(x: Tensor, /, k: int = 0) -> Tensor:
    """The diagonal of a matrix, as a view, or the matrix with a diagonal and zeros elsewhere (CANN: Fill, ViewCopy).

    Parameters:
        x: a Tensor of any dtype, with two dimensions or one.
        k: which diagonal: above the main one if positive, below it if negative.

    Raises:
        TypeError: `k` is no integer.
        ValueError: neither one nor two dimensions.
    """
    x, k = tensor_operand("diag", x), integer_parameter("diag", "k", k)
    if x.ndim == 2:
        return x._viewed(views.diagonal(x._view, k))
    if x.ndim != 1:
        raise ValueError(f"diag: a tensor of {x.ndim} dimensions is neither a matrix nor a diagonal")
    n = x.size + abs(k)
    matrix = zeros((n, n), dtype=x.dtype, device=x.device)
    diag(matrix, k)[...] = x
    return matrix
