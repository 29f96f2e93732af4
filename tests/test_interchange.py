"""Exchange with NumPy through DLPack, and what array-API consumers look for. See test_dlpack for the capsules."""

from __future__ import annotations

from typing import Any

import array_api_compat
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ascendtensor as at
from ops_registry import dtypes
from ops_registry.dtypes import DType

from .comparison import arrays, assert_matches
from .comparison import views as slices
from .layouts import refuses, tensors

# NumPy's DLPack, like the protocol's first versions, has no bfloat16.
EXCHANGED = [dtype for dtype in dtypes.ALL if dtype is not dtypes.bfloat16]
EVERY = pytest.mark.parametrize("dtype", EXCHANGED, ids=str)


@EVERY
@given(data=st.data())
def test_from_numpy(dtype: DType, data: st.DataObject) -> None:
    array = data.draw(arrays(dtype))
    array = np.asarray(array[data.draw(slices(array.ndim))]).T
    x = at.from_dlpack(array)
    assert_matches(x, array, exact=True)
    kept = array.copy()
    array[...] = 1
    assert_matches(x, kept, exact=True)
    assert_matches(at.from_dlpack(array, copy=True), array, exact=True)
    assert at.from_dlpack(array, device="npu:0").device is x.device


@EVERY
@given(data=st.data())
def test_to_numpy(dtype: DType, data: st.DataObject) -> None:
    array, x = data.draw(tensors(dtype))
    for taken in (np.from_dlpack(x), np.from_dlpack(x, copy=True), np.from_dlpack(x, device="cpu")):
        np.testing.assert_array_equal(taken, array, strict=True)
    assert_matches(x, array, exact=True)


@EVERY
@given(data=st.data())
def test_there_and_back(dtype: DType, data: st.DataObject) -> None:
    array, x = data.draw(tensors(dtype))
    assert_matches(at.from_dlpack(np.from_dlpack(x)), array, exact=True)


def test_read_only_arrays() -> None:
    array = np.arange(6).reshape(2, 3)
    array.flags.writeable = False
    assert_matches(at.from_dlpack(array), array)
    assert_matches(at.from_dlpack(np.broadcast_to(array[0], (4, 3))), np.broadcast_to(array[0], (4, 3)))


@pytest.mark.parametrize("dtype", dtypes.ALL, ids=str)
def test_from_a_tensor(dtype: DType) -> None:
    x = at.ones((2, 3), dtype=dtype).T
    for copy in (None, False):
        assert at.from_dlpack(x, copy=copy) is x
    copied = at.from_dlpack(x, copy=True)
    assert copied.storage is not x.storage
    assert_matches(copied, x.numpy())
    assert at.from_dlpack(x, device="npu:0") is x


BAD: list[tuple[Any, dict[str, Any], type[Exception], str]] = [
    ([1, 2], {}, AttributeError, "from_dlpack: list has no method __dlpack__"),
    (1.5, {}, AttributeError, "from_dlpack: float"),
    (None, {}, AttributeError, "from_dlpack: NoneType"),
    (np.ones(2), {"copy": False}, ValueError, "from_dlpack"),
    (np.ones(2), {"device": "cuda"}, ValueError, "cuda"),
    (np.ones(2, dtype=object), {}, BufferError, ""),
    (np.asarray(["a"]), {}, BufferError, ""),
    (np.ones(2, dtype=">f4"), {}, BufferError, ""),
]


@pytest.mark.parametrize(("source", "options", "error", "words"), BAD)
def test_what_cannot_be_taken(source: Any, options: dict[str, Any], error: type[Exception], words: str) -> None:
    with refuses(error, words):
        at.from_dlpack(source, **options)


def test_array_api_compat_knows_a_tensor() -> None:
    x = at.ones((2, 3))
    assert array_api_compat.is_array_api_obj(x)
    assert array_api_compat.array_namespace(x) is at
    assert array_api_compat.array_namespace(x, x.T, 1.0) is at
    assert array_api_compat.device(x) is x.device
    assert array_api_compat.to_device(x, x.device) is x
    assert array_api_compat.size(x) == 6
    assert not array_api_compat.is_lazy_array(x)
    assert array_api_compat.is_writeable_array(x)
