"""Padding, in the modes that the device's ops have."""

from __future__ import annotations

from ..builder import Builder
from ..program import Value
from .manipulation import concatenated
from .registry import lowering

# The modes of MirrorPad, whose names are capitals, and those of PadV3.
_MIRRORED = ("reflect", "symmetric")

# The bytes of the dtypes that PadV2 has on the AI Core, as themselves or as others of their width.
_WIDTHS_OF_PAD = (2, 4, 8)


@lowering("pad")
def _pad(b: Builder, x: Value, *rest: Value | tuple[int, ...] | str) -> Value:
    """rest: in mode constant one value, or one for each end of each axis; the widths, end by end; the mode.

    What a mirroring mode adds is not longer than what there is to mirror; only constants are added to an empty axis.
    """
    *values, widths, mode = rest
    assert isinstance(widths, tuple)
    shape = tuple(n + before + after for n, before, after in zip(x.shape, widths[::2], widths[1::2], strict=True))
    if shape == x.shape:
        return b.copy(x)
    if mode == "constant":
        return _with_constants(b, x, values, widths, shape)  # type: ignore[arg-type]
    if not x.size:
        return b.fill(0, x.dtype, shape)
    if mode in _MIRRORED:
        return b.op("MirrorPad", x, _paddings(b, widths), shape=shape, attrs={"mode": str(mode).upper()})
    return b.op("PadV3", x, _paddings(b, widths), None, shape=shape, attrs={"mode": mode})


def _paddings(b: Builder, widths: tuple[int, ...]) -> Value:
    return b.view(b.const(widths), shape=(len(widths) // 2, 2))


def _with_constants(
    b: Builder, x: Value, values: list[Value], widths: tuple[int, ...], shape: tuple[int, ...]
) -> Value:
    if len(values) == 1:
        if not x.size:
            return b.fill(values[0], x.dtype, shape)
        if x.dtype.itemsize in _WIDTHS_OF_PAD:
            return b.op("PadV2", x, _paddings(b, widths), values[0], shape=shape)
        values = values * len(widths)
    # Axis by axis, so that the corners are those of the last one.
    for axis in range(x.ndim):
        ends = [
            b.fill(values[end], x.dtype, (*x.shape[:axis], widths[end], *x.shape[axis + 1 :]))
            for end in (2 * axis, 2 * axis + 1)
        ]
        if widths[2 * axis] or widths[2 * axis + 1]:
            x = concatenated(b, [ends[0], x, ends[1]], axis)
    return x
