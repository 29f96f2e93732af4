"""Every kernel, for every row of dtypes that its prototype allows anywhere, against NumPy or plain Python.

What the modules of these tests share; they go by the modules of the kernels.
"""

from __future__ import annotations

import math
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import ops_registry.prototypes  # noqa: F401
from ascendtensor.embedded.kernels import KERNELS
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


# Values for the attributes that have no default.
REQUIRED: dict[str, dict[str, Any]] = {
    "Adds": {"value": 2.5},
    "Axpy": {"alpha": 3.0},
    "Fills": {"value": -3.0},
    "Muls": {"value": -2.0},
    "NanToNum": {"nan": 1.5, "posinf": 99.0, "neginf": -7.0},
}


def complete(op_type: str, attrs: dict[str, Any] | None = None) -> dict[str, Any]:
    """All attributes of an op type, those that are given among them."""
    defaults = {attr.name: attr.default for attr in PROTOTYPES[op_type].attrs.values()}
    return defaults | REQUIRED.get(op_type, {}) | (attrs or {})


def run_all(op_type: str, inputs: list[Any], out_dtypes: Any = None, room: int = 0, **attrs: Any) -> list[Array]:
    """The outputs of a kernel in arrays as `infer` describes them, cut to what the kernel says.

    Parameters:
        out_dtypes: instead of those that `infer` gives.
        room: how large a dimension may become that nothing bounds.
    """
    attrs = complete(op_type, attrs)
    facts = [None if x is None else Facts(dtypes.of(x.dtype), x.shape, x) for x in inputs]
    told = infer(op_type, facts, attrs)
    rooms = [
        fact.shape if fact.ranges is None else tuple(room if most < 0 else most for _, most in fact.ranges)
        for fact in told
    ]
    wanted = out_dtypes or [fact.dtype.dtype for fact in told]
    outputs = [np.ones(shape, dtype) for shape, dtype in zip(rooms, wanted, strict=True)]
    before = [None if x is None else x.tobytes() for x in inputs]
    true_shapes = KERNELS[op_type](inputs, outputs, attrs) or (None,) * len(outputs)
    assert before == [None if x is None else x.tobytes() for x in inputs], "the kernel changed an input"
    for fact, shape in zip(told, true_shapes, strict=True):
        if fact.ranges is not None:
            assert shape is not None
            assert len(shape) == len(fact.ranges)
            assert all(
                least <= n and (most < 0 or n <= most) for n, (least, most) in zip(shape, fact.ranges, strict=True)
            )
        else:
            assert shape in (None, fact.shape)
    return [
        out if shape is None else out.reshape(-1)[: math.prod(shape)].reshape(shape)
        for out, shape in zip(outputs, true_shapes, strict=True)
    ]


def run(op_type: str, inputs: list[Any], out_dtype: Any = None, room: int = 0, **attrs: Any) -> Array:
    """The one output of a kernel."""
    (out,) = run_all(op_type, inputs, out_dtype and [out_dtype], room, **attrs)
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


def same(got: Array, wanted: Array) -> None:
    """The same numbers, NaN for NaN; bfloat16 too, which NumPy's own check does not know."""
    assert got.dtype == wanted.dtype
    np.testing.assert_array_equal(wide(got), wide(wanted))


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


def truncated(x: int, y: int) -> int:
    """Integer division as C has it, but 0 for a division by zero."""
    return 0 if y == 0 else (abs(x) // abs(y)) * (1 if (x < 0) == (y < 0) else -1)


def small(dtype: Any, shape: tuple[int, ...], seed: int = 0) -> Array:
    rng = np.random.default_rng(seed)
    values = rng.integers(0 if np.dtype(dtype).kind == "u" else -4, 5, shape)
    if np.dtype(dtype).kind == "c":
        return (values + 1j * rng.integers(-4, 5, shape)).astype(dtype)
    return values.astype(dtype)


def test_there_is_a_kernel_for_every_op_type_and_no_other() -> None:
    assert set(KERNELS) == set(PROTOTYPES)
