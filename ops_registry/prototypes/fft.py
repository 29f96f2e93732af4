"""Fourier transforms of the innermost axes. Facts of CANN 8.1.

The length of a real transform may be any tensor; where it is no constant, the shape of the result is not known before.
"""

from __future__ import annotations

from ..prototype import declare

declare(
    "FFT",
    "x",
    "y",
    rows="T T",
    aicpu_tf="c64 c128",
)

declare(
    "FFT2D",
    "x",
    "y",
    rows="T T",
    aicpu_tf="c64 c128",
)

declare(
    "IFFT",
    "x",
    "y",
    rows="T T",
    aicpu_tf="c64 c128",
)

declare(
    "IFFT2D",
    "x",
    "y",
    rows="T T",
    aicpu_tf="c64 c128",
)

declare(
    "IRFFT",
    "x fft_length",
    "y",
    rows="c64 i32 f32",
    aicpu_tf="c64/i32/f32",
)

declare(
    "RFFT",
    "input fft_length",
    "y",
    rows="f32 i32 c64",
    aicpu_tf="f32/i32/c64",
)
