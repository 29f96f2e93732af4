"""Random numbers: their range and distribution, and that a seed gives the same ones."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from test_kernels import Array, cases, run, same, samples, wide

from ops_registry import dtypes

Row = tuple[dtypes.DType, ...]
WORD = np.uint64
SEEDED = {"RandomUniform", "RandomStandardNormal", "TruncatedNormal"}
KEYED = {"StatelessRandomUniformV2", "StatelessRandomNormalV2"}


def keyed(key: int, counter: int) -> list[Array]:
    return [np.array([key], WORD), np.array([counter, 0], WORD), np.array(1, np.int32)]


def draw(op_type: str, row: Row, shape: Any, seed: int) -> Array:
    """Numbers of a seed, by whichever inputs or attributes the op type has for it."""
    dims = np.array(shape, row[0].dtype)
    if op_type in KEYED:
        return run(op_type, [dims, *keyed(seed, 3)], dtype=row[-1].code)
    return run(op_type, [dims], dtype=row[-1].code, seed=seed, seed2=7)


@pytest.mark.parametrize(("op_type", "row"), cases(SEEDED | KEYED))
def test_distributions(op_type: str, row: Row) -> None:
    got = draw(op_type, row, (4000, 5), 11)
    assert got.dtype == row[-1].dtype
    values = wide(got).astype(np.float64)
    if "Uniform" in op_type:
        assert values.min() >= 0
        assert values.max() < 1
        mean, deviation = 0.5, math.sqrt(1 / 12)
    else:
        truncated = op_type == "TruncatedNormal"
        mean, deviation = 0, 0.8796 if truncated else 1
        assert (np.abs(values) <= 2).all() == truncated
    assert abs(values.mean() - mean) < 5 * deviation / math.sqrt(values.size)
    assert abs(values.std() - deviation) < 0.03
    same(draw(op_type, row, (4000, 5), 11), got)
    assert not np.array_equal(wide(draw(op_type, row, (4000, 5), 12)), wide(got))
    for shape in ((), (0, 2), (1,)):
        assert draw(op_type, row, shape, 1).shape == shape


@pytest.mark.parametrize("op_type", sorted(SEEDED))
def test_without_seeds_nobody_foretells_them(op_type: str) -> None:
    dims = np.array([50], np.int32)
    first, second = (run(op_type, [dims], dtype=dtypes.float32.code) for _ in range(2))
    assert not np.array_equal(first, second)


def test_the_counter_goes_on() -> None:
    dims = np.array([8], np.int32)
    one = run("StatelessRandomUniformV2", [dims, *keyed(5, 0)], dtype=dtypes.float64.code)
    other = run("StatelessRandomUniformV2", [dims, *keyed(5, 1)], dtype=dtypes.float64.code)
    # A count is four words of 64 bits, and a double takes one.
    np.testing.assert_array_equal(one[4:], other[:4])


@pytest.mark.parametrize(("op_type", "row"), cases({"RandomUniformInt", "StatelessRandomUniformIntV2"}))
def test_integers(op_type: str, row: Row) -> None:
    def numbers(low: int, high: int, seed: int = 4) -> Array:
        bounds = [np.array(value, row[-1].dtype) for value in (low, high)]
        dims = np.array([1000], row[0].dtype)
        if op_type == "RandomUniformInt":
            return run(op_type, [dims, *bounds], seed=seed)
        return run(op_type, [dims, *keyed(seed, 0), *bounds])

    got = numbers(3, 9)
    assert got.dtype == row[-1].dtype
    assert set(got.tolist()) == set(range(3, 9))
    same(numbers(3, 9), got)
    top = np.iinfo(row[-1].dtype).max
    assert numbers(top - 1, top).tolist() == [top - 1] * 1000
    with pytest.raises(ValueError, match=f"^{op_type}: there is no integer from 3 to below 3"):
        numbers(3, 3)


@pytest.mark.parametrize(("op_type", "row"), cases({"StatelessRandomUniformFullIntV2"}))
def test_integers_of_the_whole_range(op_type: str, row: Row) -> None:
    dims = np.array([2000], row[0].dtype)
    got = run(op_type, [dims, *keyed(6, 0)], dtype=row[-1].code)
    assert got.dtype == row[-1].dtype
    assert got.shape == (2000,)
    info = np.iinfo(got.dtype)
    quarters = (got.astype(object) - info.min) // ((info.max - info.min + 1) // 4)
    assert (np.abs(np.bincount(quarters.astype(np.int64), minlength=4) - 500) < 100).all()
    same(run(op_type, [dims, *keyed(6, 0)], dtype=row[-1].code), got)
    assert not np.array_equal(run(op_type, [dims, *keyed(7, 0)], dtype=row[-1].code), got)


@pytest.mark.parametrize(("op_type", "row"), cases({"StatelessRandperm"}))
def test_permutations(op_type: str, row: Row) -> None:
    def permuted(n: int, seed: int, offset: int = 0) -> Array:
        return run(op_type, [np.array([value]) for value in (n, seed, offset)], dtype=row[-1].code)

    got = permuted(100, 3)
    assert got.dtype == row[-1].dtype
    assert sorted(wide(got).tolist()) == list(range(100))
    same(permuted(100, 3), got)
    assert not np.array_equal(permuted(100, 3, 50), got)
    assert not np.array_equal(permuted(100, -1), permuted(100, -1))
    assert permuted(0, 3).shape == (0,)


@pytest.mark.parametrize(("op_type", "row"), cases({"RandomShuffle"}))
def test_shuffles(op_type: str, row: Row) -> None:
    x = np.resize(samples(row[0].dtype), (30, 2))
    got = run(op_type, [x], seed=3)
    assert sorted(line.tobytes() for line in got) == sorted(line.tobytes() for line in x)
    assert got.tobytes() != x.tobytes()
    assert run(op_type, [x], seed=3).tobytes() == got.tobytes()
    for small in (x[:0], x[0, 0].reshape(())):
        same(run(op_type, [small], seed=1), small)


@pytest.mark.parametrize(("op_type", "row"), cases({"Multinomial"}))
def test_samples_of_classes(op_type: str, row: Row) -> None:
    chances = np.array([[0.5, 0.0, 0.25, 0.25], [0.0, 1.0, 0.0, 0.0]])
    with np.errstate(divide="ignore"):
        logits = (np.log(chances) + 3).astype(row[0].dtype)
    count = np.array(8000, np.int32)
    got = run(op_type, [logits, count], dtype=row[2].code, seed=2)
    assert got.dtype == row[2].dtype
    for line, wanted in zip(got, chances, strict=True):
        np.testing.assert_allclose(np.bincount(line, minlength=4) / 8000, wanted, atol=0.03)
    same(run(op_type, [logits, count], dtype=row[2].code, seed=2), got)
    assert run(op_type, [logits[:0], count], dtype=row[2].code).shape == (0, 8000)


@pytest.mark.parametrize(("op_type", "row"), cases({"StatelessBernoulli"}))
def test_chances(op_type: str, row: Row) -> None:
    def thrown(p: float, seed: int = 5) -> Array:
        numbers = [np.array([20, 100], row[0].dtype), np.array(p, row[1].dtype), np.array([seed]), np.array([0])]
        return run(op_type, numbers, dtype=row[-1].code)

    got = thrown(0.25)
    assert got.dtype == row[-1].dtype
    assert set(wide(got).ravel().tolist()) == {0, 1}
    assert abs(wide(got).astype(np.float64).mean() - 0.25) < 0.05
    same(thrown(0.25), got)
    assert not wide(thrown(0)).any()
    assert wide(thrown(1)).all()


@pytest.mark.parametrize(
    ("op_type", "inputs", "attrs"),
    [
        ("StatelessBernoulli", [np.array([2]), np.array(1.5), np.array([1]), np.array([0])], {}),
        ("Multinomial", [np.zeros((2, 0)), np.array(3, np.int32)], {}),
    ],
)
def test_numbers_that_do_not_fit(op_type: str, inputs: list[Array], attrs: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=f"^{op_type}: "):
        run(op_type, inputs, **attrs)
