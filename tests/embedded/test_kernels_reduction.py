"""Reductions and scans along axes."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes
from test_kernels import Array, cases, check, rounded, rows_of, run, samples, small, truncated, wide

from ascendtensor.embedded.kernels import KERNELS
from ops_registry import dtypes

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
        return np.array([truncated(v, count) for v in total.ravel().tolist()], out).reshape(total.shape)
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


@pytest.mark.parametrize("op_type", ["ArgMaxV2", "ArgMin"])
def test_the_position_in_an_empty_axis(op_type: str) -> None:
    with pytest.raises(IndexError, match=rf"{op_type}: axis 1 of shape \(2, 0\)"):
        run(op_type, [np.zeros((2, 0), np.float32), np.array(1)])
