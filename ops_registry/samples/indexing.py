"""Sample calls of what reads and writes parts of tensors."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .. import dtypes
from ..dtypes import DType
from ..program import Spec
from .case import Arguments, Array, Case, operands, taking

__all__ = ["CALLS"]


def _take(index: DType) -> Case:
    return Case(
        lambda dtype: ((Spec(dtype, (2, 3)), Spec(index, (4,))), (1,)),
        fit=lambda arrays: [arrays[0], np.asarray([0, 2, 1, 2]).astype(arrays[1].dtype)],
    )


def _positions(*lengths: int) -> Callable[[list[Array]], list[Array]]:
    """Makes positions of the operands after the first one, or the first two, that exist in these lengths."""

    def fit(arrays: list[Array]) -> list[Array]:
        before = len(arrays) - len(lengths)
        indices = zip(arrays[before:], lengths, strict=True)
        return [*arrays[:before], *((index % (2 * n) - n).astype(index.dtype) for index, n in indices)]

    return fit


def _gather(dtype: DType) -> Arguments:
    return (Spec(dtype, (3, 2, 2)), Spec(dtypes.int64, (4, 1)), Spec(dtypes.int32, (2,))), ()


def _scatter(shape: tuple[int, ...], strides: tuple[int, ...]) -> Callable[[DType], Arguments]:
    """Rows of a view of 24 elements, named by distinct indices."""
    source = (2, *shape[1:])
    return lambda dtype: ((Spec(dtype, (24,)), Spec(dtype, source), Spec(dtypes.int64, (2,))), (shape, strides, 0))


def _distinct(arrays: list[Array]) -> list[Array]:
    return [*arrays[:2], np.asarray([-1, 1])]


def _scatter_number(dtype: DType) -> Arguments:
    operands = Spec(dtype, (24,)), Spec(dtype, (), on_host=True), Spec(dtypes.int64, (2,)), Spec(dtypes.int64, (2, 1))
    return operands, ((3, 4, 2), (8, 2, 1), 0)


def _along(index_shape: tuple[int, ...], index: DType, axis: int) -> Case:
    return Case(lambda dtype: ((Spec(dtype, (2, 3)), Spec(index, index_shape)), (axis,)), fit=_positions(3))


CALLS: dict[str, list[Case]] = {
    "contiguous": [
        Case(taking((2, 2), (1, 3), 1, shapes=((8,),))),
        Case(taking((2, 2), (-1, 3), 3, shapes=((8,),))),
        Case(taking((), (), 3, shapes=((8,),))),
    ],
    "copy": [Case(operands((2, 3)))],
    "copy_into": [
        Case(taking((2, 2), (1, 3), 1, (2, 2), (2, 1), 0, shapes=((8,), (4,)))),
        Case(taking((2,), (3,), 1, (), (), 0, shapes=((8,), (1,)))),
    ],
    "gather": [Case(_gather, fit=_positions(3, 2))],
    "masked_select": [Case(lambda dtype: ((Spec(dtype, (2, 3)), Spec(dtypes.bool_, (2, 3))), ()))],
    "scatter_into": [
        Case(_scatter((3, 4, 2), (8, 2, 1)), fit=_distinct),
        Case(_scatter((3, 2), (2, 12)), fit=_distinct),
        Case(_scatter_number, fit=_positions(3, 4)),
    ],
    "take_along_axis": [_along((2, 2), dtypes.int64, 1), _along((1, 4), dtypes.int32, -1)],
    "take": [_take(index) for index in (dtypes.int64, dtypes.int32, dtypes.uint8)],
}
