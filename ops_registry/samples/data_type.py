"""Sample calls of the conversions."""

from __future__ import annotations

from .. import dtypes
from ..dtypes import DType
from ..program import Spec
from .case import ANY, Case

__all__ = ["CALLS"]


def _casts(target: DType) -> Case:
    kinds = ANY if target.kind in "cb" else "biuf"
    return Case(lambda dtype: ((Spec(dtype, (2, 3)),), (target,)), kinds)


CALLS: dict[str, list[Case]] = {"astype": [_casts(target) for target in dtypes.ALL]}
