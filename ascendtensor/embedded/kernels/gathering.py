"""Kernels that read where indices say."""

from __future__ import annotations

import numpy as np

from .registry import Array, Attrs, Inputs, Outputs, kernel, store

__all__ = ["checked", "flat_places"]


def checked(op_type: str, indices: Array, length: int, negative: bool = False) -> Array:
    """Indices as int64, from the front.

    Raises:
        IndexError: one is out of range.
    """
    lowest = -length if negative else 0
    if indices.size and (indices.min() < lowest or indices.max() >= length):
        wrong = indices[(indices < lowest) | (indices >= length)].flat[0]
        raise IndexError(f"{op_type}: index {wrong} is not in [{lowest}, {length})")
    wide = indices.astype(np.int64)
    return np.where(wide < 0, wide + length, wide) if negative else wide


def flat_places(op_type: str, indices: Array, shape: tuple[int, ...], negative: bool = False) -> Array:
    """Which row of a shape each index tuple names, its first dimensions taken for one."""
    depth = indices.shape[-1]
    places = np.zeros(indices.shape[:-1], np.int64)
    for axis, length in enumerate(shape[:depth]):
        places = places * length + checked(op_type, indices[..., axis], length, negative)
    return places


@kernel("Gather")
def _gather(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
    x, indices = inputs
    batch = attrs["batch_dims"]
    places = checked("Gather", indices, x.shape[batch], attrs["negative_index_support"])
    for place in np.ndindex(x.shape[:batch]):
        store(outputs[0][(*place, ...)], x[place].take(places[(*place, ...)], 0))


@kernel("GatherV2D")
def _gather_along(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
    x, indices = inputs
    axis = attrs["axis"] % x.ndim
    store(outputs[0], x.take(checked("GatherV2D", indices, x.shape[axis]), axis))


@kernel("GatherElements")
def _gather_elements(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
    x, index = inputs
    axis = attrs["dim"] % x.ndim
    places = checked("GatherElements", index, x.shape[axis], negative=True)
    # Elsewhere the indices may be fewer than the elements.
    part = tuple(slice(None) if place == axis else slice(n) for place, n in enumerate(index.shape))
    store(outputs[0], np.take_along_axis(x[part], places, axis))


@kernel("GatherNd")
def _gather_nd(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
    x, indices = inputs
    places = flat_places("GatherNd", indices, x.shape, attrs["negative_index_support"])
    rest = x.shape[indices.shape[-1] :]
    count = int(np.prod(x.shape[: indices.shape[-1]], dtype=np.int64))
    store(outputs[0], x.reshape((count, *rest)).take(places, 0) if places.size else outputs[0])


def _one_hot(op_type: str) -> None:
    def run(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
        x, *_, on, off = inputs
        axis = attrs["axis"] % outputs[0].ndim
        # A place that is out of range is nowhere: all of its line is off.
        line = np.arange(outputs[0].shape[axis]).reshape([-1] + [1] * (x.ndim - axis))
        store(outputs[0], np.where(np.expand_dims(x, axis) == line, on.reshape(()), off.reshape(())))

    kernel(op_type)(run)


for _op_type in ("OneHot", "OneHotD"):
    _one_hot(_op_type)
