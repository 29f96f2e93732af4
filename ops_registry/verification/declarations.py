"""The declarations, held against a list: names, order and kinds of ports, attributes, and each engine's dtype rows."""

from __future__ import annotations

from collections.abc import Sequence

from .. import prototype as own
from ..prototype import ENGINES, PROTOTYPES, Prototype
from .findings import Findings, rows_as_text
from .operator_list import Attribute, Operator, OperatorList, Port

__all__ = ["check_declarations"]


def check_declarations(held_against: OperatorList, findings: Findings) -> int:
    """Add what differs to the findings; gives how many kernels were taken to have what the list leaves to them."""
    silent = 0
    for op_type, declared in PROTOTYPES.items():
        listed = held_against.operators.get(op_type)
        on_device = any(declared.rows.values())
        if listed is None:
            if on_device:
                findings.add(op_type, "the list has no such op type")
            continue
        if not on_device:
            findings.add(op_type, "is declared for the host only, but the list has it")
        _check_ports(op_type, "input", declared.inputs, listed.inputs, listed.named, findings)
        _check_ports(op_type, "output", declared.outputs, listed.outputs, listed.named, findings)
        _check_attributes(declared, listed, findings)
        silent += _check_rows(declared, listed, held_against.chips, findings)
    return silent


def _check_ports(
    op_type: str,
    side: str,
    declared: Sequence[own.Port],
    listed: Sequence[Port],
    named: bool,
    findings: Findings,
) -> None:
    if len(declared) != len(listed):
        told = " ".join(port.name for port in listed) or "none"
        findings.add(op_type, f"has {len(declared)} {side}s, the list {len(listed)}: {told}")
        return
    for place, (mine, theirs) in enumerate(zip(declared, listed, strict=True)):
        if named and mine.name != theirs.name:
            findings.add(op_type, f"{side} {place} is {mine.name}, in the list {theirs.name}")
        # Kernels are lax about which inputs they need; the prototype is not.
        if mine.kind != theirs.kind and (named or "dynamic" in (mine.kind, theirs.kind)):
            findings.add(op_type, f"{side} {mine.name} is {mine.kind}, in the list {theirs.kind}")
        if theirs.const is not None and mine.const != theirs.const:
            findings.add(op_type, f"{side} {mine.name} is {_const(mine.const)}, in the list {_const(theirs.const)}")


def _const(const: bool) -> str:
    return "constant" if const else "any value"


def _check_attributes(declared: Prototype, listed: Operator, findings: Findings) -> None:
    for name, mine in declared.attrs.items():
        theirs = listed.attrs.get(name)
        if theirs is not None:
            _check_attribute(declared.op_type, mine, theirs, listed.named, findings)
        elif listed.named:
            findings.add(declared.op_type, f"the list has no attribute {name}")
    for name, theirs in listed.attrs.items():
        if name not in declared.attrs and (listed.named or theirs.required):
            findings.add(declared.op_type, f"the list's attribute {name} is not declared")


def _check_attribute(op_type: str, mine: own.Attribute, theirs: Attribute, named: bool, findings: Findings) -> None:
    # A kernel's own list calls the number of a data type an Int.
    if mine.type != theirs.type and (named or {mine.type, theirs.type} != {"Int", "Type"}):
        findings.add(op_type, f"attribute {mine.name} is a {mine.type}, in the list a {theirs.type}")
    elif named and mine.required != theirs.required:
        told = ["optional", "required"]
        findings.add(op_type, f"attribute {mine.name} is {told[mine.required]}, in the list {told[theirs.required]}")
    elif mine.default != theirs.default and (named or theirs.default is not None):
        findings.add(op_type, f"attribute {mine.name} is {mine.default!r} by default, in the list {theirs.default!r}")


def _check_rows(declared: Prototype, listed: Operator, chips: Sequence[str], findings: Findings) -> int:
    silent = 0
    for chip in chips:
        for engine in ENGINES:
            rows = declared.rows.get((engine, chip))
            if not rows:
                continue
            kernel = listed.kernels.get((engine, chip))
            if kernel is None:
                findings.add(declared.op_type, f"{engine} has no kernel", chip)
            elif kernel.unusable:
                findings.add(declared.op_type, f"{engine}'s kernel {kernel.unusable}", chip)
            else:
                named_rows = {tuple(dtype.name for dtype in row) for row in rows}
                missing = [row for row in named_rows if not kernel.lists(kernel.without_lacking(row))]
                silent += bool(missing) and kernel.decides
                if missing and not kernel.decides:
                    findings.add(declared.op_type, f"{engine} takes no {rows_as_text(missing)}", chip)
    return silent
