"""Sample calls of the counts."""

from __future__ import annotations

import numpy as np

from .. import dtypes
from ..dtypes import DType
from ..program import Spec
from .case import Arguments, Array, Case, taking

__all__ = ["CALLS"]


def _weighted(dtype: DType) -> Arguments:
    return (Spec(dtypes.int64, (2, 3)), Spec(dtype, (2, 3))), (4,)


def _small_first(arrays: list[Array]) -> list[Array]:
    """Numbers from 0 to 4, the last of which is beyond the sizes."""
    first, *others = arrays
    return [(first % first.dtype.type(5)).astype(first.dtype) if first.dtype != np.bool_ else first, *others]


CALLS: dict[str, list[Case]] = {
    "bincount": [Case(taking(4), "biu", _small_first), Case(_weighted, "biuf", _small_first)],
}
