"""Every function of pyACL is there, takes its arguments and gives results of the right shape."""

from __future__ import annotations

import inspect
import threading
from contextlib import nullcontext
from types import FunctionType, ModuleType
from typing import Any

import numpy as np
import pytest
from surface_table import SURFACE, Row

from ascendtensor import embedded
from ascendtensor.embedded import surface

# What a zero of each kind of object is.
OBJECTS: dict[str, Any] = {
    "list": [],
    "dict": {},
    "callable": lambda *args: None,
    "bytes": b"",
    "array": np.zeros(1),
    "tuple": (),
    "int": 0,
    "any": None,
}
# Functions that must be given something else than zeros.
ARGUMENTS: dict[str, tuple[Any, ...]] = {
    "acl.mdl.set_config_opt": (0, 1, 0),
    "acl.mdl.set_input_dynamic_dims": (0, 0, 0, {"dimCount": 1, "dims": [1]}),
    "acl.rt.register_cpu_func": (0, "f", "k"),
    "acl.util.ptr_to_numpy": (0, (0,), 5),
    "acl.op.set_attr_list_bool": (0, "a", []),
    "acl.op.set_attr_list_int": (0, "a", []),
    "acl.op.set_attr_list_float": (0, "a", []),
}
TYPES: dict[str, type] = {
    "ret": int,
    "int": int,
    "ptr": int,
    "str": str,
    "bytes": bytes,
    "float": float,
    "list": list,
    "dict": dict,
    "ndarray": np.ndarray,
    "None": type(None),
}


def arguments_of(row: Row) -> tuple[Any, ...]:
    """Arguments that parse, and mean nothing."""
    if row.name in ARGUMENTS:
        return ARGUMENTS[row.name]
    objects = iter(row.objects)
    by_letter = {"s": str, "f": float}
    letters = row.arg_format.partition("|")[0]
    return tuple(OBJECTS[next(objects)] if letter == "O" else by_letter.get(letter, int)() for letter in letters)


def fits(value: Any, kind: str) -> bool:
    if kind.endswith("?"):
        return value is None or fits(value, kind[:-1])
    return type(value) is TYPES[kind] or (kind == "str" and value is None)


@pytest.fixture
def no_threads():
    yield
    for thread in threading.enumerate():
        if thread is not threading.current_thread():
            thread.join(1)


@pytest.mark.parametrize("row", SURFACE, ids=lambda row: row.name)
def test_a_function_is_there_and_gives_what_it_should(bare, no_threads, row):
    function: Any = bare
    for part in row.name.split(".")[1:]:
        function = getattr(function, part)
    assert type(function) is FunctionType
    assert surface.FORMATS[row.name].replace("P", "O").replace("D", "O") == row.arg_format
    assert not [p for p in inspect.signature(function).parameters.values() if p.kind is not p.VAR_POSITIONAL]
    with pytest.warns() if row.name == "acl.util.numpy_to_ptr" else nullcontext():
        for ready in (False, True):
            if ready:
                bare.init()
                assert bare.rt.set_device(0) == 0
            result = function(*arguments_of(row))
            items = result if len(row.result) > 1 else (result,)
            assert type(items) is tuple
            assert len(items) == len(row.result)
            assert all(fits(item, kind) for item, kind in zip(items, row.result, strict=True)), (result, row.result)


@pytest.mark.parametrize("row", SURFACE, ids=lambda row: row.name)
def test_an_injected_failure_has_the_shape_of_the_result(bare, row):
    failed = surface.failure(row.name)
    if row.result[-1] != "ret":
        # Only those that make a handle can say that they could not: by NULL.
        assert failed is None or failed(7) == 0
        return
    assert failed is not None
    result = failed(7)
    items = result if len(row.result) > 1 else (result,)
    assert items[-1] == 7
    assert len(items) == len(row.result)
    allowed = {"int": int, "float": (int, float), "ret": int, "str": str, "dict": dict, "list": list}
    for item, kind in zip(items, row.result, strict=True):
        assert (item is None and kind.endswith("?")) or isinstance(item, allowed[kind.rstrip("?")])


def test_there_is_nothing_beyond_pyacl(bare):
    groups = ("rt", "op", "util", "mdl")
    found = {f"acl.{name}" for name, value in vars(bare).items() if isinstance(value, FunctionType)}
    for group in groups:
        part = getattr(bare, group)
        found |= {f"acl.{group}.{name}" for name, value in vars(part).items() if isinstance(value, FunctionType)}
    assert found == {row.name for row in SURFACE}


@pytest.mark.parametrize("group", ["media", "himpi", "fv", "prof", "blas"])
def test_groups_that_are_left_out_say_so_when_used(bare, group):
    part = getattr(bare, group)
    assert isinstance(part, ModuleType)
    function = part.whatever
    assert function.__qualname__ == "whatever"
    with pytest.raises(embedded.AbsentGroupError, match=rf"acl\.{group}\.whatever: .*real device"):
        function(1, 2)
    assert issubclass(embedded.AbsentGroupError, NotImplementedError)
    assert not hasattr(part, "__path__")
