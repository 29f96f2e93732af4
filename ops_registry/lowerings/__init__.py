"""Lowerings of array-API functions, a module for each chapter of the standard."""

from . import (
    activation,
    comparison,
    creation,
    data_type,
    elementwise,
    fft,
    indexing,
    linear_algebra,
    manipulation,
    padding,
    random,
    searching,
    set_functions,
    sorting,
    special_values,
    statistical,
    utility,
)
from .registry import LOWERINGS, lower

__all__ = [
    "LOWERINGS",
    "activation",
    "comparison",
    "creation",
    "data_type",
    "elementwise",
    "fft",
    "indexing",
    "linear_algebra",
    "lower",
    "manipulation",
    "padding",
    "random",
    "searching",
    "set_functions",
    "sorting",
    "special_values",
    "statistical",
    "utility",
]
