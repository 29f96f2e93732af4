"""Activation functions and the exponential family of normalizations. Facts of CANN 8.1."""

from __future__ import annotations

from ..prototype import declare

declare(
    "CeluV2",
    "x",
    "y",
    attrs="alpha:Float=1.0",
    rows="T T",
    aicore={
        "910b 910_93": "f16 bf16 f32",
        "910 310p 310b": "f16 f32",
    },
)

declare(
    "Elu",
    "x",
    "y",
    attrs="alpha:Float=1.0 scale:Float=1.0 input_scale:Float=1.0",
    rows="T T",
    aicore={
        "910b 910_93": "f16 bf16 f32",
        "910 310p 310b": "f16 f32",
    },
    aicpu="f16 bf16 f32 f64",
    aicpu_tf="f16 f32 f64",
)

declare(
    "FastGelu",
    "x",
    "y",
    rows="T T",
    aicore={
        "910b 910_93": "f16 bf16 f32",
        "910 310p 310b": "f16 f32",
    },
)

declare(
    "Gelu",
    "x",
    "y",
    rows="T T",
    aicore={
        "910b 910_93": "f16 bf16 f32",
        "910 310p 310b": "f16 f32",
    },
)

declare(
    "HardShrink",
    "input_x",
    "output_y",
    attrs="lambd:Float=0.5",
    rows="T T",
    aicore={
        "910b 910_93": "f16 bf16 f32",
        "910 310p 310b": "f16 f32",
    },
)

declare(
    "HardSigmoid",
    "input_x",
    "output_y",
    attrs="alpha:Float=0.16666666 beta:Float=0.5",
    rows="T T",
    aicore={
        "910b 910_93": "i32 f16 bf16 f32",
        "910 310p 310b": "i32 f16 f32",
    },
)

declare(
    "HardSwish",
    "x",
    "y",
    rows="T T",
    aicore={
        "910b 910_93": "f16 bf16 f32",
        "910 310p 310b": "f16 f32",
    },
)

declare(
    "LeakyRelu",
    "x",
    "y",
    attrs="negative_slope:Float=0.0",
    rows="T T",
    aicore={
        "910b 910_93": "f16 bf16 f32",
        "910 310b": "f16 f32",
        "310p": "i8 f16 f32",
    },
    aicpu_tf="f16 bf16 f32 f64",
)

declare(
    "LogSigmoid",
    "x",
    "y",
    rows="T T",
    aicore={
        "910b 910_93": "f16 bf16 f32",
        "910 310p 310b": "f16 f32",
    },
)

declare(
    "LogSoftmaxV2",
    "logits",
    "logsoftmax",
    attrs="axes:ListInt=[-1]",
    rows="T T",
    aicore={
        "910b 910_93": "f16 bf16 f32",
        "910 310p 310b": "f16 f32",
    },
    aicpu="f16 f32 f64",
    aicpu_tf="f16 f32 f64",
)

declare(
    "Mish",
    "x",
    "y",
    rows="T T",
    aicore={
        "910b 910_93": "f16 bf16 f32",
        "910 310p 310b": "f16 f32",
    },
)

declare(
    "PRelu",
    "x weight",
    "y",
    rows="T T T",
    aicore={
        "910b 910_93 310b": "f16 bf16 f32",
        "910 310p": "f16 f32",
    },
)

declare(
    "Relu",
    "x",
    "y",
    rows="T T",
    aicore={
        "910b 910_93": "i8 i32 i64 f16 bf16 f32",
        "910 310p 310b": "i8 i32 i64 f16 f32",
    },
    aicpu_tf="i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64",
)

declare(
    "Relu6",
    "x",
    "y",
    rows="T T",
    aicore={
        "910b 910_93": "i32 f16 bf16 f32",
        "910 310p 310b": "i32 f16 f32",
    },
    aicpu_tf="i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64",
)

declare(
    "Selu",
    "x",
    "y",
    rows="T T",
    aicore={
        "910b 910_93": "i8 i32 f16 bf16 f32",
        "910 310p 310b": "i8 i32 f16 f32",
    },
    aicpu_tf="i8 i32 f16 f32 f64",
)

declare(
    "Sigmoid",
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
    "SoftShrink",
    "input_x",
    "output_y",
    attrs="lambd:Float=0.5",
    rows="T T",
    aicore={
        "910b 910_93": "f16 bf16 f32",
        "910 310p 310b": "f16 f32",
    },
)

declare(
    "SoftmaxV2",
    "x",
    "y",
    attrs="axes:ListInt=[-1] half_to_float:Bool=False",
    rows="T T",
    aicore={
        "910b 910_93 310b": "f16 bf16 f32",
        "910 310p": "f16 f32",
    },
    aicpu="f16 f32 f64",
    aicpu_tf="f16 f32 f64",
)

declare(
    "Softplus",
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
    "SoftplusV2",
    "x",
    "y",
    attrs="beta:Float=1.0 threshold:Float=20.0",
    rows="T T",
    aicore={
        "910b 910_93": "f16 bf16 f32",
        "910 310p 310b": "f16 f32",
    },
)

declare(
    "Softsign",
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
    "Swish",
    "x",
    "y",
    attrs="scale:Float=1.0",
    rows="T T",
    aicore={
        "910b 910_93": "f16 bf16 f32",
        "910 310p 310b": "f16 f32",
    },
)

declare(
    "Threshold",
    "x",
    "y",
    attrs="threshold:Float=0.0",
    rows="T T",
    aicore={
        "910b 910_93": "f16 bf16 f32",
        "910 310p 310b": "f16 f32",
    },
)
