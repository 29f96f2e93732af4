"""Reading and writing through masks and integer arrays, against NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import ascendtensor as at
from ops_registry import dtypes
from ops_registry.dtypes import DType

from .comparison import INTEGERS, arrays, assert_matches, elements, on_device, shapes
from .layouts import Array, laid_out, refuses, tensors

EVERY = pytest.mark.parametrize("dtype", dtypes.ALL, ids=str)


@st.composite
def array_keys(draw: st.DrawFn, shape: tuple[int, ...], distinct: bool = False) -> tuple[Any, Any]:
    """An index with arrays in it, as NumPy takes it and with some of its arrays as tensors.

    distinct: no place is named twice, so that what is assigned does not depend on an order.
    """
    around = draw(hnp.array_shapes(min_dims=1, max_dims=2, min_side=0, max_side=3))
    host: list[Any] = []
    axis = arrays_so_far = 0
    ellipsis = False
    while axis < len(shape) or draw(st.integers(0, 3)) == 0:
        left = shape[axis:]
        kinds = ["slice", "None", "bool", "ellipsis"]
        if left:
            kinds += ["array", "array", "array", "mask", "mask"] if not (distinct and arrays_so_far) else []
            kinds += ["int"] if left[0] else []
        kind = draw(st.sampled_from(kinds))
        if kind == "slice":
            if not left:
                break
            host.append(draw(st.slices(left[0])))
            axis += 1
        elif kind == "None":
            host.append(None)
        elif kind == "ellipsis":
            if ellipsis:
                break
            ellipsis = True
            host.append(...)
            break
        elif kind == "bool":
            host.append(draw(st.booleans()))
        elif kind == "int":
            host.append(draw(st.integers(-left[0], left[0] - 1)))
            axis += 1
        elif kind == "mask":
            depth = draw(st.integers(1, len(left)))
            host.append(draw(hnp.arrays(np.bool_, left[:depth])))
            axis += depth
            arrays_so_far += 1
        else:
            host.append(draw(positions(left[0], around, distinct)))
            axis += 1
            arrays_so_far += 1
    return tuple(host), tuple(draw(on_either(one)) for one in host)


@st.composite
def positions(draw: st.DrawFn, n: int, around: tuple[int, ...], distinct: bool) -> Array:
    dtype = draw(st.sampled_from(INTEGERS)).dtype
    low = -n if dtype.kind == "i" else 0
    if not n:
        return np.zeros(0, dtype)
    if distinct:
        return np.asarray(draw(st.permutations(range(n)))[: draw(st.integers(0, n))]).astype(dtype)
    shape = draw(hnp.broadcastable_shapes(around, max_dims=len(around), min_side=0, max_side=3))
    return draw(hnp.arrays(dtype, shape, elements=st.integers(low, n - 1)))


@st.composite
def on_either(draw: st.DrawFn, one: Any) -> Any:
    """An index array as it is, as a list or as a tensor."""
    if isinstance(one, bool):
        return draw(st.sampled_from([one, np.bool_(one), on_device(np.asarray(one))]))
    if not isinstance(one, np.ndarray):
        return one
    form = draw(st.sampled_from(["array", "list", "tensor", "view"]))
    if form == "list" and one.size:
        return one.tolist()
    return one if form in ("array", "list") else on_device(one) if form == "tensor" else draw(laid_out(one))


def expected(array: Array, key: Any) -> Array | type[IndexError]:
    try:
        return np.asarray(array[key])
    except IndexError:
        return IndexError


@EVERY
@given(data=st.data())
def test_reading(dtype: DType, data: st.DataObject) -> None:
    array, x = data.draw(tensors(dtype))
    host, key = data.draw(array_keys(array.shape))
    wanted = expected(array, host)
    if isinstance(wanted, type):
        with pytest.raises(IndexError):
            x[key]
    else:
        assert_matches(x[key], wanted, dtype=dtype, exact=True)


@EVERY
@given(data=st.data())
def test_writing(dtype: DType, data: st.DataObject) -> None:
    array, x = data.draw(tensors(dtype))
    host, key = data.draw(array_keys(array.shape, distinct=True))
    wanted = expected(array, host)
    before = array.copy()
    if isinstance(wanted, type):
        with pytest.raises(IndexError):
            x[key] = 1
        assert_matches(x, before, exact=True)
        return
    form = data.draw(st.sampled_from(["number", "0-d", "array", "tensor", "view"]))
    if form in ("number", "0-d"):
        value = np.asarray(data.draw(elements(dtype)), dtype=dtype.dtype)
        given_as = value.item() if form == "number" else on_device(value)
    else:
        shape = tuple(data.draw(st.sampled_from([n, 1])) for n in wanted.shape)
        value = data.draw(arrays(dtype, shape[data.draw(st.integers(0, len(shape))) :]))
        given_as = value if form == "array" else on_device(value) if form == "tensor" else data.draw(laid_out(value))
    array[host] = value
    x[key] = given_as
    assert_matches(x, array, exact=True)


@EVERY
@given(data=st.data())
def test_writing_through_views(dtype: DType, data: st.DataObject) -> None:
    """What is beside the view stays as it is."""
    array = data.draw(arrays(dtype, shapes(min_dims=2, max_dims=3, min_side=2, max_side=5)))
    x = on_device(array)
    cut = tuple(data.draw(st.slices(n)) for n in array.shape)
    order = data.draw(st.permutations(range(array.ndim)))
    part, shown = array[cut].transpose(order), at.permute_dims(x[cut], order)
    host, key = data.draw(array_keys(part.shape, distinct=True))
    if isinstance(expected(part, host), type):
        return
    part[host] = 1
    shown[key] = 1
    assert_matches(x, array, exact=True)


@EVERY
@given(data=st.data())
def test_masks_of_the_device(dtype: DType, data: st.DataObject) -> None:
    """The usual ones: as many dimensions as the tensor, or as its first ones."""
    array, x = data.draw(tensors(dtype, shapes(min_dims=1)))
    depth = data.draw(st.integers(1, array.ndim))
    host, mask = data.draw(tensors(dtypes.bool_, array.shape[:depth]))
    assert_matches(x[mask], array[host], dtype=dtype, exact=True)
    value = data.draw(arrays(dtype, array[host].shape))
    array[host] = value
    x[mask] = on_device(value)
    assert_matches(x, array, exact=True)
    array[~host] = 0
    x[~mask] = 0
    assert_matches(x, array, exact=True)


@EVERY
def test_in_place_operators_reach_through(dtype: DType) -> None:
    array = (np.arange(12).reshape(3, 4) % 5).astype(dtype.dtype)
    x = on_device(array)
    if dtype.kind == "b":
        array[[0, 2]] |= True
        x[[0, 2]] |= True
    else:
        array[[0, 2]] += array[[1, 1]]
        x[[0, 2]] += x[[1, 1]]
    assert_matches(x, array, exact=True)


@EVERY
@pytest.mark.parametrize("n", [3, 8])
def test_what_is_read_may_be_what_is_written(dtype: DType, n: int) -> None:
    array = (np.arange(2 * n).reshape(n, 2) % 7).astype(dtype.dtype)
    x = on_device(array)
    back = np.arange(n)[::-1]
    array[back] = array.copy()
    x[on_device(back.copy())] = x
    assert_matches(x, array, exact=True)
    mask = array[:, 0] == array[0, 0]
    array[mask] = array[::-1][mask]
    on = on_device(mask)
    x[on] = x[::-1][on]
    assert_matches(x, array, exact=True)


def test_indices_may_be_the_tensor_itself() -> None:
    for dtype in INTEGERS:
        array = np.asarray([2, 0, 1, 3]).astype(dtype.dtype)
        x = on_device(array)
        array[array.copy()] = [3, 2, 1, 0]
        x[x] = [3, 2, 1, 0]
        assert_matches(x, array)
        assert_matches(x[x], array[array])


@EVERY
@pytest.mark.parametrize("index", [3, -4, 2**31 - 1])
def test_out_of_range_on_the_device_changes_nothing(dtype: DType, index: int) -> None:
    """Only the device sees the indices; it tells when somebody waits, and writes nothing."""
    x, other = at.ones((3, 4), dtype=dtype), at.ones((3, 4), dtype=dtype)
    wrong = at.asarray([0, index])
    for key in ((wrong,), (wrong, at.asarray([0, 1]))):
        x[key] = 0
        with pytest.raises(at.AclError, match="index"):
            at.npu.synchronize()
        assert at.all(x == 1)
        assert at.all(other == 1)
        part = x[key]
        with pytest.raises(at.AclError, match="index"):
            at.npu.synchronize()
        del part


@EVERY
@pytest.mark.parametrize("shape", [(0, 4), (3, 0), (0, 0)])
def test_a_mask_may_be_empty_where_the_tensor_is_not(dtype: DType, shape: tuple[int, ...]) -> None:
    array, x = np.ones((3, 4, 2), dtype.dtype), at.ones((3, 4, 2), dtype=dtype)
    mask = np.ones(shape, bool)
    assert array[mask].shape == (0, 2)
    for key in (mask, on_device(mask)):
        assert_matches(x[key], array[mask], dtype=dtype)
        x[key] = 0
        x[key] = at.zeros((0, 2), dtype=dtype)
    assert at.all(x == 1)


BAD_KEYS: list[tuple[Any, str]] = [
    ([3], "index 3"),
    ([[0, -4]], "index -4"),
    (np.asarray([0, 4]), "index 4"),
    ((0, [0, 4]), "index 4"),
    ([0.5], "float64"),
    (np.asarray([1j]), "complex"),
    (["a"], "array of"),
    ([[1], [1, 2]], "regular"),
    ([slice(None)], "lists"),
    ([2**70], "lists"),
    ([True, False], "mask"),
    (np.ones((3, 3), bool), "mask"),
    ((slice(None), np.ones(3, bool)), "mask"),
    (([0, 1], [0, 1, 2]), "broadcast"),
    (([0], [0], [0]), "3 indices"),
    ((np.ones((3, 4), bool), 0), "3 indices"),
    ((..., [0], ...), "ellipsis"),
    (([0], "a"), "'a'"),
    (([0], 1.5), "1.5"),
]


@pytest.mark.parametrize(("key", "words"), BAD_KEYS)
def test_bad_keys(key: Any, words: str) -> None:
    x = at.zeros((3, 4))
    with pytest.raises((IndexError, ValueError, OverflowError)):
        np.zeros((3, 4))[key]
    with refuses(IndexError, words):
        x[key]
    with refuses(IndexError, words):
        x[key] = 1


def test_bad_tensors_as_keys() -> None:
    x, empty = at.zeros((3, 4)), at.zeros((0, 4))
    mask, wide, floats, places = at.ones(4, dtype=at.bool), at.ones((3, 5), dtype=at.bool), at.ones(2), at.asarray([0])
    for key, words in ((mask, "mask"), (wide, "mask"), (floats, "float32"), ((places, places, places), "3 indices")):
        with refuses(IndexError, words):
            x[key]
        with refuses(IndexError, words):
            x[key] = 0
    with refuses(IndexError, "empty"):
        empty[places]
    with refuses(IndexError, "empty"):
        empty[places] = 1


BAD_VALUES: list[tuple[Any, DType, type[Exception], str]] = [
    ("a", at.float32, TypeError, "'a'"),
    (None, at.float32, TypeError, "None"),
    (1j, at.float32, TypeError, "complex"),
    (128, at.int8, OverflowError, "128"),
    (float("nan"), at.int32, ValueError, "nan"),
    ([1, 2, 3], at.float32, ValueError, "(3,)"),
    (np.zeros((2, 2, 4)), at.float32, ValueError, "(2, 2, 4)"),
]


@pytest.mark.parametrize(("value", "dtype", "error", "words"), BAD_VALUES)
def test_bad_values(value: Any, dtype: DType, error: type[Exception], words: str) -> None:
    x = at.ones((2, 4), dtype=dtype)
    places = at.asarray([0, 1])
    for key in ([0, 1], np.asarray([0, 1]), places, [True, True]):
        with refuses(error, words):
            x[key] = value
    assert at.all(x == 1)


def test_a_value_that_does_not_fit_a_mask() -> None:
    """How many places there are is known after asking the device only; nothing is written."""
    x = at.ones((3, 4))
    mask = at.asarray([True, False, True])
    with pytest.raises(ValueError, match=r"\(3, 4\)"):
        x[mask] = at.zeros((3, 4))
    with pytest.raises(IndexError, match="broadcast"):
        x[mask, at.asarray([0, 1, 2])]
    assert at.all(x == 1)


def test_a_broadcast_view_cannot_be_assigned() -> None:
    x = at.broadcast_to(at.zeros(3), (2, 3))
    mask = at.ones((2, 3), dtype=at.bool)
    for key in ([0], mask):
        with refuses(ValueError, "share"):
            x[key] = 1


def test_what_is_selected_has_memory_of_its_size() -> None:
    x = at.zeros(100_000)
    mask = x != 0
    mask[5] = True
    part = x[mask]
    assert part.shape == (1,)
    assert part.storage.nbytes == 4
    (places,) = at.nonzero(mask)
    assert places.storage.nbytes == 8


def test_a_number_through_a_mask_waits_for_nobody() -> None:
    x = at.zeros(8)
    mask = x == 0
    with at.profiler.profile() as profile:
        x[mask] = 1
    assert {count.op_type for count in profile.key_averages()} == {"SelectV2", "ViewCopy"}
    assert at.all(x == 1)
