"""Generators: distributions by fixed seeds, and that a seed gives the same numbers every time."""

from __future__ import annotations

import copy
import inspect
import math
import pickle
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import ascendtensor as at
from ascendtensor.runtime.plans import plan_for
from ascendtensor.runtime.stream import current_stream
from ops_registry import dtypes
from ops_registry.dtypes import DType

from .comparison import FLOATING, INTEGERS, shapes
from .layouts import refuses

pytestmark = pytest.mark.filterwarnings("error::ascendtensor.HostFallbackWarning")

FLOATS = pytest.mark.parametrize("dtype", FLOATING, ids=str)
WHOLE = pytest.mark.parametrize("dtype", [dtypes.bool_, *INTEGERS], ids=str)

# With fixed seeds, a distribution that is right passes or fails for good; these levels leave no doubt which is so.
LEVEL = 1e-4

# Every method that draws, with the arguments of a small draw of a dtype.
Draw = Callable[[at.random.Generator, Any, DType], at.Tensor]
FLOAT_DRAWS: dict[str, Draw] = {
    "random": lambda g, size, dtype: g.random(size, dtype),
    "uniform": lambda g, size, dtype: g.uniform(-1, 3, size, dtype),
    "standard_normal": lambda g, size, dtype: g.standard_normal(size, dtype),
    "normal": lambda g, size, dtype: g.normal(2, 0.5, size, dtype),
    "standard_exponential": lambda g, size, dtype: g.standard_exponential(size, dtype),
    "exponential": lambda g, size, dtype: g.exponential(3, size, dtype),
}
DRAWN = pytest.mark.parametrize("draw", FLOAT_DRAWS.values(), ids=FLOAT_DRAWS)

DISTRIBUTIONS = {
    "random": stats.uniform(),
    "uniform": stats.uniform(-1, 4),
    "standard_normal": stats.norm(),
    "normal": stats.norm(2, 0.5),
    "standard_exponential": stats.expon(),
    "exponential": stats.expon(scale=3),
}


def bounds(dtype: DType) -> tuple[int, int]:
    if dtype.kind == "b":
        return 0, 1
    info = at.iinfo(dtype)
    return info.min, info.max


def wide(x: at.Tensor) -> np.ndarray[Any, Any]:
    return x.numpy().astype(np.float64)


# Distributions


@FLOATS
@pytest.mark.parametrize("name", FLOAT_DRAWS)
def test_distributions(name: str, dtype: DType) -> None:
    generator = at.random.default_rng(12)
    x = FLOAT_DRAWS[name](generator, 20_000, dtype)
    assert x.dtype is dtype
    values = wide(x)
    told = DISTRIBUTIONS[name]
    assert np.isfinite(values).all()
    assert abs(values.mean() - told.mean()) < 5 * told.std() / math.sqrt(values.size)
    assert abs(values.std() / told.std() - 1) < 0.05
    if dtype.itemsize > 2:
        assert stats.kstest(values, told.cdf).pvalue > LEVEL
    # One after the other, they know nothing of each other.
    assert abs(np.corrcoef(values[1:], values[:-1])[0, 1]) < 0.05


@FLOATS
def test_random_is_below_one(dtype: DType) -> None:
    values = wide(at.random.default_rng(3).random(100_000, dtype))
    assert values.min() >= 0
    assert values.max() < 1


@WHOLE
def test_integers_of_few(dtype: DType) -> None:
    generator = at.random.default_rng(5)
    least, most = bounds(dtype)
    low = max(least, -3)
    high = min(most, low + 6)
    for endpoint in (False, True):
        x = generator.integers(low, high, (30_000,), dtype, endpoint)
        assert x.dtype is dtype
        values, counts = np.unique(x.numpy().astype(np.int64), return_counts=True)
        assert values.tolist() == list(range(low, high + endpoint))
        if len(values) > 1:
            assert stats.chisquare(counts).pvalue > LEVEL


@WHOLE
def test_integers_of_all(dtype: DType) -> None:
    least, most = bounds(dtype)
    x = at.random.default_rng(8).integers(least, most, 40_000, dtype, endpoint=True)
    values = x.numpy().astype(object)
    assert x.dtype is dtype
    shares = np.histogram(np.array([(value - least) / (most - least + 1) for value in values]), 2, (0, 1))[0]
    assert stats.chisquare(shares).pvalue > LEVEL
    # The lowest bits are as random as the highest.
    assert stats.chisquare(np.bincount([value & 1 for value in values])).pvalue > LEVEL


@pytest.mark.parametrize("span", [2**32 - 1, 2**32, 2**32 + 1, 3 * 2**61, 2**63 + 1, 3 * 2**62, 2**64 - 1])
def test_integers_of_many(span: int) -> None:
    """Counts that no power of two divides show a remainder that favours some."""
    values = at.random.default_rng(21).integers(0, span, 60_000, at.uint64).numpy().astype(object)
    assert max(values) < span
    thirds = np.bincount([value * 3 // span for value in values], minlength=3)
    assert stats.chisquare(thirds).pvalue > LEVEL
    assert stats.chisquare(np.bincount([value % 7 for value in values])).pvalue > LEVEL


@given(data=st.data())
@WHOLE
def test_integers_are_within_bounds(dtype: DType, data: st.DataObject) -> None:
    least, most = bounds(dtype)
    first, last = sorted(data.draw(st.tuples(*[st.integers(least, most)] * 2)))
    seed, endpoint = data.draw(st.integers(0, 9)), data.draw(st.booleans())
    drawn = at.random.default_rng(seed).integers(first, last + (not endpoint), (2, 3), dtype, endpoint)
    values = drawn.numpy().astype(object)
    assert drawn.shape == (2, 3)
    assert (values >= first).all()
    assert (values <= last).all()


def test_integers_below_one_bound() -> None:
    assert set(at.random.default_rng(1).integers(3, size=100).tolist()) == {0, 1, 2}
    assert set(at.random.default_rng(1).integers(3, size=100, endpoint=True).tolist()) == {0, 1, 2, 3}
    assert at.random.default_rng(1).integers(1).item() == 0


# Orders and samples


def test_every_order_is_as_likely() -> None:
    generator = at.random.default_rng(17)
    orders = [tuple(generator.permutation(3).tolist()) for _ in range(1200)]
    counts = [orders.count(order) for order in sorted(set(orders))]
    assert len(counts) == 6
    assert stats.chisquare(counts).pvalue > LEVEL


@pytest.mark.parametrize("dtype", dtypes.ALL, ids=str)
@given(data=st.data())
def test_permutation_and_shuffle(dtype: DType, data: st.DataObject) -> None:
    shape = data.draw(shapes(min_dims=1, max_dims=3))
    array = np.arange(math.prod(shape)).reshape(shape).astype(dtype.dtype)
    axis = data.draw(st.integers(-len(shape), len(shape) - 1))
    flipped = np.flip(array, axis)
    x = at.flip(at.asarray(array.copy(), dtype=dtype), axis=axis)
    generator, other = (at.random.default_rng(4) for _ in range(2))
    permuted = generator.permutation(x, axis)
    assert permuted.dtype is dtype
    assert x.numpy().tolist() == flipped.tolist()
    order = at.random.default_rng(4).permutation(shape[axis]).numpy()
    assert permuted.numpy().tolist() == np.take(flipped, order, axis).tolist()
    other.shuffle(x, axis)
    assert x.numpy().tolist() == permuted.numpy().tolist()


def test_permutation_of_a_number() -> None:
    generator = at.random.default_rng(2)
    assert sorted(generator.permutation(50).tolist()) == list(range(50))
    assert sorted(generator.permutation(at.asarray(5)).tolist()) == list(range(5))
    assert generator.permutation(0).shape == (0,)


def test_choice_with_replacement() -> None:
    generator = at.random.default_rng(6)
    places = generator.choice(4, 4000).numpy()
    assert stats.chisquare(np.bincount(places, minlength=4)).pvalue > LEVEL
    chances = [0.5, 0.0, 0.125, 0.375, 0.0]
    tensors = [at.asarray(chances, dtype=dtype) for dtype in FLOATING]
    for p in (chances, np.array(chances), *tensors):
        counts = np.bincount(generator.choice(5, (20, 200), p=p).numpy().ravel(), minlength=5)
        assert counts[[1, 4]].tolist() == [0, 0]
        assert stats.chisquare(counts[[0, 2, 3]], np.array([0.5, 0.125, 0.375]) * 4000).pvalue > LEVEL


def test_choice_without_replacement() -> None:
    generator = at.random.default_rng(9)
    taken = [tuple(sorted(generator.choice(4, 2, replace=False).tolist())) for _ in range(600)]
    counts = [taken.count(pair) for pair in sorted(set(taken))]
    assert len(counts) == 6
    assert stats.chisquare(counts).pvalue > LEVEL
    assert sorted(generator.choice(6, (2, 3), replace=False).numpy().ravel().tolist()) == list(range(6))


def test_choice_without_replacement_by_chances() -> None:
    generator = at.random.default_rng(10)
    p = [0.6, 0.3, 0.0, 0.1]
    taken = [tuple(generator.choice(4, 2, replace=False, p=p).tolist()) for _ in range(1000)]
    # The second is drawn by the chances of those that are left.
    pairs = {(i, j): p[i] * p[j] / (1 - p[i]) for i in (0, 1, 3) for j in (0, 1, 3) if i != j}
    assert set(taken) <= set(pairs)
    counts = [taken.count(pair) for pair in pairs]
    assert stats.chisquare(counts, np.array(list(pairs.values())) * 1000).pvalue > LEVEL


def test_choice_from_a_tensor() -> None:
    generator = at.random.default_rng(11)
    x = at.reshape(at.arange(12), (3, 4))
    rows = generator.choice(x, (2, 5))
    assert rows.shape == (2, 5, 4)
    assert all(row in x.tolist() for row in rows.numpy().reshape(-1, 4).tolist())
    columns = generator.choice(x, 4, replace=False, axis=-1)
    assert sorted(columns.numpy().T.tolist()) == x.numpy().T.tolist()
    assert generator.choice(x).shape == (4,)
    assert generator.choice(at.asarray([7.5])).item() == 7.5
    assert generator.choice(3, p=[0, 1, 0]).item() == 1
    assert generator.choice(0, 0).shape == (0,)
    assert generator.choice(3, (0, 2), p=[0.5, 0.5, 0]).shape == (0, 2)


# Parameters


@FLOATS
@DRAWN
@pytest.mark.parametrize(("size", "shape"), [(None, ()), ((), ()), (3, (3,)), ([2, 1], (2, 1)), ((0, 3), (0, 3))])
def test_sizes(draw: Draw, dtype: DType, size: Any, shape: tuple[int, ...]) -> None:
    x = draw(at.random.default_rng(0), size, dtype)
    assert x.shape == shape
    assert x.dtype is dtype


@FLOATS
def test_parameters_may_be_tensors(dtype: DType) -> None:
    generator = at.random.default_rng(13)
    low = at.asarray([0, 10])
    x = generator.uniform(low, at.asarray([[1.0], [5.0]], dtype=dtype) + 10, dtype=dtype)
    assert x.shape == (2, 2)
    assert x.dtype is dtype
    y = wide(generator.normal(at.asarray([-50, 50]), at.asarray(0.5, dtype=dtype), (100, 2), dtype))
    assert y[:, 0].max() < 0 < y[:, 1].min()
    z = generator.exponential(at.asarray([0.0, 1.0]), dtype=dtype).numpy()
    assert z[0] == 0 < z[1]
    assert generator.uniform(np.float64(2), np.int64(2), 2).tolist() == [2, 2]


def test_float32_and_int64_are_the_defaults() -> None:
    generator = at.random.default_rng(0)
    assert {getattr(generator, name)().dtype for name in FLOAT_DRAWS} == {at.float32}
    assert generator.integers(5).dtype is at.int64
    assert generator.permutation(3).dtype is at.int64
    assert generator.random(dtype="float64").dtype is at.float64


# Seeds and states


@FLOATS
@DRAWN
def test_a_seed_gives_the_same_numbers(draw: Draw, dtype: DType) -> None:
    first, second, other = at.random.default_rng(7), at.random.default_rng(7), at.random.default_rng(8)
    wanted = [wide(draw(first, (3, 4), dtype)) for _ in range(2)]
    plan_for.cache_clear()
    for values in wanted:
        np.testing.assert_array_equal(wide(draw(second, (3, 4), dtype)), values)
    assert not np.array_equal(wide(draw(other, (3, 4), dtype)), wanted[0])
    assert not np.array_equal(*wanted)


def test_every_draw_has_numbers_of_its_own() -> None:
    generator = at.random.default_rng(1)
    numbers = [generator.random(dtype=at.float64).item() for _ in range(50)]
    numbers += generator.random((50,), at.float64).tolist()
    assert len(set(numbers)) == 100


def test_draws_of_a_shape_share_a_plan() -> None:
    generator = at.random.default_rng(1)

    def draw(low: int) -> None:
        generator.uniform(low, 100, 5)
        generator.integers(low, 100, 5)
        generator.permutation(5)
        generator.choice(3, 5, p=[0.5, 0.25, 0.25])
        generator.standard_normal(5)

    draw(1)
    made = plan_for.cache_info().misses
    for low in range(2, 9):
        draw(low)
    assert plan_for.cache_info().misses == made


def test_nothing_waits_for_a_draw() -> None:
    generator = at.random.default_rng(1)
    x = at.zeros(3)
    at.npu.synchronize()
    with at.profiler.profile() as profile:
        generator.shuffle(x)
        generator.integers(2**40, size=3)
    # What was queued is remembered until somebody waits.
    assert len(current_stream().launches) == sum(op.calls for op in profile.key_averages()) > 0


@pytest.mark.parametrize("seed", [0, 1, 2**64, 2**200, (1, 2), np.int64(5), None])
def test_seeds(seed: Any) -> None:
    generator = at.random.default_rng(seed)
    again = at.random.default_rng(generator.initial_seed())
    assert generator.random(4).tolist() == again.random(4).tolist()
    if seed is not None:
        assert generator.initial_seed() == seed


def test_without_a_seed_nobody_foretells_the_numbers() -> None:
    first, second = at.random.default_rng(), at.random.default_rng()
    assert first.random(4).tolist() != second.random(4).tolist()


def test_a_state_is_gone_back_to() -> None:
    generator = at.random.default_rng(3)
    generator.normal(size=5)
    state = generator.get_state()
    wanted = generator.random(5).tolist()
    generator.integers(9, size=100)
    generator.set_state(state)
    assert generator.random(5).tolist() == wanted
    other = at.random.default_rng()
    other.set_state(state)
    assert other.random(5).tolist() == wanted
    other.seed(3)
    assert other.random(5).tolist() == at.random.default_rng(3).random(5).tolist()
    assert other.initial_seed() == 3


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda g: pickle.loads(pickle.dumps(g))])
def test_a_copy_goes_its_own_way_from_here(copied: Callable[[Any], Any]) -> None:
    generator = at.random.default_rng(3)
    generator.random(5)
    twin = copied(generator)
    assert repr(twin) == repr(generator) == "Generator(seed=3, device='npu:0')"
    assert twin.random(3).tolist() == generator.random(3).tolist()


def test_the_counter_goes_round() -> None:
    generator = at.random.default_rng(3)
    generator.set_state({**generator.get_state(), "counter": 2**128 - 1})
    values = [generator.random(2, at.float64).tolist(), generator.permutation(4).tolist(), generator.random().item()]
    assert 0 <= generator.get_state()["counter"] < 2**20
    assert values[0][0] != values[0][1]


def test_threads_share_a_generator() -> None:
    generator = at.random.default_rng(2)
    found: list[float] = []

    def draw() -> None:
        found.extend(number for _ in range(20) for number in generator.random(5, at.float64).tolist())

    threads = [threading.Thread(target=draw) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == len(set(found)) == 400
    alone = at.random.default_rng(2)
    assert sorted(found) == sorted(number for _ in range(80) for number in alone.random(5, at.float64).tolist())


def test_a_generator_is_taken_as_it_is() -> None:
    generator = at.random.default_rng(2)
    assert at.random.default_rng(generator) is generator
    assert at.random.default_rng(generator, device="npu:0") is generator
    assert generator.device == at.device("npu:0")


# The default generator


def test_the_modules_functions_draw_from_the_default_generator() -> None:
    at.random.seed(5)
    generator = at.random.default_rng(5)
    x, y = at.arange(5), at.arange(5)
    at.random.shuffle(x)
    generator.shuffle(y)
    assert x.tolist() == y.tolist()
    for name, arguments in {
        **dict.fromkeys(FLOAT_DRAWS, ()),
        "choice": (9, 4),
        "integers": (9,),
        "permutation": (9,),
    }.items():
        function = getattr(at.random, name)
        assert function(*arguments).tolist() == getattr(generator, name)(*arguments).tolist()
        assert function.__doc__
        assert "self" not in inspect.signature(function).parameters
    assert at.random.initial_seed() == 5
    state = at.random.get_state()
    wanted = at.random.random(3).tolist()
    at.random.set_state(state)
    assert at.random.random(3).tolist() == wanted
    at.random.seed(6, device="npu:0")
    assert at.random.random(3).tolist() == at.random.default_rng(6).random(3).tolist()
    assert at.random.default_generator() is at.random.default_generator("npu:0")
    at.random.seed()
    assert at.random.initial_seed() not in (5, 6)


# What is refused


def test_dtypes_that_are_refused() -> None:
    generator = at.random.default_rng(0)
    for name in FLOAT_DRAWS:
        for dtype in (at.int32, at.bool, at.complex64):
            with refuses(TypeError, name, dtype.name):
                getattr(generator, name)(size=2, dtype=dtype)
    with refuses(TypeError, "integers", "float32"):
        generator.integers(3, dtype=at.float32)


def test_sizes_that_are_refused() -> None:
    generator = at.random.default_rng(0)
    draws = {name: getattr(generator, name) for name in FLOAT_DRAWS}
    draws["integers"] = lambda size: generator.integers(3, size=size)
    draws["choice"] = lambda size: generator.choice(3, size)
    for name, draw in draws.items():
        for size in (1.5, "a", (2, 1.0), True):
            with refuses(TypeError, name):
                draw(size=size)
        with refuses(ValueError, name, "negative"):
            draw(size=(2, -1))
    with refuses(ValueError, "more bytes"):
        generator.random((2**40, 2**40))


def test_bounds_that_are_refused() -> None:
    generator = at.random.default_rng(0)
    for arguments in ((0,), (3, 3), (5, 3)):
        with refuses(ValueError, "integers", "no integer"):
            generator.integers(*arguments)
    with refuses(ValueError, "integers", "no integer"):
        generator.integers(4, 3, endpoint=True)
    for dtype in [dtypes.bool_, *INTEGERS]:
        least, most = bounds(dtype)
        for low, high in ((least - 1, most), (least, most + 1)):
            with refuses(ValueError, "integers", "out of range", dtype.name):
                generator.integers(low, high, dtype=dtype, endpoint=True)
    for value in (1.0, "1", None):
        with refuses(TypeError, "integers"):
            generator.integers(value)


def test_parameters_that_are_refused() -> None:
    generator = at.random.default_rng(0)
    x = at.zeros((2, 3))
    turning = at.zeros(2, dtype=at.complex64)
    with refuses(ValueError, "uniform", "below low"):
        generator.uniform(2, 1)
    with refuses(OverflowError, "uniform", "inf"):
        generator.uniform(0, math.inf)
    for name in ("normal", "exponential"):
        with refuses(ValueError, name, "scale"):
            getattr(generator, name)(scale=-1)
    for value in ("1", 1j, [1.0], None, turning):
        with refuses(TypeError, "uniform", "low"):
            generator.uniform(value)
        with refuses(TypeError, "normal", "loc"):
            generator.normal(value)
        with refuses(TypeError, "exponential", "scale"):
            generator.exponential(value)
    for size in ((3,), (2, 2), (1, 3), ()):
        with refuses(ValueError, "normal"):
            generator.normal(x, size=size)


def test_orders_that_are_refused() -> None:
    generator = at.random.default_rng(0)
    x = at.zeros((2, 3))
    number = at.zeros(())
    spread = at.broadcast_to(at.zeros(1), (3,))
    with refuses(ValueError, "permutation"):
        generator.permutation(-1)
    for value in (1.5, [1, 2], None, number):
        with refuses(TypeError, "permutation"):
            generator.permutation(value)
    for value in (5, [1, 2], None, number):
        with refuses(TypeError, "shuffle"):
            generator.shuffle(value)
    with refuses(IndexError, "permutation", "axis 2"):
        generator.permutation(x, 2)
    with refuses(IndexError, "shuffle", "axis 2"):
        generator.shuffle(x, 2)
    with refuses(ValueError, "shuffle"):
        generator.shuffle(spread)


def test_choices_that_are_refused() -> None:
    generator = at.random.default_rng(0)
    x, empty = at.zeros((2, 3)), at.zeros((0, 3))
    with refuses(IndexError, "choice", "axis 2"):
        generator.choice(x, axis=2)
    for value in (1.5, [1, 2], None):
        with refuses(TypeError, "choice"):
            generator.choice(value)
    for value in (0, empty, -1):
        with refuses(ValueError, "choice"):
            generator.choice(value)
    with refuses(ValueError, "choice", "4 of 3"):
        generator.choice(3, 4, replace=False)
    with refuses(ValueError, "choice", "2 of 1"):
        generator.choice(3, 2, replace=False, p=[0, 1, 0])
    for p, word in (
        ([0.5, 0.5], "3 chances"),
        ([[1, 0, 0]], "3 chances"),
        ([-1, 1, 1], "0 or more"),
        ([math.nan] * 3, "0 or more"),
        ([0.1, 0.2, 0.3], "sum to 1"),
        ([math.inf, 0, 0], "sum to 1"),
    ):
        with refuses(ValueError, "choice", word):
            generator.choice(3, p=p)
    for p in (["a", "b", "c"], [1j, 0, 0]):
        with refuses(TypeError, "choice", "real"):
            generator.choice(3, p=p)


def test_seeds_and_states_that_are_refused() -> None:
    generator = at.random.default_rng(0)
    before = generator.get_state()
    for seed, error in ((-1, ValueError), (1.5, TypeError), ("a", TypeError), ([1, -2], ValueError)):
        with refuses(error, "seed"):
            at.random.default_rng(seed)
        with refuses(error, "seed"):
            generator.seed(seed)
        with refuses(error, "seed"):
            at.random.seed(seed)
    with refuses(TypeError, "set_state"):
        generator.set_state(5)
    for state in (
        {},
        {**before, "algorithm": "other"},
        {**before, "more": 1},
        {**before, "key": -1},
        {**before, "key": 2**63},
        {**before, "counter": 2**128},
    ):
        with refuses(ValueError, "set_state"):
            generator.set_state(state)
    with refuses(TypeError, "set_state"):
        generator.set_state({**before, "key": 1.0})
    assert generator.get_state() == before
    with refuses(ValueError, "npu:9"):
        at.random.default_rng(0, device="npu:9")
