"""Measure every case on the device and on NumPy, in turn, and print the ratios of the medians."""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

import ascendtensor as at

REPEATS = 9


class Case(NamedTuple):
    """One thing to measure: `body` takes a namespace and two arrays of it."""

    name: str
    body: Callable[[Any, Any, Any], Any]
    shape: tuple[int, ...]
    calls: int


CASES = [
    Case("a + b, 10 elements", lambda xp, a, b: a + b, (10,), 300),
    Case("a * 2.0, 10 elements", lambda xp, a, b: a * 2.0, (10,), 300),
    Case("exp(a), 10 elements", lambda xp, a, b: xp.exp(a), (10,), 300),
    Case("sum(a), 10 elements", lambda xp, a, b: xp.sum(a), (10,), 300),
    Case("a[1:5], 10 elements", lambda xp, a, b: a[1:5], (10,), 300),
    Case("reshape, 10 elements", lambda xp, a, b: xp.reshape(a, (5, 2)), (10,), 300),
    Case("a @ b, 8 x 8", lambda xp, a, b: a @ b, (8, 8), 300),
    Case("float(a[0]), 10 elements", lambda xp, a, b: float(a[0]), (10,), 100),
    Case("a + b, 10^6 elements", lambda xp, a, b: a + b, (10**6,), 5),
    Case("sum(a), 10^6 elements", lambda xp, a, b: xp.sum(a), (10**6,), 5),
    Case("a @ b, 512 x 512", lambda xp, a, b: a @ b, (512, 512), 3),
]


def seconds_a_call(case: Case, xp: Any, arrays: tuple[Any, Any], wait: Callable[[], object]) -> float:
    """The time of one call in a row of them, waiting included."""
    wait()
    start = time.perf_counter()
    for _ in range(case.calls):
        case.body(xp, *arrays)
    wait()
    return (time.perf_counter() - start) / case.calls


def measure(case: Case) -> tuple[float, float]:
    """The medians on the device and on NumPy, in seconds a call."""
    chance = np.random.default_rng(0)
    on_host = tuple(chance.standard_normal(case.shape).astype(np.float32) for _ in range(2))
    on_device = tuple(at.asarray(array) for array in on_host)
    ours: list[float] = []
    theirs: list[float] = []
    for _ in range(REPEATS + 1):
        ours.append(seconds_a_call(case, at, on_device, at.npu.synchronize))  # type: ignore[arg-type]
        theirs.append(seconds_a_call(case, np, on_host, lambda: None))  # type: ignore[arg-type]
    # The first round warms up.
    return statistics.median(ours[1:]), statistics.median(theirs[1:])


def main() -> None:
    """Print a line for each case."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("only", nargs="?", default="", help="measure the cases whose name holds this")
    wanted = parser.parse_args().only
    print(f"{at.runtime_info()['runtime']} runtime; medians of {REPEATS} rounds")
    print(f"{'':28}{'device, µs':>12}{'NumPy, µs':>12}{'ratio':>9}")
    for case in CASES:
        if wanted in case.name:
            ours, theirs = measure(case)
            print(f"{case.name:28}{ours * 1e6:12.2f}{theirs * 1e6:12.2f}{ours / theirs:9.1f}")


if __name__ == "__main__":
    main()
