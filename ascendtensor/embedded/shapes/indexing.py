"""What indices and masks reach."""

from __future__ import annotations

from .call import Call, Rule, Shape

__all__ = ["SHAPES"]


def _gather(call: Call) -> Shape:
    shape, indices = call.shape("x"), call.shape("indices")
    axis = call.axis(call.scalar("axis"), shape)
    batch = call.attrs["batch_dims"]
    if not -len(indices) <= batch <= len(indices):
        raise call.error(f"batch_dims {batch} is out of range for indices of shape {indices}")
    batch += len(indices) if batch < 0 else 0
    if batch > axis or shape[:batch] != indices[:batch]:
        raise call.error(
            f"shapes {shape} of x and {indices} of indices do not share {batch} batch dimensions before axis {axis}"
        )
    return (*shape[:axis], *indices[batch:], *shape[axis + 1 :])


def _gather_along(call: Call) -> Shape:
    shape = call.shape("x")
    axis = call.axis(call.attrs["axis"], shape)
    return (*shape[:axis], *call.shape("indices"), *shape[axis + 1 :])


def _gather_first(call: Call) -> Shape:
    """Along the first axis after the batch dimensions."""
    shape, indices, batch = call.shape("x"), call.shape("indices"), call.attrs["batch_dims"]
    if not 0 <= batch < len(shape) or shape[:batch] != indices[:batch]:
        raise call.error(f"shapes {shape} of x and {indices} of indices do not share {batch} batch dimensions")
    return (*shape[:batch], *indices[batch:], *shape[batch + 1 :])


def _within(call: Call, outer: Shape, inner: Shape, axis: int) -> None:
    """Indices along an axis: like `outer`, but as long as they like along it, and no longer elsewhere."""
    if len(inner) != len(outer) or any(m > n for place, (m, n) in enumerate(zip(inner, outer)) if place != axis):  # noqa: B905
        raise call.error(f"indices of shape {inner} do not lie within shape {outer} outside axis {axis}")


def _gather_elements(call: Call) -> Shape:
    shape, index = call.shape("x"), call.shape("index")
    _within(call, shape, index, call.axis(call.attrs["dim"], shape))
    return index


def _scatter_elements(call: Call) -> Shape:
    shape, indices, updates = (call.shape(port) for port in ("data", "indices", "updates"))
    if call.attrs["reduction"] not in ("none", "add", "mul"):
        raise call.error(f"reduction {call.attrs['reduction']!r} is none of none, add, mul")
    if indices != updates:
        raise call.error(f"shapes {indices} of indices and {updates} of updates differ")
    _within(call, shape, indices, call.axis(call.attrs["axis"], shape))
    return shape


def _reached(call: Call, shape: Shape) -> Shape:
    """What index tuples along the last axis of `indices` reach in a shape."""
    indices = call.shape("indices")
    if not indices or indices[-1] > len(shape):
        raise call.error(f"indices of shape {indices} do not index shape {shape}")
    return (*indices[:-1], *shape[indices[-1] :])


def _check_updates(call: Call, port: str, wanted: Shape) -> None:
    if call.shape(port) != wanted:
        raise call.error(f"{port} of shape {call.shape(port)} do not fit what the indices reach, {wanted}")


def _scatter_nd_into(port: str) -> Rule:
    def rule(call: Call) -> Shape:
        shape = call.shape(port)
        _check_updates(call, "updates", _reached(call, shape))
        return shape

    return rule


def _scatter_nd(call: Call) -> Shape:
    shape = call.not_negative("shape", call.ints("shape"))
    _check_updates(call, "x", _reached(call, shape))
    return shape


def _scatter_rows(call: Call) -> Shape:
    shape = call.shape("var")
    if not shape:
        raise call.error("var must have a dimension to index")
    _check_updates(call, "updates", (*call.shape("indices"), *shape[1:]))
    return shape


SHAPES: dict[str, Rule] = {
    "Gather": _gather_first,
    "GatherElements": _gather_elements,
    "GatherNd": lambda call: _reached(call, call.shape("x")),
    "GatherV2": _gather,
    "GatherV2D": _gather_along,
    "GatherV3": _gather,
    "ScatterAdd": _scatter_rows,
    "ScatterElements": _scatter_elements,
    "ScatterNd": _scatter_nd,
    "ScatterNdAdd": _scatter_nd_into("var"),
    "ScatterNdUpdate": _scatter_nd_into("var"),
    "ScatterUpdate": _scatter_rows,
    "TensorScatterUpdate": _scatter_nd_into("x"),
}
