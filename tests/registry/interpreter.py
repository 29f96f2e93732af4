"""Runs a program with the kernels of its ops, without a device: for the programs of other chips than this one's."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from ascendtensor.embedded.kernels import KERNELS
from ascendtensor.embedded.shapes import Facts, infer
from ops_registry.program import Program, Value
from ops_registry.prototype import PROTOTYPES

__all__ = ["interpret"]

Array = np.ndarray[Any, Any]


def interpret(program: Program, operands: list[Array]) -> list[Array]:
    """The results, or for a program that writes in place the operands as they are afterwards.

    What each call gives has the shape and dtype that the op's shape inference says. What a data-dependent one
    gives is trimmed to the shape that its kernel tells.
    """
    memory = {slot: bytearray(operand.tobytes()) for slot, operand in enumerate(operands)}
    memory |= {constant.slot: bytearray(constant.data) for constant in program.constants}

    def read(value: Value) -> Array:
        """The buffer as the value has it; a buffer may be longer than what is read of it."""
        nbytes = prod(value.shape) * value.dtype.itemsize
        assert nbytes <= len(memory[value.slot]), "a call reads past the end of its buffer"
        return np.frombuffer(memory[value.slot], value.dtype.dtype, value.size).reshape(value.shape)

    true_shapes: dict[int, tuple[int, ...]] = {}
    for call in program.calls:
        attrs = {name: attr.default for name, attr in PROTOTYPES[call.op_type].attrs.items()} | dict(call.attrs)
        inputs = [None if value is None else read(value) for value in call.inputs]
        if call.engine != "host":
            facts = [
                None if value is None or array is None else Facts(value.dtype, value.shape, array)
                for value, array in zip(call.inputs, inputs, strict=True)
            ]
            for told, output in zip(infer(call.op_type, facts, attrs), call.outputs, strict=True):
                most = tuple(high for _, high in told.ranges) if told.ranges else tuple(told.shape)
                assert (told.dtype, most) == (output.dtype, output.shape), call
        for output in call.outputs:
            memory.setdefault(output.slot, bytearray(output.nbytes))
        truth = KERNELS[call.op_type](inputs, [read(output) for output in call.outputs], attrs)
        if call.data_dependent and truth is not None:
            told_shapes = zip(call.outputs, truth, strict=True)
            true_shapes |= {output.slot: shape for output, shape in told_shapes if shape is not None}
    if not program.results:
        return [np.frombuffer(memory[slot], operand.dtype) for slot, operand in enumerate(operands)]
    return [
        read(Value(result.slot, result.dtype, true_shapes.get(result.slot, result.shape))).copy()
        for result in program.results
    ]
