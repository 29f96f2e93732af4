"""Reading an installed CANN: the operator information that its engines choose kernels by.

Below the directory `opp`, as environments name it in ASCEND_OPP_PATH:

    built-in/op_impl/ai_core/tbe/config/<soc>/aic-<soc>-ops-info*.json   AI Core kernels, with dtype rows
    built-in/op_impl/aicpu/**/config/*.json                              AI CPU kernels, with dtypes by port
    built-in/op_proto/**/*.h, built-in/op_graph/**/*.h                   the prototypes, where they are installed

An AI Core entry has `input0`, `input1`, ..., `output0`, ... with "dtype" and "format" lists that belong together,
item by item; some kernels list none and decide when they are asked. Without the headers only dtypes are compared:
kernels call their ports as they like, and leave out what they do not look at.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..prototype import PROTOTYPES, Engine
from .headers import Signature, read_header
from .operator_list import Kernel, Operator, OperatorList, Port, Row

__all__ = ["read_installation"]

_ENGINES: dict[str, Engine] = {"AICPUKernel": "aicpu", "CUSTAICPUKernel": "aicpu", "TFKernel": "aicpu_tf"}
_NO_HEADERS = "no prototypes are installed there: names of ports and attributes were not compared"
_OTHER_NAMES = {"float": "float32", "double": "float64", "bf16": "bfloat16"}


@dataclass
class _Found:
    """What files say of one op type, piece by piece."""

    entries: dict[tuple[Engine, str], Mapping[str, Any]] = field(default_factory=dict)
    signature: Signature | None = None


def read_installation(path: Path, chips: Sequence[str]) -> OperatorList:
    """The list of an installation, for those of the chips that it has kernels of.

    Parameters:
        path: the directory `opp`, or one that has it.

    Raises:
        ValueError: no operator information there, or none of these chips, or a file that is none.
    """
    built_in = _built_in(path)
    found: dict[str, _Found] = {}
    here = []
    for chip in chips:
        folder = built_in / "op_impl/ai_core/tbe/config" / f"ascend{chip}"
        files = sorted(folder.glob("aic-*-ops-info*.json"))
        for op_type, entry in _entries(files):
            found.setdefault(op_type, _Found()).entries["aicore", chip] = entry
        if files:
            here.append(chip)
    if not here:
        raise ValueError(f"{built_in} has no AI Core operators of {', '.join(chips)}")
    for op_type, entry in _entries(sorted((built_in / "op_impl/aicpu").glob("**/config/*.json"))):
        engine = _ENGINES.get(entry.get("opInfo", {}).get("opKernelLib", ""))
        for chip in here if engine else ():
            found.setdefault(op_type, _Found()).entries[engine, chip] = entry  # type: ignore[index]
    for header in sorted(file for folder in ("op_proto", "op_graph") for file in (built_in / folder).glob("**/*.h")):
        for op_type, signature in read_header(header.read_text(encoding="utf-8", errors="replace")):
            found.setdefault(op_type, _Found()).signature = signature
    operators = {}
    for op_type, told in found.items():
        if told.entries and (told.signature or op_type in PROTOTYPES):
            try:
                operators[op_type] = _operator(op_type, told)
            except (ValueError, AttributeError, TypeError) as error:
                raise ValueError(f"the operator information of {op_type} cannot be read: {error!r}") from error
    headers = any(told.signature for told in found.values())
    return OperatorList(str(built_in.parent), tuple(here), operators, "" if headers else _NO_HEADERS)


def _built_in(path: Path) -> Path:
    for below in ("", "opp", "latest/opp", "ascend-toolkit/latest/opp"):
        if (path / below / "built-in/op_impl").is_dir():
            return path / below / "built-in"
    raise ValueError(f"{path} is no directory opp of a CANN installation: it has no built-in/op_impl")


def _entries(files: Sequence[Path]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for file in files:
        try:
            yield from json.loads(file.read_text(encoding="utf-8")).items()
        except (ValueError, AttributeError) as error:
            raise ValueError(f"{file} is no operator information: {error!r}") from error


def _operator(op_type: str, told: _Found) -> Operator:
    signature = told.signature or _from_declaration(op_type)
    depends = {
        name
        for (engine, _), entry in told.entries.items()
        if engine == "aicore"
        for name, port in _by_name(entry, "input", signature.inputs).items()
        if "valueDepend" in port
    }
    return Operator(
        tuple(Port(port.name, port.kind, True if port.name in depends else None) for port in signature.inputs),
        signature.outputs,
        {attr.name: attr for attr in signature.attrs},
        {
            (engine, chip): _kernel(entry, signature) if engine == "aicore" else _lists(entry, signature)
            for (engine, chip), entry in told.entries.items()
        },
        named=told.signature is not None,
    )


def _ports_of(entry: Mapping[str, Any], side: str) -> list[Mapping[str, Any]]:
    """The ports of a side, in order. AI CPU lists call those that take many tensors dynamic_..."""
    numbered = {
        int(number): port
        for key, port in entry.items()
        for prefix in (side, f"dynamic_{side}")
        if key.startswith(prefix) and (number := key.removeprefix(prefix)).isdecimal()
    }
    return [numbered[number] for number in sorted(numbered)]


def _by_name(entry: Mapping[str, Any], side: str, ports: Sequence[Port]) -> dict[str, Mapping[str, Any]]:
    """A kernel's ports by the prototype's names: by their own where they agree, else by their order."""
    names = [port.name for port in ports]
    own = _ports_of(entry, side)
    found = {port.get("name", ""): port for port in own}
    # Kernels may have more ports than the prototype; they do without those then.
    return found if len(found.keys() & set(names)) >= min(len(own), len(names)) else dict(zip(names, own, strict=False))


def _from_declaration(op_type: str) -> Signature:
    """What stands in for a prototype that is not installed: then the kernels' dtypes only are compared."""
    declared = PROTOTYPES[op_type]
    sides = [tuple(Port(port.name, port.kind) for port in side) for side in (declared.inputs, declared.outputs)]
    return Signature(sides[0], sides[1], ())


def _kernel(entry: Mapping[str, Any], signature: Signature) -> Kernel:
    if entry.get("opFile", {}).get("value") == "Null":
        return Kernel(unusable="is none that runs")
    if entry.get("aclnnSupport", {}).get("value") == "aclnn_only":
        return Kernel(unusable="is for aclnn only")
    columns: list[list[str] | None] = []
    formats: list[list[str]] = []
    for side, ports in (("input", signature.inputs), ("output", signature.outputs)):
        own = _by_name(entry, side, ports)
        for port in ports:
            told = own.get(port.name)
            if told is not None and "dtype" not in told:
                return Kernel(decides=True)
            columns.append([_name(text) for text in told["dtype"].split(",")] if told else None)
            if told and "format" in told:
                formats.append([text.strip() for text in told["format"].split(",")])
    (length,) = {len(told) for told in (*columns, *formats) if told} or {0}
    rows: list[Row] = [tuple(column[place] if column else None for column in columns) for place in range(length)]
    usable = [all(told[place] in ("ND", "ALL") for told in formats) for place in range(length)]
    taken = frozenset(row for row, is_usable in zip(rows, usable, strict=True) if is_usable)
    decides = entry.get("dynamicFormat", {}).get("flag") == "true"
    return Kernel(taken, decides=decides, unusable="" if taken or decides else "takes no tensors in ND format")


def _lists(entry: Mapping[str, Any], signature: Signature) -> Kernel:
    lists: list[frozenset[str] | None] = []
    for side, ports in (("input", signature.inputs), ("output", signature.outputs)):
        own = _by_name(entry, side, ports)
        for port in ports:
            told = own[port.name].get("type", "") if port.name in own else ""
            lacks = bool(own) and port.name not in own and port.kind == "optional"
            lists.append(frozenset(map(_name, told.split(","))) if told else frozenset() if lacks else None)
    return Kernel(by_port=tuple(lists)) if any(told for told in lists) else Kernel(decides=True)


def _name(text: str) -> str:
    name = text.strip().removeprefix("DT_").lower()
    return _OTHER_NAMES.get(name, name)
