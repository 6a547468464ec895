"""Lines as they come from a file or a pipe: bounded, and perhaps no text at all."""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO, AnyStr

from renju import _lines
from renju._request import RequestError

__all__ = ["MOST_LINE", "bounded_lines", "text_of"]

# Characters or bytes of a line, without its end; a long query has a few thousand.
MOST_LINE = 1_000_000

# What JSON takes for white space.
_SPACE = " \t\r\n"


def bounded_lines(file: IO[AnyStr]) -> Iterator[AnyStr]:
    """The lines of a file. Of one that is too long there is only the beginning, which is still too long."""
    for line, _, _ in _lines.bounded_lines(file, MOST_LINE + 2):
        yield line


def text_of(line: str | bytes, number: int) -> str:
    """The text of a line without white space at its ends; `RequestError` if it is too long or no text."""
    length = len(line.rstrip(b"\r\n") if isinstance(line, bytes) else line.rstrip("\r\n"))
    if length > MOST_LINE:
        raise RequestError(f"the line is longer than {MOST_LINE:,} bytes")
    if isinstance(line, bytes):
        try:
            line = line.decode("utf-8")
        except UnicodeDecodeError as error:
            raise RequestError("this is not UTF-8", column=error.start + 1) from None
    if number == 1:
        line = line.removeprefix("\ufeff")  # some editors begin a file so
    return line.strip(_SPACE)
