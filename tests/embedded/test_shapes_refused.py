"""What inference refuses of the op types beyond the first chapters, and in which words."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from test_kernels import complete

from ascendtensor.embedded.shapes import Facts, ShapeError, infer
from ops_registry import dtypes


def of(*shape: int) -> Facts:
    return Facts(dtypes.float32, shape)


def const(values: Any) -> Facts:
    value = np.array(values, np.int64)
    return Facts(dtypes.int64, value.shape, value)


def unknown(*shape: int) -> Facts:
    return Facts(dtypes.int64, shape)


SLICED = {"begin": [0], "end": [1], "strides": [0]}
POOL = {"ksize": [1, 2, 2, 1], "strides": [1, 1, 1, 1], "padding": "VALID"}

REFUSED: list[tuple[str, list[Facts | None], dict[str, Any], str]] = [
    ("AddN", [of(2), of(3)], {"N": 2}, r"shapes \(2,\) and \(3,\) differ"),
    ("ArgMaxD", [of(2)], {"dimension": 1}, "axis 1 is out of range"),
    ("ArgMaxWithValue", [of(2)], {"dimension": -2}, "axis -2 is out of range"),
    ("AvgPool", [of(2, 3)], POOL, r"x must have 4 dimensions; its shape is \(2, 3\)"),
    ("AvgPoolV2", [of(1, 1, 3, 3)], {"ksize": [2, 2, 2, 2], "strides": [1, 1, 1, 1]}, "must be 1 along N"),
    ("BatchNorm", [of(2, 3), of(2), of(3), None, None], {}, r"scale of shape \(2,\) must have a number for each of 3"),
    ("BatchNorm", [of(2, 3), of(3), of(3), None, None], {"is_training": False}, "mean and variance are needed"),
    ("BiasAdd", [of(2, 3), of(2)], {}, r"bias of shape \(2,\) does not fit the channels of x"),
    ("Bincount", [of(2), const(-1), of(2)], {}, r"size \[-1\] must not be negative"),
    ("Cholesky", [of(2, 3)], {}, r"x must hold square matrices; its shape is \(2, 3\)"),
    ("Cross", [of(2, 3), of(3)], {"dim": 1}, r"shapes \(2, 3\) and \(3,\) differ"),
    ("Cross", [of(2, 3), of(2, 3)], {"dim": 0}, r"dim 0 of shape \(2, 3\) has not 3 elements"),
    ("Cross", [of(2), of(2)], {}, "has not 3 elements"),
    ("CumprodD", [of(2)], {"axis": 1}, "axis 1 is out of range"),
    ("Dot", [of(2), of(3)], {}, "vectors of 2 and 3 elements differ"),
    ("Dot", [of(2, 2), of(2)], {}, r"input_x must have 1 dimension; its shape is \(2, 2\)"),
    ("ExpandD", [of(3)], {"shape": [2]}, "cannot be broadcast"),
    ("FFT", [of()], {}, "at least 1 dimensions"),
    ("FFT2D", [of(3)], {}, "at least 2 dimensions"),
    ("Flatten", [of(3)], {"axis": 2}, "axis 2 is out of range"),
    ("Gather", [of(2, 3), of(3)], {"batch_dims": 1}, "do not share 1 batch dimensions"),
    ("GatherElements", [of(2, 3), of(3, 3)], {"dim": 1}, r"indices of shape \(3, 3\) do not lie within shape \(2, 3\)"),
    ("GatherElements", [of(2, 3), of(3)], {}, "do not lie within"),
    ("GatherNd", [of(2, 3), of(3)], {}, r"indices of shape \(3,\) do not index shape \(2, 3\)"),
    ("Cummax", [of(2)], {"dim": 1}, "axis 1 is out of range"),
    ("Cummin", [of(2)], {"axis": 1}, "axis 1 is out of range"),
    ("GatherV2D", [of(2), of(2)], {"axis": 1}, "axis 1 is out of range"),
    ("LayerNormV4", [of(2, 3), const([2]), None, None], {}, r"normalized_shape \[2\] is not the end of shape \(2, 3\)"),
    ("GatherV3", [of(2), of(2), unknown()], {}, "the value of 'axis'"),
    ("Ger", [of(2), of(2, 2)], {}, "x2 must have 1 dimension"),
    ("HistogramFixedWidth", [of(2), of(2), unknown()], {"dtype": 99}, "attribute dtype is 99"),
    ("LayerNorm", [of(2, 3), of(2), of(3)], {"begin_norm_axis": 1}, r"shapes \(2, 3\) and \(2,\) cannot be broadcast"),
    ("ListDiff", [of(2, 2), of(2)], {}, "x must have 1 dimension"),
    ("LogSoftmaxV2", [of(2)], {"axes": [1]}, "axis 1 is out of range"),
    ("LowerBound", [of(2, 3), of(3, 3)], {}, "must be as many rows"),
    ("LpNormV2", [of(2, 3)], {"axes": [0, -2]}, "twice"),
    ("MaskedFill", [of(2), of(3), of()], {}, "cannot be broadcast"),
    ("MaskedFill", [of(2), of(2), of(2)], {}, r"value must be one number; its shape is \(2,\)"),
    ("MaskedScatter", [of(2), of(3, 2), of(6)], {}, r"mask of shape \(3, 2\) does not broadcast to \(2,\)"),
    ("MaskedSelect", [of(2), of(3)], {}, "cannot be broadcast"),
    ("MatMulV3", [of(2, 3), of(2, 3), None, None], {}, "3 is not 2"),
    ("MatrixBandPart", [of(3), unknown(), unknown()], {}, "at least 2 dimensions"),
    ("MatrixDeterminant", [of(3, 2)], {}, "square matrices"),
    ("MatrixDiagPartV3", [of(3, 3), unknown(), of()], {}, "the value of 'k'"),
    ("MatrixDiagPartV3", [of(3, 3), const(3), of()], {}, r"k \[3\] is outside matrices"),
    ("MatrixDiagPartV3", [of(3, 3), const([1, 0]), of()], {}, r"k \[1, 0\] must be a diagonal"),
    ("MatrixDiagPartV3", [of(3, 3), const(0), of()], {"align": "UP"}, "align 'UP'"),
    ("MatrixInverse", [of(3)], {}, "at least 2 dimensions"),
    ("MatrixSolve", [of(2, 2), of(3, 2)], {}, r"rhs of shape \(3, 2\) does not fit matrix, whose shape is \(2, 2\)"),
    ("MaxPool", [of(1, 1, 1, 1)], POOL, "a window of 2 does not fit a dimension of 1"),
    ("MaxPool", [of(1, 3, 3, 1)], POOL | {"padding": "FULL"}, "padding 'FULL' is not known"),
    (
        "MirrorPad",
        [of(2), const([[2, 0]])],
        {"mode": "REFLECT"},
        r"mode 'REFLECT' cannot add \(2, 0\) to a dimension of 2",
    ),
    ("MirrorPad", [of(2), const([[1, 0]])], {"mode": "edge"}, "mode 'edge' is none of REFLECT, SYMMETRIC"),
    ("Multinomial", [of(2), const(3)], {}, "logits must have 2 dimensions"),
    ("OneHot", [of(2), unknown(), of(), of()], {}, "the value of 'depth'"),
    ("OneHotD", [of(2), of(), of()], {"depth": 3, "axis": 2}, "axis 2 is out of range"),
    ("PRelu", [of(2, 3), of(2)], {}, "has neither one number nor 3"),
    ("Pad", [of(2), const([[1, -1]])], {}, r"paddings \[1, -1\] must not be negative"),
    ("Pad", [of(2), const([[1, 1], [0, 0]])], {}, "two numbers for each dimension"),
    ("PadV2", [of(2), unknown(1, 2), of()], {}, "the value of 'paddings'"),
    (
        "PadV3",
        [of(2), const([1, 0]), None],
        {"mode": "symmetric"},
        "mode 'symmetric' is none of constant, edge, reflect",
    ),
    ("PadV3", [of(0), const([1, 0]), None], {"mode": "edge"}, "cannot add"),
    ("Pinverse", [of(3)], {}, "at least 2 dimensions"),
    ("Qr", [of(3)], {}, "at least 2 dimensions"),
    ("RFFT", [of(3), const([0])], {}, "fft_length 0 must be positive"),
    ("IRFFT", [of(), const([1])], {}, "x must have at least 1 dimension"),
    ("RandomUniform", [const([2, -1])], {"dtype": 0}, r"shape \[2, -1\] must not be negative"),
    ("RandomUniform", [const([2])], {"dtype": 99}, "attribute dtype is 99"),
    ("RandomUniformInt", [const([2]), of(2), of()], {}, "'min' must be a single number"),
    ("RangeD", [of(2)], {"start": 0.0, "limit": 5.0, "delta": 1.0}, "does not hold the range"),
    ("ReduceStdV2Update", [of(2, 3), of(4)], {"dim": [1]}, r"mean of shape \(4,\) does not fit shape \(2, 3\)"),
    ("ReduceSumD", [of(2)], {"axes": [1]}, "axis 1 is out of range"),
    ("RepeatInterleave", [of(2, 3), const([1, 2])], {"axis": 1}, "2 repeats for axis 1"),
    ("RepeatInterleave", [of(2), const([-1])], {}, "must not be negative"),
    ("RmsNorm", [of(2, 3), of(2)], {}, r"gamma of shape \(2,\) is not the end of shape \(2, 3\)"),
    ("Roll", [of(2, 3)], {"shifts": [1, 2], "dims": [0]}, r"shifts \[1, 2\] and dims \[0\] differ in length"),
    ("Roll", [of(2)], {"shifts": [1], "dims": [1]}, "axis 1 is out of range"),
    ("ScatterElements", [of(2, 3), of(1, 3), of(2, 3)], {}, "of indices and .* of updates differ"),
    ("ScatterElements", [of(2), of(2), of(2)], {"reduction": "max"}, "reduction 'max'"),
    ("ScatterNd", [of(2, 1), of(3), const([4])], {}, r"x of shape \(3,\) do not fit what the indices reach, \(2,\)"),
    ("ScatterNdUpdate", [of(2, 3), of(1, 1), of(2)], {}, r"updates of shape \(2,\) do not fit .*\(1, 3\)"),
    ("ScatterUpdate", [of(), of(1), of(1)], {}, "var must have a dimension"),
    ("SearchSorted", [of(2, 3), of(3, 3), None], {}, "does not go with values"),
    ("SearchSorted", [of(3), of(3), of(2)], {}, r"sorter of shape \(2,\)"),
    ("Select", [of(3), of(2, 3), of(2, 3)], {}, r"condition of shape \(3,\) fits neither \(2, 3\) nor"),
    ("Select", [of(2), of(2), of(3)], {}, r"shapes \(2,\) of x1 and \(3,\) of x2 differ"),
    ("SelfAdjointEig", [of(2, 3)], {}, "square"),
    ("Slice", [of(3), const([1]), const([3])], {}, r"offsets \(1,\) and size \(3,\) reach outside shape \(3,\)"),
    ("Slice", [of(3), const([1, 1]), const([1])], {}, "a number for each dimension"),
    ("SoftmaxV2", [of(2)], {"axes": [0, -1]}, "twice"),
    ("Sort", [of(2)], {"axis": 1}, "axis 1 is out of range"),
    ("Split", [const(0), of(3)], {"num_split": 2}, "does not split into 2 equal parts"),
    ("SplitD", [of(3)], {"num_split": 0, "split_dim": 0}, "does not split into 0 equal parts"),
    ("SplitV", [of(5), const([2, 2]), const(0)], {"num_split": 2}, r"does not split into 2 parts of sizes \[2, 2\]"),
    ("SplitV", [of(5), const([-1, -1]), const(0)], {"num_split": 2}, "does not split"),
    ("StatelessRandperm", [const(-1), unknown(), unknown()], {}, r"n \[-1\] must not be negative"),
    (
        "StridedSliceAssignV2",
        [of(3), of(2), *[const([1])] * 3, None],
        {},
        r"\(2,\) cannot be broadcast together|does not fit",
    ),
    ("StridedSliceAssignV2", [of(3), of(1), const([0, 0]), *[const([1])] * 2, None], {}, "differ in length"),
    ("StridedSliceD", [of(3)], SLICED, r"stride 0 of \(0,\) is 0"),
    ("Svd", [of(2)], {}, "at least 2 dimensions"),
    ("TileD", [of(2)], {"multiples": [-1]}, "must not be negative"),
    ("TopK", [of(2), const(3)], {}, r"k is 3, axis 0 of shape \(2,\) has 2"),
    ("TopKD", [of(2), of(4)], {"k": -1}, "k is -1"),
    ("Trace", [of(2, 2, 2)], {}, r"x must have 2 dimensions; its shape is \(2, 2, 2\)"),
    ("UniqueConsecutive", [of(2)], {"axis": 1}, "axis 1 is out of range"),
    ("UniqueWithCountsExt2", [of(2, 2), const([2])], {}, "axis 2 is out of range"),
    ("UniqueWithCountsExt2", [of(2, 2), unknown(1)], {}, "the value of 'axis'"),
    ("Unpack", [of(2, 3)], {"num": 2, "axis": 1}, r"num is 2, axis 1 of shape \(2, 3\) has 3"),
]


@pytest.mark.parametrize(("op_type", "inputs", "attrs", "message"), REFUSED)
def test_refused(op_type: str, inputs: list[Facts | None], attrs: dict[str, Any], message: str) -> None:
    with pytest.raises(ShapeError, match=f"^{op_type}: .*({message})"):
        infer(op_type, inputs, complete(op_type, attrs))


@pytest.mark.parametrize(
    ("op_type", "inputs", "attrs", "dtype"),
    [
        ("ArgMaxWithValue", [of(2)], {"dimension": 0}, "int32"),
        ("LayerNorm", [of(2), of(2), of(2)], {}, "float32"),
        ("ListDiff", [of(2), of(2)], {"out_idx": dtypes.int64.code}, "float32"),
        ("NonZero", [of(2)], {"dtype": dtypes.int32.code}, "int32"),
        ("Where", [of(2)], {}, "int64"),
        ("Trace", [Facts(dtypes.uint8, (2, 2))], {}, "int64"),
        ("Trace", [Facts(dtypes.uint64, (2, 2))], {}, "uint64"),
        ("Trace", [Facts(dtypes.int16, (2, 2))], {}, "int64"),
        ("Trace", [Facts(dtypes.bool_, (2, 2))], {}, "int64"),
        ("Trace", [of(2, 2)], {}, "float32"),
        ("RFFT", [of(2), const([2])], {}, "complex64"),
        ("OneHot", [const([1]), const(3), of(), of()], {}, "float32"),
        ("UpperBound", [of(1, 2), of(1, 2)], {"out_type": dtypes.int64.code}, "int64"),
        ("StatelessRandperm", [const(3), unknown(), unknown()], {"dtype": dtypes.float16.code}, "float16"),
    ],
)
def test_dtypes_of_the_first_output(
    op_type: str, inputs: list[Facts | None], attrs: dict[str, Any], dtype: str
) -> None:
    assert infer(op_type, inputs, complete(op_type, attrs))[0].dtype.name == dtype


@pytest.mark.parametrize(
    ("op_type", "inputs", "attrs", "shape"),
    [
        ("TopK", [of(2, 5), unknown()], {}, (2, -1)),
        ("RFFT", [of(2, 5), unknown(1)], {}, (2, -1)),
        ("RandomUniform", [unknown(3)], {"dtype": 0}, (-1, -1, -1)),
        ("StatelessRandperm", [unknown(1), unknown(), unknown()], {}, (-1,)),
        ("Multinomial", [of(4, 2), unknown()], {}, (4, -1)),
        ("UniqueWithCountsExt2", [of(7), unknown(1)], {}, (-1,)),
        ("UniqueWithCountsExt2", [of(1), unknown(1)], {}, (1,)),
        ("NonZero", [of(0, 3)], {}, (0, 2)),
        ("Cumprod", [of(2), unknown()], {}, (2,)),
    ],
)
def test_a_value_that_is_on_the_device_leaves_the_shape_open(
    op_type: str, inputs: list[Facts | None], attrs: dict[str, Any], shape: tuple[int, ...]
) -> None:
    told = infer(op_type, inputs, complete(op_type, attrs))[0]
    assert told.shape == shape
    assert (told.ranges is not None) == (-1 in shape)
