"""Sample calls of the draws of random numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import dtypes
from ..dtypes import DType
from ..program import Spec
from .case import Arguments, Array, Case

__all__ = ["CALLS"]

_KEY, _COUNTER, _WORD = (Spec(dtypes.uint64, shape, on_host=True) for shape in ((1,), (2,), ()))
_SEED = Spec(dtypes.int64, (1,), on_host=True)


def _drawn(kinds: str, operands: tuple[Spec, ...], *parameters: Any) -> Case:
    def make(dtype: DType) -> Arguments:
        return operands, tuple(dtype if one is DType else one for one in parameters)

    return Case(make, kinds)


def _ascending(arrays: list[Array]) -> list[Array]:
    """Thresholds as chances give them."""
    *words, thresholds = arrays
    return [*words, np.sort(np.abs(thresholds // 2))]


CALLS: dict[str, list[Case]] = {
    "integers": [
        _drawn("biu", (_KEY, _COUNTER, _WORD, _WORD), (2, 3), DType, False),
        _drawn("biu", (_KEY, _COUNTER, _WORD, _WORD), (), DType, False),
        _drawn("iu", (_KEY, _COUNTER, _COUNTER, _WORD, _WORD), (2, 3), DType, False),
        _drawn("iu", (_KEY, _COUNTER, _WORD, _WORD), (0, 3), DType, True),
    ],
    "permutation": [
        Case(lambda dtype: ((_SEED, _SEED), (5,)), "b"),
        Case(lambda dtype: ((_SEED, _SEED), (0,)), "b"),
    ],
    "random": [_drawn("f", (_KEY, _COUNTER), shape, DType) for shape in ((2, 3), (), (0,))],
    "random_choice": [
        Case(lambda dtype: ((_KEY, _COUNTER, Spec(dtypes.int64, (4,))), ((2, 3),)), "b", _ascending),
        Case(lambda dtype: ((_KEY, _COUNTER, Spec(dtypes.int64, (4,))), ((0,),)), "b", _ascending),
    ],
    "standard_normal": [_drawn("f", (_KEY, _COUNTER), shape, DType) for shape in ((2, 3), (), (0,))],
}
