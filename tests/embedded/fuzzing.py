"""Random calls over the whole of `acl`, in a process of its own: `python fuzzing.py EXAMPLES STEPS`.

A code or a Python exception comes back every time. A crash or a hang ends the process, which is what
`test_acl_fuzzing` looks for. Addresses are live ones, wild ones that nothing is mapped at, or of a region with
guards around it: a device would not survive a write to somebody else's memory either.
"""

from __future__ import annotations

import ctypes
import faulthandler
import sys
import warnings
from random import Random
from typing import Any

import numpy as np
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule, run_state_machine_as_test

from ascendtensor import embedded
from ascendtensor.embedded import memory, surface
from ops_registry.prototype import PROTOTYPES

# Functions that change what the process does beyond `acl`, or need more than random arguments to be harmless.
LEFT_OUT = {"acl.app_log"}
NAMES = sorted(surface.FUNCTIONS.keys() - LEFT_OUT)
CALLS_A_STEP = 20
# The place of a time limit in the arguments.
TIMED = {
    "acl.rt.process_report": 0,
    "acl.rt.synchronize_stream_with_timeout": 1,
    "acl.rt.synchronize_event_with_timeout": 1,
    "acl.rt.synchronize_device_with_timeout": 0,
    "acl.rt.wait_and_reset_notify": 2,
}
LIMITS = [-2, -1, 0, 1, 2, 3]

TOP = 2**64
HANDLES = range(0x5500_0000_0000, 0x5501_0000_0000)
REGION, GUARD = 2**16, 2**26

NUMBERS = [0, 1, 2, 3, 4, 5, 8, 10, 12, 27, 32, 63, 64, 65, 512, 4096, 65536, 2**21, -1, -2, 2**62, 2**63, TOP - 1, TOP]
WILD = [1, 0x1000, 0x7000_0000_0000, 0x6FFF_FFFF_F000, 0x00A0_0000_0000_0000 - 64, 0x00FF_FFFF_FFFF_FFF0, TOP - 4096]
TEXTS = ["", "x", "naïve", "no/such/path", "a\0b", *sorted({a for p in PROTOTYPES.values() for a in p.attrs})]
OP_TYPES = [*sorted(PROTOTYPES), "NoSuchOp"]


def guarded_region() -> int:
    """The address of memory that may be written, far from any other that is mapped."""
    libc = ctypes.CDLL(None, use_errno=True)
    libc.mmap.restype = ctypes.c_void_p
    libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
    libc.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
    private_anonymous, readable_writable = 0x22, 3
    start = libc.mmap(None, 2 * GUARD + REGION, 0, private_anonymous, -1, 0)
    assert libc.mprotect(start + GUARD, REGION, readable_writable) == 0
    return start + GUARD


REGION_START = guarded_region()


class Calls(RuleBasedStateMachine):
    """One machine: what calls give is what later calls are given."""

    def __init__(self) -> None:
        super().__init__()
        embedded.reset(soc="Ascend910B1", devices=2, memory_bytes=2**24)
        self.acl = embedded.acl_module()
        self.acl.rt.set_device(0)
        self.pool: list[int] = []
        self.threads: list[int] = []

    def keep(self, name: str, result: Any) -> None:
        if name == "acl.util.start_thread":
            self.threads.append(result[0])
            return
        items = result if isinstance(result, tuple | list) else (result,)
        self.pool += [item for item in items if type(item) is int and item >= 2**20]
        del self.pool[:-200]

    def harmless(self, number: int) -> bool:
        """Whether a number may stand for an address: not one of memory that has another owner by now."""
        return not memory.is_host(number) or number in HANDLES or number in memory.PINNED.blocks

    def number(self, random: Random) -> int:
        kind = random.randrange(10)
        known = [number for number in self.pool if self.harmless(number)]
        if known and kind < 6:
            return random.choice(known[::-1])
        if known and kind == 6:
            # Inside a block, or past it; never past one of the host's, where others begin.
            number = random.choice(known[::-1])
            return number + random.choice([1, 32, 64, 4096]) if not memory.is_host(number) else number
        if kind == 7:
            return REGION_START + random.choice([0, 1, 64, REGION - 1, REGION, -1])
        return random.choice(WILD if kind == 8 else NUMBERS)

    def object(self, random: Random) -> Any:
        kind = random.randrange(10)
        if kind == 0:
            return [random.choice(NUMBERS) for _ in range(random.randrange(4))]
        if kind == 1:
            return [[0, 5], [1, -1]]
        return [
            None,
            lambda *args: None,
            b"some bytes",
            np.arange(6, dtype=np.int32).reshape(2, 3).T,
            np.zeros(4096),
            {"attrs": [], "numAttrs": 0, "location": {"id": 0, "type": 1}, "dims": [1], "dimCount": 1},
            (2, 3),
            [1.5, 2.5],
        ][kind - 2]

    def argument(self, random: Random, letter: str) -> Any:
        if random.randrange(40) == 0:
            return random.choice([None, 1.5, "x", b"x", [], (), {}, np.int64(3), True])
        if letter == "s":
            return random.choice(OP_TYPES if random.random() < 0.5 else TEXTS)
        if letter == "f":
            return random.choice([0.0, -1.5, 1e30, float("inf"), float("nan"), 7])
        if letter == "P":
            return [self.number(random) for _ in range(random.randrange(4))]
        if letter == "D":
            return random.choices([0, 1, 2, 3, 4, -1, -2, 2**40, 2**62], k=random.randrange(5))
        if letter == "O":
            return self.object(random)
        if letter in "iIhHbBlL":
            return random.choice([0, 1, 2, 3, 4, 9, 12, 27, -1, 255, 2**15, 2**31 - 1, 2**32])
        return self.number(random)

    @rule(seed=st.integers(0, 2**64))
    def call(self, seed: int) -> None:
        # Hypothesis chooses the order of things; what fits together is found by many plain random calls.
        random = Random(seed)
        for _ in range(CALLS_A_STEP):
            self.call_one(random, random.choice(NAMES))

    def call_one(self, random: Random, name: str) -> None:
        letters = surface.FORMATS[name].replace("|", "")
        arguments = [self.argument(random, letter) for letter in letters]
        if name in TIMED:
            arguments[TIMED[name]] = random.choice(LIMITS)
        if name == "acl.util.stop_thread" and self.threads:
            arguments = [self.threads.pop()]
        try:
            result = surface.FUNCTIONS[name](*arguments)
        except (TypeError, ValueError, KeyError, RuntimeError, MemoryError, SystemError):
            return
        self.keep(name, result)

    @rule(size=st.sampled_from([1, 64, 300]))
    def add(self, size: int) -> None:
        """An operator that runs, on buffers that other calls may spoil before it does."""
        address, code = self.acl.rt.malloc(4 * size, 0)
        if code:
            return
        desc = self.acl.create_tensor_desc(0, [size], 2)
        buffer = self.acl.create_data_buffer(address, 4 * size)
        self.pool += [address, desc, buffer]
        result = self.acl.op.execute_v2("Add", [desc, desc], [buffer, buffer], [desc], [buffer], 0, 0)
        assert type(result) is int

    @rule()
    def wait(self) -> None:
        assert type(self.acl.rt.synchronize_device()) is int

    def teardown(self) -> None:
        self.acl.rt.reset_device_force(0)


def main(examples: int, steps: int) -> None:
    """Make that many machines, with that many calls each."""
    faulthandler.enable()
    warnings.simplefilter("ignore")
    run_state_machine_as_test(
        Calls,
        settings=settings(
            max_examples=examples,
            stateful_step_count=steps,
            deadline=None,
            database=None,
            derandomize=True,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        ),
    )


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
