"""Eight threads with contexts and streams of their own: every result is right."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest

from ascendtensor import embedded
from ops_registry import dtypes

THREADS = 8


class Worker:
    """One thread's program: random operators on its own stream, each result compared."""

    def __init__(self, acl: Any, seed: int, rounds: int) -> None:
        self.acl, self.rounds = acl, rounds
        self.random = np.random.default_rng(seed)
        self.device = seed % 2
        self.error: BaseException | None = None
        self.thread = threading.Thread(target=self.run)

    def run(self) -> None:
        try:
            self.work()
        except BaseException as error:  # raised in the test's own thread
            self.error = error

    def check(self, code: int) -> None:
        assert code == 0, (code, self.acl.get_recent_err_msg())

    def get(self, pair: tuple[int, int]) -> int:
        value, code = pair
        self.check(code)
        return value

    def work(self) -> None:
        acl = self.acl
        context = self.get(acl.rt.create_context(self.device))
        self.stream, self.other = self.get(acl.rt.create_stream()), self.get(acl.rt.create_stream())
        programs = [self.chain, self.product, self.total, self.nonzero, self.handover]
        for _ in range(self.rounds):
            programs[self.random.integers(len(programs))]()
        self.check(acl.rt.destroy_stream(self.stream))
        self.check(acl.rt.destroy_context(context))

    def tensor(self, array: np.ndarray) -> tuple[int, int, int]:
        acl = self.acl
        data = array.tobytes()
        address = self.get(acl.rt.malloc(max(1, len(data)), 0))
        self.check(acl.rt.memcpy(address, len(data), acl.util.bytes_to_ptr(data), len(data), 1))
        desc = acl.create_tensor_desc(dtypes.of(array.dtype).code, list(array.shape), 2)
        return desc, acl.create_data_buffer(address, len(data)), address

    def drop(self, *tensors: tuple[int, int, int]) -> None:
        for desc, buffer, address in tensors:
            self.acl.destroy_tensor_desc(desc)
            self.check(self.acl.destroy_data_buffer(buffer))
            self.check(self.acl.rt.free(address))

    def execute(self, op_type: str, ins: list[Any], outs: list[Any], attr: int = 0, stream: int = 0) -> None:
        sides = [[tensor[place] for tensor in side] for side in (ins, outs) for place in (0, 1)]
        self.check(self.acl.op.execute_v2(op_type, *sides, attr, stream or self.stream))

    def read(self, tensor: tuple[int, int, int], like: np.ndarray) -> np.ndarray:
        acl = self.acl
        data = np.empty_like(like)
        self.check(acl.rt.memcpy(data.ctypes.data, data.nbytes, tensor[2], data.nbytes, 2))
        return data

    def array(self, *shape: int) -> np.ndarray:
        return self.random.integers(-9, 9, shape).astype(np.float32)

    def chain(self) -> None:
        x, y = self.array(50), self.array(50)
        a, b, c = (self.tensor(v) for v in (x, y, np.zeros_like(x)))
        for _ in range(5):
            self.execute("Mul", [a, b], [c])
            self.execute("Add", [c, a], [c])
        self.check(self.acl.rt.synchronize_stream(self.stream))
        assert np.array_equal(self.read(c, x), x * y + x)
        self.drop(a, b, c)

    def product(self) -> None:
        x, y = self.array(6, 4), self.array(4, 5)
        a, b, c = (self.tensor(v) for v in (x, y, np.zeros((6, 5), np.float32)))
        attr = self.acl.op.create_attr()
        for name in ("transpose_x1", "transpose_x2"):
            self.check(self.acl.op.set_attr_bool(attr, name, 0))
        self.execute("MatMul", [a, b], [c], attr)
        self.acl.op.destroy_attr(attr)
        self.check(self.acl.rt.synchronize_stream(self.stream))
        assert np.array_equal(self.read(c, np.zeros((6, 5), np.float32)), x @ y)
        self.drop(a, b, c)

    def total(self) -> None:
        x = self.array(3, 7)
        a, axes, c = (self.tensor(v) for v in (x, np.array([1], np.int32), np.zeros(3, np.float32)))
        one = (1).to_bytes(4, "little")
        self.check(self.acl.set_tensor_const(axes[0], self.acl.util.bytes_to_ptr(one), 4))
        self.execute("ReduceSum", [a, axes], [c])
        self.check(self.acl.rt.synchronize_device())
        assert np.array_equal(self.read(c, np.zeros(3, np.float32)), x.sum(1))
        self.drop(a, axes, c)

    def nonzero(self) -> None:
        x = self.random.integers(0, 2, 20).astype(np.float32)
        a, c = self.tensor(x), self.tensor(np.zeros((20, 1), np.int64))
        self.execute("NonZero", [a], [c])
        count = self.get(self.acl.get_tensor_desc_dim_v2(c[0], 0))
        assert np.array_equal(self.read(c, np.zeros((20, 1), np.int64))[:count, 0], np.flatnonzero(x))
        self.drop(a, c)

    def handover(self) -> None:
        """Two streams of this thread, in order by an event."""
        acl = self.acl
        x = self.array(30)
        a, b, c = (self.tensor(v) for v in (x, x, x))
        event = self.get(acl.rt.create_event())
        self.execute("Neg", [a], [b])
        self.check(acl.rt.record_event(event, self.stream))
        self.check(acl.rt.stream_wait_event(self.other, event))
        self.execute("Abs", [b], [c], stream=self.other)
        self.check(acl.rt.synchronize_stream(self.other))
        assert np.array_equal(self.read(c, x), np.abs(x))
        self.check(acl.rt.destroy_event(event))
        self.drop(a, b, c)


def run_workers(rounds: int) -> None:
    embedded.reset(soc="Ascend910B1", devices=2, memory_bytes=2**26)
    acl = embedded.acl_module()
    workers = [Worker(acl, seed, rounds) for seed in range(THREADS)]
    for worker in workers:
        worker.thread.start()
    for worker in workers:
        worker.thread.join()
    for worker in workers:
        if worker.error is not None:
            raise worker.error
    assert not embedded.live_handles()
    embedded.reset()


def test_eight_threads_for_a_moment():
    run_workers(15)


@pytest.mark.long
def test_eight_threads_for_long():
    run_workers(24_000)
