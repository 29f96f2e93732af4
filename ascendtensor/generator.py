"""The generator of random numbers: a key and a counter on the host, from which the device makes the numbers.

Names and meanings are those of NumPy's `numpy.random.Generator`.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from math import isfinite, prod
from typing import Any

import numpy as np

from ops_registry import dtypes, promotion, shapes
from ops_registry.dtypes import DType
from ops_registry.shapes import axis_index

from . import views
from .arguments import Shape, integer_parameter, shape_parameter
from .elementwise import log1p
from .runtime.device import Device
from .runtime.device import device as device_of
from .runtime.scalars import HostScalar, host_row, host_scalar
from .searching import take
from .sorting import argsort
from .tensor import Tensor, from_numpy, run_on

__all__ = ["Generator"]

Seed = int | Sequence[int] | None
Size = Shape | None
Parameter = float | Tensor

_ALGORITHM = "philox"
_COUNTER_MODULUS = 2**128
_WORD_MODULUS = 2**64
_INT64_MODULUS = 2**63

# How far the counter moves for each element. No distribution uses up as many blocks of random bits, so no two draws
# share one, whatever the device needs for an element.
_BLOCKS_FOR_AN_ELEMENT = 256

# A word of 64 bits is drawn for an integer if there are fewer than this to choose from, and two words otherwise.
_FEW = 2**32

# The unit in which the lowering of `random_choice` takes chances.
_WHOLE_CHANCE = 2**62

# As far as the sum of the chances may be from 1.
_CHANCE_TOLERANCE = 2.0**-26


class Generator:
    """Random numbers on a device, the same ones for the same seed.

    Every draw takes the numbers that follow those of the draw before, in the order in which the calls are made. The
    numbers depend on the kind of runtime, since a device makes them by its own kernels.

    Parameters:
        seed: a non-negative integer or a sequence of them, as `numpy.random.SeedSequence` takes; by default one that
            nobody can foretell.
        device: where the numbers are made; by default the current device.

    Raises:
        TypeError: the seed is something else.
        ValueError: the seed is negative, or there is no such device.
    """

    def __init__(self, seed: Seed = None, *, device: Device | str | None = None) -> None:
        self._device = device_of(device)
        self._lock = threading.Lock()
        self.seed(seed)

    @property
    def device(self) -> Device:
        """Where the numbers are made."""
        return self._device

    def __repr__(self) -> str:
        return f"Generator(seed={self._seed!r}, device='{self._device}')"

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self._seed, self._device, self.get_state())

    # Seed and state

    def seed(self, seed: Seed = None) -> None:
        """Begin anew, as a generator of this seed does."""
        try:
            sequence = np.random.SeedSequence(seed)
        except (TypeError, ValueError) as error:
            raise type(error)(f"seed: {error}") from None
        told: Any = sequence.entropy
        # The key fits the signed seeds that some ops take.
        key = int(sequence.generate_state(1, np.uint64)[0]) % _INT64_MODULUS
        with self._lock:
            self._seed = told
            self._key = key
            self._counter = 0

    def initial_seed(self) -> Any:
        """The seed, also where it was not given: another generator of it gives the same numbers."""
        return self._seed

    def get_state(self) -> dict[str, Any]:
        """Where the generator stands, as plain numbers; `set_state` takes it back there."""
        with self._lock:
            return {"algorithm": _ALGORITHM, "key": self._key, "counter": self._counter}

    def set_state(self, state: dict[str, Any]) -> None:
        """Go to where a generator stood.

        Parameters:
            state: of `get_state`, from a generator on any device.

        Raises:
            TypeError, ValueError: it is no such state.
        """
        if not isinstance(state, dict):
            raise TypeError(f"set_state: a state is a dict as of get_state, not {state!r}")
        if state.keys() != {"algorithm", "key", "counter"} or state["algorithm"] != _ALGORITHM:
            raise ValueError(f"set_state: {state!r} is not a state of this kind of generator")
        key, counter = (integer_parameter("set_state", name, state[name]) for name in ("key", "counter"))
        if not (0 <= key < _INT64_MODULUS and 0 <= counter < _COUNTER_MODULUS):
            raise ValueError(f"set_state: key or counter of {state!r} is out of range")
        with self._lock:
            self._key, self._counter = key, counter

    def _advance(self, elements: int) -> tuple[int, int]:
        """Key and counter for so many elements, which nobody else is given."""
        with self._lock:
            counter = self._counter
            self._counter = (counter + elements * _BLOCKS_FOR_AN_ELEMENT) % _COUNTER_MODULUS
            return self._key, counter

    def _words(self, elements: int, draws: int = 1) -> list[HostScalar]:
        """The operands of an op that counts: the key, and a counter for each of its draws."""
        places = [self._advance(elements) for _ in range(draws)]
        counters = [divmod(counter, _WORD_MODULUS)[::-1] for _, counter in places]
        return [host_row(words, dtypes.uint64) for words in ([places[0][0]], *counters)]

    def _run(self, function: str, operands: Sequence[Tensor | HostScalar], *parameters: Any) -> Tensor:
        described = [one._descriptor if isinstance(one, Tensor) else one.descriptor for one in operands]
        drawn: Tensor = run_on(function, self._device, operands, described, parameters)
        return drawn

    # Floating numbers

    def _floats(self, function: str, caller: str, size: Size, dtype: Any) -> Tensor:
        shape, chosen = _shape(caller, size), _floating(caller, dtype)
        return self._run(function, self._words(prod(shape)), shape, chosen)

    def random(self, size: Size = None, dtype: DType | None = None) -> Tensor:
        """Numbers in [0, 1), each as likely (CANN: StatelessRandomUniformV2).

        Parameters:
            size: the shape; None is a 0-d tensor.
            dtype: a floating one; float32 by default.

        Raises:
            TypeError: a dtype or size of another kind.
            ValueError: a negative length.
        """
        return self._floats("random", "random", size, dtype)

    def standard_normal(self, size: Size = None, dtype: DType | None = None) -> Tensor:
        """Numbers of the normal distribution of mean 0 and deviation 1 (CANN: StatelessRandomNormalV2).

        Parameters and errors as of `random`.
        """
        return self._floats("standard_normal", "standard_normal", size, dtype)

    def standard_exponential(self, size: Size = None, dtype: DType | None = None) -> Tensor:
        """Numbers of the exponential distribution of mean 1: −log(1 − u) of `random` numbers u.

        Parameters and errors as of `random`.
        """
        shape, chosen = _shape("standard_exponential", size), _floating("standard_exponential", dtype)
        return self._exponential(shape, chosen).astype(chosen)

    def _exponential(self, shape: tuple[int, ...], dtype: DType) -> Tensor:
        return -log1p(-self.random(shape, _computed_in(dtype)))

    def uniform(
        self, low: Parameter = 0.0, high: Parameter = 1.0, size: Size = None, dtype: DType | None = None
    ) -> Tensor:
        """Numbers from `low` to below `high`, each as likely. Rounding may give `high` itself.

        Parameters:
            low, high: numbers or Tensors that broadcast.
            size: the shape; None is that of the parameters.
            dtype: a floating one; float32 by default.

        Raises:
            TypeError: a parameter, dtype or size of another kind.
            ValueError: a number `high` below `low`, or shapes that do not broadcast to `size`.
            OverflowError: numbers that are not finite, or too far apart.
        """
        low, high = _real("uniform", "low", low), _real("uniform", "high", high)
        shape, chosen = _parameters_shape("uniform", size, low, high), _floating("uniform", dtype)
        if not isinstance(low, Tensor) and not isinstance(high, Tensor):
            if not isfinite(high - low):
                raise OverflowError(f"uniform: there is no range from {low} to {high}")
            if high < low:
                raise ValueError(f"uniform: high is {high}, below low, which is {low}")
        low, high = (_as_parameter(one, _computed_in(chosen)) for one in (low, high))
        drawn = self.random(shape, chosen).astype(_computed_in(chosen))
        return (drawn * (high - low) + low).astype(chosen)

    def normal(
        self, loc: Parameter = 0.0, scale: Parameter = 1.0, size: Size = None, dtype: DType | None = None
    ) -> Tensor:
        """Numbers of the normal distribution.

        Parameters:
            loc, scale: mean and deviation: numbers or Tensors that broadcast.
            size: the shape; None is that of the parameters.
            dtype: a floating one; float32 by default.

        Raises:
            TypeError: a parameter, dtype or size of another kind.
            ValueError: a number `scale` below 0, or shapes that do not broadcast to `size`.
        """
        loc, scale = _real("normal", "loc", loc), _positive("normal", scale)
        shape, chosen = _parameters_shape("normal", size, loc, scale), _floating("normal", dtype)
        loc, scale = (_as_parameter(one, _computed_in(chosen)) for one in (loc, scale))
        return (self.standard_normal(shape, _computed_in(chosen)) * scale + loc).astype(chosen)

    def exponential(self, scale: Parameter = 1.0, size: Size = None, dtype: DType | None = None) -> Tensor:
        """Numbers of the exponential distribution.

        Parameters:
            scale: the mean: a number or a Tensor.
            size: the shape; None is that of the scale.
            dtype: a floating one; float32 by default.

        Raises:
            TypeError: a parameter, dtype or size of another kind.
            ValueError: a number `scale` below 0, or a shape that does not broadcast to `size`.
        """
        scale = _positive("exponential", scale)
        shape, chosen = _parameters_shape("exponential", size, scale), _floating("exponential", dtype)
        scale = _as_parameter(scale, _computed_in(chosen))
        return (self._exponential(shape, chosen) * scale).astype(chosen)

    # Integers

    def integers(
        self,
        low: int,
        high: int | None = None,
        size: Size = None,
        dtype: DType | None = None,
        endpoint: bool = False,
    ) -> Tensor:
        """Integers from `low` to below `high` (CANN: StatelessRandomUniformFullIntV2). Chances agree to 1 part in 2^32.

        Parameters:
            low, high: integers; with one of them, it is `high` and `low` is 0.
            size: the shape; None is a 0-d tensor.
            dtype: an integer one, or bool; int64 by default.
            endpoint: whether `high` is among them.

        Raises:
            TypeError: a bound, dtype or size of another kind.
            ValueError: a bound is out of the dtype's range, or there is no integer between them.
        """
        shape, chosen = _shape("integers", size), dtypes.int64 if dtype is None else dtypes.of(dtype)
        if chosen.kind not in "biu":
            raise TypeError(f"integers: the dtype must be one of integers, not {chosen}")
        if high is None:
            low, high = 0, low
        first = integer_parameter("integers", "low", low)
        last = integer_parameter("integers", "high", high) - (not endpoint)
        least, most = _limits(chosen)
        if first > last:
            raise ValueError(f"integers: there is no integer from {low} to {'' if endpoint else 'below '}{high}")
        if first < least or last > most:
            raise ValueError(f"integers: bounds of {low} and {high} are out of range for {chosen}")
        count = last - first + 1
        words = self._words(prod(shape), 1 if count < _FEW or count == _WORD_MODULUS else 2)
        numbers = [host_scalar(number % _WORD_MODULUS, dtypes.uint64) for number in (first, count)]
        return self._run("integers", [*words, *numbers], shape, chosen, count == _WORD_MODULUS)

    # Orders and samples

    def permutation(self, x: int | Tensor, axis: int = 0) -> Tensor:
        """A tensor in random order along an axis, or the integers below a number (CANN: StatelessRandperm).

        Parameters:
            x: a Tensor, whose slices along `axis` are put in another order, in a copy; or an integer.

        Raises:
            TypeError: `x` is neither.
            IndexError: the axis is out of range.
            ValueError: a negative integer.
        """
        if isinstance(x, Tensor) and x.ndim:
            along = axis_index("permutation", axis, x.ndim)
            self._check_home("permutation", x)
            return take(x, self._order(x.shape[along]), axis=along)
        n = integer_parameter("permutation", "x", x)
        if n < 0:
            raise ValueError(f"permutation: there are no integers from 0 to below {n}")
        return self._order(n)

    def _order(self, n: int) -> Tensor:
        key, counter = self._advance(n)
        words = [host_row([word % _INT64_MODULUS], dtypes.int64) for word in (key, counter)]
        return self._run("permutation", words, n)

    def shuffle(self, x: Tensor, axis: int = 0) -> None:
        """Put the slices of a tensor along an axis in random order, in place.

        Raises:
            TypeError: no Tensor, or one of no dimensions.
            IndexError: the axis is out of range.
            ValueError: elements of `x` share memory.
        """
        if not isinstance(x, Tensor) or not x.ndim:
            raise TypeError(f"shuffle: a Tensor of one dimension or more is put in order, not {x!r}")
        axis_index("shuffle", axis, x.ndim)
        views.check_distinct("shuffle", x._view)
        self._check_home("shuffle", x)
        x[...] = self.permutation(x, axis)

    def choice(
        self,
        a: int | Tensor,
        size: Size = None,
        replace: bool = True,
        p: Sequence[float] | np.ndarray[Any, Any] | Tensor | None = None,
        axis: int = 0,
        shuffle: bool = True,
    ) -> Tensor:
        """Slices of a tensor taken at random, or integers below a number.

        Parameters:
            a: a Tensor, or an integer that stands for the integers below it.
            size: how many, as a shape; None is one, without a dimension of its own.
            replace: whether one may be taken several times.
            p: the chance of each; they are read on the host, so a Tensor is waited for. All equal by default.
            axis: of `a`.
            shuffle: False allows an order that is not random, which is no cheaper here.

        Raises:
            TypeError: an argument of another kind.
            IndexError: the axis is out of range.
            ValueError: nothing to take, too little to take without `replace`, or chances that are not as many,
                not of 0 or more, or do not sum to 1.
        """
        shape = _shape("choice", size)
        if isinstance(a, Tensor) and a.ndim:
            along = axis_index("choice", axis, a.ndim)
            self._check_home("choice", a)
            places = self._places(a.shape[along], shape, replace, p)
            return take(a, places, axis=along)
        n = integer_parameter("choice", "a", a)
        if n < 0:
            raise ValueError(f"choice: there are no integers from 0 to below {n}")
        return self._places(n, shape, replace, p)

    def _places(self, n: int, shape: tuple[int, ...], replace: bool, p: Any) -> Tensor:
        wanted = prod(shape)
        chances = None if p is None else _chances(p, n)
        if not n and wanted:
            raise ValueError("choice: there is nothing to take")
        if replace or not wanted:
            if chances is None:
                return self.integers(max(n, 1), size=shape)
            sums = from_numpy(_thresholds(chances), dtypes.int64, self._device)
            return self._run("random_choice", [*self._words(wanted), sums], shape)
        there = n if chances is None else int(np.count_nonzero(chances))
        if wanted > there:
            raise ValueError(f"choice: {wanted} of {there} cannot be taken without replacement")
        order = self._order(n) if chances is None else self._weighted_order(chances)
        return order[:wanted].reshape(shape)

    def _weighted_order(self, chances: np.ndarray[Any, Any]) -> Tensor:
        """The order in which places are drawn one after the other, each by its chance among those that are left.

        That is the order of exponential waiting times whose means are the chances' inverses.
        """
        rates = from_numpy(chances, dtypes.float64, self._device)
        return argsort(self._exponential(chances.shape, dtypes.float64) / rates)

    def _check_home(self, function: str, x: Tensor) -> None:
        if x.device != self._device:
            raise ValueError(f"{function}: a tensor on {x.device} for a generator on {self._device}")


def _restored(seed: Any, device: Device, state: dict[str, Any]) -> Generator:
    made = Generator(seed, device=device)
    made.set_state(state)
    return made


# Arguments


def _shape(function: str, size: Size) -> tuple[int, ...]:
    return () if size is None else shape_parameter(function, size)


def _floating(function: str, dtype: Any) -> DType:
    chosen = promotion.default_float() if dtype is None else dtypes.of(dtype)
    if chosen.kind != "f":
        raise TypeError(f"{function}: the dtype must be a real floating one, not {chosen}")
    return chosen


def _computed_in(dtype: DType) -> DType:
    """The dtype in which a distribution's numbers are worked out before they are rounded, once."""
    return dtypes.float64 if dtype is dtypes.float64 else dtypes.float32


def _limits(dtype: DType) -> tuple[int, int]:
    if dtype.kind == "b":
        return 0, 1
    info = np.iinfo(dtype.dtype)
    return int(info.min), int(info.max)


def _real(function: str, name: str, value: Any) -> Parameter:
    """A parameter of a distribution."""
    if isinstance(value, Tensor):
        if value.dtype.kind == "c":
            raise TypeError(f"{function}: {name} must be real; it is a tensor of {value.dtype}")
        return value
    number = value.item() if isinstance(value, np.generic) else value
    if not isinstance(number, bool | int | float):
        raise TypeError(f"{function}: {name} must be a real number or a Tensor, not {value!r}")
    return float(number)


def _positive(function: str, scale: Any) -> Parameter:
    known = _real(function, "scale", scale)
    if not isinstance(known, Tensor) and known < 0:
        raise ValueError(f"{function}: scale is {scale}; it cannot be negative")
    return known


def _as_parameter(value: Parameter, dtype: DType) -> Any:
    return value.astype(dtype) if isinstance(value, Tensor) and value.dtype is not dtype else value


def _parameters_shape(function: str, size: Size, *parameters: Parameter) -> tuple[int, ...]:
    """The shape of a draw for parameters that may be tensors."""
    given = [one.shape for one in parameters if isinstance(one, Tensor)]
    if size is None:
        return shapes.broadcast(function, *given) if given else ()
    wanted = _shape(function, size)
    if shapes.broadcast(function, wanted, *given) != wanted:
        raise ValueError(f"{function}: parameters of shapes {given} do not broadcast to size {wanted}")
    return wanted


def _chances(p: Any, n: int) -> np.ndarray[Any, Any]:
    """Chances as float64 on the host, checked."""
    chances = np.asarray(p.numpy() if isinstance(p, Tensor) else p)
    if chances.dtype.kind not in "biuf" and chances.dtype.name != dtypes.bfloat16.name:
        raise TypeError(f"choice: p must be real numbers, not {p!r}")
    chances = chances.astype(np.float64)
    if chances.shape != (n,):
        raise ValueError(f"choice: p must hold {n} chances; its shape is {chances.shape}")
    if not (chances >= 0).all():
        raise ValueError("choice: p must hold numbers of 0 or more")
    if abs(float(chances.sum()) - 1) > _CHANCE_TOLERANCE:
        raise ValueError(f"choice: p must sum to 1; it sums to {chances.sum()}")
    return chances


def _thresholds(chances: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The sums of the chances in the unit of `random_choice`; the last is the whole."""
    sums = np.cumsum(chances)
    return np.floor(sums / sums[-1] * _WHOLE_CHANCE).astype(np.int64)
