"""Decompositions, determinants and Fourier transforms: by what defines them, or against NumPy."""

from __future__ import annotations

import cmath
import itertools
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from test_kernels import Array, cases, check, rounded, run, run_all, same, samples, small, wide

from ascendtensor.embedded.kernels import KERNELS
from ops_registry import dtypes

Row = tuple[dtypes.DType, ...]
BATCHES: list[tuple[int, ...]] = [(), (2,), (3, 1), (0,)]


def matrices(dtype: Any, shape: tuple[int, ...], seed: int = 0) -> Array:
    rng = np.random.default_rng(seed)
    x = rng.normal(size=shape)
    return (x + 1j * rng.normal(size=shape) if np.dtype(dtype).kind == "c" else x).astype(dtype)


def adjoint(x: Array) -> Array:
    return x.conj().swapaxes(-1, -2)


def close(got: Array, wanted: Array, slack: float = 200) -> None:
    """Within `slack` units of the last place of the largest element."""
    assert got.shape == wanted.shape
    if not got.size:
        return
    eps = float(ml_dtypes.finfo(got.dtype).eps)
    assert np.max(np.abs(wide(got) - wanted)) <= slack * eps * max(1, np.max(np.abs(wanted)))


@pytest.mark.parametrize(("op_type", "row"), cases({"Cholesky"}))
@pytest.mark.parametrize("n", [0, 1, 4])
@pytest.mark.parametrize("batch", BATCHES)
def test_cholesky(op_type: str, row: Row, n: int, batch: tuple[int, ...]) -> None:
    factor = np.tril(matrices(np.complex128 if row[0].kind == "c" else np.float64, (*batch, n, n))) + 3 * np.eye(n)
    factor[..., range(n), range(n)] = np.abs(factor[..., range(n), range(n)])
    x = (factor @ adjoint(factor)).astype(row[0].dtype)
    # Only the lower triangle is read.
    got = run(op_type, [np.tril(x)])
    close(got, factor)
    same(np.triu(got, 1), np.zeros_like(got))


@pytest.mark.parametrize(("op_type", "row"), cases({"MatrixDeterminant", "LogMatrixDeterminant"}))
@pytest.mark.parametrize("batch", BATCHES)
def test_determinants(op_type: str, row: Row, batch: tuple[int, ...]) -> None:
    for n in (0, 1, 2, 3):
        x = matrices(row[0].dtype, (*batch, n, n), n)
        # By permutations.
        wanted = np.zeros(batch, np.complex128)
        for order in itertools.permutations(range(n)):
            sign = np.linalg.det(np.eye(n)[list(order)]) if n else 1
            wanted += sign * np.prod(x[..., range(n), order].astype(np.complex128), axis=-1)
        if op_type == "MatrixDeterminant":
            close(run(op_type, [x]), wanted)
        else:
            sign, log = run_all(op_type, [x])
            assert log.dtype == x.dtype
            close(sign * np.exp(log), wanted)
            close(np.abs(sign), np.ones(batch))


def test_the_determinant_of_a_singular_matrix() -> None:
    assert run("MatrixDeterminant", [np.ones((2, 2))]) == 0
    sign, log = run_all("LogMatrixDeterminant", [np.zeros((2, 2), np.float32)])
    assert (float(sign), float(log)) == (0, -np.inf)


@pytest.mark.parametrize(("op_type", "row"), cases({"MatrixInverse"}))
@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("batch", BATCHES)
def test_inverses(op_type: str, row: Row, turned: bool, batch: tuple[int, ...]) -> None:
    for n in (0, 1, 4):
        x = matrices(row[0].dtype, (*batch, n, n)) + 3 * np.eye(n, dtype=row[0].dtype)
        got = run(op_type, [x], adjoint=turned)
        close(got @ (adjoint(x) if turned else x), np.broadcast_to(np.eye(n), x.shape))


@pytest.mark.parametrize(("op_type", "row"), cases({"MatrixSolve"}))
@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("batch", BATCHES)
def test_solutions(op_type: str, row: Row, turned: bool, batch: tuple[int, ...]) -> None:
    for n, columns in ((3, 2), (1, 0), (0, 2)):
        x = matrices(row[0].dtype, (*batch, n, n)) + 3 * np.eye(n, dtype=row[0].dtype)
        rhs = matrices(row[1].dtype, (*batch, n, columns), 1)
        got = run(op_type, [x, rhs], adjoint=turned)
        close((adjoint(x) if turned else x) @ got, rhs)


@pytest.mark.parametrize(("op_type", "row"), cases({"Pinverse"}))
@pytest.mark.parametrize("shape", [(3, 3), (4, 2), (2, 5), (2, 3, 2), (0, 3), (2, 0, 3)])
def test_pseudo_inverses(op_type: str, row: Row, shape: tuple[int, ...]) -> None:
    x = matrices(row[0].dtype, shape)
    got = run(op_type, [x])
    close(x @ got @ x, x)
    close(got @ x @ got, got)
    close(adjoint(x @ got), x @ got)
    close(adjoint(got @ x), got @ x)


def test_small_singular_values_are_left_out() -> None:
    x = np.diag([4.0, 1.0, 1e-3])
    close(run("Pinverse", [x], rcond=0.01), np.diag([0.25, 1, 0]))
    close(run("Pinverse", [x], rcond=0.5), np.diag([0.25, 0, 0]))


@pytest.mark.parametrize(("op_type", "row"), cases({"Qr"}))
@pytest.mark.parametrize("full", [False, True])
@pytest.mark.parametrize("shape", [(3, 3), (4, 2), (2, 5), (2, 3, 2), (0, 3, 3), (3, 0)])
def test_qr(op_type: str, row: Row, full: bool, shape: tuple[int, ...]) -> None:
    x = matrices(row[0].dtype, shape)
    q, r = (wide(part) for part in run_all(op_type, [x], full_matrices=full))
    inner = shape[-2] if full else min(shape[-2:])
    assert q.shape == (*shape[:-1], inner)
    assert r.shape == (*shape[:-2], inner, shape[-1])
    eps = float(ml_dtypes.finfo(row[0].dtype).eps)
    np.testing.assert_allclose(q @ r, wide(x), atol=100 * eps)
    np.testing.assert_allclose(
        adjoint(q) @ q, np.broadcast_to(np.eye(inner), (*shape[:-2], inner, inner)), atol=100 * eps
    )
    np.testing.assert_array_equal(r, np.triu(r))


@pytest.mark.parametrize(("op_type", "row"), cases({"SelfAdjointEig"}))
@pytest.mark.parametrize("batch", BATCHES)
def test_eigenvalues(op_type: str, row: Row, batch: tuple[int, ...]) -> None:
    for n in (0, 1, 4):
        x = matrices(row[0].dtype, (*batch, n, n))
        x = x + adjoint(x)
        # The upper triangle is not read.
        given = np.where(np.tri(n, dtype=bool), x, np.nan).astype(x.dtype)
        values, vectors = run_all(op_type, [given])
        assert values.dtype == x.dtype
        close(vectors * values[..., None, :], x @ vectors)
        close(adjoint(vectors) @ vectors, np.broadcast_to(np.eye(n), x.shape))
        assert np.all(np.diff(values.real) >= 0)
        alone, none = run_all(op_type, [given], compute_v=False)
        close(alone, values)
        assert none.shape == (0,)


@pytest.mark.parametrize(("op_type", "row"), cases({"Svd"}))
@pytest.mark.parametrize("full", [False, True])
@pytest.mark.parametrize("shape", [(3, 3), (4, 2), (2, 5), (2, 3, 2), (0, 3, 3)])
def test_svd(op_type: str, row: Row, full: bool, shape: tuple[int, ...]) -> None:
    x = matrices(row[0].dtype, shape)
    sigma, u, v = run_all(op_type, [x], full_matrices=full)
    least = min(shape[-2:])
    assert sigma.dtype == x.dtype
    assert u.shape == (*shape[:-1], shape[-2] if full else least)
    assert v.shape == (*shape[:-2], shape[-1], shape[-1] if full else least)
    close(u[..., :least] * sigma[..., None, :] @ adjoint(v[..., :least]), x)
    for part in (u, v):
        close(adjoint(part) @ part, np.broadcast_to(np.eye(part.shape[-1]), (*shape[:-2], *[part.shape[-1]] * 2)))
    assert np.all(np.diff(sigma.real) <= 0)
    alone, *none = run_all(op_type, [x], compute_uv=False)
    close(alone, sigma)
    assert [part.shape for part in none] == [(0,), (0,)]


@pytest.mark.parametrize(
    ("op_type", "inputs"),
    [
        ("MatrixInverse", [np.ones((2, 2))]),
        ("MatrixSolve", [np.ones((2, 2)), np.ones((2, 1))]),
        ("Cholesky", [-np.eye(2)]),
        ("Svd", [np.full((2, 2), np.nan)]),
    ],
)
def test_a_failure_names_its_op(op_type: str, inputs: list[Array]) -> None:
    with pytest.raises(np.linalg.LinAlgError, match=f"^{op_type}: "):
        run(op_type, inputs) if op_type != "Svd" else run_all(op_type, inputs)


@pytest.mark.parametrize(("op_type", "row"), cases({"Cross"}))
@pytest.mark.parametrize(
    ("shape", "dim"), [((3,), 0), ((2, 3), -1), ((3, 4), -65530), ((2, 3, 3), -65530), ((3, 0), 0)]
)
def test_cross(op_type: str, row: Row, shape: tuple[int, ...], dim: int) -> None:
    a, b = (np.resize(small(row[0].dtype, (7,), seed), shape) for seed in (0, 5))
    axis = shape.index(3) if dim == -65530 else dim
    x, y = (np.moveaxis(v.astype(object if v.dtype.kind in "iu" else wide(v).dtype), axis, 0) for v in (a, b))
    lines = [x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]]
    wanted = np.moveaxis(np.array(lines), 0, axis)
    if row[0].kind in "iu":
        wanted = np.array([int(v) % 2 ** (8 * row[0].itemsize) for v in wanted.ravel()], f"u{row[0].itemsize}")
        wanted = wanted.reshape(shape).view(row[0].dtype)
    check(run(op_type, [a, b], dim=dim), wanted)
    KERNELS["Cross"]([a, b], [a], {"dim": dim})
    check(a, wanted)


@pytest.mark.parametrize(("op_type", "row"), cases({"Dot"}))
@pytest.mark.parametrize("n", [0, 1, 50])
def test_dot(op_type: str, row: Row, n: int) -> None:
    a, b = (small(row[0].dtype, (n,), seed) for seed in (0, 1))
    total = sum((int(v) * int(w) for v, w in zip(a, b, strict=True)), 0)
    if row[0].kind in "iu":
        total = int(np.array(total % 256 if row[0].itemsize == 1 else total).astype(row[0].dtype))
    check(run(op_type, [a, b]), [total])


@pytest.mark.parametrize(("op_type", "row"), cases({"Ger"}))
def test_ger(op_type: str, row: Row) -> None:
    for n, m in ((3, 4), (1, 1), (0, 2)):
        a, b = small(row[0].dtype, (n,)), small(row[1].dtype, (m,), 1)
        check(run(op_type, [a, b]), [[float(v) * float(w) for w in b] for v in a] if n else np.zeros((0, m)))


@pytest.mark.parametrize(("op_type", "row"), cases({"Trace"}))
@pytest.mark.parametrize("shape", [(3, 3), (2, 5), (4, 1), (0, 3)])
def test_trace(op_type: str, row: Row, shape: tuple[int, int]) -> None:
    x = small(row[0].dtype, shape) if row[0].kind != "b" else np.ones(shape, bool)
    got = run(op_type, [x])
    assert got.dtype == row[1].dtype
    check(got, sum((x[i, i].item() for i in range(min(shape))), 0))


@pytest.mark.parametrize(("op_type", "row"), cases({"LpNormV2"}))
@pytest.mark.parametrize("keepdim", [False, True])
@pytest.mark.parametrize(("shape", "axes"), [((3, 4), []), ((3, 4), [1]), ((2, 3, 4), [0, -1]), ((5,), [0]), ((), [])])
def test_lp_norms(op_type: str, row: Row, keepdim: bool, shape: tuple[int, ...], axes: list[int]) -> None:
    x = small(row[0].dtype, shape)
    size = np.abs(x.astype(np.float64))
    where = {"axis": tuple(axes) or None, "keepdims": keepdim}
    for p, norm in {
        2.0: np.sqrt((size**2).sum(**where)),
        1.0: size.sum(**where),
        0.0: (size != 0).sum(**where),
        3.0: np.cbrt((size**3).sum(**where)),
        np.inf: size.max(**where),
        -np.inf: size.min(**where),
    }.items():
        check(run(op_type, [x], p=p, axes=axes, keepdim=keepdim, epsilon=0.0), norm, slack=16)


def test_epsilon_is_the_least_norm() -> None:
    assert run("LpNormV2", [np.zeros(3, np.float32)], epsilon=0.5) == 0.5
    assert np.isnan(run("LpNormV2", [np.array([np.nan, 1], np.float32)]))


@pytest.mark.parametrize(("op_type", "row"), cases({"MatrixBandPart"}))
@pytest.mark.parametrize("shape", [(3, 4), (2, 4, 2), (0, 3)])
def test_bands(op_type: str, row: Row, shape: tuple[int, ...]) -> None:
    x = np.resize(samples(row[0].dtype), shape)
    i, j = np.indices(shape[-2:])
    for lower, upper in itertools.product((-1, 0, 1, 9), repeat=2):
        kept = ((lower < 0) | (i - j <= lower)) & ((upper < 0) | (j - i <= upper))
        wanted = np.where(kept, x, np.zeros((), x.dtype))
        numbers = [np.array(n, dtype.dtype) for n, dtype in zip((lower, upper), row[1:], strict=False)]
        got = run(op_type, [x, *numbers])
        assert got.tobytes() == wanted.astype(x.dtype).tobytes()


@pytest.mark.parametrize(("op_type", "row"), cases({"MatrixDiagPartV3"}))
def test_diagonals(op_type: str, row: Row) -> None:
    x, fill = np.resize(samples(row[0].dtype), (2, 3, 4)), samples(row[2].dtype)[2]
    for k in (-2, -1, 0, 1, 3):
        got = run(op_type, [x, np.array(k, np.int32), fill.reshape(())])
        assert got.tobytes() == np.diagonal(x, k, -2, -1).tobytes()
    for align, (low, high) in itertools.product(
        ("LEFT_RIGHT", "RIGHT_LEFT", "LEFT_LEFT", "RIGHT_RIGHT"), ((-2, 1), (0, 2))
    ):
        got = run(op_type, [x, np.array([low, high], np.int32), fill.reshape(())], align=align)
        assert got.shape == (2, high - low + 1, 3)
        for place, k in enumerate(range(high, low - 1, -1)):
            line = np.diagonal(x, k, -2, -1)
            side = align.split("_")[0 if k >= 0 else 1]
            rest = np.full((2, 3 - line.shape[-1]), fill)
            parts = (line, rest) if side == "LEFT" else (rest, line)
            assert got[:, place].tobytes() == np.concatenate(parts, -1).tobytes()


# Fourier transforms.


def transformed(x: Array, sign: int) -> Array:
    """By the definition, along the last axis."""
    n = x.shape[-1]
    powers = [[cmath.exp(sign * 2j * cmath.pi * (j * k % n) / n) for k in range(n)] for j in range(n)]
    return x.astype(np.complex128) @ np.array(powers, np.complex128).reshape(n, n)


@pytest.mark.parametrize(("op_type", "row"), cases({"FFT", "IFFT", "FFT2D", "IFFT2D"}))
@pytest.mark.parametrize("shape", [(1, 1), (2, 5), (3, 4, 6), (0, 3), (3, 0)])
def test_complex_transforms(op_type: str, row: Row, shape: tuple[int, ...]) -> None:
    x = matrices(row[0].dtype, shape)
    sign = 1 if op_type.startswith("I") else -1
    wanted = x.astype(np.complex128)
    for _ in range(2 if "2D" in op_type else 1):
        wanted = transformed(wanted, sign) / (wanted.shape[-1] or 1 if sign > 0 else 1)
        wanted = wanted.swapaxes(-1, -2) if "2D" in op_type else wanted
    close(run(op_type, [x]), wanted)
    if "2D" not in op_type and x.size:
        close(run(op_type, [x[0, ..., :]]), wanted[0])


@pytest.mark.parametrize("shape", [(1,), (5,), (6,), (3, 4), (0, 4), (2, 0)])
@pytest.mark.parametrize("n", [1, 4, 5, 8])
def test_real_transforms(shape: tuple[int, ...], n: int) -> None:
    x, length = matrices(np.float32, shape), np.array([n], np.int32)
    cut = np.zeros((*shape[:-1], n))
    take = min(n, shape[-1])
    cut[..., :take] = x[..., :take]
    got = run("RFFT", [x, length])
    assert got.dtype == np.complex64
    close(got, transformed(cut, -1)[..., : n // 2 + 1])
    back = run("IRFFT", [got, length])
    assert back.dtype == np.float32
    close(back, cut)


def test_half_a_spectrum_is_cut_or_filled_up() -> None:
    x = matrices(np.complex64, (2, 3))
    for n in (2, 4, 9):
        half = np.zeros((2, n // 2 + 1), np.complex128)
        take = min(3, n // 2 + 1)
        half[:, :take] = x[:, :take]
        half[:, 0] = half[:, 0].real
        whole = np.zeros((2, n), np.complex128)
        whole[:, : n // 2 + 1] = half
        for k in range(1, (n + 1) // 2):
            whole[:, n - k] = half[:, k].conj()
        if n % 2 == 0:
            whole[:, n // 2] = half[:, n // 2].real
        close(run("IRFFT", [x, np.array([n], np.int32)]), transformed(whole, 1).real / n)


def test_precision_is_that_of_the_input() -> None:
    x = matrices(np.complex128, (64,))
    close(run("FFT", [x]), transformed(x, -1), slack=64)
    rough = rounded(x, np.complex64)
    assert not np.array_equal(run("FFT", [rough]), run("FFT", [rough.astype(np.complex128)]))
