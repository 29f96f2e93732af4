"""Every lowering on every chip: only calls that CANN's tables allow, and the same values whatever the route."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from ops_registry import dtypes, soc
from ops_registry.dtypes import DType
from ops_registry.lowerings import LOWERINGS, lower
from ops_registry.lowerings.elementwise import ACCEPTS
from ops_registry.program import Call, Program, Spec, Value
from ops_registry.prototype import PROTOTYPES, Port
from ops_registry.routes import WIDER, route_kinds

from ..elementwise_table import BINARY
from .calls import CALLS, CASES, ON_HOST, Case
from .interpreter import interpret

EVERY_CASE = [
    pytest.param(chip, function, id=f"{chip}-{function}") for chip in soc.ALL for function in sorted(LOWERINGS)
]


# Ports that may hold any tensor, but constants in the library's calls: they decide the output's shape, and an op whose
# shape is known beforehand need not be waited for.
SIZES = {
    ("Bincount", "size"),
    ("IRFFT", "fft_length"),
    ("RFFT", "fft_length"),
    ("StatelessRandomNormalV2", "shape"),
    ("StatelessRandomUniformFullIntV2", "shape"),
    ("StatelessRandomUniformV2", "shape"),
    ("StatelessRandperm", "n"),
}


def cases_of(function: str) -> list[tuple[DType, Case]]:
    return [(dtype, case) for name, dtype, case in CASES if name == function]


def programs(chip: str, function: str) -> list[tuple[DType, Sequence[Spec], Program]]:
    made = []
    for dtype, case in cases_of(function):
        operands, parameters = case.make(dtype)
        made.append((dtype, operands, lower(function, chip, operands, parameters)))
    return made


def ports_of(call: Call) -> list[Port]:
    """The port of each input tensor: a dynamic one takes as many as the others leave."""
    ports = PROTOTYPES[call.op_type].inputs
    if not any(port.kind == "dynamic" for port in ports):
        return list(ports)
    assert ports[0].kind == "dynamic"
    return [ports[0]] * (len(call.inputs) - len(ports) + 1) + list(ports[1:])


def test_every_lowering_is_called() -> None:
    assert set(CALLS) == set(LOWERINGS)


@pytest.mark.parametrize(("chip", "function"), EVERY_CASE)
def test_calls_are_those_of_the_prototypes(chip: str, function: str) -> None:
    for _, _, program in programs(chip, function):
        constants = {constant.slot: constant for constant in program.constants}
        for call in program.calls:
            prototype = PROTOTYPES[call.op_type]
            ports = ports_of(call)
            assert len(ports) == len(call.inputs), call
            assert len(prototype.outputs) == len(call.outputs), call
            if call.engine != "host":
                assert has_row(call, ports, chip), call
            for name, value in call.attrs.items():
                assert name in prototype.attrs, call
                assert value != prototype.attrs[name].default, "an attribute at its default is left out"
            required = {attr.name for attr in prototype.attrs.values() if attr.required}
            assert required <= set(call.attrs), call
            for port, value in zip(ports, call.inputs, strict=True):
                assert value is not None or port.kind == "optional", call
                compiled_in = value is not None and value.slot in constants and constants[value.slot].compiled_in
                wanted = port.const or (call.op_type, port.name) in SIZES
                assert compiled_in == (wanted and value is not None), (call, port)
            if any(port.kind == "dynamic" for port in ports):
                assert call.attrs.get("N", 1) == sum(port.kind == "dynamic" for port in ports), call
            for name in ("dst_type", "Tout"):
                if name in call.attrs:
                    assert call.attrs[name] == call.outputs[0].dtype.code, call


def has_row(call: Call, ports: list[Port], chip: str) -> bool:
    """Whether the engine's table has the call's dtypes, one entry a port."""
    of_port: dict[str, set[DType | None]] = {}
    for port, value in zip(ports, call.inputs, strict=True):
        of_port.setdefault(port.name, set()).add(value.dtype if value else None)
    assert all(len(told) == 1 for told in of_port.values()), "the tensors of a port have one dtype"
    wanted = [next(iter(told)) for told in of_port.values()] + [value.dtype for value in call.outputs]
    rows = PROTOTYPES[call.op_type].rows[call.engine, chip]  # type: ignore[index]
    return any(all(w in (None, cell) for w, cell in zip(wanted, row, strict=True)) for row in rows)


@pytest.mark.parametrize(("chip", "function"), EVERY_CASE)
def test_slots_are_written_before_they_are_read(chip: str, function: str) -> None:
    for _, operands, program in programs(chip, function):
        sizes = {slot: Value(slot, spec.dtype, spec.shape).nbytes for slot, spec in enumerate(operands)}
        sizes |= {constant.slot: len(constant.data) for constant in program.constants}
        host = {slot for slot, spec in enumerate(operands) if spec.on_host} | {c.slot for c in program.constants}
        for call in program.calls:
            for value in filter(None, call.inputs):
                assert value.nbytes <= sizes[value.slot], "a call reads what nothing has written"
                assert value.on_host == (value.slot in host), call
            for value in call.outputs:
                if value.slot < len(operands):
                    assert function in ("copy_into", "scatter_into"), "only an assignment writes into an operand"
                else:
                    assert value.slot not in sizes, "a buffer is written once"
                sizes[value.slot] = value.nbytes
        assert max(sizes, default=-1) < program.slots
        given = set(range(len(operands))) | {constant.slot for constant in program.constants}
        for result in program.results:
            assert result.slot not in given, "a result has memory of its own"
            assert result.nbytes == sizes[result.slot]


@pytest.mark.parametrize("chip", soc.ALL)
def test_only_what_no_engine_has_runs_on_the_host(chip: str) -> None:
    found = {
        (function, dtype.short)
        for function in LOWERINGS
        for dtype, _, program in programs(chip, function)
        if any(call.engine == "host" for call in program.calls)
    }
    assert found == ON_HOST


# The values: every chip's programs, run with the same kernels, against those of the first chip, which the
# tests of the functions hold against NumPy.


def samples(spec: Spec, seed: int, special: bool) -> np.ndarray:
    """Values that no route may change: wide ones, fractions, signs."""
    rng = np.random.default_rng(seed)
    dtype = spec.dtype.dtype
    if spec.dtype.kind == "b":
        return rng.integers(0, 2, spec.shape).astype(dtype)
    if spec.dtype.kind in "iu":
        info = np.iinfo(dtype)
        # Some of either end's, some small ones.
        ends = rng.integers(info.min, info.max, spec.shape, dtype=dtype, endpoint=True)
        return np.where(rng.integers(0, 2, spec.shape), ends, rng.integers(0, 5, spec.shape)).astype(dtype)
    values = rng.normal(0, 2, spec.shape)
    if spec.dtype.kind == "c":
        values = values + 1j * rng.normal(0, 2, spec.shape)
    values = np.asarray(values).astype(dtype)
    if special and spec.dtype.kind == "f":
        chosen = rng.choice(np.asarray([np.nan, np.inf, -np.inf, -0.0, 0.5, -1.5]), spec.shape).astype(dtype)
        values = np.where(rng.integers(0, 3, spec.shape), values, chosen)
    return values


def operands_of(function: str, case: Case, operands: Sequence[Spec]) -> list[np.ndarray]:
    return case.fit([samples(spec, seed, function in ACCEPTS) for seed, spec in enumerate(operands)])


@pytest.mark.parametrize(("chip", "function"), EVERY_CASE)
def test_the_route_does_not_show_in_the_values(chip: str, function: str) -> None:
    for (dtype, case), (_, operands, program) in zip(cases_of(function), programs(chip, function), strict=True):
        arrays = operands_of(function, case, operands)
        first_operands, parameters = case.make(dtype)
        wanted = interpret(lower(function, soc.DEFAULT, first_operands, parameters), arrays)
        for got, want in zip(interpret(program, arrays), wanted, strict=True):
            assert (got.dtype, got.shape) == (want.dtype, want.shape)
            if got.dtype.kind in "biu":
                np.testing.assert_array_equal(got, want)
            else:
                wide = np.complex128 if got.dtype.kind == "c" else np.float64
                eps = eps_of(dtypes.of(got.dtype))
                np.testing.assert_allclose(got.astype(wide), want.astype(wide), rtol=4 * eps, atol=4 * eps)


def eps_of(dtype: DType) -> float:
    return {"f16": 2**-10, "bf16": 2**-7, "f32": 2**-23, "c64": 2**-23}.get(dtype.short, 2**-52)


# Widening is exact because every value survives the way there, and the result's way back rounds or wraps once.


@pytest.mark.parametrize("dtype", WIDER, ids=lambda d: d.short)
def test_every_value_survives_in_the_wider_dtypes(dtype: DType) -> None:
    if dtype.kind == "c":
        assert [wider.name for wider in WIDER[dtype]] == ["complex128"]
        return
    if dtype.itemsize <= 2:
        values = np.arange(2 ** (8 * dtype.itemsize)).astype(f"u{dtype.itemsize}")
        values = values[:2].astype(bool) if dtype.kind == "b" else values.view(dtype.dtype)
    else:
        values = np.random.default_rng(0).integers(0, 256, 2**16, dtype=np.uint8).view(dtype.dtype)
    for wider in WIDER[dtype]:
        with np.errstate(invalid="ignore"):
            back = values.astype(wider.dtype).astype(dtype.dtype)
            known = ~np.isnan(values)
        np.testing.assert_array_equal(back[known], values[known])


def test_no_op_is_widened_that_sees_the_width() -> None:
    """Shifts, complements and neighbours depend on the width, and uint64 has nothing wider."""
    for op_type in ("LeftShift", "RightShift", "Invert", "BitwiseXor", "NextAfter", "Cast"):
        assert "widen" not in route_kinds(op_type)
    assert dtypes.uint64 not in WIDER
    assert dtypes.int64 not in WIDER


@pytest.mark.parametrize("op_type", ["Less", "Greater", "Maximum", "FloorDiv", "FloorMod", "RightShift", "Pow", "Abs"])
def test_no_op_that_sees_the_sign_reads_the_other_signedness(op_type: str) -> None:
    assert "wrap" not in route_kinds(op_type)
    assert "bits" not in route_kinds(op_type)


def told(program: Program) -> list[str]:
    """Calls as text: the op type, its data's dtypes, the engine."""
    rows = ("/".join(v.dtype.short for v in (*call.inputs, *call.outputs) if v) for call in program.calls)
    return [f"{call.op_type} {row} {call.engine}" for call, row in zip(program.calls, rows, strict=True)]


# chip, function, dtype -> the calls, an example of each kind of route.
EXAMPLES = [
    ("910b", "add", "f32", ["Add f32/f32/f32 aicore"]),
    # bits: a mover reads another dtype of the same width.
    ("310p", "copy", "bf16", ["TensorMove i16/i16 aicore"]),
    ("910b", "copy", "c64", ["TensorMove i64/i64 aicore"]),
    # bits: a complex128 is moved as a pair.
    ("910b", "copy", "c128", ["TensorMove i64/i64 aicore"]),
    # wrap: unsigned arithmetic on the signed kernel.
    ("910b", "subtract", "u64", ["Sub i64/i64/i64 aicore"]),
    # another engine, where the first has no kernel.
    ("910b", "add", "u16", ["Add u16/u16/u16 aicpu"]),
    ("910b", "sin", "f64", ["Sin f64/f64 aicpu_tf"]),
    # widen: cast, compute, cast back.
    ("310p", "exp", "bf16", ["Cast bf16/f32 aicpu", "Exp f32/f32 aicore", "Cast f32/bf16 aicpu"]),
    (
        "910b",
        "floor_divide",
        "u32",
        ["Cast u32/i64 aicore", "Cast u32/i64 aicore", "FloorDiv i64/i64/i64 aicore", "Cast i64/u32 aicore"],
    ),
    # host: nobody has it.
    ("910b", "remainder", "u64", ["FloorMod u64/u64/u64 host"]),
]


@pytest.mark.parametrize(("chip", "function", "dtype", "calls"), EXAMPLES)
def test_example_of_a_route(chip: str, function: str, dtype: str, calls: list[str]) -> None:
    operands = [Spec(dtypes.BY_SHORT[dtype], (3,))] * (2 if function in BINARY else 1)
    assert told(lower(function, chip, operands)) == calls
