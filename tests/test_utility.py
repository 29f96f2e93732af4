"""all and any against NumPy's."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ascendtensor as at
from ops_registry import dtypes
from ops_registry.dtypes import DType

from .comparison import assert_matches, elements, on_device
from .layouts import axes_of, tensors


@pytest.mark.parametrize("dtype", dtypes.ALL, ids=str)
@given(data=st.data())
def test_all_and_any(dtype: DType, data: st.DataObject) -> None:
    # Zeros often: without them nearly every answer is the same.
    values = elements(dtype) | st.sampled_from([0, 0, 0, 1])
    array, x = data.draw(tensors(dtype, None, values))
    axis, keepdims = data.draw(axes_of(array.ndim)), data.draw(st.booleans())
    for function, numpys in ((at.all, np.all), (at.any, np.any)):
        expected = np.asarray(numpys(array != 0, axis=axis, keepdims=keepdims))
        assert_matches(function(x, axis=axis, keepdims=keepdims), expected, dtype=dtypes.bool_)


@pytest.mark.parametrize("dtype", [d for d in dtypes.ALL if d.kind in "fc"], ids=str)
def test_nan_is_true_and_negative_zero_is_not(dtype: DType) -> None:
    x = on_device(np.asarray([[np.nan, -0.0], [0.0, -0.0], [np.nan, np.inf]]).astype(dtype.dtype))
    assert at.any(x, axis=1).tolist() == [True, False, True]
    assert at.all(x, axis=1).tolist() == [False, False, True]
