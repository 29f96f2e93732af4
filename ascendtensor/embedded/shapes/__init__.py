"""What comes out of an operator, before it runs: the dtypes and shapes of its outputs.

An op type without a rule of its own in the tables of these modules is element-wise: its inputs broadcast, and its
output has the dtype that the prototype gives.
"""

from __future__ import annotations

from typing import Any

import ops_registry.prototypes  # noqa: F401  (it fills PROTOTYPES)
from ops_registry.dtypes import DType
from ops_registry.prototype import PROTOTYPES

from . import broadcasting, creation, indexing, layers, matrices, movement, padding, reduction, searching, slicing
from .call import UNBOUNDED, Call, Extent, Facts, OutFacts, Rule, Shape, ShapeError
from .out_dtypes import out_dtypes
from .slicing import slice_index

__all__ = ["UNBOUNDED", "Facts", "OutFacts", "ShapeError", "infer", "slice_index"]

_MODULES = (
    broadcasting,
    creation,
    indexing,
    layers,
    matrices,
    movement,
    padding,
    reduction,
    searching,
    slicing,
)

_SHAPES: dict[str, Rule] = {op_type: rule for module in _MODULES for op_type, rule in module.SHAPES.items()}


def infer(op_type: str, inputs: list[Facts | None], attrs: dict[str, Any]) -> list[OutFacts]:
    """The outputs that an operator gives.

    Parameters:
        inputs: in the prototype's order, a dynamic port's tensors one after the other, None for an absent one.
        attrs: all attributes of the prototype.

    Raises:
        ShapeError: the inputs do not fit, or one whose value decides the shape has none.
    """
    prototype = PROTOTYPES.get(op_type)
    if prototype is None:
        raise ShapeError(f"{op_type}: no such operator is declared")
    call = Call(prototype, inputs, attrs)
    told = _SHAPES.get(op_type, broadcasting.broadcast)(call)
    shapes = told if isinstance(told, list) else [told]
    dtypes = out_dtypes(call)
    if prototype.outputs[-1].kind == "dynamic":
        dtypes *= len(shapes)
    return [_told(dtype, shape) for dtype, shape in zip(dtypes, shapes, strict=True)]


def _told(dtype: DType, shape: Shape | Extent) -> OutFacts:
    if not isinstance(shape, Extent):
        return OutFacts(dtype, shape)
    return OutFacts(dtype, shape.shape, shape.ranges if -1 in shape.shape else None)
