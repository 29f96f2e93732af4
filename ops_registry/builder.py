"""The builder: what a lowering writes its calls with. It finds the route of each call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np

from . import dtypes, prototypes, shapes
from .dtypes import DType
from .program import Call, Constant, Program, TensorFacts, Value
from .prototype import ENGINES, PROTOTYPES, Engine, Prototype
from .routes import CARRIERS, WIDER, route_kinds

__all__ = ["Builder"]

assert prototypes  # imported for its declarations

# A dtype whose kernels move a pair of elements in place of one complex128.
_PAIR = dtypes.int64

Operand = Value | None


class Builder:
    """Collects the calls of one program.

    Parameters:
        function: the array-API function's name, for messages.
        chip: a family of `ops_registry.soc`.
        operands: dtype and shape of each operand.
    """

    def __init__(self, function: str, chip: str, operands: Sequence[TensorFacts]) -> None:
        self.function = function
        self.chip = chip
        self.operands = tuple(
            Value(slot, facts.dtype, facts.shape, facts.on_host) for slot, facts in enumerate(operands)
        )
        self._slots = len(self.operands)
        self._constants: dict[tuple[bytes, bool], Constant] = {}
        self._calls: list[Call] = []

    def program(self, *results: Value) -> Program:
        """The program so far, giving `results`."""
        owned = tuple(self._own(result) for result in results)
        return Program(
            self.function,
            len(self.operands),
            self._slots,
            tuple(self._constants.values()),
            tuple(self._calls),
            owned,
        )

    # Values that are not results of calls

    def literal(self, value: Any, dtype: DType) -> Value:
        """A 0-d host value that the device reads as an ordinary operand: a new value is not a new kernel."""
        return self._constant(dtypes.encode(value, dtype), dtype, (), compiled_in=False)

    def const(self, values: float | Sequence[float], dtype: DType = dtypes.int64) -> Value:
        """A constant for a port marked `!`: 0-d for a number, else 1-d."""
        shape = np.shape(values)
        return self._constant(dtypes.encode(values, dtype), dtype, shape, compiled_in=True)

    def _constant(self, data: bytes, dtype: DType, shape: tuple[int, ...], compiled_in: bool) -> Value:
        key = (data, compiled_in)
        if key not in self._constants:
            self._constants[key] = Constant(self._new_slot(), data, compiled_in)
        return Value(self._constants[key].slot, dtype, shape, on_host=True)

    def _new_slot(self) -> int:
        self._slots += 1
        return self._slots - 1

    @staticmethod
    def view(value: Value, dtype: DType | None = None, shape: tuple[int, ...] | None = None) -> Value:
        """The same buffer under another dtype of the same width, another shape of the same size, or both."""
        return Value(value.slot, dtype or value.dtype, value.shape if shape is None else shape, value.on_host)

    @staticmethod
    def parts(value: Value) -> Value:
        """A complex value as its real and imaginary parts, along a new last axis of 2."""
        return Value(value.slot, dtypes.REAL_OF[value.dtype], (*value.shape, 2), value.on_host)

    # Calls

    def op(
        self,
        op_type: str,
        *inputs: Operand,
        shape: tuple[int, ...],
        dtype: DType | None = None,
        attrs: Mapping[str, Any] | None = None,
        into: Value | None = None,
    ) -> Value:
        """Call an op with one output, by the cheapest route. into: write over this value's buffer.

        Parameters:
            inputs: in port order, None for an absent optional one; the tensors of a dynamic port one by one.
            shape, dtype: of the output; a `dtype` left out is the data's own, or the prototype's fixed one.
            attrs: the required ones, and any others; those at their default are left out of the call.
        """
        (output,) = self.ops(op_type, *inputs, outputs=[(shape, dtype)], attrs=attrs, into=into)
        return output

    def ops(
        self,
        op_type: str,
        *inputs: Operand,
        outputs: Sequence[tuple[tuple[int, ...], DType | None]],
        attrs: Mapping[str, Any] | None = None,
        into: Value | None = None,
        data_dependent: bool = False,
    ) -> tuple[Value, ...]:
        """Call an op with any number of outputs; as `op`.

        Parameters:
            outputs: shape and dtype of each.
            data_dependent: whether the shapes are the largest possible ones, and the true ones are known after
                running only. The outputs are then results and nothing else: no later call may read them.
        """
        prototype = PROTOTYPES[op_type]
        ports = _data_ports(prototype, len(inputs))
        data = next(
            (value.dtype for value, is_data in zip(inputs, ports, strict=True) if value and is_data), outputs[0][1]
        )
        if data is None:
            raise ValueError(f"{op_type} reads no data: name the dtype of its output")
        told = prototype.pattern[len(prototype.inputs) :]
        outs = [
            dtype or (data if port == "T" else dtypes.BY_SHORT[port])
            for port, (_, dtype) in zip(told, outputs, strict=True)
        ]
        sizes = [shape for shape, _ in outputs]

        def read_as(other: DType) -> tuple[list[Operand], list[DType]]:
            """The inputs and the outputs' dtypes with `other` in the place of the data's dtype."""
            swapped = [
                Value(v.slot, other, v.shape, v.on_host) if v and is_data and v.dtype is data else v
                for v, is_data in zip(inputs, ports, strict=True)
            ]
            return swapped, [
                other if out is data and port == "T" else out for port, out in zip(told, outs, strict=True)
            ]

        def engine_for(other: DType) -> Engine | None:
            return self._engine(prototype, *read_as(other))

        def emit(
            given: Sequence[Operand], given_outs: Sequence[DType], engine: Engine | Literal["host"]
        ) -> tuple[Value, ...]:
            made = list(zip(given_outs, sizes, strict=True))
            return self._emit(op_type, given, made, attrs, engine, into, data_dependent)

        kinds = route_kinds(op_type)
        readings = [data, *(carrier for kind in kinds for carrier in CARRIERS.get(kind, {}).get(data, ()))]
        served = [(reading, engine) for reading in readings if (engine := engine_for(reading))]
        if served:
            reading, engine = min(served, key=lambda found: ENGINES.index(found[1]))
            made = emit(*read_as(reading), engine)
            return tuple(self.view(value, out) for value, out in zip(made, outs, strict=True))
        # A cast back would read outputs whose shapes nobody knows yet.
        for wider in WIDER.get(data, ()) if "widen" in kinds and not data_dependent else ():
            if engine := engine_for(wider):
                swapped, swapped_outs = read_as(wider)
                cast = [old and new and self.cast(old, new.dtype) for old, new in zip(inputs, swapped, strict=True)]
                made = emit(cast, swapped_outs, engine)
                return tuple(self.cast(value, out) for value, out in zip(made, outs, strict=True))
        return emit(inputs, outs, "host")

    def has_kernel(self, op_type: str, *dtypes_in_order: DType | None) -> bool:
        """Whether an engine of this chip takes just these dtypes (inputs, then the output)."""
        *inputs, output = dtypes_in_order
        return PROTOTYPES[op_type].engine(self.chip, inputs, (output,)) is not None if output else False

    def _engine(self, prototype: Prototype, inputs: Sequence[Operand], outs: Sequence[DType]) -> Engine | None:
        """The engine for these inputs; the tensors of a dynamic port are one entry of a row."""
        ports = prototype.inputs
        if ports and ports[0].kind == "dynamic":
            inputs = (inputs[0], *inputs[len(inputs) - (len(ports) - 1) :]) if len(ports) > 1 else inputs[:1]
        absent = (None,) * (len(ports) - len(inputs))
        present = (value.dtype if value else None for value in inputs)
        return prototype.engine(self.chip, (*present, *absent), outs)

    def _emit(
        self,
        op_type: str,
        inputs: Sequence[Operand],
        outputs: Sequence[tuple[DType, tuple[int, ...]]],
        attrs: Mapping[str, Any] | None,
        engine: Engine | Literal["host"],
        into: Value | None,
        data_dependent: bool,
    ) -> tuple[Value, ...]:
        made = tuple(Value(into.slot if into else self._new_slot(), dtype, shape) for dtype, shape in outputs)
        defaults = PROTOTYPES[op_type].attrs
        given = {name: value for name, value in (attrs or {}).items() if value != defaults[name].default}
        self._calls.append(Call(op_type, tuple(inputs), made, given, engine, data_dependent))
        return made

    # Steps that many lowerings share

    def elementwise(
        self, op_type: str, *inputs: Value, dtype: DType | None = None, attrs: Mapping[str, Any] | None = None
    ) -> Value:
        """An op whose operands broadcast."""
        shape = shapes.broadcast(self.function, *(value.shape for value in inputs))
        return self.op(op_type, *inputs, shape=shape, dtype=dtype, attrs=attrs)

    def cast(self, value: Value, dtype: DType) -> Value:
        """`value` as `dtype`; itself if it has it already."""
        if value.dtype is dtype:
            return value
        return self.op("Cast", value, shape=value.shape, dtype=dtype, attrs={"dst_type": dtype.code})

    def copy(self, value: Value) -> Value:
        """The same elements in a buffer of their own."""
        if value.dtype is dtypes.complex128:
            moved = self.copy(self.view(value, _PAIR, (*value.shape, 2)))
            return self.view(moved, value.dtype, value.shape)
        return self.op("TensorMove", value, shape=value.shape)

    def fill(self, value: Any, dtype: DType, shape: tuple[int, ...]) -> Value:
        """A tensor of one value. value: a number, or a 0-d Value of `dtype`."""
        source = value if isinstance(value, Value) else self.literal(value, dtype)
        if not shape:
            # The dims of a 0-d tensor would be an empty constant, which ACL refuses.
            return self.view(self.fill(source, dtype, (1,)), dtype, ())
        return self.op("Fill", self.const(shape), source, shape=shape, dtype=dtype)

    def reduce(
        self, op_type: str, value: Value, axes: tuple[int, ...], keepdims: bool, dtype: DType | None = None
    ) -> Value:
        """A reduction over `axes` (not negative, may be none)."""
        shape = shapes.reduced(value.shape, axes, keepdims)
        if not axes:
            return value
        return self.op(op_type, value, self.const(axes), shape=shape, dtype=dtype, attrs={"keep_dims": keepdims})

    def select(self, condition: Value, then: Value, otherwise: Value) -> Value:
        """`then` where `condition`, else `otherwise`; all broadcast."""
        return self.elementwise("SelectV2", condition, then, otherwise)

    def broadcast(self, value: Value, shape: tuple[int, ...]) -> Value:
        """`value` repeated to `shape`, in a buffer of its own."""
        if value.dtype is dtypes.complex128 and not self.has_kernel(
            "BroadcastTo", value.dtype, dtypes.int64, value.dtype
        ):
            pairs = self.broadcast(self.view(value, _PAIR, (*value.shape, 2)), (*shape, 2))
            return self.view(pairs, value.dtype, shape)
        return self.op("BroadcastTo", value, self.const(shape), shape=shape)

    def write_view(
        self,
        target: Value,
        shape: tuple[int, ...],
        strides: tuple[int, ...],
        offset: int,
        source: Value,
        source_strides: tuple[int, ...],
        source_offset: int,
    ) -> None:
        """Write a strided view of `source` over one of `target`, in the target's own buffer."""
        where = [(shape, strides, offset), (shape, source_strides, source_offset)]
        (to, to_const), (of, of_const) = (
            (value, [self.const(size), self.const(stride), self.const([start])])
            for value, (size, stride, start) in zip((target, source), where, strict=True)
        )
        self.op("ViewCopy", to, *to_const, of, *of_const, shape=target.shape, into=target)

    def _own(self, value: Value) -> Value:
        """`value`, or a copy of it if it is an operand's or a constant's buffer: a result owns its memory."""
        constant_slots = {constant.slot for constant in self._constants.values()}
        if value.on_host or value.slot in constant_slots:
            return self.fill(self.view(value, shape=()), value.dtype, value.shape)
        return self.copy(value) if value.slot < len(self.operands) else value


def _data_ports(prototype: Prototype, count: int) -> list[bool]:
    """For each of `count` input tensors, whether its port carries the dtype that a row calls T."""
    ports = [entry == "T" for entry in prototype.pattern[: len(prototype.inputs)]]
    if prototype.inputs and prototype.inputs[0].kind == "dynamic":
        return [ports[0]] * (count - len(ports) + 1) + ports[1:]
    return ports[:count]
