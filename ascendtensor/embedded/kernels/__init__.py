"""What each operator computes, in NumPy: one kernel for each op type of the registry.

A kernel takes its input arrays (None for an absent optional one, a dynamic port's tensors one after the
other), the output arrays, which it fills, and all attributes. It changes nothing else. An index that a device
would find out of range raises IndexError.
"""

from __future__ import annotations

from . import creation, elementwise, linear_algebra, movement, reduction
from .elementwise import ELEMENTWISE
from .registry import KERNELS, Kernel

__all__ = [
    "ELEMENTWISE",
    "KERNELS",
    "Kernel",
    "creation",
    "elementwise",
    "linear_algebra",
    "movement",
    "reduction",
]
