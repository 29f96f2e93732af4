"""What an embedded machine cannot do: running binaries made for a device, and whole groups outside its purpose."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

from . import codes
from .handles import Handles
from .messages import refuse
from .surface import failure, function

__all__ = ["ABSENT_GROUPS", "AbsentGroup", "AbsentGroupError"]


class Binary:
    """A binary in the program's memory. It is kept track of; nothing runs it."""


BINARIES: Handles[Binary] = Handles("binary")


@function("acl.rt.create_binary", "kk", returns="handle")
def create_binary(address: int, size: int) -> int:
    if not address or not size:
        refuse(codes.INVALID_PARAM, "acl.rt.create_binary: the address is NULL or the size 0")
        return 0
    return BINARIES.add(Binary())


@function("acl.rt.destroy_binary", "k")
def destroy_binary(handle: int) -> int:
    if BINARIES.pop(handle) is None:
        return refuse(codes.INVALID_PARAM, "acl.rt.destroy_binary: the binary is NULL, or destroyed already")
    return codes.SUCCESS


# Functions that would load, look into or launch code for a device: format and result. A handle comes first.
_NEEDS_A_DEVICE: dict[str, tuple[str, str]] = {
    "binary_load": ("k", "value ret"),
    "binary_unload": ("k", "ret"),
    "binary_get_function": ("ks", "value ret"),
    "get_function_addr": ("k", "value value ret"),
    "launch_kernel": ("kIkkk", "ret"),
    "kernel_args_init": ("k", "value ret"),
    "kernel_args_init_by_user_mem": ("kkkk", "ret"),
    "kernel_args_get_mem_size": ("kk", "value ret"),
    "kernel_args_get_handle_mem_size": ("k", "value ret"),
    "kernel_args_append": ("kkk", "value ret"),
    "kernel_args_append_place_holder": ("k", "value ret"),
    "kernel_args_get_place_holder_buffer": ("kkk", "value ret"),
    "kernel_args_para_update": ("kkkk", "ret"),
    "kernel_args_finalize": ("k", "ret"),
}


def _refuse(name: str, handle: int | str = 1) -> Any:
    """The result of a function that cannot do its work."""
    failed = failure(name)
    assert failed is not None
    if not handle:
        return failed(refuse(codes.INVALID_PARAM, f"{name}: a handle or path is NULL"))
    return failed(
        refuse(codes.RT_FEATURE_NOT_SUPPORT, f"{name}: the embedded runtime cannot run binaries made for a device")
    )


def _declare() -> None:
    for short, (arg_format, returns) in _NEEDS_A_DEVICE.items():
        name = f"acl.rt.{short}"

        def body(handle: int, *others: Any, name: str = name) -> Any:
            return _refuse(name, handle)

        function(name, arg_format, returns=returns)(body)


_declare()


def _check_list(value: Any, place: int) -> None:
    if not isinstance(value, list):
        raise TypeError(f"argument {place} is not list")
    for item in value:
        if not isinstance(item, dict):
            raise TypeError(f"argument {place}: the elements of the list must be dict, not {type(item).__name__}")


@function("acl.rt.binary_load_from_file", "sO", returns="value ret")
def binary_load_from_file(path: str, options: Any) -> tuple[int, int]:
    _check_list(options, 2)
    return _refuse("acl.rt.binary_load_from_file", path)


@function("acl.rt.binary_load_from_data", "kkO", returns="value ret")
def binary_load_from_data(address: int, size: int, options: Any) -> tuple[int, int]:
    _check_list(options, 3)
    return _refuse("acl.rt.binary_load_from_data", address and size)


@function("acl.rt.launch_kernel_with_config", "kIkOkk")
def launch_kernel_with_config(kernel: int, blocks: int, stream: int, config: Any, args: int, reserved: int) -> int:
    _check_list(config, 4)
    return _refuse("acl.rt.launch_kernel_with_config", kernel)


@function("acl.rt.register_cpu_func", "kss", returns="value ret")
def register_cpu_func(binary: int, func_name: str, kernel_name: str) -> tuple[int, int]:
    if not func_name or not kernel_name:
        raise ValueError("acl.rt.register_cpu_func: the names must not be empty")
    return _refuse("acl.rt.register_cpu_func", binary)


_LONGEST_NAME = 1024


@function("acl.rt.get_function_name", "kI", returns="text ret")
def get_function_name(kernel: int, length: int) -> tuple[str, int]:
    if length >= _LONGEST_NAME:
        raise ValueError(f"acl.rt.get_function_name: the length must be below {_LONGEST_NAME}")
    return _refuse("acl.rt.get_function_name", kernel)


# Whole groups.

ABSENT_GROUPS = {
    "media": "decoding and encoding of images and video",
    "himpi": "decoding and encoding of images and video",
    "fv": "comparing feature vectors",
    "prof": "profiling of a device",
    "blas": "matrix operators of their own; acl.op.execute_v2 has MatMul and BatchMatMul",
}


class AbsentGroupError(NotImplementedError):
    """A function was called of a group that the embedded runtime leaves out."""


class AbsentGroup(ModuleType):
    """A submodule of `acl` that is left out: every function of it exists, and says so when it is called."""

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("_"):
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        full_name = f"{self.__name__}.{name}"

        def call(*args: Any) -> Any:
            raise AbsentGroupError(
                f"{full_name}: the embedded runtime has no {self.__name__} "
                f"({ABSENT_GROUPS[self.__name__.rpartition('.')[2]]}); it needs a real device"
            )

        call.__module__, call.__name__, call.__qualname__ = self.__name__, name, name
        return call
