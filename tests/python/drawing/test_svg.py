"""SVG boards: the picture is parsed and its parts counted; no picture is compared as a whole."""

from __future__ import annotations

import math
import re
from types import SimpleNamespace
from typing import Any

import pytest

import renju
from renju import svg
from renju._types import PASS, Color, Forbidden, Point
from support.svg_parts import FOULS, NAMESPACE, foul_board, parse, part, parts, texts, title


def fake_board(**changes: Any) -> Any:
    """What `svg.board` reads of a board, to draw what no real board has."""
    state = {
        "moves": (),
        "turn": Color.BLACK,
        "outcome": None,
        "stones": {},
        "forbidden_points": dict,
    }
    return SimpleNamespace(**(state | changes))


def test_root() -> None:
    root = parse(svg.board(renju.Board()))
    assert root.tag == f"{NAMESPACE}svg"
    assert root.get("role") == "img"
    assert (root.get("width"), root.get("height")) == ("480", "480")
    left, top, width, height = map(float, root.get("viewBox", "").split())
    assert (left, top) == (0, 0)
    assert width == height > 1400
    assert root[0].tag == f"{NAMESPACE}title"
    assert root.get("aria-label") == root[0].text == "Renju board with 0 stones; black to move"


def test_empty_board_has_lines_and_star_points_only() -> None:
    picture = svg.board(renju.Board())
    grid = part(picture, "grid")
    path = grid.find(f"{NAMESPACE}path")
    assert path is not None
    assert len(re.findall("[hv]1400", path.get("d", ""))) == 2 * (15 - 2)  # the outermost lines are a frame
    assert len(list(grid.iter(f"{NAMESPACE}circle"))) == 5
    for name in ("stone", "numbers", "last-move", "forbidden", "win"):
        assert parts(picture, name) == []


def test_coordinates() -> None:
    labels = part(svg.board(renju.Board()), "coordinates")
    assert sorted(texts(labels)) == sorted([*"ABCDEFGHIJKLMNO", *map(str, range(1, 16))])
    height = {label.text: float(label.get("y", "")) for label in labels}
    side = {label.text: float(label.get("x", "")) for label in labels}
    assert height["1"] > height["2"] > height["15"]  # row 1 at the bottom
    assert side["A"] < side["B"] < side["O"]


def test_without_coordinates_the_board_fills_the_picture() -> None:
    bare = svg.board(renju.Board(), coordinates=False)
    assert parts(bare, "coordinates") == []
    assert float(parse(bare).get("viewBox", "").split()[2]) < float(
        parse(svg.board(renju.Board())).get("viewBox", "").split()[2]
    )


@pytest.mark.parametrize("coordinates", [True, False])
@pytest.mark.parametrize("name", ["A1", "A15", "O1", "O15"])
def test_corner_stones_are_inside_the_picture(name: str, coordinates: bool) -> None:
    picture = svg.board(renju.Board(name), coordinates=coordinates)
    extent = float(parse(picture).get("viewBox", "").split()[2])
    for disc in part(picture, "stone").iter(f"{NAMESPACE}circle"):
        for axis in ("cx", "cy"):
            radius = float(disc.get("r", ""))
            assert radius < float(disc.get(axis, "")) < extent - radius


def test_stones_numbers_and_last_move() -> None:
    picture = svg.board(renju.Board("h8 i9 g7 i7"))
    assert len(parts(picture, "black")) == len(parts(picture, "white")) == 2
    assert {title(node) for node in parts(picture, "stone")} == {
        "H8: black 1",
        "I9: white 2",
        "G7: black 3",
        "I7: white 4",
    }
    assert sorted(texts(part(picture, "numbers"))) == ["1", "2", "3", "4"]
    ring = part(picture, "last-move")
    disc = parts(picture, "stone")[[title(node) for node in parts(picture, "stone")].index("I7: white 4")][2]
    assert (ring.get("cx"), ring.get("cy")) == (disc.get("cx"), disc.get("cy"))


def test_numbers_contrast_with_their_stones() -> None:
    picture = svg.board(renju.Board("h8 i9"))
    black, white = part(picture, "numbers")
    discs = {title(node): node[2].get("fill") for node in parts(picture, "stone")}
    assert black.get("fill") != discs["H8: black 1"]
    assert white.get("fill") != discs["I9: white 2"]
    assert black.get("fill") != white.get("fill")


def test_options_switch_layers_off() -> None:
    board = foul_board()
    board.push("A1")
    for option, layer in [("numbers", "numbers"), ("last_move", "last-move"), ("forbidden", "forbidden")]:
        options: dict[str, Any] = {option: False}
        assert parts(svg.board(board), layer)
        assert parts(svg.board(board, **options), layer) == []


def test_set_up_stones_have_no_number() -> None:
    board = renju.Board.from_stones(["H8", "I7"], ["I9"], turn=renju.WHITE)
    picture = svg.board(board)
    assert len(parts(picture, "stone")) == 3
    assert parts(picture, "numbers") == parts(picture, "last-move") == []
    board.push("G9")
    picture = svg.board(board)
    assert len(parts(picture, "stone")) == 4
    assert texts(part(picture, "numbers")) == ["1"]
    assert "I9: white" in {title(node) for node in parts(picture, "stone")}


def test_pass_counts_as_a_move_but_leaves_no_mark() -> None:
    board = renju.Board("h8 i9 g7")
    board.push(PASS)
    picture = svg.board(board)
    assert parts(picture, "last-move") == []
    assert len(parts(picture, "stone")) == 3
    board.push("A1")
    assert sorted(texts(part(svg.board(board), "numbers"))) == ["1", "2", "3", "5"]


def test_forbidden_points_differ_by_shape_and_sign() -> None:
    marks = parts(svg.board(foul_board()), "forbidden")
    assert {title(mark) for mark in marks} == {f"{name}: {kind}" for name, (kind, _) in FOULS.items()}
    corners = {}
    for mark in marks:
        polygon = mark.find(f"{NAMESPACE}polygon")
        assert polygon is not None
        corners[mark.get("class")] = (len(polygon.get("points", "").split()), *texts(mark))
    assert corners == {
        "forbidden double-three": (3, "3"),
        "forbidden double-four": (4, "4"),
        "forbidden overline": (6, "6"),
    }


def test_every_kind_has_a_mark() -> None:
    kinds = {Point(index): kind for index, kind in enumerate(Forbidden) if kind}
    picture = svg.board(fake_board(forbidden_points=lambda: kinds))
    assert len(parts(picture, "forbidden")) == len(Forbidden) - 1


@pytest.mark.parametrize(
    ("moves", "ends"),
    [
        ("d8 a1 e8 a3 f8 a5 g8 a7 h8", ("D8", "H8")),
        ("h4 a1 h5 a3 h6 a5 h8 a7 h7", ("H4", "H8")),
        ("d4 a1 e5 a3 f6 a5 h8 a7 g7", ("D4", "H8")),
        ("d12 a1 e11 a3 f10 a5 h8 a7 g9", ("D12", "H8")),
    ],
)
def test_winning_line_joins_the_outermost_stones(moves: str, ends: tuple[str, str]) -> None:
    picture = svg.board(renju.Board(moves))
    centers = {
        title(node).partition(":")[0]: (node[2].get("cx"), node[2].get("cy"))
        for node in parts(picture, "stone")
    }
    band = part(picture, "win")
    drawn = {(band.get("x1"), band.get("y1")), (band.get("x2"), band.get("y2"))}
    assert drawn == {centers[name] for name in ends}
    assert "black wins (five" in title(parse(picture))


def test_win_without_a_line() -> None:
    board = foul_board()
    board.push("H8")
    picture = svg.board(board)
    assert "white wins (forbidden" in title(parse(picture))
    assert len(parts(picture, "stone")) == 16


def test_draw_is_described() -> None:
    outcome = SimpleNamespace(winner=None, reason="two-passes", line=())
    assert title(parse(svg.board(fake_board(outcome=outcome)))).endswith("draw (two-passes)")


def test_text_is_escaped() -> None:
    reason = """<b> & "quotes" 'too'"""
    outcome = SimpleNamespace(winner=Color.WHITE, reason=reason, line=())
    root = parse(svg.board(fake_board(outcome=outcome)))
    assert reason in title(root)
    assert root.get("aria-label") == title(root)


@pytest.mark.parametrize(
    ("size", "written"), [(0.001, "0.001"), (1, "1"), (320, "320"), (99.5, "99.5"), (4096, "4096")]
)
def test_size_scales_the_same_drawing(size: float, written: str) -> None:
    board = renju.Board("h8 i9 g7")
    root, usual = parse(svg.board(board, size=size)), parse(svg.board(board))
    assert (root.get("width"), root.get("height")) == (written, written)
    assert root.get("viewBox") == usual.get("viewBox")
    assert [node.attrib for node in root.iter()][1:] == [node.attrib for node in usual.iter()][1:]


@pytest.mark.parametrize("size", [0, -1, math.nan, math.inf])
def test_size_must_be_positive(size: float) -> None:
    with pytest.raises(ValueError, match="size must be a positive number of pixels"):
        svg.board(renju.Board(), size=size)


def test_same_position_same_text() -> None:
    moves = "h8 i9 g7 i7 g8 i6"
    assert svg.board(renju.Board(moves)) == svg.board(renju.Board(moves))


def test_pictures_share_a_page() -> None:
    """No ids, scripts or references: nothing can collide or be fetched."""
    picture = svg.board(renju.Board("h8 i9 g7"))
    names = {name for node in parse(picture).iter() for name in node.attrib}
    assert not names & {"id", "href", "style"}
    assert "url(" not in picture


def test_full_board_is_drawn() -> None:
    moves = tuple(Point(index) for index in range(PASS))
    picture = svg.board(fake_board(moves=moves, stones=dict.fromkeys(moves, Color.BLACK)))
    assert len(parts(picture, "stone")) == PASS
    assert texts(part(picture, "numbers"))[-1] == str(PASS)


def test_numbers_of_long_records_are_drawn() -> None:
    board = renju.Board("h8 i9 g7", referee=False)
    for _ in range(1000):
        board.push(PASS)
    board.push("a1")
    assert texts(part(svg.board(board), "numbers"))[-1] == "1004"
