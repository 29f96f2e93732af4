"""Fourier transforms, in the precision of their input."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .registry import Array, Attrs, Inputs, Kernel, Outputs, TrueShapes, front, kernel, store


def _complex(transform: Callable[[Array], Array]) -> Kernel:
    def run(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
        # NumPy refuses transforms of no points; there is nothing to tell of them.
        if inputs[0].size:
            store(outputs[0], transform(inputs[0]))

    return run


kernel("FFT")(_complex(np.fft.fft))
kernel("IFFT")(_complex(np.fft.ifft))
kernel("FFT2D")(_complex(np.fft.fft2))
kernel("IFFT2D")(_complex(np.fft.ifft2))


def _real(op_type: str, transform: Callable[[Array, int], Array]) -> Kernel:
    """A transform whose length is an input: the data are cut to it, or filled up with zeros."""

    def run(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> TrueShapes:
        x, length = inputs[0], int(inputs[1].reshape(-1)[0])
        if length < 1:
            raise ValueError(f"{op_type}: fft_length {length} must be positive")
        if not x.shape[-1]:
            x = np.zeros((*x.shape[:-1], 1), x.dtype)
        return (front(op_type, outputs[0], transform(x, length)),)

    return run


kernel("RFFT")(_real("RFFT", np.fft.rfft))
kernel("IRFFT")(_real("IRFFT", np.fft.irfft))
