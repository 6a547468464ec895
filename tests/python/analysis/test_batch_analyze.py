"""The engine on arrays of positions: equal to single calls, bounded, and interrupted."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import renju
from renju import (
    BLACK,
    WHITE,
    Board,
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
from renju.errors import PositionError
from support import data
from support.array_rows import FEW, live
from support.waiting import run_code

# Enough for some wins by threats.
SOME = Limit(nodes=20_000)
# Never reached: for searches that are to be stopped.
LONG = Limit(nodes=10**12)
NOTHING = np.array((-1, 0, 0, 0, 0, 0, Source.NONE, 0, [255] * 32), batch.ANALYSIS_DTYPE)
Rows = npt.NDArray[np.void]


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


def test_win_rates_are_those_of_results() -> None:
    records = ["h8a1i8a3j8a5", "h8i9g7", "h8a1i8a3j8a5k8a7l8", "h8a1i8a3j8a5k8"]
    boards, turns = batch.parse(records)
    rows = batch.analyze(boards, turns, FEW, multipv=2)
    rates = batch.win_rates(rows)
    assert (rates.shape, rates.dtype) == ((4, 2, 3), np.float32)
    for record, row, rate in zip(records, rows[:, 0], rates[:, 0], strict=True):
        if row["source"] == Source.OVER:
            assert np.isnan(rate).all()
            continue
        expected = Engine("hard", book=False).analyse(Board(record), FEW, multipv=2).win_rate
        np.testing.assert_allclose(rate, (np.nan,) * 3 if expected is None else expected, rtol=1e-6)
    assert np.isnan(rates[rows["source"] == Source.NONE]).all()
    assert rates[0, 0].tolist() == [1, 0, 0]
    np.testing.assert_allclose(rates[1].sum(-1), 1, rtol=1e-6)
    table = batch.columns(rows)
    np.testing.assert_array_equal(table["win_rate"], rates.reshape(-1, 3)[:, 0])
    np.testing.assert_array_equal(table["loss_rate"], rates.reshape(-1, 3)[:, 2])
    with pytest.raises(TypeError, match="rows are those of"):
        batch.win_rates(np.zeros(3, batch.SOLVE_DTYPE))


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
