"""`acl.op.infer_shape`: the shapes of an operator's outputs, before anything runs.

A dim that is not known is -1 and has a range; where not even the number of dims is known, the shape is [-2].
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ops_registry import dtypes
from ops_registry.prototype import PROTOTYPES, Prototype

from . import attributes, codes, matching, memory
from .attributes import ATTRIBUTES, Attributes
from .data_buffers import BUFFERS, DataBuffer
from .descriptors import DESCRIPTORS, RANK_UNKNOWN_DIM, Descriptor
from .matching import NoMatch
from .memory import AddressError
from .messages import refuse
from .shapes import Facts, OutFacts, ShapeError, infer
from .surface import function

__all__: list[str] = []

Shape = tuple[int, ...]
Ranges = tuple[tuple[int, int], ...]

# How a range says that it has no upper end.
UNBOUNDED = -1


@dataclass(slots=True)
class Inferred:
    """What is known of an output's shape."""

    dims: Shape
    ranges: Ranges


@function("acl.op.infer_shape", "sPPiPk")
def infer_shape(
    op_type: str, input_desc: list[int], inputs: list[int], count: int, output_desc: list[int], attr: int
) -> int:
    caller = f"acl.op.infer_shape({op_type})"
    attrs = ATTRIBUTES.get(attr) if attr else attributes.NONE
    ins = [DESCRIPTORS.get(handle) for handle in input_desc[: len(inputs)]]
    outs = [DESCRIPTORS.get(handle) for handle in output_desc]
    sources = [BUFFERS.get(handle) for handle in inputs]
    known_ins = [desc for desc in ins if desc is not None]
    known_outs = [desc for desc in outs if desc is not None]
    buffers = [buffer for buffer in sources if buffer is not None]
    complete = len(known_ins) == len(inputs) == len(buffers) and len(known_outs) == len(outs) == count
    if attrs is None or not complete:
        return refuse(
            codes.INVALID_PARAM,
            f"{caller}: a handle is NULL or destroyed already, or num_outputs is not the number of descriptors",
        )
    prototype = PROTOTYPES.get(op_type)
    if prototype is None or prototype.host_only:
        return refuse(codes.OP_NOT_FOUND, f"{caller}: no such op type is declared")
    try:
        facts = [_known(desc, buffer) for desc, buffer in zip(known_ins, buffers, strict=True)]
        inferred = _infer(prototype, known_ins, facts, attrs)
    except AddressError as error:
        return refuse(codes.INVALID_PARAM, f"{caller}: {error}")
    except (NoMatch, ShapeError) as error:
        return refuse(codes.GE_FAILURE, f"{caller}: {error}")
    if len(inferred) != len(known_outs):
        return refuse(codes.INVALID_PARAM, f"{caller}: it has {len(inferred)} outputs, not {len(known_outs)}")
    for place, (desc, (fact, shape)) in enumerate(zip(known_outs, inferred, strict=True)):
        desc.dtype = fact.dtype.code
        desc.format = codes.FORMATS["ACL_FORMAT_ND"]
        desc.name = desc.name or prototype.outputs[min(place, len(prototype.outputs) - 1)].name
        desc.ranges = shape.ranges
        desc.set_dims(shape.dims)
    return codes.SUCCESS


def _known(desc: Descriptor, buffer: DataBuffer) -> Facts | None:
    """What inference knows of an input: here every input is in host memory and counts as constant."""
    if desc.absent:
        return None
    dtype = dtypes.BY_CODE.get(desc.dtype)
    if dtype is None:
        raise NoMatch(f"data type {desc.dtype} is not supported")
    address, length = buffer
    if not address and length:
        raise AddressError("an input's data buffer has a length but no address")
    if desc.const is not None:
        data = desc.const
    elif desc.dynamic:
        return Facts(dtype, desc.dims)
    elif length:
        data = memory.host_bytes(address, length)
    else:
        raise AddressError("an input's data buffer has length 0")
    size = math.prod(desc.dims) * dtype.itemsize
    value = np.frombuffer(data[:size], dtype.dtype).reshape(desc.dims) if 0 <= size <= len(data) else None
    return Facts(dtype, desc.dims, value)


def _infer(
    prototype: Prototype, ins: list[Descriptor], facts: list[Facts | None], attrs: Attributes
) -> list[tuple[OutFacts, Inferred]]:
    """The outputs, where dims of inputs may be unknown: inferred for the least and the greatest of them."""
    given = matching.complete_attributes(prototype, attrs)
    facts = facts + [None] * (len(prototype.inputs) - len(facts))
    if not any(desc.dynamic for desc in ins):
        return [(fact, _settled(fact)) for fact in infer(prototype.op_type, facts, given)]
    if any(RANK_UNKNOWN_DIM in desc.dims for desc in ins):
        ones = [fact and fact._replace(shape=tuple(max(dim, 1) for dim in fact.shape)) for fact in facts]
        outputs = infer(prototype.op_type, ones, given)
        return [(fact, Inferred((RANK_UNKNOWN_DIM,), ())) for fact in outputs]
    ends = [_at_end(ins, facts, end) for end in (0, 1)]
    least, greatest = (infer(prototype.op_type, end, given) for end in ends)
    unbounded = any(UNBOUNDED in _range(desc, axis) for desc in ins for axis, dim in enumerate(desc.dims) if dim < 0)
    return [(low, _between(low, high, unbounded)) for low, high in zip(least, greatest, strict=True)]


def _settled(fact: OutFacts) -> Inferred:
    ranges: Ranges | None = getattr(fact, "ranges", None)
    return Inferred(fact.shape, ranges or tuple((dim, dim) for dim in fact.shape))


def _range(desc: Descriptor, axis: int) -> tuple[int, int]:
    return desc.ranges[axis] if axis < len(desc.ranges) else (0, UNBOUNDED)


# A dim without an upper end is tried with two sizes, neither of which broadcasts.
_SOME = 2


def _at_end(ins: list[Descriptor], facts: list[Facts | None], end: int) -> list[Facts | None]:
    """The inputs with their unknown dims at one end of the ranges."""
    placed = list(facts)
    for place, desc in enumerate(ins):
        fact = facts[place]
        if fact is not None and desc.dynamic:
            ranges = [_range(desc, axis) for axis in range(len(desc.dims))]
            sizes = [
                (max(low, _SOME), max(low, _SOME) + 1) if high == UNBOUNDED else (low, high) for low, high in ranges
            ]
            shape = tuple(dim if dim >= 0 else sizes[axis][end] for axis, dim in enumerate(desc.dims))
            placed[place] = fact._replace(shape=shape)
    return placed


def _between(low: OutFacts, high: OutFacts, unbounded: bool) -> Inferred:
    if len(low.shape) != len(high.shape):
        return Inferred((RANK_UNKNOWN_DIM,), ())
    dims, ranges = [], []
    for least, greatest in zip(low.shape, high.shape, strict=True):
        known = least == greatest >= 0
        dims.append(least if known else -1)
        top = UNBOUNDED if unbounded else greatest
        ranges.append((least, least) if known else (0 if unbounded else least, top))
    return Inferred(tuple(dims), tuple(ranges))
