"""Reductions and scans along axes."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from .elementwise import truncating_divide
from .registry import BFLOAT16, NARROW, Array, Attrs, Inputs, Kernel, Outputs, kernel, store, widen

__all__ = ["scan"]


def _axes(x: Array) -> tuple[int, ...]:
    return tuple(x.reshape(-1).tolist())


def _accumulating(ufunc: np.ufunc) -> Kernel:
    def run(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
        x, out = inputs[0], outputs[0]
        axes, keep_dims = _axes(inputs[1]), attrs["keep_dims"]
        if x.dtype in NARROW:
            # With `out` in half precision NumPy would round to it between blocks.
            store(out, ufunc.reduce(x, axes, dtype=np.float32, keepdims=keep_dims))
        else:
            ufunc.reduce(x, axes, dtype=x.dtype, out=out, keepdims=keep_dims)

    return run


for _op_type, _ufunc in {
    "ReduceSum": np.add,
    "ReduceProd": np.multiply,
    "ReduceAll": np.logical_and,
    "ReduceAny": np.logical_or,
}.items():
    kernel(_op_type)(_accumulating(_ufunc))


@kernel("ReduceMean")
def _mean(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
    x, out, axes = inputs[0], outputs[0], _axes(inputs[1])
    if not axes and not attrs["noop_with_empty_axes"]:
        axes = tuple(range(x.ndim))
    total = np.add.reduce(x, axes, dtype=np.float32 if x.dtype in NARROW else x.dtype, keepdims=attrs["keep_dims"])
    count = prod(x.shape[axis] for axis in axes)
    if x.dtype.kind in "iu":
        # In 64 bits, since the count may not fit the dtype.
        wide = np.dtype(np.int64 if x.dtype.kind == "i" else np.uint64)
        quotient = np.empty(out.shape, wide)
        truncating_divide(total.astype(wide), np.asarray(count, wide), quotient)
        store(out, quotient)
    else:
        np.true_divide(total, count, out=out, casting="unsafe")


def _extreme(ufunc: np.ufunc, lowest: bool) -> Kernel:
    def run(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
        x, out = inputs[0], outputs[0]
        if not x.size:
            out.fill(_limit(out.dtype, lowest))
        elif x.dtype == BFLOAT16:
            store(out, ufunc.reduce(x, _axes(inputs[1]), dtype=np.float32, keepdims=attrs["keep_dims"]))
        else:
            ufunc.reduce(x, _axes(inputs[1]), out=out, keepdims=attrs["keep_dims"])

    return run


def _limit(dtype: np.dtype[Any], lowest: bool) -> float:
    if dtype == np.bool_:
        return not lowest
    if dtype.kind not in "iu":
        return -np.inf if lowest else np.inf
    info = np.iinfo(dtype)
    return info.min if lowest else info.max


kernel("ReduceMax")(_extreme(np.maximum, lowest=True))
kernel("ReduceMin")(_extreme(np.minimum, lowest=False))


def _position(op_type: str) -> Kernel:
    find = np.argmax if op_type == "ArgMaxV2" else np.argmin

    def run(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
        x, out = inputs[0], outputs[0]
        axis = _axes(inputs[1])[0]
        if not out.size:
            return
        if not x.size:
            raise IndexError(f"{op_type}: axis {axis} of shape {x.shape} is empty and has no extreme element")
        store(out, find(widen(x), axis))

    return run


for _op_type in ("ArgMaxV2", "ArgMin"):
    kernel(_op_type)(_position(_op_type))


@kernel("Cumsum")
def _cumsum(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
    scan(np.add, inputs[0], outputs[0], _axes(inputs[1])[0], attrs)


@kernel("CumsumD")
def _cumsum_d(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
    scan(np.add, inputs[0], outputs[0], attrs["axis"], attrs)


def scan(ufunc: np.ufunc, x: Array, out: Array, axis: int, attrs: Attrs) -> None:
    """What `ufunc` makes of all elements up to each one; exclusive: up to the one before, its identity at first."""
    if attrs["reverse"]:
        x, out = np.flip(x, axis), np.flip(out, axis)
    if not attrs["exclusive"]:
        _accumulate(ufunc, x, out, axis)
    elif out.size:
        # What stands before: one place on, without the last.
        _accumulate(ufunc, _along(x, axis, slice(-1)), _along(out, axis, slice(1, None)), axis)
        _along(out, axis, slice(1)).fill(ufunc.identity)


def _accumulate(ufunc: np.ufunc, x: Array, out: Array, axis: int) -> None:
    if x.dtype in NARROW:
        store(out, ufunc.accumulate(x, axis, dtype=np.float32))
    else:
        ufunc.accumulate(x, axis, dtype=x.dtype, out=out)


def _along(x: Array, axis: int, part: slice) -> Array:
    return x[(*[slice(None)] * (axis % x.ndim), part)]
