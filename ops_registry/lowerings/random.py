"""Random numbers. The ops take a key and a counter as operands: every draw of a shape and dtype has one plan."""

from __future__ import annotations

from math import prod
from typing import Any

from .. import dtypes
from ..builder import Builder
from ..dtypes import DType
from ..program import Value
from .data_type import as_dtype
from .registry import lowering

Shape = tuple[int, ...]

# The number of the algorithm in the ops' `alg`.
_PHILOX = 1

# Thresholds of `random_choice` are in units of 2^-62: they and the number drawn fit an int64.
_CHANCE_BITS = 62

_WORD = dtypes.uint64
_HALF_BITS = 32
_LOW_HALF = 2**_HALF_BITS - 1

_OP_TYPES = {"random": "StatelessRandomUniformV2", "standard_normal": "StatelessRandomNormalV2"}


def _draw(b: Builder, op_type: str, key: Value, counter: Value, shape: Shape, dtype: DType) -> Value:
    if 0 in shape:
        return b.fill(0, dtype, shape)
    # The sizes of a 0-d tensor would be an empty constant, which ACL refuses.
    sizes = shape or (1,)
    algorithm = b.literal(_PHILOX, dtypes.int32)
    attrs = {"dtype": dtype.code}
    drawn = b.op(op_type, b.const(sizes), key, counter, algorithm, shape=sizes, dtype=dtype, attrs=attrs)
    return b.view(drawn, shape=shape)


@lowering("random", "standard_normal")
def _floats(b: Builder, key: Value, counter: Value, shape: Shape, dtype: DType) -> Value:
    return _draw(b, _OP_TYPES[b.function], key, counter, shape, dtype)


@lowering("integers")
def _integers(b: Builder, key: Value, *operands: Any) -> Value:
    """operands: a counter for each word that is drawn, `low` and the number of integers modulo 2^64, both uint64.

    No word drawn twice: the number of integers is below 2^32, or it takes two words, or it is all 2^64 (and is 0
    then). A word times the number of integers, divided by 2^64, is as good as uniform while the word is much longer
    than the number.
    """
    *counters, low, count, shape, dtype, all_words = operands
    words = [_draw(b, "StatelessRandomUniformFullIntV2", key, one, shape, _WORD) for one in counters]
    if all_words:
        place = words[0]
    elif len(words) == 1:
        place = _upper_product_of_half(b, words[0], count)
    else:
        place = _upper_product_of_pair(b, words[0], words[1], count)
    return _from_word(b, b.elementwise("Add", place, low), dtype)


def _from_word(b: Builder, word: Value, dtype: DType) -> Value:
    if dtype is _WORD:
        return word
    return as_dtype(b, b.view(word, dtypes.int64), dtype)


def _upper(b: Builder, word: Value) -> Value:
    return b.elementwise("RightShift", word, b.literal(_HALF_BITS, _WORD))


def _halves(b: Builder, word: Value) -> tuple[Value, Value]:
    """The upper and the lower 32 bits."""
    return _upper(b, word), b.elementwise("BitwiseAnd", word, b.literal(_LOW_HALF, _WORD))


def _upper_product_of_half(b: Builder, word: Value, factor: Value) -> Value:
    """The upper 64 of the 128 bits of a product; the factor is below 2^32."""
    upper, lower = _halves(b, word)
    carried = _upper(b, b.elementwise("Mul", lower, factor))
    return _upper(b, b.elementwise("Add", b.elementwise("Mul", upper, factor), carried))


def _upper_product(b: Builder, word: Value, factor: Value) -> Value:
    """The upper 64 of the 128 bits of a product. No sum here exceeds 64 bits."""
    upper, lower = _halves(b, word)
    factor_upper, factor_lower = _halves(b, factor)
    carried = _upper(b, b.elementwise("Mul", lower, factor_lower))
    middle = b.elementwise("Add", b.elementwise("Mul", upper, factor_lower), carried)
    middle_upper, middle_lower = _halves(b, middle)
    other = b.elementwise("Add", b.elementwise("Mul", lower, factor_upper), middle_lower)
    whole = b.elementwise("Add", b.elementwise("Mul", upper, factor_upper), middle_upper)
    return b.elementwise("Add", whole, _upper(b, other))


def _upper_product_of_pair(b: Builder, high: Value, low: Value, factor: Value) -> Value:
    """The upper 64 of the 192 bits of the product of a number of two words."""
    own = b.elementwise("Mul", high, factor)
    total = b.elementwise("Add", own, _upper_product(b, low, factor))
    carry = b.cast(b.cast(b.elementwise("Less", total, own), dtypes.int64), _WORD)
    return b.elementwise("Add", _upper_product(b, high, factor), carry)


@lowering("random_choice")
def _choice(b: Builder, key: Value, counter: Value, thresholds: Value, shape: Shape) -> Value:
    """Positions. thresholds: the sums of the chances up to and with each position, as int64 in units of 2^-62."""
    if 0 in shape:
        return b.fill(0, dtypes.int64, shape)
    flat = (prod(shape),)
    word = _draw(b, "StatelessRandomUniformFullIntV2", key, counter, flat, dtypes.int64)
    number = b.elementwise("BitwiseAnd", word, b.literal(2**_CHANCE_BITS - 1, dtypes.int64))
    found = b.op("SearchSorted", thresholds, number, None, shape=flat, dtype=dtypes.int64, attrs={"right": True})
    return b.view(found, shape=shape)


@lowering("permutation")
def _permutation(b: Builder, seed: Value, offset: Value, n: int) -> Value:
    if not n:
        return b.fill(0, dtypes.int64, (0,))
    return b.op("StatelessRandperm", b.const([n]), seed, offset, shape=(n,), dtype=dtypes.int64)
