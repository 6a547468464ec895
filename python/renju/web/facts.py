"""Positions, explanations and proofs as the page gets them: plain values for JSON."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from renju import book
from renju._facts import proof_facts
from renju._native import win_rate
from renju._types import PASS, Color, Outcome, Point, PointLike
from renju.board import Board
from renju.openings import Opening
from renju.proof import Attack, Proof, depth_of
from renju.solving import Verification
from renju.web.japanese import explanation_text

__all__ = [
    "book_facts",
    "explained",
    "opening_facts",
    "outcome_facts",
    "position_facts",
    "proof_lines",
    "proved",
    "tree_lines",
]


def position_facts(board: Board) -> dict[str, Any]:
    """All that the page shows of a position."""
    stones, outcome, opening = board.stones, board.outcome, board.opening()
    numbers = {move: number for number, move in enumerate(board.moves, start=1)}
    return {
        "moves": names(board.moves),
        "stones": [
            {"point": str(point), "color": color.label, "number": numbers.get(point)}
            for point, color in stones.items()
        ],
        "turn": board.turn.label,
        "outcome": None if outcome is None else outcome_facts(outcome),
        "forbidden": {str(point): kind.label for point, kind in board.forbidden_points().items()},
        "opening": None if opening is None else opening_facts(opening),
        "threats": {color.label: _threats(board, color) for color in Color},
    }


def outcome_facts(outcome: Outcome) -> dict[str, Any]:
    """How a game ended: who won, why, and the stones that tell it."""
    return {
        "winner": None if outcome.winner is None else outcome.winner.label,
        "reason": outcome.reason,
        "line": names(outcome.line),
    }


def names(points: tuple[Point, ...] | list[Point]) -> list[str]:
    return [str(point) for point in points]


def opening_facts(opening: Opening) -> dict[str, str]:
    return {
        "code": opening.code,
        "romaji": opening.romaji,
        "kanji": opening.kanji,
        "english": opening.english,
    }


def _threats(board: Board, color: Color) -> dict[str, list[str]]:
    """Where the next stone makes a shape, by the name of the shape."""
    found = vars(board.threats(color))
    return {name.replace("_", "-"): names(sorted(points)) for name, points in found.items()}


def book_facts(board: Board) -> dict[str, Any]:
    """The moves that the book of the package knows here, those that it plays most often first; `win_rate` is
    for the side to move."""
    moves = book.load().moves(board)
    whole = sum(move.weight for move in moves) or 1
    return {
        "moves": [
            {
                "move": str(move.move),
                "share": move.weight / whole,
                "score": move.score,
                "win_rate": None if move.score is None else win_rate(move.score),
                "depth": move.depth,
            }
            for move in moves
        ]
    }


def explained(board: Board, point: PointLike) -> dict[str, Any]:
    """Why a point is forbidden to black, or why not, in both languages."""
    why = board.explain_forbidden(point)
    return {
        "point": str(why.point),
        "kind": why.kind.label if why.kind else None,
        "texts": {"en": str(why), "ja": explanation_text(why)},
        "lines": [
            {
                "direction": line.direction,
                "shape": line.shape,
                "real": line.is_real,
                "stones": names(line.stones),
                "points": names(line.completions) + [str(extension.point) for extension in line.extensions],
            }
            for line in why.lines
        ],
    }


def proved(proof: Proof, verification: Verification | None, most: int) -> dict[str, Any]:
    """What a solver found. Of the tree up to `most` lines are told; `more` says that there are others."""
    return {
        "kind": proof.kind,
        **proof_facts(proof),
        "verified": None if verification is None else verification.ok,
        "problem": "" if verification is None else verification.reason,
        "refutation": None if proof.refutation is None else proof.refutation.to_dict(),
        **tree_lines(proof, most),
    }


def tree_lines(proof: Proof, most: int) -> dict[str, Any]:
    """The `lines` of the tree, up to `most` of them, and whether there are `more`."""
    found = [] if proof.tree is None else list(islice(proof_lines(proof.tree), most + 1))
    lines = [
        {"from": start, "moves": names(moves), "threat": threat} for start, moves, threat in found[:most]
    ]
    return {"lines": lines, "more": len(found) > most}


def proof_lines(tree: Attack) -> Iterator[tuple[int, list[Point], bool]]:
    """Whole lines of a tree: how many moves of it an earlier line has told, the moves from the first one on,
    and whether it is only threatened: then a pass stands for all replies that do nothing about it.

    The first is the line of the proof.

    >>> import renju
    >>> board = renju.Board.from_stones("a1 c4 g2 n1", "h8 i8 k9 k10", turn=renju.WHITE)
    >>> for start, moves, is_threat in proof_lines(renju.solve_vct(board, max_depth=2).tree):
    ...     print(start, *moves, is_threat)
    0 K8 K6 J8 False
    1 K8 K7 J8 False
    1 K8 K11 J8 False
    1 K8 pass K7 True
    """
    depths: dict[int, int] = {}
    depth_of(tree, depths)
    # Last in, first out: what leaves a line late is told before what leaves it early.
    waiting: list[tuple[int, list[Point], Attack, bool]] = [(0, [], tree, False)]
    while waiting:
        start, before, attack, is_threat = waiting.pop()
        line = [*before, attack.stone]
        others: list[tuple[int, list[Point], Attack, bool]] = []
        while True:
            if attack.after_pass is not None:
                others.append((len(line), [*line, Point(PASS)], attack.after_pass, True))
            if not attack.replies:
                break
            longest, *rest = sorted(attack.replies.items(), key=lambda item: -depths[id(item[1])])
            others += [(len(line), [*line, reply], after, is_threat) for reply, after in reversed(rest)]
            reply, attack = longest
            line += [reply, attack.stone]
        yield start, line, is_threat
        waiting += others
