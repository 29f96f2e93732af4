"""Memory: what tensors take they give back, whatever happens, and running out of it is survived."""

from __future__ import annotations

import gc
import sys
import threading
import weakref

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ascendtensor as at
from ascendtensor import embedded
from ascendtensor.embedded import faults
from ascendtensor.runtime.allocator import size_class

from ..comparison import settled_memory

MiB = 2**20


@pytest.fixture
def small_device() -> object:
    at.npu.empty_cache()
    with faults.limit_memory(8 * MiB):
        yield
    at.npu.empty_cache()


@given(st.integers(1, 2**40))
def test_a_size_class_holds_the_request_and_little_more(nbytes: int) -> None:
    size = size_class(nbytes)
    assert nbytes <= size <= max(512, nbytes * 9 // 8 + 512)
    assert size % 512 == 0
    assert size_class(size) == size


def test_memory_goes_back_with_the_last_view() -> None:
    before = settled_memory()
    x = at.zeros((1000,))
    view = x[10:20]
    del x
    assert at.npu.memory_allocated() > before
    del view
    assert at.npu.memory_allocated() == before


def test_memory_is_used_again() -> None:
    x = at.zeros((1000,))
    address = x.storage.block.address
    del x
    assert at.zeros((1000,)).storage.block.address == address


def test_peaks_are_kept_until_reset() -> None:
    at.npu.reset_peak_memory_stats()
    start = at.npu.max_memory_allocated()
    x = at.zeros((MiB,))
    del x
    assert at.npu.max_memory_allocated() >= start + 4 * MiB
    at.npu.reset_peak_memory_stats()
    assert at.npu.max_memory_allocated() == settled_memory()


def test_empty_cache_gives_everything_back_to_the_device() -> None:
    x = at.zeros((MiB,))
    del x
    at.npu.empty_cache()
    assert at.npu.memory_reserved() == settled_memory()


def test_a_tensor_in_a_reference_cycle_is_given_back_unharmed() -> None:
    class Holder:
        pass

    gc.collect()
    before = settled_memory()
    for _ in range(20):
        holder = Holder()
        holder.tensor = at.ones((100,)) + 1  # type: ignore[attr-defined]
        holder.self = holder  # type: ignore[attr-defined]
        del holder
        gc.collect()
        # The collector finalises a whole cycle at once; the block that comes back must still be whole.
        assert (at.ones((100,)) + 1).tolist() == [2.0] * 100
    assert at.npu.memory_allocated() == before


def test_a_tensor_in_a_traceback_is_given_back_with_it() -> None:
    gc.collect()
    before = settled_memory()

    def fail() -> None:
        local = at.ones((1000,))
        local + at.ones((999,))

    with pytest.raises(ValueError) as caught:
        fail()
    assert at.npu.memory_allocated() > before
    del caught
    gc.collect()
    assert at.npu.memory_allocated() == before


def test_failing_calls_give_back_their_operands() -> None:
    gc.collect()
    before = settled_memory()
    a, b = at.ones((1000,)), at.ones((999,))
    for _ in range(50):
        with pytest.raises(ValueError, match=r"\(1000,\) and \(999,\)"):
            a + b
    del a, b
    assert at.npu.memory_allocated() == before


def test_a_thread_gives_back_what_it_took() -> None:
    gc.collect()
    before = settled_memory()

    def work() -> None:
        x = at.ones((1000,))
        assert (x + x).tolist()[0] == 2.0

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert at.npu.memory_allocated() == before


def test_out_of_memory_says_what_is_held_and_nothing_is_lost(small_device: object) -> None:
    held = at.ones((MiB // 4,))
    before = settled_memory()
    with pytest.raises(at.OutOfMemoryError) as caught:
        at.zeros((4 * MiB,))
    told = str(caught.value)
    assert "asked for 16.0 MiB" in told
    assert "npu:0: tensors hold" in told
    assert "free of 8.0 MiB" in told
    assert isinstance(caught.value, at.AclError)
    assert caught.value.code == 207001
    del caught
    assert at.npu.memory_allocated() == before
    assert float(at.sum(held)) == MiB // 4


def test_the_cache_is_given_back_before_memory_runs_out(small_device: object) -> None:
    first = at.zeros((5 * MiB // 4,))
    del first
    # Does not fit beside the cached block, but in its place.
    second = at.zeros((6 * MiB // 4,))
    assert at.npu.memory_reserved() <= 8 * MiB
    assert float(at.sum(second)) == 0.0


def test_out_of_memory_in_the_middle_of_a_function(small_device: object) -> None:
    x = at.ones((3 * MiB // 4,))
    before = settled_memory()
    with pytest.raises(at.OutOfMemoryError):
        # The deviation and its square do not both fit.
        at.var(x)
    gc.collect()
    assert at.npu.memory_allocated() == before
    assert float(at.sum(x)) == 3 * MiB // 4


def test_in_place_work_on_fresh_memory_never_shows_what_was_there() -> None:
    with faults.fill_new_memory(0xA5):
        assert at.zeros((64,)).tolist() == [0.0] * 64
        assert at.full((3, 3), 2).tolist() == [[2] * 3] * 3


def test_descriptors_are_shared_and_die_with_their_last_tensor() -> None:
    x, y = at.zeros((7, 3)), at.ones((7, 3))
    assert x._descriptor is y._descriptor
    alive = weakref.ref(x._descriptor)
    assert alive() is not None


def test_a_steady_loop_makes_no_handles() -> None:
    def step() -> None:
        x = at.ones((32,))
        float(at.sum(at.exp(x * 2.0) + x[::2][0]))

    for _ in range(3):
        step()
    gc.collect()
    before = {kind: len(handles) for kind, handles in embedded.live_handles().items()}
    for _ in range(200):
        step()
    gc.collect()
    assert {kind: len(handles) for kind, handles in embedded.live_handles().items()} == before


@pytest.mark.long
def test_ever_new_shapes_do_not_pile_up_memory() -> None:
    def step(n: int) -> None:
        assert float(at.sum(at.ones((n,)))) == n

    for n in range(1, 300):
        step(n)
    at.npu.empty_cache()
    held = at.npu.memory_reserved()
    for n in range(300, 12_000):
        step(n)
    at.npu.empty_cache()
    assert at.npu.memory_reserved() == held
    assert len(embedded.live_handles()["tensor descriptor"]) < 5 * 8192 + 1000


def test_a_deep_chain_of_views_is_released() -> None:
    before = settled_memory()
    x = at.zeros((sys.getrecursionlimit() * 3,))
    for _ in range(sys.getrecursionlimit() * 2):
        x = x[1:]
    assert x.size == sys.getrecursionlimit()
    del x
    assert at.npu.memory_allocated() == before
