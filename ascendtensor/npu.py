"""Devices, their memory and their streams, named as in `torch.npu`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from .runtime import device as devices
from .runtime import stream as streams
from .runtime.allocator import CachingAllocator, allocator
from .runtime.device import Device
from .runtime.device import device as device_of
from .runtime.statistics import FallbackCount, fallback_counts, forget_fallbacks
from .runtime.stream import Event, Stream, set_stream
from .runtime.stream import using as stream

__all__ = [
    "Event",
    "Stream",
    "current_device",
    "current_stream",
    "default_stream",
    "device",
    "device_count",
    "empty_cache",
    "fallback_stats",
    "get_device_name",
    "is_available",
    "max_memory_allocated",
    "max_memory_reserved",
    "memory_allocated",
    "memory_reserved",
    "memory_summary",
    "reset_fallback_stats",
    "reset_peak_memory_stats",
    "set_device",
    "set_stream",
    "stream",
    "synchronize",
]

Place = Device | str | int | None


def is_available() -> bool:
    """Whether there is a device, real or embedded."""
    return device_count() > 0


def device_count() -> int:
    """How many devices there are."""
    return devices.count()


def current_device() -> int:
    """The number of the device on which this thread makes new tensors."""
    return devices.current().index


def set_device(device: Place) -> None:
    """Make new tensors of this thread on a device.

    Raises:
        ValueError: there is no such device.
    """
    devices.choose(device_of(device))


@contextmanager
def device(device: Place) -> Iterator[None]:
    """Make new tensors of this thread on a device for the time of a `with`; None changes nothing.

    Raises:
        ValueError: there is no such device.
    """
    chosen, before = device_of(device), devices.current()
    devices.choose(chosen)
    try:
        yield
    finally:
        devices.choose(before)


def get_device_name(device: Place = None) -> str:
    """The name of the chip of a device, as `acl.get_soc_name` gives it: Ascend910B1, for instance.

    Raises:
        ValueError: there is no such device.
    """
    return devices.name(device_of(device))


def synchronize(device: Place = None) -> None:
    """Wait until all that is queued on a device is done.

    Raises:
        AclError: something of it failed; it names the op, its operands and the line that queued it.
    """
    streams.synchronize(device_of(device))


def current_stream(device: Place = None) -> Stream:
    """The stream on which this thread queues its work for a device; every thread has its own."""
    return streams.current_stream(device_of(device))


def default_stream(device: Place = None) -> Stream:
    """The stream on which this thread queues its work for a device until it sets another one."""
    return streams.default_stream(device_of(device))


def _memory(device: Place) -> CachingAllocator:
    chosen = allocator(device_of(device))
    chosen.settle()
    return chosen


def memory_allocated(device: Place = None) -> int:
    """The bytes that tensors hold now, in whole blocks."""
    return _memory(device).allocated


def max_memory_allocated(device: Place = None) -> int:
    """The most bytes that tensors held at once, since the start or `reset_peak_memory_stats`."""
    return _memory(device).peak_allocated


def memory_reserved(device: Place = None) -> int:
    """The bytes that the library holds now: those of tensors and those of its cache."""
    return _memory(device).reserved


def max_memory_reserved(device: Place = None) -> int:
    """The most bytes that the library held at once, since the start or `reset_peak_memory_stats`."""
    return _memory(device).peak_reserved


def reset_peak_memory_stats(device: Place = None) -> None:
    """Let the peaks start anew from what is held now."""
    allocator(device_of(device)).reset_peaks()


def empty_cache(device: Place = None) -> None:
    """Give back to the device what no tensor holds. Waits for the device."""
    chosen = device_of(device)
    devices.use(chosen)
    allocator(chosen).empty_cache()


def memory_summary(device: Place = None) -> str:
    """The memory's figures in words."""
    chosen = device_of(device)
    devices.use(chosen)
    return allocator(chosen).summary()


def fallback_stats() -> dict[str, FallbackCount]:
    """How often the host computed a function because no engine of the chip has its dtype, by the function's name.

    Each count has `calls`, the `bytes` that were moved for them, and the `op_types` that the host computed.
    Counted on all devices since the start or `reset_fallback_stats`, whether or not a warning was shown.
    """
    return fallback_counts()


def reset_fallback_stats() -> None:
    """Count what the host computes anew; functions that have warned do not warn again."""
    forget_fallbacks()
