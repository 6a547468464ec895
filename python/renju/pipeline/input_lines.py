"""The lines of an input, of which none is in memory that is too long for a game."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import IO

from renju._lines import bounded_lines
from renju.errors import FormatError
from renju.pipeline.records import BadRow

__all__ = ["TOO_LONG", "input_lines", "open_input", "text_lines"]

# A line longer than this is no game.
_MOST_LINE_BYTES = 1 << 20

_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")


def input_lines(path: str, opened: IO[bytes] | None) -> Iterator[tuple[int, bytes | None, int]]:
    """Number, bytes without the line end, and size of every line; of what is too long there are no bytes."""
    with open_input(path, opened) as file:
        for number, (line, size, is_whole) in enumerate(bounded_lines(file, _MOST_LINE_BYTES), 1):
            if number == 1 and line.startswith(_UTF16_MARKS):
                raise FormatError(f"{path}: this is UTF-16; UTF-8 is needed")
            yield number, line.rstrip(b"\r\n") if is_whole else None, size


def open_input(path: str, opened: IO[bytes] | None) -> AbstractContextManager[IO[bytes]]:
    """The open file itself, or else the file at the path; "-" is standard input."""
    if opened is not None:
        return nullcontext(opened)  # which its archive closes
    if path != "-":
        return Path(path).open("rb")
    if sys.stdin is None:
        raise OSError("there is no standard input")
    return nullcontext(sys.stdin.buffer)  # which is not ours to close


TOO_LONG = f"the line has more than {_MOST_LINE_BYTES} bytes"


def text_lines(path: str, file: IO[bytes] | None) -> Iterator[tuple[int, str, int] | BadRow]:
    """Number, text and size of every line; a bad row for what is too long, or no UTF-8."""
    for number, line, size in input_lines(path, file):
        if line is None:
            yield BadRow(path, number, TOO_LONG, size=size)
            continue
        try:
            yield number, line.decode("utf-8-sig" if number == 1 else "utf-8"), size
        except UnicodeDecodeError as error:
            yield BadRow(path, number, f"the line is not UTF-8: byte {error.start + 1}", size=size)
