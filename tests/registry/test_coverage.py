"""The coverage table: what the routes of the samples come to, and the committed copy of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from ops_registry import coverage, dtypes, soc
from ops_registry.__main__ import main
from ops_registry.lowerings import LOWERINGS

from .calls import CASES, ON_HOST

COMMITTED = Path(__file__).parents[2] / "docs" / "coverage.md"


@pytest.fixture(scope="module")
def found() -> coverage.Routes:
    return coverage.routes()


def test_the_committed_table_is_current(found: coverage.Routes) -> None:
    current = COMMITTED.read_text(encoding="utf-8") == coverage.as_markdown(found)
    assert current, "write it anew: python -m ops_registry coverage > docs/coverage.md"


def test_every_function_is_told_with_every_dtype_that_it_takes(found: coverage.Routes) -> None:
    assert set(found) == set(LOWERINGS)
    taken = {(function, dtype) for function, dtype, _ in CASES}
    for chip in soc.ALL:
        told = {(function, dtype) for function, by_chip in found.items() for dtype in by_chip[chip]}
        assert told == taken


def test_the_host_is_told_where_the_host_computes(found: coverage.Routes) -> None:
    for chip in soc.ALL:
        told = {
            (function, dtype.short)
            for function, by_chip in found.items()
            for dtype, route in by_chip[chip].items()
            if route == "host"
        }
        assert told == ON_HOST


def test_routes_of_one_op() -> None:
    (by_chip,) = coverage.routes(["910b", "910"], ["sin"]).values()
    assert by_chip["910b"][dtypes.float32] == by_chip["910b"][dtypes.bfloat16] == "core"
    assert by_chip["910b"][dtypes.int32] == "core+cast"
    # The Sin there has no bfloat16, and the Cast to float32 no kernel on the AI Core.
    assert by_chip["910"][dtypes.bfloat16] == "cpu+cast"
    assert by_chip["910b"][dtypes.float64] == "cpu"


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["coverage", "--soc", "910", "--function", "sin"]) == 0
    assert capsys.readouterr().out.splitlines()[-3:] == [
        "| function | dtypes | 910 |",
        "| --- | --- | --- |",
        "| `sin` | all | cpu+cast; core: f16 f32; core+cast: b i8 i32 u8; cpu: f64 c64 c128 |",
    ]
    assert main(["coverage", "--function", "sine"]) == 2
    assert "no lowering is called sine" in capsys.readouterr().err
