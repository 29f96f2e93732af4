"""Op types that make values out of none, and that change a dtype. Facts of CANN 8.1."""

from __future__ import annotations

from ..prototype import declare

declare(
    "Cast",
    "x",
    "y",
    attrs="dst_type:Int",
    rows="T T",
    aicore={
        "910b 910_93": (
            "b/i8|i32|i64|u8|f16|bf16|f32 u16/i8|i16|i32|i64|u8|u32 u32/i8|i16|i32|i64|u8|u16 "
            "bf16/b|i8|i32|u8|f16|f32 i8/b|i16|i32|i64|u8|u16|u32|f16|bf16|f32 "
            "i16/i8|i32|i64|u8|u16|u32|f16|f32 i32/b|i8|i16|i64|u8|u16|u32|f16|bf16|f32 "
            "i64/b|i8|i16|i32|u8|u16|u32|f16|bf16|f32 u8/i8|i16|i32|i64|u16|u32|f16|bf16|f32 "
            "f16/b|i8|i16|i32|i64|u8|bf16|f32 f32/b|i8|i16|i32|i64|u8|f16|bf16|c64"
        ),
        "910": (
            "f32/b|i32|f16 b/i8|i32|i64|u8|f16|f32 i8/b|i32|f16|f32 i32/b|i8|i64|u8|f16|f32 "
            "i64/b|i32|u8|f16 u8/i32|i64|f16|f32 f16/b|i8|i32|u8|f32"
        ),
        "310p": (
            "i16/f32 b/i8|i32|i64|u8|f16|f32 i8/b|i32|f16|f32 i32/b|i8|i64|u8|f16|f32 "
            "i64/b|i32|u8|f16|f32 u8/i32|i64|f16|f32 f16/b|i8|i32|u8|f32 f32/b|i8|i16|i32|i64|u8|f16"
        ),
        "310b": (
            "b/i8|i32|i64|u8|f16|f32 i8/b|i32|f16|f32 i32/b|i8|i64|u8|f16|f32 i64/b|i32|u8|f16|f32 "
            "u8/i32|i64|f16|f32 f16/b|i8|i32|u8|f32 f32/b|i32|i64|u8|f16"
        ),
    },
    aicpu=(
        "b|i8|i16|i32|i64|u8|u16|u32|u64|f16|bf16|f32|f64/b|i8|i16|i32|i64|u8|u16|u32|u64|f16|bf16|f32|f64|c64|c128"
    ),
    aicpu_tf=(
        "b|i8|i16|i32|i64|u8|u16|u32|u64|f16|f32|f64|c64|c128/b|i8|i16|i32|i64|u8|u16|u32|u64|f16|f32|f64|c64|c128"
    ),
)

declare(
    "Eye",
    "",
    "y",
    attrs="num_rows:Int num_columns:Int=0 batch_shape:ListInt=[] dtype:Int=0",
    rows="T",
    aicore={
        "910b 910_93": "b i8 i16 i32 i64 u8 f16 bf16 f32",
        "910 310p 310b": "b i8 i16 i32 i64 u8 f16 f32",
    },
)

declare(
    "Fill",
    "dims! value",
    "y",
    rows="I T T",
    aicore={
        "910b 910_93": "b i8 i32 i64 f16 bf16 f32",
        "910 310p 310b": "b i8 i32 i64 f16 f32",
    },
    aicpu_tf="b i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64 c64 c128",
)

declare(
    "LinSpace",
    "start! stop! num!",
    "output",
    rows="T T I T",
    aicore={
        "910b 910_93": "i8 i16 i32 u8 f16 bf16 f32",
        "910 310p": "i8 i32 u8 f16 f32",
    },
    aicpu="f32 f64",
)

declare(
    "OnesLike",
    "x",
    "y",
    rows="T T",
    aicore={
        "910b 910_93": "b i8 i32 u8 f16 bf16 f32",
        "910 310p": "i8 i32 u8 f16 f32",
        "310b": "b i8 i32 u8 f16 f32",
    },
    aicpu="b i8 i16 i32 i64 u8 u16 f16 f32 f64",
    aicpu_tf="b i8 i16 i32 i64 u8 u16 f16 f32 f64 c64 c128",
)

declare(
    "Range",
    "start! limit! delta!",
    "y",
    attrs="is_closed:Bool=False",
    rows="T T T T",
    aicore={
        "910b 910_93": (
            "i32 i64 f16 bf16 f32 i32/i32|f32/f32/f32 i32|f32/f32/i32/f32 f32/i32/i32|f32/f32 "
            "f64/f64/f64/i32|f16|bf16|f32"
        ),
        "910 310p": (
            "i32 i64 f16 f32 i32/i32|f32/f32/f32 i32|f32/f32/i32/f32 f32/i32/i32|f32/f32 f64/f64/f64/i32|f16|f32"
        ),
        "310b": "i32 f16 f32 i32/i32|f32/f32/f32 i32|f32/f32/i32/f32 f32/i32/i32|f32/f32",
    },
    aicpu_tf="i32 i64 f32 f64",
)

declare(
    "Tril",
    "x",
    "y",
    attrs="diagonal:Int=0",
    rows="T T",
    aicore={
        "910b 910_93": "b i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64",
        "910 310p 310b": "b i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64",
    },
    aicpu="b i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64",
)

declare(
    "Triu",
    "x",
    "y",
    attrs="diagonal:Int=0",
    rows="T T",
    aicore={
        "910b 910_93": "b i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64",
        "910 310p 310b": "b i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64",
    },
    aicpu="b i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64",
)

declare(
    "ZerosLike",
    "x",
    "y",
    rows="T T",
    aicore={
        "910b 910_93": "b i8 i32 i64 u8 f16 bf16 f32",
        "910 310p 310b": "b i8 i32 i64 u8 f16 f32",
    },
    aicpu_tf="b i8 i16 i32 i64 u8 u16 f16 f32 f64 c64 c128",
)

declare(
    "RangeD",
    "x",
    "y",
    attrs="start:Float limit:Float delta:Float",
    rows="T T",
    aicore="i32 f32",
)
