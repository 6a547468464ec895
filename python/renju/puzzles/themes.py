"""Words for what a solution is made of, found on its line of longest resistance."""

from __future__ import annotations

from collections.abc import Iterator

from renju._types import Color, Point
from renju.board import Board
from renju.proof import Proof

__all__ = ["LONG_DEPTH", "THEMES", "themes_of"]

LONG_DEPTH = 7
"""Stones of the winner from which a VCF is a long one."""

THEMES = {
    "four-three": "a stone of the line makes a four and a three at once",
    "double-four": "a stone of the line makes two fours at once (white only)",
    "forbidden-trap": "black may not block the last four, because the point is forbidden",
    "mise": "the first stone is no four and threatens a four-three",
    "fukumi": "the first stone makes neither four, three nor mise, and threatens a win by fours",
    "counter-four": "a reply of the line makes a four, which must be blocked on the way",
    "long-vcf": f"a VCF of {LONG_DEPTH} stones or more",
    "defence": "one move alone does not lose",
}
"""Key: a theme; value: what it says."""


def themes_of(board: Board, proof: Proof) -> tuple[str, ...]:
    """The themes of a win, in the order of `THEMES`."""
    winner = Color(proof.color)
    found = set(_first_stone(board, proof.line[0], winner))
    if proof.kind == "vcf" and proof.depth >= LONG_DEPTH:
        found.add("long-vcf")
    after = board.set_up(winner)
    for place, point in enumerate(proof.line):
        if place % 2 == 0:
            shapes = after.threats(winner)
            found |= {"four-three"} if point in shapes.four_threes else set()
            found |= {"double-four"} if point in shapes.double_fours else set()
        after.push(point)
        if place % 2 == 1 and after.threats(winner.opponent).fives:
            found.add("counter-four")
    fives = after.threats(winner).fives
    if winner == Color.WHITE and len(fives) == 1 and after.forbidden_kind(next(iter(fives))):
        found.add("forbidden-trap")
    return tuple(theme for theme in THEMES if theme in found)


def _first_stone(board: Board, point: Point, winner: Color) -> Iterator[str]:
    before = board.threats(winner)
    if point in before.fives | before.open_fours | before.fours:
        return
    after = board.set_up(winner)
    after.push(point)
    if after.threats(winner).four_threes - before.four_threes:
        yield "mise"
    elif point not in before.threes:
        yield "fukumi"
