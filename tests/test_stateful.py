"""Random programs over tensors and their views, each step mirrored on NumPy's arrays."""

from __future__ import annotations

import gc
import operator
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, multiple, precondition, rule

import ascendtensor as at
from ops_registry import dtypes
from ops_registry.dtypes import DType

from .comparison import on_device, settled_memory, shapes
from .comparison import views as slices
from .layouts import Array, volume

# Integers wrap alike everywhere, and float64 adds and multiplies alike: values are compared to the bit.
KINDS: tuple[DType, ...] = (dtypes.int8, dtypes.int32, dtypes.int64, dtypes.uint16, dtypes.float64)
IN_PLACE = [operator.iadd, operator.isub, operator.imul]


class Pair:
    """A tensor and the array that says what is in it. Views of one tensor are views of one array."""

    def __init__(self, tensor: at.Tensor, array: Array) -> None:
        self.tensor = tensor
        self.array = array
        assert tensor.shape == array.shape

    def check(self) -> None:
        np.testing.assert_array_equal(self.tensor.numpy(), self.array, strict=True)


def elsewhere(work: Callable[[], Any]) -> Any:
    """Do some work in another thread, which has a stream of its own."""
    results: list[Any] = []
    failures: list[BaseException] = []

    def body() -> None:
        try:
            results.append(work())
        except BaseException as failure:
            failures.append(failure)

    thread = threading.Thread(target=body)
    thread.start()
    thread.join()
    if failures:
        raise failures[0]
    return results[0]


class Programs(RuleBasedStateMachine):
    """Creates, views, writes, reduces and drops, in two threads."""

    pairs = Bundle("pairs")

    def __init__(self) -> None:
        super().__init__()
        gc.collect()
        at.npu.synchronize()
        self.before = settled_memory()
        self.alive: list[Pair] = []

    def kept(self, tensor: at.Tensor, array: Array) -> Pair:
        pair = Pair(tensor, array)
        self.alive.append(pair)
        return pair

    @rule(target=pairs, dtype=st.sampled_from(KINDS), shape=shapes(max_dims=3), start=st.integers(-9, 9))
    def create(self, dtype: DType, shape: tuple[int, ...], start: int) -> Pair:
        array = np.array(np.arange(start, start + volume(shape)).reshape(shape) % 50, dtype=dtype.dtype)
        return self.kept(on_device(array), array)

    @rule(target=pairs, pair=pairs, data=st.data())
    def index(self, pair: Pair, data: st.DataObject) -> Pair:
        key = (*data.draw(slices(pair.array.ndim)),)
        key = key if ... in key else (*key, ...)
        return self.kept(pair.tensor[key], pair.array[key])

    @rule(target=pairs, pair=pairs, data=st.data())
    def permute(self, pair: Pair, data: st.DataObject) -> Pair:
        order = data.draw(st.permutations(range(pair.array.ndim)))
        return self.kept(at.permute_dims(pair.tensor, order), pair.array.transpose(order))

    @rule(target=pairs, pair=pairs)
    def flatten(self, pair: Pair) -> Pair:
        flat = at.reshape(pair.tensor, (pair.array.size,))
        return self.kept(flat, pair.array.reshape(-1))

    @rule(target=pairs, pair=pairs)
    def clone(self, pair: Pair) -> Pair:
        return self.kept(pair.tensor.clone(), pair.array.copy())

    @rule(target=pairs, first=pairs, second=pairs, step=st.sampled_from([operator.add, operator.sub, operator.mul]))
    def compute(self, first: Pair, second: Pair, step: Any) -> Any:
        if first.array.dtype != second.array.dtype or not fits(first.array, second.array):
            return multiple()
        with np.errstate(all="ignore"):
            return self.kept(step(first.tensor, second.tensor), np.asarray(step(first.array, second.array)))

    @rule(pair=pairs, number=st.integers(0, 5), step=st.sampled_from(IN_PLACE))
    def change(self, pair: Pair, number: int, step: Any) -> None:
        with np.errstate(all="ignore"):
            pair.array = step(pair.array, number)
        same = pair.tensor
        pair.tensor = step(pair.tensor, number)
        assert pair.tensor is same

    @rule(target=pairs, first=pairs, second=pairs, step=st.sampled_from(IN_PLACE))
    def change_by_another(self, first: Pair, second: Pair, step: Any) -> Any:
        if first.array.dtype == second.array.dtype and goes_into(second.array.shape, first.array.shape):
            with np.errstate(all="ignore"):
                first.array = step(first.array, second.array)
            first.tensor = step(first.tensor, second.tensor)
        return multiple()

    @rule(first=pairs, second=pairs)
    def assign(self, first: Pair, second: Pair) -> None:
        """Often between overlapping views of one memory."""
        if first.array.dtype == second.array.dtype and goes_into(second.array.shape, first.array.shape):
            first.array[...] = second.array
            first.tensor[...] = second.tensor

    @rule(pair=pairs, shift=st.integers(-2, 2))
    def shift(self, pair: Pair, shift: int) -> None:
        """A part of a tensor onto an overlapping part of itself."""
        if not pair.array.ndim:
            return
        to, of = (
            (slice(shift, None), slice(None, -shift))
            if shift > 0
            else (slice(None, shift or None), slice(-shift, None))
        )
        if len(pair.array) < abs(shift):
            return
        pair.array[to] = pair.array[of].copy()
        pair.tensor[to] = pair.tensor[of]

    @rule(pair=pairs)
    def turn(self, pair: Pair) -> None:
        """A tensor onto itself in reverse."""
        if pair.array.ndim:
            pair.array[...] = pair.array[::-1].copy()
            pair.tensor[...] = pair.tensor[::-1]

    @rule(pair=pairs, number=st.integers(0, 100))
    def fill(self, pair: Pair, number: int) -> None:
        pair.array[...] = number
        pair.tensor[...] = number

    @rule(pair=pairs, number=st.integers(0, 5))
    def change_in_another_thread(self, pair: Pair, number: int) -> None:
        """What one thread's stream has written is ordered before what another's does."""

        def work() -> None:
            pair.tensor += number
            pair.tensor[...] = pair.tensor + 1

        elsewhere(work)
        with np.errstate(all="ignore"):
            pair.array += pair.array.dtype.type(number)
            pair.array += pair.array.dtype.type(1)

    @rule(target=pairs, pair=pairs)
    def copy_in_another_thread(self, pair: Pair) -> Pair:
        return self.kept(elsewhere(pair.tensor.clone), pair.array.copy())

    @rule(pair=pairs)
    def read_in_another_thread(self, pair: Pair) -> None:
        elsewhere(pair.check)

    @rule(pair=pairs)
    def reduce(self, pair: Pair) -> None:
        if pair.array.dtype.kind in "iu":
            with np.errstate(all="ignore"):
                assert at.sum(pair.tensor).item() == np.sum(pair.array).item()
            if pair.array.size:
                assert at.max(pair.tensor).item() == pair.array.max()

    @rule(pair=consumes(pairs))
    def drop(self, pair: Pair) -> None:
        self.alive = [one for one in self.alive if one is not pair]
        # Hypothesis keeps the pair.
        del pair.tensor

    @precondition(lambda self: self.alive)
    @rule(data=st.data())
    def check(self, data: st.DataObject) -> None:
        data.draw(st.sampled_from(range(len(self.alive))).map(lambda place: self.alive[place])).check()

    @rule()
    def synchronize(self) -> None:
        at.npu.synchronize()

    def teardown(self) -> None:
        for pair in self.alive:
            pair.check()
            del pair.tensor
        self.alive.clear()
        gc.collect()
        at.npu.synchronize()
        assert at.npu.memory_allocated() == self.before, "all tensors are dropped, and memory is still taken"


def fits(first: Array, second: Array) -> bool:
    """Whether two shapes broadcast, to something of moderate size."""
    try:
        return volume(np.broadcast_shapes(first.shape, second.shape)) <= 2000 and max(first.ndim, second.ndim) <= 6
    except ValueError:
        return False


def goes_into(source: tuple[int, ...], target: tuple[int, ...]) -> bool:
    """Whether one shape broadcasts to the other."""
    try:
        return np.broadcast_shapes(source, target) == target
    except ValueError:
        return False


TestPrograms = Programs.TestCase
TestPrograms.settings = settings(stateful_step_count=40)
