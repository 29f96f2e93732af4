"""Random calls end in a code or an exception, never in a crash or a hang."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from ascendtensor.embedded import process_memory

needs_kernel_copies = pytest.mark.skipif(process_memory._copy is None, reason="the kernel makes no such copies here")
FUZZING = Path(__file__).with_name("fuzzing.py")


def fuzz(examples: int, steps: int, timeout: int) -> None:
    command = [sys.executable, str(FUZZING), str(examples), str(steps)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=timeout, check=False)
    assert done.returncode == 0, done.stderr[-6000:]


@needs_kernel_copies
def test_a_few_thousand_random_calls():
    fuzz(25, 20, timeout=300)


@pytest.mark.long
@needs_kernel_copies
def test_a_hundred_thousand_random_calls():
    fuzz(400, 60, timeout=3000)
