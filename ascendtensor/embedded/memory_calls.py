"""`acl.rt`: allocating, copying and setting memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import addresses, codes, machine, memory
from .device_calls import no_context
from .memory import AddressError
from .messages import refuse
from .stream_calls import stream_for
from .streams import Stream, synchronize
from .surface import MASK, function

__all__ = []

# Rounding a request up must not pass the top of 64 bits.
_LARGEST_REQUEST = MASK - 64


def _allocate(caller: str, size: int, policy: int, padding: int) -> tuple[int, int]:
    if not 0 < size <= _LARGEST_REQUEST:
        return 0, refuse(codes.INVALID_PARAM, f"{caller}: cannot allocate {size} bytes")
    context = machine.current_context()
    if context is None:
        return 0, no_context(caller)
    device = context.device
    charged = memory.charged_size(size, policy, padding)
    block = memory.allocate_device(size, charged, device.memory)
    if block is None:
        return 0, refuse(
            codes.RT_MEMORY_ALLOCATION,
            f"{caller}: no room for {charged} bytes on device {device.index}: {device.memory.used} of "
            f"{device.memory.limit} bytes are taken; free memory, or raise ASCENDTENSOR_EMBEDDED_MEMORY",
        )
    return block.address, codes.SUCCESS


@function("acl.rt.malloc", "ki", returns="value ret")
def malloc(size: int, policy: int) -> tuple[int, int]:
    return _allocate("acl.rt.malloc", size, policy, 32)


@function("acl.rt.malloc_align32", "ki", returns="value ret")
def malloc_align32(size: int, policy: int) -> tuple[int, int]:
    return _allocate("acl.rt.malloc_align32", size, policy, 0)


@function("acl.rt.malloc_cached", "ki", returns="value ret")
def malloc_cached(size: int, policy: int) -> tuple[int, int]:
    return _allocate("acl.rt.malloc_cached", size, policy, 32)


@function("acl.rt.free", "k")
def free(address: int) -> int:
    if not address:
        return refuse(codes.INVALID_PARAM, "acl.rt.free: the address is NULL")
    try:
        block = memory.DEVICE.remove(address, addresses.ALLOCATED)
    except AddressError as error:
        return refuse(codes.RT_PARAM_INVALID, f"acl.rt.free: {error}")
    assert block.device is not None
    machine.devices[block.device].memory.charge(-block.charged)
    return codes.SUCCESS


@function("acl.rt.malloc_host", "k", returns="value ret")
def malloc_host(size: int) -> tuple[int, int]:
    if not 0 < size <= _LARGEST_REQUEST:
        return 0, refuse(codes.INVALID_PARAM, f"acl.rt.malloc_host: cannot allocate {size} bytes")
    if machine.current_context() is None:
        return 0, no_context("acl.rt.malloc_host")
    block = memory.allocate_pinned(size)
    if block is None:
        return 0, refuse(codes.RT_MEMORY_ALLOCATION, f"acl.rt.malloc_host: the host has no room for {size} bytes")
    return block.address, codes.SUCCESS


@function("acl.rt.free_host", "k")
def free_host(address: int) -> int:
    if not address:
        return refuse(codes.INVALID_PARAM, "acl.rt.free_host: the address is NULL")
    try:
        memory.PINNED.remove(address, addresses.PAGE_LOCKED)
    except AddressError as error:
        return refuse(codes.RT_PARAM_INVALID, f"acl.rt.free_host: {error}")
    return codes.SUCCESS


@function("acl.rt.get_mem_info", "i", returns="value value ret")
def get_mem_info(attribute: int) -> tuple[int, int, int]:
    context = machine.current_context()
    if context is None:
        return 0, 0, no_context("acl.rt.get_mem_info")
    if attribute not in codes.MEM_ATTRIBUTES:
        return (
            0,
            0,
            refuse(codes.RT_INVALID_MEMORY_TYPE, f"acl.rt.get_mem_info: there is no kind of memory {attribute}"),
        )
    device = context.device.memory
    return max(0, device.limit - device.used), device.limit, codes.SUCCESS


@function("acl.rt.mem_flush", "kk")
def mem_flush(address: int, size: int) -> int:
    return _cached_range("acl.rt.mem_flush", address, size)


@function("acl.rt.mem_invalidate", "kk")
def mem_invalidate(address: int, size: int) -> int:
    return _cached_range("acl.rt.mem_invalidate", address, size)


def _cached_range(caller: str, address: int, size: int) -> int:
    """Check a range; there is no cache between the host and this memory."""
    if not address or not size:
        return refuse(codes.INVALID_PARAM, f"{caller}: the address is NULL or the size 0")
    try:
        memory.DEVICE.resolve(address, size)
    except AddressError as error:
        return refuse(codes.RT_PARAM_INVALID, f"{caller}: {error}")
    return codes.SUCCESS


@function("acl.rt.pointer_get_attributes", "k", returns="dict ret")
def pointer_get_attributes(address: int) -> tuple[dict[str, Any], int]:
    if not address:
        return {}, refuse(codes.INVALID_PARAM, "acl.rt.pointer_get_attributes: the address is NULL")
    block = memory.DEVICE.find(address)
    location = {"id": 0, "type": 0} if block is None else {"id": block.device, "type": 1}
    return {"location": location, "page_size": 4096, "rsv": [0, 0]}, codes.SUCCESS


# The checks of both copies, in the order in which pyACL makes them: -1 means that the copy is to be made.
_GO_ON = -1


def _check_copy(caller: str, target: int, room: int, source: int, count: int, kind: int) -> int:
    if not count:
        return codes.SUCCESS
    if not target or not source:
        return refuse(codes.INVALID_PARAM, f"{caller}: the {'source' if target else 'destination'} is NULL")
    if kind not in codes.MEMCPY_KINDS:
        return refuse(codes.INVALID_PARAM, f"{caller}: there is no kind of copy {kind}; use 0 to 5")
    if count > room:
        return refuse(codes.RT_PARAM_INVALID, f"{caller}: {count} bytes do not fit into a destination of {room} bytes")
    if target == source:
        return codes.SUCCESS
    if machine.current_context() is None:
        return no_context(caller)
    return _GO_ON


def _now(caller: str, work: Callable[..., None], *args: int) -> int:
    """Do memory work at once; gives the code."""
    try:
        work(*args)
    except AddressError as error:
        return refuse(codes.RT_PARAM_INVALID, f"{caller}: {error}")
    return codes.SUCCESS


@function("acl.rt.memcpy", "kkkki")
def memcpy(target: int, room: int, source: int, count: int, kind: int) -> int:
    verdict = _check_copy("acl.rt.memcpy", target, room, source, count, kind)
    if verdict != _GO_ON:
        return verdict
    if contradiction := _contradiction(target, source, kind):
        return refuse(codes.RT_PARAM_INVALID, f"acl.rt.memcpy: kind {kind} copies {contradiction}")
    return _now("acl.rt.memcpy", memory.copy, target, source, count)


# kind of copy -> whether its destination and its source are device memory.
_SIDES = {
    codes.MEMCPY_HOST_TO_HOST: (False, False),
    codes.MEMCPY_HOST_TO_DEVICE: (True, False),
    codes.MEMCPY_DEVICE_TO_HOST: (False, True),
    codes.MEMCPY_DEVICE_TO_DEVICE: (True, True),
    codes.MEMCPY_HOST_TO_BUF_TO_DEVICE: (True, False),
}


def _contradiction(target: int, source: int, kind: int) -> str:
    """How a kind of copy contradicts where its addresses lie, in words; nothing where it does not.

    Where host and device share their memory, each kind fits every address.
    """
    sides = _SIDES.get(kind)
    if sides is None or memory.shared:
        return ""
    for address, on_device, verb, name in (
        (target, sides[0], "to", "destination"),
        (source, sides[1], "from", "source"),
    ):
        if memory.is_device(address) != on_device:
            wanted, found = ("device", "host") if on_device else ("host", "device")
            return f"{verb} {wanted} memory, but its {name} {address:#x} is {found} memory"
    return ""


@function("acl.rt.memcpy_async", "kkkkik")
def memcpy_async(target: int, room: int, source: int, count: int, kind: int, stream: int) -> int:
    caller = "acl.rt.memcpy_async"
    verdict = _check_copy(caller, target, room, source, count, kind)
    if verdict != _GO_ON:
        return verdict
    if kind == codes.MEMCPY_HOST_TO_HOST:
        return refuse(codes.RT_FEATURE_NOT_SUPPORT, f"{caller}: copies from host to host are not asynchronous")
    queue = stream_for(stream, caller)
    if isinstance(queue, int):
        return queue
    return _in_order(caller, queue, (target, source), memory.copy, target, source, count)


def _in_order(caller: str, stream: Stream, sides: tuple[int, ...], work: Callable[..., None], *args: int) -> int:
    """Queue memory work, or wait and do it at once where a side is pageable host memory."""
    if all(memory.is_for_device(side) for side in sides):
        # What is page-locked now may be freed before the copy is made; then it must not be touched.
        stream.put(work, *args, memory.locate_for_device)
        return codes.SUCCESS
    failed = synchronize([stream])
    return failed or _now(caller, work, *args)


@function("acl.rt.memset", "kkik")
def memset(address: int, room: int, value: int, count: int) -> int:
    verdict = _check_set("acl.rt.memset", address, room, count)
    return _now("acl.rt.memset", memory.fill, address, value, count) if verdict == _GO_ON else verdict


@function("acl.rt.memset_async", "kkikk")
def memset_async(address: int, room: int, value: int, count: int, stream: int) -> int:
    caller = "acl.rt.memset_async"
    verdict = _check_set(caller, address, room, count)
    if verdict != _GO_ON:
        return verdict
    queue = stream_for(stream, caller)
    if isinstance(queue, int):
        return queue
    if not memory.is_for_device(address):
        return refuse(codes.RT_PARAM_INVALID, f"{caller}: {address:#x} is ordinary host memory")
    queue.put(memory.fill, address, value, count)
    return codes.SUCCESS


def _check_set(caller: str, address: int, room: int, count: int) -> int:
    if not count:
        return codes.SUCCESS
    if not address:
        return refuse(codes.INVALID_PARAM, f"{caller}: the address is NULL")
    if count > room:
        return refuse(codes.RT_PARAM_INVALID, f"{caller}: {count} bytes do not fit into {room} bytes")
    if machine.current_context() is None:
        return no_context(caller)
    return _GO_ON


_KINDS_2D = (codes.MEMCPY_HOST_TO_DEVICE, codes.MEMCPY_DEVICE_TO_HOST, codes.MEMCPY_DEFAULT)


def _check_copy_2d(
    caller: str, target: int, target_pitch: int, source: int, source_pitch: int, width: int, height: int, kind: int
) -> int:
    if not width or not height:
        return codes.SUCCESS
    if not target or not source:
        return refuse(codes.INVALID_PARAM, f"{caller}: the {'source' if target else 'destination'} is NULL")
    if width > target_pitch or width > source_pitch:
        return refuse(
            codes.INVALID_PARAM,
            f"{caller}: rows of {width} bytes overlap at pitches {target_pitch} and {source_pitch}",
        )
    if kind == codes.MEMCPY_DEVICE_TO_DEVICE:
        return refuse(codes.RT_FEATURE_NOT_SUPPORT, f"{caller}: cannot copy inside a device")
    if kind not in _KINDS_2D:
        return refuse(codes.INVALID_PARAM, f"{caller}: there is no kind of copy {kind}; use 1, 2 or 4")
    if machine.current_context() is None:
        return no_context(caller)
    return _GO_ON


@function("acl.rt.memcpy2d", "kkkkkki")
def memcpy2d(target: int, dpitch: int, source: int, spitch: int, width: int, height: int, kind: int) -> int:
    verdict = _check_copy_2d("acl.rt.memcpy2d", target, dpitch, source, spitch, width, height, kind)
    if verdict != _GO_ON:
        return verdict
    return _now("acl.rt.memcpy2d", memory.copy_rows, target, dpitch, source, spitch, width, height)


@function("acl.rt.memcpy2d_async", "kkkkkkik")
def memcpy2d_async(
    target: int, dpitch: int, source: int, spitch: int, width: int, height: int, kind: int, stream: int
) -> int:
    caller = "acl.rt.memcpy2d_async"
    verdict = _check_copy_2d(caller, target, dpitch, source, spitch, width, height, kind)
    if verdict != _GO_ON:
        return verdict
    queue = stream_for(stream, caller)
    if isinstance(queue, int):
        return queue
    rows = (target, dpitch, source, spitch, width, height)
    return _in_order(caller, queue, (target, source), memory.copy_rows, *rows)
