"""The element-wise functions: what each takes and gives, and NumPy's expression of the same thing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import strategies as st

import ascendtensor as at
from ops_registry import dtypes
from ops_registry.dtypes import DType

from .comparison import elements

__all__ = ["BINARY", "FUNCTIONS", "UNARY", "Function", "reference", "result_dtype", "second_operands"]

Array = np.ndarray[Any, Any]
ANY, NUMERIC, REAL, ORDERED, BITS = "biufc", "iufc", "iuf", "biuf", "biu"


@dataclass(frozen=True)
class Function:
    """One element-wise function.

    Attributes:
        numpy: the same in NumPy.
        kinds: the kinds of dtype that it takes.
        result: the result's dtype: "same" as the operands', "float" (float32 for integers and bool), "bool",
            or "real" (the dtype of a complex number's parts).
        exact: whether the result is one certain number, so that every bit of it counts; for real dtypes.
    """

    numpy: Callable[..., Any]
    kinds: str
    result: str = "same"
    exact: bool = True


def _integer_power(x1: Array, x2: Array) -> Array:
    """NumPy's power of floats; of integers Python's, modulo the dtype's width."""
    if x1.dtype.kind not in "iu":
        return np.power(x1, x2)
    modulus = 2 ** (8 * x1.itemsize)
    powers = [pow(int(x), int(y), modulus) for x, y in np.broadcast(x1, x2)]
    shape = np.broadcast_shapes(x1.shape, x2.shape)
    unsigned = np.asarray(powers, np.uint64).astype(f"u{x1.itemsize}").reshape(shape)
    return unsigned.view(x1.dtype)


def _next_after(x1: Array, x2: Array) -> Array:
    """NumPy's, except that between the two zeros, too, it goes all the way; NumPy's float16 stays."""
    return np.where(x1 == x2, x2, np.nextafter(x1, x2))


def _rounded(function: Callable[..., Any]) -> Callable[[Array], Array]:
    """Integers are whole already; NumPy would give bool and narrow ones as floats."""
    return lambda x: x if x.dtype.kind in "iu" else function(x)


def _finite(function: Callable[..., Any], of_integers: bool) -> Callable[[Array], Array]:
    return lambda x: np.full(x.shape, of_integers) if x.dtype.kind in "biu" else function(x)


@dataclass(frozen=True)
class Special:
    """Where the standard wants another value than NumPy gives: the kind of dtype, the condition, the value."""

    kind: str
    holds: Callable[..., Any]
    value: Callable[..., Any]


def _complex(real: Any, imaginary: Any) -> Array:
    """A complex array by its parts: a sum would lose signs of zeros, and make NaN of infinities."""
    parts = np.broadcast_arrays(real, imaginary)
    result = np.empty(parts[0].shape, np.complex128)
    result.real, result.imag = parts
    return result


SPECIAL: dict[str, list[Special]] = {
    "expm1": [
        Special("c", lambda z: z.imag == 0, lambda z: _complex(np.expm1(z.real) + 0.0, z.imag)),
        Special(
            "c",
            lambda z: (z.real == np.inf) & ~np.isfinite(z.imag),
            lambda z: _complex(np.full(z.shape, np.inf), np.nan),
        ),
        Special("c", lambda z: (z.real == -np.inf) & ~np.isfinite(z.imag), lambda z: _complex(-1.0, np.zeros(z.shape))),
    ],
    "floor_divide": [Special("f", lambda x, y: np.isinf(x) | np.isinf(y), np.true_divide)],
    "tanh": [
        Special(
            "c", lambda z: np.isinf(z.real), lambda z: _complex(np.copysign(1.0, z.real), np.copysign(0.0, z.imag))
        ),
    ],
}


UNARY: dict[str, Function] = {
    "abs": Function(np.abs, NUMERIC, "real"),
    "acos": Function(np.arccos, ANY, "float", exact=False),
    "acosh": Function(np.arccosh, ANY, "float", exact=False),
    "asin": Function(np.arcsin, ANY, "float", exact=False),
    "asinh": Function(np.arcsinh, ANY, "float", exact=False),
    "atan": Function(np.arctan, ANY, "float", exact=False),
    "atanh": Function(np.arctanh, ANY, "float", exact=False),
    "bitwise_invert": Function(np.invert, BITS),
    "ceil": Function(_rounded(np.ceil), REAL),
    "conj": Function(np.conj, NUMERIC),
    "cos": Function(np.cos, ANY, "float", exact=False),
    "cosh": Function(np.cosh, ANY, "float", exact=False),
    "exp": Function(np.exp, ANY, "float", exact=False),
    "expm1": Function(np.expm1, ANY, "float", exact=False),
    "floor": Function(_rounded(np.floor), REAL),
    "isfinite": Function(_finite(np.isfinite, True), ANY, "bool"),
    "isinf": Function(_finite(np.isinf, False), ANY, "bool"),
    "isnan": Function(_finite(np.isnan, False), ANY, "bool"),
    "log": Function(np.log, ANY, "float", exact=False),
    "log10": Function(np.log10, ANY, "float", exact=False),
    "log1p": Function(np.log1p, ANY, "float", exact=False),
    "log2": Function(np.log2, ANY, "float", exact=False),
    "logical_not": Function(np.logical_not, ANY, "bool"),
    "negative": Function(np.negative, NUMERIC),
    "positive": Function(np.positive, NUMERIC),
    "reciprocal": Function(np.reciprocal, ANY, "float"),
    "round": Function(_rounded(np.rint), NUMERIC),
    "sign": Function(np.sign, NUMERIC),
    "signbit": Function(np.signbit, ORDERED, "bool"),
    "sin": Function(np.sin, ANY, "float", exact=False),
    "sinh": Function(np.sinh, ANY, "float", exact=False),
    "sqrt": Function(np.sqrt, ANY, "float"),
    "square": Function(np.square, NUMERIC),
    "tan": Function(np.tan, ANY, "float", exact=False),
    "tanh": Function(np.tanh, ANY, "float", exact=False),
    "trunc": Function(_rounded(np.trunc), REAL),
}

BINARY: dict[str, Function] = {
    "add": Function(np.add, ANY),
    "atan2": Function(np.arctan2, ORDERED, "float", exact=False),
    "bitwise_and": Function(np.bitwise_and, BITS),
    "bitwise_left_shift": Function(np.left_shift, "iu"),
    "bitwise_or": Function(np.bitwise_or, BITS),
    "bitwise_right_shift": Function(np.right_shift, "iu"),
    "bitwise_xor": Function(np.bitwise_xor, BITS),
    "copysign": Function(np.copysign, ORDERED, "float"),
    "divide": Function(np.true_divide, ANY, "float"),
    "equal": Function(np.equal, ANY, "bool"),
    "floor_divide": Function(np.floor_divide, REAL),
    "greater": Function(np.greater, ORDERED, "bool"),
    "greater_equal": Function(np.greater_equal, ORDERED, "bool"),
    "hypot": Function(np.hypot, ORDERED, "float", exact=False),
    "less": Function(np.less, ORDERED, "bool"),
    "less_equal": Function(np.less_equal, ORDERED, "bool"),
    "logaddexp": Function(np.logaddexp, ORDERED, "float", exact=False),
    "logical_and": Function(np.logical_and, ANY, "bool"),
    "logical_or": Function(np.logical_or, ANY, "bool"),
    "logical_xor": Function(np.logical_xor, ANY, "bool"),
    # Which zero is the greater one is left open, so zeros' signs do not count.
    "maximum": Function(np.maximum, ORDERED, exact=False),
    "minimum": Function(np.minimum, ORDERED, exact=False),
    "multiply": Function(np.multiply, ANY),
    "nextafter": Function(_next_after, ORDERED, "float"),
    "not_equal": Function(np.not_equal, ANY, "bool"),
    "pow": Function(_integer_power, NUMERIC, exact=False),
    "remainder": Function(np.remainder, REAL),
    "subtract": Function(np.subtract, NUMERIC),
}

FUNCTIONS: dict[str, Function] = {**UNARY, **BINARY}

# The dtypes that NumPy's own loops do not compute in: float32 does, and the result is rounded.
_NARROW = (dtypes.float16, dtypes.bfloat16)
# What is said about neighbours has to be said in the dtype itself.
_IN_OWN_PRECISION = {"nextafter"}


def result_dtype(function: str, dtype: DType) -> DType:
    """The dtype of the result for operands promoted to `dtype`."""
    told = FUNCTIONS[function].result
    if told == "bool":
        return dtypes.bool_
    if told == "real":
        return dtypes.REAL_OF.get(dtype, dtype)
    return dtypes.float32 if told == "float" and dtype.kind in "biu" else dtype


def reference(function: str, *arrays: Array) -> Array:
    """NumPy's result for arrays of one dtype, in a dtype that may be wider than the function's."""
    dtype = dtypes.of(arrays[0].dtype)
    in_float32 = FUNCTIONS[function].result == "float" and dtype.kind in "biu"
    in_float32 |= dtype in _NARROW and function not in _IN_OWN_PRECISION
    with np.errstate(all="ignore"):
        read = [x.astype(np.float32) for x in arrays] if in_float32 else arrays
        result = np.asarray(FUNCTIONS[function].numpy(*read))
        for special in SPECIAL.get(function, ()):
            if read[0].dtype.kind == special.kind:
                spread = np.broadcast_arrays(*read)
                result = np.where(special.holds(*spread), special.value(*spread), result).astype(result.dtype)
        return result


def second_operands(function: str, dtype: DType) -> st.SearchStrategy[Any] | None:
    """The second operand's values where the function is not defined for all of them."""
    if function.endswith("_shift"):
        return st.integers(0, 8 * dtype.itemsize - 1)
    if function == "pow" and dtype.kind == "i":
        return st.integers(0, 70) | st.integers(0, at.iinfo(dtype).max)
    return None if function == "pow" and dtype.kind == "u" else elements(dtype)
