"""Waiting for what can be seen, so that a busy machine makes a test slow and never makes it fail.

No test sleeps until something has probably happened: it waits for a line, a file, an event, a state of a
thread or of a process, or for work that was done, which is counted in seconds of CPU and not of the clock.
`PATIENCE_S` decides nothing but when a test that hangs is given up.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

__all__ = [
    "PATIENCE_S",
    "CpuClock",
    "after_work",
    "holds_much",
    "is_idle",
    "is_waiting",
    "run_code",
    "signal_after_work",
    "wait_until",
    "waits_for_another",
]

# Seconds. The time-out of pytest (pyproject.toml) is longer still, to let a test say what it waits for.
PATIENCE_S = 300.0
_LOOK_EVERY_S = 0.002

Process = subprocess.Popen[bytes] | subprocess.Popen[str]


def wait_until(
    is_true: Callable[[], object], process: Process | None = None, what: str = "what was waited for"
) -> None:
    """Waits until this holds, or the process has ended."""
    end = time.monotonic() + PATIENCE_S
    while not is_true() and (process is None or process.poll() is None):
        assert time.monotonic() < end, f"{what} did not happen in {PATIENCE_S:.0f} s"
        time.sleep(_LOOK_EVERY_S)


def run_code(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs Python code, which may import the helpers of the tests, in a process of its own."""
    command = [sys.executable, "-c", code, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S)
    assert done.returncode == 0, done.stdout + done.stderr
    return done


# Work


class CpuClock:
    """The seconds of CPU that all threads of this process, or of another one, have used from now on.

    For another process it is read from /proc, in hundredths of a second: Linux only.
    """

    def __init__(self, process: Process | None = None) -> None:
        self._pid = None if process is None else process.pid
        self._start = self._used()

    def _used(self) -> float:
        if self._pid is None:
            return time.process_time()
        fields = _stat(f"{self._pid}")
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def seconds(self) -> float:
        return self._used() - self._start

    def wait(self, seconds: float) -> None:
        """Waits until so much work was done."""
        wait_until(lambda: self.seconds() >= seconds, what=f"{seconds} s of work")


def after_work(seconds: float, action: Callable[[], object]) -> threading.Thread:
    """Calls the action from another thread, once this process has worked so long from now on."""
    clock = CpuClock()

    def wait_and_act() -> None:
        clock.wait(seconds)
        action()

    thread = threading.Thread(target=wait_and_act, daemon=True)
    thread.start()
    return thread


def signal_after_work(seconds: float, number: int = signal.SIGINT) -> list[CpuClock]:
    """Sends this process a signal from another thread, once it has worked so long from now on; the list gets
    a clock that starts when that happens."""
    sent: list[CpuClock] = []

    def send() -> None:
        sent.append(CpuClock())
        os.kill(os.getpid(), number)

    after_work(seconds, send)
    return sent


# States of threads and processes


def waits_for_another(thread: threading.Thread) -> bool:
    """Does a thread of this process wait for a condition or an event?"""
    frame = sys._current_frames().get(thread.ident or 0)
    return frame is not None and frame.f_code is threading.Condition.wait.__code__


def _stat(task: str) -> list[str]:
    """The fields of /proc/TASK/stat behind the name; the first is the state (man 5 proc_pid_stat)."""
    return Path(f"/proc/{task}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()


def is_waiting(process: Process) -> bool:
    """Does the main thread of a process wait in the kernel, as for a line? Linux only."""
    return _stat(f"{process.pid}/task/{process.pid}")[0] == "S"


def is_idle(process: Process) -> bool:
    """Do all threads of a process wait? Linux only."""
    tasks = Path(f"/proc/{process.pid}/task").iterdir()
    return all(_stat(f"{process.pid}/task/{task.name}")[0] == "S" for task in tasks)


def holds_much(pipe: int) -> bool:
    """Is a pipe, whose end this is, at least half full? More there may not be: no line is split between two
    pages. Linux only."""
    import fcntl
    import termios

    unread = int.from_bytes(fcntl.ioctl(pipe, termios.FIONREAD, bytes(4)), sys.byteorder)
    return unread > fcntl.fcntl(pipe, fcntl.F_GETPIPE_SZ) // 2
