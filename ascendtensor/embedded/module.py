"""The module object `acl`, and putting it where `import acl` finds it."""

from __future__ import annotations

import importlib
import importlib.machinery
import sys
from functools import cache
from types import ModuleType

# Importing a module of calls declares its functions.
from . import (
    acl_calls,
    aipp_calls,
    attributes,
    copy_calls,
    core_calls,
    data_buffers,
    datasets,
    descriptors,
    device_calls,
    device_facts,
    dump_calls,
    host_calls,
    kernel_calls,
    memory_calls,
    model_calls,
    model_descriptions,
    model_options,
    notify_calls,
    op_calls,
    op_inference,
    op_models,
    reports,
    shared_memory,
    stream_attributes,
    stream_calls,
    surface,
    unsupported_calls,
    virtual_memory,
)

__all__ = ["acl_module", "install", "is_embedded"]

_DECLARING = (
    acl_calls,
    aipp_calls,
    attributes,
    copy_calls,
    core_calls,
    data_buffers,
    datasets,
    descriptors,
    device_calls,
    device_facts,
    dump_calls,
    host_calls,
    kernel_calls,
    memory_calls,
    model_calls,
    model_descriptions,
    model_options,
    notify_calls,
    op_calls,
    op_inference,
    op_models,
    reports,
    shared_memory,
    stream_attributes,
    stream_calls,
    unsupported_calls,
    virtual_memory,
)


@cache
def acl_module() -> ModuleType:
    """The embedded `acl`, with its submodules as attributes. It is the same object at every call."""
    modules: dict[str, ModuleType] = {"acl": _new_module("acl")}
    for full_name, call in surface.FUNCTIONS.items():
        home, _, name = full_name.rpartition(".")
        if home not in modules:
            modules[home] = _new_module(home)
            setattr(modules["acl"], home.removeprefix("acl."), modules[home])
        call.__module__, call.__name__, call.__qualname__ = home, name, name
        setattr(modules[home], name, call)
    for name in unsupported_calls.ABSENT_GROUPS:
        setattr(modules["acl"], name, _new_module(f"acl.{name}", unsupported_calls.AbsentGroup))
    return modules["acl"]


def install(*, force: bool = False) -> ModuleType:
    """Make `import acl` work: with the real module where there is one, else with the embedded one.

    Parameters:
        force: take the embedded module even where a real one is installed.

    Returns:
        The module that `import acl` gives from now on.
    """
    real = None if force else _real_acl()
    if real is not None:
        return real
    module = acl_module()
    sys.modules["acl"] = module
    for name, part in vars(module).items():
        if isinstance(part, ModuleType):
            sys.modules[f"acl.{name}"] = part
    return module


def _real_acl() -> ModuleType | None:
    """The `acl` that imports, None where none does: one whose libraries are missing is none."""
    try:
        return importlib.import_module("acl")
    except ImportError:
        return None


def is_embedded(module: ModuleType) -> bool:
    """Whether `module` is the embedded `acl`."""
    return module is acl_module()


def _new_module(name: str, kind: type[ModuleType] = ModuleType) -> ModuleType:
    module = kind(name)
    module.__spec__ = importlib.machinery.ModuleSpec(name, None)
    return module
