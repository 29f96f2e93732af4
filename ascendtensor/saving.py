"""Tensors in files: NumPy's formats .npy and .npz, and safetensors. Reading never runs code that a file holds.

NumPy has no bfloat16. A file keeps such numbers as raw elements of two bytes (`V2`), as NumPy itself writes those of
`ml_dtypes`; `load` takes two raw bytes for a bfloat16, and so does `numpy.load(file).view(ml_dtypes.bfloat16)`.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from os import PathLike
from types import ModuleType
from typing import Any, BinaryIO
from zipfile import BadZipFile

import numpy as np

from ops_registry import dtypes
from ops_registry.dtypes import DType

from .runtime.device import Device
from .runtime.device import device as device_of
from .tensor import Tensor, from_numpy, tensor_operand

__all__ = ["load", "load_safetensors", "save", "save_safetensors", "savez", "savez_compressed"]

Path = str | PathLike[str]
Place = Device | str | None
Array = np.ndarray[Any, Any]

_RAW_BFLOAT16 = np.dtype("V2")

# Parameters of `numpy.savez`, which therefore cannot name a tensor.
_RESERVED = ("file", "allow_pickle")

# The data types' names in safetensors; it has no complex128.
_SAFETENSORS: dict[str, DType] = {
    "BOOL": dtypes.bool_,
    **{d.short.upper(): d for d in dtypes.ALL if d not in (dtypes.bool_, dtypes.complex128)},
}


def save(file: Path | BinaryIO, x: Tensor, /) -> None:
    """Write a tensor to an .npy file. Waits for the device.

    Parameters:
        file: a path, which gets the suffix .npy if it has none, or a file open for writing bytes.

    Raises:
        TypeError: `x` is no Tensor.
        OSError: the file cannot be written.
    """
    np.save(file, _stored(tensor_operand("save", x)), allow_pickle=False)


def savez(file: Path | BinaryIO, /, *tensors: Tensor, **named: Tensor) -> None:
    """Write tensors to an .npz file. Waits for the device.

    Parameters:
        file: a path, which gets the suffix .npz if it has none, or a file open for writing bytes.
        tensors: their names in the file are arr_0, arr_1 and so on.
        named: those with names of their own; `file` and `allow_pickle` are none.

    Raises:
        TypeError: one is no Tensor.
        ValueError: a name that is not to be had.
        OSError: the file cannot be written.
    """
    np.savez(file, **_by_name("savez", tensors, named))


def savez_compressed(file: Path | BinaryIO, /, *tensors: Tensor, **named: Tensor) -> None:
    """Write tensors to a compressed .npz file; otherwise as `savez`."""
    np.savez_compressed(file, **_by_name("savez_compressed", tensors, named))


def _by_name(function: str, tensors: tuple[Tensor, ...], named: dict[str, Tensor]) -> dict[str, Any]:
    numbered = {f"arr_{place}": x for place, x in enumerate(tensors)}
    taken = [name for name in named if name in numbered or name in _RESERVED]
    if taken:
        raise ValueError(f"{function}: a tensor cannot be named {taken[0]!r} here")
    for x in (*tensors, *named.values()):
        tensor_operand(function, x)
    return {name: _stored(x) for name, x in (numbered | named).items()}


def _stored(x: Tensor) -> Array:
    values = x.numpy()
    return values.view(_RAW_BFLOAT16) if x.dtype is dtypes.bfloat16 else values


def load(file: Path | BinaryIO, /, *, device: Place = None) -> Tensor | dict[str, Tensor]:
    """The tensor of an .npy file, or those of an .npz file by name.

    Parameters:
        file: a path, or a file open for reading bytes that can be sought in.
        device: where; the current one by default.

    Raises:
        OSError: the file cannot be read.
        ValueError: it is of neither format, cut short, or holds Python objects, which are never unpickled.
        TypeError: it holds something else than numbers that tensors have.
    """
    place = device_of(device)
    try:
        with _opened(file) as content:
            found = np.load(content, allow_pickle=False)
            if isinstance(found, np.ndarray):
                return _loaded(found, place)
            arrays = {name: found[name] for name in found.files}
    except (ValueError, EOFError, BadZipFile) as error:
        raise ValueError(f"load: no .npy or .npz file of numbers, or one that is damaged: {error}") from None
    return {name: _loaded(values, place) for name, values in arrays.items()}


def _opened(file: Any) -> AbstractContextManager[Any]:
    # NumPy would leave a file open that it cannot make sense of.
    return nullcontext(file) if hasattr(file, "read") else open(file, "rb")


def _loaded(values: Any, place: Device) -> Tensor:
    if not isinstance(values, np.ndarray):
        raise TypeError("load: the file holds something that is no array")
    if values.dtype == _RAW_BFLOAT16:
        values = values.view(dtypes.bfloat16.dtype)
    return from_numpy(values, dtypes.of(values.dtype), place)


def save_safetensors(
    file: Path, tensors: Mapping[str, Tensor], /, *, metadata: Mapping[str, str] | None = None
) -> None:
    """Write tensors to a safetensors file. Waits for the device. Needs the package `safetensors`.

    Parameters:
        tensors: by name, of any dtype but complex128, which the format lacks.
        metadata: text to go with them.

    Raises:
        ImportError: the package is not there.
        TypeError: one is no Tensor or of complex128; names or metadata that are no text.
        OSError: the file cannot be written.
    """
    safetensors = _safetensors("save_safetensors")
    if not isinstance(tensors, Mapping):
        raise TypeError(f"save_safetensors: tensors are given by name, in a dict, not as {type(tensors).__name__}")
    texts = [*tensors, *(metadata or {}), *(metadata or {}).values()]
    if not all(isinstance(text, str) for text in texts):
        raise TypeError("save_safetensors: names and metadata must be text")
    for name, x in tensors.items():
        if tensor_operand("save_safetensors", x).dtype not in _SAFETENSORS.values():
            raise TypeError(f"save_safetensors: the format has no {x.dtype}, which {name!r} is of")
    arrays = {name: x.numpy() for name, x in tensors.items()}
    try:
        safetensors.numpy.save_file(arrays, file, metadata=None if metadata is None else dict(metadata))
    except safetensors.SafetensorError as error:
        raise OSError(f"save_safetensors: {error}") from None


def load_safetensors(file: Path, /, *, device: Place = None) -> dict[str, Tensor]:
    """The tensors of a safetensors file by name. Needs the package `safetensors`.

    Parameters:
        device: where; the current one by default.

    Raises:
        ImportError: the package is not there.
        OSError: the file cannot be read.
        ValueError: it is of another format, or damaged.
        TypeError: a tensor is of a data type that tensors here don't have.
    """
    safetensors = _safetensors("load_safetensors")
    place = device_of(device)
    try:
        with safetensors.safe_open(file, framework="numpy") as found:
            known = {name: found.get_slice(name).get_dtype() for name in found.keys()}  # noqa: SIM118  (no mapping)
            for name, told in known.items():
                if told not in _SAFETENSORS:
                    raise TypeError(f"load_safetensors: {name!r} is of {told}, which tensors don't have")
            return {name: from_numpy(found.get_tensor(name), _SAFETENSORS[told], place) for name, told in known.items()}
    except safetensors.SafetensorError as error:
        raise ValueError(f"load_safetensors: no safetensors file, or one that is damaged: {error}") from None


def _safetensors(function: str) -> ModuleType:
    try:
        import safetensors
        import safetensors.numpy
    except ImportError:
        raise ImportError(
            f"{function} needs the package safetensors: pip install 'ascendtensor[safetensors]'"
        ) from None
    return safetensors
