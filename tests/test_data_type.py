"""Data types: casts between all of them, promotion of tensors, limits, and the DType objects themselves."""

from __future__ import annotations

import copy
import itertools
import pickle
from collections.abc import Iterator
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ascendtensor as at
from ops_registry import dtypes
from ops_registry.dtypes import DType

from .comparison import COMPLEX, FLOATING, INTEGERS, assert_matches, elements
from .layouts import refuses
from .operands import operands
from .promotion_table import PROMOTED, promoted_by_scalar

PAIRS = list(itertools.product(dtypes.ALL, repeat=2))


def castable(source: DType, target: DType) -> st.SearchStrategy[Any]:
    """Values whose cast is defined: floats only into integers that hold them, everything else of the dtype."""
    if source.kind != "f" or target.kind not in "iu":
        return elements(source)
    low, high = (0, 100) if target.kind == "u" else (-100, 100)
    return st.floats(low, high, width=16)


@pytest.mark.parametrize(("source", "target"), PAIRS, ids=lambda d: d.short)
@given(data=st.data())
def test_astype(source: DType, target: DType, data: st.DataObject) -> None:
    ((x, array),) = data.draw(operands(source, values={0: castable(source, target)}))
    if source.kind == "c" and target.kind not in "cb":
        with pytest.raises(TypeError, match=rf"astype: {source} to {target} would drop the imaginary part"):
            at.astype(x, target)
        return
    with np.errstate(all="ignore"):
        expected = array.astype(target.dtype)
    assert_matches(at.astype(x, target), expected, exact=True)
    assert_matches(x.astype(target), expected, exact=True)


@pytest.mark.parametrize("dtype", dtypes.ALL, ids=lambda d: d.short)
def test_astype_copies_unless_it_need_not(dtype: DType) -> None:
    x = at.ones(3, dtype=dtype)
    copied = at.astype(x, dtype)
    assert copied.storage is not x.storage
    assert at.astype(x, dtype, copy=False) is x
    other = at.int64 if dtype is at.bool else at.bool
    assert at.astype(x, other, copy=False).dtype is other if dtype.kind != "c" else True
    assert at.astype(x, dtype, device=x.device, copy=False) is x


@pytest.mark.parametrize(("first", "second"), PAIRS, ids=lambda d: d.short)
def test_result_type_and_can_cast_follow_the_table(first: DType, second: DType) -> None:
    wanted = PROMOTED[first, second]
    x = at.empty(2, dtype=first)
    assert at.can_cast(first, second) == at.can_cast(x, second) == (wanted is second)
    if wanted is None:
        with pytest.raises(TypeError, match="no common integer data type"):
            at.result_type(x, second)
    else:
        assert at.result_type(first, second) is at.result_type(x, second) is wanted
        for scalar in (True, 1, 1.0, 1j):
            assert at.result_type(scalar, first, second) is promoted_by_scalar(wanted, scalar)


@given(st.lists(st.sampled_from([d for d in dtypes.ALL if d is not at.uint64]), min_size=1, max_size=5))
def test_result_type_of_many_holds_each(several: list[DType]) -> None:
    told = at.result_type(*several)
    assert all(PROMOTED[dtype, told] is told or {dtype.name, told.name} <= {"float16", "bfloat16"} for dtype in several)


FLOAT_INFO = {
    "float16": (16, 2.0**-10, 65504.0, 2.0**-14),
    "bfloat16": (16, 2.0**-7, (2 - 2.0**-7) * 2.0**127, 2.0**-126),
    "float32": (32, 2.0**-23, (2 - 2.0**-23) * 2.0**127, 2.0**-126),
    "float64": (64, 2.0**-52, (2 - 2.0**-52) * 2.0**1023, 2.0**-1022),
}


@pytest.mark.parametrize("dtype", FLOATING + COMPLEX, ids=lambda d: d.short)
def test_finfo(dtype: DType) -> None:
    part = dtypes.REAL_OF.get(dtype, dtype)
    for info in (at.finfo(dtype), at.finfo(at.empty(1, dtype=dtype))):
        assert (info.bits, info.eps, info.max, info.smallest_normal) == FLOAT_INFO[part.name]
        assert info.min == -info.max
        assert info.dtype is part
        assert {type(value) for value in (info.eps, info.max, info.min, info.smallest_normal)} == {float}


@pytest.mark.parametrize("dtype", INTEGERS, ids=lambda d: d.short)
def test_iinfo(dtype: DType) -> None:
    bits = 8 * dtype.itemsize
    limits = (0, 2**bits - 1) if dtype.kind == "u" else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
    for info in (at.iinfo(dtype), at.iinfo(at.empty(1, dtype=dtype))):
        assert (info.bits, info.min, info.max) == (bits, *limits)
        assert info.dtype is dtype


@pytest.mark.parametrize("dtype", dtypes.ALL, ids=lambda d: d.short)
def test_limits_are_of_the_right_kind(dtype: DType) -> None:
    if dtype.kind not in "fc":
        with pytest.raises(TypeError, match=rf"finfo: {dtype} is not a floating dtype"):
            at.finfo(dtype)
    if dtype.kind not in "iu":
        with pytest.raises(TypeError, match=rf"iinfo: {dtype} is not an integer dtype"):
            at.iinfo(dtype)


@pytest.mark.parametrize("dtype", dtypes.ALL, ids=lambda d: d.short)
def test_isdtype_knows_numpys_dtypes_too(dtype: DType) -> None:
    kinds = {"b": "bool", "i": "signed integer", "u": "unsigned integer", "f": "real floating", "c": "complex floating"}
    for kind, name in kinds.items():
        assert at.isdtype(dtype, name) == (kind == dtype.kind)
    assert at.isdtype(dtype, dtype)
    assert not at.isdtype(dtype, tuple(other for other in dtypes.ALL if other is not dtype))


@pytest.mark.parametrize("dtype", dtypes.ALL, ids=lambda d: d.short)
def test_a_dtype_is_one_object_that_numpy_understands(dtype: DType) -> None:
    own = np.dtype(ml_dtypes.bfloat16) if dtype is at.bfloat16 else np.dtype(dtype.name)
    assert np.dtype(dtype) == own
    assert np.zeros(2, dtype).dtype == own
    assert (own.itemsize, own.kind) == (dtype.itemsize, "V" if dtype is at.bfloat16 else dtype.kind)
    assert dtypes.of(own) is dtypes.of(own.type) is dtypes.of(dtype.name) is dtypes.of(dtype) is dtype
    assert copy.copy(dtype) is copy.deepcopy(dtype) is pickle.loads(pickle.dumps(dtype)) is dtype
    assert {dtype: 1}[dtype] == 1
    assert str(dtype) == dtype.name
    assert repr(dtype) == f"ascendtensor.{dtype.name}"
    assert getattr(at, dtype.name) is dtype


def test_all_dtypes_differ() -> None:
    assert len(set(dtypes.ALL)) == len({d.code for d in dtypes.ALL}) == len({repr(d) for d in dtypes.ALL}) == 15


@pytest.mark.parametrize(("python", "dtype"), [(bool, at.bool), (int, at.int64), (float, at.float32), (complex, "c64")])
def test_pythons_types_name_the_default_dtypes(python: type, dtype: Any) -> None:
    assert dtypes.of(python) is (at.complex64 if dtype == "c64" else dtype)


@pytest.mark.parametrize(
    "wrong", ["float8", "f32", object(), 3, np.dtype("U3"), np.dtype("M8[s]"), np.longdouble, None]
)
def test_what_names_no_dtype_is_refused(wrong: Any) -> None:
    for call in (lambda: at.zeros(2, dtype="None" if wrong is None else wrong), lambda: at.can_cast(wrong, at.int8)):
        with pytest.raises(TypeError, match="is not a data type of a tensor; the data types are bool, int8"):
            call()


def test_numbers_in_the_bytes_of_a_dtype() -> None:
    """Rounding of bfloat16 is the registry's own, since it has no ml_dtypes: against theirs for all halves between."""
    upper = np.arange(2**16, dtype=np.uint32) << 16
    for lower in (0, 1, 0x7FFF, 0x8000, 0x8001, 0xFFFF):
        singles = (upper | lower).view(np.float32)
        with np.errstate(all="ignore"):
            wanted = singles.astype(ml_dtypes.bfloat16)
        got = np.frombuffer(dtypes.encode(singles, at.bfloat16), ml_dtypes.bfloat16)
        np.testing.assert_array_equal(got.astype(np.float32), wanted.astype(np.float32))


# The default dtype


@pytest.fixture
def double_precision() -> Iterator[None]:
    at.set_default_dtype(at.float64)
    yield
    at.set_default_dtype(at.float32)


def default_dtypes() -> list[DType]:
    """Of everything that takes a dtype from nowhere."""
    ints, mask = at.asarray([1, 2]), at.asarray([True, False])
    tensors = [at.asarray([1.0]), at.asarray(1.5), at.zeros(2), at.ones(2), at.empty(2), at.full(2, 0.5), at.eye(2)]
    tensors += [at.linspace(0, 1, 3), at.arange(0.0, 1.0, 0.5), at.exp(ints), at.mean(ints), at.std(mask), ints / ints]
    tensors += [ints * 1.5, mask + 0.5, at.where(mask, 1.0, ints), at.asarray([])]
    return [x.dtype for x in tensors]


def complex_dtypes() -> list[DType]:
    ints = at.asarray([1, 2])
    return [x.dtype for x in (at.asarray([1j]), at.full(2, 1j), ints * 1j, at.linspace(0, 1j, 3))]


def test_the_default_is_float32() -> None:
    assert at.get_default_dtype() is at.float32
    assert set(default_dtypes()) == {at.float32}
    assert set(complex_dtypes()) == {at.complex64}


@pytest.mark.usefixtures("double_precision")
def test_the_default_may_be_float64() -> None:
    assert at.get_default_dtype() is at.float64
    assert set(default_dtypes()) == {at.float64}
    assert set(complex_dtypes()) == {at.complex128}
    told = at.__array_namespace_info__().default_dtypes()
    assert (told["real floating"], told["complex floating"]) == (at.float64, at.complex128)
    # A tensor's own dtype stays above a number's.
    assert (at.ones(2, dtype=at.float32) * 1.5).dtype is at.float32


def test_no_other_default() -> None:
    for dtype in (d for d in dtypes.ALL if d not in (at.float32, at.float64)):
        with refuses(ValueError, dtype.name):
            at.set_default_dtype(dtype)
    assert at.get_default_dtype() is at.float32
