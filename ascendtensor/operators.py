"""The operators of a tensor: each is the array API function of its name (standard section "Array Object")."""

from __future__ import annotations

from typing import Any, Self

from .runtime.scalars import Scalar

__all__ = ["Operators"]


class Operators:
    """The special methods behind `+`, `<`, `@=` and the like, in terms of four that a tensor has.

    They return NotImplemented for an operand that is neither a tensor nor a number: Python then asks that one.
    """

    __slots__ = ()

    def _unary(self, function: str) -> Self:
        """The function of the tensor."""
        raise NotImplementedError

    def _binary(self, function: str, other: Any) -> Self:
        """The function of the tensor and another operand."""
        raise NotImplementedError

    def _reflected(self, function: str, other: Any) -> Self:
        """The function of another operand and the tensor."""
        raise NotImplementedError

    def _in_place(self, function: str, other: Any) -> Self:
        """The function of the tensor and another operand, written over the tensor."""
        raise NotImplementedError

    def __pos__(self) -> Self:
        return self._unary("positive")

    def __neg__(self) -> Self:
        return self._unary("negative")

    def __abs__(self) -> Self:
        return self._unary("abs")

    def __invert__(self) -> Self:
        return self._unary("bitwise_invert")

    def __add__(self, other: Self | Scalar) -> Self:
        return self._binary("add", other)

    def __radd__(self, other: Scalar) -> Self:
        return self._reflected("add", other)

    def __iadd__(self, other: Self | Scalar) -> Self:
        return self._in_place("add", other)

    def __sub__(self, other: Self | Scalar) -> Self:
        return self._binary("subtract", other)

    def __rsub__(self, other: Scalar) -> Self:
        return self._reflected("subtract", other)

    def __isub__(self, other: Self | Scalar) -> Self:
        return self._in_place("subtract", other)

    def __mul__(self, other: Self | Scalar) -> Self:
        return self._binary("multiply", other)

    def __rmul__(self, other: Scalar) -> Self:
        return self._reflected("multiply", other)

    def __imul__(self, other: Self | Scalar) -> Self:
        return self._in_place("multiply", other)

    def __truediv__(self, other: Self | Scalar) -> Self:
        return self._binary("divide", other)

    def __rtruediv__(self, other: Scalar) -> Self:
        return self._reflected("divide", other)

    def __itruediv__(self, other: Self | Scalar) -> Self:
        return self._in_place("divide", other)

    def __floordiv__(self, other: Self | Scalar) -> Self:
        return self._binary("floor_divide", other)

    def __rfloordiv__(self, other: Scalar) -> Self:
        return self._reflected("floor_divide", other)

    def __ifloordiv__(self, other: Self | Scalar) -> Self:
        return self._in_place("floor_divide", other)

    def __mod__(self, other: Self | Scalar) -> Self:
        return self._binary("remainder", other)

    def __rmod__(self, other: Scalar) -> Self:
        return self._reflected("remainder", other)

    def __imod__(self, other: Self | Scalar) -> Self:
        return self._in_place("remainder", other)

    def __pow__(self, other: Self | Scalar) -> Self:
        return self._binary("pow", other)

    def __rpow__(self, other: Scalar) -> Self:
        return self._reflected("pow", other)

    def __ipow__(self, other: Self | Scalar) -> Self:
        return self._in_place("pow", other)

    def __and__(self, other: Self | Scalar) -> Self:
        return self._binary("bitwise_and", other)

    def __rand__(self, other: Scalar) -> Self:
        return self._reflected("bitwise_and", other)

    def __iand__(self, other: Self | Scalar) -> Self:
        return self._in_place("bitwise_and", other)

    def __or__(self, other: Self | Scalar) -> Self:
        return self._binary("bitwise_or", other)

    def __ror__(self, other: Scalar) -> Self:
        return self._reflected("bitwise_or", other)

    def __ior__(self, other: Self | Scalar) -> Self:
        return self._in_place("bitwise_or", other)

    def __xor__(self, other: Self | Scalar) -> Self:
        return self._binary("bitwise_xor", other)

    def __rxor__(self, other: Scalar) -> Self:
        return self._reflected("bitwise_xor", other)

    def __ixor__(self, other: Self | Scalar) -> Self:
        return self._in_place("bitwise_xor", other)

    def __lshift__(self, other: Self | Scalar) -> Self:
        return self._binary("bitwise_left_shift", other)

    def __rlshift__(self, other: Scalar) -> Self:
        return self._reflected("bitwise_left_shift", other)

    def __ilshift__(self, other: Self | Scalar) -> Self:
        return self._in_place("bitwise_left_shift", other)

    def __rshift__(self, other: Self | Scalar) -> Self:
        return self._binary("bitwise_right_shift", other)

    def __rrshift__(self, other: Scalar) -> Self:
        return self._reflected("bitwise_right_shift", other)

    def __irshift__(self, other: Self | Scalar) -> Self:
        return self._in_place("bitwise_right_shift", other)

    def __eq__(self, other: object) -> Self:  # type: ignore[override]
        return self._binary("equal", other)

    def __ne__(self, other: object) -> Self:  # type: ignore[override]
        return self._binary("not_equal", other)

    def __lt__(self, other: Self | Scalar) -> Self:
        return self._binary("less", other)

    def __le__(self, other: Self | Scalar) -> Self:
        return self._binary("less_equal", other)

    def __gt__(self, other: Self | Scalar) -> Self:
        return self._binary("greater", other)

    def __ge__(self, other: Self | Scalar) -> Self:
        return self._binary("greater_equal", other)

    def __matmul__(self, other: Self) -> Self:
        return self._binary("matmul", other)

    def __rmatmul__(self, other: Self) -> Self:
        return self._reflected("matmul", other)

    def __imatmul__(self, other: Self) -> Self:
        return self._in_place("matmul", other)

    __hash__ = object.__hash__
