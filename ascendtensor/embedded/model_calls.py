"""`acl.mdl`: loading and executing whole models, which the embedded runtime cannot do.

The calls check their arguments as pyACL does. A model that is there gets the code of one that cannot be
loaded, so no model has an id, and everything that takes an id finds it unknown.
"""

from __future__ import annotations

import os
from collections.abc import Callable

from . import codes
from .datasets import DATASETS
from .messages import refuse
from .model_options import CONFIGS, EXEC_CONFIGS, LoadConfig
from .surface import function

__all__: list[str] = []

_MISSING = "the embedded runtime executes operators one by one and cannot load compiled models"


def from_file(caller: str, path: str) -> int:
    if not os.path.isfile(path):
        return refuse(codes.GE_MODEL_PATH_INVALID, f"{caller}: there is no model file {path!r}")
    return refuse(codes.GE_LOAD_MODEL, f"{caller}: {path!r} is not loaded: {_MISSING}")


def from_memory(caller: str, address: int, size: int) -> int:
    if not address or not size:
        return refuse(codes.INVALID_PARAM, f"{caller}: the model's address is NULL or its size 0")
    return refuse(codes.GE_LOAD_MODEL, f"{caller}: the model at {address:#x} is not loaded: {_MISSING}")


def _declare_loaders(sources: dict[str, tuple[str, str]], load: Callable[..., int], arguments: int) -> None:
    """Declare functions that take a model by their first arguments and room or queues for it by the others."""
    for name, (arg_format, returns) in sources.items():

        def body(*args: int, name: str = name, returns: str = returns) -> object:
            code = load(name, *args[:arguments])
            nothing = [0] * returns.count("value")
            return (*nothing, code) if nothing else code

        function(name, arg_format, returns=returns)(body)


_declare_loaders(
    {
        "acl.mdl.load_from_file": ("s", "value ret"),
        "acl.mdl.load_from_file_with_mem": ("skkkk", "value ret"),
        "acl.mdl.load_from_file_with_q": ("skkkk", "value ret"),
        "acl.mdl.query_size": ("s", "value value ret"),
        "acl.mdl.bundle_load_from_file": ("s", "value ret"),
    },
    from_file,
    1,
)
_declare_loaders(
    {
        "acl.mdl.load_from_mem": ("kk", "value ret"),
        "acl.mdl.load_from_mem_with_mem": ("kkkkkk", "value ret"),
        "acl.mdl.load_from_mem_with_q": ("kkkkkk", "value ret"),
        "acl.mdl.query_size_from_mem": ("kk", "value value ret"),
        "acl.mdl.bundle_load_from_mem": ("kk", "value ret"),
    },
    from_memory,
    2,
)


@function("acl.mdl.load_with_config", "k", returns="value ret")
def load_with_config(handle: int) -> tuple[int, int]:
    caller = "acl.mdl.load_with_config"
    config = CONFIGS.get(handle)
    if config is None:
        return 0, refuse(codes.INVALID_PARAM, f"{caller}: the configuration is NULL, or destroyed already")
    missing = config.missing()
    if missing:
        return 0, refuse(codes.INVALID_PARAM, f"{caller}: {missing}")
    path = config.values.get(LoadConfig.PATH)
    if config.values[LoadConfig.LOAD_TYPE] in LoadConfig.FROM_FILE and isinstance(path, str):
        return 0, from_file(caller, path)
    address, size = (config.values[attribute] for attribute in (LoadConfig.ADDRESS, LoadConfig.SIZE))
    return 0, from_memory(caller, int(address), int(size))


def unknown_model(caller: str, model: int) -> int:
    """Note that no model has that id; gives the code."""
    return refuse(codes.GE_MODEL_ID_INVALID, f"{caller}: there is no model {model}; {_MISSING}")


@function("acl.mdl.unload", "I")
def unload(model: int) -> int:
    return unknown_model("acl.mdl.unload", model)


@function("acl.mdl.bundle_unload", "I")
def bundle_unload(bundle: int) -> int:
    return unknown_model("acl.mdl.bundle_unload", bundle)


@function("acl.mdl.bundle_get_model_num", "I", returns="value ret")
def bundle_get_model_num(bundle: int) -> tuple[int, int]:
    return 0, unknown_model("acl.mdl.bundle_get_model_num", bundle)


@function("acl.mdl.bundle_get_model_id", "Ik", returns="value ret")
def bundle_get_model_id(bundle: int, index: int) -> tuple[int, int]:
    return 0, unknown_model("acl.mdl.bundle_get_model_id", bundle)


def _execute(caller: str, model: int, inputs: int, outputs: int) -> int:
    if DATASETS.get(inputs) is None or DATASETS.get(outputs) is None:
        return refuse(codes.INVALID_PARAM, f"{caller}: a dataset is NULL, or destroyed already")
    return unknown_model(caller, model)


@function("acl.mdl.execute", "Ikk")
def execute(model: int, inputs: int, outputs: int) -> int:
    return _execute("acl.mdl.execute", model, inputs, outputs)


@function("acl.mdl.execute_async", "Ikkk")
def execute_async(model: int, inputs: int, outputs: int, stream: int) -> int:
    return _execute("acl.mdl.execute_async", model, inputs, outputs)


@function("acl.mdl.execute_v2", "Ikkkk")
def execute_v2(model: int, inputs: int, outputs: int, stream: int, config: int) -> int:
    if EXEC_CONFIGS.get(config) is None:
        return refuse(codes.INVALID_PARAM, "acl.mdl.execute_v2: the configuration is NULL, or destroyed already")
    return _execute("acl.mdl.execute_v2", model, inputs, outputs)


# Choosing among the shapes that a model was compiled for.


def _choose(caller: str, model: int, dataset: int, values: list[int]) -> int:
    if DATASETS.get(dataset) is None:
        return refuse(codes.INVALID_PARAM, f"{caller}: the dataset is NULL, or destroyed already")
    if not values or 0 in values:
        return refuse(codes.INVALID_PARAM, f"{caller}: a size of 0")
    return unknown_model(caller, model)


@function("acl.mdl.set_dynamic_batch_size", "IkkK")
def set_dynamic_batch_size(model: int, dataset: int, index: int, size: int) -> int:
    return _choose("acl.mdl.set_dynamic_batch_size", model, dataset, [size])


@function("acl.mdl.set_dynamic_hw_size", "IkkKK")
def set_dynamic_hw_size(model: int, dataset: int, index: int, height: int, width: int) -> int:
    return _choose("acl.mdl.set_dynamic_hw_size", model, dataset, [height, width])


@function("acl.mdl.set_input_dynamic_dims", "IkkO")
def set_input_dynamic_dims(model: int, dataset: int, index: int, dims: object) -> int:
    caller = "acl.mdl.set_input_dynamic_dims"
    values = dims.get("dims", []) if isinstance(dims, dict) else None
    if not isinstance(dims, dict) or not isinstance(values, list):
        raise TypeError(f"{caller} args parse failed")
    count = dims.get("dimCount", 0)
    return _choose(caller, model, dataset, values if isinstance(count, int) and count else [])
