"""Element-wise arithmetic: sums, products, rounding, the parts of complex numbers. Facts of CANN 8.1."""

from __future__ import annotations

from ..prototype import declare

declare(
    "Abs",
    "x",
    "y",
    rows="T T",
    aicore={
        "910b 910_93": "i32 i64 f16 bf16 f32",
        "910 310p 310b": "i32 f16 f32",
    },
    aicpu_tf="i8 i16 i32 i64 f16 f32 f64",
)

declare(
    "ComplexAbs",
    "x",
    "y",
    attrs="Tout:Type=float32",
    rows="c64 T",
    aicore={
        "910b 910_93": "f32",
    },
    aicpu_tf="c64|c128/f32|f64",
)

declare(
    "Add",
    "x1 x2",
    "y",
    rows="T T T",
    aicore={
        "910b 910_93": "b i8 i32 i64 u8 f16 bf16 f32 c64 f16|bf16/f32/f32 f32/f16|bf16/f32",
        "910 310p": "b i8 i32 i64 u8 f16 f32 f16/f32/f32 f32/f16/f32",
        "310b": "b i8 i32 i64 u8 f16 bf16 f32 f16|bf16/f32/f32 f32/f16|bf16/f32",
    },
    aicpu="i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64 c64 c128",
    aicpu_tf="i8 i16 i32 i64 u8 f16 f32 f64 c64 c128",
)

declare(
    "Ceil",
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
    "ClipByValueV2",
    "x clip_value_min clip_value_max",
    "y",
    rows="T T T T",
    aicore={
        "910b 910_93": "i32 i64 f16 bf16 f32",
        "910 310p 310b": "i32 i64 f16 f32",
    },
    aicpu="i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64 c64 c128",
)

declare(
    "Complex",
    "real imag",
    "out",
    attrs="Tout:Int=16",
    rows="T T c64",
    aicore={
        "910b 910_93": "f32",
    },
    aicpu_tf="f32|f64/f32|f64/c64|c128",
)

declare(
    "Conj",
    "input",
    "output",
    rows="T T",
    aicpu="c64 c128",
    aicpu_tf="c64 c128",
)

declare(
    "Div",
    "x1 x2",
    "y",
    rows="T T T",
    aicore={
        "910b 910_93": "i8 i32 u8 f16 bf16 f32 c64",
        "910 310p": "i8 i32 u8 f16 f32",
        "310b": "i8 i32 u8 f16 bf16 f32",
    },
    aicpu_tf="i16 i32 i64 u8 u16 f16 f32 f64 c64 c128",
)

declare(
    "Floor",
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
    "FloorDiv",
    "x1 x2",
    "y",
    rows="T T T",
    aicore={
        "910b 910_93": "i8 i32 i64 u8 f16 bf16 f32",
        "910 310p 310b": "i8 i32 i64 u8 f16 f32",
    },
    aicpu_tf="i8 i16 i32 i64 u8 u16 f16 f32 f64",
)

declare(
    "FloorMod",
    "x1 x2",
    "y",
    rows="T T T",
    aicore={
        "910b 910_93": "i32 i64 f16 bf16 f32",
        "910 310p": "i32 i64 f16 f32",
        "310b": "i32 f16 f32",
    },
    aicpu_tf="i32 i64 f16 f32 f64",
)

declare(
    "Imag",
    "input",
    "output",
    attrs="Tout:Type=float32",
    rows="c64 T",
    aicpu_tf="c64|c128/f32|f64",
)

declare(
    "Maximum",
    "x1 x2",
    "y",
    rows="T T T",
    aicore={
        "910b 910_93": "i8 i32 i64 f16 bf16 f32",
        "910 310p 310b": "i8 i32 i64 f16 f32",
    },
    aicpu_tf="i32 i64 f16 f32 f64",
)

declare(
    "Minimum",
    "x1 x2",
    "y",
    rows="T T T",
    aicore={
        "910b 910_93": "i8 i32 i64 f16 bf16 f32",
        "910 310p 310b": "i8 i32 i64 f16 f32",
    },
    aicpu_tf="i32 i64 f16 f32 f64",
)

declare(
    "Mul",
    "x1 x2",
    "y",
    rows="T T T",
    aicore={
        "910b 910_93": "b i8 i32 i64 u8 f16 bf16 f32 c64 f16|bf16/f32/f32 f32/f16|bf16/f32",
        "910": "b i8 i32 i64 u8 f16 f32 f16/f32/f32 f32/f16/f32",
        "310p": "b i8 i16 i32 i64 u8 f16 f32 f16/f32/f32 f32/f16/f32",
        "310b": "b i8 i16 i32 i64 u8 f16 bf16 f32 f16|bf16/f32/f32 f32/f16|bf16/f32",
    },
    aicpu="i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64 c64 c128",
    aicpu_tf="i8 i16 i32 i64 u8 u16 f16 f32 f64 c64 c128",
)

declare(
    "Neg",
    "x",
    "y",
    rows="T T",
    aicore={
        "910b 910_93": "i8 i32 i64 f16 bf16 f32",
        "910 310p 310b": "i8 i32 f16 f32",
    },
    aicpu="i32 i64 f16 f32 f64 c64 c128",
    aicpu_tf="i32 i64 f16 f32 f64 c64 c128",
)

declare(
    "Real",
    "input",
    "output",
    attrs="Tout:Int=0",
    rows="c64 T",
    aicore={
        "910b 910_93": "f32 f16/f16 f32/f32",
    },
    aicpu_tf="c64|c128/f32|f64",
)

declare(
    "RealDiv",
    "x1 x2",
    "y",
    rows="T T T",
    aicore={
        "910b 910_93 310b": "i32 f16 bf16 f32 b/b/f32",
        "910 310p": "i32 f16 f32 b/b/f32",
    },
    aicpu="i8 i16 i32 i64 u8 u16 f16 f32 f64 c64 c128",
    aicpu_tf="f16 f32 f64 c64 c128",
)

declare(
    "Rint",
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
    "Round",
    "x",
    "y",
    attrs="decimals:Int=0",
    rows="T T",
    aicore={
        "910b 910_93": "i32 f16 bf16 f32",
        "910 310p 310b": "i32 f16 f32",
    },
    aicpu="i32 i64 f16 f32 f64",
)

declare(
    "Sign",
    "x",
    "y",
    rows="T T",
    aicore={
        "910b 910_93": "i32 f16 bf16 f32",
        "910 310p 310b": "i32 f16 f32",
    },
    aicpu_tf="i32 i64 f16 f32 f64 c64 c128",
)

declare(
    "Square",
    "x",
    "y",
    rows="T T",
    aicore={
        "910b 910_93": "i32 i64 f16 bf16 f32",
        "910 310p 310b": "i32 f16 f32",
    },
    aicpu="i32 i64 f16 f32 f64 c64 c128",
    aicpu_tf="i32 i64 f16 f32 f64 c64 c128",
)

declare(
    "Sub",
    "x1 x2",
    "y",
    rows="T T T",
    aicore={
        "910b 910_93": "b i8 i32 i64 u8 f16 bf16 f32 c64",
        "910 310p 310b": "b i8 i32 i64 u8 f16 f32",
    },
    aicpu="i8 i16 i32 i64 u8 u16 f16 f32 f64 c64 c128",
    aicpu_tf="i8 i16 i32 i64 u8 u16 f16 f32 f64 c64 c128",
)

declare(
    "Trunc",
    "input_x",
    "output_y",
    rows="T T",
    aicore={
        "910b 910_93": "i8 i32 u8 f16 bf16 f32",
        "910 310p": "i8 i32 u8 f16 f32",
    },
)
