"""Normalization by mean and variance. Facts of CANN 8.1."""

from __future__ import annotations

from ..prototype import declare

declare(
    "BatchNorm",
    "x scale offset mean? variance?",
    "y batch_mean batch_variance reserve_space_1 reserve_space_2 reserve_space_3",
    attrs=("epsilon:Float=0.0001 data_format:String=NHWC is_training:Bool=True exponential_avg_factor:Float=1.0"),
    rows="T f32 f32 f32 f32 T f32 f32 f32 f32 f32",
    aicore="f16 f32",
)

declare(
    "LayerNorm",
    "x gamma beta",
    "y mean variance",
    attrs="begin_norm_axis:Int=0 begin_params_axis:Int=0 epsilon:Float=1e-07",
    rows="T f32 f32 T f32 f32",
    aicore={
        "910b 910_93 310b": "f16 f32 f16/f16/f16/f16/f16/f16 bf16/bf16/bf16/bf16/bf16/bf16",
        "910 310p": "f16 f32 f16/f16/f16/f16/f16/f16",
    },
)

declare(
    "LayerNormV3",
    "x gamma beta",
    "y mean rstd",
    attrs="begin_norm_axis:Int=0 begin_params_axis:Int=0 epsilon:Float=1e-05",
    rows="T f32 f32 T f32 f32",
    aicore={
        "910b 910_93 310b": "f16 bf16 f32 f16/f16/f16/f16/f16/f16 bf16/bf16/bf16/bf16/bf16/bf16",
        "910 310p": "f16 f32 f16/f16/f16/f16/f16/f16",
    },
)

declare(
    "LayerNormV4",
    "x normalized_shape gamma? beta?",
    "y mean rstd",
    attrs="epsilon:Float=1e-05",
    rows="T i32 T T T f32 f32",
    aicore={
        "910b 910_93": "f16 bf16 f32 f16/i32/f32/f32/f16/f32/f32 bf16/i32/f32/f32/bf16/f32/f32",
        "310p": "f16 f16/i32/f32/f32/f16/f32/f32",
    },
)

declare(
    "RmsNorm",
    "x gamma",
    "y rstd",
    attrs="epsilon:Float=1e-06",
    rows="T T T f32",
    aicore={
        "910b 910_93": "f16 bf16 f32 f16/f32/f16/f32 bf16/f32/bf16/f32",
        "910 310p": "f16 f32",
    },
)
