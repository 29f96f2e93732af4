"""Every kernel, for every row of dtypes that its prototype allows anywhere, against NumPy or plain Python."""

from __future__ import annotations

import cmath
import itertools
import math
from collections.abc import Callable, Iterator
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, mutually_broadcastable_shapes

import ops_registry.prototypes  # noqa: F401
from ascendtensor.embedded.kernels import ELEMENTWISE, KERNELS
from ascendtensor.embedded.shapes import Facts, infer
from ops_registry import dtypes
from ops_registry.prototype import PROTOTYPES

BFLOAT16 = np.dtype(ml_dtypes.bfloat16)
NARROW = (np.dtype(np.float16), BFLOAT16)
Array = np.ndarray


def rows_of(op_type: str) -> list[tuple[dtypes.DType, ...]]:
    rows = set().union(*PROTOTYPES[op_type].rows.values())
    return sorted(rows, key=lambda row: [dtype.code for dtype in row])


def cases(op_types: Any) -> list[Any]:
    return [
        pytest.param(op_type, row, id=f"{op_type}-{'/'.join(dtype.short for dtype in row)}")
        for op_type in sorted(op_types)
        for row in rows_of(op_type)
    ]


def run(op_type: str, inputs: list[Any], out_dtype: Any = None, **attrs: Any) -> Array:
    """The output of a kernel in an array as `infer` describes it, unless `out_dtype` chooses another dtype."""
    prototype = PROTOTYPES[op_type]
    complete = {attr.name: attr.default for attr in prototype.attrs.values()} | attrs
    facts = [None if x is None else Facts(dtypes.of(x.dtype), x.shape, x) for x in inputs]
    (out_facts,) = infer(op_type, facts, complete)
    out = np.zeros(out_facts.shape, out_dtype or out_facts.dtype.dtype)
    before = [None if x is None else x.tobytes() for x in inputs]
    KERNELS[op_type](inputs, [out], complete)
    assert before == [None if x is None else x.tobytes() for x in inputs], "the kernel changed an input"
    return out


def wide(x: Array) -> Array:
    return x.astype(np.float32) if x.dtype in NARROW else x


def rounded(values: Any, dtype: Any) -> Array:
    with np.errstate(all="ignore"):
        values = np.asarray(values)
        if values.dtype.kind == "c" and np.dtype(dtype).kind not in "cb":
            values = values.real
        return values.astype(dtype)


def check(got: Array, wanted: Any, slack: float = 8, signed_zeros: bool = True) -> None:
    """Exact, but for `slack` times the precision of a floating dtype."""
    wanted = np.asarray(wanted)
    assert got.shape == wanted.shape
    wanted = rounded(wanted, got.dtype)
    if got.dtype.kind in "biu":
        np.testing.assert_array_equal(got, wanted)
        return
    info = ml_dtypes.finfo(got.dtype)
    if got.dtype.kind == "c":
        # A part may lose digits to the other, so both are measured by the larger.
        with np.errstate(all="ignore"):
            size = np.maximum(np.abs(wanted.real), np.abs(wanted.imag))
            near = (np.abs(got.real - wanted.real) <= slack * info.eps * size) & (
                np.abs(got.imag - wanted.imag) <= slack * info.eps * size
            )
        same = np.isnan(got) & np.isnan(wanted)
        for part in ("real", "imag"):
            a, b = getattr(got, part), getattr(wanted, part)
            near |= same
            assert np.all(near | (a == b) | (np.isnan(a) & np.isnan(b))), (got, wanted)
        return
    kwargs = {"rtol": slack * float(info.eps), "atol": 4 * float(info.smallest_subnormal), "equal_nan": True}
    np.testing.assert_allclose(got.astype(np.float64), wanted.astype(np.float64), **kwargs)
    zero = (got == 0) & (wanted == 0) & signed_zeros
    np.testing.assert_array_equal(np.signbit(wide(got))[zero], np.signbit(wide(wanted))[zero])


def samples(dtype: Any, count: int = 6, seed: int = 0) -> Array:
    """The special values of a dtype and some random ones, 1-D."""
    dtype = np.dtype(dtype)
    rng = np.random.default_rng(seed)
    if dtype == np.bool_:
        return np.array([False, True] + [bool(bit) for bit in rng.integers(0, 2, count)])
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        special = [0, 1, 2, 3, 7, 8, 31, 33, 64, 100, info.max, info.max - 1, info.min, info.min + 1]
        special += [-1, -2, -3, -8, -64] if dtype.kind == "i" else []
        random = rng.integers(info.min, info.max, count, dtype=dtype, endpoint=True)
        return np.concatenate([np.array(special, dtype), random])
    if dtype.kind == "c":
        parts = samples(np.float32 if dtype == np.complex64 else np.float64, count, seed)
        keep = np.array([0, 1, 2, 3, 4, 8, 9, 10, 12, *range(len(parts) - count, len(parts))])
        parts = parts[keep]
        crossed = np.empty((len(parts), len(parts)), dtype)
        crossed.real, crossed.imag = parts[:, None], parts[::-1]
        return crossed.reshape(-1)
    info = ml_dtypes.finfo(dtype)
    special = [0.0, -0.0, 1, -1, 0.5, 1.5, 2.5, -2.5, -0.5, np.inf, -np.inf, np.nan, 3, 8, 100, 1000, -100]
    special += [float(value) for value in (info.max, info.min, info.tiny, info.smallest_subnormal, info.eps)]
    return np.concatenate([np.array(special), rng.normal(0, 10, count)]).astype(dtype)


def test_there_is_a_kernel_for_every_op_type_and_no_other() -> None:
    assert set(KERNELS) == set(PROTOTYPES)


# Element-wise.

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


def _truncated(x: int, y: int) -> int:
    return 0 if y == 0 else (abs(x) // abs(y)) * (1 if (x < 0) == (y < 0) else -1)


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
    "Div": _truncated,
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
    "RealDiv": _truncated,
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
OWN_TESTS = {"Cast", "Complex", "ComplexAbs", "Imag", "Real"}


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


@pytest.mark.parametrize(("op_type", "row"), cases(ELEMENTWISE - OWN_TESTS))
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


IN_PLACE = [case for case in cases(ELEMENTWISE - OWN_TESTS) if case.values[1][-1] in case.values[1][:-1]]


@pytest.mark.parametrize(("op_type", "row"), IN_PLACE)
def test_elementwise_in_place(op_type: str, row: tuple[dtypes.DType, ...]) -> None:
    *ins, out = (dtype.dtype for dtype in row)
    attrs = {attr.name: attr.default for attr in PROTOTYPES[op_type].attrs.values()}
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
    attrs = {attr.name: attr.default for attr in PROTOTYPES[op_type].attrs.values()}
    inputs = [np.resize(samples(dtype, 6, seed), (40, 40)) for seed, dtype in enumerate(ins)]
    whole, pieces = np.empty((40, 40), out), np.empty((40, 40), out)
    KERNELS[op_type](inputs, [whole], attrs)
    for rows, columns in itertools.product((slice(17), slice(17, 40)), repeat=2):
        KERNELS[op_type]([x[rows, columns] for x in inputs], [pieces[rows, columns]], attrs)
    check(pieces, whole)


BINARY = sorted(op_type for op_type in ELEMENTWISE if len(PROTOTYPES[op_type].inputs) == 2 and op_type != "Complex")


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


# Creation.


@pytest.mark.parametrize(("op_type", "row"), cases({"Fill"}))
@pytest.mark.parametrize("shape", [(), (0, 2), (2, 3)])
def test_fill(op_type: str, row: tuple[dtypes.DType, ...], shape: tuple[int, ...]) -> None:
    for value in samples(row[1].dtype)[:12]:
        for value_shape in ((), (1,)):
            got = run(op_type, [np.array(shape, row[0].dtype), np.full(value_shape, value, row[1].dtype)])
            check(got, np.full(shape, value, row[2].dtype), slack=0)


@pytest.mark.parametrize(("op_type", "row"), cases({"Eye"}))
@pytest.mark.parametrize("batch", [[], [2], [2, 0], [3, 2]])
@pytest.mark.parametrize(("rows", "columns"), [(3, 3), (2, 5), (5, 2), (0, 3), (1, 1)])
def test_eye(op_type: str, row: tuple[dtypes.DType, ...], batch: list[int], rows: int, columns: int) -> None:
    attrs = {"num_rows": rows, "num_columns": columns, "batch_shape": batch, "dtype": row[0].code}
    wanted = np.broadcast_to(np.eye(rows, columns), (*batch, rows, columns))
    check(run(op_type, [], **attrs), wanted)
    assert run(op_type, [], **attrs | {"num_columns": 0}).shape == (*batch, rows, rows)


@pytest.mark.parametrize(("op_type", "row"), cases({"Range"}))
@pytest.mark.parametrize(
    ("start", "limit", "delta"), [(0, 10, 3), (5, -5, -2), (2, 2, 1), (1, 2, 5), (3, 0, 1), (-4, 9, 1)]
)
def test_range(op_type: str, row: tuple[dtypes.DType, ...], start: int, limit: int, delta: int) -> None:
    inputs = [np.array(value, dtype.dtype) for value, dtype in zip((start, limit, delta), row, strict=False)]
    check(run(op_type, inputs, out_dtype=row[3].dtype), np.arange(start, limit, delta))
    last = limit + (1 if delta > 0 else -1)
    check(run(op_type, inputs, out_dtype=row[3].dtype, is_closed=True), np.arange(start, last, delta))


@settings(max_examples=100, deadline=None)
@given(st.floats(-100, 100, width=32), st.integers(1, 50), st.floats(0.015625, 3, width=32), st.sampled_from("fd"))
def test_range_of_floats_is_numpys(start: float, count: int, step: float, dtype: str) -> None:
    inputs = [np.array([value], dtype) for value in (start, start + (count - 0.5) * step, step)]
    first, limit, delta = (float(x[0]) for x in inputs)
    np.testing.assert_array_equal(run("Range", inputs), np.arange(first, limit, delta, dtype=dtype))


def test_range_of_integers_may_reach_the_end_of_the_dtype() -> None:
    top = 2**63 - 1
    inputs = [np.array(value) for value in (top - 5, top, 2)]
    assert run("Range", inputs).tolist() == [top - 5, top - 3, top - 1]
    inputs = [np.array(value) for value in (-(2**63), top, 2**62)]
    assert run("Range", inputs).tolist() == [-(2**63), -(2**62), 0, 2**62]


@pytest.mark.parametrize(("op_type", "row"), cases({"LinSpace"}))
@pytest.mark.parametrize("num", [0, 1, 2, 7, 50])
def test_lin_space(op_type: str, row: tuple[dtypes.DType, ...], num: int) -> None:
    ends = (2, 100) if row[0].kind == "u" else (-3, 100)
    inputs = [np.array([value], dtype.dtype) for value, dtype in zip((*ends, num), row, strict=False)]
    got = run(op_type, inputs)
    wanted = np.linspace(*ends, num)
    check(got, np.floor(wanted) if row[0].kind in "iu" else wanted)
    if num > 1:
        assert got[-1] == 100


@pytest.mark.parametrize(("op_type", "row"), cases({"Tril", "Triu"}))
@pytest.mark.parametrize("shape", [(3, 4), (5, 2), (0, 3), (2, 3, 3), (1, 1)])
def test_triangles(op_type: str, row: tuple[dtypes.DType, ...], shape: tuple[int, ...]) -> None:
    x = np.resize(samples(row[0].dtype), shape)
    for diagonal in (-3, -1, 0, 1, 4):
        wanted = (np.tril if op_type == "Tril" else np.triu)(x, diagonal)
        check(run(op_type, [x], diagonal=diagonal), wanted, slack=0)
        in_place = x.copy()
        KERNELS[op_type]([in_place], [in_place], {"diagonal": diagonal})
        assert in_place.tobytes() == wanted.tobytes()


# Matrix products.


def small(dtype: Any, shape: tuple[int, ...], seed: int = 0) -> Array:
    rng = np.random.default_rng(seed)
    values = rng.integers(0 if np.dtype(dtype).kind == "u" else -4, 5, shape)
    if np.dtype(dtype).kind == "c":
        return (values + 1j * rng.integers(-4, 5, shape)).astype(dtype)
    return values.astype(dtype)


@pytest.mark.parametrize(("op_type", "row"), cases({"MatMul", "MatMulV2", "BatchMatMul", "BatchMatMulV2"}))
@pytest.mark.parametrize(("flag1", "flag2"), list(itertools.product((False, True), repeat=2)))
def test_matrix_products(op_type: str, row: tuple[dtypes.DType, ...], flag1: bool, flag2: bool) -> None:
    batched = op_type.startswith("Batch")
    names = ("adj_x1", "adj_x2") if batched else ("transpose_x1", "transpose_x2")
    attrs = dict(zip(names, (flag1, flag2), strict=True))
    batches = [((), ()), ((2,), (2,)), ((3, 1), (2,)), ((0,), (1,))] if batched else [((), ())]
    wants_bias = len(PROTOTYPES[op_type].inputs) > 2
    for (batch1, batch2), (m, k, n) in itertools.product(batches, [(2, 3, 4), (1, 1, 1), (2, 0, 3), (0, 2, 3)]):
        x1 = small(row[0].dtype, (*batch1, *((k, m) if flag1 else (m, k))))
        x2 = small(row[1].dtype, (*batch2, *((n, k) if flag2 else (k, n))), 1)
        a, b = (x.astype(np.complex128) for x in (x1, x2))
        if flag1:
            a = np.swapaxes(a, -1, -2).conj() if batched else a.T
        if flag2:
            b = np.swapaxes(b, -1, -2).conj() if batched else b.T
        wanted = np.einsum("...ij,...jk->...ik", a, b)
        inputs: list[Any] = [x1, x2] + [None] * (len(PROTOTYPES[op_type].inputs) - 2)
        check(run(op_type, inputs, out_dtype=row[-1].dtype, **attrs), rounded(wanted, row[-1].dtype))
        if wants_bias:
            bias = small(row[2].dtype, (n,), 2)
            wanted = wanted + bias.astype(np.complex128)
            inputs[2] = bias
            check(run(op_type, inputs, out_dtype=row[-1].dtype, **attrs), rounded(wanted, row[-1].dtype))


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_half_precision_products_accumulate_in_single_precision(dtype: str) -> None:
    x = np.ones((1, 5000), dtype)
    check(run("MatMul", [x, x, None], transpose_x2=True), [[5000]], slack=0)


@pytest.mark.parametrize("dtype", ["int16", "int32", "int64"])
def test_integer_products_wrap(dtype: str) -> None:
    rng = np.random.default_rng(3)
    info = np.iinfo(dtype)
    x1, x2 = (rng.integers(info.min, info.max, (4, 4), dtype) for _ in range(2))
    exact = x1.astype(object) @ x2.astype(object)
    wanted = np.array([[int(v) % 2**info.bits for v in line] for line in exact], f"u{info.bits // 8}").view(dtype)
    check(run("BatchMatMulV2", [x1, x2, None, None]), wanted)


# Movement.

MOVES: dict[str, Callable[[Array, Any], Iterator[tuple[list[Any], dict[str, Any], Array]]]] = {}


def move(op_type: str) -> Callable[[Any], Any]:
    def register(function: Any) -> Any:
        MOVES[op_type] = function
        return function

    return register


@move("BroadcastTo")
def _broadcast_to(x: Array, row: Any) -> Iterator[Any]:
    for shape, to in [((2, 1, 3), (4, 2, 5, 3)), ((), (2, 2)), ((1,), (0,)), ((3,), (3,))]:
        value = np.resize(x, shape)
        yield [value, np.array(to, row[1])], {}, np.broadcast_to(value, to)


@move("Tile")
def _tile(x: Array, row: Any) -> Iterator[Any]:
    for shape, times in [((2, 3), (2, 1)), ((), ()), ((3,), (0,)), ((2, 1, 2), (1, 3, 2)), ((0, 2), (2, 2))]:
        value = np.resize(x, shape)
        yield [value, np.array(times, row[1])], {}, np.tile(value, times)


@move("Transpose")
def _transpose(x: Array, row: Any) -> Iterator[Any]:
    for value, attrs, wanted in _transpose_d(x, row):
        yield [*value, np.array(attrs["perm"], row[1])], {}, wanted


@move("TransposeD")
def _transpose_d(x: Array, row: Any) -> Iterator[Any]:
    for shape, perm in [((2, 3, 4), [2, 0, 1]), ((), []), ((5,), [0]), ((0, 3), [1, 0]), ((2, 2, 3, 1), [0, 2, 3, 1])]:
        value = np.resize(x, shape)
        yield [value], {"perm": perm}, np.transpose(value, perm)


@move("ReverseV2")
def _reverse(x: Array, row: Any) -> Iterator[Any]:
    for value, attrs, wanted in _reverse_d(x, row):
        yield [*value, np.array(attrs["axis"], row[1])], {}, wanted


@move("ReverseV2D")
def _reverse_d(x: Array, row: Any) -> Iterator[Any]:
    for shape, axes in [((2, 3, 4), [2, 0]), ((), []), ((5,), [-1]), ((0, 3), [1])]:
        value = np.resize(x, shape)
        yield [value], {"axis": axes}, np.flip(value, tuple(axes))


@move("ConcatD")
def _concat_d(x: Array, row: Any) -> Iterator[Any]:
    for shapes, axis in [(((2, 3), (2, 0), (2, 1)), 1), (((4,), (3,)), -1), (((1, 2, 2),), 0), (((0, 2), (3, 2)), 0)]:
        tensors = [np.resize(x[i:], shape) for i, shape in enumerate(shapes)]
        yield tensors, {"concat_dim": axis, "N": len(shapes)}, np.concatenate(tensors, axis)


@move("ConcatV2")
def _concat(x: Array, row: Any) -> Iterator[Any]:
    for tensors, attrs, wanted in _concat_d(x, row):
        yield [*tensors, np.array(attrs["concat_dim"], row[1])], {"N": attrs["N"]}, wanted


@move("Pack")
def _pack(x: Array, row: Any) -> Iterator[Any]:
    for shape, count, axis in [((2, 3), 3, 1), ((), 4, 0), ((4,), 1, -1), ((0, 2), 2, 2)]:
        tensors = [np.resize(x[i:], shape) for i in range(count)]
        yield tensors, {"axis": axis, "N": count}, np.stack(tensors, axis)


@move("GatherV2")
def _gather(x: Array, row: Any) -> Iterator[Any]:
    for shape, indices, axis in [((4, 3), [[2, 0], [1, 1]], 1), ((5,), 4, 0), ((2, 3, 4), [], -2), ((3, 0), [2], 0)]:
        value, index = np.resize(x, shape), np.array(indices, row[1])
        yield [value, index, np.array(axis, row[2])], {}, value.take(index.astype(np.int64), axis)
    value, index = np.resize(x, (2, 3, 4)), np.array([[-1, 0, 2], [1, -3, 0]], row[1])
    wanted = np.stack([value[place][index[place]] for place in range(2)])
    attrs = {"batch_dims": 1, "negative_index_support": True}
    yield [value, index, np.array(1, row[2])], attrs, wanted
    wanted = np.stack([value[place][:, index[place]] for place in range(2)])
    yield [value, index, np.array([-1], row[2])], attrs | {"batch_dims": -1}, wanted


@move("StridedSlice")
def _strided_slice(x: Array, row: Any) -> Iterator[Any]:
    value = np.resize(x, (3, 4, 5))

    def index(*numbers: int) -> Array:
        return np.array(numbers, row[1])

    yield [value, index(1, 0, 4), index(3, 4, 0), index(1, 2, -2)], {}, value[1:3, 0:4:2, 4:0:-2]
    attrs = {"begin_mask": 2, "end_mask": 4, "shrink_axis_mask": 1}
    yield [value, index(-1, 9, 3), index(0, 2, 0), index(1, 1, -1)], attrs, value[-1, :2, 3::-1]
    attrs = {"ellipsis_mask": 1, "new_axis_mask": 2, "shrink_axis_mask": 4}
    yield [value, index(0, 0, 2), index(0, 0, 3), index(1, 1, 1)], attrs, value[..., None, 2]
    yield [value, index(), index(), index()], {}, value


@move("AsStrided")
def _as_strided(x: Array, row: Any) -> Iterator[Any]:
    value = np.resize(x, (4, 5))
    for size, stride, offset in [
        ((3, 2), (5, 1), 1),
        ((2, 3), (0, 0), 19),
        ((4,), (6,), 1),
        ((0, 3), (9, 9), 50),
        ((), (), 7),
    ]:
        wanted = np.array(
            [value.flat[offset + sum(i * s for i, s in zip(place, stride, strict=True))] for place in np.ndindex(size)],
            value.dtype,
        )
        numbers = [np.array(n, dtype) for n, dtype in zip((size, stride, [offset]), row[1:], strict=False)]
        yield [value, *numbers], {}, wanted.reshape(size)


@move("ViewCopy")
def _view_copy(x: Array, row: Any) -> Iterator[Any]:
    dst, src = np.resize(x, (4, 6)), np.resize(x[::-1], (3, 3))
    for size, to, of in [
        ((2, 3), ((6, 2), 1), ((3, 1), 2)),
        ((4, 6), ((6, 1), 0), ((0, 0), 4)),
        ((0,), ((1,), 0), ((1,), 0)),
    ]:
        wanted = dst.copy()
        for place in np.ndindex(size):
            reached = [start + sum(i * s for i, s in zip(place, stride, strict=True)) for stride, start in (to, of)]
            wanted.flat[reached[0]] = src.flat[reached[1]]
        where = [[np.array(size), np.array(stride), np.array([start])] for stride, start in (to, of)]
        where = [
            [n.astype(d) for n, d in zip(ns, ds, strict=True)]
            for ns, ds in zip(where, (row[1:4], row[5:8]), strict=True)
        ]
        yield [dst, *where[0], src, *where[1]], {}, wanted


@pytest.mark.parametrize(("op_type", "row"), cases(MOVES))
def test_movement(op_type: str, row: tuple[dtypes.DType, ...]) -> None:
    for inputs, attrs, wanted in MOVES[op_type](samples(row[0].dtype), [dtype.dtype for dtype in row]):
        got = run(op_type, inputs, **attrs)
        assert got.dtype == wanted.dtype
        assert got.shape == wanted.shape
        assert got.tobytes() == wanted.tobytes()


def test_view_copy_writes_into_the_memory_of_its_input() -> None:
    memory = np.arange(6.0, dtype=np.float32)
    numbers = [np.array(n) for n in ([3], [2], [1])]
    source = np.array([7], np.float32)
    KERNELS["ViewCopy"]([memory, *numbers, source, np.array([3]), np.array([0]), np.array([0])], [memory], {})
    assert memory.tolist() == [0, 7, 2, 7, 4, 7]


def test_view_copy_between_overlapping_views_of_one_memory() -> None:
    memory = np.arange(6, dtype=np.int32)
    size, stride = np.array([5]), np.array([1])
    KERNELS["ViewCopy"]([memory, size, stride, np.array([1]), memory, size, stride, np.array([0])], [memory], {})
    assert memory.tolist() == [0, 0, 1, 2, 3, 4]


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_strided_slice_of_anything(data: st.DataObject) -> None:
    shape = data.draw(array_shapes(min_dims=1, max_dims=3, min_side=0, max_side=4))
    x = np.arange(math.prod(shape), dtype=np.int32).reshape(shape)
    number = st.integers(-6, 6)
    begin, end, strides, index = [], [], [], []
    masks = dict.fromkeys(("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask"), 0)
    ellipsis_after = data.draw(st.integers(0, len(shape)))
    ellipsis_spans = data.draw(st.integers(0, len(shape) - ellipsis_after))
    has_ellipsis = data.draw(st.booleans())
    axis = 0
    while axis < len(shape) or not begin:
        bit = 1 << len(begin)
        b, e, s = data.draw(number), data.draw(number), data.draw(number.filter(bool))
        if has_ellipsis and axis == ellipsis_after:
            has_ellipsis = False
            masks["ellipsis_mask"] |= bit
            index.append(Ellipsis)
            axis += ellipsis_spans
        elif axis >= len(shape) or data.draw(st.integers(0, 4)) == 0:
            masks["new_axis_mask"] |= bit
            index.append(None)
        elif -shape[axis] <= b < shape[axis] and s > 0 and data.draw(st.booleans()):
            masks["shrink_axis_mask"] |= bit
            index.append(b)
            axis += 1
        else:
            no_begin, no_end = data.draw(st.booleans()), data.draw(st.booleans())
            masks["begin_mask"] |= bit * no_begin
            masks["end_mask"] |= bit * no_end
            index.append(slice(None if no_begin else b, None if no_end else e, s))
            axis += 1
        begin.append(b)
        end.append(e)
        strides.append(s)
    numbers = [np.array(values, np.int64) for values in (begin, end, strides)]
    np.testing.assert_array_equal(run("StridedSlice", [x, *numbers], **masks), x[tuple(index)])


@settings(max_examples=200, deadline=None)
@given(
    st.integers(0, 12),
    st.lists(st.tuples(st.integers(0, 4), st.integers(-1, 5)), max_size=3),
    st.integers(-1, 12),
)
def test_views_never_reach_outside(length: int, dims: list[tuple[int, int]], offset: int) -> None:
    x = np.arange(length, dtype=np.int16)
    size, stride = ([dim[i] for dim in dims] for i in (0, 1))
    numbers = [np.array(n, np.int64) for n in (size, stride, [offset])]
    places = [offset + sum(map(lambda i, s: i * s, place, stride)) for place in np.ndindex(*size)]
    out = np.zeros(size, np.int16)
    if places and (min(places) < 0 or max(places) >= length or min(stride, default=0) < 0):
        with pytest.raises(IndexError, match="AsStrided"):
            KERNELS["AsStrided"]([x, *numbers], [out], {})
        with pytest.raises(IndexError, match="ViewCopy"):
            KERNELS["ViewCopy"]([x, *numbers, x, *numbers], [x], {})
    else:
        KERNELS["AsStrided"]([x, *numbers], [out], {})
        assert out.ravel().tolist() == places


# Reductions.

REDUCTIONS: dict[str, Callable[..., Any]] = {
    "ReduceAll": np.all,
    "ReduceAny": np.any,
    "ReduceMax": np.max,
    "ReduceMean": np.mean,
    "ReduceMin": np.min,
    "ReduceProd": np.prod,
    "ReduceSum": np.sum,
}


def reduced(op_type: str, x: Array, axes: tuple[int, ...], keep_dims: bool, out: Any) -> Array:
    wider: dict[str, Any] = {"keepdims": keep_dims}
    values = wide(x)
    if op_type in ("ReduceSum", "ReduceProd"):
        wider["dtype"] = values.dtype
    if op_type == "ReduceMean" and out.kind in "iu":
        total = np.sum(x, axis=axes, keepdims=keep_dims, dtype=x.dtype)
        count = math.prod(x.shape[axis] for axis in axes)
        return np.array([_truncated(v, count) for v in total.ravel().tolist()], out).reshape(total.shape)
    if op_type in ("ReduceMax", "ReduceMin") and not x.size:
        limits = (-np.inf, np.inf) if out.kind not in "iu" else (np.iinfo(out).min, np.iinfo(out).max)
        wider["initial"] = limits[op_type == "ReduceMin"]
    if op_type == "ReduceMean" and not x.size:
        return np.full(np.sum(values, axis=axes, keepdims=keep_dims).shape, np.nan, values.dtype)
    with np.errstate(all="ignore"):
        return rounded(REDUCTIONS[op_type](values, axis=axes, **wider), out)


@pytest.mark.parametrize(("op_type", "row"), cases(REDUCTIONS))
@pytest.mark.parametrize("keep_dims", [False, True])
def test_reductions(op_type: str, row: tuple[dtypes.DType, ...], keep_dims: bool) -> None:
    dtype = row[0].dtype
    special = samples(dtype, 6, 2)
    for shape, axes in [
        ((3, 4), (0,)),
        ((3, 4), (-1,)),
        ((2, 3, 4), (0, 2)),
        ((2, 3, 4), (2, 0, 1)),
        ((), ()),
        ((2, 3), ()),
        ((0, 3), (1,)),
        ((0, 3), (0,)),
        ((3, 0), (-2, -1)),
        ((1,), (0,)),
    ]:
        for x in (np.resize(special, shape), small(dtype, shape)):
            got = run(op_type, [x, np.array(axes, row[1].dtype)], keep_dims=keep_dims)
            assert got.dtype == row[2].dtype
            slack = 64 if op_type in ("ReduceSum", "ReduceMean", "ReduceProd") else 0
            check(got, reduced(op_type, x, axes, keep_dims, row[2].dtype), slack)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_half_precision_sums_accumulate_in_single_precision(dtype: str) -> None:
    x = np.ones((3, 20000), dtype)
    axes = np.array([1])
    check(run("ReduceSum", [x, axes]), [20000] * 3, slack=0)
    check(run("ReduceMean", [x, axes]), [1] * 3, slack=0)
    check(run("ReduceSum", [x.T.copy(), np.array([0])]), [20000] * 3, slack=0)
    check(run("Cumsum", [x, np.array(1)])[:, -1], [20000] * 3, slack=0)


def test_mean_over_no_axes() -> None:
    x, none = np.array([[1, 2], [3, 6]], np.float32), np.array([], np.int32)
    check(run("ReduceMean", [x, none]), x)
    check(run("ReduceMean", [x, none], noop_with_empty_axes=False), 3)


@pytest.mark.parametrize(("op_type", "row"), cases({"ArgMaxV2", "ArgMin"}))
def test_positions(op_type: str, row: tuple[dtypes.DType, ...]) -> None:
    find = np.argmax if op_type == "ArgMaxV2" else np.argmin
    special = samples(row[0].dtype)
    for shape, axis in [((4, 9), 1), ((4, 9), 0), ((40,), -1), ((2, 3, 4), 1), ((0, 3), 1), ((1,), 0)]:
        x = np.resize(special, shape)
        got = run(op_type, [x, np.array(axis, row[1].dtype)], dtype=row[2].code)
        assert got.dtype == row[2].dtype
        check(got, find(wide(x), axis))


def test_the_first_of_equals_and_of_nans() -> None:
    x = np.array([[1, 5, 5, 0, 0], [1, np.nan, 2, np.nan, 7]], np.float32)
    for dtype in ("float32", "bfloat16", "float16"):
        assert run("ArgMaxV2", [x.astype(dtype), np.array(1)]).tolist() == [1, 1]
        assert run("ArgMin", [x.astype(dtype), np.array(1)]).tolist() == [3, 1]


@pytest.mark.parametrize(("op_type", "row"), cases({"Cumsum", "CumsumD"}))
@pytest.mark.parametrize("exclusive", [False, True])
@pytest.mark.parametrize("reverse", [False, True])
def test_cumulative_sums(op_type: str, row: tuple[dtypes.DType, ...], exclusive: bool, reverse: bool) -> None:
    special = samples(row[0].dtype, 6, 4)
    for shape, axis in [((30,), 0), ((3, 4), 1), ((3, 4), -2), ((2, 3, 2), 1), ((0, 3), 0), ((2, 0), 0), ((1,), -1)]:
        x = np.resize(special, shape)
        lines = np.moveaxis(wide(x), axis, 0)
        lines = lines[::-1] if reverse else lines
        sums: list[Any] = [np.zeros_like(lines[0])] if len(lines) else []
        with np.errstate(all="ignore"):
            for line in lines:
                sums.append(sums[-1] + line if len(sums) > 1 else line)
        chosen = sums[:-1] if exclusive else sums[1:]
        chosen = chosen[::-1] if reverse else chosen
        wanted = np.moveaxis(np.array(chosen, lines.dtype).reshape(lines.shape), 0, axis)
        attrs: dict[str, Any] = {"exclusive": exclusive, "reverse": reverse}
        inputs = [x]
        if op_type == "Cumsum":
            inputs.append(np.array(axis, row[1].dtype))
        else:
            attrs["axis"] = axis
        check(run(op_type, inputs, **attrs), wanted, slack=64)
        in_place = x.copy()
        KERNELS[op_type]([in_place, *inputs[1:]], [in_place], attrs)
        check(in_place, wanted, slack=64)


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_reductions_over_any_axes(data: st.DataObject) -> None:
    op_type = data.draw(st.sampled_from(sorted(REDUCTIONS)))
    row = data.draw(st.sampled_from(rows_of(op_type)))
    shape = data.draw(array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=4))
    axes = data.draw(st.permutations(range(len(shape)))) if shape else []
    axes = axes[: data.draw(st.integers(0, len(axes)))]
    signed = tuple(axis - len(shape) if data.draw(st.booleans()) else axis for axis in axes)
    x = small(row[0].dtype, shape, data.draw(st.integers(0, 99)))
    keep_dims = data.draw(st.booleans())
    got = run(op_type, [x, np.array(signed, row[1].dtype)], keep_dims=keep_dims)
    check(got, reduced(op_type, x, signed, keep_dims, row[2].dtype), slack=64)


# What a device finds out only when it runs.


def test_an_index_out_of_range() -> None:
    x, axis = np.arange(12.0).reshape(3, 4), np.array(1)
    for index, negative in [(4, False), (-1, False), (-5, True)]:
        with pytest.raises(IndexError, match=rf"GatherV2: index {index} "):
            run("GatherV2", [x, np.array([0, index]), axis], negative_index_support=negative)


@pytest.mark.parametrize("op_type", ["ArgMaxV2", "ArgMin"])
def test_the_position_in_an_empty_axis(op_type: str) -> None:
    with pytest.raises(IndexError, match=rf"{op_type}: axis 1 of shape \(2, 0\)"):
        run(op_type, [np.zeros((2, 0), np.float32), np.array(1)])
