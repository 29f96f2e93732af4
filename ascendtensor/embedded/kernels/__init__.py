"""What each operator computes, in NumPy: one kernel for each op type of the registry.

A kernel takes its input arrays (None for an absent optional one, a dynamic port's tensors one after the
other), the output arrays, which it fills, and all attributes. It changes nothing else. An index that a device
would find out of range raises IndexError. Where only running tells how large an output is, the array has room
for the most, the kernel writes to the front of it and returns the true shapes.
"""

from __future__ import annotations

from . import (
    activation,
    arithmetic,
    blocks,
    counting,
    creation,
    elementwise,
    fft,
    gathering,
    linalg,
    linear_algebra,
    movement,
    normalization,
    pooling,
    random,
    reduction,
    reduction_by_attribute,
    scattering,
    selection,
    sorting,
)
from .elementwise import ELEMENTWISE
from .registry import KERNELS, Kernel

__all__ = [
    "ELEMENTWISE",
    "KERNELS",
    "Kernel",
    "activation",
    "arithmetic",
    "blocks",
    "counting",
    "creation",
    "elementwise",
    "fft",
    "gathering",
    "linalg",
    "linear_algebra",
    "movement",
    "normalization",
    "pooling",
    "random",
    "reduction",
    "reduction_by_attribute",
    "scattering",
    "selection",
    "sorting",
]
