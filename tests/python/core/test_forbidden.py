"""Forbidden points of boards, why they are forbidden, and threats."""

from __future__ import annotations

import numpy as np
import pytest

from renju import BLACK, WHITE, Board, Color, Forbidden, Outcome, Point, Threat, batch
from renju.errors import IllegalMoveError, NotationError
from support import data
from support.board_cases import (
    BY_ID,
    CASES,
    DOUBLE_FOUR,
    DOUBLE_THREE,
    NONE,
    OVERLINE,
    WINS,
    case_board,
    points,
)

IDS = [case[0] for case in CASES]


# Forbidden points


@pytest.mark.parametrize("k", data.SYMMETRIES)
@pytest.mark.parametrize("case", IDS)
def test_subtle_case(case: str, k: int) -> None:
    verdict = BY_ID[case][4]
    kind = NONE if verdict is WINS else verdict
    original, move = case_board(case)
    board, point = original.transform(k), Point(data.transformed_index(move, k))
    np.testing.assert_array_equal(board.to_array(), data.transformed(original.to_array(), k))

    assert board.forbidden_kind(point) is kind
    assert board.forbidden_points().get(point, NONE) is kind
    assert batch.forbidden(board.to_array())[point.y, point.x] == kind
    assert board.is_legal(point) == (kind is NONE)
    assert (point in board.legal_moves) == (kind is NONE)
    explanation = board.explain_forbidden(point)
    assert (explanation.point, explanation.kind) == (point, kind)
    assert explanation.makes_five == (verdict is WINS)

    outcome = board.push(point)
    assert outcome == board.outcome
    if verdict is WINS:
        assert outcome is not None
        assert (outcome.winner, outcome.reason, len(outcome.line)) == (BLACK, "five", 5)
        assert point in outcome.line
    elif kind:
        assert outcome == Outcome(WHITE, "forbidden", (point,))
    else:
        assert outcome is None


@pytest.mark.parametrize("case", IDS)
def test_forbidden_speaks_of_black_whoever_is_to_move(case: str) -> None:
    black_to_move, point = case_board(case)
    white_to_move, _ = case_board(case, turn=WHITE)
    assert white_to_move.forbidden_points() == black_to_move.forbidden_points()
    assert white_to_move.forbidden_kind(point) is black_to_move.forbidden_kind(point)
    assert white_to_move.is_legal(point)
    assert len(white_to_move.legal_moves) == 225 - len(white_to_move)
    assert white_to_move.push(point) is None


def test_nothing_is_forbidden_to_white() -> None:
    for _, black, white, move, _, _ in CASES:
        board = Board.from_stones(white, black, turn=WHITE)
        outcome = board.push(move)
        assert outcome is None or outcome.winner is WHITE


def test_points_of_the_data_files() -> None:
    """Point by point on boards; test_batch.py does all of them as arrays."""
    cases = data.all_forbidden_cases()
    for n in range(0, len(cases.ids), 29):
        board = Board.from_array(cases.boards[n], turn=BLACK)
        found = np.array([board.forbidden_kind(index) for index in range(225)]).reshape(15, 15)
        np.testing.assert_array_equal(found, cases.codes[n], cases.ids[n])
        expected = {Point(int(i)): Forbidden(cases.codes[n].flat[i]) for i in np.flatnonzero(cases.codes[n])}
        assert board.forbidden_points() == expected
        empty = set(map(Point, np.flatnonzero(cases.boards[n] == 0).tolist()))
        assert set(board.legal_moves) == empty - expected.keys()


@pytest.mark.parametrize("five", ["a1 b1 c1 d1 e1", "a1 b1 c1 d1 e1 f1"], ids=["five", "six"])
def test_nothing_is_forbidden_once_black_has_five(five: str) -> None:
    board = Board.from_stones(f"f8 g8 h9 h10 {five}", "", turn=WHITE)
    assert board.forbidden_points() == {}
    assert board.forbidden_kind("h8") is NONE
    assert board.explain_forbidden("h8").kind is NONE
    # The arrays judge every board by its stones alone.
    assert batch.forbidden(board.to_array())[7, 7] == DOUBLE_THREE


def test_occupied_and_impossible_points() -> None:
    board = Board("h8 i9")
    assert board.forbidden_kind("h8") is NONE
    assert not board.is_legal("h8")
    with pytest.raises(IllegalMoveError, match="H8 is occupied"):
        board.explain_forbidden("h8")
    for method in (board.forbidden_kind, board.explain_forbidden):
        with pytest.raises(NotationError):
            method("pass")


# Explanations


def test_explains_a_plain_double_three() -> None:
    board, point = case_board("E01")
    explanation = board.explain_forbidden(point)
    assert [line.direction for line in explanation.lines] == ["row", "column"]
    assert [line.shape for line in explanation.lines] == ["three", "three"]
    assert explanation.real_threes == explanation.lines
    assert explanation.fake_threes == ()
    row, column = explanation.lines
    assert set(row.stones) == points("F8 G8 H8")
    assert set(column.stones) == points("H8 H9 H10")
    assert {extension.point for extension in row.extensions} == points("E8 I8")
    assert all(extension.is_allowed for line in explanation.lines for extension in line.extensions)
    assert str(explanation).startswith("H8 is forbidden: a double-three\n")


@pytest.mark.parametrize(
    ("case", "extension", "kind"),
    [("E13", "I8", DOUBLE_FOUR), ("E15", "I8", DOUBLE_THREE), ("E18", "I8", OVERLINE)],
)
def test_explains_a_fake_three(case: str, extension: str, kind: Forbidden) -> None:
    board, point = case_board(case)
    explanation = board.explain_forbidden(point)
    assert explanation.kind is NONE
    (fake,) = explanation.fake_threes
    (real,) = explanation.real_threes
    assert (fake.direction, real.direction) == ("row", "column")
    assert not fake.is_real
    assert real.is_real
    assert set(fake.stones) == points("F8 G8 H8")
    (only,) = fake.extensions
    assert (only.point, only.makes_five, only.is_allowed) == (Point(extension), False, False)
    nested = only.forbidden
    assert nested is not None
    assert (nested.point, nested.kind, nested.makes_five) == (Point(extension), kind, False)
    # What the nested explanation says is what the board says one stone later.
    board.push(point)
    board.push("a15")
    assert board.explain_forbidden(extension) == nested
    assert "no real three" in str(explanation)
    assert f"{extension} is forbidden" in str(explanation)


def test_nested_reasons_go_all_the_way_down() -> None:
    board, point = case_board("E15")
    (fake,) = board.explain_forbidden(point).fake_threes
    nested = fake.extensions[0].forbidden
    assert nested is not None
    shapes = {line.direction: line.shape for line in nested.lines}
    assert shapes == {"row": "straight four", "column": "three", "rising diagonal": "three"}
    assert len(nested.real_threes) == 2
    diagonal = next(line for line in nested.lines if line.direction == "rising diagonal")
    verdicts = {extension.point.name: extension.forbidden for extension in diagonal.extensions}
    assert verdicts["L11"] is None  # so this three is real although H7 is forbidden
    assert verdicts["H7"] is not None
    assert verdicts["H7"].kind is DOUBLE_FOUR


def test_explains_that_an_extension_makes_five() -> None:
    board, point = case_board("E17")
    (fake,) = board.explain_forbidden(point).fake_threes
    (only,) = fake.extensions
    assert (only.point, only.makes_five, only.forbidden, only.is_allowed) == (Point("G8"), True, None, False)
    assert "G8 makes a five" in str(board.explain_forbidden(point))


@pytest.mark.parametrize(
    ("case", "shapes", "completions"),
    [
        ("E02", {"row": "four", "column": "three"}, "I8"),
        ("E03", {"row": "straight four", "column": "straight four"}, "D8 I8 H7 H12"),
        ("E04", {"row": "two fours"}, "F8 I8"),
        ("E06", {"row": "two fours"}, "F8 H8"),
        ("E07", {"row": "straight four"}, "E8 J8"),
        ("E08", {"row": "overline"}, ""),
        ("E09", {"row": "five", "column": "overline"}, ""),
        (
            "E10",
            {"row": "five", "column": "straight four", "rising diagonal": "straight four"},
            "H4 H9 G7 L12",
        ),
        ("E19", {"column": "three"}, ""),
        ("E23", {}, ""),
        ("E24", {"row": "three", "column": "three", "rising diagonal": "three"}, ""),
        ("E26", {"column": "straight four"}, "H7 H12"),
    ],
)
def test_explains_shapes(case: str, shapes: dict[str, str], completions: str) -> None:
    board, point = case_board(case)
    explanation = board.explain_forbidden(point)
    assert {line.direction: line.shape for line in explanation.lines} == shapes
    assert {p for line in explanation.lines for p in line.completions} == points(completions)
    assert all(point in line.stones for line in explanation.lines)


def test_explanations_agree_with_the_verdicts() -> None:
    """The kind follows from the lines, on crowded boards."""
    cases = data.forbidden_cases("forbidden_cases.jsonl")
    for n, cells in enumerate(cases.boards):
        if batch.winners(cells) == BLACK:
            continue
        board = Board.from_array(cells, turn=BLACK)
        for index in np.flatnonzero(cases.codes[n]).tolist():
            explanation = board.explain_forbidden(index)
            shapes = [line.shape for line in explanation.lines]
            fours = sum({"four": 1, "straight four": 1, "two fours": 2}.get(shape, 0) for shape in shapes)
            if "overline" in shapes:
                expected = OVERLINE
            elif fours >= 2:
                expected = DOUBLE_FOUR
            else:
                assert len(explanation.real_threes) >= 2
                expected = DOUBLE_THREE
            assert explanation.kind is expected, cases.ids[n]


# Threats


def test_threats_of_a_simple_board() -> None:
    board = Board.from_stones("f8 g8 h8", "e8", turn=BLACK)
    threats = board.threats()
    assert threats.fours == points("I8 J8")
    assert threats.fives == threats.open_fours == threats.double_fours == threats.four_threes == set()
    assert Board.from_stones("f8 g8 h8", "", turn=BLACK).threats().open_fours == points("E8 I8")
    assert Board.from_stones("f8 g8 h8 i8", "", turn=BLACK).threats().fives == points("E8 J8")
    assert Board.from_stones("f8 g8", "", turn=BLACK).threats().threes == points("D8 E8 H8 I8")


def test_threats_are_those_of_the_side_to_move_or_asked_for() -> None:
    board = Board.from_stones("f8 g8 h8", "a1 b1 c1 d1", turn=BLACK)
    assert board.threats() == board.threats(BLACK) == board.threats(1)
    assert board.threats(WHITE).fives == points("E1")
    assert Board.from_stones("f8 g8 h8", "a1 b1 c1 d1", turn=WHITE).threats() == board.threats(2)
    for color in (0, 3, "white"):
        with pytest.raises(ValueError, match="colour"):
            board.threats(color)  # type: ignore[arg-type]


def test_threats_where_shapes_meet() -> None:
    board, point = case_board("E02")
    assert point in board.threats().four_threes
    assert point in board.threats().fours
    assert point in board.threats().threes
    # What is forbidden to black is no threat of black's, but one of white's.
    for case in ("E01", "E03", "E04", "E08"):
        board, point = case_board(case)
        threats = board.threats()
        sets = (threats.open_fours, threats.fours, threats.double_fours, threats.four_threes, threats.threes)
        assert not any(point in cells for cells in sets), case
    _, black, _, _, _, _ = BY_ID["E03"]
    assert Point("H8") in Board.from_stones("", black, turn=WHITE).threats().double_fours
    # A fake three is none.
    board, point = case_board("E13")
    assert point in board.threats().threes  # the column is real
    board = Board.from_stones("f8 g8 i9 i10 i11", "d8", turn=BLACK)
    assert board.explain_forbidden("h8").fake_threes
    assert Point("H8") not in board.threats().threes


@pytest.mark.parametrize("color", Color)
def test_threats_by_playing_them_out(color: Color) -> None:
    """A five is what wins; a four is what threatens a five afterwards."""
    seen = {"fives": 0, "fours": 0}
    for cells in data.random_boards(300, seed=3)[:120]:
        if batch.winners(cells):
            continue
        board = Board.from_array(cells, turn=color)
        threats = board.threats(color)
        empty = np.flatnonzero(cells == 0)
        after = np.repeat(cells[None], len(empty), axis=0)
        after.reshape(len(empty), -1)[np.arange(len(empty)), empty] = color
        wins = {Point(int(i)) for i in empty[batch.winners(after) == color]}
        assert threats.fives == wins
        seen["fives"] += len(wins)
        if wins:
            continue
        legal = set(board.legal_moves)
        fours = {
            Point(int(i))
            for i, later in zip(empty, after, strict=True)
            if Point(int(i)) in legal and (batch.threat_map(later, color) == Threat.FIVE).any()
        }
        assert threats.fours | threats.open_fours | threats.double_fours == fours
        seen["fours"] += len(fours)
    assert min(seen.values()) > 50
