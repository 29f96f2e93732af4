"""What makes tensors out of numbers."""

from __future__ import annotations

import math

from .call import Call, Rule, Shape

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


SHAPES: dict[str, Rule] = {
    "Eye": _eye,
    "Fill": lambda call: call.not_negative("dims", call.ints("dims")),
    "LinSpace": _lin_space,
    "Range": _range,
}
