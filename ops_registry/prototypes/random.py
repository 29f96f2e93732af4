"""Random numbers. Facts of CANN 8.1."""

from __future__ import annotations

from ..prototype import declare

declare(
    "Multinomial",
    "logits num_samples",
    "y",
    attrs="dtype:Type=int64 seed:Int=0 seed2:Int=0",
    rows="T i32 I",
    aicpu_tf="f16 f32 f64",
)

declare(
    "RandomShuffle",
    "x",
    "y",
    attrs="seed:Int=0 seed2:Int=0",
    rows="T T",
    aicpu_tf="b i8 i16 i32 i64 u8 u16 f16 f32 f64 c64 c128",
)

declare(
    "RandomStandardNormal",
    "shape",
    "y",
    attrs="dtype:Type seed:Int=0 seed2:Int=0",
    rows="I T",
    aicpu="f16 f32 f64",
    aicpu_tf="f16 f32 f64",
)

declare(
    "RandomUniform",
    "shape",
    "y",
    attrs="dtype:Type seed:Int=0 seed2:Int=0",
    rows="I T",
    aicpu="f16 f32 f64",
    aicpu_tf="f16 f32 f64",
)

declare(
    "RandomUniformInt",
    "shape min max",
    "y",
    attrs="seed:Int=0 seed2:Int=0",
    rows="I T T T",
    aicpu_tf="i32 i64",
)

declare(
    "StatelessBernoulli",
    "shape prob seed offset",
    "y",
    attrs="dtype:Type=float32",
    rows="I T i64 i64 T",
    aicpu=(
        "f16 bf16 f32 f64 i32|i64/f16/i64/i64/u64|bf16|f32|f64 i32|i64/bf16/i64/i64/u64|f16|f32|f64 "
        "i32|i64/f32/i64/i64/u64|f16|bf16|f64 i32|i64/f64/i64/i64/u64|f16|bf16|f32 "
        "i32|i64/f16|bf16|f32|f64/i64/i64/b|i8|i16|i32|i64|u8|u16|u32"
    ),
)

declare(
    "StatelessRandomNormalV2",
    "shape key counter alg",
    "y",
    attrs="dtype:Type=float32",
    rows="I u64 u64 i32 T",
    aicpu_tf="f16 bf16 f32 f64",
)

declare(
    "StatelessRandomUniformFullIntV2",
    "shape key counter alg",
    "y",
    attrs="dtype:Type=int32",
    rows="I u64 u64 i32 T",
    aicpu_tf="i32 i64 u32 u64",
)

declare(
    "StatelessRandomUniformIntV2",
    "shape key counter alg minval maxval",
    "y",
    rows="I u64 u64 i32 T T T",
    aicpu_tf="i32 i64 u32 u64",
)

declare(
    "StatelessRandomUniformV2",
    "shape key counter alg",
    "y",
    attrs="dtype:Type=float32",
    rows="I u64 u64 i32 T",
    aicpu="f16 f32 f64",
    aicpu_tf="f16 bf16 f32 f64",
)

declare(
    "StatelessRandperm",
    "n seed offset",
    "y",
    attrs="layout:Int=0 dtype:Type=int64",
    rows="i64 i64 i64 T",
    aicpu="i8 i16 i32 i64 u8 f16 bf16 f32 f64",
)

declare(
    "TruncatedNormal",
    "shape",
    "y",
    attrs="seed:Int=0 seed2:Int=0 dtype:Type=float32",
    rows="I T",
    aicpu_tf="f16 f32 f64",
)
