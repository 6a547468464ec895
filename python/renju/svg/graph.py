"""The scores of a game as a graph. `renju.svg` and `renju.plot` draw the same one."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol, TypeAlias

from renju import _native
from renju._types import Color, Point
from renju.svg.parts import (
    Attributes,
    check_size,
    corner_text,
    element,
    label,
    picture,
    polygon,
    text,
    text_group,
)
from renju.svg.style import (
    INK,
    LAST_MOVE_COLOR,
    MARK_COLOR,
    MARK_FILL,
    STONES,
    WIN_COLOR,
    WOOD,
    WOOD_EDGE,
    mixed,
)

__all__ = [
    "AREA_OPACITY",
    "GROUND",
    "SCORE_MARKS",
    "SCORE_TICKS",
    "SCORE_UNIT",
    "ScoreGraph",
    "ScoreMark",
    "ScoreMarkStyle",
    "ScoresLike",
    "as_graph",
    "loudness",
    "score_at",
    "scores",
]


class _Numbered(Protocol):
    @property
    def number(self) -> int: ...


class _Graded(_Numbered, Protocol):
    @property
    def move(self) -> Point: ...
    @property
    def quality(self) -> str: ...
    @property
    def graded(self) -> bool: ...


class Reviewed(Protocol):
    """What a graph shows of a review, such as a `renju.Review`."""

    @property
    def scores(self) -> Sequence[float | None]:
        """Black's scores after 0, 1, 2, ... moves."""

    @property
    def moves(self) -> Sequence[_Graded]:
        """The moves with their numbers and qualities."""

    @property
    def turning_point(self) -> _Numbered | None:
        """The move that decided the game, if there is one."""


ScoresLike: TypeAlias = Reviewed | Iterable[float | None]

# Scores are drawn as their logarithm: near 0 small differences count, near a win none.
SCORE_UNIT = 100.0
SCORE_TICKS = (1_000, 10_000)  # drawn on both sides of 0
AREA_OPACITY = 0.8
GROUND = mixed(WOOD, MARK_FILL, 0.45)
_LEFT, _RIGHT, _TOP, _BOTTOM = 92.0, 16.0, 14.0, 34.0  # outside the graph, in pixels
_TEXT_SIZE = 13
_MARK_RADIUS = 7


@dataclass(frozen=True)
class ScoreMarkStyle:
    """How a bad move is marked: a polygon, told apart by its corners too."""

    corners: int
    """How many corners the polygon has."""
    color: str
    """The colour of the polygon, such as #c8371b."""


SCORE_MARKS = {"mistake": ScoreMarkStyle(3, LAST_MOVE_COLOR), "blunder": ScoreMarkStyle(4, WIN_COLOR)}


@dataclass(frozen=True)
class ScoreMark:
    """A move that was a mistake or worse."""

    number: int
    """The number of the move, from 1."""
    quality: str
    """The word for the move: mistake or blunder."""
    note: str
    """What the picture says of the move, in words."""


@dataclass(frozen=True)
class ScoreGraph:
    """Black's scores after 0, 1, 2, ... moves, None where nobody knows; and what is marked."""

    scores: tuple[float | None, ...]
    """Scores in points, in black's view, after 0, 1, 2, ... moves; None where nobody knows."""
    marks: tuple[ScoreMark, ...] = ()
    """The moves that are marked, in the order of the game."""
    turning_point: int | None = None
    """The number of the move that lost the game, from 1; None if there is none."""

    def score(self, number: int) -> float:
        """The score in points after `number` moves, in black's view; 0 if it is not known."""
        known = self.scores[number] if number < len(self.scores) else None
        return 0.0 if known is None else known

    def runs(self) -> list[list[tuple[int, float]]]:
        """Numbers of moves and scores without gaps."""
        runs: list[list[tuple[int, float]]] = [[]]
        for number, score in enumerate(self.scores):
            if score is not None:
                runs[-1].append((number, score))
            elif runs[-1]:
                runs.append([])
        return [run for run in runs if run]

    def areas(self, color: Color) -> list[list[tuple[float, float]]]:
        """The runs as levels, 0 where the other side is better, with a point wherever a line crosses 0."""
        areas = []
        for run in self.runs():
            levels = [(float(number), loudness(score)) for number, score in run]
            area = levels[:1]
            for (n1, a), (n2, b) in pairwise(levels):
                if a * b < 0:
                    area.append((n1 + (n2 - n1) * a / (a - b), 0.0))
                area.append((n2, b))
            sign = 1 if color is Color.BLACK else -1
            areas.append([(number, sign * max(0.0, sign * level)) for number, level in area])
        return areas

    def words(self) -> str:
        known = [(number, score) for number, score in enumerate(self.scores) if score is not None]
        parts = [f"{max(0, len(self.scores) - 1)} moves; up is good for black"]
        if known:
            parts.append(f"the last score is {known[-1][1]:+.6g} after move {known[-1][0]}")
        parts += [mark.note for mark in self.marks]
        if self.turning_point is not None:
            parts.append(f"the turning point is move {self.turning_point}")
        return "; ".join(parts)


def as_graph(scores: ScoresLike) -> ScoreGraph:
    """The graph of a review or of plain numbers, black's view; None and NaN are unknown."""
    found = getattr(scores, "scores", None)
    if found is None:
        return ScoreGraph(_checked(scores))  # type: ignore[arg-type]
    review: Reviewed = scores  # type: ignore[assignment]
    marks = tuple(
        ScoreMark(move.number, move.quality, f"{move.number}. {move.move}: {move.quality}")
        for move in review.moves
        if move.graded and move.quality in SCORE_MARKS
    )
    turning = review.turning_point
    return ScoreGraph(_checked(found), marks, None if turning is None else turning.number)


def _checked(scores: Iterable[float | None]) -> tuple[float | None, ...]:
    if isinstance(scores, str | bytes | Mapping) or not isinstance(scores, Iterable):
        raise TypeError(f"scores are a renju.Review or numbers, not {type(scores).__name__}")
    checked: list[float | None] = []
    for i, score in enumerate(scores):
        try:
            value = None if score is None else float(score)
        except (OverflowError, TypeError, ValueError):
            raise TypeError(f"score {i} is a number or None, not {score!r}") from None
        # Nothing is better than a win: what is beyond it, infinity too, is drawn there.
        if value is None or math.isnan(value):
            checked.append(None)
        else:
            checked.append(max(-_native.WIN, min(_native.WIN, value)))
    return tuple(checked)


def loudness(score: float) -> float:
    """Where a score is drawn: 0 is the middle, a sure win of black 1, one of white -1."""
    return math.copysign(math.log1p(abs(score) / SCORE_UNIT) / math.log1p(_native.WIN / SCORE_UNIT), score)


def score_at(level: float) -> float:
    """The score that is drawn at a level: `loudness` the other way round."""
    return math.copysign(SCORE_UNIT * math.expm1(abs(level) * math.log1p(_native.WIN / SCORE_UNIT)), level)


def scores(
    scores: ScoresLike,
    *,
    width: float = 640,
    height: float = 220,
    sides: tuple[str, str] = ("black wins", "white wins"),
) -> str:
    """Draw the scores of a game: a `renju.Review`, or numbers for the positions after 0, 1, 2, ... moves.

    The view is black's: up is good for black. The scale is that of a logarithm, so that a won position does
    not flatten the rest. In a review mistakes are triangles, blunders are squares, and the turning point is
    an upright line. None or NaN leaves a gap. `width` and `height` are in pixels; `sides` are the words at
    the upper and at the lower edge.

    >>> from renju import svg
    >>> picture = svg.scores([0, 30, -250, 900, None, 99993])
    >>> picture[:4], picture.count('class="score-line"')
    ('<svg', 2)
    """
    check_size("width", width)
    check_size("height", height)
    graph = as_graph(scores)
    plane = _Plane(max(width, 160.0), max(height, 80.0), max(1, len(graph.scores) - 1))
    ground = element("rect", class_="ground", width=plane.width, height=plane.height, rx=6, fill=GROUND)
    layers = [
        ground,
        _draw_areas(plane, graph),
        _draw_scale(plane, *sides),
        _draw_turning_point(plane, graph),
        _draw_lines(plane, graph),
        _draw_marks(plane, graph),
    ]
    return picture((width, height), (plane.width, plane.height), "Scores of a game", graph.words(), layers)


@dataclass(frozen=True)
class _Plane:
    """Where numbers of moves and scores are in the picture."""

    width: float
    height: float
    last: int

    def x(self, number: float) -> float:
        return _LEFT + (self.width - _LEFT - _RIGHT) * number / self.last

    def y(self, level: float) -> float:
        return _TOP + (self.height - _TOP - _BOTTOM) * (1 - level) / 2


def _draw_areas(plane: _Plane, graph: ScoreGraph) -> str:
    """Who is better: dark above the middle, light below it."""
    drawn = []
    for color in Color:
        for area in graph.areas(color):
            outline = [(plane.x(number), plane.y(level)) for number, level in area]
            outline = [(outline[0][0], plane.y(0)), *outline, (outline[-1][0], plane.y(0))]
            style: Attributes = {"fill": STONES[color].fill, "fill_opacity": AREA_OPACITY}
            drawn.append(
                element("polygon", points=corner_text(outline), class_=f"area {color.label}", **style)
            )
    return element("g", *drawn, class_="areas")


def _draw_scale(plane: _Plane, upper: str, lower: str) -> str:
    drawn = []
    ticks = [(0.0, "0"), (1.0, upper), (-1.0, lower)]
    ticks += [(sign * loudness(size), f"{sign * size:+d}") for size in SCORE_TICKS for sign in (1, -1)]
    for level, name in ticks:
        y = plane.y(level)
        ends: Attributes = {"x1": _LEFT, "x2": plane.width - _RIGHT, "y1": y, "y2": y}
        width = 1.6 if level == 0 else 0.8
        drawn.append(element("line", **ends, stroke=INK, stroke_opacity=0.5, stroke_width=width))
        if plane.height >= 150 or abs(level) in (0, 1):  # else they would run into each other
            drawn.append(label(_LEFT - 7, y, name, _TEXT_SIZE, INK, text_anchor="end"))
    step = next(size for size in (1, 2, 5, 10, 20, 50, 100, 1000, 10**9) if plane.last / size <= 12)
    numbers = range(0, plane.last + 1, step)
    drawn += [label(plane.x(number), plane.height - 16, str(number), _TEXT_SIZE, INK) for number in numbers]
    return text_group("scale", drawn, font_weight="normal")


def _draw_turning_point(plane: _Plane, graph: ScoreGraph) -> str:
    if graph.turning_point is None:
        return ""
    x = plane.x(graph.turning_point)
    ends: Attributes = {"x1": x, "x2": x, "y1": plane.y(1), "y2": plane.y(-1)}
    style: Attributes = {"stroke": MARK_COLOR, "stroke_width": 2, "stroke_dasharray": "5 3"}
    title = element("title", text(f"the turning point: move {graph.turning_point}"))
    return element("line", title, class_="turning-point", **ends, **style)


def _draw_lines(plane: _Plane, graph: ScoreGraph) -> str:
    drawn = []
    for run in graph.runs():
        points = [(plane.x(number), plane.y(loudness(score))) for number, score in run]
        if len(points) == 1:  # a line without length would not be seen
            points = [(points[0][0] - 2, points[0][1]), (points[0][0] + 2, points[0][1])]
        drawn.append(element("polyline", points=corner_text(points), class_="score-line"))
    style: Attributes = {"stroke": WOOD_EDGE, "stroke_width": 2.5, "stroke_linejoin": "round"}
    return element("g", *drawn, class_="score-lines", fill="none", **style)


def _draw_marks(plane: _Plane, graph: ScoreGraph) -> str:
    drawn = []
    for mark in graph.marks:
        style = SCORE_MARKS[mark.quality]
        x, y = plane.x(mark.number), plane.y(loudness(graph.score(mark.number)))
        title = element("title", text(mark.note))
        corners = polygon(x, y, _MARK_RADIUS, style.corners)
        edge: Attributes = {"stroke": MARK_FILL, "stroke_width": 1.5, "class_": f"mark {mark.quality}"}
        drawn.append(element("polygon", title, points=corners, fill=style.color, **edge))
    return element("g", *drawn, class_="marks") if drawn else ""
