"""The command line: `renju` = `python -m renju`."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module

from renju import RenjuError, __version__
from renju._exit_codes import BAD_INPUT, DONE, INTERRUPTED

__all__ = ["main"]

# The commands, in the order of `renju --help`; each has a module of this package.
_COMMANDS = (
    "show",
    "forbidden",
    "solve",
    "prove",
    "analyze",
    "review",
    "play",
    "board",
    "batch",
    "puzzles",
    "explore",
    "convert",
    "book",
    "match",
    "lab",
    "twincool",
    "jsonl",
    "gomocup",
    "bench",
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command and returns its exit code."""
    code = DONE
    try:
        words = sys.argv[1:] if arguments is None else arguments
        options = _parser(words).parse_args(words)
        code = int(options.run(options))
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        # The reader had enough; nothing more can be said to it, not even at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return code
    except (RenjuError, OSError, ValueError, MemoryError) as error:
        print(f"renju: {_text(error)}", file=sys.stderr)
        for note in getattr(error, "__notes__", ()):
            print(f"renju: {note}", file=sys.stderr)
        return BAD_INPUT
    except KeyboardInterrupt as error:
        print(f"renju: {str(error) or 'interrupted'}", file=sys.stderr)
        return INTERRUPTED


def _text(error: Exception) -> str:
    """What went wrong, for people."""
    if isinstance(error, OSError) and error.filename is not None and error.strerror:
        return f"{error.filename}: {error.strerror}"
    return str(error) or type(error).__name__


def _parser(words: Sequence[str]) -> argparse.ArgumentParser:
    """The parser of these words: with all commands, unless the first word names the one that is meant."""
    command = words[0] if words else ""
    parser = argparse.ArgumentParser(
        prog="renju",
        description="Exact and fast renju.",
        epilog="Exit codes: 0 done or proved, 1 refuted, 2 wrong input, 3 unknown (a limit came first), "
        "130 interrupted.",
    )
    parser.add_argument("--version", action="version", version=f"renju {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    for name in (command,) if command in _COMMANDS else _COMMANDS:
        # add_batch of renju.cli.batch, and so on.
        getattr(import_module(f"renju.cli.{name}"), f"add_{name}")(commands)
    return parser
