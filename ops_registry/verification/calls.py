"""Calls, held against a list: those that the lowerings make of their samples, and those that a program made."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .. import soc
from ..lowerings import lower
from ..program import Call, Program
from ..prototype import ENGINES
from ..samples import cases
from .findings import Findings, rows_as_text
from .operator_list import Operator, OperatorList, Row

__all__ = ["MadeCall", "check_calls", "recorded_calls", "sampled_calls"]


@dataclass(frozen=True, slots=True)
class MadeCall:
    """A call, whoever made it.

    Attributes:
        subject: what to call it in a finding.
        inputs: the dtype of each tensor, None for an absent one; `constant` tells of each whether its value is known
            before it runs.
        engine: the one that it was made for, None where any will do.
    """

    subject: str
    op_type: str
    chip: str
    inputs: Row
    outputs: Row
    constant: tuple[bool, ...]
    attrs: Mapping[str, Any] = field(hash=False)
    engine: str | None = None


def check_calls(calls: Iterable[MadeCall], held_against: OperatorList, findings: Findings) -> int:
    """Add what the list does not allow to the findings; gives how many calls there were."""
    count = 0
    # Most calls of a program are like others.
    answers: dict[Any, list[str]] = {}
    for call in calls:
        count += 1
        listed = held_against.operators.get(call.op_type)
        alike = (call.op_type, call.chip, call.inputs, call.outputs, call.constant, call.engine, repr(call.attrs))
        if alike not in answers:
            answers[alike] = ["the list has no such op type"] if listed is None else list(_faults(call, listed))
        for fault in answers[alike]:
            findings.add(call.subject, f"{call.op_type}: {fault}", call.chip)
    return count


def _faults(call: MadeCall, listed: Operator) -> Iterator[str]:
    ports = _places(len(call.inputs), [port.kind for port in listed.inputs])
    outs = _places(len(call.outputs), [port.kind for port in listed.outputs])
    if ports is None or outs is None:
        yield (
            f"{len(call.inputs)} inputs and {len(call.outputs)} outputs, "
            f"the list has {len(listed.inputs)} and {len(listed.outputs)}"
        )
        return
    of_port: list[set[str | None]] = [set() for _ in listed.inputs]
    for place, dtype, constant in zip(ports, call.inputs, call.constant, strict=True):
        port = listed.inputs[place]
        of_port[place].add(dtype)
        if dtype is None and port.kind == "required" and listed.named:
            yield f"input {port.name} is absent, in the list it is required"
        if dtype is not None and port.const and not constant:
            yield f"input {port.name} is no constant, in the list it must be one"
    yield from _attribute_faults(call, listed, ports.count(next(_dynamic(listed), -1)))
    row = tuple(next(iter(told), None) for told in of_port)
    row += tuple(call.outputs[outs.index(place)] if place in outs else None for place in range(len(listed.outputs)))
    if any(len(told) > 1 for told in of_port):
        yield "the tensors of one input differ in dtype"
    elif not _allowed(call, listed, row):
        yield f"{call.engine or 'no engine'} {'does not take' if call.engine else 'takes'} {rows_as_text([row])}"


def _dynamic(listed: Operator) -> Iterator[int]:
    return (place for place, port in enumerate(listed.inputs) if port.kind == "dynamic")


def _places(count: int, kinds: Sequence[str]) -> list[int] | None:
    """The port of each of `count` tensors: a dynamic one takes what others leave, optional ones at the end may lack."""
    if "dynamic" in kinds:
        place = kinds.index("dynamic")
        many = count - (len(kinds) - 1)
        return None if many < 0 else [*range(place), *[place] * many, *range(place + 1, len(kinds))]
    fewest = len(kinds)
    while fewest and kinds[fewest - 1] == "optional":
        fewest -= 1
    return list(range(count)) if fewest <= count <= len(kinds) else None


def _attribute_faults(call: MadeCall, listed: Operator, of_dynamic: int) -> Iterator[str]:
    if listed.named:
        for name in call.attrs:
            if name not in listed.attrs:
                yield f"the list has no attribute {name}"
    for name, attribute in listed.attrs.items():
        if name in call.attrs:
            if not _is_a(call.attrs[name], attribute.type):
                yield f"attribute {name} is {call.attrs[name]!r}, in the list a {attribute.type}"
        elif attribute.required:
            yield f"attribute {name} is not set, in the list it is required"
    if of_dynamic and "N" in listed.attrs and call.attrs.get("N", listed.attrs["N"].default) != of_dynamic:
        yield f"attribute N is not the number of tensors, {of_dynamic}"


_TYPES: dict[str, tuple[type, ...]] = {
    "Int": (int,),
    "Type": (int,),
    "Float": (float, int),
    "Bool": (bool,),
    "String": (str,),
    "ListInt": (list, tuple),
}


def _is_a(value: Any, kind: str) -> bool:
    if isinstance(value, bool):
        return kind == "Bool"
    return isinstance(value, _TYPES.get(kind, object))


def _allowed(call: MadeCall, listed: Operator, row: Row) -> bool:
    engines = [engine for engine in ENGINES if call.engine in (None, engine)]
    kernels = [listed.kernels.get((engine, call.chip)) for engine in engines]
    return any(kernel is not None and kernel.takes(row) for kernel in kernels)


# Where calls come from.


def sampled_calls(chips: Sequence[str]) -> Iterator[MadeCall]:
    """Every call that every lowering makes of its samples. What the host computes is no call."""
    for chip in chips:
        for function, dtype, case in cases():
            operands, parameters = case.make(dtype)
            program = lower(function, chip, operands, parameters)
            for call in program.calls:
                if call.engine != "host":
                    yield _made(f"{function} of {dtype}", chip, program, call)


def _made(subject: str, chip: str, program: Program, call: Call) -> MadeCall:
    compiled_in = {constant.slot for constant in program.constants if constant.compiled_in}
    return MadeCall(
        subject,
        call.op_type,
        chip,
        tuple(value.dtype.name if value else None for value in call.inputs),
        tuple(value.dtype.name for value in call.outputs),
        tuple(value is not None and value.slot in compiled_in for value in call.inputs),
        call.attrs,
        call.engine,
    )


def recorded_calls(path: Path, chips: Sequence[str]) -> Iterator[MadeCall]:
    """The calls of a record of the embedded runtime, those made on other chips than these left out.

    Raises:
        OSError: no such file.
        ValueError: a line that is no call.
    """
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            try:
                told = json.loads(line)
                chip = soc.family(told["soc"])
                call = MadeCall(
                    f"{path.name}:{number}",
                    told["op"],
                    chip,
                    tuple(None if value["absent"] else value["dtype"] for value in told["inputs"]),
                    tuple(value["dtype"] for value in told["outputs"]),
                    tuple(value["const"] or value["host"] or chip in soc.SHARING_MEMORY for value in told["inputs"]),
                    dict(told["attrs"]),
                )
            except (ValueError, KeyError, TypeError) as error:
                raise ValueError(f"{path}:{number} is no recorded call: {error!r}") from error
            if chip in chips:
                yield call
