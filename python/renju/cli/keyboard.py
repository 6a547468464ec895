"""What somebody types while a command runs."""

from __future__ import annotations

import sys
from contextlib import suppress

from renju._lines import bounded_lines

__all__ = ["check_input", "read_line"]

# Characters of a line that somebody types; what is longer is no such thing.
_MOST_CHARACTERS = 1_000_000


def check_input() -> None:
    """`OSError` if nobody can type anything."""
    if sys.stdin is None:
        raise OSError("there is no standard input")


def read_line(prompt: str) -> str | None:
    """The next line, None at the end of the input; nobody is asked who cannot read the question."""
    sys.stdout.flush()
    if not sys.stdin.isatty():
        return next((line for line, _, _ in bounded_lines(sys.stdin, _MOST_CHARACTERS)), None)
    with suppress(ImportError):
        import readline  # noqa: F401  # gives `input` its line editing
    try:
        return input(prompt)
    except EOFError:
        print()
        return None
    except KeyboardInterrupt:
        print()
        raise
