"""What the library says of itself (standard section "Inspection API")."""

from __future__ import annotations

from typing import Any

from ops_registry import dtypes, promotion
from ops_registry.dtypes import DType

from . import npu
from .runtime.device import Device, device

__all__ = ["__array_namespace_info__"]

# The ops that gather strided views take tensors of up to this many dimensions.
MOST_DIMENSIONS = 8

_STANDARD = tuple(d for d in dtypes.ALL if d not in (dtypes.float16, dtypes.bfloat16))


class NamespaceInfo:
    """Capabilities, devices and dtypes of the library."""

    def capabilities(self) -> dict[str, Any]:
        """What of the standard's optional parts there is."""
        return {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": MOST_DIMENSIONS}

    def default_device(self) -> Device:
        """The device of new tensors of this thread."""
        return device(None)

    def default_dtypes(self, *, device: Device | str | None = None) -> dict[str, DType]:
        """The dtypes of new tensors, by kind.

        Raises:
            ValueError: there is no such device.
        """
        _known(device)
        return {
            "real floating": promotion.default_float(),
            "complex floating": promotion.default_complex(),
            "integral": promotion.DEFAULT_INT,
            "indexing": promotion.DEFAULT_INT,
        }

    def dtypes(
        self, *, device: Device | str | None = None, kind: str | tuple[str, ...] | None = None
    ) -> dict[str, DType]:
        """The standard's dtypes by name.

        Parameters:
            device: every device has all of them.
            kind: as of `isdtype`: only those of that kind.

        Raises:
            ValueError: there is no such device or kind.
        """
        _known(device)
        kinds = kind if isinstance(kind, tuple) else (kind,)
        chosen = (d for d in _STANDARD if kind is None or any(promotion.isdtype(d, one) for one in kinds if one))
        return {d.name: d for d in chosen}

    def devices(self) -> tuple[Device, ...]:
        """All devices."""
        return tuple(device(number) for number in range(npu.device_count()))


def _known(where: Device | str | None) -> None:
    if where is not None:
        device(where)


def __array_namespace_info__() -> NamespaceInfo:
    """What the library offers: capabilities, devices, dtypes."""
    return NamespaceInfo()
