"""Waiting for what can be seen, so that a busy machine makes a test slow and never makes it fail.

No test sleeps until something has probably happened: it waits for a line, a file, an event, or a state of a
process. `PATIENCE_S` decides nothing but when a test that hangs is given up.
"""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable
from pathlib import Path

__all__ = ["PATIENCE_S", "cpu_s", "is_waiting", "wait_until"]

# Seconds. The time-out of pytest (pyproject.toml) is longer still, to let a test say what it waits for.
PATIENCE_S = 300.0
_LOOK_EVERY_S = 0.002


def wait_until(
    is_true: Callable[[], object],
    what: str = "what was waited for",
    process: subprocess.Popen[bytes] | subprocess.Popen[str] | None = None,
) -> None:
    """Waits until this holds, or the process has ended."""
    end = time.monotonic() + PATIENCE_S
    while not is_true() and (process is None or process.poll() is None):
        assert time.monotonic() < end, f"{what} did not happen in {PATIENCE_S:.0f} s"
        time.sleep(_LOOK_EVERY_S)


def _stat(task: str) -> list[str]:
    """The fields of /proc/TASK/stat after the name: the first is the state (man 5 proc_pid_stat)."""
    return Path(f"/proc/{task}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()


def is_waiting(pid: int) -> bool:
    """Does the main thread of a process wait in the kernel, for a line or for another thread? Linux only."""
    return _stat(f"{pid}/task/{pid}")[0] == "S"


def cpu_s(pid: int) -> float:
    """Seconds that all threads of a process have computed. Linux only."""
    fields = _stat(str(pid))
    return (int(fields[11]) + int(fields[12])) / 100
