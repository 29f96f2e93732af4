"""What the library says of itself."""

from __future__ import annotations

import pytest

import ascendtensor as at
from ops_registry import dtypes

INFO = at.__array_namespace_info__()


def test_devices_hold_every_dtype() -> None:
    assert INFO.default_device() in INFO.devices()
    for device in INFO.devices():
        for dtype in INFO.dtypes(device=device).values():
            assert at.zeros(2, dtype=dtype, device=device).device == device


def test_defaults_are_those_of_new_tensors() -> None:
    defaults = INFO.default_dtypes()
    assert defaults["real floating"] is at.asarray(1.0).dtype
    assert defaults["complex floating"] is at.asarray(1j).dtype
    assert defaults["integral"] is at.asarray(1).dtype
    assert defaults["indexing"] is at.argmax(at.zeros(2)).dtype


def test_dtypes_by_kind() -> None:
    every = INFO.dtypes()
    assert every == {d.name: d for d in dtypes.ALL if d not in (dtypes.float16, dtypes.bfloat16)}
    kinds = "bool", "signed integer", "unsigned integer", "real floating", "complex floating"
    assert INFO.dtypes(kind=kinds) == every
    assert INFO.dtypes(kind=()) == {}
    assert INFO.dtypes(kind="bool") == {"bool": at.bool}
    assert list(INFO.dtypes(kind="real floating")) == ["float32", "float64"]


def test_as_many_dimensions_as_it_says() -> None:
    most = INFO.capabilities()["max dimensions"]
    x = at.permute_dims(at.ones((2,) + (1,) * (most - 2) + (3,)), tuple(reversed(range(most))))
    assert at.sum(x + x).item() == 12.0


def test_unknown_devices_and_kinds() -> None:
    with pytest.raises(ValueError):
        INFO.dtypes(kind="numbers")
    for call in (INFO.dtypes, INFO.default_dtypes):
        with pytest.raises(ValueError):
            call(device="gpu:0")
