"""Element-wise op types beyond the standard: fused, scaled and special functions. Facts of CANN 8.1."""

from __future__ import annotations

from ..prototype import declare

declare(
    "AddN",
    "x*",
    "y",
    attrs="N:Int",
    rows="T T",
    aicore={
        "910b 910_93": "i32 i64 f16 bf16 f32",
        "910 310p 310b": "i32 f16 f32",
    },
    aicpu_tf="i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64 c64 c128",
)

declare(
    "Addcdiv",
    "input_data x1 x2 value",
    "y",
    rows="T T T T T",
    aicore={
        "910b 910_93 310b": "f16 bf16 f32",
        "910 310p": "f16 f32",
    },
    aicpu="i64 f16 f32 f64",
)

declare(
    "Addcmul",
    "input_data x1 x2 value",
    "y",
    rows="T T T T T",
    aicore={
        "910b 910_93 310b": "i32 f16 bf16 f32",
        "910 310p": "i32 f16 f32",
    },
    aicpu="i8 i32 i64 u8 f16 f32 f64",
)

declare(
    "Adds",
    "x",
    "y",
    attrs="value:Float",
    rows="T T",
    aicore={
        "910b 910_93": "i16 i32 i64 f16 bf16 f32",
        "910 310p 310b": "i32 i64 f16 f32",
    },
)

declare(
    "Axpy",
    "x1 x2",
    "y",
    attrs="alpha:Float",
    rows="T T T",
    aicore={
        "910b 910_93 310b": "i32 f16 bf16 f32",
        "910 310p": "i32 f16 f32",
    },
)

declare(
    "BiasAdd",
    "x bias",
    "y",
    attrs="data_format:String=NHWC",
    rows="T T T",
    aicore={
        "910b 910_93": "i32 i64 f16 bf16 f32",
        "910 310p": "i32 f16 f32",
        "310b": "i32 f16 bf16 f32",
    },
    aicpu_tf="i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64 c64 c128",
)

declare(
    "ClipByValue",
    "x clip_value_min clip_value_max",
    "y",
    rows="T T T T",
    aicore={
        "910b 910_93": "i32 i64 f16 bf16 f32",
        "910 310p 310b": "i32 i64 f16 f32",
    },
    aicpu_tf="i8 i16 i32 i64 u8 u16 f16 f32 f64",
)

declare(
    "Digamma",
    "x",
    "y",
    rows="T T",
    aicpu_tf="f16 f32 f64",
)

declare(
    "DivNoNan",
    "x1 x2",
    "y",
    rows="T T T",
    aicore={
        "910b 910_93": "i8 i32 u8 f16 bf16 f32",
        "910 310p 310b": "i8 i32 u8 f16 f32",
    },
    aicpu_tf="f16 f32 f64 c64 c128",
)

declare(
    "Erf",
    "x",
    "y",
    rows="T T",
    aicore={
        "910b 910_93": "f16 bf16 f32",
        "910 310p 310b": "f16 f32",
    },
    aicpu_tf="f16 f32 f64",
)

declare(
    "Erfc",
    "x",
    "y",
    rows="T T",
    aicore={
        "910b 910_93": "f16 bf16 f32",
        "910 310p 310b": "f16 f32",
    },
    aicpu_tf="f16 f32 f64",
)

declare(
    "Fills",
    "x",
    "y",
    attrs="value:Float",
    rows="T T",
    aicore="i8 i32 i64 u8 f16 f32",
    aicpu="b i8 i16 i32 i64 u8 f16 f32 f64",
)

declare(
    "Inv",
    "x",
    "y",
    rows="T T",
    aicore={
        "910b 910_93": "i32 f16 bf16 f32",
        "910 310p 310b": "i32 f16 f32",
    },
    aicpu_tf="f16 f32 f64 c64 c128",
)

declare(
    "IsClose",
    "x1 x2",
    "y",
    attrs="rtol:Float=1e-05 atol:Float=1e-08 equal_nan:Bool=False",
    rows="T T b",
    aicore={
        "910b 910_93": "i32 f16 bf16 f32",
        "910 310p 310b": "i32 f16 f32",
    },
    aicpu="b i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64",
)

declare(
    "Lerp",
    "start end weight",
    "y",
    rows="T T T T",
    aicore={
        "910b 910_93": "f16 bf16 f32",
        "910 310p 310b": "f16 f32",
    },
)

declare(
    "Lgamma",
    "x",
    "y",
    rows="T T",
    aicpu_tf="f16 f32 f64",
)

declare(
    "Mod",
    "x1 x2",
    "y",
    rows="T T T",
    aicore={
        "910b 910_93": "i8 i32 u8 f16 bf16 f32",
        "910 310p 310b": "i8 i32 u8 f16 f32",
    },
    aicpu_tf="i8 i32 i64 u8 f16 f32 f64",
)

declare(
    "Muls",
    "x",
    "y",
    attrs="value:Float",
    rows="T T",
    aicore={
        "910b 910_93": "i32 i64 f16 bf16 f32 c64",
        "910 310p 310b": "i32 i64 f16 f32",
    },
)

declare(
    "NanToNum",
    "x",
    "y",
    attrs="nan:Float posinf:Float neginf:Float",
    rows="T T",
    aicore={
        "910b 910_93": "f16 bf16 f32",
    },
)

declare(
    "Power",
    "x",
    "y",
    attrs="power:Float=1.0 scale:Float=1.0 shift:Float=0.0",
    rows="T T",
    aicore={
        "910b 910_93": "f16 bf16 f32",
        "910 310p 310b": "f16 f32",
    },
)

declare(
    "Rsqrt",
    "x",
    "y",
    rows="T T",
    aicore={
        "910b 910_93": "f16 bf16 f32",
        "910 310p 310b": "f16 f32",
    },
    aicpu="f16 f32 f64 c64 c128",
    aicpu_tf="f16 f32 f64 c64 c128",
)

declare(
    "SquaredDifference",
    "x1 x2",
    "y",
    rows="T T T",
    aicore={
        "910b 910_93": "i32 i64 f16 bf16 f32",
        "910 310p 310b": "i32 f16 f32",
    },
    aicpu="i32 i64 f16 f32 f64 c64 c128",
    aicpu_tf="i32 i64 f16 f32 f64 c64 c128",
)

declare(
    "TruncateDiv",
    "x1 x2",
    "y",
    rows="T T T",
    aicore={
        "910b 910_93": "i8 i32 u8 f16 bf16 f32",
        "910 310p 310b": "i8 i32 u8 f16 f32",
    },
    aicpu_tf="i8 i16 i32 i64 u8 u16 f16 f32 f64 c64 c128",
)

declare(
    "TruncateMod",
    "x1 x2",
    "y",
    rows="T T T",
    aicore={
        "910b 910_93": "i8 i32 u8 f16 bf16 f32",
        "910 310p 310b": "i8 i32 u8 f16 f32",
    },
    aicpu_tf="i32 i64 f16 f32 f64",
)

declare(
    "Xdivy",
    "x1 x2",
    "y",
    rows="T T T",
    aicore={
        "910b 910_93": "f16 bf16 f32",
        "910 310p 310b": "f16 f32",
    },
    aicpu_tf="f16 f32 f64 c64 c128",
)

declare(
    "Xlogy",
    "x1 x2",
    "y",
    rows="T T T",
    aicore={
        "910b 910_93": "f16 bf16 f32",
        "910 310p 310b": "f16 f32",
    },
    aicpu_tf="f16 f32 f64 c64 c128",
)
