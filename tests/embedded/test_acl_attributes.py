"""Operator attributes: what each setter takes, and what it makes of the rest."""

from __future__ import annotations

import numpy as np
import pytest

from ascendtensor import embedded
from ascendtensor.embedded import codes
from ascendtensor.embedded.attributes import ATTRIBUTES


@pytest.fixture
def attr(acl):
    return acl.op.create_attr()


def stored(attr):
    return ATTRIBUTES.objects[attr].values["a"][1]


TAKEN = [
    ("set_attr_bool", True, True),
    ("set_attr_bool", 0x100, False),
    ("set_attr_int", -5, -5),
    ("set_attr_int", np.int8(3), 3),
    ("set_attr_float", 0.1, float(np.float32(0.1))),
    ("set_attr_float", 1, 1.0),
    ("set_attr_string", "same", "same"),
    ("set_attr_list_bool", [True, 0, 255], [True, False, True]),
    ("set_attr_list_int", [1, -(2**63)], [1, -(2**63)]),
    ("set_attr_list_float", [1.5, np.float64(2.5)], [1.5, 2.5]),
    ("set_attr_list_string", ["a", "b"], ["a", "b"]),
    ("set_attr_list_list_int", [[1], [], [2, 3]], [[1], [], [2, 3]]),
    ("set_attr_list_list_int", [np.array([4, 5], np.int64)], [[4, 5]]),
    ("set_attr_list_bool", [], []),
    ("set_attr_list_int", [], []),
    ("set_attr_list_float", [], []),
    ("set_attr_list_string", [], []),
    ("set_attr_list_list_int", [], []),
]


@pytest.mark.filterwarnings("ignore:only support the format of list")
@pytest.mark.parametrize(("setter", "given", "value"), TAKEN)
def test_values_that_are_taken(acl, attr, setter, given, value):
    assert getattr(acl.op, setter)(attr, "a", given) == 0
    assert stored(attr) == value


REFUSED = [
    ("set_attr_list_bool", [256], ValueError),
    ("set_attr_list_bool", [1.0], ValueError),
    ("set_attr_list_bool", (True,), TypeError),
    ("set_attr_list_int", [1.0], ValueError),
    ("set_attr_list_int", [np.int64(1)], ValueError),
    ("set_attr_list_int", [2**63], ValueError),
    ("set_attr_list_int", (1,), TypeError),
    ("set_attr_list_float", [1, 2], ValueError),
    ("set_attr_list_float", [np.float32(1)], ValueError),
    ("set_attr_list_float", 1.0, TypeError),
    ("set_attr_list_string", ["a", b"b"], RuntimeError),
    ("set_attr_list_string", ("a",), TypeError),
    ("set_attr_list_list_int", [(1,)], ValueError),
    ("set_attr_list_list_int", [[1.0]], ValueError),
    ("set_attr_list_list_int", np.array([[1]]), TypeError),
    ("set_attr_list_data_type", [1.0], TypeError),
    ("set_attr_list_data_type", [2**31], TypeError),
    ("set_attr_list_data_type", (1,), TypeError),
]


@pytest.mark.parametrize(("setter", "given", "error"), REFUSED)
def test_values_that_are_refused(acl, attr, setter, given, error):
    with pytest.raises(error):
        getattr(acl.op, setter)(attr, "a", given)


@pytest.mark.parametrize(
    ("setter", "array"),
    [
        ("set_attr_list_bool", np.array([1, 0], np.uint8)),
        ("set_attr_list_int", np.array([1, -2], np.int64)),
        ("set_attr_list_float", np.array([0.5, 2], np.float32)),
    ],
)
def test_an_array_is_read_as_raw_memory_with_a_warning(acl, attr, setter, array):
    with pytest.warns(Warning, match="only support the format of list in the future"):
        assert getattr(acl.op, setter)(attr, "a", array) == 0
    assert stored(attr) == array.tolist()


def test_the_dtype_of_an_array_is_not_looked_at(acl, attr):
    with pytest.warns(Warning, match="only support"):
        acl.op.set_attr_list_int(attr, "a", np.array([1.0]))
    assert stored(attr) == [np.array([1.0]).view(np.int64)[0]]


def test_data_types_return_the_handle_too(acl, attr):
    assert acl.op.set_attr_data_type(attr, "a", 9) == (attr, 0)
    assert acl.op.set_attr_list_data_type(attr, "b", [9, 0]) == (attr, 0)
    assert acl.op.set_attr_data_type(0, "a", 9) == (0, codes.INVALID_PARAM)


SETTERS = [
    ("set_attr_bool", True),
    ("set_attr_int", 1),
    ("set_attr_float", 1.0),
    ("set_attr_string", ""),
    ("set_attr_list_bool", []),
    ("set_attr_list_int", []),
    ("set_attr_list_float", []),
    ("set_attr_list_string", []),
    ("set_attr_list_list_int", []),
]


@pytest.mark.parametrize(("setter", "value"), SETTERS)
def test_handles_that_are_not_there(acl, attr, setter, value):
    acl.op.destroy_attr(attr)
    for dead in (0, attr):
        assert getattr(acl.op, setter)(dead, "a", value) == codes.INVALID_PARAM


def test_setting_a_name_again_replaces_the_value(acl, attr):
    acl.op.set_attr_int(attr, "a", 1)
    acl.op.set_attr_float(attr, "a", 2.0)
    assert stored(attr) == 2.0


def test_destroying(acl, attr):
    assert embedded.live_handles()["operator attributes"] == [attr]
    assert acl.op.destroy_attr(attr) is None
    assert acl.op.destroy_attr(attr) is None
    assert acl.op.destroy_attr(0) is None
    assert "operator attributes" not in embedded.live_handles()
