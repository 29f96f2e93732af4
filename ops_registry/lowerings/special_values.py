"""Numbers in the place of NaN and the infinities."""

from __future__ import annotations

from math import inf

from ..builder import Builder
from ..program import Value
from .registry import lowering


@lowering("nan_to_num")
def _nan_to_num(b: Builder, x: Value, nan: Value, posinf: Value, neginf: Value) -> Value:
    """x: floating or complex. The others: 0-d, of its dtype or its parts'."""
    parts = b.parts(x) if x.dtype.kind == "c" else x
    replaced = b.select(b.op("IsNan", parts, shape=parts.shape), nan, parts)
    for infinity, number in ((inf, posinf), (-inf, neginf)):
        at_infinity = b.elementwise("Equal", parts, b.literal(infinity, parts.dtype))
        replaced = b.select(at_infinity, number, replaced)
    return b.view(replaced, x.dtype, x.shape)
