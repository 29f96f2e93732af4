"""NumPy's universal functions of tensors: on the device where the standard has them, else by the host."""

from __future__ import annotations

import operator
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ascendtensor as at
from ascendtensor.ufuncs import FUNCTIONS
from ops_registry import dtypes
from ops_registry.dtypes import DType

from .comparison import NUMERIC, arrays
from .elementwise_table import FUNCTIONS as TABLE
from .elementwise_table import second_operands
from .layouts import laid_out, refuses, tensors
from .operands import operands
from .processes import said

pytestmark = pytest.mark.filterwarnings("ignore::ascendtensor.HostFallbackWarning")

EVERY = pytest.mark.parametrize("dtype", dtypes.ALL, ids=str)
# What NumPy alone has.
HOST = ["float_power", "fmod", "fmax", "fmin", "cbrt", "deg2rad", "logaddexp2", "heaviside", "spacing", "exp2"]
OPERATORS = [operator.add, operator.sub, operator.mul, operator.lt, operator.eq, operator.truediv, operator.pow]


def by_name(ufunc: np.ufunc) -> str:
    return str(ufunc.__name__)


def assert_same(result: at.Tensor, expected: at.Tensor) -> None:
    assert isinstance(result, at.Tensor)
    assert (result.dtype, result.shape, result.device) == (expected.dtype, expected.shape, expected.device)
    assert result.numpy().tobytes() == expected.numpy().tobytes()


@pytest.mark.parametrize("ufunc", [one for one in FUNCTIONS if one is not np.matmul], ids=by_name)
@given(data=st.data())
def test_it_is_the_function_of_this_library(ufunc: np.ufunc, data: st.DataObject) -> None:
    function = FUNCTIONS[ufunc]
    dtype = data.draw(st.sampled_from([d for d in dtypes.ALL if d.kind in TABLE[function].kinds]))
    second = second_operands(function, dtype) if ufunc.nin == 2 else None
    drawn = data.draw(operands(*[dtype] * ufunc.nin, values={} if second is None else {1: second}))
    inputs = [x for x, _ in drawn]
    before = at.npu.fallback_stats()
    result = ufunc(*inputs)
    assert by_name(ufunc) not in at.npu.fallback_stats().keys() - before.keys() - {function}
    assert_same(result, getattr(at, function)(*inputs))


def test_matmul() -> None:
    x = at.reshape(at.arange(6, dtype=at.float32), (2, 3))
    assert_same(np.matmul(x, x.mT), x @ x.mT)


@EVERY
@pytest.mark.parametrize("apply", OPERATORS)
@pytest.mark.parametrize("scalar", [np.float64(2), np.float32(2), np.int64(2), np.uint8(2), np.bool_(True)], ids=repr)
def test_operators_of_numpy_scalars(dtype: DType, apply: Callable[..., Any], scalar: np.generic) -> None:
    x = at.ones(3, dtype=dtype)
    number = scalar.item()
    for on_numpy, on_python in [
        (lambda: apply(scalar, x), lambda: apply(number, x)),
        (lambda: apply(x, scalar), lambda: apply(x, number)),
    ]:
        try:
            expected = on_python()
        except TypeError:
            with refuses(TypeError):
                on_numpy()
        else:
            assert_same(on_numpy(), expected)


@pytest.mark.parametrize("name", HOST)
@pytest.mark.parametrize("dtype", [at.float16, at.float32, at.float64, at.int32, at.uint8], ids=str)
@given(data=st.data())
def test_others_are_computed_by_the_host(name: str, dtype: DType, data: st.DataObject) -> None:
    ufunc = getattr(np, name)
    array, x = data.draw(tensors(dtype, st.just((2, 3))))
    inputs = (x, 2.5)[: ufunc.nin]
    with np.errstate(all="ignore"):
        expected = ufunc(*(array, 2.5)[: ufunc.nin])
        calls = _calls(name)
        result = ufunc(*inputs)
    assert _calls(name) == calls + 1
    assert (result.dtype.dtype, result.device) == (expected.dtype, x.device)
    np.testing.assert_array_equal(result.numpy(), expected)


def _calls(name: str) -> int:
    counted = at.npu.fallback_stats().get(name)
    return counted.calls if counted else 0


@given(data=st.data())
def test_several_results(data: st.DataObject) -> None:
    array, x = data.draw(tensors(at.float32, st.just((4,))))
    with np.errstate(all="ignore"):
        expected, made = np.modf(array), np.modf(x)
    assert isinstance(made, tuple)
    for one, wanted in zip(made, expected, strict=True):
        np.testing.assert_array_equal(one.numpy(), wanted)


@pytest.mark.parametrize("apply", OPERATORS)
def test_an_array_of_no_dimensions_is_a_number(apply: Callable[..., Any]) -> None:
    x = at.ones(3)
    assert_same(apply(np.asarray(2.0), x), apply(2.0, x))
    assert_same(apply(x, np.asarray(2.0)), apply(x, 2.0))


@pytest.mark.parametrize("dtype", NUMERIC, ids=str)
@pytest.mark.parametrize("ufunc", [np.add, np.multiply], ids=by_name)
@given(data=st.data())
def test_methods_of_universal_functions(dtype: DType, ufunc: np.ufunc, data: st.DataObject) -> None:
    array, x = data.draw(tensors(dtype, st.just((2, 3))))
    with np.errstate(all="ignore"):
        pairs = [
            (ufunc.reduce(x, axis=1), ufunc.reduce(array, axis=1)),
            (ufunc.accumulate(x, axis=0), ufunc.accumulate(array, axis=0)),
            (ufunc.outer(x, x), ufunc.outer(array, array)),
        ]
    for result, expected in pairs:
        assert isinstance(result, at.Tensor)
        assert (result.dtype.dtype, result.shape) == (expected.dtype, expected.shape)
        np.testing.assert_array_equal(result.numpy(), expected)


def test_a_choice_of_elements() -> None:
    x, out = at.asarray([1.0, 4.0, 9.0]), at.asarray([7.0, 8.0, 9.0])
    assert np.sqrt(x, where=at.asarray([True, False, True]), out=out) is out
    assert out.tolist() == [1.0, 8.0, 3.0]


@pytest.mark.parametrize("dtype", [d for d in dtypes.ALL if d.kind != "c"], ids=str)
@given(data=st.data())
def test_a_result_in_place(dtype: DType, data: st.DataObject) -> None:
    array = data.draw(arrays(dtype, st.just((2, 3))))
    target = data.draw(laid_out(np.zeros_like(array)))
    x = data.draw(laid_out(array))
    assert np.maximum(x, x, out=target) is target
    np.testing.assert_array_equal(target.numpy(), array)


def test_a_result_that_does_not_fit() -> None:
    x, target = at.ones(3), at.zeros((2, 3))
    with pytest.raises(ValueError, match="shape"):
        np.exp(x, out=target)
    assert target.tolist() == np.zeros((2, 3)).tolist()


@pytest.mark.parametrize("apply", OPERATORS)
@pytest.mark.parametrize("shape", [(1,), (3,), (0, 3)], ids=str)
def test_an_array_of_numpys_is_not_mixed_in(apply: Callable[..., Any], shape: tuple[int, ...]) -> None:
    x, array = at.ones(3), np.ones(shape, np.float32)
    with refuses(TypeError, "asarray", "numpy()"):
        apply(array, x)


def test_no_array_of_numpys_takes_a_result() -> None:
    x, array = at.ones(3), np.zeros(3, np.float32)
    with refuses(TypeError, "NumPy array"):
        array += x
    with refuses(TypeError, "NumPy array"):
        np.cbrt(x, out=array)
    assert array.tolist() == [0, 0, 0]


def test_tensors_of_several_devices_are_not_mixed(tmp_path: Path) -> None:
    # The number of devices is settled before the library starts: in a process of its own.
    program = """
import numpy as np
import ascendtensor as at
x, y = at.ones(3, device="npu:0"), at.ones(3, device="npu:1")
for ufunc in (np.add, np.fmod):
    try:
        ufunc(x, y)
    except ValueError as error:
        assert "npu:0" in str(error) and "npu:1" in str(error), error
    else:
        raise AssertionError
"""
    said(program, tmp_path, ASCENDTENSOR_EMBEDDED_DEVICES="2")


def test_what_a_universal_function_refuses() -> None:
    x = at.ones(3, dtype=at.complex64)
    with refuses(TypeError):
        np.cbrt(x)


def test_a_class_derived_from_numpys_arrays_is_asked() -> None:
    class Asked(np.ndarray[Any, Any]):
        def __array_ufunc__(self, *_: Any, **__: Any) -> Any:
            return "asked"

    assert np.zeros(3).view(Asked) + at.ones(3) == "asked"
    assert np.add(at.ones(3), np.zeros(3).view(Asked)) == "asked"


def test_the_host_is_warned_of_once_a_function(tmp_path: Path) -> None:
    program = """
import warnings
import numpy as np
import ascendtensor as at
x = at.ones(3)
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    np.exp(x)
    np.cbrt(x)
    np.cbrt(x)
(one,) = caught
assert one.category is at.HostFallbackWarning and (one.filename, one.lineno) == ("<string>", 9), one
try:
    np.fmod(x, x)
except at.HostFallbackWarning as warning:
    print(warning)
assert "fmod" not in at.npu.fallback_stats()
"""
    assert "fmod" in said(program, tmp_path)
