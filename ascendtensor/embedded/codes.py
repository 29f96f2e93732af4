"""The numbers that pyACL speaks in: error codes, data types, formats, flags.

pyACL itself defines no constants. This module holds them as data for both sides: the embedded runtime
returns them, and the library above names the errors with `ERRORS`.
"""

from __future__ import annotations

from ops_registry import dtypes

from .error_names import ERRORS

__all__ = ["DATA_TYPES", "ERRORS", "FORMATS", "data_type_size", "describe"]

# The codes that the embedded runtime returns, by the end of their names.
SUCCESS = 0
INVALID_PARAM = 100000
UNINITIALIZE = 100001
REPEAT_INITIALIZE = 100002
INVALID_FILE = 100003
WRITE_FILE = 100004
PARSE_FILE = 100006
READ_MODEL_FAILURE = 100014
OP_INPUT_NOT_MATCH = 100021
OP_OUTPUT_NOT_MATCH = 100022
OP_NOT_FOUND = 100024
OP_LOAD_FAILED = 100025
BIN_SELECTOR_NOT_REGISTERED = 100028
KERNEL_NOT_FOUND = 100029
BIN_SELECTOR_ALREADY_REGISTERED = 100030
KERNEL_ALREADY_REGISTERED = 100031
REPEAT_FINALIZE = 100037
DUMP_ALREADY_RUN = 100044
DUMP_NOT_RUN = 100045
RT_PARAM_INVALID = 107000
RT_INVALID_DEVICEID = 107001
RT_CONTEXT_NULL = 107002
RT_STREAM_CONTEXT = 107003
RT_EVENT_TIMESTAMP_INVALID = 107006
RT_STREAM_SUBSCRIBE = 107011
RT_THREAD_SUBSCRIBE = 107012
RT_GROUP_NOT_CREATE = 107014
RT_STREAM_NO_CB_REG = 107015
RT_INVALID_MEMORY_TYPE = 107016
RT_WAIT_TIMEOUT = 107019
RT_SYSPARAMOPT_NOT_SET = 107021
GE_PARAM_INVALID = 145000
GE_MODEL_PATH_INVALID = 145002
GE_MODEL_ID_INVALID = 145003
API_NOT_SUPPORT = 200001
RT_FEATURE_NOT_SUPPORT = 207000
RT_MEMORY_ALLOCATION = 207001
GE_FAILURE = 500002
RT_INTERNAL_ERROR = 507000
RT_CONTEXT_RELEASE_ERROR = 507007
RT_REPORT_TIMEOUT = 507012
RT_SYS_DMA = 507013
RT_AICORE_EXCEPTION = 507015
RT_AICPU_EXCEPTION = 507018
RT_STREAM_SYNC_TIMEOUT = 507046
RT_EVENT_SYNC_TIMEOUT = 507047
GE_LOAD_MODEL = 545001

DATA_TYPES: dict[str, int] = {
    "ACL_DT_UNDEFINED": -1,
    "ACL_FLOAT": 0,
    "ACL_FLOAT16": 1,
    "ACL_INT8": 2,
    "ACL_INT32": 3,
    "ACL_UINT8": 4,
    "ACL_INT16": 6,
    "ACL_UINT16": 7,
    "ACL_UINT32": 8,
    "ACL_INT64": 9,
    "ACL_UINT64": 10,
    "ACL_DOUBLE": 11,
    "ACL_BOOL": 12,
    "ACL_STRING": 13,
    "ACL_COMPLEX64": 16,
    "ACL_COMPLEX128": 17,
    "ACL_BF16": 27,
    "ACL_INT4": 29,
    "ACL_UINT1": 30,
    "ACL_COMPLEX32": 33,
}
UNDEFINED = -1

FORMATS: dict[str, int] = {
    "ACL_FORMAT_UNDEFINED": -1,
    "ACL_FORMAT_NCHW": 0,
    "ACL_FORMAT_NHWC": 1,
    "ACL_FORMAT_ND": 2,
    "ACL_FORMAT_NC1HWC0": 3,
    "ACL_FORMAT_FRACTAL_Z": 4,
    "ACL_FORMAT_NC1HWC0_C04": 12,
    "ACL_FORMAT_HWCN": 16,
    "ACL_FORMAT_NDHWC": 27,
    "ACL_FORMAT_FRACTAL_NZ": 29,
    "ACL_FORMAT_NCDHW": 30,
    "ACL_FORMAT_NDC1HWC0": 32,
    "ACL_FRACTAL_Z_3D": 33,
    "ACL_FORMAT_NC": 35,
    "ACL_FORMAT_NCL": 47,
}
# Formats whose elements lie in memory in the order of the dims; the others are tiled.
PLAIN_FORMATS = frozenset({-1, 0, 1, 2, 16, 27, 30, 35, 47})

# Where the buffer of a tensor lies: `acl.set_tensor_place_ment`.
MEMTYPE_DEVICE, MEMTYPE_HOST, MEMTYPE_HOST_COMPILE_INDEPENDENT = 0, 1, 2

# `acl.rt.memcpy` kinds; 6 and 7 stand in the C enum and are refused by the copy functions.
MEMCPY_HOST_TO_HOST, MEMCPY_HOST_TO_DEVICE, MEMCPY_DEVICE_TO_HOST = 0, 1, 2
MEMCPY_DEVICE_TO_DEVICE, MEMCPY_DEFAULT, MEMCPY_HOST_TO_BUF_TO_DEVICE = 3, 4, 5
MEMCPY_KINDS = range(6)
# Copies inside a device may be described in advance.
MEMCPY_KINDS_DESCRIBED = (3, 4, 6)

# `acl.rt.malloc` policies that ask for pages of 1 GiB.
MALLOC_HUGE1G_POLICIES = frozenset({6, 7})
# `acl.rt.get_mem_info` attributes.
MEM_ATTRIBUTES = range(12)

# `acl.rt.create_event_with_flag` bits.
EVENT_SYNC, EVENT_CAPTURE_STREAM_PROGRESS, EVENT_TIME_LINE, EVENT_EXTERNAL = 1, 2, 8, 0x20
# `acl.rt.create_stream_with_config` bits.
STREAM_FAST_LAUNCH, STREAM_FAST_SYNC = 1, 2

# Sizes of the data types that are no tensor's; what is in neither table has 8 bytes, as pyACL answers.
_OTHER_SIZES: dict[int, int] = {-1: 0, 13: 0, 29: 1, 30: 1, 33: 4}
_SIZES: dict[int, int] = {code: dtype.itemsize for code, dtype in dtypes.BY_CODE.items()} | _OTHER_SIZES


def data_type_size(data_type: int) -> int:
    """Bytes of one element of an ACL data type."""
    return _SIZES.get(data_type, 8)


def describe(code: int) -> str:
    """The number and ACL name of an error code, for a message."""
    return f"{code} ({ERRORS.get(code, 'not a code of ACL')})"
