"""Operator attributes: `acl.op.create_attr` and the setters."""

from __future__ import annotations

import ctypes
import itertools
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from . import codes, memory
from .handles import Handles
from .messages import refuse
from .surface import function, int_list

__all__ = ["ATTRIBUTES", "Attributes"]


class Attributes:
    """Values by name, each with the type it was set as; equal ones share a `signature`."""

    __slots__ = ("signature", "values")

    def __init__(self) -> None:
        self.values: dict[str, tuple[str, Any]] = {}
        # Worked out when first asked for; 0 after a change.
        self.signature = 0

    def key(self) -> tuple[tuple[str, str, str], ...]:
        """What decides which operator fits."""
        return tuple(sorted((name, kind, repr(value)) for name, (kind, value) in self.values.items()))

    def sign(self) -> int:
        """Work out `signature`."""
        if len(_signatures) > _MOST_SIGNATURES:
            _signatures.clear()
        self.signature = _signatures.setdefault(self.key(), next(_signature_numbers))
        return self.signature


ATTRIBUTES: Handles[Attributes] = Handles("operator attributes")
NONE = Attributes()

_signatures: dict[tuple[object, ...], int] = {}
_signature_numbers = itertools.count(1)
_MOST_SIGNATURES = 2**14


@function("acl.op.create_attr", returns="handle")
def create_attr() -> int:
    return ATTRIBUTES.add(Attributes())


@function("acl.op.destroy_attr", "k", returns="plain")
def destroy_attr(handle: int) -> None:
    ATTRIBUTES.pop(handle)


def _set(setter: str, handle: int, name: str, kind: str, value: Any) -> int:
    attributes = ATTRIBUTES.get(handle)
    if attributes is None:
        return refuse(codes.INVALID_PARAM, f"acl.op.{setter}: the attribute handle is NULL, or destroyed already")
    attributes.values[name] = (kind, value)
    attributes.signature = 0
    return codes.SUCCESS


@function("acl.op.set_attr_bool", "ksB")
def set_attr_bool(handle: int, name: str, value: int) -> int:
    return _set("set_attr_bool", handle, name, "Bool", bool(value))


@function("acl.op.set_attr_int", "ksL")
def set_attr_int(handle: int, name: str, value: int) -> int:
    return _set("set_attr_int", handle, name, "Int", value)


@function("acl.op.set_attr_float", "ksf")
def set_attr_float(handle: int, name: str, value: float) -> int:
    return _set("set_attr_float", handle, name, "Float", value)


@function("acl.op.set_attr_string", "kss")
def set_attr_string(handle: int, name: str, value: str) -> int:
    return _set("set_attr_string", handle, name, "String", value)


@function("acl.op.set_attr_data_type", "ksi", returns="value ret")
def set_attr_data_type(handle: int, name: str, value: int) -> tuple[int, int]:
    return handle, _set("set_attr_data_type", handle, name, "Type", value)


# The lists. An array is taken as raw memory of the C type, whatever its own dtype says: so does pyACL.


def _raw_items(array: np.ndarray, c_type: Any) -> list[Any]:
    warnings.warn("only support the format of list in the future", Warning, stacklevel=4)
    address = array.__array_interface__["data"][0]
    size = array.size * ctypes.sizeof(c_type)
    try:
        return list((c_type * array.size).from_buffer_copy(memory.host_bytes(address, size))) if size else []
    except memory.AddressError as error:
        raise ValueError(
            f"argument 3: the array ends before {array.size} values of the attribute's type: {error}"
        ) from None


def _bools(value: Any) -> list[bool]:
    return [bool(item) for item in _items(value, ctypes.c_uint8, lambda v: _ints(v, 0, 255))]


def _int64s(value: Any) -> list[int]:
    return _items(value, ctypes.c_int64, lambda v: _ints(v, -(2**63), 2**63 - 1))


def _floats(value: Any) -> list[float]:
    return _items(value, ctypes.c_float, _only_floats)


def _items(value: Any, c_type: Any, from_list: Callable[[list[Any]], list[Any]]) -> list[Any]:
    if isinstance(value, np.ndarray):
        return _raw_items(value, c_type)
    if not isinstance(value, list):
        raise TypeError("argument 3 is not list")
    return from_list(value)


def _ints(values: list[Any], low: int, high: int) -> list[int]:
    for item in values:
        if not isinstance(item, int) or not low <= item <= high:
            raise ValueError(f"argument 3: {item!r} is not an int from {low} to {high}")
    return [int(item) for item in values]


def _only_floats(values: list[Any]) -> list[float]:
    for item in values:
        if not isinstance(item, float):
            raise ValueError(f"argument 3: {item!r} is not a float")
    return [ctypes.c_float(item).value for item in values]


def _strings(value: Any) -> list[str]:
    if not isinstance(value, list):
        raise TypeError("argument 3 is not list")
    for item in value:
        if not isinstance(item, str):
            raise RuntimeError(f"argument 3: {item!r} is not a str")
    return list(value)


def _rows_of_ints(value: Any) -> list[list[int]]:
    if not isinstance(value, list):
        raise TypeError("argument 3 is not list")
    for row in value:
        if not isinstance(row, list | np.ndarray):
            raise ValueError(f"argument 3: the row {row!r} is not a list")
    return [_int64s(row) for row in value]


@function("acl.op.set_attr_list_bool", "ksO")
def set_attr_list_bool(handle: int, name: str, values: object) -> int:
    return _set("set_attr_list_bool", handle, name, "ListBool", _bools(values))


@function("acl.op.set_attr_list_int", "ksO")
def set_attr_list_int(handle: int, name: str, values: object) -> int:
    return _set("set_attr_list_int", handle, name, "ListInt", _int64s(values))


@function("acl.op.set_attr_list_float", "ksO")
def set_attr_list_float(handle: int, name: str, values: object) -> int:
    return _set("set_attr_list_float", handle, name, "ListFloat", _floats(values))


@function("acl.op.set_attr_list_string", "ksO")
def set_attr_list_string(handle: int, name: str, values: object) -> int:
    return _set("set_attr_list_string", handle, name, "ListString", _strings(values))


@function("acl.op.set_attr_list_list_int", "ksO")
def set_attr_list_list_int(handle: int, name: str, values: object) -> int:
    return _set("set_attr_list_list_int", handle, name, "ListListInt", _rows_of_ints(values))


@function("acl.op.set_attr_list_data_type", "ksO", returns="value ret")
def set_attr_list_data_type(handle: int, name: str, values: object) -> tuple[int, int]:
    try:
        types = int_list(values, 3, -(2**31), 2**31 - 1)
    except ValueError as error:
        raise TypeError(str(error)) from None
    return handle, _set("set_attr_list_data_type", handle, name, "ListType", types)
