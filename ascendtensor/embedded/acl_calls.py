"""`acl` itself: initialisation, messages, and facts about the software."""

from __future__ import annotations

import json
import logging
import struct
from collections.abc import Callable
from typing import Any

from . import codes, kernel_calls, machine
from .codes import data_type_size as size_of_data_type
from .messages import refuse, take_text
from .surface import function

__all__ = ["initialised", "read_config", "reset"]

# The version of the ACL interface in CANN 8.1, not CANN's own.
API_VERSION = (1, 13, 0)
CANN_VERSION = "8.1.RC1"
# By the numbers of `aclCANNPackageName`.
_PACKAGES = ("cann", "runtime", "compiler", "hccl", "toolkit", "opp", "opp_kernel", "driver")

_log = logging.getLogger("ascendtensor.embedded")
_LOG_LEVELS = {0: logging.DEBUG, 1: logging.INFO, 2: logging.WARNING, 3: logging.ERROR}

# Capabilities by `aclCannAttr`: infinities and NaNs, bfloat16, compilation at run time.
_CANN_ATTRIBUTES = (0, 1, 2)


class _Library:
    """What init and finalize have done."""

    def __init__(self) -> None:
        self.references = 0
        self.finalized = False
        # The configuration of the first init; a later one must agree.
        self.config: Any = None
        self.config_known = False


_library = _Library()


# Called when the library is finalized, while somebody looks for leaks.
at_finalize: Callable[[], None] | None = None


def _end() -> None:
    kernel_calls.release_binaries()
    if at_finalize is not None:
        at_finalize()


def reset() -> None:
    """Forget every init and finalize."""
    _library.__init__()  # type: ignore[misc]


def initialised() -> bool:
    """Whether an init is in force."""
    return _library.references > 0


def read_config(caller: str, path: str) -> tuple[Any, int]:
    """The content of a configuration file, empty for no path, and the code of reading it."""
    if not path:
        return {}, codes.SUCCESS
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file), codes.SUCCESS
    except OSError as error:
        return {}, refuse(codes.INVALID_FILE, f"{caller}: cannot read the configuration {path!r}: {error}")
    except ValueError as error:
        return {}, refuse(codes.PARSE_FILE, f"{caller}: the configuration {path!r} is not JSON: {error}")


@function("acl.init", "|s")
def init(config_path: str = "") -> int:
    config, code = read_config("acl.init", config_path)
    if code:
        return code
    if _library.references:
        _library.references += 1
        return refuse(codes.REPEAT_INITIALIZE, "acl.init: initialised already; this is harmless")
    if _library.config_known and _library.config != config:
        return refuse(codes.INVALID_PARAM, "acl.init: the configuration differs from that of the first acl.init")
    _library.config, _library.config_known = config, True
    _library.references = 1
    _library.finalized = False
    return codes.SUCCESS


@function("acl.finalize")
def finalize() -> int:
    if _library.finalized:
        return refuse(codes.REPEAT_FINALIZE, "acl.finalize: finalized already, with no acl.init since")
    _library.references = 0
    _library.finalized = True
    _end()
    return codes.SUCCESS


@function("acl.finalize_reference", returns="value ret")
def finalize_reference() -> tuple[int, int]:
    if not _library.references:
        return 0, refuse(codes.REPEAT_FINALIZE, "acl.finalize_reference: no acl.init is left to undo")
    _library.references -= 1
    _library.finalized = not _library.references
    if _library.finalized:
        _end()
    return _library.references, codes.SUCCESS


@function("acl.get_version", returns="value value value ret")
def get_version() -> tuple[int, int, int, int]:
    return (*API_VERSION, codes.SUCCESS)


@function("acl.get_version_str", "s", returns="text ret")
def get_version_str(package: str) -> tuple[str, int]:
    if package.lower() not in _PACKAGES:
        return "", refuse(codes.INVALID_PARAM, f"acl.get_version_str: there is no package {package!r}")
    return CANN_VERSION, codes.SUCCESS


@function("acl.get_cann_version", "I", returns="dict ret")
def get_cann_version(package: int) -> tuple[dict[str, str], int]:
    if package >= len(_PACKAGES):
        return {}, refuse(codes.INVALID_PARAM, f"acl.get_cann_version: there is no package {package}")
    major, minor, release = CANN_VERSION.split(".")
    return {
        "version": CANN_VERSION,
        "major_version": major,
        "minor_version": minor,
        "release_version": release,
        "patch_version": "",
        "reserved": "",
    }, codes.SUCCESS


@function("acl.get_soc_name", returns="plain")
def get_soc_name() -> str:
    return machine.soc_name


@function("acl.get_recent_err_msg", returns="plain")
def get_recent_err_msg() -> str | None:
    return take_text()


@function("acl.app_log", "is", returns="plain")
def app_log(level: int, message: str) -> None:
    _log.log(_LOG_LEVELS.get(level, logging.ERROR), "%s", message)


@function("acl.float16_to_float", "H", returns="plain")
def float16_to_float(bits: int) -> float:
    return struct.unpack("<e", struct.pack("<H", bits))[0]


@function("acl.float_to_float16", "f", returns="plain")
def float_to_float16(value: float) -> int:
    try:
        half = struct.pack("<e", value)
    except OverflowError:
        # struct refuses what is too large; binary16 has an infinity for it.
        half = struct.pack("<e", float("inf") if value > 0 else float("-inf"))
    return struct.unpack("<H", half)[0]


@function("acl.data_type_size", "i", returns="plain")
def data_type_size(data_type: int) -> int:
    return size_of_data_type(data_type)


@function("acl.get_cann_attribute_list", returns="list value ret")
def get_cann_attribute_list() -> tuple[list[int], int, int]:
    return list(_CANN_ATTRIBUTES), len(_CANN_ATTRIBUTES), codes.SUCCESS


@function("acl.get_cann_attribute", "i", returns="value ret")
def get_cann_attribute(attribute: int) -> tuple[int, int]:
    if attribute not in _CANN_ATTRIBUTES:
        return 0, refuse(codes.INVALID_PARAM, f"acl.get_cann_attribute: there is no attribute {attribute}")
    # Only the 910B and its successors compute in bfloat16 and keep infinities by default.
    return int(machine.chip in ("910b", "910_93")), codes.SUCCESS
