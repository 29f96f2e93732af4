"""What an op type is: its ports, attributes, and the dtypes that each engine takes on each chip.

A declaration reads as CANN's operator list does:

    declare(
        "ReduceSum",
        "x axes!",
        "y",
        attrs="keep_dims:Bool=False",
        rows="T I T",
        aicore={"910b 910_93": "i32 i64 f16 bf16 f32", "910": "i32 f16 f32", ...},
        aicpu_tf="i8 i16 ...",
    )

Ports are named in order; `!` marks one whose value must be constant, `?` an optional one, `*` one that
stands for any number of tensors. `rows` says how the dtypes of inputs and outputs go together: `T` is the
dtype that a list names, `I` and `J` each an index type (int32 or int64), anything else a fixed dtype.
A dtype list holds values of `T`, or whole rows written `f16/f16/f32`, where `a|b` stands for either.

An op type without any dtype list is none of CANN's: it names what no op of the device computes, and the
host always does. Those are in `prototypes/host.py`.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from . import dtypes, soc
from .dtypes import DType

__all__ = ["ENGINES", "PROTOTYPES", "Attribute", "Engine", "Port", "Prototype", "declare"]

Engine = Literal["aicore", "aicpu", "aicpu_tf"]
# In the order of preference. The AI CPU kernels of the TensorFlow library come last: they are the slowest.
ENGINES: tuple[Engine, ...] = ("aicore", "aicpu", "aicpu_tf")

Row = tuple[DType, ...]

_INDEX = (dtypes.int32, dtypes.int64)
_MARKS = {"!": "required", "?": "optional", "*": "dynamic"}


@dataclass(frozen=True, slots=True)
class Port:
    """An input or output of an op type. kind: required, optional, dynamic (any number of tensors)."""

    name: str
    kind: str = "required"
    const: bool = False


@dataclass(frozen=True, slots=True)
class Attribute:
    """An attribute. type: Int, Float, Bool, String, ListInt, or Type, whose value is a data type's number."""

    name: str
    type: str
    required: bool
    default: Any = None


@dataclass(frozen=True)
class Prototype:
    """The facts of one op type.

    Attributes:
        pattern: the declaration's `rows`, one entry a port.
        fails: what is wrong with the values of the operands if the op fails as it runs; empty if it takes any.
    """

    op_type: str
    inputs: tuple[Port, ...]
    outputs: tuple[Port, ...]
    attrs: Mapping[str, Attribute]
    pattern: tuple[str, ...]
    rows: Mapping[tuple[Engine, str], frozenset[Row]] = field(repr=False)
    fails: str = ""

    @property
    def host_only(self) -> bool:
        """Whether it is none of CANN's op types, but names what the host computes."""
        return not any(self.rows.values())

    def engine(self, chip: str, inputs: Iterable[DType | None], outputs: Iterable[DType]) -> Engine | None:
        """The first engine of `chip` that takes these dtypes, or None.

        Parameters:
            chip: a family of `ops_registry.soc`.
            inputs: a dtype for each input port (one for a dynamic port), None for an absent optional input.
            outputs: a dtype for each output port.
        """
        wanted = (*inputs, *outputs)
        for engine in ENGINES:
            rows = self.rows.get((engine, chip))
            if rows and (wanted in rows or (None in wanted and _some_row_fits(wanted, rows))):
                return engine
        return None


def _some_row_fits(wanted: tuple[DType | None, ...], rows: frozenset[Row]) -> bool:
    return any(all(w is None or w is d for w, d in zip(wanted, row, strict=True)) for row in rows)


PROTOTYPES: dict[str, Prototype] = {}


def declare(
    op_type: str,
    inputs: str,
    outputs: str,
    *,
    rows: str,
    attrs: str = "",
    aicore: str | Mapping[str, str] = "",
    aicpu: str = "",
    aicpu_tf: str = "",
    fails: str = "",
) -> None:
    """Add an op type to the registry; see the module's text for the notation.

    Parameters:
        aicore: a dtype list by chips (`"910b 910_93"`), or one list for every chip.
        aicpu, aicpu_tf: dtype lists; the AI CPU is the same on every chip.
        fails: as of `Prototype`.
    """
    if op_type in PROTOTYPES:
        raise ValueError(f"{op_type} is declared twice")
    by_chips = {" ".join(soc.ALL): aicore} if isinstance(aicore, str) else aicore
    table: dict[tuple[Engine, str], frozenset[Row]] = {}
    for chips, listed in by_chips.items():
        for chip in chips.split():
            table["aicore", chip] = frozenset(_rows(rows, listed))
    for chip in soc.ALL:
        table["aicpu", chip] = frozenset(_rows(rows, aicpu))
        table["aicpu_tf", chip] = frozenset(_rows(rows, aicpu_tf))
    PROTOTYPES[op_type] = Prototype(
        op_type,
        tuple(_port(text) for text in inputs.split()),
        tuple(_port(text) for text in outputs.split()),
        {attr.name: attr for attr in map(_attribute, attrs.split())},
        tuple(rows.split()),
        table,
        fails,
    )


def _port(text: str) -> Port:
    name = text.rstrip("!?*")
    marks = text[len(name) :]
    kind = next((_MARKS[mark] for mark in marks if mark != "!"), "required")
    return Port(name, kind, "!" in marks)


def _attribute(text: str) -> Attribute:
    name, _, rest = text.partition(":")
    kind, has_default, default = rest.partition("=")
    return Attribute(name, kind, not has_default, _ATTRIBUTE_VALUE[kind](default) if has_default else None)


_ATTRIBUTE_VALUE: dict[str, Any] = {
    "Int": int,
    "Float": float,
    "Bool": lambda text: text == "True",
    "String": str,
    "Type": lambda text: dtypes.BY_NAME[text].code,
    "ListInt": lambda text: [int(item) for item in text.strip("[]").split(",") if item],
}


def _rows(pattern: str, listed: str) -> Iterator[Row]:
    ports = pattern.split()
    for item in listed.split():
        if "/" in item:
            cells = [[dtypes.BY_SHORT[short] for short in cell.split("|")] for cell in item.split("/")]
            yield from itertools.product(*cells)
        else:
            yield from _instances(ports, dtypes.BY_SHORT[item])


def _instances(ports: list[str], dtype: DType) -> Iterator[Row]:
    """The rows of a pattern for one dtype: every choice of its index types."""
    letters = [letter for letter in ("I", "J") if letter in ports]
    for choice in itertools.product(_INDEX, repeat=len(letters)):
        meaning: dict[str, DType] = {"T": dtype, **dict(zip(letters, choice, strict=True))}
        yield tuple(meaning.get(port) or dtypes.BY_SHORT[port] for port in ports)
