"""How often values come, and how many lie between edges, by NumPy's names."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from typing import Any, NamedTuple

import numpy as np

from ops_registry import dtypes, promotion
from ops_registry.dtypes import DType

from .arguments import integer_parameter
from .bin_widths import RULES, Sample, bins_of
from .creation import empty, zeros
from .data_type import astype
from .elementwise import equal, greater, greater_equal, less_equal, logical_and
from .host_values import python_number
from .manipulation import reshape, stack
from .searching import searchsorted, where
from .statistical import max, min, sum
from .tensor import Tensor, binary, from_numpy, run, tensor_operand
from .utility import any, diff

__all__ = ["bincount", "histogram", "histogram_bin_edges"]

Bins = int | str | Sequence[float] | Tensor | Any
Range = tuple[float, float] | None
Array = np.ndarray[Any, Any]

# The op counts in bins that int32 numbers.
_MOST = 2**31 - 2


class Histogram(NamedTuple):
    """How many elements lie in each bin, and the edges of the bins."""

    hist: Tensor
    bin_edges: Tensor


def bincount(x: Tensor, /, weights: Tensor | None = None, minlength: int = 0) -> Tensor:
    """How often each number comes, from 0 to the greatest there is (CANN: Bincount). Waits for the device.

    Parameters:
        x: a Tensor of bool or integers, one dimension, none of them negative.
        weights: a real Tensor of the same shape: what is added up in the place of ones, in float64.
        minlength: how many numbers are counted at least.

    Returns:
        int64; with weights their own dtype, or the default floating one for integers.

    Raises:
        TypeError: other dtypes, or a length that is no integer.
        ValueError: not one dimension, negative numbers or ones beyond int32, or weights of another shape.
    """
    if tensor_operand("bincount", x).dtype.kind not in "biu":
        raise TypeError(f"bincount: a tensor of {x.dtype} holds no integers to be counted")
    if x.ndim != 1:
        raise ValueError(f"bincount: a tensor of one dimension is counted, not one of {x.ndim}")
    least = integer_parameter("bincount", "minlength", minlength)
    if least < 0:
        raise ValueError(f"bincount: minlength must not be negative; it is {minlength}")
    result = dtypes.int64
    if weights is not None:
        _check_weights("bincount", x, weights, "biuf")
        result = weights.dtype if weights.dtype.kind == "f" else promotion.default_float()
        weights = astype(weights, dtypes.float64, copy=False)
    first, last = _ends(x).tolist() if x.size else (0, -1)
    if first < 0 or last > _MOST:
        raise ValueError(f"bincount: numbers from 0 to {_MOST} are counted; there are some from {first} to {last}")
    return astype(_counts(x, weights, least if last < least else int(last) + 1), result, copy=False)


def histogram(
    x: Tensor,
    /,
    bins: Bins = 10,
    range: Range = None,
    density: bool | None = None,
    weights: Tensor | None = None,
) -> Histogram:
    """How many elements lie in each bin (CANN: SearchSorted, Bincount). Waits for the device where no edges are given.

    Parameters:
        x: a Tensor of real dtype or bool, of any shape. What lies in no bin, as a NaN, is not counted.
        bins: how many bins of one width; the name of a rule that finds how many: "auto", "doane", "fd", "rice",
            "scott", "sqrt", "stone" or "sturges"; or the edges, in order. A bin holds its left edge, the last one
            its right edge too.
        range: the outer edges, by default the least and the greatest element. Given edges say it themselves.
        density: whether counts are divided so that the bins' areas come to 1.
        weights: a Tensor of the same shape: how much each element counts.

    Returns:
        The counts as int64, or in the weights' dtype, in which they are added up in double precision; or densities in
        the dtype of the edges. Edges made here have the dtype of `x`, or the default floating one for integers, whose
        bins are told apart in float64 all the same. Edges given as numbers are told in that dtype too.

    Raises:
        TypeError: a complex dtype, bins of another type, or a rule for elements with weights.
        ValueError: another rule, less than one bin, edges that are not in order, a range that is none or not
            finite, bins too narrow for the dtype, or weights of another shape.
    """
    flat = _flat_operand("histogram", x)
    if weights is not None:
        _check_weights("histogram", x, weights, "biufc")
    exact, edges = _edges("histogram", flat, bins, range, weights is not None)
    counts = _binned(flat, None if weights is None else reshape(weights, (-1,)), exact)
    if not density:
        return Histogram(counts, edges)
    dtype = edges.dtype if edges.dtype.kind == "f" else promotion.default_float()
    if weights is not None and weights.dtype.kind in "fc":
        dtype = promotion.promote(dtype, weights.dtype)
    wide = astype(counts, dtypes.complex128 if counts.dtype.kind == "c" else dtypes.float64, copy=False)
    areas = binary("multiply", diff(astype(exact, dtypes.float64, copy=False)), sum(wide))
    return Histogram(astype(binary("divide", wide, areas), dtype, copy=False), edges)


def histogram_bin_edges(x: Tensor, /, bins: Bins = 10, range: Range = None, weights: Tensor | None = None) -> Tensor:
    """The edges of the bins that `histogram` counts in, which tells of parameters and errors."""
    flat = _flat_operand("histogram_bin_edges", x)
    if weights is not None:
        _check_weights("histogram_bin_edges", x, weights, "biufc")
    return _edges("histogram_bin_edges", flat, bins, range, weights is not None)[1]


# Arguments


def _flat_operand(function: str, x: Tensor) -> Tensor:
    if tensor_operand(function, x).dtype.kind == "c":
        raise TypeError(f"{function}: complex numbers have no order; a tensor of {x.dtype} is not taken")
    flat = reshape(x, (-1,))
    return astype(flat, dtypes.uint8) if x.dtype is dtypes.bool_ else flat


def _check_weights(function: str, x: Tensor, weights: Tensor, kinds: str) -> None:
    if tensor_operand(function, weights).dtype.kind not in kinds:
        raise TypeError(f"{function}: weights of {weights.dtype} are no real numbers")
    if weights.shape != x.shape:
        raise ValueError(f"{function}: weights of shape {weights.shape} for a tensor of shape {x.shape}")


def _ends(x: Tensor) -> Array:
    """The least and the greatest element, on the host."""
    return stack([min(x), max(x)]).numpy()


# Counting


def _counts(x: Tensor, weights: Tensor | None, size: int) -> Tensor:
    """How often the numbers below `size` come."""
    counted: Tensor = run("bincount", x, size) if weights is None else run("bincount", x, weights, size)
    return counted


def _binned(x: Tensor, weights: Tensor | None, edges: Tensor) -> Tensor:
    """The counts between edges, in the dtype of the weights."""
    bins = edges.size - 1
    if bins < 1:
        return zeros(0, dtype=dtypes.int64 if weights is None else weights.dtype, device=x.device)
    # How many edges are not greater: none before the first bin, and all after the last one and on its right edge.
    passed = searchsorted(edges, x, side="right")
    places = where(equal(x, edges[-1]), bins, passed)
    if weights is None:
        return _counts(places, None, bins + 2)[1:-1]
    if weights.dtype.kind != "c":
        return astype(_counts(places, weights, bins + 2)[1:-1], weights.dtype, copy=False)
    counted = empty(bins, dtype=weights.dtype, device=x.device)
    for part, told in ((counted.real, weights.real), (counted.imag, weights.imag)):
        part[...] = _counts(places, told, bins + 2)[1:-1]
    return counted


# Edges


def _edges(function: str, x: Tensor, bins: Bins, range: Range, weighted: bool) -> tuple[Tensor, Tensor]:
    """The edges by which elements are told apart, and those that the caller sees."""
    if isinstance(bins, str):
        if bins not in RULES:
            raise ValueError(f"{function}: bins is {bins!r}; a rule is one of {', '.join(map(repr, RULES))}")
        if weighted:
            raise TypeError(f"{function}: no rule, such as {bins!r}, finds bins for elements with weights")
        return _uniform(function, x, bins, range)
    if isinstance(bins, Tensor) and bins.ndim:
        return _given_tensor(function, x, bins)
    if np.ndim(bins):
        return _given_numbers(function, x, bins)
    count = integer_parameter(function, "bins", bins)
    if count < 1:
        raise ValueError(f"{function}: there must be one bin at least, not {count}")
    return _uniform(function, x, count, range)


def _given_tensor(function: str, x: Tensor, edges: Tensor) -> tuple[Tensor, Tensor]:
    _check_edges(function, edges.ndim, edges.dtype)
    if any(greater(edges[:-1], edges[1:])):
        raise _not_in_order(function)
    return _comparable(edges, x.dtype), edges


def _given_numbers(function: str, x: Tensor, bins: Any) -> tuple[Tensor, Tensor]:
    numbers = np.asarray(bins)
    if numbers.dtype.name not in dtypes.BY_NAME:
        raise TypeError(f"{function}: edges are real numbers, not {bins!r}")
    dtype = dtypes.of(numbers.dtype)
    _check_edges(function, numbers.ndim, dtype)
    if np.any(numbers[:-1] > numbers[1:]):
        raise _not_in_order(function)
    exact = from_numpy(numbers, dtype, x.device)
    told = dtype if hasattr(bins, "dtype") or dtype.kind != "f" else _edges_dtype(x.dtype)
    return _comparable(exact, x.dtype), astype(exact, told, copy=False)


def _check_edges(function: str, ndim: int, dtype: DType) -> None:
    if ndim != 1:
        raise ValueError(f"{function}: edges have one dimension, not {ndim}")
    if dtype.kind not in "iuf":
        raise TypeError(f"{function}: edges are real numbers, not {dtype}")


def _not_in_order(function: str) -> ValueError:
    return ValueError(f"{function}: edges must increase from one to the next, or stay")


def _comparable(edges: Tensor, dtype: DType) -> Tensor:
    """Edges in a dtype in which elements of another lose nothing beside them, that NumPy too compares in."""
    mixed = (dtype.kind == "f") != (edges.dtype.kind == "f")
    unsigned = dtypes.uint64 in (dtype, edges.dtype) and "i" in (dtype.kind, edges.dtype.kind)
    return astype(edges, dtypes.float64, copy=False) if mixed or unsigned else edges


def _edges_dtype(dtype: DType) -> DType:
    return dtype if dtype.kind == "f" else promotion.default_float()


def _uniform(function: str, x: Tensor, bins: int | str, range: Range) -> tuple[Tensor, Tensor]:
    """Edges of bins of one width, as many as are wanted or as a rule finds."""
    given = None if range is None else _checked_range(function, range)
    first, last = _outer_edges(function, x, given)
    if isinstance(bins, str):
        bins = _estimated(function, x if given is None else _within(x, first, last), bins, first, last)
    exact = _spaced(function, x, bins, first, last)
    return exact, astype(exact, _edges_dtype(x.dtype), copy=False)


def _spaced(function: str, x: Tensor, bins: int, first: Any, last: Any) -> Tensor:
    dtype = _exact_dtype(x.dtype)
    # NumPy's own way from end to end, rounding included; of bfloat16 it knows nothing.
    spaced = np.linspace(first, last, bins + 1, dtype=np.float64 if dtype is dtypes.bfloat16 else dtype.dtype)
    numbers = spaced.astype(dtype.dtype)
    if np.any(numbers[:-1] >= numbers[1:]):
        raise ValueError(
            f"{function}: from {first} to {last} there is no room for {bins} bins with edges of {dtype}; "
            "take fewer, or a wider dtype"
        )
    return from_numpy(numbers, dtype, x.device)


def _exact_dtype(dtype: DType) -> DType:
    """Of the edges that elements of a dtype are held against."""
    return dtype if dtype.kind == "f" else dtypes.float64


def _checked_range(function: str, range: Any) -> tuple[float, float]:
    try:
        low, high = (python_number(function, end) for end in range)
    except (TypeError, ValueError):
        raise TypeError(f"{function}: range is two numbers, not {range!r}") from None
    if isinstance(low, complex) or isinstance(high, complex):
        raise TypeError(f"{function}: range is two real numbers, not {range!r}")
    if low > high:
        raise ValueError(f"{function}: range goes from less to more, not from {low} to {high}")
    if not isfinite(low) or not isfinite(high):
        raise ValueError(f"{function}: range must be finite; it is from {low} to {high}")
    return low, high


def _outer_edges(function: str, x: Tensor, given: Range) -> tuple[Any, Any]:
    """In NumPy's scalars where they are elements, so that it divides between them in their precision."""
    if given is not None:
        first, last = given
    elif x.size == 0:
        first, last = 0, 1
    else:
        ends = _ends(x)
        first, last = ends.astype(np.float32) if x.dtype is dtypes.bfloat16 else ends
        if not np.isfinite(first) or not np.isfinite(last):
            raise ValueError(f"{function}: elements from {first} to {last} have no finite range; name one")
    return (first - 0.5, last + 0.5) if first == last else (first, last)


def _within(x: Tensor, first: float, last: float) -> Tensor:
    """The elements in a range."""
    limits = from_numpy(np.asarray([first, last]), _exact_dtype(x.dtype), x.device)
    return x[logical_and(greater_equal(x, limits[0]), less_equal(x, limits[1]))]


def _estimated(function: str, x: Tensor, rule: str, first: Any, last: Any) -> int:
    """How many bins from end to end a rule finds for elements that all lie there."""
    if not x.size:
        return 1

    def counts(bins: int) -> Tensor:
        return _binned(x, None, _spaced(function, x, bins, first, last))

    least, greatest = _ends(x).tolist()
    length = np.asarray(last).item() - np.asarray(first).item()
    return bins_of(Sample(x, greatest - least, counts), rule, length, x.dtype.kind in "iu")
