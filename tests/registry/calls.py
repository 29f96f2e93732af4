"""One or more calls of every lowering, for a dtype: what the routes of all chips are checked with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ops_registry import dtypes
from ops_registry.dtypes import DType
from ops_registry.lowerings import LOWERINGS
from ops_registry.program import Spec

from ..elementwise_table import BINARY, UNARY

__all__ = ["CALLS", "CASES", "ON_HOST", "Case"]

ANY = "biufc"
Array = np.ndarray[Any, Any]
Arguments = tuple[tuple[Spec, ...], tuple[Any, ...]]


def _as_they_are(arrays: list[Array]) -> list[Array]:
    return arrays


@dataclass(frozen=True)
class Case:
    """A call for each dtype.

    Attributes:
        make: the operands' facts and the parameters.
        kinds: of the dtypes that are taken.
        fit: turns sampled operands into ones that the function's domain has (positions that exist, say).
    """

    make: Callable[[DType], Arguments]
    kinds: str = ANY
    fit: Callable[[list[Array]], list[Array]] = _as_they_are


def _operands(*shapes: tuple[int, ...]) -> Callable[[DType], Arguments]:
    return lambda dtype: (tuple(Spec(dtype, shape) for shape in shapes), ())


def _with(*parameters: Any, shapes: tuple[tuple[int, ...], ...] = ((2, 3),)) -> Callable[[DType], Arguments]:
    return lambda dtype: (tuple(Spec(dtype, shape) for shape in shapes), parameters)


def _number_second(dtype: DType) -> Arguments:
    return (Spec(dtype, (2, 3)), Spec(dtype, (), on_host=True)), ()


def _made(*parameters: Any) -> Callable[[DType], Arguments]:
    return lambda dtype: ((), (*parameters, dtype))


def _casts(target: DType) -> Case:
    kinds = ANY if target.kind in "cb" else "biuf"
    return Case(lambda dtype: ((Spec(dtype, (2, 3)),), (target,)), kinds)


def _full(shape: tuple[int, ...], on_host: bool) -> Case:
    return Case(lambda dtype: ((Spec(dtype, (), on_host),), (shape, dtype)))


def _reductions(kinds: str, *more: Any) -> list[Case]:
    return [Case(_with(axis, *more, keep), kinds) for axis, keep in [(None, False), (1, True), ((), False)]]


def _condition_first(dtype: DType) -> Arguments:
    return (Spec(dtypes.bool_, (2, 1)), Spec(dtype, (3,)), Spec(dtype, (), on_host=True)), ()


def _taking(index: DType) -> Case:
    return Case(
        lambda dtype: ((Spec(dtype, (2, 3)), Spec(index, (4,))), (1,)),
        fit=lambda arrays: [arrays[0], np.asarray([0, 2, 1, 2]).astype(arrays[1].dtype)],
    )


def _small_second(arrays: list[Array]) -> list[Array]:
    """Integers that shift or raise within what every dtype holds."""
    first, second = arrays
    return [first, np.abs(second) % 8 if second.dtype.kind in "iu" else second]


def _binary(name: str, kinds: str) -> list[Case]:
    fit = _small_second if name.endswith("_shift") or name == "pow" else _as_they_are
    return [Case(_operands((2, 3), (3,)), kinds, fit), Case(_number_second, kinds, fit)]


def _matmul(left: tuple[int, ...], right: tuple[int, ...], *flags: bool) -> Case:
    return Case(_with(*flags, shapes=(left, right)), "iufc")


# What no engine has, on any chip: the host computes it, and the library warns of that.
ON_HOST: set[tuple[str, str]] = {
    *((function, dtype) for function in ("acos", "asin", "atan") for dtype in ("c64", "c128")),
    *((function, "u64") for function in ("floor_divide", "remainder")),
}

CALLS: dict[str, list[Case]] = {
    **{name: [Case(_operands((2, 3)), facts.kinds)] for name, facts in UNARY.items()},
    **{name: _binary(name, facts.kinds) for name, facts in BINARY.items()},
    "all": _reductions(ANY),
    "any": _reductions(ANY),
    "arange": [
        Case(_made(2, 3, 4), "iufc"),
        Case(_made(5, -1, 4), "iufc"),
        Case(_made(0, 1, 0), "iufc"),
        Case(_made(2**63 - 2, 1, 4), "iu"),
    ],
    "argmax": [Case(_with(1, False), "biuf"), Case(_with(None, True), "biuf")],
    "argmin": [Case(_with(1, False), "biuf"), Case(_with(None, True), "biuf")],
    "argsort": [Case(_with(-1, False), "biuf"), Case(_with(0, True), "biuf")],
    "astype": [_casts(target) for target in dtypes.ALL],
    "clip": [
        Case(_with(True, True, shapes=((2, 3), (3,), ())), "iuf"),
        Case(_with(False, True, shapes=((2, 3), (3,))), "iuf"),
        Case(_with(False, False), "iuf"),
    ],
    "concat": [Case(_with(1, shapes=((2, 3), (2, 1), (2, 0)))), Case(_with(0, shapes=((2, 3),)))],
    "contiguous": [
        Case(_with((2, 2), (1, 3), 1, shapes=((8,),))),
        Case(_with((2, 2), (-1, 3), 3, shapes=((8,),))),
        Case(_with((), (), 3, shapes=((8,),))),
    ],
    "copy": [Case(_operands((2, 3)))],
    "copy_into": [
        Case(_with((2, 2), (1, 3), 1, (2, 2), (2, 1), 0, shapes=((8,), (4,)))),
        Case(_with((2,), (3,), 1, (), (), 0, shapes=((8,), (1,)))),
    ],
    "cumulative_prod": [Case(_with(1, None, False), ANY), Case(_with(1, None, True), ANY)],
    "cumulative_sum": [Case(_with(1, None, False), ANY), Case(_with(1, None, True), ANY)],
    "eye": [Case(_made(3, 4, 0)), Case(_made(3, 4, 1)), Case(_made(2, 2, -9))],
    "full": [_full((2, 3), True), _full((), True), _full((2, 3), False)],
    "linspace": [Case(_made(0, 3, 4), "iufc"), Case(_made(2, 2, 1), "iufc")],
    "matmul": [
        _matmul((2, 3), (3, 4), False, False),
        _matmul((3, 2), (3, 4), True, False),
        _matmul((5, 2, 3), (3, 4), False, False),
        _matmul((3,), (3,), False, False),
        _matmul((1, 1, 1, 1, 2, 2, 3), (1, 1, 1, 2, 1, 3, 4), False, False),
        _matmul((2, 0), (0, 4), False, False),
    ],
    "max": _reductions("biuf"),
    "mean": _reductions(ANY),
    "min": _reductions("biuf"),
    "prod": _reductions(ANY, None),
    "sort": [Case(_with(-1, False), "biuf"), Case(_with(0, True), "biuf")],
    "stack": [Case(_with(1, shapes=((2, 3), (2, 3))))],
    "std": _reductions("biuf", 1.0),
    "sum": _reductions(ANY, None),
    "take": [_taking(index) for index in (dtypes.int64, dtypes.int32, dtypes.uint8)],
    "tile": [Case(_with((2, 3))), Case(_with((0, 3)))],
    "tril": [Case(_with(1)), Case(_with(-9))],
    "triu": [Case(_with(1)), Case(_with(-9))],
    "var": _reductions("biuf", 1.0),
    "vecdot": [Case(_operands((2, 3), (3,)), "iufc")],
    "where": [Case(_condition_first)],
}

# Every lowering with every dtype that it takes, once for each of its calls.
CASES: list[tuple[str, DType, Case]] = [
    (function, dtype, case)
    for function in LOWERINGS
    for case in CALLS.get(function, ())
    for dtype in dtypes.ALL
    if dtype.kind in case.kinds
]
