"""Lowerings of array-API functions, a module for each chapter of the standard."""

from . import (
    activation,
    creation,
    data_type,
    elementwise,
    indexing,
    linear_algebra,
    manipulation,
    padding,
    random,
    searching,
    set_functions,
    sorting,
    statistical,
    utility,
)
from .registry import LOWERINGS, lower

__all__ = [
    "LOWERINGS",
    "activation",
    "creation",
    "data_type",
    "elementwise",
    "indexing",
    "linear_algebra",
    "lower",
    "manipulation",
    "padding",
    "random",
    "searching",
    "set_functions",
    "sorting",
    "statistical",
    "utility",
]
