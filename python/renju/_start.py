"""Where the installed programs begin: `renju`, `python -m renju` and `pbrain-renju`.

A program hears Ctrl-C before it imports anything large, which takes most of its start. The first hundredths
of a second, until Python has come to `_run`, are Python's: Ctrl-C there kills the process, with a traceback
or without one.
"""

import os
import signal
import sys
import warnings

from renju._exit_codes import INTERRUPTED

TYPE_CHECKING = False  # that of `typing`, which is large

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import NoReturn, TextIO

__all__ = ["command_line", "gomocup"]


def command_line() -> "NoReturn":
    """`renju` and `python -m renju`."""
    _run(_command_line)


def gomocup() -> "NoReturn":
    """`pbrain-renju`."""
    _run(_gomocup)


def _command_line() -> "Callable[[], int]":
    from renju.cli import main

    # A terminal that cannot show 花月 shows its code instead.
    sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    warnings.showwarning = _warn
    return main


def _warn(
    message: "Warning | str",
    category: type[Warning],
    filename: str,
    lineno: int,
    file: "TextIO | None" = None,
    line: str | None = None,
) -> None:
    """What a warning looks like on the command line: without the place in the code."""
    print(f"renju: warning: {message}", file=sys.stderr)


def _gomocup() -> "Callable[[], int]":
    from renju.protocol import main

    return main


def _run(load: "Callable[[], Callable[[], int]]") -> "NoReturn":
    """Loads a program and ends with the exit code that it returns."""
    # Whoever started us with Ctrl-C ignored, as a shell does in the background, is obeyed.
    is_heard = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if is_heard:
        signal.signal(signal.SIGINT, _leave)
    main = load()
    try:
        if is_heard:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        code = main()
    except KeyboardInterrupt:
        _leave()
    # `python -m` remembers a KeyboardInterrupt that passed through an `exec` of text, such as dataclasses are
    # made by, and ends by the signal, not with the code, also if it was caught. The next `exec` forgets it.
    exec("")
    sys.exit(code)


def _leave(*_: object) -> "NoReturn":
    """Ends the process at once, which is right while nothing has begun that has an end of its own.

    Python's own KeyboardInterrupt would not do: raised inside a weak reference's callback, of which imports
    have many, it is printed and lost.
    """
    try:
        os.write(2, b"renju: interrupted\n")
    finally:
        os._exit(INTERRUPTED)
