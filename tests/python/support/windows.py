"""Small boards: all but a square in the upper left is full, with stones that are nowhere three in a row."""

from __future__ import annotations

import renju


def window(black: str, white: str, turn: renju.Color, size: int = 7) -> renju.Board:
    """A board on which only a square of this size in the upper left is free, but for these stones."""
    frame = [p for p in map(renju.Point, range(225)) if not 1 <= p.x <= size or p.y < 15 - size]
    stones = [[p for p in frame if (p.x + 2 * p.y) // 2 % 2 == side] for side in (0, 1)]
    return renju.Board.from_stones(stones[0] + black.split(), stones[1] + white.split(), turn=turn)


def quiet_board() -> renju.Board:
    """Black, to move, has no VCT, but a quiet move that wins."""
    return window("d10 g10 e12 c13 f13", "e9 h9 e10 g13 d14", renju.BLACK)


def three_board() -> renju.Board:
    """White, to move, can stop black's three at B13 only; 22 other replies, the pass included, lose."""
    return window("c13 d13 e13", "", renju.WHITE, size=5)
