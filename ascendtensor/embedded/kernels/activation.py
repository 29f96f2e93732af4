"""Activation functions: a table of formulas, and those that need more than their element."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..shapes.broadcasting import channel_axis
from .elementwise import piecewise
from .registry import Array, Attrs, Inputs, Kernel, Outputs, kernel, store, widen

_SELU_SCALE, _SELU_ALPHA = 1.0507009873554804934193349852946, 1.6732632423543772848170429916717


def sigmoid(x: Array) -> Array:
    """1 / (1 + exp(-x)), which neither overflows nor loses the small values."""
    if x.dtype.kind == "c":
        return np.reciprocal(1 + np.exp(-x))
    small = np.exp(-np.abs(x))
    return np.where(x >= 0, 1, small) / (1 + small)


def softplus(x: Array) -> Array:
    """log(1 + exp(x))."""
    return np.logaddexp(x, x.dtype.type(0))


def _gelu(x: Array, attrs: Attrs) -> Array:
    # By way of the hyperbolic tangent, as the device has it: (1 + tanh(y)) / 2 is sigmoid(2 y).
    return x * sigmoid(2 * np.sqrt(2 / np.pi).astype(x.dtype) * (x + 0.044715 * x**3))


def _elu(x: Array, attrs: Attrs) -> Array:
    scale, alpha = attrs["scale"], attrs["alpha"]
    return np.where(x > 0, scale * x, scale * alpha * np.expm1(attrs["input_scale"] * x))


def _selu(x: Array, attrs: Attrs) -> Array:
    return _SELU_SCALE * np.where(x > 0, x, _SELU_ALPHA * np.expm1(x))


def _softplus_v2(x: Array, attrs: Attrs) -> Array:
    scaled = attrs["beta"] * x
    return np.where(scaled > attrs["threshold"], x, softplus(scaled) / attrs["beta"])


_FORMULAS: dict[str, Callable[[Array, Attrs], Array]] = {
    "CeluV2": lambda x, attrs: np.where(x > 0, x, attrs["alpha"] * np.expm1(x / attrs["alpha"])),
    "Elu": _elu,
    "FastGelu": lambda x, attrs: x * sigmoid(1.702 * x),
    "Gelu": _gelu,
    "HardShrink": lambda x, attrs: np.where(np.abs(x) <= attrs["lambd"], 0, x),
    "HardSigmoid": lambda x, attrs: np.clip(attrs["alpha"] * x + attrs["beta"], 0, 1),
    "HardSwish": lambda x, attrs: x * (np.clip(x + 3, 0, 6) / 6),
    "LeakyRelu": lambda x, attrs: np.where(x > 0, x, attrs["negative_slope"] * x),
    "LogSigmoid": lambda x, attrs: -softplus(-x),
    "Mish": lambda x, attrs: x * np.tanh(softplus(x)),
    "Relu": lambda x, attrs: np.maximum(x, 0),
    "Relu6": lambda x, attrs: np.clip(x, 0, 6),
    "Selu": _selu,
    "Sigmoid": lambda x, attrs: sigmoid(x),
    "SoftShrink": lambda x, attrs: np.where(np.abs(x) <= attrs["lambd"], 0, x - np.copysign(attrs["lambd"], x)),
    "Softplus": lambda x, attrs: softplus(x),
    "SoftplusV2": _softplus_v2,
    "Softsign": lambda x, attrs: x / (1 + np.abs(x)),
    "Swish": lambda x, attrs: x * sigmoid(attrs["scale"] * x),
    "Threshold": lambda x, attrs: x > attrs["threshold"],
}


def _by_formula(formula: Callable[[Array, Attrs], Array]) -> Kernel:
    def run(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
        store(outputs[0], formula(widen(inputs[0]), attrs))

    return run


for _op_type, _formula in _FORMULAS.items():
    piecewise(_op_type)(_by_formula(_formula))


@kernel("PRelu")
def _p_relu(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
    x, weight = map(widen, inputs)
    axis = channel_axis("NC", x.ndim)
    slope = weight.reshape(-1) if weight.size == 1 else weight.reshape([-1 if i == axis else 1 for i in range(x.ndim)])
    store(outputs[0], np.where(x > 0, x, slope.reshape(()) * x if slope.size == 1 else slope * x))


@kernel("SoftmaxV2")
def _softmax(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
    x, axes = widen(inputs[0]), tuple(attrs["axes"])
    if x.size:
        powers = np.exp(x - x.max(axes, keepdims=True))
        store(outputs[0], powers / powers.sum(axes, keepdims=True))


@kernel("LogSoftmaxV2")
def _log_softmax(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
    x, axes = widen(inputs[0]), tuple(attrs["axes"])
    if x.size:
        shifted = x - x.max(axes, keepdims=True)
        store(outputs[0], shifted - np.log(np.exp(shifted).sum(axes, keepdims=True)))
