"""Lines of files and pipes, of which none is ever in memory that is longer than it may be."""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO, AnyStr

__all__ = ["bounded_lines"]


def bounded_lines(file: IO[AnyStr], most: int) -> Iterator[tuple[AnyStr, int, bool]]:
    """Every line with its end, its length, and whether it is whole. Of one that is longer than `most` bytes
    or characters, its end included, only the first `most` are told; the rest is read and forgotten."""
    while line := file.readline(most):
        length = len(line)
        is_whole = length < most or _is_ended(line)
        rest = line
        while not is_whole and not _is_ended(rest) and (rest := file.readline(most)):
            length += len(rest)
        yield line, length, is_whole


def _is_ended(line: AnyStr) -> bool:
    return line[-1] in ("\n", ord("\n"))
