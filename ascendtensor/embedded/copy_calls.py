"""`acl.rt`: the rarer ways to allocate, copy and combine memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ops_registry import dtypes

from . import codes, memory
from .addresses import AddressError
from .memory_calls import malloc, malloc_host, memcpy_async
from .messages import refuse
from .stream_calls import stream_for
from .surface import function

__all__ = ["reset"]


# Allocating with a configuration, which names a module or a device and changes nothing here.


def _check_configuration(caller: str, value: Any) -> None:
    if not isinstance(value, dict):
        raise TypeError(f"{caller} args parse failed")
    if not value:
        return
    attributes = value.get("attrs")
    if not isinstance(attributes, list):
        raise TypeError(f"{caller}: the configuration needs a list 'attrs'")
    if value.get("numAttrs") != len(attributes):
        raise KeyError("numAttrs")


@function("acl.rt.malloc_with_cfg", "kiO", returns="value ret")
def malloc_with_cfg(size: int, policy: int, configuration: Any) -> tuple[int, int]:
    _check_configuration("acl.rt.malloc_with_cfg", configuration)
    return malloc(size, policy)


@function("acl.rt.malloc_for_task_scheduler", "kiO", returns="value ret")
def malloc_for_task_scheduler(size: int, policy: int, configuration: Any) -> tuple[int, int]:
    _check_configuration("acl.rt.malloc_for_task_scheduler", configuration)
    return malloc(size, policy)


@function("acl.rt.malloc_host_with_cfg", "kO", returns="value ret")
def malloc_host_with_cfg(size: int, configuration: Any) -> tuple[int, int]:
    _check_configuration("acl.rt.malloc_host_with_cfg", configuration)
    return malloc_host(size)


# Copies.


@function("acl.rt.memcpy_async_with_condition", "kkkkik")
def memcpy_async_with_condition(target: int, room: int, source: int, count: int, kind: int, stream: int) -> int:
    return memcpy_async(target, room, source, count, kind, stream)


# Copies whose addresses the program writes into device memory first: by the address of that memory.
_DESCRIPTION_BYTES = 64
_descriptions: dict[int, tuple[int, int, int]] = {}


def reset() -> None:
    """Forget every description of a copy."""
    _descriptions.clear()


@function("acl.rt.get_memcpy_desc_size", "i", returns="value ret")
def get_memcpy_desc_size(kind: int) -> tuple[int, int]:
    if kind not in codes.MEMCPY_KINDS_DESCRIBED:
        return 0, refuse(codes.INVALID_PARAM, f"acl.rt.get_memcpy_desc_size: no descriptions of copies of kind {kind}")
    return _DESCRIPTION_BYTES, codes.SUCCESS


@function("acl.rt.set_memcpy_desc", "kikkkk", returns="value ret")
def set_memcpy_desc(
    description: int, kind: int, source: int, target: int, count: int, configuration: int
) -> tuple[int, int]:
    caller = "acl.rt.set_memcpy_desc"
    if not (description and source and target and count) or kind not in codes.MEMCPY_KINDS_DESCRIBED:
        return description, refuse(
            codes.INVALID_PARAM, f"{caller}: an address is NULL, the size 0, or the kind {kind} not to be described"
        )
    try:
        memory.DEVICE.resolve(description, _DESCRIPTION_BYTES)
    except AddressError as error:
        return description, refuse(codes.RT_PARAM_INVALID, f"{caller}: {error}")
    _descriptions[description] = (target, source, count)
    return description, codes.SUCCESS


@function("acl.rt.memcpy_async_with_desc", "kik")
def memcpy_async_with_desc(description: int, kind: int, handle: int) -> int:
    caller = "acl.rt.memcpy_async_with_desc"
    described = _descriptions.get(description)
    if described is None or kind not in codes.MEMCPY_KINDS_DESCRIBED:
        return refuse(
            codes.INVALID_PARAM, f"{caller}: nothing is described there, or kind {kind} is not to be described"
        )
    stream = stream_for(handle, caller)
    if isinstance(stream, int):
        return stream
    stream.put(memory.copy, *described, memory.locate_for_device)
    return codes.SUCCESS


# Getting memory ready.

_CACHE_WORK = range(4)


@function("acl.rt.cmo_async", "kkik")
def cmo_async(address: int, size: int, work: int, handle: int) -> int:
    caller = "acl.rt.cmo_async"
    if not address or not size or work not in _CACHE_WORK:
        return refuse(codes.INVALID_PARAM, f"{caller}: the address is NULL, the size 0, or there is no work {work}")
    stream = stream_for(handle, caller)
    if isinstance(stream, int):
        return stream
    stream.put(memory.DEVICE.resolve, address, size)
    return codes.SUCCESS


# Combining memory.

_REDUCTIONS: dict[int, Callable[..., Any]] = {10: np.add, 11: np.maximum, 12: np.minimum, 13: np.equal}
_REDUCED = {dtypes.BY_SHORT[short].code for short in ("i8", "i16", "i32", "f16", "f32", "bf16")}


@function("acl.rt.reduce_async", "kkkiikk")
def reduce_async(target: int, source: int, count: int, kind: int, data_type: int, handle: int, reserved: int) -> int:
    caller = "acl.rt.reduce_async"
    if not target or not source or not count or kind not in _REDUCTIONS:
        return refuse(codes.INVALID_PARAM, f"{caller}: an address is NULL, the size 0, or there is no reduction {kind}")
    if data_type not in _REDUCED:
        return refuse(codes.RT_FEATURE_NOT_SUPPORT, f"{caller}: data type {data_type} cannot be reduced")
    dtype = dtypes.BY_CODE[data_type]
    if count % dtype.itemsize:
        return refuse(codes.RT_PARAM_INVALID, f"{caller}: {count} bytes are no whole number of {dtype.name}")
    stream = stream_for(handle, caller)
    if isinstance(stream, int):
        return stream
    stream.put(_reduce, _REDUCTIONS[kind], dtype.dtype, target, source, count, stream.context.device.index)
    return codes.SUCCESS


def _reduce(
    combine: Callable[..., Any], dtype: np.dtype[Any], target: int, source: int, count: int, device: int
) -> None:
    """Combine two ranges of device memory into the first: a task."""
    shape = (count // dtype.itemsize,)
    into, other = (memory.array_view(address, shape, dtype, count, device) for address in (target, source))
    with np.errstate(all="ignore"):
        into[...] = combine(into, other).astype(dtype)
