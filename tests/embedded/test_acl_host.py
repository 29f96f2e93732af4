"""`acl.util`: Python's memory and threads."""

from __future__ import annotations

import ctypes
import threading

import numpy as np
import pytest

from ascendtensor.embedded import codes


@pytest.mark.parametrize("data", [b"", b"abc", bytes(range(256))])
def test_bytes_there_and_back(bare, data):
    address = bare.util.bytes_to_ptr(data)
    assert ctypes.string_at(address, len(data)) == data
    assert bare.util.ptr_to_bytes(address, len(data)) == data


@pytest.mark.parametrize("value", [bytearray(3), memoryview(b"abc"), "abc", 3, None])
def test_only_bytes_have_an_address(bare, value):
    with pytest.raises(ValueError, match="bytes"):
        bare.util.bytes_to_ptr(value)


def test_bytes_of_nothing_and_of_too_much(bare):
    assert len(bare.util.ptr_to_bytes(0, 5)) == 5
    with pytest.raises(ValueError, match="more"):
        bare.util.ptr_to_bytes(0, -1)


def test_a_device_address_is_refused_and_does_not_crash(acl):
    address, _ = acl.rt.malloc(8, 0)
    with pytest.raises(ValueError, match=r"acl\.rt\.memcpy"):
        acl.util.ptr_to_bytes(address, 8)
    with pytest.raises(ValueError, match=r"acl\.rt\.memcpy"):
        acl.util.ptr_to_numpy(address, (8,), 2)


def test_ptr_to_bytes_copies_and_ptr_to_numpy_does_not(bare):
    array = np.arange(6, dtype=np.int32)
    address = array.ctypes.data
    copied = bare.util.ptr_to_bytes(address, array.nbytes)
    view = bare.util.ptr_to_numpy(address, (2, 3), 5)
    array[0] = 100
    assert np.frombuffer(copied, np.int32)[0] == 0
    assert view[0, 0] == 100
    view[1, 2] = 7
    assert array[5] == 7


@pytest.mark.parametrize(
    ("number", "dtype"),
    [(0, "bool"), (1, "int8"), (11, "float32"), (12, "float64"), (15, "complex128"), (23, "float16")],
)
def test_numpy_type_numbers(bare, number, dtype):
    array = np.ones(3, dtype)
    assert bare.util.ptr_to_numpy(array.ctypes.data, (3,), number).dtype == np.dtype(dtype)


@pytest.mark.parametrize(
    ("address", "shape", "number", "error"),
    [(4096, [3], 5, TypeError), (4096, (3.0,), 5, TypeError), (4096, (3,), 99, ValueError), (0, (3,), 5, ValueError)],
)
def test_views_that_cannot_be(bare, address, shape, number, error):
    with pytest.raises(error):
        bare.util.ptr_to_numpy(address, shape, number)


def test_numpy_to_ptr_warns(bare):
    array = np.ones((2, 3))
    with pytest.warns(Warning, match="deprecated"):
        assert bare.util.numpy_to_ptr(array) == array.ctypes.data
    with pytest.warns(Warning, match="deprecated|not contiguous") as warned:
        assert bare.util.numpy_to_ptr(array.T) == array.ctypes.data
    assert len(warned) == 2
    with pytest.raises(ValueError, match="ndarray"):
        bare.util.numpy_to_ptr([1])


def test_numpy_contiguous_to_ptr(bare):
    array = np.arange(6).reshape(2, 3)
    assert bare.util.numpy_contiguous_to_ptr(array) == (array.ctypes.data, array)
    address, copied = bare.util.numpy_contiguous_to_ptr(array.T)
    assert copied is not array
    assert np.array_equal(bare.util.ptr_to_numpy(address, (3, 2), 7), array.T)
    with pytest.raises(ValueError, match="ndarray"):
        bare.util.numpy_contiguous_to_ptr(3)


@pytest.mark.parametrize(("args", "passed"), [((1, 2), ((1, 2),)), ([], ([],)), (None, ())])
def test_threads_get_one_argument_or_none(bare, args, passed):
    seen = []
    thread, ret = bare.util.start_thread(lambda *given: seen.append((threading.get_ident(), given)), args)
    assert ret == 0
    assert bare.util.stop_thread(thread) == 0
    assert seen == [(thread, passed)]
    assert bare.util.stop_thread(thread) == codes.INVALID_PARAM


def test_a_thread_that_raises(bare, capsys):
    thread, _ = bare.util.start_thread(int, "no number")
    with pytest.raises(RuntimeError, match=r"^exception=ValueError,msg=thread call failed;$"):
        bare.util.stop_thread(thread)
    assert "no number" in capsys.readouterr().err
    with pytest.raises(TypeError, match="callable"):
        bare.util.start_thread(3, None)
