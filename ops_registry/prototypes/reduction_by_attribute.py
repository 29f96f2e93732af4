"""Reductions and scans whose axes are attributes, and those beyond the standard. Facts of CANN 8.1."""

from __future__ import annotations

from ..prototype import declare

declare(
    "ArgMaxD",
    "x",
    "y",
    attrs="dimension:Int dtype:Type=int64",
    rows="T i32",
    aicore={
        "910 310p": "f16 f32",
    },
)

declare(
    "ArgMaxWithValue",
    "x",
    "indice values",
    attrs="dimension:Int keep_dims:Bool=False",
    rows="T I T",
    aicore={
        "910b 910_93": "i32 i64 f16 bf16 f32",
        "910": "i64 f16 f32",
        "310p": "f16/i32/f16 f32/i32/f32",
        "310b": "i32/i32/i32 f16/i32/f16 f32/i32/f32",
    },
)

declare(
    "ArgMinD",
    "x",
    "y",
    attrs="dimension:Int dtype:Type=int64",
    rows="T i32",
    aicore={
        "910 310p": "f16 f32",
    },
)

declare(
    "ArgMinWithValue",
    "x",
    "indice values",
    attrs="dimension:Int keep_dims:Bool=False",
    rows="T I T",
    aicore={
        "910b 910_93": "i32 i64 f16 bf16 f32",
        "910": "i64 f16 f32",
        "310p": "f16/i32/f16 f32/i32/f32",
        "310b": "i32/i32/i32 f16/i32/f16 f32/i32/f32",
    },
)

declare(
    "Cummax",
    "x",
    "y indices",
    attrs="dim:Int",
    rows="T T I",
    aicpu="i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64",
)

declare(
    "Cummin",
    "x",
    "y indices",
    attrs="axis:Int",
    rows="T T I",
    aicore={
        "910b 910_93": "i8/i8/i32 i32/i32/i32 u8/u8/i32 f16/f16/i32 bf16/bf16/i32 f32/f32/i32",
        "910": "i8/i8/i32 i32/i32/i32 u8/u8/i32 f16/f16/i32 f32/f32/i32",
    },
    aicpu="i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64",
)

declare(
    "Cumprod",
    "x axis",
    "y",
    attrs="exclusive:Bool=False reverse:Bool=False",
    rows="T I T",
    aicpu_tf="i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64 c64 c128",
)

declare(
    "CumprodD",
    "x",
    "y",
    attrs="axis:Int exclusive:Bool=False reverse:Bool=False",
    rows="T T",
    aicore="i8 i32 u8 f16 f32",
)

declare(
    "L2Loss",
    "x",
    "y",
    rows="T T",
    aicore={
        "910b 910_93 310b": "f16 bf16 f32",
        "910 310p": "f16 f32",
    },
    aicpu_tf="f16 f32 f64",
)

declare(
    "ReduceAllD",
    "x",
    "y",
    attrs="axes:ListInt keep_dims:Bool=False",
    rows="T T",
    aicore="b",
)

declare(
    "ReduceAnyD",
    "x",
    "y",
    attrs="axes:ListInt keep_dims:Bool=False",
    rows="T T",
    aicore="b",
)

declare(
    "ReduceLogSumExp",
    "x axes!",
    "y",
    attrs="keep_dims:Bool=False",
    rows="T I T",
    aicore="f16 f32",
)

declare(
    "ReduceMaxD",
    "x",
    "y",
    attrs="axes:ListInt keep_dims:Bool=False",
    rows="T T",
    aicore={
        "910b 910_93": "b i8 i32 u8 f16 bf16 f32",
        "910 310p 310b": "b i8 i32 u8 f16 f32",
    },
)

declare(
    "ReduceMeanD",
    "x",
    "y",
    attrs="axes:ListInt keep_dims:Bool=False noop_with_empty_axes:Bool=False",
    rows="T T",
    aicore={
        "910b 910_93": "f16 bf16 f32",
        "910 310p 310b": "f16 f32",
    },
)

declare(
    "ReduceMinD",
    "x",
    "y",
    attrs="axes:ListInt keep_dims:Bool=False",
    rows="T T",
    aicore={
        "910b 910_93": "i8 i32 u8 f16 bf16 f32",
        "910 310p 310b": "i8 i32 u8 f16 f32",
    },
)

declare(
    "ReduceProdD",
    "x",
    "y",
    attrs="axes:ListInt keep_dims:Bool=False",
    rows="T T",
    aicore={
        "910b 910_93": "i8 u8 f16 bf16 f32",
        "910 310p 310b": "i8 u8 f16 f32",
    },
)

declare(
    "ReduceStd",
    "x",
    "y1 y2",
    attrs="dim:ListInt=[] unbiased:Bool=True keepdim:Bool=False",
    rows="T T T",
    aicore={
        "910b 910_93 910 310b": "f16 f32",
    },
)

declare(
    "ReduceStdV2Update",
    "x mean",
    "output_var",
    attrs="dim:ListInt if_std:Bool=False unbiased:Bool=True keepdim:Bool=False correction:Int=1",
    rows="T T T",
    aicore={
        "910b 910_93": "f16 bf16 f32",
        "910 310p 310b": "f16 f32",
    },
)

declare(
    "ReduceStdWithMean",
    "x mean",
    "y",
    attrs=(
        "dim:ListInt=[] unbiased:Bool=True keepdim:Bool=False invert:Bool=False epsilon:Float=0.001 correction:Int=1"
    ),
    rows="T T T",
    aicore={
        "910b 910_93": "f16 bf16 f32",
        "910 310p 310b": "f16 f32",
    },
)

declare(
    "ReduceSumD",
    "x",
    "y",
    attrs="axes:ListInt keep_dims:Bool=False",
    rows="T T",
    aicore={
        "910b 910_93": "f16 bf16 f32",
        "910 310p 310b": "f16 f32",
    },
)
