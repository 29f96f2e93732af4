"""Normalization by mean and variance, in single precision at least."""

from __future__ import annotations

from math import prod

import numpy as np

from ..shapes.broadcasting import channel_axis
from .registry import Array, Attrs, Inputs, Outputs, kernel, store, widen


def _moments(x: Array, axes: tuple[int, ...]) -> tuple[Array, Array]:
    """Mean and variance over axes, which stay."""
    mean = np.mean(x, axes, keepdims=True)
    return mean, np.mean(np.square(x - mean), axes, keepdims=True)


def _layer_norm(inputs: Inputs, outputs: Outputs, attrs: Attrs, axis: int, tells_deviation: bool) -> None:
    x = widen(inputs[0])
    gamma, beta = (default if part is None else widen(part) for part, default in zip(inputs[1:], (1, 0), strict=True))
    if not x.size:
        return
    mean, variance = _moments(x, tuple(range(axis, x.ndim)))
    inverse = 1 / np.sqrt(variance + attrs["epsilon"])
    for out, result in zip(
        outputs, ((x - mean) * inverse * gamma + beta, mean, inverse if tells_deviation else variance), strict=True
    ):
        store(out, result)


@kernel("LayerNorm")
def _layer_norm_with_variance(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
    _layer_norm(inputs, outputs, attrs, attrs["begin_norm_axis"] % inputs[0].ndim, tells_deviation=False)


@kernel("LayerNormV3")
def _layer_norm_with_deviation(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
    _layer_norm(inputs, outputs, attrs, attrs["begin_norm_axis"] % inputs[0].ndim, tells_deviation=True)


@kernel("LayerNormV4")
def _layer_norm_of_shape(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
    """Over as many last dimensions as an input has sizes."""
    x, sizes, gamma, beta = [*inputs, None, None][:4]
    _layer_norm([x, gamma, beta], outputs, attrs, x.ndim - sizes.size, tells_deviation=True)


@kernel("RmsNorm")
def _rms_norm(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
    x, gamma = map(widen, inputs)
    if not x.size:
        return
    axes = tuple(range(x.ndim - gamma.ndim, x.ndim))
    inverse = 1 / np.sqrt(np.mean(np.square(x), axes, keepdims=True) + attrs["epsilon"])
    store(outputs[0], x * inverse * gamma)
    store(outputs[1], inverse)


@kernel("BatchNorm")
def _batch_norm(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
    """In training by the batch's own moments; they come out too, the variance also corrected for its bias."""
    x, scale, offset = (widen(x) for x in inputs[:3])
    mean, variance = ([*inputs, None, None])[3:5]
    axis = channel_axis(attrs["data_format"], x.ndim)
    line = [-1 if place == axis else 1 for place in range(x.ndim)]
    corrected = variance
    if attrs["is_training"]:
        count = prod(x.shape) // max(1, x.shape[axis])
        running = mean, variance
        mean, variance = (
            moment.reshape(-1) for moment in _moments(x, tuple(place for place in range(x.ndim) if place != axis))
        )
        corrected = _running(running[1], variance * (count / max(1, count - 1)), attrs)
        told = _running(running[0], mean, attrs)
    else:
        told = mean
    normal = (x - mean.reshape(line)) / np.sqrt(variance.reshape(line) + attrs["epsilon"])
    results = (normal * scale.reshape(line) + offset.reshape(line), told, corrected, mean, variance, np.zeros(()))
    for out, result in zip(outputs, results, strict=True):
        store(out, result)


def _running(old: Array | None, new: Array, attrs: Attrs) -> Array:
    """The moment of the batch, or the mean of it and of what there was, by the factor."""
    factor = attrs["exponential_avg_factor"]
    return new if old is None or factor == 1 else (1 - factor) * old + factor * new
