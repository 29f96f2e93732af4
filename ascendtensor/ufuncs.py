"""NumPy's universal functions of tensors: which functions of this library they are, and the others on the host."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .runtime.executor import warn_once
from .runtime.statistics import count_fallback

__all__ = ["FUNCTIONS", "computed_on_host"]

Array = np.ndarray[Any, Any]

_SAME_NAME = [
    "add",
    "bitwise_and",
    "bitwise_or",
    "bitwise_xor",
    "ceil",
    "copysign",
    "cos",
    "cosh",
    "divide",
    "equal",
    "exp",
    "expm1",
    "floor",
    "floor_divide",
    "greater",
    "greater_equal",
    "hypot",
    "isfinite",
    "isinf",
    "isnan",
    "less",
    "less_equal",
    "log",
    "log10",
    "log1p",
    "log2",
    "logaddexp",
    "logical_and",
    "logical_not",
    "logical_or",
    "logical_xor",
    "matmul",
    "maximum",
    "minimum",
    "multiply",
    "negative",
    "nextafter",
    "not_equal",
    "positive",
    "reciprocal",
    "remainder",
    "sign",
    "signbit",
    "sin",
    "sinh",
    "sqrt",
    "square",
    "subtract",
    "tan",
    "tanh",
    "trunc",
]

_OTHER_NAMES = {
    "absolute": "abs",
    "arccos": "acos",
    "arccosh": "acosh",
    "arcsin": "asin",
    "arcsinh": "asinh",
    "arctan": "atan",
    "arctan2": "atan2",
    "arctanh": "atanh",
    "conjugate": "conj",
    "invert": "bitwise_invert",
    "left_shift": "bitwise_left_shift",
    "power": "pow",
    "right_shift": "bitwise_right_shift",
    "rint": "round",
}

# By the function itself: SciPy's have names like `log1p` too, and mean other branches of it.
FUNCTIONS: dict[np.ufunc, str] = {
    getattr(np, theirs): ours for theirs, ours in {**{name: name for name in _SAME_NAME}, **_OTHER_NAMES}.items()
}


@dataclass(slots=True)
class _Computed:
    """What one call moved and computed, as the statistics count it."""

    op_type: str
    bytes_in: int
    bytes_out: int


def computed_on_host(
    ufunc: np.ufunc, method: str, inputs: Sequence[Any], options: Mapping[str, Any]
) -> tuple[Any, ...]:
    """The results of a universal function, or of a method of it such as `reduce`, by the host.

    Parameters:
        inputs, options: with arrays in place of tensors.

    Raises:
        HostFallbackWarning: a filter of the caller's makes it an error.
        What the universal function raises.
    """
    name = ufunc.__name__ if method == "__call__" else f"{ufunc.__name__}.{method}"
    warn_once(name, f"the universal function {name} of NumPy runs on the host: the device has none like it")
    made = getattr(ufunc, method)(*inputs, **options)
    results = made if isinstance(made, tuple) else (made,)
    count_fallback(name, [_Computed(name, _bytes(inputs), _bytes(results))])
    return results


def _bytes(values: Sequence[Any]) -> int:
    return sum(value.nbytes for value in values if isinstance(value, np.ndarray | np.generic))
