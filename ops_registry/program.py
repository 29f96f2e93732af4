"""A program: the op calls that one array-API function comes to, for operands of given dtypes and shapes.

Programs are plain data. They name buffers by slot numbers: first the operands, then whatever the calls
read or make. The runtime turns a program into ready descriptors and attributes, once, and runs it often.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import prod
from typing import Any, Literal, Protocol

from .dtypes import DType
from .prototype import Engine

__all__ = ["Call", "Constant", "Program", "Spec", "TensorFacts", "Value"]


class TensorFacts(Protocol):
    """What a lowering may know of an operand."""

    @property
    def dtype(self) -> DType:
        """Its data type."""
        ...

    @property
    def shape(self) -> tuple[int, ...]:
        """Its lengths by dimension."""
        ...

    @property
    def on_host(self) -> bool:
        """Whether its bytes are host memory, handed over with the call."""
        ...


@dataclass(frozen=True, slots=True)
class Spec:
    """The facts of an operand, for those who have no tensor at hand."""

    dtype: DType
    shape: tuple[int, ...] = ()
    on_host: bool = False


@dataclass(frozen=True, slots=True)
class Value:
    """A contiguous tensor in a slot, read as `dtype` and `shape`.

    Two values may share a slot: that is how a buffer is read under another dtype of the same width.
    on_host: the slot is host memory that the runtime hands to the device during the call.
    """

    slot: int
    dtype: DType
    shape: tuple[int, ...]
    on_host: bool = False

    @property
    def size(self) -> int:
        """How many elements."""
        return prod(self.shape)

    @property
    def ndim(self) -> int:
        """How many dimensions."""
        return len(self.shape)

    @property
    def nbytes(self) -> int:
        """How many bytes its elements take."""
        return self.size * self.dtype.itemsize


@dataclass(frozen=True, slots=True)
class Constant:
    """Host bytes behind a slot. compiled_in: the kernel may be compiled for the value (a `!` port)."""

    slot: int
    data: bytes
    compiled_in: bool


@dataclass(frozen=True, slots=True)
class Call:
    """One call of an op type.

    Attributes:
        inputs: a value for each tensor in port order, None for an absent one.
        attrs: those that differ from their defaults, and the required ones.
        data_dependent: whether the outputs' true shapes are known after running only; those of the values are
            then the largest possible, and no later call may read them.
    """

    op_type: str
    inputs: tuple[Value | None, ...]
    outputs: tuple[Value, ...]
    attrs: Mapping[str, Any]
    engine: Engine | Literal["host"]
    data_dependent: bool = False


@dataclass(frozen=True, slots=True)
class Program:
    """Calls in order. slots: how many there are in all; the first `operands` are given by the caller."""

    function: str
    operands: int
    slots: int
    constants: tuple[Constant, ...]
    calls: tuple[Call, ...]
    results: tuple[Value, ...]
