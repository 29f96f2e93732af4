"""Looking inside the embedded runtime from a test, and starting it afresh."""

from __future__ import annotations

from collections.abc import Callable

from . import (
    acl_calls,
    addresses,
    copy_calls,
    core_calls,
    dump_calls,
    handles,
    kernel_calls,
    machine,
    memory,
    messages,
    notify_calls,
    op_calls,
    op_models,
    op_running,
    reports,
    shared_memory,
    stream_attributes,
    streams,
    virtual_memory,
)

# What has more to forget than handles and memory.
_PARTS = (
    acl_calls,
    copy_calls,
    core_calls,
    dump_calls,
    kernel_calls,
    notify_calls,
    op_calls,
    op_models,
    op_running,
    reports,
    shared_memory,
    stream_attributes,
    virtual_memory,
)

# What reads the environment again at each reset.
at_reset: list[Callable[[], None]] = []

__all__ = ["executed_ops", "live_handles", "reclaimed_handles", "reset", "reset_executed_ops"]


def live_handles() -> dict[str, list[int]]:
    """What a program still has to destroy, free or reset, by kind; kinds with nothing are left out.

    The kinds are those of the handles ("stream", "tensor descriptor", …), of memory ("device memory",
    "page-locked memory", "registered host memory", …) with addresses, and "device" with the numbers of
    devices that are set.
    """
    found = handles.live()
    for space in (memory.DEVICE, memory.PINNED):
        for address, block in sorted(space.blocks.items()):
            # Registered memory has two addresses; the host's is the one to unregister.
            if block.kind != addresses.REGISTERED_HOST or space is memory.PINNED:
                found.setdefault(block.kind, []).append(address)
    found["device"] = [device.index for device in machine.devices if device.primary is not None]
    return {kind: alive for kind, alive in found.items() if alive}


def reclaimed_handles() -> list[tuple[str, int]]:
    """What ending a device or context had to destroy because its owner had not: kind, and handle or address."""
    return list(machine.reclaimed)


def executed_ops() -> dict[str, int]:
    """How often each op type has run since the last reset. Queued work has not run yet."""
    return dict(op_running.executed)


def reset_executed_ops() -> None:
    """Count executed ops from zero again."""
    op_running.executed.clear()


def reset(soc: str | None = None, devices: int | None = None, memory_bytes: int | None = None) -> None:
    """Become a machine on which nothing has happened yet; every handle and address so far is dead.

    Parameters:
        soc: the chip's name. Like the others, from the environment where it is not given.
        devices: how many devices there are.
        memory_bytes: the memory of each.

    Raises:
        ValueError: an unknown chip, or a number in the environment that makes no sense.
    """
    with streams.DEVICE_TURN:
        machine.configure(soc, devices, memory_bytes)
        handles.clear()
        for part in _PARTS:
            part.reset()
    messages.last_error(clear=True)
    messages.take_text()
    for configure in at_reset:
        configure()
