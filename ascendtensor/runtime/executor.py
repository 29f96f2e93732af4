"""The executor: runs plans on a stream. Each step is one call of `acl.op.execute_v2`, which only queues it."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Sequence
from math import prod
from types import CodeType, FrameType
from typing import Any, Protocol

import numpy as np

from ops_registry.program import Value
from ops_registry.prototype import PROTOTYPES

from ..embedded.kernels import KERNELS
from . import stream as streams
from .binding import acl
from .descriptors import Descriptor, descriptor, destroy_descriptor, fresh_descriptor, true_shape
from .errors import HostFallbackWarning, check
from .plans import Plan, Step
from .statistics import count_fallback
from .storage import Storage
from .stream import Stream
from .transfer import copy_within, to_device, to_host

__all__ = ["Operand", "run", "warn_of_host", "warn_once"]

_PACKAGE = __name__.split(".")[0]


class Operand(Protocol):
    """What a plan runs on: contiguous memory with its data buffer. storage is None for a host scalar."""

    @property
    def buffer(self) -> int:
        """The data buffer's handle."""
        ...

    @property
    def storage(self) -> Storage | None:
        """The device memory behind it."""
        ...


class Launch:
    """The record of one queued call, for the message should it fail."""

    __slots__ = ("code", "line", "step")

    def __init__(self, step: Step, frame: FrameType | None) -> None:
        self.step = step
        self.code: CodeType | None = frame.f_code if frame else None
        self.line = frame.f_lineno if frame else 0

    @property
    def op_type(self) -> str:
        """CANN's name of the op."""
        return self.step.op_type

    def __str__(self) -> str:
        place = f", queued at {self.code.co_filename}:{self.line}" if self.code else ""
        return f"{self.step}{place}"


def _callers_frame() -> FrameType | None:
    """The nearest frame outside the library: the user's line."""
    frame: FrameType | None = sys._getframe(2)
    while frame is not None and frame.f_globals.get("__name__", "").partition(".")[0] == _PACKAGE:
        frame = frame.f_back
    return frame


_warned: set[str] = set()


def warn_of_host(plan: Plan) -> None:
    """Warn, once a function, of a plan that the host computes some of.

    Called before anything of the plan is queued or allocated, gathered operands included, so that a warning that is
    an error leaves nothing behind.

    Raises:
        HostFallbackWarning: a filter of the caller's makes it an error.
    """
    if plan.function in _warned:
        return
    steps = ", ".join(map(str, plan.host_steps))
    warn_once(plan.function, f"{plan.function} runs on the host: no engine of this chip has {steps}")


def warn_once(function: str, text: str) -> None:
    """Warn, once a function, at the user's line, that the host computes it.

    Raises:
        HostFallbackWarning: a filter of the caller's makes it an error.
    """
    if function in _warned:
        return
    frame = _callers_frame()
    if frame is None:
        warnings.warn(text, HostFallbackWarning, stacklevel=2)
    else:
        code, module = frame.f_code, frame.f_globals
        registry = module.setdefault("__warningregistry__", {})
        name = module.get("__name__", "<string>")
        warnings.warn_explicit(text, HostFallbackWarning, code.co_filename, frame.f_lineno, name, registry)
    # Not if the warning is an error, which is to be one every time.
    _warned.add(function)


def run(plan: Plan, operands: Sequence[Operand], stream: Stream) -> list[tuple[Storage, Descriptor]]:
    """Queue a plan's steps.

    Parameters:
        operands: in the order of the plan's first slots.
        stream: the current thread's, on the operands' device.

    Returns:
        The memory and descriptor of each result; nothing of it has been computed yet.

    Raises:
        OutOfMemoryError: no memory for a result; nothing stays allocated, and what was queued does no harm.
        AclError: the device refused a call.
    """
    buffers = [0] * plan.slots
    owners: list[Storage | None] = [None] * plan.slots
    for slot, operand in enumerate(operands):
        buffers[slot] = operand.buffer
        storage = owners[slot] = operand.storage
        if storage is not None and storage.stream is not stream:
            storage.before_read(stream)
    for slot, buffer in plan.fixed:
        buffers[slot] = buffer
    execute = acl().op.execute_v2
    launch_frame = _callers_frame()
    shapes: dict[int, tuple[int, ...]] = {}
    for step in plan.steps:
        for slot, nbytes in step.makes:
            made = owners[slot] = Storage(nbytes, stream)
            buffers[slot] = made.block.buffer.handle
        for slot in step.writes:
            written = owners[slot]
            if written is not None:
                written.before_write(stream)
        if step.host:
            shapes.update(_run_on_host(step, buffers, owners, stream))
        elif step.data_dependent:
            shapes.update(_run_data_dependent(step, buffers, plan, stream, launch_frame))
        else:
            code = execute(
                step.op_type,
                step.input_descs,
                [buffers[slot] for slot in step.inputs],
                step.output_descs,
                [buffers[slot] for slot in step.outputs],
                step.attr,
                stream.handle,
            )
            if code:
                check("acl.op.execute_v2", code, f"{plan.function} as {step}")
            _launched(step, stream, launch_frame)
        for slot in step.done_with:
            owners[slot] = None
    if plan.host_steps:
        count_fallback(plan.function, plan.host_steps)
    if streams.LAUNCH_BLOCKING:
        stream.synchronize()
    return [
        _trimmed(_owner(owners, slot), descriptor(result.dtype, shapes[slot]), stream)
        if slot in shapes
        else (_owner(owners, slot), result)
        for slot, result in plan.results
    ]


def _launched(step: Step, stream: Stream, frame: FrameType | None) -> None:
    """Remember and count a call that was queued."""
    count = step.count
    count.calls += 1
    count.bytes_in += step.bytes_in
    count.bytes_out += step.bytes_out
    stream.launches.append(Launch(step, frame))


def _run_data_dependent(
    step: Step, buffers: list[int], plan: Plan, stream: Stream, frame: FrameType | None
) -> dict[int, tuple[int, ...]]:
    """Run an op whose output shapes depend on its data, and read them back: the one call that waits.

    The outputs have room for the largest shapes; the device writes the true ones into descriptors of this call.
    """
    outputs = step.call.outputs
    descs: list[int] = []
    try:
        descs.extend(fresh_descriptor(value.dtype, value.shape) for value in outputs)
        code = acl().op.execute_v2(
            step.op_type,
            step.input_descs,
            [buffers[slot] for slot in step.inputs],
            descs,
            [buffers[slot] for slot in step.outputs],
            step.attr,
            stream.handle,
        )
        if code:
            stream.done_or_raise("acl.op.execute_v2", code, f"{plan.function} as {step}")
        _launched(step, stream, frame)
        return {value.slot: true_shape(desc, value.ndim) for value, desc in zip(outputs, descs, strict=True)}
    finally:
        for desc in descs:
            destroy_descriptor(desc)


def _trimmed(storage: Storage, described: Descriptor, stream: Stream) -> tuple[Storage, Descriptor]:
    """What an op found, in memory of its size if the room that it was given is more than twice as large."""
    if 2 * described.nbytes >= storage.nbytes:
        return storage, described
    exact = Storage(described.nbytes, stream)
    if described.nbytes:
        copy_within(exact, 0, storage, 0, described.nbytes, stream)
    return exact, described


def _owner(owners: Sequence[Storage | None], slot: int) -> Storage:
    owner = owners[slot]
    assert owner is not None, "a result is made by a step"
    return owner


def _run_on_host(
    step: Step,
    buffers: list[int],
    owners: list[Storage | None],
    stream: Stream,
) -> dict[int, tuple[int, ...]]:
    """Compute a step with the embedded kernel of its op type: no engine of the chip has it for these dtypes.

    Returns:
        The true shapes of the outputs whose shapes depend on data.
    """
    inputs = [None if value is None else _on_host(value, buffers, owners, stream) for value in step.call.inputs]
    outputs = [np.empty(value.shape, dtype=value.dtype.dtype) for value in step.call.outputs]
    defaults = {name: attr.default for name, attr in PROTOTYPES[step.op_type].attrs.items()}
    truth = KERNELS[step.op_type](inputs, outputs, {**defaults, **step.call.attrs})
    for value, output in zip(step.call.outputs, outputs, strict=True):
        computed = to_device(output, stream)
        target = owners[value.slot]
        if target is not None and value.slot in step.writes:
            copy_within(target, 0, computed, 0, output.nbytes, stream)
        else:
            owners[value.slot] = computed
            buffers[value.slot] = computed.block.buffer.handle
    step.count.host_calls += 1
    told = zip(step.call.outputs, truth or (), strict=False)
    return {value.slot: shape for value, shape in told if shape is not None} if step.data_dependent else {}


def _on_host(value: Value, buffers: list[int], owners: list[Storage | None], stream: Stream) -> np.ndarray[Any, Any]:
    owner = owners[value.slot]
    shown = descriptor(value.dtype, value.shape)
    if owner is not None:
        address = acl().get_data_buffer_addr(buffers[value.slot])
        return to_host(owner, shown, address - owner.block.address, stream)
    address = acl().get_data_buffer_addr(buffers[value.slot])
    data = acl().util.ptr_to_bytes(address, prod(value.shape) * value.dtype.itemsize)
    return np.frombuffer(data, dtype=value.dtype.dtype).reshape(value.shape)
