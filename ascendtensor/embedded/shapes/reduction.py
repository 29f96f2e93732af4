"""Reductions and scans along axes."""

from __future__ import annotations

from .call import Call, Rule, Shape

__all__ = ["SHAPES"]


def _reduced(call: Call) -> Shape:
    shape = call.shape("x")
    axes = call.axes(call.ints("axes"), shape)
    if not axes and not call.attrs.get("noop_with_empty_axes", True):
        axes = tuple(range(len(shape)))
    if call.attrs["keep_dims"]:
        return tuple(1 if axis in axes else n for axis, n in enumerate(shape))
    return tuple(n for axis, n in enumerate(shape) if axis not in axes)


def _arg_reduced(call: Call) -> Shape:
    shape = call.shape("x")
    axis = call.axis(call.scalar("dimension"), shape)
    return (*shape[:axis], *shape[axis + 1 :])


def _scanned(call: Call) -> Shape:
    if call.knows("axis"):
        call.axis(call.scalar("axis"), call.shape("x"))
    return call.shape("x")


def _scanned_d(call: Call) -> Shape:
    call.axis(call.attrs["axis"], call.shape("x"))
    return call.shape("x")


SHAPES: dict[str, Rule] = {
    "ArgMaxV2": _arg_reduced,
    "ArgMin": _arg_reduced,
    "Cumsum": _scanned,
    "CumsumD": _scanned_d,
    **dict.fromkeys(
        ("ReduceAll", "ReduceAny", "ReduceMax", "ReduceMean", "ReduceMin", "ReduceProd", "ReduceSum"), _reduced
    ),
}
