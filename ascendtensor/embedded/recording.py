"""A record of every operator that was queued, one line of JSON each, for checking against other facts.

A line reads `{"op", "soc", "inputs", "outputs", "attrs"}`. Inputs have "dtype", "shape", "format", "const",
"host" and "absent", outputs the first three; data types are named as in NumPy, formats as in ACL without
`ACL_FORMAT_`, and attributes are those that the call set.
"""

from __future__ import annotations

import json
import os
import threading
from typing import Any

from ops_registry import dtypes

from . import codes, machine, op_calls
from .attributes import Attributes
from .descriptors import Descriptor

__all__ = ["record_ops"]

_FORMAT_NAMES = {number: name.removeprefix("ACL_FORMAT_") for name, number in codes.FORMATS.items()}
_lock = threading.Lock()


def _tensor(desc: Descriptor) -> dict[str, Any]:
    dtype = dtypes.BY_CODE.get(desc.dtype)
    return {
        "dtype": "undefined" if dtype is None else dtype.name,
        "shape": list(desc.dims),
        "format": _FORMAT_NAMES.get(desc.format, str(desc.format)),
    }


def _input(desc: Descriptor) -> dict[str, Any]:
    return _tensor(desc) | {
        "const": desc.const is not None,
        "host": desc.placement != codes.MEMTYPE_DEVICE,
        "absent": desc.absent,
    }


def _kind(entry: dict[str, Any]) -> str:
    """What calls have in common that differ in shapes and in the numbers of lists and floats only."""
    tensors = [{**value, "shape": None} for side in ("inputs", "outputs") for value in entry[side]]
    attrs = {
        name: value if isinstance(value, int | str) else type(value).__name__ for name, value in entry["attrs"].items()
    }
    return json.dumps([entry["op"], entry["soc"], len(entry["inputs"]), tensors, attrs])


def record_ops(path: str | os.PathLike[str] | None, *, distinct: bool = False) -> None:
    """Append every operator that is queued from now on to a file; None ends the record.

    Parameters:
        distinct: keep the first call only of each kind, which has the same operator, chip, data types, formats,
            constants and attributes, whatever the shapes: all that an operator list tells of.
    """
    if path is None:
        op_calls.tell_call = None
        return
    name = os.fspath(path)
    seen: set[str] = set()

    def append(op_type: str, inputs: list[Descriptor], outputs: list[Descriptor], attrs: Attributes) -> None:
        entry = {
            "op": op_type,
            "soc": machine.soc_name,
            "inputs": [_input(desc) for desc in inputs],
            "outputs": [_tensor(desc) for desc in outputs],
            "attrs": {key: value for key, (_, value) in attrs.values.items()},
        }
        with _lock:
            if distinct:
                kind = _kind(entry)
                if kind in seen:
                    return
                seen.add(kind)
            # Opened each time, so that several processes may append to one file, a line at a time.
            with open(name, "a", encoding="utf-8") as file:
                file.write(json.dumps(entry) + "\n")

    op_calls.tell_call = append
