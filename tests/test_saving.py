"""Files: what is saved comes back, from this library and from NumPy and safetensors; what is no tensor does not."""

from __future__ import annotations

import io
import pickle
import struct
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest
import safetensors
import safetensors.numpy
from hypothesis import given
from hypothesis import strategies as st

import ascendtensor as at
from ops_registry import dtypes
from ops_registry.dtypes import DType

from .comparison import assert_matches, shapes
from .layouts import refuses, tensors

EVERY = pytest.mark.parametrize("dtype", dtypes.ALL, ids=str)
IN_SAFETENSORS = pytest.mark.parametrize("dtype", [d for d in dtypes.ALL if d is not dtypes.complex128], ids=str)
SAVEZ = pytest.mark.parametrize("save", [at.savez, at.savez_compressed], ids=["savez", "savez_compressed"])
RAW = np.dtype("V2")


class Untrustworthy:
    """What must not happen: unpickled, it says so."""

    def __reduce__(self) -> tuple[Any, ...]:
        return pytest.fail, ("a file's code has run",)


def restored(x: at.Tensor) -> Any:
    """A tensor after a round through a file in memory."""
    file = io.BytesIO()
    at.save(file, x)
    file.seek(0)
    return at.load(file)


# .npy and .npz


@EVERY
@given(data=st.data())
def test_a_saved_tensor_is_loaded(dtype: DType, data: st.DataObject) -> None:
    array, x = data.draw(tensors(dtype, shapes(max_dims=3)))
    assert_matches(restored(x), array, dtype=dtype, exact=True)


@EVERY
@SAVEZ
def test_saved_tensors_are_loaded_by_name(save: Callable[..., None], dtype: DType) -> None:
    first, second = np.array([[0, 1], [1, 1]]).astype(dtype.dtype), np.ones((), dtype.dtype)
    x, y = at.asarray(first), at.asarray(second)
    file = io.BytesIO()
    save(file, x, y, weights=x, dtype=y, x=y)
    file.seek(0)
    loaded = at.load(file)
    assert isinstance(loaded, dict)
    assert list(loaded) == ["arr_0", "arr_1", "weights", "dtype", "x"]
    for name, array in (("arr_0", first), ("arr_1", second), ("weights", first), ("dtype", second), ("x", second)):
        assert_matches(loaded[name], array, dtype=dtype, exact=True)


@EVERY
def test_numpy_reads_what_is_saved_and_the_other_way_round(dtype: DType, tmp_path: Path) -> None:
    array = np.array([[0, 1, 1], [1, 0, 1]]).astype(dtype.dtype)
    at.save(tmp_path / "x.npy", at.asarray(array))
    read = np.load(tmp_path / "x.npy", allow_pickle=False)
    if dtype is dtypes.bfloat16:
        assert read.dtype == RAW
        read = read.view(ml_dtypes.bfloat16)
    assert read.dtype == array.dtype
    np.testing.assert_array_equal(read, array)
    for stored in (array, np.asfortranarray(array), array[:, ::-1], array.T, array[0, 1]):
        np.save(tmp_path / "y.npy", stored)
        loaded = at.load(tmp_path / "y.npy")
        assert isinstance(loaded, at.Tensor)
        assert_matches(loaded, stored, dtype=dtype, exact=True)


@pytest.mark.parametrize("dtype", [d for d in dtypes.ALL if d.itemsize > 1 and d is not dtypes.bfloat16], ids=str)
def test_bytes_in_the_other_order(dtype: DType) -> None:
    array = np.array([1, 2, 100]).astype(dtype.dtype)
    file = io.BytesIO()
    np.save(file, array.astype(array.dtype.newbyteorder(">" if sys.byteorder == "little" else "<")))
    file.seek(0)
    loaded = at.load(file)
    assert isinstance(loaded, at.Tensor)
    assert_matches(loaded, array, dtype=dtype, exact=True)


def test_paths_get_their_suffix(tmp_path: Path) -> None:
    x = at.arange(3)
    at.save(tmp_path / "x", x)
    at.savez(str(tmp_path / "y"), x)
    at.savez_compressed(tmp_path / "z.npz", a=x)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["x.npy", "y.npz", "z.npz"]
    assert at.load(tmp_path / "x.npy").tolist() == [0, 1, 2]
    assert at.load(str(tmp_path / "y.npz"))["arr_0"].tolist() == [0, 1, 2]
    assert at.load(tmp_path / "z.npz", device="npu:0")["a"].device == at.device("npu:0")


def test_compression_makes_the_file_smaller() -> None:
    plain, compressed = io.BytesIO(), io.BytesIO()
    x = at.zeros(10_000)
    at.savez(plain, x)
    at.savez_compressed(compressed, x)
    assert len(compressed.getvalue()) < len(plain.getvalue()) / 10


def test_several_tensors_one_after_the_other_in_a_file() -> None:
    file = io.BytesIO()
    at.save(file, at.arange(2))
    at.save(file, at.arange(3, dtype=at.bfloat16))
    file.seek(0)
    first, second = at.load(file), at.load(file)
    assert isinstance(first, at.Tensor)
    assert isinstance(second, at.Tensor)
    assert (first.tolist(), second.tolist(), second.dtype) == ([0, 1], [0, 1, 2], at.bfloat16)


def npy(array: Any, allow_pickle: bool = False) -> bytes:
    file = io.BytesIO()
    np.save(file, array, allow_pickle=allow_pickle)
    return file.getvalue()


def npz(**members: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, content in members.items():
            archive.writestr(f"{name}.npy", content)
    return file.getvalue()


OBJECTS = npy(np.array([Untrustworthy(), 1], dtype=object), allow_pickle=True)


@pytest.mark.parametrize(
    "content",
    [
        OBJECTS,
        npz(a=OBJECTS),
        npz(a=npy(np.arange(3)), b=OBJECTS),
        pickle.dumps(Untrustworthy()),
        b"",
        b"text",
        npy(np.arange(30))[:-1],
        npy(np.arange(30))[:20],
        npz(a=npy(np.arange(30)))[:-40],
        npz(a=npy(np.arange(30))[:-1]),
    ],
    ids=["objects", "objects in npz", "objects beside", "pickle", "empty", "text", "short", "header", "npz", "member"],
)
def test_files_that_are_refused(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(content)
    for file in (io.BytesIO(content), tmp_path / "file"):
        with refuses(ValueError, "load"):
            at.load(file)


@pytest.mark.parametrize(
    "content",
    [
        npy(np.array(["a"])),
        npy(np.zeros(2, "i4,f8")),
        npy(np.zeros(2, "V3")),
        npz(a=b"text"),
        npy(np.zeros(1, "M8[s]")),
    ],
    ids=["text", "records", "raw", "member", "dates"],
)
def test_files_without_numbers_are_refused(content: bytes) -> None:
    file = io.BytesIO(content)
    with refuses(TypeError):
        at.load(file)


def test_what_cannot_be_saved(tmp_path: Path) -> None:
    x = at.zeros(2)
    at.npu.synchronize()
    for value in ([1, 2], np.zeros(2), 1.5, None):
        with refuses(TypeError, "save"):
            at.save(tmp_path / "x", value)
        with refuses(TypeError, "savez"):
            at.savez(tmp_path / "x", x, value)
        with refuses(TypeError, "savez_compressed"):
            at.savez_compressed(tmp_path / "x", a=value)
    for name in ("arr_0", "file", "allow_pickle"):
        with refuses(ValueError, "savez", name):
            at.savez(tmp_path / "x", x, **{name: x})
    assert list(tmp_path.iterdir()) == []
    with refuses(FileNotFoundError):
        at.save(tmp_path / "no" / "x.npy", x)
    with refuses(FileNotFoundError):
        at.load(tmp_path / "x.npy")
    at.save(tmp_path / "x.npy", x)
    with refuses(ValueError, "npu:9"):
        at.load(tmp_path / "x.npy", device="npu:9")


# safetensors


@IN_SAFETENSORS
def test_safetensors_keep_tensors(dtype: DType, tmp_path: Path) -> None:
    arrays = {
        "": np.zeros((), dtype.dtype),
        "a.weight": np.array([[0, 1, 1], [1, 0, 1]]).astype(dtype.dtype),
        "empty": np.zeros((0, 3), dtype.dtype),
    }
    path = tmp_path / "x.safetensors"
    saved = {name: at.asarray(array) for name, array in arrays.items()}
    saved["turned"] = saved["a.weight"].T
    at.save_safetensors(path, saved, metadata={"format": "pt"})
    arrays["turned"] = arrays["a.weight"].T
    read = safetensors.numpy.load_file(path)
    loaded = at.load_safetensors(str(path), device="npu:0")
    assert loaded.keys() == read.keys() == arrays.keys()
    for name, array in arrays.items():
        assert read[name].dtype == array.dtype
        np.testing.assert_array_equal(read[name], array)
        assert_matches(loaded[name], array, dtype=dtype, exact=True)
    with safetensors.safe_open(path, framework="numpy") as file:
        assert file.metadata() == {"format": "pt"}


def test_safetensors_without_any(tmp_path: Path) -> None:
    at.save_safetensors(tmp_path / "x", {})
    assert at.load_safetensors(tmp_path / "x") == {}


def test_what_safetensors_refuse(tmp_path: Path) -> None:
    path = tmp_path / "x"
    x, turning = at.zeros(2), at.zeros(2, dtype=at.complex128)
    at.npu.synchronize()
    for value in ({"a": [1]}, {"a": turning}, {1: x}, [x], x):
        with refuses(TypeError, "save_safetensors"):
            at.save_safetensors(path, value)
    with refuses(TypeError, "save_safetensors", "metadata"):
        at.save_safetensors(path, {"a": x}, metadata={"a": 1})
    with refuses(OSError, "save_safetensors"):
        at.save_safetensors(tmp_path / "no" / "x", {"a": x})
    with refuses(FileNotFoundError):
        at.load_safetensors(path)
    for content in (b"", b"no such format", struct.pack("<Q", 2) + b"{", pickle.dumps(Untrustworthy())):
        path.write_bytes(content)
        with refuses(ValueError, "load_safetensors"):
            at.load_safetensors(path)
    header = b'{"a":{"dtype":"F8_E4M3","shape":[2],"data_offsets":[0,2]}}'
    path.write_bytes(struct.pack("<Q", len(header)) + header + b"ab")
    with refuses(TypeError, "load_safetensors", "F8_E4M3"):
        at.load_safetensors(path)


def test_without_the_package_it_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "safetensors", None)
    x = at.zeros(2)
    with refuses(ImportError, "save_safetensors", "pip install"):
        at.save_safetensors(tmp_path / "x", {"a": x})
    with refuses(ImportError, "load_safetensors", "pip install"):
        at.load_safetensors(tmp_path / "x")
