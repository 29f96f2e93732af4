"""The command line: `python -m ops_registry verify` and `python -m ops_registry coverage`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from . import coverage, soc, verification
from .prototype import PROTOTYPES


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; gives the exit code: 0 nothing found, 1 something found, 2 nothing could be done."""
    given = _parser().parse_args(arguments)
    try:
        return int(given.command(given))
    except (OSError, ValueError) as error:
        print(f"ops_registry: {error}", file=sys.stderr)
        return 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m ops_registry", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    verify = commands.add_parser("verify", help="hold declarations and calls against what CANN lists")
    lists = verify.add_mutually_exclusive_group()
    lists.add_argument("--opp", type=Path, metavar="PATH", help="an installed CANN: its directory opp")
    lists.add_argument("--table", type=Path, metavar="FILE", help="a table gathered from a release")
    verify.add_argument(
        "--calls",
        type=Path,
        metavar="FILE",
        action="append",
        default=[],
        help="check these recorded calls instead of the lowerings' samples; may be given several times",
    )
    verify.add_argument("--soc", choices=soc.ALL, action="append", help="only this chip; may be given several times")
    verify.set_defaults(command=_verify)
    table = commands.add_parser("coverage", help="tell by which route each function serves each dtype, as Markdown")
    table.add_argument("--soc", choices=soc.ALL, action="append", help="only this chip; may be given several times")
    table.add_argument("--function", action="append", help="only this function; may be given several times")
    table.set_defaults(command=_coverage)
    return parser


def _verify(given: argparse.Namespace) -> int:
    chips = tuple(given.soc or soc.ALL)
    findings = verification.Findings()
    silent = 0
    if given.opp or given.table:
        read = verification.read_installation if given.opp else verification.read_table
        held_against = read(given.opp or given.table, chips)
        silent = verification.check_declarations(held_against, findings)
    else:
        held_against = verification.own_declarations(chips)
    chips = held_against.chips
    if given.calls:
        calls = sum(
            verification.check_calls(verification.recorded_calls(path, chips), held_against, findings)
            for path in given.calls
        )
    else:
        calls = verification.check_calls(verification.sampled_calls(chips), held_against, findings)
    for line in findings.lines():
        print(line)
    found = f"{len(findings) or 'no'} finding{'s' * (len(findings) != 1)}"
    what = f"{len(PROTOTYPES)} declarations and {calls} calls, for {', '.join(chips)}"
    print(f"{found}: {what}, held against {held_against.source}")
    if held_against.note:
        print(held_against.note)
    if silent:
        print(
            f"{silent} kernels decide some dtypes when they are asked: there the declarations were taken at their word"
        )
    return min(len(findings), 1)


def _coverage(given: argparse.Namespace) -> int:
    print(coverage.as_markdown(coverage.routes(given.soc or soc.ALL, given.function or ())), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
