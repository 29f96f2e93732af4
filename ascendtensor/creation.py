"""Creation functions (standard section "Creation Functions")."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from math import ceil
from typing import Any

import numpy as np

from ops_registry import dtypes, promotion
from ops_registry.dtypes import DType

from . import dlpack, manipulation
from .arguments import Shape, integer_parameter, shape_parameter
from .host_values import filling_operand, python_number, scalar_operand
from .runtime.device import Device
from .runtime.device import device as device_of
from .runtime.scalars import Scalar
from .tensor import Tensor, empty_tensor, from_numpy, run, run_on, tensor_operand

__all__ = [
    "arange",
    "asarray",
    "empty",
    "empty_like",
    "eye",
    "full",
    "full_like",
    "linspace",
    "meshgrid",
    "ones",
    "ones_like",
    "tril",
    "triu",
    "zeros",
    "zeros_like",
]

# Python's numbers, each of which the next one holds.
_NUMBERS: tuple[type, ...] = (bool, int, float, complex)

# Sequences of numbers that have a dtype of their own.
_BUFFERS = (array, bytearray, memoryview)

Place = Device | str | None


def _dtype_of_number(function: str, value: Scalar | Any) -> DType:
    if isinstance(value, np.generic):
        return dtypes.of(value.dtype)
    return _default_dtype(python_number(function, value))


def _default_dtype(*numbers: Scalar) -> DType:
    """The dtype of Python numbers: that of the widest."""
    widest = max(next(rank for rank, kind in enumerate(_NUMBERS) if isinstance(number, kind)) for number in numbers)
    return dtypes.of(_NUMBERS[widest])


def asarray(obj: Any, /, *, dtype: DType | None = None, device: Place = None, copy: bool | None = None) -> Tensor:
    """A tensor of what `obj` holds.

    Parameters:
        obj: a Tensor, a number, nested sequences of numbers or of Tensors of one element, a NumPy array, or
            anything that NumPy makes an array of or that has `__dlpack__`.
        dtype: the result's; by default a Tensor's or array's own, and bool, int64, float32 or complex64 for
            Python numbers.
        device: where; by default where `obj` is, the current device for host data.
        copy: True copies always; None if it takes one; False never (ValueError where it takes one).

    Raises:
        TypeError: not numbers.
        OverflowError: a number is out of an integer dtype's range.
        ValueError: the sequences are ragged, NaN is to be an integer, or `copy` is False and it takes a copy.
    """
    wanted = None if dtype is None else dtypes.of(dtype)
    if isinstance(obj, Tensor):
        return _from_tensor(obj, wanted, device, copy)
    if copy is False:
        raise ValueError("asarray: taking host data to the device copies it, which copy=False rules out")
    values, own = _host_values(obj)
    chosen = wanted or own
    if values.dtype.kind == "c" and chosen.kind != "c":
        raise TypeError(f"asarray: complex numbers do not go into {chosen}")
    if chosen.kind in "iu" and not hasattr(obj, "dtype"):
        _check_range(values, chosen)
    place = None if device is None else device_of(device)
    try:
        with np.errstate(invalid="ignore", over="ignore"):
            return from_numpy(values, chosen, place)
    except OverflowError as error:
        raise OverflowError(f"asarray: {error}") from None


def _from_tensor(x: Tensor, dtype: DType | None, device: Place, copy: bool | None) -> Tensor:
    place = x.device if device is None else device_of(device)
    chosen = x.dtype if dtype is None else dtype
    if copy is False and (place != x.device or chosen is not x.dtype):
        raise ValueError("asarray: another data type or device takes a copy, which copy=False rules out")
    moved = x.to_device(place)
    if chosen is not x.dtype:
        return moved.astype(chosen)
    return x.clone() if copy and moved is x else moved


def _host_values(obj: Any) -> tuple[np.ndarray[Any, Any], DType]:
    """Host data as an array, and the dtype it has by itself."""
    if isinstance(obj, np.ndarray | np.generic):
        return np.asarray(obj), dtypes.of(obj.dtype)
    if isinstance(obj, bool | int | float | complex):
        return np.asarray(obj), _default_dtype(obj)
    if not isinstance(obj, Sequence) and hasattr(obj, "__dlpack__"):
        values = dlpack.exchanged(obj)
        return values, dtypes.of(values.dtype)
    try:
        values = np.asarray(_without_tensors(obj) if isinstance(_first_dtype(obj), DType) else obj)
    except ValueError as error:
        raise ValueError(f"asarray: {error}") from None
    if values.dtype == object:
        return values, _dtype_of_objects(values, obj)
    if values.dtype.name not in dtypes.BY_NAME:
        raise TypeError(f"asarray: a tensor is made of numbers, not of {obj!r}")
    if hasattr(obj, "dtype") or isinstance(obj, _BUFFERS) or _first_dtype(obj) is not None:
        return values, dtypes.of(values.dtype)
    if values.dtype.kind == "f" and np.any(np.abs(values) >= 2.0**63):
        # NumPy makes floats of integers that no integer dtype holds together.
        kept = np.asarray(obj, dtype=object)
        if all(isinstance(item, int) for item in kept.flat):
            return kept, promotion.DEFAULT_INT
    # Python numbers: NumPy's floats are always double, and its integers beyond int64 are unsigned.
    by_kind = {
        "b": dtypes.bool_,
        "i": promotion.DEFAULT_INT,
        "u": promotion.DEFAULT_INT,
        "f": promotion.default_float(),
        "c": promotion.default_complex(),
    }
    return values, promotion.default_float() if values.size == 0 else by_kind[values.dtype.kind]


def _dtype_of_objects(values: np.ndarray[Any, Any], obj: Any) -> DType:
    """The default dtype for Python numbers that NumPy has no dtype for: integers of any size among them."""
    if not all(isinstance(item, bool | int | float | complex) for item in values.flat):
        raise TypeError(f"asarray: a tensor is made of numbers, not of {obj!r}")
    return _default_dtype(*values.flat)


def _without_tensors(obj: Any) -> Any:
    """Nested lists with arrays in the place of Tensors, whose values NumPy would ask for one by one."""
    if isinstance(obj, Tensor):
        return obj.numpy()[()]
    return [_without_tensors(item) for item in obj] if isinstance(obj, list | tuple) else obj


def _first_dtype(obj: Any) -> Any:
    """The dtype of the first thing in nested sequences that has one, if any: they hold arrays, not numbers."""
    while isinstance(obj, Sequence) and not isinstance(obj, str) and len(obj):
        obj = obj[0]
    return getattr(obj, "dtype", None)


def _check_range(values: np.ndarray[Any, Any], dtype: DType) -> None:
    """Whether Python numbers, integers or cut off to integers, are in an integer dtype's range.

    Raises:
        OverflowError: one is not.
        ValueError: one is NaN.
    """
    limits = np.iinfo(dtype.dtype)
    for item in (values.min(), values.max()) if values.size else ():
        if item != item:
            raise ValueError(f"asarray: {item} is no integer for {dtype}")
        if item in (-np.inf, np.inf) or not int(limits.min) <= int(item) <= int(limits.max):
            raise OverflowError(f"asarray: {item} is out of range for {dtype}")


def empty(shape: Shape, *, dtype: DType | None = None, device: Place = None) -> Tensor:
    """A tensor of undefined content.

    Parameters:
        shape: the lengths.
        dtype: float32 by default.
        device: the current one by default.

    Raises:
        OutOfMemoryError: there is no memory for it.
    """
    chosen = promotion.default_float() if dtype is None else dtypes.of(dtype)
    return empty_tensor(shape_parameter("empty", shape), chosen, None if device is None else device_of(device))


def full(shape: Shape, fill_value: Scalar | Tensor, *, dtype: DType | None = None, device: Place = None) -> Tensor:
    """A tensor of one value (CANN: Fill).

    Parameters:
        shape: the lengths.
        fill_value: a number or a 0-d Tensor.
        dtype: by default that of the value: bool, int64, float32 or complex64 for a Python number.
        device: the current one by default.

    Raises:
        OverflowError: an integer is out of the dtype's range.
    """
    lengths = shape_parameter("full", shape)
    if isinstance(fill_value, Tensor):
        if fill_value.ndim:
            raise ValueError(f"full: the value must be a number or a 0-d Tensor; its shape is {fill_value.shape}")
        value = fill_value if device is None else fill_value.to_device(device)
        kept: Tensor = run("full", value, lengths, value.dtype if dtype is None else dtypes.of(dtype))
        return kept
    chosen = _dtype_of_number("full", fill_value) if dtype is None else dtypes.of(dtype)
    return _filled("full", lengths, fill_value, chosen, device)


def _filled(function: str, shape: tuple[int, ...], value: Scalar, dtype: DType, place: Place) -> Tensor:
    operand = filling_operand(function, value, dtype)
    where = None if place is None else device_of(place)
    made: Tensor = run_on("full", where, [operand], [operand.descriptor], (shape, dtype))
    return made


def zeros(shape: Shape, *, dtype: DType | None = None, device: Place = None) -> Tensor:
    """A tensor of zeros; parameters as of `empty` (CANN: Fill)."""
    chosen = promotion.default_float() if dtype is None else dtypes.of(dtype)
    return _filled("zeros", shape_parameter("zeros", shape), 0, chosen, device)


def ones(shape: Shape, *, dtype: DType | None = None, device: Place = None) -> Tensor:
    """A tensor of ones; parameters as of `empty` (CANN: Fill)."""
    chosen = promotion.default_float() if dtype is None else dtypes.of(dtype)
    return _filled("ones", shape_parameter("ones", shape), 1, chosen, device)


def _likeness(function: str, x: Tensor, dtype: DType | None, device: Place) -> tuple[tuple[int, ...], DType, Place]:
    x = tensor_operand(function, x)
    return x.shape, x.dtype if dtype is None else dtypes.of(dtype), x.device if device is None else device


def empty_like(x: Tensor, /, *, dtype: DType | None = None, device: Place = None) -> Tensor:
    """A tensor of undefined content with the shape, and by default the dtype and device, of `x`."""
    shape, chosen, place = _likeness("empty_like", x, dtype, device)
    return empty(shape, dtype=chosen, device=place)


def full_like(x: Tensor, /, fill_value: Scalar | Tensor, *, dtype: DType | None = None, device: Place = None) -> Tensor:
    """A tensor of one value with the shape, and by default the dtype and device, of `x`."""
    shape, chosen, place = _likeness("full_like", x, dtype, device)
    return full(shape, fill_value, dtype=chosen, device=place)


def ones_like(x: Tensor, /, *, dtype: DType | None = None, device: Place = None) -> Tensor:
    """A tensor of ones with the shape, and by default the dtype and device, of `x`."""
    shape, chosen, place = _likeness("ones_like", x, dtype, device)
    return ones(shape, dtype=chosen, device=place)


def zeros_like(x: Tensor, /, *, dtype: DType | None = None, device: Place = None) -> Tensor:
    """A tensor of zeros with the shape, and by default the dtype and device, of `x`."""
    shape, chosen, place = _likeness("zeros_like", x, dtype, device)
    return zeros(shape, dtype=chosen, device=place)


def arange(
    start: float | Tensor,
    /,
    stop: float | Tensor | None = None,
    step: float | Tensor = 1,
    *,
    dtype: DType | None = None,
    device: Place = None,
) -> Tensor:
    """Evenly spaced numbers from `start` up to, and not including, `stop` (CANN: Range).

    Parameters:
        start, stop, step: numbers, or 0-d Tensors, whose values are waited for; one alone is the stop, from 0 on.
        dtype: int64 for integers and float32 otherwise by default.
        device: the current one by default.

    Raises:
        ValueError: the step is 0.
    """
    if stop is None:
        start, stop = 0, start
    start, stop, step = (_real_number("arange", value) for value in (start, stop, step))
    if step == 0:
        raise ValueError("arange: the step is 0")
    integral = all(isinstance(value, int) for value in (start, stop, step))
    default = promotion.DEFAULT_INT if integral else promotion.default_float()
    chosen = default if dtype is None else dtypes.of(dtype)
    if chosen.kind == "b":
        raise TypeError("arange: bool is not taken; a range is made of numbers")
    # Integers of any size; floats as NumPy has it.
    count = max(0, -((start - stop) // step) if integral else _steps(start, stop, step))
    if chosen.kind in "iu" and count:
        # Whole steps from the first element to the second, as NumPy counts them.
        first = int(start)
        step = step if isinstance(step, int) and isinstance(start, int) else int(start + step) - first
        start = first
        for value in (start, start + (int(count) - 1) * step):
            scalar_operand("arange", value, chosen)
    where = None if device is None else device_of(device)
    made: Tensor = run_on("arange", where, [], [], (start, step, int(count), chosen))
    return made


def _number(function: str, value: Any) -> Scalar:
    """A number of the host, or that of a 0-d tensor."""
    return python_number(function, value.item() if isinstance(value, Tensor) and not value.ndim else value)


def _real_number(function: str, value: Any) -> float:
    number = _number(function, value)
    if isinstance(number, complex):
        raise TypeError(f"{function}: the complex number {number} is not taken; a range is made of real numbers")
    return int(number) if isinstance(number, bool) else number


def _steps(start: float, stop: float, step: float) -> int:
    """How many steps of floats lead from `start` to `stop`."""
    try:
        return ceil((stop - start) / step)
    except (OverflowError, ValueError):
        raise ValueError(f"arange: there is no length of a range from {start} to {stop} by {step}") from None


def linspace(
    start: complex | Tensor,
    stop: complex | Tensor,
    /,
    num: int,
    *,
    dtype: DType | None = None,
    device: Place = None,
    endpoint: bool = True,
) -> Tensor:
    """`num` evenly spaced numbers from `start` to `stop` (CANN: LinSpace).

    Parameters:
        start, stop: numbers, or 0-d Tensors, whose values are waited for.
        dtype: by default that of floating-point Tensors, else float32, or complex64 for complex ends.
        device: the current one by default.
        endpoint: whether `stop` is the last number, or the one that would follow.

    Raises:
        ValueError: `num` is negative.
    """
    num = integer_parameter("linspace", "num", num)
    if num < 0:
        raise ValueError(f"linspace: num is {num}; it cannot be negative")
    strong = [end.dtype for end in (start, stop) if isinstance(end, Tensor) and end.dtype.kind in "fc"]
    start, stop = _number("linspace", start), _number("linspace", stop)
    is_complex = isinstance(start, complex) or isinstance(stop, complex)
    default = promotion.default_complex() if is_complex else promotion.default_float()
    if strong:
        default = promotion.result_type(*strong, start, stop)
    chosen = default if dtype is None else dtypes.of(dtype)
    if is_complex and chosen.kind != "c":
        raise TypeError(f"linspace: complex numbers do not go into {chosen}")
    if chosen.kind == "b":
        raise TypeError("linspace: bool is not taken; a range is made of numbers")
    where = None if device is None else device_of(device)
    made: Tensor = run_on("linspace", where, [], [], (start, stop, num + (not endpoint), chosen))
    return made if endpoint else made[:num]


def eye(
    n_rows: int,
    n_cols: int | None = None,
    /,
    *,
    k: int = 0,
    dtype: DType | None = None,
    device: Place = None,
) -> Tensor:
    """Ones on the `k`-th diagonal and zeros elsewhere (CANN: Eye).

    Parameters:
        n_cols: as many columns as rows by default.
        k: above the main diagonal if positive, below it if negative.
        dtype: float32 by default.
        device: the current one by default.
    """
    rows, columns = shape_parameter("eye", (n_rows, n_rows if n_cols is None else n_cols))
    chosen = promotion.default_float() if dtype is None else dtypes.of(dtype)
    where = None if device is None else device_of(device)
    made: Tensor = run_on("eye", where, [], [], (rows, columns, integer_parameter("eye", "k", k), chosen))
    return made


def _matrices(function: str, x: Tensor) -> Tensor:
    if tensor_operand(function, x).ndim < 2:
        raise ValueError(f"{function}: a tensor of {x.ndim} dimensions is no stack of matrices")
    return x


def tril(x: Tensor, /, *, k: int = 0) -> Tensor:
    """The lower triangles of matrices, up to the `k`-th diagonal; zeros above (CANN: Tril)."""
    lower: Tensor = run("tril", _matrices("tril", x), integer_parameter("tril", "k", k))
    return lower


def triu(x: Tensor, /, *, k: int = 0) -> Tensor:
    """The upper triangles of matrices, from the `k`-th diagonal; zeros below (CANN: Triu)."""
    upper: Tensor = run("triu", _matrices("triu", x), integer_parameter("triu", "k", k))
    return upper


def meshgrid(*arrays: Tensor, indexing: str = "xy") -> tuple[Tensor, ...]:
    """Coordinate grids of one-dimensional tensors, as views.

    Parameters:
        indexing: `"xy"` (the first tensor runs along the second dimension) or `"ij"`.

    Raises:
        ValueError: another indexing, a tensor of two or more dimensions, or differing dtypes.
    """
    if indexing not in ("xy", "ij"):
        raise ValueError(f"meshgrid: indexing is {indexing!r}; it can be 'xy' or 'ij'")
    if any(tensor_operand("meshgrid", x).ndim > 1 for x in arrays):
        raise ValueError("meshgrid: every tensor must be one-dimensional")
    if len({x.dtype for x in arrays}) > 1:
        raise ValueError(f"meshgrid: one dtype for all; there are {', '.join(str(x.dtype) for x in arrays)}")
    order = list(range(len(arrays)))
    if indexing == "xy" and len(arrays) > 1:
        order[:2] = [1, 0]
    lengths = [x.size for x in arrays]
    shape = tuple(lengths[position] for position in order)
    grids = []
    for position, x in enumerate(arrays):
        along = order.index(position)
        line = x.reshape(tuple(x.size if axis == along else 1 for axis in range(len(arrays))))
        grids.append(manipulation.broadcast_to(line, shape))
    return tuple(grids)
