"""What indices and masks reach."""

from __future__ import annotations

from .call import Call, Rule, Shape

__all__ = ["SHAPES"]


def _gather(call: Call) -> Shape:
    shape, indices = call.shape("x"), call.shape("indices")
    axis = call.axis(call.scalar("axis"), shape)
    batch = call.attrs["batch_dims"]
    if not -len(indices) <= batch <= len(indices):
        raise call.error(f"batch_dims {batch} is out of range for indices of shape {indices}")
    batch += len(indices) if batch < 0 else 0
    if batch > axis or shape[:batch] != indices[:batch]:
        raise call.error(
            f"shapes {shape} of x and {indices} of indices do not share {batch} batch dimensions before axis {axis}"
        )
    return (*shape[:axis], *indices[batch:], *shape[axis + 1 :])


SHAPES: dict[str, Rule] = {
    "GatherV2": _gather,
}
