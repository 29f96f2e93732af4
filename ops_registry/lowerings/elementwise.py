"""Element-wise functions (standard section "Element-wise Functions").

Most are one row of a table: function, the dtypes it takes, the op type. The others follow as functions.
Operands arrive promoted to one dtype where the function wants that; a Python scalar is a 0-d host value.
"""

from __future__ import annotations

from math import log

import numpy as np

from .. import dtypes, promotion
from ..builder import Builder
from ..dtypes import DType
from ..program import Value
from .registry import lowering

__all__ = ["ACCEPTS", "BINARY", "UNARY"]

_SAME_WIDTH_INT = {1: dtypes.int8, 2: dtypes.int16, 4: dtypes.int32, 8: dtypes.int64}

# What a function does with dtypes: the kinds it takes, and whether it computes in floating point only.
NUMERIC, REAL, INTEGRAL_OR_BOOL, ANY, FLOATING, REAL_FLOATING, COMPLEX = (
    ("iufc", False),
    ("iuf", False),
    ("biu", False),
    ("biufc", False),
    ("biufc", True),
    ("biuf", True),
    ("c", False),
)

# One operand: function -> (dtypes, op type for floating and complex dtypes).
UNARY: dict[str, tuple[tuple[str, bool], str]] = {
    "acos": (FLOATING, "Acos"),
    "acosh": (FLOATING, "Acosh"),
    "asin": (FLOATING, "Asin"),
    "asinh": (FLOATING, "Asinh"),
    "atan": (FLOATING, "Atan"),
    "atanh": (FLOATING, "Atanh"),
    "cos": (FLOATING, "Cos"),
    "cosh": (FLOATING, "Cosh"),
    "exp": (FLOATING, "Exp"),
    "expm1": (FLOATING, "Expm1"),
    "log": (FLOATING, "Log"),
    "log1p": (FLOATING, "Log1p"),
    "reciprocal": (FLOATING, "Reciprocal"),
    "sin": (FLOATING, "Sin"),
    "sinh": (FLOATING, "Sinh"),
    "sqrt": (FLOATING, "Sqrt"),
    "square": (NUMERIC, "Square"),
    "tan": (FLOATING, "Tan"),
    "tanh": (FLOATING, "Tanh"),
    "negative": (NUMERIC, "Neg"),
}

# Two operands of one dtype: function -> (dtypes, op type).
BINARY: dict[str, tuple[tuple[str, bool], str]] = {
    "add": (ANY, "Add"),
    "atan2": (REAL_FLOATING, "Atan2"),
    "bitwise_and": (INTEGRAL_OR_BOOL, "BitwiseAnd"),
    "bitwise_left_shift": (("iu", False), "LeftShift"),
    "bitwise_or": (INTEGRAL_OR_BOOL, "BitwiseOr"),
    "bitwise_right_shift": (("iu", False), "RightShift"),
    "bitwise_xor": (INTEGRAL_OR_BOOL, "BitwiseXor"),
    "divide": (FLOATING, "RealDiv"),
    "equal": (ANY, "Equal"),
    "floor_divide": (REAL, "FloorDiv"),
    "greater": (("biuf", False), "Greater"),
    "greater_equal": (("biuf", False), "GreaterEqual"),
    "less": (("biuf", False), "Less"),
    "less_equal": (("biuf", False), "LessEqual"),
    "multiply": (ANY, "Mul"),
    "not_equal": (ANY, "NotEqual"),
    "remainder": (REAL, "FloorMod"),
    "subtract": (NUMERIC, "Sub"),
}

# The dtypes of the functions whose lowering is a function of its own below.
_OTHERS: dict[str, tuple[str, bool]] = {
    "abs": NUMERIC,
    "bitwise_invert": INTEGRAL_OR_BOOL,
    "ceil": REAL,
    "clip": REAL,
    "conj": NUMERIC,
    "copysign": REAL_FLOATING,
    "floor": REAL,
    "hypot": REAL_FLOATING,
    "isfinite": ANY,
    "isinf": ANY,
    "isnan": ANY,
    "log10": FLOATING,
    "log2": FLOATING,
    "logaddexp": REAL_FLOATING,
    "logical_and": ANY,
    "logical_not": ANY,
    "logical_or": ANY,
    "logical_xor": ANY,
    "maximum": ("biuf", False),
    "minimum": ("biuf", False),
    "nextafter": REAL_FLOATING,
    "positive": NUMERIC,
    "pow": NUMERIC,
    "round": NUMERIC,
    "sign": NUMERIC,
    "signbit": REAL_FLOATING,
    "trunc": REAL,
}

ACCEPTS: dict[str, tuple[str, bool]] = {
    **{function: accepted for function, (accepted, _) in UNARY.items()},
    **{function: accepted for function, (accepted, _) in BINARY.items()},
    **_OTHERS,
}

_KIND_WORDS = {"b": "bool", "i": "signed integer", "u": "unsigned integer", "f": "floating", "c": "complex"}

# bool has no arithmetic of its own on the device: what NumPy makes of it in these ops.
_BOOL_OPS = {
    "Add": "LogicalOr",
    "Mul": "LogicalAnd",
    "BitwiseAnd": "LogicalAnd",
    "BitwiseOr": "LogicalOr",
    "BitwiseXor": "NotEqual",
    "Maximum": "LogicalOr",
    "Minimum": "LogicalAnd",
}


def operand_dtype(function: str, dtype: DType) -> DType:
    """The dtype in which `function` computes for operands promoted to `dtype`.

    Raises:
        TypeError: the function does not take that dtype.
    """
    kinds, floating_only = ACCEPTS[function]
    if dtype.kind not in kinds:
        taken = ", ".join(_KIND_WORDS[kind] for kind in kinds)
        raise TypeError(f"{function}: a tensor of {dtype} is not taken; the function takes {taken} dtypes")
    if floating_only and dtype.kind in "biu":
        return promotion.default_float()
    return dtype


def _prepare(b: Builder, *operands: Value) -> tuple[Value, ...]:
    """The operands, cast to the dtype in which the function computes."""
    common = operands[0].dtype
    for operand in operands[1:]:
        common = promotion.promote(common, operand.dtype)
    common = operand_dtype(b.function, common)
    return tuple(b.cast(operand, common) for operand in operands)


# The rows of the tables whose op needs a step more, for some dtypes.
_WITH_MORE_STEPS = ("expm1", "floor_divide", "negative", "square", "tanh")


@lowering(*(function for function in UNARY if function not in _WITH_MORE_STEPS))
def _unary(b: Builder, x: Value) -> Value:
    (x,) = _prepare(b, x)
    return b.op(UNARY[b.function][1], x, shape=x.shape)


@lowering(*(function for function in BINARY if function not in _WITH_MORE_STEPS))
def _binary(b: Builder, x1: Value, x2: Value) -> Value:
    x1, x2 = _prepare(b, x1, x2)
    op_type = BINARY[b.function][1]
    if op_type == "RealDiv" and x1.dtype is dtypes.complex64 and b.has_kernel("Div", *[x1.dtype] * 3):
        # RealDiv serves complex64 on the AI CPU; Div has it on the AI Core of some chips.
        op_type = "Div"
    return _on_bool_or_number(b, op_type, x1, x2)


def _on_bool_or_number(b: Builder, op_type: str, x1: Value, x2: Value) -> Value:
    if x1.dtype is dtypes.bool_:
        op_type = _BOOL_OPS.get(op_type, op_type)
    return b.elementwise(op_type, x1, x2)


@lowering("floor_divide")
def _floor_divide(b: Builder, x1: Value, x2: Value) -> Value:
    x1, x2 = _prepare(b, x1, x2)
    quotient = b.elementwise("FloorDiv", x1, x2)
    if x1.dtype.kind != "f":
        return quotient
    # With an infinity the standard wants the true quotient: an infinity again, or a zero with its sign. The op
    # gives NaN, or the -1 that the fraction below 0 rounds down to.
    infinite = b.elementwise("LogicalOr", *(b.op("IsInf", x, shape=x.shape) for x in (x1, x2)))
    return b.select(infinite, b.elementwise("RealDiv", x1, x2), quotient)


@lowering("expm1")
def _expm1(b: Builder, x: Value) -> Value:
    (x,) = _prepare(b, x)
    grown = b.op("Expm1", x, shape=x.shape)
    if x.dtype.kind != "c" or not x.size:
        return grown
    # On the real axis, and where the real part is infinite and the imaginary one has no angle, the real part's
    # own value counts; the op's product with a sine or cosine would be NaN.
    real, imaginary = _part(b, x, 0), _part(b, x, 1)
    zero = b.literal(0, real.dtype)
    on_axis = b.elementwise("Equal", imaginary, zero)
    no_angle = b.op("LogicalNot", b.op("IsFinite", imaginary, shape=x.shape), shape=x.shape)
    settled = b.elementwise("LogicalAnd", b.op("IsInf", real, shape=x.shape), no_angle)
    # The sum makes -0 the 0 that the standard wants.
    alone = b.elementwise("Add", b.op("Expm1", real, shape=x.shape), zero)
    new_real = b.select(b.elementwise("LogicalOr", on_axis, settled), alone, _part(b, grown, 0))
    vanished = b.elementwise("LogicalAnd", settled, b.elementwise("Less", real, zero))
    new_imaginary = b.select(vanished, zero, b.select(on_axis, imaginary, _part(b, grown, 1)))
    return join_parts(b, new_real, new_imaginary)


@lowering("tanh")
def _tanh(b: Builder, x: Value) -> Value:
    (x,) = _prepare(b, x)
    bent = b.op("Tanh", x, shape=x.shape)
    if x.dtype.kind != "c" or not x.size:
        return bent
    # At infinity the imaginary part vanishes; its sign stays, where the op takes that of a sine.
    real, imaginary = _part(b, x, 0), _part(b, x, 1)
    bits = _bits(b, imaginary)
    least = b.literal(np.iinfo(bits.dtype.dtype).min, bits.dtype)
    signed_zero = b.view(b.elementwise("BitwiseAnd", bits, least), imaginary.dtype)
    at_infinity = b.op("IsInf", real, shape=x.shape)
    return join_parts(b, _part(b, bent, 0), b.select(at_infinity, signed_zero, _part(b, bent, 1)))


def _part(b: Builder, x: Value, which: int) -> Value:
    """The real (0) or imaginary (1) parts of a complex value that is not empty, in a buffer of their own."""
    flat = b.view(b.parts(x), shape=(2 * x.size,))
    strided = b.op("AsStrided", flat, b.const([x.size]), b.const([2]), b.const([which]), shape=(x.size,))
    return b.view(strided, shape=x.shape)


@lowering("negative")
def _negative(b: Builder, x: Value) -> Value:
    (x,) = _prepare(b, x)
    return b.op("Neg", x, shape=x.shape)


@lowering("square")
def _square(b: Builder, x: Value) -> Value:
    (x,) = _prepare(b, x)
    return b.elementwise("Mul", x, x)


@lowering("positive", "conj")
def _conj(b: Builder, x: Value) -> Value:
    (x,) = _prepare(b, x)
    if b.function == "conj" and x.dtype.kind == "c":
        return b.op("Conj", x, shape=x.shape)
    return b.copy(x)


@lowering("abs")
def _abs(b: Builder, x: Value) -> Value:
    (x,) = _prepare(b, x)
    if x.dtype.kind == "u":
        return b.copy(x)
    if x.dtype.kind == "c":
        return complex_abs(b, x)
    return b.op("Abs", x, shape=x.shape)


def complex_abs(b: Builder, x: Value) -> Value:
    """The magnitudes of complex numbers, without overflow on the way."""
    real = dtypes.REAL_OF[x.dtype]
    return b.op("ComplexAbs", x, shape=x.shape, dtype=real, attrs={"Tout": real.code})


@lowering("sign")
def _sign(b: Builder, x: Value) -> Value:
    (x,) = _prepare(b, x)
    if x.dtype.kind == "u":
        return b.cast(b.elementwise("NotEqual", x, b.literal(0, x.dtype)), x.dtype)
    return b.op("Sign", x, shape=x.shape)


@lowering("ceil", "floor", "trunc", "round")
def _round(b: Builder, x: Value) -> Value:
    (x,) = _prepare(b, x)
    if x.dtype.kind in "iu":
        return b.copy(x)
    if x.dtype.kind == "c":
        rounded = _rounded(b, b.parts(x))
        return b.view(rounded, x.dtype, x.shape)
    return _rounded(b, x)


def _rounded(b: Builder, x: Value) -> Value:
    if b.function == "trunc" and not b.has_kernel("Trunc", x.dtype, x.dtype):
        below_zero = b.elementwise("Less", x, b.literal(0, x.dtype))
        return b.select(below_zero, b.op("Ceil", x, shape=x.shape), b.op("Floor", x, shape=x.shape))
    op_type = {"ceil": "Ceil", "floor": "Floor", "trunc": "Trunc", "round": "Rint"}[b.function]
    return b.op(op_type, x, shape=x.shape)


@lowering("isfinite", "isinf", "isnan")
def _classify(b: Builder, x: Value) -> Value:
    (x,) = _prepare(b, x)
    if x.dtype.kind in "biu":
        return b.fill(b.function == "isfinite", dtypes.bool_, x.shape)
    return classified(b, b.function, x)


def classified(b: Builder, function: str, x: Value) -> Value:
    """`isfinite`, `isinf` or `isnan` of floating or complex numbers."""
    op_type = {"isfinite": "IsFinite", "isinf": "IsInf", "isnan": "IsNan"}[function]
    if x.dtype.kind != "c":
        return b.op(op_type, x, shape=x.shape)
    parts = b.parts(x)
    told = b.op(op_type, parts, shape=parts.shape)
    return b.reduce("ReduceAll" if function == "isfinite" else "ReduceAny", told, (x.ndim,), keepdims=False)


@lowering("log2", "log10")
def _log_base(b: Builder, x: Value) -> Value:
    (x,) = _prepare(b, x)
    base = 2.0 if b.function == "log2" else 10.0
    if x.dtype.itemsize <= 4:
        return b.op("Log", x, shape=x.shape, attrs={"base": base})
    # Only the AI Core's Log is known to heed its base; elsewhere the natural logarithm is scaled.
    natural = b.op("Log", x, shape=x.shape)
    scaled = b.parts(natural) if x.dtype.kind == "c" else natural
    scaled = b.elementwise("RealDiv", scaled, b.literal(log(base), scaled.dtype))
    return b.view(scaled, x.dtype, x.shape)


def as_bool(b: Builder, x: Value) -> Value:
    """Whether each element is other than zero."""
    return x if x.dtype is dtypes.bool_ else b.elementwise("NotEqual", x, b.literal(0, x.dtype))


@lowering("logical_not")
def _logical_not(b: Builder, x: Value) -> Value:
    return b.op("LogicalNot", as_bool(b, x), shape=x.shape)


@lowering("logical_and", "logical_or", "logical_xor")
def _logical(b: Builder, x1: Value, x2: Value) -> Value:
    op_type = {"logical_and": "LogicalAnd", "logical_or": "LogicalOr", "logical_xor": "NotEqual"}[b.function]
    return b.elementwise(op_type, as_bool(b, x1), as_bool(b, x2))


@lowering("bitwise_invert")
def _invert(b: Builder, x: Value) -> Value:
    (x,) = _prepare(b, x)
    if x.dtype is dtypes.bool_:
        return b.op("LogicalNot", x, shape=x.shape)
    if x.dtype.itemsize in (4, 8):
        # Invert has no wide integers on the AI Core; BitwiseXor with all ones has.
        return b.elementwise("BitwiseXor", x, b.literal(-1 if x.dtype.kind == "i" else _all_ones(x), x.dtype))
    return b.op("Invert", x, shape=x.shape)


def _all_ones(x: Value) -> int:
    return int(2 ** (8 * x.dtype.itemsize) - 1)


@lowering("maximum", "minimum")
def _extremum(b: Builder, x1: Value, x2: Value) -> Value:
    x1, x2 = _prepare(b, x1, x2)
    if x1.dtype is dtypes.uint64:
        # No engine compares two uint64 for the larger one, but Greater and SelectV2 take them.
        op_type = "Greater" if b.function == "maximum" else "Less"
        return b.select(b.elementwise(op_type, x1, x2), x1, x2)
    return _on_bool_or_number(b, "Maximum" if b.function == "maximum" else "Minimum", x1, x2)


@lowering("clip")
def _clip(b: Builder, x: Value, *rest: Value | bool) -> Value:
    """rest: the bounds that there are, then whether there is a lower and an upper one."""
    *bounds, has_min, has_max = rest
    x, *limits = _prepare(b, x, *bounds)  # type: ignore[arg-type]
    remaining = iter(limits)
    for wanted, op_type, picks in ((has_min, "Maximum", "Greater"), (has_max, "Minimum", "Less")):
        if not wanted:
            continue
        limit = next(remaining)
        if x.dtype is dtypes.uint64:
            x = b.select(b.elementwise(picks, x, limit), x, limit)
        else:
            x = b.elementwise(op_type, x, limit)
    return x if limits else b.copy(x)


def _bits(b: Builder, x: Value) -> Value:
    return b.view(x, _SAME_WIDTH_INT[x.dtype.itemsize])


@lowering("signbit")
def _signbit(b: Builder, x: Value) -> Value:
    (x,) = _prepare(b, x)
    bits = _bits(b, x)
    return b.elementwise("Less", bits, b.literal(0, bits.dtype))


@lowering("copysign")
def _copysign(b: Builder, x1: Value, x2: Value) -> Value:
    magnitude, sign = (_bits(b, x) for x in _prepare(b, x1, x2))
    info = np.iinfo(magnitude.dtype.dtype)
    kept = b.elementwise("BitwiseAnd", magnitude, b.literal(info.max, magnitude.dtype))
    taken = b.elementwise("BitwiseAnd", sign, b.literal(info.min, magnitude.dtype))
    joined = b.elementwise("BitwiseOr", kept, taken)
    return b.view(joined, operand_dtype(b.function, promotion.promote(x1.dtype, x2.dtype)))


@lowering("hypot")
def _hypot(b: Builder, x1: Value, x2: Value) -> Value:
    x1, x2 = _prepare(b, x1, x2)
    dtype = x1.dtype
    # A complex number's magnitude: the op that neither overflows nor underflows on the way.
    real = dtype if dtype in dtypes.COMPLEX_OF else dtypes.float32
    return b.cast(complex_abs(b, join_parts(b, b.cast(x1, real), b.cast(x2, real))), dtype)


def join_parts(b: Builder, real: Value, imaginary: Value) -> Value:
    """The complex value of two real ones of float32 or float64."""
    dtype = dtypes.COMPLEX_OF[real.dtype]
    return b.elementwise("Complex", real, imaginary, dtype=dtype, attrs={"Tout": dtype.code})


@lowering("logaddexp")
def _logaddexp(b: Builder, x1: Value, x2: Value) -> Value:
    x1, x2 = _prepare(b, x1, x2)
    if x1.dtype is not dtypes.float64:
        return b.elementwise("LogAddExp", x1, x2)
    # log(e^x1 + e^x2) = larger + log1p(e^-|x1 - x2|); equal infinities have no difference and stay.
    larger = b.elementwise("Maximum", x1, x2)
    difference = b.elementwise("Sub", x1, x2)
    distance = b.op("Neg", b.op("Abs", difference, shape=larger.shape), shape=larger.shape)
    tail = b.op("Log1p", b.op("Exp", distance, shape=larger.shape), shape=larger.shape)
    equal = b.elementwise("Equal", x1, x2)
    return b.elementwise("Add", larger, b.select(equal, b.literal(log(2), x1.dtype), tail))


@lowering("nextafter")
def _nextafter(b: Builder, x1: Value, x2: Value) -> Value:
    x1, x2 = _prepare(b, x1, x2)
    return b.elementwise("NextAfter", x1, x2) if x1.dtype.itemsize > 2 else _next_bits(b, x1, x2)


def _next_bits(b: Builder, x1: Value, x2: Value) -> Value:
    """Neighbours in a dtype of two bytes, which no engine's NextAfter has: floats are ordered as their bits are."""
    zero = b.literal(0, x1.dtype)
    bits1, bits2 = _bits(b, x1), _bits(b, x2)
    one, minus_one, sign_bit = (b.literal(value, bits1.dtype) for value in (1, -1, -(2**15)))
    from_zero = b.elementwise("Equal", b.elementwise("Less", x1, x2), b.elementwise("Greater", x1, zero))
    moved = b.elementwise("Add", bits1, b.select(from_zero, one, minus_one))
    # Beside zero is the smallest number, with the sign of where it goes.
    least = b.elementwise("BitwiseOr", b.elementwise("BitwiseAnd", bits2, sign_bit), one)
    moved = b.select(b.elementwise("Equal", x1, zero), least, moved)
    moved = b.select(b.elementwise("Equal", x1, x2), bits2, moved)
    missing = b.elementwise("LogicalOr", *(b.elementwise("NotEqual", x, x) for x in (x1, x2)))
    return b.select(missing, b.elementwise("Add", x1, x2), b.view(moved, x1.dtype))


@lowering("pow")
def _pow(b: Builder, x1: Value, x2: Value) -> Value:
    x1, x2 = _prepare(b, x1, x2)
    if x1.dtype is not dtypes.uint64:
        return b.elementwise("Pow", x1, x2)
    # Powers modulo 2^64 repeat with a period of 2^62 from an exponent of 64 on, so an exponent beyond
    # int64 gives the same power as one within it that keeps its low bits and stays large.
    base, exponent = (b.view(x, dtypes.int64) for x in (x1, x2))
    low = b.elementwise("BitwiseAnd", exponent, b.literal(2**62 - 1, dtypes.int64))
    large = b.elementwise("BitwiseOr", low, b.literal(2**62, dtypes.int64))
    beyond = b.elementwise("Less", exponent, b.literal(0, dtypes.int64))
    return b.view(b.elementwise("Pow", base, b.select(beyond, large, exponent)), dtypes.uint64)
