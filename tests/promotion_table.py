"""Which dtype two dtypes have in common, written out: the standard's tables, and PyTorch's rule across kinds."""

from __future__ import annotations

from ops_registry.dtypes import BY_NAME, BY_SHORT, DType

__all__ = ["PROMOTED", "promoted_by_scalar"]

_TABLE = """
        b    i8   i16  i32  i64  u8   u16  u32  u64  f16  bf16 f32  f64  c64  c128
b       b    i8   i16  i32  i64  u8   u16  u32  u64  f16  bf16 f32  f64  c64  c128
i8      i8   i8   i16  i32  i64  i16  i32  i64  -    f16  bf16 f32  f64  c64  c128
i16     i16  i16  i16  i32  i64  i16  i32  i64  -    f16  bf16 f32  f64  c64  c128
i32     i32  i32  i32  i32  i64  i32  i32  i64  -    f16  bf16 f32  f64  c64  c128
i64     i64  i64  i64  i64  i64  i64  i64  i64  -    f16  bf16 f32  f64  c64  c128
u8      u8   i16  i16  i32  i64  u8   u16  u32  u64  f16  bf16 f32  f64  c64  c128
u16     u16  i32  i32  i32  i64  u16  u16  u32  u64  f16  bf16 f32  f64  c64  c128
u32     u32  i64  i64  i64  i64  u32  u32  u32  u64  f16  bf16 f32  f64  c64  c128
u64     u64  -    -    -    -    u64  u64  u64  u64  f16  bf16 f32  f64  c64  c128
f16     f16  f16  f16  f16  f16  f16  f16  f16  f16  f16  f32  f32  f64  c64  c128
bf16    bf16 bf16 bf16 bf16 bf16 bf16 bf16 bf16 bf16 f32  bf16 f32  f64  c64  c128
f32     f32  f32  f32  f32  f32  f32  f32  f32  f32  f32  f32  f32  f64  c64  c128
f64     f64  f64  f64  f64  f64  f64  f64  f64  f64  f64  f64  f64  f64  c128 c128
c64     c64  c64  c64  c64  c64  c64  c64  c64  c64  c64  c64  c64  c128 c64  c128
c128    c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128
"""

# None where there is no common dtype.
PROMOTED: dict[tuple[DType, DType], DType | None] = {}
_head, *_lines = _TABLE.strip().splitlines()
for _line in _lines:
    _row, *_cells = _line.split()
    for _column, _cell in zip(_head.split(), _cells, strict=True):
        PROMOTED[BY_SHORT[_row], BY_SHORT[_column]] = BY_SHORT.get(_cell)

# With a Python number of each type: the kind of the tensor -> the result; "same" is the tensor's own.
_WITH_SCALAR: dict[type, dict[str, str]] = {
    bool: {"b": "same", "i": "same", "u": "same", "f": "same", "c": "same"},
    int: {"b": "int64", "i": "same", "u": "same", "f": "same", "c": "same"},
    float: {"b": "float32", "i": "float32", "u": "float32", "f": "same", "c": "same"},
    complex: {"b": "complex64", "i": "complex64", "u": "complex64", "f": "complex", "c": "same"},
}


def promoted_by_scalar(dtype: DType, scalar: complex) -> DType:
    """The dtype of an operation between a tensor and a Python number."""
    told = _WITH_SCALAR[type(scalar)][dtype.kind]
    if told == "complex":
        told = "complex128" if dtype.name == "float64" else "complex64"
    return dtype if told == "same" else BY_NAME[told]
