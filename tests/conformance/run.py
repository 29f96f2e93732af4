"""Run the array API standard's own test suite, whole: 2025.12, all extensions, nothing skipped or expected to fail.

    git clone --recurse-submodules https://github.com/data-apis/array-api-tests
    python tests/conformance/run.py --suite array-api-tests

It needs the extra "conformance". It ends with the figures, and with 1 where a test failed.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

if __package__:
    from ..suites import ROOT, Outcome, run_suite
else:
    sys.path.insert(0, str(Path(__file__).parents[2]))
    from tests.suites import ROOT, Outcome, run_suite

__all__ = ["main", "run"]


def run(suite: Path, examples: int, processes: int, more: Sequence[str]) -> Outcome:
    """Run the suite's checkout at a path.

    Parameters:
        examples: how many Hypothesis draws for each property.
        processes: how many tests run at once.
        more: what pytest is told beside that.

    Raises:
        FileNotFoundError: there is no such checkout, or it lacks the standard's text.
    """
    for part in (suite / "array_api_tests", suite / "array-api" / "spec"):
        if not part.is_dir():
            raise FileNotFoundError(
                f"{part} is missing: --suite takes a checkout of data-apis/array-api-tests with its submodule array-api"
            )
    with tempfile.NamedTemporaryFile() as nothing:
        return run_suite(
            [
                "array_api_tests/",
                "--disable-deadline",
                f"--max-examples={examples}",
                # The checkout may hold lists of its own.
                f"--skips-file={nothing.name}",
                f"--xfails-file={nothing.name}",
                *(["-n", str(processes)] if processes > 1 else []),
                *more,
            ],
            suite,
            quiet=False,
            ARRAY_API_TESTS_MODULE="ascendtensor",
            ARRAY_API_TESTS_VERSION="2025.12",
        )


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the suite and print what came of it; 0 if nothing failed, 2 if it could not be run."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--suite", type=Path, required=True, metavar="PATH", help="a checkout of array-api-tests")
    parser.add_argument("--examples", type=int, default=100, metavar="N", help="draws for each property (%(default)s)")
    parser.add_argument("--processes", type=int, default=2, metavar="N", help="tests at once (%(default)s)")
    given, more = parser.parse_known_args(arguments)
    try:
        outcome = run(given.suite.resolve(), given.examples, given.processes, more)
    except (FileNotFoundError, RuntimeError) as error:
        print(error, file=sys.stderr)
        return 2
    for name, reason in outcome.skipped.items():
        print(f"skipped by the suite: {name}: {reason}")
    for name, message in outcome.failed.items():
        print(f"FAILED {name}: {message.splitlines()[0] if message else ''}")
    print(f"{outcome} (ascendtensor from {ROOT})")
    return min(len(outcome.failed), 1)


if __name__ == "__main__":
    sys.exit(main())
