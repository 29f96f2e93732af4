"""Comparisons, logic and bits. Facts of CANN 8.1."""

from __future__ import annotations

from ..prototype import declare

declare(
    "BitwiseAnd",
    "x1 x2",
    "y",
    rows="T T T",
    aicore={
        "910b 910_93": "i16 i32 i64 u16",
        "910 310p 310b": "i16 i32 u16",
    },
    aicpu_tf="i8 i16 i32 i64 u8 u16 u32 u64",
)

declare(
    "BitwiseOr",
    "x1 x2",
    "y",
    rows="T T T",
    aicore={
        "910b 910_93": "i16 i32 i64 u16",
        "910 310p 310b": "i16 i32 u16",
    },
    aicpu_tf="i8 i16 i32 i64 u8 u16 u32 u64",
)

declare(
    "BitwiseXor",
    "x1 x2",
    "y",
    rows="T T T",
    aicore={
        "910b 910_93": "i16 i32 i64 u16",
        "910 310p 310b": "i16 i32 u16",
    },
    aicpu_tf="i8 i16 i32 i64 u8 u16 u32 u64",
)

declare(
    "Equal",
    "x1 x2",
    "y",
    rows="T T b",
    aicore={
        "910b 910_93": "b i8 i32 i64 u8 f16 bf16 f32",
        "910": "b i8 i32 i64 u8 u32 u64 f16 f32",
        "310p": "b i8 i32 i64 u8 u64 f16 f32",
        "310b": "b i8 i32 i64 u8 f16 f32",
    },
    aicpu="b i8 i16 i32 i64 u8 f16 f32 f64",
    aicpu_tf="b i8 i16 i32 i64 u8 f16 f32 f64 c64 c128",
)

declare(
    "Greater",
    "x1 x2",
    "y",
    rows="T T b",
    aicore={
        "910b 910_93": "i8 i32 i64 u8 f16 bf16 f32",
        "910 310p 310b": "i8 i32 i64 u8 f16 f32",
    },
    aicpu="i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64",
    aicpu_tf="i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64",
)

declare(
    "GreaterEqual",
    "x1 x2",
    "y",
    rows="T T b",
    aicore={
        "910b 910_93": "i8 i32 i64 u8 f16 bf16 f32",
        "910 310p 310b": "i8 i32 i64 u8 f16 f32",
    },
    aicpu="i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64",
    aicpu_tf="i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64",
)

declare(
    "Invert",
    "x",
    "y",
    rows="T T",
    aicore="i16 u16",
    aicpu_tf="i8 i16 i32 i64 u8 u16 u32 u64",
)

declare(
    "IsFinite",
    "x",
    "y",
    rows="T b",
    aicore={
        "910b 910_93": "f16 bf16 f32",
        "310p": "f16 f32",
    },
    aicpu="b i8 i16 i32 i64 u8 u16 u32 u64 f64",
    aicpu_tf="f16 f32 f64",
)

declare(
    "IsInf",
    "x",
    "y",
    rows="T b",
    aicore={
        "910b 910_93": "f16 bf16 f32",
        "310p": "f16 f32",
    },
    aicpu_tf="f16 f32 f64",
)

declare(
    "IsNan",
    "x",
    "y",
    rows="T b",
    aicore={
        "910b 910_93": "f16 bf16 f32",
        "310b": "f16 f32",
    },
    aicpu_tf="f16 f32 f64",
)

declare(
    "LeftShift",
    "x y",
    "z",
    rows="T T T",
    aicpu="i8 i16 i32 i64 u8 u16 u32 u64",
)

declare(
    "Less",
    "x1 x2",
    "y",
    rows="T T b",
    aicore={
        "910b 910_93": "i8 i32 i64 u8 f16 bf16 f32",
        "910 310p 310b": "i8 i32 i64 u8 f16 f32",
    },
    aicpu="i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64",
)

declare(
    "LessEqual",
    "x1 x2",
    "y",
    rows="T T b",
    aicore={
        "910b 910_93": "i8 i32 i64 u8 f16 bf16 f32",
        "910 310p": "i8 i32 i64 u8 u64 f16 f32",
        "310b": "i8 i32 i64 u8 f16 f32",
    },
    aicpu_tf="i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64",
)

declare(
    "LogicalAnd",
    "x1 x2",
    "y",
    rows="T T T",
    aicore="b",
    aicpu_tf="b",
)

declare(
    "LogicalNot",
    "x",
    "y",
    rows="T T",
    aicore="b",
    aicpu_tf="b",
)

declare(
    "LogicalOr",
    "x1 x2",
    "y",
    rows="T T T",
    aicore="b",
    aicpu_tf="b",
)

declare(
    "NotEqual",
    "x1 x2",
    "y",
    rows="T T b",
    aicore={
        "910b 910_93": "b i8 i32 i64 u8 f16 bf16 f32",
        "910 310p": "b i8 i32 i64 u8 u64 f16 f32",
        "310b": "b i8 i32 i64 u8 f16 f32",
    },
    aicpu="b i8 i16 i32 i64 u8 f16 f32 f64",
    aicpu_tf="b i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64 c64 c128",
)

declare(
    "RightShift",
    "x y",
    "z",
    rows="T T T",
    aicpu="i8 i16 i32 i64 u8 u16 u32 u64",
    aicpu_tf="i8 i16 i32 i64 u8 u16 u32 u64",
)
