"""Random numbers, with the names of `numpy.random`: generators, and functions that draw from a device's own one.

generator = at.random.default_rng(7)
x = generator.normal(size=(2, 3))

at.random.seed(7)
y = at.random.uniform(-1, 1, size=5)
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import wraps
from inspect import signature
from typing import Any, Concatenate, ParamSpec, TypeVar

from .generator import Generator, Seed
from .runtime.device import Device
from .runtime.device import device as device_of

__all__ = [
    "Generator",
    "choice",
    "default_generator",
    "default_rng",
    "exponential",
    "get_state",
    "initial_seed",
    "integers",
    "normal",
    "permutation",
    "random",
    "seed",
    "set_state",
    "shuffle",
    "standard_exponential",
    "standard_normal",
    "uniform",
]

Place = Device | str | None
_P = ParamSpec("_P")
_R = TypeVar("_R")

_of_device: dict[Device, Generator] = {}
_common_seed: Seed = None
_lock = threading.Lock()


def default_rng(seed: Seed | Generator = None, *, device: Place = None) -> Generator:
    """A new generator.

    Parameters:
        seed: as of `Generator`; a Generator is given back as it is.
        device: where it makes its numbers; by default the current device.

    Raises:
        TypeError: the seed is no seed.
        ValueError: a negative seed; no such device, or not the one of a Generator that is given.
    """
    if not isinstance(seed, Generator):
        return Generator(seed, device=device)
    if device is not None and device_of(device) != seed.device:
        raise ValueError(f"default_rng: a generator on {seed.device} does not make numbers on {device_of(device)}")
    return seed


def default_generator(device: Place = None) -> Generator:
    """The generator that a device has by itself, from which this module's functions draw; all threads share it.

    Parameters:
        device: by default the current one.

    Raises:
        ValueError: there is no such device.
    """
    where = device_of(device)
    with _lock:
        if where not in _of_device:
            _of_device[where] = Generator(_common_seed, device=where)
        return _of_device[where]


def seed(seed: Seed = None, *, device: Place = None) -> None:
    """Let the default generator begin anew.

    Parameters:
        seed: as of `Generator`.
        device: whose generator; by default those of all devices.

    Raises:
        TypeError, ValueError: no seed, or no such device.
    """
    global _common_seed
    if device is not None:
        default_generator(device).seed(seed)
        return
    checked = Generator(seed).initial_seed()
    with _lock:
        _common_seed = checked
        for generator in _of_device.values():
            generator.seed(checked)


def initial_seed(device: Place = None) -> Any:
    """The seed of a device's default generator; see `Generator.initial_seed`."""
    return default_generator(device).initial_seed()


def get_state(device: Place = None) -> dict[str, Any]:
    """Where a device's default generator stands; see `Generator.get_state`."""
    return default_generator(device).get_state()


def set_state(state: dict[str, Any], device: Place = None) -> None:
    """Take a device's default generator to where it stood; see `Generator.set_state`."""
    default_generator(device).set_state(state)


def _by_default(method: Callable[Concatenate[Generator, _P], _R]) -> Callable[_P, _R]:
    """A method of the current device's default generator, as a function."""

    @wraps(method)
    def function(*arguments: _P.args, **named: _P.kwargs) -> _R:
        return method(default_generator(), *arguments, **named)

    _, *parameters = signature(method).parameters.values()
    function.__signature__ = signature(method).replace(parameters=parameters)  # type: ignore[attr-defined]
    function.__qualname__ = method.__name__
    function.__module__ = __name__
    return function


choice = _by_default(Generator.choice)
exponential = _by_default(Generator.exponential)
integers = _by_default(Generator.integers)
normal = _by_default(Generator.normal)
permutation = _by_default(Generator.permutation)
random = _by_default(Generator.random)
shuffle = _by_default(Generator.shuffle)
standard_exponential = _by_default(Generator.standard_exponential)
standard_normal = _by_default(Generator.standard_normal)
uniform = _by_default(Generator.uniform)
