"""What the engine answers: a move with its score, and where it comes from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import TYPE_CHECKING

from renju import _attack, _native
from renju._types import BOARD_SIZE, Point
from renju.proof import Proof

if TYPE_CHECKING:
    from renju._native import _Answer, _Iteration
    from renju.board import Board

__all__ = ["Candidate", "SearchResult", "Source", "partial_result", "whole_result", "win_in_of"]

Source = IntEnum(  # type: ignore[misc]
    "Source",
    {name.replace("-", "_").upper(): i for i, name in enumerate(_native.SOURCES)}
    | {"OVER": _native.OVER_SOURCE, "NONE": _native.NO_SOURCE},
)
Source.__doc__ = """Where an answer comes from, as a number; `SearchResult.source` is its name.

In arrays OVER stands for "there is no move to make", NONE for "nobody looked"."""


@dataclass(frozen=True)
class Candidate:
    """A move with its exact score and the line expected after it."""

    move: Point
    score: int
    pv: tuple[Point, ...]

    @property
    def win_in(self) -> int | None:
        """Plies within which the side to move makes five whatever the opponent plays; negative: within which
        the opponent does, whatever the side to move plays; None if neither is sure. A shorter way may
        exist."""
        return win_in_of(self.score)


@dataclass(frozen=True)
class SearchResult:
    """What the engine thinks of a position."""

    move: Point
    score: int
    """Value of the position for the side to move; a win in n plies is `WIN` - n, a loss the same with a
    minus. -50,000 means that all moves searched lose and a limit came before the others were tried."""
    depth: int
    """The last depth that was finished, in plies; for a proved win the length of its line."""
    seldepth: int
    """The deepest ply looked at."""
    nodes: int
    """Positions looked at, those of the threat searches included."""
    time: float
    """Seconds."""
    pv: tuple[Point, ...]
    """The line expected, as far as it is sound."""
    source: str
    """Where the move comes from: opening, book, five, forced-defence, vcf, mise-vcf, vct, search or
    single-move."""
    candidates: tuple[Candidate, ...] = ()
    """The best moves with exact scores: a proved win first, then best first. Empty if a limit came before the
    first depth was finished."""
    breakdown: Mapping[str, int] = field(default_factory=dict, hash=False)
    """What the move is worth at a glance, term by term."""
    stats: Mapping[str, int] = field(default_factory=dict, repr=False, hash=False)
    """How often each technique was of use."""
    interrupted: bool = False
    """A limit or a stop broke off a depth."""
    fallback: bool = False
    """The move is that of an earlier depth, because the last one fell far behind it in a hurry."""
    depths: tuple[tuple[int, Point, int], ...] = field(default=(), repr=False)
    """Depth, best move and score of every depth that was finished."""
    proof: Proof | None = field(default=None, repr=False)
    """The proof, if the move is proved to win."""
    board: Board | None = field(default=None, repr=False, compare=False)
    """The position this is about, a copy of its own."""

    @property
    def win_in(self) -> int | None:
        """Plies within which the side to move makes five whatever the opponent plays; negative: within which
        the opponent does, whatever the side to move plays; None if neither is sure. A shorter way may exist.
        A loss is told only if every legal move was found to lose."""
        return win_in_of(self.score)

    def __str__(self) -> str:
        if self.win_in is None:
            worth = f"{self.score:+d}"
        else:
            worth = f"{'wins' if self.win_in > 0 else 'loses'} in {abs(self.win_in)}"
        return f"{self.move} ({worth}, depth {self.depth}, {self.source}): {' '.join(map(str, self.pv))}"

    def _repr_html_(self) -> str:
        from renju._display import search_result_html

        return search_result_html(self)


def win_in_of(score: int) -> int | None:
    """Plies within which a side with this score wins, negative for a loss; None if neither is sure."""
    plies = _native.WIN - abs(score)
    if plies > BOARD_SIZE**2:
        return None
    return plies if score > 0 else -plies


def _candidates(native: _Answer | _Iteration) -> tuple[Candidate, ...]:
    return tuple(
        Candidate(Point(move), score, tuple(map(Point, line))) for move, score, line in native["candidates"]
    )


def partial_result(native: _Iteration, time: float, board: Board) -> SearchResult:
    candidates = _candidates(native)
    best = candidates[0]
    return SearchResult(
        best.move,
        best.score,
        native["depth"],
        native["seldepth"],
        native["nodes"],
        time,
        best.pv,
        "search",
        candidates,
        board=board.copy(),
    )


def whole_result(native: _Answer, time: float, board: Board) -> SearchResult:
    proof = None
    if native["proof"] is not None:
        kind, tree, line, depth, threat_limit = native["proof"]
        proof = Proof(
            "proved",
            kind,
            board.turn,
            line=tuple(map(Point, line)),
            tree=_attack.from_native(tree),
            depth=depth,
            threat_limit=threat_limit,
        )
    return SearchResult(
        move=Point(native["move"]),
        score=native["score"],
        depth=native["depth"],
        seldepth=native["seldepth"],
        nodes=native["nodes"],
        time=time,
        pv=tuple(map(Point, native["pv"])),
        source=native["source"],
        candidates=_candidates(native),
        breakdown=native["breakdown"],
        stats=native["stats"],
        interrupted=native["interrupted"],
        fallback=native["fallback"],
        depths=tuple((depth, Point(move), score) for depth, move, score in native["depths"]),
        proof=proof,
        board=board,
    )
