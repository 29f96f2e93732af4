"""Manipulation functions (standard section "Manipulation Functions"). Most are views and move nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import prod
from operator import index

import numpy as np

from ops_registry import dtypes, shapes
from ops_registry.shapes import axes_tuple, axis_index

from . import views
from .arguments import axis_parameter
from .tensor import Tensor, common_device, from_numpy, reshaped, run, tensor_operand

__all__ = [
    "broadcast_arrays",
    "broadcast_shapes",
    "broadcast_to",
    "concat",
    "expand_dims",
    "flip",
    "moveaxis",
    "permute_dims",
    "repeat",
    "reshape",
    "roll",
    "squeeze",
    "stack",
    "tile",
    "unstack",
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


def repeat(x: Tensor, repeats: int | Tensor, /, *, axis: int | None = None) -> Tensor:
    """Each element along an axis so many times (CANN: AsStrided, or GatherV2 for a number of times each).

    Parameters:
        repeats: how many times, or an integer Tensor that says it for each element. The result's shape depends on
            what it holds, so its values are read on the host, which waits for the device.
        axis: None repeats the elements of the flattened tensor.

    Raises:
        TypeError: the repeats are not integers.
        ValueError: a negative number of times, or not as many numbers as elements.
        IndexError: the axis is out of range.
    """
    x = tensor_operand("repeat", x)
    if axis is None:
        x, axis = reshape(x, (x.size,)), 0
    along = axis_index("repeat", axis, x.ndim)
    if isinstance(repeats, Tensor) and repeats.ndim:
        return _repeated_each(x, repeats, along)
    try:
        times = index(repeats)
    except TypeError:
        raise TypeError(f"repeat: repeats must be an integer or a Tensor of integers, not {repeats!r}") from None
    if times < 0:
        raise ValueError(f"repeat: an element is not there {times} times")
    before, length, after = prod(x.shape[:along]), x.shape[along], prod(x.shape[along + 1 :])
    apart = reshape(x, (before, length, 1, after))
    shape = (*x.shape[:along], length * times, *x.shape[along + 1 :])
    return reshape(broadcast_to(apart, (before, length, times, after)), shape, copy=True)


def _repeated_each(x: Tensor, repeats: Tensor, axis: int) -> Tensor:
    if repeats.dtype.kind not in "iu":
        raise TypeError(f"repeat: repeats must be integers, not {repeats.dtype}")
    if repeats.ndim != 1 or repeats.shape[0] not in (1, x.shape[axis]):
        raise ValueError(f"repeat: repeats of shape {repeats.shape} for {x.shape[axis]} elements along axis {axis}")
    common_device("repeat", x, repeats)
    times = repeats.numpy().astype(np.int64)
    if (times < 0).any():
        raise ValueError("repeat: an element is not there a negative number of times")
    places = np.repeat(np.arange(x.shape[axis]), times)
    taken: Tensor = run("take", x, from_numpy(places, dtypes.int64, x.device), axis)
    return taken


def roll(x: Tensor, /, shift: int | tuple[int, ...], *, axis: Axis | None = None) -> Tensor:
    """The elements moved on along axes, those pushed off the end back to the front (CANN: ConcatD).

    Parameters:
        shift: how far, for all axes or for each.
        axis: None rolls the flattened tensor.

    Raises:
        TypeError: a shift is not an integer.
        ValueError: not as many shifts as axes.
        IndexError: an axis is out of range.
    """
    x = tensor_operand("roll", x)
    flat = reshape(x, (x.size,)) if axis is None else x
    axes = [axis_index("roll", one, flat.ndim) for one in ((0,) if axis is None else _several(axis))]
    shifts = [axis_parameter("roll", one) for one in _several(shift)]
    if len(shifts) != len(axes) and 1 not in (len(shifts), len(axes)):
        raise ValueError(f"roll: {len(shifts)} shifts for {len(axes)} axes")
    count = max(len(shifts), len(axes))
    distance: dict[int, int] = {}
    for one, far in zip(axes * (count // len(axes)), shifts * (count // len(shifts)), strict=True):
        distance[one] = distance.get(one, 0) + far
    rolled = flat
    for one, far in distance.items():
        cut = -far % flat.shape[one] if flat.shape[one] else 0
        if cut and flat.size:
            before = (slice(None),) * one
            rolled = concat([rolled[(*before, slice(cut, None))], rolled[(*before, slice(None, cut))]], axis=one)
    return reshape(rolled if rolled is not flat else flat.clone(), x.shape)


def tile(x: Tensor, repetitions: tuple[int, ...], /) -> Tensor:
    """The tensor beside itself so many times along each axis (CANN: Tile).

    Parameters:
        repetitions: for the last axes; more of them than there are axes add axes in front.

    Raises:
        TypeError: a number is not an integer.
        ValueError: a number is negative.
    """
    x = tensor_operand("tile", x)
    given = views.lengths("tile", repetitions)
    if any(n < 0 for n in given):
        raise ValueError(f"tile: repetitions {given} hold a negative number")
    ndim = max(x.ndim, len(given))
    if not ndim:
        return x.clone()
    multiples = (1,) * (ndim - len(given)) + given
    tiled: Tensor = run("tile", reshape(x, (1,) * (ndim - x.ndim) + x.shape), multiples)
    return tiled


def unstack(x: Tensor, /, *, axis: int = 0) -> tuple[Tensor, ...]:
    """The tensors that stand one beside the other along an axis, as views.

    Raises:
        IndexError: the axis is out of range, as any is for a tensor of no dimensions.
    """
    x = tensor_operand("unstack", x)
    along = axis_index("unstack", axis, x.ndim)
    return tuple(x[(*[slice(None)] * along, place)] for place in range(x.shape[along]))
