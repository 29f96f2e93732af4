"""What no op type of CANN's computes, nor any short row of them: the host always does.

These have no dtype list, so no engine is found for one. Their kernels are those of the embedded runtime.
"""

from __future__ import annotations

from ..prototype import declare

# The outputs are complex of the operand's width.
declare(
    "Eig",
    "x",
    "eigenvalues eigenvectors",
    rows="T c64 c64",
)

declare(
    "EigVals",
    "x",
    "eigenvalues",
    rows="T c64",
)
