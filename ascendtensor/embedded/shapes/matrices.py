"""Matrices, in stacks along the dimensions before the last two."""

from __future__ import annotations

from collections.abc import Callable

from .broadcasting import broadcast_shapes
from .call import Call, Rule, Shape

__all__ = ["SHAPES"]


def _product(flag1: str, flag2: str, most: int) -> Callable[[Call], Shape]:
    """A matrix product; most: how many dimensions its operands may have."""

    def rule(call: Call) -> Shape:
        shapes = [call.shape(port) for port in ("x1", "x2")]
        told = f"shapes {shapes[0]} and {shapes[1]}"
        if not all(2 <= len(shape) <= most for shape in shapes):
            raise call.error(f"{told} must have {'2' if most == 2 else f'2 to {most}'} dimensions")
        flags = [call.attrs[flag] for flag in (flag1, flag2)]
        (rows, inner), (inner2, columns) = (
            shape[:-3:-1] if flag else shape[-2:] for shape, flag in zip(shapes, flags, strict=True)
        )
        if inner != inner2:
            raise call.error(f"{told} with {flag1} {flags[0]} and {flag2} {flags[1]}: {inner} is not {inner2}")
        result = (*broadcast_shapes(call, shapes[0][:-2], shapes[1][:-2]), rows, columns)
        for bias in call.ports.get("bias", ()):
            if broadcast_shapes(call, result, bias.shape) != result:
                raise call.error(f"bias of shape {bias.shape} does not broadcast to the product's {result}")
        return result

    return rule


SHAPES: dict[str, Rule] = {
    "BatchMatMul": _product("adj_x1", "adj_x2", 8),
    "BatchMatMulV2": _product("adj_x1", "adj_x2", 6),
    "MatMul": _product("transpose_x1", "transpose_x2", 2),
    "MatMulV2": _product("transpose_x1", "transpose_x2", 2),
    "Tril": Call.matrices,
    "Triu": Call.matrices,
}
