"""Activations and element-wise kernels beyond the standard, against the same formula in double precision."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from test_kernels import Array, cases, complete, rounded, run, same, samples, truncated, wide

from ascendtensor.embedded.kernels import ELEMENTWISE, KERNELS
from ops_registry import dtypes
from ops_registry.prototype import PROTOTYPES

SELU_SCALE, SELU_ALPHA = 1.0507009873554805, 1.6732632423543772


def logistic(x: Any) -> Any:
    return np.reciprocal(1 + np.exp(-x)) if np.iscomplexobj(x) else np.exp(-np.logaddexp(0, -x))


def each(function: Callable[[float], float]) -> Callable[[Array], Array]:
    return lambda x: np.array([function(value) for value in x.ravel().tolist()], np.float64).reshape(x.shape)


def log_gamma(x: float) -> float:
    if x in (math.inf, -math.inf) or (x <= 0 and x == math.floor(x)):
        return math.inf
    try:
        return math.lgamma(x)
    except OverflowError:
        return math.inf


# With the attributes of `complete`; operands are in double precision.
FORMULAS: dict[str, Callable[..., Any]] = {
    "Addcdiv": lambda x, x1, x2, value: x + value * (x1 / x2),
    "Addcmul": lambda x, x1, x2, value: x + value * x1 * x2,
    "Adds": lambda x: x + 2.5,
    "Axpy": lambda x1, x2: x1 + 3 * x2,
    "ClipByValue": lambda x, low, high: np.minimum(np.maximum(x, low), high),
    "DivNoNan": lambda x1, x2: np.where(x2 == 0, 0, x1 / np.where(x2 == 0, 1, x2)),
    "CeluV2": lambda x: np.where(x > 0, x, np.expm1(np.where(x > 0, 0, x))),
    "Elu": lambda x: np.where(x > 0, x, np.expm1(np.where(x > 0, 0, x))),
    "Erf": each(math.erf),
    "Erfc": each(math.erfc),
    "FastGelu": lambda x: x * logistic(1.702 * x),
    "Gelu": lambda x: x * logistic(2 * math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)),
    "HardSigmoid": lambda x: np.clip(0.16666666 * x + 0.5, 0, 1),
    "HardSwish": lambda x: np.where(x <= -3, 0 * x, np.where(x >= 3, x, x * (x + 3) / 6)),
    "Fills": lambda x: np.full_like(x, -3),
    "HardShrink": lambda x: np.where((x < -0.5) | (x > 0.5) | np.isnan(x), x, 0),
    "Inv": lambda x: 1 / x,
    "LeakyRelu": lambda x: np.where(x > 0, x, 0.0 * x),
    "Lerp": lambda start, end, weight: start + weight * (end - start),
    "Lgamma": each(log_gamma),
    "LogSigmoid": lambda x: -np.logaddexp(0, -x),
    "Mish": lambda x: x * np.tanh(np.logaddexp(x, 0)),
    "Mod": np.fmod,
    "Muls": lambda x: -2 * x,
    "NanToNum": lambda x: np.where(np.isnan(x), 1.5, np.where(x == np.inf, 99, np.where(x == -np.inf, -7, x))),
    "Power": lambda x: x,
    "Relu": lambda x: np.where(x < 0, 0, x),
    "Relu6": lambda x: np.where(x < 0, 0, np.where(x > 6, 6, x)),
    "Rsqrt": lambda x: 1 / np.sqrt(x),
    "Selu": lambda x: SELU_SCALE * np.where(x > 0, x, SELU_ALPHA * np.expm1(np.where(x > 0, 0, x))),
    "Sigmoid": logistic,
    "SoftShrink": lambda x: np.where(x > 0.5, x - 0.5, np.where(x < -0.5, x + 0.5, np.where(np.isnan(x), x, 0))),
    "Softplus": lambda x: np.logaddexp(x, 0),
    "SoftplusV2": lambda x: np.where(x > 20, x, np.logaddexp(x, 0)),
    "Softsign": lambda x: x / (1 + np.abs(x)),
    "SquaredDifference": lambda x1, x2: np.abs(x1 - x2) ** 2 if np.iscomplexobj(x1) else (x1 - x2) ** 2,
    "Swish": lambda x: x * logistic(x),
    "Threshold": lambda x: np.where(x > 0, 1, 0),
    "TruncateDiv": lambda x1, x2: x1 / x2 if np.iscomplexobj(x1) else np.trunc(x1 / x2),
    "TruncateMod": np.fmod,
    "Xdivy": lambda x1, x2: np.where(x1 == 0, 0, x1 / x2),
    "Xlogy": lambda x1, x2: np.where(x1 == 0, 0, x1 * np.log(x2)),
}

# In integers, Python's; the result wraps.
INTEGER: dict[str, Callable[..., int]] = {
    "Addcdiv": lambda x, x1, x2, value: x + value * truncated(x1, x2),
    "Addcmul": lambda x, x1, x2, value: x + value * x1 * x2,
    "Adds": lambda x: x + 2,
    "Axpy": lambda x1, x2: x1 + 3 * x2,
    "ClipByValue": lambda x, low, high: min(max(x, low), high),
    "DivNoNan": truncated,
    "Fills": lambda x: -3,
    "Inv": lambda x: x if abs(x) == 1 else 0,
    "LeakyRelu": lambda x: max(x, 0),
    "Mod": lambda x1, x2: x1 - truncated(x1, x2) * x2 if x2 else 0,
    "Muls": lambda x: -2 * x,
    "Relu": lambda x: max(x, 0),
    "Relu6": lambda x: min(max(x, 0), 6),
    "SquaredDifference": lambda x1, x2: (x1 - x2) ** 2,
    "TruncateDiv": truncated,
    "TruncateMod": lambda x1, x2: x1 - truncated(x1, x2) * x2 if x2 else 0,
}
# An exponential of a large number has as many wrong digits as the number has before the point.
SLACK = dict.fromkeys(("FastGelu", "Gelu", "Mish", "Swish"), 2000.0)
OWN_TESTS = {"Digamma", "IsClose", "HardSigmoid", "Selu"}


def operands(row: tuple[dtypes.DType, ...]) -> list[Array]:
    """Every value against every other, of values that no formula overflows with."""
    *ins, _ = row
    result = []
    for axis, dtype in enumerate(ins):
        x = samples(dtype.dtype, 4, axis)
        if dtype.kind == "f":
            x = x[(np.abs(wide(x)) <= 1000) & (np.abs(wide(x)) >= 1e-3) | (x == 0) | ~np.isfinite(wide(x))]
        elif dtype.kind == "c":
            x = x[np.isfinite(x) & (np.abs(x) > 0.5) & (np.abs(x) < 1000)][:12]
        x = x[:: 2 if len(ins) > 2 else 1]
        result.append(x.reshape([-1 if place == axis else 1 for place in range(len(ins))]))
    return result


def near(got: Array, wanted: Array, terms: Array, slack: float = 32) -> None:
    """Within `slack` units of the operands' or the result's last place; NaN where NaN is wanted."""
    dtype = got.dtype
    eps = float(ml_dtypes.finfo(dtype).eps)
    got, wanted = (x.astype(np.complex128 if x.dtype.kind == "c" else np.float64) for x in (got, wanted))
    assert got.shape == wanted.shape
    alike = (got == wanted) | (np.isnan(got) & np.isnan(wanted))
    with np.errstate(all="ignore"):
        off = np.abs(got - wanted)
        allowed = slack * eps * np.maximum(np.abs(wanted), np.where(np.isfinite(terms), terms, 0))
        allowed += float(ml_dtypes.finfo(dtype).tiny)
    assert np.all(alike | (off <= allowed)), (got[~alike], wanted[~alike])


@pytest.mark.parametrize(
    ("op_type", "row"), [case for case in cases(set(FORMULAS) - OWN_TESTS) if case.values[1][-1].kind != "b"]
)
def test_formulas(op_type: str, row: tuple[dtypes.DType, ...]) -> None:
    inputs = operands(row)
    got = run(op_type, inputs)
    assert got.dtype == row[-1].dtype
    with np.errstate(all="ignore"):
        if row[-1].kind in "iu":
            function = INTEGER[op_type]
            spread = np.broadcast_arrays(*inputs)
            values = [function(*items) for items in zip(*(x.ravel().tolist() for x in spread), strict=True)]
            bits = 8 * row[-1].itemsize
            wanted = np.array([value % 2**bits for value in values], f"u{bits // 8}").view(row[-1].dtype)
            np.testing.assert_array_equal(got, wanted.reshape(spread[0].shape))
            return
        double = [x.astype(np.complex128 if x.dtype.kind == "c" else np.float64) for x in inputs]
        wanted = rounded(np.asarray(FORMULAS[op_type](*double)), row[-1].dtype)
        terms = np.broadcast_arrays(*(np.abs(x) for x in double), wanted)[:-1]
        if op_type in ("Mod", "TruncateMod"):
            # In the dtype itself they are exact.
            same(got, rounded(np.fmod(*map(wide, inputs)), got.dtype))
            return
        if op_type == "TruncateDiv" and row[-1].kind == "f":
            same(got, rounded(np.trunc(wide(inputs[0]) / wide(inputs[1])), got.dtype))
            return
        # What cancels in a formula has the size of a product of operands.
        products = np.max(terms, axis=0) ** 2
    near(
        got, wanted, products if len(terms) > 1 or row[-1].kind == "c" else np.zeros(got.shape), SLACK.get(op_type, 32)
    )


def test_bools_are_filled_with_any_number_but_zero() -> None:
    x = np.array([True, False])
    assert run("Fills", [x], value=0.5).tolist() == [True, True]
    assert run("Fills", [x], value=0.0).tolist() == [False, False]


@pytest.mark.parametrize("op_type", sorted(FORMULAS))
@pytest.mark.parametrize("shape", [(), (0,), (2, 0), (1, 1)])
def test_shapes_of_formulas(op_type: str, shape: tuple[int, ...]) -> None:
    for row in list(cases([op_type]))[:2]:
        inputs = [np.ones(shape, dtype.dtype) for dtype in row.values[1][:-1]]
        assert run(op_type, inputs).shape == shape


@pytest.mark.parametrize("op_type", sorted(set(FORMULAS) & ELEMENTWISE))
def test_formulas_piece_by_piece_and_in_place(op_type: str) -> None:
    *ins, out = (dtype.dtype for dtype in next(iter(cases([op_type]))).values[1])
    inputs = [np.resize(samples(dtype, 6, seed), (9, 9)) for seed, dtype in enumerate(ins)]
    whole = run(op_type, inputs)
    for rows, columns in itertools.product((slice(5), slice(5, 9)), repeat=2):
        piece = np.empty_like(whole[rows, columns])
        KERNELS[op_type]([x[rows, columns] for x in inputs], [piece], complete(op_type))
        np.testing.assert_allclose(wide(piece), wide(whole[rows, columns]), rtol=1e-3)
    if ins[0] == out:
        KERNELS[op_type](inputs, [inputs[0]], complete(op_type))
        assert inputs[0].tobytes() == whole.tobytes()


@pytest.mark.parametrize(("op_type", "row"), cases({"HardSigmoid", "Selu"}))
def test_activations_of_integers_are_cut(op_type: str, row: tuple[dtypes.DType, ...]) -> None:
    x = np.array([-100, -3, -1, 0, 1, 2, 3, 50], row[0].dtype)
    wanted = np.asarray(FORMULAS[op_type](x.astype(np.float64)))
    got = run(op_type, [x])
    if row[0].kind == "i":
        np.testing.assert_array_equal(got, np.trunc(wanted).astype(got.dtype))
    else:
        near(got, wanted.astype(got.dtype), np.ones(8))


@pytest.mark.parametrize(
    ("op_type", "attrs", "wanted"),
    [
        (
            "Elu",
            {"alpha": 2.0, "scale": 3.0, "input_scale": 0.5},
            lambda x: np.where(x > 0, 3 * x, 6 * np.expm1(x / 2)),
        ),
        ("LeakyRelu", {"negative_slope": 0.25}, lambda x: np.where(x > 0, x, x / 4)),
        ("HardSigmoid", {"alpha": 0.5, "beta": 0.25}, lambda x: np.clip(x / 2 + 0.25, 0, 1)),
        ("Power", {"power": 3.0, "scale": 2.0, "shift": 1.0}, lambda x: (1 + 2 * x) ** 3),
        ("SoftplusV2", {"beta": 2.0, "threshold": 3.0}, lambda x: np.where(2 * x > 3, x, np.log1p(np.exp(2 * x)) / 2)),
        ("Swish", {"scale": 2.0}, lambda x: x / (1 + np.exp(-2 * x))),
    ],
)
@pytest.mark.parametrize("dtype", ["float16", "float32"])
def test_attributes(op_type: str, attrs: dict[str, float], wanted: Callable[[Array], Array], dtype: str) -> None:
    x = np.array([-2.5, -1, -0.5, 0, 0.5, 1, 4], dtype)
    near(run(op_type, [x], **attrs), wanted(x.astype(np.float64)).astype(dtype), np.ones(7))


# Sums of halves, thirds and whole numbers, and the values at which tables have the function.
EULER = 0.5772156649015328606
DIGAMMA = {
    1.0: -EULER,
    2.0: 1 - EULER,
    0.5: -EULER - 2 * math.log(2),
    1.5: -EULER - 2 * math.log(2) + 2,
    0.25: -EULER - math.pi / 2 - 3 * math.log(2),
    0.75: -EULER + math.pi / 2 - 3 * math.log(2),
    -0.5: -EULER - 2 * math.log(2) + 2,
    -1.5: -EULER - 2 * math.log(2) + 2 + 2 / 3,
    10.0: sum(1 / k for k in range(1, 10)) - EULER,
    100.0: math.fsum(1 / k for k in range(1, 100)) - EULER,
    1000.0: math.fsum(1 / k for k in range(1, 1000)) - EULER,
    -1.0: math.nan,
    -7.0: math.nan,
    math.inf: math.inf,
    -math.inf: math.nan,
    math.nan: math.nan,
    0.0: -math.inf,
}


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_digamma(dtype: str) -> None:
    x = np.array(list(DIGAMMA), dtype)
    near(run("Digamma", [x]), np.array(list(DIGAMMA.values())).astype(dtype), np.ones(len(x)), slack=4)
    assert run("Digamma", [np.array(-0.0, dtype)]) == np.inf


def test_digamma_goes_up_by_the_reciprocal() -> None:
    x = np.concatenate([np.linspace(-20.3, 20.2, 997), np.geomspace(1e-8, 1e8, 400)])
    got = run("Digamma", [x + 1]) - run("Digamma", [x])
    np.testing.assert_allclose(got, 1 / x, rtol=1e-11, atol=4e-15 * np.max(np.abs(run("Digamma", [np.abs(x) + 1]))))


@pytest.mark.parametrize("op_type", ["Erf", "Erfc", "Lgamma"])
def test_special_functions_round_once(op_type: str) -> None:
    function = {"Erf": math.erf, "Erfc": math.erfc, "Lgamma": log_gamma}[op_type]
    x = np.linspace(-6.25, 30, 501)
    np.testing.assert_array_equal(run(op_type, [x]), [function(value) for value in x.tolist()])
    single = x.astype(np.float32)
    wanted = np.array([function(value) for value in single.tolist()]).astype(np.float32)
    np.testing.assert_array_equal(run(op_type, [single]), wanted)


@pytest.mark.parametrize(("op_type", "row"), cases({"IsClose"}))
@pytest.mark.parametrize("equal_nan", [False, True])
def test_is_close(op_type: str, row: tuple[dtypes.DType, ...], equal_nan: bool) -> None:
    x = samples(row[0].dtype)
    got = run(op_type, [x[:, None], x[None]], rtol=0.25, atol=0.5, equal_nan=equal_nan)
    for (i, a), (j, b) in itertools.product(enumerate(wide(x).tolist()), repeat=2):
        finite = all(math.isfinite(float(value)) for value in (a, b))
        close = a == b or (finite and abs(float(a) - float(b)) <= 0.5 + 0.25 * abs(float(b)))
        assert got[i, j] == (close or (equal_nan and a != a and b != b)), (a, b)


@pytest.mark.parametrize(("op_type", "row"), cases({"AddN"}))
def test_add_n(op_type: str, row: tuple[dtypes.DType, ...]) -> None:
    x = np.resize(samples(row[0].dtype), (3, 5))
    for count in (1, 2, 4):
        with np.errstate(all="ignore"):
            total = wide(x)
            for _ in range(count - 1):
                total = total + wide(x)
            wanted = rounded(total, row[1].dtype)
        same(run(op_type, [x] * count, N=count), wanted)


@pytest.mark.parametrize(("op_type", "row"), cases({"BiasAdd"}))
@pytest.mark.parametrize(
    ("data_format", "shape", "axis"),
    [("NHWC", (2, 3), 1), ("NHWC", (2, 2, 3), 2), ("NCHW", (2, 3, 4, 1), 1), ("NHWC", (0, 3), 1)],
)
def test_bias_add(
    op_type: str, row: tuple[dtypes.DType, ...], data_format: str, shape: tuple[int, ...], axis: int
) -> None:
    x, bias = np.resize(samples(row[0].dtype), shape), samples(row[1].dtype)[1:4]
    with np.errstate(all="ignore"):
        wanted = np.moveaxis(np.moveaxis(wide(x), axis, -1) + wide(bias), -1, axis)
        same(run(op_type, [x, bias], data_format=data_format), rounded(wanted, row[2].dtype))


@pytest.mark.parametrize(("op_type", "row"), cases({"PRelu"}))
def test_p_relu(op_type: str, row: tuple[dtypes.DType, ...]) -> None:
    x = np.resize(samples(row[0].dtype), (3, 2, 5))
    for weight in ([0.5, -2], [0.25]):
        slopes = np.array(weight, row[1].dtype)
        with np.errstate(all="ignore"):
            wanted = np.where(wide(x) > 0, wide(x), wide(x) * wide(slopes)[:, None])
        same(run(op_type, [x, slopes]), rounded(wanted, row[2].dtype))


@pytest.mark.parametrize(("op_type", "row"), cases({"SoftmaxV2", "LogSoftmaxV2"}))
@pytest.mark.parametrize(
    ("shape", "axes"), [((3, 4), [-1]), ((3, 4), [0]), ((2, 3, 4), [0, 2]), ((5,), [0]), ((0, 3), [0])]
)
def test_softmax(op_type: str, row: tuple[dtypes.DType, ...], shape: tuple[int, ...], axes: list[int]) -> None:
    x = (np.random.default_rng(1).normal(0, 3, shape)).astype(row[0].dtype)
    powers = np.exp(x.astype(np.float64))
    wanted = powers / powers.sum(tuple(axes), keepdims=True) if x.size else x
    wanted = wanted if op_type == "SoftmaxV2" else np.log(wanted.astype(np.float64))
    near(run(op_type, [x], axes=axes), rounded(wanted, row[1].dtype), np.ones(shape), slack=8)


@pytest.mark.parametrize("op_type", ["SoftmaxV2", "LogSoftmaxV2"])
def test_softmax_of_large_values_does_not_overflow(op_type: str) -> None:
    got = run(op_type, [np.array([[1e4, 1e4, -np.inf]], np.float32)])
    wanted = np.array([[0.5, 0.5, 0]]) if op_type == "SoftmaxV2" else np.array([[-math.log(2), -math.log(2), -np.inf]])
    np.testing.assert_allclose(got, wanted, rtol=1e-6)


def test_every_formula_is_declared() -> None:
    assert set(FORMULAS) <= set(PROTOTYPES)
