"""How often each value comes."""

from __future__ import annotations

from .. import dtypes
from ..builder import Builder
from ..program import Value
from .registry import lowering


@lowering("bincount")
def _bincount(b: Builder, x: Value, *rest: Value | int) -> Value:
    """How often each number below a size comes, or the weights of its places; what is greater does not count.

    x: bool or integers of any shape, none of them negative, that int32 holds.
    rest: weights of the same shape, if any, which are added in float64 or int64; then the size.
    """
    *weights, size = rest
    assert isinstance(size, int)
    given = weights[0] if weights else b.literal(1, dtypes.int64)
    assert isinstance(given, Value)
    dtype = dtypes.float64 if given.dtype.kind == "f" else dtypes.int64
    if not x.size or not size:
        return b.fill(0, dtype, (size,))
    flat = b.cast(b.view(x, shape=(x.size,)), dtypes.int32)
    added = b.view(b.cast(given, dtype), shape=flat.shape) if weights else b.fill(given, dtype, flat.shape)
    return b.op("Bincount", flat, b.const(size, dtypes.int32), added, shape=(size,))
