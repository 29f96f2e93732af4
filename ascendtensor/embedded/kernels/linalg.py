"""Decompositions, determinants, and what else is told of matrices: by LAPACK, in stacks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from ..shapes.matrices import cross_axis, diagonal_length, diagonals
from .registry import Array, Attrs, Inputs, Outputs, kernel, store, widen


@contextmanager
def _naming(op_type: str) -> Iterator[None]:
    """Say in a failure whose it is."""
    try:
        yield
    except np.linalg.LinAlgError as error:
        raise np.linalg.LinAlgError(f"{op_type}: {error}") from None


def _decomposition(op_type: str) -> Callable[[Callable[[Array, Attrs], tuple[Array, ...]]], None]:
    """Enter a function of the matrices that gives all outputs."""

    def register(function: Callable[[Array, Attrs], tuple[Array, ...]]) -> None:
        def run(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
            with _naming(op_type):
                results = function(widen(inputs[0]), attrs)
            for out, result in zip(outputs, results, strict=False):
                store(out, result)

        kernel(op_type)(run)

    return register


def _adjoint(x: Array) -> Array:
    return x.conj().swapaxes(-1, -2)


@_decomposition("Cholesky")
def _cholesky(x: Array, attrs: Attrs) -> tuple[Array, ...]:
    return (np.linalg.cholesky(x),)


@_decomposition("MatrixDeterminant")
def _determinant(x: Array, attrs: Attrs) -> tuple[Array, ...]:
    return (np.linalg.det(x),)


@_decomposition("LogMatrixDeterminant")
def _log_determinant(x: Array, attrs: Attrs) -> tuple[Array, ...]:
    return tuple(np.linalg.slogdet(x))


@_decomposition("MatrixInverse")
def _inverse(x: Array, attrs: Attrs) -> tuple[Array, ...]:
    return (np.linalg.inv(_adjoint(x) if attrs["adjoint"] else x),)


@_decomposition("Pinverse")
def _pseudo_inverse(x: Array, attrs: Attrs) -> tuple[Array, ...]:
    return (np.linalg.pinv(x, rcond=attrs["rcond"]),)


@_decomposition("Qr")
def _qr(x: Array, attrs: Attrs) -> tuple[Array, ...]:
    return tuple(np.linalg.qr(x, "complete" if attrs["full_matrices"] else "reduced"))


@_decomposition("SelfAdjointEig")
def _eigen(x: Array, attrs: Attrs) -> tuple[Array, ...]:
    return tuple(np.linalg.eigh(x, "L")) if attrs["compute_v"] else (np.linalg.eigvalsh(x, "L"),)


@_decomposition("Svd")
def _svd(x: Array, attrs: Attrs) -> tuple[Array, ...]:
    if not attrs["compute_uv"]:
        return (np.linalg.svd(x, compute_uv=False),)
    u, sigma, adjoint_v = np.linalg.svd(x, full_matrices=attrs["full_matrices"])
    return sigma, u, _adjoint(adjoint_v)


@_decomposition("Eig")
def _general_eigen(x: Array, attrs: Attrs) -> tuple[Array, ...]:
    return tuple(np.linalg.eig(x))


@_decomposition("EigVals")
def _general_eigenvalues(x: Array, attrs: Attrs) -> tuple[Array, ...]:
    return (np.linalg.eigvals(x),)


@kernel("MatrixSolve")
def _solve(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
    matrix, rhs = inputs
    with _naming("MatrixSolve"):
        store(outputs[0], np.linalg.solve(_adjoint(matrix) if attrs["adjoint"] else matrix, rhs))


@kernel("Cross")
def _cross(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
    axis = cross_axis(inputs[0].shape, attrs["dim"])
    assert axis is not None
    out = np.moveaxis(outputs[0], axis, 0)
    a, b = (np.moveaxis(widen(x), axis, 0) for x in inputs)
    # All three before the first is written: the output may be an input.
    store(out, np.stack([np.subtract(a[i - 2] * b[i - 1], a[i - 1] * b[i - 2]) for i in range(3)]))


@kernel("Dot")
def _dot(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
    x1, x2 = map(widen, inputs)
    store(outputs[0], np.dot(x1, x2))


@kernel("Ger")
def _outer(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
    x1, x2 = map(widen, inputs)
    store(outputs[0], x1[:, None] * x2)


@kernel("Trace")
def _trace(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
    x, out = widen(inputs[0]), outputs[0]
    store(out, np.trace(x, dtype=out.dtype if out.dtype.kind in "iu" else x.dtype))


@kernel("MatrixBandPart")
def _band(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
    """The diagonals from so many below the main one to so many above; a negative number is all of them."""
    x, out = inputs[0], outputs[0]
    rows, columns = x.shape[-2:]
    lower, upper = (int(number.reshape(-1)[0]) for number in inputs[1:])
    kept = np.ones((rows, columns), np.bool_)
    if lower >= 0:
        kept &= ~np.tri(rows, columns, -min(lower, rows) - 1, np.bool_)
    if upper >= 0:
        kept &= np.tri(rows, columns, min(upper, columns), np.bool_)
    np.copyto(out, x)
    np.copyto(out, out.dtype.type(0), where=~kept)


@kernel("MatrixDiagPartV3")
def _diag_part(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
    """Diagonals as rows, the highest first, each pushed to the side that `align` says for its side of the main one."""
    x, out = inputs[0], outputs[0]
    lowest, highest = diagonals(tuple(inputs[1].reshape(-1).tolist()))
    above, _, below = attrs["align"].partition("_")
    lines = out[..., None, :] if lowest == highest else out
    rows, columns = x.shape[-2:]
    out[...] = inputs[2].reshape(-1)[0]
    for place, k in enumerate(range(highest, lowest - 1, -1)):
        length = diagonal_length(rows, columns, k)
        start = lines.shape[-1] - length if (above if k >= 0 else below) == "RIGHT" else 0
        lines[..., place, start : start + length] = np.diagonal(x, k, -2, -1)


_NORMS: dict[float, Callable[..., Any]] = {
    0.0: lambda size, axes, keepdims: np.add.reduce(size != 0, axes, dtype=np.float32, keepdims=keepdims),
    1.0: lambda size, axes, keepdims: np.add.reduce(size, axes, keepdims=keepdims),
    2.0: lambda size, axes, keepdims: np.sqrt(np.add.reduce(size * size, axes, keepdims=keepdims)),
    np.inf: lambda size, axes, keepdims: np.maximum.reduce(size, axes, keepdims=keepdims, initial=0),
    -np.inf: lambda size, axes, keepdims: np.minimum.reduce(size, axes, keepdims=keepdims, initial=np.inf),
}


@kernel("LpNormV2")
def _lp_norm(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
    p, size = attrs["p"], np.abs(widen(inputs[0]))
    axes, keepdims = tuple(attrs["axes"]) or tuple(range(size.ndim)), bool(attrs["keepdim"])
    if p in _NORMS:
        norm = _NORMS[p](size, axes, keepdims)
    else:
        norm = np.power(np.sum(np.power(size, size.dtype.type(p)), axes, keepdims=keepdims), size.dtype.type(1 / p))
    store(outputs[0], np.maximum(norm, attrs["epsilon"]))
