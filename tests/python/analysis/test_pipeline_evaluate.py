"""The job `evaluate` of the pipeline: what the network thinks of every position."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from renju import Board, Point, batch, cli, pipeline
from support.crashes import Recording, journal
from support.pipeline_runs import FIVE, GAMES, rows_of
from support.processes import Output
from support.tables import read_table, with_empty_as_none, write

pytestmark = pytest.mark.usefixtures("inside")

CHANCES = ("win_chance", "draw_chance", "loss_chance")
DIGITS = 5e-5  # what four decimals leave out


def test_chances_and_moves_are_those_of_the_board() -> None:
    write("in.txt", FIVE, *GAMES[:2])
    rows = rows_of(jobs="evaluate", policy=3)
    assert rows_of(jobs="evaluate") == [
        {name: value for name, value in row.items() if name != "policy"} for row in rows
    ]
    told = 0
    for row in rows:
        if row["outcome"] is not None:
            assert [row[name] for name in (*CHANCES, "policy")] == [None] * 4
            continue
        board = Board(row["moves"])
        chances, policy = batch.evaluate(board.to_array(), int(board.turn), policy=True)
        np.testing.assert_allclose([row[name] for name in CHANCES], chances, atol=DIGITS)
        likely = np.sort(policy.reshape(-1))[::-1][:3]
        np.testing.assert_allclose([move["chance"] for move in row["policy"]], likely, atol=DIGITS)
        for move in row["policy"]:
            assert policy.reshape(-1)[Point(move["move"])] == pytest.approx(move["chance"], abs=DIGITS)
            assert board.is_legal(move["move"])
        told += len({move["move"] for move in row["policy"]})
    assert told > 100


def test_images_of_a_position_have_the_images_of_its_moves() -> None:
    board = Board()
    for move in Board(GAMES[0]).moves[:12]:
        board.push(move)
    write("in.txt", *(board.transform(k).record() for k in range(8)))
    rows = rows_of(jobs="evaluate", policy=4, only_last=True)
    assert len({tuple(row[name] for name in CHANCES) for row in rows}) == 1
    for k, row in enumerate(rows):
        images = [str(Point(int(batch.transform_points(Point(m["move"]), k)))) for m in rows[0]["policy"]]
        assert [move["move"] for move in row["policy"]] == images


def test_fewer_moves_than_asked_for() -> None:
    y, x = np.indices((15, 15))
    cells = (1 + (x // 2 + y) % 2).astype(np.int8)  # nowhere more than two in a row
    taken = [tuple(np.argwhere(cells == color)[0]) for color in (1, 2)]
    for place in taken:
        cells[place] = 0
    assert (cells == 1).sum() == (cells == 2).sum() + 1
    np.save("in.npy", cells[None])
    (row,) = rows_of(inputs="in.npy", jobs="evaluate", policy=5)
    assert row["turn"] == "white"
    assert {Point(move["move"]) for move in row["policy"]} == {15 * y + x for y, x in taken}
    assert sum(move["chance"] for move in row["policy"]) == pytest.approx(1, abs=1e-3)


def test_all_forms_hold_the_same() -> None:
    write("in.txt", GAMES[0], FIVE)
    tables = [rows_of(f"out.{form}", jobs="evaluate", policy=2) for form in ("jsonl", "csv", "parquet")]
    rounded = [
        {
            name: round(value, 4)
            if isinstance(value, float)
            else [{**move, "chance": round(move["chance"], 4)} for move in value]
            if name == "policy" and value is not None
            else value
            for name, value in row.items()
        }
        for row in tables[2]
    ]
    assert tables[0] == rounded
    assert with_empty_as_none(tables[0]) == tables[1]


def test_a_run_is_taken_up_again() -> None:
    write("in.txt", *GAMES[:6])
    options = {"shard_positions": 40, "policy": 2}
    pipeline.run("in.txt", "whole.csv", "evaluate", threads=1, **options)  # type: ignore[arg-type]

    def listen(done: int, total: int) -> None:
        if len(journal("out.csv")) >= 2:
            raise EOFError

    with pytest.raises(EOFError):
        pipeline.run("in.txt", "out.csv", "evaluate", threads=1, progress=listen, **options)  # type: ignore[arg-type]
    finished = len(journal("out.csv"))
    assert finished >= 2
    with pytest.raises(ValueError, match="another run"):
        pipeline.run("in.txt", "out.csv", "evaluate", shard_positions=40, policy=3, resume=True)
    with Recording() as executor:
        pipeline.run("in.txt", "out.csv", "evaluate", executor=executor, resume=True, **options)  # type: ignore[arg-type]
    assert executor.chunks
    assert min(executor.chunks) >= finished
    assert Path("out.csv").read_bytes() == Path("whole.csv").read_bytes()


def test_with_other_jobs_and_on_the_command_line(capsys: Output) -> None:
    write("in.txt", GAMES[0])
    arguments = [
        "--jobs",
        "evaluate,analyze,forbidden",
        "--nodes",
        "200",
        "--policy",
        "1",
        "--last",
        "--quiet",
    ]
    assert cli.main(["batch", "in.txt", "-o", "out.jsonl", *arguments]) == 0
    (row,) = read_table(Path("out.jsonl"))
    names = list(row)
    assert names.index("overline") < names.index("best") < names.index("win_chance") < names.index("policy")
    assert {"loss", "win_rate"} <= set(names)
    assert (
        cli.main(["batch", "in.txt", "-o", "more.csv", "--jobs", "forbidden", "--policy", "3", "--quiet"])
        == 0
    )
    assert "no job uses --policy" in capsys.readouterr().err
    with pytest.raises(ValueError, match="policy"):
        pipeline.run("in.txt", "no.csv", "evaluate", policy=51)
