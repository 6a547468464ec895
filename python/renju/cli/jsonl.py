"""`renju jsonl`: many questions at once, one JSON object a line."""

from __future__ import annotations

import argparse
import io
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from renju import Limit
from renju._exit_codes import BAD_INPUT, DONE, INTERRUPTED
from renju.cli.arguments import count
from renju.config import LEVELS

if TYPE_CHECKING:
    from renju.jsonl import Server

__all__ = ["add_jsonl"]


def add_jsonl(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """The command `jsonl`."""
    jsonl = commands.add_parser("jsonl", help="answer many questions, one JSON object a line")
    jsonl.add_argument("file", nargs="?", default="-", help="queries; - reads stdin (default %(default)s)")
    jsonl.add_argument(
        "--threads",
        type=count(1024),
        default=0,
        metavar="N",
        help="queries at a time (default: one per core)",
    )
    jsonl.add_argument(
        "--level", choices=LEVELS, default="hard", help="of queries that name none (default %(default)s)"
    )
    jsonl.add_argument(
        "--hash",
        type=count(2**31),
        default=64,
        metavar="MB",
        help="memory of an engine, of which there are two a thread (default %(default)s)",
    )
    jsonl.add_argument("--time", type=float, metavar="S", help="most seconds for queries without a limit")
    jsonl.add_argument(
        "--nodes", type=count(2**62), metavar="N", help="most positions for queries without a limit"
    )
    jsonl.set_defaults(run=_jsonl)


def _jsonl(options: argparse.Namespace) -> int:
    from renju.jsonl import Server, bounded_lines

    limit = Limit(options.time, options.nodes)
    file = _input(options.file)
    server = Server(_say, threads=options.threads, level=options.level, hash_mb=options.hash, limit=limit)
    try:
        with _terminated_like_interrupted(), server:
            server.serve(bounded_lines(file))
    except BaseException as error:
        _leave_if_busy(server, error)
        raise
    _leave_if_busy(server, None)
    # Only now: the thread that reads would not let go of it.
    file.close()
    return DONE


def _leave_if_busy(server: Server, error: BaseException | None) -> None:
    """Ends the process at once if a worker writes to somebody who does not read: it would meet an interpreter
    that is gone."""
    if not server.is_busy:
        return
    if error is None or isinstance(error, BrokenPipeError):
        os._exit(DONE)
    is_interrupted = isinstance(error, KeyboardInterrupt)
    print(f"renju: {'interrupted' if is_interrupted else error}", file=sys.stderr, flush=True)
    os._exit(INTERRUPTED if is_interrupted else BAD_INPUT)


def _say(text: str) -> None:
    try:
        sys.stdout.write(f"{text}\n")
        sys.stdout.flush()
    except ValueError as error:  # it is closed
        raise BrokenPipeError("nobody reads the answers") from error


def _input(name: str) -> IO[Any]:
    if name != "-":
        return Path(name).open("rb")
    if sys.stdin is None:
        raise OSError("there is no standard input")
    if sys.stdin.isatty():
        print('renju: one query a line, such as {"id": 1, "moves": "h8i9"}; Ctrl-D ends', file=sys.stderr)
    try:
        number = sys.stdin.fileno()
    except io.UnsupportedOperation:  # text of a program that calls us
        return sys.stdin
    # A file of our own: at exit the interpreter would want sys.stdin from the thread that reads it.
    return open(number, "rb", closefd=False)


@contextmanager
def _terminated_like_interrupted() -> Iterator[None]:
    """A SIGTERM is a Ctrl-C."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
