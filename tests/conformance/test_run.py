"""What `run.py` says of a suite: here a small one that is laid out like the standard's."""

from __future__ import annotations

from pathlib import Path

import pytest

from .run import main

CONFTEST = """
def pytest_addoption(parser):
    for option in ("--max-examples", "--skips-file", "--xfails-file"):
        parser.addoption(option)
    parser.addoption("--disable-deadline", action="store_true")
"""
SUMS = """
import importlib
import os

import pytest

xp = importlib.import_module(os.environ["ARRAY_API_TESTS_MODULE"])

def test_sum(request):
    assert os.environ["ARRAY_API_TESTS_VERSION"] == xp.__array_api_version__
    assert request.config.getoption("--max-examples") == "7"
    for option in ("--skips-file", "--xfails-file"):
        assert open(request.config.getoption(option)).read() == ""
    assert float(xp.sum(xp.ones(3))) == 3

@pytest.mark.skip(reason="flaky")
def test_at_times():
    raise AssertionError
"""
WRONG = """
def test_wrong():
    raise ValueError("two is three")
"""


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    (tmp_path / "array_api_tests").mkdir()
    (tmp_path / "array-api" / "spec").mkdir(parents=True)
    (tmp_path / "conftest.py").write_text(CONFTEST)
    (tmp_path / "array_api_tests" / "test_sums.py").write_text(SUMS)
    return tmp_path


@pytest.mark.parametrize("processes", ["1", "2"])
def test_figures_of_a_suite(suite: Path, processes: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--suite", str(suite), "--examples", "7", "--processes", processes]) == 0
    said = capsys.readouterr().out
    assert "1 passed, 1 skipped, 0 failed" in said
    assert "skipped by the suite: array_api_tests.test_sums::test_at_times: flaky" in said


def test_a_failure_is_told(suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (suite / "array_api_tests" / "test_wrong.py").write_text(WRONG)
    assert main(["--suite", str(suite), "--examples", "7", "--processes", "1"]) == 1
    said = capsys.readouterr().out
    assert "FAILED array_api_tests.test_wrong::test_wrong: ValueError: two is three" in said
    assert "1 passed, 1 skipped, 1 failed" in said


def test_what_pytest_takes_beside(suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (suite / "array_api_tests" / "test_wrong.py").write_text(WRONG)
    assert main(["--suite", str(suite), "--examples", "7", "--processes", "1", "-k", "test_sum and not times"]) == 0
    assert "1 passed, 0 skipped, 0 failed" in capsys.readouterr().out


def test_a_suite_that_cannot_be_run(suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--suite", str(suite / "nowhere")]) == 2
    assert "checkout of data-apis/array-api-tests" in capsys.readouterr().err
    (suite / "conftest.py").write_text("raise ImportError('half a checkout')")
    assert main(["--suite", str(suite), "--processes", "1"]) == 2
    assert "pytest ended with 4" in capsys.readouterr().err
