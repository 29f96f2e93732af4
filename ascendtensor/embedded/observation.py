"""Looking inside the embedded runtime from a test, and starting it afresh."""

from __future__ import annotations

from . import acl_calls, handles, machine, memory, messages, op_calls, reports, streams

__all__ = ["executed_ops", "live_handles", "reclaimed_handles", "reset", "reset_executed_ops"]


def live_handles() -> dict[str, list[int]]:
    """What a program still has to destroy, free or reset, by kind; kinds with nothing are left out.

    The kinds are those of the handles ("stream", "tensor descriptor", …), "device memory" and
    "page-locked memory" with addresses, and "device" with the numbers of devices that are set.
    """
    found = handles.live()
    found |= {
        "device memory": sorted(memory.DEVICE.blocks),
        "page-locked memory": sorted(memory.PINNED.blocks),
        "device": [device.index for device in machine.devices if device.primary is not None],
    }
    return {kind: alive for kind, alive in found.items() if alive}


def reclaimed_handles() -> list[tuple[str, int]]:
    """What ending a device or context had to destroy because its owner had not: kind, and handle or address."""
    return list(machine.reclaimed)


def executed_ops() -> dict[str, int]:
    """How often each op type has run since the last reset. Queued work has not run yet."""
    return dict(op_calls.executed)


def reset_executed_ops() -> None:
    """Count executed ops from zero again."""
    op_calls.executed.clear()


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
        op_calls.forget_plans()
        reports.forget_subscriptions()
    acl_calls.reset()
    messages.last_error(clear=True)
    messages.take_text()
