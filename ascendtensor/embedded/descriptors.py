"""Tensor descriptors."""

from __future__ import annotations

import itertools
import math

from . import codes, memory
from .handles import Handles
from .memory import AddressError
from .messages import refuse
from .surface import MASK, function, int_list

__all__ = ["DESCRIPTORS", "Descriptor"]

# What get_tensor_desc_num_dims answers when not even the rank is known, and the dim that says so.
UNKNOWN_RANK = MASK - 1
RANK_UNKNOWN_DIM = -2
_MOST_RANGE_ITEMS = 4096


class Descriptor:
    """A tensor descriptor; `signature` is a number that equal descriptors share."""

    __slots__ = (
        "const",
        "dims",
        "dtype",
        "dynamic_input",
        "empty",
        "format",
        "name",
        "placement",
        "ranges",
        "signature",
        "storage_dims",
        "storage_format",
        "value_ranges",
    )

    def __init__(self, dtype: int, dims: tuple[int, ...], format_: int) -> None:
        self.dtype = dtype
        self.dims = dims
        self.format = format_
        self.storage_dims: tuple[int, ...] | None = None
        self.storage_format = codes.UNDEFINED
        self.const: bytes | None = None
        self.placement = codes.MEMTYPE_DEVICE
        self.ranges: tuple[tuple[int, int], ...] = ()
        self.value_ranges: tuple[tuple[int, int], ...] = ()
        self.dynamic_input = ""
        self.name = ""
        # Whether it describes a tensor without elements.
        self.empty = 0 in dims
        # Worked out when first asked for; 0 after a change.
        self.signature = 0

    @property
    def absent(self) -> bool:
        """Whether this is the placeholder for an optional input that is not given."""
        return self.dtype == codes.UNDEFINED and self.format == codes.UNDEFINED and not self.dims

    @property
    def dynamic(self) -> bool:
        """Whether some dim is unknown."""
        return any(dim < 0 for dim in self.dims)

    def key(self) -> tuple[object, ...]:
        """What decides which operator fits."""
        return (
            self.dtype,
            self.dims,
            self.format,
            self.storage_dims,
            self.storage_format,
            self.const,
            self.placement,
            self.ranges,
            self.dynamic_input,
        )

    def sign(self) -> int:
        """Work out `signature`."""
        if len(_signatures) > _MOST_SIGNATURES:
            _signatures.clear()
        # The number was drawn in vain where the key is known; numbers are plenty.
        self.signature = _signatures.setdefault(self.key(), next(_signature_numbers))
        return self.signature

    def set_dims(self, dims: tuple[int, ...]) -> None:
        """Change the origin shape."""
        self.dims = dims
        self.empty = 0 in dims
        self.signature = 0


DESCRIPTORS: Handles[Descriptor] = Handles("tensor descriptor")

# Numbers for what descriptors say. A number is never used again, so forgetting the table costs time only.
_signatures: dict[tuple[object, ...], int] = {}
_signature_numbers = itertools.count(1)
_MOST_SIGNATURES = 2**16


def _null(caller: str, what: str) -> int:
    return refuse(codes.INVALID_PARAM, f"{caller}: the {what} is NULL, or destroyed already")


# Tensor descriptors: making, and what they say. The getters read the origin shape and format.


@function("acl.create_tensor_desc", "iDi", returns="handle")
def create_tensor_desc(dtype: int, dims: list[int], format_: int) -> int:
    return DESCRIPTORS.add(Descriptor(dtype, tuple(dims), format_))


@function("acl.destroy_tensor_desc", "k", returns="plain")
def destroy_tensor_desc(handle: int) -> None:
    DESCRIPTORS.pop(handle)


@function("acl.get_tensor_desc_type", "k", returns="plain")
def get_tensor_desc_type(handle: int) -> int:
    desc = DESCRIPTORS.get(handle)
    return -1 if desc is None else desc.dtype


@function("acl.get_tensor_desc_format", "k", returns="plain")
def get_tensor_desc_format(handle: int) -> int:
    desc = DESCRIPTORS.get(handle)
    return -1 if desc is None else desc.format


@function("acl.get_tensor_desc_element_count", "k", returns="plain")
def get_tensor_desc_element_count(handle: int) -> int:
    desc = DESCRIPTORS.get(handle)
    if desc is None or desc.dynamic:
        return 0
    count = math.prod(desc.dims)
    return count if count <= MASK else 0


@function("acl.get_tensor_desc_size", "k", returns="plain")
def get_tensor_desc_size(handle: int) -> int:
    desc = DESCRIPTORS.get(handle)
    if desc is None:
        return 0
    size = get_tensor_desc_element_count(handle) * codes.data_type_size(desc.dtype)
    return size if size <= MASK else 0


@function("acl.get_tensor_desc_num_dims", "k", returns="plain")
def get_tensor_desc_num_dims(handle: int) -> int:
    desc = DESCRIPTORS.get(handle)
    if desc is None:
        return 0
    return UNKNOWN_RANK if desc.dims[:1] == (RANK_UNKNOWN_DIM,) else len(desc.dims)


@function("acl.get_tensor_desc_dim", "kk", returns="plain")
def get_tensor_desc_dim(handle: int, index: int) -> int:
    desc = DESCRIPTORS.get(handle)
    return -1 if desc is None or index >= len(desc.dims) else desc.dims[index]


@function("acl.get_tensor_desc_dim_v2", "kk", returns="value ret")
def get_tensor_desc_dim_v2(handle: int, index: int) -> tuple[int, int]:
    caller = "acl.get_tensor_desc_dim_v2"
    desc = DESCRIPTORS.get(handle)
    if desc is None:
        return 0, _null(caller, "descriptor")
    if index >= len(desc.dims):
        return 0, refuse(codes.INVALID_PARAM, f"{caller}: dim {index} of a descriptor with {len(desc.dims)} dims")
    return desc.dims[index], codes.SUCCESS


@function("acl.get_tensor_desc_dim_range", "kkk", returns="none ret")
def get_tensor_desc_dim_range(handle: int, index: int, count: int) -> tuple[list[int] | None, int]:
    caller = "acl.get_tensor_desc_dim_range"
    desc = DESCRIPTORS.get(handle)
    if desc is None:
        return None, _null(caller, "descriptor")
    if not 2 <= count <= _MOST_RANGE_ITEMS:
        return None, refuse(codes.INVALID_PARAM, f"{caller}: a range has 2 numbers, not {count}")
    if index >= len(desc.ranges):
        return None, refuse(
            codes.INVALID_PARAM, f"{caller}: range {index} of a descriptor with {len(desc.ranges)} ranges"
        )
    return [*desc.ranges[index], *[0] * (count - 2)], codes.SUCCESS


@function("acl.get_tensor_desc_name", "k", returns="plain")
def get_tensor_desc_name(handle: int) -> str:
    desc = DESCRIPTORS.get(handle)
    return "" if desc is None else desc.name


@function("acl.get_tensor_desc_address", "k", returns="plain")
def get_tensor_desc_address(handle: int) -> int:
    # The address recorded for dumps, which the embedded runtime does not make.
    return 0


@function("acl.get_tensor_desc_by_index", "kk", returns="plain")
def get_tensor_desc_by_index(handle: int, index: int) -> int:
    # Arrays of descriptors do not exist here: only the first place of the "array" is a descriptor.
    return handle if index == 0 and DESCRIPTORS.get(handle) else 0


# Changing descriptors. Setters of shapes refuse NULL, setters of formats pass over it.


def _set_storage_dims(caller: str, handle: int, dims: list[int]) -> int:
    desc = DESCRIPTORS.get(handle)
    if desc is None:
        return _null(caller, "descriptor")
    desc.storage_dims = tuple(dims)
    desc.signature = 0
    return codes.SUCCESS


@function("acl.set_tensor_shape", "kD")
def set_tensor_shape(handle: int, dims: list[int]) -> int:
    return _set_storage_dims("acl.set_tensor_shape", handle, dims)


@function("acl.set_tensor_storage_shape", "kD")
def set_tensor_storage_shape(handle: int, dims: list[int]) -> int:
    return _set_storage_dims("acl.set_tensor_storage_shape", handle, dims)


@function("acl.set_tensor_origin_shape", "kD")
def set_tensor_origin_shape(handle: int, dims: list[int]) -> int:
    desc = DESCRIPTORS.get(handle)
    if desc is None:
        return _null("acl.set_tensor_origin_shape", "descriptor")
    desc.set_dims(tuple(dims))
    return codes.SUCCESS


@function("acl.set_tensor_format", "ki")
def set_tensor_format(handle: int, format_: int) -> int:
    return set_tensor_storage_format(handle, format_)


@function("acl.set_tensor_storage_format", "ki")
def set_tensor_storage_format(handle: int, format_: int) -> int:
    desc = DESCRIPTORS.get(handle)
    if desc is not None:
        desc.storage_format = format_
        desc.signature = 0
    return codes.SUCCESS


@function("acl.set_tensor_origin_format", "ki")
def set_tensor_origin_format(handle: int, format_: int) -> int:
    desc = DESCRIPTORS.get(handle)
    if desc is not None:
        desc.format = format_
        desc.signature = 0
    return codes.SUCCESS


def _range_pairs(value: object) -> tuple[tuple[int, int], ...]:
    if not isinstance(value, list):
        raise TypeError("argument 2 is not list")
    pairs = []
    for item in value:
        numbers = int_list(item, 2)
        if len(numbers) < 2:
            raise TypeError("argument 2: each range must be a list of two int")
        pairs.append((numbers[0], numbers[1]))
    return tuple(pairs)


@function("acl.set_tensor_shape_range", "kO")
def set_tensor_shape_range(handle: int, ranges: object) -> int:
    pairs = _range_pairs(ranges)
    desc = DESCRIPTORS.get(handle)
    if desc is None:
        return _null("acl.set_tensor_shape_range", "descriptor")
    desc.ranges = pairs
    desc.signature = 0
    return codes.SUCCESS


@function("acl.set_tensor_value_range", "kO")
def set_tensor_value_range(handle: int, ranges: object) -> int:
    pairs = _range_pairs(ranges)
    desc = DESCRIPTORS.get(handle)
    if desc is None:
        return _null("acl.set_tensor_value_range", "descriptor")
    desc.value_ranges = pairs
    return codes.SUCCESS


@function("acl.set_tensor_desc_name", "ks", returns="plain")
def set_tensor_desc_name(handle: int, name: str) -> None:
    desc = DESCRIPTORS.get(handle)
    if desc is not None:
        desc.name = name


@function("acl.set_tensor_dynamic_input", "ks")
def set_tensor_dynamic_input(handle: int, name: str) -> int:
    desc = DESCRIPTORS.get(handle)
    if desc is None:
        return _null("acl.set_tensor_dynamic_input", "descriptor")
    desc.dynamic_input = name
    desc.signature = 0
    return codes.SUCCESS


@function("acl.set_tensor_const", "kkk")
def set_tensor_const(handle: int, address: int, size: int) -> int:
    caller = "acl.set_tensor_const"
    desc = DESCRIPTORS.get(handle)
    if desc is None:
        return _null(caller, "descriptor")
    if not address or not size:
        return refuse(codes.INVALID_PARAM, f"{caller}: the host address is NULL or the size 0")
    try:
        desc.const = memory.host_bytes(address, size)
    except AddressError as error:
        return refuse(codes.INVALID_PARAM, f"{caller}: {error}")
    desc.signature = 0
    return codes.SUCCESS


@function("acl.set_tensor_place_ment", "ki")
def set_tensor_place_ment(handle: int, placement: int) -> int:
    desc = DESCRIPTORS.get(handle)
    if desc is None:
        return _null("acl.set_tensor_place_ment", "descriptor")
    desc.placement = placement
    desc.signature = 0
    return codes.SUCCESS


# Where each axis of a layout stands, for the changes of format that are mere permutations.
_LAYOUTS: dict[int, str] = {0: "NCHW", 1: "NHWC", 16: "HWCN", 27: "NDHWC", 30: "NCDHW"}


@function("acl.trans_tensor_desc_format", "ki", returns="value ret")
def trans_tensor_desc_format(handle: int, format_: int) -> tuple[int, int]:
    caller = "acl.trans_tensor_desc_format"
    desc = DESCRIPTORS.get(handle)
    if desc is None:
        return 0, _null(caller, "descriptor")
    old, new = _LAYOUTS.get(desc.format, ""), _LAYOUTS.get(format_, "")
    if not old or sorted(old) != sorted(new) or len(desc.dims) != len(old):
        return 0, refuse(
            codes.GE_FAILURE,
            f"{caller}: no conversion from format {desc.format} with {len(desc.dims)} dims to {format_}",
        )
    # The new descriptor has the new dims, but goes on naming the old format.
    dims = tuple(desc.dims[old.index(axis)] for axis in new)
    return DESCRIPTORS.add(Descriptor(desc.dtype, dims, desc.format)), codes.SUCCESS
