"""Sample calls of padding."""

from __future__ import annotations

from ..dtypes import DType
from ..program import Spec
from .case import Arguments, Case, taking

__all__ = ["CALLS"]


def _with_values(count: int, widths: tuple[int, ...]) -> Case:
    def make(dtype: DType) -> Arguments:
        return (Spec(dtype, (2, 3)), *[Spec(dtype, (), on_host=True)] * count), (widths, "constant")

    return Case(make)


CALLS: dict[str, list[Case]] = {
    "pad": [
        _with_values(1, (1, 0, 2, 3)),
        _with_values(4, (1, 2, 0, 3)),
        Case(taking((1, 1, 0, 2), "reflect")),
        Case(taking((1, 2, 3, 0), "symmetric")),
        Case(taking((4, 0, 1, 5), "edge")),
        Case(taking((0, 0, 0, 0), "edge")),
    ],
}
