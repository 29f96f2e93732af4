"""Op types that write where indices or a mask say. Facts of CANN 8.1."""

from __future__ import annotations

from ..prototype import declare

declare(
    "MaskedFill",
    "x mask value",
    "y",
    rows="T b T T",
    aicore={
        "910b 910_93": "b i8 i32 f16 bf16 f32",
        "910 310p 310b": "b i8 i32 f16 f32",
    },
    aicpu="i8 i32 i64 f16 f32",
)

declare(
    "MaskedScatter",
    "x mask updates",
    "y",
    rows="T b T T",
    aicore={
        "910b 910_93": "i8 i16 i32 i64 u8 f16 bf16 f32",
        "910 310p 310b": "i8 i16 i32 i64 u8 f16 f32",
    },
    aicpu="b i8 i16 i32 i64 u8 f16 bf16 f32 f64",
)

declare(
    "ScatterAdd",
    "var indices updates",
    "var",
    attrs="use_locking:Bool=False",
    rows="T I T T",
    aicore={
        "910b 910_93 310p 310b": "i32 f16 f32",
        "910": "i32 f32",
    },
    aicpu_tf="i8 i32 u8 f16 f32",
)

declare(
    "ScatterElements",
    "data indices updates",
    "y",
    attrs="axis:Int=0 reduction:String=none",
    rows="T I T T",
    aicore={
        "910b 910_93": "i8 i32 u8 f16 bf16 f32",
        "910 310b": "i8 i32 u8 f16 f32",
    },
    aicpu="b i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64 c64 c128",
)

declare(
    "ScatterNd",
    "indices x shape!",
    "y",
    rows="I T J T",
    aicore={
        "910b 910_93 310p 310b": "i32 f16 f32",
        "910": "i32 f32",
    },
    aicpu_tf="i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64 c64 c128",
)

declare(
    "ScatterNdAdd",
    "var indices updates",
    "var",
    attrs="use_locking:Bool=False",
    rows="T I T T",
    aicore={
        "910b 910_93 310p": "b i32 f16 f32",
        "910": "b i32 f32",
        "310b": "i32 f16 f32",
    },
    aicpu="i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64 c64 c128",
    aicpu_tf="i8 i32 u8 f16 f32",
)

declare(
    "ScatterNdUpdate",
    "var indices updates",
    "var",
    attrs="use_locking:Bool=False",
    rows="T I T T",
    aicore={
        "910b 910_93": "b i8 i64 f16 bf16 f32",
        "910 310p 310b": "b f16 f32",
    },
    aicpu_tf="i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64 c64 c128",
)

declare(
    "ScatterUpdate",
    "var indices updates",
    "var",
    attrs="use_locking:Bool=False",
    rows="T I T T",
    aicore={
        "910b 910_93": "i32 i64 f16 bf16 f32",
        "910 310p 310b": "i32 f16 f32",
    },
    aicpu_tf="i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64 c64 c128",
)

declare(
    "Select",
    "condition x1 x2",
    "y",
    rows="b T T T",
    aicore={
        "910b 910_93 310b": "i8 i32 i64 u8 f16 bf16 f32",
        "910 310p": "i8 i32 i64 u8 f16 f32",
    },
    aicpu_tf="b i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64 c64 c128",
)

declare(
    "StridedSliceAssignV2",
    "var input_value begin! end! strides! axes!?",
    "var",
    rows="T T i64 i64 i64 i64 T",
    aicore={
        "910b 910_93": "i8 i32 i64 f16 bf16 f32 f64",
    },
)

declare(
    "TensorScatterUpdate",
    "x indices updates",
    "y",
    rows="T I T T",
    aicpu="b i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64 c64 c128",
    aicpu_tf="b i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64 c64 c128",
)
