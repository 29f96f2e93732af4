"""`python -m ascendtensor run`, and what the environment asks for: programs run in processes of their own."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from ascendtensor import embedded
from ascendtensor.embedded import faults

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "embedded.md").read_text()
PREPARE = "import acl, sys\nassert acl.init() == 0 and acl.rt.set_device(0) == 0\n"


@pytest.fixture
def run(tmp_path):
    """Run a program in another folder than its own; gives the finished process."""
    (tmp_path / "elsewhere").mkdir()

    def run_program(text, *args, options=(), environment=None, name="program.py"):
        path = tmp_path / name
        path.write_text(text)
        command = [sys.executable, "-m", "ascendtensor", "run", *options, str(path), *args]
        clean = {key: value for key, value in os.environ.items() if not key.startswith("ASCENDTENSOR_")}
        return subprocess.run(
            command,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
            cwd=tmp_path / "elsewhere",
            env=clean | (environment or {}),
        )

    return run_program


def test_a_program_is_main_with_its_arguments_and_its_folder(run, tmp_path):
    (tmp_path / "neighbour.py").write_text("value = 7\n")
    done = run(
        "import acl, acl.rt, neighbour, sys\n"
        "assert __name__ == '__main__' and sys.modules['__main__'].neighbour is neighbour\n"
        "print(sys.argv[1:], neighbour.value, __file__ == sys.argv[0], sys.path[0], acl.get_soc_name())\n",
        "--report",
        "-x",
    )
    assert done.stderr == ""
    assert done.stdout.split() == ["['--report',", "'-x']", "7", "True", str(tmp_path), "Ascend910B1"]
    assert done.returncode == 0


@pytest.mark.parametrize(("ending", "code"), [("sys.exit(3)", 3), ("sys.exit()", 0), ("sys.exit('bad')", 1)])
def test_exit_codes_pass_through(run, ending, code):
    done = run(PREPARE + ending)
    assert done.returncode == code
    assert done.stderr == ("bad\n" if "bad" in ending else "")


def test_an_exception_shows_the_programs_lines_only(run):
    done = run(PREPARE + "def fail():\n    raise KeyError('why')\nfail()\n")
    assert done.returncode == 1
    assert "KeyError: 'why'" in done.stderr
    assert done.stderr.count("File ") == 2
    assert "command.py" not in done.stderr


def test_a_syntax_error_and_a_missing_program(run, tmp_path):
    done = run("def\n")
    assert done.returncode == 1
    assert "SyntaxError" in done.stderr
    command = [sys.executable, "-m", "ascendtensor", "run", str(tmp_path / "no.py")]
    missing = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert missing.returncode == 2
    assert "no.py" in missing.stderr


def test_the_machine_is_the_one_asked_for(run):
    done = run(
        "import acl\nprint(acl.get_soc_name(), *acl.rt.get_device_count(), *acl.rt.get_run_mode())\n",
        options=["--soc", "Ascend310B1", "--devices", "3"],
    )
    assert done.stdout.split() == ["Ascend310B1", "3", "0", "0", "0"]


@pytest.mark.parametrize("options", [["--soc", "Ascend1"], ["--devices", "0"], ["--devices", "x"], ["--what"]])
def test_a_machine_that_there_is_not(run, options):
    done = run("", options=options)
    assert done.returncode == 2
    assert options[-1] in done.stderr


def test_a_real_acl_comes_first_unless_forced(run, tmp_path):
    (tmp_path / "acl.py").write_text("real = True\n")
    program = "import acl\nprint(hasattr(acl, 'real'))\n"
    assert run(program).stdout == "True\n"
    assert run(program, options=["--report"]).stdout == "True\n"
    assert run(program, options=["--force"]).stdout == "False\n"
    (tmp_path / "acl.py").write_text("import no_such_library_of_the_driver\n")
    assert run(program).stdout == "False\n"


REPORTED = """
address, ret = acl.rt.malloc(64, 0)
desc = acl.create_tensor_desc(0, [16], 2)
buffer = acl.create_data_buffer(address, 64)
for _ in range(3):
    assert acl.op.execute_v2("Add", [desc, desc], [buffer, buffer], [desc], [buffer], 0, 0) == 0
assert acl.rt.synchronize_stream(0) == 0
acl.destroy_data_buffer(buffer)
class Owner:
    def __del__(self):
        acl.destroy_tensor_desc(desc)
owner = Owner()
print("end")
"""


@pytest.mark.parametrize("rich", [True, False])
def test_the_report(run, tmp_path, rich):
    if not rich:
        (tmp_path / "rich").mkdir()
        (tmp_path / "rich" / "__init__.py").write_text("raise ImportError\n")
    done = run(PREPARE + REPORTED, options=["--report"])
    assert done.stderr == ""
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert lines[0] == "end"
    cells = [line.replace("│", " ").split() for line in lines]
    assert ["acl.op.execute_v2", "3"] in cells
    # Three times two inputs and one output of 64 bytes.
    assert any(cell[:3] == ["Add", "3", "576"] for cell in cells)
    leaks = [cell for cell in cells if cell and cell[-1].endswith("program.py:4")]
    assert [" ".join(cell[:2]) for cell in leaks] == ["device memory"]
    assert any(cell[:2] == ["device", "0"] and cell[-1].endswith("program.py:2") for cell in cells)
    # What a destructor would still destroy is no leak.
    assert not any("descriptor" in line for line in lines)


def test_the_report_comes_after_a_failure_too(run):
    done = run(PREPARE + "1 / 0\n", options=["--report"])
    assert done.returncode == 1
    assert "acl.rt.set_device" in done.stdout


def test_leaks_at_finalize(run):
    text = PREPARE + "s, _ = acl.rt.create_stream()\np, _ = acl.rt.malloc(64, 0)\nacl.rt.free(p)\nacl.finalize()\n"
    done = run(text, environment={"ASCENDTENSOR_EMBEDDED_LEAKS": "report"})
    assert done.returncode == 0
    assert "still alive at acl.finalize: 2" in done.stderr
    assert "stream 0x" in done.stderr
    assert "program.py:3" in done.stderr
    assert "device 0, made at" in done.stderr
    assert run(text).stderr == ""


def test_no_leaks_no_words(run):
    text = PREPARE + "acl.rt.reset_device(0)\nacl.finalize()\n"
    assert run(text, environment={"ASCENDTENSOR_EMBEDDED_LEAKS": "report"}).stderr == ""


def test_calls_that_fail_by_the_environment(run):
    text = PREPARE + "print([acl.rt.malloc(8, 0)[1] for _ in range(4)], acl.rt.create_stream()[1])\n"
    setting = "acl.rt.malloc:3:207001, acl.rt.create_stream:1:107000"
    done = run(text, environment={"ASCENDTENSOR_EMBEDDED_FAIL": setting})
    assert done.stdout == "[0, 0, 207001, 0] 107000\n"


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("FAIL", "acl.rt.malloc"),
        ("FAIL", "acl.rt.mallocc:1:2"),
        ("LEAKS", "yes"),
        ("REQUIRE_COMPILED", "maybe"),
    ],
)
def test_settings_that_make_no_sense(run, variable, value):
    done = run("", environment={f"ASCENDTENSOR_EMBEDDED_{variable}": value})
    assert done.returncode != 0
    assert value.partition(":")[0] in done.stderr


def test_the_record(run, tmp_path):
    record = tmp_path / "record.jsonl"
    text = PREPARE + (
        "p, _ = acl.rt.malloc(64, 0)\n"
        "d = acl.create_tensor_desc(1, [2, 4], 2)\n"
        "axes = acl.create_tensor_desc(3, [1], 2)\n"
        "acl.set_tensor_const(axes, acl.util.bytes_to_ptr(bytes(4)), 4)\n"
        "out = acl.create_tensor_desc(1, [4], 2)\n"
        "b = acl.create_data_buffer(p, 64)\n"
        "attr = acl.op.create_attr()\n"
        "acl.op.set_attr_bool(attr, 'keep_dims', 0)\n"
        "assert acl.op.execute_v2('ReduceSum', [d, axes], [b, b], [out], [b], attr, 0) == 0\n"
        "assert acl.op.execute_v2('NoSuchOp', [d], [b], [d], [b], 0, 0) == 100024\n"
        "handle, ret = acl.op.create_handle('Relu', [d], [d], 0)\n"
        "assert acl.op.execute_with_handle(handle, [b], [b], 0) == 0\n"
    )
    for _ in range(2):
        assert run(text, environment={"ASCENDTENSOR_EMBEDDED_RECORD": str(record)}).stderr == ""
    entries = [json.loads(line) for line in record.read_text().splitlines()]
    assert [entry["op"] for entry in entries] == ["ReduceSum", "Relu"] * 2
    tensor = {"dtype": "float16", "shape": [2, 4], "format": "ND", "const": False, "host": False, "absent": False}
    assert entries[0] == {
        "op": "ReduceSum",
        "soc": "Ascend910B1",
        "inputs": [tensor, tensor | {"dtype": "int32", "shape": [1], "const": True}],
        "outputs": [{"dtype": "float16", "shape": [4], "format": "ND"}],
        "attrs": {"keep_dims": False},
    }


COMPILED = """
import os
from ascendtensor import embedded
p, _ = acl.rt.malloc(64, 0)
d = acl.create_tensor_desc(0, [16], 2)
b = acl.create_data_buffer(p, 64)
def add():
    return acl.op.execute_v2("Add", [d, d], [b, b], [d], [b], 0, 0)
"""


def test_operators_that_must_be_compiled(run, tmp_path):
    models = tmp_path / "models"
    models.mkdir()
    required = {"ASCENDTENSOR_EMBEDDED_REQUIRE_COMPILED": "1"}
    compiling = PREPARE + COMPILED + "print(add(), embedded.compile_op('Add', [d, d], [d], 0, sys.argv[1]), add())\n"
    assert run(compiling, str(models), environment=required).stdout == "100024 0 0\n"
    assert len(list(models.glob("*.om"))) == 1
    scanning = PREPARE + COMPILED + "print(acl.op.set_model_dir(sys.argv[1]), add())\n"
    assert run(scanning, str(models), environment=required).stdout == "0 0\n"
    loading = (
        PREPARE
        + COMPILED
        + (
            "data = open(os.path.join(sys.argv[1], os.listdir(sys.argv[1])[0]), 'rb').read()\n"
            "print(add(), acl.op.load(acl.util.bytes_to_ptr(data), len(data)), add())\n"
        )
    )
    assert run(loading, str(models), environment=required).stdout == "100024 0 0\n"
    assert run(loading, str(models)).stdout == "0 0 0\n"


AT_EXIT = """
import builtins
class Owner:
    def __init__(self):
        self.stream, ret = acl.rt.create_stream()
        self.address, ret = acl.rt.malloc(64, 0)
        self.host, ret = acl.rt.malloc_host(64)
    def __del__(self):
        rt = self.rt
        codes = [rt.memset_async(self.address, 64, 1, 64, self.stream), rt.synchronize_stream(self.stream),
                 rt.destroy_stream(self.stream), rt.free(self.address), rt.free_host(self.host)]
        print(codes)
Owner.rt = acl.rt
owner = Owner()
circle = Owner()
circle.itself = circle
sys.modules["keeper"] = builtins.keeper = Owner()
"""


@pytest.mark.parametrize("busy", [False, True])
def test_destructors_at_the_interpreters_end_neither_raise_nor_hang(run, busy):
    """Even where a thread that was stopped there keeps the device."""
    thread = (
        "import threading\nfrom ascendtensor.embedded import streams\nheld = threading.Event()\n"
        "def hold():\n    with streams.DEVICE_TURN:\n        held.set()\n        threading.Event().wait()\n"
        "threading.Thread(target=hold, daemon=True).start()\nheld.wait()\n"
    )
    done = run(PREPARE + AT_EXIT + thread * busy)
    assert done.returncode == 0
    assert done.stderr == ""
    # The stopped thread's function keeps what it could name, for ever.
    assert done.stdout == ("[0, 507046, 0, 0, 0]\n" if busy else "[0, 0, 0, 0, 0]\n" * 3)


def test_the_page_names_options_and_variables_that_there_are(run):
    usage = run("", options=["--help"]).stdout
    for option in set(re.findall(r"`(--\w+)", PAGE)):
        assert option in usage
    sources = "".join(path.read_text() for path in (ROOT / "ascendtensor" / "embedded").glob("*.py"))
    variables = set(re.findall(r"ASCENDTENSOR_EMBEDDED_\w+", PAGE))
    assert len(variables) == 7
    assert all(variable in sources for variable in variables)
    for tool in set(re.findall(r"`faults\.(\w+)", PAGE)):
        assert hasattr(faults, tool)
    for name in (
        "report_at_finalize",
        "find_leaks",
        "record_ops",
        "require_compiled",
        "compile_op",
        "install",
        "reset",
    ):
        assert name in PAGE
        assert callable(getattr(embedded, name))
