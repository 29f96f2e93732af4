"""Promotion against the written-out table, and what `isdtype` and `can_cast` make of it."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from ops_registry import dtypes, promotion
from ops_registry.dtypes import DType

from ..promotion_table import PROMOTED, promoted_by_scalar

PAIRS = list(itertools.product(dtypes.ALL, repeat=2))


def test_the_table_is_whole_and_symmetric() -> None:
    assert set(PROMOTED) == set(PAIRS)
    assert all(PROMOTED[a, b] is PROMOTED[b, a] for a, b in PAIRS)


@pytest.mark.parametrize(("first", "second"), PAIRS, ids=lambda d: d.short)
def test_promotion_follows_the_table(first: DType, second: DType) -> None:
    wanted = PROMOTED[first, second]
    if wanted is None:
        with pytest.raises(TypeError, match=r"int\d+ and uint64 have no common integer data type.*astype"):
            promotion.promote(first, second)
    else:
        assert promotion.promote(first, second) is wanted
    assert promotion.can_cast(first, second) == (wanted is second)


@pytest.mark.parametrize("dtype", dtypes.ALL, ids=lambda d: d.short)
@pytest.mark.parametrize("scalar", [True, 7, 1.5, 2j], ids=lambda value: type(value).__name__)
def test_a_python_number_is_weak(dtype: DType, scalar: complex) -> None:
    assert promotion.with_scalar(dtype, scalar) is promoted_by_scalar(dtype, scalar)
    assert promotion.result_type(dtype, scalar) is promoted_by_scalar(dtype, scalar)
    assert promotion.result_type(scalar, dtype) is promoted_by_scalar(dtype, scalar)


KINDS = {
    "bool": "b",
    "signed integer": "i8 i16 i32 i64",
    "unsigned integer": "u8 u16 u32 u64",
    "integral": "i8 i16 i32 i64 u8 u16 u32 u64",
    "real floating": "f16 bf16 f32 f64",
    "complex floating": "c64 c128",
    "numeric": "i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64 c64 c128",
}


@pytest.mark.parametrize("dtype", dtypes.ALL, ids=lambda d: d.short)
@pytest.mark.parametrize("kind", KINDS)
def test_kinds(dtype: DType, kind: str) -> None:
    expected = dtype.short in KINDS[kind].split()
    assert promotion.isdtype(dtype, kind) == expected
    assert promotion.isdtype(dtype, (kind,)) == expected
    assert promotion.isdtype(dtype, (kind, dtype)) is True
    assert promotion.isdtype(dtype, ()) is False


@pytest.mark.parametrize(
    ("kind", "error", "text"),
    [
        ("float", ValueError, "'float' is not a kind.*real floating"),
        (3, TypeError, "must be a data type.*not 3"),
        (("bool", None), TypeError, "not None"),
    ],
)
def test_other_kinds_are_refused(kind: Any, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        promotion.isdtype(dtypes.int8, kind)


def test_numbers_alone_have_no_dtype() -> None:
    for arguments in ((), (1,), (1, 2.0)):
        with pytest.raises(TypeError, match="at least one tensor or data type"):
            promotion.result_type(*arguments)
