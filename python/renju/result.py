"""What the engine answers: a move with its score, and where it comes from."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from renju import _attack, _native
from renju._types import BOARD_SIZE, Point
from renju.proof import Proof

if TYPE_CHECKING:
    from renju._native import _Answer, _Iteration
    from renju.board import Board

__all__ = [
    "LOSES_IN",
    "UNSCORED_SOURCES",
    "WINS_IN",
    "Candidate",
    "SearchResult",
    "Source",
    "partial_result",
    "score_text",
    "whole_result",
    "win_in_of",
]

# How a sure end is worded, for all that is written in English.
WINS_IN, LOSES_IN = "wins in {count}", "loses in {count}"


_NUMBERS = {name: number for number, name in enumerate(_native.SOURCES)}
_NUMBERS |= {"over": _native.OVER_SOURCE, "none": _native.NO_SOURCE}


class Source(StrEnum):
    """Where an answer comes from: a name such as "vcf", which is also a number in arrays.

    It equals its name, and it equals its number, also within arrays: ``rows["source"] == renju.Source.VCF``.
    Functions of numpy that take lists, such as `numpy.isin`, see names; give them the numbers,
    ``int(renju.Source.VCF)``.

    >>> import renju
    >>> renju.Source.VCF == "vcf", renju.Source(int(renju.Source.VCF)) is renju.Source.VCF
    (True, True)
    """

    OPENING = "opening"
    BOOK = "book"
    FIVE = "five"
    FORCED_DEFENCE = "forced-defence"
    VCF = "vcf"
    MISE_VCF = "mise-vcf"
    VCT = "vct"
    SEARCH = "search"
    SINGLE_MOVE = "single-move"
    OVER = "over"
    """In arrays: there is no move to make, because the game is over."""
    NONE = "none"
    """In arrays: nobody looked at the position."""

    # An array that is compared with a source asks `__eq__` of the source.
    __array_ufunc__ = None

    @classmethod
    def _missing_(cls, value: object) -> Source | None:
        return None if isinstance(value, str) else next((source for source in cls if source == value), None)

    def __int__(self) -> int:
        return _NUMBERS[self.value]

    __index__ = __int__

    def _compared(self, other: object, compare: Callable[[Any, Any], Any]) -> Any:
        """With its name to texts, with its number to numbers and arrays of them."""
        return compare(str(self) if isinstance(other, str) else int(self), other)

    def __eq__(self, other: object) -> Any:
        return self._compared(other, operator.eq)

    def __ne__(self, other: object) -> Any:
        return self._compared(other, operator.ne)

    def __lt__(self, other: object) -> Any:
        return self._compared(other, operator.lt)

    def __le__(self, other: object) -> Any:
        return self._compared(other, operator.le)

    def __gt__(self, other: object) -> Any:
        return self._compared(other, operator.gt)

    def __ge__(self, other: object) -> Any:
        return self._compared(other, operator.ge)

    __hash__ = str.__hash__
    __repr__ = str.__repr__


# The sources of moves that nothing was compared with, so that their scores say little.
UNSCORED_SOURCES = (Source.OPENING, Source.FORCED_DEFENCE, Source.SINGLE_MOVE)


@dataclass(frozen=True)
class Candidate:
    """A move with its exact score and the line that is expected from it on."""

    move: Point
    """The point of the move, or a pass in a review."""
    score: int
    """Score of the move in points for the side that makes it; a win in n plies is `WIN` - n."""
    pv: tuple[Point, ...]
    """The line that is expected, beginning with the move."""

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
    """The point of the move to play."""
    score: int
    """Value of the position in points for the side to move; a win in n plies is `WIN` - n, a loss the same
    with a minus. -50,000 means that all moves searched lose and a limit came before the others were tried."""
    depth: int
    """The last depth that was finished, in plies; for a proved win the length of its line."""
    seldepth: int
    """Plies of the deepest line that was looked at."""
    nodes: int
    """Positions looked at, those of the threat searches included."""
    time: float
    """Seconds that the answer took."""
    pv: tuple[Point, ...]
    """The line that is expected, beginning with the move, as far as it is sound."""
    source: Source
    """Where the move comes from, a `Source` that is also its name: opening, book, five, forced-defence, vcf,
    mise-vcf, vct, search or single-move."""
    candidates: tuple[Candidate, ...] = ()
    """The best moves with exact scores: a proved win first, then best first. Empty if a limit came before the
    first depth was finished."""
    breakdown: Mapping[str, int] = field(default_factory=dict, hash=False)
    """What the move is worth at a glance, in points, term by term."""
    static_value: Mapping[str, int] = field(default_factory=dict, repr=False, hash=False)
    """What the position is worth at a glance to the side to move, in points: what the ``"table"`` says and,
    if the engine has one, what the ``"network"`` adds (`Engine.static_value`). Empty for what an opening or
    the book says, and for depths that are told while the engine thinks."""
    stats: Mapping[str, int] = field(default_factory=dict, repr=False, hash=False)
    """Key: a technique of the search; value: how often it was of use."""
    interrupted: bool = False
    """Whether a limit or a stop broke off a depth."""
    fallback: bool = False
    """Whether the move is that of an earlier depth, because the last one fell far behind it in a hurry."""
    vct_hint: Point | None = field(default=None, repr=False)
    """The first stone of a win by threats that a limit left neither proved nor refuted: the search tried it
    before all other moves. None if there was none. A hint is no claim: `move` is what the search found."""
    depths: tuple[tuple[int, Point, int], ...] = field(default=(), repr=False)
    """Depth in plies, best move and its score in points for every depth that was finished."""
    proof: Proof | None = field(default=None, repr=False)
    """The proof that the move wins; None if it is not proved."""
    board: Board | None = field(default=None, repr=False, compare=False)
    """The position that the answer is about, a copy of its own."""
    final: bool = field(default=True, repr=False, compare=False)
    """Whether the search has ended; False for what `Engine.stream` tells after a depth while it goes on."""

    @property
    def win_in(self) -> int | None:
        """Plies within which the side to move makes five whatever the opponent plays; negative: within which
        the opponent does, whatever the side to move plays; None if neither is sure. A shorter way may exist.
        A loss is told only if every legal move was found to lose."""
        return win_in_of(self.score)

    @property
    def win_rate(self) -> tuple[float, float, float] | None:
        """How likely the side to move wins, draws and loses, each from 0 to 1, in games of level master
        against itself; None where the move did not come with a score that was searched for: it was the only
        one, or one of the openings. It is read off the score, by a curve that was fitted to level master with
        its network; the scores of other levels are read by the same curve.

        >>> import renju
        >>> result = renju.Engine("hard").best_move(renju.Board("h8 i9 i7 g9 j8 h10 h6 k9 h7 h9 j9 i10"))
        >>> result.win_rate
        (1.0, 0.0, 0.0)
        """
        has_score = self.source not in UNSCORED_SOURCES or self.win_in is not None
        return _native.win_rate(self.score) if has_score else None

    def __str__(self) -> str:
        line = " ".join(map(str, self.pv))
        return f"{self.move} ({score_text(self.score)}, depth {self.depth}, {self.source}): {line}"

    def _repr_html_(self) -> str:
        from renju._display import search_result_html

        return search_result_html(self)


def win_in_of(score: int) -> int | None:
    """Plies within which a side with this score wins, negative for a loss; None if neither is sure."""
    plies = _native.WIN - abs(score)
    if plies > BOARD_SIZE**2:
        return None
    return plies if score > 0 else -plies


def score_text(score: int) -> str:
    """A score for people.

    >>> score_text(120), score_text(99_995), score_text(-99_992)
    ('+120', 'wins in 5', 'loses in 8')
    """
    plies = win_in_of(score)
    if plies is None:
        return f"{score:+d}"
    return (WINS_IN if plies > 0 else LOSES_IN).format(count=abs(plies))


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
        Source.SEARCH,
        candidates,
        board=board.copy(),
        final=False,
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
        source=Source(native["source"]),
        candidates=_candidates(native),
        breakdown=native["breakdown"],
        static_value=native["static_value"],
        stats=native["stats"],
        interrupted=native["interrupted"],
        fallback=native["fallback"],
        vct_hint=None if native["vct_hint"] is None else Point(native["vct_hint"]),
        depths=tuple((depth, Point(move), score) for depth, move, score in native["depths"]),
        proof=proof,
        board=board,
    )
