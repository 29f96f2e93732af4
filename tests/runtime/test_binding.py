"""Which `acl` is taken, and how a process begins and ends with it."""

from __future__ import annotations

from pathlib import Path

import pytest

import ascendtensor as at

from ..processes import run, said

# A module that stands for the device's acl: what the binding asks of one before it is used.
DEVICE_ACL = """
import types
rt = types.SimpleNamespace(get_device_count=lambda: ({count}, {code}))
"""


TELL = "from ascendtensor.runtime.binding import binding; b = binding(); print(b.kind, '|', b.reason)"


def test_auto_takes_the_embedded_one_where_there_is_no_acl(tmp_path: Path) -> None:
    told = said(TELL, tmp_path)
    assert told.startswith("embedded | no acl module can be imported")


def test_auto_takes_the_devices_acl_where_it_finds_a_device(tmp_path: Path) -> None:
    (tmp_path / "acl.py").write_text(DEVICE_ACL.format(count=2, code=0))
    assert said(TELL, tmp_path) == "npu | acl imports and finds a device"


@pytest.mark.parametrize(("count", "code"), [(0, 0), (0, 507033)])
def test_auto_takes_the_embedded_one_where_acl_finds_no_device(tmp_path: Path, count: int, code: int) -> None:
    (tmp_path / "acl.py").write_text(DEVICE_ACL.format(count=count, code=code))
    assert said(TELL, tmp_path) == (
        f"embedded | acl imports but finds no device (acl.rt.get_device_count gave {count}, code {code})"
    )


def test_embedded_is_taken_when_asked_for(tmp_path: Path) -> None:
    (tmp_path / "acl.py").write_text(DEVICE_ACL.format(count=2, code=0))
    told = said(TELL, tmp_path, ASCENDTENSOR_RUNTIME="embedded")
    assert told == "embedded | ASCENDTENSOR_RUNTIME asks for it"


def test_the_installed_embedded_module_is_not_taken_for_a_device(tmp_path: Path) -> None:
    told = said("from ascendtensor import embedded; embedded.install(); " + TELL, tmp_path)
    assert told == "embedded | the acl module that imports is the embedded one"


def test_npu_without_a_device_says_what_to_do(tmp_path: Path) -> None:
    done = run("import ascendtensor as at; at.zeros(3)", tmp_path, ASCENDTENSOR_RUNTIME="npu")
    assert done.returncode == 1
    assert "RuntimeError: ASCENDTENSOR_RUNTIME is npu, but no acl module can be imported" in done.stderr
    assert "ASCENDTENSOR_RUNTIME=embedded" in done.stderr


def test_another_choice_is_refused(tmp_path: Path) -> None:
    done = run("import ascendtensor as at; at.zeros(3)", tmp_path, ASCENDTENSOR_RUNTIME="gpu")
    assert "ASCENDTENSOR_RUNTIME is 'gpu'; it can be auto, npu, embedded" in done.stderr


def test_importing_takes_no_device(tmp_path: Path) -> None:
    code = """
import ascendtensor as at
from ascendtensor import embedded
from ascendtensor.runtime import device
print(device.running(), embedded.live_handles() and {k: v for k, v in embedded.live_handles().items() if v})
"""
    assert said(code, tmp_path) == "False {}"


@pytest.mark.parametrize(
    ("soc", "chip"),
    [("Ascend910B3", "910b"), ("Ascend910_9391", "910_93"), ("Ascend910A", "910"), ("Ascend310P3", "310p")],
)
def test_the_chip_follows_from_the_socs_name(tmp_path: Path, soc: str, chip: str) -> None:
    code = "import ascendtensor as at; i = at.runtime_info(); print(i['soc'], i['chip'], i['devices'])"
    told = said(code, tmp_path, ASCENDTENSOR_EMBEDDED_SOC=soc, ASCENDTENSOR_EMBEDDED_DEVICES="2")
    assert told == f"{soc} {chip} 2"


ALL_CHIPS = ("Ascend910B1", "Ascend910_9391", "Ascend910A", "Ascend310P3", "Ascend310B1")

EVERYDAY = """
import warnings
import numpy as np
import ascendtensor as at
x = at.reshape(at.arange(12, dtype=at.float32), (3, 4))
y = at.asarray(np.arange(12).reshape(4, 3), dtype=at.float16)
x[1, ::-1] = 7
assert at.sum(x).item() == 72.0
assert (x @ y).shape == (3, 3)
assert at.argmax(x).item() == 11
assert at.max(at.exp(x[:, ::2]), axis=0).shape == (2,)
assert at.any(at.isnan(x)).item() is False
assert at.concat([x, x]).tolist()[5] == x.tolist()[2]
assert at.asarray([1, 2], dtype=at.int8).sum().item() == 3
assert at.std(at.asarray([1.0, 3.0], dtype=at.float64)).item() == 1.0
z = at.asarray([1.5, -2.5], dtype=at.bfloat16)
assert (z * 2 + 1).tolist() == [4.0, -4.0]
print("ok")
"""


@pytest.mark.parametrize("soc", ALL_CHIPS)
def test_everyday_code_runs_on_every_chip(tmp_path: Path, soc: str) -> None:
    assert said(EVERYDAY, tmp_path, ASCENDTENSOR_EMBEDDED_SOC=soc) == "ok"


def test_a_process_ends_cleanly_with_tensors_alive(tmp_path: Path) -> None:
    code = """
import atexit
import ascendtensor as at
from ascendtensor import embedded
atexit.register(lambda: print({k: len(v) for k, v in embedded.live_handles().items() if v and k in KINDS}))
KINDS = ("stream", "event", "device", "context", "operator attributes")
x = at.ones((3, 4)) + 1
y = x[1:]
cycle = [x]
cycle.append(cycle)
print(y.tolist()[0][0])
"""
    # The report is registered first, so it is printed last, after the library has given everything back.
    assert said(code, tmp_path).splitlines() == ["2.0", "{}"]


def test_a_failure_that_nobody_waited_for_does_not_keep_the_process_from_ending(tmp_path: Path) -> None:
    code = """
import ascendtensor as at
at.take(at.arange(3), at.asarray([7]))
"""
    done = run(code, tmp_path)
    assert "GatherV2" in done.stderr


def test_two_devices(tmp_path: Path) -> None:
    code = """
import pytest
import ascendtensor as at
x = at.ones(3, device="npu:1")
print(x.device, x, at.npu.device_count(), at.npu.current_device())
y = x.to_device("npu:0")
print(y.device, (y + 1).tolist(), (x + 1).device)
with pytest.raises(ValueError, match="npu:1 and npu:0"):
    x + y
with pytest.raises(ValueError, match="there is no device npu:2"):
    at.ones(3, device="npu:2")
at.npu.set_device(1)
print(at.zeros(2).device, at.npu.memory_allocated("npu:1") > 0)
"""
    told = said(code, tmp_path, ASCENDTENSOR_EMBEDDED_DEVICES="2").splitlines()
    assert told == [
        "npu:1 Tensor([1., 1., 1.], device='npu:1') 2 0",
        "npu:0 [2.0, 2.0, 2.0] npu:1",
        "npu:1 True",
    ]


def test_runtime_info_says_what_it_runs_on() -> None:
    info = at.runtime_info()
    assert info["runtime"] == "embedded"
    assert info["acl_version"] == "1.13.0"
    assert set(info) == {"runtime", "reason", "soc", "chip", "devices", "acl_version"}
