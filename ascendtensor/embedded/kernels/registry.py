"""The table of kernels, and what they share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
import numpy.typing as npt

__all__ = [
    "BFLOAT16",
    "KERNELS",
    "NARROW",
    "Array",
    "Attrs",
    "Inputs",
    "Kernel",
    "Outputs",
    "TrueShapes",
    "front",
    "kernel",
    "store",
    "widen",
]

Array = npt.NDArray[Any]
# An absent optional input is None; `Any` spares every kernel from saying that its required ones are there.
Inputs = list[Any]
Outputs = list[Array]
Attrs = dict[str, Any]
# The true shapes of outputs that only running tells, None for those that are as declared.
TrueShapes = tuple[tuple[int, ...] | None, ...]
Kernel = Callable[[Inputs, Outputs, Attrs], TrueShapes | None]

KERNELS: dict[str, Kernel] = {}

BFLOAT16 = np.dtype(ml_dtypes.bfloat16)
# The dtypes that are computed in float32 and rounded once, at the end.
NARROW = frozenset({np.dtype(np.float16), BFLOAT16})


def kernel(*op_types: str) -> Callable[[Kernel], Kernel]:
    """Enter a function into the table.

    A device computes infinities and NaNs without a word, so in the table no kernel warns of them.
    """

    def register(function: Kernel) -> Kernel:
        quiet: Kernel = np.errstate(all="ignore")(function)
        for op_type in op_types:
            KERNELS[op_type] = quiet
        return function

    return register


def widen(x: Array) -> Array:
    """`x`, in float32 if it is float16 or bfloat16."""
    return x.astype(np.float32) if x.dtype in NARROW else x


def store(out: Array, values: Array) -> None:
    """Round `values` into `out`."""
    np.copyto(out, values, casting="unsafe")


def front(op_type: str, out: Array, values: Array) -> tuple[int, ...]:
    """Write `values` to the front of an output that may be larger than they are.

    Returns:
        their shape.

    Raises:
        IndexError: the output has no room for them.
    """
    if values.size > out.size:
        raise IndexError(f"{op_type}: {values.size} elements do not fit an output of {out.size}")
    store(out.reshape(-1)[: values.size], values.reshape(-1))
    return values.shape
