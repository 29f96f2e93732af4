"""Kernels that make values out of none, or out of positions."""

from __future__ import annotations

from math import prod

import numpy as np

from .registry import NARROW, Array, Attrs, Inputs, Kernel, Outputs, kernel, store


@kernel("Fill")
def _fill(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
    outputs[0][...] = inputs[1].reshape(())


@kernel("Eye")
def _eye(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
    out = outputs[0]
    out.fill(0)
    *batch, rows, columns = out.shape
    # In a flat matrix, the elements of the diagonal stand one row and one place apart.
    flat = out.reshape(prod(batch), rows * columns)
    flat[:, : min(rows, columns) * columns : columns + 1] = 1


@kernel("Range")
def _range(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
    out = outputs[0]
    start, _, delta = (x.reshape(-1)[0] for x in inputs)
    if out.dtype.kind == "i":
        # Not through NumPy's arange, which refuses what wraps; the limit is in the output's length already.
        np.multiply(np.arange(out.size, dtype=out.dtype), int(delta), out=out)
        np.add(out, int(start), out=out)
        return
    # As NumPy fills a range: by the step between the first two elements as the dtype has them.
    wide = np.dtype(np.float32) if out.dtype in NARROW else out.dtype
    first, second = (
        np.asarray(value).astype(out.dtype).astype(wide) for value in (float(start), float(start) + float(delta))
    )
    store(out, first + np.arange(out.size, dtype=wide) * (second - first))


@kernel("RangeD")
def _range_d(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
    """By way of an input that holds 0, 1, 2, ..."""
    x = inputs[0]
    start, delta = (np.asarray(attrs[name]).astype(x.dtype) for name in ("start", "delta"))
    store(outputs[0], start + x * delta)


@kernel("LinSpace")
def _lin_space(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
    out = outputs[0]
    start, stop = (float(x.reshape(-1)[0]) for x in inputs[:2])
    store(out, np.linspace(start, stop, out.size, dtype=out.dtype))


def _triangle(lower: bool) -> Kernel:
    def run(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
        out = outputs[0]
        rows, columns = out.shape[-2:]
        shift = 0 if lower else -1
        below: Array = np.tri(rows, columns, attrs["diagonal"] + shift, dtype=np.bool_)
        np.copyto(out, inputs[0])
        np.copyto(out, out.dtype.type(0), where=~below if lower else below)

    return run


kernel("Tril")(_triangle(lower=True))
kernel("Triu")(_triangle(lower=False))
