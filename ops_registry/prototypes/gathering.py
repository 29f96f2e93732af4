"""Op types that read where indices say. Facts of CANN 8.1."""

from __future__ import annotations

from ..prototype import declare

declare(
    "Gather",
    "x indices",
    "y",
    attrs=("validate_indices:Bool=True batch_dims:Int=0 is_preprocessed:Bool=False negative_index_support:Bool=False"),
    rows="T I T",
    aicore={
        "910b 910_93": "i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32",
        "910 310p 310b": "i8 i16 i32 i64 u8 u16 u32 u64 f16 f32",
    },
    aicpu_tf="i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64 c64 c128",
)

declare(
    "GatherElements",
    "x index",
    "y",
    attrs="dim:Int=0",
    rows="T I T",
    aicore={
        "910b 910_93": "i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32",
        "910 310p 310b": "i8 i16 i32 i64 u8 u16 u32 u64 f16 f32",
    },
    aicpu="b i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64",
)

declare(
    "GatherNd",
    "x indices",
    "y",
    attrs="negative_index_support:Bool=False",
    rows="T I T",
    aicore={
        "910b 910_93": "b i8 i32 i64 u8 f16 bf16 f32",
        "910 310p 310b": "b i8 i32 i64 u8 f16 f32",
    },
    aicpu_tf="b i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64 c64 c128",
)

declare(
    "GatherV2D",
    "x indices",
    "y",
    attrs="axis:Int",
    rows="T I T",
    aicore="b i8 i16 i32 i64 u8 u16 u32 u64 f16 f32",
)

declare(
    "GatherV3",
    "x indices axis!",
    "y",
    attrs="batch_dims:Int=0 negative_index_support:Bool=False",
    rows="T I J T",
    aicore={
        "910b 910_93": "b i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32",
    },
)

declare(
    "OneHot",
    "x depth! on_value off_value",
    "y",
    attrs="axis:Int=-1",
    rows="J I T T T",
    aicore="i32 i64 f16 f32",
    aicpu_tf=(
        "i32|i64|u8/i32/i8/i8/i8 i32|i64|u8/i32/i16/i16/i16 i32|i64|u8/i32/i32/i32/i32 "
        "i32|i64|u8/i32/i64/i64/i64 i32|i64|u8/i32/u8/u8/u8 i32|i64|u8/i32/u16/u16/u16 "
        "i32|i64|u8/i32/u32/u32/u32 i32|i64|u8/i32/u64/u64/u64 i32|i64|u8/i32/f16/f16/f16 "
        "i32|i64|u8/i32/f32/f32/f32 i32|i64|u8/i32/f64/f64/f64 i32|i64|u8/i32/c64/c64/c64 "
        "i32|i64|u8/i32/c128/c128/c128"
    ),
)

declare(
    "OneHotD",
    "x on_value off_value",
    "y",
    attrs="depth:Int axis:Int=-1",
    rows="i32 T T T",
    aicore={
        "910b 910_93 910 310b": (
            "i8 i32 u8 f16 f32 u8/i8/i8/i8 u8/i32/i32/i32 u8/u8/u8/u8 u8/f16/f16/f16 u8/f32/f32/f32"
        ),
        "310p": "b i8 i32 u8 f16 f32 u8/i8/i8/i8 u8/i32/i32/i32 u8/u8/u8/u8 u8/f16/f16/f16 u8/f32/f32/f32",
    },
)
