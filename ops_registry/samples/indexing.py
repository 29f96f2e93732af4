"""Sample calls of what reads and writes parts of tensors."""

from __future__ import annotations

import numpy as np

from .. import dtypes
from ..dtypes import DType
from ..program import Spec
from .case import Case, operands, taking

__all__ = ["CALLS"]


def _take(index: DType) -> Case:
    return Case(
        lambda dtype: ((Spec(dtype, (2, 3)), Spec(index, (4,))), (1,)),
        fit=lambda arrays: [arrays[0], np.asarray([0, 2, 1, 2]).astype(arrays[1].dtype)],
    )


CALLS: dict[str, list[Case]] = {
    "contiguous": [
        Case(taking((2, 2), (1, 3), 1, shapes=((8,),))),
        Case(taking((2, 2), (-1, 3), 3, shapes=((8,),))),
        Case(taking((), (), 3, shapes=((8,),))),
    ],
    "copy": [Case(operands((2, 3)))],
    "copy_into": [
        Case(taking((2, 2), (1, 3), 1, (2, 2), (2, 1), 0, shapes=((8,), (4,)))),
        Case(taking((2,), (3,), 1, (), (), 0, shapes=((8,), (1,)))),
    ],
    "take": [_take(index) for index in (dtypes.int64, dtypes.int32, dtypes.uint8)],
}
