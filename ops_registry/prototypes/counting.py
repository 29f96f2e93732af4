"""Counts of values. Facts of CANN 8.1."""

from __future__ import annotations

from ..prototype import declare

declare(
    "Bincount",
    "array size weights",
    "bins",
    rows="i32 i32 T T",
    aicpu_tf="i32 i64 f32 f64",
)

declare(
    "HistogramFixedWidth",
    "x range nbins!",
    "y",
    attrs="dtype:Int=3",
    rows="T T i32 i32",
    aicore="i32 f16 f32",
    aicpu_tf=("i32 i64 f16 f32 f64 i32/i32/i32/i64 i64/i64/i32/i64 f16/f16/i32/i64 f32/f32/i32/i64 f64/f64/i32/i64"),
)

declare(
    "HistogramV2",
    "x min max",
    "y",
    attrs="bins:Int=100",
    rows="T T T i32",
    aicore={
        "910b 910_93 310p": "i8 i16 i32 i64 u8 f16 f32",
    },
)
