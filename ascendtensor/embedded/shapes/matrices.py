"""Matrices, in stacks along the dimensions before the last two."""

from __future__ import annotations

from collections.abc import Callable

from .broadcasting import broadcast_shapes
from .call import UNBOUNDED, Call, Extent, Rule, Shape, exactly

__all__ = ["SHAPES", "cross_axis", "diagonal_length", "diagonals"]


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


def _determinant(call: Call) -> Shape:
    return call.matrices(square=True)[:-2]


def _eigen(call: Call) -> list[Shape | Extent]:
    shape = call.matrices(square=True)
    return [shape[:-1], shape if call.attrs["compute_v"] else (0,)]


def _qr(call: Call) -> list[Shape | Extent]:
    *batch, m, n = call.matrices()
    inner = m if call.attrs["full_matrices"] else min(m, n)
    return [(*batch, m, inner), (*batch, inner, n)]


def _svd(call: Call) -> list[Shape | Extent]:
    *batch, m, n = call.matrices()
    least = min(m, n)
    if not call.attrs["compute_uv"]:
        return [(*batch, least), (0,), (0,)]
    full = call.attrs["full_matrices"]
    return [(*batch, least), (*batch, m, m if full else least), (*batch, n, n if full else least)]


def _solve(call: Call) -> Shape:
    matrix, rhs = call.matrices("matrix", square=True), call.matrices("rhs")
    if matrix[:-2] != rhs[:-2] or matrix[-1] != rhs[-2]:
        raise call.error(f"rhs of shape {rhs} does not fit matrix, whose shape is {matrix}")
    return rhs


def _pseudo_inverse(call: Call) -> Shape:
    *batch, m, n = call.matrices()
    return (*batch, n, m)


# The value of Cross's dim that stands for the first dimension of 3.
FIRST_OF_THREE = -65530


def cross_axis(shape: Shape, dim: int) -> int | None:
    """The axis that Cross works along, or None if there is none of 3."""
    if dim == FIRST_OF_THREE:
        return shape.index(3) if 3 in shape else None
    return dim if -len(shape) <= dim < len(shape) and shape[dim] == 3 else None


def _cross(call: Call) -> Shape:
    shape, other = call.shape("x1"), call.shape("x2")
    if shape != other:
        raise call.error(f"shapes {shape} and {other} differ")
    if cross_axis(shape, call.attrs["dim"]) is None:
        raise call.error(f"dim {call.attrs['dim']} of shape {shape} has not 3 elements")
    return shape


def _vectors(call: Call, *ports: str) -> list[int]:
    """The lengths of inputs that must have one dimension."""
    for port in ports:
        if len(call.shape(port)) != 1:
            raise call.error(f"{port} must have 1 dimension; its shape is {call.shape(port)}")
    return [call.shape(port)[0] for port in ports]


def _dot(call: Call) -> Shape:
    n1, n2 = _vectors(call, "input_x", "input_y")
    if n1 != n2:
        raise call.error(f"vectors of {n1} and {n2} elements differ in length")
    return (1,)


def _outer(call: Call) -> Shape:
    n1, n2 = _vectors(call, "x1", "x2")
    return (n1, n2)


def _trace(call: Call) -> Shape:
    if len(call.shape("x")) != 2:
        raise call.error(f"x must have 2 dimensions; its shape is {call.shape('x')}")
    return ()


def diagonals(k: Shape) -> tuple[int, int]:
    """The lowest and the highest diagonal that a port k of one or two numbers names."""
    return k[0], k[-1]


def diagonal_length(rows: int, columns: int, k: int) -> int:
    """How many elements diagonal k of a matrix has; k > 0 is above the main one."""
    return max(0, min(rows + min(k, 0), columns - max(k, 0)))


def _diag_part(call: Call) -> Shape:
    *batch, rows, columns = call.matrices()
    k = call.ints("k")
    align = call.attrs["align"]
    if align not in ("LEFT_LEFT", "LEFT_RIGHT", "RIGHT_LEFT", "RIGHT_RIGHT"):
        raise call.error(f"align {align!r} is not two of LEFT and RIGHT with _ between")
    if len(k) not in (1, 2) or k[0] > k[-1]:
        raise call.error(f"k {list(k)} must be a diagonal, or the lowest and the highest of them")
    lowest, highest = diagonals(k)
    if not (-rows < lowest and highest < columns) and (rows or columns):
        raise call.error(f"k {list(k)} is outside matrices of shape {(rows, columns)}")
    longest = max(diagonal_length(rows, columns, diagonal) for diagonal in range(lowest, highest + 1))
    return (*batch, longest) if lowest == highest else (*batch, highest - lowest + 1, longest)


def _transformed(dims: int) -> Rule:
    """A Fourier transform of that many innermost dimensions."""

    def rule(call: Call) -> Shape:
        shape = call.shape("x")
        if len(shape) < dims:
            raise call.error(f"x must have at least {dims} dimensions; its shape is {shape}")
        return shape

    return rule


def _real_transformed(port: str, length: Callable[[int], int]) -> Rule:
    """length: of the result, by the length of the transform."""

    def rule(call: Call) -> Shape | Extent:
        shape = call.shape(port)
        if not shape:
            raise call.error(f"{port} must have at least 1 dimension")
        if not call.knows("fft_length"):
            return Extent((*exactly(*shape[:-1]), (1, UNBOUNDED)))
        n = int(call.scalar("fft_length"))
        if n < 1:
            raise call.error(f"fft_length {n} must be positive")
        return (*shape[:-1], length(n))

    return rule


SHAPES: dict[str, Rule] = {
    "BatchMatMul": _product("adj_x1", "adj_x2", 8),
    "BatchMatMulV2": _product("adj_x1", "adj_x2", 6),
    "BatchMatMulV3": _product("adj_x1", "adj_x2", 6),
    "Cholesky": lambda call: call.matrices(square=True),
    "Cross": _cross,
    "Dot": _dot,
    "FFT": _transformed(1),
    "FFT2D": _transformed(2),
    "Ger": _outer,
    "IFFT": _transformed(1),
    "IFFT2D": _transformed(2),
    "IRFFT": _real_transformed("x", lambda n: n),
    "LogMatrixDeterminant": lambda call: [_determinant(call)] * 2,
    "MatMul": _product("transpose_x1", "transpose_x2", 2),
    "MatMulV2": _product("transpose_x1", "transpose_x2", 2),
    "MatMulV3": _product("transpose_x1", "transpose_x2", 2),
    "MatrixBandPart": lambda call: call.matrices(),
    "MatrixDeterminant": _determinant,
    "MatrixDiagPartV3": _diag_part,
    "MatrixInverse": lambda call: call.matrices(square=True),
    "MatrixSolve": _solve,
    "Pinverse": _pseudo_inverse,
    "Qr": _qr,
    "RFFT": _real_transformed("input", lambda n: n // 2 + 1),
    "SelfAdjointEig": _eigen,
    "Svd": _svd,
    "Trace": _trace,
    "Tril": lambda call: call.matrices(),
    "Triu": lambda call: call.matrices(),
}
