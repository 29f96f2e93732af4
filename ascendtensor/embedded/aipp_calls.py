"""`acl.mdl`: preprocessing of images on the way into a model. The settings are kept and checked; no model uses them."""

from __future__ import annotations

from typing import Any

from . import codes
from .datasets import DATASETS
from .handles import Handles
from .messages import refuse
from .model_calls import unknown_model
from .surface import function

__all__ = ["SETTINGS"]

_FORMATS = range(1, 15)
# What a set of settings takes on the device: a common part, and one part an image.
_COMMON_BYTES, _BYTES_AN_IMAGE = 64, 96
_MOST_IMAGES = 127


class Settings:
    """Settings for a batch of images, by the function that made them."""

    def __init__(self, images: int) -> None:
        self.images = images
        self.values: dict[str, tuple[Any, ...]] = {}


SETTINGS: Handles[Settings] = Handles("image preprocessing")


def _images_fit(images: int) -> bool:
    return 0 < images <= _MOST_IMAGES


@function("acl.mdl.create_aipp", "K", returns="handle")
def create_aipp(images: int) -> int:
    if not _images_fit(images):
        refuse(codes.INVALID_PARAM, f"acl.mdl.create_aipp: a batch of {images} images; use 1 to {_MOST_IMAGES}")
        return 0
    return SETTINGS.add(Settings(images))


@function("acl.mdl.destroy_aipp", "k")
def destroy_aipp(handle: int) -> int:
    return _dead("acl.mdl.destroy_aipp") if SETTINGS.pop(handle) is None else codes.SUCCESS


@function("acl.mdl.get_aipp_data_size", "K", returns="value ret")
def get_aipp_data_size(images: int) -> tuple[int, int]:
    if not _images_fit(images):
        return 0, refuse(codes.INVALID_PARAM, f"acl.mdl.get_aipp_data_size: a batch of {images} images")
    return _COMMON_BYTES + images * _BYTES_AN_IMAGE, codes.SUCCESS


# The setters whose last argument is the number of an image, and those for all images.
_FOR_AN_IMAGE = {
    "set_aipp_crop_params": "kbiiiiK",
    "set_aipp_padding_params": "kbiiiiK",
    "set_aipp_scf_params": "kbiiiiK",
    "set_aipp_dtc_pixel_mean": "khhhhK",
    "set_aipp_dtc_pixel_min": "kffffK",
    "set_aipp_pixel_var_reci": "kffffK",
}
_FOR_ALL = {
    "set_aipp_input_format": "kI",
    "set_aipp_csc_params": "kbhhhhhhhhhBBBBBB",
    "set_aipp_rbuv_swap_switch": "kb",
    "set_aipp_ax_swap_switch": "kb",
    "set_aipp_src_image_size": "kii",
}


def _declare_setters() -> None:
    for short, arg_format in (_FOR_AN_IMAGE | _FOR_ALL).items():

        def body(handle: int, *values: Any, short: str = short) -> int:
            return _set(short, handle, values)

        function(f"acl.mdl.{short}", arg_format)(body)


def _set(setter: str, handle: int, values: tuple[Any, ...]) -> int:
    caller = f"acl.mdl.{setter}"
    settings = SETTINGS.get(handle)
    if settings is None:
        return _dead(caller)
    if setter in _FOR_AN_IMAGE and values[-1] >= settings.images:
        return refuse(codes.INVALID_PARAM, f"{caller}: image {values[-1]} of a batch of {settings.images}")
    if setter == "set_aipp_input_format" and values[0] not in _FORMATS:
        return refuse(codes.INVALID_PARAM, f"{caller}: there is no image format {values[0]}")
    if setter == "set_aipp_src_image_size" and min(values) <= 0:
        return refuse(codes.INVALID_PARAM, f"{caller}: an image of {values[0]} by {values[1]}")
    settings.values[setter] = values
    return codes.SUCCESS


_declare_setters()


@function("acl.mdl.set_input_aipp", "Ikkk")
def set_input_aipp(model: int, dataset: int, index: int, handle: int) -> int:
    return _use("acl.mdl.set_input_aipp", model, dataset, handle)


@function("acl.mdl.set_aipp_by_input_index", "Ikkk")
def set_aipp_by_input_index(model: int, dataset: int, index: int, handle: int) -> int:
    return _use("acl.mdl.set_aipp_by_input_index", model, dataset, handle)


def _use(caller: str, model: int, dataset: int, handle: int) -> int:
    if SETTINGS.get(handle) is None:
        return _dead(caller)
    if DATASETS.get(dataset) is None:
        return refuse(codes.INVALID_PARAM, f"{caller}: the dataset is NULL, or destroyed already")
    return unknown_model(caller, model)


@function("acl.mdl.get_first_aipp_info", "Ik", returns="none ret")
def get_first_aipp_info(model: int, index: int) -> tuple[dict[str, Any] | None, int]:
    return None, unknown_model("acl.mdl.get_first_aipp_info", model)


@function("acl.mdl.get_aipp_type", "Ik", returns="value value ret")
def get_aipp_type(model: int, index: int) -> tuple[int, int, int]:
    return 0, 0, unknown_model("acl.mdl.get_aipp_type", model)


def _dead(caller: str) -> int:
    return refuse(codes.INVALID_PARAM, f"{caller}: the settings are NULL, or destroyed already")
