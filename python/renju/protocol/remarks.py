"""What a program says while it thinks: a line of text, with the figures that can be read from it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from renju import _native
from renju._types import Point
from renju.errors import RenjuError

__all__ = ["REMARKS", "Remark", "is_remark", "parse_remark"]

REMARKS = frozenset({"MESSAGE", "DEBUG", "INFO", "DETAIL"})
"""The first words of lines that a program may write without being asked."""

# "depth 8-13 ev -25 n 1200 tm 40 pv H8 G7", "Depth 8 | Eval +M7 | Node 12k": programs differ.
_DEPTH = re.compile(r"\bdepth\W+(\d{1,9})(?:-(\d{1,9}))?(?!\d)", re.IGNORECASE)
_VALUE = re.compile(r"\bev(?:al)?\s+([+-]?)(M?)(\d{1,9})\b", re.IGNORECASE)
_NODES = re.compile(r"\bn(?:odes?)?\s+(\d{1,18}(?:\.\d{1,9})?)([KMG]?)\b", re.IGNORECASE)
_LINE = re.compile(r"\bpv\W+((?:[A-O](?:1[0-5]|[1-9])\b\s*)+)", re.IGNORECASE)
_UNITS = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9}


@dataclass(frozen=True)
class Remark:
    """A line that a program wrote while it thought. Programs agree on no form; what a line does not tell in
    one of the common forms is None."""

    text: str
    """The whole line that the program wrote."""
    depth: int | None = None
    """Plies that the program has looked ahead."""
    seldepth: int | None = None
    """Plies of the deepest line that the program has looked at."""
    score: int | None = None
    """Score for the side to move, in points of the program; a win in n plies is `WIN` - n."""
    win_in: int | None = None
    """Plies to the end that the program claims, negative for a loss."""
    nodes: int | None = None
    """Positions that the program has looked at."""
    pv: tuple[Point, ...] = ()
    """The line that the program expects; empty if the text tells none."""


def is_remark(line: str) -> bool:
    """Whether a line, which is not empty, is no answer."""
    return line.split(maxsplit=1)[0].upper() in REMARKS


def parse_remark(text: str) -> Remark:
    """A line with the figures that it tells.

    >>> remark = parse_remark("MESSAGE depth 11-17 ev 180 n 412034 tm 640 pv G7 G9")
    >>> remark.depth, remark.score, remark.nodes, [str(point) for point in remark.pv]
    (11, 180, 412034, ['G7', 'G9'])
    >>> parse_remark("MESSAGE Depth 8 | Eval -M7 | Node 12k").win_in
    -7
    """
    score = win_in = None
    if value := _VALUE.search(text):
        sign = -1 if value[1] == "-" else 1
        number = sign * int(value[3])
        win_in = number if value[2] else None
        score = sign * _native.WIN - number if value[2] else number
    depth, nodes, line = _DEPTH.search(text), _NODES.search(text), _LINE.search(text)
    return Remark(
        text=text,
        depth=int(depth[1]) if depth else None,
        seldepth=int(depth[2]) if depth and depth[2] else None,
        score=score,
        win_in=win_in,
        nodes=round(float(nodes[1]) * _UNITS[nodes[2].upper()]) if nodes else None,
        pv=_points(line[1]) if line else (),
    )


def _points(text: str) -> tuple[Point, ...]:
    try:
        return tuple(map(Point, text.split()))
    except RenjuError:  # to talk nonsense of a search is no fault
        return ()
