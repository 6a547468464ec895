"""Score graphs as SVG."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import pytest

from renju import svg
from renju._native import WIN
from renju._types import Point
from support.svg_parts import corners, description, parse, part, parts, texts, title


def test_score_graph() -> None:
    picture = svg.scores([0, 50, -300, 2000, None, WIN - 5], width=500, height=200)
    root = parse(picture)
    assert (root.get("width"), root.get("height")) == ("500", "200")
    first, last = (corners(node) for node in parts(picture, "score-line"))
    assert [x for x, _ in first] == sorted(x for x, _ in first)
    heights = [y for _, y in first]
    assert heights[3] < heights[1] < heights[0] < heights[2]  # up is good for black
    # A score of 2000 is not flattened by a win: it is at least a quarter of the way up.
    assert heights[0] - heights[3] > (heights[0] - last[0][1]) / 4
    assert "up is good for black; the last score is +99995 after move 5" in description(picture)
    assert {"0", "+1000", "black wins", "white wins"} <= set(texts(root))


def test_score_graph_of_a_review() -> None:
    moves = [
        SimpleNamespace(number=number, move=Point(number), quality=quality, graded=graded)
        for number, quality, graded in [
            (1, "blunder", False),
            (2, "best", True),
            (3, "mistake", True),
            (4, "blunder", True),
        ]
    ]
    scores = (0, -900, -850, -2000, 5000)
    review: Any = SimpleNamespace(scores=scores, moves=moves, turning_point=SimpleNamespace(number=4))
    picture = svg.scores(review)
    marks = parts(picture, "mark")
    assert [title(mark) for mark in marks] == ["3. D1: mistake", "4. E1: blunder"]
    assert [len(corners(mark)) for mark in marks] == [3, 4]
    (line,) = (corners(node) for node in parts(picture, "score-line"))
    for mark, number in zip(marks, (3, 4), strict=True):
        xs, ys = zip(*corners(mark), strict=True)
        assert min(xs) < line[number][0] < max(xs)
        assert min(ys) < line[number][1] < max(ys)
    assert part(picture, "turning-point").get("x1") == f"{round(line[4][0], 2):.10g}"


def test_areas_meet_the_middle_where_the_line_crosses_it() -> None:
    picture = svg.scores([100, -100])
    (left, start), (right, end) = corners(part(picture, "score-line"))
    crossing = ((left + right) / 2, (start + end) / 2)
    black, white = (corners(area) for area in parts(picture, "area"))
    for area in (black, white):
        assert min(math.dist(corner, crossing) for corner in area) < 0.02
    assert min(y for _, y in black) == start
    assert max(y for _, y in white) == end


@pytest.mark.parametrize("scores", [[], [0], [None], [math.nan, 3], [math.inf, -math.inf, 10**9]])
def test_odd_scores_are_drawn(scores: list[float | None]) -> None:
    extent = [float(value) for value in parse(svg.scores(scores)).get("viewBox", "").split()]
    for line in parts(svg.scores(scores), "score-line"):
        assert all(0 <= x <= extent[2] and 0 <= y <= extent[3] for x, y in corners(line))


@pytest.mark.parametrize("scores", ["123", 5, ["a"], [[1]], {1: 20}])
def test_wrong_scores_are_named(scores: Any) -> None:
    with pytest.raises(TypeError, match="score"):
        svg.scores(scores)
