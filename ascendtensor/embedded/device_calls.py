"""`acl.rt`: devices and contexts."""

from __future__ import annotations

from . import codes, creation, machine, memory, streams
from .machine import CONTEXTS, Context, Device
from .messages import refuse
from .streams import Stream
from .surface import function

__all__ = []

_SYSTEM_OPTIONS = range(4)


def device_at(index: int, caller: str) -> Device | int:
    """The device of that number, or the code after noting that there is none."""
    if 0 <= index < len(machine.devices):
        return machine.devices[index]
    return refuse(codes.RT_INVALID_DEVICEID, f"{caller}: there is no device {index}; there are {len(machine.devices)}")


def no_context(caller: str) -> int:
    """Note that the calling thread has no context; gives the code."""
    return refuse(
        codes.RT_CONTEXT_NULL,
        f"{caller}: this thread has no context; call acl.rt.set_device or acl.rt.set_context in it first",
    )


def _open_context(device: Device, *, primary: bool) -> Context:
    context = Context(device, primary=primary)
    context.default_stream = Stream(context, own=True)
    return context


def _close_context(context: Context) -> None:
    """Wait for a context's work, then end it and its streams."""
    work = list(context.streams)
    streams.synchronize(work)
    for stream in work:
        if stream is not context.default_stream and stream.alive:
            machine.reclaimed.append(("stream", stream.handle))
        streams.abandon(stream)
    context.alive = False
    CONTEXTS.pop(context.handle)


@function("acl.rt.set_device", "i")
def set_device(index: int) -> int:
    device = device_at(index, "acl.rt.set_device")
    if isinstance(device, int):
        return device
    with machine.lock:
        if device.primary is None:
            device.primary = _open_context(device, primary=True)
            creation.note(("device", index))
        device.users += 1
        machine.thread.context = device.primary
    return codes.SUCCESS


@function("acl.rt.reset_device", "i")
def reset_device(index: int) -> int:
    return _reset("acl.rt.reset_device", index, force=False)


@function("acl.rt.reset_device_force", "i")
def reset_device_force(index: int) -> int:
    return _reset("acl.rt.reset_device_force", index, force=True)


def _reset(caller: str, index: int, *, force: bool) -> int:
    device = device_at(index, caller)
    if isinstance(device, int):
        return device
    with machine.lock:
        if device.primary is None:
            return refuse(codes.RT_CONTEXT_RELEASE_ERROR, f"{caller}: device {index} is not set; it was reset already")
        device.users = 0 if force else device.users - 1
        if device.users:
            return codes.SUCCESS
        context, device.primary = device.primary, None
    _close_context(context)
    for block in list(memory.DEVICE.blocks.values()):
        if block.device == index:
            machine.reclaimed.append((block.kind, block.address))
            memory.DEVICE.remove(block.address)
            device.memory.charge(-block.charged)
    return codes.SUCCESS


@function("acl.rt.get_device", returns="value ret")
def get_device() -> tuple[int, int]:
    context = machine.current_context()
    if context is None:
        return 0, no_context("acl.rt.get_device")
    return context.device.index, codes.SUCCESS


@function("acl.rt.get_device_count", returns="value ret")
def get_device_count() -> tuple[int, int]:
    return len(machine.devices), codes.SUCCESS


@function("acl.rt.get_run_mode", returns="value ret")
def get_run_mode() -> tuple[int, int]:
    # Where memory is shared, the program runs on the chip itself.
    return int(not memory.shared), codes.SUCCESS


@function("acl.rt.set_ts_device", "i")
def set_ts_device(scheduler: int) -> int:
    if scheduler in (0, 1):
        return codes.SUCCESS
    return refuse(codes.INVALID_PARAM, f"acl.rt.set_ts_device: {scheduler} is not 0 (AI Core) or 1 (vector core)")


@function("acl.rt.query_device_status", "i", returns="value ret")
def query_device_status(index: int) -> tuple[int, int]:
    device = device_at(index, "acl.rt.query_device_status")
    return 0, device if isinstance(device, int) else codes.SUCCESS


@function("acl.rt.get_primary_ctx_state", "i", returns="value value ret")
def get_primary_ctx_state(index: int) -> tuple[int, int, int]:
    device = device_at(index, "acl.rt.get_primary_ctx_state")
    if isinstance(device, int):
        return 0, 0, device
    return int(device.primary is not None), 0, codes.SUCCESS


@function("acl.rt.create_context", "i", returns="value ret")
def create_context(index: int) -> tuple[int, int]:
    device = device_at(index, "acl.rt.create_context")
    if isinstance(device, int):
        return 0, device
    with machine.lock:
        context = _open_context(device, primary=False)
    machine.thread.context = context
    return context.handle, codes.SUCCESS


@function("acl.rt.destroy_context", "k")
def destroy_context(handle: int) -> int:
    if not handle:
        return refuse(codes.INVALID_PARAM, "acl.rt.destroy_context: the context is NULL")
    with machine.lock:
        context = CONTEXTS.get(handle)
        if context is None:
            return _dead_context("acl.rt.destroy_context", handle)
        if context.primary:
            return refuse(
                codes.RT_CONTEXT_NULL,
                "acl.rt.destroy_context: a device's primary context is ended by acl.rt.reset_device",
            )
        context.alive = False
    _close_context(context)
    return codes.SUCCESS


@function("acl.rt.set_context", "k")
def set_context(handle: int) -> int:
    if not handle:
        return refuse(codes.INVALID_PARAM, "acl.rt.set_context: the context is NULL")
    context = CONTEXTS.get(handle)
    if context is None:
        return _dead_context("acl.rt.set_context", handle)
    machine.thread.context = context
    return codes.SUCCESS


@function("acl.rt.get_context", returns="value ret")
def get_context() -> tuple[int, int]:
    context = machine.current_context()
    if context is None:
        return 0, no_context("acl.rt.get_context")
    return context.handle, codes.SUCCESS


@function("acl.rt.ctx_get_current_default_stream", returns="value ret")
def ctx_get_current_default_stream() -> tuple[int, int]:
    context = machine.current_context()
    if context is None:
        return 0, no_context("acl.rt.ctx_get_current_default_stream")
    return context.default_stream.handle, codes.SUCCESS


@function("acl.rt.ctx_set_sys_param_opt", "il")
def ctx_set_sys_param_opt(option: int, value: int) -> int:
    context = machine.current_context()
    if context is None:
        return no_context("acl.rt.ctx_set_sys_param_opt")
    return _set_option("acl.rt.ctx_set_sys_param_opt", context.options, option, value)


@function("acl.rt.ctx_get_sys_param_opt", "i", returns="value ret")
def ctx_get_sys_param_opt(option: int) -> tuple[int, int]:
    context = machine.current_context()
    if context is None:
        return 0, no_context("acl.rt.ctx_get_sys_param_opt")
    return _get_option("acl.rt.ctx_get_sys_param_opt", context.options, option)


@function("acl.rt.set_sys_param_opt", "il")
def set_sys_param_opt(option: int, value: int) -> int:
    return _set_option("acl.rt.set_sys_param_opt", machine.options, option, value)


@function("acl.rt.get_sys_param_opt", "i", returns="value ret")
def get_sys_param_opt(option: int) -> tuple[int, int]:
    return _get_option("acl.rt.get_sys_param_opt", machine.options, option)


def _set_option(caller: str, options: dict[int, int], option: int, value: int) -> int:
    if option not in _SYSTEM_OPTIONS:
        return refuse(codes.INVALID_PARAM, f"{caller}: there is no option {option}")
    options[option] = value
    return codes.SUCCESS


def _get_option(caller: str, options: dict[int, int], option: int) -> tuple[int, int]:
    if option not in _SYSTEM_OPTIONS:
        return 0, refuse(codes.INVALID_PARAM, f"{caller}: there is no option {option}")
    if option not in options:
        return 0, refuse(codes.RT_SYSPARAMOPT_NOT_SET, f"{caller}: option {option} was never set")
    return options[option], codes.SUCCESS


@function("acl.rt.device_can_access_peer", "ii", returns="value ret")
def device_can_access_peer(index: int, peer: int) -> tuple[int, int]:
    for number in (index, peer):
        device = device_at(number, "acl.rt.device_can_access_peer")
        if isinstance(device, int):
            return 0, device
    return int(index != peer), codes.SUCCESS


@function("acl.rt.device_peer_access_status", "ii", returns="value ret")
def device_peer_access_status(index: int, peer: int) -> tuple[int, int]:
    for number in (index, peer):
        device = device_at(number, "acl.rt.device_peer_access_status")
        if isinstance(device, int):
            return 0, device
    return int((index, peer) in memory.peer_access), codes.SUCCESS


@function("acl.rt.device_enable_peer_access", "iI")
def device_enable_peer_access(peer: int, flags: int) -> int:
    return _peer_access("acl.rt.device_enable_peer_access", peer, flags, enable=True)


@function("acl.rt.device_disable_peer_access", "i")
def device_disable_peer_access(peer: int) -> int:
    return _peer_access("acl.rt.device_disable_peer_access", peer, 0, enable=False)


def _peer_access(caller: str, peer: int, flags: int, *, enable: bool) -> int:
    context = machine.current_context()
    if context is None:
        return no_context(caller)
    device = device_at(peer, caller)
    if isinstance(device, int):
        return device
    if flags or peer == context.device.index:
        return refuse(codes.INVALID_PARAM, f"{caller}: needs another device than {peer}, and flags 0")
    change = memory.peer_access.add if enable else memory.peer_access.discard
    change((context.device.index, peer))
    return codes.SUCCESS


def _dead_context(caller: str, handle: int) -> int:
    return refuse(codes.RT_CONTEXT_NULL, f"{caller}: {handle:#x} is not a live context; it was destroyed already")
