"""Reductions and scans whose axes are attributes; most are those of `reduction` with another way in."""

from __future__ import annotations

from collections.abc import Callable
from math import prod

import numpy as np

from .reduction import scan
from .registry import KERNELS, Array, Attrs, Inputs, Kernel, Outputs, kernel, store, widen


def _by_attribute(base: str) -> Kernel:
    """The kernel of the op type that has its axes in an input."""
    reduce = KERNELS[base]

    def run(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
        reduce([inputs[0], np.array(attrs["axes"], np.int64)], outputs, attrs)

    return run


for _base in ("ReduceAll", "ReduceAny", "ReduceMax", "ReduceMean", "ReduceMin", "ReduceProd", "ReduceSum"):
    kernel(f"{_base}D")(_by_attribute(_base))


def _position(op_type: str, find: Callable[..., Array], has_values: bool) -> None:
    def run(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
        x, axis = inputs[0], attrs["dimension"] % inputs[0].ndim
        if not outputs[0].size:
            return
        if not x.shape[axis]:
            raise IndexError(f"{op_type}: axis {axis} of shape {x.shape} is empty and has no extreme element")
        places = find(widen(x), axis, keepdims=True)
        store(outputs[0], places.reshape(outputs[0].shape))
        if has_values:
            store(outputs[1], np.take_along_axis(x, places, axis).reshape(outputs[1].shape))

    kernel(op_type)(run)


for _what, _find in (("Max", np.argmax), ("Min", np.argmin)):
    _position(f"Arg{_what}D", _find, has_values=False)
    _position(f"Arg{_what}WithValue", _find, has_values=True)


def _running_extreme(op_type: str, ufunc: np.ufunc, attribute: str) -> None:
    """The extreme of what stands up to each element, and where it was last met."""

    def run(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
        x, axis = widen(inputs[0]), attrs[attribute] % inputs[0].ndim
        values = ufunc.accumulate(x, axis)
        line = np.arange(x.shape[axis]).reshape([-1 if place == axis else 1 for place in range(x.ndim)])
        store(outputs[0], values)
        store(outputs[1], np.maximum.accumulate(np.where((x == values) | (x != x), line, 0), axis))

    kernel(op_type)(run)


_running_extreme("Cummax", np.maximum, "dim")
_running_extreme("Cummin", np.minimum, "axis")


@kernel("Cumprod")
def _cumulative_product(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
    scan(np.multiply, inputs[0], outputs[0], int(inputs[1].reshape(-1)[0]), attrs)


@kernel("CumprodD")
def _cumulative_product_d(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
    scan(np.multiply, inputs[0], outputs[0], attrs["axis"], attrs)


@kernel("ReduceLogSumExp")
def _log_sum_exp(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
    x, axes = widen(inputs[0]), tuple(inputs[1].reshape(-1).tolist())
    store(outputs[0], np.logaddexp.reduce(x, axes, keepdims=attrs["keep_dims"]) if axes else x)


@kernel("L2Loss")
def _half_sum_of_squares(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
    store(outputs[0], np.sum(np.square(widen(inputs[0]))) / 2)


def _axes(x: Array, attrs: Attrs) -> tuple[int, ...]:
    return tuple(axis % x.ndim for axis in attrs["dim"]) or tuple(range(x.ndim))


def _variance(x: Array, mean: Array, axes: tuple[int, ...], attrs: Attrs) -> Array:
    """About a mean that has the shape of `x`, or that of the result with or without the axes."""
    if mean.shape != x.shape:
        mean = mean.reshape([1 if axis in axes else n for axis, n in enumerate(x.shape)])
    count = prod(x.shape[axis] for axis in axes)
    correction = attrs.get("correction", 1) if attrs["unbiased"] else 0
    squares = np.add.reduce(np.square(x - mean), axes, keepdims=attrs["keepdim"])
    return np.true_divide(squares, max(0, count - correction))


@kernel("ReduceStdV2Update")
def _variance_about_mean(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
    x, mean = map(widen, inputs)
    variance = _variance(x, mean, _axes(x, attrs), attrs)
    store(outputs[0], np.sqrt(variance) if attrs["if_std"] else variance)


@kernel("ReduceStdWithMean")
def _deviation_about_mean(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
    x, mean = map(widen, inputs)
    variance = _variance(x, mean, _axes(x, attrs), attrs)
    inverted = attrs["invert"]
    store(outputs[0], 1 / np.sqrt(variance + x.dtype.type(attrs["epsilon"])) if inverted else np.sqrt(variance))


@kernel("ReduceStd")
def _deviation_and_mean(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
    x = widen(inputs[0])
    axes = _axes(x, attrs)
    total = np.add.reduce(x, axes, keepdims=True)
    mean = np.true_divide(total, prod(x.shape[axis] for axis in axes))
    store(outputs[0], np.sqrt(_variance(x, mean, axes, attrs)))
    store(outputs[1], mean.reshape(outputs[1].shape))
