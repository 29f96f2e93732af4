"""Matrix products against NumPy's: every dtype, stacks, layouts, and no copies of what is only transposed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ascendtensor as at
from ops_registry import dtypes, promotion
from ops_registry.dtypes import DType

from .comparison import NUMERIC, REAL, arrays, assert_matches, on_device, shapes
from .layouts import Array, moderate, refuses, tensors

EVERY = pytest.mark.parametrize("dtype", NUMERIC, ids=str)


def exact(array: Array) -> Array:
    """The values in a dtype whose sums of products NumPy rounds no worse than the device."""
    kind = dtypes.of(array.dtype).kind
    return array if kind in "biu" else array.astype(np.complex128 if kind == "c" else np.float64)


def assert_product(found: at.Tensor, expected: Any, dtype: DType, *operands: Array) -> None:
    # The error is one of the summands' size, and grows with how many there are.
    sizes = [float(np.max(np.abs(exact(one)), initial=0)) for one in operands] if dtype.kind in "fc" else [0.0]
    scale = float(np.prod(sizes)) * max(one.size for one in operands) if dtype.kind in "fc" else 0.0
    assert_matches(found, expected, dtype=dtype, ulps=4, scale=scale)


@st.composite
def matrices(draw: st.DrawFn) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Two shapes that matmul takes: vectors, matrices, stacks that broadcast."""
    rows, inner, columns = (draw(st.integers(0, 4)) for _ in range(3))
    batch = draw(shapes(max_dims=2, max_side=3))
    batches = [tuple(draw(st.sampled_from([n, 1])) for n in batch)[draw(st.integers(0, len(batch))) :] for _ in "12"]
    left = (inner,) if draw(st.integers(0, 4)) == 0 else (*batches[0], rows, inner)
    right = (inner,) if draw(st.integers(0, 4)) == 0 else (*batches[1], inner, columns)
    return left, right


@EVERY
@given(both=matrices(), data=st.data())
def test_matmul(dtype: DType, both: Any, data: st.DataObject) -> None:
    (a, x), (b, y) = (data.draw(tensors(dtype, shape, moderate(dtype))) for shape in both)
    with np.errstate(all="ignore"):
        expected = np.matmul(exact(a), exact(b))
    assert_product(at.matmul(x, y), expected, dtype, a, b)
    assert_product(x @ y, expected, dtype, a, b)


@EVERY
@given(data=st.data(), layout=st.sampled_from([(True, False), (False, True), (True, True)]))
def test_transposed_operands(dtype: DType, data: st.DataObject, layout: tuple[bool, bool]) -> None:
    batch = data.draw(shapes(max_dims=2, max_side=3))
    rows, inner, columns = (data.draw(st.integers(1, 4)) for _ in range(3))
    given_shapes = ((*batch, rows, inner), (*batch, inner, columns))
    operands: list[tuple[Array, at.Tensor]] = []
    for shape, turned in zip(given_shapes, layout, strict=True):
        array = data.draw(arrays(dtype, shape, moderate(dtype)))
        x = on_device(np.swapaxes(array, -1, -2)).mT if turned else on_device(array)
        operands.append((array, x))
    (a, x), (b, y) = operands
    with at.profiler.profile() as profile:
        product = x @ y
    if dtype.kind != "c":
        moved = {count.op_type for count in profile.key_averages()} & {"AsStrided", "Transpose", "TensorMove"}
        assert not moved, "a transposed view is folded into the op"
    assert_product(product, np.matmul(exact(a), exact(b)), dtype, a, b)


@EVERY
@pytest.mark.parametrize("dims", [5, 6, 7, 8])
@pytest.mark.parametrize("turned", [False, True])
def test_stacks_of_many_dimensions(dtype: DType, dims: int, turned: bool) -> None:
    batch1 = tuple(2 if axis % 2 else 1 for axis in range(dims - 2))
    batch2 = tuple(1 if axis % 3 == 1 else 2 for axis in range(dims - 2))[1:]
    a = (np.arange(np.prod(batch1, dtype=int) * 6) % 5).reshape(*batch1, 2, 3).astype(dtype.dtype)
    b = (np.arange(np.prod(batch2, dtype=int) * 6) % 7).reshape(*batch2, 3, 2).astype(dtype.dtype)
    x = on_device(np.swapaxes(a, -1, -2)).mT if turned else on_device(a)
    assert_product(x @ on_device(b), np.matmul(exact(a), exact(b)), dtype, a, b)


@EVERY
@pytest.mark.parametrize(
    "both", [((0,), (0,)), ((2, 0), (0, 3)), ((3, 2, 0), (0,)), ((0, 2), (2, 0)), ((0, 1, 2), (2,))]
)
def test_nothing_to_add_up(dtype: DType, both: tuple[tuple[int, ...], tuple[int, ...]]) -> None:
    a, b = (np.zeros(shape, dtype=dtype.dtype) for shape in both)
    assert_matches(on_device(a) @ on_device(b), np.matmul(exact(a), exact(b)), dtype=dtype, exact=True)


@pytest.mark.parametrize("dtype", [d for d in REAL if d.kind in "iu"], ids=str)
def test_integers_wrap(dtype: DType) -> None:
    most = at.iinfo(dtype).max
    a = np.full((2, 3), most, dtype=dtype.dtype)
    b = np.asarray([[most, 2], [most, 3], [most - 1, 5]], dtype=dtype.dtype)
    with np.errstate(over="ignore"):
        assert_matches(on_device(a) @ on_device(b), a @ b, exact=True)


@EVERY
@pytest.mark.parametrize("other", NUMERIC, ids=str)
def test_dtypes_are_promoted(dtype: DType, other: DType) -> None:
    x, y = at.ones((2, 3), dtype=dtype), at.ones((3, 2), dtype=other)
    if {dtype.kind, other.kind} == {"i", "u"} and "uint64" in (dtype.name, other.name):
        with refuses(TypeError, dtype.name, other.name):
            x @ y
        return
    assert_matches(x @ y, np.full((2, 2), 3), dtype=promotion.promote(dtype, other))


@pytest.mark.parametrize("dtype", dtypes.ALL, ids=str)
@given(data=st.data())
def test_transposes_are_views(dtype: DType, data: st.DataObject) -> None:
    array, x = data.draw(tensors(dtype, shapes(min_dims=2)))
    expected = np.swapaxes(array, -1, -2)
    turned = [x.mT, at.matrix_transpose(x), *([x.T] if x.ndim == 2 else [])]
    for view in turned:
        assert view.storage is x.storage
        assert_matches(view, expected, dtype=dtype, exact=True)


# tensordot and vecdot


@EVERY
@given(data=st.data())
def test_tensordot(dtype: DType, data: st.DataObject) -> None:
    shape1, shape2 = (data.draw(shapes(max_dims=3, max_side=3)) for _ in "12")
    count = data.draw(st.integers(0, min(len(shape1), len(shape2))))
    over1, over2 = (data.draw(st.permutations(range(len(shape))))[:count] for shape in (shape1, shape2))
    fitted = list(shape2)
    for one, other in zip(over1, over2, strict=True):
        fitted[other] = shape1[one]
    (a, x), (b, y) = (data.draw(tensors(dtype, tuple(shape), moderate(dtype))) for shape in (shape1, fitted))
    axes = (tuple(over1), tuple(axis - b.ndim for axis in over2))
    with np.errstate(all="ignore"):
        expected = np.tensordot(exact(a), exact(b), axes=axes)
    assert_product(at.tensordot(x, y, axes=axes), expected, dtype, a, b)


@EVERY
@pytest.mark.parametrize("axes", [0, 1, 2])
def test_tensordot_over_a_number_of_axes(dtype: DType, axes: int) -> None:
    a = (np.arange(12) % 5).reshape(3, 2, 2).astype(dtype.dtype)
    b = (np.arange(12) % 7).reshape(2, 2, 3).astype(dtype.dtype)
    expected = np.tensordot(exact(a), exact(b), axes=axes)
    assert_product(at.tensordot(on_device(a), on_device(b), axes=axes), expected, dtype, a, b)


@EVERY
@given(data=st.data())
def test_vecdot(dtype: DType, data: st.DataObject) -> None:
    n = data.draw(st.integers(0, 4))
    batch = data.draw(shapes(max_dims=3, max_side=3))
    batches = [
        tuple(data.draw(st.sampled_from([n, 1])) for n in batch)[data.draw(st.integers(0, len(batch))) :] for _ in "12"
    ]
    axis = data.draw(st.integers(-1 - min(map(len, batches)), -1))
    given_shapes = []
    for one in batches:
        dims = list(one)
        dims.insert(len(dims) + 1 + axis, n)
        given_shapes.append(tuple(dims))
    try:
        np.broadcast_shapes(*given_shapes)
    except ValueError:
        return
    (a, x), (b, y) = (data.draw(tensors(dtype, shape, moderate(dtype))) for shape in given_shapes)
    with np.errstate(all="ignore"):
        expected = np.vecdot(exact(a), exact(b), axis=axis)
    assert_product(at.vecdot(x, y, axis=axis), np.asarray(expected), dtype, a, b)


@pytest.mark.parametrize("dtype", [at.complex64, at.complex128], ids=str)
def test_vecdot_conjugates_the_first(dtype: DType) -> None:
    x, y = at.asarray([1 + 2j, 3j], dtype=dtype), at.asarray([2 - 1j, 1 + 1j], dtype=dtype)
    assert at.vecdot(x, y).item() == (1 - 2j) * (2 - 1j) + -3j * (1 + 1j)
    assert at.vecdot(y, x).item() == ((1 - 2j) * (2 - 1j) + -3j * (1 + 1j)).conjugate()


# What does not fit


def test_what_does_not_fit() -> None:
    x, y, vector, number = at.zeros((2, 3)), at.zeros((2, 3), dtype=at.int32), at.zeros(4), at.zeros(())
    cube, five, truth, ready = (
        at.zeros((2, 3, 4)),
        at.zeros((5, 2, 3)),
        at.ones((3, 3), dtype=at.bool),
        at.zeros((2, 3)),
    )
    bad: list[tuple[Callable[[], Any], type[Exception], str]] = [
        (lambda: at.matmul(x, y), ValueError, "matmul: shapes (2, 3) and (2, 3)"),
        (lambda: at.matmul(x, vector), ValueError, "matmul: shapes (2, 3) and (4,)"),
        (lambda: at.matmul(vector, x), ValueError, "matmul: shapes (4,) and (2, 3)"),
        (lambda: at.matmul(x.T, y.T), ValueError, "matmul: shapes (3, 2) and (3, 2)"),
        (lambda: at.matmul(number, x), ValueError, "matmul: operands need at least one dimension"),
        (lambda: at.matmul(x, number), ValueError, "matmul: operands need at least one dimension"),
        (lambda: at.matmul(five, cube), ValueError, "matmul: shapes (5,) and (2,)"),
        (lambda: at.matmul(truth, truth), TypeError, "matmul: tensors of bool"),
        (lambda: at.matmul(x, 2.0), TypeError, "matmul"),  # type: ignore[arg-type]
        (lambda: at.matmul([[1]], x), TypeError, "matmul"),  # type: ignore[arg-type]
        (lambda: x @ 2.0, TypeError, "matmul"),  # type: ignore[operator]
        (lambda: x.__imatmul__(x), ValueError, "matmul"),
        (lambda: x.__imatmul__(turned), ValueError, "matmul: a result of shape (2, 2)"),
        (lambda: y.__imatmul__(eye), TypeError, "matmul: a result of float32"),
        (lambda: at.matrix_transpose(vector), ValueError, "dimensions"),
        (lambda: at.matrix_transpose([1]), TypeError, "matrix_transpose"),  # type: ignore[arg-type]
        (lambda: vector.T, ValueError, "T: "),
        (lambda: cube.T, ValueError, "T: "),
        (lambda: vector.mT, ValueError, "mT: "),
        (lambda: at.tensordot(x, cube, axes=1), ValueError, "tensordot: shapes (2, 3) and (2, 3, 4)"),
        (lambda: at.tensordot(x, cube, axes=3), ValueError, "tensordot: 3 axes"),
        (lambda: at.tensordot(x, cube, axes=-1), ValueError, "tensordot"),
        (lambda: at.tensordot(x, cube, axes=((0,), (0, 1))), ValueError, "tensordot"),
        (lambda: at.tensordot(x, cube, axes=((0, 0), (0, 0))), ValueError, "tensordot"),
        (lambda: at.tensordot(x, cube, axes=((2,), (0,))), IndexError, "tensordot: axis 2"),
        (lambda: at.tensordot(x, cube, axes=1.0), TypeError, "tensordot"),  # type: ignore[arg-type]
        (lambda: at.tensordot(x, cube, axes=(0, 1, 2)), TypeError, "tensordot"),  # type: ignore[arg-type]
        (lambda: at.tensordot(x, 2), TypeError, "tensordot"),  # type: ignore[arg-type]
        (lambda: at.tensordot(truth.T, truth, axes=1), TypeError, "bool"),
        (lambda: at.vecdot(x, vector), ValueError, "vecdot"),
        (lambda: at.vecdot(x, y.T), ValueError, "vecdot"),
        (lambda: at.vecdot(x, y, axis=2), IndexError, "vecdot: axis 2"),
        (lambda: at.vecdot(x, y, axis=1.0), TypeError, "vecdot"),  # type: ignore[arg-type]
        (lambda: at.vecdot(x, number), IndexError, "vecdot"),
        (lambda: at.vecdot(truth, truth), TypeError, "vecdot"),
        (lambda: at.vecdot(x, [1, 2, 3]), TypeError, "vecdot"),  # type: ignore[arg-type]
    ]
    turned, eye = ready.T, at.eye(3)
    for call, error, words in bad:
        with refuses(error, words):
            call()
    assert not at.any(x)


@given(data=st.data())
def test_a_product_in_place(data: st.DataObject) -> None:
    (a, x), (b, y) = (data.draw(tensors(dtypes.int32, (3, 3), st.integers(-9, 9))) for _ in "12")
    same, view = x, x[:2]
    x @= y
    a = a @ b
    assert x is same
    assert_matches(x, a)
    assert_matches(view, a[:2])
