"""Decompositions, determinants and what else is told of matrices. Facts of CANN 8.1."""

from __future__ import annotations

from ..prototype import declare

declare(
    "Cholesky",
    "x",
    "y",
    rows="T T",
    aicpu_tf="f16 f32 f64 c64 c128",
    fails="a matrix is not positive definite",
)

declare(
    "Cross",
    "x1 x2",
    "y",
    attrs="dim:Int=-65530",
    rows="T T T",
    aicore={
        "910b 910_93 910 310b": "i8 i16 i32 u8 f16 f32",
    },
    aicpu="i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64 c64 c128",
)

declare(
    "Dot",
    "input_x input_y",
    "output",
    rows="T T T",
    aicore={
        "910b 910_93": "i8 i32 u8 f16 bf16 f32",
        "910 310p": "i8 i32 u8 f16 f32",
    },
)

declare(
    "Ger",
    "x1 x2",
    "y",
    rows="T T T",
    aicore="f16 f32",
)

declare(
    "LogMatrixDeterminant",
    "x",
    "sign y",
    rows="T T T",
    aicpu_tf="f32 f64 c64 c128",
)

declare(
    "LpNormV2",
    "x",
    "y",
    attrs="p:Float=2.0 axes:ListInt=[] keepdim:Bool=False epsilon:Float=1e-12",
    rows="T T",
    aicore={
        "910b 910_93 310b": "f16 bf16 f32",
        "910 310p": "f16 f32",
    },
)

declare(
    "MatrixBandPart",
    "x num_lower num_upper",
    "y",
    rows="T I I T",
    aicpu_tf="b i8 i16 i32 i64 u8 u16 f16 f32 f64 c64 c128",
)

declare(
    "MatrixDeterminant",
    "x",
    "y",
    rows="T T",
    aicpu_tf="f32 f64 c64 c128",
)

declare(
    "MatrixDiagPartV3",
    "x k padding_value",
    "y",
    attrs="align:String=RIGHT_LEFT",
    rows="T i32 T T",
    aicpu="i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64 c64 c128",
)

declare(
    "MatrixInverse",
    "x",
    "y",
    attrs="adjoint:Bool=False",
    rows="T T",
    aicpu_tf="f32 f64 c64 c128",
    fails="a matrix is singular",
)

declare(
    "MatrixSolve",
    "matrix rhs",
    "y",
    attrs="adjoint:Bool=False",
    rows="T T T",
    aicpu_tf="f32 f64 c64 c128",
    fails="a matrix is singular",
)

declare(
    "Pinverse",
    "x",
    "y",
    attrs="rcond:Float=1e-15",
    rows="T T",
    aicpu="f32 f64",
)

declare(
    "Qr",
    "x",
    "q r",
    attrs="full_matrices:Bool=False",
    rows="T T T",
    aicpu_tf="f16 f32 f64 c64 c128",
)

declare(
    "SelfAdjointEig",
    "x",
    "eigen_value eigen_vector",
    attrs="compute_v:Bool=True",
    rows="T T T",
    aicpu_tf="f32 f64 c64 c128",
    fails="the eigenvalues of a matrix do not converge",
)

declare(
    "Svd",
    "x",
    "sigma u v",
    attrs="compute_uv:Bool=True full_matrices:Bool=False",
    rows="T T T T",
    aicpu_tf="f32 f64 c64 c128",
    fails="the singular values of a matrix do not converge",
)

declare(
    "Trace",
    "x",
    "y",
    rows="T T",
    aicore={
        "910b 910_93": "f16 bf16 f32",
        "910 310p 310b": "f16 f32",
    },
    aicpu="i64 u64 f16 f32 f64 c64 c128 b|i8|i16|i32|u8|u16|u32/i64",
)
