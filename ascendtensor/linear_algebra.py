"""Linear algebra functions of the main namespace (standard section "Linear Algebra Functions")."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from ops_registry.shapes import axis_index

from .manipulation import moveaxis, permute_dims, reshape
from .tensor import Tensor, run, tensor_operand
from .tensor import matmul as _matmul

__all__ = ["matmul", "matrix_transpose", "tensordot", "vecdot"]


def matmul(x1: Tensor, x2: Tensor, /) -> Tensor:
    """The matrix product (CANN: MatMulV2, BatchMatMulV2).

    Parameters:
        x1, x2: numeric Tensors of at least one dimension: vectors, matrices, or stacks that broadcast.

    Raises:
        TypeError: other operands or dtypes.
        ValueError: shapes that don't fit.
    """
    return _matmul(x1, x2)


def matrix_transpose(x: Tensor, /) -> Tensor:
    """The last two dimensions swapped, as a view.

    Raises:
        ValueError: fewer than two dimensions.
    """
    return tensor_operand("matrix_transpose", x).mT


def tensordot(x1: Tensor, x2: Tensor, /, *, axes: int | tuple[Sequence[int], Sequence[int]] = 2) -> Tensor:
    """The sum of products over some axes of both (CANN: MatMulV2).

    Parameters:
        axes: how many, the last of `x1` with the first of `x2`; or two sequences of axes that go together.

    Raises:
        ValueError: axes of differing lengths, or too many.
        IndexError: an axis is out of range.
    """
    x1, x2 = tensor_operand("tensordot", x1), tensor_operand("tensordot", x2)
    over1, over2 = _paired_axes(x1, x2, axes)
    if [x1.shape[axis] for axis in over1] != [x2.shape[axis] for axis in over2]:
        raise ValueError(f"tensordot: shapes {x1.shape} and {x2.shape} differ along axes {axes}")
    free1 = [axis for axis in range(x1.ndim) if axis not in over1]
    free2 = [axis for axis in range(x2.ndim) if axis not in over2]
    kept = [x1.shape[axis] for axis in free1], [x2.shape[axis] for axis in free2]
    summed = prod(x1.shape[axis] for axis in over1)
    left = reshape(permute_dims(x1, (*free1, *over1)), (prod(kept[0]), summed))
    right = reshape(permute_dims(x2, (*over2, *free2)), (summed, prod(kept[1])))
    return reshape(_matmul(left, right), (*kept[0], *kept[1]))


def _paired_axes(
    x1: Tensor, x2: Tensor, axes: int | tuple[Sequence[int], Sequence[int]]
) -> tuple[list[int], list[int]]:
    if isinstance(axes, int):
        if not 0 <= axes <= min(x1.ndim, x2.ndim):
            raise ValueError(f"tensordot: {axes} axes, with tensors of {x1.ndim} and {x2.ndim} dimensions")
        return list(range(x1.ndim - axes, x1.ndim)), list(range(axes))
    if not isinstance(axes, Sequence) or len(axes) != 2:
        raise TypeError(f"tensordot: axes must be an integer or two sequences of them, not {axes!r}")
    first, second = (one if isinstance(one, Sequence) else (one,) for one in axes)
    over1 = [axis_index("tensordot", axis, x1.ndim) for axis in first]
    over2 = [axis_index("tensordot", axis, x2.ndim) for axis in second]
    if len(over1) != len(over2) or len({*over1}) != len(over1) or len({*over2}) != len(over2):
        raise ValueError(f"tensordot: axes {axes} do not go together one by one")
    return over1, over2


def vecdot(x1: Tensor, x2: Tensor, /, *, axis: int = -1) -> Tensor:
    """The dot product of vectors along an axis, the first conjugated (CANN: BatchMatMulV2).

    Parameters:
        axis: counted in both tensors; the other dimensions broadcast.

    Raises:
        ValueError: vectors of differing lengths, or shapes that don't broadcast.
        IndexError: the axis is out of range.
    """
    x1, x2 = tensor_operand("vecdot", x1), tensor_operand("vecdot", x2)
    if axis >= 0 and x1.ndim != x2.ndim:
        # Shapes are lined up at their ends: an axis from the front is one of the longer shape.
        axis -= max(x1.ndim, x2.ndim)
    x1, x2 = (moveaxis(x, axis_index("vecdot", axis, x.ndim), -1) for x in (x1, x2))
    if x1.shape[-1] != x2.shape[-1]:
        raise ValueError(f"vecdot: vectors of {x1.shape[-1]} and of {x2.shape[-1]} elements")
    product: Tensor = run("vecdot", x1, x2)
    return product
