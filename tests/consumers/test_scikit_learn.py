"""scikit-learn's own array API tests, unchanged, with this library as the namespace that they take."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import sklearn

from ..suites import ROOT, Outcome, run_suite

PACKAGE = Path(sklearn.__file__).parent


def modules() -> Iterator[str]:
    """Their test modules that run on more than one namespace."""
    for path in sorted(PACKAGE.rglob("test_*.py")):
        if "yield_namespace" in path.read_text():
            yield ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts)


def outcome_of(folder: Path, *names: str) -> Outcome:
    return run_suite(
        ["-p", "sklearn_backend", "-k", "ascendtensor", "--pyargs", *names],
        folder,
        path=[ROOT / "tests" / "consumers" / "backends"],
        SCIPY_ARRAY_API="1",
    )


def test_what_it_asks_of_a_namespace(tmp_path: Path) -> None:
    outcome = outcome_of(tmp_path, "sklearn.utils.tests.test_array_api")
    assert outcome.failed == {}
    assert outcome.passed > 50


@pytest.mark.long
def test_its_estimators_and_metrics(tmp_path: Path) -> None:
    outcome = outcome_of(tmp_path, *modules())
    assert outcome.failed == {}
    assert outcome.passed > 400
