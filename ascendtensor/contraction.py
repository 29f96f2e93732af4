"""Sums of products over named dimensions, in NumPy's notation.

Operands are multiplied two at a time. What a step costs is what a matrix product costs: dimensions that the two share
and nobody else wants are its inner one, those that they share and that are wanted stack it, the rest are its rows
and columns.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import reduce
from itertools import combinations
from math import prod
from string import ascii_letters, ascii_lowercase, ascii_uppercase
from typing import Any, NamedTuple

from ops_registry import dtypes, promotion

from .data_type import astype
from .manipulation import expand_dims, permute_dims, reshape
from .tensor import Tensor, binary, matmul, run, tensor_operand
from .views import View

__all__ = ["einsum"]

# A letter, or a dimension of the ellipsis, counted from the end: -1 is the last one.
Label = str | int
Labels = tuple[Label, ...]

_ELLIPSIS = "..."
_NUMBERED = ascii_uppercase + ascii_lowercase


class Term(NamedTuple):
    """A tensor and the label of each of its dimensions."""

    tensor: Tensor
    labels: Labels

    def length(self, label: Label) -> int:
        """Of the label's dimension."""
        return self.tensor.shape[self.labels.index(label)]


def einsum(subscripts: Any, /, *operands: Any, optimize: Any = False) -> Tensor:
    """A sum of products over the dimensions that share a label (CANN: MatMulV2, BatchMatMulV2, ReduceSum, Mul).

    Parameters:
        subscripts: a letter for each dimension of each operand and, after an arrow, for each of the result, such as
            `"ij,jk->ik"`. Dimensions under an ellipsis broadcast. Without an arrow the result has those under the
            ellipsis, then the labels that come once, in the order of the alphabet.
        operands: Tensors of any dtype. In place of subscripts a sequence of integers or Ellipsis may follow each
            operand, and one more the last for the result: `einsum(x, [0, 1], [1, 0])`.
        optimize: has no influence; the order is always chosen by the size of what comes between.

    Returns:
        A tensor of the operands' common dtype: a sum of integers wraps, one of bool is whether any product holds. A
        view of the operand where nothing is to be computed.

    Raises:
        TypeError: operands of other types, or dtypes that have no common one.
        ValueError: subscripts that do not fit the operands, or lengths that differ.
    """
    if isinstance(subscripts, str):
        inputs, output, given = *_split(subscripts), list(operands)
    else:
        inputs, output, given = _interleaved((subscripts, *operands))
    tensors = [tensor_operand("einsum", x) for x in given]
    if len(inputs) != len(tensors) or not tensors:
        raise ValueError(f"einsum: subscripts for {len(inputs)} operands, of which there are {len(tensors)}")
    terms = [Term(x, _labels(text, x.ndim)) for text, x in zip(inputs, tensors, strict=True)]
    wanted = _result_labels(output, [term.labels for term in terms])
    lengths = _lengths(terms)
    dtype = reduce(promotion.promote, (x.dtype for x in tensors))
    if dtype is dtypes.bool_ and not _is_view(terms, wanted):
        # A sum of zeros and ones is zero where no product holds, however it rounds.
        counted = _contracted([Term(astype(x, dtypes.float32), labels) for x, labels in terms], wanted, lengths)
        return binary("not_equal", counted, 0)
    return _contracted([Term(astype(x, dtype, copy=False), labels) for x, labels in terms], wanted, lengths)


# Notation


def _split(subscripts: str) -> tuple[list[str], str | None]:
    """What stands for each operand, and for the result if there is an arrow."""
    text = subscripts.replace(" ", "")
    inputs, arrow, output = text.partition("->")
    for part in (*inputs.split(","), output):
        if set(part.replace(_ELLIPSIS, "", 1)) - set(ascii_letters):
            raise ValueError(f"einsum: {subscripts!r} is not made of letters, commas, an arrow and ellipses '...'")
    return inputs.split(","), output if arrow else None


def _interleaved(arguments: tuple[Any, ...]) -> tuple[list[str], str | None, list[Any]]:
    """As `_split`, of operands that each have their labels after them; and the operands."""
    pairs = len(arguments) // 2
    inputs = [_spelled(labels) for labels in arguments[1 : 2 * pairs : 2]]
    return inputs, _spelled(arguments[-1]) if len(arguments) % 2 else None, list(arguments[: 2 * pairs : 2])


def _spelled(labels: Any) -> str:
    if not isinstance(labels, Sequence) or isinstance(labels, str):
        raise TypeError(f"einsum: labels are a sequence of integers and Ellipsis, not {labels!r}")
    return "".join(_ELLIPSIS if label is Ellipsis else _letter(label) for label in labels)


def _letter(label: Any) -> str:
    if isinstance(label, bool) or not hasattr(label, "__index__"):
        raise TypeError(f"einsum: labels are integers and Ellipsis, not {label!r}")
    if not 0 <= label < len(_NUMBERED):
        raise ValueError(f"einsum: the label {label} is not from 0 to {len(_NUMBERED) - 1}")
    return _NUMBERED[label]


def _labels(text: str, ndim: int) -> Labels:
    """A label for each of `ndim` dimensions."""
    before, ellipsis, after = text.partition(_ELLIPSIS)
    hidden = ndim - len(before) - len(after)
    if hidden < 0 or (hidden and not ellipsis):
        raise ValueError(f"einsum: subscripts {text!r} do not fit a tensor of {ndim} dimensions")
    return (*before, *range(-hidden, 0), *after)


def _result_labels(output: str | None, inputs: list[Labels]) -> Labels:
    count = Counter(label for labels in inputs for label in labels)
    hidden = sorted(label for label in count if isinstance(label, int))
    letters = sorted(label for label in count if isinstance(label, str))
    if output is None:
        return (*hidden, *(letter for letter in letters if count[letter] == 1))
    before, ellipsis, after = output.partition(_ELLIPSIS)
    if hidden and not ellipsis:
        raise ValueError(
            f"einsum: the result {output!r} has no ellipsis for dimensions that the operands' ellipses have"
        )
    for letter in (*before, *after):
        if letter not in count:
            raise ValueError(f"einsum: the result's label {letter!r} is none of the operands'")
        if (before + after).count(letter) > 1:
            raise ValueError(f"einsum: the result has the label {letter!r} twice")
    return (*before, *hidden, *after)


def _lengths(terms: list[Term]) -> dict[Label, int]:
    """The length that every label stands for; those of 1 broadcast."""
    lengths: dict[Label, int] = {}
    for term in terms:
        for label, n in zip(term.labels, term.tensor.shape, strict=True):
            known = lengths.get(label, 1)
            if 1 not in (n, known) and n != known:
                raise ValueError(f"einsum: {label!r} stands for lengths of {known} and {n}")
            if term.length(label) != n:
                raise ValueError(f"einsum: {label!r} stands for lengths of {term.length(label)} and {n} of one operand")
            lengths[label] = n if known == 1 else known
    return lengths


# Computation


def _is_view(terms: list[Term], wanted: Labels) -> bool:
    return len(terms) == 1 and {*wanted} == {*terms[0].labels}


def _contracted(terms: list[Term], wanted: Labels, lengths: dict[Label, int]) -> Tensor:
    terms = [_without_stretched(_diagonal(term), lengths) for term in terms]
    while len(terms) > 1:
        first, second = min(combinations(terms, 2), key=lambda pair: _size(pair, terms, wanted, lengths))
        rest = [term for term in terms if term is not first and term is not second]
        terms = [*rest, _product(first, second, _needed(rest, wanted))]
    tensor, labels = _summed(terms[0], {*wanted})
    return permute_dims(tensor, [labels.index(label) for label in wanted])


def _needed(rest: list[Term], wanted: Labels) -> set[Label]:
    return {*wanted, *(label for term in rest for label in term.labels)}


def _size(pair: tuple[Term, Term], terms: list[Term], wanted: Labels, lengths: dict[Label, int]) -> int:
    """How many elements the product of two terms has."""
    first, second = pair
    needed = _needed([term for term in terms if term is not first and term is not second], wanted)
    return prod(lengths[label] for label in {*first.labels, *second.labels} & needed)


def _diagonal(term: Term) -> Term:
    """The term with every label once: where one comes again, only elements with equal positions count."""
    tensor, labels = term
    kept = tuple(dict.fromkeys(labels))
    if len(kept) == len(labels):
        return term
    view = tensor._view
    strides = [sum(s for s, label in zip(view.strides, labels, strict=True) if label == one) for one in kept]
    return Term(tensor._viewed(View(tuple(map(term.length, kept)), tuple(strides), view.offset)), kept)


def _without_stretched(term: Term, lengths: dict[Label, int]) -> Term:
    """The term without dimensions of length 1 that other operands have at greater length."""
    tensor, labels = term
    kept = tuple(label for label in labels if term.length(label) == lengths[label])
    return Term(reshape(tensor, tuple(map(lengths.__getitem__, kept))), kept) if len(kept) < len(labels) else term


def _summed(term: Term, needed: set[Label]) -> Term:
    """The term summed over what nobody needs, in its own dtype."""
    tensor, labels = term
    axes = tuple(axis for axis, label in enumerate(labels) if label not in needed)
    if not axes:
        return term
    return Term(run("sum", tensor, axes, tensor.dtype, False), tuple(label for label in labels if label in needed))


def _product(first: Term, second: Term, needed: set[Label]) -> Term:
    """The product of two terms, summed over what they share and nobody needs."""
    first = _summed(first, needed | {*second.labels})
    second = _summed(second, needed | {*first.labels})
    shared = [label for label in first.labels if label in second.labels]
    stacked = [label for label in shared if label in needed]
    inner = [label for label in shared if label not in needed]
    rows = [label for label in first.labels if label not in shared]
    columns = [label for label in second.labels if label not in shared]
    labels = (*stacked, *rows, *columns)
    if not inner:
        left, right = _ordered(first, stacked, rows), _ordered(second, stacked, columns)
        # Columns are new last dimensions of the one, rows come before the columns of the other.
        left = expand_dims(left, tuple(range(left.ndim, len(labels))))
        right = expand_dims(right, tuple(range(len(stacked), len(stacked) + len(rows))))
        return Term(run("multiply", left, right), labels)
    left, right = _matrices(first, stacked, rows, inner), _matrices(second, stacked, inner, columns)
    shape = [
        term.length(label) for term, part in ((first, stacked), (first, rows), (second, columns)) for label in part
    ]
    return Term(reshape(matmul(left, right), shape), labels)


def _ordered(term: Term, *parts: list[Label]) -> Tensor:
    return permute_dims(term.tensor, [term.labels.index(label) for part in parts for label in part])


def _matrices(term: Term, *parts: list[Label]) -> Tensor:
    """One dimension for each part; two where nothing is stacked."""
    sizes = [prod(map(term.length, part)) for part in parts]
    return reshape(_ordered(term, *parts), sizes if parts[0] else sizes[1:])
