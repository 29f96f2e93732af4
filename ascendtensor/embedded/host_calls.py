"""`acl.util`: addresses of Python's and NumPy's own memory, and threads."""

from __future__ import annotations

import math
import threading
import traceback
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from . import codes, memory
from .messages import refuse
from .surface import function

__all__ = []

# A bytes object's content begins behind its header; the last byte of the header's size is the final NUL.
_BYTES_HEADER = bytes.__basicsize__ - 1
_LONGEST = 2**63 - 1
_DTYPES = {
    number: np.dtype(name)
    for name, number in {
        "bool": 0,
        "int8": 1,
        "uint8": 2,
        "int16": 3,
        "uint16": 4,
        "int32": 5,
        "uint32": 6,
        "int64": 7,
        "uint64": 8,
        "longlong": 9,
        "ulonglong": 10,
        "float32": 11,
        "float64": 12,
        "longdouble": 13,
        "complex64": 14,
        "complex128": 15,
        "float16": 23,
    }.items()
}


@function("acl.util.bytes_to_ptr", "O", returns="plain")
def bytes_to_ptr(data: object) -> int:
    if not isinstance(data, bytes):
        raise ValueError(f"acl.util.bytes_to_ptr: needs a bytes object, not {type(data).__name__}")
    return id(data) + _BYTES_HEADER


@function("acl.util.ptr_to_bytes", "kk", returns="plain")
def ptr_to_bytes(address: int, size: int) -> bytes:
    if size > _LONGEST:
        raise ValueError(f"acl.util.ptr_to_bytes: {size} bytes are more than a bytes object can have")
    if not address or not size:
        return bytes(size)
    return _of_this_process("ptr_to_bytes", memory.host_bytes, address, size)


def _of_this_process(caller: str, take: Callable[[int, int], Any], address: int, size: int) -> Any:
    """Stop where pyACL would take the process down with it."""
    try:
        return take(address, size)
    except memory.AddressError as error:
        raise ValueError(f"acl.util.{caller}: {error}") from None


def _array(caller: str, value: object) -> np.ndarray:
    if not isinstance(value, np.ndarray):
        raise ValueError(f"acl.util.{caller}: needs an ndarray, not {type(value).__name__}")
    return value


@function("acl.util.numpy_to_ptr", "O", returns="plain")
def numpy_to_ptr(value: object) -> int:
    array = _array("numpy_to_ptr", value)
    warnings.warn("numpy_to_ptr is deprecated, use bytes_to_ptr instead", Warning, stacklevel=3)
    if not array.flags.c_contiguous:
        warnings.warn("the array is not contiguous; its address alone does not describe it", Warning, stacklevel=3)
    return array.__array_interface__["data"][0]


@function("acl.util.numpy_contiguous_to_ptr", "O", returns="plain")
def numpy_contiguous_to_ptr(value: object) -> tuple[int, np.ndarray]:
    array = np.require(_array("numpy_contiguous_to_ptr", value), requirements="C")
    return array.__array_interface__["data"][0], array


@function("acl.util.ptr_to_numpy", "kOi", returns="plain")
def ptr_to_numpy(address: int, shape: object, number: int) -> np.ndarray:
    if not isinstance(shape, tuple) or not all(isinstance(dim, int) for dim in shape):
        raise TypeError("acl.util.ptr_to_numpy: the shape must be a tuple of int")
    dtype = _DTYPES.get(number)
    if dtype is None:
        raise ValueError(f"acl.util.ptr_to_numpy: {number} is not the number of a NumPy type")
    if min(shape, default=0) < 0:
        raise ValueError("acl.util.ptr_to_numpy: negative dimensions are not allowed")
    size = math.prod(shape) * dtype.itemsize
    if size > _LONGEST:
        raise ValueError(f"acl.util.ptr_to_numpy: {size} bytes are more than an array can have")
    if not size:
        return np.empty(shape, dtype)
    return np.ndarray(shape, dtype, _of_this_process("ptr_to_numpy", memory.host_view, address, size))


class _Thread(threading.Thread):
    """A thread that keeps the exception its function ends with."""

    def __init__(self, call: Callable[[], Any]) -> None:
        super().__init__(daemon=True)
        self._call = call
        self.error: BaseException | None = None

    def run(self) -> None:
        try:
            self._call()
        except BaseException as error:  # kept for stop_thread, which raises in its place
            traceback.print_exc()
            self.error = error


_threads: dict[int, _Thread] = {}


@function("acl.util.start_thread", "OO", returns="value ret", own_errors=False)
def start_thread(func: Callable[..., Any], args: object) -> tuple[int, int]:
    if not callable(func):
        raise TypeError("acl.util.start_thread: the first argument must be callable")
    thread = _Thread(func if args is None else lambda: func(args))
    thread.start()
    assert thread.ident is not None
    _threads[thread.ident] = thread
    return thread.ident, codes.SUCCESS


@function("acl.util.stop_thread", "K")
def stop_thread(identity: int) -> int:
    thread = _threads.pop(identity, None)
    if thread is None:
        return refuse(codes.INVALID_PARAM, f"acl.util.stop_thread: {identity} is not a thread of start_thread")
    thread.join()
    if thread.error is not None:
        raise RuntimeError(f"exception={type(thread.error).__name__},msg=thread call failed;")
    return codes.SUCCESS
