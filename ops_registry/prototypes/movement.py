"""Op types that move elements and compute nothing. Facts of CANN 8.1."""

from __future__ import annotations

from ..prototype import declare

declare(
    "AsStrided",
    "x size! stride! storage_offset!",
    "y",
    rows="T I I I T",
    aicore={
        "910b 910_93 310p 310b": "b i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 c64",
        "910": "b i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 c64",
    },
)

declare(
    "BroadcastTo",
    "x shape!",
    "y",
    rows="T I T",
    aicore={
        "910b 910_93": "b i8 i32 i64 u8 u32 f16 bf16 f32",
        "910 310p 310b": "b i8 i32 i64 u8 u32 f16 f32",
    },
    aicpu_tf="b i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64 c64 c128",
)

declare(
    "ConcatD",
    "x*",
    "y",
    attrs="concat_dim:Int N:Int=1",
    rows="T T",
    aicore={
        "910b 910_93 310b": "b i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32",
        "910 310p": "b i8 i16 i32 i64 u8 u16 u32 u64 f16 f32",
    },
)

declare(
    "ConcatV2",
    "x* concat_dim!",
    "y",
    attrs="N:Int=1",
    rows="T I T",
    aicpu="b i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64",
    aicpu_tf="b i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64",
)

declare(
    "GatherV2",
    "x indices axis!",
    "y",
    attrs="batch_dims:Int=0 is_preprocessed:Bool=False negative_index_support:Bool=False",
    rows="T I J T",
    aicore={
        "910b 910_93": "b i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32",
        "910 310p 310b": "b i8 i16 i32 i64 u8 u16 u32 u64 f16 f32",
    },
    aicpu="i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64 c64 c128",
    aicpu_tf="i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64 c64 c128",
)

declare(
    "Pack",
    "x*",
    "y",
    attrs="axis:Int=0 N:Int=1",
    rows="T T",
    aicore={
        "910b 910_93 310b": "b i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32",
        "910 310p": "b i8 i16 i32 i64 u8 u16 u32 u64 f16 f32",
    },
    aicpu="b i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64",
    aicpu_tf="b i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64 c64 c128",
)

declare(
    "ReverseV2",
    "x axis!",
    "y",
    rows="T I T",
    aicore={
        "910b 910_93": "i16 i32 i64 u16 f16 bf16 f32",
        "910 310p 310b": "i16 i32 i64 u16 f16 f32",
    },
    aicpu_tf="b i8 i16 i32 i64 u8 u16 f16 f32 f64 c64 c128",
)

declare(
    "ReverseV2D",
    "x",
    "y",
    attrs="axis:ListInt",
    rows="T T",
    aicore="i8 i16 i32 i64 u8 u16 u32 u64 f16 f32",
)

declare(
    "SelectV2",
    "condition then else",
    "result",
    rows="b T T T",
    aicore={
        "910b 910_93": "i8 i32 i64 u8 f16 bf16 f32",
        "910 310p 310b": "i8 i32 i64 u8 f16 f32",
    },
    aicpu="i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64 c64 c128",
)

declare(
    "StridedSlice",
    "x begin! end! strides!",
    "y",
    attrs=("begin_mask:Int=0 end_mask:Int=0 ellipsis_mask:Int=0 new_axis_mask:Int=0 shrink_axis_mask:Int=0"),
    rows="T I I I T",
    aicore={
        "910b 910_93 310b": "b i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 c64",
        "910 310p": "b i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 c64",
    },
    aicpu="b i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64",
    aicpu_tf="c64 c128",
)

declare(
    "TensorMove",
    "x",
    "y",
    rows="T T",
    aicore={
        "910b 910_93": "b i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64",
        "910 310p 310b": "b i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64",
    },
)

declare(
    "Tile",
    "x multiples!",
    "y",
    rows="T I T",
    aicore={
        "910b 910_93": "b i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 c64",
        "910 310b": "b i32 i64 f16 f32",
        "310p": "b i8 i16 i32 i64 u8 u16 u32 u64 f16 f32",
    },
    aicpu="b i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64 c64 c128",
    aicpu_tf="b i8 i16 i32 i64 u8 u32 u64 f16 bf16 f32 f64 c64 c128",
)

declare(
    "Transpose",
    "x perm!",
    "y",
    rows="T I T",
    aicore={
        "910b 910_93": "b i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32",
        "910 310p 310b": "b i8 i16 i32 i64 u8 u16 u32 u64 f16 f32",
    },
    aicpu_tf="i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64 c64 c128",
)

declare(
    "TransposeD",
    "x",
    "y",
    attrs="perm:ListInt",
    rows="T T",
    aicore={
        "910b 910_93": "b i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32",
        "910 310p 310b": "b i8 i16 i32 i64 u8 u16 u32 u64 f16 f32",
    },
)

declare(
    "ViewCopy",
    "dst dst_size! dst_stride! dst_storage_offset! src src_size! src_stride! src_storage_offset!",
    "dst",
    rows="T I I I T I I I T",
    aicore={
        "910b 910_93": "b i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32",
        "910 310p 310b": "b i8 i16 i32 i64 u8 u16 u32 u64 f16 f32",
    },
    aicpu="b i8 i16 i32 i64 u8 u16 f16 bf16 f32 f64 c64 c128",
)
