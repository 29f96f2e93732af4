"""Reading an operator table: one line of JSON each op type, gathered from a CANN release.

    {"op": "ReduceSum",
     "inputs": [{"name": "x", "kind": "required", "dtypes": ["float16", ...]},
                {"name": "axes", "kind": "required", "dtypes": ["int32", "int64"], "const": true}],
     "outputs": [{"name": "y", "kind": "required", "dtypes": [...]}],
     "attrs": [{"name": "keep_dims", "type": "Bool", "required": false, "value": false}],
     "aicore": {"ascend910b": {"combos": [["float16", "int32", "float16"], ...], "formats": "ND"},
                "ascend910_93": {"same_as": "ascend910b"}},
     "aicpu": {"in": {"x": ["int8", ...], "axes": [...]}, "out": {"y": [...]}},
     "aicpu_tf": {...}}

An AI CPU kernel that lists no ports takes what their own "dtypes" say; an optional port that it leaves out of its
list it does without.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from .. import soc
from ..prototype import Engine
from .operator_list import Attribute, Kernel, Operator, OperatorList, Port, dtype_number

__all__ = ["read_table"]

_AI_CPU: tuple[Engine, ...] = ("aicpu", "aicpu_tf")
_NO_CALL = {
    "not ND": "takes no tensors in ND format",
    "NULL": "is a placeholder",
}


def read_table(path: Path, chips: Sequence[str]) -> OperatorList:
    """The list in a file.

    Raises:
        OSError: no such file.
        ValueError: a line that is no entry of such a table.
    """
    operators = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip():
            continue
        try:
            entry = json.loads(line)
            operators[str(entry["op"])] = _operator(entry)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"{path}:{number} is no entry of an operator table: {error!r}") from error
    return OperatorList(str(path), tuple(chips), operators)


def _operator(entry: Mapping[str, Any]) -> Operator:
    kernels: dict[tuple[Engine, str], Kernel] = {}
    by_soc = entry.get("aicore", {})
    for chip in soc.ALL:
        told = by_soc.get(f"ascend{chip}")
        while told and "same_as" in told:
            told = by_soc[told["same_as"]]
        if told:
            kernels["aicore", chip] = _aicore(told)
        for engine in _AI_CPU:
            if engine in entry:
                kernels[engine, chip] = _by_port(entry, entry[engine])
    return Operator(
        tuple(_port(port) for port in entry["inputs"]),
        tuple(Port(port["name"], port["kind"]) for port in entry["outputs"]),
        {attr["name"]: _attribute(attr) for attr in entry["attrs"]},
        kernels,
        named="no_prototype" not in entry,
    )


def _port(told: Mapping[str, Any]) -> Port:
    return Port(told["name"], told["kind"], bool(told.get("const", False)))


def _attribute(told: Mapping[str, Any]) -> Attribute:
    default = told.get("value")
    if told["type"] in ("Type", "Int") and isinstance(default, str):
        default = dtype_number(default)
    return Attribute(told["name"], told["type"], told["required"], default)


def _aicore(told: Mapping[str, Any]) -> Kernel:
    unusable = _NO_CALL.get(told.get("formats", ""), "")
    if told.get("kernel") is False:
        unusable = "is none that runs"
    elif told.get("aclnn_only"):
        unusable = "is for aclnn only"
    combos = told.get("combos")
    if combos is None:
        return Kernel(decides=True, unusable=unusable)
    return Kernel(frozenset(tuple(row) for row in combos), unusable=unusable)


def _by_port(entry: Mapping[str, Any], told: Mapping[str, Any]) -> Kernel:
    lists = []
    for side, ports in (("in", entry["inputs"]), ("out", entry["outputs"])):
        given = told.get(side) or {}
        names = [port["name"] for port in ports]
        if not set(given) <= set(names):
            # Kernels may call the ports by other names, but keep their order.
            given = dict(zip(names, given.values(), strict=False))
        for port in ports:
            lacks = bool(given) and port["name"] not in given and port["kind"] == "optional"
            lists.append(frozenset(() if lacks else given.get(port["name"]) or port["dtypes"]))
    return Kernel(by_port=tuple(lists))
