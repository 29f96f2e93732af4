"""Tensors and processes: spawned ones take tensors, forked ones are told what to do instead."""

from __future__ import annotations

from pathlib import Path

from .processes import said

FORKED = """
import os, sys
import ascendtensor as at

x = at.ones((3,)) + 1
child = os.fork()
if child == 0:
    uses = [lambda: x.numpy(), lambda: x + 1, lambda: at.zeros((5,)), lambda: at.npu.synchronize(), at.npu.device_count]
    told = 0
    for use in uses:
        try:
            use()
        except RuntimeError as error:
            told += "spawn" in str(error)
    del x
    sys.exit(told != len(uses))
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
print(x.tolist())
"""

FORKED_EARLY = """
import os, sys
import ascendtensor as at

child = os.fork()
values = (at.ones((3,)) + 1).tolist()
if child == 0:
    sys.exit(values != [2.0, 2.0, 2.0])
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
print(values)
"""

SPAWNED = """
import multiprocessing
import ascendtensor as at

def double(given, results):
    results.put(given.get() * 2)

if __name__ == "__main__":
    context = multiprocessing.get_context("spawn")
    given, results = context.Queue(), context.Queue()
    given.put(at.arange(4, dtype=at.int16)[::-1])
    process = context.Process(target=double, args=(given, results))
    process.start()
    doubled = results.get(timeout=60)
    process.join()
    assert process.exitcode == 0 and doubled.dtype == at.int16
    print(doubled.tolist())
"""


def test_a_forked_process_is_told_to_spawn_and_its_parent_is_unharmed(tmp_path: Path) -> None:
    assert said(FORKED, tmp_path, ASCENDTENSOR_RUNTIME="embedded") == "[2.0, 2.0, 2.0]"


def test_a_fork_before_the_first_use_works(tmp_path: Path) -> None:
    assert said(FORKED_EARLY, tmp_path, ASCENDTENSOR_RUNTIME="embedded") == "[2.0, 2.0, 2.0]"


def test_tensors_go_to_spawned_processes_and_back(tmp_path: Path) -> None:
    (tmp_path / "spawning.py").write_text(SPAWNED)
    program = "import runpy; runpy.run_path('spawning.py', run_name='__main__')"
    assert said(program, tmp_path, ASCENDTENSOR_RUNTIME="embedded") == "[6, 4, 2, 0]"
