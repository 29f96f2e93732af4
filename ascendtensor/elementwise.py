"""Element-wise functions (standard section "Element-wise Functions")."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ops_registry.lowerings.elementwise import ACCEPTS, operand_dtype

from .runtime.scalars import Scalar
from .tensor import Tensor, binary, run, tensor_operand, to_operands, unary

__all__ = [
    "abs",
    "acos",
    "acosh",
    "add",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "bitwise_and",
    "bitwise_invert",
    "bitwise_left_shift",
    "bitwise_or",
    "bitwise_right_shift",
    "bitwise_xor",
    "ceil",
    "clip",
    "conj",
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
    "imag",
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
    "maximum",
    "minimum",
    "multiply",
    "negative",
    "nextafter",
    "not_equal",
    "positive",
    "pow",
    "real",
    "reciprocal",
    "remainder",
    "round",
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

_KIND_WORDS = {
    "biufc": "any",
    "biuf": "any real",
    "biu": "bool or integer",
    "iufc": "numeric",
    "iuf": "real numeric",
    "iu": "integer",
}


def _taken(name: str) -> str:
    kinds, floating_only = ACCEPTS[name]
    computed = "; integers are computed as float32" if floating_only else ""
    return f"a Tensor of {_KIND_WORDS[kinds]} dtype{computed}"


def _unary_function(name: str, meaning: str) -> Callable[[Tensor], Tensor]:
    def function(x: Tensor, /) -> Tensor:
        return unary(name, x)

    function.__doc__ = f"""{meaning}

    Parameters:
        x: {_taken(name)}.

    Raises:
        TypeError: another operand or dtype.
    """
    return _named(function, name)


def _binary_function(name: str, meaning: str) -> Callable[[Tensor | Scalar, Tensor | Scalar], Tensor]:
    def function(x1: Tensor | Scalar, x2: Tensor | Scalar, /) -> Tensor:
        result = binary(name, x1, x2)
        if result is NotImplemented:
            told = " and ".join(type(x).__name__ for x in (x1, x2))
            raise TypeError(f"{name}: operands are Tensors and numbers, not {told}")
        return result

    function.__doc__ = f"""{meaning}

    Parameters:
        x1, x2: {_taken(name)}; one of them may be a Python number. They broadcast.

    Raises:
        TypeError: other operands or dtypes, or dtypes that have no common one.
        ValueError: shapes that do not broadcast.
        OverflowError: an integer out of the other operand's range.
    """
    return _named(function, name)


def _named(function: Any, name: str) -> Any:
    function.__name__ = function.__qualname__ = name
    function.__module__ = "ascendtensor"
    return function


abs = _unary_function("abs", "The absolute value; a complex number's magnitude.")
acos = _unary_function("acos", "The inverse cosine, in radians.")
acosh = _unary_function("acosh", "The inverse hyperbolic cosine.")
add = _binary_function("add", "The sum.")
asin = _unary_function("asin", "The inverse sine, in radians.")
asinh = _unary_function("asinh", "The inverse hyperbolic sine.")
atan = _unary_function("atan", "The inverse tangent, in radians.")
atan2 = _binary_function("atan2", "The angle of the point (x2, x1), in radians, in its quadrant.")
atanh = _unary_function("atanh", "The inverse hyperbolic tangent.")
bitwise_and = _binary_function("bitwise_and", "The bits that are set in both.")
bitwise_invert = _unary_function("bitwise_invert", "Every bit turned over; logical not for bool.")
bitwise_left_shift = _binary_function("bitwise_left_shift", "The bits of x1 moved up by x2.")
bitwise_or = _binary_function("bitwise_or", "The bits that are set in either.")
bitwise_right_shift = _binary_function("bitwise_right_shift", "The bits of x1 moved down by x2, the sign kept.")
bitwise_xor = _binary_function("bitwise_xor", "The bits that are set in one only.")
ceil = _unary_function("ceil", "The smallest integer that is not less.")
conj = _unary_function("conj", "The complex conjugate.")
copysign = _binary_function("copysign", "The magnitude of x1 with the sign of x2.")
cos = _unary_function("cos", "The cosine of an angle in radians.")
cosh = _unary_function("cosh", "The hyperbolic cosine.")
divide = _binary_function("divide", "The quotient, in floating point.")
equal = _binary_function("equal", "Whether elements are equal.")
exp = _unary_function("exp", "e to the power of each element.")
expm1 = _unary_function("expm1", "e to the power of each element, minus 1, exact near 0.")
floor = _unary_function("floor", "The largest integer that is not greater.")
floor_divide = _binary_function("floor_divide", "The quotient rounded down.")
greater = _binary_function("greater", "Whether x1 is greater.")
greater_equal = _binary_function("greater_equal", "Whether x1 is greater or equal.")
hypot = _binary_function("hypot", "The length of the hypotenuse, without overflow on the way.")
isfinite = _unary_function("isfinite", "Whether each element is neither infinite nor NaN.")
isinf = _unary_function("isinf", "Whether each element is an infinity.")
isnan = _unary_function("isnan", "Whether each element is NaN.")
less = _binary_function("less", "Whether x1 is less.")
less_equal = _binary_function("less_equal", "Whether x1 is less or equal.")
log = _unary_function("log", "The natural logarithm.")
log10 = _unary_function("log10", "The logarithm to base 10.")
log1p = _unary_function("log1p", "The natural logarithm of 1 + x, exact near 0.")
log2 = _unary_function("log2", "The logarithm to base 2.")
logaddexp = _binary_function("logaddexp", "log(exp(x1) + exp(x2)), without overflow on the way.")
logical_and = _binary_function("logical_and", "Whether both are nonzero.")
logical_not = _unary_function("logical_not", "Whether each element is zero.")
logical_or = _binary_function("logical_or", "Whether either is nonzero.")
logical_xor = _binary_function("logical_xor", "Whether just one is nonzero.")
maximum = _binary_function("maximum", "The greater element; NaN if either is.")
minimum = _binary_function("minimum", "The lesser element; NaN if either is.")
multiply = _binary_function("multiply", "The product.")
negative = _unary_function("negative", "Each element with its sign turned.")
nextafter = _binary_function("nextafter", "The number next to x1 in the direction of x2.")
not_equal = _binary_function("not_equal", "Whether elements differ.")
positive = _unary_function("positive", "A copy.")
pow = _binary_function("pow", "x1 to the power of x2.")
reciprocal = _unary_function("reciprocal", "1 divided by each element.")
remainder = _binary_function("remainder", "What floor_divide leaves, with the sign of x2.")
round = _unary_function("round", "The nearest integer, ties to the even one.")
sign = _unary_function("sign", "−1, 0 or 1; z/|z| for complex numbers.")
signbit = _unary_function("signbit", "Whether the sign bit is set, as it is for −0.0.")
sin = _unary_function("sin", "The sine of an angle in radians.")
sinh = _unary_function("sinh", "The hyperbolic sine.")
sqrt = _unary_function("sqrt", "The square root.")
square = _unary_function("square", "Each element times itself.")
subtract = _binary_function("subtract", "The difference.")
tan = _unary_function("tan", "The tangent of an angle in radians.")
tanh = _unary_function("tanh", "The hyperbolic tangent.")
trunc = _unary_function("trunc", "The integer part, towards 0.")


def clip(x: Tensor, /, min: Tensor | Scalar | None = None, max: Tensor | Scalar | None = None) -> Tensor:
    """Each element kept between two bounds (CANN: Maximum and Minimum).

    Parameters:
        x: a Tensor of real numeric dtype.
        min, max: Tensors or numbers that broadcast with it, or None for no bound. NaN in `x` stays.

    Raises:
        TypeError: other operands or dtypes.
        ValueError: shapes that do not broadcast.
        OverflowError: an integer bound is out of the dtype's range.
    """
    operand_dtype("clip", tensor_operand("clip", x).dtype)
    bounds = [bound for bound in (min, max) if bound is not None]
    operands = to_operands("clip", x, *bounds)
    if operands is None:
        raise TypeError(f"clip: bounds are Tensors and numbers, not {' and '.join(type(b).__name__ for b in bounds)}")
    clipped: Tensor = run("clip", *operands, min is not None, max is not None)
    return clipped


def real(x: Tensor, /) -> Tensor:
    """The real parts of a complex tensor, as a view; a real tensor itself."""
    return tensor_operand("real", x).real


def imag(x: Tensor, /) -> Tensor:
    """The imaginary parts of a complex tensor, as a view.

    Raises:
        TypeError: the tensor is not complex.
    """
    return tensor_operand("imag", x).imag
