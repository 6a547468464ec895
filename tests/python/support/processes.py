"""The commands, and tests in a process of their own: a signal, a fork or a hang shall not hurt the others."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from support.waiting import PATIENCE_S

__all__ = ["RENJU", "Output", "run_child", "run_named"]

RENJU = [sys.executable, "-m", "renju"]
# What a test reads of what a command printed in this process.
Output = pytest.CaptureFixture[str]

# The last line of a child that came to its end, and did not leave before.
_FINISHED = "child finished"


def run_child(script: str, name: str, *arguments: object, before: Sequence[str] = ()) -> None:
    """Runs a function of a test module, whose file is the script, in a process of its own. The module calls
    `run_named` if it is a script. `before` are the words of a command that starts the process."""
    command = [*before, sys.executable, script, name, *map(str, arguments)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True
    ) as process:
        try:
            output, _ = process.communicate(timeout=PATIENCE_S)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)  # its own children too: they hold the pipe
            output, _ = process.communicate()
            pytest.fail(f"{name} did not come to an end:\n{output}")
    assert process.returncode == 0, output
    assert output.endswith(f"{_FINISHED}\n"), output


def run_named(names: Mapping[str, Any]) -> None:
    """Calls the function that the first argument of the script names, with the other arguments."""
    names[sys.argv[1]](*sys.argv[2:])
    print(_FINISHED)
