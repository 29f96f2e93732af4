"""Test suites of others, run by pytest in a process of their own against this library."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree

__all__ = ["ROOT", "Outcome", "run_suite"]

ROOT = Path(__file__).parent.parent


@dataclass
class Outcome:
    """What became of the tests of a suite.

    Attributes:
        passed: how many passed.
        skipped: each that the suite skipped, or expected to fail, with its reason.
        failed: each that failed, with the last line of its error.
    """

    passed: int = 0
    skipped: dict[str, str] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.passed} passed, {len(self.skipped)} skipped, {len(self.failed)} failed"


def run_suite(
    arguments: Sequence[str], folder: Path, *, path: Iterable[Path] = (), quiet: bool = True, **environment: str
) -> Outcome:
    """Run pytest with these arguments.

    Parameters:
        folder: where; away from this project, whose pytest settings are not the suite's.
        path: folders to import from, beside this project's.
        quiet: whether pytest's own report is kept back.
        environment: variables to set beside those there are.

    Raises:
        RuntimeError: pytest could not run the tests; its report is in the message.
    """
    # A pytest that runs this one has told it of workers and options that are its own.
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    kept["PYTHONPATH"] = os.pathsep.join(str(one) for one in (ROOT, *path))
    with tempfile.TemporaryDirectory() as temporary:
        report = Path(temporary) / "report.xml"
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--junitxml={report}", *arguments],
            cwd=folder,
            env={**kept, **environment},
            text=True,
            stdout=subprocess.PIPE if quiet else None,
            stderr=subprocess.STDOUT if quiet else None,
            check=False,
        )
        if done.returncode not in (0, 1):
            raise RuntimeError(f"pytest ended with {done.returncode}:\n{done.stdout or 'see above'}")
        return _outcome(ElementTree.parse(report))


def _outcome(report: ElementTree.ElementTree) -> Outcome:
    outcome = Outcome()
    for case in report.iter("testcase"):
        name = f"{case.get('classname')}::{case.get('name')}"
        found = {child.tag: child.get("message", "") for child in case}
        if "failure" in found or "error" in found:
            message = found.get("failure") or found.get("error") or ""
            outcome.failed[name] = message.strip()
        elif "skipped" in found:
            outcome.skipped[name] = found["skipped"]
        else:
            outcome.passed += 1
    return outcome
