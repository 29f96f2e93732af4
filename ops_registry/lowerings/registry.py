"""The table of lowerings: array-API function name -> how it becomes op calls."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..builder import Builder
from ..program import Program, TensorFacts, Value

__all__ = ["LOWERINGS", "lower", "lowering"]

Lowering = Callable[..., Value | tuple[Value, ...]]

LOWERINGS: dict[str, Lowering] = {}


def lowering(*functions: str) -> Callable[[Lowering], Lowering]:
    """Register a lowering: a function of the builder, its operands and the function's parameters."""

    def register(function: Lowering) -> Lowering:
        for name in functions:
            if name in LOWERINGS:
                raise ValueError(f"{name} has two lowerings")
            LOWERINGS[name] = function
        return function

    return register


def lower(function: str, chip: str, operands: Sequence[TensorFacts], parameters: tuple[Any, ...] = ()) -> Program:
    """The program of one call.

    Parameters:
        function: a key of `LOWERINGS`.
        chip: a family of `ops_registry.soc`.
        operands: dtype and shape of each operand.
        parameters: the function's other arguments, hashable, in the lowering's order.

    Raises:
        TypeError, ValueError, IndexError: the arguments don't fit the function.
    """
    builder = Builder(function, chip, operands)
    try:
        results = LOWERINGS[function](builder, *builder.operands, *parameters)
    except (TypeError, ValueError, IndexError) as error:
        # Rules that functions share, such as promotion, do not know whom they speak for.
        if function in str(error):
            raise
        raise type(error)(f"{function}: {error}") from None
    return builder.program(*(results if isinstance(results, tuple) else (results,)))
