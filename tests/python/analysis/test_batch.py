"""The array calls: right on all data, equal to single calls, whatever the threads do."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from renju import BLACK, WHITE, Board, Color, Point, Threat, batch
from renju.errors import PositionError
from support import data
from support.arrays import CALLS, THREADS, Call, crowded, each_call, each_result

# Against the data


@pytest.mark.slow
@pytest.mark.parametrize("k", data.SYMMETRIES)
@pytest.mark.parametrize("name", data.FORBIDDEN_FILES)
def test_forbidden_has_no_difference(name: str, k: int) -> None:
    cases = data.forbidden_cases(name)
    boards, expected = data.transformed(cases.boards, k), data.transformed(cases.codes, k)
    different = (batch.forbidden(boards) != expected).any(axis=(1, 2))
    assert [cases.ids[n] for n in np.flatnonzero(different)] == []


def test_the_data_are_complete() -> None:
    """Guards the test above against an empty or misread file."""
    counts = {name: len(data.forbidden_cases(name).ids) for name in data.FORBIDDEN_FILES}
    assert counts == {"forbidden.jsonl": 3000, "forbidden_cases.jsonl": 157, "forbidden_crosscheck.csv": 3000}
    codes = data.forbidden_cases("forbidden_crosscheck.csv").codes
    assert np.bincount(codes.ravel())[1:].tolist() == [2593, 463, 82]


def test_games() -> None:
    records, boards, turns = data.game_positions()
    found_boards, found_turns = batch.parse(records)
    np.testing.assert_array_equal(found_boards, boards)
    np.testing.assert_array_equal(found_turns, turns)
    last = np.cumsum([len(game["moves"]) + 1 for game in data.games()]) - 1
    winners = {"black": 1, "white": 2}
    expected = np.zeros(len(boards), np.int8)
    expected[last] = [winners[game["result"]] if game["reason"] == "five" else 0 for game in data.games()]
    np.testing.assert_array_equal(batch.winners(boards), expected)


def test_winners_by_hand() -> None:
    boards = [
        data.stones(["a1", "b1", "c1", "d1", "e1"], []),
        data.stones(["a1", "b1", "c1", "d1", "e1", "f1"], []),  # black six is no win
        data.stones(["a1", "b1", "c1", "d1", "e1", "f1", "a2", "a3", "a4", "a5"], []),  # six and five
        data.stones([], ["a1", "b2", "c3", "d4", "e5"]),
        data.stones([], ["k15", "l14", "m13", "n12", "o11"]),
        data.stones([], ["h1", "h2", "h3", "h4", "h5", "h6"]),  # white six is
        data.stones([], ["h1", "h2", "h3", "h4", "h6"]),
        data.stones([], ["m1", "n1", "o1", "a2", "b2"]),  # no line goes round the edge
        data.stones([], []),
    ]
    assert batch.winners(np.stack(boards)).tolist() == [1, 0, 1, 2, 2, 2, 0, 0, 0]


# Against single calls


def test_forbidden_is_a_loop_of_boards() -> None:
    boards = crowded(400)
    judged = 0
    for cells, codes in zip(boards, batch.forbidden(boards), strict=True):
        try:
            board = Board.from_array(cells, turn=BLACK)
        except PositionError:
            continue  # two fives
        if board.outcome is None and (points := board.forbidden_points()):
            found = {Point(int(index)): codes.flat[index] for index in np.flatnonzero(codes)}
            assert found == points
            judged += 1
    assert judged > 50
    _, boards, turns = data.game_positions()
    for n in range(0, len(boards), 17):
        codes = np.zeros(225, np.uint8)
        for point, kind in Board.from_array(boards[n], turn=turns[n]).forbidden_points().items():
            codes[point] = kind
        if batch.winners(boards[n]) != BLACK:
            np.testing.assert_array_equal(batch.forbidden(boards[n]).ravel(), codes)


@pytest.mark.parametrize("name", ["five", "six"])
def test_forbidden_judges_finished_boards_by_their_stones(name: str) -> None:
    line = ["a1", "b1", "c1", "d1", "e1", "f1"][: 5 if name == "five" else 6]
    cells = data.stones(["f8", "g8", "h9", "h10", *line], [])
    assert batch.forbidden(cells)[7, 7] == 1
    assert Board.from_array(cells, turn=WHITE).forbidden_points() == {}


def test_winners_are_those_of_boards() -> None:
    boards = crowded(400)
    seen = set()
    for cells, winner in zip(boards, batch.winners(boards), strict=True):
        try:
            outcome = Board.from_array(cells, turn=BLACK).outcome
        except PositionError:
            assert winner == BLACK  # both have five, which no game reaches
            continue
        won_by = None if outcome is None else outcome.winner
        assert winner == (won_by or 0)
        seen.add(won_by)
    assert seen == {None, BLACK, WHITE}


@pytest.mark.slow
@pytest.mark.parametrize("color", Color)
def test_threat_map_is_made_of_the_sets_of_boards(color: Color) -> None:
    _, positions, _ = data.game_positions()
    cases = data.forbidden_cases("forbidden_cases.jsonl")
    boards = np.concatenate([positions[::13], cases.boards, crowded(300)])
    maps, fouls = batch.threat_map(boards, color), batch.forbidden(boards)
    kinds = set()
    for cells, codes, foul in zip(boards, maps, fouls, strict=True):
        assert not codes[cells != 0].any()
        kinds |= set(np.unique(codes).tolist())
        try:
            threats = Board.from_array(cells, turn=BLACK).threats(color)
        except PositionError:
            continue  # two fives
        forbidden = {Point(int(index)) for index in np.flatnonzero(foul)} if color is BLACK else set()
        by_strength = [
            (forbidden, {Threat.FORBIDDEN}),
            (threats.fives, {Threat.FIVE}),
            (threats.open_fours, {Threat.OPEN_FOUR}),
            (threats.double_fours, {Threat.DOUBLE_FOUR}),
            (threats.four_threes, {Threat.FOUR_THREE}),
            (threats.fours, {Threat.FOUR}),
            (threats.threes, {Threat.OPEN_THREE, Threat.DOUBLE_THREE}),
        ]
        stronger: set[Point] = set()
        for points, threat in by_strength:
            found = {Point(int(index)) for index in np.flatnonzero(np.isin(codes, list(threat)))}
            assert found == points - stronger, threat
            stronger |= points
    only_whites = {Threat.DOUBLE_THREE, Threat.DOUBLE_FOUR}
    assert kinds == set(Threat) - (only_whites if color is BLACK else {Threat.FORBIDDEN})


@pytest.mark.parametrize("symmetric", [False, True])
def test_keys_are_those_of_boards(symmetric: bool) -> None:
    records, boards, turns = data.game_positions()
    every = slice(None, None, 11)
    played = [Board(record) for record in records[every]]
    expected = [board.symmetric_key if symmetric else board.key for board in played]
    for given_turns in (None, turns[every]):
        assert batch.keys(boards[every], given_turns, symmetric).tolist() == expected
    for k in data.SYMMETRIES:
        images = batch.keys(data.transformed(boards[every], k), symmetric=symmetric)
        if symmetric:
            assert images.tolist() == expected
        else:
            assert images.tolist() == [board.transform(k).key for board in played]


def test_keys_without_turns_take_any_counts() -> None:
    boards = crowded(200)
    black, white = (boards == 1).sum(axis=(1, 2)), (boards == 2).sum(axis=(1, 2))
    turns = np.where(black <= white, 1, 2)
    assert len(set(turns.tolist())) == 2
    np.testing.assert_array_equal(batch.keys(boards), batch.keys(boards, turns))
    np.testing.assert_array_equal(batch.keys(boards, 1), batch.keys(boards, np.ones(200, int)))
    assert (batch.keys(boards, 1) != batch.keys(boards, 2)).all()


def test_parse_is_a_loop_of_boards() -> None:
    records = ["", "h8", "H8 I9 G7", "h8i9g7passa1", "h8,i9,g7", "h8i9g7 pass pass", " \n", "a1o15"]
    boards, turns = batch.parse(records)
    assert (boards.dtype, turns.dtype) == (np.int8, np.int8)
    for record, cells, turn in zip(records, boards, turns, strict=True):
        np.testing.assert_array_equal(cells, Board(record).to_array())
        assert turn == Board(record).turn


# Threads and order


@pytest.mark.slow
@pytest.mark.parametrize("count", [1, 255, 256, 257, 511, 513, 3000])
@each_call
def test_threads_do_not_matter(call: Call, count: int) -> None:
    boards = crowded(count)
    expected = call(boards, threads=1)
    for threads in THREADS:
        np.testing.assert_array_equal(call(boards, threads=threads), expected, f"{threads} threads")


@each_call
def test_order_is_kept(call: Call) -> None:
    boards = crowded(1500)
    order = np.random.default_rng(0).permutation(len(boards))
    expected = call(boards, threads=1)
    for threads in THREADS:
        np.testing.assert_array_equal(call(boards[order], threads=threads), expected[order])
    for n in range(0, len(boards), 97):
        np.testing.assert_array_equal(call(boards[n]), expected[n])


def test_threads_of_parse() -> None:
    records, expected, turns = data.game_positions()
    for threads in THREADS:
        found = batch.parse(records, threads=threads)
        np.testing.assert_array_equal(found[0], expected)
        np.testing.assert_array_equal(found[1], turns)


@pytest.mark.parametrize("threads", [-1, -(10**30)])
@each_call
def test_negative_threads(call: Call, threads: int) -> None:
    with pytest.raises(ValueError, match="threads"):
        call(crowded(3), threads=threads)


@pytest.mark.parametrize("threads", [1.5, "2", None])
@each_call
def test_threads_of_a_wrong_type(call: Call, threads: object) -> None:
    with pytest.raises(TypeError):
        call(crowded(3), threads=threads)


@each_call
def test_more_threads_than_work(call: Call) -> None:
    boards = crowded(600)
    np.testing.assert_array_equal(call(boards, threads=10_000), call(boards, threads=1))


# Shapes


@each_result
def test_shapes(call: Call, shape: tuple[int, ...], dtype: type) -> None:
    boards = crowded(5)
    result = call(boards)
    assert (result.shape, result.dtype) == ((5, *shape), dtype)
    assert result.flags.c_contiguous
    assert result.flags.writeable
    for n in range(5):
        single = call(boards[n])
        assert (np.shape(single), single.dtype) == (shape, dtype)
        np.testing.assert_array_equal(single, result[n])
        assert call(boards[n : n + 1]).shape == (1, *shape)


@pytest.mark.parametrize("threads", THREADS)
@each_result
def test_no_boards(call: Call, shape: tuple[int, ...], dtype: type, threads: int) -> None:
    result = call(np.zeros((0, 15, 15), np.int8), threads=threads)
    assert (result.shape, result.dtype) == ((0, *shape), dtype)
    assert call(np.zeros((0, 15, 15), np.int32)).shape == (0, *shape)
    out = np.empty((0, *shape), dtype)
    assert call(np.zeros((0, 15, 15), np.int8), out=out).shape == out.shape


def test_no_records() -> None:
    for records in (
        [],
        (),
        iter([]),
        np.array([], str),
        pd.Series([], dtype=object),
        pl.Series([], dtype=pl.String),
    ):
        boards, turns = batch.parse(records)
        assert (boards.shape, turns.shape) == ((0, 15, 15), (0,))
    assert batch.keys(boards, turns).shape == (0,)


# Properties


@pytest.mark.slow
@settings(deadline=None)
@given(st.integers(0, 2**32), st.integers(0, 7), st.sampled_from(THREADS))
def test_symmetry(seed: int, k: int, threads: int) -> None:
    boards = data.random_boards(300, seed)
    images = data.transformed(boards, k)
    for call, shape, _ in CALLS.values():
        if call is batch.keys:
            continue
        expected = call(boards, threads=threads)
        np.testing.assert_array_equal(
            call(images, threads=threads), data.transformed(expected, k) if shape else expected
        )


@settings(deadline=None, max_examples=50)
@given(st.lists(st.lists(st.integers(0, 224), unique=True, max_size=40), max_size=20))
def test_records_read_back(games: list[list[int]]) -> None:
    records = ["".join(Point(move).name for move in moves).lower() for moves in games]
    boards, turns = batch.parse(records, referee=False)
    for moves, cells, turn in zip(games, boards, turns, strict=True):
        expected = np.zeros(225, np.int8)
        expected[moves[::2]] = 1
        expected[moves[1::2]] = 2
        np.testing.assert_array_equal(cells.ravel(), expected)
        assert turn == len(moves) % 2 + 1
