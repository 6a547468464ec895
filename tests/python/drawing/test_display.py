"""What notebooks show of games, search results and reviews: well-formed, escaped, and complete."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import pytest

import renju
from renju import Limit, Point
from renju._native import WIN

SVG = "{http://www.w3.org/2000/svg}"
EVIL = """<script>alert("x")</script> & 'so' on"""
WON = "h8 i9 i7 g9 j8 h10 h6 k9 h7 h9 j9 i10"  # black to move has a forced win


def parse(html: str) -> ElementTree.Element:
    """The pieces are well-formed as XML too, so that a lost tag is noticed."""
    return ElementTree.fromstring(html)


def words(node: ElementTree.Element) -> str:
    return " ".join(" ".join(node.itertext()).split())


def rows(node: ElementTree.Element) -> list[list[str]]:
    return [[words(cell) for cell in row] for row in node.iter("tr")]


def classes(node: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    return [part for part in node.iter() if name in part.get("class", "").split()]


def test_board() -> None:
    assert len(classes(parse(renju.Board("h8 i9")._repr_svg_()), "stone")) == 2


def test_game() -> None:
    headers = {"black": "Ann", "white": "Bo", "event": "Cup", "date": ""}
    html = parse(renju.Game.from_moves("h8 i9 i7 g7", headers=headers, result="1-0")._repr_html_())
    assert len(classes(html, "stone")) == 4
    assert "Ann – Bo" in words(html)
    facts = dict(rows(html))
    assert facts == {
        "result": "1-0",
        "opening": "I7 Hogetsu (浦月, Bay Moon)",
        "event": "Cup",
        "moves": "4",
    }


def test_game_of_a_file_is_escaped() -> None:
    game = renju.Game.from_moves(
        "h8", headers={"black": EVIL, EVIL: EVIL, "event": "x" * 10_000}, result=EVIL
    )
    game.errors = [renju.Problem(f"line {number}", EVIL) for number in range(20)]
    game.root.children[0].labels = {Point("A1"): EVIL, Point("H8"): EVIL}
    html = parse(game._repr_html_())
    assert list(html.iter("script")) == []
    assert words(html).count(EVIL) >= 12
    assert "and 12 more" in words(html)
    assert len(dict(rows(html))["event"]) < 1000
    assert len(classes(html, "label")) == 2


def test_texts_that_no_page_can_hold() -> None:
    html = renju.Game.from_moves("h8", headers={"black": "A\ud800n\x00n"})._repr_html_()
    html.encode()
    assert "A\ufffdn\ufffdn" in words(parse(html))


def test_game_that_cannot_be_drawn_says_why() -> None:
    game = renju.Game.from_moves("h8")
    game.black = (Point("H8"),)
    html = parse(game._repr_html_())
    assert "The game cannot be drawn: H8 is occupied" in words(html)
    assert list(html.iter(f"{SVG}svg")) == []


def test_empty_game() -> None:
    html = parse(renju.Game()._repr_html_())
    assert dict(rows(html)) == {"moves": "0"}
    assert len(list(html.iter(f"{SVG}svg"))) == 1


def test_search_result() -> None:
    result = renju.Engine("hard").analyse(renju.Board(WON), Limit(nodes=60_000), multipv=3)
    html = parse(result._repr_html_())
    head, *table = rows(html)
    assert head == ["", "move", "score", "line"]
    assert [row[1] for row in table] == [str(candidate.move) for candidate in result.candidates]
    assert table[0][2] == f"wins in {result.win_in}"
    assert table[0][3].startswith(f"{result.move} ")
    assert len(classes(html, "candidate")) == len(result.candidates) == 3
    assert f"{result.move} wins in {result.win_in} for black" in words(html)
    assert f"{result.nodes:,} nodes" in words(html)


def test_search_result_without_candidates_or_board() -> None:
    line = tuple(Point(number) for number in range(40))
    result = renju.SearchResult(line[0], 8 - WIN, 4, 5, 1234, 0.5, line, "search", interrupted=True)
    html = parse(result._repr_html_())
    assert list(html.iter(f"{SVG}svg")) == []
    assert "A1 loses in 8" in words(html)
    assert "1,234 nodes, 0.50 s, interrupted" in words(html)
    assert "L1 …" in words(html)  # twelve moves of the line


def test_search_result_of_an_opening() -> None:
    html = parse(renju.Engine("easy").best_move(renju.Board("h8"))._repr_html_())
    assert len(classes(html, "candidate")) == 1


@pytest.fixture(scope="module")
def review() -> renju.Review:
    game = renju.Game.from_moves(
        WON + " a1 k10 a15 o15", headers={"black": EVIL, "white": "Bo"}, result="0-1"
    )
    return renju.review(game, level="medium", limit=Limit(nodes=3_000))


def test_review(review: renju.Review) -> None:
    html = parse(review._repr_html_())
    assert list(html.iter("script")) == []
    assert f"{EVIL} – Bo" in words(html)
    facts = {row[0]: row[1] for row in rows(html) if len(row) == 2}
    assert facts["result"] == review.result == "0-1"
    for color, share in review.accuracy.items():
        assert share is not None
        assert facts[color.label].startswith(f"{share:.0%}")
    assert len(classes(html, "score-line")) >= 1
    worst = [row for row in rows(html) if len(row) == 6][1:]
    by_number = {str(move.number): move for move in review.moves}
    assert worst
    losses = [by_number[row[0]].loss for row in worst]
    assert losses == sorted(losses, reverse=True)
    assert losses[0] == max(move.loss for move in review.moves if move.graded)
    for number, name, quality, _, best, comment in worst:
        move = by_number[number]
        assert move.graded
        assert (name, quality, best) == (f"{move.color.label} {move.move}", move.quality, str(move.best))
        assert comment


def test_review_shows_the_turning_point(review: renju.Review) -> None:
    point: Any = SimpleNamespace(number=13, color=renju.BLACK, text=f"lost here: {EVIL}")
    html = parse(replace(review, turning_point=point)._repr_html_())
    assert point.text in words(html)
    assert len(classes(html, "turning-point")) == 1
    assert len(classes(html, "stone")) == 12  # the position before the move
    marks = [words(node) for node in classes(html, "label")]
    assert marks == ["A1: ? ?"]  # the tooltip and the text
    better = {words(node)[:2] for node in classes(html, "candidate")}
    assert str(review.moves[12].best) in better


def test_review_of_an_empty_game() -> None:
    html = parse(renju.review("")._repr_html_())
    assert "no graded move" in words(html)
