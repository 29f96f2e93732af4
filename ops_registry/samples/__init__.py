"""Sample calls: one or more of every lowering, for each dtype that it takes, a module for each chapter.

With them every route of every chip can be written down without a device: to be held against a chip's operator
list (`verification`), to be told in a table (`coverage`), to be tried out by the tests.

A chapter's module has `CALLS`, function -> cases, and `ON_HOST` where some of its functions need the host.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import ModuleType

from .. import dtypes
from ..dtypes import DType
from . import (
    activation,
    comparison,
    counting,
    creation,
    data_type,
    elementwise,
    fft,
    indexing,
    linalg,
    linear_algebra,
    manipulation,
    padding,
    random,
    searching,
    set_functions,
    sorting,
    special_values,
    statistical,
    utility,
)
from .case import Case

__all__ = ["CALLS", "CHAPTERS", "ON_HOST", "Case", "cases"]

# In the order of the standard's text; then what goes beyond it.
CHAPTERS: tuple[ModuleType, ...] = (
    elementwise,
    creation,
    data_type,
    linear_algebra,
    manipulation,
    searching,
    set_functions,
    sorting,
    statistical,
    utility,
    indexing,
    fft,
    linalg,
    activation,
    comparison,
    counting,
    padding,
    random,
    special_values,
)

CALLS: dict[str, list[Case]] = {}
for _chapter in CHAPTERS:
    CALLS |= _chapter.CALLS

# (function, dtype): what no engine has, on any chip. The host computes it, and the library warns of that.
ON_HOST: set[tuple[str, str]] = set().union(*(getattr(chapter, "ON_HOST", ()) for chapter in CHAPTERS))


def cases(calls: Mapping[str, list[Case]] = CALLS) -> Iterator[tuple[str, DType, Case]]:
    """Every function with every dtype that it takes, once for each of its calls."""
    for function, samples in calls.items():
        for case in samples:
            for dtype in dtypes.ALL:
                if dtype.kind in case.kinds:
                    yield function, dtype, case
