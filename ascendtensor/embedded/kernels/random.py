"""Random numbers: Philox, which counts, so that a seed gives the same numbers every time.

They are not the numbers that a device gives for the seed: no text says those."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .registry import BFLOAT16, Array, Attrs, Inputs, Outputs, TrueShapes, front, kernel, store, widen

Generator = np.random.Generator
_WORD = 2**64
# The bits of a fraction below 1 that a dtype has.
_FRACTION_BITS = {np.dtype(np.float16): 11, BFLOAT16: 8}


def _seeded(*seeds: int) -> Generator:
    """The generator of two seeds; of zeros, one that nobody can foretell."""
    if not any(seeds):
        return Generator(np.random.Philox())
    return Generator(np.random.Philox(key=[seed % _WORD for seed in seeds]))


def _by_attributes(attrs: Attrs) -> Generator:
    return _seeded(attrs["seed"], attrs["seed2"])


def _keyed(key: Array, counter: Array) -> Generator:
    """The generator that stands at a counter."""
    words = [int(word) for word in counter.reshape(-1)[:4]]
    words += [0] * (4 - len(words))
    return Generator(np.random.Philox(counter=words, key=[int(key.reshape(-1)[0]), 0]))


def _ints(x: Array) -> tuple[int, ...]:
    return tuple(x.reshape(-1).tolist())


def _uniform(rng: Generator, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Array:
    """In [0, 1), whatever the dtype: a wider one would round up to 1."""
    bits = _FRACTION_BITS.get(dtype)
    if bits is None:
        return rng.random(shape, dtype.type)
    return (rng.integers(0, 2**bits, shape) / 2**bits).astype(np.float32)


def _normal(rng: Generator, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Array:
    return rng.standard_normal(shape, np.float64 if dtype == np.float64 else np.float32)


def _truncated_normal(rng: Generator, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Array:
    """What lies beyond two deviations is drawn again."""
    values = np.asarray(_normal(rng, shape, dtype))
    while (beyond := np.abs(values) > 2).any():
        values[beyond] = _normal(rng, (int(beyond.sum()),), dtype)
    return values


_Distribution = Callable[[Generator, tuple[int, ...], np.dtype[Any]], Array]


def _by_seeds(op_type: str, draw: _Distribution) -> None:
    def run(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> TrueShapes:
        values = draw(_by_attributes(attrs), _ints(inputs[0]), outputs[0].dtype)
        return (front(op_type, outputs[0], values),)

    kernel(op_type)(run)


def _by_key(op_type: str, draw: _Distribution) -> None:
    def run(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> TrueShapes:
        shape, key, counter, _ = inputs
        return (front(op_type, outputs[0], draw(_keyed(key, counter), _ints(shape), outputs[0].dtype)),)

    kernel(op_type)(run)


_by_seeds("RandomStandardNormal", _normal)
_by_seeds("RandomUniform", _uniform)
_by_seeds("TruncatedNormal", _truncated_normal)
_by_key("StatelessRandomNormalV2", _normal)
_by_key("StatelessRandomUniformV2", _uniform)


def _any_integer(rng: Generator, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Array:
    info = np.iinfo(dtype)
    return np.asarray(rng.integers(info.min, info.max, shape, dtype.type, endpoint=True))


_by_key("StatelessRandomUniformFullIntV2", _any_integer)


def _integers(op_type: str, rng: Generator, shape: Array, bounds: Inputs, out: Array) -> TrueShapes:
    low, high = (int(bound.reshape(-1)[0]) for bound in bounds)
    if low >= high:
        raise ValueError(f"{op_type}: there is no integer from {low} to below {high}")
    return (front(op_type, out, np.asarray(rng.integers(low, high, _ints(shape), out.dtype))),)


@kernel("RandomUniformInt")
def _random_integers(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> TrueShapes:
    shape, *bounds = inputs
    return _integers("RandomUniformInt", _by_attributes(attrs), shape, bounds, outputs[0])


@kernel("StatelessRandomUniformIntV2")
def _stateless_integers(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> TrueShapes:
    shape, key, counter, _, *bounds = inputs
    return _integers("StatelessRandomUniformIntV2", _keyed(key, counter), shape, bounds, outputs[0])


def _offset(seed: Array, offset: Array) -> Generator:
    """The generator of a seed, so many blocks on; a seed of -1 without an offset is one that nobody can foretell."""
    start, skipped = int(seed.reshape(-1)[0]), int(offset.reshape(-1)[0])
    if start == -1 and not skipped:
        return _seeded(0, 0)
    return Generator(np.random.Philox(counter=[skipped % _WORD, 0, 0, 0], key=[start % _WORD, 0]))


@kernel("StatelessBernoulli")
def _bernoulli(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> TrueShapes:
    shape, chance, seed, offset = inputs
    p = float(chance.reshape(-1)[0])
    if not 0 <= p <= 1:
        raise ValueError(f"StatelessBernoulli: {p} is not a probability")
    return (front("StatelessBernoulli", outputs[0], np.asarray(_offset(seed, offset).random(_ints(shape)) < p)),)


@kernel("StatelessRandperm")
def _permutation(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> TrueShapes:
    n, seed, offset = inputs
    count = int(n.reshape(-1)[0])
    if count < 0:
        raise ValueError(f"StatelessRandperm: n {count} must not be negative")
    return (front("StatelessRandperm", outputs[0], _offset(seed, offset).permutation(count)),)


@kernel("RandomShuffle")
def _shuffle(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
    x = inputs[0]
    store(outputs[0], x.take(_by_attributes(attrs).permutation(len(x)), 0) if x.ndim else x)


@kernel("Multinomial")
def _multinomial(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> TrueShapes:
    """Samples of each row, whose numbers are logarithms of chances up to a constant."""
    logits, count = widen(inputs[0]).astype(np.float64), int(inputs[1].reshape(-1)[0])
    if count < 0 or (not logits.shape[1] and count and len(logits)):
        raise ValueError(f"Multinomial: {count} samples of {logits.shape[1]} classes")
    drawn = _by_attributes(attrs).random((len(logits), count))
    samples = np.zeros(drawn.shape, np.int64)
    if samples.size:
        upper = np.cumsum(np.exp(logits - logits.max(1, keepdims=True)), 1)
        for line, chances, numbers in zip(samples, upper, drawn, strict=True):
            line[:] = np.searchsorted(chances, numbers * chances[-1], "right")
    return (front("Multinomial", outputs[0], np.minimum(samples, max(0, logits.shape[1] - 1))),)
