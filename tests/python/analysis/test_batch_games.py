"""The positions of games as arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import renju
from renju import PASS, Board, Point, batch, samples
from renju.batch.games import expand_moves
from renju.errors import IllegalMoveError, NotationError

# Positions of games


def test_expand_is_a_replay() -> None:
    games = samples.games()
    found = batch.expand(games)
    types = {name: getattr(found, name).dtype for name in vars(found) if name != "errors"}
    assert types == {
        "boards": np.int8,
        "turns": np.int8,
        "games": np.int64,
        "plies": np.uint16,
        "played": np.int16,
        "outcomes": np.int8,
        "results": np.int8,
        "moves": np.uint8,
        "ends": np.int64,
    }
    assert found.errors == {}
    assert [part.tolist() for part in np.split(found.moves, found.ends[:-1])] == [
        [*Board(game).moves] for game in games
    ]
    n = 0
    for number, game in enumerate(games):
        board = Board()
        result = outcome_code(Board(game).outcome)
        for ply, move in enumerate([*Board(game).moves, None]):
            np.testing.assert_array_equal(found.boards[n], board.to_array())
            outcome = board.outcome
            assert (
                found.turns[n],
                found.games[n],
                found.plies[n],
                found.played[n],
                found.outcomes[n],
                found.results[n],
            ) == (board.turn, number, ply, -1 if move is None else move, outcome_code(outcome), result)
            if move is not None:
                board.push(move)
            n += 1
    assert n == len(found.boards) == len(samples.positions())


@pytest.mark.parametrize("threads", [0, 2, 5])
def test_expand_is_the_same_with_any_threads(threads: int) -> None:
    games = [*samples.games(), "h8h8", "x", ""] * 5
    expected, found = (batch.expand(games, threads=count) for count in (1, threads))
    for name, values in vars(expected).items():
        if name != "errors":
            np.testing.assert_array_equal(getattr(found, name), values)
    assert [*map(repr, found.errors.items())] == [*map(repr, expected.errors.items())]
    assert len(found.errors) == 10


def test_numbers_of_moves_are_expanded_like_their_text() -> None:
    games = [*samples.games()[:5], "h8i9g7passa1"]
    expected = batch.expand(games)
    found = expand_moves([bytes(Board(game).moves) for game in games], True, (0, None), False, 1)
    for name, values in vars(expected).items():
        np.testing.assert_array_equal(getattr(found, name), values)
    found = expand_moves([bytes([112, 226])], True, (0, None), False, 1)
    reason = "move 2: 226 is off the board: points are 0..224, a pass is 225"
    assert repr(found.errors) == repr({0: renju.NotationError(reason)})


def outcome_code(outcome: renju.Outcome | None) -> int:
    if outcome is None:
        return 0
    return 3 if outcome.winner is None else int(outcome.winner)


FIVE = "h8 a1 i8 a3 j8 a5 k8 a7 l8"
FOUL = "f8 a1 g8 a3 h9 a5 h10 a7 h8"


@pytest.mark.parametrize(
    ("record", "outcome"),
    [("", 0), ("h8", 0), (FIVE, 1), (FOUL, 2), ("h8 i9 g7 a1 pass pass", 3), ("h8i9g7passa1", 0)],
)
def test_ends_of_games(record: str, outcome: int) -> None:
    found = batch.expand([record])
    moves = Board(record).moves
    assert found.outcomes.tolist() == [0] * len(moves) + [outcome]
    assert found.played.tolist() == [*moves, -1]
    assert found.turns[-1] == Board(record).turn


def test_bad_records_are_collected() -> None:
    records = ["h8", "h8h8", "h8i9", "h8 p9", FIVE + " a9", "", "連", FOUL + " a9"]
    found = batch.expand(records)
    assert found.games.tolist() == [0, 0, 2, 2, 2, 5]
    assert found.plies.tolist() == [0, 1, 0, 1, 2, 0]
    assert list(found.errors) == [1, 3, 4, 6, 7]
    for index, error in found.errors.items():
        with pytest.raises((NotationError, IllegalMoveError)) as single:
            Board(records[index])
        assert (type(error), str(error)) == (single.type, str(single.value))


def test_referee() -> None:
    records = [FIVE + " a9", FOUL + " a9"]
    found = batch.expand(records, referee=False)
    assert found.errors == {}
    assert np.bincount(found.games).tolist() == [11, 11]
    for n, (game, ply) in enumerate(zip(found.games, found.plies, strict=True)):
        board = Board(Board(records[game], referee=False).moves[:ply], referee=False)
        np.testing.assert_array_equal(found.boards[n], board.to_array())
        assert found.outcomes[n] == outcome_code(board.outcome)


@pytest.mark.parametrize("plies", [(0, None), (0, 0), (3, 10), (40, None), (60, 10**9), (1000, None)])
@pytest.mark.parametrize("only_last", [False, True])
def test_some_plies(plies: tuple[int, int | None], only_last: bool) -> None:
    records = samples.games()[:30]
    every, found = batch.expand(records), batch.expand(records, plies=plies, only_last=only_last)
    first, last = plies
    wanted = (every.plies >= first) & (every.plies <= (10**6 if last is None else last))
    if only_last:
        wanted &= every.played == -1
    for name in ("boards", "turns", "games", "plies", "played", "outcomes"):
        np.testing.assert_array_equal(getattr(found, name), getattr(every, name)[wanted])
    assert found.boards.shape[1:] == (15, 15)


@pytest.mark.parametrize(
    ("plies", "error"),
    [((-1, 5), ValueError), ((5, 4), ValueError), ((0.5, 3), TypeError), (("0", None), TypeError)],
)
def test_bad_plies(plies: Any, error: type[Exception]) -> None:
    with pytest.raises(error, match="plies"):
        batch.expand(["h8"], plies=plies)


def test_records_of_all_kinds() -> None:
    records = ["h8i9g7", "", "H8 H9", "h8,i9,g7,pass"]
    expected = batch.expand(records)
    for column in (
        pd.Series(records),
        pl.Series(records),
        pa.array(records),
        np.array(records),
        iter(records),
    ):
        found = batch.expand(column)
        np.testing.assert_array_equal(found.boards, expected.boards)
        np.testing.assert_array_equal(found.played, expected.played)
    assert batch.expand([]).boards.shape == (0, 15, 15)
    for wrong in ("h8", None, ["h8", None]):
        with pytest.raises(TypeError):
            batch.expand(wrong)  # type: ignore[arg-type]


@settings(deadline=None, max_examples=50)
@given(st.lists(st.lists(st.integers(0, PASS - 1), unique=True, max_size=30), max_size=8))
def test_expand_is_parse_of_every_prefix(games: list[list[int]]) -> None:
    records = ["".join(Point(move).name for move in moves) for moves in games]
    prefixes = [
        "".join(Point(move).name for move in moves[:ply]) for moves in games for ply in range(len(moves) + 1)
    ]
    found = batch.expand(records, referee=False)
    boards, turns = batch.parse(prefixes, referee=False)
    np.testing.assert_array_equal(found.boards, boards)
    np.testing.assert_array_equal(found.turns, turns)
    assert found.errors == {}
    # With the referee a game may end early, and then the record is bad or its end is told.
    strict = batch.expand(records)
    for number, record in enumerate(records):
        try:
            outcome = Board(record).outcome
        except IllegalMoveError:
            assert number in strict.errors
        else:
            assert strict.outcomes[strict.games == number][-1] == outcome_code(outcome)
