"""Manipulation functions (standard section "Manipulation Functions"). Most are views and move nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ops_registry import shapes
from ops_registry.shapes import axes_tuple, axis_index

from . import views
from .arguments import axis_parameter
from .tensor import Tensor, reshaped, run, tensor_operand

__all__ = [
    "broadcast_arrays",
    "broadcast_shapes",
    "broadcast_to",
    "concat",
    "expand_dims",
    "flip",
    "moveaxis",
    "permute_dims",
    "reshape",
    "squeeze",
    "stack",
]

Axis = int | tuple[int, ...]


def reshape(x: Tensor, /, shape: int | Sequence[int], *, copy: bool | None = None) -> Tensor:
    """The elements under another shape: a view where that is possible.

    Parameters:
        shape: the lengths, one of which may be −1 and is then worked out.
        copy: True always copies, None where it takes one, False never.

    Raises:
        ValueError: the sizes differ, or it takes a copy and `copy` is False.
    """
    return reshaped(tensor_operand("reshape", x), shape, copy)


def permute_dims(x: Tensor, /, axes: Sequence[int]) -> Tensor:
    """The dimensions in another order, as a view.

    Raises:
        ValueError: `axes` does not name each dimension once.
        IndexError: an axis is out of range.
    """
    x = tensor_operand("permute_dims", x)
    if not isinstance(axes, Sequence):
        raise TypeError(f"permute_dims: axes must be a sequence of integers, not {axes!r}")
    order = [axis_index("permute_dims", axis, x.ndim) for axis in axes]
    if sorted(order) != list(range(x.ndim)):
        raise ValueError(f"permute_dims: axes {tuple(axes)} must name each of {x.ndim} dimensions once")
    return x._viewed(views.permuted(x._view, order))


def moveaxis(x: Tensor, source: Axis, destination: Axis, /) -> Tensor:
    """Dimensions moved to other places, the rest kept in order, as a view.

    Raises:
        ValueError: not as many destinations as sources, or one named twice.
        IndexError: an axis is out of range.
    """
    x = tensor_operand("moveaxis", x)
    sources = [axis_index("moveaxis", axis, x.ndim) for axis in _several(source)]
    targets = [axis_index("moveaxis", axis, x.ndim) for axis in _several(destination)]
    if len(sources) != len(targets) or len({*sources}) != len(sources) or len({*targets}) != len(targets):
        raise ValueError(f"moveaxis: {source} to {destination} does not name as many places as axes, each once")
    order = [axis for axis in range(x.ndim) if axis not in sources]
    for place, axis in sorted(zip(targets, sources, strict=True)):
        order.insert(place, axis)
    return x._viewed(views.permuted(x._view, order))


def _several(axis: Axis) -> tuple[int, ...]:
    return tuple(axis) if isinstance(axis, tuple | list) else (axis,)


def expand_dims(x: Tensor, /, axis: Axis = 0) -> Tensor:
    """New dimensions of length 1 at `axis` of the result, as a view.

    Raises:
        IndexError: an axis is out of range.
        ValueError: an axis is named twice.
    """
    x = tensor_operand("expand_dims", x)
    return x._viewed(views.expanded(x._view, _several(axis), "expand_dims"))


def squeeze(x: Tensor, /, axis: Axis) -> Tensor:
    """The view without dimensions of length 1.

    Raises:
        ValueError: one of them is longer.
        IndexError: an axis is out of range.
    """
    x = tensor_operand("squeeze", x)
    if axis is None:
        raise TypeError("squeeze: axis must be an integer or several, not None")
    axes = axes_tuple("squeeze", axis, x.ndim)
    longer = [one for one in axes if x.shape[one] != 1]
    if longer:
        raise ValueError(f"squeeze: dimension {longer[0]} of shape {x.shape} is not of length 1")
    return x._viewed(views.squeezed(x._view, axes))


def broadcast_to(x: Tensor, /, shape: int | Sequence[int]) -> Tensor:
    """The tensor repeated to a shape, as a view. Its elements share memory: it is not to be written to.

    Raises:
        ValueError: it does not broadcast to it.
    """
    x = tensor_operand("broadcast_to", x)
    wanted = views.lengths("broadcast_to", shape)
    if any(n < 0 for n in wanted):
        raise ValueError(f"broadcast_to: shape {wanted} has a negative length")
    return x._viewed(views.spread(x._view, wanted))


def broadcast_shapes(*shapes_given: int | Sequence[int]) -> tuple[int, ...]:
    """The shape that all shapes broadcast to.

    Raises:
        ValueError: they don't.
    """
    wanted = [views.lengths("broadcast_shapes", shape) for shape in shapes_given]
    return shapes.broadcast("broadcast_shapes", *wanted) if wanted else ()


def broadcast_arrays(*arrays: Tensor) -> tuple[Tensor, ...]:
    """The tensors repeated to the shape that they broadcast to, as views.

    Raises:
        ValueError: they don't.
    """
    tensors = [tensor_operand("broadcast_arrays", x) for x in arrays]
    if not tensors:
        return ()
    shape = shapes.broadcast("broadcast_arrays", *(x.shape for x in tensors))
    return tuple(broadcast_to(x, shape) for x in tensors)


def flip(x: Tensor, /, *, axis: Axis | None = None) -> Tensor:
    """The elements in reverse order along `axis`, all axes by default, as a view.

    Raises:
        IndexError: an axis is out of range.
    """
    x = tensor_operand("flip", x)
    axes = axes_tuple("flip", axis, x.ndim)
    return x[tuple(slice(None, None, -1 if one in axes else 1) for one in range(x.ndim))]


def concat(arrays: Sequence[Tensor], /, *, axis: int | None = 0) -> Tensor:
    """Tensors one after the other along an axis (CANN: ConcatD).

    Parameters:
        arrays: their dtypes are promoted.
        axis: None flattens them first.

    Raises:
        ValueError: no tensors, or shapes that differ elsewhere.
        IndexError: the axis is out of range.
    """
    tensors = _tensors("concat", arrays)
    if axis is None:
        tensors, axis = [reshape(x, (-1,) if x.size else (0,)) for x in tensors], 0
    joined: Tensor = run("concat", *tensors, axis_parameter("concat", axis))
    return joined


def stack(arrays: Sequence[Tensor], /, *, axis: int = 0) -> Tensor:
    """Tensors of one shape along a new axis (CANN: Pack).

    Raises:
        ValueError: no tensors, or differing shapes.
        IndexError: the axis is out of range.
    """
    tensors = _tensors("stack", arrays)
    packed: Tensor = run("stack", *tensors, axis_parameter("stack", axis))
    return packed


def _tensors(function: str, arrays: Sequence[Tensor]) -> list[Tensor]:
    if not isinstance(arrays, Iterable):
        raise TypeError(f"{function}: the operands must be a sequence of Tensors, not {type(arrays).__name__}")
    tensors = [tensor_operand(function, x) for x in arrays]
    if not tensors:
        raise ValueError(f"{function}: at least one tensor is needed")
    return tensors
