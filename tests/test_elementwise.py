"""Every element-wise function, for every dtype that it takes, against NumPy."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ascendtensor as at
from ops_registry import dtypes
from ops_registry.dtypes import DType

from .comparison import COMPLEX, FLOATING, INTEGERS, assert_matches, elements, on_device
from .elementwise_table import BINARY, FUNCTIONS, UNARY, Function, reference, result_dtype, second_operands
from .operands import operands
from .promotion_table import PROMOTED, promoted_by_scalar


@pytest.fixture(autouse=True)
def _host_is_expected() -> Iterator[None]:
    """A run on the host warns once in a process, whichever test comes first; `test_routes` holds who may."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", at.HostFallbackWarning)
        yield


def cases(table: dict[str, Function]) -> list[Any]:
    return [
        pytest.param(function, dtype, id=f"{function}-{dtype.short}")
        for function, facts in table.items()
        for dtype in dtypes.ALL
        if dtype.kind in facts.kinds
    ]


def check(function: str, tensor: at.Tensor, *arrays: np.ndarray) -> None:
    """Hold a result against NumPy's for arrays that already have the dtype of the operation."""
    dtype = dtypes.of(arrays[0].dtype)
    with np.errstate(all="ignore"):
        finite = [np.abs(x[np.isfinite(x)].astype(np.float64)).max(initial=0) for x in arrays if dtype.kind == "f"]
    # Of two large numbers, the logarithm of the sum may be small: what cancelled counts.
    scale = max(finite, default=0) if function == "logaddexp" else 0
    exact = FUNCTIONS[function].exact and dtype.kind != "c"
    assert_matches(
        tensor, reference(function, *arrays), dtype=result_dtype(function, dtype), exact=exact, scale=min(scale, 1e30)
    )


def test_the_tables_hold_every_function() -> None:
    assert {*UNARY, *BINARY, "clip", "real", "imag"} == set(at.elementwise.__all__)


@pytest.mark.parametrize(("function", "dtype"), cases(UNARY))
@given(data=st.data())
def test_function_of_one_operand(function: str, dtype: DType, data: st.DataObject) -> None:
    ((tensor, array),) = data.draw(operands(dtype))
    check(function, getattr(at, function)(tensor), array)


@pytest.mark.parametrize(("function", "dtype"), cases(BINARY))
@given(data=st.data())
def test_function_of_two_operands(function: str, dtype: DType, data: st.DataObject) -> None:
    second = second_operands(function, dtype)
    (x1, a1), (x2, a2) = data.draw(operands(dtype, dtype, values={} if second is None else {1: second}))
    check(function, getattr(at, function)(x1, x2), a1, a2)


@pytest.mark.parametrize("function", BINARY)
@given(data=st.data())
def test_operands_of_two_dtypes_are_promoted(function: str, data: st.DataObject) -> None:
    kinds = BINARY[function].kinds
    pairs = [pair for pair, common in PROMOTED.items() if common is not None and common.kind in kinds]
    first, second = data.draw(st.sampled_from(pairs))
    common = PROMOTED[first, second]
    assert common is not None
    # Small numbers are the same in every dtype; what else a cast may do is a matter of `astype`.
    values = st.booleans() if dtypes.bool_ in (first, second) else st.integers(0, 7)
    (x1, a1), (x2, a2) = data.draw(operands(first, second, values={0: values, 1: values}))
    check(function, getattr(at, function)(x1, x2), a1.astype(common.dtype), a2.astype(common.dtype))


def numbers(dtype: DType) -> st.SearchStrategy[Any]:
    """Python numbers that go with a tensor: every type of number, in range if integers go into integers."""
    low, high = (at.iinfo(dtype).min, at.iinfo(dtype).max) if dtype.kind in "iu" else (-(2**31), 2**31)
    floats = st.floats(-100, 100, width=16) | st.sampled_from([0.0, -0.0, float("inf"), float("-inf"), float("nan")])
    finite = st.floats(-4, 4, width=16)
    return st.booleans() | st.integers(low, high) | st.integers(0, 3) | floats | st.builds(complex, finite, finite)


@pytest.mark.parametrize("function", BINARY)
@given(data=st.data(), number_first=st.booleans())
def test_a_python_number_is_weak(function: str, number_first: bool, data: st.DataObject) -> None:
    kinds = BINARY[function].kinds
    dtype = data.draw(st.sampled_from(dtypes.ALL))
    number = data.draw(numbers(dtype).filter(lambda value: promoted_by_scalar(dtype, value).kind in kinds))
    common = promoted_by_scalar(dtype, number)
    second = None if number_first else second_operands(function, common)
    if function == "pow" and common.kind in "iu":
        number = number if number_first else abs(int(number)) % 2 ** (8 * common.itemsize - 1)
        second = st.integers(0, 70)
    elif second is not None and function.endswith("_shift"):
        number = abs(int(number)) % (8 * common.itemsize)
    elif function.endswith("_shift"):
        second = second_operands(function, common)
    values = st.booleans() if dtype.kind == "b" else second if number_first and second is not None else elements(dtype)
    ((tensor, array),) = data.draw(operands(dtype, values={0: values}))
    with np.errstate(all="ignore"):
        alone = np.asarray(number).astype(common.dtype)
        arrays = (alone, array.astype(common.dtype)) if number_first else (array.astype(common.dtype), alone)
    operands_ = (number, tensor) if number_first else (tensor, number)
    if common.kind == "c" and function in ("divide", "multiply", "pow"):
        assert_complex_matches(getattr(at, function)(*operands_), reference(function, *arrays), common)
    else:
        check(function, getattr(at, function)(*operands_), *arrays)


def assert_complex_matches(tensor: at.Tensor, expected: np.ndarray, dtype: DType) -> None:
    """Where a part is large or missing, what cancels in the other depends on the order of the steps."""
    plain = np.isfinite(expected) & (np.abs(expected) < 1e12)
    assert tensor.dtype is dtype
    assert tensor.shape == expected.shape
    tolerance = 32 * at.finfo(dtype).eps
    np.testing.assert_allclose(tensor.numpy()[plain], expected[plain], rtol=tolerance, atol=tolerance)


BOUNDS = [("none", "none"), ("tensor", "tensor"), ("tensor", "none"), ("none", "tensor"), ("number", "number")]


@pytest.mark.parametrize("dtype", [d for d in dtypes.ALL if d.kind in "iuf"], ids=lambda d: d.short)
@pytest.mark.parametrize("kinds", BOUNDS, ids="-".join)
@given(data=st.data())
def test_clip(dtype: DType, kinds: tuple[str, str], data: st.DataObject) -> None:
    (x, array), *tensors = data.draw(operands(dtype, dtype, dtype))
    expected = array.astype(np.float32) if dtype is dtypes.bfloat16 else array
    given_bounds: list[Any] = []
    for kind, (bound, bound_array), apply in zip(kinds, tensors, (np.maximum, np.minimum), strict=True):
        if kind == "none":
            given_bounds.append(None)
            continue
        if kind == "number":
            number = data.draw(st.integers(0, 100) if dtype.kind in "iu" else st.integers(-50, 50).map(lambda n: n / 2))
            given_bounds.append(number)
            bound_array = np.asarray(number, dtype.dtype)
        else:
            given_bounds.append(bound)
        expected = apply(expected, bound_array.astype(expected.dtype))
    assert_matches(at.clip(x, *given_bounds), expected, dtype=dtype)


@pytest.mark.parametrize("dtype", COMPLEX, ids=lambda d: d.short)
@given(data=st.data())
def test_real_and_imag_are_views_of_the_parts(dtype: DType, data: st.DataObject) -> None:
    ((x, array),) = data.draw(operands(dtype))
    part = dtypes.REAL_OF[dtype]
    assert_matches(at.real(x), array.real, dtype=part, exact=True)
    assert_matches(at.imag(x), array.imag, dtype=part, exact=True)
    assert at.imag(x).storage is x.storage


@pytest.mark.parametrize("dtype", INTEGERS + FLOATING, ids=lambda d: d.short)
def test_the_real_part_of_a_real_tensor_is_itself(dtype: DType) -> None:
    x = at.zeros(3, dtype=dtype)
    assert at.real(x) is x


def _extremes(dtype: DType) -> np.ndarray:
    """Both ends of an integer dtype, their neighbours and the numbers around zero."""
    info = np.iinfo(dtype.dtype)
    around_zero = range(-3, 4) if dtype.kind == "i" else range(4)
    return np.asarray([info.min, info.min + 1, *around_zero, info.max - 1, info.max], dtype.dtype)


@pytest.mark.parametrize("dtype", INTEGERS, ids=lambda d: d.short)
@pytest.mark.parametrize("function", ["add", "subtract", "multiply", "floor_divide", "remainder", "maximum", "pow"])
def test_integers_wrap_and_divide_downwards_at_the_extremes(function: str, dtype: DType) -> None:
    ends = _extremes(dtype)
    others = np.abs(ends[ends >= 0]) if function == "pow" else ends
    x1, x2 = ends[:, None], others[None, :]
    check(function, getattr(at, function)(on_device(x1), on_device(x2)), x1, x2)


@pytest.mark.parametrize("dtype", [d for d in INTEGERS if d.kind == "i"], ids=lambda d: d.short)
def test_negative_powers_of_integers_are_cut_off_towards_zero(dtype: DType) -> None:
    base = on_device(np.asarray([-3, -2, -1, 1, 2, 3], dtype.dtype))
    assert at.pow(base, -1).tolist() == [0, 0, -1, 1, 0, 0]
    assert at.pow(base, -2).tolist() == [0, 0, 1, 1, 0, 0]


@pytest.mark.parametrize("dtype", FLOATING, ids=lambda d: d.short)
def test_bit_functions_tell_every_sign_and_neighbour(dtype: DType) -> None:
    """All pairs of the numbers whose bits are special: the smallest ones, the ends, the zeros and NaNs."""
    info = at.finfo(dtype)
    bits = f"i{dtype.itemsize}"
    special = np.asarray([0, info.smallest_normal, 1, 1 + info.eps, info.max, np.inf, np.nan]).astype(dtype.dtype)
    beside = np.concatenate([special.view(bits), special[:4].view(bits) + 1, special[1:4].view(bits) - 1])
    signed = np.concatenate([beside, beside | np.iinfo(bits).min]).view(dtype.dtype)
    x1, x2 = signed[:, None], signed[None, :]
    np.testing.assert_array_equal(at.signbit(on_device(signed)).numpy(), signed.view(bits) < 0)
    copied = at.copysign(on_device(x1), on_device(x2)).numpy()
    magnitude, sign = x1.view(bits) & np.iinfo(bits).max, x2.view(bits) & np.iinfo(bits).min
    np.testing.assert_array_equal(copied.view(bits), magnitude | sign)
    after, expected = at.nextafter(on_device(x1), on_device(x2)).numpy(), reference("nextafter", x1, x2)
    known = ~np.isnan(expected)
    np.testing.assert_array_equal(np.isnan(after), ~known)
    np.testing.assert_array_equal(after.view(bits)[known], expected.view(bits)[known])


@pytest.mark.parametrize("dtype", COMPLEX, ids=lambda d: d.short)
@pytest.mark.parametrize("function", [name for name, facts in UNARY.items() if "c" in facts.kinds])
def test_complex_functions_of_infinities_and_missing_values(function: str, dtype: DType) -> None:
    parts = np.asarray([0.0, -0.0, 1.0, -1.0, 0.5, np.inf, -np.inf, np.nan])
    array = (parts[:, None] + 1j * np.zeros(len(parts))).astype(dtype.dtype)
    array.imag = parts[None, :]
    check(function, getattr(at, function)(on_device(array)), array)
