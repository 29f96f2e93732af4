"""The form of a sample call, and what many of them are made with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..dtypes import DType
from ..program import Spec

__all__ = [
    "ANY",
    "Arguments",
    "Array",
    "Case",
    "as_they_are",
    "made",
    "number_second",
    "operands",
    "reductions",
    "taking",
]

ANY = "biufc"

Array = np.ndarray[Any, Any]
Arguments = tuple[tuple[Spec, ...], tuple[Any, ...]]


def as_they_are(arrays: list[Array]) -> list[Array]:
    """Operands that are in every function's domain."""
    return arrays


@dataclass(frozen=True)
class Case:
    """A call for each dtype.

    Attributes:
        make: the operands' facts and the parameters.
        kinds: of the dtypes that are taken.
        fit: turns sampled operands into ones that the function's domain has (positions that exist, say).
    """

    make: Callable[[DType], Arguments]
    kinds: str = ANY
    fit: Callable[[list[Array]], list[Array]] = as_they_are


def operands(*shapes: tuple[int, ...]) -> Callable[[DType], Arguments]:
    """Operands of these shapes, no parameters."""
    return lambda dtype: (tuple(Spec(dtype, shape) for shape in shapes), ())


def taking(*parameters: Any, shapes: tuple[tuple[int, ...], ...] = ((2, 3),)) -> Callable[[DType], Arguments]:
    """Operands and these parameters."""
    return lambda dtype: (tuple(Spec(dtype, shape) for shape in shapes), parameters)


def made(*parameters: Any) -> Callable[[DType], Arguments]:
    """No operands; the dtype is the last parameter."""
    return lambda dtype: ((), (*parameters, dtype))


def number_second(dtype: DType) -> Arguments:
    """A tensor and a number of the user's."""
    return (Spec(dtype, (2, 3)), Spec(dtype, (), on_host=True)), ()


def reductions(kinds: str, *more: Any) -> list[Case]:
    """All axes, one axis that is kept, no axis. more: the parameters between `axis` and `keepdims`."""
    return [Case(taking(axis, *more, keep), kinds) for axis, keep in [(None, False), (1, True), ((), False)]]
