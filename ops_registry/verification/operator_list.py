"""What an operator list says, whoever wrote it: ports, attributes and the dtype rows of each engine's kernels.

Data types are strings here, by the array API's names where it has one: a list also names types that no tensor has.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .. import dtypes, prototypes
from ..prototype import PROTOTYPES, Engine, Prototype

__all__ = ["Attribute", "Kernel", "Operator", "OperatorList", "Port", "Row", "own_declarations"]

assert prototypes  # imported for its declarations

# A dtype for each port; None in a call: the input is absent; None in a list: the kernel does without that port.
Row = tuple[str | None, ...]


@dataclass(frozen=True, slots=True)
class Port:
    """An input or output. const: whether its value must be constant, None where the list is silent on it."""

    name: str
    kind: str = "required"
    const: bool | None = None


@dataclass(frozen=True, slots=True)
class Attribute:
    """An attribute; a default that means a data type is its number. None: no default, or one that is not told."""

    name: str
    type: str
    required: bool
    default: Any = None


@dataclass(frozen=True, slots=True)
class Kernel:
    """What one engine's kernel takes, on one chip.

    Attributes:
        rows: the dtype rows; None where the list has none.
        by_port: the dtypes of each port for itself: None for a port without a list, none at all for one that the
            kernel does without. None where there are rows.
        decides: whether the kernel takes more than the list says, or other things: it decides when it is asked.
        unusable: why no call reaches the kernel, if none does.
    """

    rows: frozenset[Row] | None = None
    by_port: tuple[frozenset[str] | None, ...] | None = None
    decides: bool = False
    unusable: str = ""

    def lists(self, row: Row) -> bool:
        """Whether the list names a dtype row; an absent input fits any."""
        if self.rows is not None:
            return row in self.rows or any(_fits(row, listed) for listed in self.rows)
        if self.by_port is not None:
            return len(row) == len(self.by_port) and all(
                told is None or cell is None or cell in told for cell, told in zip(row, self.by_port, strict=True)
            )
        return False

    def takes(self, row: Row) -> bool:
        """Whether the list allows a dtype row: names it, or leaves it to the kernel."""
        return not self.unusable and (self.decides or self.lists(row))

    def without_lacking(self, row: Row) -> Row:
        """A row with the ports absent that an AI CPU kernel does without: declarations have one row for all engines."""
        told = self.by_port or (None,) * len(row)
        return tuple(
            None if listed is not None and not listed else cell for cell, listed in zip(row, told, strict=False)
        )


def _fits(row: Row, listed: Row) -> bool:
    return len(row) == len(listed) and all(a is None or a == b for a, b in zip(row, listed, strict=True))


@dataclass(frozen=True, slots=True)
class Operator:
    """One op type of a list.

    Attributes:
        named: whether names of ports and attributes are a prototype's; a kernel names them as it likes, and leaves
            out what it does not look at.
    """

    inputs: tuple[Port, ...]
    outputs: tuple[Port, ...]
    attrs: Mapping[str, Attribute]
    kernels: Mapping[tuple[Engine, str], Kernel] = field(repr=False)
    named: bool = True


@dataclass(frozen=True, slots=True)
class OperatorList:
    """The op types that somebody lists. chips: those it tells of; note: what it cannot tell."""

    source: str
    chips: tuple[str, ...]
    operators: Mapping[str, Operator] = field(repr=False)
    note: str = ""


def own_declarations(chips: Sequence[str]) -> OperatorList:
    """The registry's own declarations as a list: what calls are held against where there is no other one."""
    return OperatorList(
        "the registry's declarations", tuple(chips), {name: _own(prototype) for name, prototype in PROTOTYPES.items()}
    )


def _own(prototype: Prototype) -> Operator:
    return Operator(
        tuple(Port(port.name, port.kind, port.const) for port in prototype.inputs),
        tuple(Port(port.name, port.kind) for port in prototype.outputs),
        {attr.name: Attribute(attr.name, attr.type, attr.required, attr.default) for attr in prototype.attrs.values()},
        {
            where: Kernel(frozenset(tuple(dtype.name for dtype in row) for row in rows))
            for where, rows in prototype.rows.items()
            if rows
        },
    )


def dtype_number(name: str) -> Any:
    """ACL's number of a data type's name; the name itself if no tensor has that type."""
    return dtypes.BY_NAME[name].code if name in dtypes.BY_NAME else name
