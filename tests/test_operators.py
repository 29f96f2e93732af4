"""Operators of tensors are the functions of their names: plain, reflected and in place."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ascendtensor as at
from ops_registry import dtypes
from ops_registry.dtypes import DType

from .elementwise_table import FUNCTIONS, result_dtype, second_operands
from .operands import operands

pytestmark = pytest.mark.filterwarnings("ignore::ascendtensor.HostFallbackWarning")

UNARY: dict[str, Callable[[Any], Any]] = {
    "positive": operator.pos,
    "negative": operator.neg,
    "abs": operator.abs,
    "bitwise_invert": operator.invert,
}
ARITHMETIC: dict[str, tuple[Callable[..., Any], Callable[..., Any]]] = {
    "add": (operator.add, operator.iadd),
    "subtract": (operator.sub, operator.isub),
    "multiply": (operator.mul, operator.imul),
    "divide": (operator.truediv, operator.itruediv),
    "floor_divide": (operator.floordiv, operator.ifloordiv),
    "remainder": (operator.mod, operator.imod),
    "pow": (operator.pow, operator.ipow),
    "bitwise_and": (operator.and_, operator.iand),
    "bitwise_or": (operator.or_, operator.ior),
    "bitwise_xor": (operator.xor, operator.ixor),
    "bitwise_left_shift": (operator.lshift, operator.ilshift),
    "bitwise_right_shift": (operator.rshift, operator.irshift),
}
COMPARISONS: dict[str, Callable[..., Any]] = {
    "equal": operator.eq,
    "not_equal": operator.ne,
    "less": operator.lt,
    "less_equal": operator.le,
    "greater": operator.gt,
    "greater_equal": operator.ge,
}
# A comparison with a number on the left is Python's own turned one.
TURNED = {"less": "greater", "less_equal": "greater_equal", "greater": "less", "greater_equal": "less_equal"}


def taken_by(function: str) -> st.SearchStrategy[DType]:
    return st.sampled_from([d for d in dtypes.ALL if d.kind in FUNCTIONS[function].kinds])


def assert_same(tensor: at.Tensor, expected: at.Tensor) -> None:
    assert (tensor.dtype, tensor.shape) == (expected.dtype, expected.shape)
    assert tensor.numpy().tobytes() == expected.numpy().tobytes()


@pytest.mark.parametrize("function", UNARY)
@given(data=st.data())
def test_operator_of_one_operand(function: str, data: st.DataObject) -> None:
    ((x, _),) = data.draw(operands(data.draw(taken_by(function))))
    assert_same(UNARY[function](x), getattr(at, function)(x))


@pytest.mark.parametrize("function", [*ARITHMETIC, *COMPARISONS])
@given(data=st.data())
def test_operator_of_two_operands(function: str, data: st.DataObject) -> None:
    dtype = data.draw(taken_by(function))
    second = second_operands(function, dtype)
    (x1, _), (x2, _) = data.draw(operands(dtype, dtype, values={} if second is None else {1: second}))
    apply = ARITHMETIC[function][0] if function in ARITHMETIC else COMPARISONS[function]
    assert_same(apply(x1, x2), getattr(at, function)(x1, x2))


@pytest.mark.parametrize("function", [*ARITHMETIC, *COMPARISONS])
@given(data=st.data())
def test_operator_with_a_number_on_either_side(function: str, data: st.DataObject) -> None:
    dtype = data.draw(taken_by(function))
    values = st.booleans() if dtype.kind == "b" else st.integers(0, 3)
    ((x, _),) = data.draw(operands(dtype, values={0: values}))
    number = data.draw(values)
    apply = ARITHMETIC[function][0] if function in ARITHMETIC else COMPARISONS[function]
    assert_same(apply(x, number), getattr(at, function)(x, number))
    reflected = TURNED.get(function, function)
    wanted = getattr(at, function)(number, x) if function in ARITHMETIC else getattr(at, reflected)(x, number)
    assert_same(apply(number, x), wanted)


@pytest.mark.parametrize("function", ARITHMETIC)
@given(data=st.data(), by_number=st.booleans())
def test_operator_in_place_writes_where_the_tensor_is(function: str, by_number: bool, data: st.DataObject) -> None:
    dtype = data.draw(
        taken_by(function).filter(lambda d: d is result_dtype(function, d)),
    )
    values = st.booleans() if dtype.kind == "b" else st.integers(0, 3)
    ((_, array),) = data.draw(operands(dtype, values={0: values}))
    base = at.asarray(np.stack([array, array]), dtype=dtype)
    before = base.numpy()
    x = base[1, ...]
    other: Any = data.draw(values) if by_number else at.asarray(array[(slice(0, 1),) * array.ndim], dtype=dtype)
    if not by_number and 0 in array.shape:
        other = x
    wanted = getattr(at, function)(x, other)
    kept = x
    x = ARITHMETIC[function][1](x, other)
    assert x is kept
    assert_same(x, wanted)
    assert_same(base[1, ...], wanted)
    assert base.numpy()[:1].tobytes() == before[:1].tobytes()


@pytest.mark.parametrize("first", dtypes.ALL, ids=str)
@pytest.mark.parametrize("second", dtypes.ALL, ids=str)
def test_a_result_is_cast_in_place_within_its_kind_as_numpy_does(first: DType, second: DType) -> None:
    x, y = at.asarray([1, 0], dtype=first), at.asarray([1, 1], dtype=second)
    try:
        result = x + y
    except TypeError:  # uint64 and a signed dtype
        assert dtypes.uint64 in (first, second)
        return
    standard_floats = {dtypes.bfloat16: np.dtype("float32")}
    numpys = [standard_floats.get(d, d.dtype) for d in (result.dtype, first)]
    if np.can_cast(*numpys, casting="same_kind"):
        kept = x
        x += y
        assert x is kept
        assert_same(x, result.astype(first))
    else:
        with pytest.raises(TypeError, match=f"add: a result of {result.dtype} cannot be cast into .* {first} in place"):
            x += y
        assert x.tolist() == at.asarray([1, 0], dtype=first).tolist()


@pytest.mark.parametrize("function", ARITHMETIC)
def test_a_result_that_does_not_fit_is_not_written_in_place(function: str) -> None:
    x = at.ones((2, 1), dtype=at.int8)
    if function == "divide":
        with pytest.raises(TypeError, match=r"divide.*float32.*int8"):
            x /= x
        return
    unsigned = at.ones((2, 1), dtype=at.uint8)
    with pytest.raises(TypeError, match=rf"{function}.*int16.*uint8"):
        ARITHMETIC[function][1](unsigned, x)
    with pytest.raises(ValueError, match=rf"{function}.*\(2, 3\).*\(2, 1\)"):
        ARITHMETIC[function][1](x, at.ones((2, 3), dtype=at.int8))
    assert x.tolist() == [[1], [1]]


@pytest.mark.parametrize("function", ARITHMETIC)
@pytest.mark.parametrize("other", [None, {1: 2}, object()], ids=lambda other: type(other).__name__)
def test_what_is_no_operand_is_left_to_python(function: str, other: Any) -> None:
    x = at.ones(2, dtype=at.int32)
    for apply in ARITHMETIC[function]:
        with pytest.raises(TypeError, match="unsupported operand"):
            apply(x, other)
    with pytest.raises(TypeError, match="unsupported operand"):
        ARITHMETIC[function][0](other, x)
    assert (x == other) is False
    assert (x != other) is True
