"""A pytest plug-in that makes this library the namespace that scikit-learn's own array API tests take."""

from __future__ import annotations

from collections.abc import Iterator

import sklearn.utils._array_api as array_api


def only_this(include_numpy_namespaces: bool = True) -> Iterator[str]:
    yield "ascendtensor"


array_api.yield_namespaces = only_this
