"""Fourier transforms: the standard's extension `fft`, and NumPy's functions of two axes.

Results have the precision of the operand: complex64 or float32 for float32 and complex64, complex128 or float64 for
float64 and complex128. Integers, bool, float16 and bfloat16 are computed in float32, as in the element-wise functions.
A transform along other axes than the last gives a view, as `moveaxis` does.

Every function takes these parameters:

    n, s: the number of elements along the axis, or the numbers along the axes. Operands that have more of them are cut,
        and those that have fewer are filled up with zeros. By default, as for a −1 in `s`, what there is.
    axis, axes: along which to transform: the last one, or all of them, by default.
    norm: what divides by the number of elements: `"backward"` (or None) the inverse transforms, `"forward"` the
        others, `"ortho"` each of them by its square root.

and raises, before anything is queued:

    TypeError: not a Tensor, complex numbers for a transform of real ones, or a parameter of another type.
    ValueError: fewer than one element to transform, lengths without their axes, or another `norm`.
    IndexError: an axis is out of range.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod, sqrt
from operator import index
from typing import Any, Literal

import numpy as np

from ops_registry import dtypes, promotion
from ops_registry.dtypes import DType
from ops_registry.shapes import axes_tuple, axis_index

from .creation import zeros
from .elementwise import conj
from .manipulation import concat, moveaxis, roll
from .runtime.descriptors import descriptor
from .runtime.device import Device
from .runtime.device import device as device_of
from .tensor import Tensor, from_numpy, run, tensor_operand

__all__ = [
    "fft",
    "fft2",
    "fftfreq",
    "fftn",
    "fftshift",
    "hfft",
    "ifft",
    "ifft2",
    "ifftn",
    "ifftshift",
    "ihfft",
    "irfft",
    "irfft2",
    "irfftn",
    "rfft",
    "rfft2",
    "rfftfreq",
    "rfftn",
]

Norm = Literal["backward", "ortho", "forward"] | None
Place = Device | str | None

# An axis, counted from the front, and the number of elements along it.
Step = tuple[int, int]

_LAST_TWO = (-2, -1)

# Which transform divides by the number of elements: by what power of it.
_DIVIDES: dict[Any, tuple[float, float]] = {
    "backward": (0, 1),
    None: (0, 1),
    "ortho": (0.5, 0.5),
    "forward": (1, 0),
}


def fft(x: Tensor, /, *, n: int | None = None, axis: int = -1, norm: Norm = "backward") -> Tensor:
    """The Fourier transform along an axis (CANN: FFT)."""
    x, steps = _along_one("fft", x, n, axis, norm)
    return _complex(x, steps, norm, inverse=False)


def ifft(x: Tensor, /, *, n: int | None = None, axis: int = -1, norm: Norm = "backward") -> Tensor:
    """The inverse of `fft` (CANN: IFFT)."""
    x, steps = _along_one("ifft", x, n, axis, norm)
    return _complex(x, steps, norm, inverse=True)


def fftn(
    x: Tensor, /, *, s: Sequence[int] | None = None, axes: Sequence[int] | None = None, norm: Norm = "backward"
) -> Tensor:
    """The Fourier transform along several axes (CANN: FFT2D, FFT)."""
    x, steps = _checked("fftn", x, s, axes, norm)
    return _complex(x, steps, norm, inverse=False)


def ifftn(
    x: Tensor, /, *, s: Sequence[int] | None = None, axes: Sequence[int] | None = None, norm: Norm = "backward"
) -> Tensor:
    """The inverse of `fftn` (CANN: IFFT2D, IFFT)."""
    x, steps = _checked("ifftn", x, s, axes, norm)
    return _complex(x, steps, norm, inverse=True)


def rfft(x: Tensor, /, *, n: int | None = None, axis: int = -1, norm: Norm = "backward") -> Tensor:
    """The Fourier transform of real numbers: the n // 2 + 1 elements that say all (CANN: RFFT, or FFT)."""
    x, steps = _along_one("rfft", x, n, axis, norm, "real")
    return _halved(x, steps, norm)


def irfft(x: Tensor, /, *, n: int | None = None, axis: int = -1, norm: Norm = "backward") -> Tensor:
    """The inverse of `rfft`: n real numbers, by default an even number of them (CANN: IRFFT, or IFFT)."""
    x, steps = _along_one("irfft", x, n, axis, norm, "half")
    return _restored(x, steps, norm)


def rfftn(
    x: Tensor, /, *, s: Sequence[int] | None = None, axes: Sequence[int] | None = None, norm: Norm = "backward"
) -> Tensor:
    """The Fourier transform of real numbers along several axes, of which the last is halved (CANN: RFFT, FFT2D)."""
    x, steps = _checked("rfftn", x, s, axes, norm, "real")
    return _halved(x, steps, norm)


def irfftn(
    x: Tensor, /, *, s: Sequence[int] | None = None, axes: Sequence[int] | None = None, norm: Norm = "backward"
) -> Tensor:
    """The inverse of `rfftn` (CANN: IFFT2D, IRFFT). s: of the result."""
    x, steps = _checked("irfftn", x, s, axes, norm, "half")
    return _restored(x, steps, norm)


def hfft(x: Tensor, /, *, n: int | None = None, axis: int = -1, norm: Norm = "backward") -> Tensor:
    """The Fourier transform, which is real, of numbers of which `x` is the half that the other one mirrors."""
    x, steps = _along_one("hfft", x, n, axis, norm, "half")
    return _restored(conj(x) if x.dtype.kind == "c" else x, steps, _other_way(norm))


def ihfft(x: Tensor, /, *, n: int | None = None, axis: int = -1, norm: Norm = "backward") -> Tensor:
    """The inverse of `hfft`: the n // 2 + 1 elements that say all."""
    x, steps = _along_one("ihfft", x, n, axis, norm, "real")
    return conj(_halved(x, steps, _other_way(norm)))


def fft2(
    x: Tensor, /, *, s: Sequence[int] | None = None, axes: Sequence[int] = _LAST_TWO, norm: Norm = "backward"
) -> Tensor:
    """`fftn` along two axes, the last ones by default. Not in the standard; NumPy has it."""
    x, steps = _checked("fft2", x, s, axes, norm)
    return _complex(x, steps, norm, inverse=False)


def ifft2(
    x: Tensor, /, *, s: Sequence[int] | None = None, axes: Sequence[int] = _LAST_TWO, norm: Norm = "backward"
) -> Tensor:
    """`ifftn` along two axes, the last ones by default. Not in the standard; NumPy has it."""
    x, steps = _checked("ifft2", x, s, axes, norm)
    return _complex(x, steps, norm, inverse=True)


def rfft2(
    x: Tensor, /, *, s: Sequence[int] | None = None, axes: Sequence[int] = _LAST_TWO, norm: Norm = "backward"
) -> Tensor:
    """`rfftn` along two axes, the last ones by default. Not in the standard; NumPy has it."""
    x, steps = _checked("rfft2", x, s, axes, norm, "real")
    return _halved(x, steps, norm)


def irfft2(
    x: Tensor, /, *, s: Sequence[int] | None = None, axes: Sequence[int] = _LAST_TWO, norm: Norm = "backward"
) -> Tensor:
    """`irfftn` along two axes, the last ones by default. Not in the standard; NumPy has it."""
    x, steps = _checked("irfft2", x, s, axes, norm, "half")
    return _restored(x, steps, norm)


def fftfreq(n: int, /, *, d: float = 1.0, dtype: DType | None = None, device: Place = None) -> Tensor:
    """The frequencies of what `fft` gives: 0 and the positive ones, then the negative ones.

    Parameters:
        n: how many.
        d: how far apart the numbers that were transformed stand.
        dtype: of real numbers, float32 by default.
        device: the current one by default.

    Raises:
        TypeError: `n` is no integer, `d` no real number, or another dtype.
        ValueError: `n` is below 1, or `d` is 0.
    """
    return _frequencies("fftfreq", n, d, dtype, device)


def rfftfreq(n: int, /, *, d: float = 1.0, dtype: DType | None = None, device: Place = None) -> Tensor:
    """The frequencies of what `rfft` gives of `n` numbers: 0 and the positive ones. Parameters as of `fftfreq`."""
    return _frequencies("rfftfreq", n, d, dtype, device)


def fftshift(x: Tensor, /, *, axes: int | Sequence[int] | None = None) -> Tensor:
    """The frequency 0 in the middle of the axes, all of them by default (CANN: ConcatD)."""
    return _shifted("fftshift", x, axes, lambda n: n // 2)


def ifftshift(x: Tensor, /, *, axes: int | Sequence[int] | None = None) -> Tensor:
    """The inverse of `fftshift` (CANN: ConcatD)."""
    return _shifted("ifftshift", x, axes, lambda n: -(n // 2))


# What is asked for.


def _along_one(
    function: str, x: Tensor, n: int | None, axis: int, norm: Norm, operand: Literal["any", "real", "half"] = "any"
) -> tuple[Tensor, list[Step]]:
    """As `_checked`, for one axis, whose length cannot be −1."""
    length = None if n is None else _length(function, n, axis)
    return _checked(function, x, None if length is None else (length,), (axis,), norm, operand)


def _checked(
    function: str,
    x: Tensor,
    s: Sequence[int] | None,
    axes: Sequence[int] | None,
    norm: Norm,
    operand: Literal["any", "real", "half"] = "any",
) -> tuple[Tensor, list[Step]]:
    """The operand, and the lengths of the transform by axis.

    Parameters:
        operand: what it has to be: `"half"` is one of whose last axis only a half is there.
    """
    x = tensor_operand(function, x)
    if operand == "real" and x.dtype.kind == "c":
        raise TypeError(f"{function}: a tensor of {x.dtype} is not taken; the function transforms real numbers")
    if norm not in (None, "backward", "ortho", "forward"):
        raise ValueError(f"{function}: norm is {norm!r}; it can be 'backward', 'ortho' or 'forward'")
    for name, several in (("s", s), ("axes", axes)):
        if several is not None and not isinstance(several, Sequence):
            raise TypeError(f"{function}: {name} must be a sequence of integers, not {several!r}")
    if axes is None and s is not None:
        raise ValueError(f"{function}: the lengths s {tuple(s)} need axes that they are for")
    along = [axis_index(function, axis, x.ndim) for axis in (range(x.ndim) if axes is None else axes)]
    if s is not None and len(s) != len(along):
        raise ValueError(f"{function}: {len(s)} lengths s for {len(along)} axes")
    if operand != "any" and not along:
        raise ValueError(f"{function}: there is no axis to transform")
    whole = [x.shape[axis] for axis in along]
    if operand == "half":
        whole[-1] = 2 * (whole[-1] - 1)
    lengths = [_integer(function, n) for n in s or ()] or [-1] * len(along)
    chosen = [there if n == -1 else n for n, there in zip(lengths, whole, strict=True)]
    steps = [(axis, _length(function, n, axis)) for axis, n in zip(along, chosen, strict=True)]
    _check_size(function, x, steps)
    return x, steps


def _check_size(function: str, x: Tensor, steps: list[Step]) -> None:
    """Refuse what is beyond any tensor now, and not between two steps of a transform."""
    shape = list(x.shape)
    for axis, n in steps:
        shape[axis] = max(shape[axis], n)
    try:
        descriptor(dtypes.complex128, tuple(shape))
    except ValueError as error:
        raise ValueError(f"{function}: {error}") from None


def _length(function: str, n: int, axis: int) -> int:
    if _integer(function, n) < 1:
        raise ValueError(f"{function}: {n} elements along axis {axis}; a transform has at least one")
    return _integer(function, n)


def _integer(function: str, value: Any) -> int:
    try:
        return index(value)
    except TypeError:
        raise TypeError(f"{function}: a number of elements must be an integer, not {value!r}") from None


def _factor(steps: list[Step], norm: Norm, inverse: bool) -> float:
    """What a transform is to be multiplied by, beside what the inverse ops divide by."""
    n = prod(length for _, length in steps)
    power = _DIVIDES[norm][inverse]
    if inverse:
        power -= 1
    return {0: 1.0, 1: 1 / n, -1: float(n), 0.5: 1 / sqrt(n), -0.5: sqrt(n)}[power]


def _other_way(norm: Norm) -> Norm:
    """The norm by which an inverse transform divides as the other one does by `norm`."""
    return {"backward": "forward", None: "forward", "forward": "backward", "ortho": "ortho"}[norm]  # type: ignore


# How it is done.


def _complex(x: Tensor, steps: list[Step], norm: Norm, inverse: bool) -> Tensor:
    return _all_axes(x, steps, inverse, _factor(steps, norm, inverse))


def _halved(x: Tensor, steps: list[Step], norm: Norm) -> Tensor:
    *others, (axis, n) = steps
    factor = _factor(steps, norm, inverse=False)
    half = run("rfft", moveaxis(_resized(x, axis, n), axis, -1), 1.0 if others else factor)
    spectrum = moveaxis(half, -1, axis)
    return _all_axes(spectrum, others, False, factor) if others else spectrum


def _restored(x: Tensor, steps: list[Step], norm: Norm) -> Tensor:
    *others, (axis, n) = steps
    # In this order, which shows where an axis is named twice.
    half = _all_axes(x, others[::-1], True, 1.0) if others else x
    factor = _factor(steps, norm, inverse=True)
    found = run("irfft", moveaxis(_resized(half, axis, n // 2 + 1), axis, -1), n, factor)
    return moveaxis(found, -1, axis)


def _all_axes(x: Tensor, steps: list[Step], inverse: bool, factor: float) -> Tensor:
    """The complex transform along all axes, two at a time, times `factor`."""
    if not steps:
        copied: Tensor = run("fft", x, 0, inverse, 1.0)
        return copied
    remaining = list(steps)
    while remaining:
        together = [remaining.pop()]
        if remaining and remaining[-1][0] != together[0][0]:
            together.insert(0, remaining.pop())
        x = _innermost(x, together, inverse, 1.0 if remaining else factor)
    return x


def _innermost(x: Tensor, steps: list[Step], inverse: bool, factor: float) -> Tensor:
    """The complex transform along one or two axes, which go to the end for it."""
    for axis, n in steps:
        x = _resized(x, axis, n)
    axes, last = tuple(axis for axis, _ in steps), _LAST_TWO[-len(steps) :]
    return moveaxis(run("fft", moveaxis(x, axes, last), len(steps), inverse, factor), last, axes)


def _resized(x: Tensor, axis: int, n: int) -> Tensor:
    """Cut to `n` elements along an axis, as a view, or filled up with zeros."""
    there = x.shape[axis]
    if n <= there:
        return x[(*[slice(None)] * axis, slice(n))] if n < there else x
    missing = zeros((*x.shape[:axis], n - there, *x.shape[axis + 1 :]), dtype=x.dtype, device=x.device)
    return concat([x, missing], axis=axis)


def _frequencies(function: str, n: int, d: float, dtype: DType | None, place: Place) -> Tensor:
    count = _integer(function, n)
    if count < 1:
        raise ValueError(f"{function}: {count} frequencies; there is at least one")
    if not isinstance(d, int | float | np.floating | np.integer):
        raise TypeError(f"{function}: d must be a real number, not {d!r}")
    if d == 0:
        raise ValueError(f"{function}: d is 0; there is no frequency of numbers that stand at one place")
    chosen = promotion.default_float() if dtype is None else dtypes.of(dtype)
    if chosen.kind != "f":
        raise TypeError(f"{function}: frequencies are real numbers of a floating dtype, not of {chosen}")
    listed = {"fftfreq": np.fft.fftfreq, "rfftfreq": np.fft.rfftfreq}[function](count, float(d))
    return from_numpy(listed, chosen, None if place is None else device_of(place))


def _shifted(function: str, x: Tensor, axes: Any, distance: Any) -> Tensor:
    x = tensor_operand(function, x)
    along = axes_tuple(function, axes, x.ndim)
    return roll(x, tuple(distance(x.shape[axis]) for axis in along), axis=along) if along else x.clone()
