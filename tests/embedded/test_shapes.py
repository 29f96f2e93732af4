"""What inference refuses, and in which words. What it gives is held against NumPy along with the kernels."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ops_registry.prototypes  # noqa: F401
from ascendtensor.embedded.shapes import Facts, OutFacts, ShapeError, infer
from ops_registry import dtypes
from ops_registry.prototype import PROTOTYPES


def complete(op_type: str, attrs: dict[str, Any]) -> dict[str, Any]:
    return {attr.name: attr.default for attr in PROTOTYPES[op_type].attrs.values()} | attrs


def of(*shape: int, dtype: dtypes.DType = dtypes.float32) -> Facts:
    return Facts(dtype, shape)


def const(values: Any, dtype: str = "int64") -> Facts:
    value = np.array(values, dtype)
    return Facts(dtypes.of(dtype), value.shape, value)


def unknown(*shape: int) -> Facts:
    return Facts(dtypes.int64, shape)


SLICE = dict.fromkeys(("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask"), 0)

REFUSED: list[tuple[str, list[Facts | None], dict[str, Any], str]] = [
    ("Add", [of(2, 3), of(4)], {}, r"shapes \(2, 3\) and \(4,\) cannot be broadcast"),
    ("Add", [of(2)], {}, "input 'x2' is missing"),
    ("Add", [of(2), None], {}, "input 'x2' is missing"),
    ("Add", [of(2), of(2), of(2)], {}, "3 inputs are too many; it has 2"),
    ("ArgMaxV2", [of(2, 3), const(2)], {}, r"axis 2 is out of range for shape \(2, 3\)"),
    ("ArgMaxV2", [of(2, 3), const([0, 1])], {}, "'dimension' must be a single number, not 2"),
    ("ArgMaxV2", [of(2, 3), const(0)], {"dtype": 999}, "attribute dtype is 999"),
    ("ArgMin", [of(), const(0)], {}, r"axis 0 is out of range for shape \(\)"),
    ("AsStrided", [of(9), const([2, 2]), const([1]), const([0])], {}, r"size \(2, 2\) and stride \(1,\) differ"),
    ("AsStrided", [of(9), const([-2]), const([1]), const([0])], {}, r"size \[-2\] must not be negative"),
    ("BatchMatMul", [of(2, 3), of(3)], {}, r"\(2, 3\) and \(3,\) must have 2 to 8 dimensions"),
    ("BatchMatMulV2", [of(2, 2, 3), of(3, 3, 4), None, None], {}, r"shapes \(2,\) and \(3,\) cannot be broadcast"),
    ("BatchMatMulV2", [of(2, 3), of(3, 4), of(5), None], {}, r"\(2, 4\) and \(5,\) cannot be broadcast"),
    ("BatchMatMulV2", [of(2, 3), of(3, 4), of(2, 2, 4), None], {}, r"bias of shape \(2, 2, 4\)"),
    ("BatchMatMulV2", [of(1, 1, 1, 1, 1, 2, 3), of(3, 4), None, None], {}, "must have 2 to 6 dimensions"),
    ("BroadcastTo", [of(3), const([2])], {}, r"\(3,\) and \(2,\) cannot be broadcast"),
    ("BroadcastTo", [of(2, 3), const([3])], {}, r"shape \(2, 3\) does not broadcast to \(3,\)"),
    ("BroadcastTo", [of(3), unknown(2)], {}, "depends on the value of 'shape'"),
    ("Cast", [of(3)], {"dst_type": 13}, "attribute dst_type is 13"),
    ("ConcatD", [of(2, 3), of(3, 3)], {"concat_dim": 1}, r"\(2, 3\) and \(3, 3\) differ outside axis 1"),
    ("ConcatD", [of(2, 3), of(2)], {"concat_dim": 0}, r"\(2, 3\) and \(2,\) differ outside axis 0"),
    ("ConcatD", [], {"concat_dim": 0}, "input 'x' is missing"),
    ("ConcatV2", [of(2), of(2), unknown()], {}, "depends on the value of 'concat_dim'"),
    ("ConcatV2", [], {}, "input 'x' is missing"),
    ("ConcatV2", [const(0)], {}, "input 'x' is missing"),
    ("ConcatV2", [of(2), of(2), const(1)], {}, r"axis 1 is out of range"),
    ("Cumsum", [of(2), const(1)], {}, "axis 1 is out of range"),
    ("CumsumD", [of(2)], {"axis": -2}, "axis -2 is out of range"),
    ("Eye", [], {"num_rows": -1}, r"sizes \[-1, -1\] must not be negative"),
    ("Fill", [unknown(2), of()], {}, "depends on the value of 'dims'"),
    ("Fill", [const([2, -1]), of()], {}, r"dims \[2, -1\] must not be negative"),
    ("GatherV2", [of(2), of(2), unknown()], {}, "depends on the value of 'axis'"),
    ("GatherV2", [of(2), of(2), const(1)], {}, "axis 1 is out of range"),
    ("GatherV2", [of(2, 3), of(4, 3), const(1)], {"batch_dims": 1}, "do not share 1 batch dimensions"),
    ("GatherV2", [of(2, 3), of(2, 3), const(0)], {"batch_dims": 1}, "before axis 0"),
    ("GatherV2", [of(2, 3), of(2), const(1)], {"batch_dims": 2}, "batch_dims 2 is out of range"),
    ("LinSpace", [const(0.0, "float32"), const(1.0, "float32"), unknown()], {}, "the value of 'num'"),
    ("LinSpace", [const(0.0, "float32"), const(1.0, "float32"), const(-1)], {}, r"num \[-1\] must not be"),
    ("MatMul", [of(2, 3), of(2, 4), None], {}, r"\(2, 3\) and \(2, 4\) with transpose_x1 False .*: 3 is not 2"),
    ("MatMulV2", [of(2, 3), of(2, 4), None, None], {"transpose_x2": True}, "3 is not 4"),
    ("MatMulV2", [of(1, 2, 3), of(3, 4), None, None], {}, "must have 2 dimensions"),
    ("Pack", [of(2), of(3)], {}, r"shapes \(2,\) and \(3,\) differ"),
    ("Pack", [of(2), of(2)], {"axis": 2}, "axis 2 is out of range"),
    ("Range", [const(0), const(5), const(0)], {}, "from 0 to 5 in steps of 0"),
    ("Range", [const(0.0, "float32"), const(np.nan, "float32"), const(1.0, "float32")], {}, "from 0.0 to nan"),
    ("Range", [const(0), unknown(), const(1)], {}, "the value of 'limit'"),
    ("ReduceSum", [of(2, 3), const([2])], {}, r"axis 2 is out of range for shape \(2, 3\)"),
    ("ReduceSum", [of(2, 3), const([0, -2])], {}, r"axes \[0, -2\] name a dimension of shape \(2, 3\) twice"),
    ("ReduceMean", [of(2, 3), unknown(1)], {}, "the value of 'axes'"),
    ("ReverseV2", [of(2, 3), const([0, 0])], {}, "twice"),
    ("ReverseV2D", [of(2, 3)], {"axis": [3]}, "axis 3 is out of range"),
    ("SelectV2", [of(2), of(3), of(3)], {}, "cannot be broadcast"),
    ("StridedSlice", [of(3), unknown(1), const([1]), const([1])], SLICE, "the value of 'begin'"),
    ("StridedSlice", [of(3), const([0]), const([1, 2]), const([1])], SLICE, "differ in length"),
    ("StridedSlice", [of(3), const([0]), const([1]), const([0])], SLICE, r"stride 0 of \(0,\) is 0"),
    ("StridedSlice", [of(3), const([0, 0]), const([1, 1]), const([1, 1])], SLICE, "2 slices are too many"),
    ("StridedSlice", [of(3), const([3]), const([4]), const([1])], SLICE | {"shrink_axis_mask": 1}, "begin 3 with"),
    ("StridedSlice", [of(3), const([0]), const([1]), const([-1])], SLICE | {"shrink_axis_mask": 1}, "stride -1"),
    ("StridedSlice", [of(3), *[const([1, 1])] * 3], SLICE | {"ellipsis_mask": 3}, "more than one ellipsis"),
    ("Tile", [of(2, 3), const([2])], {}, r"multiples \[2\] must have a number for each dimension of shape \(2, 3\)"),
    ("Tile", [of(2), const([-1])], {}, "must not be negative"),
    ("Transpose", [of(2, 3), const([0, 0])], {}, r"perm \[0, 0\] does not order the dimensions of shape \(2, 3\)"),
    ("TransposeD", [of(2, 3)], {"perm": [0]}, r"perm \[0\]"),
    ("Tril", [of(3)], {}, r"x must have at least 2 dimensions; its shape is \(3,\)"),
    (
        "ViewCopy",
        [of(9), const([2]), const([1]), const([0]), of(9), const([3]), const([1]), const([0])],
        {},
        r"dst_size \(2,\) and src_size \(3,\) differ",
    ),
    (
        "ViewCopy",
        [of(9), const([2]), const([1]), const([0]), of(9), const([2]), const([1, 1]), const([0])],
        {},
        r"src_size \(2,\) and src_stride \(1, 1\) differ in length",
    ),
]


@pytest.mark.parametrize(("op_type", "inputs", "attrs", "message"), REFUSED)
def test_refused(op_type: str, inputs: list[Facts | None], attrs: dict[str, Any], message: str) -> None:
    with pytest.raises(ShapeError, match=f"^{op_type}: .*{message}"):
        infer(op_type, inputs, complete(op_type, attrs))


def test_an_op_type_that_is_not_declared() -> None:
    with pytest.raises(ShapeError, match=r"^Frobnicate: no such operator"):
        infer("Frobnicate", [], {})


@pytest.mark.parametrize(
    ("op_type", "inputs", "shape"),
    [
        ("Cumsum", [of(2, 3), unknown()], (2, 3)),
        ("ReverseV2", [of(2, 3), unknown(1)], (2, 3)),
        ("AsStrided", [of(9), const([2, 2]), unknown(2), unknown(1)], (2, 2)),
        ("LinSpace", [of(1), of(1), const(4)], (4,)),
        ("ViewCopy", [of(9), *[unknown(1)] * 3, of(4), *[unknown(1)] * 3], (9,)),
    ],
)
def test_a_value_that_the_shape_can_do_without(
    op_type: str, inputs: list[Facts | None], shape: tuple[int, ...]
) -> None:
    assert infer(op_type, inputs, complete(op_type, {}))[0].shape == shape


@pytest.mark.parametrize(
    ("op_type", "given", "told"),
    [
        ("Add", "f16 f32", "f32"),
        ("Add", "f32 bf16", "f32"),
        ("Mul", "bf16 f32", "f32"),
        ("RealDiv", "b b", "f32"),
        ("RealDiv", "i32 i32", "i32"),
        ("Equal", "f64 f64", "b"),
        ("SelectV2", "b f16 f16", "f16"),
        ("MatMul", "bf16 bf16", "bf16"),
        ("Neg", "i8", "i8"),
    ],
)
def test_output_dtypes(op_type: str, given: str, told: str) -> None:
    inputs: list[Facts | None] = [of(2, 2, dtype=dtypes.BY_SHORT[short]) for short in given.split()]
    inputs += [None] * (len(PROTOTYPES[op_type].inputs) - len(inputs))
    assert infer(op_type, inputs, complete(op_type, {})) == [OutFacts(dtypes.BY_SHORT[told], (2, 2))]


def test_the_bias_does_not_decide_the_dtype() -> None:
    half = of(2, 2, dtype=dtypes.bfloat16)
    assert infer("MatMul", [half, half, of(2)], complete("MatMul", {}))[0].dtype is dtypes.bfloat16


@pytest.mark.parametrize(
    ("start", "limit", "delta", "told"),
    [
        ("f32", "i32", "f32", "f32"),
        ("i32", "i32", "f32", "f32"),
        ("f64", "f64", "f64", "f64"),
        ("i64", "i64", "i64", "i64"),
    ],
)
def test_the_dtype_of_a_mixed_range(start: str, limit: str, delta: str, told: str) -> None:
    inputs: list[Facts | None] = [
        const(value, dtypes.BY_SHORT[short].name) for value, short in zip((0, 5, 1), (start, limit, delta), strict=True)
    ]
    assert infer("Range", inputs, {"is_closed": False}) == [OutFacts(dtypes.BY_SHORT[told], (5,))]


def test_a_long_range_of_integers_is_counted_exactly() -> None:
    inputs: list[Facts | None] = [const(0), const(2**62 + 1), const(1)]
    assert infer("Range", inputs, {"is_closed": False})[0].shape == (2**62 + 1,)
    assert infer("Range", inputs, {"is_closed": True})[0].shape == (2**62 + 2,)


def test_optional_inputs_may_be_left_out() -> None:
    told = infer("MatMulV2", [of(2, 3), of(3, 4)], complete("MatMulV2", {}))
    assert told == [OutFacts(dtypes.float32, (2, 4))]
