"""Kernels that make values out of none."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_kernels import cases, check, run, samples

from ascendtensor.embedded.kernels import KERNELS
from ops_registry import dtypes


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


@pytest.mark.parametrize(("op_type", "row"), cases({"RangeD"}))
@pytest.mark.parametrize(("start", "limit", "delta"), [(0.0, 10.0, 3.0), (5.0, -5.0, -2.0), (2.0, 2.0, 1.0)])
def test_range_of_attributes(
    op_type: str, row: tuple[dtypes.DType, ...], start: float, limit: float, delta: float
) -> None:
    wanted = np.arange(start, limit, delta)
    got = run(op_type, [np.arange(len(wanted), dtype=row[0].dtype)], start=start, limit=limit, delta=delta)
    check(got, wanted)
