"""Numbers in the place of NaN and the infinities, by NumPy's name."""

from __future__ import annotations

from ops_registry import dtypes

from .data_type import finfo
from .host_values import filling_operand
from .tensor import Tensor, run, tensor_operand

__all__ = ["nan_to_num"]


def nan_to_num(x: Tensor, /, nan: float = 0.0, posinf: float | None = None, neginf: float | None = None) -> Tensor:
    """The elements with numbers in the place of NaN and the infinities (CANN: IsNan, Equal, SelectV2).

    Parameters:
        x: a Tensor of any dtype; of a complex one both parts are looked at. Integers and bool are copied.
        nan: stands for NaN.
        posinf, neginf: stand for the infinities; by default the dtype's greatest and least number.

    Raises:
        TypeError: another operand, or what is no real number.
    """
    x = tensor_operand("nan_to_num", x)
    part = dtypes.REAL_OF.get(x.dtype, x.dtype)
    if part.kind != "f":
        part = dtypes.float64
    limits = finfo(part)
    chosen = (nan, limits.max if posinf is None else posinf, limits.min if neginf is None else neginf)
    numbers = [filling_operand("nan_to_num", number, part) for number in chosen]
    if x.dtype.kind in "biu":
        return x.clone()
    finite: Tensor = run("nan_to_num", x, *numbers)
    return finite
