"""Normalization, pooling, and reductions that have their axes in attributes."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from test_kernels import Array, cases, check, rounded, run, run_all, same, samples, small, wide

from ascendtensor.embedded.kernels import KERNELS
from ops_registry import dtypes

Row = tuple[dtypes.DType, ...]
SHAPES = [
    ((3, 4), (0,)),
    ((3, 4), (-1,)),
    ((2, 3, 4), (0, 2)),
    ((2, 3), ()),
    ((), ()),
    ((0, 3), (1,)),
    ((3, 0), (0, 1)),
]
BY_ATTRIBUTE = {f"Reduce{what}D" for what in ("All", "Any", "Max", "Mean", "Min", "Prod", "Sum")}


@pytest.mark.parametrize(("op_type", "row"), cases(BY_ATTRIBUTE))
@pytest.mark.parametrize("keep_dims", [False, True])
def test_reductions_by_attribute(op_type: str, row: Row, keep_dims: bool) -> None:
    function: Callable[..., Any] = getattr(np, op_type[6:-1].lower())
    for shape, axes in SHAPES:
        x = np.resize(samples(row[0].dtype), shape) if row[0].kind == "b" else small(row[0].dtype, shape)
        over = axes or (tuple(range(len(shape))) if op_type == "ReduceMeanD" else axes)
        if not x.size and op_type[6:-1] in ("Max", "Min", "Mean"):
            continue
        more = {"dtype": wide(x).dtype} if op_type[6:-1] in ("Sum", "Prod") else {}
        wanted = function(wide(x), axis=over, keepdims=keep_dims, **more)
        check(run(op_type, [x], axes=list(axes), keep_dims=keep_dims), wanted, slack=16)


def test_an_empty_maximum_of_bools() -> None:
    assert run("ReduceMaxD", [np.zeros((0, 2), bool)], axes=[0]).tolist() == [False, False]


@pytest.mark.parametrize(("op_type", "row"), cases({"ArgMaxD", "ArgMinD", "ArgMaxWithValue", "ArgMinWithValue"}))
@pytest.mark.parametrize("keep_dims", [False, True])
def test_positions_by_attribute(op_type: str, row: Row, keep_dims: bool) -> None:
    find, extreme = (np.argmax, np.max) if op_type.startswith("ArgMax") else (np.argmin, np.min)
    for shape, axis in [((4, 9), 1), ((4, 9), -2), ((40,), 0), ((0, 3), 1)]:
        x = np.resize(samples(row[0].dtype), shape)
        if not op_type.endswith("WithValue"):
            got = run(op_type, [x], row[1].dtype, dimension=axis, dtype=row[1].code)
            same(got, np.asarray(find(wide(x), axis)).astype(row[1].dtype))
            continue
        out = [row[1].dtype, row[2].dtype]
        places, values = run_all(op_type, [x], out, dimension=axis, keep_dims=keep_dims)
        same(places, np.asarray(find(wide(x), axis, keepdims=keep_dims)).astype(row[1].dtype))
        same(values, rounded(extreme(wide(x), axis, keepdims=keep_dims), row[2].dtype))
    with pytest.raises(IndexError, match=rf"^{op_type}: axis 1 of shape \(2, 0\)"):
        run_all(op_type, [np.zeros((2, 0), row[0].dtype)], dimension=1)


@pytest.mark.parametrize(("op_type", "row"), cases({"Cumprod", "CumprodD"}))
@pytest.mark.parametrize(("exclusive", "reverse"), list(itertools.product((False, True), repeat=2)))
def test_cumulative_products(op_type: str, row: Row, exclusive: bool, reverse: bool) -> None:
    for shape, axis in [((9,), 0), ((3, 4), 1), ((2, 3, 2), -2), ((0, 3), 0), ((2, 0), 0)]:
        x = small(row[0].dtype, shape)
        rows = np.moveaxis(wide(x), axis, 0)
        rows = rows[::-1] if reverse else rows
        products = [np.ones_like(rows[0])] if len(rows) else []
        with np.errstate(all="ignore"):
            for line in rows:
                products.append(products[-1] * line)
        chosen = products[:-1] if exclusive else products[1:]
        wanted = np.array(chosen[::-1] if reverse else chosen, rows.dtype).reshape(rows.shape)
        attrs: dict[str, Any] = {"exclusive": exclusive, "reverse": reverse}
        inputs = [x, np.array(axis, row[1].dtype)] if op_type == "Cumprod" else [x]
        attrs |= {} if op_type == "Cumprod" else {"axis": axis}
        check(run(op_type, inputs, **attrs), np.moveaxis(wanted, 0, axis), slack=16, signed_zeros=False)


@pytest.mark.parametrize(("op_type", "row"), cases({"ReduceLogSumExp"}))
def test_log_sum_exp(op_type: str, row: Row) -> None:
    for shape, axes in [((3, 4), (0,)), ((2, 3, 4), (0, -1)), ((3,), ())]:
        x = small(row[0].dtype, shape)
        wanted = np.log(np.exp(x.astype(np.float64)).sum(axes)) if axes else x
        check(run(op_type, [x, np.array(axes, row[1].dtype)]), wanted, slack=16)
    assert run(op_type, [np.array([1e4, 1e4], row[0].dtype), np.array([0], row[1].dtype)]) >= 1e4


@pytest.mark.parametrize(("op_type", "row"), cases({"L2Loss"}))
def test_l2_loss(op_type: str, row: Row) -> None:
    for shape in ((3, 4), (), (0,)):
        x = small(row[0].dtype, shape)
        check(run(op_type, [x]), (x.astype(np.float64) ** 2).sum() / 2)


DEVIATIONS = [((3, 4), [1]), ((3, 4), []), ((2, 3, 4), [0, -1]), ((5,), [0]), ((3, 1), [1])]


@pytest.mark.parametrize(("op_type", "row"), cases({"ReduceStd", "ReduceStdV2Update", "ReduceStdWithMean"}))
@pytest.mark.parametrize("keepdim", [False, True])
@pytest.mark.parametrize("unbiased", [False, True])
def test_deviations(op_type: str, row: Row, keepdim: bool, unbiased: bool) -> None:
    for shape, dim in DEVIATIONS:
        x = small(row[0].dtype, shape)
        axes = tuple(dim) or tuple(range(len(shape)))
        double = x.astype(np.float64)
        mean = double.mean(axes, keepdims=True)
        squares = ((double - mean) ** 2).sum(axes, keepdims=keepdim)
        count = double.size // max(1, mean.size)
        with np.errstate(all="ignore"):
            deviations = {c: np.sqrt(np.asarray(squares) / (count - c * unbiased)) for c in (0, 1, 2)}
        attrs: dict[str, Any] = {"dim": dim, "keepdim": keepdim, "unbiased": unbiased}
        if op_type == "ReduceStd":
            deviation, middle = run_all(op_type, [x], **attrs)
            check(deviation, deviations[1], slack=64)
            check(middle, double.mean(axes, keepdims=keepdim), slack=16)
            continue
        given = rounded(mean, row[1].dtype)
        whole = np.broadcast_to(given, shape).copy()
        exact = wide(given).astype(np.float64)
        squares = ((double - exact) ** 2).sum(axes, keepdims=keepdim)
        with np.errstate(all="ignore"):
            variance = np.asarray(squares) / (count - unbiased)
        for form in (whole, given, given.reshape(double.mean(axes).shape)):
            if op_type == "ReduceStdV2Update":
                check(run(op_type, [x, form], **attrs), variance, slack=64)
                check(run(op_type, [x, form], if_std=True, **attrs), np.sqrt(variance), slack=64)
            else:
                check(run(op_type, [x, form], **attrs), np.sqrt(variance), slack=64)
                with np.errstate(all="ignore"):
                    check(run(op_type, [x, form], invert=True, **attrs), 1 / np.sqrt(variance + 0.001), slack=64)


@pytest.mark.parametrize(
    ("correction", "unbiased", "divisor"), [(1, True, 3), (0, True, 4), (2, True, 2), (1, False, 4)]
)
def test_corrections(correction: int, unbiased: bool, divisor: int) -> None:
    x, mean = np.array([1, 2, 3, 6], np.float32), np.full(4, 3, np.float32)
    got = run("ReduceStdV2Update", [x, mean], dim=[0], correction=correction, unbiased=unbiased)
    assert got == np.float32(14 / divisor)


# Normalization.


@pytest.mark.parametrize(("op_type", "row"), cases({"LayerNorm", "LayerNormV3"}))
@pytest.mark.parametrize(("shape", "axis"), [((3, 4), 1), ((2, 3, 4), 1), ((2, 3, 4), -1), ((0, 3), 1), ((4,), 0)])
def test_layer_norm(op_type: str, row: Row, shape: tuple[int, ...], axis: int) -> None:
    x = small(row[0].dtype, shape)
    gamma, beta = (small(dtype.dtype, shape[axis:], seed) for seed, dtype in enumerate(row[1:3]))
    got = run_all(op_type, [x, gamma, beta], begin_norm_axis=axis, begin_params_axis=axis, epsilon=0.5)
    assert [part.dtype for part in got] == [dtype.dtype for dtype in row[3:]]
    axes = tuple(range(axis % len(shape), len(shape)))
    double = x.astype(np.float64)
    if not x.size:
        assert [part.shape for part in got] == [shape, (0, 1), (0, 1)]
        return
    mean, variance = double.mean(axes, keepdims=True), double.var(axes, keepdims=True)
    normal = (double - mean) / np.sqrt(variance + 0.5) * gamma.astype(np.float64) + beta.astype(np.float64)
    np.testing.assert_allclose(
        wide(got[0]), normal, atol=40 * float(np.spacing(np.float32(1))) if row[0].itemsize > 2 else 0.1
    )
    check(got[1], mean, slack=16, signed_zeros=False)
    check(got[2], variance if op_type == "LayerNorm" else 1 / np.sqrt(variance + 0.5), slack=16)


@pytest.mark.parametrize(("op_type", "row"), cases({"LayerNormV4"}))
@pytest.mark.parametrize("count", [1, 2])
def test_layer_norm_of_a_shape(op_type: str, row: Row, count: int) -> None:
    x = small(row[0].dtype, (2, 3, 4))
    gamma, beta = (small(dtype.dtype, x.shape[-count:], seed) for seed, dtype in enumerate(row[2:4]))
    sizes = np.array(x.shape[-count:], np.int32)
    plain = [x.astype(np.float32), gamma.astype(np.float32), beta.astype(np.float32)]
    axis = 3 - count
    wanted = run_all("LayerNormV3", plain, begin_norm_axis=axis, begin_params_axis=axis)
    got = run_all(op_type, [x, sizes, gamma, beta], [dtype.dtype for dtype in row[4:]])
    for part, other in zip(got, wanted, strict=True):
        same(part, rounded(other, part.dtype))
    bare = run_all(op_type, [x, sizes, None, None], [dtype.dtype for dtype in row[4:]])
    ones, zeros = np.ones_like(plain[1]), np.zeros_like(plain[2])
    unscaled = run_all("LayerNormV3", [plain[0], ones, zeros], begin_norm_axis=axis, begin_params_axis=axis)
    same(wide(bare[0]), wide(rounded(unscaled[0], row[4].dtype)))


@pytest.mark.parametrize(("op_type", "row"), cases({"Cummax", "Cummin"}))
def test_running_extremes(op_type: str, row: Row) -> None:
    for shape, axis in [((30,), 0), ((4, 9), -1), ((3, 2, 4), 1), ((0, 3), 0)]:
        x = np.resize(samples(row[0].dtype)[::-1], shape)
        values, places = np.empty_like(x), np.empty(shape, row[2].dtype)
        rows, best_values, best_places = (np.moveaxis(part, axis, -1) for part in (wide(x), values, places))
        for line in np.ndindex(rows.shape[:-1]):
            best = 0
            for i, a in enumerate(rows[line]):
                b = rows[line][best]
                if a != a or (b == b and (a >= b if op_type == "Cummax" else a <= b)):
                    best = i
                best_values[line][i] = rows[line][best]
                best_places[line][i] = best
        attrs = {"dim": axis} if op_type == "Cummax" else {"axis": axis}
        got = run_all(op_type, [x], [row[1].dtype, row[2].dtype], **attrs)
        same(got[0], values)
        same(got[1], places)


@pytest.mark.parametrize(("op_type", "row"), cases({"RmsNorm"}))
def test_rms_norm(op_type: str, row: Row) -> None:
    for shape, norm in [((3, 4), (4,)), ((2, 3, 4), (3, 4)), ((0, 4), (4,))]:
        x, gamma = small(row[0].dtype, shape), small(row[1].dtype, norm, 1)
        y, inverse = run_all(op_type, [x, gamma], epsilon=0.25)
        axes = tuple(range(len(shape) - len(norm), len(shape)))
        double = x.astype(np.float64)
        if x.size:
            wanted = 1 / np.sqrt((double**2).mean(axes, keepdims=True) + 0.25)
            check(inverse, wanted, slack=16)
            check(y, double * wanted * gamma.astype(np.float64), slack=16, signed_zeros=False)
        assert inverse.shape == (*shape[: -len(norm)], *[1] * len(norm))


@pytest.mark.parametrize(("op_type", "row"), cases({"BatchNorm"}))
@pytest.mark.parametrize(
    ("data_format", "shape", "axis"), [("NHWC", (2, 3, 2, 4), 3), ("NCHW", (2, 4, 3, 2), 1), ("NHWC", (5, 4), 1)]
)
def test_batch_norm(op_type: str, row: Row, data_format: str, shape: tuple[int, ...], axis: int) -> None:
    x = small(row[0].dtype, shape)
    scale, offset, mean, variance = (np.arange(4, dtype=np.float32) + start for start in (1, -2, 0.5, 3))
    axes = tuple(place for place in range(len(shape)) if place != axis)
    line = [-1 if place == axis else 1 for place in range(len(shape))]
    double = x.astype(np.float64)

    def normal(center: Array, spread: Array) -> Array:
        scaled = (double - center.reshape(line)) / np.sqrt(spread.reshape(line) + 0.5)
        return scaled * scale.reshape(line) + offset.reshape(line)

    eps = 2e-3 if row[0].itemsize == 2 else 1e-5
    attrs: dict[str, Any] = {"data_format": data_format, "epsilon": 0.5}
    y, *told = run_all(op_type, [x, scale, offset, mean, variance], is_training=False, **attrs)
    np.testing.assert_allclose(y, normal(mean, variance), rtol=eps, atol=eps)
    for part, wanted in zip(told, (mean, variance, mean, variance), strict=False):
        same(part, wanted)
    y, *told = run_all(op_type, [x, scale, offset, None, None], **attrs)
    center, spread = double.mean(axes), double.var(axes)
    count = double.size // 4
    np.testing.assert_allclose(y, normal(center, spread), rtol=eps, atol=eps)
    for part, wanted in zip(told, (center, spread * count / (count - 1), center, spread), strict=False):
        np.testing.assert_allclose(part, wanted, rtol=1e-5, atol=1e-6)
    _, middle, width, *_ = run_all(op_type, [x, scale, offset, mean, variance], exponential_avg_factor=0.25, **attrs)
    np.testing.assert_allclose(middle, 0.75 * mean + 0.25 * center, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(width, 0.75 * variance + 0.25 * spread * count / (count - 1), rtol=1e-5)


# Pooling.


def pooled(x: Array, size: list[int], stride: list[int], pads: list[int], counts: list[int], how: Any) -> Array:
    """NHWC. pads: top, left; counts: of the places."""
    n, height, width, channels = x.shape
    out = np.zeros((n, *counts, channels))
    for i, j in itertools.product(*map(range, counts)):
        top, left = i * stride[0] - pads[0], j * stride[1] - pads[1]
        rows, columns = (
            slice(max(start, 0), min(start + length, most))
            for start, length, most in ((top, size[0], height), (left, size[1], width))
        )
        out[:, i, j] = how(x[:, rows, columns].astype(np.float64), axis=(1, 2))
    return out


@pytest.mark.parametrize(("op_type", "row"), cases({"MaxPool", "AvgPool"}))
@pytest.mark.parametrize("data_format", ["NHWC", "NCHW"])
@pytest.mark.parametrize(
    ("padding", "size", "stride", "pads", "counts"),
    [
        ("VALID", [2, 3], [2, 1], [0, 0], [2, 4]),
        ("SAME", [3, 3], [2, 2], [1, 1], [3, 3]),
        ("SAME", [2, 2], [1, 1], [0, 0], [5, 6]),
        ("VALID", [5, 6], [1, 1], [0, 0], [1, 1]),
    ],
)
def test_pools(
    op_type: str, row: Row, data_format: str, padding: str, size: Any, stride: Any, pads: Any, counts: Any
) -> None:
    if padding == "SAME" and stride == [2, 2]:
        pads = [1, 0]
    x = small(row[0].dtype, (2, 5, 6, 3))
    wanted = pooled(x, size, stride, pads, counts, np.max if op_type == "MaxPool" else np.mean)
    four = [[1, *numbers, 1] for numbers in (size, stride)]
    if data_format == "NCHW":
        x, wanted = (np.moveaxis(part, -1, 1).copy() for part in (x, wanted))
        four = [[1, 1, *numbers] for numbers in (size, stride)]
    got = run(op_type, [x], ksize=four[0], strides=four[1], padding=padding, data_format=data_format)
    check(got, wanted, slack=16, signed_zeros=False)


@pytest.mark.parametrize(("op_type", "row"), cases({"AvgPoolV2"}))
def test_average_pools(op_type: str, row: Row) -> None:
    x = np.moveaxis(small(row[0].dtype, (2, 5, 6, 3)), -1, 1).copy()
    last = np.moveaxis(x, 1, -1)
    attrs: dict[str, Any] = {"ksize": [1, 1, 3, 2], "strides": [1, 1, 2, 2], "pads": [1, 1, 0, 0]}
    wanted = np.moveaxis(pooled(last, [3, 2], [2, 2], [1, 0], [3, 3], np.mean), -1, 1)
    check(run(op_type, [x], **attrs), wanted, slack=16, signed_zeros=False)
    total = np.moveaxis(pooled(last, [3, 2], [2, 2], [1, 0], [3, 3], np.sum), -1, 1)
    check(run(op_type, [x], exclusive=False, **attrs), total / 6, slack=16, signed_zeros=False)
    check(run(op_type, [x], divisor_override=4, **attrs), total / 4, slack=16, signed_zeros=False)
    check(
        run(op_type, [x], global_pooling=True, **attrs),
        x.astype(np.float64).mean((2, 3), keepdims=True),
        slack=16,
        signed_zeros=False,
    )
    ceil = {"ksize": [1, 1, 2, 4], "strides": [1, 1, 2, 4], "ceil_mode": True}
    wanted = np.moveaxis(pooled(last, [2, 4], [2, 4], [0, 0], [3, 2], np.mean), -1, 1)
    check(run(op_type, [x], **ceil), wanted, slack=16, signed_zeros=False)


def test_half_precision_products_accumulate_in_single_precision() -> None:
    x = np.full((1, 64), 1.03125, np.float16)
    got = run("CumprodD", [x], axis=1)
    np.testing.assert_allclose(got[0, -1], 1.03125**64, rtol=1e-3)
    KERNELS["CumprodD"]([x], [x], {"axis": 1, "exclusive": False, "reverse": False})
    same(x, got)
