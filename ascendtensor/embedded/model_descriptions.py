"""`acl.mdl`: descriptions of models. No model can be loaded, so a description stays empty.

Each getter gives what pyACL gives for an index or a name that does not exist.
"""

from __future__ import annotations

from typing import Any

from . import codes
from .handles import Handles
from .messages import refuse
from .model_calls import from_file, from_memory, unknown_model
from .surface import MASK, function

__all__ = ["MODELS"]

_MOST_GEARS = 4096


class ModelDescription:
    """What a model takes and gives: nothing, as long as no model can be loaded."""


MODELS: Handles[ModelDescription] = Handles("model description")


def _dead(caller: str) -> int:
    return refuse(codes.INVALID_PARAM, f"{caller}: the description is NULL, or destroyed already")


@function("acl.mdl.create_desc", returns="handle")
def create_desc() -> int:
    return MODELS.add(ModelDescription())


@function("acl.mdl.destroy_desc", "k")
def destroy_desc(handle: int) -> int:
    return _dead("acl.mdl.destroy_desc") if MODELS.pop(handle) is None else codes.SUCCESS


@function("acl.mdl.get_desc", "kI")
def get_desc(handle: int, model: int) -> int:
    caller = "acl.mdl.get_desc"
    return _dead(caller) if MODELS.get(handle) is None else unknown_model(caller, model)


@function("acl.mdl.get_desc_from_file", "ks")
def get_desc_from_file(handle: int, path: str) -> int:
    caller = "acl.mdl.get_desc_from_file"
    return _dead(caller) if MODELS.get(handle) is None else from_file(caller, path)


@function("acl.mdl.get_desc_from_mem", "kkk")
def get_desc_from_mem(handle: int, address: int, size: int) -> int:
    caller = "acl.mdl.get_desc_from_mem"
    return _dead(caller) if MODELS.get(handle) is None else from_memory(caller, address, size)


# Getters that cannot tell a failure: what they give for an index or name that is not there.
_BARE: dict[str, tuple[str, Any]] = {
    "get_num_inputs": ("k", 0),
    "get_num_outputs": ("k", 0),
    "get_input_size_by_index": ("kk", 0),
    "get_output_size_by_index": ("kk", 0),
    "get_input_name_by_index": ("kk", ""),
    "get_output_name_by_index": ("kk", ""),
    "get_input_format": ("kk", -1),
    "get_output_format": ("kk", -1),
    "get_input_data_type": ("kk", -1),
    "get_output_data_type": ("kk", -1),
    "get_tensor_real_name": ("ks", None),
    "get_op_attr": ("kss", None),
}
# Getters that can: they say that the index or name does not exist.
_TELLING: dict[str, tuple[str, Any]] = {
    "get_input_dims": ("kk", {}),
    "get_input_dims_v2": ("kk", {}),
    "get_output_dims": ("kk", {}),
    "get_cur_output_dims": ("kk", {}),
    "get_input_dims_range": ("kk", {}),
    "get_dynamic_batch": ("k", {}),
    "get_dynamic_hw": ("kk", {}),
    "get_input_index_by_name": ("ks", 0),
    "get_output_index_by_name": ("ks", 0),
}


def _declare_getters() -> None:
    for short, (arg_format, nothing) in _BARE.items():

        def bare(*args: Any, nothing: Any = nothing) -> Any:
            return nothing

        function(f"acl.mdl.{short}", arg_format, returns="plain")(bare)
    for short, (arg_format, nothing) in _TELLING.items():
        name = f"acl.mdl.{short}"

        def telling(handle: int, which: int | str = 0, *, name: str = name, nothing: Any = nothing) -> tuple[Any, int]:
            if MODELS.get(handle) is None:
                return type(nothing)(), _dead(name)
            return type(nothing)(), refuse(codes.INVALID_PARAM, f"{name}: the model has no {which!r}; none is loaded")

        function(name, arg_format, returns="dict ret" if nothing == {} else "value ret")(telling)


_declare_getters()


@function("acl.mdl.get_input_dynamic_gear_count", "kk", returns="value ret")
def get_input_dynamic_gear_count(handle: int, index: int) -> tuple[int, int]:
    return 0, _gears("acl.mdl.get_input_dynamic_gear_count", handle, index)


@function("acl.mdl.get_input_dynamic_dims", "kkk", returns="none ret")
def get_input_dynamic_dims(handle: int, index: int, count: int) -> tuple[list[dict[str, Any]] | None, int]:
    caller = "acl.mdl.get_input_dynamic_dims"
    if count > _MOST_GEARS:
        return None, refuse(codes.INVALID_PARAM, f"{caller}: {count} gears; at most {_MOST_GEARS} can be asked for")
    return [], _gears(caller, handle, index)


def _gears(caller: str, handle: int, index: int) -> int:
    if MODELS.get(handle) is None:
        return _dead(caller)
    if index != MASK:
        return refuse(codes.INVALID_PARAM, f"{caller}: the index must be -1")
    return refuse(codes.INVALID_PARAM, f"{caller}: no model is loaded")


@function("acl.mdl.create_and_get_op_desc", "IIIk", returns="text value value value value ret")
def create_and_get_op_desc(
    device: int, stream: int, task: int, name_length: int
) -> tuple[str, int, int, int, int, int]:
    caller = "acl.mdl.create_and_get_op_desc"
    code = refuse(codes.API_NOT_SUPPORT, f"{caller}: tasks of models are not kept, since no model can be loaded")
    return "", 0, 0, 0, 0, code
