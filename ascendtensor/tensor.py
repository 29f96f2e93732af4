"""The Tensor: device memory, the view on it, and the operators. What computes is one call of `run` each."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from types import ModuleType
from typing import Any, Self

import numpy as np

from ops_registry import dtypes, promotion
from ops_registry.dtypes import DType

from . import dlpack, views
from .arguments import axis_parameter
from .host_values import scalar_operand
from .indexing import Indexing
from .operators import Operators
from .printing import tensor_repr
from .runtime.buffers import DataBuffer
from .runtime.descriptors import Descriptor, descriptor
from .runtime.device import Device, device, shares_memory
from .runtime.executor import run as run_plan
from .runtime.executor import warn_of_host
from .runtime.plans import plan_for
from .runtime.scalars import HostScalar, Scalar
from .runtime.storage import Storage
from .runtime.stream import Stream, current_stream
from .runtime.transfer import to_device, to_host
from .ufuncs import FUNCTIONS, computed_on_host
from .views import View, contiguous_strides

__all__ = ["Scalar", "Tensor", "binary", "from_numpy", "run", "to_operands", "unary"]

_NAMESPACE = __name__.rpartition(".")[0]

# Ops read memory from addresses that are multiples of this.
_ALIGNMENT = 32


class Tensor(Operators, Indexing):
    """A tensor on a device. It shares its memory with the tensors that are views of it.

    Make one with `asarray`, `zeros` and the other creation functions. Operations queue work on the
    device and return at once; only reading values on the host waits.
    """

    __slots__ = ("__weakref__", "_buffer", "_descriptor", "_offset", "_storage", "_strides")

    _storage: Storage
    _descriptor: Descriptor
    # None for a contiguous tensor; offset and strides count in elements.
    _strides: tuple[int, ...] | None
    _offset: int
    # Made when an op first reads from an offset.
    _buffer: DataBuffer | None

    def __init__(self, *_: Any, **__: Any) -> None:
        raise TypeError("a Tensor is made by asarray, zeros, empty and the other creation functions")

    # Attributes

    @property
    def dtype(self) -> DType:
        """The data type of the elements."""
        return self._descriptor.dtype

    @property
    def shape(self) -> tuple[int, ...]:
        """The length of each dimension."""
        return self._descriptor.shape

    @property
    def ndim(self) -> int:
        """How many dimensions there are."""
        return self._descriptor.ndim

    @property
    def size(self) -> int:
        """How many elements there are."""
        return self._descriptor.size

    @property
    def nbytes(self) -> int:
        """How many bytes the elements take."""
        return self._descriptor.nbytes

    @property
    def itemsize(self) -> int:
        """How many bytes one element takes."""
        return self._descriptor.dtype.itemsize

    @property
    def device(self) -> Device:
        """Where the memory is."""
        return self._storage.device

    @property
    def T(self) -> Tensor:
        """The transposed view of a two-dimensional tensor.

        Raises:
            ValueError: not two-dimensional.
        """
        if self.ndim != 2:
            raise ValueError(f"T: a tensor of {self.ndim} dimensions has no transpose; use mT or permute_dims")
        return self.mT

    @property
    def mT(self) -> Tensor:
        """The view with the last two dimensions swapped.

        Raises:
            ValueError: fewer than two dimensions.
        """
        if self.ndim < 2:
            raise ValueError(f"mT: a tensor of {self.ndim} dimensions is no stack of matrices")
        return self._viewed(views.permuted(self._view, [*range(self.ndim - 2), self.ndim - 1, self.ndim - 2]))

    @property
    def real(self) -> Tensor:
        """The view of the real parts; the tensor itself if it is real."""
        return self._part(0) if self.dtype.kind == "c" else self

    @property
    def imag(self) -> Tensor:
        """The view of the imaginary parts.

        Raises:
            TypeError: the tensor is not complex.
        """
        if self.dtype.kind != "c":
            raise TypeError(f"imag: a tensor of {self.dtype} has no imaginary part")
        return self._part(1)

    def _part(self, which: int) -> Tensor:
        view = self._view
        doubled = View(view.shape, tuple(2 * s for s in view.strides), 2 * view.offset + which)
        return _make(self._storage, descriptor(dtypes.REAL_OF[self.dtype], view.shape), doubled)

    # Memory

    @property
    def _view(self) -> View:
        return View(self.shape, self._strides or contiguous_strides(self.shape), self._offset)

    def _viewed(self, view: View) -> Tensor:
        """Another view of the same storage."""
        return _make(self._storage, descriptor(self.dtype, view.shape), view)

    def stride(self) -> tuple[int, ...]:
        """How many elements apart neighbours stand, for each dimension."""
        return self._view.strides

    def is_contiguous(self) -> bool:
        """Whether the elements stand one after the other, the last dimension fastest."""
        return self._strides is None

    def contiguous(self) -> Tensor:
        """The tensor itself if it is contiguous, else a contiguous copy."""
        return self if self._strides is None else self._gathered()

    def clone(self) -> Tensor:
        """A contiguous copy in memory of its own."""
        return run("copy", self) if self._is_operand() else self._gathered()

    def _is_operand(self) -> bool:
        """Whether ops can read the memory where it is."""
        return self._strides is None and self._offset * self.itemsize % _ALIGNMENT == 0

    def _gathered(self) -> Tensor:
        shape, strides, offset = self._view
        return run("contiguous", self._memory(), shape, strides, offset)

    def _memory(self) -> Tensor:
        """The whole storage as one dimension of this dtype."""
        flat = descriptor(self.dtype, (self._storage.nbytes // self.itemsize,))
        return _make(self._storage, flat, View(flat.shape, (1,), 0))

    @property
    def storage(self) -> Storage:
        """The memory that the tensor shares with its views."""
        return self._storage

    @property
    def buffer(self) -> int:
        """The handle of the data buffer that hands the elements to an op; the tensor is contiguous and aligned."""
        block = self._storage.block
        if self._offset == 0:
            return block.buffer.handle
        if self._buffer is None:
            skipped = self._offset * self.itemsize
            self._buffer = DataBuffer(block.address + skipped, self._storage.nbytes - skipped)
        return self._buffer.handle

    def record_stream(self, stream: Stream) -> None:
        """Have the memory kept until what `stream` does with it is done. Operations see to this by themselves.

        Raises:
            TypeError: not a stream.
            ValueError: a stream of another device.
        """
        if not isinstance(stream, Stream):
            raise TypeError(f"record_stream: takes an npu.Stream, not {type(stream).__name__}")
        if stream.device != self.device:
            raise ValueError(f"record_stream: the tensor is on {self.device}, the stream on {stream.device}")
        self._storage.keep_for(stream)

    # To the host

    def numpy(self) -> np.ndarray[Any, Any]:
        """The elements as a NumPy array of their own. Waits for the device.

        Raises:
            AclError: something queued before failed.
        """
        whole = self.contiguous()
        return to_host(whole._storage, whole._descriptor, whole._offset * whole.itemsize, current_stream(whole.device))

    def tolist(self) -> Any:
        """The elements as nested lists of Python numbers, or one number. Waits for the device."""
        return self.numpy().tolist()

    def item(self) -> Any:
        """The one element as a Python number. Waits for the device.

        Raises:
            ValueError: there is not exactly one element.
        """
        if self.size != 1:
            raise ValueError(f"only a tensor of one element is a number; this one has shape {self.shape}")
        return self.numpy().item()

    def __bool__(self) -> bool:
        return bool(self.item())

    def __int__(self) -> int:
        if self.dtype.kind == "c":
            raise TypeError(f"a tensor of {self.dtype} is no integer; take its real part first")
        return int(self.item())

    def __float__(self) -> float:
        if self.dtype.kind == "c":
            raise TypeError(f"a tensor of {self.dtype} is no real number; take its real part first")
        return float(self.item())

    def __complex__(self) -> complex:
        return complex(self.item())

    def __index__(self) -> int:
        if self.dtype.kind not in "iu" or self.ndim:
            raise TypeError(f"only a 0-d tensor of integers is an index; this one is {self.dtype}{list(self.shape)}")
        return int(self.item())

    def __len__(self) -> int:
        if not self.ndim:
            raise TypeError("a 0-d tensor has no length")
        return self.shape[0]

    def __iter__(self) -> Iterator[Tensor]:
        if not self.ndim:
            raise TypeError("a 0-d tensor has nothing to iterate over")
        return (self[position] for position in range(self.shape[0]))

    def __contains__(self, value: Any) -> bool:
        try:
            found = binary("equal", self, value)
        except OverflowError:
            # An integer beyond the dtype's range equals none of its numbers.
            return False
        return found is not NotImplemented and bool(run("any", found, None, False))

    def __repr__(self) -> str:
        return tensor_repr(self.numpy(), self.dtype, str(self.device))

    def __format__(self, spec: str) -> str:
        return format(self.item(), spec) if spec and not self.ndim else format(str(self), spec)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
        if copy is False:
            if not shares_memory() or (dtype is not None and np.dtype(dtype) != self.dtype.dtype):
                raise ValueError("a NumPy array of this tensor is a copy, which copy=False rules out")
            return self._where_it_is()
        values = self.numpy()
        return values if dtype is None else values.astype(dtype, copy=False)

    def _where_it_is(self) -> np.ndarray[Any, Any]:
        """The elements as an array without a copy, for a program that runs on the device itself. Waits for it."""
        return dlpack.array_of(self._settled(), self.dtype.dtype)

    def _settled(self) -> dlpack.Memory:
        """The elements for others to read and write, when all that is queued is done."""
        stream = current_stream(self.device)
        self._storage.before_read(stream)
        stream.synchronize()
        shape, strides, offset = self._view
        address = self._storage.block.address + offset * self.itemsize
        return dlpack.Memory(self, address, self.dtype.dtype, shape, strides)

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
        """A universal function of NumPy: the function of this library that it is, else computed by the host.

        So `np.float64(2) * x` and `np.exp(x)` stay on the device, and SciPy's compiled functions take tensors.

        Raises:
            TypeError: a tensor and a NumPy array where the device computes, or an array is to take the result.
            HostFallbackWarning: the host computes it, and a filter makes that an error.
        """
        targets = options.pop("out", ())
        function = FUNCTIONS.get(ufunc) if method == "__call__" and not options else None
        if function:
            # NumPy makes 0-d arrays of its scalars before it compares them.
            inputs = tuple(one[()] if type(one) is np.ndarray and not one.ndim else one for one in inputs)
        arrays = [one for one in (*targets, *(inputs if function else ())) if isinstance(one, np.ndarray)]
        if any(type(one) is not np.ndarray for one in arrays):
            # A class derived from NumPy's arrays may know what to do.
            return NotImplemented
        if arrays:
            raise TypeError(
                f"{function or ufunc.__name__}: of a Tensor and a NumPy array; take asarray of the array to compute "
                "on the device, or numpy() of the tensor to compute on the host"
            )
        if function is None:
            # Where not all elements are computed, the others are those of the target.
            results = _by_host(ufunc, method, inputs, {**options, "out": targets} if targets else options)
        else:
            made = binary(function, *inputs) if len(inputs) == 2 else unary(function, *inputs)
            if made is NotImplemented:
                return NotImplemented
            results = (made,)
        if targets:
            results = tuple(_assigned(*pair) for pair in zip(targets, results, strict=True))
        return results if len(results) > 1 else results[0]

    # Interchange

    def __array_namespace__(self, *, api_version: str | None = None) -> ModuleType:
        namespace = sys.modules[_NAMESPACE]
        if api_version not in (None, *namespace.API_VERSIONS):
            raise ValueError(f"the array API's version {api_version!r} is not kept; {namespace.API_VERSIONS} are")
        return namespace

    def __dlpack_device__(self) -> tuple[int, int]:
        # What a capsule holds where none is asked for: DLPack's consumers know no NPU.
        return dlpack.CPU, 0

    def __dlpack__(
        self,
        *,
        stream: Any = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> Any:
        """A DLPack capsule of the elements; the standard tells of the parameters.

        Parameters:
            stream: only None: what is queued is waited for.
            dl_device: (1, 0) by default, the host's memory, which takes a copy unless the program runs on the device
                itself; or (12, the device's number), the device's memory as it is, where torch_npu takes it.

        Raises:
            BufferError: another device, or `copy` is False and it takes a copy.
            ValueError: a stream is named.
        """
        if stream is not None:
            raise ValueError(f"__dlpack__: stream is {stream!r}; it can only be None")
        where = dlpack.plain(dl_device or self.__dlpack_device__())
        if where == (dlpack.EXTENSION, self.device.index):
            whole = self.clone() if copy else self
            memory = whole._settled()
            return dlpack.device_capsule_of(memory, self.dtype.dtype, self.device.index, max_version, bool(copy))
        if where != (dlpack.CPU, 0):
            raise BufferError(
                f"__dlpack__: a tensor on {self.device} is exported to {(dlpack.CPU, 0)} or "
                f"{(dlpack.EXTENSION, self.device.index)} in DLPack's numbers, not to {where}"
            )
        copied = bool(copy) or not shares_memory()
        if copied and copy is False:
            raise BufferError("__dlpack__: exporting a tensor to the host copies it, which copy=False rules out")
        return dlpack.capsule_of(self.numpy() if copied else self._where_it_is(), max_version, copied)

    def to_device(self, where: Device | str, /, *, stream: Any = None) -> Tensor:
        """The tensor on a device; itself if it is there already.

        Raises:
            ValueError: there is no such device.
        """
        return self if device(where) == self.device else from_numpy(self.numpy(), self.dtype, device(where))

    def __reduce__(self) -> tuple[Any, ...]:
        return from_numpy, (self.numpy(), self.dtype, self.device)

    def __copy__(self) -> Tensor:
        return self.clone()

    def __deepcopy__(self, memo: dict[int, Any]) -> Tensor:
        return self.clone()

    # What indexing and the operators are made of

    @staticmethod
    def _run(function: str, *arguments: Any) -> Any:
        return run(function, *arguments)

    @staticmethod
    def _uploaded(values: np.ndarray[Any, Any], dtype: DType, where: Device) -> Tensor:
        return from_numpy(values, dtype, where)

    def _unary(self, function: str) -> Tensor:
        return unary(function, self)

    def _binary(self, function: str, other: Any) -> Tensor:
        return binary(function, self, other)

    def _reflected(self, function: str, other: Any) -> Tensor:
        return binary(function, other, self)

    def _in_place(self, function: str, other: Any) -> Self:
        views.check_distinct(function, self._view)
        result = binary(function, self, other, into=self)
        if result is NotImplemented:
            return NotImplemented
        self._write(self._view, result)
        return self

    # Methods that array code expects beside the functions

    def sum(self, axis: Any = None, dtype: DType | None = None, keepdims: bool = False) -> Tensor:
        """As the function `sum`."""
        return run("sum", self, axis_parameter("sum", axis), None if dtype is None else dtypes.of(dtype), keepdims)

    def mean(self, axis: Any = None, keepdims: bool = False) -> Tensor:
        """As the function `mean`."""
        return run("mean", self, axis_parameter("mean", axis), keepdims)

    def max(self, axis: Any = None, keepdims: bool = False) -> Tensor:
        """As the function `max`."""
        return run("max", self, axis_parameter("max", axis), keepdims)

    def min(self, axis: Any = None, keepdims: bool = False) -> Tensor:
        """As the function `min`."""
        return run("min", self, axis_parameter("min", axis), keepdims)

    def reshape(self, *shape: int | Sequence[int]) -> Tensor:
        """The elements under another shape: a view where that is possible, else a copy."""
        wanted = shape[0] if len(shape) == 1 else shape
        return reshaped(self, wanted, None)  # type: ignore[arg-type]

    def view(self, *to: int | Sequence[int] | DType | type) -> Tensor:
        """The same memory under another shape, as in PyTorch, or with its bytes read in another dtype, as in NumPy.

        Parameters:
            to: a shape, or one dtype; of another size, it makes the last dimension longer or shorter.

        Raises:
            ValueError: it takes a copy, or the bytes of the last dimension don't make up whole elements.
        """
        wanted = to[0] if len(to) == 1 else to
        if isinstance(wanted, int | Sequence) and not isinstance(wanted, str):
            return reshaped(self, wanted, False, "view")  # type: ignore[arg-type]
        dtype = dtypes.of(wanted)
        seen = views.retyped(self._view, self.itemsize, dtype.itemsize)
        return _make(self._storage, descriptor(dtype, seen.shape), seen)

    def astype(self, dtype: DType) -> Tensor:
        """As the function `astype`."""
        return run("astype", self, dtypes.of(dtype))


def _make(storage: Storage, described: Descriptor, view: View | None = None) -> Tensor:
    """A tensor over memory; without a view, the whole of it in order."""
    tensor = object.__new__(Tensor)
    tensor._storage = storage
    tensor._descriptor = described
    tensor._buffer = None
    tensor._strides = None
    tensor._offset = 0
    if view is not None:
        tensor._offset = view.offset
        if not view.is_contiguous:
            tensor._strides = view.strides
    return tensor


def _by_host(ufunc: np.ufunc, method: str, inputs: Sequence[Any], options: dict[str, Any]) -> tuple[Any, ...]:
    """What the host makes of tensors, on their device again where it is of a dtype that tensors have."""
    where = common_device(ufunc.__name__, *inputs, *options.get("out", ()), *options.values())
    arrays = [_as_array(one) for one in inputs]
    results = computed_on_host(ufunc, method, arrays, {name: _as_array(one) for name, one in options.items()})
    return tuple(
        from_numpy(np.asarray(one), dtypes.BY_NAME[one.dtype.name], where) if _has_dtype(one) else one
        for one in results
    )


def _assigned(target: Tensor | None, result: Any) -> Any:
    """A result where the caller wants it to be."""
    if target is None:
        return result
    if target.shape != result.shape:
        raise ValueError(f"out: a result of shape {result.shape} does not go into shape {target.shape}")
    target[...] = result
    return target


def _as_array(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(map(_as_array, value))
    return value.numpy() if isinstance(value, Tensor) else value


def _has_dtype(value: Any) -> bool:
    return isinstance(value, np.ndarray | np.generic) and value.dtype.name in dtypes.BY_NAME


def common_device(function: str, *values: Any) -> Device | None:
    """The device of the tensors among some values; None if there are none.

    Raises:
        ValueError: they are on several.
    """
    found = {value.device: None for value in values if isinstance(value, Tensor)}
    if len(found) > 1:
        told = " and ".join(map(str, found))
        raise ValueError(f"{function}: tensors on {told}; move one with to_device first")
    return next(iter(found), None)


def _operand(tensor: Tensor) -> Tensor:
    return tensor if tensor._is_operand() else tensor._gathered()


def run(function: str, *arguments: Any, into: Tensor | None = None) -> Any:
    """Run an array-API function: its tensors first, then its other arguments, which are hashable.

    Parameters:
        into: the tensor that is to take the result, which must fit.

    Returns:
        A Tensor, a tuple of them, or None for a function that writes in place. Their values come later.

    Raises:
        TypeError, ValueError, IndexError: the arguments don't fit; nothing was queued.
        HostFallbackWarning: no engine of the chip computes it, and a filter makes that an error; nothing was queued.
        OutOfMemoryError: there is no memory for a result.
    """
    operands: list[Tensor | HostScalar] = []
    described: list[Descriptor] = []
    where: Device | None = None
    for position, argument in enumerate(arguments):
        if type(argument) is Tensor:
            operands.append(argument)
            described.append(argument._descriptor)
            home = argument._storage.stream.device
            if where is None:
                where = home
            elif where is not home:
                raise ValueError(f"{function}: tensors on {where} and {home}; move one with to_device first")
        elif type(argument) is HostScalar:
            operands.append(argument)
            described.append(argument.descriptor)
        else:
            parameters = arguments[position:]
            break
    else:
        parameters = ()
    return run_on(function, where, operands, described, parameters, into)


def run_on(
    function: str,
    where: Device | None,
    operands: Sequence[Tensor | HostScalar],
    described: Sequence[Descriptor],
    parameters: tuple[Any, ...],
    into: Tensor | None = None,
) -> Any:
    """`run`, on a device that is named, for functions without tensors."""
    plan = plan_for(function, tuple(described), _hashable(parameters))
    if into is not None:
        _check_fits(function, plan.results[0][1], into._descriptor)
    if plan.host_steps:
        warn_of_host(plan)
    # Only now that the arguments fit may anything be queued.
    readable = [_operand(one) if isinstance(one, Tensor) else one for one in operands]
    made = run_plan(plan, readable, current_stream(where))
    if len(made) > 1:
        return tuple(_make(*one) for one in made)
    return _make(*made[0]) if made else None


def _check_fits(function: str, result: Descriptor, target: Descriptor) -> None:
    if not promotion.can_cast_in_place(result.dtype, target.dtype):
        raise TypeError(
            f"{function}: a result of {result.dtype} cannot be cast into a tensor of {target.dtype} in place"
        )
    if result.shape != target.shape:
        raise ValueError(f"{function}: a result of shape {result.shape} does not go into shape {target.shape} in place")


def _hashable(parameters: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(tuple(one) if type(one) is list else one for one in parameters)


def to_operands(function: str, *values: Tensor | Scalar | Any) -> list[Tensor | HostScalar] | None:
    """Tensors and scalars as operands: a scalar takes a dtype from the tensors, whose kind it does not narrow.

    Returns:
        None if a value is neither: the caller says what that means.

    Raises:
        TypeError: there is no tensor among them, or their dtypes have no common one.
        OverflowError: an integer scalar is out of the dtype's range.
    """
    strong: DType | None = None
    for value in values:
        if type(value) is Tensor:
            found = value._descriptor.dtype
            try:
                strong = found if strong is None else promotion.promote(strong, found)
            except TypeError as error:
                raise TypeError(f"{function}: {error}") from None
    if strong is None:
        raise TypeError(f"{function}: at least one operand must be a Tensor")
    operands: list[Tensor | HostScalar] = []
    for value in values:
        if type(value) is Tensor:
            operands.append(value)
            continue
        if isinstance(value, np.generic):
            value = value.item()
        if not isinstance(value, bool | int | float | complex):
            return None
        operands.append(scalar_operand(function, value, promotion.with_scalar(strong, value)))
    return operands


def unary(function: str, x: Any) -> Tensor:
    """An element-wise function of one operand.

    Raises:
        TypeError: not a Tensor, or of a dtype that the function does not take.
    """
    return run(function, tensor_operand(function, x))


def tensor_operand(function: str, x: Any) -> Tensor:
    """`x`, which must be a Tensor.

    Raises:
        TypeError: it is not.
    """
    if type(x) is not Tensor:
        raise TypeError(f"{function}: the operand must be a Tensor, not {type(x).__name__}")
    return x


def binary(function: str, x1: Any, x2: Any, into: Tensor | None = None) -> Tensor:
    """An element-wise function of two operands, one of which may be a Python scalar.

    Parameters:
        into: the tensor that is to take the result, which must fit.

    Raises:
        TypeError: dtypes that don't promote, or that the function does not take.
        ValueError: shapes that don't broadcast.
        OverflowError: an integer scalar is out of the tensor's range.
    """
    if function == "matmul":
        return matmul(x1, x2, into)
    if type(x1) is Tensor and type(x2) is Tensor:
        return run(function, x1, x2, into=into)
    operands = to_operands(function, x1, x2)
    if operands is None:
        return NotImplemented
    return run(function, *operands, into=into)


def matmul(x1: Any, x2: Any, into: Tensor | None = None) -> Tensor:
    """The matrix product; a transposed view goes to the op as it is.

    Parameters:
        into: the tensor that is to take the result, which must fit.

    Raises:
        TypeError, ValueError: operands that don't fit.
    """
    if type(x1) is not Tensor or type(x2) is not Tensor:
        raise TypeError(f"matmul: operands must be Tensors, not {type(x1).__name__} and {type(x2).__name__}")
    x1, transposed1 = _folded(x1)
    x2, transposed2 = _folded(x2)
    return run("matmul", x1, x2, transposed1, transposed2, into=into)


def _folded(x: Tensor) -> tuple[Tensor, bool]:
    """A transposed view as what it is a view of; only real numbers, since the op's flag may conjugate."""
    if x._strides is not None and x.ndim >= 2 and x.dtype.kind != "c":
        turned = x.mT
        if turned._is_operand():
            return turned, True
    return x, False


def reshaped(x: Tensor, shape: int | Sequence[int], copy: bool | None, function: str = "reshape") -> Tensor:
    """The elements under another shape. copy: True always, False never (ValueError where it takes one)."""
    wanted = views.requested_shape(x.size, shape, x.shape)
    view = None if copy else views.reshaped(x._view, wanted)
    if view is not None:
        return x._viewed(view)
    if copy is False:
        raise ValueError(f"{function}: {x.shape} to {wanted} takes a copy here, and none is allowed")
    whole = x.clone()
    return whole._viewed(View(wanted, contiguous_strides(wanted), 0))


def from_numpy(values: np.ndarray[Any, Any], dtype: DType, where: Device | None = None) -> Tensor:
    """A tensor with the values of an array, in memory of its own.

    Parameters:
        values: anything; it is copied, and cast to `dtype` by the host before that.
        where: the device, the current one by default.

    Raises:
        OutOfMemoryError: there is no memory for it.
    """
    array = np.ascontiguousarray(values, dtype=dtype.dtype).reshape(values.shape)
    storage = to_device(array, current_stream(where))
    return _make(storage, descriptor(dtype, array.shape))


def empty_tensor(shape: tuple[int, ...], dtype: DType, where: Device | None) -> Tensor:
    """A tensor of undefined content.

    Raises:
        OutOfMemoryError: there is no memory for it.
    """
    described = descriptor(dtype, shape)
    return _make(Storage(described.nbytes, current_stream(where)), described)
