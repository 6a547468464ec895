"""What a review is made of, and its forms: rows, data for JSON, a table, a page, an annotated file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

from renju import _native
from renju._facts import rounded_rate
from renju._types import Color, Forbidden, Outcome, Point
from renju.defence import Defence
from renju.engine import Candidate
from renju.game import Game
from renju.limits import whole
from renju.openings import Opening
from renju.proof import Proof

if TYPE_CHECKING:
    from renju._page.words import Language

__all__ = ["QUALITIES", "ForcedWin", "Grades", "Quality", "Review", "ReviewedMove", "TurningPoint", "WinKind"]

Quality: TypeAlias = Literal["best", "good", "inaccuracy", "mistake", "blunder"]
QUALITIES: tuple[Quality, ...] = get_args(Quality)
"""The words for how good a move is, best first."""

WinKind: TypeAlias = Literal["double-mise", "vcf", "mise-vcf", "vct", "forbidden-trap"]

# The version of `Review.to_json_data`.
_VERSION = 1


@dataclass(frozen=True)
class Grades:
    """From which loss on a move has which quality.

    >>> from renju.reviewing import Grades
    >>> [Grades().quality(loss) for loss in (0, 80, 81, 1000, 1001)]
    ['best', 'good', 'inaccuracy', 'mistake', 'blunder']
    """

    good: int = 80
    """The most points of score that a good move loses; one that loses nothing is best."""
    inaccuracy: int = 300
    """The most points of score that an inaccuracy loses."""
    mistake: int = 1000
    """The most points of score that a mistake loses; whatever loses more is a blunder."""
    from_move: int = 6
    """Number of the first move that is graded: those before it belong to the rules of the opening."""

    def __post_init__(self) -> None:
        for name in ("good", "inaccuracy", "mistake", "from_move"):
            whole(name, getattr(self, name))
        if not 0 <= self.good <= self.inaccuracy <= self.mistake:
            raise ValueError(
                f"good, inaccuracy and mistake are losses in rising order, not {self.good}, "
                f"{self.inaccuracy}, {self.mistake}"
            )
        if self.from_move < 1:
            raise ValueError(f"from_move is the number of a move, not {self.from_move}")

    def quality(self, loss: int) -> Quality:
        """The word for a move that loses `loss` points of score."""
        limits = (0, self.good, self.inaccuracy, self.mistake)
        return QUALITIES[sum(loss > limit for limit in limits)]


@dataclass(frozen=True)
class ForcedWin:
    """A win that the verifier has checked."""

    kind: WinKind
    """vcf, mise-vcf and vct tell how it is proved. Some have names of their own. A double-mise (両ミセ): the
    first stone makes two points for a four-three. A forbidden-trap (禁手追い込み): at the end of the line
    black's only answer is forbidden."""
    proof: Proof = field(repr=False)
    """The proof of the win, which the verifier has accepted."""

    @property
    def first(self) -> Point:
        return self.proof.line[0]

    @property
    def line(self) -> tuple[Point, ...]:
        return self.proof.line

    @property
    def depth(self) -> int:
        """Stones of the winner, without the five."""
        return self.proof.depth

    def to_dict(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "first": str(self.first),
            "line": _names(self.line),
            "depth": self.depth,
            "verified": True,  # nothing else becomes a ForcedWin
            "proof": self.proof.kind,
            "threat_limit": self.proof.threat_limit,
        }

    def __str__(self) -> str:
        return f"{self.kind} in {self.depth}: {' '.join(map(str, self.line))}"


@dataclass(frozen=True)
class ReviewedMove:
    """A move of the game and what is to be said about it. Scores are those of its player."""

    number: int
    """The number of the move; the first move of the record is 1."""
    color: Color
    """The colour of the player who moved."""
    move: Point
    """The move played; it may be a pass."""
    best: Point
    """The best of the moves that were compared."""
    best_score: int
    """Score of the best move in points, in the player's view."""
    played_score: int
    """Score of the move played in points, in the player's view."""
    loss: int
    """Points of score that the move gives away: 0 also where both moves win, or both lose. Where `unclear` is
    set, the best of the moves that were searched counts, not the proved one."""
    quality: Quality
    """The word for the loss, by `Grades`: one of `QUALITIES`."""
    graded: bool
    """Whether the move counts in statistics; those of the opening do not."""
    forced: bool
    """Whether there was no choice: the opponent had a four that could be stopped at one point."""
    depth: int
    """Plies behind both scores, the move included; 0 where no search was needed."""
    nodes: int
    """Positions that were looked at to judge the move."""
    source: str
    """Where the best move comes from: five, forced-defence, vcf, mise-vcf, vct, search, single-move."""
    pv: tuple[Point, ...]
    """The line of the best move."""
    played_pv: tuple[Point, ...]
    """The line of the move played."""
    candidates: tuple[Candidate, ...]
    """The moves that were compared, best first."""
    breakdown: Mapping[str, int] = field(hash=False)
    """What the best move is worth at a glance, in points, term by term; empty for a pass or a foul."""
    played_breakdown: Mapping[str, int] = field(hash=False)
    """What the move played is worth at a glance, in points, term by term; empty for a pass or a foul."""
    forbidden: Mapping[Point, Forbidden] = field(hash=False)
    """Black's forbidden points before the move."""
    kept: bool | None
    """Does the move keep the forced win that was there? True if it is proved, False if no win by threats
    starts with it, None if there was none or a limit left it open."""
    missed: ForcedWin | None
    """A forced win that the move does not keep."""
    unclear: ForcedWin | None
    """A forced win of which a limit left open whether the move keeps it; nobody is blamed for it."""
    allowed: ForcedWin | None
    """A forced win that the move gives to the opponent, where a move was known that does not."""
    defence: Defence | None
    """The best move as an answer to the opponent's threat, where the move played allows a forced win; None if
    the best move wins by force itself, or answers no threat of a win by up to three fours."""
    foul: Forbidden
    """Why the move played was forbidden, or that it was not."""

    @property
    def comment(self) -> str:
        """The judgement in a sentence or two."""
        from renju.reviewing.text import comment_on

        return comment_on(self)

    @property
    def win_in(self) -> int | None:
        """Plies to the five after the best move, negative for a loss, None if neither is seen."""
        return Candidate(self.best, self.best_score, ()).win_in

    @property
    def played_win_in(self) -> int | None:
        return Candidate(self.move, self.played_score, ()).win_in

    @property
    def win_rate(self) -> tuple[float, float, float]:
        """How likely the player wins, draws and loses with the best move, each from 0 to 1: what
        `SearchResult.win_rate` tells of `best_score`."""
        return _native.win_rate(self.best_score)

    @property
    def played_win_rate(self) -> tuple[float, float, float]:
        """How likely the player wins, draws and loses after the move played, each from 0 to 1."""
        return _native.win_rate(self.played_score)

    def to_dict(self) -> dict[str, Any]:
        """The judgement as JSON has it."""
        return {
            "number": self.number,
            "color": self.color.label,
            "move": str(self.move),
            "best": str(self.best),
            "best_score": self.best_score,
            "played_score": self.played_score,
            "win_in": self.win_in,
            "played_win_in": self.played_win_in,
            "win_rate": rounded_rate(self.win_rate),
            "played_win_rate": rounded_rate(self.played_win_rate),
            "loss": self.loss,
            "quality": self.quality,
            "graded": self.graded,
            "forced": self.forced,
            "depth": self.depth,
            "nodes": self.nodes,
            "source": self.source,
            "pv": _names(self.pv),
            "played_pv": _names(self.played_pv),
            "candidates": [
                {"move": str(c.move), "score": c.score, "win_in": c.win_in, "pv": _names(c.pv)}
                for c in self.candidates
            ],
            "breakdown": dict(self.breakdown),
            "played_breakdown": dict(self.played_breakdown),
            "forbidden": {str(point): kind.label for point, kind in self.forbidden.items()},
            "foul": self.foul.label if self.foul else None,
            "kept": self.kept,
            "missed": None if self.missed is None else self.missed.to_dict(),
            "unclear": None if self.unclear is None else self.unclear.to_dict(),
            "allowed": None if self.allowed is None else self.allowed.to_dict(),
            "defence": None if self.defence is None else self.defence.to_dict(),
            "comment": self.comment,
        }


@dataclass(frozen=True)
class TurningPoint:
    """The move at which a game was lost."""

    number: int
    """The number of the move that lost the game; the first move of the record is 1."""
    color: Color
    """The colour of the player who lost the game."""
    text: str
    """Why the game was lost there, in words."""

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, eq=False)
class Review:
    """A game with a judgement on every move; made by `renju.review`."""

    game: Game
    """The game that was reviewed, with its headers and moves."""
    level: str
    """The level of the engine that judged the moves."""
    grades: Grades
    """The losses from which on a move has which quality."""
    moves: tuple[ReviewedMove, ...]
    """The judgements on the moves, in the order of the game."""
    scores: tuple[int | None, ...]
    """Scores in points, in black's view, before the first move and after every one; None where nothing was
    looked at."""
    turning_point: TurningPoint | None
    """The last move at which the loser was near even; None if there is no such move."""
    opening: Opening | None
    """The opening of the game, one of the 26; None if it has another shape."""
    result: str
    """How the game ended, in the form of `Game.result`; if the record does not tell it, the board may."""
    end: Outcome | None
    """The winner and the reason of the end, by the board or by the record; None if the game is open."""
    notes: tuple[str, ...] = ()
    """What was odd about the game, and what was left out, a sentence each."""

    @property
    def accuracy(self) -> Mapping[Color, float | None]:
        """The share of best and good moves among those graded; None without any."""
        found: dict[Color, float | None] = {}
        for color, counts in self.counts.items():
            graded = sum(counts.values())
            found[color] = (counts["best"] + counts["good"]) / graded if graded else None
        return found

    @property
    def counts(self) -> Mapping[Color, Mapping[Quality, int]]:
        """How many of the graded moves of each side have which quality."""
        found = Counter((move.color, move.quality) for move in self.moves if move.graded)
        return {color: {quality: found[color, quality] for quality in QUALITIES} for color in Color}

    def to_dicts(self) -> list[dict[str, Any]]:
        """A row for each move, of JSON types only: for data frames and files."""
        return [move.to_dict() for move in self.moves]

    def to_json_data(self) -> dict[str, Any]:
        """The review as JSON has it; the fields are told in docs/review.md."""
        game, opening, point, end = self.game, self.opening, self.turning_point, self.end
        start = game.board(0)
        return {
            "version": _VERSION,
            "headers": dict(game.headers),
            "result": self.result,
            "opening": None
            if opening is None
            else {name: getattr(opening, name) for name in ("code", "romaji", "kanji", "english")},
            "level": self.level,
            "engine": f"renju {_native.__version__}",
            "setup": {"black": _names(game.black), "white": _names(game.white), "turn": start.turn.label},
            "grades": vars(self.grades).copy(),
            "accuracy": {color.label: share for color, share in self.accuracy.items()},
            "counts": {color.label: dict(counts) for color, counts in self.counts.items()},
            "scores": list(self.scores),
            "win": _native.WIN,
            "turning_point": None
            if point is None
            else {"number": point.number, "color": point.color.label, "text": point.text},
            "end": None
            if end is None
            else {
                "winner": None if end.winner is None else end.winner.label,
                "reason": end.reason,
                "line": _names(end.line),
            },
            "notes": list(self.notes),
            "moves": self.to_dicts(),
        }

    def to_html(
        self, path: str | Path | None = None, title: str | None = None, language: Language = "en"
    ) -> str:
        """The report as one page that needs nothing else; also written to `path` if given. `language` is
        "en", English, or "ja", Japanese; `title` the name of the window."""
        from renju._files import write_text
        from renju._page.words import Words
        from renju.reviewing.text import title_of
        from renju.web.report import MOST_LINES, report_page
        from renju.web.told import proofs_of

        proofs = [proofs_of(move, MOST_LINES) for move in self.moves]
        words = Words(language)
        name = title or title_of(self, words("report"))
        page = report_page(self.to_json_data(), name, language, proofs, self.game)
        if path is not None:
            write_text(Path(path), page)
        return page

    def to_sgf(self) -> str:
        """The game with comments, better moves and proofs as variations."""
        from renju.io import sgf
        from renju.reviewing.annotate import annotated

        return sgf.dumps(annotated(self))

    def __str__(self) -> str:
        from renju.reviewing.text import table

        return table(self)

    def _repr_html_(self) -> str:
        from renju._display import review_html

        return review_html(self)


def _names(points: tuple[Point, ...]) -> list[str]:
    return [str(point) for point in points]
