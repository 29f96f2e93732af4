"""`acl.mdl`: datasets, the lists of buffers that a model reads and writes."""

from __future__ import annotations

import copy

from . import codes
from .data_buffers import BUFFERS
from .descriptors import DESCRIPTORS
from .handles import Handles
from .messages import refuse
from .surface import function

__all__ = ["DATASETS", "Dataset"]


class Dataset:
    """Data buffers in order, and the descriptors that belong to the dataset itself, by place."""

    __slots__ = ("buffers", "descriptors")

    def __init__(self) -> None:
        self.buffers: list[int] = []
        self.descriptors: dict[int, int] = {}


DATASETS: Handles[Dataset] = Handles("dataset")


def _dead(caller: str) -> int:
    return refuse(codes.INVALID_PARAM, f"{caller}: the dataset is NULL, or destroyed already")


@function("acl.mdl.create_dataset", returns="handle")
def create_dataset() -> int:
    return DATASETS.add(Dataset())


@function("acl.mdl.destroy_dataset", "k")
def destroy_dataset(handle: int) -> int:
    dataset = DATASETS.pop(handle)
    if dataset is None:
        return _dead("acl.mdl.destroy_dataset")
    # The buffers are the caller's; only the copies of descriptors go with the dataset.
    for descriptor in dataset.descriptors.values():
        DESCRIPTORS.pop(descriptor)
    return codes.SUCCESS


@function("acl.mdl.add_dataset_buffer", "kk", returns="value ret")
def add_dataset_buffer(handle: int, buffer: int) -> tuple[int, int]:
    dataset = DATASETS.get(handle)
    if dataset is None:
        return handle, _dead("acl.mdl.add_dataset_buffer")
    if BUFFERS.get(buffer) is None:
        return handle, refuse(
            codes.INVALID_PARAM, "acl.mdl.add_dataset_buffer: the data buffer is NULL, or destroyed already"
        )
    dataset.buffers.append(buffer)
    return handle, codes.SUCCESS


@function("acl.mdl.get_dataset_num_buffers", "k", returns="plain")
def get_dataset_num_buffers(handle: int) -> int:
    dataset = DATASETS.get(handle)
    return 0 if dataset is None else len(dataset.buffers)


@function("acl.mdl.get_dataset_buffer", "kk", returns="plain")
def get_dataset_buffer(handle: int, index: int) -> int:
    dataset = DATASETS.get(handle)
    return 0 if dataset is None or index >= len(dataset.buffers) else dataset.buffers[index]


@function("acl.mdl.set_dataset_tensor_desc", "kkk", returns="value ret")
def set_dataset_tensor_desc(handle: int, descriptor: int, index: int) -> tuple[int, int]:
    caller = "acl.mdl.set_dataset_tensor_desc"
    dataset = DATASETS.get(handle)
    if dataset is None:
        return handle, _dead(caller)
    if index >= len(dataset.buffers):
        return handle, refuse(
            codes.INVALID_PARAM, f"{caller}: place {index} of a dataset with {len(dataset.buffers)} buffers"
        )
    given = DESCRIPTORS.get(descriptor)
    if descriptor and given is None:
        return handle, refuse(codes.INVALID_PARAM, f"{caller}: the descriptor is destroyed already")
    DESCRIPTORS.pop(dataset.descriptors.pop(index, 0))
    if given is not None:
        dataset.descriptors[index] = DESCRIPTORS.add(copy.copy(given), own=True)
    return handle, codes.SUCCESS


@function("acl.mdl.get_dataset_tensor_desc", "kk", returns="plain")
def get_dataset_tensor_desc(handle: int, index: int) -> int:
    dataset = DATASETS.get(handle)
    return 0 if dataset is None else dataset.descriptors.get(index, 0)
