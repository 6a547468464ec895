"""Where the installed programs begin: `renju`, `python -m renju` and `pbrain-renju`.

A program hears Ctrl-C before it imports anything large, which takes most of its start. The first hundredths
of a second, until Python has come to `_run`, are Python's: Ctrl-C there kills the process, with a traceback
or without one.
"""

import _thread
import os
import signal
import sys
import time
import warnings

from renju._exit_codes import BAD_INPUT, INTERRUPTED

TYPE_CHECKING = False  # that of `typing`, which is large

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType
    from typing import NoReturn, TextIO

__all__ = ["command_line", "gomocup"]

_IMPORT = "<frozen importlib._bootstrap>"
_RETRY_SECONDS = 0.005


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
    try:
        from renju import _whole  # noqa: F401  # raises if files of ours are missing
    except ImportError as error:
        print(f"renju: error: {error}", file=sys.stderr)
        sys.exit(BAD_INPUT)
    main = load()
    interrupt = _Interrupt()
    try:
        if is_heard:
            signal.signal(signal.SIGINT, interrupt)
        code = main()
    except KeyboardInterrupt:
        _leave()
    if interrupt.is_put_off:
        _leave()
    # `python -m` remembers a KeyboardInterrupt that passed through an `exec` of text, such as dataclasses are
    # made by, and ends by the signal, not with the code, also if it was caught. The next `exec` forgets it.
    exec("")
    sys.exit(code)


class _Interrupt:
    """Hears Ctrl-C and raises KeyboardInterrupt, during an import a moment later.

    A command imports what it needs once it runs, and what is raised there may be lost: Python prints and
    forgets what a weak reference's callback raises, and makes a RuntimeError of what `__set_name__` raises.
    """

    def __init__(self) -> None:
        self.is_put_off = False

    def __call__(self, _: int, frame: "FrameType | None") -> None:
        self.is_put_off = _is_importing(frame)
        if not self.is_put_off:
            raise KeyboardInterrupt
        _thread.start_new_thread(self._again, (_thread.get_ident(),))

    @staticmethod
    def _again(thread: int) -> None:
        time.sleep(_RETRY_SECONDS)
        if sys.platform == "win32":
            _thread.interrupt_main()
        else:
            signal.pthread_kill(thread, signal.SIGINT)  # unlike the other, ends a system call that waits


def _is_importing(frame: "FrameType | None") -> bool:
    """Whether a frame of a program belongs to an import that the program began."""
    while frame is not None and frame.f_code is not _run.__code__:
        if frame.f_code.co_filename == _IMPORT:
            return True
        frame = frame.f_back
    return False


def _leave(*_: object) -> "NoReturn":
    """Ends the process at once, which is right while nothing has begun that has an end of its own."""
    try:
        os.write(2, b"renju: interrupted\n")
    finally:
        os._exit(INTERRUPTED)
