"""Plans: programs made ready to run, with pyACL's descriptors, attributes and constant buffers at hand.

A plan is made once a signature and kept; running it makes no handle but those of new memory.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from ops_registry.lowerings import lower
from ops_registry.program import Call, Program, Value
from ops_registry.prototype import PROTOTYPES

from . import device as devices
from .binding import acl
from .buffers import DataBuffer
from .descriptors import Descriptor, absent_descriptor, constant_descriptor, descriptor
from .device import chip
from .errors import check, handle_of
from .statistics import OpCount, count_of

__all__ = ["Plan", "Step", "forget_plans", "plan_for"]

# The signatures that are kept; the one not used for the longest goes first.
MOST_PLANS = 8192

# How an attribute of a type is set, and in what form.
_SETTERS: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "Bool": ("set_attr_bool", int),
    "Int": ("set_attr_int", int),
    "Float": ("set_attr_float", float),
    "String": ("set_attr_string", str),
    "ListInt": ("set_attr_list_int", list),
    "Type": ("set_attr_data_type", int),
}


class Step:
    """One op call of a plan.

    Attributes:
        op_type: CANN's name.
        input_descs, output_descs: descriptor handles.
        inputs, outputs: the slots whose data buffers go with them.
        makes: slots and sizes of the memory that the step needs first.
        done_with: slots that no later step reads.
        attr: the attribute handle.
        writes: the operand slots that the step writes over.
        host: what the host computes in the op's place, where no engine has the dtypes.
        count: where its calls are counted.
        data_dependent: whether the outputs' shapes are known after running only.
    """

    __slots__ = (
        "attr",
        "bytes_in",
        "bytes_out",
        "call",
        "count",
        "data_dependent",
        "done_with",
        "host",
        "input_descs",
        "inputs",
        "kept",
        "makes",
        "op_type",
        "output_descs",
        "outputs",
        "owned_descs",
        "writes",
    )

    def __init__(self, call: Call, constants: dict[int, bytes], absent_slot: int, operands: int) -> None:
        self.op_type = call.op_type
        self.call = call
        self.host = call.engine == "host"
        self.owned_descs: list[int] = []
        self.kept: list[Descriptor] = []
        self.attr = 0
        self.inputs = [value.slot if value else absent_slot for value in call.inputs]
        self.outputs = [value.slot for value in call.outputs]
        self.writes = [slot for slot in self.outputs if slot < operands]
        made = () if self.host else call.outputs
        self.makes = [(value.slot, value.nbytes) for value in made if value.slot >= operands]
        self.done_with: list[int] = []
        self.bytes_in = sum(value.nbytes for value in call.inputs if value)
        self.bytes_out = sum(value.nbytes for value in call.outputs)
        self.count: OpCount = count_of(call.op_type)
        self.input_descs = [self._input(value, constants) for value in call.inputs]
        self.data_dependent = call.data_dependent
        self.output_descs = [self._shared(value) for value in call.outputs]
        if call.attrs:
            self.attr = _attributes(call)

    def _input(self, value: Value | None, constants: dict[int, bytes]) -> int:
        if value is None:
            return self._owned(absent_descriptor())
        if value.slot in constants:
            return self._owned(constant_descriptor(value.dtype, value.shape, constants[value.slot]))
        return self._shared(value)

    def _owned(self, handle: int) -> int:
        self.owned_descs.append(handle)
        return handle

    def _shared(self, value: Value) -> int:
        kept = descriptor(value.dtype, value.shape, value.on_host)
        self.kept.append(kept)
        return kept.handle

    def __str__(self) -> str:
        told = ", ".join(f"{value.dtype}{list(value.shape)}" for value in self.call.inputs if value)
        return f"{self.op_type}({told})"

    def __del__(self) -> None:
        if devices.running():
            for handle in self.owned_descs:
                acl().destroy_tensor_desc(handle)
            if self.attr:
                acl().op.destroy_attr(self.attr)


def _attributes(call: Call) -> int:
    handle = handle_of("acl.op.create_attr", acl().op.create_attr())
    try:
        for name, value in call.attrs.items():
            setter, form = _SETTERS[PROTOTYPES[call.op_type].attrs[name].type]
            answer = getattr(acl().op, setter)(handle, name, form(value))
            check(f"acl.op.{setter}", answer[1] if isinstance(answer, tuple) else answer)
    except BaseException:
        acl().op.destroy_attr(handle)
        raise
    return handle


class Plan:
    """A program with its handles.

    Attributes:
        function: the array-API function's name.
        steps: the op calls in order.
        host_steps: those of them that the host computes.
        slots: how many buffers they speak of.
        fixed: slots whose buffer is always the same, with the data buffer: constants and the absent input.
        results: slot and descriptor of each result.
    """

    __slots__ = ("_buffers", "_data", "fixed", "function", "host_steps", "operands", "results", "slots", "steps")

    def __init__(self, program: Program) -> None:
        self.function = program.function
        self.operands = program.operands
        self.fixed: list[tuple[int, int]] = []
        self._buffers: list[DataBuffer] = []
        # pyACL keeps no reference to the bytes behind an address.
        self._data = [constant.data for constant in program.constants]
        self.slots = program.slots + 1
        self.fixed.append((program.slots, self._buffer(0, 0)))
        for constant in program.constants:
            address = acl().util.bytes_to_ptr(constant.data)
            self.fixed.append((constant.slot, self._buffer(address, len(constant.data))))
        compiled_in = {constant.slot: constant.data for constant in program.constants if constant.compiled_in}
        self.steps = [Step(call, compiled_in, program.slots, program.operands) for call in program.calls]
        self.host_steps = [step for step in self.steps if step.host]
        self.results = [(value.slot, descriptor(value.dtype, value.shape)) for value in program.results]
        self._find_last_uses()

    def _buffer(self, address: int, size: int) -> int:
        buffer = DataBuffer(address, size)
        self._buffers.append(buffer)
        return buffer.handle

    def _find_last_uses(self) -> None:
        kept = {slot for slot, _ in self.results}
        made = {slot for step in self.steps for slot in step.outputs if slot not in step.writes}
        seen: set[int] = set()
        for step in reversed(self.steps):
            for slot in (*step.inputs, *step.outputs):
                if slot in made and slot not in kept and slot not in seen:
                    seen.add(slot)
                    step.done_with.append(slot)


@lru_cache(maxsize=MOST_PLANS)
def plan_for(function: str, operands: tuple[Descriptor, ...], parameters: tuple[Any, ...] = ()) -> Plan:
    """The plan of a signature.

    Parameters:
        function: a key of `ops_registry.lowerings.LOWERINGS`.
        operands: descriptors of the contiguous operands.
        parameters: the function's other arguments, hashable.

    Raises:
        TypeError, ValueError, IndexError: the arguments don't fit the function.
    """
    return Plan(lower(function, chip(), operands, parameters))


def forget_plans() -> None:
    """Make every plan anew when it is next needed."""
    plan_for.cache_clear()


devices.at_shutdown(forget_plans)
