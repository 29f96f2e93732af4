"""Op types that find as many elements as there are. Facts of CANN 8.1."""

from __future__ import annotations

from ..prototype import declare

declare(
    "ListDiff",
    "x y",
    "out idx",
    attrs="out_idx:Type=int32",
    rows="T T T I",
    aicpu_tf="i8 i16 i32 i64 u8 u16 f16 f32 f64",
)

declare(
    "MaskedSelect",
    "x mask",
    "y",
    rows="T b T",
    aicpu="i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64 c64 c128",
)

declare(
    "NonZero",
    "x",
    "y",
    attrs="transpose:Bool=False dtype:Type=int64",
    rows="T I",
    aicore={
        "910b 910_93": "b i8 u8 f16 bf16 f32",
        "910 310p": "b|i8|u8|f16|f32/i32",
    },
    aicpu="b i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64",
)

declare(
    "UniqueConsecutive",
    "x",
    "y idx count",
    attrs="return_idx:Bool=False return_counts:Bool=False axis:Int=1000",
    rows="T T I I",
    aicpu="b i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64 c64 c128",
)

declare(
    "UniqueWithCountsAndSorting",
    "x",
    "y indices counts",
    attrs="return_inverse:Bool=False return_counts:Bool=False sorted:Bool=True",
    rows="T T I I",
    aicpu="b i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64",
)

declare(
    "UniqueWithCountsExt2",
    "x axis",
    "y idx count inverse_idx",
    attrs="out_idx:Type=int64 sorted:Bool=False return_inverse:Bool=False",
    rows="T I T J J J",
    aicpu="b i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64",
)

declare(
    "Where",
    "x",
    "y",
    rows="T i64",
    aicpu="b i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64 c64 c128",
)
