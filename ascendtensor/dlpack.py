"""DLPack capsules (https://dmlc.github.io/dlpack), which NumPy makes and takes.

NumPy's are owned as they should be: the memory is kept until the consumer calls the deleter, or until a capsule that
nobody took dies. What NumPy cannot say, this module writes into the structures: bfloat16, memory of an NPU, and that
the data were copied.
"""

from __future__ import annotations

import ctypes
from typing import Any
from weakref import WeakValueDictionary

import ml_dtypes
import numpy as np

__all__ = [
    "CPU",
    "EXTENSION",
    "Memory",
    "array_of",
    "capsule_of",
    "device_capsule_of",
    "device_of",
    "exchanged",
    "owner_of",
    "plain",
    "taken",
]

# DLDeviceType: the host, and devices that DLPack has no number for, as an NPU.
CPU = 1
EXTENSION = 12

# Those whose memory the host reads: its own, page-locked for CUDA or ROCm, and managed by CUDA.
_READ_BY_THE_HOST = (CPU, 3, 11, 13)

# DLDataTypeCode.
_UNSIGNED = 1
_BFLOAT = 4

# Flags of DLManagedTensorVersioned.
_IS_COPIED = 2

_BFLOAT16 = np.dtype(ml_dtypes.bfloat16)

# The only major version whose structures are those below.
_MAJOR = 1

Array = np.ndarray[Any, Any]


class _Device(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int32), ("id", ctypes.c_int32)]


class _DataType(ctypes.Structure):
    _fields_ = [("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16)]


class _Tensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device", _Device),
        ("ndim", ctypes.c_int32),
        ("dtype", _DataType),
        ("shape", ctypes.c_void_p),
        ("strides", ctypes.c_void_p),
        ("byte_offset", ctypes.c_uint64),
    ]


# The consumer calls it when it is done with the memory. It takes the interpreter's lock by itself.
_DELETER = ctypes.PYFUNCTYPE(None, ctypes.c_void_p)


class _Managed(ctypes.Structure):
    """DLManagedTensor, of the versions before 1.0."""

    _fields_ = [("tensor", _Tensor), ("context", ctypes.c_void_p), ("deleter", _DELETER)]


class _Versioned(ctypes.Structure):
    """DLManagedTensorVersioned. Its first fields are the same in every version to come."""

    _fields_ = [
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("context", ctypes.c_void_p),
        ("deleter", _DELETER),
        ("flags", ctypes.c_uint64),
        ("tensor", _Tensor),
    ]


# The names of their capsules. A capsule keeps the address of its name: the new ones live as long as the process.
_NAMES: dict[type[_Managed | _Versioned], bytes] = {_Managed: b"dltensor", _Versioned: b"dltensor_versioned"}
_USED = {structure: ctypes.create_string_buffer(b"used_" + name) for structure, name in _NAMES.items()}

_is_valid = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.c_char_p)(("PyCapsule_IsValid", ctypes.pythonapi))
_pointer = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(
    ("PyCapsule_GetPointer", ctypes.pythonapi)
)
_set_name = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.c_char_p)(("PyCapsule_SetName", ctypes.pythonapi))

# The owners of device memory that is on its way, by the address of the structure in its capsule.
_on_the_way: WeakValueDictionary[int, Memory] = WeakValueDictionary()


class Memory:
    """Elements somewhere in memory, as NumPy makes an array of them without looking at them.

    Attributes:
        owner: keeps the memory; its arrays keep it.
    """

    __slots__ = ("__array_interface__", "__weakref__", "owner")

    def __init__(
        self, owner: Any, address: int, dtype: np.dtype[Any], shape: tuple[int, ...], strides: tuple[int, ...]
    ) -> None:
        """strides: in elements."""
        self.owner = owner
        self.__array_interface__ = {
            "data": (address, False),
            "shape": shape,
            "strides": tuple(dtype.itemsize * stride for stride in strides),
            "typestr": _stand_in(dtype).str,
            "version": 3,
        }


def _stand_in(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """The dtype in which NumPy hands on elements that it does not know."""
    return np.dtype(np.uint16) if dtype == _BFLOAT16 else dtype


def array_of(memory: Memory, dtype: np.dtype[Any]) -> Array:
    """The array of elements that the host can read where they are."""
    return np.asarray(memory).view(dtype)


# The producer's side.


def capsule_of(values: Array, max_version: tuple[int, int] | None, copied: bool) -> Any:
    """A capsule of an array in the host's memory, which it keeps.

    Parameters:
        values: any dtype that a tensor can have.
        max_version: the latest version that the consumer knows; None for one before 1.0.
        copied: whether the array was made for the consumer alone.
    """
    capsule = values.view(_stand_in(values.dtype)).__dlpack__(max_version=max_version)
    _describe(capsule, values.dtype, copied)
    return capsule


def device_capsule_of(
    memory: Memory, dtype: np.dtype[Any], index: int, max_version: tuple[int, int] | None, copied: bool
) -> Any:
    """A capsule of memory of the NPU of number `index`. Parameters as of `capsule_of`."""
    capsule = np.asarray(memory).__dlpack__(max_version=max_version)
    managed = _describe(capsule, dtype, copied)
    managed.tensor.device = _Device(EXTENSION, index)
    _on_the_way[ctypes.addressof(managed)] = memory
    return capsule


def _describe(capsule: Any, dtype: np.dtype[Any], copied: bool) -> _Managed | _Versioned:
    """Write into a capsule what NumPy could not know."""
    managed = _managed(capsule)
    if dtype == _BFLOAT16:
        managed.tensor.dtype.code = _BFLOAT
    if copied and isinstance(managed, _Versioned):
        managed.flags |= _IS_COPIED
    return managed


# The consumer's side.


class _Handed:
    """A capsule in the form in which NumPy takes one."""

    def __init__(self, capsule: Any) -> None:
        self._capsule = capsule

    def __dlpack__(self, **_: Any) -> Any:
        return self._capsule


def device_of(x: Any) -> tuple[int, int]:
    """Where an array of any library is: the kind of device, and its number."""
    return plain(x.__dlpack_device__())


def plain(device: tuple[Any, int]) -> tuple[int, int]:
    """A device by numbers: some libraries have an enumeration of the kinds."""
    kind, number = device
    return getattr(kind, "value", kind), number


def exchanged(x: Any) -> Array:
    """What an array of another library holds, in the host's memory: its own where it is there already.

    Raises:
        BufferError: its library does not export it to the host, or not as it is.
    """
    on_host = device_of(x)[0] in _READ_BY_THE_HOST
    try:
        capsule = x.__dlpack__(max_version=(_MAJOR, 0), dl_device=None if on_host else (CPU, 0))
    except TypeError:
        # A library of the time before these parameters.
        capsule = x.__dlpack__()
    return taken(capsule)


def taken(capsule: Any) -> Array:
    """The array in a capsule, which is the consumer's from now on.

    Raises:
        BufferError: its memory is not the host's, or a version or dtype that NumPy does not read.
        ValueError: it is no DLPack capsule, or has been taken before.
    """
    managed = _managed(capsule)
    told = managed.tensor.dtype
    if (told.code, told.bits, told.lanes) != (_BFLOAT, 16, 1):
        return _from_numpy(capsule)
    told.code = _UNSIGNED
    return _from_numpy(capsule).view(_BFLOAT16)


def _from_numpy(capsule: Any) -> Array:
    try:
        return np.from_dlpack(_Handed(capsule))
    except RuntimeError as error:
        raise BufferError(str(error)) from None


def owner_of(x: Any) -> Any:
    """What keeps the memory of an array of another library, which holds memory of a Tensor's on the device.

    Raises:
        BufferError: the memory is another library's.
        ValueError: it is no DLPack capsule, or has been taken before.
    """
    capsule = x.__dlpack__(max_version=(_MAJOR, 0), dl_device=device_of(x))
    managed = _managed(capsule)
    address = ctypes.addressof(managed)
    memory = _on_the_way.get(address)
    if memory is None:
        raise BufferError("from_dlpack: the capsule holds device memory of another library; take it through the host")
    owner = memory.owner
    _set_name(capsule, _USED[type(managed)])
    managed.deleter(address)
    return owner


def _managed(capsule: Any) -> _Managed | _Versioned:
    for structure, name in _NAMES.items():
        if _is_valid(capsule, name):
            managed = structure.from_address(_pointer(capsule, name))
            if isinstance(managed, _Versioned) and managed.major != _MAJOR:
                raise BufferError(f"DLPack {managed.major}.{managed.minor} is not read; versions up to {_MAJOR}.x are")
            return managed
    raise ValueError(f"{capsule!r} is no DLPack capsule, or has been taken before")
