"""Element-wise kernels beyond the standard: fused, scaled and special functions."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..shapes.broadcasting import channel_axis
from . import special_functions
from .elementwise import piecewise, truncating_divide
from .registry import Array, Attrs, Inputs, Kernel, Outputs, kernel, store, widen


def _scalar(value: float, x: Array) -> Array:
    """An attribute in the dtype of an operand."""
    return np.asarray(value).astype(x.dtype)


def _quotient(x1: Array, x2: Array) -> Array:
    """x1 / x2; of integers towards zero, and 0 for a division by zero."""
    if x1.dtype.kind not in "iu":
        return np.true_divide(x1, x2)
    out = np.empty(np.broadcast_shapes(x1.shape, x2.shape), x1.dtype)
    truncating_divide(x1, x2, out)
    return out


def _is_close(attrs: Attrs, x1: Array, x2: Array) -> Array:
    a, b = (x.astype(np.float64) for x in (x1, x2))
    near = np.abs(a - b) <= attrs["atol"] + attrs["rtol"] * np.abs(b)
    close = (near & np.isfinite(b)) | (x1 == x2)
    return close | (np.isnan(a) & np.isnan(b)) if attrs["equal_nan"] else close


def _nan_to_num(attrs: Attrs, x: Array) -> Array:
    finite = np.where(np.isposinf(x), _scalar(attrs["posinf"], x), x)
    finite = np.where(np.isneginf(x), _scalar(attrs["neginf"], x), finite)
    return np.where(np.isnan(x), _scalar(attrs["nan"], x), finite)


def _squared_difference(attrs: Attrs, x1: Array, x2: Array) -> Array:
    difference = x1 - x2
    return difference * difference.conj()


def _truncated_quotient(attrs: Attrs, x1: Array, x2: Array) -> Array:
    quotient = _quotient(x1, x2)
    return np.trunc(quotient) if quotient.dtype.kind == "f" else quotient


_FORMULAS: dict[str, Callable[..., Array]] = {
    "Addcdiv": lambda attrs, x, x1, x2, value: x + value * _quotient(x1, x2),
    "Addcmul": lambda attrs, x, x1, x2, value: x + value * x1 * x2,
    "Adds": lambda attrs, x: x + _scalar(attrs["value"], x),
    "Axpy": lambda attrs, x1, x2: x1 + _scalar(attrs["alpha"], x1) * x2,
    "Digamma": lambda attrs, x: special_functions.digamma(x),
    "DivNoNan": lambda attrs, x1, x2: np.where(x2 == 0, x1.dtype.type(0), _quotient(x1, x2)),
    "Erf": lambda attrs, x: special_functions.erf(x),
    "Erfc": lambda attrs, x: special_functions.erfc(x),
    "Fills": lambda attrs, x: np.broadcast_to(_scalar(attrs["value"], x), x.shape),
    "Inv": lambda attrs, x: _quotient(_scalar(1, x), x),
    "IsClose": _is_close,
    "Lerp": lambda attrs, start, end, weight: start + weight * (end - start),
    "Lgamma": lambda attrs, x: special_functions.lgamma(x),
    "Mod": lambda attrs, x1, x2: np.fmod(x1, x2),
    "Muls": lambda attrs, x: x * _scalar(attrs["value"], x),
    "NanToNum": _nan_to_num,
    "Power": lambda attrs, x: np.power(attrs["shift"] + attrs["scale"] * x, _scalar(attrs["power"], x)),
    "Rsqrt": lambda attrs, x: 1 / np.sqrt(x),
    "SquaredDifference": _squared_difference,
    "TruncateDiv": _truncated_quotient,
    "TruncateMod": lambda attrs, x1, x2: np.fmod(x1, x2),
    "Xdivy": lambda attrs, x1, x2: np.where(x1 == 0, x1.dtype.type(0), x1 / x2),
    "Xlogy": lambda attrs, x1, x2: np.where(x1 == 0, x1.dtype.type(0), x1 * np.log(x2)),
}


def _by_formula(formula: Callable[..., Array]) -> Kernel:
    def run(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
        store(outputs[0], formula(attrs, *map(widen, inputs)))

    return run


for _op_type, _formula in _FORMULAS.items():
    piecewise(_op_type)(_by_formula(_formula))


@kernel("AddN")
def _add_n(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
    total = widen(inputs[0])
    for x in inputs[1:]:
        total = total + widen(x)
    store(outputs[0], total)


@kernel("BiasAdd")
def _bias_add(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
    x, bias = map(widen, inputs)
    axis = channel_axis(attrs["data_format"], x.ndim)
    store(outputs[0], x + bias.reshape([-1 if place == axis else 1 for place in range(x.ndim)]))
