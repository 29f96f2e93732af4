"""Matrix products. Facts of CANN 8.1."""

from __future__ import annotations

from ..prototype import declare

declare(
    "BatchMatMul",
    "x1 x2",
    "y",
    attrs="adj_x1:Bool=False adj_x2:Bool=False",
    rows="T T T",
    aicore={
        "910b 910_93 310b": "f16 bf16 f32 f16/f16/f32",
    },
    aicpu_tf="i32 f16 f32 f64 c64 c128",
)

declare(
    "BatchMatMulV2",
    "x1 x2 bias? offset_w?",
    "y",
    attrs="adj_x1:Bool=False adj_x2:Bool=False offset_x:Int=0",
    rows="T T T i8 T",
    aicore={
        "910b 910_93 310b": "f16 f32 bf16/bf16/f32/i8/bf16 f16/f16/f32/i8/f16|f32",
    },
    aicpu="f32",
    aicpu_tf="i16 i32 i64 f16 bf16 f32 f64 c64 c128",
)

declare(
    "MatMul",
    "x1 x2 bias?",
    "y",
    attrs="transpose_x1:Bool=False transpose_x2:Bool=False",
    rows="T T T T",
    aicore={
        "910b 910_93 310b": "f16 f32 bf16/bf16/f32/bf16 f16/f16/f32/f16|f32",
    },
    aicpu_tf="i32 f16 f32 c64 c128",
)

declare(
    "MatMulV2",
    "x1 x2 bias? offset_w?",
    "y",
    attrs="transpose_x1:Bool=False transpose_x2:Bool=False offset_x:Int=0",
    rows="T T T i8 T",
    aicore={
        "910b 910_93 310b": "f16 f32 bf16/bf16/f32/i8/bf16 f16/f16/f32/i8/f16|f32",
    },
)

declare(
    "BatchMatMulV3",
    "x1 x2 bias? offset_w?",
    "y",
    attrs="adj_x1:Bool=False adj_x2:Bool=False offset_x:Int=0 enable_hf32:Bool=False",
    rows="T T T i8 T",
    aicore={
        "910b 910_93": "f16 f16/f16/f32/i8/f16 bf16/bf16/f32/i8/bf16",
    },
)

declare(
    "MatMulV3",
    "x1 x2 bias? offset_w?",
    "y",
    attrs="transpose_x1:Bool=False transpose_x2:Bool=False offset_x:Int=0 enable_hf32:Bool=False",
    rows="T T T i8 T",
    aicore={
        "910b 910_93": "f16 f16/f16/f32/i8/f16 bf16/bf16/f32/i8/bf16",
    },
)
