"""Reading CANN's prototype headers: the blocks of `REG_OP(...)` that name the ports and attributes of op types."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from .operator_list import Attribute, Port, dtype_number

__all__ = ["Signature", "read_header"]


@dataclass(frozen=True, slots=True)
class Signature:
    """The ports and attributes of one op type, in order."""

    inputs: tuple[Port, ...]
    outputs: tuple[Port, ...]
    attrs: tuple[Attribute, ...]


_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_BLOCK = re.compile(r"\bREG_OP\s*\(\s*(\w+)\s*\)(.*?)\bOP_END_FACTORY_REG\b", re.DOTALL)
_CLAUSE = re.compile(r"\.\s*([A-Z_]+)\s*\(")

# Clause -> (which side, kind of port).
_PORTS = {
    "INPUT": ("inputs", "required"),
    "OPTIONAL_INPUT": ("inputs", "optional"),
    "DYNAMIC_INPUT": ("inputs", "dynamic"),
    "OUTPUT": ("outputs", "required"),
    "OPTIONAL_OUTPUT": ("outputs", "optional"),
    "DYNAMIC_OUTPUT": ("outputs", "dynamic"),
}
_ATTRIBUTES = {"ATTR": False, "REQUIRED_ATTR": True}


def read_header(text: str) -> Iterator[tuple[str, Signature]]:
    """The op types of a header."""
    for block in _BLOCK.finditer(_COMMENT.sub(" ", text)):
        sides: dict[str, list[Port]] = {"inputs": [], "outputs": []}
        attrs = []
        for clause, arguments in _clauses(block[2]):
            if clause in _PORTS:
                side, kind = _PORTS[clause]
                sides[side].append(Port(arguments[0], kind))
            elif clause in _ATTRIBUTES:
                default = _value(arguments[1], ", ".join(arguments[2:])) if len(arguments) > 2 else None
                attrs.append(Attribute(arguments[0], arguments[1], _ATTRIBUTES[clause], default))
        yield block[1], Signature(tuple(sides["inputs"]), tuple(sides["outputs"]), tuple(attrs))


def _clauses(block: str) -> Iterator[tuple[str, list[str]]]:
    """Each `.NAME(a, b, ...)` of a block with its arguments, which may hold brackets themselves."""
    place = 0
    while found := _CLAUSE.search(block, place):
        end = _closing(block, found.end())
        yield found[1], _split(block[found.end() : end])
        place = end


def _closing(text: str, start: int) -> int:
    """Where the bracket that was opened just before `start` is closed."""
    depth = 1
    for place in range(start, len(text)):
        depth += {"(": 1, ")": -1}.get(text[place], 0)
        if not depth:
            return place
    return len(text)


def _split(text: str) -> list[str]:
    """Arguments between the commas that are in no brackets."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter in "({") - (letter in ")}")
        if letter == "," and not depth:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts]


def _value(kind: str, text: str) -> Any:
    """A default of C++; what is none of the plain kinds stays text."""
    try:
        return _VALUES[kind](text)
    except (KeyError, ValueError):
        return text


def _number(text: str) -> Any:
    return dtype_number(_dtype(text)) if text.startswith("DT_") else int(text, 0)


def _dtype(text: str) -> str:
    name = text.removeprefix("DT_").lower()
    return {"float": "float32", "double": "float64", "bf16": "bfloat16"}.get(name, name)


_VALUES: dict[str, Callable[[str], Any]] = {
    "Int": _number,
    "Type": _number,
    "Float": lambda text: float(text.rstrip("fF")),
    "Bool": lambda text: {"true": True, "false": False}[text],
    "String": lambda text: text.strip('"'),
    "ListInt": lambda text: [int(item, 0) for item in text.strip("{} ").split(",") if item.strip()],
}
