"""The notation of the declarations, and facts of CANN's lists picked out by hand."""

from __future__ import annotations

from typing import Any

import pytest

import ops_registry.prototypes  # noqa: F401
from ops_registry import dtypes, prototype, soc
from ops_registry.prototype import ENGINES, PROTOTYPES, Attribute, Port, Prototype, declare


@pytest.fixture
def empty(monkeypatch: pytest.MonkeyPatch) -> dict[str, Prototype]:
    """A registry with nothing in it, for declarations of the test's own."""
    table: dict[str, Prototype] = {}
    monkeypatch.setattr(prototype, "PROTOTYPES", table)
    return table


def short(rows: Any) -> set[str]:
    return {"/".join(dtype.short for dtype in row) for row in rows}


@pytest.mark.parametrize(
    ("text", "port"),
    [
        ("x", Port("x", "required", False)),
        ("axes!", Port("axes", "required", True)),
        ("bias?", Port("bias", "optional", False)),
        ("x*", Port("x", "dynamic", False)),
        ("scale?!", Port("scale", "optional", True)),
    ],
)
def test_marks_of_ports(empty: dict[str, Prototype], text: str, port: Port) -> None:
    declare("Op", text, "y", rows="T T")
    assert empty["Op"].inputs == (port,)
    assert empty["Op"].outputs == (Port("y"),)


@pytest.mark.parametrize(
    ("text", "attribute"),
    [
        ("axis:Int", Attribute("axis", "Int", True, None)),
        ("axis:Int=-1", Attribute("axis", "Int", False, -1)),
        ("base:Float=-1.0", Attribute("base", "Float", False, -1.0)),
        ("keep:Bool=False", Attribute("keep", "Bool", False, False)),
        ("keep:Bool=True", Attribute("keep", "Bool", False, True)),
        ("mode:String=floor", Attribute("mode", "String", False, "floor")),
        ("Tout:Type=int64", Attribute("Tout", "Type", False, dtypes.int64.code)),
        ("dims:ListInt=[]", Attribute("dims", "ListInt", False, [])),
        ("dims:ListInt=[1,-2]", Attribute("dims", "ListInt", False, [1, -2])),
    ],
)
def test_kinds_of_attributes(empty: dict[str, Prototype], text: str, attribute: Attribute) -> None:
    declare("Op", "x", "y", rows="T T", attrs=text)
    assert empty["Op"].attrs == {attribute.name: attribute}


@pytest.mark.parametrize(
    ("pattern", "listed", "rows"),
    [
        ("T T", "f16 i8", {"f16/f16", "i8/i8"}),
        ("T b", "f16", {"f16/b"}),
        ("T I T", "f32", {"f32/i32/f32", "f32/i64/f32"}),
        ("T I I T", "i8", {"i8/i32/i32/i8", "i8/i64/i64/i8"}),
        ("T I J", "i8", {"i8/i32/i32", "i8/i32/i64", "i8/i64/i32", "i8/i64/i64"}),
        ("T T", "f16|bf16/f32", {"f16/f32", "bf16/f32"}),
        ("T T", "f16|f32/i8|u8", {"f16/i8", "f16/u8", "f32/i8", "f32/u8"}),
        ("T T T", "i32 f16/f32/f32", {"i32/i32/i32", "f16/f32/f32"}),
        ("T T", "", set()),
    ],
)
def test_rows(empty: dict[str, Prototype], pattern: str, listed: str, rows: set[str]) -> None:
    inputs = " ".join(f"x{number}" for number in range(len(pattern.split()) - 1))
    declare("Op", inputs, "y", rows=pattern, aicpu=listed)
    assert empty["Op"].pattern == tuple(pattern.split())
    for chip in soc.ALL:
        assert short(empty["Op"].rows["aicpu", chip]) == rows


def test_a_list_is_for_the_chips_it_names(empty: dict[str, Prototype]) -> None:
    declare("Op", "x", "y", rows="T T", aicore={"910b 310p": "f16", "910": "i8"}, aicpu="f32")
    assert {chip: short(empty["Op"].rows.get(("aicore", chip), ())) for chip in soc.ALL} == {
        "910b": {"f16/f16"},
        "910_93": set(),
        "910": {"i8/i8"},
        "310p": {"f16/f16"},
        "310b": set(),
    }
    told = empty["Op"].engine
    assert told("910b", [dtypes.float16], [dtypes.float16]) == "aicore"
    assert told("910_93", [dtypes.float16], [dtypes.float16]) is None
    assert told("910_93", [dtypes.float32], [dtypes.float32]) == "aicpu"


def test_the_first_engine_is_preferred_and_an_absent_input_fits_any_row(empty: dict[str, Prototype]) -> None:
    declare("Op", "x bias?", "y", rows="T T T", aicore="f16", aicpu="f16 f32", aicpu_tf="f16 f32 f64")
    told = empty["Op"].engine
    engines = [told("910b", [d, None], [d]) for d in (dtypes.float16, dtypes.float32, dtypes.float64, dtypes.int8)]
    assert engines == ["aicore", "aicpu", "aicpu_tf", None]
    assert told("910b", [dtypes.float16, dtypes.float32], [dtypes.float16]) is None


def test_an_op_type_is_declared_once(empty: dict[str, Prototype]) -> None:
    declare("Op", "x", "y", rows="T T", aicpu="f32")
    with pytest.raises(ValueError, match="Op is declared twice"):
        declare("Op", "x", "y", rows="T T", aicpu="f64")
    assert short(empty["Op"].rows["aicpu", "910b"]) == {"f32/f32"}


# What is none of CANN's op types; an engine takes any other.
HOST_ONLY = {"Eig", "EigVals"}


@pytest.mark.parametrize("op_type", PROTOTYPES)
def test_every_declaration_is_of_one_piece(op_type: str) -> None:
    declared = PROTOTYPES[op_type]
    ports = (*declared.inputs, *declared.outputs)
    assert len(declared.pattern) == len(ports)
    assert declared.host_only == (op_type in HOST_ONLY)
    for (engine, chip), rows in declared.rows.items():
        assert engine in ENGINES
        assert chip in soc.ALL
        assert all(len(row) == len(ports) for row in rows)
    # An assignment's target stands on both sides.
    names = [port.name for port in declared.inputs]
    assert len(set(names)) == len(names)
    assert all(port.kind != "dynamic" for port in declared.inputs[1:])


# From CANN 8.1's lists: op type, chip, engine, a row; and whether it is there.
FACTS = [
    ("Abs", "910b", "aicore", "i64/i64", True),
    ("Abs", "910", "aicore", "i64/i64", False),
    ("Abs", "910", "aicpu_tf", "i64/i64", True),
    ("Add", "910b", "aicore", "c64/c64/c64", True),
    ("Add", "310b", "aicore", "c64/c64/c64", False),
    ("Add", "310b", "aicore", "bf16/bf16/bf16", True),
    ("Add", "310p", "aicore", "bf16/bf16/bf16", False),
    ("Add", "910", "aicore", "f16/f32/f32", True),
    ("Sub", "910", "aicore", "b/b/b", True),
    ("Mul", "310p", "aicore", "i16/i16/i16", True),
    ("Mul", "910b", "aicore", "i16/i16/i16", False),
    ("Neg", "910", "aicore", "i64/i64", False),
    ("FloorMod", "310b", "aicore", "i64/i64/i64", False),
    ("FloorMod", "910", "aicore", "i64/i64/i64", True),
    ("Equal", "910", "aicore", "u32/u32/b", True),
    ("Equal", "910b", "aicore", "u32/u32/b", False),
    ("LessEqual", "910", "aicore", "u64/u64/b", True),
    ("LessEqual", "910b", "aicore", "u64/u64/b", False),
    ("LeftShift", "910b", "aicore", "i32/i32/i32", False),
    ("LeftShift", "910b", "aicpu", "u64/u64/u64", True),
    ("NextAfter", "910b", "aicpu_tf", "f16/f16/f16", False),
    ("IsFinite", "310p", "aicore", "f32/b", True),
    ("IsFinite", "910", "aicore", "f32/b", False),
    ("IsNan", "310p", "aicore", "f32/b", False),
    ("Trunc", "310b", "aicore", "f32/f32", False),
    ("Invert", "910b", "aicore", "u16/u16", True),
    ("Invert", "910b", "aicore", "i32/i32", False),
    ("Asin", "910b", "aicpu", "c64/c64", False),
    ("ComplexAbs", "910b", "aicore", "c64/f32", True),
    ("ComplexAbs", "910", "aicore", "c64/f32", False),
    ("SelectV2", "910b", "aicore", "b/u8/u8/u8", True),
    ("SelectV2", "910b", "aicore", "b/i16/i16/i16", False),
    ("Cast", "910b", "aicore", "f32/c64", True),
    ("Cast", "910", "aicore", "f32/i32", True),
    ("Cast", "910", "aicore", "f32/i64", False),
    ("Cast", "310p", "aicore", "f32/i64", True),
    ("Cast", "910", "aicore", "f32/bf16", False),
    ("Cast", "910", "aicpu", "f32/bf16", True),
    ("Range", "910b", "aicore", "i64/i64/i64/i64", True),
    ("Range", "310b", "aicore", "i64/i64/i64/i64", False),
    ("LinSpace", "310b", "aicore", "f32/f32/i32/f32", False),
    ("AsStrided", "910", "aicore", "c64/i64/i64/i64/c64", True),
    ("Tile", "910", "aicore", "i8/i32/i8", False),
    ("Tile", "310p", "aicore", "i8/i32/i8", True),
    ("ReduceSum", "910", "aicore", "i32/i64/i32", True),
    ("ReduceSum", "310p", "aicore", "i32/i64/i32", False),
    ("ArgMaxV2", "310p", "aicore", "f32/i64/i32", True),
    ("ArgMaxV2", "310p", "aicore", "f32/i64/i64", False),
    ("MatMulV2", "910b", "aicore", "f32/f32/f32/i8/f32", True),
    ("MatMulV2", "910", "aicore", "f32/f32/f32/i8/f32", False),
    ("MatMulV2", "910b", "aicore", "bf16/bf16/f32/i8/bf16", True),
]


@pytest.mark.parametrize(("op_type", "chip", "engine", "row", "there"), FACTS)
def test_fact(op_type: str, chip: str, engine: Any, row: str, there: bool) -> None:
    assert (row in short(PROTOTYPES[op_type].rows.get((engine, chip), ()))) is there


@pytest.mark.parametrize(
    ("name", "family"),
    [
        ("Ascend910B1", "910b"),
        ("Ascend910B4-1", "910b"),
        ("Ascend910_9391", "910_93"),
        ("Ascend910A", "910"),
        ("Ascend910ProB", "910"),
        ("Ascend310P3", "310p"),
        ("Ascend310B4", "310b"),
        ("910b", "910b"),
    ],
)
def test_chips_by_name(name: str, family: str) -> None:
    assert soc.family(name) == family


def test_an_unknown_chip_is_refused() -> None:
    with pytest.raises(ValueError, match="no operator table for the chip 'Ascend99X'; there are tables for 910b"):
        soc.family("Ascend99X")
