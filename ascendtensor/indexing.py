"""Reading and writing through square brackets (standard section "Indexing").

A basic index is a view. Integer arrays and masks gather into new memory, and assignment through them scatters.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite, isnan
from types import EllipsisType
from typing import Any, Self

import numpy as np

from ops_registry import dtypes, shapes
from ops_registry.dtypes import DType

from . import views
from .advanced_index import AdvancedIndex, advanced_index
from .host_values import assignable, assigned_values, scalar_operand
from .runtime.device import Device
from .runtime.scalars import HostScalar, Scalar
from .runtime.storage import Storage
from .views import View

__all__ = ["Index", "Indexing"]

_One = int | slice | EllipsisType | None | Sequence[Any] | np.ndarray[Any, Any] | Any
Index = _One | tuple[_One, ...]


class Indexing:
    """`x[key]` and `x[key] = value`, in terms of what a tensor has."""

    __slots__ = ()

    _storage: Storage

    @property
    def dtype(self) -> DType:
        """The data type of the elements."""
        raise NotImplementedError

    @property
    def shape(self) -> tuple[int, ...]:
        """The length of each dimension."""
        raise NotImplementedError

    @property
    def ndim(self) -> int:
        """How many dimensions there are."""
        raise NotImplementedError

    @property
    def device(self) -> Device:
        """Where the memory is."""
        raise NotImplementedError

    @property
    def _view(self) -> View:
        """The view on the storage."""
        raise NotImplementedError

    @staticmethod
    def _run(function: str, *arguments: Any) -> Any:
        """Run an array-API function on a device."""
        raise NotImplementedError

    @staticmethod
    def _uploaded(values: np.ndarray[Any, Any], dtype: DType, where: Device) -> Any:
        """A tensor with the values of an array."""
        raise NotImplementedError

    def _viewed(self, view: View) -> Self:
        """Another view of the same storage."""
        raise NotImplementedError

    def _memory(self) -> Self:
        """The whole storage as one dimension."""
        raise NotImplementedError

    def _gathered(self) -> Self:
        """A contiguous copy in memory of its own."""
        raise NotImplementedError

    # Reading

    def __getitem__(self, key: Index) -> Self:
        found = advanced_index(key, self.shape)
        if found is None:
            return self._viewed(views.indexed(self._view, key))
        shown = self._viewed(views.indexed(self._view, found.basic))
        return shown._read(found) if found.arrays else shown

    def _read(self, index: AdvancedIndex) -> Self:
        """What the arrays of an index select from its basic view, which this is."""
        _around(index)
        (_, array), *others = index.arrays
        if _is_mask(array) and not others and array.ndim == self.ndim:
            return self._run("masked_select", self, array)
        axes, rows = self._rows(index)
        around = _broadcast(rows)
        if len(axes) == 1:
            taken, begins = self._run("take", self, rows[0], axes[0]), axes[0]
        else:
            order = [*axes, *(axis for axis in range(self.ndim) if axis not in axes)]
            taken, begins = self._run("gather", self._viewed(views.permuted(self._view, order)), *rows), 0
        if begins == index.position:
            return taken
        rest = [axis for axis in range(taken.ndim) if not begins <= axis < begins + len(around)]
        rest[index.position : index.position] = range(begins, begins + len(around))
        return taken._viewed(views.permuted(taken._view, rest))

    def _rows(self, index: AdvancedIndex) -> tuple[list[int], list[Any]]:
        """The dimensions that the arrays of an index select along, and the positions in each, as tensors."""
        axes: list[int] = []
        rows: list[Any] = []
        for axis, array in index.arrays:
            if isinstance(array, np.ndarray):
                positions = [self._uploaded(array, dtypes.int64, self.device)]
            elif _is_mask(array):
                found = self._run("nonzero", array)
                positions = [found[place] for place in range(array.ndim)]
            else:
                positions = [array]
            axes += range(axis, axis + len(positions))
            rows += positions
        return axes, rows

    # Writing

    def __setitem__(self, key: Index, value: Any) -> None:
        found = advanced_index(key, self.shape)
        view = views.indexed(self._view, key if found is None else found.basic)
        if found is None or not found.arrays:
            self._write(view, value)
        else:
            self._write_rows(view, found, value)

    def _write(self, view: View, value: Any) -> None:
        """Write `value`, broadcast, over a view of this tensor's memory."""
        views.check_distinct("setitem", view)
        source = self._source(value)
        if isinstance(source, HostScalar):
            if 0 not in view.shape:
                (shape, strides, offset), _ = views.forward(view)
                self._run("copy_into", self._memory(), source, shape, strides, offset, (), (), 0)
            return
        views.fitted(View(source.shape, (0,) * source.ndim, 0), view.shape)
        if 0 in view.shape:
            return
        tensor = self._on_device(source)
        fitted = tensor._viewed(views.fitted(tensor._view, view.shape))
        view, flipped = views.forward(view)
        fitted = fitted._viewed(views.flipped(fitted._view, flipped))
        # The op reads forward too, and nothing that it is writing to.
        if fitted._storage is self._storage or any(s < 0 for s in fitted._view.strides):
            fitted = fitted._gathered()
        self._run("copy_into", self._memory(), fitted._memory(), *view, *fitted._view)

    def _source(self, value: Any) -> Any:
        """What is assigned, checked: a tensor, a host scalar of this dtype, or an array that is not uploaded yet.

        Raises:
            TypeError, ValueError, OverflowError: it cannot be assigned into this tensor.
        """
        if isinstance(value, bool | int | float | complex):
            return self._scalar(value)
        if not isinstance(value, Indexing):
            return assigned_values(value, self.dtype)
        if not assignable(value.dtype, self.dtype):
            raise TypeError(f"setitem: a value of {value.dtype} cannot be assigned into a tensor of {self.dtype}")
        if value.device is not self.device:
            raise ValueError(f"setitem: a value on {value.device} does not go into a tensor on {self.device}")
        return value

    def _scalar(self, value: Scalar) -> HostScalar:
        if isinstance(value, complex) and self.dtype.kind != "c":
            raise TypeError(f"setitem: a complex value cannot be assigned into a tensor of {self.dtype}")
        if isinstance(value, float) and self.dtype.kind in "iu":
            if not isfinite(value):
                error = ValueError if isnan(value) else OverflowError
                raise error(f"setitem: {value} is no integer for a tensor of {self.dtype}")
            value = int(value)
        return scalar_operand("setitem", value, self.dtype)

    def _on_device(self, source: Any) -> Any:
        """A checked source as a tensor of this dtype."""
        if isinstance(source, np.ndarray):
            return self._uploaded(source, self.dtype, self.device)
        return source if source.dtype is self.dtype else self._run("astype", source, self.dtype)

    def _write_rows(self, view: View, index: AdvancedIndex, value: Any) -> None:
        """Write `value`, broadcast, where the arrays of an index select in a view of this tensor's memory."""
        views.check_distinct("setitem", view)
        around = _around(index)
        source = self._source(value)
        one = isinstance(source, HostScalar) or source.ndim == 0
        (axis, array), *others = index.arrays
        if one and _is_mask(array) and not others:
            self._write_where(view, axis, array, source)
            return
        if around is not None:
            self._check_fits(view, index, around, source)
        axes, rows = self._rows(index)
        if around is None:
            around = _broadcast(rows)
            self._check_fits(view, index, around, source)
        order = [*axes, *(axis for axis in range(len(view.shape)) if axis not in axes)]
        target = views.permuted(view, order)
        if 0 in around or 0 in target.shape:
            return
        if not isinstance(source, HostScalar):
            source = self._on_device(source)
            if not one:
                source = self._in_order(source, target.shape[len(axes) :], around, index.position)
            if source._storage is self._storage:
                source = source._gathered()
        self._run("scatter_into", self._memory(), source, *rows, *target)

    def _check_fits(self, view: View, index: AdvancedIndex, around: tuple[int, ...], source: Any) -> None:
        if not isinstance(source, HostScalar):
            selected = [axis + more for axis, array in index.arrays for more in range(_depth(array))]
            rest = tuple(n for axis, n in enumerate(view.shape) if axis not in selected)
            shape = (*rest[: index.position], *around, *rest[index.position :])
            views.fitted(View(source.shape, (0,) * source.ndim, 0), shape)

    @staticmethod
    def _in_order(source: Any, rest: tuple[int, ...], around: tuple[int, ...], position: int) -> Any:
        """A source broadcast to what it is assigned to, with the dimensions of the arrays first."""
        shape = (*rest[:position], *around, *rest[position:])
        fitted = views.fitted(source._view, shape)
        inside = range(position, position + len(around))
        order = [*inside, *(axis for axis in range(len(shape)) if axis not in inside)]
        return source._viewed(views.permuted(fitted, order))

    def _write_where(self, view: View, axis: int, mask: Any, source: Any) -> None:
        """Write one number where a mask over some dimensions holds. Nobody waits to learn how many places that are."""
        shown = self._viewed(view)
        if 0 in view.shape:
            return
        number = source if isinstance(source, HostScalar) else self._on_device(source)
        after = len(view.shape) - axis - mask.ndim
        aligned = views.expanded(mask._view, range(mask.ndim, mask.ndim + after), "setitem")
        self._write(view, self._run("where", mask._viewed(aligned), number, shown))


def _is_mask(array: Any) -> bool:
    """Whether an array of an index is a mask, which only the device knows; masks of the host are positions by now."""
    return bool(array.dtype.kind == "b")


def _depth(array: Any) -> int:
    """How many dimensions an array selects along."""
    return int(array.ndim) if _is_mask(array) else 1


def _around(index: AdvancedIndex) -> tuple[int, ...] | None:
    """The shape that the arrays of an index broadcast to; None if a mask's count is in it.

    Raises:
        IndexError: those whose shapes are known do not broadcast.
    """
    known = [array for _, array in index.arrays if not _is_mask(array)]
    shape = _broadcast(known)
    return shape if len(known) == len(index.arrays) else None


def _broadcast(arrays: Sequence[Any]) -> tuple[int, ...]:
    try:
        return shapes.broadcast("index", *(tuple(array.shape) for array in arrays)) if arrays else ()
    except ValueError as error:
        raise IndexError(str(error)) from None
