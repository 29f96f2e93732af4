"""Coverage: by which route each function serves each dtype on each chip, read off the calls of the samples.

A lowering may call several ops, and a function may have several samples; the worst of all those calls counts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from . import dtypes, soc
from .dtypes import DType
from .lowerings import lower
from .program import Program
from .samples import cases

__all__ = ["ROUTES", "as_markdown", "routes"]

# Best first; each with what it means.
ROUTES: dict[str, str] = {
    "none": "no op is needed",
    "core": "the AI Core runs every op, on the dtype itself or on its bits under another dtype's name",
    "core+cast": "the AI Core runs every op, and one of them at least is a cast",
    "cpu": "the AI CPU runs one op at least",
    "cpu+cast": "the AI CPU runs one op at least, and one op at least is a cast",
    "host": "the host computes one op at least, after a `HostFallbackWarning`",
}
_WORST_FIRST = ("host", "aicpu_tf", "aicpu", "aicore")
_ENGINE_NAMES = {"aicore": "core", "aicpu": "cpu", "aicpu_tf": "cpu", "host": "host"}
_ORDER = list(ROUTES)

Routes = Mapping[str, Mapping[str, Mapping[DType, str]]]


def routes(chips: Sequence[str] = soc.ALL, functions: Sequence[str] = ()) -> Routes:
    """Function -> chip -> dtype -> route, functions in the order of the samples' chapters.

    Parameters:
        functions: only these; none for all.

    Raises:
        ValueError: there is no such function.
    """
    found: dict[str, dict[str, dict[DType, str]]] = {}
    for function, dtype, case in cases():
        if functions and function not in functions:
            continue
        of_function = found.setdefault(function, {chip: {} for chip in chips})
        operands, parameters = case.make(dtype)
        for chip in chips:
            route = _route(lower(function, chip, operands, parameters))
            before = of_function[chip].get(dtype, route)
            of_function[chip][dtype] = max(before, route, key=_ORDER.index)
    if unknown := [function for function in functions if function not in found]:
        raise ValueError(f"no lowering is called {', '.join(unknown)}; ops_registry.lowerings.LOWERINGS has the names")
    return found


def _route(program: Program) -> str:
    engines = {call.engine for call in program.calls}
    if not engines:
        return "none"
    name = _ENGINE_NAMES[next(engine for engine in _WORST_FIRST if engine in engines)]
    cast = any(call.op_type == "Cast" for call in program.calls)
    return f"{name}+cast" if cast and name != "host" else name


_HEAD = """\
# Coverage

By which engine each function computes each dtype on each chip: written by `python -m ops_registry coverage`, from the
calls that the lowerings make of the registry's sample calls. Functions are those of the registry, to which the
library's come down: `random.uniform` to `random`, for instance.

{legend}

Where a function needs several ops, or has several samples, the worst call counts: **cpu** does not say that the AI Core
has no part in it. A cell begins with the most common route, which is that of all dtypes that it does not name.
"""


def as_markdown(found: Routes) -> str:
    """The table: a row a function, a column a chip."""
    legend = "\n".join(f"- **{route}**: {meaning}" for route, meaning in ROUTES.items())
    chips = list(next(iter(found.values())))
    rows = [["function", "dtypes", *chips], ["---"] * (len(chips) + 2)]
    for function, by_chip in found.items():
        rows.append([f"`{function}`", _dtypes(by_chip[chips[0]]), *(_cell(by_chip[chip]) for chip in chips)])
    table = "\n".join(f"| {' | '.join(row)} |" for row in rows)
    return f"{_HEAD.format(legend=legend)}\n{table}\n"


def _cell(by_dtype: Mapping[DType, str]) -> str:
    groups: dict[str, list[DType]] = {}
    for dtype, route in by_dtype.items():
        groups.setdefault(route, []).append(dtype)
    usual = max(groups, key=lambda route: (len(groups[route]), -_ORDER.index(route)))
    others = [f"{route}: {_dtypes(groups[route])}" for route in _ORDER if route in groups and route != usual]
    return "; ".join([usual, *others])


def _dtypes(chosen: Mapping[DType, str] | Sequence[DType]) -> str:
    if len(chosen) == len(dtypes.ALL):
        return "all"
    return " ".join(dtype.short for dtype in dtypes.ALL if dtype in chosen)
