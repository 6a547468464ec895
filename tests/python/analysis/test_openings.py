"""The 26 openings: names and geometry against tests/data/openings26.csv, in every orientation."""

from __future__ import annotations

import csv
import unicodedata
from functools import cache

import numpy as np
import pytest

import renju
from renju import openings
from renju._native import transform_point
from renju._types import PASS, Point
from renju.errors import IllegalMoveError, NotationError
from support import DATA

with (DATA / "openings26.csv").open(encoding="utf-8", newline="") as file:
    ROWS = list(csv.DictReader(file))

CODES = [row["code"] for row in ROWS]


def plain(text: str) -> str:
    """Without macrons."""
    return "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c))


def names(groups: list[tuple[Point, ...]]) -> list[list[str]]:
    return [[point.name for point in group] for group in groups]


def test_table_has_26_openings_in_order() -> None:
    assert [opening.code for opening in openings.OPENINGS] == CODES
    assert len(set(CODES)) == 26


@pytest.mark.parametrize("row", ROWS, ids=CODES)
def test_row_agrees_with_the_published_table(row: dict[str, str]) -> None:
    opening = openings.by_code(row["code"])
    assert opening.kind == row["kind"]
    assert opening.kanji == row["kanji"]
    assert plain(opening.romaji) == row["romaji"]
    assert opening.english == row["english_gloss"].partition(" (")[0]
    assert [point.name.lower() for point in opening.moves] == [row["move1"], row["move2"], row["move3"]]
    assert openings.by_rif_id(int(row["rif_opening_id"])) is opening
    assert opening.evaluation == row["eval_old_RIF_rule"]


@pytest.mark.parametrize("k", range(8))
@pytest.mark.parametrize("opening", openings.OPENINGS, ids=CODES)
def test_classify_in_every_orientation(opening: openings.Opening, k: int) -> None:
    moves = [Point(transform_point(int(point), k)) for point in opening.moves]
    black, white = [moves[0], moves[2]], [moves[1]]
    assert openings.classify(moves) is opening
    assert openings.classify(" ".join(point.name for point in moves)) is opening
    assert openings.classify(renju.Board(moves)) is opening
    assert openings.classify(renju.Board.from_stones(black[::-1], white, turn=renju.WHITE)) is opening


def test_thirds_fill_the_central_square() -> None:
    """Each of the 26 is a different shape and nothing within two lines of the centre is missing."""
    center = Point("H8")
    for second in ("H9", "I9"):
        for x in range(center.x - 3, center.x + 4):
            for y in range(center.y - 3, center.y + 4):
                third = Point((x, y))
                if third.name in ("H8", second):
                    continue
                inside = max(abs(x - center.x), abs(y - center.y)) <= 2
                assert (openings.classify([center, second, third]) is not None) == inside, third


@pytest.mark.parametrize(
    "moves",
    [
        "",
        "h8",
        "h8 h9",
        "h9 h8 i9",  # first move not on the centre
        "h8 h10 h9",  # white does not touch the centre
        "h8 j10 i9",
        "h8 h9 h11",  # third move too far away
        "h8 i9 e8",
    ],
)
def test_not_an_opening(moves: str) -> None:
    assert openings.classify(moves) is None
    assert openings.classify(renju.Board(moves)) is None


def test_moves_after_the_third_do_not_matter() -> None:
    assert openings.classify("h8i9i7g9j8") is openings.by_code("I7")
    assert openings.classify(renju.Board("h8 i9 i7 g9 j8")) is openings.by_code("I7")
    assert openings.classify([112, "I9", (8, 6), 0]) is openings.by_code("I7")


@pytest.mark.parametrize("place", range(3))
def test_pass_makes_no_opening(place: int) -> None:
    moves = [int(point) for point in openings.by_code("D4").moves]
    moves[place] = PASS
    assert openings.classify(moves) is None


def test_set_up_stones_followed_by_moves() -> None:
    board = renju.Board.from_stones(["H8"], ["H9"], turn=renju.BLACK)
    assert openings.classify(board) is None
    board.push("I9")
    assert openings.classify(board) is openings.by_code("D4")
    board.push("A1")
    assert openings.classify(board) is openings.by_code("D4")


@pytest.mark.parametrize(
    ("black", "white"),
    [
        (["G8", "I9"], ["H9"]),  # nothing on the centre
        (["H9", "I9"], ["H8"]),  # white on the centre
        (["H8"], ["H9", "I9"]),
        (["H8", "H9", "I9"], []),
        (["H8", "I9"], ["H9", "A1"]),  # four stones: the fourth might be any of them
    ],
)
def test_set_up_stones_that_are_no_opening(black: list[str], white: list[str]) -> None:
    assert openings.classify(renju.Board.from_stones(black, white, turn=renju.WHITE)) is None


def test_set_up_from_an_array() -> None:
    stones = np.zeros((15, 15), dtype=np.int8)
    stones[7, 7] = stones[5, 5] = 1
    stones[8, 8] = 2
    assert openings.classify(renju.Board.from_array(stones, turn=renju.WHITE)) is openings.by_code("I13")


@pytest.mark.parametrize("code", ["D4", "d4", "4D", "4d", " D4 "])
def test_code_spellings(code: str) -> None:
    assert str(openings.by_code(code)) == "D4 Kagetsu (花月, Flower Moon)"


def test_two_digit_codes() -> None:
    assert openings.by_code("13i") is openings.by_code("I13")


@pytest.mark.parametrize("code", ["", "D", "D0", "D14", "X4", "4", "花月", "D4D", "Kagetsu"])
def test_unknown_code(code: str) -> None:
    with pytest.raises(NotationError, match="unknown opening code") as caught:
        openings.by_code(code)
    assert isinstance(caught.value, ValueError)


@pytest.mark.parametrize("rif_id", [0, 27, -1])
def test_unknown_rif_id(rif_id: int) -> None:
    with pytest.raises(NotationError, match=r"expected 1\.\.26"):
        openings.by_rif_id(rif_id)


def test_openings_are_values() -> None:
    opening = openings.by_code("D4")
    assert hash(opening) != hash(openings.by_code("D5"))
    with pytest.raises(AttributeError):
        opening.code = "D5"  # type: ignore[misc]


def test_mirror_images_are_equivalent() -> None:
    board = renju.Board("h8 h9 h10 h7")  # only the reflection in the h-file keeps it
    groups = openings.equivalent_moves(board, ["G8", "J9", "I8", "H11", "F9", "G9"])
    assert names(groups) == [["G8", "I8"], ["J9", "F9"], ["H11"], ["G9"]]


def test_rotations_are_equivalent() -> None:
    board = renju.Board("h8 g9 a1 i7 o15")  # half a turn and both diagonal reflections
    assert names(openings.equivalent_moves(board, ["H9", "G8", "I8", "H7", "H10"])) == [
        ["H9", "G8", "I8", "H7"],
        ["H10"],
    ]


@pytest.mark.parametrize("board", [renju.Board(), renju.Board("h8")])
def test_all_symmetries_keep_a_central_position(board: renju.Board) -> None:
    ring = ["H9", "I9", "I8", "I7", "H7", "G7", "G8", "G9"]
    assert names(openings.equivalent_moves(board, ring)) == [ring[::2], ring[1::2]]


def test_colours_matter() -> None:
    """The stones alone would be symmetric."""
    board = renju.Board.from_stones(["G8"], ["I8"], turn=renju.BLACK)
    assert names(openings.equivalent_moves(board, ["F8", "J8", "H9", "H7"])) == [["F8"], ["J8"], ["H9", "H7"]]


def test_asymmetric_position_has_no_equivalent_moves() -> None:
    board = renju.Board("h8 i9 g7 j7")
    candidates = [Point(i) for i in range(PASS) if not board.to_array().flat[i]]
    assert openings.equivalent_moves(board, candidates) == [(point,) for point in candidates]


def test_repeated_candidate_is_equivalent_to_itself() -> None:
    assert names(openings.equivalent_moves(renju.Board("h8 i9 g7 j7"), ["A1", "B2", "a1"])) == [
        ["A1", "A1"],
        ["B2"],
    ]


def test_no_candidates() -> None:
    assert openings.equivalent_moves(renju.Board(), []) == []


def test_occupied_candidate() -> None:
    with pytest.raises(IllegalMoveError, match="H8 is occupied"):
        openings.equivalent_moves(renju.Board("h8"), ["I9", "H8"])


def congruent_form(board: renju.Board, move: Point) -> tuple[tuple[int, int, int], ...]:
    """The stones with one more, moved and turned to a standard place: an independent way to compare moves."""
    stones = [(p.x, p.y, int(c)) for p, c in board.stones.items()] + [(move.x, move.y, int(board.turn))]
    forms = []
    for mirror in (1, -1):
        for _ in range(4):
            stones = [(-y, x, c) for x, y, c in stones]
            turned = [(mirror * x, y, c) for x, y, c in stones]
            left, low = min(x for x, _, _ in turned), min(y for _, y, _ in turned)
            forms.append(tuple(sorted((x - left, y - low, c) for x, y, c in turned)))
    return min(forms)


def free_points(board: renju.Board) -> list[Point]:
    stones = board.stones
    return [point for point in map(Point, range(PASS)) if point not in stones]


@cache
def fifth_counts() -> dict[str, int]:
    """How many different fifths there are after a fourth move on any free point of each opening."""
    boards = [
        renju.Board([*opening.moves, fourth])
        for opening in openings.OPENINGS
        for fourth in free_points(renju.Board(opening.moves))
    ]
    return {
        board.record(): len(openings.equivalent_moves(board, free_points(board), edges=False))
        for board in boards
    }


@pytest.mark.slow
def test_shapes_are_compared_wherever_they_stand() -> None:
    """Against the congruence of the five stones, in many positions of which half are symmetric."""
    records = list(fifth_counts())
    symmetric = [record for record in records if fifth_counts()[record] < 221]
    assert len(symmetric) == 163
    for record in [*records[::300], *symmetric[::8], "h8h9h7h6"]:
        board = renju.Board(record)
        groups: dict[object, list[Point]] = {}
        for point in free_points(board):
            groups.setdefault(congruent_form(board, point), []).append(point)
        expected = [tuple(group) for group in groups.values()]
        assert openings.equivalent_moves(board, free_points(board), edges=False) == expected, record


@pytest.mark.slow
def test_fewest_fifths() -> None:
    """What Yamaguchi's rule may ask for: black finds so many different fifths after any fourth move."""
    game = openings.start("Yamaguchi").place("h8h9i9")
    assert len(fifth_counts()) == 26 * 222
    assert min(fifth_counts().values()) == game.options[0].high == 62


def test_openings_are_counted_by_brute_force() -> None:
    """26 third moves within the squares that no symmetry of the board maps to one another."""
    first = openings.start("RIF").place("h8")
    keys = {
        first.place(second).place(third).board.symmetric_key
        for second in first.options[0].points
        for third in first.place(second).options[0].points
    }
    assert len(keys) == len(openings.OPENINGS) == 26
    assert keys == {renju.Board(opening.moves).symmetric_key for opening in openings.OPENINGS}


@pytest.mark.parametrize("k", range(8))
def test_equivalent_fifths_of_pine_moon(k: int) -> None:
    """An example that players give: beside the two black stones there is one move only, though the edges are
    not equally far away."""
    turned = [
        Point(transform_point(int(Point(name)), k))
        for name in ["h8", "h9", "h7", "h6", "g8", "g7", "i8", "i7", "i9"]
    ]
    board, fifths = renju.Board(turned[:4]), turned[4:]
    check = openings.check_fifths(board, fifths)
    assert not check
    assert check.equivalent == (tuple(fifths[:4]),)
    assert openings.check_fifths(board, fifths[3:])
    assert len(openings.equivalent_moves(board, fifths)) == 3  # for a search the edges do matter


def test_everything_wrong_with_fifths_is_told() -> None:
    stones = renju.Board.from_stones("f8 g8 h9 h10", "a1 o15 a15 o1")  # H8 is a double-three
    check = openings.check_fifths(stones, "h8 a1 b2 b2 c3", count=4)
    assert (check.occupied, check.repeated) == ((Point("A1"),), (Point("B2"),))
    assert check.forbidden == (Point("H8"),)
    assert hash(check) == hash(openings.check_fifths(stones, check.fifths, count=4))
    assert check.problems == (
        "4 fifths are to be offered, not 5",
        "A1 is occupied",
        "B2 is offered more than once",
        "H8 is forbidden to black: double-three",
    )


def test_fifths_that_are_none() -> None:
    board = renju.Board("h8 h9 i9 g8")
    assert openings.check_fifths(board, []).problems == ("no fifth is offered",)
    assert openings.check_fifths(board, [], count=2).problems == ("2 fifths are to be offered, not 0",)
    with pytest.raises(ValueError, match="white is to move"):
        openings.check_fifths(renju.Board("h8 h9 i9"), "a1")
    with pytest.raises(NotationError):
        openings.check_fifths(renju.Board("h8 h9 i9 g8"), ["A1", PASS])


def test_a_shape_needs_stones() -> None:
    """Without stones the board is all there is; with one stone it turns around that."""
    ring = ["B2", "B14", "N2"]
    assert len(openings.equivalent_moves(renju.Board(), ring, edges=False)) == 1
    off_centre = renju.Board.from_stones("b2", "", turn=renju.BLACK)
    assert names(openings.equivalent_moves(off_centre, "a1 c3 a3 o2 b14", edges=False)) == [
        ["A1", "C3", "A3"],
        ["O2"],
        ["B14"],
    ]


def test_opening_of_a_game() -> None:
    assert openings.classify(renju.Game.from_moves("h8 g8 g9 a1")) == openings.by_code("D4")
    setup = renju.Game(black=(Point("H8"), Point("I7")), white=(Point("I9"),))
    assert openings.classify(setup) == openings.by_code("I7")
    assert openings.classify(renju.Game()) is None


def test_a_game_that_white_began_has_no_opening() -> None:
    board = renju.Board.from_stones("", "", turn=renju.WHITE)
    for move in ("h8", "i9", "i7"):
        board.push(move)
    assert board.opening() is None
