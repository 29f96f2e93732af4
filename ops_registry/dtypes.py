"""The data types: one row each, with the number that ACL gives it."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["ALL", "BY_CODE", "BY_NAME", "BY_SHORT", "COMPLEX_OF", "REAL_OF", "DType", "encode", "of"]


class DType:
    """A data type of a tensor; there is one instance of each, so `is` and `==` agree.

    Attributes:
        name: the array API's name, for instance `"float32"`.
        short: the name in operator tables, for instance `"f32"`.
        code: the number of ACL's `aclDataType`.
        kind: `"b"` bool, `"i"` signed, `"u"` unsigned, `"f"` floating, `"c"` complex.
        itemsize: bytes of one element.
    """

    __slots__ = ("__weakref__", "code", "itemsize", "kind", "name", "short")

    def __init__(self, name: str, short: str, code: int, kind: str, itemsize: int) -> None:
        self.name = name
        self.short = short
        self.code = code
        self.kind = kind
        self.itemsize = itemsize

    @property
    def dtype(self) -> np.dtype[Any]:
        """The NumPy dtype; `np.dtype(x)` looks it up. bfloat16 needs `ml_dtypes` to have been imported."""
        return np.dtype(self.name)

    def __repr__(self) -> str:
        return f"ascendtensor.{self.name}"

    def __str__(self) -> str:
        return self.name

    def __reduce__(self) -> tuple[Any, ...]:
        return of, (self.name,)

    def __copy__(self) -> DType:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> DType:
        return self


bool_ = DType("bool", "b", 12, "b", 1)
int8 = DType("int8", "i8", 2, "i", 1)
int16 = DType("int16", "i16", 6, "i", 2)
int32 = DType("int32", "i32", 3, "i", 4)
int64 = DType("int64", "i64", 9, "i", 8)
uint8 = DType("uint8", "u8", 4, "u", 1)
uint16 = DType("uint16", "u16", 7, "u", 2)
uint32 = DType("uint32", "u32", 8, "u", 4)
uint64 = DType("uint64", "u64", 10, "u", 8)
float16 = DType("float16", "f16", 1, "f", 2)
bfloat16 = DType("bfloat16", "bf16", 27, "f", 2)
float32 = DType("float32", "f32", 0, "f", 4)
float64 = DType("float64", "f64", 11, "f", 8)
complex64 = DType("complex64", "c64", 16, "c", 8)
complex128 = DType("complex128", "c128", 17, "c", 16)

ALL: tuple[DType, ...] = (
    bool_,
    int8,
    int16,
    int32,
    int64,
    uint8,
    uint16,
    uint32,
    uint64,
    float16,
    bfloat16,
    float32,
    float64,
    complex64,
    complex128,
)

BY_NAME: dict[str, DType] = {dtype.name: dtype for dtype in ALL}
BY_SHORT: dict[str, DType] = {dtype.short: dtype for dtype in ALL}
BY_CODE: dict[int, DType] = {dtype.code: dtype for dtype in ALL}

# The real type of a complex one's parts, and back.
REAL_OF: dict[DType, DType] = {complex64: float32, complex128: float64}
COMPLEX_OF: dict[DType, DType] = {float32: complex64, float64: complex128}


def of(obj: Any) -> DType:
    """The DType that `obj` names.

    Parameters:
        obj: a DType, its name, a NumPy dtype or scalar type, or Python's `bool`, `int`, `float`, `complex`.

    Raises:
        TypeError: nothing of that name is a tensor's data type.
    """
    if isinstance(obj, DType):
        return obj
    if isinstance(obj, type) and obj in _PYTHON_DEFAULT:
        return _PYTHON_DEFAULT[obj]
    try:
        # NumPy takes None for float64.
        name = "" if obj is None else obj if isinstance(obj, str) else np.dtype(obj).name
        return BY_NAME[name]
    except (KeyError, TypeError):
        known = ", ".join(BY_NAME)
        raise TypeError(f"{obj!r} is not a data type of a tensor; the data types are {known}") from None


# What Python's types stand for. The default precision, which a program may choose once, is in two of them.
_PYTHON_DEFAULT: dict[type, DType] = {bool: bool_, int: int64, float: float32, complex: complex64}


def set_default_float(dtype: DType) -> None:
    """Make float32 or float64 what Python's `float` stands for, and the complex dtype of such parts `complex`.

    Raises:
        ValueError: another dtype.
    """
    if dtype not in (float32, float64):
        raise ValueError(f"the default data type is float32 or float64, not {dtype}")
    _PYTHON_DEFAULT[float] = dtype
    _PYTHON_DEFAULT[complex] = COMPLEX_OF[dtype]


def encode(value: Any, dtype: DType) -> bytes:
    """The bytes of one number, or of a sequence of them, in a dtype; integers wrap.

    Parameters:
        value: a Python number or anything that NumPy makes an array of.
        dtype: any, bfloat16 included, which NumPy itself does not know.
    """
    if dtype is not bfloat16:
        with np.errstate(invalid="ignore", over="ignore"):
            return np.asarray(value).astype(dtype.dtype).tobytes()
    single = np.atleast_1d(np.asarray(value)).astype(np.float32)
    bits = single.view(np.uint32).astype(np.uint64)
    # To the nearest, ties to even; a NaN keeps its upper half, which must not become that of an infinity.
    rounded = np.where(np.isnan(single), (bits >> 16) | 0x40, (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16)
    return rounded.astype(np.uint16).tobytes()
