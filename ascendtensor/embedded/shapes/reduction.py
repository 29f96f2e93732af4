"""Reductions and scans along axes."""

from __future__ import annotations

from collections.abc import Callable

from .call import UNBOUNDED, Call, Extent, Rule, Shape, exactly

__all__ = ["SHAPES"]


def _without(shape: Shape, axes: Shape, keep_dims: bool) -> Shape:
    if keep_dims:
        return tuple(1 if axis in axes else n for axis, n in enumerate(shape))
    return tuple(n for axis, n in enumerate(shape) if axis not in axes)


def _reduced(call: Call) -> Shape:
    shape = call.shape("x")
    given = call.ints("axes") if "axes" in call.ports else call.attrs["axes"]
    axes = call.axes(given, shape)
    if not axes and not call.attrs.get("noop_with_empty_axes", True):
        axes = tuple(range(len(shape)))
    return _without(shape, axes, call.attrs["keep_dims"])


def _reduced_over(attribute: str) -> Callable[[Call], Shape]:
    """Over the axes of an attribute, all of them where it names none."""

    def rule(call: Call) -> Shape:
        shape = call.shape("x")
        axes = call.axes(call.attrs[attribute], shape) or tuple(range(len(shape)))
        return _without(shape, axes, call.attrs["keepdim"])

    return rule


def _about_mean(call: Call) -> Shape:
    """The mean has the shape of what it was taken of, or that of the result with or without the axes."""
    shape, mean = call.shape("x"), call.shape("mean")
    axes = call.axes(call.attrs["dim"], shape) or tuple(range(len(shape)))
    if mean not in (shape, _without(shape, axes, True), _without(shape, axes, False)):
        raise call.error(f"mean of shape {mean} does not fit shape {shape}")
    return _without(shape, axes, call.attrs["keepdim"])


def _deviation_and_mean(call: Call) -> list[Shape | Extent]:
    return [_reduced_over("dim")(call)] * 2


def _extreme_and_position(call: Call) -> list[Shape | Extent]:
    shape = call.shape("x")
    axis = call.axis(call.attrs["dimension"], shape)
    return [_without(shape, (axis,), call.attrs["keep_dims"])] * 2


def _arg_reduced(call: Call) -> Shape:
    shape = call.shape("x")
    axis = call.axis(call.scalar("dimension") if "dimension" in call.ports else call.attrs["dimension"], shape)
    return (*shape[:axis], *shape[axis + 1 :])


def _scanned(call: Call) -> Shape:
    if call.knows("axis"):
        call.axis(call.scalar("axis"), call.shape("x"))
    return call.shape("x")


def _scanned_d(call: Call) -> Shape:
    call.axis(call.attrs["axis"], call.shape("x"))
    return call.shape("x")


def _running(call: Call, attribute: str) -> list[Shape | Extent]:
    shape = call.shape("x")
    call.axis(call.attrs[attribute], shape)
    return [shape] * 2


def _normalized(call: Call) -> Shape:
    shape = call.shape(call.prototype.inputs[0].name)
    call.axes(call.attrs["axes"], shape)
    return shape


def _sorted(call: Call) -> list[Shape | Extent]:
    shape = call.shape("x")
    call.axis(call.attrs["axis"], shape)
    return [shape] * len(call.prototype.outputs)


def _top(call: Call) -> list[Shape | Extent]:
    shape = call.shape("x")
    axis = call.axis(call.attrs["dim"], shape)
    ranges = list(exactly(*shape))
    # A number on the device: whoever calls has said in the descriptor how many that will be.
    ranges[axis] = (0, UNBOUNDED)
    if "k" in call.attrs or call.knows("k"):
        k = call.attrs["k"] if "k" in call.attrs else int(call.scalar("k"))
        if not 0 <= k <= shape[axis]:
            raise call.error(f"k is {k}, axis {axis} of shape {shape} has {shape[axis]}")
        ranges[axis] = (k, k)
    return [Extent(tuple(ranges))] * 2


SHAPES: dict[str, Rule] = {
    "ArgMaxD": _arg_reduced,
    "ArgMaxV2": _arg_reduced,
    "ArgMaxWithValue": _extreme_and_position,
    "ArgMin": _arg_reduced,
    "ArgMinD": _arg_reduced,
    "ArgMinWithValue": _extreme_and_position,
    "Cummax": lambda call: _running(call, "dim"),
    "Cummin": lambda call: _running(call, "axis"),
    "Cumprod": _scanned,
    "CumprodD": _scanned_d,
    "Cumsum": _scanned,
    "CumsumD": _scanned_d,
    "L2Loss": lambda call: (),
    "LogSoftmaxV2": _normalized,
    "LpNormV2": _reduced_over("axes"),
    "ReduceLogSumExp": _reduced,
    "ReduceStd": _deviation_and_mean,
    "ReduceStdV2Update": _about_mean,
    "ReduceStdWithMean": _about_mean,
    "SoftmaxV2": _normalized,
    "Sort": _sorted,
    "SortV2": _sorted,
    "TopK": _top,
    "TopKD": _top,
    "TopKV2": _top,
    **dict.fromkeys(
        (
            f"Reduce{what}{suffix}"
            for what in ("All", "Any", "Max", "Mean", "Min", "Prod", "Sum")
            for suffix in ("", "D")
        ),
        _reduced,
    ),
}
