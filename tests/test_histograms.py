"""bincount, histogram and histogram_bin_edges against NumPy's."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import ascendtensor as at
from ops_registry import dtypes, promotion
from ops_registry.dtypes import DType

from .comparison import COMPLEX, FLOATING, INTEGERS, REAL, assert_matches, elements, on_device, shapes
from .layouts import Array, moderate, refuses, tensors

pytestmark = pytest.mark.filterwarnings("error::ascendtensor.HostFallbackWarning")

ORDERED = pytest.mark.parametrize("dtype", [dtypes.bool_, *REAL], ids=str)
FLOATS = pytest.mark.parametrize("dtype", FLOATING, ids=str)
COUNTED = pytest.mark.parametrize("dtype", [dtypes.bool_, *INTEGERS], ids=str)

RULES = ("auto", "doane", "fd", "rice", "scott", "sqrt", "stone", "sturges")
QUARTERS = st.integers(-20, 20).map(lambda n: n / 4)


def numbers(dtype: DType) -> st.SearchStrategy[Any]:
    """Values that often stand on an edge, and what is in no bin."""
    if dtype.kind == "f":
        return st.one_of(QUARTERS, QUARTERS, elements(dtype))
    return elements(dtype) | elements(dtype) | st.integers(0, 1 if dtype.kind == "b" else 9)


def numpys(array: Array) -> Array:
    """Values that NumPy takes: it has no bfloat16, and warns of bool."""
    dtype = dtypes.of(array.dtype)
    return array.astype({"bool": np.uint8, "bfloat16": np.float64}.get(dtype.name, array.dtype))


def edges_dtype(dtype: DType) -> DType:
    return dtype if dtype.kind == "f" else promotion.default_float()


# bincount


@COUNTED
@given(data=st.data())
def test_bincount(dtype: DType, data: st.DataObject) -> None:
    most = 1 if dtype.kind == "b" else 100
    array, x = data.draw(tensors(dtype, shapes(min_dims=1, max_dims=1, max_side=8), st.integers(0, most)))
    minlength = data.draw(st.sampled_from([0, 1, 5, 120]))
    expected = np.bincount(array.astype(np.int64), minlength=minlength)
    assert_matches(at.bincount(x, minlength=minlength), expected, dtype=dtypes.int64)


@ORDERED
@given(data=st.data())
def test_bincount_with_weights(dtype: DType, data: st.DataObject) -> None:
    array, x = data.draw(tensors(dtypes.int16, shapes(min_dims=1, max_dims=1, max_side=8), st.integers(0, 5)))
    heavy, weights = data.draw(tensors(dtype, array.shape, moderate(dtype)))
    expected = np.bincount(array, heavy.astype(np.float64), 3)
    assert_matches(at.bincount(x, weights, 3), expected, dtype=edges_dtype(dtype))


@FLOATS
def test_weights_that_are_no_numbers_stay_where_they_are(dtype: DType) -> None:
    inf, nan = float("inf"), float("nan")
    x = at.asarray([0, 1, 2, 2, 3])
    weights = at.asarray([inf, nan, inf, -inf, 1.0], dtype=dtype)
    assert_matches(at.bincount(x, weights), np.asarray([inf, nan, nan, 1]), dtype=dtype)
    assert_matches(at.histogram(x, 4, weights=weights).hist, np.asarray([inf, nan, nan, 1]), dtype=dtype)


def test_weights_are_added_in_double_precision() -> None:
    x = at.zeros(4097, dtype=at.int32)
    for dtype in FLOATING:
        weights = at.concat([at.asarray([4096], dtype=dtype), at.full(4096, 2.0**-10, dtype=dtype)])
        wanted = np.asarray([4100.0])
        assert_matches(at.bincount(x, weights), wanted, dtype=dtype, ulps=1)
        assert_matches(at.histogram(x, 1, weights=weights).hist, wanted, dtype=dtype, ulps=1)


def test_what_bincount_refuses() -> None:
    x, square, ones = at.asarray([0, 1]), at.zeros((2, 2), dtype=at.int64), at.ones(3)
    for dtype in (*FLOATING, *COMPLEX):
        floats = at.zeros(2, dtype=dtype)
        with refuses(TypeError, "bincount", dtype.name):
            at.bincount(floats)
    with refuses(ValueError, "bincount", "one dimension"):
        at.bincount(square)
    with refuses(ValueError, "bincount", "minlength"):
        at.bincount(x, minlength=-1)
    for length in (None, 1.0, "1"):
        with refuses(TypeError, "bincount", "minlength"):
            at.bincount(x, minlength=length)  # type: ignore[arg-type]
    with refuses(ValueError, "bincount", "weights", "(3,)"):
        at.bincount(x, ones)
    imaginary = at.ones(2, dtype=at.complex64)
    with refuses(TypeError, "bincount", "complex64"):
        at.bincount(x, imaginary)
    with refuses(TypeError, "bincount", "list"):
        at.bincount([1, 2])  # type: ignore[arg-type]
    for values, dtype in (([1, -1], at.int8), ([-(2**62), 0], at.int64), ([2**31 - 1], at.int64), ([2**63], at.uint64)):
        with pytest.raises(ValueError, match="bincount: numbers from 0"):
            at.bincount(at.asarray(values, dtype=dtype))
    assert at.bincount(x).tolist() == [1, 1]


# histogram


@ORDERED
@given(data=st.data())
def test_bins_of_one_width(dtype: DType, data: st.DataObject) -> None:
    finite = moderate(dtype) if dtype.kind == "f" else elements(dtype)
    array, x = data.draw(tensors(dtype, shapes(max_dims=3), finite))
    bins = data.draw(st.sampled_from([1, 2, 3, 4, 7, 10]))
    try:
        counts, edges = np.histogram(numpys(array), bins)
    except ValueError:
        with pytest.raises(ValueError, match=r"histogram: from .* no room"):
            at.histogram(x, bins)
        return
    # Where edges of bfloat16 are rounded, they are other ones than NumPy's.
    assume(dtype is not dtypes.bfloat16 or np.array_equal(edges.astype(dtype.dtype).astype(np.float64), edges))
    found = at.histogram(x, bins)
    assert_matches(found.hist, counts, dtype=dtypes.int64)
    assert_matches(found.bin_edges, edges, dtype=edges_dtype(dtype), scale=float(np.max(np.abs(edges))))
    assert_matches(at.histogram_bin_edges(x, bins), found.bin_edges.numpy(), exact=True)


@ORDERED
@given(data=st.data(), low=QUARTERS, length=st.sampled_from([0, 0.25, 1, 3.5, 300]))
def test_a_range(dtype: DType, data: st.DataObject, low: float, length: float) -> None:
    array, x = data.draw(tensors(dtype, shapes(max_dims=2), numbers(dtype)))
    # Edges that every dtype has.
    bins = data.draw(st.sampled_from([1, 2, 4]))
    ends = low, low + length
    counts, edges = np.histogram(numpys(array), bins, ends)
    assume(np.array_equal(edges.astype(dtypes.bfloat16.dtype).astype(np.float64), edges))
    found = at.histogram(x, bins, ends)
    assert_matches(found.hist, counts, dtype=dtypes.int64)
    assert_matches(found.bin_edges, edges, dtype=edges_dtype(dtype), exact=True)


@ORDERED
@given(data=st.data())
def test_edges_of_numbers(dtype: DType, data: st.DataObject) -> None:
    array, x = data.draw(tensors(dtype, shapes(max_dims=3), numbers(dtype)))
    edges: Any = sorted(data.draw(st.lists(QUARTERS, max_size=5) | st.lists(st.integers(-5, 300), max_size=5)))
    if data.draw(st.booleans()):
        edges = np.asarray(edges)
    counts, told = np.histogram(numpys(array), edges)
    found = at.histogram(x, edges)
    assert_matches(found.hist, counts, dtype=dtypes.int64)
    weak = told.dtype.kind == "f" and not isinstance(edges, np.ndarray)
    assert_matches(found.bin_edges, told, dtype=edges_dtype(dtype) if weak else dtypes.of(told.dtype))


@ORDERED
@given(data=st.data(), other=st.sampled_from(REAL))
def test_edges_of_another_dtype(dtype: DType, data: st.DataObject, other: DType) -> None:
    array, x = data.draw(tensors(dtype, shapes(max_dims=2, max_side=3), numbers(dtype)))
    values = numbers(other).filter(lambda value: value == value)
    line, edges = data.draw(tensors(other, (data.draw(st.integers(0, 4)),), values))
    order = np.argsort(line, kind="stable")
    counts, _ = np.histogram(numpys(array), numpys(line[order]))
    found = at.histogram(x, edges[order])
    assert_matches(found.hist, counts, dtype=dtypes.int64)
    assert_matches(found.bin_edges, line[order], dtype=other, exact=True)


@pytest.mark.parametrize("kind", dtypes.ALL, ids=str)
@given(data=st.data())
def test_weights(kind: DType, data: st.DataObject) -> None:
    dtype = data.draw(st.sampled_from([dtypes.uint8, dtypes.float32, dtypes.float64]))
    array, x = data.draw(tensors(dtype, shapes(max_dims=3), numbers(dtype)))
    heavy, weights = data.draw(tensors(kind, array.shape, moderate(kind)))
    edges = [-1.0, 0.5, 2.0, 2.0, 5.0]
    native = heavy.astype({"b": np.int64, "f": np.float64, "c": np.complex128}.get(kind.kind, heavy.dtype))
    counts, _ = np.histogram(array, edges, weights=native)
    found = at.histogram(x, edges, weights=weights)
    assert_matches(found.hist, counts, dtype=kind, scale=float(np.sum(np.abs(native.astype(np.complex128)))))


@ORDERED
@given(data=st.data())
def test_density(dtype: DType, data: st.DataObject) -> None:
    array, x = data.draw(tensors(dtype, shapes(max_dims=2), numbers(dtype)))
    edges = [-2.0, 0.0, 0.5, 5.0]
    with np.errstate(all="ignore"):
        expected, _ = np.histogram(numpys(array), edges, density=True)
    assert_matches(at.histogram(x, edges, density=True).hist, expected, dtype=edges_dtype(dtype))
    heavy, weights = data.draw(tensors(dtypes.float32, array.shape, st.sampled_from([0.5, 1.0, 2.0])))
    with np.errstate(all="ignore"):
        expected, _ = np.histogram(numpys(array), edges, density=True, weights=heavy)
    found = at.histogram(x, edges, density=True, weights=weights).hist
    assert_matches(found, expected, dtype=promotion.promote(edges_dtype(dtype), dtypes.float32))


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("dtype", [dtypes.int8, dtypes.uint64, dtypes.int64, dtypes.float32, dtypes.float64], ids=str)
@pytest.mark.parametrize("ends", [None, (3, 40), (200, 300)])
@pytest.mark.filterwarnings("ignore:The number of bins")
def test_rules_find_as_many_bins_as_numpys(rule: str, dtype: DType, ends: Any) -> None:
    rng = np.random.default_rng(8)
    for n in (1, 2, 3, 100):
        array = np.clip(rng.gamma(2, 10, n), 0, 100).astype(dtype.dtype)
        counts, edges = np.histogram(array, rule, ends)
        found = at.histogram(on_device(array), rule, ends)
        assert_matches(found.hist, counts)
        assert_matches(found.bin_edges, edges, dtype=edges_dtype(dtype))
    same = np.full(9, 5, dtype.dtype)
    assert_matches(at.histogram(on_device(same), rule).hist, np.histogram(same, rule)[0])


def test_nothing_to_count() -> None:
    for dtype in (dtypes.bool_, *REAL):
        x = at.zeros((2, 0), dtype=dtype)
        for bins in (4, "auto", "stone"):
            counts, edges = np.histogram(np.empty(0), bins)
            assert_matches(at.histogram(x, bins).hist, counts)
            assert_matches(at.histogram(x, bins).bin_edges, edges, dtype=edges_dtype(dtype))
        assert at.histogram(x, [1]).hist.shape == (0,)
        assert_matches(at.histogram(x, 2, weights=x).hist, np.zeros(2), dtype=dtype)
    assert at.histogram(at.ones(3), []).hist.shape == (0,)


def test_large_integers_are_told_apart() -> None:
    first = 1_700_000_000
    array = first + np.asarray([0, 1, 1, 2, 3])
    assert_matches(at.histogram(on_device(array), 3).hist, np.histogram(array, 3)[0])
    density = at.histogram(on_device(array), 3, density=True).hist
    assert_matches(density, np.histogram(array, 3, density=True)[0], dtype=at.float32)


def test_what_is_refused() -> None:
    x, turning, three = at.zeros((2, 3)), at.zeros(2, dtype=at.complex64), at.ones(3)
    square, truth = at.zeros((2, 2)), at.asarray([False, True])
    for function in ("histogram", "histogram_bin_edges"):
        call = getattr(at, function)
        with refuses(TypeError, function, "complex64"):
            call(turning)
        with refuses(TypeError, function, "list"):
            call([1, 2])
        for bins, error, words in [
            (0, ValueError, "one bin"),
            (-1, ValueError, "one bin"),
            (1.5, TypeError, "bins"),
            (None, TypeError, "bins"),
            ("best", ValueError, "auto"),
            ([2, 1], ValueError, "increase"),
            ([[1, 2]], ValueError, "dimension"),
            (["a", "b"], TypeError, "edges"),
            ([1j, 2], TypeError, "edges"),
            (square, ValueError, "dimension"),
            (truth, TypeError, "edges"),
            (turning, TypeError, "edges"),
        ]:
            with refuses(error, function, words):
                call(x, bins)
        for ends, error in [
            ((1, 0), ValueError),
            ((0, float("inf")), ValueError),
            ((float("nan"), 1), ValueError),
            ((1,), TypeError),
            (1, TypeError),
            ((0, 1j), TypeError),
            (("a", "b"), TypeError),
        ]:
            with refuses(error, function, "range"):
                call(x, 3, ends)
        with refuses(ValueError, function, "weights", "(3,)"):
            call(x, 3, weights=three)
        with refuses(TypeError, function, "auto"):
            call(three, "auto", weights=three)
        with refuses(ValueError, function, "no room"):
            call(x, 2000, (1, 1 + 2.0**-20))
        for values in ([1, float("nan")], [float("inf"), 0]):
            with pytest.raises(ValueError, match=f"{function}: .* no finite range"):
                call(at.asarray(values))
        with pytest.raises(ValueError, match=f"{function}: edges must increase"):
            call(x, at.asarray([2.0, 1.0]))


def test_results_have_names() -> None:
    hist, edges = at.histogram(at.asarray([1, 2, 2]), bins=[1, 2, 3])
    assert hist.tolist() == [1, 2]
    assert edges.tolist() == [1, 2, 3]
    assert at.histogram(at.asarray([1.0]), at.asarray(3)).hist.tolist() == [0, 1, 0]
