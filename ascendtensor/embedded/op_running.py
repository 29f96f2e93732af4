"""Running operators: from addresses to NumPy arrays and into a kernel."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np

from . import codes, memory
from .matching import FROM_DEVICE, FROM_HOST, Operand, Plan
from .memory import AddressError
from .streams import TaskError

__all__ = ["Truth", "executed", "reset", "run", "run_and_tell"]

# How often each op type has run; counted when it has run, not when it was queued.
executed: Counter[str] = Counter()

# Asked before each op that runs, where a test set it: the code that the op must fail with, or 0.
refuse_op: Callable[[str], int] | None = None

# Told of each op that has run and how many seconds it took, while somebody measures.
tell_run: Callable[[Plan, float], None] | None = None


def reset() -> None:
    """Count from zero."""
    executed.clear()


Truth = tuple[tuple[int, ...] | None, ...] | None
"""The true shape of each output, None for one as declared; or None where all are."""

_FAILURE_CODE = {
    "aicore": codes.RT_AICORE_EXCEPTION,
    "aicpu": codes.RT_AICPU_EXCEPTION,
    "aicpu_tf": codes.RT_AICPU_EXCEPTION,
}


def run(plan: Plan, given: list[Any], targets: list[int], device: int) -> Truth:
    """Run a kernel: a task. What it gives is the true shapes of outputs whose shape depends on data.

    Raises:
        TaskError: the kernel failed.
    """
    if refuse_op is not None and (code := refuse_op(plan.op_type)):
        raise TaskError(code, f"{plan.op_type} was made to fail")
    inputs: list[np.ndarray | None]
    try:
        if plan.on_device:
            inputs = [_view(operand, source, device) for operand, source in zip(plan.inputs, given, strict=True)]
        else:
            inputs = _mixed_inputs(plan, given, device)
        outputs = [_view(operand, target, device) for operand, target in zip(plan.outputs, targets, strict=True)]
        truth = _call(plan, inputs, outputs)
    except Exception as error:  # whatever a kernel trips over is a failure of the device, told at synchronisation
        raise TaskError(_FAILURE_CODE[plan.engine], _failure_text(plan, error)) from error
    executed[plan.op_type] += 1
    return truth


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


def _call(plan: Plan, inputs: list[np.ndarray | None], outputs: list[np.ndarray]) -> Truth:
    # Most kernels give nothing.
    kernel: Callable[..., Truth] = plan.kernel
    if tell_run is None:
        return kernel(inputs, outputs, plan.attrs)
    begin = time.perf_counter()
    truth = kernel(inputs, outputs, plan.attrs)
    tell_run(plan, time.perf_counter() - begin)
    return truth


def run_and_tell(plan: Plan, given: list[Any], targets: list[int], device: int, told: list[Truth]) -> None:
    """As `run`, for somebody who waits for the true shapes: a task."""
    told.append(run(plan, given, targets, device))
