"""Sorting, the largest elements, and places in what is sorted. Facts of CANN 8.1."""

from __future__ import annotations

from ..prototype import declare

declare(
    "LowerBound",
    "sorted_x values",
    "y",
    attrs="out_type:Type=int32",
    rows="T T I",
    aicpu_tf="i8 i16 i32 i64 u8 u16 f16 f32 f64",
)

declare(
    "SearchSorted",
    "sorted_sequence values sorter?",
    "out",
    attrs="dtype:Type=int64 right:Bool=False",
    rows="T T i64 I",
    aicpu="i8 i16 i32 i64 u8 f16 f32",
)

declare(
    "Sort",
    "x",
    "y1 y2",
    attrs="axis:Int=-1 descending:Bool=False stable:Bool=False",
    rows="T T i32",
    aicore={
        "910b 910_93 310b": "f16 bf16 f32",
        "910": "f16",
        "310p": "f16 f32",
    },
    aicpu="i8 i16 i32 i64 u8 f16 f32",
)

declare(
    "SortV2",
    "x",
    "y",
    attrs="axis:Int=-1 descending:Bool=False",
    rows="T T",
    aicore={
        "910b 910_93 310b": "f16 bf16 f32",
        "910": "f16",
        "310p": "f16 f32",
    },
)

declare(
    "TopK",
    "x k",
    "values indices",
    attrs="sorted:Bool=True largest:Bool=True dim:Int=-1",
    rows="T i32 T i32",
    aicpu="i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64",
)

declare(
    "TopKD",
    "x assist_seq",
    "values indices",
    attrs="k:Int sorted:Bool=True dim:Int=-1 largest:Bool=True",
    rows="T f16 T i32",
    aicore={
        "910b 910_93": "f16 bf16 f32",
        "910 310b": "f16",
        "310p": "f16 f32",
    },
)

declare(
    "TopKV2",
    "x k",
    "values indices",
    attrs="sorted:Bool=True dim:Int=-1 largest:Bool=True",
    rows="T i32 T i32",
    aicore={
        "910b 910_93": "f16 bf16 f32",
        "910": "f16",
        "310p 310b": "f16 f32",
    },
    aicpu="i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64",
)

declare(
    "UpperBound",
    "sorted_x values",
    "y",
    attrs="out_type:Type",
    rows="T T I",
    aicpu_tf="i8 i16 i32 i64 u8 u16 f16 f32 f64",
)
