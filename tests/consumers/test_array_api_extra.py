"""array-api-extra's own tests, unchanged, with this library as one more of their backends."""

from __future__ import annotations

from pathlib import Path

from ..suites import ROOT, run_suite

# The tests that fail, and why.
KNOWN = {
    "TestNUnique::test_delegates": "wants a function of PyTorch's or JAX's own to be called, which others lack",
}


def test_its_own_tests(tmp_path: Path) -> None:
    outcome = run_suite(
        [
            *("-p", "array_api_extra_backend", "-k", "ascendtensor"),
            # Theirs, from a file that is not in the wheel.
            *("-W", "error::DeprecationWarning"),
            *("--pyargs", "array_api_extra.tests.main"),
        ],
        tmp_path,
        path=[ROOT / "tests" / "consumers" / "backends"],
    )
    unexpected = {name: why for name, why in outcome.failed.items() if not any(f"{known}[" in name for known in KNOWN)}
    assert not unexpected
    assert len(outcome.failed) == len(KNOWN)
    assert outcome.passed > 1000
