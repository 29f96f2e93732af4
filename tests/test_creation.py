"""Creation functions, against NumPy's of the same names."""

from __future__ import annotations

import enum
from array import array as buffer
from fractions import Fraction
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import ascendtensor as at
from ops_registry import dtypes
from ops_registry.dtypes import DType

from .comparison import (
    COMPLEX,
    FLOATING,
    INTEGERS,
    NUMERIC,
    arrays,
    assert_matches,
    elements,
    on_device,
    settled_memory,
    shapes,
)
from .layouts import refuses
from .operands import operands

every_dtype = pytest.mark.parametrize("dtype", dtypes.ALL, ids=lambda d: d.short)


class Colour(enum.IntEnum):
    RED = 7


# asarray


@every_dtype
@given(data=st.data())
def test_asarray_of_arrays_is_lossless(dtype: DType, data: st.DataObject) -> None:
    array = data.draw(arrays(dtype, shapes(3)))
    for made in (array, np.asfortranarray(array), array[::-1] if array.ndim else array):
        x = at.asarray(made)
        assert x.dtype is dtype
        assert x.shape == made.shape
        assert x.numpy().tobytes() == made.tobytes()
    if dtype is not at.bfloat16:
        assert_matches(at.asarray(array.astype(array.dtype.newbyteorder())), array, exact=True)


@every_dtype
@given(data=st.data())
def test_asarray_of_nested_lists(dtype: DType, data: st.DataObject) -> None:
    array = data.draw(arrays(dtype, shapes(3, min_side=1), values=elements(dtype)))
    x = at.asarray(array.tolist(), dtype=dtype)
    assert_matches(x, array, exact=True)
    assert at.asarray(tuple(array.tolist()) if array.ndim else array.item(), dtype=dtype).tolist() is not None


NUMBERS = [
    (True, "bool"),
    (3, "int64"),
    (2.5, "float32"),
    (1j, "complex64"),
    ([], "float32"),
    ([[], []], "float32"),
    ([True, False], "bool"),
    ([True, 2], "int64"),
    ([1, 2.5], "float32"),
    ([[1, 2], [3, 1j]], "complex64"),
    (range(3), "int64"),
    (Colour.RED, "int64"),
    ([Colour.RED], "int64"),
    ([2**62, -(2**63)], "int64"),
    ([2.0**70, 1], "float32"),
    ([2**70, 0.5], "float32"),
    ([2**70, 1j], "complex64"),
    (np.float16(1.5), "float16"),
    (np.uint64(2**64 - 1), "uint64"),
    ([np.float64(1.5)], "float64"),
    ([np.int8(1), np.int16(2)], "int16"),
    ([np.zeros(2, np.float16)], "float16"),
    ([np.zeros(2, ml_dtypes.bfloat16)], "bfloat16"),
    (memoryview(b"ab"), "uint8"),
    (bytearray(b"ab"), "uint8"),
    (buffer("d", [1.5]), "float64"),
]


@pytest.mark.parametrize(("obj", "dtype"), NUMBERS)
def test_asarray_finds_the_default_dtype(obj: Any, dtype: str) -> None:
    x = at.asarray(obj)
    wanted = np.asarray(obj)
    assert x.dtype.name == dtype
    assert x.shape == wanted.shape
    np.testing.assert_array_equal(x.numpy(), wanted.astype(x.dtype.dtype))


@every_dtype
def test_asarray_of_tensors(dtype: DType) -> None:
    x = at.ones(3, dtype=dtype)
    assert at.asarray(x) is x
    assert at.asarray(x, copy=False) is x
    assert at.asarray(x, dtype=dtype, device=x.device, copy=False) is x
    copied = at.asarray(x, copy=True)
    assert copied.storage is not x.storage
    assert copied.tolist() == x.tolist()
    other = at.bool if dtype is not at.bool else at.int8
    assert at.asarray(x, dtype=other).dtype is other
    in_list = at.asarray([x[0], x[1]])
    assert in_list.dtype is dtype
    assert in_list.shape == (2,)


def test_asarray_of_host_data_is_a_copy() -> None:
    array = np.arange(3)
    x = at.asarray(array)
    array[:] = 7
    assert x.tolist() == [0, 1, 2]


@pytest.mark.parametrize("dtype", INTEGERS, ids=lambda d: d.short)
def test_python_numbers_out_of_range_are_refused(dtype: DType) -> None:
    info = at.iinfo(dtype)
    for good in (info.min, info.max):
        for obj in (good, [good], [[good], [0]]):
            assert at.asarray(obj, dtype=dtype).tolist() == obj
    for bad in (info.min - 1, info.max + 1, 2**100, -(2**100)):
        for obj in (bad, [bad], [[0], [bad]], [bad, 0, info.max]):
            with pytest.raises(OverflowError, match=rf"asarray: {bad} is out of range for {dtype}"):
                at.asarray(obj, dtype=dtype)
    for floating in (float("inf"), float("-inf"), 1e30):
        with pytest.raises(OverflowError, match=rf"asarray: .* is out of range for {dtype}"):
            at.asarray([0.0, floating], dtype=dtype)
    with pytest.raises(ValueError, match=rf"asarray: nan is no integer for {dtype}"):
        at.asarray([0.0, float("nan")], dtype=dtype)
    assert at.asarray([1.9], dtype=dtype).tolist() == [1]


@pytest.mark.parametrize("obj", [2**63, [2**63], [2**63, -1], [2**64], [-(2**63) - 1], [[1], [2**64 - 1]]], ids=str)
def test_integers_beyond_the_default_dtype_are_refused(obj: Any) -> None:
    with pytest.raises(OverflowError, match=r"asarray: -?[0-9]+ is out of range for int64"):
        at.asarray(obj)


@pytest.mark.parametrize(
    ("obj", "keywords", "error", "text"),
    [
        ([[1], [1, 2]], {}, ValueError, "asarray: .*inhomogeneous"),
        ("text", {}, TypeError, "asarray: a tensor is made of numbers, not of 'text'"),
        (b"text", {}, TypeError, "made of numbers"),
        (["a"], {}, TypeError, "made of numbers"),
        (None, {}, TypeError, "made of numbers, not of None"),
        ([None], {}, TypeError, "made of numbers"),
        ([1, None], {}, TypeError, "made of numbers"),
        ([Fraction(1, 2)], {}, TypeError, "made of numbers"),
        ({1: 2}, {}, TypeError, "made of numbers"),
        (object(), {}, TypeError, "made of numbers"),
        (np.asarray(["a"]), {}, TypeError, "is not a data type of a tensor"),
        (np.asarray([object()]), {}, TypeError, "is not a data type of a tensor"),
        (np.zeros(2, "M8[s]"), {}, TypeError, "is not a data type of a tensor"),
        (1j, {"dtype": at.float32}, TypeError, "asarray: complex numbers do not go into float32"),
        ([1j], {"dtype": at.int8}, TypeError, "asarray: complex numbers do not go into int8"),
        (np.ones(2, complex), {"dtype": at.float64}, TypeError, "complex numbers do not go into float64"),
        (10**400, {"dtype": at.float32}, OverflowError, "asarray: int too large"),
        (1, {"dtype": "float8"}, TypeError, "'float8' is not a data type"),
        (1, {"device": "cpu"}, ValueError, "'cpu' is not the name of a device"),
        (1, {"device": "npu:99"}, ValueError, "no device npu:99"),
        ([1], {"copy": False}, ValueError, "asarray: .*copies it, which copy=False rules out"),
        (np.ones(2), {"copy": False}, ValueError, "copy=False rules out"),
    ],
)
def test_what_is_no_tensor_is_refused(obj: Any, keywords: Any, error: type[Exception], text: str) -> None:
    before = settled_memory()
    with pytest.raises(error, match=text):
        at.asarray(obj, **keywords)
    assert at.npu.memory_allocated() == before


# One value


@every_dtype
@given(data=st.data())
def test_filled_tensors(dtype: DType, data: st.DataObject) -> None:
    shape = data.draw(shapes(3))
    value = data.draw(elements(dtype))
    like = at.empty(shape, dtype=at.int8)
    with np.errstate(all="ignore"):
        number = np.asarray(value).astype(dtype.dtype)
    for x, wanted in [
        (at.zeros(shape, dtype=dtype), 0),
        (at.ones(shape, dtype=dtype), 1),
        (at.full(shape, value, dtype=dtype), number),
        (at.full(shape, on_device(number)), number),
        (at.zeros_like(like, dtype=dtype), 0),
        (at.ones_like(like, dtype=dtype), 1),
        (at.full_like(like, value, dtype=dtype), number),
        (at.zeros_like(at.empty(shape, dtype=dtype)), 0),
        (at.ones_like(at.empty(shape, dtype=dtype)), 1),
        (at.full_like(at.empty(shape, dtype=dtype), value), number),
    ]:
        assert_matches(x, np.broadcast_to(np.asarray(wanted).astype(dtype.dtype), shape), dtype=dtype, exact=True)
    for x in (at.empty(shape, dtype=dtype), at.empty_like(like, dtype=dtype)):
        assert (x.dtype, x.shape) == (dtype, shape)


@pytest.mark.parametrize("make", [at.zeros, at.ones, at.empty])
def test_shapes_are_integers_or_sequences_of_them(make: Any) -> None:
    assert make(3).shape == (3,)
    assert make([2, np.int64(3)]).shape == (2, 3)
    assert make(()).shape == ()
    assert make((0, 2)).shape == (0, 2)
    assert make(2).dtype is at.float32
    name = make.__name__
    for shape, error in [((2, -1), ValueError), (-1, ValueError), (2.0, TypeError), ((1, 2.0), TypeError)]:
        with pytest.raises(error, match=rf"{name}: a shape "):
            make(shape)
    for shape in ("ab", None, True, (True,)):
        with pytest.raises(TypeError, match=rf"{name}: a shape is made of integers"):
            make(shape)


@pytest.mark.parametrize(("value", "dtype"), [(True, "bool"), (7, "int64"), (1.5, "float32"), (1j, "complex64")])
def test_full_takes_the_values_default_dtype(value: Any, dtype: str) -> None:
    assert at.full(2, value).dtype.name == dtype
    assert at.full((), value).tolist() == value
    assert at.full(2, np.int16(3)).dtype is at.int16


@every_dtype
@pytest.mark.parametrize("value", [0.25, -0.0, float("nan")])
def test_a_tensor_of_another_dtype_fills_as_it_is_cast(dtype: DType, value: float) -> None:
    if dtype.kind in "iu" and value != value:
        return
    source = at.asarray(value)
    assert at.full(2, source, dtype=dtype).numpy().tobytes() == at.stack([source.astype(dtype)] * 2).numpy().tobytes()


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: at.full(2, "a"), TypeError, "full: a number is wanted, not 'a'"),
        (lambda: at.full(2, "a", dtype=at.int8), TypeError, "full: a number is wanted, not 'a'"),
        (lambda: at.full(2, [1]), TypeError, r"full: a number is wanted, not \[1\]"),
        (lambda: at.full(2, at.ones(1)), ValueError, r"full: the value must be a number or a 0-d Tensor.*\(1,\)"),
        (lambda: at.full(2, 1j, dtype=at.int8), TypeError, "full: the complex number 1j does not go into int8"),
        (lambda: at.full(2, at.asarray(1j), dtype=at.int8), TypeError, "full: a value of complex64 .* int8"),
        (lambda: at.full(2, 300, dtype=at.int8), OverflowError, "full: the integer 300 is out of range for int8"),
        (lambda: at.full(2, -1, dtype=at.uint64), OverflowError, "full: the integer -1 is out of range for uint64"),
        (lambda: at.full(2, 2**63), OverflowError, "full: the integer 9223372036854775808 is out of range for int64"),
        (lambda: at.full(2, 1e9, dtype=at.int8), OverflowError, "full: the integer 1000000000 is out of range"),
        (lambda: at.full(2, float("nan"), dtype=at.int8), ValueError, "full: nan is no integer for int8"),
        (lambda: at.full(2, float("inf"), dtype=at.int8), OverflowError, "full: inf is no integer for int8"),
        (lambda: at.zeros_like([1]), TypeError, "zeros_like: the operand must be a Tensor, not list"),
        (lambda: at.ones_like(1), TypeError, "ones_like: the operand must be a Tensor, not int"),
        (lambda: at.empty_like(None), TypeError, "empty_like: the operand must be a Tensor"),
        (lambda: at.full_like("a", 1), TypeError, "full_like: the operand must be a Tensor"),
    ],
)
def test_bad_values_are_refused(call: Any, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        call()


# Ranges

RANGES = [(5,), (0,), (-3,), (2, 8), (8, 2), (8, 2, -1), (0, 10, 3), (10, 0, -3), (3, 3), (0, 1, 5), (0, -1, -5)]


@pytest.mark.parametrize("dtype", NUMERIC, ids=lambda d: d.short)
@pytest.mark.parametrize("arguments", RANGES, ids=str)
def test_arange_of_integers(arguments: tuple[int, ...], dtype: DType) -> None:
    wanted = np.arange(*arguments)
    if dtype.kind == "u" and wanted.size and wanted.min() < 0:
        with pytest.raises(OverflowError, match=rf"arange: the integer -\d+ is out of range for {dtype}"):
            at.arange(*arguments, dtype=dtype)
        return
    assert_matches(at.arange(*arguments, dtype=dtype), wanted.astype(dtype.dtype), exact=True)


@pytest.mark.parametrize("dtype", INTEGERS, ids=lambda d: d.short)
@given(data=st.data())
def test_arange_reaches_the_extremes(dtype: DType, data: st.DataObject) -> None:
    info = at.iinfo(dtype)
    start = data.draw(st.integers(info.min, info.max) | st.sampled_from([info.min, info.max]))
    step = data.draw(st.integers(-(2**64), 2**64).filter(bool) | st.sampled_from([-3, -1, 1, 3]))
    fitting = ((info.max if step > 0 else info.min) - start) // step + 1
    count = data.draw(st.integers(0, min(fitting, 9)))
    x = at.arange(start, start + count * step, step, dtype=dtype)
    assert x.tolist() == [start + place * step for place in range(count)]
    if fitting < 2**31:
        with pytest.raises(OverflowError, match=rf"arange: the integer -?\d+ is out of range for {dtype}"):
            at.arange(start, start + (fitting + 1) * step, step, dtype=dtype)


FLOATS = st.floats(-50, 50).filter(lambda value: value == 0 or abs(value) > 1e-3)


@pytest.mark.parametrize("dtype", FLOATING + COMPLEX, ids=lambda d: d.short)
@given(start=FLOATS, stop=FLOATS, step=FLOATS.filter(lambda step: abs(step) > 0.05))
def test_arange_of_floats(dtype: DType, start: float, stop: float, step: float) -> None:
    wanted = np.arange(start, stop, step)
    # The first two elements are rounded to the dtype, and every further one is as many steps away.
    scale = 2 * (wanted.size + 1) * (abs(start) + abs(step))
    assert_matches(at.arange(start, stop, step, dtype=dtype), wanted, dtype=dtype, ulps=1, scale=scale)
    part = dtypes.REAL_OF.get(dtype, dtype)
    if part in (at.float32, at.float64):
        exact = np.arange(start, stop, step, dtype=part.dtype)
        assert_matches(at.arange(start, stop, step, dtype=part), exact, ulps=1, scale=scale)


@pytest.mark.parametrize("dtype", [d for d in INTEGERS if d.kind == "i"], ids=lambda d: d.short)
@given(start=FLOATS, stop=FLOATS, step=FLOATS.filter(lambda step: abs(step) > 1))
def test_arange_of_floats_in_an_integer_dtype(dtype: DType, start: float, stop: float, step: float) -> None:
    wanted = np.arange(start, stop, step, dtype=np.int64)
    assume(wanted.size == 0 or (wanted.min() >= -128 and wanted.max() <= 127))
    assert_matches(at.arange(start, stop, step, dtype=dtype), wanted.astype(dtype.dtype))


def test_arange_finds_the_default_dtype() -> None:
    assert at.arange(3).dtype is at.int64
    assert at.arange(np.int16(1), np.int16(3)).dtype is at.int64
    assert at.arange(0, 3, True).tolist() == [0, 1, 2]
    assert at.arange(3.0).dtype is at.float32
    assert at.arange(0, 3, 1.0).dtype is at.float32


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: at.arange(0, 3, 0), ValueError, "arange: the step is 0"),
        (lambda: at.arange(0, float("inf")), ValueError, "arange: there is no length of a range from 0 to inf by 1"),
        (lambda: at.arange(0, float("nan")), ValueError, "arange: there is no length"),
        (lambda: at.arange("a"), TypeError, "arange: a number is wanted, not 'a'"),
        (lambda: at.arange(1j), TypeError, "arange: the complex number 1j is not taken"),
        (lambda: at.arange(2, dtype=at.bool), TypeError, "arange: bool is not taken"),
        (lambda: at.arange(300, dtype=at.int8), OverflowError, "arange: the integer 299 is out of range for int8"),
        (lambda: at.linspace(0, 1, -1), ValueError, "linspace: num is -1; it cannot be negative"),
        (lambda: at.linspace(0, 1, 2.0), TypeError, "linspace: num must be an integer, not 2.0"),
        (lambda: at.linspace("a", 1, 2), TypeError, "linspace: a number is wanted, not 'a'"),
        (
            lambda: at.linspace(0, 1j, 2, dtype=at.float32),
            TypeError,
            "linspace: complex numbers do not go into float32",
        ),
        (lambda: at.linspace(0, 1, 2, dtype=at.bool), TypeError, "linspace: bool is not taken"),
        (lambda: at.eye(-1), ValueError, "eye: a shape has no negative lengths"),
        (lambda: at.eye(2.0), TypeError, "eye: a shape is made of integers"),
        (lambda: at.eye(2, k=1.5), TypeError, "eye: k must be an integer, not 1.5"),
        (lambda: at.tril(at.ones(3)), ValueError, "tril: a tensor of 1 dimensions is no stack of matrices"),
        (lambda: at.triu(at.ones((2, 2)), k=0.5), TypeError, "triu: k must be an integer, not 0.5"),
        (lambda: at.tril([[1]]), TypeError, "tril: the operand must be a Tensor, not list"),
        (lambda: at.meshgrid(at.ones((2, 2))), ValueError, "meshgrid: every tensor must be one-dimensional"),
        (lambda: at.meshgrid(at.ones(2), indexing="yx"), ValueError, "meshgrid: indexing is 'yx'"),
        (lambda: at.meshgrid(at.ones(2), at.ones(2, dtype=at.int8)), ValueError, "meshgrid: one dtype for all"),
        (lambda: at.meshgrid([1, 2]), TypeError, "meshgrid: the operand must be a Tensor, not list"),
    ],
)
def test_bad_arguments_are_refused(call: Any, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        call()


@pytest.mark.parametrize("dtype", FLOATING, ids=lambda d: d.short)
@given(start=FLOATS, stop=FLOATS, num=st.integers(0, 9), endpoint=st.booleans())
def test_linspace(dtype: DType, start: float, stop: float, num: int, endpoint: bool) -> None:
    wanted = np.linspace(start, stop, num, endpoint=endpoint)
    x = at.linspace(start, stop, num, dtype=dtype, endpoint=endpoint)
    assert_matches(x, wanted, dtype=dtype, ulps=2, scale=abs(start) + abs(stop))


@pytest.mark.parametrize("dtype", COMPLEX, ids=lambda d: d.short)
@given(parts=st.tuples(FLOATS, FLOATS, FLOATS, FLOATS), num=st.integers(0, 9), endpoint=st.booleans())
def test_linspace_of_complex_numbers(dtype: DType, parts: Any, num: int, endpoint: bool) -> None:
    start, stop = complex(*parts[:2]), complex(*parts[2:])
    wanted = np.linspace(start, stop, num, endpoint=endpoint)
    x = at.linspace(start, stop, num, dtype=dtype, endpoint=endpoint)
    assert_matches(x, wanted, dtype=dtype, ulps=2, scale=abs(start) + abs(stop))
    assert at.linspace(start, stop, num).dtype is at.complex64


@pytest.mark.parametrize("dtype", INTEGERS, ids=lambda d: d.short)
@given(start=st.integers(0, 100), stop=st.integers(0, 100), num=st.integers(0, 9), endpoint=st.booleans())
def test_linspace_of_integers(dtype: DType, start: int, stop: int, num: int, endpoint: bool) -> None:
    wanted = np.linspace(start, stop, num, endpoint=endpoint, dtype=dtype.dtype)
    assert_matches(at.linspace(start, stop, num, dtype=dtype, endpoint=endpoint), wanted)


@pytest.mark.parametrize("dtype", FLOATING + INTEGERS, ids=lambda d: d.short)
def test_ends_of_a_range_may_be_tensors(dtype: DType) -> None:
    start, stop, step = (at.asarray(value, dtype=dtype) for value in (2, 10, 4))
    for ends in ((start, stop), (start, 10), (2, stop)):
        x = at.linspace(*ends, 5)
        assert_matches(x, [2, 4, 6, 8, 10], dtype=dtype if dtype.kind == "f" else at.float32)
        assert_matches(at.arange(*ends, step, dtype=dtype), [2, 6], dtype=dtype)
    assert at.linspace(start, at.asarray(1.0, dtype=at.float64), 2).dtype is at.float64
    assert at.linspace(start, 1j, 2).dtype is (at.complex128 if dtype is at.float64 else at.complex64)
    several = at.ones(1, dtype=dtype)
    with refuses(TypeError, "linspace: a number is wanted"):
        at.linspace(several, 3, 2)


# Matrices


@every_dtype
@given(rows=st.integers(0, 4), columns=st.none() | st.integers(0, 4), k=st.integers(-6, 6) | st.just(2**70))
def test_eye(dtype: DType, rows: int, columns: int | None, k: int) -> None:
    wanted = np.eye(rows, columns, max(-9, min(k, 9))).astype(dtype.dtype)
    assert_matches(at.eye(rows, columns, k=k, dtype=dtype), wanted, exact=True)


@every_dtype
@pytest.mark.parametrize("function", ["tril", "triu"])
@given(data=st.data(), k=st.integers(-6, 6) | st.sampled_from([2**70, -(2**70)]))
def test_triangles(function: str, dtype: DType, data: st.DataObject, k: int) -> None:
    ((x, array),) = data.draw(operands(dtype))
    assume(array.ndim >= 2)
    reference = np.tril if function == "tril" else np.triu
    kept = reference(np.ones(array.shape, bool), max(-9, min(k, 9)))
    # What is cut away is zero, whatever it was.
    wanted = np.where(kept, array, np.zeros((), array.dtype))
    assert_matches(getattr(at, function)(x, k=k), wanted, exact=True)


@every_dtype
@pytest.mark.parametrize("indexing", ["xy", "ij"])
@given(data=st.data(), lengths=st.lists(st.integers(0, 3), max_size=4))
def test_meshgrid(indexing: Any, dtype: DType, data: st.DataObject, lengths: list[int]) -> None:
    lines = [data.draw(arrays(dtype, (length,))) for length in lengths]
    grids = at.meshgrid(*map(on_device, lines), indexing=indexing)
    wanted = np.meshgrid(*lines, indexing=indexing) if lines else []
    assert len(grids) == len(wanted)
    for grid, expected in zip(grids, wanted, strict=True):
        assert_matches(grid, expected, exact=True)


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda: at.zeros((10**20,)), "more bytes than can be counted"),
        (lambda: at.empty((2**40, 2**40)), "more bytes than can be counted"),
        (lambda: at.broadcast_to(at.ones((1,)), (10**10, 10**10)), "more bytes than can be counted"),
        (lambda: at.ones((1,) * 65), "at most 64 dimensions"),
        (lambda: at.ones((1,) * 64)[None], "at most 64 dimensions"),
    ],
)
def test_shapes_beyond_any_tensor_are_refused(make, told):
    held = settled_memory()
    with pytest.raises(ValueError, match=told):
        make()
    at.npu.synchronize()
    assert at.npu.memory_allocated() == held


def test_a_tensor_of_most_dimensions_computes():
    assert at.sum(at.ones((1,) * 62 + (2, 3)) + 1).item() == 12.0
