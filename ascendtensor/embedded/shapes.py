"""What comes out of an operator, before it runs: the dtypes and shapes of its outputs.

An op type without a rule of its own in the tables below is element-wise: its inputs broadcast, and its
output has the dtype that the prototype gives.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy.typing as npt

import ops_registry.prototypes  # noqa: F401  (it fills PROTOTYPES)
from ops_registry import dtypes
from ops_registry.dtypes import DType
from ops_registry.prototype import PROTOTYPES, Prototype

__all__ = ["Facts", "OutFacts", "ShapeError", "infer", "slice_index"]

Shape = tuple[int, ...]


class ShapeError(ValueError):
    """Inputs or attributes that do not fit the operator, or a value that its shape depends on and lacks."""


class Facts(NamedTuple):
    """What is known of an input; `value` only where it lies on the host."""

    dtype: DType
    shape: Shape
    value: npt.NDArray[Any] | None = None


class OutFacts(NamedTuple):
    """What an output will be."""

    dtype: DType
    shape: Shape


def infer(op_type: str, inputs: list[Facts | None], attrs: dict[str, Any]) -> list[OutFacts]:
    """The outputs that an operator gives.

    Parameters:
        inputs: in the prototype's order, a dynamic port's tensors one after the other, None for an absent one.
        attrs: all attributes of the prototype.

    Raises:
        ShapeError: the inputs do not fit, or one whose value decides the shape has none.
    """
    prototype = PROTOTYPES.get(op_type)
    if prototype is None:
        raise ShapeError(f"{op_type}: no such operator is declared")
    call = _Call(prototype, inputs, attrs)
    dtype = _DTYPES.get(op_type, _pattern_dtype)(call)
    return [OutFacts(dtype, _SHAPES.get(op_type, _broadcast)(call))]


class _Call:
    """An operator with its inputs by port and its attributes."""

    def __init__(self, prototype: Prototype, inputs: list[Facts | None], attrs: dict[str, Any]) -> None:
        self.prototype = prototype
        self.attrs = attrs
        self.ports: dict[str, list[Facts]] = {}
        remaining = iter(inputs)
        ports = prototype.inputs
        spare = max(-1, len(inputs) - len(ports))
        for port in ports:
            # At most one port is dynamic; it takes what the others leave.
            taken = list(itertools.islice(remaining, spare + 1 if port.kind == "dynamic" else 1))
            self.ports[port.name] = [facts for facts in taken if facts is not None]
            if not self.ports[port.name] and port.kind != "optional":
                raise self.error(f"input {port.name!r} is missing")
        if any(True for _ in remaining):
            raise self.error(f"{len(inputs)} inputs are too many; it has {len(ports)}")

    def error(self, what: str) -> ShapeError:
        return ShapeError(f"{self.prototype.op_type}: {what}")

    def shape(self, port: str) -> Shape:
        return self.ports[port][0].shape

    def given(self) -> list[Facts]:
        """The inputs whose values do not decide the shape, in order."""
        return [facts for port in self.prototype.inputs if not port.const for facts in self.ports[port.name]]

    def knows(self, *ports: str) -> bool:
        """Whether the values are there, for checks that the shape can do without."""
        return all(self.ports[port][0].value is not None for port in ports)

    def value(self, port: str) -> npt.NDArray[Any]:
        value = self.ports[port][0].value
        if value is None:
            raise self.error(f"the output's shape depends on the value of {port!r}, which is not known on the host")
        return value.reshape(-1)

    def ints(self, port: str) -> Shape:
        return tuple(map(int, self.value(port).tolist()))

    def scalar(self, port: str) -> float:
        value = self.value(port)
        if value.size != 1:
            raise self.error(f"{port!r} must be a single number, not {value.size} of them")
        return int(value[0]) if value.dtype.kind in "iu" else float(value[0])

    def axis(self, axis: float, shape: Shape, extra: int = 0) -> int:
        """`axis` counted from the front of a shape, to which the operator adds `extra` axes."""
        ndim = len(shape) + extra
        if not -ndim <= axis < ndim:
            raise self.error(f"axis {axis} is out of range for shape {shape}")
        return int(axis) % ndim

    def axes(self, axes: Sequence[int], shape: Shape) -> Shape:
        normal = tuple(self.axis(axis, shape) for axis in axes)
        if len(set(normal)) < len(normal):
            raise self.error(f"axes {list(axes)} name a dimension of shape {shape} twice")
        return normal


# Dtypes.


def _pattern_dtype(call: _Call) -> DType:
    """The output's own dtype in the prototype, or that of the first input which shares its letter."""
    letter = call.prototype.pattern[-1]
    if letter in dtypes.BY_SHORT:
        return dtypes.BY_SHORT[letter]
    for port, other in zip(call.prototype.inputs, call.prototype.pattern, strict=False):
        if other == letter and call.ports[port.name]:
            return call.ports[port.name][0].dtype
    raise call.error("no input says the output's dtype")


def _widest_dtype(call: _Call) -> DType:
    """Of mixed rows the widest floating dtype, whichever input has it."""
    given = [facts.dtype for facts in itertools.chain(*call.ports.values())]
    return max(given, key=lambda dtype: (dtype.kind in "fc", dtype.itemsize))


def _quotient_dtype(call: _Call) -> DType:
    dtype = _pattern_dtype(call)
    return dtypes.float32 if dtype is dtypes.bool_ else dtype


def _coded_dtype(attribute: str) -> Callable[[_Call], DType]:
    def rule(call: _Call) -> DType:
        code = call.attrs[attribute]
        if code not in dtypes.BY_CODE:
            raise call.error(f"attribute {attribute} is {code}, which is not a data type's number")
        return dtypes.BY_CODE[code]

    return rule


def _part_dtype(table: dict[DType, DType]) -> Callable[[_Call], DType]:
    """Tout, unless it has its default: that is a constant of the prototype and says nothing about the input."""

    def rule(call: _Call) -> DType:
        if call.attrs["Tout"] != call.prototype.attrs["Tout"].default:
            return _coded_dtype("Tout")(call)
        dtype = call.given()[0].dtype
        return table.get(dtype, dtype)

    return rule


_DTYPES: dict[str, Callable[[_Call], DType]] = {
    "Add": _widest_dtype,
    "ArgMaxV2": _coded_dtype("dtype"),
    "ArgMin": _coded_dtype("dtype"),
    "Cast": _coded_dtype("dst_type"),
    "Complex": _part_dtype(dtypes.COMPLEX_OF),
    "ComplexAbs": _part_dtype(dtypes.REAL_OF),
    "Eye": _coded_dtype("dtype"),
    "Imag": _part_dtype(dtypes.REAL_OF),
    "Mul": _widest_dtype,
    "Range": _widest_dtype,
    "Real": _part_dtype(dtypes.REAL_OF),
    "RealDiv": _quotient_dtype,
}


# Shapes.


def _broadcast(call: _Call) -> Shape:
    return _broadcast_shapes(call, *(facts.shape for facts in call.given()))


def _broadcast_shapes(call: _Call, *shapes: Shape) -> Shape:
    ndim = max(map(len, shapes))
    result: list[int] = []
    for lengths in zip(*((1,) * (ndim - len(shape)) + shape for shape in shapes), strict=True):
        length = next((n for n in lengths if n != 1), 1)
        if any(n not in (1, length) for n in lengths):
            raise call.error(f"shapes {' and '.join(map(str, shapes))} do not broadcast together")
        result.append(length)
    return tuple(result)


def _matrix(call: _Call) -> Shape:
    shape = call.shape("x")
    if len(shape) < 2:
        raise call.error(f"x must have at least 2 dimensions; its shape is {shape}")
    return shape


def _sizes(port: str) -> Callable[[_Call], Shape]:
    """The shape stands in an input."""

    def rule(call: _Call) -> Shape:
        return _not_negative(call, port, call.ints(port))

    return rule


def _not_negative(call: _Call, what: str, sizes: Shape) -> Shape:
    if min(sizes, default=0) < 0:
        raise call.error(f"{what} {list(sizes)} must not be negative")
    return sizes


def _eye(call: _Call) -> Shape:
    rows, columns = call.attrs["num_rows"], call.attrs["num_columns"]
    return _not_negative(call, "sizes", (*call.attrs["batch_shape"], rows, columns or rows))


def _range(call: _Call) -> Shape:
    start, limit, delta = map(call.scalar, ("start", "limit", "delta"))
    if delta == 0 or not all(map(math.isfinite, (start, limit, delta))):
        raise call.error(f"no range goes from {start} to {limit} in steps of {delta}")
    span = limit - start
    # Integers are divided as integers: a double would lose the last ones of a long range.
    exact = all(isinstance(number, int) for number in (start, limit, delta))
    if call.attrs["is_closed"]:
        count = span // delta + 1 if exact else math.floor(span / delta) + 1
    else:
        count = -(-span // delta) if exact else math.ceil(span / delta)
    return (max(0, int(count)),)


def _lin_space(call: _Call) -> Shape:
    return _not_negative(call, "num", (int(call.scalar("num")),))


def _as_strided(call: _Call) -> Shape:
    size = _sizes("size")(call)
    _check_view(call, "size", "stride", "storage_offset")
    return size


def _view_copy(call: _Call) -> Shape:
    for side in ("dst", "src"):
        _check_view(call, f"{side}_size", f"{side}_stride", f"{side}_storage_offset")
    if call.knows("dst_size", "src_size") and call.ints("dst_size") != call.ints("src_size"):
        raise call.error(f"dst_size {call.ints('dst_size')} and src_size {call.ints('src_size')} differ")
    return call.shape("dst")


def _check_view(call: _Call, size: str, stride: str, offset: str) -> None:
    if call.knows(size, stride):
        sizes, strides = call.ints(size), call.ints(stride)
        if len(_not_negative(call, size, sizes)) != len(strides):
            raise call.error(f"{size} {sizes} and {stride} {strides} differ in length")
    if call.knows(offset):
        call.scalar(offset)


def _broadcast_to(call: _Call) -> Shape:
    shape = _sizes("shape")(call)
    if _broadcast_shapes(call, call.shape("x"), shape) != shape:
        raise call.error(f"shape {call.shape('x')} does not broadcast to {shape}")
    return shape


def _tile(call: _Call) -> Shape:
    shape, multiples = call.shape("x"), _sizes("multiples")(call)
    if len(multiples) != len(shape):
        raise call.error(f"multiples {list(multiples)} must have a number for each dimension of shape {shape}")
    return tuple(n * times for n, times in zip(shape, multiples, strict=True))


def _concat(call: _Call, axis: float) -> Shape:
    shapes = [facts.shape for facts in call.ports["x"]]
    axis = call.axis(axis, shapes[0])
    rests = {(*shape[:axis], *shape[axis + 1 :]) for shape in shapes}
    if len(rests) > 1 or len(set(map(len, shapes))) > 1:
        raise call.error(f"shapes {' and '.join(map(str, shapes))} differ outside axis {axis}")
    return (*shapes[0][:axis], sum(shape[axis] for shape in shapes), *shapes[0][axis + 1 :])


def _pack(call: _Call) -> Shape:
    shapes = [facts.shape for facts in call.ports["x"]]
    if len(set(shapes)) > 1:
        raise call.error(f"shapes {' and '.join(map(str, shapes))} differ")
    axis = call.axis(call.attrs["axis"], shapes[0], extra=1)
    return (*shapes[0][:axis], len(shapes), *shapes[0][axis:])


def _transpose(call: _Call, perm: Sequence[int]) -> Shape:
    shape = call.shape("x")
    if sorted(perm) != list(range(len(shape))):
        raise call.error(f"perm {list(perm)} does not order the dimensions of shape {shape}")
    return tuple(shape[axis] for axis in perm)


def _reverse(call: _Call) -> Shape:
    if call.knows("axis"):
        call.axes(call.ints("axis"), call.shape("x"))
    return call.shape("x")


def _reverse_d(call: _Call) -> Shape:
    call.axes(call.attrs["axis"], call.shape("x"))
    return call.shape("x")


def _gather(call: _Call) -> Shape:
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


def _strided_slice(call: _Call) -> Shape:
    begin, end, strides = map(call.ints, ("begin", "end", "strides"))
    return slice_index(call.shape("x"), begin, end, strides, call.attrs)[1]


def slice_index(
    shape: Shape, begin: Shape, end: Shape, strides: Shape, attrs: dict[str, Any]
) -> tuple[tuple[slice | int | None, ...], Shape]:
    """What StridedSlice takes of a shape, as an index for NumPy, and the shape that comes out.

    The bits of the masks stand for places in `begin`, `end` and `strides`. Where several are set, the ellipsis
    comes before the new axis, and that before the shrunk one.

    Raises:
        ShapeError: the slice does not fit the shape.
    """
    if not len(begin) == len(end) == len(strides):
        raise ShapeError(f"StridedSlice: begin {begin}, end {end} and strides {strides} differ in length")

    def bit(mask: str, place: int) -> bool:
        return bool(attrs[mask] >> place & 1)

    places = range(len(begin))
    ellipses = [place for place in places if bit("ellipsis_mask", place)]
    if len(ellipses) > 1:
        raise ShapeError(f"StridedSlice: ellipsis_mask {attrs['ellipsis_mask']} has more than one ellipsis")
    sliced = sum(not bit("new_axis_mask", place) for place in places if place not in ellipses)
    skipped = len(shape) - sliced
    if skipped < 0:
        raise ShapeError(f"StridedSlice: {sliced} slices are too many for shape {shape}")
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
                raise ShapeError(f"StridedSlice: stride {place} of {strides} is 0")
            if bit("shrink_axis_mask", place):
                if step < 0 or not -length <= begin[place] < length:
                    raise ShapeError(
                        f"StridedSlice: begin {begin[place]} with stride {step} takes no element of axis {axis - 1} "
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


def _reduced(call: _Call) -> Shape:
    shape = call.shape("x")
    axes = call.axes(call.ints("axes"), shape)
    if not axes and not call.attrs.get("noop_with_empty_axes", True):
        axes = tuple(range(len(shape)))
    if call.attrs["keep_dims"]:
        return tuple(1 if axis in axes else n for axis, n in enumerate(shape))
    return tuple(n for axis, n in enumerate(shape) if axis not in axes)


def _arg_reduced(call: _Call) -> Shape:
    shape = call.shape("x")
    axis = call.axis(call.scalar("dimension"), shape)
    return (*shape[:axis], *shape[axis + 1 :])


def _scanned(call: _Call) -> Shape:
    if call.knows("axis"):
        call.axis(call.scalar("axis"), call.shape("x"))
    return call.shape("x")


def _scanned_d(call: _Call) -> Shape:
    call.axis(call.attrs["axis"], call.shape("x"))
    return call.shape("x")


def _product(flag1: str, flag2: str, most: int) -> Callable[[_Call], Shape]:
    """A matrix product; most: how many dimensions its operands may have."""

    def rule(call: _Call) -> Shape:
        shapes = [call.shape(port) for port in ("x1", "x2")]
        told = f"shapes {shapes[0]} and {shapes[1]}"
        if not all(2 <= len(shape) <= most for shape in shapes):
            raise call.error(f"{told} must have {'2' if most == 2 else f'2 to {most}'} dimensions")
        flags = [call.attrs[flag] for flag in (flag1, flag2)]
        (rows, inner), (inner2, columns) = (
            shape[:-3:-1] if flag else shape[-2:] for shape, flag in zip(shapes, flags, strict=True)
        )
        if inner != inner2:
            raise call.error(f"{told} with {flag1} {flags[0]} and {flag2} {flags[1]}: {inner} is not {inner2}")
        result = (*_broadcast_shapes(call, shapes[0][:-2], shapes[1][:-2]), rows, columns)
        for bias in call.ports.get("bias", ()):
            if _broadcast_shapes(call, result, bias.shape) != result:
                raise call.error(f"bias of shape {bias.shape} does not broadcast to the product's {result}")
        return result

    return rule


_SHAPES: dict[str, Callable[[_Call], Shape]] = {
    "ArgMaxV2": _arg_reduced,
    "ArgMin": _arg_reduced,
    "AsStrided": _as_strided,
    "BatchMatMul": _product("adj_x1", "adj_x2", 8),
    "BatchMatMulV2": _product("adj_x1", "adj_x2", 6),
    "BroadcastTo": _broadcast_to,
    "ConcatD": lambda call: _concat(call, call.attrs["concat_dim"]),
    "ConcatV2": lambda call: _concat(call, call.scalar("concat_dim")),
    "Cumsum": _scanned,
    "CumsumD": _scanned_d,
    "Eye": _eye,
    "Fill": _sizes("dims"),
    "GatherV2": _gather,
    "LinSpace": _lin_space,
    "MatMul": _product("transpose_x1", "transpose_x2", 2),
    "MatMulV2": _product("transpose_x1", "transpose_x2", 2),
    "Pack": _pack,
    "Range": _range,
    **dict.fromkeys(
        ("ReduceAll", "ReduceAny", "ReduceMax", "ReduceMean", "ReduceMin", "ReduceProd", "ReduceSum"), _reduced
    ),
    "ReverseV2": _reverse,
    "ReverseV2D": _reverse_d,
    "StridedSlice": _strided_slice,
    "Tile": _tile,
    "Transpose": lambda call: _transpose(call, call.ints("perm")),
    "TransposeD": lambda call: _transpose(call, call.attrs["perm"]),
    "Tril": _matrix,
    "Triu": _matrix,
    "ViewCopy": _view_copy,
}
