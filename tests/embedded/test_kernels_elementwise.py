"""Element-wise kernels and those that pick parts of complex numbers."""

from __future__ import annotations

import cmath
import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import mutually_broadcastable_shapes
from test_kernels import Array, cases, check, complete, rounded, rows_of, run, samples, truncated, wide

from ascendtensor.embedded.kernels import ELEMENTWISE, KERNELS
from ops_registry import dtypes
from ops_registry.prototype import PROTOTYPES

# In floating dtypes (float16 and bfloat16 in float32): NumPy's expression of the same thing.
FLOATING: dict[str, Callable[..., Any]] = {
    "Abs": np.fabs,
    "Acos": np.arccos,
    "Acosh": np.arccosh,
    "Add": lambda x, y: x + y,
    "Asin": np.arcsin,
    "Asinh": np.arcsinh,
    "Atan": np.arctan,
    "Atan2": np.arctan2,
    "Atanh": np.arctanh,
    "Ceil": lambda x: -np.floor(-x),
    "ClipByValueV2": lambda x, low, high: np.minimum(np.maximum(x, low), high),
    "Cos": np.cos,
    "Cosh": np.cosh,
    "Div": lambda x, y: x / y,
    "Equal": lambda x, y: x == y,
    "Exp": np.exp,
    "Expm1": np.expm1,
    "Floor": np.floor,
    "FloorDiv": lambda x, y: x // y,
    "FloorMod": lambda x, y: x % y,
    "Greater": lambda x, y: x > y,
    "GreaterEqual": lambda x, y: x >= y,
    "IsFinite": lambda x: np.abs(x) < np.inf,
    "IsInf": lambda x: np.abs(x) == np.inf,
    "IsNan": lambda x: x != x,
    "Less": lambda x, y: y > x,
    "LessEqual": lambda x, y: y >= x,
    "Log": np.log,
    "Log1p": np.log1p,
    "LogAddExp": np.logaddexp,
    "Maximum": lambda x, y: np.where(np.isnan(x) | np.isnan(y), np.nan, np.where(x >= y, x, y)),
    "Minimum": lambda x, y: np.where(np.isnan(x) | np.isnan(y), np.nan, np.where(x <= y, x, y)),
    "Mul": lambda x, y: x * y,
    "Neg": lambda x: -x,
    "NextAfter": np.nextafter,
    "NotEqual": lambda x, y: ~(x == y),
    "OnesLike": np.ones_like,
    "Pow": lambda x, y: x**y,
    "RealDiv": lambda x, y: x / y,
    "Reciprocal": lambda x: 1 / x,
    "Rint": np.rint,
    "Round": np.rint,
    "SelectV2": lambda condition, x, y: np.where(condition, x, y),
    "Sign": lambda x: np.where(x > 0, 1, np.where(x < 0, -1, np.where(x == 0, 0, np.nan))),
    "Sin": np.sin,
    "Sinh": np.sinh,
    "Sqrt": np.sqrt,
    "Square": lambda x: x * x,
    "Sub": lambda x, y: x - y,
    "Tan": np.tan,
    "Tanh": np.tanh,
    "TensorMove": lambda x: x,
    "Trunc": lambda x: np.copysign(np.floor(np.abs(x)), x),
    "ZerosLike": np.zeros_like,
}
COMPLEX: dict[str, Callable[..., Any]] = {
    **FLOATING,
    "ClipByValueV2": np.clip,
    "Conj": lambda x: x.conj(),
    "Sign": np.sign,
    # Unlike the factors' product, NumPy's square and reciprocal.
    "Reciprocal": np.reciprocal,
    "Square": np.square,
}


def _power(x: int, y: int) -> int:
    return pow(x, y, 2**64) if y >= 0 else {1: 1, -1: 1 if y % 2 == 0 else -1}.get(x, 0)


def _shifted(x: int, y: int, width: int, left: bool) -> int:
    outside = not 0 <= y < width
    if left:
        return 0 if outside else x << y
    return x >> (width if outside else y)


# In integers: Python's, without bounds; the result then wraps. bool counts as 0 and 1.
INTEGER: dict[str, Callable[..., Any]] = {
    "Abs": abs,
    "Add": lambda x, y: x + y,
    "BitwiseAnd": lambda x, y: x & y,
    "BitwiseOr": lambda x, y: x | y,
    "BitwiseXor": lambda x, y: x ^ y,
    "ClipByValueV2": lambda x, low, high: min(max(x, low), high),
    "Div": truncated,
    "Equal": lambda x, y: x == y,
    "FloorDiv": lambda x, y: x // y if y else 0,
    "FloorMod": lambda x, y: x % y if y else 0,
    "Greater": lambda x, y: x > y,
    "GreaterEqual": lambda x, y: x >= y,
    "Invert": lambda x: ~x,
    "IsFinite": lambda x: True,
    "Less": lambda x, y: x < y,
    "LessEqual": lambda x, y: x <= y,
    "LogicalAnd": lambda x, y: x and y,
    "LogicalNot": lambda x: not x,
    "LogicalOr": lambda x, y: x or y,
    "Maximum": max,
    "Minimum": min,
    "Mul": lambda x, y: x * y,
    "Neg": lambda x: -x,
    "NotEqual": lambda x, y: x != y,
    "OnesLike": lambda x: 1,
    "Pow": _power,
    "RealDiv": truncated,
    "Round": lambda x: x,
    "SelectV2": lambda condition, x, y: x if condition else y,
    "Sign": lambda x: (x > 0) - (x < 0),
    "Square": lambda x: x * x,
    "Sub": lambda x, y: x - y,
    "Tan": lambda x: int(math.tan(x)),
    "TensorMove": lambda x: x,
    "Trunc": lambda x: x,
    "ZerosLike": lambda x: 0,
}

# Those whose rows mix kinds have tests of their own.
IN_TABLES = {*FLOATING, *COMPLEX, *INTEGER, "LeftShift", "RightShift"}


def expected(op_type: str, operands: list[Array], out_dtype: Any) -> Array:
    out_dtype = np.dtype(out_dtype)
    kind = operands[-1].dtype.kind
    with np.errstate(all="ignore"):
        if kind in "biu" and not (op_type == "RealDiv" and kind == "b"):
            return _python(op_type, operands, out_dtype)
        values = [wide(x) if x.dtype != np.bool_ else x for x in operands]
        if kind == "b":
            values = [x.astype(np.float32) for x in values]
        table = COMPLEX if kind == "c" else FLOATING
        return rounded(table[op_type](*values), out_dtype)


def _python(op_type: str, operands: list[Array], out_dtype: np.dtype[Any]) -> Array:
    function = INTEGER[op_type]
    extra = ()
    if op_type in ("LeftShift", "RightShift"):
        function, extra = _shifted, (8 * out_dtype.itemsize, op_type == "LeftShift")
    spread = np.broadcast_arrays(*operands)
    values = [function(*items, *extra) for items in zip(*(x.ravel().tolist() for x in spread), strict=True)]
    if op_type == "Sub" and out_dtype == np.bool_:
        values = [value % 2 for value in values]
    if out_dtype != np.bool_:
        values = [int(value) % 2 ** (8 * out_dtype.itemsize) for value in values]
        unsigned = np.array(values, f"u{out_dtype.itemsize}")
        return unsigned.view(out_dtype).reshape(spread[0].shape)
    return np.array(values, np.bool_).reshape(spread[0].shape)


INTEGER |= {"LeftShift": _shifted, "RightShift": _shifted}


@pytest.mark.parametrize(("op_type", "row"), cases(IN_TABLES))
def test_elementwise(op_type: str, row: tuple[dtypes.DType, ...]) -> None:
    *ins, out = (dtype.dtype for dtype in row)
    # Every special value against every other, in broadcast.
    count = 2 if out.kind == "c" or len(ins) == 3 else 6
    operands = [samples(dtype, count, seed) for seed, dtype in enumerate(ins)]
    step = 7 if out.kind == "c" and len(ins) > 1 else 3 if len(ins) == 3 else 1
    operands = [x[::step] for x in operands]
    crossed = [x.reshape([-1 if i == axis else 1 for i in range(len(ins))]) for axis, x in enumerate(operands)]
    if op_type == "Tan" and out.kind == "i":
        crossed = [np.arange(-20, 20, dtype=out)]
    shapes: list[list[Array]] = [
        crossed,
        [x[-1].reshape(()) for x in operands],
        [np.resize(x, (0, 3)) for x in operands],
        [np.resize(x, (2, 3) if axis == 0 else (3,)) for axis, x in enumerate(operands)],
    ]
    for inputs in shapes:
        got = run(op_type, inputs)
        assert got.dtype == out
        # Of 0.0 and -0.0 neither is the larger one.
        check(got, expected(op_type, inputs, out), signed_zeros=op_type not in ("Maximum", "Minimum"))


IN_PLACE = [case for case in cases(IN_TABLES) if case.values[1][-1] in case.values[1][:-1]]


@pytest.mark.parametrize(("op_type", "row"), IN_PLACE)
def test_elementwise_in_place(op_type: str, row: tuple[dtypes.DType, ...]) -> None:
    *ins, out = (dtype.dtype for dtype in row)
    attrs = complete(op_type)
    for aliased, dtype in enumerate(ins):
        if dtype != out:
            continue
        operands = [np.resize(samples(dtype, 6, seed)[::-1], (4, 9)) for seed, dtype in enumerate(ins)]
        wanted = run(op_type, operands)
        inputs = [x.copy() for x in operands]
        KERNELS[op_type](inputs, [inputs[aliased]], attrs)
        np.testing.assert_array_equal(wide(inputs[aliased]), wide(wanted))


@pytest.mark.parametrize("op_type", sorted(ELEMENTWISE))
def test_elementwise_piece_by_piece(op_type: str) -> None:
    *ins, out = (dtype.dtype for dtype in rows_of(op_type)[0])
    attrs = complete(op_type)
    inputs = [np.resize(samples(dtype, 6, seed), (40, 40)) for seed, dtype in enumerate(ins)]
    whole, pieces = np.empty((40, 40), out), np.empty((40, 40), out)
    KERNELS[op_type](inputs, [whole], attrs)
    for rows, columns in itertools.product((slice(17), slice(17, 40)), repeat=2):
        KERNELS[op_type]([x[rows, columns] for x in inputs], [pieces[rows, columns]], attrs)
    check(pieces, whole)


BINARY = sorted(op_type for op_type in IN_TABLES if len(PROTOTYPES[op_type].inputs) == 2)


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_binary_broadcast(data: st.DataObject) -> None:
    op_type = data.draw(st.sampled_from(BINARY))
    row = data.draw(st.sampled_from(rows_of(op_type)))
    shapes = data.draw(mutually_broadcastable_shapes(num_shapes=2, max_dims=4, max_side=4))
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    *ins, out = (dtype.dtype for dtype in row)
    inputs = [rng.choice(samples(dtype, 20, 5), shape) for dtype, shape in zip(ins, shapes.input_shapes, strict=True)]
    got = run(op_type, inputs)
    assert got.shape == shapes.result_shape
    check(got, expected(op_type, inputs, out), signed_zeros=op_type not in ("Maximum", "Minimum"))


@pytest.mark.parametrize(("op_type", "row"), cases({"Cast"}))
def test_cast(op_type: str, row: tuple[dtypes.DType, ...]) -> None:
    x = samples(row[0].dtype)
    if row[1].kind in "iu" and row[0].kind in "fc":
        # What lies outside the target's range is nobody's promise, but must not warn.
        run(op_type, [x], dst_type=row[1].code)
        x = np.array([0, 1, 2.5, 100.75, 3], row[0].dtype)
    got = run(op_type, [x], dst_type=row[1].code)
    assert got.dtype == row[1].dtype
    if row[1] is dtypes.bool_:
        check(got, [bool(value != 0) for value in x.tolist()])
    else:
        check(got, rounded(x, row[1].dtype), slack=0)
    for shape in ((), (0, 2), (1, 1)):
        assert run(op_type, [np.zeros(shape, row[0].dtype)], dst_type=row[1].code).shape == shape


@pytest.mark.parametrize(("op_type", "row"), cases({"Complex", "ComplexAbs", "Imag", "Real"}))
def test_complex_parts(op_type: str, row: tuple[dtypes.DType, ...]) -> None:
    *ins, out = (dtype.dtype for dtype in row)
    inputs = [np.resize(samples(dtype, 6, seed), (5, 40)) for seed, dtype in enumerate(ins)]
    with np.errstate(all="ignore"):
        if op_type == "ComplexAbs":
            wanted = np.reshape([_complex_abs(z) for z in inputs[0].ravel().tolist()], (5, 40))
        elif op_type == "Complex":
            wanted = np.empty((5, 40), np.complex128)
            wanted.real, wanted.imag = inputs
        else:
            wanted = np.imag(inputs[0]) if op_type == "Imag" else np.real(inputs[0])
    got = run(op_type, inputs, out_dtype=out)
    # A magnitude has the precision of the input, whatever the output's.
    check(got.astype(np.float32) if inputs[0].dtype == np.complex64 and op_type == "ComplexAbs" else got, wanted)


def _complex_abs(z: complex) -> float:
    try:
        return abs(z)
    except OverflowError:
        return math.inf


@pytest.mark.parametrize(
    ("op_type", "given_dtype", "tout", "told"),
    [
        ("Real", "complex64", 0, "float32"),
        ("Real", "complex128", 0, "float64"),
        ("Real", "complex128", 11, "float64"),
        ("Real", "float16", 0, "float16"),
        ("Imag", "complex128", 0, "float64"),
        ("ComplexAbs", "complex128", 0, "float64"),
        ("ComplexAbs", "complex64", 11, "float64"),
        ("Complex", "float64", 16, "complex128"),
        ("Complex", "float32", 16, "complex64"),
        ("Complex", "float32", 17, "complex128"),
    ],
)
def test_the_input_decides_where_tout_has_its_default(op_type: str, given_dtype: str, tout: int, told: str) -> None:
    x = np.zeros(3, given_dtype)
    assert run(op_type, [x, x] if op_type == "Complex" else [x], Tout=tout).dtype == told


ATTRIBUTED = [-1.0, 2.0, 10.0, 3.0]


@pytest.mark.parametrize("base", ATTRIBUTED)
@pytest.mark.parametrize(("scale", "shift"), [(1.0, 0.0), (0.5, 2.0), (-1.0, 0.0)])
@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64", "complex64", "complex128"])
def test_exponentials_and_logarithms_of_a_base(dtype: str, base: float, scale: float, shift: float) -> None:
    x = np.array([0.25, 0.5, 1, 2, 3, 4, 1.75], dtype)
    if dtype.startswith("complex"):
        x = x + np.array(0.5j, dtype)
    attrs = {"base": base, "scale": scale, "shift": shift}
    e = math.e if base == -1 else base
    inner = [scale * value + shift for value in wide(x).tolist()]
    check(run("Exp", [x], **attrs), [e**value for value in inner], slack=32)
    logs = [cmath.log(value) / math.log(e) if value.imag or value.real > 0 else math.nan for value in inner]
    if dtype.startswith("complex"):
        logs = [cmath.log(value) / math.log(e) for value in inner]
    check(run("Log", [x], **attrs), logs, slack=32)
    if not dtype.startswith("complex") and dtype != "float64":
        y = x[::-1].copy()
        sums = [e**a + e**b for a, b in zip(inner, inner[::-1], strict=True)]
        check(run("LogAddExp", [x, y], **attrs), [math.log(value) / math.log(e) for value in sums], slack=32)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
def test_logarithms_of_exact_powers_are_exact(dtype: str) -> None:
    twos = np.array([2.0**k for k in range(-10, 11)], dtype)
    np.testing.assert_array_equal(run("Log", [twos], base=2.0).tolist(), list(range(-10, 11)))
    tens = np.array([10.0**k for k in range(3)], dtype)
    np.testing.assert_array_equal(run("Log", [tens], base=10.0).tolist(), [0, 1, 2])
    powers = np.arange(-5, 6).astype(dtype)
    np.testing.assert_array_equal(run("Exp", [powers], base=2.0).tolist(), [2.0**k for k in range(-5, 6)])


@pytest.mark.parametrize("base", [0.0, -2.0])
def test_a_base_that_has_no_logarithm_does_not_raise(base: float) -> None:
    for op_type in ("Exp", "Log"):
        assert run(op_type, [np.ones(2, np.float32)], base=base).shape == (2,)


@pytest.mark.parametrize("dtype", ["int32", "int64", "float16", "bfloat16", "float32", "float64"])
@pytest.mark.parametrize("decimals", [0, 1, -1])
def test_round_to_decimals(dtype: str, decimals: int) -> None:
    x = np.array([0, 15, 25, -35, 7, 104], dtype)
    if x.dtype.kind not in "iu":
        x = (x / np.array(8, dtype)).astype(dtype)
    check(run("Round", [x], decimals=decimals), np.round(wide(x), decimals))
