"""Element-wise kernels: a table of NumPy's own functions, then those that NumPy lacks or does otherwise."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from .registry import BFLOAT16, Array, Attrs, Inputs, Kernel, Outputs, kernel, store, widen

__all__ = ["ELEMENTWISE", "piecewise", "truncating_divide"]

_UFUNCS: dict[str, np.ufunc] = {
    "Abs": np.absolute,
    "Acos": np.arccos,
    "Acosh": np.arccosh,
    "Add": np.add,
    "Asin": np.arcsin,
    "Asinh": np.arcsinh,
    "Atan": np.arctan,
    "Atan2": np.arctan2,
    "Atanh": np.arctanh,
    "BitwiseAnd": np.bitwise_and,
    "BitwiseOr": np.bitwise_or,
    "BitwiseXor": np.bitwise_xor,
    "Ceil": np.ceil,
    "ComplexAbs": np.absolute,
    "Conj": np.conjugate,
    "Cos": np.cos,
    "Cosh": np.cosh,
    "Equal": np.equal,
    "Expm1": np.expm1,
    "Floor": np.floor,
    "FloorDiv": np.floor_divide,
    "FloorMod": np.remainder,
    "Greater": np.greater,
    "GreaterEqual": np.greater_equal,
    "Invert": np.invert,
    "IsFinite": np.isfinite,
    "IsInf": np.isinf,
    "IsNan": np.isnan,
    "LeftShift": np.left_shift,
    "Less": np.less,
    "LessEqual": np.less_equal,
    "Log1p": np.log1p,
    "LogicalAnd": np.logical_and,
    "LogicalNot": np.logical_not,
    "LogicalOr": np.logical_or,
    "Maximum": np.maximum,
    "Minimum": np.minimum,
    "Mul": np.multiply,
    "Neg": np.negative,
    "NextAfter": np.nextafter,
    "NotEqual": np.not_equal,
    "Reciprocal": np.reciprocal,
    "RightShift": np.right_shift,
    "Rint": np.rint,
    "Sign": np.sign,
    "Sin": np.sin,
    "Sinh": np.sinh,
    "Sqrt": np.sqrt,
    "Square": np.square,
    "Tan": np.tan,
    "Tanh": np.tanh,
    "Trunc": np.trunc,
}


ELEMENTWISE: set[str] = set()
"""The op types whose kernels may be run piece by piece, on the same piece of every operand."""


def piecewise(*op_types: str) -> Callable[[Kernel], Kernel]:
    """Enter a kernel that may be run piece by piece."""
    ELEMENTWISE.update(op_types)
    return kernel(*op_types)


def _calling(ufunc: np.ufunc) -> Kernel:
    """The kernel that calls `ufunc`; for bfloat16 its float32 loop, between casts block by block."""
    takes = "f" * ufunc.nin
    float_loop = f"{takes}->{'?' if f'{takes}->?' in ufunc.types else 'f'}"

    def run(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
        out = outputs[0]
        if BFLOAT16 in (inputs[0].dtype, inputs[-1].dtype):
            ufunc(*inputs, out=out, signature=float_loop, casting="unsafe")
        else:
            # Unsafe for the output only: Tan of integers is an integer.
            ufunc(*inputs, out=out, casting="unsafe")

    return run


for _op_type, _ufunc in _UFUNCS.items():
    piecewise(_op_type)(_calling(_ufunc))

_subtract, _true_divide, _power, _exp, _log, _log_add_exp, _rint, _logical_xor = map(
    _calling,
    (
        np.subtract,
        np.true_divide,
        np.power,
        np.exp,
        np.log,
        np.logaddexp,
        np.rint,
        np.logical_xor,
    ),
)


@piecewise("Sub")
def _sub(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
    # NumPy has no difference of bools; of their bits it is the exclusive or.
    (_logical_xor if outputs[0].dtype == np.bool_ else _subtract)(inputs, outputs, attrs)


@piecewise("Div", "RealDiv")
def _div(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
    if outputs[0].dtype.kind in "iu":
        truncating_divide(inputs[0], inputs[1], outputs[0])
    else:
        _true_divide(inputs, outputs, attrs)


def truncating_divide(x1: Array, x2: Array, out: Array) -> None:
    """Integer division as C has it, but 0 for a division by zero."""
    # Less its remainder, which has its sign, the dividend is a multiple of the divisor.
    np.floor_divide(np.subtract(x1, np.fmod(x1, x2)), x2, out=out)


@piecewise("Pow")
def _pow(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
    x1, x2 = inputs
    if x2.dtype.kind != "i" or not np.any(x2 < 0):
        _power(inputs, outputs, attrs)
        return
    # NumPy refuses negative exponents of integers. 1 and -1 have reciprocals, which are they themselves, and
    # any other power truncates to 0.
    sized_exponent = np.where(x2 < 0, x2 & 1, x2)
    has_reciprocal = (x1 == 1) | (x1 == -1)
    store(outputs[0], np.where((x2 < 0) & ~has_reciprocal, 0, np.power(x1, sized_exponent)))


@piecewise("Exp")
def _exp_of_base(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
    """base ** (scale * x + shift); a base of -1 stands for e."""
    if _is_plain(attrs):
        _exp(inputs, outputs, attrs)
        return
    x = _scaled(inputs[0], attrs)
    power: Callable[[Array], Array] | None = {-1.0: np.exp, 2.0: np.exp2}.get(attrs["base"])
    store(outputs[0], power(x) if power else np.power(x.dtype.type(attrs["base"]), x))


@piecewise("Log")
def _log_of_base(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
    """The logarithm of scale * x + shift to a base; a base of -1 stands for e."""
    if _is_plain(attrs):
        _log(inputs, outputs, attrs)
        return
    x = _scaled(inputs[0], attrs)
    log: Callable[[Array], Array] | None = {-1.0: np.log, 2.0: np.log2, 10.0: np.log10}.get(attrs["base"])
    store(outputs[0], log(x) if log else np.log(x) / _natural_log(attrs["base"]))


@piecewise("LogAddExp")
def _log_add_exp_of_base(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
    """The logarithm to a base of base ** (scale * x1 + shift) + base ** (scale * x2 + shift)."""
    if _is_plain(attrs):
        _log_add_exp(inputs, outputs, attrs)
        return
    x1, x2 = (_scaled(x, attrs) for x in inputs)
    base = attrs["base"]
    if base in (-1.0, 2.0):
        store(outputs[0], (np.logaddexp if base == -1.0 else np.logaddexp2)(x1, x2))
    else:
        rate = _natural_log(base)
        store(outputs[0], np.logaddexp(x1 * rate, x2 * rate) / rate)


def _is_plain(attrs: Attrs) -> bool:
    return bool(attrs["base"] == -1.0 and attrs["scale"] == 1.0 and attrs["shift"] == 0.0)


def _scaled(x: Array, attrs: Attrs) -> Array:
    """In double precision, in which NumPy's logarithms of exact powers are exact."""
    if x.dtype.kind != "c":
        x = x.astype(np.float64)
    elif x.dtype == np.complex64:
        x = x.astype(np.complex128)
    if attrs["scale"] != 1.0:
        x = x * attrs["scale"]
    return x + attrs["shift"] if attrs["shift"] else x


def _natural_log(base: float) -> float:
    if base > 0:
        return math.log(base)
    return -math.inf if base == 0 else math.nan


@piecewise("Round")
def _round(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
    x, out, decimals = inputs[0], outputs[0], attrs["decimals"]
    if x.dtype.kind in "iu":
        store(out, _rounded_integers(x, 10**-decimals) if decimals < 0 else x)
    elif decimals == 0:
        _rint(inputs, outputs, attrs)
    else:
        store(out, np.round(widen(x), decimals))


def _rounded_integers(x: Array, unit: int) -> Array:
    """To the nearest multiple of `unit`, ties to even; NumPy would go through floating point."""
    if unit > np.iinfo(np.int64).max:
        return np.zeros_like(x)
    count, rest = np.divmod(x.astype(np.int64), unit)
    return (count + (rest + count % 2 > unit // 2)) * unit


@piecewise("ClipByValue", "ClipByValueV2")
def _clip(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
    if inputs[0].dtype == BFLOAT16:
        np.clip(*inputs, out=outputs[0], dtype=np.float32, casting="unsafe")
    else:
        np.clip(*inputs, out=outputs[0])


@piecewise("Cast")
def _cast(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
    x, out = inputs[0], outputs[0]
    # Dropping the imaginary part is meant; only a bool asks about both parts.
    store(out, x.real if x.dtype.kind == "c" and out.dtype.kind not in "cb" else x)


@piecewise("Complex")
def _complex(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
    out = outputs[0]
    store(out.real, inputs[0])
    store(out.imag, inputs[1])


@piecewise("Real")
def _real(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
    store(outputs[0], inputs[0].real)


@piecewise("Imag")
def _imag(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
    store(outputs[0], inputs[0].imag)


@piecewise("SelectV2")
def _select(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
    # By way of a temporary, since the output may be either of the values.
    then: Array = inputs[1]
    otherwise: Array = inputs[2]
    store(outputs[0], np.where(inputs[0], then, otherwise))


@piecewise("TensorMove")
def _copy(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
    np.copyto(outputs[0], inputs[0])


@piecewise("ZerosLike")
def _zeros(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
    outputs[0].fill(0)


@piecewise("OnesLike")
def _ones(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
    outputs[0].fill(1)
