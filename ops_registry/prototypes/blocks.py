"""Op types that move blocks of elements: padding, splitting, slicing, repeating. Facts of CANN 8.1."""

from __future__ import annotations

from ..prototype import declare

declare(
    "ExpandD",
    "x",
    "y",
    attrs="shape:ListInt",
    rows="T T",
    aicore="b i8 i32 u8 f16 f32",
)

declare(
    "Flatten",
    "x",
    "y",
    attrs="axis:Int=1",
    rows="T T",
    aicore={
        "910b 910_93": "b i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32",
        "910 310p 310b": "b i8 i16 i32 i64 u8 u16 u32 u64 f16 f32",
    },
)

declare(
    "MirrorPad",
    "x paddings!",
    "y",
    attrs="mode:String",
    rows="T I T",
    aicore={
        "910b 910_93": "i16 i32 i64 u16 u32 f16 bf16 f32",
        "910 310p 310b": "i16 i32 i64 u16 u32 f16 f32",
    },
    aicpu="b i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64",
    aicpu_tf="b i8 i16 i32 i64 u8 u16 f16 f32 f64 c64 c128",
)

declare(
    "Pad",
    "x paddings!",
    "y",
    rows="T I T",
    aicore={
        "910b 910_93": "i8 i16 i32 i64 u16 f16 bf16 f32",
        "910 310p 310b": "i16 i32 i64 u16 f16 f32",
    },
    aicpu_tf="b i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64 c64 c128",
)

declare(
    "PadV2",
    "x paddings! constant_values",
    "y",
    rows="T I T T",
    aicore={
        "910b 910_93 310b": "i16 i32 i64 u16 u32 u64 f16 bf16 f32",
        "910": "i16 i32 i64 u16 u32 u64 f16 f32",
        "310p": "i16 i32 i64 u16 f16 f32",
    },
    aicpu_tf="b i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64 c64 c128",
)

declare(
    "PadV3",
    "x paddings! constant_values!?",
    "y",
    attrs="mode:String=constant paddings_contiguous:Bool=True",
    rows="T I T T",
    aicore={
        "910b 910_93 310b": "i8 i32 f16 bf16 f32",
        "910": "i32 f16 f32",
        "310p": "i8 i32 f16 f32",
    },
    aicpu="b i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64 c64 c128",
)

declare(
    "RepeatInterleave",
    "x repeats!",
    "y",
    attrs="axis:Int=1000",
    rows="T I T",
    aicore={
        "910b 910_93": "b i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32",
        "910 310p 310b": "b i8 i16 i32 i64 u8 u16 u32 u64 f16 f32",
    },
)

declare(
    "Roll",
    "x",
    "y",
    attrs="shifts:ListInt dims:ListInt=[]",
    rows="T T",
    aicore={
        "910b 910_93": "i8 i32 i64 u8 u32 f16 bf16 f32",
        "910 310p": "i8 i32 i64 u8 u32 f16 f32",
    },
)

declare(
    "Slice",
    "x offsets! size!",
    "y",
    rows="T I I T",
    aicore={
        "910b 910_93 310b": "b i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32",
        "910 310p": "b i8 i16 i32 i64 u8 u16 u32 u64 f16 f32",
    },
    aicpu_tf="b i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64 c64 c128",
)

declare(
    "Split",
    "split_dim! x",
    "y*",
    attrs="num_split:Int",
    rows="i32 T T",
    aicore={
        "910b 910_93": "b i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32",
        "910 310p 310b": "b i8 i16 i32 i64 u8 u16 u32 u64 f16 f32",
    },
    aicpu_tf="i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64 c64 c128",
)

declare(
    "SplitD",
    "x",
    "y*",
    attrs="split_dim:Int num_split:Int",
    rows="T T",
    aicore={
        "910b 910_93 310b": "b i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32",
        "910 310p": "b i8 i16 i32 i64 u8 u16 u32 u64 f16 f32",
    },
)

declare(
    "SplitV",
    "x size_splits! split_dim!",
    "y*",
    attrs="num_split:Int",
    rows="T I J T",
    aicore={
        "910b 910_93": "b i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32",
        "910 310p": "b i8 i16 i32 i64 u8 u16 u32 u64 f16 f32",
        "310b": (
            "b/i32|i64/i32/b i8/i32|i64/i32/i8 i16/i32|i64/i32/i16 i32/i32|i64/i32/i32 "
            "i64/i32|i64/i32/i64 u8/i32|i64/i32/u8 u16/i32|i64/i32/u16 u32/i32|i64/i32/u32 "
            "u64/i32|i64/i32/u64 f16/i32|i64/i32/f16 f32/i32|i64/i32/f32"
        ),
    },
    aicpu=(
        "b/i32|i64/i32/b i8/i32|i64/i32/i8 i16/i32|i64/i32/i16 i32/i32|i64/i32/i32 i64/i32|i64/i32/i64 "
        "u8/i32|i64/i32/u8 u16/i32|i64/i32/u16 u32/i32|i64/i32/u32 u64/i32|i64/i32/u64 "
        "f16/i32|i64/i32/f16 f32/i32|i64/i32/f32 f64/i32|i64/i32/f64"
    ),
    aicpu_tf=(
        "b/i32|i64/i32/b i8/i32|i64/i32/i8 i16/i32|i64/i32/i16 i32/i32|i64/i32/i32 i64/i32|i64/i32/i64 "
        "u8/i32|i64/i32/u8 u16/i32|i64/i32/u16 u32/i32|i64/i32/u32 u64/i32|i64/i32/u64 "
        "f16/i32|i64/i32/f16 bf16/i32|i64/i32/bf16 f32/i32|i64/i32/f32 f64/i32|i64/i32/f64 "
        "c64/i32|i64/i32/c64 c128/i32|i64/i32/c128"
    ),
)

declare(
    "StridedSliceD",
    "x",
    "y",
    attrs=(
        "begin:ListInt end:ListInt strides:ListInt begin_mask:Int=0 end_mask:Int=0 ellipsis_mask:Int=0 "
        "new_axis_mask:Int=0 shrink_axis_mask:Int=0"
    ),
    rows="T T",
    aicore={
        "910b 910_93 310b": "b i8 i32 i64 u8 f16 bf16 f32 c64",
        "910 310p": "b i8 i32 i64 u8 f16 f32 c64",
    },
)

declare(
    "TileD",
    "x",
    "y",
    attrs="multiples:ListInt",
    rows="T T",
    aicore={
        "910b 910_93 310b": "b i32 u8 f16 bf16 f32",
        "910 310p": "b i32 u8 f16 f32",
    },
)

declare(
    "Unpack",
    "x",
    "y*",
    attrs="num:Int axis:Int=0",
    rows="T T",
    aicore={
        "910b 910_93 310b": "i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32",
        "910 310p": "i8 i16 i32 i64 u8 u16 u32 u64 f16 f32",
    },
    aicpu_tf="b i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64 c64 c128",
)
