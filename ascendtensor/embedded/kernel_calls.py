"""`acl.op`: kernels that a program brings itself, and the functions that choose among them.

They are kept track of as pyACL does. Their code is made for a device, so an operator goes on being computed by
the embedded runtime's own kernel, whichever the program chose.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from . import attributes, codes, memory
from .addresses import PAGE_LOCKED, AddressError
from .attributes import ATTRIBUTES
from .descriptors import DESCRIPTORS
from .handles import Handles
from .messages import refuse
from .surface import function

__all__ = ["has_selector", "release_binaries", "reset"]

_ENGINES = range(3)
_MOST_WORKSPACES = 2**16


@dataclass(slots=True)
class Kernel:
    """A kernel that a program registered."""

    name: str
    binary: int
    engine: int
    # Whether its memory goes with the library.
    owned: bool


@dataclass(slots=True)
class KernelChoice:
    """What a selector decides: the kernel, and how to launch it."""

    kernel_id: str | None = None
    blocks: int = 0
    arguments: bytes = b""
    workspaces: list[int] = field(default_factory=list)


Selector = Callable[..., Any]

_kernels: dict[tuple[str, str], Kernel] = {}
_selectors: dict[str, Selector] = {}
CHOICES: Handles[KernelChoice] = Handles("kernel choice")


def reset() -> None:
    """Forget every kernel and selector."""
    _kernels.clear()
    _selectors.clear()


def has_selector(op_type: str) -> bool:
    """Whether a program chooses the kernel of an op type itself."""
    return op_type in _selectors


def release_binaries() -> None:
    """Free the memory that programs left to the library."""
    for kernel in _kernels.values():
        if kernel.owned and kernel.binary in memory.PINNED.blocks:
            memory.PINNED.remove(kernel.binary, PAGE_LOCKED)
    _kernels.clear()


@function("acl.op.create_kernel", "ssskiii")
def create_kernel(op_type: str, kernel_id: str, name: str, binary: int, size: int, engine: int, deallocate: int) -> int:
    caller = f"acl.op.create_kernel({op_type}, {kernel_id})"
    if not binary or size <= 0 or engine not in _ENGINES:
        return refuse(codes.INVALID_PARAM, f"{caller}: the binary is NULL or empty, or there is no engine {engine}")
    if (op_type, kernel_id) in _kernels:
        return refuse(codes.KERNEL_ALREADY_REGISTERED, f"{caller}: there is one already")
    _kernels[op_type, kernel_id] = Kernel(name, binary, engine, bool(deallocate))
    return codes.SUCCESS


@function("acl.op.register_compile_func", "sO", own_errors=False)
def register_compile_func(op_type: str, selector: Any) -> int:
    if not callable(selector):
        raise TypeError("acl.op.register_compile_func: the second argument must be callable")
    known = op_type in _selectors
    # As in pyACL the new function takes over even where it is refused.
    _selectors[op_type] = selector
    if known:
        return refuse(
            codes.BIN_SELECTOR_ALREADY_REGISTERED, f"acl.op.register_compile_func: {op_type} has a function already"
        )
    return codes.SUCCESS


@function("acl.op.unregister_compile_func", "s")
def unregister_compile_func(op_type: str) -> int:
    _selectors.pop(op_type, None)
    return codes.SUCCESS


@function("acl.op.update_params", "sPPk")
def update_params(op_type: str, input_desc: list[int], output_desc: list[int], attr: int) -> int:
    caller = f"acl.op.update_params({op_type})"
    selector = _selectors.get(op_type)
    if selector is None:
        return refuse(codes.BIN_SELECTOR_NOT_REGISTERED, f"{caller}: call acl.op.register_compile_func first")
    attrs = ATTRIBUTES.get(attr) if attr else attributes.NONE
    if attrs is None or any(DESCRIPTORS.get(handle) is None for handle in (*input_desc, *output_desc)):
        return refuse(codes.INVALID_PARAM, f"{caller}: a descriptor or the attribute handle is not alive")
    choice = KernelChoice()
    handle = CHOICES.add(choice, own=True)
    try:
        selector(len(input_desc), list(input_desc), len(output_desc), list(output_desc), attr, handle)
    except Exception as error:
        raise SystemError(f"{caller} returned a result with an exception set") from error
    finally:
        CHOICES.pop(handle)
    if (op_type, choice.kernel_id) not in _kernels:
        return refuse(
            codes.KERNEL_NOT_FOUND, f"{caller}: the function chose kernel {choice.kernel_id!r}, which is not there"
        )
    return codes.SUCCESS


@function("acl.op.set_kernel_args", "ksIkI")
def set_kernel_args(handle: int, kernel_id: str, blocks: int, arguments: int, size: int) -> int:
    caller = "acl.op.set_kernel_args"
    choice = CHOICES.get(handle)
    if choice is None or not arguments or not size:
        return refuse(codes.INVALID_PARAM, f"{caller}: the kernel handle or the arguments are NULL, or the size 0")
    try:
        choice.arguments = memory.host_bytes(arguments, size)
    except AddressError as error:
        return refuse(codes.INVALID_PARAM, f"{caller}: {error}")
    choice.kernel_id, choice.blocks = kernel_id, blocks
    return codes.SUCCESS


@function("acl.op.set_kernel_workspace_sizes", "kik")
def set_kernel_workspace_sizes(handle: int, count: int, sizes: int) -> int:
    caller = "acl.op.set_kernel_workspace_sizes"
    choice = CHOICES.get(handle)
    if choice is None or not 0 <= count < _MOST_WORKSPACES or (count and not sizes):
        return refuse(codes.INVALID_PARAM, f"{caller}: the kernel handle or the sizes are NULL, or {count} sizes")
    try:
        data = memory.host_bytes(sizes, 8 * count) if count else b""
    except AddressError as error:
        return refuse(codes.INVALID_PARAM, f"{caller}: {error}")
    choice.workspaces = [int.from_bytes(data[place : place + 8], "little") for place in range(0, len(data), 8)]
    return codes.SUCCESS
