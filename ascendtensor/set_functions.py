"""Set functions (standard section "Set Functions"). No NaN equals another, nor itself."""

from __future__ import annotations

from typing import NamedTuple

from ops_registry import dtypes

from .creation import full
from .elementwise import isnan
from .manipulation import concat
from .runtime.scalars import Scalar
from .searching import take, where
from .tensor import Tensor, run, tensor_operand, to_operands

__all__ = ["isin", "unique_all", "unique_counts", "unique_inverse", "unique_values"]


class UniqueAll(NamedTuple):
    """Of distinct elements in ascending order.

    Attributes:
        values: one dimension, the dtype of the input.
        indices: int64, where each stands first in the flattened input.
        inverse_indices: int64, which of them each element of the input is, in the input's shape.
        counts: int64, how often each occurs.
    """

    values: Tensor
    indices: Tensor
    inverse_indices: Tensor
    counts: Tensor


class UniqueCounts(NamedTuple):
    """As in `UniqueAll`."""

    values: Tensor
    counts: Tensor


class UniqueInverse(NamedTuple):
    """As in `UniqueAll`."""

    values: Tensor
    inverse_indices: Tensor


def unique_all(x: Tensor, /) -> UniqueAll:
    """The distinct elements in ascending order, and where they are (CANN: UniqueWithCountsExt2).

    Both zeros are one element, the first of them; every NaN is one of its own, after all numbers. Complex numbers
    are ordered by their real, then their imaginary parts. Waits for the device, which alone knows how many there are.
    """
    x = tensor_operand("unique_all", x)
    indices, counts, inverse = _groups(x)
    return UniqueAll(_values(x, indices), indices, inverse.reshape(x.shape), counts)


def unique_counts(x: Tensor, /) -> UniqueCounts:
    """The distinct elements and how often each occurs; as `unique_all`."""
    indices, counts, _ = _groups(tensor_operand("unique_counts", x))
    return UniqueCounts(_values(x, indices), counts)


def unique_inverse(x: Tensor, /) -> UniqueInverse:
    """The distinct elements and which of them each element is; as `unique_all`."""
    indices, _, inverse = _groups(tensor_operand("unique_inverse", x))
    return UniqueInverse(_values(x, indices), inverse.reshape(x.shape))


def unique_values(x: Tensor, /) -> Tensor:
    """The distinct elements; as `unique_all`."""
    indices, _, _ = _groups(tensor_operand("unique_values", x))
    return _values(x, indices)


def _values(x: Tensor, indices: Tensor) -> Tensor:
    return take(x.reshape(-1), indices)


def _groups(x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """First places and counts of the distinct elements, and the flattened input by their numbers."""
    first, counts, inverse = run("unique", _ranks(x) if x.dtype.kind == "c" else x)
    return first, counts, inverse


def _ranks(x: Tensor) -> Tensor:
    """An int64 for each complex number of the flattened input, in their order, equal only where they are equal.

    A number's part ranks among the parts of all. The NaNs come last as NumPy has them: a NaN in the imaginary
    part, then in the real part, then in both.
    """
    flat = x.reshape(-1)
    count = flat.size
    real, imag = (run("unique", part)[2] for part in (flat.real, flat.imag))
    real_nan, imag_nan = isnan(flat.real), isnan(flat.imag)
    # The ranks of NaNs differ, so that they keep numbers with one apart; what orders those is the other part.
    rank = where(real_nan, imag * count + real, real * count + imag)
    return (2 * real_nan.astype(dtypes.int64) + imag_nan.astype(dtypes.int64)) * count**2 + rank


def isin(x1: Tensor | Scalar, x2: Tensor | Scalar, /, *, invert: bool = False) -> Tensor:
    """Whether each element of `x1` occurs in `x2` (CANN: Sort, SearchSorted).

    Parameters:
        x1, x2: one of them may be a number; the result has the shape of `x1`.
        invert: whether it does not occur.

    Raises:
        TypeError: neither is a Tensor, or their dtypes have no common one.
        OverflowError: an integer number is out of the tensor's range.
    """
    operands = to_operands("isin", x1, x2)
    if operands is None:
        raise TypeError(f"isin: operands are Tensors and numbers, not {type(x1).__name__} and {type(x2).__name__}")
    if any(one.dtype.kind == "c" for one in (x1, x2) if isinstance(one, Tensor)) or complex in (type(x1), type(x2)):
        return _complex_isin(x1, x2, bool(invert))
    found: Tensor = run("isin", *operands, bool(invert))
    return found


def _complex_isin(x1: Tensor | Scalar, x2: Tensor | Scalar, invert: bool) -> Tensor:
    like = next(one for one in (x1, x2) if isinstance(one, Tensor))
    tensors = [one if isinstance(one, Tensor) else full((), one, device=like.device) for one in (x1, x2)]
    shape, count = tensors[0].shape, tensors[0].size
    ranks = _ranks(concat([one.reshape(-1) for one in tensors]))
    found: Tensor = run("isin", ranks[:count], ranks[count:], invert)
    return found.reshape(shape)
