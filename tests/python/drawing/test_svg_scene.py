"""Heat, arrows, labels, candidates and lines on SVG boards: parsed, counted and measured."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import renju
from renju import svg
from renju._native import WIN
from renju._types import PASS, Color, Point
from support.svg_parts import (
    NAMESPACE,
    center,
    corners,
    description,
    foul_board,
    luminance,
    parse,
    part,
    parts,
    place,
    readable,
    seen_by_the_colour_blind,
    shape,
    texts,
    title,
)


def test_new_layers_are_absent_without_data() -> None:
    picture = svg.board(renju.Board("h8"), heat={}, arrows=[], labels={}, candidates=[], variation="")
    assert picture == svg.board(renju.Board("h8"))


def test_heat_is_a_square_on_each_point_with_a_value() -> None:
    picture = svg.board(renju.Board("h8"), heat={"A1": 0, "C3": 1.5, "H8": 3, "O15": math.nan})
    cells = parts(picture, "heat-cell")
    assert [title(cell) for cell in cells] == ["A1: 0", "C3: 1.5", "H8: 3"]
    for cell, name in zip(cells, ["A1", "C3", "H8"], strict=True):
        x, y = place(cell)
        assert (x + 50, y + 50) == center(name)
        assert cell.get("width") == cell.get("height") == "100"
    light = [luminance(cell.get("fill")) for cell in cells]
    assert light == sorted(light, reverse=True)
    assert light[0] > luminance(svg.WOOD) > light[2]
    assert "heat map of 3 points from 0 to 3" in description(picture)
    layers = [node.get("class") for node in parse(picture)]
    assert layers.index("wood") < layers.index("heat") < layers.index("grid") < layers.index("stones")


def test_heat_of_an_array_has_row_1_first() -> None:
    values = np.full((15, 15), np.nan)
    values[2, 7] = 1  # y, x
    array = svg.board(renju.Board(), heat=values)
    assert title(part(array, "heat-cell")) == "H3: 1"
    assert (
        array
        == svg.board(renju.Board(), heat={Point("H3"): 1.0})
        == svg.board(renju.Board(), heat={(7, 2): 1})
    )


def test_masked_heat_is_no_value() -> None:
    values = np.ma.masked_greater(np.arange(225).reshape(15, 15), 1)
    cells = parts(svg.board(renju.Board(), heat=values), "heat-cell")
    assert [title(cell) for cell in cells] == ["A1: 0", "B1: 1"]


def test_signed_heat_has_two_colours_that_the_colour_blind_tell_apart() -> None:
    plus, zero, minus = (
        cell.get("fill")
        for cell in parts(svg.board(renju.Board(), heat={"A1": 2, "B1": 0, "C1": -2}), "heat-cell")
    )
    assert luminance(zero) > max(luminance(plus), luminance(minus))
    red, _, blue = seen_by_the_colour_blind(plus)
    other_red, _, other_blue = seen_by_the_colour_blind(minus)
    assert blue > red
    assert other_red > other_blue
    half, whole = parts(svg.board(renju.Board(), heat={"A1": 1, "B1": -2}), "heat-cell")
    assert luminance(half.get("fill")) > luminance(plus)  # one scale for both sides
    assert whole.get("fill") == minus


def test_heat_of_zeros() -> None:
    cells = parts(svg.board(renju.Board(), heat=np.zeros((15, 15))), "heat-cell")
    assert len(cells) == 225
    assert len({cell.get("fill") for cell in cells}) == 1


def test_candidates_of_a_search_result() -> None:
    best = renju.Candidate(Point("G7"), WIN - 13, (Point("G7"),))
    second = renju.Candidate(Point("F8"), -45, (Point("F8"),))
    third = renju.Candidate(Point("A1"), 8 - WIN, (Point("A1"),))
    result = renju.SearchResult(best.move, best.score, 1, 1, 1, 0.0, best.pv, "vcf", (best, second, third))
    picture = svg.board(renju.Board("h8 i9"), candidates=result)
    assert picture == svg.board(renju.Board("h8 i9"), candidates=[best, second, third])
    found = parts(picture, "candidate")
    assert [title(node) for node in found] == ["G7: 1. wins in 13", "F8: 2. -45", "A1: 3. loses in 8"]
    assert [texts(node) for node in found] == [["W13"], ["-45"], ["L8"]]
    assert [place(shape(node, "circle")) for node in found] == [center(name) for name in ("G7", "F8", "A1")]
    assert "candidates: 1. G7 (wins in 13), 2. F8 (-45)" in (
        parse(picture).findtext(f"{NAMESPACE}desc") or ""
    )


def test_candidates_as_pairs_can_be_read() -> None:
    pairs = [
        ("A1", "best"),
        ("B1", np.float32(0.25)),
        ("C1", -12345),
        ("D1", np.int64(1)),
        ("E1", 0),
        ("F1", 0),
        ("G1", 0),
    ]
    found = parts(svg.board(renju.Board(), candidates=pairs), "candidate")
    assert [texts(node)[0] for node in found] == ["best", "+0.25", "-12k", "+1", "+0", "+0", "+0"]
    assert title(found[2]) == "C1: 3. -12345"
    for node in found:
        disc, worth = shape(node, "circle"), shape(node, "text")
        assert readable(worth.get("fill"), disc.get("fill"))
        assert float(worth.get("font-size", "")) * 0.5 * len(worth.text or "") < 2 * float(disc.get("r", ""))
    assert len({shape(node, "circle").get("fill") for node in found[:5]}) == 5


def test_variation_goes_on_from_the_position() -> None:
    board = renju.Board("h8 i9")
    picture = svg.board(board, variation="g7 i7 g8")
    ghosts = parts(picture, "ghost")
    assert [title(node) for node in ghosts] == [
        "G7: black 3 of the line",
        "I7: white 4 of the line",
        "G8: black 5 of the line",
    ]
    assert [texts(node) for node in ghosts] == [["3"], ["4"], ["5"]]
    assert [place(shape(node, "circle")) for node in ghosts] == [center(name) for name in ("G7", "I7", "G8")]
    assert all(0 < float(shape(node, "circle").get("fill-opacity", "")) < 1 for node in ghosts)
    assert board == renju.Board("h8 i9")
    assert len(parts(picture, "stone")) == 2
    bare = svg.board(board, variation=[Point("g7"), Point("i7")], numbers=False)
    assert [texts(node) for node in parts(bare, "ghost")] == [["1"], ["2"]]


def test_variation_may_pass_and_win() -> None:
    board = renju.Board("d8 a1 e8 a3 f8 a5 g8")
    picture = svg.board(board, variation=[PASS, Point("H8")])
    assert [title(node) for node in parts(picture, "ghost")] == ["H8: black 9 of the line"]
    band = part(picture, "win")
    assert float(band.get("stroke-opacity", "1")) < 1
    assert "at its end black wins (five" in description(picture)


def test_variation_with_the_candidate_it_begins_with() -> None:
    picture = svg.board(renju.Board("h8 i9"), variation="g7 i7", candidates=[("G7", 5), ("A1", 3)])
    ring, disc = parts(picture, "candidate")
    assert (shape(ring, "circle").get("fill"), texts(ring)) == ("none", [])
    assert texts(disc) == ["+3"]


def test_labels_replace_numbers_and_can_be_read() -> None:
    picture = svg.board(
        renju.Board("h8 i9"),
        labels={"H8": "A", "I9": "B", "C3": "C", "A1": "", "B1": "D", "O1": "E", "G7": "F", "F6": "G"},
        heat={"B1": 1, "O1": -1},
        candidates=[("G7", "+1")],
        variation="f6",
    )
    found = {title(node): node for node in parts(picture, "label")}
    assert list(found) == sorted(found, key=lambda name: Point(name.partition(":")[0]))
    assert set(found) == {*("H8: A", "I9: B", "C3: C", "A1: marked", "B1: D", "O1: E", "G7: F", "F6: G")}
    assert parts(picture, "numbers") == []
    assert texts(part(picture, "candidate")) == texts(part(picture, "ghost")) == []
    heat = {title(cell): cell.get("fill") for cell in parts(picture, "heat-cell")}
    grounds = {
        "H8: A": svg.STONES[Color.BLACK].fill,
        "I9: B": svg.STONES[Color.WHITE].fill,
        "C3: C": svg.WOOD,
        "B1: D": heat["B1: 1"],
        "O1: E": heat["O1: -1"],
        "G7: F": shape(part(picture, "candidate"), "circle").get("fill"),
    }
    for name, ground in grounds.items():
        assert readable(shape(found[name], "text").get("fill"), ground), name
    patch = shape(found["C3: C"], "circle")
    assert (patch.get("fill"), place(patch)) == (svg.WOOD, center("C3"))
    assert found["H8: A"].find(f"{NAMESPACE}circle") is None
    assert texts(found["A1: marked"]) == []


def test_long_labels_are_cut_and_told_in_full() -> None:
    label = part(svg.board(renju.Board(), labels={"H8": "a long\nlabel <&>"}), "label")
    assert title(label) == "H8: a long\nlabel <&>"
    assert texts(label) == ["a lo…"]
    candidate = part(svg.board(renju.Board(), candidates=[("H8", "x" * 99)]), "candidate")
    assert title(candidate) == f"H8: 1. {'x' * 99}"
    assert texts(candidate) == ["xxxx…"]


def test_label_of_a_forbidden_point_keeps_its_shape() -> None:
    picture = svg.board(foul_board(), labels={"N4": "A"})
    marks = {mark.get("class"): texts(mark) for mark in parts(picture, "forbidden")}
    assert marks["forbidden double-four"] == ["A"]
    assert marks["forbidden overline"] == ["6"]
    assert parts(picture, "label") == []


def test_marks_give_way_to_candidates_and_lines() -> None:
    board = foul_board()
    assert len(parts(svg.board(board), "forbidden")) == 3
    picture = svg.board(board, candidates=[("N4", 1)], variation="f3")
    assert [mark.get("class") for mark in parts(picture, "forbidden")] == ["forbidden double-three"]
    assert "N4 double-four" in title(parse(picture))


def test_arrows_hide_no_stone() -> None:
    """The head is outside the stones, but for neighbours, where it stays off the middle."""
    arrows = [
        ("A1", "O15"),
        ("H8", "I9"),
        ("H8", "C3", "attack"),
        ("I9", "I10", "defence"),
        ("H8", "H12", "#123456"),
    ]
    board = renju.Board("h8 i9 i10 c3")
    picture = svg.board(board, arrows=arrows)
    heads = parts(picture, "arrow")
    assert [title(node) for node in heads] == ["A1 to O15", "H8 to I9", "H8 to C3", "I9 to I10", "H8 to H12"]
    assert [node.get("class") for node in heads] == [
        *("arrow move", "arrow move", "arrow attack", "arrow defence", "arrow")
    ]
    shafts = parts(picture, "arrow-shaft")
    stones = [center(point.name) for point in board.moves]
    for arrow, node, shaft in zip(arrows, heads, shafts, strict=True):
        start, end = center(arrow[0]), center(arrow[1])
        tip, *back = corners(shape(node, "polygon"))
        assert math.dist(tip, end) < math.dist(back[0], end)
        assert math.dist(tip, back[0]) == pytest.approx(math.dist(tip, back[1]), abs=0.1)
        assert math.dist(start, tip) + math.dist(tip, end) == pytest.approx(math.dist(start, end), abs=0.1)
        for line in shaft:  # it ends in the head, not at the tip
            last = float(line.get("x2", "")), float(line.get("y2", ""))
            assert math.dist(last, tip) > math.dist(back[0], back[1]) / 2
        is_near = math.dist(start, end) < 150
        least = 20 if is_near else svg.STONE_RADIUS
        assert min(math.dist(tip, stone) for stone in stones) > least
    layers = [node.get("class") for node in parse(picture)]
    assert layers.index("arrow-shafts") < layers.index("stones") < layers.index("arrows")
    assert shape(heads[4], "polygon").get("fill") == "#123456"


def test_arrow_kinds_differ_by_more_than_colour() -> None:
    shafts = parts(
        svg.board(renju.Board(), arrows=[("A1", "H1", kind) for kind in ("attack", "defence")]), "arrow-shaft"
    )
    assert [shaft[1].get("stroke-dasharray") is None for shaft in shafts] == [True, False]


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"heat": {"P1": 1}}, renju.NotationError, "heat: "),
        ({"heat": {"H8": math.inf}}, ValueError, "the heat of H8 is inf"),
        ({"heat": {"H8": "hot"}}, TypeError, "the heat of H8 is a number, not 'hot'"),
        ({"heat": {"H8": 1, "h8": 2}}, ValueError, "H8 has two values of heat"),
        ({"heat": np.zeros((15, 14))}, ValueError, r"heat has shape \(15, 14\)"),
        ({"heat": "hot"}, TypeError, "heat is a mapping of points to numbers or an array"),
        ({"arrows": [("H8", "P1")]}, renju.NotationError, "arrow: "),
        ({"arrows": [("H8", "H8")]}, ValueError, "an arrow from H8 to itself"),
        ({"arrows": [("H8",)]}, ValueError, r"an arrow is \(from, to\)"),
        ({"arrows": ["H8I9"]}, ValueError, r"an arrow is \(from, to\)"),
        ({"arrows": [("H8", "I9", "red")]}, ValueError, "kind of an arrow is move, attack, defence.*'red'"),
        ({"arrows": [("H8", "I9", '#0"/><b>')]}, ValueError, "kind of an arrow"),
        ({"labels": {"Z9": "A"}}, renju.NotationError, "label: "),
        ({"labels": {PASS: "A"}}, renju.NotationError, "label: a pass has no place"),
        ({"labels": {"H8": 1}}, TypeError, "the label of H8 is a text, not 1"),
        ({"labels": {"H8": "A", "h8": "B"}}, ValueError, "H8 has two labels"),
        ({"labels": ["H8"]}, TypeError, "labels are a mapping"),
        ({"candidates": [("A1", 1), ("I9", 2)]}, renju.IllegalMoveError, "candidate 2: I9 is occupied"),
        ({"candidates": [("A1", 1), ("a1", 2)]}, ValueError, "A1 is a candidate twice"),
        ({"candidates": ["A1"]}, ValueError, "a candidate is a renju.Candidate or a pair"),
        ({"candidates": [("A1", None)]}, TypeError, "the score of candidate 1 is a number or a text"),
        ({"variation": "g7 g7"}, renju.IllegalMoveError, r"move 2 of the variation \(G7\): G7 is occupied"),
        ({"variation": "g7 x"}, renju.NotationError, "x"),
        ({"colour": "red"}, TypeError, "colour"),
    ],
)
def test_wrong_input_is_named(options: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        svg.board(renju.Board("h8 i9"), **options)


def test_a_finished_game_goes_not_on() -> None:
    with pytest.raises(renju.IllegalMoveError, match=r"move 1 of the variation \(A9\): the game is over"):
        svg.board(renju.Board("d8 a1 e8 a3 f8 a5 g8 a7 h8"), variation="a9")


def test_texts_of_files_cannot_leave_their_place() -> None:
    evil = "</title><script>\x00\x1b\ud800&"
    picture = svg.board(renju.Board(), labels={"H8": evil}, candidates=[("A1", evil)])
    assert "<script" not in picture
    picture.encode()  # no lone surrogates
    safe = evil.replace("\x00", "\ufffd").replace("\x1b", "\ufffd").replace("\ud800", "\ufffd")
    assert title(part(picture, "label")) == f"H8: {safe}"
    assert title(part(picture, "candidate")) == f"A1: 1. {safe}"


def test_everything_at_once_is_deterministic_and_self_contained() -> None:
    def draw(names: list[str]) -> str:
        return svg.board(
            renju.Board("h8 i9 g7"),
            heat={name: len(name) for name in names},
            labels=dict.fromkeys(names, "x"),
            arrows=[("H8", "I9"), ("A1", "O15", "defence")],
            candidates=[("A2", 5)],
            variation="i7 g8",
        )

    names = ["A1", "O15", "C10"]
    assert draw(names) == draw(names[::-1])
    used = {name for node in parse(draw(names)).iter() for name in node.attrib}
    assert not used & {"id", "href", "style"}
    assert "url(" not in draw(names)
