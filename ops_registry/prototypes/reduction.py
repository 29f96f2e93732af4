"""Reductions and scans along axes. Facts of CANN 8.1."""

from __future__ import annotations

from ..prototype import declare

declare(
    "ArgMaxV2",
    "x dimension!",
    "y",
    attrs="dtype:Type=int64",
    rows="T I J",
    aicore={
        "910b 910_93": "i32 i64 f16 bf16 f32",
        "910": "i64 f16 f32",
        "310p": "f16|f32/i32|i64/i32",
        "310b": "i32|f16|f32/i32|i64/i32",
    },
    aicpu_tf="i8 i16 i32 i64 u8 u16 f16 f32 f64",
)

declare(
    "ArgMin",
    "x dimension!",
    "y",
    attrs="dtype:Type=int64",
    rows="T I J",
    aicore={
        "910b 910_93": "i32 i64 f16 bf16 f32",
        "910": "i64 f16 f32",
        "310p": "f16|f32/i32|i64/i32",
        "310b": "i32|f16|f32/i32|i64/i32",
    },
    aicpu_tf="i8 i16 i32 i64 u8 u16 f16 f32 f64",
)

declare(
    "Cumsum",
    "x axis!",
    "y",
    attrs="exclusive:Bool=False reverse:Bool=False",
    rows="T I T",
    aicore={
        "910b 910_93": "i32 f16 bf16 f32",
        "910 310p 310b": "i32 f16 f32",
    },
    aicpu="i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64 c64 c128",
    aicpu_tf="i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64 c64 c128",
)

declare(
    "CumsumD",
    "x",
    "y",
    attrs="axis:Int exclusive:Bool=False reverse:Bool=False",
    rows="T T",
    aicore="i8 i32 u8 f16 f32",
)

declare(
    "ReduceAll",
    "x axes!",
    "y",
    attrs="keep_dims:Bool=False",
    rows="T I T",
    aicore="b",
    aicpu="b",
    aicpu_tf="b",
)

declare(
    "ReduceAny",
    "x axes!",
    "y",
    attrs="keep_dims:Bool=False",
    rows="T I T",
    aicore="b",
    aicpu_tf="b",
)

declare(
    "ReduceMax",
    "x axes!",
    "y",
    attrs="keep_dims:Bool=False",
    rows="T I T",
    aicore={
        "910b 910_93": "i8 i32 i64 u8 f16 bf16 f32",
        "910": "i32 u8 f16 f32",
        "310p 310b": "i8 i32 i64 u8 f16 f32",
    },
    aicpu_tf="i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64",
)

declare(
    "ReduceMean",
    "x axes!",
    "y",
    attrs="keep_dims:Bool=False noop_with_empty_axes:Bool=True",
    rows="T I T",
    aicore={
        "910b 910_93": "f16 bf16 f32",
        "910 310p 310b": "f16 f32",
    },
    aicpu="i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64 c64 c128",
    aicpu_tf="i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64 c64 c128",
)

declare(
    "ReduceMin",
    "x axes!",
    "y",
    attrs="keep_dims:Bool=False",
    rows="T I T",
    aicore={
        "910b 910_93": "i8 i32 i64 u8 f16 bf16 f32",
        "910": "i32 u8 f16 f32",
        "310p 310b": "i8 i32 i64 u8 f16 f32",
    },
    aicpu_tf="i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64 c64 c128",
)

declare(
    "ReduceProd",
    "x axes!",
    "y",
    attrs="keep_dims:Bool=False",
    rows="T I T",
    aicore={
        "910b 910_93": "i8 i64 u8 f16 bf16 f32",
        "910 310p 310b": "i8 i64 u8 f16 f32",
    },
    aicpu_tf="i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64 c64 c128",
)

declare(
    "ReduceSum",
    "x axes!",
    "y",
    attrs="keep_dims:Bool=False",
    rows="T I T",
    aicore={
        "910b 910_93": "i32 i64 f16 bf16 f32",
        "910": "i32 f16 f32",
        "310p": "i64 f16 f32",
        "310b": "i32 i64 f16 f32",
    },
    aicpu_tf="i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64 c64 c128",
)
