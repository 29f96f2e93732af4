"""`acl.op`: models of single operators, which say what was compiled.

By default every operator that has a kernel counts as compiled. While `required` is set, only those do that
`compile_op` was called for in this process, or whose files were loaded.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
from collections.abc import Iterator
from typing import Any

from . import attributes, codes, matching, memory
from .attributes import ATTRIBUTES, Attributes
from .descriptors import DESCRIPTORS, Descriptor
from .matching import NoMatch
from .messages import refuse
from .surface import function

__all__ = ["check_compiled", "compile_op", "require", "reset"]

_log = logging.getLogger("ascendtensor.embedded")

_FORMAT = "ascendtensor embedded operator 1"
_SUFFIX = ".om"
# How far below a model directory models are looked for.
_DEPTH = 3
# What a file says of a descriptor: the attributes that make two of them equal.
_FIELDS = ("dtype", "dims", "format", "storage_dims", "storage_format", "placement", "ranges", "dynamic_input")

Key = tuple[Any, ...]

_compiled: set[Key] = set()
_directory: list[str] = []
required = False


def reset() -> None:
    """Forget the model directory and everything compiled or loaded."""
    _compiled.clear()
    _directory.clear()


def require(on: bool) -> bool:
    """Refuse operators that were not compiled, from now on or no more; gives what held before."""
    global required
    before, required = required, on
    return before


def _key(op_type: str, inputs: list[Descriptor], outputs: list[Descriptor], attrs: Attributes) -> Key:
    return (op_type, attrs.key(), tuple(desc.key() for desc in inputs), tuple(desc.key() for desc in outputs))


def check_compiled(op_type: str, inputs: list[Descriptor], outputs: list[Descriptor], attrs: Attributes) -> None:
    """Pass if operators need not be compiled, or this one is.

    Raises:
        NoMatch: it is not.
    """
    if required and _key(op_type, inputs, outputs, attrs) not in _compiled:
        raise NoMatch("no loaded model fits; it was not compiled for these descriptors and attributes")


def compile_op(
    op_type: str, input_desc: list[int], output_desc: list[int], attr: int = 0, folder: str | os.PathLike[str] = ""
) -> int:
    """Compile an operator for a signature, as the operator compiler's library does beside pyACL.

    Parameters:
        op_type: its name.
        input_desc, output_desc, attr: handles, as for `acl.op.execute_v2`.
        folder: where to write a file that `acl.op.set_model_dir` and `acl.op.load` take; empty for nowhere.

    Returns:
        A code: 0, or that of an operator that does not exist.
    """
    caller = f"compile_op({op_type})"
    attrs = ATTRIBUTES.get(attr) if attr else attributes.NONE
    ins = [desc for desc in map(DESCRIPTORS.get, input_desc) if desc is not None]
    outs = [desc for desc in map(DESCRIPTORS.get, output_desc) if desc is not None]
    if attrs is None or len(ins) != len(input_desc) or len(outs) != len(output_desc):
        return refuse(codes.INVALID_PARAM, f"{caller}: a descriptor or the attribute handle is not alive")
    try:
        matching.match(op_type, ins, outs, attrs)
    except NoMatch as error:
        return refuse(error.code, f"{caller}: {error}")
    _compiled.add(_key(op_type, ins, outs, attrs))
    if folder:
        data = _file_content(op_type, ins, outs, attrs)
        name = f"{op_type}_{hashlib.sha256(data).hexdigest()[:16]}{_SUFFIX}"
        try:
            with open(os.path.join(folder, name), "wb") as file:
                file.write(data)
        except OSError as error:
            return refuse(codes.WRITE_FILE, f"{caller}: {error}")
    return codes.SUCCESS


# Files.


def _file_content(op_type: str, ins: list[Descriptor], outs: list[Descriptor], attrs: Attributes) -> bytes:
    content = {
        "format": _FORMAT,
        "op": op_type,
        "attrs": {name: [kind, value] for name, (kind, value) in sorted(attrs.values.items())},
        "inputs": [_described(desc) for desc in ins],
        "outputs": [_described(desc) for desc in outs],
    }
    return json.dumps(content).encode()


def _described(desc: Descriptor) -> dict[str, Any]:
    fields = {name: getattr(desc, name) for name in _FIELDS}
    return fields | {"const": None if desc.const is None else desc.const.hex()}


def _load(data: bytes) -> bool:
    """Count what a file describes as compiled; False if it is not one of `compile_op`."""
    try:
        content = json.loads(data)
        if content["format"] != _FORMAT:
            return False
        attrs = Attributes()
        attrs.values.update({name: (kind, value) for name, (kind, value) in content["attrs"].items()})
        sides = [[_descriptor(fields) for fields in content[side]] for side in ("inputs", "outputs")]
        _compiled.add(_key(content["op"], sides[0], sides[1], attrs))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return False
    return True


def _descriptor(fields: dict[str, Any]) -> Descriptor:
    desc = Descriptor(fields["dtype"], tuple(fields["dims"]), fields["format"])
    storage = fields["storage_dims"]
    desc.storage_dims = None if storage is None else tuple(storage)
    desc.storage_format = fields["storage_format"]
    desc.placement = fields["placement"]
    desc.ranges = tuple((low, high) for low, high in fields["ranges"])
    desc.dynamic_input = fields["dynamic_input"]
    desc.const = None if fields["const"] is None else bytes.fromhex(fields["const"])
    return desc


@function("acl.op.set_model_dir", "s")
def set_model_dir(path: str) -> int:
    caller = "acl.op.set_model_dir"
    if _directory:
        return refuse(codes.REPEAT_INITIALIZE, f"{caller}: the directory is {_directory[0]!r} already")
    if not os.path.isdir(path):
        return refuse(codes.READ_MODEL_FAILURE, f"{caller}: {path!r} is not a directory")
    _directory.append(path)
    for name in _models_below(path):
        try:
            with open(name, "rb") as file:
                known = _load(file.read())
        except OSError as error:
            return refuse(codes.READ_MODEL_FAILURE, f"{caller}: {error}")
        if not known:
            _log.info("%s: %s is made for a device and is passed over", caller, name)
    return codes.SUCCESS


def _models_below(path: str) -> Iterator[str]:
    for folder, folders, files in os.walk(path):
        if os.path.relpath(folder, path).count(os.sep) >= _DEPTH - 2 and folder != path:
            folders.clear()
        yield from (os.path.join(folder, name) for name in sorted(files) if name.endswith(_SUFFIX))


@function("acl.op.load", "kk")
def load(address: int, size: int) -> int:
    caller = "acl.op.load"
    if not address or not size:
        return refuse(codes.INVALID_PARAM, f"{caller}: the address is NULL or the size 0")
    try:
        data = memory.host_bytes(address, size)
    except memory.AddressError as error:
        return refuse(codes.INVALID_PARAM, f"{caller}: {error}")
    if not _load(data) and required:
        return refuse(
            codes.OP_LOAD_FAILED, f"{caller}: the model is made for a device; compile_op makes models for here"
        )
    return codes.SUCCESS


@function("acl.op.set_max_op_queue_num", "K")
def set_max_op_queue_num(count: int) -> int:
    if not count:
        return refuse(codes.INVALID_PARAM, "acl.op.set_max_op_queue_num: 0 models cannot be kept")
    return codes.SUCCESS
