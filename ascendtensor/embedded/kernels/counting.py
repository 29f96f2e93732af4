"""Counts of values."""

from __future__ import annotations

import numpy as np

from .registry import Array, Attrs, Inputs, Outputs, TrueShapes, front, kernel, store, widen


@kernel("Bincount")
def _bincount(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> TrueShapes:
    """The weights of each value, or how often it comes where there are none; what is too large does not count."""
    values, weights = inputs[0].reshape(-1), inputs[2].reshape(-1)
    size = int(inputs[1].reshape(-1)[0])
    if size < 0:
        raise ValueError(f"Bincount: size {size} must not be negative")
    if values.size and values.min() < 0:
        raise IndexError(f"Bincount: value {values.min()} is negative")
    if weights.size not in (0, values.size):
        raise ValueError(f"Bincount: {weights.size} weights for {values.size} values")
    bins = np.zeros(size, outputs[0].dtype)
    counted = values < size
    np.add.at(bins, values[counted], weights[counted] if weights.size else bins.dtype.type(1))
    return (front("Bincount", outputs[0], bins),)


@kernel("HistogramFixedWidth")
def _histogram_fixed_width(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
    """What lies outside the range counts in the first and the last bin."""
    x, bounds = (values.astype(np.float64).reshape(-1) for values in inputs[:2])
    out = outputs[0]
    if not bounds[0] < bounds[1]:
        raise ValueError(f"HistogramFixedWidth: the range from {bounds[0]} to {bounds[1]} is empty")
    x = x[~np.isnan(x)]
    places = np.floor(np.clip((x - bounds[0]) / (bounds[1] - bounds[0]), 0, 1) * out.size)
    store(out, _counts(np.minimum(places, out.size - 1), out.size))


@kernel("HistogramV2")
def _histogram(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
    """What lies outside the range does not count; a range of one number is that of the values."""
    x = widen(inputs[0]).astype(np.float64).reshape(-1)
    low, high = (float(bound.reshape(-1)[0]) for bound in inputs[1:])
    if low > high:
        raise ValueError(f"HistogramV2: min {low} is larger than max {high}")
    if low == high and x.size:
        low, high = float(x.min()), float(x.max())
    if low == high:
        low, high = low - 1, high + 1
    out = outputs[0]
    inside = x[(low <= x) & (x <= high)]
    places = np.floor((inside - low) / (high - low) * out.size)
    store(out, _counts(np.minimum(places, out.size - 1), out.size))


def _counts(places: Array, size: int) -> Array:
    return np.bincount(places.astype(np.int64), minlength=size)[:size] if size else np.zeros(0, np.int64)
