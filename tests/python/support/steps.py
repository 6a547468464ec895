"""Processes that are ended, or disturbed, at a certain step of what they do to files."""

from __future__ import annotations

import errno
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

WATCHED = {"open", "os.rename", "os.remove", "os.mkdir", "os.rmdir"}


# Exit codes of a process that came to its end, and of one that did so before the step it should act at.
FAILED, TOO_SHORT = 3, 5


def at_step(step: int, act: Callable[[], None], run: Callable[[], object]) -> None:
    """Runs, and acts just before this step: a change to a file of the run, or a flush to the disk."""
    left = [step]
    home = str(Path.cwd())

    def take() -> None:
        left[0] -= 1
        if left[0] == 0:
            act()

    def hook(event: str, args: tuple[Any, ...]) -> None:
        is_change = event in WATCHED and not (event == "open" and args[2] & os.O_ACCMODE == os.O_RDONLY)
        if is_change and not isinstance(args[0], int):
            path = os.fsdecode(args[0])
            if not path.startswith("/") or path.startswith(home):
                take()

    sys.addaudithook(hook)
    os.fsync = lambda _: take()  # and no more: the machine itself does not die
    try:
        run()
    except OSError as error:
        os._exit(FAILED if error.errno == errno.ENOSPC else 1)
    os._exit(TOO_SHORT if left[0] > 0 else 0)


def in_fork(work: Callable[[], object]) -> int:
    """The exit code; the number of a signal is negative."""
    process = os.fork()
    if process == 0:
        code = 1
        try:
            work()
            code = 0
        except BaseException as error:
            print(f"in a fork: {error!r}", flush=True)
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])


def kill_self() -> None:
    os.kill(os.getpid(), signal.SIGKILL)
