"""What a program did on the embedded machine: its calls, its operators, and what it left alive."""

from __future__ import annotations

import importlib
import sys
from collections import Counter
from dataclasses import dataclass

from . import creation, op_running, surface
from .leaks import find_leaks
from .matching import Plan

__all__ = ["Report"]


@dataclass(slots=True)
class _OpTotals:
    executions: int = 0
    bytes: int = 0
    seconds: float = 0.0


class Report:
    """Counts from when it is made."""

    def __init__(self) -> None:
        self._calls: Counter[str] = Counter()
        self._ops: dict[str, _OpTotals] = {}
        self._outer = surface.observe(self._count)
        op_running.tell_run = self._add
        creation.track(True)

    def _count(self, name: str) -> int:
        self._calls[name] += 1
        return self._outer(name) if self._outer is not None else 0

    def _add(self, plan: Plan, seconds: float) -> None:
        totals = self._ops.setdefault(plan.op_type, _OpTotals())
        totals.executions += 1
        totals.bytes += sum(operand.nbytes for operand in (*plan.inputs, *plan.outputs))
        totals.seconds += seconds

    def print(self) -> None:
        """Write the tables to standard output, with `rich` where it is installed."""
        _print_table("calls", ("function", "calls"), [(name, str(n)) for name, n in self._calls.most_common()])
        _print_table(
            "operators",
            ("op type", "executions", "bytes", "ms"),
            [
                (name, str(t.executions), str(t.bytes), f"{t.seconds * 1000:.3f}")
                for name, t in sorted(self._ops.items(), key=lambda item: -item[1].seconds)
            ],
        )
        _print_table(
            "leaks",
            ("kind", "handle", "bytes", "made at"),
            [
                (leak.kind, str(leak.handle) if leak.kind == "device" else hex(leak.handle), str(leak.bytes), leak.line)
                for leak in find_leaks()
            ],
        )


_Row = tuple[str, ...]
_WIDE = 200


def _print_table(title: str, columns: _Row, rows: list[_Row]) -> None:
    if not rows:
        print(f"{title}: none", flush=True)
        return
    try:
        rich_table, rich_console = (importlib.import_module(f"rich.{part}") for part in ("table", "console"))
    except ImportError:
        _print_plainly(title, columns, rows)
        return
    table = rich_table.Table(title=title)
    for place, column in enumerate(columns):
        table.add_column(column, justify="right" if _numeric(rows, place) else "left", overflow="fold")
    for row in rows:
        table.add_row(*row)
    # A file or pipe has no width; there, lines of the program should stay whole.
    width = None if sys.stdout.isatty() else _WIDE
    rich_console.Console(markup=False, highlight=False, width=width).print(table)


def _numeric(rows: list[_Row], place: int) -> bool:
    return all(row[place].replace(".", "", 1).isdecimal() for row in rows)


def _print_plainly(title: str, columns: _Row, rows: list[_Row]) -> None:
    widths = [max(map(len, column)) for column in zip(columns, *rows, strict=True)]
    print(title)
    for row in (columns, *rows):
        cells = [
            cell.rjust(width) if _numeric(rows, place) else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        print("  " + "  ".join(cells).rstrip())
    print(end="", flush=True)
