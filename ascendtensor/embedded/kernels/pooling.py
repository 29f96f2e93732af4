"""Pooling over windows, in plain layouts."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from ..shapes.layers import Window, pool_windows
from .registry import Array, Attrs, Inputs, Outputs, kernel, store, widen


def _beyond(window: Window, length: int) -> int:
    """How far the last place reaches beyond the dimension."""
    return max(window.after, (window.places - 1) * window.stride + window.size - length - window.before, 0)


def _windows(x: Array, windows: dict[int, Window], fill: Any) -> Array:
    """The elements under each place of the windows, along last axes of their own."""
    widths = [
        (windows[axis].before, _beyond(windows[axis], n)) if axis in windows else (0, 0)
        for axis, n in enumerate(x.shape)
    ]
    padded = np.pad(x, widths, constant_values=fill)
    axes = tuple(windows)
    views = sliding_window_view(padded, [windows[axis].size for axis in axes], axes)
    steps = (
        slice(None, (windows[axis].places - 1) * windows[axis].stride + 1, windows[axis].stride)
        if axis in windows
        else slice(None)
        for axis in range(x.ndim)
    )
    return views[tuple(steps)]


@kernel("MaxPool")
def _max_pool(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
    x, windows = widen(inputs[0]), pool_windows("MaxPool", inputs[0].shape, attrs)
    lowest = np.iinfo(x.dtype).min if x.dtype.kind in "iu" else -np.inf
    if outputs[0].size:
        store(outputs[0], _windows(x, windows, lowest).max(axis=(-2, -1)))


def _average(op_type: str) -> None:
    def run(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
        x, windows = widen(inputs[0]), pool_windows(op_type, inputs[0].shape, attrs)
        if not outputs[0].size:
            return
        total = _windows(x, windows, 0).sum(axis=(-2, -1))
        divisor = attrs.get("divisor_override") or _counts(x.shape, windows, attrs.get("exclusive", True))
        store(outputs[0], total / divisor)

    kernel(op_type)(run)


for _op_type in ("AvgPool", "AvgPoolV2"):
    _average(_op_type)


def _counts(shape: tuple[int, ...], windows: dict[int, Window], exclusive: bool) -> Array:
    """How many elements lie under each place, what is padded counting or not."""
    result = np.ones([1] * len(shape), np.int64)
    for axis, window in windows.items():
        starts = np.arange(window.places) * window.stride - window.before
        lowest, highest = (0, shape[axis]) if exclusive else (-window.before, shape[axis] + window.after)
        lengths = np.minimum(starts + window.size, highest) - np.maximum(starts, lowest)
        result = result * lengths.reshape([-1 if place == axis else 1 for place in range(len(shape))])
    return result
