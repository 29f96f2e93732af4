"""`acl.op`: executing operators."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np

from ops_registry import dtypes
from ops_registry.prototype import PROTOTYPES

from . import attributes, codes, machine, matching, memory
from .attributes import ATTRIBUTES, Attributes
from .descriptors import BUFFERS, DESCRIPTORS, DataBuffer, Descriptor
from .handles import Handles
from .matching import FROM_DEVICE, FROM_HOST, Folding, NoMatch, Operand, Plan, match
from .memory import AddressError
from .messages import refuse
from .shapes import Facts, ShapeError, infer
from .stream_calls import stream_for
from .streams import Stream, TaskError
from .surface import function

__all__ = ["executed", "forget_plans"]

# How often each op type has run; counted when it has run, not when it was queued.
executed: Counter[str] = Counter()

# Asked before each op that runs, where a test set it: the code that the op must fail with, or 0.
refuse_op: Callable[[str], int] | None = None

# Plans by op type, attributes and descriptors. Cleared when full: what is in use comes back at once.
_plans: dict[tuple[Any, ...], Plan | Folding] = {}
_MOST_PLANS = 4096
_MOST_FOLDED = 512

_FAILURE_CODE = {
    "aicore": codes.RT_AICORE_EXCEPTION,
    "aicpu": codes.RT_AICPU_EXCEPTION,
    "aicpu_tf": codes.RT_AICPU_EXCEPTION,
}

_model_directory: list[str] = []


def forget_plans() -> None:
    """Forget all plans, the model directory and the counts: the machine has changed."""
    _plans.clear()
    _model_directory.clear()
    executed.clear()


# Executing.


def _execute(
    caller: str,
    op_type: str,
    in_handles: list[int],
    in_buffers: list[int],
    out_handles: list[int],
    out_buffers: list[int],
    attr: int,
    stream_handle: int,
) -> int:
    # The buffer lists give the counts. Descriptors beyond them are ignored; too few are NULL.
    attrs = ATTRIBUTES.get(attr) if attr else attributes.NONE
    if attrs is None:
        return refuse(codes.INVALID_PARAM, f"{caller}({op_type}): the attribute handle {attr:#x} is not alive")
    key: list[Any] = [op_type, attrs.signature or attrs.sign(), len(in_buffers)]
    ins = _descriptors(in_handles, len(in_buffers), key)
    outs = _descriptors(out_handles, len(out_buffers), key)
    if ins is None or outs is None:
        return refuse(
            codes.INVALID_PARAM,
            f"{caller}({op_type}): a descriptor is NULL, destroyed already, or missing from the list",
        )
    if outs and all([desc.empty for desc in outs]):  # noqa: C419  (a list is faster here)
        return codes.SUCCESS
    sources = _buffers(in_buffers)
    targets = _buffers(out_buffers)
    if sources is None or targets is None:
        return refuse(
            codes.INVALID_PARAM,
            f"{caller}({op_type}): a data buffer is NULL, destroyed already, or has a length but no address",
        )
    signature = tuple(key)
    try:
        found = _plans.get(signature)
        if found is None:
            found = _remember(signature, match(op_type, ins, outs, attrs))
        plan = found if isinstance(found, Plan) else _unfold(found, op_type, ins, outs, attrs, sources)
    except NoMatch as error:
        return refuse(error.code, f"{caller}({op_type}): {error}")
    except AddressError as error:
        return refuse(codes.INVALID_PARAM, f"{caller}({op_type}): {error}")
    stream = _stream(stream_handle, f"{caller}({op_type})")
    return stream if isinstance(stream, int) else _launch(caller, plan, sources, targets, stream)


def _descriptors(handles: list[int], count: int, key: list[Any]) -> list[Descriptor] | None:
    """The first `count` descriptors, their signatures added to `key`; None if one is not alive."""
    if len(handles) < count:
        return None
    found = []
    for handle in handles if len(handles) == count else handles[:count]:
        desc = DESCRIPTORS.get(handle)
        if desc is None:
            return None
        key.append(desc.signature or desc.sign())
        found.append(desc)
    return found


def _buffers(handles: list[int]) -> list[DataBuffer] | None:
    """The data buffers; None if one is not alive, or has a length but no address."""
    found = []
    for handle in handles:
        buffer = BUFFERS.get(handle)
        if buffer is None or (not buffer[0] and buffer[1]):
            return None
        found.append(buffer)
    return found


def _remember(key: tuple[Any, ...], plan: Plan | Folding) -> Plan | Folding:
    if len(_plans) >= _MOST_PLANS:
        _plans.clear()
    _plans[key] = plan
    return plan


def _unfold(
    folding: Folding,
    op_type: str,
    ins: list[Descriptor],
    outs: list[Descriptor],
    attrs: Attributes,
    sources: list[DataBuffer],
) -> Plan:
    """The plan for the bytes that the shape-deciding host inputs hold now."""
    for place, size in folding.places:
        if sources[place][1] < size:
            raise NoMatch(
                f"input {place} has {sources[place][1]} bytes, its shape needs {size}", codes.GE_PARAM_INVALID
            )
    content = tuple(memory.host_bytes(sources[place][0], size) for place, size in folding.places)
    plan = folding.plans.get(content)
    if plan is None:
        folded = {place: data for (place, _), data in zip(folding.places, content, strict=True)}
        matched = match(op_type, ins, outs, attrs, folded)
        assert isinstance(matched, Plan)
        plan = matched
        if len(folding.plans) >= _MOST_FOLDED:
            folding.plans.clear()
        folding.plans[content] = plan
    return plan


def _stream(handle: int, caller: str) -> Stream | int:
    if not handle and machine.current_context() is None:
        # Here the missing context shows as a missing default stream.
        return refuse(codes.INVALID_PARAM, f"{caller}: this thread has no context; call acl.rt.set_device in it first")
    return stream_for(handle, caller)


def _launch(caller: str, plan: Plan, sources: list[DataBuffer], targets: list[DataBuffer], stream: Stream) -> int:
    """Check the sizes and queue the kernel."""
    for buffers, rooms in ((sources, plan.in_rooms), (targets, plan.out_rooms)):
        for buffer, room in zip(buffers, rooms):  # noqa: B905  (left-out inputs have no buffer; this path is hot)
            if (buffer[1] + 31) & ~31 < room:
                return refuse(
                    codes.GE_PARAM_INVALID,
                    f"{caller}({plan.op_type}): a data buffer of {buffer[1]} bytes for a tensor of {room} bytes",
                )
    given: list[Any] = [buffer[0] for buffer in sources]
    if plan.host_places:
        try:
            _read_host_inputs(plan, given)
        except AddressError as error:
            return refuse(codes.INVALID_PARAM, f"{caller}({plan.op_type}): {error}")
    stream.put(_run, plan, given, [buffer[0] for buffer in targets], stream.context.device.index)
    return codes.SUCCESS


def _read_host_inputs(plan: Plan, given: list[Any]) -> None:
    """Put the bytes of host inputs in the places of their addresses: they may change after the call."""
    for place in plan.host_places:
        given[place] = memory.host_bytes(given[place], plan.inputs[place].nbytes)


def _run(plan: Plan, given: list[Any], targets: list[int], device: int) -> None:
    """Run a kernel: a task."""
    if refuse_op is not None and (code := refuse_op(plan.op_type)):
        raise TaskError(code, f"{plan.op_type} was made to fail")
    inputs: list[np.ndarray | None]
    try:
        if plan.on_device:
            inputs = [_view(operand, source, device) for operand, source in zip(plan.inputs, given, strict=True)]
        else:
            inputs = _mixed_inputs(plan, given, device)
        outputs = [_view(operand, target, device) for operand, target in zip(plan.outputs, targets, strict=True)]
        plan.kernel(inputs, outputs, plan.attrs)
    except Exception as error:  # whatever a kernel trips over is a failure of the device, told at synchronisation
        raise TaskError(_FAILURE_CODE[plan.engine], _failure_text(plan, error)) from error
    executed[plan.op_type] += 1


def _view(operand: Operand, address: int, device: int) -> np.ndarray:
    return memory.array_view(address, operand.shape, operand.dtype, operand.nbytes, device)


def _mixed_inputs(plan: Plan, given: list[Any], device: int) -> list[np.ndarray | None]:
    """The inputs of a kernel that not all lie on the device."""
    inputs: list[np.ndarray | None] = [operand.constant for operand in plan.inputs]
    for place, (operand, source) in enumerate(zip(plan.inputs, given, strict=False)):
        if operand.source == FROM_DEVICE:
            inputs[place] = _view(operand, source, device)
        elif operand.source == FROM_HOST:
            inputs[place] = np.frombuffer(source, operand.dtype).reshape(operand.shape)
    return inputs


def _failure_text(plan: Plan, error: Exception) -> str:
    ins, outs = (", ".join(str(operand) for operand in side) for side in (plan.inputs, plan.outputs))
    reason = str(error) if isinstance(error, AddressError) else f"{type(error).__name__}: {error}"
    return f"{plan.op_type}({ins}) -> ({outs}) with {plan.attrs} failed on the device: {reason}"


@function("acl.op.execute_v2", "sPPPPkk")
def execute_v2(
    op_type: str,
    input_desc: list[int],
    inputs: list[int],
    output_desc: list[int],
    outputs: list[int],
    attr: int,
    stream: int,
) -> int:
    return _execute("acl.op.execute_v2", op_type, input_desc, inputs, output_desc, outputs, attr, stream)


@function("acl.op.execute", "sPPPPkk")
def execute(
    op_type: str,
    input_desc: list[int],
    inputs: list[int],
    output_desc: list[int],
    outputs: list[int],
    attr: int,
    stream: int,
) -> int:
    return _execute("acl.op.execute", op_type, input_desc, inputs, output_desc, outputs, attr, stream)


# Handles of operators: a plan chosen once, executed often.

OPERATORS: Handles[Plan] = Handles("operator")


@function("acl.op.create_handle", "sPPk", returns="value ret")
def create_handle(op_type: str, input_desc: list[int], output_desc: list[int], attr: int) -> tuple[int, int]:
    return _create_handle("acl.op.create_handle", op_type, input_desc, output_desc, attr)


def _create_handle(
    caller: str, op_type: str, input_desc: list[int], output_desc: list[int], attr: int
) -> tuple[int, int]:
    attrs = ATTRIBUTES.get(attr) if attr else attributes.NONE
    ins = _descriptors(input_desc, len(input_desc), [])
    outs = _descriptors(output_desc, len(output_desc), [])
    if attrs is None or ins is None or outs is None:
        return 0, refuse(codes.INVALID_PARAM, f"{caller}({op_type}): a descriptor or the attribute handle is not alive")
    if any(desc.placement and desc.const is None for desc in (*ins, *outs)):
        return 0, refuse(
            codes.API_NOT_SUPPORT, f"{caller}({op_type}): tensors placed on the host must be constant here"
        )
    try:
        plan = match(op_type, ins, outs, attrs)
    except NoMatch as error:
        return 0, refuse(error.code, f"{caller}({op_type}): {error}")
    assert isinstance(plan, Plan)
    return OPERATORS.add(plan), codes.SUCCESS


@function("acl.op.destroy_handle", "k", returns="plain")
def destroy_handle(handle: int) -> None:
    OPERATORS.pop(handle)


@function("acl.op.execute_with_handle", "kPPk")
def execute_with_handle(handle: int, inputs: list[int], outputs: list[int], stream_handle: int) -> int:
    caller = "acl.op.execute_with_handle"
    plan = OPERATORS.get(handle)
    if plan is None:
        return refuse(codes.INVALID_PARAM, f"{caller}: the operator handle is NULL, or destroyed already")
    if len(inputs) > len(plan.inputs) or any(o.source == FROM_DEVICE for o in plan.inputs[len(inputs) :]):
        return refuse(
            codes.OP_INPUT_NOT_MATCH, f"{caller}({plan.op_type}): {len(inputs)} inputs for {len(plan.inputs)}"
        )
    if len(outputs) != len(plan.outputs):
        return refuse(
            codes.OP_OUTPUT_NOT_MATCH, f"{caller}({plan.op_type}): {len(outputs)} outputs for {len(plan.outputs)}"
        )
    sources, targets = _buffers(inputs), _buffers(outputs)
    if sources is None or targets is None:
        return refuse(
            codes.INVALID_PARAM,
            f"{caller}({plan.op_type}): a data buffer is NULL, destroyed already, or has a length but no address",
        )
    if targets and not any(length for _, length in targets):
        return codes.SUCCESS
    stream = _stream(stream_handle, f"{caller}({plan.op_type})")
    return stream if isinstance(stream, int) else _launch(caller, plan, sources, targets, stream)


def _cast_attributes(target: int) -> int:
    """An attribute handle for `Cast`; the caller destroys it. 0 if the descriptor is not alive."""
    desc = DESCRIPTORS.get(target)
    if desc is None:
        return 0
    handle = attributes.create_attr()
    attributes.set_attr_int(handle, "dst_type", desc.dtype)
    return handle


@function("acl.op.cast", "kkkkBk")
def cast(source_desc: int, source: int, target_desc: int, target: int, truncate: int, stream: int) -> int:
    attr = _cast_attributes(target_desc)
    try:
        return _execute("acl.op.cast", "Cast", [source_desc], [source], [target_desc], [target], attr, stream)
    finally:
        attributes.destroy_attr(attr)


@function("acl.op.create_handle_for_cast", "kkB", returns="value ret")
def create_handle_for_cast(source_desc: int, target_desc: int, truncate: int) -> tuple[int, int]:
    attr = _cast_attributes(target_desc)
    try:
        return _create_handle("acl.op.create_handle_for_cast", "Cast", [source_desc], [target_desc], attr)
    finally:
        attributes.destroy_attr(attr)


# Shapes, and models on disk.


@function("acl.op.infer_shape", "sPPiPk")
def infer_shape(
    op_type: str, input_desc: list[int], inputs: list[int], count: int, output_desc: list[int], attr: int
) -> int:
    caller = f"acl.op.infer_shape({op_type})"
    attrs = ATTRIBUTES.get(attr) if attr else attributes.NONE
    ins = _descriptors(input_desc, len(inputs), [])
    outs = _descriptors(output_desc, len(output_desc), [])
    sources = _buffers(inputs)
    if attrs is None or ins is None or outs is None or sources is None or count != len(outs):
        return refuse(
            codes.INVALID_PARAM,
            f"{caller}: a handle is NULL or destroyed already, or num_outputs is not the number of descriptors",
        )
    prototype = PROTOTYPES.get(op_type)
    if prototype is None:
        return refuse(codes.OP_NOT_FOUND, f"{caller}: no such op type is declared")
    try:
        facts = [_known(desc, buffer) for desc, buffer in zip(ins, sources, strict=True)]
        facts += [None] * (len(prototype.inputs) - len(facts))
        inferred = infer(op_type, facts, matching.complete_attributes(prototype, attrs))
    except AddressError as error:
        return refuse(codes.INVALID_PARAM, f"{caller}: {error}")
    except (NoMatch, ShapeError) as error:
        return refuse(codes.GE_FAILURE, f"{caller}: {error}")
    if len(inferred) != len(outs):
        return refuse(codes.INVALID_PARAM, f"{caller}: it has {len(inferred)} outputs, not {len(outs)}")
    for desc, fact, port in zip(outs, inferred, prototype.outputs, strict=True):
        desc.dtype = fact.dtype.code
        desc.format = codes.FORMATS["ACL_FORMAT_ND"]
        desc.name = desc.name or port.name
        desc.ranges = tuple((dim, dim) for dim in fact.shape)
        desc.set_dims(fact.shape)
    return codes.SUCCESS


def _known(desc: Descriptor, buffer: DataBuffer) -> Facts | None:
    """What inference knows of an input: here every input is in host memory and counts as constant."""
    if desc.absent:
        return None
    dtype = dtypes.BY_CODE.get(desc.dtype)
    if dtype is None:
        raise NoMatch(f"data type {desc.dtype} is not supported")
    address, length = buffer
    if desc.const is not None:
        data = desc.const
    elif length:
        data = memory.host_bytes(address, length)
    else:
        raise AddressError("an input's data buffer has length 0")
    size = int(np.prod(desc.dims)) * dtype.itemsize
    value = np.frombuffer(data[:size], dtype.dtype).reshape(desc.dims) if len(data) >= size else None
    return Facts(dtype, desc.dims, value)


@function("acl.op.set_model_dir", "s")
def set_model_dir(path: str) -> int:
    if _model_directory:
        return refuse(
            codes.REPEAT_INITIALIZE, f"acl.op.set_model_dir: the directory is {_model_directory[0]!r} already"
        )
    if not os.path.isdir(path):
        return refuse(codes.READ_MODEL_FAILURE, f"acl.op.set_model_dir: {path!r} is not a directory")
    _model_directory.append(path)
    return codes.SUCCESS


@function("acl.op.set_max_op_queue_num", "K")
def set_max_op_queue_num(count: int) -> int:
    if not count:
        return refuse(codes.INVALID_PARAM, "acl.op.set_max_op_queue_num: 0 models cannot be kept")
    return codes.SUCCESS
