"""A PyTorch-style tensor library backend for Huawei Ascend NPUs: the array API on device tensors.

The functions are those of the array API standard (https://data-apis.org/array-api). Devices, streams and
memory are in `ascendtensor.npu`. Without an NPU the embedded runtime takes the device's place.
"""

from __future__ import annotations

from math import e, inf, nan, pi

from ops_registry.dtypes import (
    DType,
    bfloat16,
    complex64,
    complex128,
    float16,
    float32,
    float64,
    int8,
    int16,
    int32,
    int64,
    uint8,
    uint16,
    uint32,
    uint64,
)
from ops_registry.dtypes import bool_ as bool

from . import (
    activation,
    comparison,
    contraction,
    creation,
    data_type,
    diagonals,
    elementwise,
    fft,
    histograms,
    inspection,
    interpolation,
    linalg,
    linear_algebra,
    manipulation,
    npu,
    order_statistics,
    padding,
    profiler,
    random,
    saving,
    searching,
    set_functions,
    sorting,
    spacing,
    special_values,
    statistical,
    utility,
)
from .activation import *  # noqa: F403
from .comparison import *  # noqa: F403
from .contraction import *  # noqa: F403
from .creation import *  # noqa: F403
from .data_type import *  # noqa: F403
from .diagonals import *  # noqa: F403
from .elementwise import *  # noqa: F403
from .histograms import *  # noqa: F403
from .inspection import *  # noqa: F403
from .interchange import from_dlpack
from .interpolation import *  # noqa: F403
from .linear_algebra import *  # noqa: F403
from .manipulation import *  # noqa: F403
from .order_statistics import *  # noqa: F403
from .padding import *  # noqa: F403
from .runtime.device import Device, device, runtime_info
from .runtime.errors import AclError, HostFallbackWarning, OutOfMemoryError
from .saving import *  # noqa: F403
from .searching import *  # noqa: F403
from .set_functions import *  # noqa: F403
from .sorting import *  # noqa: F403
from .spacing import *  # noqa: F403
from .special_values import *  # noqa: F403
from .statistical import *  # noqa: F403
from .tensor import Tensor
from .utility import *  # noqa: F403

__version__ = "0.1.0"
__array_api_version__ = "2025.12"
API_VERSIONS = ("2021.12", "2022.12", "2023.12", "2024.12", "2025.12")

newaxis = None

__all__ = [
    "AclError",
    "DType",
    "Device",
    "HostFallbackWarning",
    "OutOfMemoryError",
    "Tensor",
    "bfloat16",
    "bool",
    "complex128",
    "complex64",
    "device",
    "e",
    "fft",
    "float16",
    "float32",
    "float64",
    "from_dlpack",
    "inf",
    "int16",
    "int32",
    "int64",
    "int8",
    "linalg",
    "nan",
    "newaxis",
    "npu",
    "pi",
    "profiler",
    "random",
    "runtime_info",
    "uint16",
    "uint32",
    "uint64",
    "uint8",
]
__all__ += activation.__all__
__all__ += comparison.__all__
__all__ += contraction.__all__
__all__ += creation.__all__
__all__ += data_type.__all__
__all__ += diagonals.__all__
__all__ += elementwise.__all__
__all__ += histograms.__all__
__all__ += inspection.__all__
__all__ += interpolation.__all__
__all__ += linear_algebra.__all__
__all__ += manipulation.__all__
__all__ += order_statistics.__all__
__all__ += padding.__all__
__all__ += saving.__all__
__all__ += searching.__all__
__all__ += set_functions.__all__
__all__ += sorting.__all__
__all__ += spacing.__all__
__all__ += special_values.__all__
__all__ += statistical.__all__
__all__ += utility.__all__
