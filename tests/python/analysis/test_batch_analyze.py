"""Arrays of positions: the engine on each, the positions of games, and symmetries; equal to single calls."""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import renju
from renju import (
    BLACK,
    PASS,
    WHITE,
    Board,
    Color,
    Engine,
    EngineConfig,
    Limit,
    Point,
    SearchResult,
    Source,
    _native,
    batch,
    samples,
)
from renju.batch.games import expand_moves
from renju.errors import IllegalMoveError, NotationError, PositionError
from support import data
from support.waiting import run_code

FEW = Limit(nodes=2_000)
# Enough for some wins by threats.
SOME = Limit(nodes=20_000)
# Never reached: for searches that are to be stopped.
LONG = Limit(nodes=10**12)
NOTHING = np.array((-1, 0, 0, 0, 0, 0, Source.NONE, 0, [255] * 32), batch.ANALYSIS_DTYPE)

Rows = npt.NDArray[np.void]


@cache
def live() -> tuple[list[Board], npt.NDArray[np.int8], npt.NDArray[np.int8]]:
    """Positions of games that go on, and some with a forced win of each kind."""
    records, _, _ = data.game_positions()
    boards = [Board(record) for record in records[::97]]
    for name, count in (("vcf_cases", 12), ("mise_vcf_cases", 3), ("vct_seed_cases", 12)):
        kind = name.split("_cases")[0].removesuffix("_seed")
        wins = [case for case in data.json_lines(f"{name}.jsonl") if case["expect"].get(kind)]
        boards += [_case_board(case) for case in wins[:count]]
    boards = [board for board in boards if board.outcome is None]
    arrays = np.stack([board.to_array() for board in boards])
    return boards, arrays, np.array([board.turn for board in boards], np.int8)


def _case_board(case: dict[str, Any]) -> Board:
    return Board.from_stones(case["black"], case["white"], turn=Color[case["side"].upper()])


def timeless(rows: Rows) -> Rows:
    """Without what the clock decides."""
    rows = rows.copy()
    rows["time_us"] = 0
    return rows


def assert_same(found: Rows, expected: Rows) -> None:
    np.testing.assert_array_equal(timeless(found), timeless(expected))


def first_rows(rows: Rows) -> Rows:
    """The row of the best move of each position."""
    return rows if rows.ndim == 1 else rows[:, 0]


def line_of(row: np.void) -> list[int]:
    line: list[int] = row["pv"].tolist()
    length = int(row["pv_len"])
    assert line[length:] == [255] * (32 - length)
    return line[:length]


# The engine


def test_the_fields_of_a_row() -> None:
    assert batch.ANALYSIS_DTYPE.descr == [
        ("best", "<i2"),
        ("score", "<i4"),
        ("win_in", "<i2"),
        ("depth", "|u1"),
        ("nodes", "<u8"),
        ("time_us", "<u4"),
        ("source", "|u1"),
        ("pv_len", "|u1"),
        ("pv", "|u1", (32,)),
    ]
    assert batch.analyse is batch.analyze


def assert_result(row: np.void, expected: SearchResult) -> None:
    found = (row["best"], row["score"], row["depth"], row["nodes"], row["win_in"])
    assert found == (
        expected.move,
        expected.score,
        expected.depth,
        expected.nodes,
        expected.win_in or 0,
    )
    assert _native.SOURCES[row["source"]] == expected.source
    assert line_of(row) == list(expected.pv[:32])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("limit", "level"),
    [
        (FEW, "hard"),
        (Limit(nodes=8_000, depth=4), "master"),
        (Limit(depth=2), "medium"),
        (Limit(nodes=0), "hard"),
        (FEW, "beginner"),
    ],
    ids=["nodes", "master", "depth", "no nodes", "beginner"],
)
@pytest.mark.parametrize("multipv", [1, 3])
def test_analyze_is_a_loop_of_engines(multipv: int, limit: Limit, level: str) -> None:
    boards, arrays, turns = live()
    rows = batch.analyze(arrays, turns, limit, level, multipv)
    engine = Engine(level=level, hash_mb=64)
    for n, board in enumerate(boards):
        engine.clear()  # a limit by depth alone would profit from what came before
        expected = engine.analyse(board, limit, multipv)
        assert_result(first_rows(rows)[n], expected)
        if multipv == 1:
            continue
        others = [candidate for candidate in expected.candidates if candidate.move != expected.move]
        for row, other in zip(rows[n, 1:], others, strict=False):
            assert (row["best"], row["score"], row["win_in"]) == (other.move, other.score, other.win_in or 0)
            assert line_of(row) == list(other.pv[:32])
            assert row["source"] == Source.SEARCH
        assert (rows[n, 1 + len(others) :] == NOTHING).all()


@pytest.mark.slow
@pytest.mark.parametrize("multipv", [1, 3])
def test_threads_and_order_do_not_matter(multipv: int) -> None:
    _, arrays, turns = live()
    expected = batch.analyze(arrays, turns, FEW, multipv=multipv, threads=1)
    for threads in (2, 5):
        assert_same(batch.analyze(arrays, turns, FEW, multipv=multipv, threads=threads), expected)
    order = np.random.default_rng(0).permutation(len(arrays))
    assert_same(batch.analyze(arrays[order], turns[order], FEW, multipv=multipv), expected[order])


def test_the_size_of_the_table_is_that_of_the_engine() -> None:
    boards, arrays, turns = live()
    rows = batch.analyze(arrays[:6], turns[:6], SOME, hash_mb=1)
    for board, row in zip(boards, rows, strict=False):
        assert_result(row, Engine(hash_mb=1).analyse(board, SOME, 1))


@pytest.mark.slow
def test_a_config_takes_the_place_of_a_level() -> None:
    _, arrays, turns = live()
    config = EngineConfig.from_level("hard").replace(vcf=False, mise_vcf=False, vct=False, depth=2)
    rows = batch.analyze(arrays, turns, SOME, config=config)
    proofs = {Source.VCF, Source.MISE_VCF, Source.VCT}
    assert proofs <= {Source(source) for source in batch.analyze(arrays, turns, SOME)["source"]}
    assert not proofs & {Source(source) for source in rows["source"]}
    assert rows["depth"].max() <= 2
    easy = batch.analyze(arrays, turns, FEW, config=EngineConfig.from_level("easy"), level="hard")
    assert_same(easy, batch.analyze(arrays, turns, FEW, "easy"))


def test_reuse_gives_legal_moves() -> None:
    records, arrays, turns = data.game_positions()
    rows = batch.analyze(arrays[:60], turns[:60], Limit(depth=3), reuse=True, threads=1)
    for record, row in zip(records, rows, strict=False):
        board = Board(record)
        if board.outcome is None:
            assert board.is_legal(Point(int(row["best"])))
        else:
            assert row["source"] == Source.OVER


# What an answer says


def test_lines_are_legal_and_start_with_the_move() -> None:
    boards, arrays, turns = live()
    rows = batch.analyze(arrays, turns, FEW, multipv=4)
    for board, moves in zip(boards, rows, strict=True):
        found = [int(move) for move in moves["best"] if move >= 0]
        assert found
        assert len(set(found)) == len(found)
        for row in moves[: len(found)]:
            line = line_of(row)
            assert line[0] == row["best"]
            after = board.copy()
            for point in map(Point, line):
                assert after.is_legal(point), f"{board!r}: {line}"
                after.push(point)


@pytest.mark.slow
def test_wins_are_wins() -> None:
    """Each by a call of its own; the solvers' proofs are checked by the verifier."""
    boards, arrays, turns = live()
    config = EngineConfig.from_level("hard")
    rows = batch.analyze(arrays, turns, SOME)
    seen = set()
    for board, row in zip(boards, rows, strict=True):
        best, source = Point(int(row["best"])), Source(row["source"])
        seen.add(source)
        opponent = board.turn.opponent
        if source == Source.FIVE:
            assert row["win_in"] == 1
            outcome = board.copy().push(best)
            assert outcome is not None
            assert outcome.winner == board.turn
        elif source == Source.FORCED_DEFENCE:
            fives = board.threats(opponent).fives
            assert best in fives or not any(map(board.is_legal, fives))
        elif source in (Source.VCF, Source.MISE_VCF, Source.VCT):
            proof = renju.is_winning_start(
                board,
                best,
                _native.SOURCES[source],
                threat_limit=config.vct_threat_limit if source == Source.VCT else 1,
            )
            assert renju.verify(board, proof)
            assert row["win_in"] > 0
            # After the last stone of the line comes some reply, then the five.
            assert row["win_in"] == row["pv_len"] + 2 or row["pv_len"] == 32
        if source == Source.VCF:
            assert renju.solve_vcf(board)
    assert seen >= {
        Source.FIVE,
        Source.FORCED_DEFENCE,
        Source.VCF,
        Source.MISE_VCF,
        Source.VCT,
        Source.SEARCH,
    }


def test_positions_without_a_move() -> None:
    y, x = np.mgrid[:15, :15]
    full = np.where(((x + 2 * (y % 2)) // 2) % 2 == 0, BLACK, WHITE).astype(np.int8)
    overline = full.copy()
    overline[7, 3:11] = [WHITE, BLACK, BLACK, BLACK, 0, BLACK, BLACK, WHITE]
    assert batch.forbidden(overline)[7, 7] == renju.Forbidden.OVERLINE
    assert Board.from_array(overline, BLACK).legal_moves == ()
    five = data.stones(["a1", "b1", "c1", "d1", "e1"], ["a3", "b3", "c3", "d3"])
    six = data.stones(["a1", "b5", "c1", "d4", "e1"], ["h1", "h2", "h3", "h4", "h5", "h6"])
    cases = [
        ("full", full, BLACK, 0),
        ("black has only an overline", overline, BLACK, 0),
        ("lost", five, WHITE, -_native.WIN),
        ("won, and on move all the same", five, BLACK, _native.WIN),
        ("lost by an overline", six, BLACK, -_native.WIN),
    ]
    arrays = np.stack([cells for _, cells, _, _ in cases])
    turns = [turn for _, _, turn, _ in cases]
    for multipv in (1, 3):
        rows = batch.analyze(arrays, turns, FEW, multipv=multipv)
        first = first_rows(rows)
        assert first["source"].tolist() == [Source.OVER] * len(cases)
        assert first["score"].tolist() == [score for _, _, _, score in cases]
        assert first["best"].tolist() == [-1] * len(cases)
        for name in ("win_in", "depth", "nodes", "time_us", "pv_len"):
            assert not first[name].any(), name
        assert (first["pv"] == 255).all()
        if multipv > 1:
            assert (rows[:, 1:] == NOTHING).all()
    assert batch.analyze(overline, WHITE, FEW)["best"] == Point("H8")


def test_finished_games() -> None:
    ends = batch.expand(samples.games(), only_last=True)
    has_five = batch.winners(ends.boards) != 0
    assert has_five.sum() > 50
    rows = batch.analyze(ends.boards[has_five], ends.turns[has_five], FEW)
    assert (rows["source"] == Source.OVER).all()
    assert (rows["score"] == -_native.WIN).all()  # who has just been beaten would be to move


# Shapes, turns, arguments


@pytest.mark.parametrize("threads", [1, 2, 0])
def test_shapes(threads: int) -> None:
    _, arrays, turns = live()
    for multipv in (1, 2, 7):
        more = () if multipv == 1 else (multipv,)
        for count in (0, 1, 3):
            rows = batch.analyze(arrays[:count], turns[:count], FEW, multipv=multipv, threads=threads)
            assert (rows.shape, rows.dtype) == ((count, *more), batch.ANALYSIS_DTYPE)
        one = batch.analyze(arrays[2], turns[2], FEW, multipv=multipv, threads=threads)
        assert one.shape == more
        assert_same(one, rows[2])


def test_more_moves_than_there_are() -> None:
    rows = batch.analyze(np.zeros((15, 15), np.int8), limit=FEW, multipv=225)
    moves = rows["best"][rows["best"] >= 0]
    assert 1 <= len(moves) < 225
    assert (rows[len(moves) :] == NOTHING).all()


def test_turns() -> None:
    _, arrays, turns = data.game_positions()
    arrays, turns = arrays[20:30], turns[20:30]
    expected = batch.analyze(arrays, turns, FEW)
    assert_same(batch.analyze(arrays, limit=FEW), expected)
    assert_same(batch.analyze(arrays, turns.tolist(), FEW), expected)
    assert_same(batch.analyze(np.where(arrays == 2, -1, arrays), turns.astype(">i4"), FEW), expected)
    swapped = batch.analyze(arrays[0], turns[0] % 2 + 1, FEW)
    assert_result(swapped, Engine().analyse(Board.from_array(arrays[0], turns[0] % 2 + 1), FEW, 1))


def test_boards_that_do_not_tell_the_turn() -> None:
    _, arrays, turns = data.game_positions()
    wrong = arrays[:40].copy()
    wrong[17] = wrong[23] = data.stones(["a1", "b2", "c3"], [])
    for threads in (1, 2):
        with pytest.raises(PositionError, match=r"boards\[17\]: 3 black and 0 white .* give turns"):
            batch.analyze(wrong, limit=FEW, threads=threads)
    assert (batch.analyze(wrong[17:18], [1], FEW)["best"] >= 0).all()
    wrong[9, 3, 4] = 7
    with pytest.raises(PositionError, match=r"boards\[9\]: E4 \(y=3, x=4\) holds 7"):
        batch.analyze(wrong, turns[:40], FEW)


@pytest.mark.parametrize(
    ("turns", "error", "message"),
    [
        ([1, 2, 3], ValueError, r"turns\[2\] is 3"),
        ([1, 2], ValueError, "shape"),
        (0, ValueError, "is 0"),
        ([1.0, 2.0, 1.0], TypeError, "dtype"),
        (["black"] * 3, TypeError, "dtype"),
    ],
)
def test_bad_turns(turns: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        batch.analyze(np.zeros((3, 15, 15), np.int8), turns, FEW)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"multipv": 0}, ValueError, "multipv is a number from 1 to 225, not 0"),
        ({"multipv": 226}, ValueError, "multipv"),
        ({"multipv": 1.5}, TypeError, "multipv is a whole number"),
        ({"multipv": "3"}, TypeError, "multipv"),
        ({"hash_mb": 0}, ValueError, "hash_mb is a number from 1"),
        ({"hash_mb": 10**9}, ValueError, "hash_mb"),
        ({"hash_mb": 0.5}, TypeError, "hash_mb"),
        ({"level": "grandmaster"}, ValueError, "beginner, easy, medium, hard or master, not 'grandmaster'"),
        ({"level": 3}, ValueError, "level"),
        ({"config": "hard"}, TypeError, "config is a renju.EngineConfig, not str"),
        ({"config": {"depth": 2}}, TypeError, "config is a renju.EngineConfig, not dict"),
        ({"limit": 2000}, TypeError, "limit is a renju.Limit, not int"),
        ({"deadline": -1}, ValueError, "deadline"),
        ({"deadline": float("nan")}, ValueError, "deadline"),
        ({"deadline": "1"}, TypeError, "deadline"),
        ({"threads": -1}, ValueError, "threads"),
        ({"threads": 1.5}, TypeError, "threads is a whole number"),
        ({"boards": np.zeros((3, 15, 15))}, TypeError, "dtype float64"),
        ({"boards": np.zeros((3, 15, 14), np.int8)}, ValueError, "shape"),
        ({"boards": Board()}, TypeError, "dtype"),
    ],
)
def test_bad_arguments(arguments: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        batch.analyze(**({"boards": np.zeros((2, 15, 15), np.int8), "limit": FEW} | arguments))


# Progress, deadlines, Ctrl-C


@pytest.mark.slow
def test_progress() -> None:
    _, arrays, turns = live()
    for threads, multipv in product((1, 2), (1, 2)):
        told: list[tuple[int, int]] = []
        batch.analyze(
            arrays,
            turns,
            FEW,
            multipv=multipv,
            threads=threads,
            progress=lambda *now, told=told: told.append(now),
        )
        assert told[-1] == (len(arrays), len(arrays))
        assert told == sorted(told)
        assert {total for _, total in told} == {len(arrays)}
    batch.analyze(arrays[:0], limit=FEW, progress=lambda *now: told.append(now))
    assert told[-1] == (0, 0)


def test_a_bar(capsys: pytest.CaptureFixture[str]) -> None:
    _, arrays, turns = live()
    batch.analyze(arrays[:9], turns[:9], FEW, progress=True)
    out, err = capsys.readouterr()
    assert out == ""
    assert "9/9" in err


class ProgressError(Exception):
    """What the functions below raise."""


@pytest.mark.parametrize("when", ["at once", "at the end"])
@pytest.mark.parametrize("threads", [1, 2])
def test_an_exception_of_progress_comes_through(threads: int, when: str) -> None:
    _, arrays, turns = live()

    def progress(done: int, total: int) -> None:
        if when == "at once" or done == total:
            raise ProgressError

    with pytest.raises(ProgressError):
        batch.analyze(
            arrays,
            turns,
            LONG if when == "at once" else FEW,
            "master",
            threads=threads,
            progress=progress,
        )
    assert (batch.analyze(arrays[:3], turns[:3], FEW)["best"] >= 0).all()


@pytest.mark.slow
@pytest.mark.parametrize("multipv", [1, 2])
def test_deadline(multipv: int) -> None:
    _, arrays, turns = live()
    rows = first_rows(batch.analyze(arrays, turns, LONG, "master", multipv, deadline=0.1))
    left_out = rows["source"] == Source.NONE
    assert left_out.any()
    assert (rows[left_out] == NOTHING).all()
    assert (rows["best"][~left_out] >= 0).all()
    full = first_rows(batch.analyze(arrays, turns, FEW, multipv=multipv, deadline=1e6))
    assert_same(full, first_rows(batch.analyze(arrays, turns, FEW, multipv=multipv)))


CHILD = """
import os, signal, sys, threading
import numpy as np
import renju
from renju import Limit, Source, batch, samples
from support.waiting import CpuClock

signal.signal(signal.SIGINT, signal.default_int_handler)
games = batch.expand(samples.games())
live = np.flatnonzero(games.outcomes == 0)
boards, turns = games.boards[live], games.turns[live]
limit, multipv, threads = Limit(nodes=5_000), int(sys.argv[1]), int(sys.argv[2])
has_begun, sent = threading.Event(), []

def send():
    has_begun.wait()
    sent.append(CpuClock())
    os.kill(os.getpid(), signal.SIGINT)

def progress(done, total):
    if done >= 5:
        has_begun.set()

threading.Thread(target=send, daemon=True).start()
try:
    batch.analyze(boards, turns, limit, multipv=multipv, threads=threads, progress=progress)
except renju.Interrupted as stop:
    worked = sent[0].seconds()
    partial, done = stop.partial, stop.done
else:
    sys.exit("it came to its end")
assert worked < 2, worked
assert partial.shape == ((len(live),) if multipv == 1 else (len(live), multipv)), partial.shape
assert done.shape == (len(live),) and done.dtype == bool and done.any() and not done.all()
first = partial if multipv == 1 else partial[:, 0]
assert (first["best"][done] >= 0).all()
assert (partial[~done]["source"] == Source.NONE).all() and (partial[~done]["best"] == -1).all()
some = np.flatnonzero(done)[:20]
again = batch.analyze(boards[some], turns[some], limit, multipv=multipv, threads=threads)
partial["time_us"], again["time_us"] = 0, 0
np.testing.assert_array_equal(partial[some], again)
print("finished")
"""


@pytest.mark.slow
@pytest.mark.parametrize(("multipv", "threads"), [(1, 1), (3, 2)])
def test_ctrl_c(multipv: int, threads: int) -> None:
    assert run_code(CHILD, str(multipv), str(threads)).stdout == "finished\n"


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


# Symmetries


def test_canonical_is_that_of_boards() -> None:
    records, arrays, turns = data.game_positions()
    every = slice(None, None, 7)
    images, symmetries = batch.canonical(arrays[every], turns[every])
    assert (images.dtype, symmetries.dtype) == (np.int8, np.uint8)
    for record, image, k in zip(records[every], images, symmetries, strict=True):
        board = Board(record)
        np.testing.assert_array_equal(image, board.canonical().to_array())
        np.testing.assert_array_equal(image, board.transform(int(k)).to_array())
    for found, expected in zip(batch.canonical(arrays[every]), (images, symmetries), strict=True):
        np.testing.assert_array_equal(found, expected)
    image, k = batch.canonical(arrays[70], turns[70])
    assert (image.shape, np.shape(k)) == ((15, 15), ())
    np.testing.assert_array_equal(image, images[10])
    images, symmetries = batch.canonical(arrays[:0])
    assert (images.shape, symmetries.shape) == ((0, 15, 15), (0,))


@pytest.mark.parametrize(
    ("boards", "turns", "error"),
    [
        (np.zeros((2, 15, 15)), None, TypeError),
        (np.zeros((2, 15, 14), np.int8), None, ValueError),
        (np.zeros((2, 15, 15), np.int8), [1, 3], ValueError),
        (np.full((2, 15, 15), 5, np.int8), None, PositionError),
    ],
)
def test_no_canonical_image(boards: Any, turns: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        batch.canonical(boards, turns)


@pytest.mark.slow
@settings(deadline=None, max_examples=40)
@given(st.integers(0, 2**32), st.sampled_from([1, 2, None]), st.sampled_from([1, 2, 5]))
def test_all_images_have_the_same_canonical_one(seed: int, turns: int | None, threads: int) -> None:
    boards = data.random_boards(40, seed)
    expected, _ = batch.canonical(boards, turns, threads)
    for k in data.SYMMETRIES:
        turned = batch.transform(boards, k)
        images, symmetries = batch.canonical(turned, turns, threads)
        np.testing.assert_array_equal(images, expected)
        for board, image, symmetry in zip(turned, images, symmetries, strict=True):
            np.testing.assert_array_equal(batch.transform(board, symmetry), image)
    sides = turns or np.where((boards == 1).sum(axis=(1, 2)) <= (boards == 2).sum(axis=(1, 2)), 1, 2)
    np.testing.assert_array_equal(batch.keys(expected, sides), batch.keys(boards, turns, symmetric=True))


def inverse(k: int) -> int:
    """The symmetry that takes `k` back: turns go the other way, mirrors undo themselves."""
    return (4 - k) % 4 if k < 4 else k


@pytest.mark.parametrize("k", data.SYMMETRIES)
def test_transform(k: int) -> None:
    records, arrays, _ = data.game_positions()
    images = batch.transform(arrays, k)
    assert images.flags.c_contiguous
    np.testing.assert_array_equal(images, data.transformed(arrays, k))
    for n in range(0, len(records), 97):
        np.testing.assert_array_equal(images[n], Board(records[n]).transform(k).to_array())
    np.testing.assert_array_equal(batch.transform(images, inverse(k)), arrays)
    planes = np.random.default_rng(0).random((2, 3, 15, 15))
    np.testing.assert_array_equal(batch.transform(planes, k)[1, 2], batch.transform(planes[1, 2], k))


@pytest.mark.parametrize("k", data.SYMMETRIES)
def test_transform_points(k: int) -> None:
    points = np.arange(PASS)
    images = batch.transform_points(points, k)
    assert images.tolist() == [data.transformed_index(point, k) for point in range(PASS)]
    np.testing.assert_array_equal(batch.transform_points(images, inverse(k)), points)
    outside = np.array([-1, PASS, 255, 112], np.int16)
    assert batch.transform_points(outside, k).tolist() == outside.tolist()
    assert batch.transform_points(outside, k).dtype == np.int16
    # A plane with a stone on each point goes where the points go.
    stones = np.zeros((PASS, 15, 15), np.int8)
    stones.reshape(PASS, PASS)[points, points] = 1
    np.testing.assert_array_equal(
        batch.transform(stones, k).reshape(PASS, PASS).argmax(axis=1), batch.transform_points(points, k)
    )


@pytest.mark.parametrize("k", [-1, 8, "1", None, [0, 1]])
def test_no_symmetry(k: Any) -> None:
    with pytest.raises((ValueError, TypeError)):
        batch.transform(np.zeros((15, 15), np.int8), k)


@pytest.mark.parametrize("shape", [(15,), (225,), (2, 225), (15, 14), (15, 15, 2)])
def test_transform_of_other_shapes(shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="shape"):
        batch.transform(np.zeros(shape, np.int8), 1)


def test_points_that_are_no_numbers() -> None:
    with pytest.raises(TypeError, match="dtype"):
        batch.transform_points(["h8"], 1)
    with pytest.raises(TypeError, match="dtype"):
        batch.transform_points([1.0], 1)


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(-1, 255), st.integers(0, 7)), min_size=1))
def test_a_symmetry_for_each_point(pairs: list[tuple[int, int]]) -> None:
    points, symmetries = np.array(pairs).T
    images = batch.transform_points(points, symmetries)
    expected = [int(batch.transform_points(point, k)) for point, k in pairs]
    assert images.tolist() == expected
    lines = np.stack([points, points], axis=1)
    np.testing.assert_array_equal(batch.transform_points(lines, symmetries[:, None])[:, 1], images)


def test_the_engine_sees_images_alike() -> None:
    """What the pipeline relies on: an answer for the canonical image holds for the board itself."""
    boards, arrays, turns = live()
    images, symmetries = batch.canonical(arrays, turns)
    rows = batch.analyze(images, turns, FEW)
    back = np.array([inverse(int(k)) for k in symmetries])
    moves = batch.transform_points(rows["best"], back)
    lines = batch.transform_points(rows["pv"], back[:, None])
    for board, move, line, row in zip(boards, moves, lines, rows, strict=True):
        assert board.is_legal(Point(int(move)))
        assert line[0] == move
        if row["source"] == Source.VCF:
            assert renju.is_winning_start(board, int(move))


def test_symmetries_have_inverses() -> None:
    for k in range(8):
        there = batch.transform_points(np.arange(225), k)
        assert batch.transform_points(there, batch.inverse(k)).tolist() == list(range(225))


@pytest.mark.parametrize("k", [-1, 8, 1.0, [0, 9]])
def test_what_is_no_symmetry(k: object) -> None:
    with pytest.raises(ValueError, match=r"0\.\.7"):
        batch.transform_points([1, 2], k)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"0\.\.7"):
        batch.inverse(k)  # type: ignore[arg-type]


def test_points_need_room() -> None:
    turned = batch.transform_points(np.array([10, -1], np.int8), 2)
    assert turned.dtype == np.int16
    assert turned.tolist() == [214, -1]
    assert batch.transform_points([], 1).tolist() == []
