"""Fourier transforms, against NumPy's in float64."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ascendtensor as at
from ops_registry import dtypes
from ops_registry.dtypes import DType

from .comparison import assert_matches, shapes
from .layouts import Array, moderate, refuses, tensors

COMPLEX = ("fft", "ifft")
HALVED = ("rfft", "ihfft")
RESTORED = ("irfft", "hfft")
SEVERAL = ("fftn", "ifftn", "rfftn", "irfftn", "fft2", "ifft2", "rfft2", "irfft2")
NORMS = st.sampled_from(["backward", "ortho", "forward", None])


def taken(function: str) -> list[DType]:
    real = function.startswith("rfft") or function == "ihfft"
    return [dtype for dtype in dtypes.ALL if not (real and dtype.kind == "c")]


def each(*functions: str, among: tuple[DType, ...] = dtypes.ALL) -> pytest.MarkDecorator:
    """Each function with each dtype that it takes."""
    pairs = [(name, dtype) for name in functions for dtype in taken(name) if dtype in among]
    rows = [pytest.param(name, dtype, id=f"{name}-{dtype}") for name, dtype in pairs]
    return pytest.mark.parametrize(("function", "dtype"), rows)


def result_dtype(function: str, dtype: DType) -> DType:
    double = dtype in (dtypes.float64, dtypes.complex128)
    if function.startswith(("irfft", "hfft")):
        return dtypes.float64 if double else dtypes.float32
    return dtypes.complex128 if double else dtypes.complex64


def compare(function: str, array: Array, x: at.Tensor, **options: Any) -> None:
    """The library's result is NumPy's, up to the rounding of sums as long as these."""
    wide = array.astype(np.complex128 if array.dtype.kind == "c" else np.float64)
    expected = getattr(np.fft, function)(wide, **options)
    found = getattr(at.fft, function)(x, **options)
    # Integers are computed in float32: what they lose there is no error of the transform.
    biggest = float(np.abs(wide).max(initial=0)) * prod(expected.shape or (1,)) * max(1, wide.size)
    assert_matches(found, expected, dtype=result_dtype(function, dtypes.of(array.dtype)), scale=biggest)


def small(dtype: DType) -> st.SearchStrategy[Any]:
    return st.integers(0, 9) if dtype.kind in "iu" else moderate(dtype, 9)


@each(*COMPLEX, *HALVED, *RESTORED)
@settings(max_examples=10)
@given(data=st.data())
def test_along_one_axis(function: str, dtype: DType, data: st.DataObject) -> None:
    shape = data.draw(shapes(min_dims=1, max_dims=3, max_side=5))
    array, x = data.draw(tensors(dtype, shape, small(dtype)))
    axis = data.draw(st.integers(-array.ndim, array.ndim - 1))
    n = data.draw(st.none() | st.integers(1, 9))
    if n is None and shape[axis] < (2 if function in RESTORED else 1):
        n = data.draw(st.integers(1, 5))
    compare(function, array, x, n=n, axis=axis, norm=data.draw(NORMS))


@each(
    *SEVERAL, among=(dtypes.uint8, dtypes.bfloat16, dtypes.float32, dtypes.float64, dtypes.complex64, dtypes.complex128)
)
@settings(max_examples=10)
@given(data=st.data())
def test_along_several_axes(function: str, dtype: DType, data: st.DataObject) -> None:
    shape = data.draw(shapes(min_dims=2, max_dims=4, max_side=4, min_side=2))
    array, x = data.draw(tensors(dtype, shape, small(dtype)))
    pair = function.endswith("2")
    one = st.integers(-array.ndim, array.ndim - 1)
    axes = data.draw(st.lists(one, min_size=2 if pair else 1, max_size=2 if pair else 3))
    lengths = data.draw(st.none() | st.tuples(*(st.integers(1, 6) for _ in axes)))
    compare(function, array, x, s=lengths, axes=tuple(axes), norm=data.draw(NORMS))
    compare(function, array, x, norm=data.draw(NORMS))


@pytest.mark.parametrize("dtype", [dtypes.float32, dtypes.complex128], ids=str)
def test_what_is_left_as_it_is(dtype: DType) -> None:
    array = np.arange(6).reshape(2, 3).astype(dtype.dtype)
    x = at.asarray(array)
    for function in ("fftn", "ifftn"):
        same = getattr(at.fft, function)(x, axes=())
        assert_matches(same, array, dtype=result_dtype(function, dtype))
        assert same.storage is not x.storage
        assert_matches(getattr(at.fft, function)(x[0, 0]), array[0, 0], dtype=result_dtype(function, dtype))
    compare("fftn", array, x, s=(-1, 4), axes=(1, 0))
    compare("rfftn", array.real, x.real, s=(5, -1), axes=(0, 1))
    assert_matches(
        at.fft.irfftn(x, s=(2, -1), axes=(0, 1)),
        np.fft.irfftn(array, s=(2, 4), axes=(0, 1)).astype(dtypes.REAL_OF.get(dtype, dtype).dtype),
        ulps=32,
    )


@pytest.mark.parametrize("function", ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft"])
@pytest.mark.parametrize("shape", [(0, 3), (3, 0, 2), (0, 0)])
def test_of_nothing(function: str, shape: tuple[int, ...]) -> None:
    for dtype in (dtypes.float32, dtypes.float64):
        array = np.empty(shape, dtype.dtype)
        compare(function, array, at.asarray(array), n=4)
        assert_matches(getattr(at.fft, function)(at.asarray(array), n=4), getattr(np.fft, function)(array, n=4))


@pytest.mark.parametrize("n", [1, 2, 7, 64, 360, 1009, 4096])
@pytest.mark.parametrize("dtype", [dtypes.float32, dtypes.float64], ids=str)
def test_there_and_back(n: int, dtype: DType) -> None:
    rng = np.random.default_rng(n)
    real = rng.normal(size=(2, n)).astype(dtype.dtype)
    array = (real + 1j * rng.normal(size=(2, n))).astype(dtypes.COMPLEX_OF[dtype].dtype)
    for x, there, back, options in (
        (array, "fft", "ifft", {}),
        (array, "ifftn", "fftn", {}),
        (real, "rfft", "irfft", {"n": n}),
        (real, "ihfft", "hfft", {"n": n}),
        (real, "rfft2", "irfft2", {"s": real.shape}),
    ):
        again = getattr(at.fft, back)(getattr(at.fft, there)(at.asarray(x)), **options)
        assert_matches(again, x, ulps=64, scale=1)


def test_halves_take_the_real_part_at_their_ends() -> None:
    """A real signal has no imaginary part there: NumPy looks at none."""
    for dtype in (np.complex64, np.complex128):
        array = np.asarray([1 + 5j, 2 - 1j, 3 + 7j], dtype)
        for n in (4, 5, 3, 2, 1, 8):
            compare("irfft", array, at.asarray(array), n=n)


def test_each_transform_is_one_op_of_the_device() -> None:
    x = at.ones((4, 8), dtype=at.complex64)
    for call, names in (
        (lambda: at.fft.fft(x), ["FFT"]),
        (lambda: at.fft.ifft2(x), ["IFFT2D"]),
        (lambda: at.fft.fftn(x), ["FFT2D"]),
        (lambda: at.fft.irfft(x), ["IRFFT"]),
        (lambda: at.fft.rfft(x.real), ["AsStrided", "RFFT"]),
        (lambda: at.fft.fft(x, norm="ortho"), ["FFT", "Mul"]),
    ):
        with at.profiler.profile() as profile:
            call()
        assert sorted(op.op_type for op in profile.key_averages()) == names


# Frequencies and shifts.


@pytest.mark.parametrize("function", ["fftfreq", "rfftfreq"])
@given(n=st.integers(1, 40), d=st.floats(0.01, 100) | st.integers(1, 5) | st.floats(-3, -0.1))
def test_frequencies(function: str, n: int, d: float) -> None:
    expected = getattr(np.fft, function)(n, d)
    for dtype in (at.float32, at.float64, at.float16, at.bfloat16):
        with np.errstate(over="ignore"):
            assert_matches(getattr(at.fft, function)(n, d=d, dtype=dtype), expected, dtype=dtype, exact=True)
    found = getattr(at.fft, function)(n, device="npu:0")
    assert found.dtype is at.float32
    assert_matches(found, getattr(np.fft, function)(n), dtype=at.float32, exact=True)


@pytest.mark.parametrize("dtype", dtypes.ALL, ids=str)
@given(data=st.data())
def test_shifts(dtype: DType, data: st.DataObject) -> None:
    array, x = data.draw(tensors(dtype))
    axes = data.draw(st.none() | st.lists(st.integers(0, array.ndim - 1), unique=True) if array.ndim else st.none())
    for function in ("fftshift", "ifftshift"):
        for chosen in (axes, axes[-1] if axes else None):
            # NumPy's fails where there are no axes to shift along.
            expected = getattr(np.fft, function)(array, axes=chosen) if array.ndim and chosen != [] else array
            assert_matches(getattr(at.fft, function)(x, axes=chosen), expected, dtype=dtype, exact=True)


# What does not fit.


def test_what_does_not_fit() -> None:
    x, c, number, nothing = at.zeros((2, 3)), at.zeros((2, 3), dtype=at.complex64), at.zeros(()), at.zeros((2, 0))
    one, f = at.zeros((2, 1)), at.fft
    bad: list[tuple[Callable[[], Any], type[Exception], str]] = [
        (lambda: f.fft([1, 2]), TypeError, "fft: the operand"),  # type: ignore[arg-type]
        (lambda: f.fft(x, n=0), ValueError, "fft: 0 elements"),
        (lambda: f.fft(x, n=-1), ValueError, "fft: -1 elements"),
        (lambda: f.fft(x, n=2.0), TypeError, "fft: a number of elements"),  # type: ignore[arg-type]
        (lambda: f.fft(x, n=2**62), ValueError, "fft: a tensor of"),
        (lambda: f.hfft(c, n=2**62), ValueError, "hfft: a tensor of"),
        (lambda: f.fftn(x, s=(2, 2**62), axes=(0, 1)), ValueError, "fftn: a tensor of"),
        (lambda: f.fft(x, axis=2), IndexError, "fft: axis 2"),
        (lambda: f.fft(x, axis=-3), IndexError, "fft: axis -3"),
        (lambda: f.fft(x, axis=1.0), TypeError, "fft: axis"),  # type: ignore[arg-type]
        (lambda: f.fft(x, axis=None), TypeError, "fft: axis"),  # type: ignore[arg-type]
        (lambda: f.fft(x, norm="sideways"), ValueError, "fft: norm is 'sideways'"),  # type: ignore[arg-type]
        (lambda: f.ifft(x, norm=2), ValueError, "ifft: norm"),  # type: ignore[arg-type]
        (lambda: f.fft(number), IndexError, "fft: axis -1"),
        (lambda: f.fft(nothing), ValueError, "fft: 0 elements"),
        (lambda: f.rfft(c), TypeError, "rfft: a tensor of complex64"),
        (lambda: f.ihfft(c), TypeError, "ihfft: a tensor of complex64"),
        (lambda: f.rfftn(c), TypeError, "rfftn: a tensor of complex64"),
        (lambda: f.rfft2(c), TypeError, "rfft2: a tensor of complex64"),
        (lambda: f.irfft(one), ValueError, "irfft: 0 elements"),
        (lambda: f.hfft(one), ValueError, "hfft: 0 elements"),
        (lambda: f.irfft(nothing), ValueError, "irfft: -2 elements"),
        (lambda: f.rfftn(number), ValueError, "rfftn: there is no axis"),
        (lambda: f.irfftn(c, axes=()), ValueError, "irfftn: there is no axis"),
        (lambda: f.fftn(x, s=(2, 3)), ValueError, "fftn: the lengths s (2, 3) need axes"),
        (lambda: f.fftn(x, s=(2,), axes=(0, 1)), ValueError, "fftn: 1 lengths"),
        (lambda: f.fftn(x, s=(2, 0), axes=(0, 1)), ValueError, "fftn: 0 elements"),
        (lambda: f.fftn(x, s=(2, -2), axes=(0, 1)), ValueError, "fftn: -2 elements"),
        (lambda: f.fftn(x, s=2, axes=(0,)), TypeError, "fftn: s must be"),  # type: ignore[arg-type]
        (lambda: f.fftn(x, axes=0), TypeError, "fftn: axes must be"),  # type: ignore[arg-type]
        (lambda: f.fftn(x, axes=(0, 2)), IndexError, "fftn: axis 2"),
        (lambda: f.fft2(x[0]), IndexError, "fft2: axis -2"),
        (lambda: f.fftshift(x, axes=2), IndexError, "fftshift: axis 2"),
        (lambda: f.fftshift(x, axes=1.5), TypeError, "fftshift"),  # type: ignore[arg-type]
        (lambda: f.ifftshift(x, axes=(0, 0)), ValueError, "ifftshift"),
        (lambda: f.ifftshift([1, 2]), TypeError, "ifftshift: the operand"),  # type: ignore[arg-type]
        (lambda: f.fftfreq(0), ValueError, "fftfreq: 0 frequencies"),
        (lambda: f.rfftfreq(-4), ValueError, "rfftfreq: -4 frequencies"),
        (lambda: f.fftfreq(2.0), TypeError, "fftfreq: a number"),  # type: ignore[arg-type]
        (lambda: f.fftfreq(4, d=0), ValueError, "fftfreq: d is 0"),
        (lambda: f.fftfreq(4, d=1j), TypeError, "fftfreq: d must be"),  # type: ignore[arg-type]
        (lambda: f.fftfreq(4, dtype=at.int32), TypeError, "fftfreq: frequencies"),
        (lambda: f.rfftfreq(4, dtype=at.complex64), TypeError, "rfftfreq: frequencies"),
        (lambda: f.rfftfreq(4, device="gpu"), ValueError, "gpu"),
    ]
    for call, error, words in bad:
        with refuses(error, words):
            call()
