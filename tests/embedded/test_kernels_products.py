"""Matrix products."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from test_kernels import cases, check, rounded, run, small

from ops_registry import dtypes
from ops_registry.prototype import PROTOTYPES


@pytest.mark.parametrize(
    ("op_type", "row"), cases({"MatMul", "MatMulV2", "MatMulV3", "BatchMatMul", "BatchMatMulV2", "BatchMatMulV3"})
)
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
