"""The border: which arguments are taken, and what the wrong ones raise."""

from __future__ import annotations

import enum
import importlib
import sys
from types import FunctionType, ModuleType

import numpy as np
import pytest

from ascendtensor import embedded
from ascendtensor.embedded import codes, surface

TOP = 2**64


class Number(enum.IntEnum):
    EIGHT = 8


def test_the_module_holds_functions_and_submodules_and_no_constants(bare):
    for part in (bare, bare.rt, bare.op, bare.util, bare.mdl):
        public = {name: value for name, value in vars(part).items() if not name.startswith("__")}
        assert public
        assert all(isinstance(value, FunctionType | ModuleType) for value in public.values())


def test_every_function_takes_positional_arguments_only(bare):
    with pytest.raises(TypeError):
        bare.rt.malloc(size=8, policy=0)


@pytest.mark.parametrize("name", sorted(n for n, f in surface.FORMATS.items() if not f))
def test_functions_without_arguments_ignore_what_they_are_given(bare, name):
    if name in ("acl.finalize", "acl.finalize_reference"):
        return
    call = surface.FUNCTIONS[name]
    assert type(call("ignored", 3)) is type(call())


# Functions whose argument errors keep CPython's own text.
OWN_TEXT = ("acl.op.register_compile_func", "acl.rt.get_event_id", "acl.util.start_thread")


@pytest.mark.parametrize("name", sorted(n for n, f in surface.FORMATS.items() if f))
def test_a_wrong_number_of_arguments_is_a_parse_failure(bare, name):
    arguments = [object()] * (len(surface.FORMATS[name]) + 1)
    with pytest.raises(TypeError, match="takes" if name in OWN_TEXT else f"^{name} args parse failed$"):
        surface.FUNCTIONS[name](*arguments)


# One function for each letter: what it takes, and what it refuses.
GOOD = [
    ("acl.rt.malloc", (8, 0)),
    ("acl.rt.malloc", (True, 0)),
    ("acl.rt.malloc", (Number.EIGHT, Number.EIGHT)),
    ("acl.rt.malloc", (8, np.int64(0))),
    ("acl.rt.set_ts_device", (np.int8(1),)),
    ("acl.set_tensor_desc_name", (0, "naïve")),
    ("acl.float_to_float16", (np.float32(1.5),)),
    ("acl.float_to_float16", (3,)),
    ("acl.float_to_float16", (np.int32(3),)),
    ("acl.float16_to_float", (np.uint16(3),)),
    ("acl.create_tensor_desc", (0, [True, Number.EIGHT], 2)),
]
BAD = [
    ("acl.rt.malloc", (np.int64(8), 0)),
    ("acl.rt.malloc", (8.0, 0)),
    ("acl.rt.malloc", (None, 0)),
    ("acl.rt.malloc", ("8", 0)),
    ("acl.rt.malloc", (8, 0.0)),
    ("acl.rt.malloc", (8, 2**31)),
    ("acl.rt.malloc", (8, -(2**31) - 1)),
    ("acl.rt.malloc", (8,)),
    ("acl.op.set_attr_int", (0, "a", 2**63)),
    ("acl.op.set_attr_int", (0, "a", 1.0)),
    ("acl.op.set_attr_int", (0, b"a", 1)),
    ("acl.op.set_attr_int", (0, None, 1)),
    ("acl.op.set_attr_int", (0, "a\0b", 1)),
    ("acl.op.set_attr_string", (0, "a", "\ud800")),
    ("acl.op.set_attr_bool", (0, "a", 1.0)),
    ("acl.op.set_attr_float", (0, "a", "1")),
    ("acl.op.set_attr_float", (0, "a", 1j)),
    ("acl.op.execute_v2", ("Add", [], [], [], [], np.int64(0), 0)),
    ("acl.op.execute_v2", ("Add", [], [], [], [], 0)),
    ("acl.init", (None,)),
]


@pytest.mark.parametrize(("name", "arguments"), GOOD)
def test_arguments_that_fit_the_format_are_taken(acl, name, arguments):
    surface.FUNCTIONS[name](*arguments)


@pytest.mark.parametrize(("name", "arguments"), BAD)
def test_arguments_that_do_not_fit_are_a_type_error(acl, name, arguments):
    with pytest.raises(TypeError, match=f"^{name} args parse failed$"):
        surface.FUNCTIONS[name](*arguments)


@pytest.mark.parametrize("value", [(), (4,), np.array([4]), range(4), None, 4])
def test_a_list_must_be_a_list(acl, value):
    with pytest.raises(TypeError, match="argument 2 is not list"):
        acl.create_tensor_desc(0, value, 2)


@pytest.mark.parametrize("item", [np.int64(4), 4.0, "4", None])
def test_the_elements_of_a_list_must_be_int(acl, item):
    with pytest.raises(TypeError, match="argument 2"):
        acl.create_tensor_desc(0, [item], 2)
    with pytest.raises(TypeError, match="argument 3"):
        acl.op.execute_v2("Add", [], [item], [], [], 0, 0)


@pytest.mark.parametrize("item", [2**63, -(2**63) - 1])
def test_an_element_that_does_not_fit_is_a_value_error(acl, item):
    with pytest.raises(ValueError, match="does not fit"):
        acl.create_tensor_desc(0, [item], 2)


@pytest.mark.parametrize("item", [TOP, -(2**63) - 1])
def test_handles_in_lists_go_to_the_top_of_64_bits(acl, item):
    assert acl.op.execute_v2("Add", [TOP - 1], [TOP - 1], [-1], [-1], 0, 0) == codes.INVALID_PARAM
    with pytest.raises(ValueError, match="does not fit"):
        acl.op.execute_v2("Add", [item], [0], [], [], 0, 0)


@pytest.mark.parametrize("place", range(1, 5))
def test_the_lists_of_execute_must_not_be_tuples(acl, place):
    arguments = ["Add", [], [], [], [], 0, 0]
    arguments[place] = ()
    with pytest.raises(TypeError, match=f"argument {place + 1} is not list"):
        acl.op.execute_v2(*arguments)


def test_wide_numbers_wrap_around(acl):
    buffer = acl.create_data_buffer(-1, TOP + 5)
    assert acl.get_data_buffer_addr(buffer) == TOP - 1
    assert acl.get_data_buffer_size_v2(buffer) == 5
    assert acl.rt.malloc(-1, 2) == (0, codes.INVALID_PARAM)


@pytest.mark.parametrize(("value", "bits"), [(-1, 0xFFFF), (0x1_3C00, 0x3C00)])
def test_narrow_unsigned_numbers_are_masked(acl, value, bits):
    assert np.array_equal(acl.float16_to_float(value), acl.float16_to_float(bits), equal_nan=True)


def test_error_codes_have_names():
    assert codes.ERRORS[100024] == "ACL_ERROR_OP_NOT_FOUND"
    assert codes.describe(107002) == "107002 (ACL_ERROR_RT_CONTEXT_NULL)"
    used = {v for k, v in vars(codes).items() if k.isupper() and isinstance(v, int) and v >= 100000}
    assert used <= codes.ERRORS.keys()


@pytest.fixture
def clean_imports(monkeypatch):
    for name in [n for n in sys.modules if n == "acl" or n.startswith("acl.")]:
        monkeypatch.delitem(sys.modules, name)
    yield
    for name in [n for n in sys.modules if n == "acl" or n.startswith("acl.")]:
        sys.modules.pop(name)


def test_install_makes_import_acl_work(clean_imports):
    module = embedded.install(force=True)
    assert importlib.import_module("acl") is module
    assert importlib.import_module("acl.rt") is module.rt
    assert embedded.is_embedded(module)


def test_install_prefers_a_real_acl(clean_imports, monkeypatch, tmp_path):
    (tmp_path / "acl.py").write_text("real = True\n")
    monkeypatch.syspath_prepend(tmp_path)
    real = embedded.install()
    assert real.real
    assert not embedded.is_embedded(real)
    assert embedded.install(force=True) is embedded.acl_module()


def test_install_twice_gives_the_same(clean_imports):
    assert embedded.install(force=True) is embedded.install()
