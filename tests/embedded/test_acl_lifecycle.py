"""Initialisation, messages, and the facts that `acl` tells."""

from __future__ import annotations

import logging
import math

import pytest

from ascendtensor import embedded
from ascendtensor.embedded import codes


def test_init_and_finalize(bare):
    assert bare.init() == 0
    assert bare.finalize() == 0
    assert bare.finalize() == codes.REPEAT_FINALIZE


def test_a_second_init_is_told_and_harmless(acl):
    assert acl.init() == 0
    assert acl.init() == codes.REPEAT_INITIALIZE
    assert acl.rt.malloc(8, 0)[1] == 0
    assert acl.finalize() == 0


def test_finalize_before_any_init_goes_well_once(bare):
    assert bare.finalize() == 0
    assert bare.finalize() == codes.REPEAT_FINALIZE
    assert bare.init() == 0


def test_references_are_counted(bare):
    assert bare.init("") == 0
    assert bare.init() == codes.REPEAT_INITIALIZE
    assert bare.finalize_reference() == (1, 0)
    assert bare.finalize_reference() == (0, 0)
    assert bare.finalize_reference() == (0, codes.REPEAT_FINALIZE)
    assert bare.finalize() == codes.REPEAT_FINALIZE


@pytest.mark.parametrize(
    ("content", "code"), [(None, codes.INVALID_FILE), ("{", codes.PARSE_FILE), ('{"dump": {}}', 0)]
)
def test_the_configuration_file(bare, tmp_path, content, code):
    path = tmp_path / "acl.json"
    if content is not None:
        path.write_text(content)
    assert bare.init(str(path)) == code


def test_a_second_life_needs_the_same_configuration(bare, tmp_path):
    assert bare.init() == 0
    assert bare.finalize() == 0
    path = tmp_path / "acl.json"
    path.write_text('{"dump": {}}')
    assert bare.init(str(path)) == codes.INVALID_PARAM
    assert bare.init() == 0


def test_version_and_chip(bare):
    assert bare.get_version() == (1, 13, 0, 0)
    assert bare.get_soc_name() == "Ascend910B1"
    embedded.reset(soc="Ascend310P3")
    assert bare.get_soc_name() == "Ascend310P3"


def test_the_environment_describes_the_machine(bare, monkeypatch):
    monkeypatch.setenv("ASCENDTENSOR_EMBEDDED_SOC", "Ascend910_9391")
    monkeypatch.setenv("ASCENDTENSOR_EMBEDDED_DEVICES", "3")
    monkeypatch.setenv("ASCENDTENSOR_EMBEDDED_MEMORY", "4096")
    embedded.reset()
    assert bare.get_soc_name() == "Ascend910_9391"
    assert bare.rt.get_device_count() == (3, 0)
    assert bare.rt.set_device(2) == 0
    assert bare.rt.get_mem_info(1) == (4096, 4096, 0)


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("ASCENDTENSOR_EMBEDDED_SOC", "Ascend1"),
        ("ASCENDTENSOR_EMBEDDED_DEVICES", "none"),
        ("ASCENDTENSOR_EMBEDDED_MEMORY", "0"),
    ],
)
def test_a_senseless_environment_is_an_error(bare, monkeypatch, variable, value):
    monkeypatch.setenv(variable, value)
    with pytest.raises(ValueError, match=value):
        embedded.reset()


def test_messages_are_read_once_and_belong_to_their_thread(acl, elsewhere):
    assert acl.get_recent_err_msg() is None
    assert acl.rt.free(64) == codes.RT_PARAM_INVALID
    assert elsewhere(acl.get_recent_err_msg) is None
    text = acl.get_recent_err_msg()
    assert "107000 (ACL_ERROR_RT_PARAM_INVALID)" in text
    assert "acl.rt.free" in text
    assert acl.get_recent_err_msg() is None


def test_messages_do_not_pile_up(acl):
    for _ in range(1000):
        acl.rt.free(64)
    assert len(acl.get_recent_err_msg().splitlines()) < 100


@pytest.mark.parametrize(
    ("bits", "value"), [(0, 0.0), (0x3C00, 1.0), (0xC000, -2.0), (0x7C00, math.inf), (0x0001, 2.0**-24)]
)
def test_half_precision(bare, bits, value):
    assert bare.float16_to_float(bits) == value
    assert bare.float_to_float16(value) == bits


@pytest.mark.parametrize(("value", "bits"), [(1e6, 0x7C00), (-1e30, 0xFC00), (1e300, 0x7C00)])
def test_what_half_precision_cannot_hold_is_infinite(bare, value, bits):
    assert bare.float_to_float16(value) == bits


SIZES = {-1: 0, 13: 0, 2: 1, 4: 1, 12: 1, 29: 1, 30: 1, 1: 2, 27: 2, 6: 2, 7: 2, 0: 4, 3: 4, 8: 4, 33: 4}
SIZES |= {9: 8, 10: 8, 11: 8, 16: 8, 17: 16, 999: 8}


@pytest.mark.parametrize(("data_type", "size"), SIZES.items())
def test_data_type_sizes(bare, data_type, size):
    assert bare.data_type_size(data_type) == size


def test_app_log_writes_the_text_as_it_is(bare, caplog):
    with caplog.at_level(logging.DEBUG, "ascendtensor.embedded"):
        assert bare.app_log(1, "100%s done") is None
    assert caplog.messages == ["100%s done"]


def test_cann_attributes(bare):
    listed, count, ret = bare.get_cann_attribute_list()
    assert (len(listed), ret) == (count, 0)
    assert bare.get_cann_attribute(1) == (1, 0)
    assert bare.get_cann_attribute(99) == (0, codes.INVALID_PARAM)
