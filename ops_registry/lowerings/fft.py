"""Fourier transforms of the innermost axes (the standard's extension "Fourier transform Functions").

CANN has complex transforms of one and of two axes, and for float32 those between real numbers and half a spectrum.
Nothing here is checked: the caller has found the axes and brought them to the lengths of the transform.
"""

from __future__ import annotations

from itertools import accumulate
from operator import mul

from .. import dtypes, promotion
from ..builder import Builder
from ..program import Value
from .indexing import contiguous
from .manipulation import concatenated
from .registry import lowering

# By the number of axes, forward and inverse. The inverse ones divide by the number of elements.
_COMPLEX_OPS = {1: ("FFT", "IFFT"), 2: ("FFT2D", "IFFT2D")}


@lowering("fft")
def _fft(b: Builder, x: Value, axes: int, inverse: bool, factor: float) -> Value:
    """The complex transform of the innermost `axes` (0, 1 or 2), times `factor`."""
    return _scaled(b, _transformed(b, _complex(b, x), axes, inverse), factor)


@lowering("rfft")
def _rfft(b: Builder, x: Value, factor: float) -> Value:
    """The half of the last axis' spectrum that says all of it, since the other half mirrors it."""
    x = _real(b, x)
    n = x.shape[-1]
    half = (*x.shape[:-1], n // 2 + 1)
    whole = dtypes.COMPLEX_OF[x.dtype]
    if 0 in half:
        return b.fill(0, whole, half)
    if b.has_kernel("RFFT", x.dtype, dtypes.int32, whole):
        return _scaled(b, b.op("RFFT", x, b.const([n], dtypes.int32), shape=half, dtype=whole), factor)
    spectrum = _transformed(b, _complex(b, x), 1, inverse=False)
    return _scaled(b, _strided(b, spectrum, half, _strides(spectrum.shape), 0), factor)


@lowering("irfft")
def _irfft(b: Builder, x: Value, n: int, factor: float) -> Value:
    """`n` real numbers along the last axis, of the n // 2 + 1 elements of half their spectrum."""
    x = _complex(b, x)
    real = dtypes.REAL_OF[x.dtype]
    shape = (*x.shape[:-1], n)
    if 0 in shape:
        return b.fill(0, real, shape)
    if b.has_kernel("IRFFT", x.dtype, dtypes.int32, real):
        return _scaled(b, b.op("IRFFT", x, b.const([n], dtypes.int32), shape=shape, dtype=real), factor)
    found = _transformed(b, _mirrored(b, x, n), 1, inverse=True)
    parts = b.parts(found)
    return _scaled(b, _strided(b, parts, shape, _strides(parts.shape)[:-1], 0), factor)


def _mirrored(b: Builder, x: Value, n: int) -> Value:
    """All `n` elements of a spectrum of which the first half is there: the others are its conjugates, backwards."""
    missing = n - x.shape[-1]
    if not missing:
        return x
    shape = (*x.shape[:-1], missing)
    backwards = _strided(b, x, shape, (*_strides(x.shape)[:-1], -1), missing)
    return concatenated(b, [x, b.op("Conj", backwards, shape=shape)], x.ndim - 1)


def _transformed(b: Builder, x: Value, axes: int, inverse: bool) -> Value:
    if not axes:
        return x
    return b.op(_COMPLEX_OPS[axes][inverse], x, shape=x.shape) if x.size else b.fill(0, x.dtype, x.shape)


def _real(b: Builder, x: Value) -> Value:
    """In float32 or float64: there are no complex numbers of narrower parts."""
    if x.dtype.kind in "biu":
        return b.cast(x, promotion.default_float())
    return b.cast(x, dtypes.float32) if x.dtype.itemsize < dtypes.float32.itemsize else x


def _complex(b: Builder, x: Value) -> Value:
    if x.dtype.kind == "c":
        return x
    real = _real(b, x)
    return b.cast(real, dtypes.COMPLEX_OF[real.dtype])


def _scaled(b: Builder, x: Value, factor: float) -> Value:
    """By parts: times a complex number, infinities would become NaN and zeros lose their signs."""
    if factor == 1 or not x.size:
        return x
    numbers = b.parts(x) if x.dtype.kind == "c" else x
    scaled = b.elementwise("Mul", numbers, b.literal(factor, numbers.dtype))
    return b.view(scaled, x.dtype, x.shape)


def _strides(shape: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(accumulate((1, *reversed(shape[1:])), mul))[::-1]


def _strided(b: Builder, x: Value, shape: tuple[int, ...], strides: tuple[int, ...], offset: int) -> Value:
    return contiguous(b, b.view(x, shape=(x.size,)), shape, strides, offset)
