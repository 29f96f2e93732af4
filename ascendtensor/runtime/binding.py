"""Which `acl` the library calls: the device's own, or the embedded one.

`ASCENDTENSOR_RUNTIME` chooses: `npu` and `embedded` insist, `auto` (the default) takes the device's if
it imports and finds a device.
"""

from __future__ import annotations

import importlib
import os
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from .. import embedded

__all__ = ["Binding", "acl", "binding", "refuse_after_fork"]

CHOICES = ("auto", "npu", "embedded")

_forked = False


@dataclass(frozen=True)
class Binding:
    """The chosen `acl`. reason: why it was chosen, in words for the user."""

    module: Any
    kind: Literal["npu", "embedded"]
    reason: str


@cache
def binding() -> Binding:
    """Choose once; every later call gives the same.

    Raises:
        ValueError: `ASCENDTENSOR_RUNTIME` is none of the choices.
        RuntimeError: it is `npu` and there is no `acl` with a device; or the process was forked from one that used it.
    """
    if _forked:
        raise RuntimeError(
            "this process was forked from one that had used the device, and a device cannot be shared so; start "
            "processes by multiprocessing.get_context('spawn'), or fork before the first tensor is made"
        )
    choice = os.environ.get("ASCENDTENSOR_RUNTIME", "auto")
    if choice not in CHOICES:
        raise ValueError(f"ASCENDTENSOR_RUNTIME is {choice!r}; it can be {', '.join(CHOICES)}")
    if choice == "embedded":
        return Binding(embedded.acl_module(), "embedded", "ASCENDTENSOR_RUNTIME asks for it")
    module, trouble = _device_acl()
    if module is not None:
        return Binding(module, "npu", "acl imports and finds a device")
    if choice == "npu":
        raise RuntimeError(
            f"ASCENDTENSOR_RUNTIME is npu, but {trouble}; source CANN's set_env.sh, check the device with npu-smi, "
            "or set ASCENDTENSOR_RUNTIME=embedded to run on the CPU"
        )
    return Binding(embedded.acl_module(), "embedded", trouble)


def refuse_after_fork() -> None:
    """Have every later use of `acl` in this process raise: a fork has none of the device's threads and handles."""
    global _forked
    _forked = True
    binding.cache_clear()


def acl() -> Any:
    """The chosen `acl` module."""
    return binding().module


def _device_acl() -> tuple[Any, str]:
    """The device's `acl` if it can be used, and else why not."""
    try:
        module = importlib.import_module("acl")
    except ImportError as error:
        return None, f"no acl module can be imported ({error})"
    if embedded.is_embedded(module):
        return None, "the acl module that imports is the embedded one"
    count, ret = module.rt.get_device_count()
    if ret != 0 or count == 0:
        return None, f"acl imports but finds no device (acl.rt.get_device_count gave {count}, code {ret})"
    return module, ""
