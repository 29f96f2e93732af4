"""Pooling over windows, in plain layouts. Facts of CANN 8.1."""

from __future__ import annotations

from ..prototype import declare

declare(
    "AvgPool",
    "x",
    "y",
    attrs="ksize:ListInt strides:ListInt padding:String data_format:String=NHWC",
    rows="T T",
    aicpu_tf="f16 f32 f64",
)

declare(
    "AvgPoolV2",
    "x",
    "y",
    attrs=(
        "ksize:ListInt strides:ListInt padding_mode:String=CALCULATED pads:ListInt=[0,0,0,0] "
        "data_format:String=NCHW global_pooling:Bool=False ceil_mode:Bool=False exclusive:Bool=True "
        "divisor_override:Int=0"
    ),
    rows="T T",
    aicpu="f16 f32 f64",
)

declare(
    "MaxPool",
    "x",
    "y",
    attrs="ksize:ListInt strides:ListInt padding:String data_format:String=NHWC",
    rows="T T",
    aicpu_tf="i8 i16 i32 i64 u8 u16 f16 f32 f64",
)
