"""Kernels that write where indices or a mask say. Of values for one place the last one counts, or all together."""

from __future__ import annotations

import numpy as np

from .gathering import checked, flat_places
from .registry import BFLOAT16, Array, Attrs, Inputs, Kernel, Outputs, kernel, store, widen

# How a value goes to a place: a NumPy function that accumulates, or None to replace.
_Way = np.ufunc | None


def _put(target: Array, places: tuple[Array, ...] | Array, values: Array, way: _Way) -> None:
    if way is None:
        target[places] = values
    elif target.dtype == BFLOAT16 or target.dtype == np.float16:
        wide = widen(target)
        way.at(wide, places, widen(values))
        store(target, wide)
    else:
        way.at(target, places, values)


def _begin(var: Array, out: Array) -> None:
    if not np.may_share_memory(var, out):
        np.copyto(out, var)


def _rows(out: Array, depth: int) -> Array:
    """`out` with its first dimensions as one."""
    return out.reshape(int(np.prod(out.shape[:depth], dtype=np.int64)), *out.shape[depth:])


def _by_tuples(op_type: str, way: _Way) -> Kernel:
    def run(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
        var, indices, updates = inputs
        places = flat_places(op_type, indices, var.shape)
        _begin(var, outputs[0])
        if places.size:
            _put(_rows(outputs[0], indices.shape[-1]), places, updates, way)

    return run


for _op_type, _way in {
    "ScatterNdAdd": np.add,
    "ScatterNdUpdate": None,
    "TensorScatterUpdate": None,
}.items():
    kernel(_op_type)(_by_tuples(_op_type, _way))


@kernel("ScatterNd")
def _into_zeros(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
    indices, updates, _ = inputs
    out = outputs[0]
    places = flat_places("ScatterNd", indices, out.shape)
    out.fill(0)
    if places.size:
        _put(_rows(out, indices.shape[-1]), places, updates, np.add)


def _by_rows(op_type: str, way: _Way) -> Kernel:
    def run(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
        var, indices, updates = inputs
        places = checked(op_type, indices, var.shape[0])
        _begin(var, outputs[0])
        _put(outputs[0], places, updates, way)

    return run


kernel("ScatterAdd")(_by_rows("ScatterAdd", np.add))
kernel("ScatterUpdate")(_by_rows("ScatterUpdate", None))

_WAYS: dict[str, _Way] = {"none": None, "add": np.add, "mul": np.multiply}


@kernel("ScatterElements")
def _elements(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
    data, indices, updates = inputs
    axis = attrs["axis"] % data.ndim
    places = list(np.indices(indices.shape, sparse=True))
    places[axis] = checked("ScatterElements", indices, data.shape[axis], negative=True)
    _begin(data, outputs[0])
    _put(outputs[0], tuple(places), updates, _WAYS[attrs["reduction"]])


@kernel("MaskedFill")
def _masked_fill(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
    x, mask, value = inputs
    np.copyto(outputs[0], x)
    np.copyto(outputs[0], value.reshape(()), where=mask)


@kernel("MaskedScatter")
def _masked_scatter(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
    x, mask, updates = inputs
    where = np.broadcast_to(mask, x.shape)
    count = int(np.count_nonzero(where))
    if count > updates.size:
        raise IndexError(f"MaskedScatter: {updates.size} updates for {count} places")
    _begin(x, outputs[0])
    outputs[0][where] = updates.reshape(-1)[:count]


@kernel("Select")
def _select(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
    condition: Array = inputs[0]
    x1: Array = inputs[1]
    x2: Array = inputs[2]
    # One condition for each along the first axis.
    rows = condition.reshape(condition.shape + (1,) * (x1.ndim - condition.ndim))
    store(outputs[0], np.where(rows, x1, x2))
