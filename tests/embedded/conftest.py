"""A fresh embedded machine for each test, and short names for what every program has to do."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from ascendtensor import embedded
from ascendtensor.runtime import device
from ops_registry import dtypes

H2D, D2H, D2D, BY_ADDRESS = 1, 2, 3, 4
ND = 2


@pytest.fixture
def bare() -> Iterator[ModuleType]:
    """The embedded `acl`, with no device set."""
    # A reset takes the machine from under the library, which would find its streams and memory dead.
    assert not device.running(), "run tests/embedded before the tests of the library, or in a process of its own"
    embedded.reset(soc="Ascend910B1", devices=2, memory_bytes=2**24)
    yield embedded.acl_module()
    embedded.reset()


@pytest.fixture
def acl(bare: ModuleType) -> ModuleType:
    """The embedded `acl`, with device 0 set in this thread."""
    assert bare.rt.set_device(0) == 0
    return bare


class Program:
    """What a pyACL program does over and over; every step is checked."""

    def __init__(self, acl: ModuleType) -> None:
        self.acl = acl

    def upload(self, array: Any) -> int:
        data = np.asarray(array).tobytes()
        address, ret = self.acl.rt.malloc(max(len(data), 1), 0)
        assert ret == 0
        self.write(address, data)
        return address

    def write(self, address: int, data: bytes) -> None:
        assert self.acl.rt.memcpy(address, len(data), self.acl.util.bytes_to_ptr(data), len(data), H2D) == 0

    def read(self, address: int, size: int) -> bytes:
        host, ret = self.acl.rt.malloc_host(size)
        assert ret == 0
        # By the addresses: what is read may be page-locked host memory too.
        assert self.acl.rt.memcpy(host, size, address, size, BY_ADDRESS) == 0
        data = self.acl.util.ptr_to_bytes(host, size)
        assert self.acl.rt.free_host(host) == 0
        return data

    def download(self, address: int, like: Any) -> np.ndarray:
        like = np.asarray(like)
        return np.frombuffer(self.read(address, like.nbytes), like.dtype).reshape(like.shape)

    def desc(self, array: Any) -> int:
        array = np.asarray(array)
        return self.acl.create_tensor_desc(dtypes.of(array.dtype).code, list(array.shape), ND)

    def tensor(self, array: Any) -> tuple[int, int, int]:
        """A tensor on the device: descriptor, data buffer, address."""
        address = self.upload(array)
        return self.desc(array), self.acl.create_data_buffer(address, np.asarray(array).nbytes), address

    def stream(self) -> int:
        stream, ret = self.acl.rt.create_stream()
        assert ret == 0
        return stream

    def event(self) -> int:
        event, ret = self.acl.rt.create_event()
        assert ret == 0
        return event

    def message(self) -> str:
        """The reasons so far; there must be some."""
        text = self.acl.get_recent_err_msg()
        assert text is not None
        return text


@pytest.fixture
def program(acl: ModuleType) -> Program:
    return Program(acl)


@pytest.fixture
def start(bare: ModuleType) -> Callable[[], Program]:
    """Set device 0 of the machine as it is now, and begin a program."""

    def begin() -> Program:
        assert bare.rt.set_device(0) == 0
        return Program(bare)

    return begin


def in_thread(call: Any, *args: Any) -> Any:
    """What `call` gives in a thread of its own."""
    results: list[Any] = []
    thread = threading.Thread(target=lambda: results.append(call(*args)))
    thread.start()
    thread.join()
    return results[0]


@pytest.fixture
def elsewhere() -> Any:
    """Call something in a new thread: `elsewhere(function, *args)`."""
    return in_thread
