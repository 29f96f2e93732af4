"""What makes tensors out of numbers."""

from __future__ import annotations

import math

from .call import UNBOUNDED, Call, Extent, Rule, Shape, exactly

__all__ = ["SHAPES"]


def _eye(call: Call) -> Shape:
    rows, columns = call.attrs["num_rows"], call.attrs["num_columns"]
    return call.not_negative("sizes", (*call.attrs["batch_shape"], rows, columns or rows))


def _range(call: Call) -> Shape:
    start, limit, delta = map(call.scalar, ("start", "limit", "delta"))
    if delta == 0 or not all(map(math.isfinite, (start, limit, delta))):
        raise call.error(f"no range goes from {start} to {limit} in steps of {delta}")
    span = limit - start
    # Integers are divided as integers: a double would lose the last ones of a long range.
    exact = all(isinstance(number, int) for number in (start, limit, delta))
    if call.attrs["is_closed"]:
        count = span // delta + 1 if exact else math.floor(span / delta) + 1
    else:
        count = -(-span // delta) if exact else math.ceil(span / delta)
    return (max(0, int(count)),)


def _lin_space(call: Call) -> Shape:
    return call.not_negative("num", (int(call.scalar("num")),))


def _range_d(call: Call) -> Shape:
    """As many numbers as the input that stands by to help."""
    start, limit, delta = (call.attrs[name] for name in ("start", "limit", "delta"))
    if delta == 0 or max(0, math.ceil((limit - start) / delta)) != math.prod(call.shape("x")):
        raise call.error(f"x of shape {call.shape('x')} does not hold the range from {start} to {limit} by {delta}")
    return call.shape("x")


def _one_hot(call: Call, depth: int) -> Shape:
    shape = call.shape("x")
    axis = call.axis(call.attrs["axis"], shape, extra=1)
    call.not_negative("depth", (depth,))
    return (*shape[:axis], depth, *shape[axis:])


def _multinomial(call: Call) -> Shape | Extent:
    shape = call.shape("logits")
    if len(shape) != 2:
        raise call.error(f"logits must have 2 dimensions; their shape is {shape}")
    if not call.knows("num_samples"):
        return Extent((*exactly(shape[0]), (0, UNBOUNDED)))
    return call.not_negative("num_samples", (shape[0], int(call.scalar("num_samples"))))


def _random_range(call: Call) -> Shape | Extent:
    for port in ("min", "max") if "min" in call.ports else ("minval", "maxval"):
        if math.prod(call.shape(port)) != 1:
            raise call.error(f"{port!r} must be a single number; its shape is {call.shape(port)}")
    return call.sizes("shape")


def _count(port: str) -> Rule:
    """A line of as many elements as an input says."""

    def rule(call: Call) -> Shape | Extent:
        if not call.knows(port):
            return Extent(((0, UNBOUNDED),))
        return call.not_negative(port, (int(call.scalar(port)),))

    return rule


SHAPES: dict[str, Rule] = {
    "Bincount": _count("size"),
    "Eye": _eye,
    "Fill": lambda call: call.not_negative("dims", call.ints("dims")),
    "HistogramFixedWidth": _count("nbins"),
    "HistogramV2": lambda call: call.not_negative("bins", (call.attrs["bins"],)),
    "LinSpace": _lin_space,
    "Multinomial": _multinomial,
    "OneHot": lambda call: _one_hot(call, int(call.scalar("depth"))),
    "OneHotD": lambda call: _one_hot(call, call.attrs["depth"]),
    "RandomUniformInt": _random_range,
    "Range": _range,
    "RangeD": _range_d,
    "StatelessRandperm": _count("n"),
    "StatelessRandomUniformIntV2": _random_range,
    **dict.fromkeys(
        (
            "RandomStandardNormal",
            "RandomUniform",
            "StatelessBernoulli",
            "StatelessRandomNormalV2",
            "StatelessRandomUniformFullIntV2",
            "StatelessRandomUniformV2",
            "TruncatedNormal",
        ),
        lambda call: call.sizes("shape"),
    ),
}
