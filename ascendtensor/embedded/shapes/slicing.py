"""Slices and strided views."""

from __future__ import annotations

from typing import Any

from .broadcasting import broadcast_shapes
from .call import Call, Rule, Shape, ShapeError

__all__ = ["SHAPES", "assigned_index", "slice_index"]


def _as_strided(call: Call) -> Shape:
    size = call.not_negative("size", call.ints("size"))
    _check_view(call, "size", "stride", "storage_offset")
    return size


def _view_copy(call: Call) -> Shape:
    for side in ("dst", "src"):
        _check_view(call, f"{side}_size", f"{side}_stride", f"{side}_storage_offset")
    if call.knows("dst_size", "src_size") and call.ints("dst_size") != call.ints("src_size"):
        raise call.error(f"dst_size {call.ints('dst_size')} and src_size {call.ints('src_size')} differ")
    return call.shape("dst")


def _check_view(call: Call, size: str, stride: str, offset: str) -> None:
    if call.knows(size, stride):
        sizes, strides = call.ints(size), call.ints(stride)
        if len(call.not_negative(size, sizes)) != len(strides):
            raise call.error(f"{size} {sizes} and {stride} {strides} differ in length")
    if call.knows(offset):
        call.scalar(offset)


def _strided_slice(call: Call) -> Shape:
    begin, end, strides = map(call.ints, ("begin", "end", "strides"))
    return slice_index(call.shape("x"), begin, end, strides, call.attrs)[1]


def slice_index(
    shape: Shape, begin: Shape, end: Shape, strides: Shape, attrs: dict[str, Any], op_type: str = "StridedSlice"
) -> tuple[tuple[slice | int | None, ...], Shape]:
    """What StridedSlice or StridedSliceD takes of a shape, as an index for NumPy, and the shape that comes out.

    The bits of the masks stand for places in `begin`, `end` and `strides`. Where several are set, the ellipsis
    comes before the new axis, and that before the shrunk one.

    Raises:
        ShapeError: the slice does not fit the shape.
    """
    if not len(begin) == len(end) == len(strides):
        raise ShapeError(f"{op_type}: begin {begin}, end {end} and strides {strides} differ in length")

    def bit(mask: str, place: int) -> bool:
        return bool(attrs[mask] >> place & 1)

    places = range(len(begin))
    ellipses = [place for place in places if bit("ellipsis_mask", place)]
    if len(ellipses) > 1:
        raise ShapeError(f"{op_type}: ellipsis_mask {attrs['ellipsis_mask']} has more than one ellipsis")
    sliced = sum(not bit("new_axis_mask", place) for place in places if place not in ellipses)
    skipped = len(shape) - sliced
    if skipped < 0:
        raise ShapeError(f"{op_type}: {sliced} slices are too many for shape {shape}")
    index: list[slice | int | None] = []
    result: list[int] = []
    axis = 0
    for place in places:
        if place in ellipses:
            index += [slice(None)] * skipped
            result += shape[axis : axis + skipped]
            axis += skipped
        elif bit("new_axis_mask", place):
            index.append(None)
            result.append(1)
        else:
            length, step = shape[axis], strides[place]
            axis += 1
            if step == 0:
                raise ShapeError(f"{op_type}: stride {place} of {strides} is 0")
            if bit("shrink_axis_mask", place):
                if step < 0 or not -length <= begin[place] < length:
                    raise ShapeError(
                        f"{op_type}: begin {begin[place]} with stride {step} takes no element of axis {axis - 1} "
                        f"of shape {shape}"
                    )
                index.append(begin[place])
            else:
                start = None if bit("begin_mask", place) else begin[place]
                stop = None if bit("end_mask", place) else end[place]
                part = slice(start, stop, step)
                index.append(part)
                result.append(len(range(length)[part]))
    return tuple(index), (*result, *shape[axis:])


def _strided_slice_d(call: Call) -> Shape:
    begin, end, strides = (tuple(call.attrs[name]) for name in ("begin", "end", "strides"))
    return slice_index(call.shape("x"), begin, end, strides, call.attrs, "StridedSliceD")[1]


def _slice(call: Call) -> Shape:
    shape, offsets, size = call.shape("x"), call.ints("offsets"), call.ints("size")
    if not len(shape) == len(offsets) == len(size):
        raise call.error(f"offsets {offsets} and size {size} must have a number for each dimension of shape {shape}")
    result = tuple(n - start if take == -1 else take for n, start, take in zip(shape, offsets, size, strict=True))
    if any(not 0 <= start <= start + take <= n for n, start, take in zip(shape, offsets, result, strict=True)):
        raise call.error(f"offsets {offsets} and size {size} reach outside shape {shape}")
    return result


def assigned_index(begin: Shape, end: Shape, strides: Shape, axes: Shape | None, ndim: int) -> tuple[slice, ...]:
    """What StridedSliceAssignV2 assigns to: slices of these axes, the first ones where none are named.

    Raises:
        ShapeError: the numbers do not fit together.
    """
    axes = tuple(range(len(begin))) if axes is None else axes
    if not len(begin) == len(end) == len(strides) == len(axes):
        raise ShapeError(
            f"StridedSliceAssignV2: begin {begin}, end {end}, strides {strides} and axes {axes} differ in length"
        )
    index = [slice(None)] * ndim
    for axis, *numbers in zip(axes, begin, end, strides, strict=True):
        if not -ndim <= axis < ndim or numbers[2] == 0:
            raise ShapeError(f"StridedSliceAssignV2: axis {axis} of {ndim} by steps of {numbers[2]}")
        index[axis] = slice(*numbers)
    return tuple(index)


def _strided_slice_assign(call: Call) -> Shape:
    shape, value = call.shape("var"), call.shape("input_value")
    begin, end, strides = map(call.ints, ("begin", "end", "strides"))
    axes = call.ints("axes") if call.ports["axes"] else None
    index = assigned_index(begin, end, strides, axes, len(shape))
    target = tuple(len(range(n)[part]) for n, part in zip(shape, index, strict=True))
    if broadcast_shapes(call, target, value) != target:
        raise call.error(f"input_value of shape {value} does not fit the slice, whose shape is {target}")
    return shape


SHAPES: dict[str, Rule] = {
    "AsStrided": _as_strided,
    "Slice": _slice,
    "StridedSlice": _strided_slice,
    "StridedSliceAssignV2": _strided_slice_assign,
    "StridedSliceD": _strided_slice_d,
    "ViewCopy": _view_copy,
}
