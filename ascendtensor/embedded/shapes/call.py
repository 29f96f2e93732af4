"""A call as inference sees it: its inputs by port, its attributes, and what it may ask of them."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy.typing as npt

from ops_registry.dtypes import DType
from ops_registry.prototype import Prototype

__all__ = ["UNBOUNDED", "Call", "Extent", "Facts", "OutFacts", "Rule", "Shape", "ShapeError", "exactly"]

Shape = tuple[int, ...]
Ranges = tuple[tuple[int, int], ...]

# The most of a dimension that nothing bounds.
UNBOUNDED = -1


class ShapeError(ValueError):
    """Inputs or attributes that do not fit the operator, or a value that its shape depends on and lacks."""


class Facts(NamedTuple):
    """What is known of an input; `value` only where it lies on the host."""

    dtype: DType
    shape: Shape
    value: npt.NDArray[Any] | None = None


class OutFacts(NamedTuple):
    """What an output will be.

    Attributes:
        shape: -1 for a dimension that only running tells.
        ranges: then, for each dimension, the least and the most that it can be, `UNBOUNDED` for no most.
    """

    dtype: DType
    shape: Shape
    ranges: Ranges | None = None


class Extent(NamedTuple):
    """A shape of which only ranges are known."""

    ranges: Ranges

    @property
    def shape(self) -> Shape:
        """With -1 for what is not known."""
        return tuple(least if least == most else -1 for least, most in self.ranges)


def exactly(*dims: int) -> Ranges:
    """Ranges of dimensions that are known."""
    return tuple((dim, dim) for dim in dims)


class Call:
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
        """What to raise; it names the operator."""
        return ShapeError(f"{self.prototype.op_type}: {what}")

    def shape(self, port: str) -> Shape:
        """The shape of a port that is there."""
        return self.ports[port][0].shape

    def matrices(self, port: str = "x", square: bool = False) -> Shape:
        """The shape of a port whose last two dimensions are a matrix's."""
        shape = self.shape(port)
        if len(shape) < 2:
            raise self.error(f"{port} must have at least 2 dimensions; its shape is {shape}")
        if square and shape[-1] != shape[-2]:
            raise self.error(f"{port} must hold square matrices; its shape is {shape}")
        return shape

    def not_negative(self, what: str, sizes: Shape) -> Shape:
        """`sizes`, none of which may be negative."""
        if min(sizes, default=0) < 0:
            raise self.error(f"{what} {list(sizes)} must not be negative")
        return sizes

    def given(self) -> list[Facts]:
        """The inputs whose values do not decide the shape, in order."""
        return [facts for port in self.prototype.inputs if not port.const for facts in self.ports[port.name]]

    def knows(self, *ports: str) -> bool:
        """Whether the values are there, for checks that the shape can do without."""
        return all(self.ports[port][0].value is not None for port in ports)

    def value(self, port: str) -> npt.NDArray[Any]:
        """The value of a port, flat; without it there is no shape."""
        value = self.ports[port][0].value
        if value is None:
            raise self.error(f"the output's shape depends on the value of {port!r}, which is not known on the host")
        return value.reshape(-1)

    def ints(self, port: str) -> Shape:
        """The value of a port as integers."""
        return tuple(map(int, self.value(port).tolist()))

    def scalar(self, port: str) -> float:
        """The value of a port that holds one number."""
        value = self.value(port)
        if value.size != 1:
            raise self.error(f"{port!r} must be a single number, not {value.size} of them")
        return int(value[0]) if value.dtype.kind in "iu" else float(value[0])

    def sizes(self, port: str) -> Shape | Extent:
        """The shape that stands in a port."""
        if self.knows(port):
            return self.not_negative(port, self.ints(port))
        return Extent(((0, UNBOUNDED),) * math.prod(self.shape(port)))

    def axis(self, axis: float, shape: Shape, extra: int = 0) -> int:
        """`axis` counted from the front of a shape, to which the operator adds `extra` axes."""
        ndim = len(shape) + extra
        if not -ndim <= axis < ndim:
            raise self.error(f"axis {axis} is out of range for shape {shape}")
        return int(axis) % ndim

    def axes(self, axes: Sequence[int], shape: Shape) -> Shape:
        """Axes counted from the front, none of which may come twice."""
        normal = tuple(self.axis(axis, shape) for axis in axes)
        if len(set(normal)) < len(normal):
            raise self.error(f"axes {list(axes)} name a dimension of shape {shape} twice")
        return normal


Rule = Callable[[Call], "Shape | Extent | list[Shape | Extent]"]
"""The shape of an output, or a list with one for each."""
