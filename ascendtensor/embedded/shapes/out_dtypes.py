"""The dtypes of outputs."""

from __future__ import annotations

import itertools
from collections.abc import Callable

from ops_registry import dtypes
from ops_registry.dtypes import DType

from .call import Call

__all__ = ["out_dtypes"]

_DtypeRule = Callable[[Call], DType]


def out_dtypes(call: Call) -> list[DType]:
    """The dtype of each output port."""
    rules = _RULES.get(call.prototype.op_type, {})
    letters = call.prototype.pattern[len(call.prototype.inputs) :]
    return [rules[letter](call) if letter in rules else _shared_dtype(call, letter) for letter in letters]


def _shared_dtype(call: Call, letter: str) -> DType:
    """The dtype that an entry of the pattern names, or that of the first input which shares its letter."""
    if letter in dtypes.BY_SHORT:
        return dtypes.BY_SHORT[letter]
    for port, other in zip(call.prototype.inputs, call.prototype.pattern, strict=False):
        if other == letter and call.ports[port.name]:
            return call.ports[port.name][0].dtype
    raise call.error("no input says the output's dtype")


def _widest_dtype(call: Call) -> DType:
    """Of mixed rows the widest floating dtype, whichever input has it."""
    given = [facts.dtype for facts in itertools.chain(*call.ports.values())]
    return max(given, key=lambda dtype: (dtype.kind in "fc", dtype.itemsize))


def _quotient_dtype(call: Call) -> DType:
    dtype = _shared_dtype(call, "T")
    return dtypes.float32 if dtype is dtypes.bool_ else dtype


def _coded_dtype(attribute: str) -> _DtypeRule:
    def rule(call: Call) -> DType:
        code = call.attrs[attribute]
        if code not in dtypes.BY_CODE:
            raise call.error(f"attribute {attribute} is {code}, which is not a data type's number")
        return dtypes.BY_CODE[code]

    return rule


def _part_dtype(table: dict[DType, DType]) -> _DtypeRule:
    """Tout, unless it has its default: that is a constant of the prototype and says nothing about the input."""

    def rule(call: Call) -> DType:
        if call.attrs["Tout"] != call.prototype.attrs["Tout"].default:
            return _coded_dtype("Tout")(call)
        dtype = call.given()[0].dtype
        return table.get(dtype, dtype)

    return rule


def _dtype_of(port: str) -> _DtypeRule:
    return lambda call: call.ports[port][0].dtype


def _trace_dtype(call: Call) -> DType:
    """Integers are summed in 64 bits, with a sign where that holds them."""
    dtype = call.ports["x"][0].dtype
    return dtypes.int64 if dtype.kind in "biu" and dtype is not dtypes.uint64 else dtype


def _index_dtype(call: Call) -> DType:
    """No attribute says it: the wider of the two that the prototype allows."""
    return dtypes.int64


def _position_dtype(call: Call) -> DType:
    """No attribute says it; a longer axis than int32 counts is not there."""
    return dtypes.int32


# By the entry of the pattern that they stand for.
_RULES: dict[str, dict[str, _DtypeRule]] = {
    "Add": {"T": _widest_dtype},
    "ArgMaxV2": {"J": _coded_dtype("dtype")},
    "ArgMin": {"J": _coded_dtype("dtype")},
    "ArgMaxWithValue": {"I": _position_dtype},
    "ArgMinWithValue": {"I": _position_dtype},
    "Bincount": {"T": _dtype_of("weights")},
    "Cast": {"T": _coded_dtype("dst_type")},
    "Complex": {"c64": _part_dtype(dtypes.COMPLEX_OF)},
    "ComplexAbs": {"T": _part_dtype(dtypes.REAL_OF)},
    "Eye": {"T": _coded_dtype("dtype")},
    "Cummax": {"I": _position_dtype},
    "Cummin": {"I": _position_dtype},
    "HistogramFixedWidth": {"i32": _coded_dtype("dtype")},
    "Imag": {"T": _part_dtype(dtypes.REAL_OF)},
    "LayerNorm": {"f32": _dtype_of("gamma")},
    "LayerNormV3": {"f32": _dtype_of("gamma")},
    "ListDiff": {"I": _coded_dtype("out_idx")},
    "LowerBound": {"I": _coded_dtype("out_type")},
    "Mul": {"T": _widest_dtype},
    "Multinomial": {"I": _coded_dtype("dtype")},
    "NonZero": {"I": _coded_dtype("dtype")},
    "RandomStandardNormal": {"T": _coded_dtype("dtype")},
    "RandomUniform": {"T": _coded_dtype("dtype")},
    "Range": {"T": _widest_dtype},
    "Real": {"T": _part_dtype(dtypes.REAL_OF)},
    "RealDiv": {"T": _quotient_dtype},
    "SearchSorted": {"I": _coded_dtype("dtype")},
    "StatelessBernoulli": {"T": _coded_dtype("dtype")},
    "StatelessRandomNormalV2": {"T": _coded_dtype("dtype")},
    "StatelessRandomUniformFullIntV2": {"T": _coded_dtype("dtype")},
    "StatelessRandomUniformV2": {"T": _coded_dtype("dtype")},
    "StatelessRandperm": {"T": _coded_dtype("dtype")},
    "Trace": {"T": _trace_dtype},
    "TruncatedNormal": {"T": _coded_dtype("dtype")},
    "UniqueConsecutive": {"I": _index_dtype},
    "UniqueWithCountsAndSorting": {"I": _index_dtype},
    "UniqueWithCountsExt2": {"J": _coded_dtype("out_idx")},
    "UpperBound": {"I": _coded_dtype("out_type")},
}
