"""Powers, logarithms, trigonometric and hyperbolic functions. Facts of CANN 8.1."""

from __future__ import annotations

from ..prototype import declare

declare(
    "Acos",
    "x",
    "y",
    rows="T T",
    aicore={
        "910b 910_93": "f16 bf16 f32",
        "910 310p 310b": "f16 f32",
    },
    aicpu="f16 f32 f64",
    aicpu_tf="f16 f32 f64",
)

declare(
    "Acosh",
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
    "Asin",
    "x",
    "y",
    rows="T T",
    aicore={
        "910b 910_93": "f16 bf16 f32",
        "910 310p 310b": "f16 f32",
    },
    aicpu="f32 f64",
    aicpu_tf="f32 f64",
)

declare(
    "Asinh",
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
    "Atan",
    "x",
    "y",
    rows="T T",
    aicore={
        "910b 910_93": "f16 bf16 f32",
        "910 310p 310b": "f16 f32",
    },
    aicpu="f16 f32 f64",
    aicpu_tf="f16 f32 f64",
)

declare(
    "Atan2",
    "x1 x2",
    "y",
    rows="T T T",
    aicore={
        "910b 910_93": "f16 bf16 f32",
        "910 310p 310b": "f16 f32",
    },
    aicpu_tf="f16 f32 f64",
)

declare(
    "Atanh",
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
    "Cos",
    "x",
    "y",
    rows="T T",
    aicore={
        "910b 910_93 310b": "f16 bf16 f32",
        "910 310p": "f16 f32",
    },
    aicpu_tf="f16 f32 f64 c64 c128",
)

declare(
    "Cosh",
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
    "Exp",
    "x",
    "y",
    attrs="base:Float=-1.0 scale:Float=1.0 shift:Float=0.0",
    rows="T T",
    aicore={
        "910b 910_93": "f16 bf16 f32",
        "910 310p 310b": "f16 f32",
    },
    aicpu_tf="f16 f32 f64 c64 c128",
)

declare(
    "Expm1",
    "x",
    "y",
    rows="T T",
    aicore={
        "910b 910_93": "f16 bf16 f32",
        "910 310p 310b": "f16 f32",
    },
    aicpu_tf="f16 f32 f64 c64 c128",
)

declare(
    "Log",
    "x",
    "y",
    attrs="base:Float=-1.0 scale:Float=1.0 shift:Float=0.0",
    rows="T T",
    aicore={
        "910b 910_93": "f16 bf16 f32",
        "910 310p 310b": "f16 f32",
    },
    aicpu="f16 bf16 f32 f64 c64 c128",
    aicpu_tf="f16 f32 f64 c64 c128",
)

declare(
    "Log1p",
    "x",
    "y",
    rows="T T",
    aicore={
        "910b 910_93": "f16 bf16 f32",
        "910 310p 310b": "f16 f32",
    },
    aicpu_tf="f16 f32 f64 c64 c128",
)

declare(
    "LogAddExp",
    "x1 x2",
    "y",
    attrs="base:Float=-1.0 scale:Float=1.0 shift:Float=0.0",
    rows="T T T",
    aicore={
        "910b 910_93": "f16 bf16 f32",
        "910 310p 310b": "f16 f32",
    },
)

declare(
    "NextAfter",
    "x1 x2",
    "output",
    rows="T T T",
    aicpu_tf="f32 f64",
)

declare(
    "Pow",
    "x1 x2",
    "y",
    rows="T T T",
    aicore={
        "910b 910_93": "i8 i32 u8 f16 bf16 f32",
        "910 310p 310b": "i8 i32 u8 f16 f32",
    },
    aicpu="i8 i16 i32 i64 u8 f16 f32 f64 c64 c128",
    aicpu_tf="i8 i32 i64 u8 f16 f32 f64 c64 c128",
)

declare(
    "Reciprocal",
    "x",
    "y",
    rows="T T",
    aicore={
        "910b 910_93 310b": "f16 bf16 f32",
        "910 310p": "f16 f32",
    },
    aicpu_tf="f16 f32 f64 c64 c128",
)

declare(
    "Sin",
    "x",
    "y",
    rows="T T",
    aicore={
        "910b 910_93": "f16 bf16 f32",
        "910 310p 310b": "f16 f32",
    },
    aicpu_tf="f16 f32 f64 c64 c128",
)

declare(
    "Sinh",
    "x",
    "y",
    rows="T T",
    aicore={
        "910b 910_93": "f16 bf16 f32",
        "910 310p 310b": "f16 f32",
    },
    aicpu_tf="f16 f32 f64 c64 c128",
)

declare(
    "Sqrt",
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
    "Tan",
    "x",
    "y",
    rows="T T",
    aicore={
        "910b 910_93": "i32 f16 bf16 f32",
        "910 310p 310b": "i32 f16 f32",
    },
    aicpu="f16 f32 f64 c64 c128",
    aicpu_tf="f16 f32 f64 c64 c128",
)

declare(
    "Tanh",
    "x",
    "y",
    rows="T T",
    aicore={
        "910b 910_93": "f16 bf16 f32",
        "910 310p 310b": "f16 f32",
    },
    aicpu_tf="f16 f32 f64 c64 c128",
)
