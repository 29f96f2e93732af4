"""Strategies for tensors, and how results are held against NumPy's."""

from __future__ import annotations

import gc
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import ascendtensor as at
from ops_registry import dtypes
from ops_registry.dtypes import DType

__all__ = [
    "COMPLEX",
    "FLOATING",
    "INTEGERS",
    "NUMERIC",
    "REAL",
    "arrays",
    "assert_matches",
    "on_device",
    "settled_memory",
    "shapes",
    "views",
]

INTEGERS = tuple(d for d in dtypes.ALL if d.kind in "iu")
FLOATING = tuple(d for d in dtypes.ALL if d.kind == "f")
COMPLEX = tuple(d for d in dtypes.ALL if d.kind == "c")
REAL = INTEGERS + FLOATING
NUMERIC = REAL + COMPLEX

# Relative error that an op may make, in units of the dtype's eps.
_ULPS = 8


def shapes(
    max_dims: int = 4, max_side: int = 4, min_dims: int = 0, min_side: int = 0
) -> st.SearchStrategy[tuple[int, ...]]:
    """Shapes, 0-d and empty ones among them."""
    return hnp.array_shapes(min_dims=min_dims, max_dims=max_dims, min_side=min_side, max_side=max_side)


def _special(dtype: DType) -> list[float]:
    info = at.finfo(dtype)
    return [0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, info.max, info.min, info.smallest_normal, 0.5, -2.5, 1.5]


def elements(dtype: DType) -> st.SearchStrategy[Any]:
    """Values of a dtype, the special ones often."""
    if dtype.kind == "b":
        return st.booleans()
    if dtype.kind in "iu":
        info = at.iinfo(dtype)
        return (
            st.integers(info.min, info.max) | st.integers(max(info.min, -9), 9) | st.sampled_from([info.min, info.max])
        )
    if dtype.kind == "f":
        moderate = st.floats(-100, 100, width=32)
        return moderate | st.sampled_from(_special(dtype))
    part = elements(dtypes.REAL_OF[dtype])
    return st.builds(complex, part, part)


@st.composite
def arrays(
    draw: st.DrawFn,
    dtype: DType,
    shape: tuple[int, ...] | st.SearchStrategy[tuple[int, ...]] | None = None,
    values: st.SearchStrategy[Any] | None = None,
) -> np.ndarray[Any, Any]:
    """NumPy arrays of a dtype, special values included."""
    wanted = shape if isinstance(shape, tuple) else draw(shape if shape is not None else shapes())
    size = int(np.prod(wanted))
    drawn = draw(st.lists(elements(dtype) if values is None else values, min_size=size, max_size=size))
    with np.errstate(all="ignore"):
        return np.asarray(drawn).reshape(wanted).astype(dtype.dtype) if size else np.empty(wanted, dtype.dtype)


@st.composite
def views(draw: st.DrawFn, ndim: int) -> tuple[Any, ...]:
    """Basic indices for an array of some dimensions: steps of either sign, integers, None and an ellipsis."""
    one = st.one_of(
        st.just(slice(None)),
        st.builds(
            slice, st.none() | st.integers(-5, 5), st.none() | st.integers(-5, 5), st.sampled_from([None, 1, 2, -1, -2])
        ),
        st.just(slice(None, None, -1)),
    )
    key: list[Any] = [draw(one) for _ in range(draw(st.integers(0, ndim)))]
    if draw(st.booleans()):
        key.insert(draw(st.integers(0, len(key))), None)
    if draw(st.booleans()):
        key.insert(draw(st.integers(0, len(key))), ...)
    return tuple(key)


def on_device(array: np.ndarray[Any, Any]) -> at.Tensor:
    """A tensor with an array's values and dtype."""
    return at.asarray(array, dtype=dtypes.of(array.dtype))


def assert_matches(
    tensor: at.Tensor,
    expected: Any,
    *,
    dtype: DType | None = None,
    exact: bool = False,
    ulps: float = _ULPS,
    scale: float = 0.0,
) -> None:
    """A tensor's dtype, shape and values are those expected.

    Parameters:
        expected: NumPy's result, which may be of a wider dtype than the tensor.
        dtype: the tensor's; by default the expected array's own.
        exact: whether floating values must agree to the bit (NaN with NaN, signs of zeros too).
        ulps: the relative error allowed, in units of the dtype's eps.
        scale: of the values that cancelled on the way: it allows an error of `ulps` times its eps.
    """
    reference = np.asarray(expected)
    wanted = dtype or dtypes.of(reference.dtype)
    assert isinstance(tensor, at.Tensor)
    assert tensor.dtype is wanted
    assert tensor.shape == reference.shape
    values = tensor.numpy()
    with np.errstate(all="ignore"):
        reference = reference.astype(wanted.dtype)
    if wanted.kind in "biu":
        np.testing.assert_array_equal(values, reference)
        return
    if wanted.kind == "c":
        parts = dtypes.REAL_OF[wanted]
        for part in ("real", "imag"):
            _assert_close(getattr(values, part), getattr(reference, part), parts, exact, ulps, scale)
        return
    _assert_close(values, reference, wanted, exact, ulps, scale)


def _assert_close(
    values: np.ndarray[Any, Any], reference: np.ndarray[Any, Any], dtype: DType, exact: bool, ulps: float, scale: float
) -> None:
    wide = np.float64
    got, want = values.astype(wide), reference.astype(wide)
    if exact:
        np.testing.assert_array_equal(got, want)
        np.testing.assert_array_equal(np.signbit(got)[~np.isnan(got)], np.signbit(want)[~np.isnan(want)])
        return
    info = at.finfo(dtype)
    # Below the smallest normal number precision ends, on the device as in NumPy.
    floor = info.smallest_normal + ulps * info.eps * scale
    np.testing.assert_allclose(got, want, rtol=ulps * info.eps, atol=floor, equal_nan=True)


def settled_memory() -> int:
    """The bytes that tensors hold, when the garbage of earlier tests is gone: it would go at any moment."""
    gc.collect()
    return at.npu.memory_allocated()
