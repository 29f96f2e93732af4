"""Declarations and calls held against lists: a table and an installation of the test's own, right and wrong ones."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from ops_registry import prototype
from ops_registry.__main__ import main
from ops_registry.prototype import Prototype, declare
from ops_registry.verification import (
    Findings,
    check_calls,
    check_declarations,
    own_declarations,
    read_installation,
    read_table,
    recorded_calls,
)
from ops_registry.verification.headers import read_header
from ops_registry.verification.operator_list import Attribute, OperatorList, Port

CHIPS = ("910b", "910")


@pytest.fixture(autouse=True)
def small_registry(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Two op types in place of the registry's own."""
    table = dict(prototype.PROTOTYPES)
    prototype.PROTOTYPES.clear()
    declare(
        "Total",
        "x axes! bias?",
        "y",
        attrs="keep:Bool=False kind:Type=float32 side:Int",
        rows="T I T T",
        aicore={"910b": "f16 f32", "910": "f16"},
        aicpu="f64",
    )
    declare("Join", "x*", "y", attrs="N:Int=1", rows="T T", aicore={"910b": "i32"}, aicpu_tf="i32 b")
    yield
    prototype.PROTOTYPES.clear()
    prototype.PROTOTYPES.update(table)


def port(name: str, *dtypes: str, kind: str = "required", **more: Any) -> dict[str, Any]:
    return {"name": name, "kind": kind, "dtypes": list(dtypes), **more}


def rows(*dtypes: str) -> list[list[str]]:
    return [[dtype, index, dtype, dtype] for dtype in dtypes for index in ("int32", "int64")]


FLOATS = ("float16", "float32", "float64")
TOTAL = {
    "op": "Total",
    "inputs": [port("x", *FLOATS), port("axes", "int32", "int64", const=True), port("bias", *FLOATS, kind="optional")],
    "outputs": [port("y", *FLOATS)],
    "attrs": [
        {"name": "keep", "type": "Bool", "required": False, "value": False},
        {"name": "kind", "type": "Type", "required": False, "value": "float32"},
        {"name": "side", "type": "Int", "required": True},
    ],
    "aicore": {
        "ascend910b": {"combos": rows("float16", "float32"), "formats": "ND"},
        "ascend910": {"combos": rows("float16"), "formats": "ND"},
        "ascend910_93": {"same_as": "ascend910b"},
    },
    "aicpu": {"in": {"x": ["float64"], "axes": ["int32", "int64"]}, "out": {"y": ["float64"]}},
}
JOIN = {
    "op": "Join",
    "inputs": [port("x", "int32", "bool", kind="dynamic")],
    "outputs": [port("y", "int32", "bool")],
    "attrs": [{"name": "N", "type": "Int", "required": False, "value": 1}],
    "aicore": {"ascend910b": {"combos": [["int32", "int32"]], "formats": "ND"}},
    # This kernel calls its ports by names of its own.
    "aicpu_tf": {"in": {"values": ["int32", "bool"]}, "out": {"output": ["int32", "bool"]}},
}


def table(folder: Path, *entries: dict[str, Any]) -> OperatorList:
    path = folder / "table.json"
    path.write_text("".join(json.dumps(entry) + "\n" for entry in entries))
    return read_table(path, CHIPS)


def found(held_against: OperatorList) -> list[str]:
    findings = Findings()
    check_declarations(held_against, findings)
    return list(findings.lines())


def test_nothing_is_found_where_a_table_says_the_same(tmp_path: Path) -> None:
    assert found(table(tmp_path, TOTAL, JOIN)) == []


def _set(*path: Any, value: Any) -> Callable[[dict[str, Any]], None]:
    def change(entry: dict[str, Any]) -> None:
        for key in path[:-1]:
            entry = entry[key]
        entry[path[-1]] = value

    return change


@pytest.mark.parametrize(
    ("change", "finding"),
    [
        (_set("op", value="Other"), "Total: the list has no such op type"),
        (_set("inputs", 0, "name", value="data"), "Total: input 0 is x, in the list data"),
        (_set("inputs", 2, "kind", value="required"), "Total: input bias is optional, in the list required"),
        (_set("inputs", 1, "const", value=False), "Total: input axes is constant, in the list any value"),
        (_set("outputs", value=[]), "Total: has 1 outputs, the list 0: none"),
        (_set("attrs", 0, "value", value=True), "Total: attribute keep is False by default, in the list True"),
        (_set("attrs", 0, "type", value="Int"), "Total: attribute keep is a Bool, in the list a Int"),
        (_set("attrs", 1, "value", value="int8"), "Total: attribute kind is 0 by default, in the list 2"),
        (_set("attrs", 2, "required", value=False), "Total: attribute side is required, in the list optional"),
        (_set("attrs", 0, "name", value="keep_dims"), "Total: the list has no attribute keep"),
        (_set("attrs", 0, "name", value="keep_dims"), "Total: the list's attribute keep_dims is not declared"),
        (
            _set("aicore", "ascend910b", "combos", value=rows("float32")),
            "Total: aicore takes no float16/int32/float16/float16, float16/int64/float16/float16 (910b)",
        ),
        (_set("aicore", value={}), "Total: aicore has no kernel (910b, 910)"),
        (
            _set("aicore", "ascend910", "formats", value="not ND"),
            "Total: aicore's kernel takes no tensors in ND format (910)",
        ),
        (_set("aicore", "ascend910", "kernel", value=False), "Total: aicore's kernel is none that runs (910)"),
        (
            _set("aicpu", "in", "x", value=["float32"]),
            "Total: aicpu takes no float64/int32/float64/float64, float64/int64/float64/float64 (910b, 910)",
        ),
    ],
)
def test_each_difference_is_found(tmp_path: Path, change: Callable[[dict[str, Any]], None], finding: str) -> None:
    entry = copy.deepcopy(TOTAL)
    change(entry)
    assert finding in found(table(tmp_path, entry, JOIN))


def test_what_a_kernel_decides_when_asked_is_counted_and_no_finding(tmp_path: Path) -> None:
    entry = copy.deepcopy(TOTAL)
    entry["aicore"]["ascend910b"] = {"combos": None, "formats": "ND"}  # type: ignore[index]
    findings = Findings()
    assert check_declarations(table(tmp_path, entry, JOIN), findings) == 1
    assert len(findings) == 0


def test_a_host_function_is_none_of_the_lists(tmp_path: Path) -> None:
    declare("Elsewhere", "x", "y", rows="T T")
    assert found(table(tmp_path, TOTAL, JOIN)) == []
    assert found(table(tmp_path, TOTAL, JOIN, JOIN | {"op": "Elsewhere"})) == [
        "Elsewhere: is declared for the host only, but the list has it",
        "Elsewhere: input x is required, in the list dynamic",
        "Elsewhere: the list's attribute N is not declared",
    ]


@pytest.mark.parametrize("text", ["{", "[]", "{}", '{"op": "Total"}'])
def test_a_line_that_is_no_entry_is_named(tmp_path: Path, text: str) -> None:
    path = tmp_path / "table.json"
    path.write_text(json.dumps(JOIN) + "\n" + text + "\n")
    with pytest.raises(ValueError, match=r"table.json:2 is no entry of an operator table"):
        read_table(path, CHIPS)


# Calls.


def tensor(dtype: str, **more: Any) -> dict[str, Any]:
    return {"dtype": dtype, "shape": [2], "format": "ND", "const": False, "host": False, "absent": False, **more}


def recorded(folder: Path, **changes: Any) -> Path:
    call = {
        "op": "Total",
        "soc": "Ascend910B1",
        "inputs": [tensor("float32"), tensor("int64", const=True)],
        "outputs": [tensor("float32")],
        "attrs": {"side": 1},
    }
    path = folder / "calls.jsonl"
    path.write_text(json.dumps(call | changes) + "\n")
    return path


JOINED = {"op": "Join", "outputs": [tensor("int32")]}


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({}, ""),
        ({"inputs": [tensor("float32"), tensor("int64", host=True), tensor("undefined", absent=True)]}, ""),
        ({"soc": "Ascend310P3"}, ""),  # another chip than those asked for
        ({"op": "Other"}, "Other: the list has no such op type (910b)"),
        ({"inputs": [tensor("float32")]}, "Total: 1 inputs and 1 outputs, the list has 3 and 1 (910b)"),
        (
            {"inputs": [tensor("float32"), tensor("int64")]},
            "Total: input axes is no constant, in the list it must be one",
        ),
        (
            {"inputs": [tensor("float32"), tensor("undefined", absent=True)]},
            "Total: input axes is absent, in the list it is required",
        ),
        ({"attrs": {}}, "Total: attribute side is not set, in the list it is required"),
        ({"attrs": {"side": 1, "up": 1}}, "Total: the list has no attribute up"),
        ({"attrs": {"side": "left"}}, "Total: attribute side is 'left', in the list a Int"),
        ({"attrs": {"side": True}}, "Total: attribute side is True, in the list a Int"),
        ({"outputs": [tensor("int8")]}, "Total: no engine takes float32/int64/-/int8"),
        ({"soc": "Ascend910A"}, "Total: no engine takes float32/int64/-/float32 (910)"),
        (JOINED | {"inputs": [tensor("int32")] * 3, "attrs": {"N": 3}}, ""),
        (
            JOINED | {"inputs": [tensor("int32")] * 3, "attrs": {"N": 2}},
            "Join: attribute N is not the number of tensors, 3",
        ),
        (
            JOINED | {"inputs": [tensor("int32"), tensor("bool")], "attrs": {"N": 2}},
            "Join: the tensors of one input differ in dtype",
        ),
    ],
)
def test_recorded_calls_are_checked(tmp_path: Path, changes: dict[str, Any], fault: str) -> None:
    path = recorded(tmp_path, **changes)
    for held_against in (own_declarations(CHIPS), table(tmp_path, TOTAL, JOIN)):
        findings = Findings()
        check_calls(recorded_calls(path, CHIPS), held_against, findings)
        lines = list(findings.lines())
        assert len(lines) == bool(fault)
        assert all(line.startswith(f"calls.jsonl:1: {fault}") for line in lines)


def test_a_kernel_without_a_port_takes_no_tensor_there(tmp_path: Path) -> None:
    double = tensor("float64")
    path = recorded(tmp_path, inputs=[double, tensor("int64", const=True), double], outputs=[double])
    findings = Findings()
    check_calls(recorded_calls(path, CHIPS), table(tmp_path, TOTAL, JOIN), findings)
    assert [*findings.lines()] == ["calls.jsonl:1: Total: no engine takes float64/int64/float64/float64 (910b)"]


@pytest.mark.parametrize("text", ["{", "[]", '{"op": "Total", "soc": "Ascend99"}'])
def test_a_line_that_is_no_call_is_named(tmp_path: Path, text: str) -> None:
    path = tmp_path / "calls.jsonl"
    path.write_text(text + "\n")
    with pytest.raises(ValueError, match=r"calls.jsonl:1 is no recorded call"):
        list(recorded_calls(path, CHIPS))


# An installation.

HEADER = """
/* REG_OP(Gone) .INPUT(x, TensorType({DT_INT8})) .OP_END_FACTORY_REG(Gone) */
REG_OP(Total)
    .INPUT(x, TensorType({DT_FLOAT16, DT_FLOAT, DT_DOUBLE}))  // the data, (with brackets
    .INPUT(axes, TensorType::IndexNumberType())
    .OPTIONAL_INPUT(bias, "T")
    .OUTPUT(y, "T")
    .ATTR(keep, Bool, false)
    .ATTR(kind, Type, DT_FLOAT)
    .REQUIRED_ATTR(side, Int)
    .OP_END_FACTORY_REG(Total)
REG_OP(Join)
    .DYNAMIC_INPUT(x, TensorType({DT_INT32, DT_BOOL}))
    .OUTPUT(y, TensorType({DT_INT32, DT_BOOL}))
    .ATTR(N, Int, 1)
    .OP_END_FACTORY_REG(Join)
"""


def aicore_port(name: str, dtypes: str, kind: str = "required", **more: str) -> dict[str, str]:
    formats = ",".join("ND" for _ in dtypes.split(","))
    return {"name": name, "dtype": dtypes, "format": formats, "paramType": kind, **more}


def aicore(dtypes: str) -> dict[str, Any]:
    doubled = f"{dtypes},{dtypes}"
    indices = ",".join(index for index in ("int32", "int64") for _ in dtypes.split(","))
    return {
        "Total": {
            "attr": {"list": "keep,side"},
            "attr_keep": {"type": "bool", "paramType": "optional", "defaultValue": "false", "value": "all"},
            "attr_side": {"type": "int", "paramType": "required", "value": "all"},
            "input0": aicore_port("x", doubled),
            "input1": aicore_port("axes", indices, valueDepend="optional"),
            "input2": aicore_port("bias", doubled, "optional"),
            "output0": aicore_port("y", doubled),
        },
        "Join": {
            "input0": aicore_port("input_values", "int32", "dynamic"),
            "output0": aicore_port("output_data", "int32"),
        },
    }


AICPU = {
    "Total": {
        "opInfo": {"opKernelLib": "AICPUKernel"},
        "input0": {"name": "x", "type": "DT_DOUBLE"},
        "input1": {"name": "axes", "type": "DT_INT32,DT_INT64"},
        "output0": {"name": "y", "type": "DT_DOUBLE"},
    }
}
TF = {
    "Join": {
        "opInfo": {"opKernelLib": "TFKernel"},
        "dynamic_input0": {"name": "x", "type": "DT_INT32,DT_BOOL"},
        "output0": {"name": "y", "type": "DT_INT32,DT_BOOL"},
    }
}


def without_join(entries: dict[str, Any]) -> dict[str, Any]:
    return {op_type: entry for op_type, entry in entries.items() if op_type != "Join"}


@pytest.fixture
def opp(tmp_path: Path) -> Path:
    """A small installation that says what the declarations say."""
    built_in = tmp_path / "opp" / "built-in"
    files: dict[str, Any] = {
        "op_impl/ai_core/tbe/config/ascend910b/aic-ascend910b-ops-info.json": aicore("float16,float"),
        "op_impl/ai_core/tbe/config/ascend910/aic-ascend910-ops-info.json": without_join(aicore("float16")),
        "op_impl/aicpu/aicpu_kernel/config/aicpu_kernel.json": AICPU,
        "op_impl/aicpu/tf_kernel/config/tf_kernel.json": TF,
        "op_impl/aicpu/aicpu_kernel/config/host_cpu_kernel.json": {
            "Total": {"opInfo": {"opKernelLib": "HOSTCPUKernel"}}
        },
    }
    for name, content in files.items():
        (built_in / name).parent.mkdir(parents=True, exist_ok=True)
        (built_in / name).write_text(json.dumps(content))
    (built_in / "op_proto/inc").mkdir(parents=True)
    (built_in / "op_proto/inc/some_ops.h").write_text(HEADER)
    return tmp_path / "opp"


@pytest.mark.parametrize("where", ["", "built-in/.."])
def test_nothing_is_found_where_an_installation_says_the_same(opp: Path, where: str) -> None:
    held_against = read_installation(opp / where, CHIPS)
    assert held_against.chips == CHIPS
    assert found(held_against) == []
    # The directory that has opp will do.
    assert found(read_installation(opp.parent, CHIPS)) == []


def edit(opp: Path, file: str, change: Callable[[dict[str, Any]], None]) -> None:
    (path,) = opp.rglob(file)
    content = json.loads(path.read_text())
    change(content)
    path.write_text(json.dumps(content))


@pytest.mark.parametrize(
    ("file", "change", "finding"),
    [
        (
            "aic-ascend910b-*",
            _set("Total", value=aicore("float16")["Total"]),
            "Total: aicore takes no float32/int32/float32/float32, float32/int64/float32/float32 (910b)",
        ),
        (
            "aic-ascend910-*",
            _set("Total", "opFile", value={"value": "Null"}),
            "Total: aicore's kernel is none that runs (910)",
        ),
        (
            "aic-ascend910-*",
            _set("Total", "output0", "format", value="NC1HWC0,NC1HWC0"),
            "Total: aicore's kernel takes no tensors in ND format (910)",
        ),
        (
            "aic-ascend910b-*",
            _set("Total", "input0", "valueDepend", value="required"),
            "Total: input x is any value, in the list constant",
        ),
        (
            "tf_kernel.json",
            _set("Join", "output0", "type", value="DT_INT32"),
            "Join: aicpu_tf takes no bool/bool (910b, 910)",
        ),
        (
            "aicpu_kernel.json",
            _set("Total", "opInfo", "opKernelLib", value="?"),
            "Total: aicpu has no kernel (910b, 910)",
        ),
    ],
)
def test_each_difference_from_an_installation_is_found(
    opp: Path, file: str, change: Callable[[dict[str, Any]], None], finding: str
) -> None:
    edit(opp, file, change)
    assert found(read_installation(opp, CHIPS)) == [finding]


def test_a_kernel_with_a_dynamic_format_may_take_more_than_it_lists(opp: Path) -> None:
    edit(opp, "aic-ascend910b-*", _set("Total", value=aicore("float16")["Total"] | {"dynamicFormat": {"flag": "true"}}))
    findings = Findings()
    assert check_declarations(read_installation(opp, CHIPS), findings) == 1
    assert [*findings.lines()] == []


def test_a_kernel_may_list_no_dtypes(opp: Path) -> None:
    edit(
        opp, "aic-ascend910b-*", lambda content: [content["Join"][name].pop("dtype") for name in ("input0", "output0")]
    )
    assert found(read_installation(opp, CHIPS)) == []


def test_without_headers_dtypes_are_compared_and_names_are_not(opp: Path) -> None:
    (opp / "built-in/op_proto/inc/some_ops.h").unlink()
    edit(opp, "aic-ascend910b-*", _set("Total", "input0", "name", value="data"))
    held_against = read_installation(opp, CHIPS)
    assert "names of ports and attributes were not compared" in held_against.note
    assert found(held_against) == []
    edit(opp, "aicpu_kernel.json", _set("Total", "input0", "type", value="DT_INT8"))
    assert len(found(read_installation(opp, CHIPS))) == 1


def test_only_the_chips_that_are_installed_are_held(opp: Path) -> None:
    assert read_installation(opp, ("910b", "310p")).chips == ("910b",)
    with pytest.raises(ValueError, match="no AI Core operators of 310p"):
        read_installation(opp, ("310p",))


def test_what_is_no_installation_is_refused(opp: Path, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no directory opp of a CANN installation"):
        read_installation(tmp_path / "elsewhere", CHIPS)
    (info,) = opp.rglob("aic-ascend910-*")
    info.write_text("no JSON")
    with pytest.raises(ValueError, match="is no operator information"):
        read_installation(opp, CHIPS)


def test_lists_of_different_lengths_are_refused(opp: Path) -> None:
    edit(opp, "aic-ascend910b-*", _set("Total", "output0", "dtype", value="float16"))
    with pytest.raises(ValueError, match="operator information of Total cannot be read"):
        read_installation(opp, CHIPS)


def test_a_header_is_read() -> None:
    text = """
    REG_OP(Odd) .DYNAMIC_OUTPUT(y, TensorType(BasicType(), {DT_INT8}))
        .ATTR(a, ListInt, {1, -2}) .ATTR(b, ListInt, {}) .ATTR(c, Float, 1e-5f) .ATTR(d, String, "mean")
        .ATTR(e, Int, -1) .ATTR(f, Float, SOME_NAME) .REQUIRED_ATTR(g, Type) .OP_END_FACTORY_REG(Odd)
    """
    ((op_type, told),) = read_header(text)
    assert op_type == "Odd"
    assert (told.inputs, told.outputs) == ((), (Port("y", "dynamic"),))
    assert told.attrs == (
        Attribute("a", "ListInt", False, [1, -2]),
        Attribute("b", "ListInt", False, []),
        Attribute("c", "Float", False, 1e-5),
        Attribute("d", "String", False, "mean"),
        Attribute("e", "Int", False, -1),
        Attribute("f", "Float", False, "SOME_NAME"),
        Attribute("g", "Type", True),
    )


# The command. It checks the whole registry, so the declarations are the real ones again.


@pytest.fixture
def whole_registry(small_registry: None) -> Iterator[None]:
    from ops_registry import prototypes

    small: dict[str, Prototype] = dict(prototype.PROTOTYPES)
    prototype.PROTOTYPES.clear()
    prototype.PROTOTYPES.update(REAL)
    assert prototypes
    yield
    prototype.PROTOTYPES.clear()
    prototype.PROTOTYPES.update(small)


REAL: dict[str, Prototype] = dict(prototype.PROTOTYPES)


def test_the_lowerings_calls_are_those_of_the_declarations(
    whole_registry: None, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["verify"]) == 0
    assert capsys.readouterr().out.startswith("no findings: ")


def test_a_table_that_lacks_an_op_type_is_a_finding(
    whole_registry: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "table.json"
    path.write_text(json.dumps(TOTAL) + "\n")
    assert main(["verify", "--table", str(path), "--soc", "310p"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert "Add: the list has no such op type" in lines
    assert "add of float32: Add: the list has no such op type (310p)" in lines
    assert lines[-1].endswith(f"for 310p, held against {path}")


def test_the_command_checks_calls_and_installations(
    opp: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = recorded(tmp_path)
    assert main(["verify", "--opp", str(opp), "--calls", str(path), "--calls", str(path)]) == 0
    assert capsys.readouterr().out.startswith("no findings: 2 declarations and 2 calls, for 910b, 910, held against ")
    assert main(["verify", "--opp", str(tmp_path / "elsewhere")]) == 2
    assert "elsewhere is no directory opp of a CANN installation" in capsys.readouterr().err
