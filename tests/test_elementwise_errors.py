"""What element-wise functions refuse: in which words, and with nothing queued or allocated."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import ascendtensor as at
from ascendtensor import embedded
from ops_registry import dtypes
from ops_registry.dtypes import DType

from .comparison import INTEGERS
from .elementwise_table import BINARY, FUNCTIONS, UNARY

functions_of_two = pytest.mark.parametrize("function", BINARY)


@pytest.fixture
def refuses() -> Callable[..., None]:
    """Hold that a call raises an error with a text, and leaves the device as it was."""

    def check(call: Callable[[], Any], error: type[Exception], text: str) -> None:
        at.npu.synchronize()
        before, executed = at.npu.memory_allocated(), embedded.executed_ops()
        with pytest.raises(error, match=text):
            call()
        at.npu.synchronize()
        assert embedded.executed_ops() == executed
        # Less if the garbage collector came by, which finds what earlier tests left.
        assert at.npu.memory_allocated() <= before

    return check


REFUSED = [
    pytest.param(function, dtype, id=f"{function}-{dtype.short}")
    for function, facts in FUNCTIONS.items()
    for dtype in dtypes.ALL
    if dtype.kind not in facts.kinds
]


@pytest.mark.parametrize(("function", "dtype"), REFUSED)
def test_a_dtype_that_is_not_taken(function: str, dtype: DType, refuses: Callable[..., None]) -> None:
    operands = [at.ones(2, dtype=dtype)] * (2 if function in BINARY else 1)
    text = rf"{function}: a tensor of {dtype} is not taken; the function takes .* dtypes"
    refuses(lambda: getattr(at, function)(*operands), TypeError, text)
    # A view would have to be gathered first, which is work.
    backwards = [operand[::-1] for operand in operands]
    refuses(lambda: getattr(at, function)(*backwards), TypeError, text)


@pytest.mark.parametrize("function", [*UNARY, "real", "imag", "clip"])
@pytest.mark.parametrize("operand", [1, [1], None, "a", np.ones(2)], ids=lambda operand: type(operand).__name__)
def test_the_operand_is_a_tensor(function: str, operand: Any, refuses: Callable[..., None]) -> None:
    text = rf"{function}: the operand must be a Tensor, not {type(operand).__name__}"
    refuses(lambda: getattr(at, function)(operand), TypeError, text)


@functions_of_two
def test_operands_are_tensors_and_numbers(function: str, refuses: Callable[..., None]) -> None:
    call, x = getattr(at, function), at.ones(2, dtype=at.int32)
    for wrong in ("a", None, [1], np.ones(2)):
        name = type(wrong).__name__
        refuses(lambda wrong=wrong: call(x, wrong), TypeError, rf"{function}: operands are .*, not Tensor and {name}")
        refuses(lambda wrong=wrong: call(wrong, x), TypeError, rf"{function}: operands are .*, not {name} and Tensor")
    refuses(lambda: call(1, 2), TypeError, rf"{function}: at least one operand must be a Tensor")


@functions_of_two
def test_shapes_that_do_not_broadcast(function: str, refuses: Callable[..., None]) -> None:
    dtype = at.int32 if "i" in BINARY[function].kinds else at.float32
    x1, x2 = at.ones((2, 3), dtype=dtype), at.ones((2, 1, 4), dtype=dtype)
    text = rf"{function}: shapes {re.escape('(2, 3) and (2, 1, 4)')} cannot be broadcast together"
    refuses(lambda: getattr(at, function)(x1, x2), ValueError, text)
    refuses(lambda: getattr(at, function)(x1, x2[..., ::-1]), ValueError, text)


@pytest.mark.parametrize("function", [name for name in BINARY if not name.startswith("logical_")])
def test_dtypes_without_a_common_one(function: str, refuses: Callable[..., None]) -> None:
    unsigned, signed = at.ones(2, dtype=at.uint64), at.ones(2, dtype=at.int8)
    text = "int8 and uint64 have no common integer data type; convert one of them with astype first"
    refuses(lambda: getattr(at, function)(unsigned, signed), TypeError, text)
    refuses(lambda: getattr(at, function)(signed, unsigned), TypeError, text)


@pytest.mark.parametrize("function", ["logical_and", "logical_or", "logical_xor"])
def test_truth_needs_no_common_dtype(function: str) -> None:
    unsigned, signed = np.asarray([0, 0, 2], np.uint64), np.asarray([0, -1, -1], np.int8)
    got = getattr(at, function)(at.asarray(unsigned), at.asarray(signed))
    assert got.tolist() == getattr(np, function)(unsigned, signed).tolist()


@functions_of_two
@pytest.mark.parametrize("dtype", INTEGERS, ids=lambda d: d.short)
def test_integers_out_of_the_tensors_range(function: str, dtype: DType, refuses: Callable[..., None]) -> None:
    call, x, info = getattr(at, function), at.ones(2, dtype=dtype), at.iinfo(dtype)
    for number in (info.min - 1, info.max + 1, 10**400):
        text = rf"{function}: the integer {number} is out of range for {dtype}"
        refuses(lambda number=number: call(x, number), OverflowError, text)
        refuses(lambda number=number: call(number, x), OverflowError, text)


@pytest.mark.parametrize(
    ("bounds", "error", "text"),
    [
        (("a",), TypeError, "clip: bounds are Tensors and numbers, not str"),
        ((0, [1]), TypeError, "clip: bounds are Tensors and numbers, not int and list"),
        ((300,), OverflowError, "clip: the integer 300 is out of range for int8"),
        ((1j,), TypeError, "clip: a tensor of complex64 is not taken"),
    ],
)
def test_bounds(bounds: tuple[Any, ...], error: type[Exception], text: str, refuses: Callable[..., None]) -> None:
    x = at.ones(2, dtype=at.int8)
    refuses(lambda: at.clip(x, *bounds), error, text)


@pytest.mark.parametrize("dtype", [d for d in dtypes.ALL if d.kind != "c"], ids=lambda d: d.short)
def test_real_numbers_have_no_imaginary_part(dtype: DType, refuses: Callable[..., None]) -> None:
    x = at.ones(2, dtype=dtype)
    refuses(lambda: at.imag(x), TypeError, rf"imag: a tensor of {dtype} has no imaginary part")


@pytest.mark.parametrize(("source", "target"), [("complex64", "float32"), ("complex128", "int8")])
def test_casts_that_drop_the_imaginary_part(source: str, target: str, refuses: Callable[..., None]) -> None:
    x = at.ones(4, dtype=dtypes.BY_NAME[source])[::2]
    refuses(lambda: at.astype(x, dtypes.BY_NAME[target]), TypeError, f"astype: {source} to {target} would drop")
    refuses(lambda: at.asarray(x, dtype=at.int8, copy=False), ValueError, "asarray: another data type or device")
