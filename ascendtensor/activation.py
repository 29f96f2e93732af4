"""Softmax and its logarithm, by PyTorch's names."""

from __future__ import annotations

from .arguments import one_axis
from .tensor import Tensor, run, tensor_operand

__all__ = ["log_softmax", "softmax"]


def softmax(x: Tensor, /, axis: int | None = None, *, dim: int | None = None) -> Tensor:
    """The exponentials along an axis, divided by their sum, without overflow on the way (CANN: SoftmaxV2).

    Parameters:
        x: a Tensor of real dtype; integers are computed as float32.
        axis: the one along which the results add up to 1; the last by default.
        dim: PyTorch's name for `axis`.

    Raises:
        TypeError: another operand, a complex dtype, or an axis that is no integer or named twice over.
        IndexError: the axis is out of range.
    """
    return _along("softmax", x, axis, dim)


def log_softmax(x: Tensor, /, axis: int | None = None, *, dim: int | None = None) -> Tensor:
    """The natural logarithm of `softmax`, exact where that is nearly 0 (CANN: LogSoftmaxV2). Raises as `softmax`."""
    return _along("log_softmax", x, axis, dim)


def _along(function: str, x: Tensor, axis: int | None, dim: int | None) -> Tensor:
    if axis is not None and dim is not None:
        raise TypeError(f"{function}: axis and dim are two names for one thing; give one of them")
    along = next((one for one in (axis, dim) if one is not None), -1)
    result: Tensor = run(function, tensor_operand(function, x), one_axis(function, along))
    return result
