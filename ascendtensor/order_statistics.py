"""Statistics of the elements in their order, by NumPy's names: median, quantiles, and the range of values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import nan, prod
from typing import Any

import numpy as np

from ops_registry import dtypes, promotion
from ops_registry.dtypes import DType
from ops_registry.shapes import axes_tuple, axis_index, reduced

from .arguments import axis_parameter
from .creation import full, zeros
from .data_type import astype
from .elementwise import equal, isfinite, isnan, less, logical_or, minimum
from .manipulation import broadcast_to, expand_dims, moveaxis, permute_dims, reshape
from .searching import count_nonzero, take, take_along_axis, where
from .sorting import argsort, sort
from .statistical import cumulative_sum, max, min
from .tensor import Tensor, from_numpy, run, tensor_operand
from .utility import all, any

__all__ = ["median", "percentile", "ptp", "quantile"]

Axis = int | tuple[int, ...] | None
Array = np.ndarray[Any, Any]

# Of `n` elements in order, where the one is that each share asks for; what lies outside means the nearest end.
_ELEMENT: dict[str, Callable[[int, Array], Array]] = {
    "inverted_cdf": lambda n, q: np.ceil(n * q - 1),
    "closest_observation": lambda n, q: _closest(n * q - 1.5),
    "lower": lambda n, q: np.floor((n - 1) * q),
    "higher": lambda n, q: np.ceil((n - 1) * q),
    "nearest": lambda n, q: np.rint((n - 1) * q),
}

# The same of a place between two elements, which are blended as it divides their distance.
_PLACE: dict[str, Callable[[int, Array], Array]] = {
    "interpolated_inverted_cdf": lambda n, q: _place(n, q, 0, 1),
    "hazen": lambda n, q: _place(n, q, 0.5, 0.5),
    "weibull": lambda n, q: _place(n, q, 0, 0),
    "linear": lambda n, q: (n - 1) * q,
    "median_unbiased": lambda n, q: _place(n, q, 1 / 3, 1 / 3),
    "normal_unbiased": lambda n, q: _place(n, q, 3 / 8, 3 / 8),
}

# The same of two elements, which may be one, that are blended half and half.
_PAIR: dict[str, Callable[[int, Array], tuple[Array, Array]]] = {
    "averaged_inverted_cdf": lambda n, q: (np.ceil(n * q - 1), np.floor(n * q)),
    "midpoint": lambda n, q: (np.floor((n - 1) * q), np.ceil((n - 1) * q)),
}


def _place(n: int, q: Array, alpha: float, beta: float) -> Array:
    """Hyndman and Fan's family of definitions, counted from 0."""
    return n * q + (alpha + q * (1 - alpha - beta)) - 1


def _closest(halfway: Array) -> Array:
    """The element after a place, or before it where the place is an element's own; of two as near, the one that is
    even when elements are counted from 1.
    """
    return np.where(halfway % 2 == 1, halfway, np.floor(halfway) + 1)


def median(x: Tensor, /, axis: Axis = None, *, keepdims: bool = False) -> Tensor:
    """The middle element over axes, or the mean of the two in the middle; NaN if there is one (CANN: Sort, GatherV2).

    Parameters:
        x: a Tensor of real dtype or bool; integers and bool give the default floating dtype.
        axis: an axis, several, or None for all.
        keepdims: whether the reduced dimensions stay, with length 1.

    Returns:
        NaN where there are no elements.

    Raises:
        TypeError: a complex dtype.
        IndexError: an axis is out of range.
        ValueError: an axis is named twice.
    """
    x = _ordered_operand("median", x)
    axes = axes_tuple("median", axis_parameter("median", axis), x.ndim)
    if not x.size:
        return full(reduced(x.shape, axes, keepdims), nan, dtype=_blended_dtype(x.dtype), device=x.device)
    return _quantile("median", x, 0.5, 1, axes, "linear", keepdims, None)


def quantile(
    x: Tensor,
    q: float | Sequence[float] | Tensor | Any,
    /,
    axis: Axis = None,
    *,
    method: str = "linear",
    keepdims: bool = False,
    weights: Tensor | None = None,
) -> Tensor:
    """The elements, over axes, below which given shares of them lie; NaN if there is one (CANN: Sort, GatherV2).

    Parameters:
        x: a Tensor of real dtype or bool.
        q: shares from 0 to 1: a number, or anything that an array can be made of. Those of a Tensor are waited for.
        axis: an axis, several, or None for all.
        method: one of NumPy's: how a share that falls between two elements is understood. "linear", "hazen",
            "weibull", "median_unbiased", "normal_unbiased", "interpolated_inverted_cdf", "averaged_inverted_cdf" and
            "midpoint" blend the two, integers in the default floating dtype; "lower", "higher", "nearest",
            "inverted_cdf" and "closest_observation" choose one, in its own dtype.
        keepdims: whether the reduced dimensions stay, with length 1.
        weights: how much each element counts, for the method "inverted_cdf": of the shape of `x`, or of the lengths
            of the axes. They are looked at on the way, which waits for the device.

    Returns:
        The dimensions of `q`, then those of `x` that stay.

    Raises:
        TypeError: a complex dtype, or a `q` that is no real number.
        ValueError: a share out of range, another method, an axis that is named twice, no elements, or weights that do
            not fit, are negative, or have no finite positive sum.
        IndexError: an axis is out of range.
    """
    return _quantile("quantile", x, q, 1, axis, method, keepdims, weights)


def percentile(
    x: Tensor,
    q: float | Sequence[float] | Tensor | Any,
    /,
    axis: Axis = None,
    *,
    method: str = "linear",
    keepdims: bool = False,
    weights: Tensor | None = None,
) -> Tensor:
    """As `quantile`, of shares in hundredths: `q` is from 0 to 100."""
    return _quantile("percentile", x, q, 100, axis, method, keepdims, weights)


def ptp(x: Tensor, /, axis: Axis = None, *, keepdims: bool = False) -> Tensor:
    """The greatest element over axes less the least; NaN if there is one (CANN: ReduceMax, ReduceMin, Sub).

    Parameters:
        x: a Tensor of real dtype; the difference of integers wraps in theirs.
        axis: an axis, several, or None for all.
        keepdims: whether the reduced dimensions stay, with length 1.

    Raises:
        TypeError: a complex dtype or bool.
        ValueError: a reduction over no elements, or an axis that is named twice.
        IndexError: an axis is out of range.
    """
    x = _ordered_operand("ptp", x)
    if x.dtype is dtypes.bool_:
        raise TypeError("ptp: a tensor of bool is not taken; its elements have no difference")
    axes = axes_tuple("ptp", axis_parameter("ptp", axis), x.ndim)
    if not x.size and 0 not in (shape := reduced(x.shape, axes, False)):
        raise ValueError(f"ptp: a tensor of shape {x.shape} has no extremes for a result of shape {shape}")
    difference: Tensor = run("subtract", *(end(x, axis=axes, keepdims=keepdims) for end in (max, min)))
    return difference


# Arguments


def _ordered_operand(function: str, x: Tensor) -> Tensor:
    if tensor_operand(function, x).dtype.kind == "c":
        raise TypeError(f"{function}: complex numbers have no order; a tensor of {x.dtype} is not taken")
    return x


def _shares(function: str, q: Any, whole: int) -> Array:
    """What a caller asks for, as fractions."""
    given = q.numpy() if isinstance(q, Tensor) else np.asarray(q)
    if given.dtype.name not in dtypes.BY_NAME or given.dtype.kind == "c":
        raise TypeError(f"{function}: q is made of real numbers, not {q!r}")
    shares = given.astype(np.float64) / whole
    if not np.all((shares >= 0) & (shares <= 1)):
        raise ValueError(f"{function}: q is from 0 to {whole}; it is {given}")
    return shares


def _blended_dtype(dtype: DType) -> DType:
    return dtype if dtype.kind == "f" else promotion.default_float()


# Computation


def _lines(x: Tensor, axes: tuple[int, ...]) -> Tensor:
    """The elements over axes along a last one."""
    kept = [axis for axis in range(x.ndim) if axis not in axes]
    lengths = [x.shape[axis] for axis in axes]
    return reshape(permute_dims(x, [*kept, *axes]), (*(x.shape[axis] for axis in kept), prod(lengths)))


def _quantile(
    function: str,
    x: Tensor,
    q: Any,
    whole: int,
    axis: Axis,
    method: str,
    keepdims: bool,
    weights: Tensor | None,
) -> Tensor:
    x, axis = _ordered_operand(function, x), axis_parameter(function, axis)
    axes = axes_tuple(function, axis, x.ndim)
    shares = _shares(function, q, whole)
    _check_method(function, method, weights is not None)
    heavy = None if weights is None else _fitted_weights(function, x, axis, weights)
    shape = (*shares.shape, *reduced(x.shape, axes, keepdims))
    if 0 in shape:
        return zeros(shape, dtype=x.dtype if method in _ELEMENT else _blended_dtype(x.dtype), device=x.device)
    if not x.size:
        raise ValueError(f"{function}: axes {axes} of a tensor of shape {x.shape} have no elements")
    lines, flat = _lines(x, axes), shares.reshape(-1)
    if heavy is None:
        line = sort(lines)
        found = _found(line, flat, method)
    else:
        order = argsort(lines)
        line = take_along_axis(lines, order)
        found = _reached(function, line, take_along_axis(_lines(heavy, axes), order), flat)
    if x.dtype.kind == "f":
        # A NaN comes last in the order.
        found = where(isnan(line[..., -1:]), nan, found)
    return reshape(moveaxis(found, -1, 0), shape)


def _check_method(function: str, method: str, weighted: bool) -> None:
    if method not in _ELEMENT and method not in _PLACE and method not in _PAIR:
        known = ", ".join(map(repr, (*_PLACE, *_PAIR, *_ELEMENT)))
        raise ValueError(f"{function}: method is {method!r}; it can be {known}")
    if weighted and method != "inverted_cdf":
        raise ValueError(f"{function}: weights go with the method 'inverted_cdf', not with {method!r}")


def _found(line: Tensor, q: Array, method: str) -> Tensor:
    """Of elements in order along the last axis, what stands where the shares ask for it."""
    n = line.shape[-1]
    if method in _ELEMENT:
        return _elements(line, _ELEMENT[method](n, q))
    if method in _PAIR:
        return _blended(line, *_PAIR[method](n, q), np.full_like(q, 0.5))
    place = np.clip(_PLACE[method](n, q), 0, n - 1)
    below = np.floor(place)
    return _blended(line, below, np.ceil(place), place - below)


def _elements(line: Tensor, places: Array) -> Tensor:
    """The elements at places along the last axis; what is before the first or after the last means these."""
    inside = np.clip(places, 0, line.shape[-1] - 1)
    return take(line, from_numpy(inside, dtypes.int64, line.device), axis=-1)


def _blended(line: Tensor, below: Array, above: Array, share: Array) -> Tensor:
    """Between two elements each, by the share of the second."""
    dtype = _blended_dtype(line.dtype)
    wide = dtypes.float32 if dtype.itemsize == 2 else dtype
    first, second = (astype(_elements(line, places), wide, copy=False) for places in (below, above))
    less_of, more_of = (from_numpy(part, wide, line.device) for part in (1 - share, share))
    # As a sum of parts it does not overflow; where the two are equal, so is the blend, be they infinite.
    blend: Tensor = run("add", run("multiply", first, less_of), run("multiply", second, more_of))
    return astype(where(equal(first, second), first, blend), dtype, copy=False)


# Weights


def _reached(function: str, line: Tensor, weights: Tensor, q: Array) -> Tensor:
    """Of elements in order along the last axis, the first with which their weights come to the shares."""
    if any(less(weights, 0)):
        raise ValueError(f"{function}: weights must not be negative")
    sums = cumulative_sum(astype(weights, dtypes.float64, copy=False), axis=-1)
    reached: Tensor = run("divide", sums, sums[..., -1:])
    if not all(isfinite(reached[..., -1])):
        raise ValueError(f"{function}: weights must have a sum that is finite and not zero")
    # What comes before has not come to the share yet, or has no weight.
    reached, wanted = expand_dims(reached, -2), from_numpy(q.reshape(-1, 1), dtypes.float64, line.device)
    passed = count_nonzero(logical_or(less(reached, wanted), equal(reached, 0)), axis=-1)
    return take_along_axis(line, minimum(passed, line.shape[-1] - 1))


def _fitted_weights(function: str, x: Tensor, axis: Axis, weights: Tensor) -> Tensor:
    """A weight for each element."""
    if tensor_operand(function, weights).dtype.kind == "c":
        raise TypeError(f"{function}: weights of {weights.dtype} are no real numbers")
    if weights.shape == x.shape:
        return weights
    named = () if axis is None else axis if isinstance(axis, tuple) else (axis,)
    places = [axis_index(function, one, x.ndim) for one in named]
    if axis is None or weights.shape != tuple(x.shape[place] for place in places):
        raise ValueError(f"{function}: weights of shape {weights.shape} fit neither {x.shape} nor the axes {axis}")
    ordered = permute_dims(weights, sorted(range(len(places)), key=places.__getitem__))
    aligned = reshape(ordered, tuple(n if place in places else 1 for place, n in enumerate(x.shape)))
    return broadcast_to(aligned, x.shape)
