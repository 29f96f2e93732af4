"""Tensor descriptors: dtype and shape as pyACL knows them, one for all tensors that look alike."""

from __future__ import annotations

import threading
from math import prod
from weakref import WeakValueDictionary

from ops_registry.dtypes import DType

from . import device as devices
from .binding import acl
from .errors import check, handle_of

__all__ = ["Descriptor", "constant_descriptor", "descriptor"]

_ND = 2
_UNDEFINED = -1
# The limits of a tensor: pyACL counts bytes in 64 bits, and no engine has more dimensions.
_MOST_BYTES = 2**63 - 1
_MOST_DIMENSIONS = 64
# The data is host memory that the runtime copies, and no kernel is compiled for its value.
_HOST_COMPILE_INDEPENDENT = 2


class Descriptor:
    """The dtype and shape of a contiguous tensor, and pyACL's handle for them, made when first asked for.

    Attributes:
        dtype, shape: what it describes.
        on_host: whether the data is host memory, handed over with the call.
        size, ndim, nbytes: elements, dimensions, bytes.

    Raises:
        ValueError: there are more dimensions or bytes than a tensor can have.
    """

    __slots__ = ("__weakref__", "_handle", "dtype", "nbytes", "ndim", "on_host", "shape", "size")

    def __init__(self, dtype: DType, shape: tuple[int, ...], on_host: bool = False) -> None:
        self.dtype = dtype
        self.shape = shape
        self.on_host = on_host
        self.size = prod(shape)
        self.ndim = len(shape)
        self.nbytes = self.size * dtype.itemsize
        self._handle = 0
        if self.ndim > _MOST_DIMENSIONS:
            raise ValueError(f"a tensor has at most {_MOST_DIMENSIONS} dimensions; a shape of {self.ndim} is asked for")
        if self.nbytes > _MOST_BYTES:
            raise ValueError(f"a tensor of {dtype} and shape {shape} has more bytes than can be counted in 64 bits")

    def __repr__(self) -> str:
        return f"{self.dtype}{list(self.shape)}"

    @property
    def handle(self) -> int:
        """pyACL's number of the tensor descriptor."""
        if not self._handle:
            handle = _created(self.dtype.code, list(self.shape), _ND)
            if self.on_host:
                code = acl().set_tensor_place_ment(handle, _HOST_COMPILE_INDEPENDENT)
                if code != 0:
                    acl().destroy_tensor_desc(handle)
                    check("acl.set_tensor_place_ment", code)
            self._handle = handle
        return self._handle

    def __del__(self) -> None:
        if self._handle and devices.running():
            acl().destroy_tensor_desc(self._handle)


_known: WeakValueDictionary[tuple[DType, tuple[int, ...], bool], Descriptor] = WeakValueDictionary()
_known_lock = threading.RLock()


def descriptor(dtype: DType, shape: tuple[int, ...], on_host: bool = False) -> Descriptor:
    """The one descriptor of a dtype and shape."""
    key = (dtype, shape, on_host)
    found = _known.get(key)
    if found is None:
        with _known_lock:
            found = _known.get(key)
            if found is None:
                found = _known[key] = Descriptor(dtype, shape, on_host)
    return found


def constant_descriptor(dtype: DType, shape: tuple[int, ...], data: bytes) -> int:
    """A descriptor handle whose value the kernel may be compiled for. The caller destroys it."""
    handle = _created(dtype.code, list(shape), _ND)
    code = acl().set_tensor_const(handle, acl().util.bytes_to_ptr(data), len(data))
    if code != 0:
        acl().destroy_tensor_desc(handle)
        check("acl.set_tensor_const", code)
    return handle


def fresh_descriptor(dtype: DType, shape: tuple[int, ...]) -> int:
    """A descriptor handle of the caller's own, for the device to write a true shape into. The caller destroys it."""
    return _created(dtype.code, list(shape), _ND)


def destroy_descriptor(handle: int) -> None:
    """Destroy a descriptor handle of the caller's own."""
    acl().destroy_tensor_desc(handle)


def true_shape(handle: int, ndim: int) -> tuple[int, ...]:
    """The shape that the device wrote into a descriptor of `ndim` dimensions."""
    lengths = []
    for axis in range(ndim):
        length, code = acl().get_tensor_desc_dim_v2(handle, axis)
        check("acl.get_tensor_desc_dim_v2", code)
        lengths.append(length)
    return tuple(lengths)


def absent_descriptor() -> int:
    """A descriptor handle for an optional input that is not given. The caller destroys it."""
    return _created(_UNDEFINED, [], _UNDEFINED)


def _created(code: int, shape: list[int], layout: int) -> int:
    return handle_of("acl.create_tensor_desc", acl().create_tensor_desc(code, shape, layout))
