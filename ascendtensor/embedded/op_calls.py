"""`acl.op`: executing operators."""

from __future__ import annotations

import copy
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from . import attributes, codes, kernel_calls, machine, memory, streams
from .attributes import ATTRIBUTES, Attributes
from .data_buffers import BUFFERS, DataBuffer
from .descriptors import DESCRIPTORS, Descriptor
from .handles import Handles
from .matching import Folding, NoMatch, Plan, match
from .memory import AddressError
from .messages import refuse
from .op_models import check_compiled
from .op_running import Truth, run, run_and_tell
from .stream_calls import stream_for
from .streams import Stream
from .surface import function

__all__ = ["reset"]

# Plans by op type, attributes and descriptors. Cleared when full: what is in use comes back at once.
_plans: dict[tuple[Any, ...], Plan | Folding] = {}
_MOST_PLANS = 4096
_MOST_FOLDED = 512

# Told of each operator that was queued, while somebody keeps a record.
tell_call: Callable[[str, list[Descriptor], list[Descriptor], Attributes], None] | None = None


def reset() -> None:
    """Match every operator anew: what fits has changed."""
    _plans.clear()


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
    *,
    write_back: bool = True,
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
            check_compiled(op_type, ins, outs, attrs)
            found = _remember(signature, match(op_type, ins, outs, attrs))
    except NoMatch as error:
        return refuse(error.code, f"{caller}({op_type}): {error}")
    stream = _stream(stream_handle, caller, op_type)
    if isinstance(stream, int):
        return stream
    plan = found if isinstance(found, Plan) else _unfold(caller, found, op_type, ins, outs, attrs, sources, stream)
    if isinstance(plan, int):
        return plan
    told: list[Truth] = []
    code = _launch(caller, plan, sources, targets, stream, told)
    if code:
        return code
    if told and write_back:
        _write_back(outs, told[0])
    if tell_call is not None:
        tell_call(op_type, ins, outs, attrs)
    return codes.SUCCESS


def _write_back(outs: list[Descriptor], truth: Truth) -> None:
    """Put the true shapes into the descriptors, where they differ from what was declared."""
    for desc, shape in zip(outs, truth or (), strict=False):
        if shape is not None:
            desc.set_dims(tuple(int(dim) for dim in shape))


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
    caller: str,
    folding: Folding,
    op_type: str,
    ins: list[Descriptor],
    outs: list[Descriptor],
    attrs: Attributes,
    sources: list[DataBuffer],
    stream: Stream,
) -> Plan | int:
    """The plan for the bytes that the shape-deciding inputs hold now, or the code that refuses them."""
    if memory.shared and (failed := streams.synchronize([stream])):
        # What is queued may write them.
        return failed
    for place, size in folding.places:
        if sources[place][1] < size:
            return refuse(
                codes.GE_PARAM_INVALID,
                f"{caller}({op_type}): input {place} has {sources[place][1]} bytes, its shape needs {size}",
            )
    try:
        content = tuple(memory.host_bytes(sources[place][0], size) for place, size in folding.places)
        plan = folding.plans.get(content)
        if plan is not None:
            return plan
        folded = {place: data for (place, _), data in zip(folding.places, content, strict=True)}
        matched = match(op_type, ins, outs, attrs, folded)
    except AddressError as error:
        return refuse(codes.INVALID_PARAM, f"{caller}({op_type}): {error}")
    except NoMatch as error:
        return refuse(error.code, f"{caller}({op_type}): {error}")
    assert isinstance(matched, Plan)
    if len(folding.plans) >= _MOST_FOLDED:
        folding.plans.clear()
    folding.plans[content] = matched
    return matched


def _stream(handle: int, caller: str, op_type: str) -> Stream | int:
    if not handle and machine.current_context() is None:
        # Without a selector the missing context shows as a missing default stream.
        code = codes.RT_CONTEXT_NULL if kernel_calls.has_selector(op_type) else codes.INVALID_PARAM
        return refuse(code, f"{caller}({op_type}): this thread has no context; call acl.rt.set_device in it first")
    return stream_for(handle, f"{caller}({op_type})")


def _used_elsewhere(stream: Stream, thread: int) -> bool:
    """Whether another thread's operators are still queued on a stream; makes `thread` its user if not."""
    queued = any(function is run for function, _ in tuple(stream.queue))
    if queued and any(other.ident == stream.user for other in threading.enumerate()):
        return True
    stream.user = thread
    return False


def _launch(
    caller: str,
    plan: Plan,
    sources: list[DataBuffer],
    targets: list[DataBuffer],
    stream: Stream,
    told: list[Truth],
) -> int:
    """Check the sizes and queue the kernel; where shapes depend on data, also wait for it and put them in `told`."""
    thread = threading.get_ident()
    if stream.user != thread and _used_elsewhere(stream, thread):
        return refuse(
            codes.GE_FAILURE,
            f"{caller}({plan.op_type}): two threads execute operators on stream {stream.handle:#x} at the same time; "
            "give each thread a stream of its own, or synchronise before the other one takes over",
        )
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
    addresses = [buffer[0] for buffer in targets]
    if not plan.data_dependent:
        stream.put(run, plan, given, addresses, stream.context.device.index)
        return codes.SUCCESS
    stream.put(run_and_tell, plan, given, addresses, stream.context.device.index, told)
    return streams.synchronize([stream]) or codes.SUCCESS


def _read_host_inputs(plan: Plan, given: list[Any]) -> None:
    """Put the bytes of host inputs in the places of their addresses: they may change after the call."""
    for place in plan.host_places:
        given[place] = memory.host_bytes(given[place], plan.inputs[place].nbytes)


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
    return _execute("acl.op.execute", op_type, input_desc, inputs, output_desc, outputs, attr, stream, write_back=False)


# Handles of operators: a plan chosen once, executed often.


@dataclass(slots=True)
class Operator:
    """A plan, and what it was made from, as it was then."""

    op_type: str
    plan: Plan | Folding
    inputs: list[Descriptor]
    outputs: list[Descriptor]
    attrs: Attributes


OPERATORS: Handles[Operator] = Handles("operator")


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
        check_compiled(op_type, ins, outs, attrs)
        plan = match(op_type, ins, outs, attrs)
    except NoMatch as error:
        return 0, refuse(error.code, f"{caller}({op_type}): {error}")
    then = [[copy.copy(desc) for desc in side] for side in (ins, outs)]
    return OPERATORS.add(Operator(op_type, plan, then[0], then[1], copy.deepcopy(attrs))), codes.SUCCESS


@function("acl.op.destroy_handle", "k", returns="plain")
def destroy_handle(handle: int) -> None:
    OPERATORS.pop(handle)


@function("acl.op.execute_with_handle", "kPPk")
def execute_with_handle(handle: int, inputs: list[int], outputs: list[int], stream_handle: int) -> int:
    caller = "acl.op.execute_with_handle"
    operator = OPERATORS.get(handle)
    if operator is None:
        return refuse(codes.INVALID_PARAM, f"{caller}: the operator handle is NULL, or destroyed already")
    what = f"{caller}({operator.op_type})"
    given = len(inputs)
    if given > len(operator.inputs) or any(_handed_over(desc) for desc in operator.inputs[given:]):
        return refuse(codes.OP_INPUT_NOT_MATCH, f"{what}: {given} inputs for {len(operator.inputs)}")
    if len(outputs) != len(operator.outputs):
        return refuse(codes.OP_OUTPUT_NOT_MATCH, f"{what}: {len(outputs)} outputs for {len(operator.outputs)}")
    sources, targets = _buffers(inputs), _buffers(outputs)
    if sources is None or targets is None:
        return refuse(
            codes.INVALID_PARAM, f"{what}: a data buffer is NULL, destroyed already, or has a length but no address"
        )
    if targets and not any(length for _, length in targets):
        return codes.SUCCESS
    stream = _stream(stream_handle, caller, operator.op_type)
    if isinstance(stream, int):
        return stream
    then = (operator.op_type, operator.inputs, operator.outputs, operator.attrs)
    plan = operator.plan
    ready = plan if isinstance(plan, Plan) else _unfold(caller, plan, *then, sources, stream)
    if isinstance(ready, int):
        return ready
    code = _launch(caller, ready, sources, targets, stream, [])
    if not code and tell_call is not None:
        tell_call(*then)
    return code


def _handed_over(desc: Descriptor) -> bool:
    """Whether an input has a buffer of its own: it is neither constant nor absent."""
    return desc.const is None and not desc.absent


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
