"""What is shown on top of a position, checked: heat, arrows, labels, candidates, a line of moves.

`renju.svg` and `renju.plot` draw the same scene.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, TypeAlias

from renju._types import BOARD_SIZE, PASS, Color, Outcome, Point, PointLike, on_board
from renju.errors import IllegalMoveError, NotationError
from renju.result import Candidate, SearchResult, score_text
from renju.svg.style import ARROWS, LABEL_LETTERS, WOOD, ArrowStyle, heat_color

if TYPE_CHECKING:
    import numpy.typing as npt

    from renju.board import Board

__all__ = [
    "Arrow",
    "ArrowLike",
    "CandidateLike",
    "CandidatesLike",
    "Ghost",
    "Heat",
    "HeatLike",
    "LabelsLike",
    "RankedMove",
    "Scene",
    "as_heat",
    "make_scene",
    "short_label",
    "short_score",
]

# Keys are points, or what stands for them. To the type checker a mapping with keys of one kind is no mapping
# with keys of several, hence Any.
HeatLike: TypeAlias = "Mapping[Any, float] | npt.ArrayLike"
LabelsLike: TypeAlias = Mapping[Any, str]
ArrowLike: TypeAlias = tuple[PointLike, PointLike] | tuple[PointLike, PointLike, str]
CandidateLike: TypeAlias = Candidate | tuple[PointLike, float | str]
CandidatesLike: TypeAlias = SearchResult | Iterable[CandidateLike]

_HEX_COLOR = re.compile("#[0-9a-fA-F]{6}")


@dataclass(frozen=True)
class Heat:
    """Values of points; `top` is the largest size of a value, and levels are values divided by it."""

    values: Mapping[Point, float]
    """Key: a point; value: its number, in any unit."""
    top: float
    """The largest size of a value, which has the darkest colour."""
    is_signed: bool
    """Whether there are values below 0."""

    def level(self, point: Point) -> float:
        return self.values[point] / self.top if self.top else 0.0

    def color(self, point: Point) -> str:
        return heat_color(self.level(point))


@dataclass(frozen=True)
class Arrow:
    """An arrow from a point to another."""

    start: Point
    """The point where the arrow begins."""
    end: Point
    """The point where the arrow has its tip."""
    kind: str
    """What the arrow means, a key of `ARROWS`, or its colour, such as #0b5cab."""

    @property
    def style(self) -> ArrowStyle:
        return ARROWS.get(self.kind) or ArrowStyle(self.kind)


@dataclass(frozen=True)
class RankedMove:
    """A candidate: what is written on it, and what it means."""

    point: Point
    """The point of the candidate move."""
    rank: int
    """The place of the move among the candidates; 1 is the best."""
    text: str
    """The short text that is drawn on the point."""
    meaning: str
    """The whole text, for tooltips and for those who cannot see the picture."""


@dataclass(frozen=True)
class Ghost:
    """A stone of a line that was not played."""

    point: Point
    """The point where the stone would be."""
    color: Color
    """The colour of the stone, black or white."""
    number: int
    """The number that is drawn on the stone."""


@dataclass(frozen=True)
class Scene:
    """All that is shown on top of a position."""

    stones: Mapping[Point, Color]
    """Key: a point of the position; value: the colour of its stone."""
    heat: Heat | None = None
    """The values that colour empty points; None without them."""
    arrows: tuple[Arrow, ...] = ()
    """The arrows that are drawn between points."""
    labels: Mapping[Point, str] = field(default_factory=dict)
    """Key: a point; value: the text on it, where an empty one is a plain mark."""
    candidates: tuple[RankedMove, ...] = ()
    """The moves that are compared, best first."""
    ghosts: tuple[Ghost, ...] = ()
    """The stones of a line that was not played, in its order."""
    line_outcome: Outcome | None = None
    """How the game ends at the end of the line that was not played; None if it goes on."""

    def ground(self, point: Point) -> str:
        """The colour an empty point has."""
        return self.heat.color(point) if self.heat is not None and point in self.heat.values else WOOD

    def covered(self) -> set[Point]:
        """Points with a stone or something as large as one."""
        return {*self.stones, *(g.point for g in self.ghosts), *(c.point for c in self.candidates)}

    def words(self) -> str:
        """The scene in words."""
        parts = []
        if self.heat is not None and self.heat.values:
            low = -self.heat.top if self.heat.is_signed else 0
            parts.append(f"heat map of {len(self.heat.values)} points from {low:.4g} to {self.heat.top:.4g}")
        if self.candidates:
            ranked = (f"{c.rank}. {c.point} ({c.meaning})" for c in self.candidates)
            parts.append("candidates: " + ", ".join(ranked))
        if self.ghosts:
            parts.append("line: " + ", ".join(f"{g.number} {g.color.label} {g.point}" for g in self.ghosts))
        if self.arrows:
            parts.append("arrows: " + ", ".join(f"{a.start} to {a.end} ({a.kind})" for a in self.arrows))
        if self.labels:
            labels = (f"{point} {name or 'marked'}" for point, name in self.labels.items())
            parts.append("labels: " + ", ".join(labels))
        return "; ".join(parts)


def make_scene(
    board: Board,
    *,
    heat: HeatLike | None = None,
    arrows: Iterable[ArrowLike] | None = None,
    labels: LabelsLike | None = None,
    candidates: CandidatesLike | None = None,
    variation: str | Iterable[PointLike] | None = None,
    first_number: int = 1,
) -> Scene:
    """The scene; what is wrong with it is an error that names it."""
    stones = board.stones
    ghosts, outcome = _ghosts(board, variation, first_number)
    return Scene(
        stones,
        None if heat is None else as_heat(heat),
        tuple(_arrow(arrow) for arrow in ([] if arrows is None else arrows)),
        _labels({} if labels is None else labels),
        _ranked(candidates, stones),
        ghosts,
        outcome,
    )


def as_heat(values: HeatLike) -> Heat:
    """Values of points or an array; NaN is no value."""
    items = _mapping_items(values) if isinstance(values, Mapping) else _array_items(values)
    kept: dict[Point, float] = {}
    for point, value in items:
        if math.isinf(value):
            raise ValueError(f"the heat of {point} is {value}: it has no place on a scale")
        if point in kept:
            raise ValueError(f"{point} has two values of heat")
        if not math.isnan(value):
            kept[point] = value
    kept = dict(sorted(kept.items()))
    return Heat(kept, max(map(abs, kept.values()), default=0.0), any(value < 0 for value in kept.values()))


def _mapping_items(values: Mapping[Any, float]) -> Iterable[tuple[Point, float]]:
    for key, value in values.items():
        point = _point(key, "heat")
        try:
            yield point, float(value)
        except (OverflowError, TypeError, ValueError):
            raise TypeError(f"the heat of {point} is a number, not {value!r}") from None


def _array_items(values: npt.ArrayLike) -> Iterable[tuple[Point, float]]:
    import numpy as np

    try:
        # What is masked has no value.
        array: npt.NDArray[np.float64] = np.ma.filled(np.ma.asarray(values, dtype=np.float64), np.nan)
    except (TypeError, ValueError) as error:
        raise TypeError(f"heat is a mapping of points to numbers or an array of numbers: {error}") from None
    if array.shape != (BOARD_SIZE, BOARD_SIZE):
        raise ValueError(f"heat has shape {array.shape}, a board is ({BOARD_SIZE}, {BOARD_SIZE})")
    return ((Point(i), value) for i, value in enumerate(array.ravel().tolist()))


def _arrow(arrow: Any) -> Arrow:
    if not isinstance(arrow, tuple | list) or len(arrow) not in (2, 3):
        raise ValueError(f"an arrow is (from, to) or (from, to, kind), not {arrow!r}")
    start, end = (_point(point, "arrow") for point in arrow[:2])
    kind = arrow[2] if len(arrow) == 3 else "move"
    if not isinstance(kind, str) or not (kind in ARROWS or _HEX_COLOR.fullmatch(kind)):
        raise ValueError(
            f"the kind of an arrow is {', '.join(ARROWS)} or a colour like #0b5cab, not {kind!r}"
        )
    if start == end:
        raise ValueError(f"an arrow from {start} to itself")
    return Arrow(start, end, kind)


def _labels(labels: LabelsLike) -> dict[Point, str]:
    if not isinstance(labels, Mapping):
        raise TypeError(f"labels are a mapping of points to texts, not {type(labels).__name__}")
    checked: dict[Point, str] = {}
    for key, name in labels.items():
        point = _point(key, "label")
        if not isinstance(name, str):
            raise TypeError(f"the label of {point} is a text, not {name!r}")
        if point in checked:
            raise ValueError(f"{point} has two labels")
        checked[point] = name if name.strip() else ""
    return dict(sorted(checked.items()))


def _ranked(candidates: CandidatesLike | None, stones: Mapping[Point, Color]) -> tuple[RankedMove, ...]:
    if candidates is None:
        return ()
    if isinstance(candidates, SearchResult):
        candidates = candidates.candidates
    ranked: dict[Point, RankedMove] = {}
    for rank, candidate in enumerate(candidates, start=1):
        move = _ranked_move(rank, candidate)
        if move.point in stones:
            raise IllegalMoveError(f"candidate {rank}: {move.point} is occupied")
        if move.point in ranked:
            raise ValueError(f"{move.point} is a candidate twice")
        ranked[move.point] = move
    return tuple(ranked.values())


def _ranked_move(rank: int, candidate: Any) -> RankedMove:
    if isinstance(candidate, Candidate):
        text, meaning = short_score(candidate), score_text(candidate.score)
        return RankedMove(_point(candidate.move, f"candidate {rank}"), rank, text, meaning)
    if not isinstance(candidate, tuple | list) or len(candidate) != 2:
        raise ValueError(f"a candidate is a renju.Candidate or a pair (point, score), not {candidate!r}")
    point, worth = _point(candidate[0], f"candidate {rank}"), candidate[1]
    if isinstance(worth, str):
        text, meaning = short_label(worth), " ".join(worth.split())
    elif isinstance(worth, Integral):
        text, meaning = _short_number(int(worth)), f"{int(worth):+d}"
    elif isinstance(worth, Real):
        text = meaning = f"{float(worth):+.4g}"
    else:
        raise TypeError(f"the score of candidate {rank} is a number or a text, not {worth!r}")
    return RankedMove(point, rank, text, meaning)


def short_label(name: str) -> str:
    """A text for small places."""
    line = " ".join(name.split())
    return line if len(line) <= LABEL_LETTERS else line[: LABEL_LETTERS - 1].rstrip() + "…"


def short_score(candidate: Candidate | SearchResult) -> str:
    """The score for small places: +120, -12k; W7 wins in 7 plies, L8 loses in 8."""
    if candidate.win_in is None:
        return _short_number(candidate.score)
    return f"{'W' if candidate.win_in > 0 else 'L'}{abs(candidate.win_in)}"


def _short_number(score: int) -> str:
    return f"{score:+d}" if abs(score) < 10_000 else f"{score / 1000:+.0f}k"


def _ghosts(
    board: Board, moves: str | Iterable[PointLike] | None, first_number: int
) -> tuple[tuple[Ghost, ...], Outcome | None]:
    """The stones of a line, played on a copy of the board, and how the game then stands."""
    if moves is None:
        return (), None
    from renju._given import move_indices

    after = board.copy()
    before = after.outcome
    ghosts = []
    for number, move in enumerate(map(Point, move_indices(moves)), start=first_number):
        color = after.turn
        try:
            after.push(move)
        except IllegalMoveError as error:
            raise IllegalMoveError(
                f"move {number - first_number + 1} of the variation ({move}): {error}"
            ) from None
        if move != PASS:
            ghosts.append(Ghost(move, color, number))
    return tuple(ghosts), None if before else after.outcome


def _point(point: PointLike, what: str) -> Point:
    try:
        return on_board(point)
    except NotationError as error:
        raise NotationError(f"{what}: {error}") from None
