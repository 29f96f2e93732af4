"""`python -m ascendtensor run`: a pyACL program on the embedded machine, as `python` would run it."""

from __future__ import annotations

import argparse
import atexit
import builtins
import gc
import importlib.machinery
import io
import os
import sys
from types import ModuleType

from . import machine
from .module import install, is_embedded
from .observation import reset
from .report import Report

__all__ = ["main"]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m ascendtensor", description="Tools of the ascendtensor library.")
    commands = parser.add_subparsers(required=True, metavar="command")
    run = commands.add_parser(
        "run",
        help="run a pyACL program without an NPU",
        description="Run a pyACL program on the embedded runtime, unless a real acl module is installed.",
    )
    run.add_argument("--report", action="store_true", help="end with tables of calls, operators and leaks")
    run.add_argument("--soc", metavar="NAME", help=f"the chip's name, for instance {machine.DEFAULT_SOC}")
    run.add_argument("--devices", metavar="N", type=_count, help="how many devices there are")
    run.add_argument("--force", action="store_true", help="use the embedded runtime even where a real acl imports")
    run.add_argument("program", help="the program's file")
    run.add_argument("args", nargs=argparse.REMAINDER, help="the program's own arguments")
    return parser


def _count(text: str) -> int:
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number above 0")
    return int(text)


def main(arguments: list[str] | None = None) -> None:
    """Run what the command line asks for.

    Parameters:
        arguments: the command line without the command itself; by default the process's own.
    """
    parser = _parser()
    options = parser.parse_args(arguments)
    # Processes that the program starts find themselves on the same machine.
    for variable, value in (("SOC", options.soc), ("DEVICES", options.devices)):
        if value is not None:
            os.environ[f"ASCENDTENSOR_EMBEDDED_{variable}"] = str(value)
    try:
        reset()
    except ValueError as error:
        parser.error(str(error))
    try:
        with io.open_code(os.path.abspath(options.program)) as file:
            source = file.read()
    except OSError as error:
        parser.error(f"can't open file {options.program!r}: {error.strerror}")
    sys.argv = [options.program, *options.args]
    # What the program's own folder holds comes first, as for `python program.py`; so does an acl in it.
    sys.path[0] = os.path.dirname(os.path.realpath(options.program))
    embedded = is_embedded(install(force=options.force))
    if options.report and embedded:
        # Made before the program's own handlers, so that it comes after them.
        atexit.register(_finish, Report())
    _run(options.program, source)


def _run(program: str, source: bytes) -> None:
    """Run a program as the module `__main__`."""
    module = ModuleType("__main__")
    module.__file__ = program
    module.__builtins__ = builtins  # type: ignore[attr-defined]
    module.__loader__ = importlib.machinery.SourceFileLoader("__main__", program)
    module.__dict__["__cached__"] = None
    sys.modules["__main__"] = module
    try:
        exec(compile(source, program, "exec", dont_inherit=True), module.__dict__)
    except (SystemExit, KeyboardInterrupt):
        raise
    except BaseException as error:
        # Python shows the lines from the program's first on; this module's are none of them.
        error.__traceback__ = error.__traceback__ and error.__traceback__.tb_next
        sys.excepthook(type(error), error, error.__traceback__)
        sys.exit(1)


def _finish(report: Report) -> None:
    """Let go of the program's objects, as the interpreter is about to, and report what is left."""
    # Not emptied: destructors still look names up in the module that they come from.
    sys.modules["__main__"] = ModuleType("__main__")
    gc.collect()
    report.print()
