"""DLPack capsules: what they hold, who owns the memory, and what other libraries may do with them."""

from __future__ import annotations

import ctypes
import enum
import functools
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ascendtensor as at
from ascendtensor import dlpack
from ops_registry import dtypes
from ops_registry.dtypes import DType

from .comparison import assert_matches, settled_memory
from .layouts import refuses, tensors
from .processes import said

EVERY = pytest.mark.parametrize("dtype", dtypes.ALL, ids=str)
HOST, NPU = (1, 0), (12, 0)


class Foreign:
    """An array of another library: it gives a capsule, and says where the memory is."""

    def __init__(self, give: Callable[..., Any], device: tuple[Any, int] = HOST) -> None:
        self._give = give
        self._device = device
        self.asked: list[dict[str, Any]] = []

    def __dlpack__(self, **asked: Any) -> Any:
        self.asked.append(asked)
        return self._give(**asked)

    def __dlpack_device__(self) -> tuple[Any, int]:
        return self._device


class Kind(enum.Enum):
    """As some libraries name the kinds of devices."""

    CPU = 1
    CUDA = 2
    EXTENSION = 12


def structure(capsule: Any) -> Any:
    return dlpack._managed(capsule)


# What is in a capsule.


@EVERY
@given(data=st.data())
def test_through_the_hosts_memory(dtype: DType, data: st.DataObject) -> None:
    array, x = data.draw(tensors(dtype))
    version = data.draw(st.sampled_from([None, (0, 8), (1, 0), (1, 3), (2, 0)]))
    y = at.from_dlpack(Foreign(lambda **_: x.__dlpack__(max_version=version)))
    assert_matches(y, array, dtype=dtype, exact=True)
    assert y.storage is not x.storage


@EVERY
@given(data=st.data())
def test_within_the_devices_memory(dtype: DType, data: st.DataObject) -> None:
    array, x = data.draw(tensors(dtype))
    kept = Foreign(x.__dlpack__, data.draw(st.sampled_from([NPU, (Kind.EXTENSION, 0)])))
    for copy in (None, False):
        y = at.from_dlpack(kept, copy=copy)
        assert y.storage is x.storage
        assert y.stride() == x.stride()
    copied = at.from_dlpack(kept, copy=True, device="npu:0")
    assert copied.storage is not x.storage
    for one in (y, copied):
        assert_matches(one, array, dtype=dtype, exact=True)


@EVERY
def test_what_the_structure_says(dtype: DType) -> None:
    x = at.zeros((2, 3, 4), dtype=dtype)[1:, ::-1, ::2]
    code = {"b": 6, "i": 0, "u": 1, "f": 2, "c": 5}[dtype.kind] if dtype is not at.bfloat16 else 4
    for device, strides in ((HOST, (6, 2, 1)), (NPU, (12, -4, 2))):
        for version in ((1, 0), None):
            # The structure lives as long as the capsule.
            capsule = x.__dlpack__(dl_device=device, max_version=version)
            tensor = structure(capsule).tensor
            assert (tensor.device.type, tensor.device.id) == device
            assert (tensor.dtype.code, tensor.dtype.bits, tensor.dtype.lanes) == (code, 8 * dtype.itemsize, 1)
            for address, wanted in ((tensor.shape, (1, 3, 2)), (tensor.strides, strides)):
                listed = (ctypes.c_int64 * tensor.ndim).from_address(address)
                # The stride of a dimension of length 1 means nothing.
                assert tuple(listed)[1:] == wanted[1:]
    owner = x.storage.block.address
    assert tensor.data + tensor.byte_offset == owner + (12 + 8) * dtype.itemsize


def test_copies_are_called_copies() -> None:
    x = at.ones(3)
    told = [
        structure(capsule).flags & 2
        for capsule in (
            x.__dlpack__(max_version=(1, 0)),
            x.__dlpack__(max_version=(1, 0), copy=True),
            x.__dlpack__(max_version=(1, 0), dl_device=NPU),
            x.__dlpack__(max_version=(1, 0), dl_device=NPU, copy=False),
            x.__dlpack__(max_version=(1, 0), dl_device=NPU, copy=True),
        )
    ]
    assert told == [2, 2, 0, 0, 2]


def test_a_capsule_is_made_when_the_values_are_there() -> None:
    x = at.zeros(4)
    for _ in range(3):
        x += 1
    np.testing.assert_array_equal(np.from_dlpack(x), [3] * 4)
    y = at.from_dlpack(Foreign(x.__dlpack__, NPU))
    y *= 2
    np.testing.assert_array_equal(np.asarray(x), [6] * 4)


# Who owns the memory.


@pytest.mark.parametrize("version", [None, (1, 0)])
@pytest.mark.parametrize("device", [HOST, NPU])
def test_memory_goes_back(device: tuple[int, int], version: tuple[int, int] | None) -> None:
    before = settled_memory()
    capsules = [at.ones(1000).__dlpack__(max_version=version, dl_device=device)]
    kept = Foreign(lambda **_: capsules[0], device)
    held = settled_memory() - before
    assert (held > 0) == (device == NPU), "a capsule keeps the memory that it holds"
    y = at.from_dlpack(kept)
    assert y.tolist() == [1.0] * 1000
    del y
    assert settled_memory() == before, "what was taken goes back, though the capsule is there"
    capsules.clear()
    assert settled_memory() == before


@pytest.mark.parametrize("version", [None, (1, 0)])
def test_capsules_that_nobody_takes(version: tuple[int, int] | None) -> None:
    before = settled_memory()
    x = at.ones(1000)
    for device in (HOST, NPU):
        for _ in range(20):
            x.__dlpack__(max_version=version, dl_device=device)
    del x
    assert settled_memory() == before
    values = np.ones(1000)
    gone = weakref.ref(values)
    capsule = dlpack.capsule_of(values, version, copied=True)
    del values
    assert gone() is not None
    del capsule
    assert gone() is None


def test_an_array_that_was_taken_lets_go_of_its_memory() -> None:
    x = at.ones(1000)
    taken = np.from_dlpack(x)
    del x
    assert taken.sum() == 1000
    values = np.ones(1000)
    gone = weakref.ref(values)
    y = at.from_dlpack(values)
    del values
    assert gone() is None, "the producer's memory is not kept"
    assert y.shape == (1000,)


@pytest.mark.parametrize("device", [HOST, NPU])
@pytest.mark.parametrize("version", [None, (1, 0)])
def test_a_capsule_is_taken_once(device: tuple[int, int], version: tuple[int, int] | None) -> None:
    x = at.ones(3)
    capsule = x.__dlpack__(max_version=version, dl_device=device)
    kept = Foreign(lambda **_: capsule, device)
    assert at.from_dlpack(kept).tolist() == [1.0] * 3
    assert "used_dltensor" in repr(capsule)
    with refuses(ValueError, "taken before"):
        at.from_dlpack(kept)
    with pytest.raises(ValueError, match="incorrect name"):
        np.from_dlpack(kept)


def _of_the_device(x: at.Tensor, **_: Any) -> Any:
    return x.__dlpack__(dl_device=NPU, max_version=(1, 0))


def test_what_numpy_refuses_leaks_nothing() -> None:
    before = settled_memory()
    x = at.ones(1000, dtype=at.bfloat16)
    for _ in range(20):
        with pytest.raises((BufferError, RuntimeError), match="dtype"):
            np.from_dlpack(x)
        with pytest.raises((BufferError, RuntimeError), match="device"):
            np.from_dlpack(Foreign(functools.partial(_of_the_device, x)))
    del x
    assert settled_memory() == before


# Other libraries.


def test_an_older_library_knows_no_parameters() -> None:
    def give() -> Any:
        return np.arange(3).__dlpack__()

    assert at.from_dlpack(Foreign(lambda **asked: give(**asked))).tolist() == [0, 1, 2]


@pytest.mark.parametrize(("kind", "asked"), [(Kind.CUDA, HOST), (2, HOST), (Kind.CPU, None), (3, None), (13, None)])
def test_only_what_the_host_cannot_read_is_asked_to_be_copied(kind: Any, asked: tuple[int, int] | None) -> None:
    source = Foreign(lambda **_: np.arange(3).__dlpack__(max_version=(1, 0)), (kind, 0))
    for x in (at.from_dlpack(source), at.asarray(source)):
        assert x.tolist() == [0, 1, 2]
        assert source.asked.pop() == {"max_version": (1, 0), "dl_device": asked}


def _refuse(**_: Any) -> Any:
    raise BufferError("the memory stays where it is")


def _of_version(major: int) -> Any:
    capsule = np.ones(3).__dlpack__(max_version=(1, 0))
    structure(capsule).major = major
    return capsule


def _of_dtype(code: int, bits: int, lanes: int) -> Any:
    capsule = np.ones(3).__dlpack__()
    told = structure(capsule).tensor.dtype
    told.code, told.bits, told.lanes = code, bits, lanes
    return capsule


BAD: list[tuple[Foreign, type[Exception], str]] = [
    (Foreign(_refuse), BufferError, "stays where it is"),
    (Foreign(_refuse, (Kind.CUDA, 0)), BufferError, "stays where it is"),
    (Foreign(lambda **_: _of_version(2)), BufferError, "DLPack 2.0 is not read"),
    (Foreign(lambda **_: _of_version(0)), BufferError, "DLPack 0.0 is not read"),
    (Foreign(lambda **_: _of_dtype(10, 8, 1)), BufferError, "dtype"),
    (Foreign(lambda **_: _of_dtype(4, 16, 2)), BufferError, "dtype"),
    (Foreign(lambda **_: _of_dtype(4, 32, 1)), BufferError, "dtype"),
    (Foreign(lambda **_: None), ValueError, "no DLPack capsule"),
    (Foreign(lambda **_: 7, NPU), ValueError, "no DLPack capsule"),
    (Foreign(lambda **_: np.ones(3).__dlpack__(), NPU), BufferError, "another library"),
]


@pytest.mark.parametrize(("source", "error", "words"), BAD)
def test_what_other_libraries_may_not_give(source: Foreign, error: type[Exception], words: str) -> None:
    with refuses(error, words):
        at.from_dlpack(source)


def test_what_cannot_be_asked_of_a_tensor() -> None:
    x = at.ones(3)
    assert x.__dlpack_device__() == HOST
    bad: list[tuple[dict[str, Any], type[Exception], str]] = [
        ({"dl_device": (2, 0)}, BufferError, "not to (2, 0)"),
        ({"dl_device": (12, 1)}, BufferError, "not to (12, 1)"),
        ({"dl_device": (1, 1)}, BufferError, "not to (1, 1)"),
        ({"dl_device": (Kind.CUDA, 0)}, BufferError, "not to (2, 0)"),
        ({"copy": False}, BufferError, "copy=False rules out"),
        ({"copy": False, "dl_device": (Kind.CPU, 0)}, BufferError, "copy=False rules out"),
        ({"stream": 1}, ValueError, "stream is 1"),
        ({"stream": -1, "dl_device": NPU}, ValueError, "stream is -1"),
    ]
    for options, error, words in bad:
        with refuses(error, words):
            x.__dlpack__(**options)
    with refuses(BufferError, "copy=False"):
        np.from_dlpack(x, copy=False)
    with refuses(ValueError, "copy=False"):
        np.asarray(x, copy=False)


# What a process decides once: chips that share their memory with the host, and how many devices there are.

SHARED = """
import gc
import numpy as np
import ascendtensor as at

for dtype in (at.float32, at.bool, at.complex128, at.int8):
    x = at.zeros((2, 3), dtype=dtype)
    for view in (x, x[:, ::-1], x.T[1:], x[:, 0]):
        for array in (np.from_dlpack(view), np.from_dlpack(view, copy=False), np.asarray(view, copy=False)):
            array[...] = 1
            assert at.all(view == 1) and not view.numpy() is array
            view[...] = 0
            view.tolist()
            assert not array.any()
    copied = np.from_dlpack(x, copy=True)
    copied[...] = 1
    np.asarray(x)[...] = 1
    assert not at.any(x)

half = at.zeros(3, dtype=at.bfloat16)
np.asarray(half, copy=False)[1] = 2
assert half.tolist() == [0, 2, 0]
try:
    np.asarray(half, dtype=np.float32, copy=False)
except ValueError as error:
    assert "copy=False" in str(error)

gc.collect()
before = at.npu.memory_allocated()
array = np.from_dlpack(at.ones(1000))
gc.collect()
assert at.npu.memory_allocated() > before and array.sum() == 1000
del array
gc.collect()
assert at.npu.memory_allocated() == before
print("ok")
"""


def test_a_chip_that_shares_its_memory_copies_nothing(tmp_path: Path) -> None:
    assert said(SHARED, tmp_path, ASCENDTENSOR_EMBEDDED_SOC="Ascend310B1") == "ok"


TWO_DEVICES = """
import numpy as np
import ascendtensor as at

class Carried:
    def __dlpack_device__(self):
        return 12, 1

    def __dlpack__(self, **asked):
        return x.__dlpack__(**asked)

x = at.arange(3, device="npu:1")
assert at.from_dlpack(x) is x and at.from_dlpack(x, device="npu:1") is x
assert at.from_dlpack(np.ones(2), device="npu:1").device == "npu:1"
for source in (x, Carried()):
    assert at.from_dlpack(source).storage is x.storage
    assert at.from_dlpack(source, device="npu:0").device == "npu:0"
    assert at.from_dlpack(source, device="npu:0").tolist() == [0, 1, 2]
    try:
        at.from_dlpack(source, device="npu:0", copy=False)
    except ValueError as error:
        assert "copy=False" in str(error)
    else:
        raise AssertionError
assert np.from_dlpack(x).tolist() == [0, 1, 2]
try:
    x.__dlpack__(dl_device=(12, 0))
except BufferError as error:
    assert "npu:1" in str(error)
print("ok")
"""


def test_between_devices(tmp_path: Path) -> None:
    assert said(TWO_DEVICES, tmp_path, ASCENDTENSOR_EMBEDDED_DEVICES="2") == "ok"
