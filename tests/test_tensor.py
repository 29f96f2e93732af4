"""The Tensor itself: to Python and back, how it prints, its operators, its copies."""

from __future__ import annotations

import copy
import operator
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ascendtensor as at
from ops_registry import dtypes, promotion
from ops_registry.dtypes import DType

from .comparison import COMPLEX, FLOATING, INTEGERS, REAL, arrays, assert_matches, on_device, shapes
from .layouts import Array, laid_out, refuses, tensors

EVERY = pytest.mark.parametrize("dtype", dtypes.ALL, ids=str)


def test_a_tensor_is_not_made_by_its_class() -> None:
    for arguments in ((), (3,), ([1, 2],)):
        with refuses(TypeError, "asarray"):
            at.Tensor(*arguments)


# Attributes


@EVERY
@given(data=st.data())
def test_attributes(dtype: DType, data: st.DataObject) -> None:
    array, x = data.draw(tensors(dtype))
    for name in ("shape", "ndim", "size", "nbytes", "itemsize"):
        assert getattr(x, name) == getattr(array, name)
    assert x.dtype is dtype
    assert x.device == at.device("npu:0")
    in_order = tuple(s // x.itemsize for s in np.empty(x.shape, dtype.dtype).strides)
    if x.is_contiguous() and x.size:
        assert x.stride() == in_order
    elif x.size:
        assert [s for s, n in zip(x.stride(), x.shape, strict=True) if n > 1] != [
            s for s, n in zip(in_order, x.shape, strict=True) if n > 1
        ]


@pytest.mark.parametrize("first", dtypes.ALL, ids=str)
@given(data=st.data())
def test_bytes_seen_in_another_dtype(first: DType, data: st.DataObject) -> None:
    _, x = data.draw(tensors(first))
    second = data.draw(st.sampled_from(dtypes.ALL))
    # NumPy's view of an array that is laid out alike.
    alike = np.lib.stride_tricks.as_strided(
        np.resize(x._memory().numpy(), x.storage.nbytes // x.itemsize)[x._offset :],
        x.shape,
        [x.itemsize * s for s in x.stride()],
    )
    aligned = x._offset * x.itemsize % second.itemsize == 0
    try:
        wanted = alike.view(second.dtype)
    except ValueError:
        if x.shape and x.shape[-1] == 1 and x.stride()[-1] != 1:
            return
        with refuses(ValueError, "view"):
            x.view(second)
        return
    if not aligned and x.size:
        with refuses(ValueError, "view", "not whole numbers"):
            x.view(second)
        return
    y = x.view(second)
    assert (y.dtype, y.shape) == (second, wanted.shape)
    assert y.storage is x.storage
    assert y.numpy().tobytes() == wanted.tobytes()


def test_view_as_another_shape_or_dtype() -> None:
    x = at.arange(6, dtype=at.complex64)
    parts = x.view(at.float32)
    parts[1] = 7
    assert x[0].item() == 7j
    assert x.view(2, 3).shape == x.view((2, 3)).shape == x.view(-1, 3).shape == (2, 3)
    assert x.view(float).shape == (12,)
    with refuses(ValueError, "view: (3, 2) to (6,) takes a copy here"):
        x.view(2, 3).T.view(6)
    with refuses(ValueError, "view"):
        x[::2].view("float32")
    with refuses(TypeError, "'words' is not a data type"):
        x.view("words")


@pytest.mark.parametrize("name", ["shape", "ndim", "size", "dtype", "device", "T"])
def test_attributes_are_read_only(name: str) -> None:
    x = at.zeros((2, 3))
    with pytest.raises(AttributeError):
        setattr(x, name, getattr(x, name))
    with pytest.raises(AttributeError):
        x.label = "a tensor"  # type: ignore[attr-defined]


@EVERY
@given(data=st.data())
def test_clone_and_contiguous(dtype: DType, data: st.DataObject) -> None:
    array, x = data.draw(tensors(dtype))
    whole = x.contiguous()
    assert (whole is x) == x.is_contiguous()
    assert whole.is_contiguous()
    assert_matches(whole, array, exact=True)
    clone = x.clone()
    assert clone.is_contiguous()
    assert clone.storage is not x.storage
    clone[...] = 0
    assert_matches(x, array, exact=True)


# To the host


@EVERY
@given(data=st.data())
def test_numpy_is_a_copy(dtype: DType, data: st.DataObject) -> None:
    array, x = data.draw(tensors(dtype))
    for values in (x.numpy(), np.asarray(x), np.array(x), x.__array__()):
        assert values.tobytes() == array.tobytes()
        assert values.shape == array.shape
        assert values.dtype == array.dtype
        assert values.flags.writeable
        values[...] = np.ones((), dtype=dtype.dtype)
    assert_matches(x, array, exact=True)


@EVERY
@given(data=st.data())
def test_tolist_and_item(dtype: DType, data: st.DataObject) -> None:
    array, x = data.draw(tensors(dtype))
    assert repr(x.tolist()) == repr(array.tolist())
    if x.size == 1:
        assert repr(x.item()) == repr(array.item())
        assert type(x.item()) is {"b": bool, "i": int, "u": int, "f": float, "c": complex}[dtype.kind]
    else:
        with refuses(ValueError, str(x.shape)):
            x.item()


def test_array_protocol() -> None:
    x = at.asarray([1.5, 2.5])
    assert np.asarray(x, dtype=np.int64).tolist() == [1, 2]
    assert np.asarray(x, dtype=np.float64).dtype == np.float64
    assert np.array(x, copy=True).tolist() == [1.5, 2.5]
    with refuses(ValueError, "copy"):
        np.asarray(x, copy=False)


@EVERY
def test_to_python_numbers(dtype: DType) -> None:
    for shape in ((), (1,), (1, 1)):
        x = at.full(shape, 1, dtype=dtype)
        assert bool(x) is True
        assert complex(x) == 1
        if dtype.kind == "c":
            for number in (int, float):
                with refuses(TypeError, dtype.name):
                    number(x)
        else:
            assert (int(x), float(x)) == (1, 1.0)
            assert (type(int(x)), type(float(x))) == (int, float)
        if dtype.kind in "iu" and not shape:
            assert operator.index(x) == 1
            assert [5, 6, 7][x] == 6
            assert hex(x) == "0x1"
        else:
            with refuses(TypeError, dtype.name):
                operator.index(x)
    assert bool(at.zeros((), dtype=dtype)) is False


@pytest.mark.parametrize("shape", [(0,), (2,), (1, 2)])
def test_more_than_one_element_is_no_number(shape: tuple[int, ...]) -> None:
    x = at.zeros(shape, dtype=at.int32)
    for number in (bool, int, float, complex):
        with refuses(ValueError, str(shape)):
            number(x)


@pytest.mark.parametrize(("value", "error"), [(np.inf, OverflowError), (np.nan, ValueError)])
def test_no_integers(value: float, error: type[Exception]) -> None:
    x = at.asarray(value)
    with pytest.raises(error):
        int(x)


@EVERY
@given(data=st.data())
def test_len_and_iteration(dtype: DType, data: st.DataObject) -> None:
    array, x = data.draw(tensors(dtype, shapes(min_dims=1)))
    assert len(x) == len(array)
    rows = list(x)
    assert len(rows) == len(array)
    for row, expected in zip(rows, array, strict=True):
        assert row.storage is x.storage
        assert_matches(row, np.asarray(expected, dtype=dtype.dtype), exact=True)


def test_a_number_has_no_length() -> None:
    x = at.zeros(())
    for call in (len, iter, list):
        with refuses(TypeError, "0-d"):
            call(x)


@EVERY
def test_contains(dtype: DType) -> None:
    x = at.zeros((2, 3), dtype=dtype)
    assert 0 in x
    assert 1 not in x
    assert at.asarray(0, dtype=dtype) in x
    assert "a" not in x
    assert None not in x
    assert 1000 not in x
    assert 0 not in at.zeros(0, dtype=dtype)


@pytest.mark.parametrize(
    ("value", "spec", "text"),
    [(1.5, ".3f", "1.500"), (7, "04d", "0007"), (1 + 2j, ".1f", "1.0+2.0j"), (True, "d", "1"), (1.5, "", "1.5")],
)
def test_format(value: Any, spec: str, text: str) -> None:
    x = at.asarray(value)
    assert format(x, spec) == (text if spec else str(x))
    assert f"{at.asarray([1, 2])}" == "Tensor([1, 2], device='npu:0')"
    many = at.asarray([1.5, 2.5])
    with pytest.raises((TypeError, ValueError)):
        format(many, ".3f")


# repr

REPRS: list[tuple[Callable[[], at.Tensor], str]] = [
    (lambda: at.asarray(1.5), "Tensor(1.5, device='npu:0')"),
    (lambda: at.asarray(True), "Tensor(True, device='npu:0')"),
    (lambda: at.asarray([1, 2, 3]), "Tensor([1, 2, 3], device='npu:0')"),
    (lambda: at.asarray([1, 2], dtype=at.int8), "Tensor([1, 2], device='npu:0', dtype=ascendtensor.int8)"),
    (lambda: at.asarray([1 + 2j]), "Tensor([1.+2.j], device='npu:0')"),
    (lambda: at.ones(2, dtype=at.bfloat16), "Tensor([1., 1.], device='npu:0', dtype=ascendtensor.bfloat16)"),
    (lambda: at.ones(2, dtype=at.float64), "Tensor([1., 1.], device='npu:0', dtype=ascendtensor.float64)"),
    (lambda: at.asarray([0.1, -np.inf, np.nan]), "Tensor([ 0.1, -inf,  nan], device='npu:0')"),
    (lambda: at.asarray([1 / 3, 2.0]), "Tensor([0.3333, 2.0000], device='npu:0')"),
    (lambda: at.eye(2), "Tensor([[1., 0.],\n        [0., 1.]], device='npu:0')"),
    (lambda: at.asarray([[1, 2], [3, 4]]).T, "Tensor([[1, 3],\n        [2, 4]], device='npu:0')"),
    (lambda: at.asarray([1, 2, 3])[::-1], "Tensor([3, 2, 1], device='npu:0')"),
    (lambda: at.zeros(0), "Tensor([], device='npu:0', dtype=ascendtensor.float32)"),
    (lambda: at.zeros((2, 0)), "Tensor([], size=(2, 0), device='npu:0', dtype=ascendtensor.float32)"),
    (lambda: at.arange(2000), "Tensor([   0,    1,    2, ..., 1997, 1998, 1999], device='npu:0')"),
]


@pytest.mark.parametrize(("make", "text"), REPRS)
def test_repr(make: Callable[[], at.Tensor], text: str) -> None:
    assert repr(make()) == text
    assert str(make()) == text


def test_a_large_tensor_prints_short() -> None:
    assert len(repr(at.zeros((100, 100, 10)))) < 5000


@given(data=st.data(), dtype=st.sampled_from(dtypes.ALL))
def test_everything_has_a_repr(data: st.DataObject, dtype: DType) -> None:
    _, x = data.draw(tensors(dtype))
    assert repr(x).startswith("Tensor(")
    assert "device='npu:0'" in repr(x)


# Operators

OPERATORS: list[tuple[str, Callable[[Any, Any], Any], Callable[..., Any], str]] = [
    ("add", operator.add, operator.iadd, "iufc"),
    ("subtract", operator.sub, operator.isub, "iufc"),
    ("multiply", operator.mul, operator.imul, "iufc"),
    ("divide", operator.truediv, operator.itruediv, "fc"),
    ("floor_divide", operator.floordiv, operator.ifloordiv, "iuf"),
    ("remainder", operator.mod, operator.imod, "iuf"),
    ("pow", operator.pow, operator.ipow, "iuf"),
    ("bitwise_and", operator.and_, operator.iand, "biu"),
    ("bitwise_or", operator.or_, operator.ior, "biu"),
    ("bitwise_xor", operator.xor, operator.ixor, "biu"),
    ("bitwise_left_shift", operator.lshift, operator.ilshift, "iu"),
    ("bitwise_right_shift", operator.rshift, operator.irshift, "iu"),
]
# No engine divides these; the host does, with a warning.
HOST_FOR_UINT64 = ("floor_divide", "remainder")
COMPARISONS = [operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge]

BINARY = pytest.mark.parametrize(("function", "binary", "inplace", "kinds"), OPERATORS, ids=[o[0] for o in OPERATORS])


def small(dtype: DType) -> Array:
    return np.asarray([[1, 1, 2], [3, 2, 1]]).astype(dtype.dtype)


@EVERY
@BINARY
def test_operators(dtype: DType, function: str, binary: Any, inplace: Any, kinds: str) -> None:
    if dtype.kind not in kinds or (dtype is dtypes.uint64 and function in HOST_FOR_UINT64):
        return
    array = small(dtype)
    x, y = on_device(array), on_device(array[:, ::-1])
    wide = array if dtype.kind in "biu" else array.astype(np.complex128 if dtype.kind == "c" else np.float64)
    number: Any = True if dtype.kind == "b" else 2
    assert_matches(binary(x, y), binary(wide, wide[:, ::-1]), dtype=dtype)
    assert_matches(binary(x, number), binary(wide, number), dtype=dtype)
    assert_matches(binary(number, x), binary(number, wide), dtype=dtype)
    assert_matches(getattr(at, function)(x, y), binary(wide, wide[:, ::-1]), dtype=dtype)


@EVERY
@BINARY
@pytest.mark.parametrize("layout", ["whole", "turned", "stepped", "offset"])
def test_in_place(dtype: DType, function: str, binary: Any, inplace: Any, kinds: str, layout: str) -> None:
    if dtype.kind not in kinds or (dtype is dtypes.uint64 and function in HOST_FOR_UINT64):
        return
    base = np.tile(small(dtype), (2, 2))
    whole = on_device(base)
    key: Any = {"whole": ..., "turned": ..., "stepped": (slice(None, None, -2), slice(1, None, 2)), "offset": (1, 1)}[
        layout
    ]
    key = (slice(1, 3), slice(1, None)) if layout == "offset" else key
    array, x = (base.T, whole.T) if layout == "turned" else (base[key], whole[key])
    same, storage = x, x.storage
    other = array[0].copy()
    wide = array.astype(np.complex128 if dtype.kind == "c" else np.float64) if dtype.kind in "fc" else array
    expected = binary(wide, other.astype(wide.dtype))
    x = inplace(x, on_device(other))
    assert x is same
    assert x.storage is storage
    assert_matches(x, expected, dtype=dtype)
    array[...] = x.numpy()
    assert_matches(whole, base, exact=True)
    number: Any = True if dtype.kind == "b" else 2
    expected = binary(x.numpy().astype(wide.dtype), number)
    x = inplace(x, number)
    assert_matches(x, expected, dtype=dtype)


def test_in_place_with_itself() -> None:
    x, array = at.arange(6), np.arange(6)
    x[1:] += x[:-1]
    array[1:] += array[:-1]
    assert_matches(x, array)
    x -= x[::-1]
    array -= array[::-1].copy()
    assert_matches(x, array)


@pytest.mark.parametrize("layout", ["whole", "view"])
def test_in_place_that_does_not_fit_changes_nothing(layout: str) -> None:
    def made(dtype: DType) -> at.Tensor:
        return at.ones((2, 3), dtype=dtype) if layout == "whole" else at.ones((3, 4), dtype=dtype)[:, ::2].T

    f16, f32, i8, u64, flag, z = (made(d) for d in (at.float16, at.float32, at.int8, at.uint64, at.bool, at.complex64))
    cube, wide = at.ones((2, 2, 3)), at.ones(4)
    bad: list[tuple[Callable[[], Any], type[Exception], str]] = [
        (lambda: operator.iadd(flag, f16), TypeError, "add: a result of float16"),
        (lambda: operator.imul(f32, z), TypeError, "multiply: a result of complex64"),
        (lambda: operator.isub(i8, f32), TypeError, "subtract: a result of float32"),
        (lambda: operator.itruediv(i8, 2), TypeError, "divide"),
        (lambda: operator.iadd(i8, 1.5), TypeError, "add: a result of float32"),
        (lambda: operator.iadd(f32, 1j), TypeError, "add: a result of complex64"),
        (lambda: operator.iadd(flag, 1), TypeError, "add"),
        (lambda: operator.iadd(u64, i8), TypeError, "uint64"),
        (lambda: operator.iadd(i8, 128), OverflowError, "add: the integer 128"),
        (lambda: operator.iadd(f32, cube), ValueError, "add: a result of shape (2, 2, 3)"),
        (lambda: operator.iadd(f32, wide), ValueError, "add: shapes"),
        (lambda: operator.iand(f32, f32), TypeError, "bitwise_and"),
        (lambda: operator.iadd(f32, "a"), TypeError, ""),
        (lambda: operator.iadd(f32, [1, 2, 3]), TypeError, ""),
        (lambda: operator.iadd(f32, None), TypeError, ""),
    ]
    for call, error, words in bad:
        with refuses(error, words):
            call()
    for x in (f16, f32, i8, u64, flag, z):
        assert at.all(x == 1)


@EVERY
@pytest.mark.parametrize("compare", COMPARISONS)
def test_comparisons(dtype: DType, compare: Callable[[Any, Any], Any]) -> None:
    if dtype.kind == "c" and compare not in (operator.eq, operator.ne):
        return
    array = small(dtype)
    x = on_device(array)
    number = True if dtype.kind == "b" else 2
    if dtype.kind != "b" or compare in (operator.eq, operator.ne):
        assert_matches(compare(x, x[:, ::-1]), compare(array, array[:, ::-1]), dtype=at.bool)
        assert_matches(compare(x, number), compare(array, np.asarray(number, dtype=dtype.dtype)), dtype=at.bool)
        assert_matches(compare(number, x), compare(np.asarray(number, dtype=dtype.dtype), array), dtype=at.bool)


def test_comparison_with_other_things() -> None:
    x = at.zeros(3)
    assert (x == "a") is False
    assert (x != "a") is True
    assert (x == None) is False  # noqa: E711
    with pytest.raises(TypeError):
        operator.lt(x, "a")


@EVERY
def test_signs(dtype: DType) -> None:
    array = small(dtype)
    x = on_device(array)
    wide = array.astype(np.complex128 if dtype.kind == "c" else np.float64) if dtype.kind in "fc" else array
    if dtype.kind != "b":
        assert_matches(-x, -wide, dtype=dtype)
        assert_matches(+x, array, dtype=dtype)
        assert (+x).storage is not x.storage
        assert_matches(abs(x), abs(wide), dtype=dtypes.REAL_OF.get(dtype, dtype))
    if dtype.kind in "biu":
        assert_matches(~x, ~array, dtype=dtype)


@pytest.mark.parametrize("number", [np.float64(2), np.float32(2), np.int8(2), np.bool_(True), np.complex64(2j)])
@pytest.mark.parametrize("dtype", [at.int32, at.float16, at.float32, at.complex64], ids=str)
def test_numbers_of_numpy_are_weak(number: Any, dtype: DType) -> None:
    x = at.asarray([1, 2, 3], dtype=dtype)
    result = promotion.with_scalar(dtype, number.item())
    expected = number.item() * np.asarray([1, 2, 3])
    assert_matches(number * x, expected, dtype=result)
    assert_matches(x * number, expected, dtype=result)


def test_an_array_of_numpy_is_no_operand() -> None:
    x, array = at.ones(3), np.ones(3)
    for call in (lambda: x + array, lambda: array + x, lambda: x < array, lambda: np.add(x, array)):
        with pytest.raises(TypeError):
            call()


def test_hash_is_by_identity() -> None:
    x = at.zeros(2)
    assert hash(x) == hash(x)
    assert len({x: 1, x.clone(): 2}) == 2


# Parts of complex tensors


@pytest.mark.parametrize("dtype", COMPLEX, ids=str)
@given(data=st.data())
def test_real_and_imag_are_views(dtype: DType, data: st.DataObject) -> None:
    array, x = data.draw(tensors(dtype))
    for name in ("real", "imag"):
        part = getattr(x, name)
        assert part.storage is x.storage
        assert_matches(part, getattr(array, name), dtype=dtypes.REAL_OF[dtype], exact=True)
        part[...] = 3
        getattr(array, name)[...] = 3
        assert_matches(x, array, exact=True)


def test_parts_of_real_tensors() -> None:
    x = at.zeros(2)
    assert x.real is x
    with refuses(TypeError, "imag", "float32"):
        _ = x.imag


# Copies


@EVERY
@given(data=st.data())
def test_pickle_copy_and_deepcopy(dtype: DType, data: st.DataObject) -> None:
    array, x = data.draw(tensors(dtype))
    for other in (pickle.loads(pickle.dumps(x)), copy.copy(x), copy.deepcopy(x), copy.deepcopy([x, x])[1]):
        assert other.device is x.device
        assert other.storage is not x.storage
        assert_matches(other, array, exact=True)


def test_deepcopy_keeps_what_is_the_same_the_same() -> None:
    x = at.ones(2)
    first, second = copy.deepcopy([x, x])
    assert first is second


def test_to_device() -> None:
    x = at.ones((2, 3)).T
    assert x.to_device(x.device) is x
    assert x.to_device("npu:0") is x
    with refuses(ValueError, "cuda"):
        x.to_device("cuda")


def test_array_namespace() -> None:
    x = at.zeros(1)
    assert x.__array_namespace__() is at
    for version in at.API_VERSIONS:
        assert x.__array_namespace__(api_version=version) is at
    with refuses(ValueError, "1999.01"):
        x.__array_namespace__(api_version="1999.01")


# Methods


@pytest.mark.parametrize("dtype", [*INTEGERS, *FLOATING], ids=str)
def test_methods_are_the_functions(dtype: DType) -> None:
    x = on_device(small(dtype)).T
    for name in ("sum", "mean", "max", "min"):
        for axis in (None, 0, (0, 1)):
            found, expected = getattr(x, name)(axis, keepdims=True), getattr(at, name)(x, axis=axis, keepdims=True)
            assert_matches(found, expected.numpy(), dtype=expected.dtype, exact=True)
    assert x.sum(dtype=np.float32).dtype is at.float32
    assert x.astype(np.float64).dtype is at.float64
    assert x.reshape(2, 3).shape == x.reshape((2, 3)).shape == x.reshape([2, -1]).shape == (2, 3)


@pytest.mark.parametrize("dtype", REAL, ids=str)
@given(data=st.data())
def test_astype(dtype: DType, data: st.DataObject) -> None:
    array = data.draw(arrays(dtype, None, st.integers(0, 100)))
    x = data.draw(laid_out(array))
    for other in dtypes.ALL:
        assert_matches(x.astype(other), array.astype(np.float64).astype(other.dtype), dtype=other)
