"""Matrix products."""

from __future__ import annotations

import numpy as np

from .registry import Array, Attrs, Inputs, Kernel, Outputs, kernel, store, widen


def _product(flag1: str, flag2: str) -> Kernel:
    """The product whose operands are turned by these attributes; `adj_` conjugates, `transpose_` does not."""
    conjugates = flag1.startswith("adj")

    def turned(x: Array, flag: bool) -> Array:
        x = widen(x)
        if not flag:
            return x
        x = x.swapaxes(-1, -2)
        return x.conj() if conjugates and x.dtype.kind == "c" else x

    def run(inputs: Inputs, outputs: Outputs, attrs: Attrs) -> None:
        out = outputs[0]
        x1, x2 = turned(inputs[0], attrs[flag1]), turned(inputs[1], attrs[flag2])
        bias = inputs[2] if len(inputs) > 2 else None
        if x1.dtype == out.dtype and bias is None:
            np.matmul(x1, x2, out=out)
            return
        product = np.matmul(x1, x2)
        store(out, product if bias is None else np.add(product, widen(bias)))

    return run


# What offset_w and offset_x shift are quantized integers, which none of these op types takes here.
kernel("MatMul", "MatMulV2", "MatMulV3")(_product("transpose_x1", "transpose_x2"))
kernel("BatchMatMul", "BatchMatMulV2", "BatchMatMulV3")(_product("adj_x1", "adj_x2"))
