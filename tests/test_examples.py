"""The examples run on their real data, and what they print is what the device computed."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import ascendtensor as at
from ascendtensor import embedded
from ascendtensor.embedded import faults

EXAMPLES = Path(__file__).parent.parent / "examples"


def load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def digits() -> ModuleType:
    return load("digits")


def quiet(_: str) -> None:
    pass


def data(digits: ModuleType) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    loaded = digits.load_digits()
    return loaded.data.astype(np.float32), loaded.target.astype(np.int64)


def test_digits_prints_its_findings_and_leaves_a_plot(
    digits: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plot = tmp_path / "plot.png"
    found = digits.main(["--output", str(plot)])
    printed = capsys.readouterr().out
    assert plot.read_bytes().startswith(b"\x89PNG")
    for told in ("What the device did", "MatMulV2", "peak device memory", "explained variance", "cluster purity"):
        assert told in printed
    assert isinstance(found.projected, at.Tensor)
    assert 0.55 < float(at.sum(found.explained)) < 0.65
    assert float(found.purity) > 0.6


def test_digits_computes_nothing_on_the_host(digits: ModuleType) -> None:
    images, truth = data(digits)
    settings = digits.parse(["--iterations", "5", "--rounds", "4", "--components", "4"])
    at.npu.synchronize()
    embedded.reset_executed_ops()
    with faults.record_calls() as recorded, at.profiler.profile() as profile:
        found = digits.analyse(at, at.asarray(images), at.asarray(truth), settings, quiet)
    copies = [name for name in recorded.names if "memcpy" in name or "memset" in name]
    # The inputs go up: images, digits, the starting vectors and the first centres. Nothing comes down,
    # so that whatever the result is made of was made by the device's operators.
    assert copies == ["acl.rt.memcpy_async"] * 4
    at.npu.synchronize()
    asked = {count.op_type: count.calls for count in profile.key_averages()}
    assert embedded.executed_ops() == asked
    assert sum(asked.values()) == recorded.names.count("acl.op.execute_v2")
    assert not any(count.host_calls for count in profile.key_averages())
    # One product for the covariance, the projection, the explained variance and the purity; one an iteration
    # and one for each pair of components, and two for each vector's length, in the rounds before and after;
    # two a round of k-means, and one to label at the end.
    components, pairs = 4, 6
    orthonormalised = (5 + 1) * (pairs + components)
    assert asked["MatMulV2"] + asked.get("BatchMatMulV2", 0) == 4 + 5 + orthonormalised + 2 * 4 + 1
    reference = digits.analyse(np, images, truth, settings, quiet)
    assert digits.largest_difference(found, reference) < 1e-5


def test_digits_is_as_exact_as_float32(digits: ModuleType) -> None:
    images, truth = data(digits)
    settings = digits.parse([])
    found = digits.analyse(at, at.asarray(images), at.asarray(truth), settings, quiet)
    reference = digits.analyse(np, images, truth, settings, quiet)
    assert digits.largest_difference(found, reference) < 1e-5
    assert np.array_equal(found.labels.numpy(), reference.labels)


def test_digits_finds_what_a_library_finds(digits: ModuleType) -> None:
    images, truth = data(digits)
    settings = digits.parse(["--components", "5", "--iterations", "150"])
    found = digits.analyse(at, at.asarray(images), at.asarray(truth), settings, quiet)
    x = (images - images.mean(0)) / np.where(images.std(0) > 0, images.std(0), 1)
    values = np.linalg.eigvalsh(x.T.astype(np.float64) @ x / len(x))[::-1]
    np.testing.assert_allclose(np.sort(found.explained.numpy())[::-1], values[:5] / values.sum(), rtol=1e-3)


@pytest.mark.parametrize("arguments", [["--components", "1"], ["--components", "64"], ["--clusters", "0"]])
def test_digits_refuses_what_it_cannot_do(
    digits: ModuleType, arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        digits.main(arguments)
    assert "must be from" in capsys.readouterr().err
