"""Routes: how an op type serves a dtype that its kernels do not list.

In the order of cost: the dtype's own kernel on the AI Core; a kernel there for another dtype of the same
width, reading the same bits; the same two on the AI CPU; a cast to a dtype that holds every value, the
op, and a cast back; the host. Only exact routes are listed, so which one is taken never shows in a result
(a float16 or bfloat16 op done in float32 rounds once, as its own kernel would).
"""

from __future__ import annotations

from . import dtypes
from .dtypes import DType

__all__ = ["CARRIERS", "WIDER", "route_kinds"]

# "bits": the op moves, selects or repeats elements, whatever they mean.
# "wrap": the op works modulo the width, or compares integers for equality: signedness makes no difference.
# "widen": the op gives the same value in a wider dtype, and the result fits back (or wraps as it should).
_ROUTES: dict[str, str] = {
    "bits": (
        "AsStrided BroadcastTo ConcatD ConcatV2 Fill GatherElements GatherNd GatherV2 MaskedSelect MirrorPad Pack "
        "PadV2 PadV3 ReverseV2 ScatterNdUpdate SelectV2 TensorMove Tile Transpose Tril Triu ViewCopy"
    ),
    "wrap": (
        "Add BatchMatMulV2 BitwiseAnd BitwiseOr BitwiseXor Cumsum Equal Invert LeftShift MatMulV2 Mul Neg "
        "NotEqual ReduceProd ReduceSum Square Sub"
    ),
    "widen": (
        "Abs Acos Acosh Add ArgMaxV2 ArgMin Asin Asinh Atan Atan2 Atanh BatchMatMulV2 Ceil Cos Cosh Cross Cumsum "
        "Equal Exp Expm1 Floor FloorDiv FloorMod Greater GreaterEqual IsFinite IsInf IsNan Less LessEqual "
        "Log Log1p LogAddExp LogSoftmaxV2 MatMulV2 Maximum Minimum Mul Neg NotEqual Pow RealDiv Reciprocal ReduceMax "
        "ReduceMean ReduceMin ReduceProd ReduceSum Rint SearchSorted Sign Sin Sinh SoftmaxV2 Sort Sqrt Square Sub "
        "Tan Tanh"
    ),
}

_KINDS_OF: dict[str, tuple[str, ...]] = {}
for _kind, _op_types in _ROUTES.items():
    for _op_type in _op_types.split():
        _KINDS_OF[_op_type] = (*_KINDS_OF.get(_op_type, ()), _kind)


def route_kinds(op_type: str) -> tuple[str, ...]:
    """The kinds of route that are exact for an op type."""
    return _KINDS_OF.get(op_type, ())


# Same width, for "bits": integers first, since most movers have those on the AI Core.
_BITS = {
    1: (dtypes.int8, dtypes.uint8, dtypes.bool_),
    2: (dtypes.int16, dtypes.float16, dtypes.uint16),
    4: (dtypes.int32, dtypes.float32, dtypes.uint32),
    8: (dtypes.int64, dtypes.uint64, dtypes.float64, dtypes.complex64),
    16: (),
}
_OTHER_SIGN = {
    dtypes.uint8: dtypes.int8,
    dtypes.uint16: dtypes.int16,
    dtypes.uint32: dtypes.int32,
    dtypes.uint64: dtypes.int64,
}
_OTHER_SIGN |= {signed: unsigned for unsigned, signed in _OTHER_SIGN.items()}

# kind of route -> dtype -> the dtypes whose kernels can read the same bits in its place.
CARRIERS: dict[str, dict[DType, tuple[DType, ...]]] = {
    "bits": {d: tuple(c for c in _BITS[d.itemsize] if c is not d) for d in dtypes.ALL},
    "wrap": {d: (_OTHER_SIGN[d],) if d in _OTHER_SIGN else () for d in dtypes.ALL},
}

_i16, _u16, _i32, _u32, _i64 = dtypes.int16, dtypes.uint16, dtypes.int32, dtypes.uint32, dtypes.int64

# Dtypes that hold every value of the key, nearest first.
WIDER: dict[DType, tuple[DType, ...]] = {
    dtypes.bool_: (dtypes.uint8, dtypes.int8, _i32, _i64),
    dtypes.int8: (_i16, _i32, _i64),
    dtypes.uint8: (_i16, _u16, _i32, _i64),
    _i16: (_i32, _i64),
    _u16: (_i32, _u32, _i64),
    _i32: (_i64,),
    _u32: (_i64,),
    dtypes.float16: (dtypes.float32,),
    dtypes.bfloat16: (dtypes.float32,),
    dtypes.float32: (dtypes.float64,),
    dtypes.complex64: (dtypes.complex128,),
}
