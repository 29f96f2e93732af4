"""The linear algebra extension: against NumPy's, or by what defines a factor, for every dtype, stack and layout."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from math import inf, nan
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ascendtensor as at
from ascendtensor import linalg
from ascendtensor.embedded import faults
from ascendtensor.runtime import executor
from ops_registry import dtypes
from ops_registry.dtypes import DType

from .comparison import COMPLEX, FLOATING, INTEGERS, NUMERIC, arrays, assert_matches, on_device, settled_memory, shapes
from .layouts import Array, axes_of, laid_out, moderate, refuses, tensors

pytestmark = pytest.mark.filterwarnings("ignore::ascendtensor.HostFallbackWarning")

FLOATS = pytest.mark.parametrize("dtype", FLOATING + COMPLEX, ids=str)
NUMBERS = pytest.mark.parametrize("dtype", NUMERIC, ids=str)
WHOLE = pytest.mark.parametrize("dtype", INTEGERS, ids=str)

AICPU_EXCEPTION = 507018

Operand = tuple[Array, at.Tensor]


def real_of(dtype: DType) -> DType:
    return dtypes.REAL_OF.get(dtype, dtype)


def complex_of(dtype: DType) -> DType:
    return at.complex128 if dtype in (at.float64, at.complex128) else at.complex64


def wide(array: Any) -> Array:
    """The values in a dtype whose errors are far below those that are allowed here."""
    found = np.asarray(array)
    return found.astype(np.complex128 if found.dtype.kind == "c" else np.float64)


def close(found: at.Tensor, expected: Any, dtype: DType, slack: float = 64, scale: float = 0.0) -> None:
    """Within a few eps of the largest element: what a stable algorithm gives for well-conditioned matrices."""
    sizes = np.abs(wide(expected))
    largest = float(np.max(sizes[np.isfinite(sizes)], initial=0))
    assert_matches(found, expected, dtype=dtype, ulps=slack, scale=max(largest, scale))


def adjoint(x: Array) -> Array:
    return np.conj(x).swapaxes(-1, -2)


def orthonormal(columns: Array, dtype: DType) -> None:
    """The columns of matrices are unit vectors at right angles."""
    gram = adjoint(columns) @ columns
    close(computed(gram, dtype), np.broadcast_to(np.eye(gram.shape[-1]), gram.shape), dtype)


def computed(values: Array, dtype: DType) -> at.Tensor:
    """What the host made of a result's parts, to be held against something in the result's dtype."""
    return on_device(values.astype(dtype.dtype))


def small(dtype: DType) -> st.SearchStrategy[Any]:
    return moderate(dtype, 2) if dtype.kind in "fc" else st.integers(0, 3)


@st.composite
def matrices(draw: st.DrawFn, dtype: DType, most: int = 4) -> Operand:
    """A stack of matrices of any shape, as an array and as a tensor in some layout."""
    stack, size = draw(shapes(max_dims=2, max_side=3)), (draw(st.integers(0, most)), draw(st.integers(0, most)))
    return draw(tensors(dtype, (*stack, *size), small(dtype)))


@st.composite
def square(draw: st.DrawFn, dtype: DType, dominance: int = 6, side: int | None = None) -> Operand:
    """A stack of square matrices that are far from singular: their diagonals dominate."""
    stack, n = draw(shapes(max_dims=2, max_side=3)), draw(st.integers(0, 4)) if side is None else side
    array = draw(arrays(dtype, (*stack, n, n), small(dtype)))
    array = array + (dominance * n * np.eye(n)).astype(array.dtype)
    return array, draw(laid_out(array))


# Factors


@FLOATS
@given(data=st.data(), upper=st.booleans())
def test_cholesky_reads_one_triangle(dtype: DType, data: st.DataObject, upper: bool) -> None:
    array, _ = data.draw(square(dtype))
    n = array.shape[-1]
    if dtype.kind == "c":
        array[..., range(n), range(n)] = array[..., range(n), range(n)].real
    kept = np.triu(wide(array)) if upper else np.tril(wide(array))
    expected = np.linalg.cholesky(kept, upper=upper)
    close(linalg.cholesky(data.draw(laid_out(array)), upper=upper), expected, dtype)


@FLOATS
@pytest.mark.parametrize("mode", ["reduced", "complete"])
@given(data=st.data())
def test_qr(dtype: DType, mode: str, data: st.DataObject) -> None:
    array, x = data.draw(matrices(dtype))
    found = linalg.qr(x, mode=mode)
    assert isinstance(found, linalg.QRResult)
    shape = [one.shape for one in np.linalg.qr(wide(array), mode)]  # type: ignore[call-overload]
    assert [found.Q.shape, found.R.shape] == shape
    assert found.Q.dtype is found.R.dtype is dtype
    q, r = wide(found.Q.numpy()), wide(found.R.numpy())
    assert not np.tril(r, -1).any()
    close(computed(q @ r, dtype), array, dtype)
    orthonormal(q, dtype)


@FLOATS
@pytest.mark.parametrize("full", [False, True])
@given(data=st.data())
def test_svd(dtype: DType, full: bool, data: st.DataObject) -> None:
    array, x = data.draw(matrices(dtype))
    expected = np.linalg.svd(wide(array), full_matrices=full)
    found = linalg.svd(x, full_matrices=full)
    assert isinstance(found, linalg.SVDResult)
    assert [one.shape for one in found] == [one.shape for one in expected]
    assert found.U.dtype is found.Vh.dtype is dtype
    scale = float(np.max(np.abs(wide(array)), initial=0))
    close(found.S, expected.S, real_of(dtype), scale=scale)
    close(linalg.svdvals(x), expected.S, real_of(dtype), scale=scale)
    u, s, vh = (wide(one.numpy()) for one in found)
    k = s.shape[-1]
    close(computed((u[..., :k] * s[..., None, :]) @ vh[..., :k, :], dtype), array, dtype)
    orthonormal(u, dtype)
    orthonormal(adjoint(vh), dtype)


# Eigenvalues


@FLOATS
@given(data=st.data())
def test_eigh_reads_the_lower_triangle(dtype: DType, data: st.DataObject) -> None:
    array, x = data.draw(square(dtype, 0))
    lower = np.tril(wide(array), -1)
    whole = lower + adjoint(lower) + np.eye(array.shape[-1]) * wide(array).real
    scale = float(np.max(np.abs(whole), initial=0))
    values, vectors = linalg.eigh(x)
    close(values, np.linalg.eigvalsh(whole), real_of(dtype), scale=scale)
    close(linalg.eigvalsh(x), np.linalg.eigvalsh(whole), real_of(dtype), scale=scale)
    assert vectors.dtype is dtype
    v, w = wide(vectors.numpy()), wide(values.numpy())
    close(computed(v * w[..., None, :] @ adjoint(v), dtype), whole, dtype, scale=scale)
    orthonormal(v, dtype)


@FLOATS
@given(data=st.data())
def test_eig(dtype: DType, data: st.DataObject) -> None:
    array, x = data.draw(square(dtype, 1))
    values, vectors = linalg.eig(x)
    alone = linalg.eigvals(x)
    assert values.dtype is vectors.dtype is alone.dtype is complex_of(dtype)
    assert (values.shape, vectors.shape, alone.shape) == (array.shape[:-1], array.shape, array.shape[:-1])
    v, w = wide(vectors.numpy()), wide(values.numpy())
    scale = float(np.max(np.abs(wide(array)), initial=0)) * max(array.shape[-1], 1)
    close(computed(wide(array) @ v, complex_of(dtype)), v * w[..., None, :], complex_of(dtype), scale=scale)
    close(at.sum(alone, axis=-1), np.trace(wide(array), axis1=-2, axis2=-1), complex_of(dtype), scale=scale)
    assert np.allclose(np.linalg.norm(v, axis=-2), 1, atol=1e-5)


def test_eig_says_that_it_runs_on_the_host() -> None:
    x = at.eye(2)
    for call, op_type in ((linalg.eig, "Eig"), (linalg.eigvals, "EigVals")):
        with warnings.catch_warnings(), at.profiler.profile() as profile:
            warnings.simplefilter("error", at.HostFallbackWarning)
            executor._warned.clear()
            # An error each time, not the first time only.
            for _ in "12":
                with pytest.raises(at.HostFallbackWarning, match=rf"runs on the host: .* {op_type}\("):
                    call(x)
            warnings.simplefilter("always", at.HostFallbackWarning)
            with warnings.catch_warnings(record=True) as caught:
                call(x), call(x)
        assert [warning.filename for warning in caught] == [__file__]
        assert sum(count.host_calls for count in profile.key_averages()) == 2


def test_code_that_belongs_to_no_module_is_told_too() -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", at.HostFallbackWarning)
        executor._warned.clear()
        exec("\n\nlinalg.eig(x)", {"linalg": linalg, "x": at.eye(2)})
    assert [(warning.filename, warning.lineno) for warning in caught] == [("<string>", 3)]


# Determinants, inverses, equations


@FLOATS
@given(data=st.data())
def test_determinants(dtype: DType, data: st.DataObject) -> None:
    array, x = data.draw(square(dtype, 1))
    scale = float(np.max(np.prod(np.linalg.norm(wide(array), axis=-1), axis=-1), initial=0))
    close(linalg.det(x), np.linalg.det(wide(array)), dtype, scale=scale)


@FLOATS
@given(data=st.data())
def test_signs_and_logarithms_of_determinants(dtype: DType, data: st.DataObject) -> None:
    array, x = data.draw(square(dtype))
    sign, logarithm = linalg.slogdet(x)
    expected = np.linalg.slogdet(wide(array))
    close(sign, expected.sign, dtype)
    close(logarithm, expected.logabsdet, real_of(dtype), scale=1)


@FLOATS
def test_the_determinant_of_singular_matrices(dtype: DType) -> None:
    found = linalg.slogdet(at.zeros((2, 3, 3), dtype=dtype))
    assert isinstance(found, linalg.SlogdetResult)
    assert found.sign.tolist() == [0, 0]
    assert found.logabsdet.tolist() == [-inf, -inf]
    assert linalg.det(at.ones((2, 2), dtype=dtype)).item() == 0


@FLOATS
@given(data=st.data())
def test_inverses(dtype: DType, data: st.DataObject) -> None:
    array, x = data.draw(square(dtype))
    close(linalg.inv(x), np.linalg.inv(wide(array)), dtype)


@FLOATS
@given(data=st.data())
def test_solve(dtype: DType, data: st.DataObject) -> None:
    a, x = data.draw(square(dtype, side=data.draw(st.integers(0, 3))))
    n = a.shape[-1]
    stack = tuple(data.draw(st.sampled_from([side, 1])) for side in a.shape[:-2])
    stack = data.draw(st.sampled_from([stack, (2, *stack), stack[1:]]))
    shape = data.draw(st.sampled_from([(n,), (*stack, n, 2), (*stack, n, 0)]))
    b, y = data.draw(tensors(dtype, shape, small(dtype)))
    close(linalg.solve(x, y), np.linalg.solve(wide(a), wide(b)), dtype, scale=1)


@pytest.mark.parametrize("others", [(at.float32, at.float64), (at.float16, at.bfloat16), (at.int8, at.complex64)])
def test_the_dtypes_of_equations_are_promoted(others: tuple[DType, DType]) -> None:
    x, y = at.eye(2, dtype=others[0]), at.ones((2,), dtype=others[1])
    for found in (linalg.solve(x, y), linalg.solve(at.eye(2, dtype=others[1]), at.ones((2,), dtype=others[0]))):
        assert_matches(found, np.ones(2), dtype=at.result_type(*others))


# Pseudo-inverses and ranks


@st.composite
def low_rank(draw: st.DrawFn, dtype: DType) -> Operand:
    """Products of integer matrices, of which many have less than full rank; their singular values stand apart."""
    rows, inner, columns = (draw(st.integers(0, 4)) for _ in range(3))
    stack = draw(shapes(max_dims=2, max_side=2))
    factors = [
        draw(arrays(dtype, (*stack, *size), st.sampled_from([-1, 0, 1, 2])))
        for size in ((rows, inner), (inner, columns))
    ]
    array = (wide(factors[0]) @ wide(factors[1])).astype(dtype.dtype)
    return array, draw(laid_out(array))


def rtols(dtype: DType, stack: tuple[int, ...]) -> list[tuple[Any, Any]]:
    """Tolerances as the library takes them, and as NumPy does."""
    several = np.linspace(0.01, 0.2, int(np.prod(stack))).reshape(stack)
    return [
        (0.05, 0.05),
        (np.float32(0.125), 0.125),
        (on_device(several.astype(np.float32)), several.astype(np.float32).astype(np.float64)),
        (at.asarray(0.05, dtype=at.float64), 0.05),
    ]


@FLOATS
@given(data=st.data())
def test_ranks(dtype: DType, data: st.DataObject) -> None:
    array, x = data.draw(low_rank(dtype))
    reference = np.linalg.matrix_rank(wide(array), rtol=1e-6)
    if dtype.itemsize > 2:
        assert_matches(linalg.matrix_rank(x), np.asarray(reference, dtype=np.int64), exact=True)
    for given_as, known_as in rtols(dtype, array.shape[:-2]):
        expected = np.asarray(np.linalg.matrix_rank(wide(array), rtol=known_as), dtype=np.int64)
        near = _near_cutoff(array, known_as)
        found = linalg.matrix_rank(x, rtol=given_as)
        assert (found.shape, found.dtype) == (expected.shape, at.int64)
        np.testing.assert_array_equal(found.numpy()[~near], expected[~near])


def _near_cutoff(array: Array, rtol: Any) -> Array:
    """Where a singular value is so near to the limit that rounding decides."""
    sigma = np.linalg.svdvals(wide(array))
    limit = np.max(sigma, axis=-1, keepdims=True, initial=0) * np.asarray(rtol)[..., None]
    near: Array = np.any(np.abs(sigma - limit) <= 0.02 * np.abs(limit), axis=-1)
    return near


@FLOATS
@given(data=st.data())
def test_pseudo_inverses(dtype: DType, data: st.DataObject) -> None:
    array, x = data.draw(low_rank(dtype))
    for given_as, known_as in rtols(dtype, array.shape[:-2]):
        expected = np.linalg.pinv(wide(array), rcond=known_as)
        near = np.broadcast_to(_near_cutoff(array, known_as)[..., None, None], expected.shape)
        found = linalg.pinv(x, rtol=given_as)
        assert (found.shape, found.dtype) == (expected.shape, dtype)
        kept = np.where(near, 0, wide(found.numpy()))
        close(computed(kept, dtype), np.where(near, 0, expected), dtype, slack=2048)
    if dtype.itemsize > 2:
        close(linalg.pinv(x), np.linalg.pinv(wide(array), rcond=1e-6), dtype, slack=4096, scale=1)


def test_tolerances_give_a_stack() -> None:
    x = at.asarray(np.diag([4.0, 1.0, 1e-3]))
    several = at.asarray([0.5, 0.01, 1e-5])
    assert linalg.matrix_rank(x, rtol=several).tolist() == [1, 2, 3]
    diagonals = linalg.diagonal(linalg.pinv(x, rtol=several))
    assert_matches(diagonals, np.asarray([[0.25, 0, 0], [0.25, 1, 0], [0.25, 1, 1000]]))


@FLOATS
def test_the_default_tolerance_goes_by_the_dtype_and_the_size(dtype: DType) -> None:
    eps = at.finfo(dtype).eps
    x = np.zeros((1, 4, 2))
    x[0, 0, 0], x[0, 1, 1] = 1, 3 * eps
    assert linalg.matrix_rank(at.asarray(x, dtype=dtype)).tolist() == [1]
    x[0, 1, 1] = 5 * eps
    assert linalg.matrix_rank(at.asarray(x, dtype=dtype)).tolist() == [2]


# Powers


@FLOATS
@given(data=st.data(), n=st.integers(-4, 6))
def test_powers(dtype: DType, data: st.DataObject, n: int) -> None:
    array, x = data.draw(square(dtype, 1 if n > 0 else 4))
    if n < 0:
        scaled = (wide(array) / 4).astype(dtype.dtype)
        array, x = scaled, data.draw(laid_out(scaled))
    with np.errstate(all="ignore"):
        expected = np.linalg.matrix_power(wide(array), n)
        # float16 ends early.
        if not np.all(np.abs(expected) < float(at.finfo(dtype).max)):
            return
    close(linalg.matrix_power(x, n), expected, dtype, slack=512)


@WHOLE
@given(data=st.data(), n=st.integers(0, 70))
def test_powers_of_integers_wrap(dtype: DType, data: st.DataObject, n: int) -> None:
    side = data.draw(st.integers(0, 3))
    array, x = data.draw(tensors(dtype, (2, side, side)))
    with np.errstate(over="ignore"):
        expected = np.linalg.matrix_power(array, n)
    assert_matches(linalg.matrix_power(x, n), expected, dtype=dtype, exact=True)


def test_an_exponent_of_another_kind_of_integer() -> None:
    x = at.asarray([[1, 1], [1, 0]])
    for n in (np.int8(7), at.asarray(7), True + 6):
        assert linalg.matrix_power(x, n).tolist() == [[21, 13], [13, 8]]  # type: ignore[arg-type]


# Vectors and diagonals


@NUMBERS
@given(data=st.data())
def test_cross(dtype: DType, data: st.DataObject) -> None:
    batch = data.draw(shapes(max_dims=2, max_side=3))
    batches = [
        tuple(data.draw(st.sampled_from([n, 1])) for n in batch)[data.draw(st.integers(0, len(batch))) :] for _ in "12"
    ]
    axis = data.draw(st.integers(-1 - min(map(len, batches)), -1))
    sizes = []
    for one in batches:
        dims = list(one)
        dims.insert(len(dims) + 1 + axis, 3)
        sizes.append(tuple(dims))
    (a, x), (b, y) = (data.draw(tensors(dtype, size, moderate(dtype))) for size in sizes)
    left, right = np.broadcast_arrays(a, b) if dtype.kind in "iu" else np.broadcast_arrays(wide(a), wide(b))
    with np.errstate(over="ignore"):
        expected = np.cross(left, right, axis=axis)
    scale = float(np.max(np.abs(left), initial=0)) * float(np.max(np.abs(right), initial=0))
    assert_matches(linalg.cross(x, y, axis=axis), expected, dtype=dtype, scale=scale)
    ndim = max(x.ndim, y.ndim)
    assert_matches(linalg.cross(x, y, axis=axis + ndim), expected, dtype=dtype, scale=scale)


@NUMBERS
@given(data=st.data())
def test_outer(dtype: DType, data: st.DataObject) -> None:
    (a, x), (b, y) = (data.draw(tensors(dtype, shapes(min_dims=1, max_dims=1), moderate(dtype))) for _ in "12")
    with np.errstate(all="ignore"):
        expected = np.multiply.outer(a, b) if dtype.kind in "iu" else np.multiply.outer(wide(a), wide(b))
    scale = float(np.max(np.abs(wide(a)), initial=0) * np.max(np.abs(wide(b)), initial=0))
    assert_matches(linalg.outer(x, y), expected, dtype=dtype, scale=scale if dtype.kind == "c" else 0)


@pytest.mark.parametrize("dtype", dtypes.ALL, ids=str)
@given(data=st.data(), offset=st.integers(-6, 6))
def test_diagonals_are_views(dtype: DType, data: st.DataObject, offset: int) -> None:
    array, x = data.draw(tensors(dtype, shapes(min_dims=2)))
    found = linalg.diagonal(x, offset=offset)
    assert found.storage is x.storage
    assert_matches(found, np.linalg.diagonal(array, offset=offset), dtype=dtype, exact=True)


def test_what_is_written_to_a_diagonal_shows_in_the_matrix() -> None:
    x = at.zeros((3, 4))
    linalg.diagonal(x, offset=1)[:] = 5
    assert x.tolist() == (5 * np.eye(3, 4, 1)).tolist()
    assert linalg.diagonal(x, offset=10**30).shape == (0,)
    assert linalg.diagonal(x, offset=-(10**30)).shape == (0,)


@pytest.mark.parametrize("dtype", dtypes.ALL, ids=str)
@given(data=st.data(), offset=st.integers(-4, 4))
def test_traces(dtype: DType, data: st.DataObject, offset: int) -> None:
    array, x = data.draw(tensors(dtype, shapes(min_dims=2), moderate(dtype)))
    values = wide(array) if dtype.kind in "fc" else array
    total = at.sum(at.zeros(1, dtype=dtype)).dtype
    if dtype.kind in "biu":
        expected = np.linalg.trace(values.astype(total.dtype), offset=offset)
    else:
        expected = np.linalg.trace(values, offset=offset)
    close(linalg.trace(x, offset=offset), expected, total, slack=8, scale=400)
    close(
        linalg.trace(x, offset=offset, dtype=at.complex128),
        np.linalg.trace(values, offset=offset, dtype=complex),
        at.complex128,
    )


# Norms

ORDERS = [2, 1, 0, inf, -inf, 3, -1, -2, 0.5, 2.5]


@NUMBERS
@given(data=st.data(), order=st.sampled_from(ORDERS), keepdims=st.booleans())
def test_norms_of_vectors(dtype: DType, data: st.DataObject, order: float, keepdims: bool) -> None:
    array, x = data.draw(tensors(dtype, shapes(max_dims=3, min_side=1), small(dtype)))
    axis = data.draw(axes_of(array.ndim))
    with np.errstate(all="ignore"):
        expected = np.linalg.vector_norm(wide(array), axis=axis, keepdims=keepdims, ord=order)
    result = at.float32 if dtype.kind in "iu" else real_of(dtype)
    close(linalg.vector_norm(x, axis=axis, keepdims=keepdims, ord=order), expected, result, slack=32)


@FLOATS
@pytest.mark.parametrize("order", ORDERS)
def test_norms_of_vectors_that_are_special(dtype: DType, order: float) -> None:
    for values in ([inf, 1.0], [-inf, 0.0], [0.0, -0.0], [nan, 1.0], [inf, nan], [-0.0, 2.0]):
        x = at.asarray(values, dtype=dtype)
        with np.errstate(all="ignore"):
            expected = np.linalg.vector_norm(wide(x.numpy()), ord=order)
        assert_matches(linalg.vector_norm(x, ord=order), expected, dtype=real_of(dtype))


@pytest.mark.parametrize("dtype", [at.float16, at.bfloat16], ids=str)
def test_squares_of_narrow_floats_do_not_overflow(dtype: DType) -> None:
    x = at.asarray([[300.0, 400.0]], dtype=dtype)
    for found in (linalg.vector_norm(x), linalg.matrix_norm(x)[None][0]):
        assert_matches(found, np.asarray(500.0), dtype=dtype)


@FLOATS
@pytest.mark.parametrize("order", [o for o in ORDERS if o != -inf])
def test_norms_of_no_elements(dtype: DType, order: float) -> None:
    expected = inf if order < 0 else 0.0
    assert linalg.vector_norm(at.zeros((0,), dtype=dtype), ord=order).item() == expected
    assert_matches(
        linalg.vector_norm(at.zeros((2, 0), dtype=dtype), axis=1, ord=order), [expected] * 2, dtype=real_of(dtype)
    )


MATRIX_ORDERS = ["fro", "nuc", 1, -1, 2, -2, inf, -inf]


@NUMBERS
@given(data=st.data(), order=st.sampled_from(MATRIX_ORDERS), keepdims=st.booleans())
def test_norms_of_matrices(dtype: DType, data: st.DataObject, order: Any, keepdims: bool) -> None:
    array, x = data.draw(matrices(dtype))
    try:
        expected = np.linalg.matrix_norm(wide(array), keepdims=keepdims, ord=order)
    except ValueError:
        if 0 in array.shape[:-2]:
            # NumPy misses the smallest element of matrices that are not there.
            assert linalg.matrix_norm(x, keepdims=keepdims, ord=order).size == 0
            return
        with refuses(ValueError, "matrix_norm: of no elements"):
            linalg.matrix_norm(x, keepdims=keepdims, ord=order)
        return
    result = at.float32 if dtype.kind in "iu" else real_of(dtype)
    scale = float(np.max(np.abs(wide(array)), initial=0))
    close(linalg.matrix_norm(x, keepdims=keepdims, ord=order), expected, result, scale=scale)


def test_the_order_of_a_norm_may_be_numpys() -> None:
    x = at.asarray([[3.0, 4.0]])
    assert linalg.vector_norm(x, ord=np.float64(1)).item() == 7  # type: ignore[arg-type]
    assert linalg.matrix_norm(x, ord=np.float32(inf)).item() == 7  # type: ignore[arg-type]
    assert linalg.matrix_norm(x, ord=None).item() == 5


# Integers, empty stacks, and what is in the main namespace too


def as_tensors(found: Any) -> list[at.Tensor]:
    return list(found) if isinstance(found, tuple) else [found]


SQUARE: dict[str, Callable[[at.Tensor], Any]] = {
    name: getattr(linalg, name) for name in ("cholesky", "det", "eig", "eigh", "eigvals", "eigvalsh", "inv", "slogdet")
}
ANY_SHAPE: dict[str, Callable[[at.Tensor], Any]] = {
    name: getattr(linalg, name)
    for name in ("pinv", "qr", "svd", "svdvals", "matrix_norm", "matrix_rank", "vector_norm")
}


@WHOLE
@pytest.mark.parametrize("function", SQUARE | ANY_SHAPE)
def test_integers_are_computed_as_float32(dtype: DType, function: str) -> None:
    x = at.asarray([[4, 1], [1, 3]], dtype=dtype)
    call = (SQUARE | ANY_SHAPE)[function]
    for one, other in zip(as_tensors(call(x)), as_tensors(call(at.astype(x, at.float32))), strict=True):
        assert_matches(one, other.numpy(), exact=True)


@FLOATS
@pytest.mark.parametrize("function", SQUARE)
@pytest.mark.parametrize("shape", [(0, 0), (2, 0, 0), (0, 3, 3), (3, 0, 2, 2)])
def test_stacks_without_elements(dtype: DType, function: str, shape: tuple[int, ...]) -> None:
    expected = getattr(np.linalg, function)(np.zeros(shape, wide(np.zeros(0, dtype.dtype)).dtype))
    for found, one in zip(
        as_tensors(SQUARE[function](at.zeros(shape, dtype=dtype))), as_tensors(expected), strict=True
    ):
        assert found.dtype.kind == (
            "c" if function.startswith("eig") and "h" not in function else np.asarray(one).dtype.kind
        )
        assert_matches(found, one, dtype=found.dtype, exact=True)


@FLOATS
@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (0, 0), (2, 0, 3), (2, 3, 0), (0, 3, 2)])
def test_matrices_without_elements(dtype: DType, shape: tuple[int, ...]) -> None:
    array, x = np.zeros(shape, wide(np.zeros(0, dtype.dtype)).dtype), at.zeros(shape, dtype=dtype)
    pairs: list[tuple[Any, Any]] = [
        (linalg.qr(x), np.linalg.qr(array)),
        (linalg.qr(x, mode="complete"), np.linalg.qr(array, "complete")),
        (linalg.svd(x), np.linalg.svd(array)),
        (linalg.svd(x, full_matrices=False), np.linalg.svd(array, full_matrices=False)),
        (linalg.svdvals(x), np.linalg.svdvals(array)),
        (linalg.pinv(x), np.linalg.pinv(array)),
        (linalg.matrix_rank(x), np.linalg.matrix_rank(array)),
        (linalg.matrix_norm(x), np.linalg.matrix_norm(array)),
    ]
    for found, expected in pairs:
        for one, other in zip(as_tensors(found), as_tensors(expected), strict=True):
            assert_matches(one, np.abs(other), dtype=one.dtype)


def test_functions_of_the_main_namespace_are_the_same() -> None:
    for name in ("matmul", "matrix_transpose", "tensordot", "vecdot"):
        assert getattr(linalg, name) is getattr(at, name)
    assert at.linalg is linalg
    assert set(np.linalg.__all__) & set(dir(linalg)) >= {"LinAlgError", "cholesky", "svdvals", "vector_norm"}


# What does not fit


def test_what_does_not_fit() -> None:
    x, eye, vector, number = at.zeros((2, 3)), at.eye(3), at.zeros(4), at.zeros(())
    truth, three, four, pair = at.ones((3, 3), dtype=at.bool), at.ones((2, 3)), at.ones((4, 3)), at.ones((2, 3, 3))
    nothing = at.zeros(0)
    cube, tolerances, column = at.ones((3, 2, 2)), at.ones(2), at.ones((3, 3, 1))
    small_integers, complicated, integers = (
        at.ones((3, 3), dtype=at.int8),
        at.ones((3, 3), dtype=at.complex64),
        at.ones(3, dtype=at.uint64),
    )
    bad: list[tuple[Callable[[], Any], type[Exception], str]] = [
        (lambda: linalg.qr(eye, mode="raw"), ValueError, "qr: mode"),
        (lambda: linalg.solve(x, vector), ValueError, "solve: matrices must be square"),
        (lambda: linalg.solve(eye, vector), ValueError, "solve: shapes (3, 3) and (4,)"),
        (lambda: linalg.solve(eye, number), ValueError, "solve"),
        (lambda: linalg.solve(pair, column), ValueError, "solve: shapes (2,) and (3,)"),
        (lambda: linalg.solve(truth, truth), TypeError, "solve: tensors of bool"),
        (lambda: linalg.solve(eye, [1, 2, 3]), TypeError, "solve"),  # type: ignore[arg-type]
        (lambda: linalg.solve(small_integers, integers), TypeError, "solve"),
        (lambda: linalg.matrix_power(x, 2), ValueError, "matrix_power: matrices must be square"),
        (lambda: linalg.matrix_power(eye, 2.0), TypeError, "matrix_power: the exponent"),  # type: ignore[arg-type]
        (lambda: linalg.matrix_power(truth, 2), TypeError, "matrix_power"),
        (lambda: linalg.matrix_power([[1]], 2), TypeError, "matrix_power"),  # type: ignore[arg-type]
        (lambda: linalg.cross(x, vector), ValueError, "cross: axis -1 of shapes (2, 3) and (4,)"),
        (lambda: linalg.cross(three, three, axis=0), ValueError, "cross: axis 0"),
        (lambda: linalg.cross(three, three, axis=2), IndexError, "cross"),
        (lambda: linalg.cross(three, number), IndexError, "cross"),
        (lambda: linalg.cross(three, three, axis=1.0), TypeError, "cross: axis"),  # type: ignore[arg-type]
        (lambda: linalg.cross(three, four), ValueError, "cross: shapes (2, 3) and (4, 3)"),
        (lambda: linalg.cross(truth, truth), TypeError, "cross"),
        (lambda: linalg.outer(x, vector), ValueError, "outer: operands must be vectors"),
        (lambda: linalg.outer(vector, number), ValueError, "outer"),
        (lambda: linalg.outer(truth[0], truth[0]), TypeError, "outer"),
        (lambda: linalg.outer(vector, 2), TypeError, "outer"),  # type: ignore[arg-type]
        (lambda: linalg.diagonal(vector), ValueError, "diagonal"),
        (lambda: linalg.diagonal(x, offset=1.5), TypeError, "diagonal: offset"),  # type: ignore[arg-type]
        (lambda: linalg.diagonal([[1]]), TypeError, "diagonal"),  # type: ignore[arg-type]
        (lambda: linalg.trace(vector), ValueError, "trace"),
        (lambda: linalg.trace(x, offset=None), TypeError, "trace: offset"),  # type: ignore[arg-type]
        (lambda: linalg.vector_norm(x, axis=2), IndexError, "vector_norm: axis 2"),
        (lambda: linalg.vector_norm(x, axis=(0, 0)), ValueError, "vector_norm"),
        (lambda: linalg.vector_norm(x, ord="fro"), TypeError, "vector_norm"),  # type: ignore[arg-type]
        (lambda: linalg.vector_norm(x, ord=1j), TypeError, "vector_norm"),  # type: ignore[arg-type]
        (lambda: linalg.vector_norm(x, ord=nan), ValueError, "vector_norm: ord"),
        (lambda: linalg.vector_norm(nothing, ord=-inf), ValueError, "vector_norm: of no elements"),
        (lambda: linalg.vector_norm(truth), TypeError, "vector_norm"),
        (lambda: linalg.matrix_norm(x, ord=3), ValueError, "matrix_norm: ord"),
        (lambda: linalg.matrix_norm(x, ord="max"), ValueError, "matrix_norm: ord"),
        (lambda: linalg.matrix_norm(vector), ValueError, "matrix_norm"),
        (lambda: linalg.matrix_norm(truth), TypeError, "matrix_norm"),
        (lambda: linalg.pinv(x, rtol="big"), TypeError, "pinv"),  # type: ignore[arg-type]
        (lambda: linalg.pinv(x, rtol=1j), TypeError, "pinv"),  # type: ignore[arg-type]
        (lambda: linalg.pinv(x, rtol=complicated), TypeError, "pinv: rtol"),
        (lambda: linalg.matrix_rank(x, rtol=truth), TypeError, "matrix_rank: rtol"),
        (lambda: linalg.matrix_rank(cube, rtol=tolerances), ValueError, "matrix_rank: shapes (3,) and (2,)"),
        (lambda: linalg.pinv(cube, rtol=tolerances), ValueError, "pinv: shapes (3,) and (2,)"),
    ]
    for call in (*SQUARE.values(), *(ANY_SHAPE[name] for name in ANY_SHAPE if name != "vector_norm")):
        name = call.__name__
        bad.append((lambda call=call: call(vector), ValueError, name))  # type: ignore[misc]
        bad.append((lambda call=call: call(number), ValueError, name))  # type: ignore[misc]
        bad.append((lambda call=call: call(truth), TypeError, name))  # type: ignore[misc]
        bad.append((lambda call=call: call([[1.0]]), TypeError, name))  # type: ignore[misc]
    for call in SQUARE.values():
        bad.append((lambda call=call: call(x), ValueError, f"{call.__name__}: matrices must be square"))  # type: ignore[misc]
    for attempt, error, words in bad:
        with refuses(error, words):
            attempt()


# What only the values tell

ONE_NOT_DEFINITE = [np.eye(2), -np.eye(2)]
ONE_SINGULAR = [np.eye(2), np.asarray([[1.0, 2.0], [2.0, 4.0]])]

# op type, a call, its matrices, what is said of them.
FAILING: list[tuple[str, Callable[[at.Tensor], at.Tensor], list[Array], str]] = [
    ("Cholesky", linalg.cholesky, ONE_NOT_DEFINITE, "a matrix is not positive definite"),
    ("Cholesky", lambda x: linalg.cholesky(x, upper=True), ONE_NOT_DEFINITE, "a matrix is not positive definite"),
    ("MatrixInverse", linalg.inv, ONE_SINGULAR, "a matrix is singular"),
    ("MatrixInverse", lambda x: linalg.matrix_power(x, -2), ONE_SINGULAR, "a matrix is singular"),
    ("MatrixSolve", lambda x: linalg.solve(x, x[0, 0]), ONE_SINGULAR, "a matrix is singular"),
]


@FLOATS
@pytest.mark.parametrize(("op_type", "call", "stack", "words"), FAILING)
def test_wrong_values_are_told_where_the_result_is_waited_for(
    dtype: DType, op_type: str, call: Callable[[at.Tensor], at.Tensor], stack: list[Array], words: str
) -> None:
    x = at.asarray(np.stack(stack), dtype=dtype)
    result = call(x)
    with pytest.raises(linalg.LinAlgError, match=words) as raised:
        result.numpy()
    assert isinstance(raised.value, ValueError)
    assert re.search(rf"{op_type}\(.*queued at .*test_linalg.py", str(raised.value))
    assert isinstance(raised.value.__cause__, at.AclError)
    assert raised.value.__cause__.code == AICPU_EXCEPTION


def test_the_library_goes_on_after_wrong_values_and_nothing_stays_behind() -> None:
    x = at.zeros((2, 2))
    at.npu.synchronize()
    held = settled_memory()
    for _ in range(3):
        with pytest.raises(linalg.LinAlgError):
            linalg.inv(x).numpy()
    assert at.sum(at.ones(3)).item() == 3
    assert settled_memory() <= held


@pytest.mark.parametrize("call", [linalg.svdvals, linalg.eigvalsh, lambda x: linalg.matrix_norm(x, ord=2)])
def test_what_does_not_converge(call: Callable[[at.Tensor], at.Tensor]) -> None:
    result = call(at.full((3, 3), nan))
    with pytest.raises(linalg.LinAlgError, match="do not converge"):
        at.npu.synchronize()
    assert result.shape in ((), (3,))


@pytest.mark.parametrize("call", [linalg.eig, linalg.eigvals])
def test_the_host_tells_at_once(call: Callable[[at.Tensor], Any]) -> None:
    with pytest.raises(linalg.LinAlgError, match="infs or NaNs"):
        call(at.full((2, 2), nan))
    assert at.sum(at.ones(3)).item() == 3


def test_another_failure_of_the_same_queue_is_none_of_the_values() -> None:
    x = at.eye(2)
    at.npu.synchronize()
    with faults.fail_op(AICPU_EXCEPTION, "Add"):
        y = linalg.inv(x) + x
        with pytest.raises(at.AclError, match="Add"):
            y.numpy()
