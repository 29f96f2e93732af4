"""Sample calls of the linear algebra extension."""

from __future__ import annotations

from math import inf
from typing import Any

import numpy as np

from .. import dtypes
from ..dtypes import DType
from ..program import Spec
from .case import Arguments, Array, Case, operands, taking

__all__ = ["CALLS", "ON_HOST"]

NUMERIC = "iufc"


def _definite(arrays: list[Array]) -> list[Array]:
    """Positive definite matrices in place of the first operand."""
    first, *others = arrays
    return [np.broadcast_to(4 * np.eye(first.shape[-1]) + 1, first.shape).astype(first.dtype), *others]


def _matrices(*parameters: Any, shape: tuple[int, ...] = (2, 3, 3)) -> Case:
    return Case(taking(*parameters, shapes=(shape,)), NUMERIC, _definite)


def _tall_and_wide(*parameters: Any) -> list[Case]:
    return [Case(taking(*parameters, shapes=(shape,)), NUMERIC) for shape in ((2, 4, 3), (2, 3), (2, 0, 3))]


def _pairs(*shapes: tuple[int, ...]) -> Case:
    return Case(operands(*shapes), NUMERIC, _definite)


def _number_as_tolerance(dtype: DType) -> Arguments:
    real = dtypes.float64 if dtype.kind in "fc" and dtypes.REAL_OF.get(dtype, dtype).itemsize == 8 else dtypes.float32
    return (Spec(dtype, (2, 4, 3)), Spec(real, (), on_host=True)), ()


def _tolerances(dtype: DType) -> Arguments:
    return (Spec(dtype, (2, 4, 3)), Spec(dtypes.float64, (3, 1))), ()


def _small_second(arrays: list[Array]) -> list[Array]:
    first, second = arrays
    return [first, np.abs(second) / 1000]


_SQUARE = [_matrices(), _matrices(shape=(3, 3)), _matrices(shape=(2, 0, 0))]
_TOLERANT = [
    *_tall_and_wide(),
    *(Case(make, NUMERIC, _small_second) for make in (_number_as_tolerance, _tolerances)),
]
_ORDERS = (2.0, 0.0, 1.0, inf, -inf, 3.0, -0.5)

CALLS: dict[str, list[Case]] = {
    "cholesky": _SQUARE,
    "cross": [
        Case(taking(-1, shapes=((2, 3), (3,))), NUMERIC),
        Case(taking(0, shapes=((3, 2), (3, 2))), NUMERIC),
        Case(taking(-1, shapes=((0, 3), (3,))), NUMERIC),
    ],
    "det": _SQUARE,
    "eig": _SQUARE,
    "eigh": _SQUARE,
    "eigvals": _SQUARE,
    "eigvalsh": _SQUARE,
    "inv": _SQUARE,
    "matrix_norm": [
        Case(taking(keepdims, order, shapes=((2, 3, 4),)), NUMERIC)
        for keepdims in (False, True)
        for order in ("fro", "nuc", 1.0, -1.0, 2.0, -2.0, inf, -inf)
    ],
    "matrix_power": [_matrices(n) for n in (-3, 0, 1, 7)],
    "matrix_rank": _TOLERANT,
    "outer": [Case(operands((3,), (2,)), NUMERIC), Case(operands((0,), (2,)), NUMERIC)],
    "pinv": _TOLERANT,
    "qr": [*_tall_and_wide(False), *_tall_and_wide(True)],
    "slogdet": _SQUARE,
    "solve": [
        _pairs((2, 3, 3), (2, 3, 2)),
        _pairs((2, 3, 3), (3,)),
        _pairs((3, 3), (4, 1, 3, 2)),
        _pairs((2, 3, 3), (3, 0)),
    ],
    "svd": [*_tall_and_wide(False), *_tall_and_wide(True)],
    "svdvals": _tall_and_wide(),
    "vector_norm": [
        *(Case(taking(1, False, order), NUMERIC) for order in _ORDERS),
        Case(taking(None, True, 2.0), NUMERIC),
        Case(taking(None, False, 3.0, shapes=((0,),)), NUMERIC),
    ],
}

# LAPACK's reduction to Hessenberg form has no counterpart among CANN's op types.
ON_HOST: set[tuple[str, str]] = {
    (function, dtype.short) for function in ("eig", "eigvals") for dtype in dtypes.ALL if dtype.kind in NUMERIC
}
