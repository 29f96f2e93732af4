"""Sample calls of the Fourier transforms."""

from __future__ import annotations

from .case import ANY, Case, taking

__all__ = ["CALLS"]

CALLS: dict[str, list[Case]] = {
    "fft": [
        Case(taking(1, False, 1.0), ANY),
        Case(taking(1, True, 0.5), ANY),
        Case(taking(2, False, 0.5, shapes=((2, 2, 3),)), ANY),
        Case(taking(2, True, 1.0), ANY),
        Case(taking(0, False, 1.0), ANY),
        Case(taking(1, False, 0.5, shapes=((0, 3),)), ANY),
    ],
    "rfft": [
        Case(taking(1.0, shapes=((2, 5),)), "biuf"),
        Case(taking(0.5, shapes=((4,),)), "biuf"),
        Case(taking(0.5, shapes=((0, 4),)), "biuf"),
    ],
    "irfft": [
        Case(taking(4, 1.0), ANY),
        Case(taking(5, 2.0), ANY),
        Case(taking(1, 1.0, shapes=((1,),)), ANY),
        Case(taking(4, 0.5, shapes=((0, 3),)), ANY),
    ],
}
