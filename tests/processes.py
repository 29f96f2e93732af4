"""Programs in processes of their own: for what a process decides once, such as the chip, and for its end."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

__all__ = ["run", "said"]

ROOT = Path(__file__).parent.parent


def run(code: str, tmp_path: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a program in a process of its own, with no other environment than this. Warnings are errors."""
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        env={"PATH": "/usr/bin:/bin", "PYTHONPATH": f"{tmp_path}:{ROOT}", **environment},
    )


def said(code: str, tmp_path: Path, **environment: str) -> str:
    """What a program prints that runs without an error."""
    done = run(code, tmp_path, **environment)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout.strip()
