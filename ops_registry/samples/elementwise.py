"""Sample calls of the element-wise functions."""

from __future__ import annotations

import numpy as np

from ..lowerings.elementwise import ACCEPTS, BINARY
from .case import Array, Case, as_they_are, number_second, operands, taking

__all__ = ["CALLS", "ON_HOST"]

# Functions of two operands whose lowering is no row of the table.
_MORE_BINARY = (
    "copysign",
    "hypot",
    "logaddexp",
    "logical_and",
    "logical_or",
    "logical_xor",
    "maximum",
    "minimum",
    "nextafter",
    "pow",
)


def _small_second(arrays: list[Array]) -> list[Array]:
    """Integers that shift or raise within what every dtype holds."""
    first, second = arrays
    return [first, np.abs(second) % 8 if second.dtype.kind in "iu" else second]


def _binary(function: str) -> list[Case]:
    kinds, _ = ACCEPTS[function]
    fit = _small_second if function.endswith("_shift") or function == "pow" else as_they_are
    return [Case(operands((2, 3), (3,)), kinds, fit), Case(number_second, kinds, fit)]


ON_HOST: set[tuple[str, str]] = {
    *((function, dtype) for function in ("acos", "asin", "atan") for dtype in ("c64", "c128")),
    *((function, "u64") for function in ("floor_divide", "remainder")),
}

_TWO_OPERANDS = (*BINARY, *_MORE_BINARY)
CALLS: dict[str, list[Case]] = {
    **{name: [Case(operands((2, 3)), kinds)] for name, (kinds, _) in ACCEPTS.items() if name not in _TWO_OPERANDS},
    **{name: _binary(name) for name in _TWO_OPERANDS},
    "clip": [
        Case(taking(True, True, shapes=((2, 3), (3,), ())), "iuf"),
        Case(taking(False, True, shapes=((2, 3), (3,))), "iuf"),
        Case(taking(False, False), "iuf"),
    ],
}
