"""Texts that people paste: moves in the spellings of forums, books and programs."""

from __future__ import annotations

import re
from unicodedata import normalize

from renju._types import BOARD_SIZE
from renju.io import links

__all__ = ["plain_moves"]

# "1. h8", "1) h8", "1: h8" and "(1) h8" number a move; so does a bare number before a letter.
_NUMBER = re.compile(
    r"(?<![\w.,])\(?\d{1,3}\s*[.):、]\s*(?=[a-o(\d]|pass|--)|(?<![\w.,-])\d{1,3}\s+(?=[a-o]\d)", re.IGNORECASE
)
# "8,8", "(8, 8)" and "[8;8]": the column from the left, then the row from below.
_PAIR = re.compile(r"[(\[]?\s*(\d{1,2})\s*[,;]\s*(\d{1,2})\s*[)\]]?")
_BETWEEN = re.compile(r"[\s,;|/>→-]*")
_MOST_CHARACTERS = 100_000


def plain_moves(text: str) -> str:
    """The same moves as ``h8 i9``, where a line has them in another spelling; other lines stay as they are.

    Pairs of numbers are a column from the left and a row from below; they begin with 1, or with 0 where a
    line has a 0.

    >>> plain_moves("1. h8 2. i9 3. g7")
    'h8 i9 g7'
    >>> plain_moves("8,8 9,9 (7, 7)")
    'h8 i9 g7'
    >>> plain_moves("7,7 0,14")
    'h8 a15'
    >>> plain_moves("h8 i9 says who?")
    'h8 i9 says who?'
    """
    if len(text) > _MOST_CHARACTERS:
        return text
    return "\n".join(line if links.is_link(line) else _line(line) for line in text.split("\n"))


def _line(line: str) -> str:
    text = normalize("NFKC", line).strip()
    without = _NUMBER.sub("", text)
    return _pairs(without) or _pairs(text) or (without if without != text else line)


def _pairs(text: str) -> str:
    """The moves of a line of pairs of numbers; empty if the line holds anything else."""
    found = [(int(x), int(y)) for x, y in _PAIR.findall(text)]
    if not found or not _BETWEEN.fullmatch(_PAIR.sub("", text)):
        return ""
    first = 0 if any(0 in pair for pair in found) else 1
    if any(not 0 <= number - first < BOARD_SIZE for pair in found for number in pair):
        return ""
    return " ".join(f"{chr(ord('a') + x - first)}{y - first + 1}" for x, y in found)
