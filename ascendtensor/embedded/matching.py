"""From a call's signature to a plan: whether an operator exists for it, and what running it needs.

A real device finds a compiled kernel by op type, descriptors and attributes. Here every kernel that the
registry's prototype allows on this chip counts as compiled; anything else is not found.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

import ops_registry.prototypes  # noqa: F401  (fills the table of prototypes)
from ops_registry import dtypes
from ops_registry.dtypes import DType
from ops_registry.prototype import PROTOTYPES, Attribute, Port, Prototype

from . import codes, machine, memory
from .attributes import Attributes
from .descriptors import Descriptor
from .kernels import KERNELS, Kernel
from .shapes import UNBOUNDED, Facts, OutFacts, ShapeError, infer

__all__ = ["Folding", "NoMatch", "Operand", "Plan", "complete_attributes", "match"]


class NoMatch(Exception):
    """No operator fits; the text says what does not."""

    def __init__(self, text: str, code: int = codes.OP_NOT_FOUND) -> None:
        super().__init__(text)
        self.code = code


_UNKNOWN_DIM = "a dim is negative; executing needs the true shapes"

# Where an operand's bytes come from.
FROM_DEVICE, FROM_HOST, FROM_PLAN = range(3)


_BYTES = np.dtype(np.uint8)


@dataclass(slots=True)
class Operand:
    """One input or output of a plan.

    Attributes:
        source: `FROM_DEVICE`, `FROM_HOST` (the caller's memory, read at the call), or `FROM_PLAN`.
        constant: the array of `FROM_PLAN`; None for an absent optional input.
    """

    source: int
    dtype: np.dtype[Any] = _BYTES
    shape: tuple[int, ...] = ()
    nbytes: int = 0
    constant: np.ndarray | None = None

    def __str__(self) -> str:
        absent = self.source == FROM_PLAN and self.constant is None
        return "absent" if absent else f"{self.dtype.name}{list(self.shape)}"

    @property
    def room(self) -> int:
        """What the caller's buffer must hold, in whole units of 32 bytes."""
        return 0 if self.source == FROM_PLAN else (self.nbytes + 31) & ~31


class Plan:
    """What running an op with one signature needs."""

    __slots__ = (
        "attrs",
        "data_dependent",
        "engine",
        "host_places",
        "in_rooms",
        "inputs",
        "kernel",
        "on_device",
        "op_type",
        "out_rooms",
        "outputs",
    )

    def __init__(
        self,
        op_type: str,
        engine: str,
        kernel: Kernel,
        attrs: dict[str, Any],
        inputs: list[Operand],
        outputs: list[Operand],
        data_dependent: bool = False,
    ) -> None:
        self.op_type = op_type
        self.engine = engine
        self.kernel = kernel
        self.attrs = attrs
        self.inputs = inputs
        self.outputs = outputs
        # Whether an output's shape is known only once the kernel has run; until then it is the largest possible.
        self.data_dependent = data_dependent
        self.in_rooms = [operand.room for operand in inputs]
        self.out_rooms = [operand.room for operand in outputs]
        # Which inputs are read from the caller's memory, and whether all of them are on the device.
        self.host_places = [place for place, operand in enumerate(inputs) if operand.source == FROM_HOST]
        self.on_device = all(operand.source == FROM_DEVICE for operand in inputs)


@dataclass(slots=True)
class Folding:
    """Some inputs lie in host memory and decide shapes: the plan depends on their bytes.

    Attributes:
        places: index and size of those inputs.
        plans: plans by the bytes of those inputs.
    """

    places: list[tuple[int, int]]
    plans: dict[tuple[bytes, ...], Plan]


def match(
    op_type: str,
    inputs: list[Descriptor],
    outputs: list[Descriptor],
    attributes: Attributes,
    folded: dict[int, bytes] | None = None,
) -> Plan | Folding:
    """The plan of a signature; `folded` holds the bytes of the inputs that a `Folding` asked for.

    Raises:
        NoMatch: there is no such operator on this chip.
    """
    unknown_outputs = any(desc.dynamic for desc in outputs)
    prototype = PROTOTYPES.get(op_type)
    if any(desc.dynamic for desc in inputs) or (unknown_outputs and prototype is None):
        raise NoMatch(_UNKNOWN_DIM, codes.INVALID_PARAM)
    if prototype is None or prototype.host_only:
        raise NoMatch("no such op type is declared")
    attrs = complete_attributes(prototype, attributes)
    ports = _assign(prototype, inputs, outputs)
    for desc in (*inputs, *outputs):
        _check_layout(desc)
    engine = _engine(prototype, ports, inputs, outputs)
    places = [
        (index, _nbytes(desc))
        for index, (port, desc) in enumerate(zip(ports, inputs, strict=True))
        # Where memory is shared, the host reads what decides a shape wherever it lies.
        if port.const and desc.const is None and (desc.placement or memory.shared) and not desc.empty
    ]
    if places and folded is None:
        return Folding(places, {})
    operands = [
        _input(port, desc, (folded or {}).get(index))
        for index, (port, desc) in enumerate(zip(ports, inputs, strict=True))
    ]
    # A trailing optional input may simply be left out; kernels see it as absent.
    left_out = max(0, len(prototype.inputs) - len(inputs))
    operands += [Operand(FROM_PLAN)] * left_out
    facts = _output_facts(op_type, inputs, operands, attrs)
    if len(facts) != len(outputs):
        raise NoMatch(f"{len(outputs)} outputs; these inputs and attributes give {len(facts)}")
    targets = [_output(place, fact, desc) for place, (fact, desc) in enumerate(zip(facts, outputs, strict=True))]
    kernel = KERNELS.get(op_type)
    if kernel is None:
        raise NoMatch("the embedded runtime has no kernel for this op type")
    data_dependent = any(_unknown(fact) for fact in facts)
    return Plan(op_type, engine, kernel, attrs, operands, targets, data_dependent)


def complete_attributes(prototype: Prototype, attributes: Attributes) -> dict[str, Any]:
    """The attributes of a call, checked, and the defaults of those not given.

    Raises:
        NoMatch: an unknown or missing attribute, or one of another type.
    """
    for name, (kind, _) in attributes.values.items():
        known = prototype.attrs.get(name)
        if known is None:
            raise NoMatch(f"it has no attribute {name!r}; it has {', '.join(prototype.attrs) or 'none'}")
        if known.type != kind:
            raise NoMatch(f"attribute {name!r} is of type {known.type} and was set as {kind}")
    return {name: _value(known, attributes) for name, known in prototype.attrs.items()}


def _value(known: Attribute, attributes: Attributes) -> Any:
    given = attributes.values.get(known.name)
    if given is None and known.required:
        raise NoMatch(f"attribute {known.name!r} is required")
    value = known.default if given is None else given[1]
    return list(value) if isinstance(value, list) else value


def _assign(prototype: Prototype, inputs: list[Descriptor], outputs: list[Descriptor]) -> list[Port]:
    """The port of each input; a dynamic port takes whatever the others leave."""
    ports = list(prototype.inputs)
    dynamic = next((place for place, port in enumerate(ports) if port.kind == "dynamic"), None)
    if dynamic is not None:
        ports[dynamic : dynamic + 1] = [ports[dynamic]] * (len(inputs) - len(ports) + 1)
        if len(ports) < len(prototype.inputs):
            raise NoMatch(f"{len(inputs)} inputs; it needs at least {len(prototype.inputs)}")
    missing = [port.name for port in ports[len(inputs) :] if port.kind != "optional"]
    if missing or len(inputs) > len(ports):
        raise NoMatch(f"{len(inputs)} inputs; its inputs are {', '.join(p.name for p in prototype.inputs)}")
    if len(outputs) != len(prototype.outputs) and not (outputs and prototype.outputs[-1].kind == "dynamic"):
        raise NoMatch(f"{len(outputs)} outputs; its outputs are {', '.join(p.name for p in prototype.outputs)}")
    for port, desc in zip(ports, inputs, strict=False):
        if desc.absent and port.kind != "optional":
            raise NoMatch(f"input {port.name!r} is not optional")
    return ports[: len(inputs)]


def _check_layout(desc: Descriptor) -> None:
    if desc.absent:
        return
    if desc.dtype not in dtypes.BY_CODE:
        raise NoMatch(f"data type {desc.dtype} is not supported")
    if desc.format not in codes.PLAIN_FORMATS or desc.storage_format not in codes.PLAIN_FORMATS:
        raise NoMatch(f"format {desc.format} stored as {desc.storage_format}; only plain layouts are supported")
    if desc.storage_dims is not None and math.prod(desc.storage_dims) != math.prod(desc.dims):
        raise NoMatch(f"shape {list(desc.dims)} is stored as {list(desc.storage_dims)}")


def _engine(prototype: Prototype, ports: list[Port], inputs: list[Descriptor], outputs: list[Descriptor]) -> str:
    """The engine that takes these dtypes on this chip."""
    by_port: dict[str, DType | None] = {port.name: None for port in prototype.inputs}
    for port, desc in zip(ports, inputs, strict=True):
        dtype = dtypes.BY_CODE.get(desc.dtype)
        if by_port[port.name] not in (None, dtype):
            raise NoMatch(f"the tensors of input {port.name!r} have different data types")
        by_port[port.name] = dtype
    known = [dtypes.BY_CODE[desc.dtype] for desc in outputs if desc.dtype in dtypes.BY_CODE]
    out, others = known[: len(prototype.outputs)], known[len(prototype.outputs) :]
    if any(dtype is not out[-1] for dtype in others):
        raise NoMatch(f"the tensors of output {prototype.outputs[-1].name!r} have different data types")
    engine = prototype.engine(machine.chip, by_port.values(), out)
    if engine is None:
        given = ", ".join("absent" if dtype is None else dtype.name for dtype in by_port.values())
        result = ", ".join(dtype.name for dtype in out)
        raise NoMatch(f"no engine of {machine.soc_name} takes ({given}) -> ({result})")
    return engine


def _nbytes(desc: Descriptor) -> int:
    return math.prod(desc.dims) * dtypes.BY_CODE[desc.dtype].itemsize


def _on_device(desc: Descriptor) -> Operand:
    return Operand(FROM_DEVICE, dtypes.BY_CODE[desc.dtype].dtype, desc.dims, _nbytes(desc))


def _input(port: Port, desc: Descriptor, folded: bytes | None) -> Operand:
    if desc.absent:
        return Operand(FROM_PLAN)
    operand = _on_device(desc)
    fixed = desc.const if desc.const is not None else folded
    if fixed is None and desc.empty:
        fixed = b""
    if fixed is not None:
        if len(fixed) != operand.nbytes:
            raise NoMatch(f"input {port.name!r} has {len(fixed)} constant bytes, its shape {operand.nbytes}")
        operand.source = FROM_PLAN
        operand.constant = np.frombuffer(fixed, operand.dtype).reshape(operand.shape)
    elif desc.placement:
        operand.source = FROM_HOST
    elif port.const:
        raise NoMatch(
            f"input {port.name!r} must be constant: call acl.set_tensor_const, or place it on the host with "
            "acl.set_tensor_place_ment"
        )
    return operand


def _output_facts(
    op_type: str, inputs: list[Descriptor], operands: list[Operand], attrs: dict[str, Any]
) -> list[OutFacts]:
    facts: list[Facts | None] = [
        None if desc.absent else Facts(dtypes.BY_CODE[desc.dtype], desc.dims, operand.constant)
        for desc, operand in zip(inputs, operands, strict=False)
    ]
    facts += [None] * (len(operands) - len(inputs))
    try:
        return infer(op_type, facts, attrs)
    except ShapeError as error:
        raise NoMatch(str(error)) from None


def _unknown(fact: OutFacts) -> bool:
    """Whether a shape depends on data."""
    return -1 in fact.shape


def _output(place: int, fact: OutFacts, desc: Descriptor) -> Operand:
    """The operand of an output, with the largest possible shape where the true one depends on data."""
    if not _unknown(fact):
        # A scalar is often written as one element, and compiled as such.
        if fact.shape == desc.dims or (not fact.shape and desc.dims == (1,)):
            return replace(_on_device(desc), shape=fact.shape)
        if desc.dynamic:
            raise NoMatch(_UNKNOWN_DIM, codes.INVALID_PARAM)
        raise NoMatch(f"output {place} has shape {list(fact.shape)}, its descriptor says {list(desc.dims)}")
    # A descriptor as infer_shape left it says -1, which leaves the room to the data buffer.
    bounds = tuple(high for _, high in fact.ranges or ())
    shape = bounds if desc.dynamic else desc.dims
    if desc.dynamic and UNBOUNDED in bounds:
        raise NoMatch(_UNKNOWN_DIM, codes.INVALID_PARAM)
    if len(bounds) != len(shape) or any(have < need for have, need in zip(shape, bounds, strict=True)):
        raise NoMatch(f"output {place} may have up to {list(bounds)} elements, its descriptor holds {list(desc.dims)}")
    dtype = dtypes.BY_CODE[desc.dtype]
    return Operand(FROM_DEVICE, dtype.dtype, shape, math.prod(shape) * dtype.itemsize)
