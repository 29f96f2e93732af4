"""einsum against NumPy's, by random subscripts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ascendtensor as at
from ops_registry import dtypes
from ops_registry.dtypes import DType

from .comparison import assert_matches, on_device
from .layouts import Array, moderate, refuses, tensors

pytestmark = pytest.mark.filterwarnings("error::ascendtensor.HostFallbackWarning")

EVERY = pytest.mark.parametrize("dtype", dtypes.ALL, ids=str)

Operands = list[tuple[Array, at.Tensor]]


@st.composite
def contractions(draw: st.DrawFn, dtype: DType) -> tuple[str, Operands]:
    """Subscripts and operands that fit them: repeated labels, ellipses, lengths of 1 and of 0 among them."""
    letters = "iBjka"
    lengths = {letter: draw(st.sampled_from([2, 3, 1, 0] if letter == "a" else [2, 3, 1])) for letter in letters}
    hidden = draw(st.lists(st.sampled_from([1, 2, 3]), max_size=2))
    inputs, operands = [], []
    for _ in range(draw(st.integers(1, 3))):
        labels = draw(st.lists(st.sampled_from(letters), max_size=3))
        # A label that comes twice stands for one length; else a length of 1 broadcasts.
        shape = [
            lengths[one] if labels.count(one) > 1 else draw(st.sampled_from([lengths[one]] * 3 + [1])) for one in labels
        ]
        text = "".join(labels)
        if hidden and draw(st.booleans()):
            place = draw(st.integers(0, len(labels)))
            below = [draw(st.sampled_from([n, n, 1])) for n in hidden[draw(st.integers(0, len(hidden))) :]]
            text = text[:place] + "..." + text[place:]
            shape[place:place] = below
        inputs.append(text)
        operands.append(draw(tensors(dtype, tuple(shape), moderate(dtype, 4))))
    used = sorted({letter for text in inputs for letter in text if letter != "."})
    subscripts = ",".join(inputs)
    if draw(st.booleans()):
        output = "".join(draw(st.permutations(used))[: draw(st.integers(0, len(used)))])
        place = draw(st.integers(0, len(output)))
        subscripts += "->" + (output[:place] + "..." + output[place:] if "..." in subscripts else output)
    return subscripts, operands


def wide(array: Array) -> Array:
    return array.astype(np.float64) if dtypes.of(array.dtype).kind == "f" else array


@EVERY
@given(data=st.data())
def test_einsum(dtype: DType, data: st.DataObject) -> None:
    subscripts, operands = data.draw(contractions(dtype))
    arrays, given_tensors = zip(*operands, strict=True)
    with np.errstate(all="ignore"):
        expected = np.einsum(subscripts, *map(wide, arrays))
        magnitudes = [np.abs(wide(array)).astype(np.float64) for array in arrays]
        scale = float(np.max(np.einsum(subscripts, *magnitudes), initial=0)) if dtype.kind in "fc" else 0.0
    found = at.einsum(subscripts, *given_tensors, optimize=data.draw(st.sampled_from([False, True, "greedy"])))
    # Products of several narrow numbers round at every step.
    assert_matches(found, expected, dtype=dtype, ulps=16, scale=scale)


TEXTS = [
    ("ii", [(3, 3)]),
    ("ii->i", [(3, 3)]),
    ("ji", [(2, 3)]),
    ("i j , j k -> k i", [(2, 3), (3, 4)]),
    ("bij,bjk->bik", [(2, 3, 4), (2, 4, 5)]),
    ("...ij,...jk", [(2, 1, 3, 4), (5, 4, 2)]),
    ("i,j->ij", [(3,), (4,)]),
    ("i,i,i->i", [(3,), (3,), (1,)]),
    ("ij,kl,jk->il", [(2, 3), (4, 5), (3, 4)]),
    ("ea,fb,abcd,gc,hd->efgh", [(2, 3), (2, 3), (3, 3, 3, 3), (2, 3), (2, 3)]),
    ("i->...i", [(3,)]),
    ("...i->...", [(2, 3)]),
    (",", [(), ()]),
    ("->", [()]),
    ("", [()]),
    ("ijkl,ijkl->", [(2, 3, 2, 2)] * 2),
]


@pytest.mark.parametrize(("subscripts", "shapes"), TEXTS, ids=[text for text, _ in TEXTS])
def test_known_subscripts(subscripts: str, shapes: list[tuple[int, ...]]) -> None:
    arrays = [np.arange(np.prod(shape), dtype=np.int64).reshape(shape) - 2 for shape in shapes]
    assert_matches(at.einsum(subscripts, *map(on_device, arrays)), np.einsum(subscripts, *arrays), dtype=dtypes.int64)


def test_labels_that_follow_their_operands() -> None:
    a, b = np.arange(6).reshape(2, 3), np.arange(12).reshape(3, 4)
    x, y = on_device(a), on_device(b)
    calls: list[tuple[Any, ...]] = [
        (x, [0, 1], y, [1, 2], [2, 0]),
        (x, [0, 1], y, [1, 2]),
        (x, [30, 1], y, (1, 51)),
        (x, [..., 1], [1, ...]),
        (x, [1, 0]),
        (x, [0, 1], []),
    ]
    for call in calls:
        arrays = [{id(x): a, id(y): b}.get(id(one), one) for one in call]
        assert_matches(at.einsum(*call), np.einsum(*arrays), dtype=dtypes.int64)


def test_what_is_only_rearranged_is_a_view() -> None:
    x = at.zeros((2, 3, 3))
    at.einsum("kii->ik", x)[...] = 1
    assert at.sum(x).item() == 6
    assert at.einsum("i", x[0, 0]).storage is x.storage


def test_dtypes_are_promoted() -> None:
    x, y = at.ones(3, dtype=at.int32), at.ones(3, dtype=at.float16)
    assert_matches(at.einsum("i,i", x, y), 3, dtype=dtypes.float16)
    assert_matches(at.einsum("i,i->", x, x), 3, dtype=dtypes.int32)
    truth = at.asarray([True, False, True])
    assert_matches(at.einsum("i,i", truth, truth), True, dtype=dtypes.bool_)
    assert_matches(at.einsum("i,j->j", truth, ~truth), [False, True, False], dtype=dtypes.bool_)
    assert_matches(
        at.einsum("i,i", at.full(2, 16, dtype=at.uint8), at.full(2, 9, dtype=at.uint8)), 32, dtype=dtypes.uint8
    )


def test_the_order_keeps_what_comes_between_small() -> None:
    x, y = at.ones((64, 2)), at.ones((2, 64))
    with at.profiler.profile() as profile:
        assert at.einsum("ij,kl,jk->il", x, y, at.ones((2, 2))).shape == (64, 64)
    assert {op.op_type for op in profile.key_averages()} >= {"MatMulV2"}
    assert "Mul" not in {op.op_type for op in profile.key_averages()}


def test_what_is_refused() -> None:
    x, y = at.ones((2, 3)), at.ones((4, 2))
    wrong: list[tuple[Any, ...]] = [
        ("ij",),
        ("ij,jk", x),
        ("ij", x, y),
        ("i", x),
        ("ijk", x),
        ("ij...k", x),
        ("ij,jk", x, y),
        ("ii", x),
        ("ii->i", x[:1]),
        ("ij->ii", x),
        ("ij->k", x),
        ("...j->j", x),
        ("i.j", x),
        ("...i...", x),
        ("i1", x),
        ("i-j", x),
        ("ij->i->j", x),
        ("...,...", x, y),
        (x, [0, 52]),
        (x, [0, -1]),
        (x, [0]),
    ]
    for call in wrong:
        with refuses(ValueError, "einsum"):
            at.einsum(*call)
    mistyped: list[tuple[Any, ...]] = [
        (x,),
        ("ij", [[1]]),
        (x, [0, "a"]),
        (x, [0, True]),
        (x, "ij"),
        (x, 1),
        (x, [0, 1.0]),
    ]
    for call in mistyped:
        with refuses(TypeError, "einsum"):
            at.einsum(*call)
    large, signed = at.ones(2, dtype=at.uint64), at.ones(2, dtype=at.int8)
    with refuses(TypeError, "uint64"):
        at.einsum("i,i", large, signed)
