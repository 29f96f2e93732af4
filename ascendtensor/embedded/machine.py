"""The machine that the embedded runtime pretends to be: its chip, devices and contexts.

Three environment variables describe it, read when the package is imported and at each `reset`:
`ASCENDTENSOR_EMBEDDED_SOC` (a chip's name), `ASCENDTENSOR_EMBEDDED_DEVICES` (how many), and
`ASCENDTENSOR_EMBEDDED_MEMORY` (bytes on each).
"""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING

from ops_registry import soc

from . import memory
from .handles import Handles

if TYPE_CHECKING:
    from .streams import Stream

__all__ = ["CONTEXTS", "Context", "Device", "configure", "current_context"]

DEFAULT_SOC = "Ascend910B1"
DEFAULT_MEMORY = 16 * 2**30


class Context:
    """A context: streams of one device that belong together. Dead once destroyed."""

    __slots__ = ("alive", "default_stream", "device", "handle", "options", "primary", "streams")

    def __init__(self, device: Device, *, primary: bool) -> None:
        self.device = device
        self.primary = primary
        self.alive = True
        self.streams: list[Stream] = []
        self.options: dict[int, int] = {}
        self.handle = CONTEXTS.add(self, own=primary)
        # Filled in by whoever opens the context: streams are the next floor up.
        self.default_stream: Stream


class Device:
    """One NPU: its memory, and its primary context while some thread has set it."""

    __slots__ = ("index", "memory", "primary", "users")

    def __init__(self, index: int, limit: int) -> None:
        self.index = index
        self.memory = memory.DeviceMemory(index, limit)
        self.primary: Context | None = None
        self.users = 0


class _PerThread(threading.local):
    context: Context | None = None


CONTEXTS: Handles[Context] = Handles("context")
thread = _PerThread()
# Guards the coming and going of devices, contexts and streams.
lock = threading.RLock()

devices: list[Device] = []
soc_name = DEFAULT_SOC
chip = soc.DEFAULT
# System options of the whole process.
options: dict[int, int] = {}
# What `reset_device` had to take back because its owner had not: kind and handle or address.
reclaimed: list[tuple[str, int]] = []


def configure(name: str | None = None, count: int | None = None, limit: int | None = None) -> None:
    """Become another machine: what is not given comes from the environment.

    Raises:
        ValueError: an unknown chip, or a number that makes no sense.
    """
    global soc_name, chip
    name = name or os.environ.get("ASCENDTENSOR_EMBEDDED_SOC") or DEFAULT_SOC
    chip = soc.family(name)
    soc_name = name
    count = _whole_number("ASCENDTENSOR_EMBEDDED_DEVICES", 1) if count is None else count
    limit = _whole_number("ASCENDTENSOR_EMBEDDED_MEMORY", DEFAULT_MEMORY) if limit is None else limit
    for context in list(CONTEXTS.objects.values()):
        context.alive = False
    memory.DEVICE.clear()
    memory.PINNED.clear()
    memory.peer_access.clear()
    memory.shared = chip in soc.SHARING_MEMORY
    reclaimed.clear()
    options.clear()
    devices[:] = [Device(index, limit) for index in range(count)]


def current_context() -> Context | None:
    """The context of the calling thread, None if it has none that lives."""
    context = thread.context
    return context if context is not None and context.alive else None


def _whole_number(variable: str, default: int) -> int:
    text = os.environ.get(variable, "").strip()
    if not text:
        return default
    if not text.isdecimal() or int(text) == 0:
        raise ValueError(f"{variable}={text!r}: it must be a whole number above 0")
    return int(text)


configure()
