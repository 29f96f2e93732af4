"""The wide products behind bounded random integers, against Python's integers."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ops_registry import dtypes, soc
from ops_registry.builder import Builder
from ops_registry.lowerings import random
from ops_registry.program import Spec, Value

from .interpreter import interpret

WORDS = st.integers(0, 2**64 - 1) | st.sampled_from([0, 1, 2**32 - 1, 2**32, 2**63, 2**64 - 1])
MOST = 2**64 - 1


def computed(product: Callable[..., Value], *numbers: int) -> int:
    builder = Builder("integers", soc.DEFAULT, [Spec(dtypes.uint64, (1,))] * len(numbers))
    program = builder.program(product(builder, *builder.operands))
    (result,) = interpret(program, [np.array([number], np.uint64) for number in numbers])
    return int(result[0])


@given(word=WORDS, factor=st.integers(0, 2**32 - 1))
@example(word=MOST, factor=2**32 - 1)
def test_a_word_times_a_half(word: int, factor: int) -> None:
    assert computed(random._upper_product_of_half, word, factor) == (word * factor) >> 64


@given(word=WORDS, factor=WORDS)
@example(word=MOST, factor=MOST)
def test_a_word_times_a_word(word: int, factor: int) -> None:
    assert computed(random._upper_product, word, factor) == (word * factor) >> 64


@given(high=WORDS, low=WORDS, factor=WORDS)
@example(high=MOST, low=MOST, factor=MOST)
@example(high=1, low=MOST, factor=MOST)
def test_two_words_times_a_word(high: int, low: int, factor: int) -> None:
    assert computed(random._upper_product_of_pair, high, low, factor) == (((high << 64) + low) * factor) >> 128


@pytest.mark.parametrize(("least", "most"), [(0, 6), (250, 256), (2**64 - 3, 2**64)])
def test_every_integer_is_there_and_no_other(least: int, most: int) -> None:
    """Words all over the range land on all of few integers, at both ends too."""
    count = most - least
    spec = Spec(dtypes.uint64, (99,))
    builder = Builder("integers", soc.DEFAULT, [spec, Spec(dtypes.uint64)])
    program = builder.program(random._upper_product_of_half(builder, *builder.operands))
    words = np.array([place * MOST // 98 for place in range(99)], np.uint64)
    (places,) = interpret(program, [words, np.array(count, np.uint64)])
    assert {int(place) + least for place in places} == set(range(least, most))
