"""Arguments mean the same everywhere: threads, limits, depths, kinds of wins, sources; results as columns."""

import json
import pickle

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import renju
from renju import Board, Color, Engine, Limit, Point, Source, batch, book, cli, lab
from renju._machine import cores

FOUR_THREE = Board("h8 i9 i7 g9 j8 h10 h6 k9 h7 h9 j9 i10")
THREE = "h8a1i8a3j8a5"


# Threads


def test_no_threads_are_all_cores() -> None:
    assert Engine("easy", threads=0).threads == cores()
    assert lab.Player.parse("easy,threads=0").threads == cores()  # type: ignore[attr-defined]


# Limits


def test_a_limit_is_its_nodes() -> None:
    """Where only nodes may be a limit, so that no clock decides."""
    some = {"games": 1, "threads": 1, "opening_nodes": 200}
    assert np.array_equal(lab.selfplay(**some, nodes=100), lab.selfplay(**some, limit=Limit(nodes=100)))
    small = {"starts": ["h8 h9 i9"], "positions": 2, "width": 2}
    assert book.build(**small, nodes=500).to_bytes() == book.build(**small, limit=Limit(nodes=500)).to_bytes()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"limit": Limit(time=1)}, "limit names nodes and nothing else"),
        ({"limit": Limit(nodes=100, time=1)}, "limit names nodes and nothing else"),
        ({"limit": Limit()}, "limit names nodes and nothing else"),
        ({"limit": Limit(nodes=100), "nodes": 100}, "two spellings"),
        ({"limit": Limit(nodes=0)}, "nodes is a number from 1"),
    ],
)
def test_limits_that_a_clock_would_decide(arguments: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        lab.selfplay(1, **arguments)
    with pytest.raises(ValueError, match=message):
        book.build(positions=1, **arguments)


@pytest.mark.parametrize("spelling", ["--max-depth", "--depth"])
def test_the_most_stones_of_a_win(spelling: str, capsys: pytest.CaptureFixture[str]) -> None:
    depth = renju.solve_vct(FOUR_THREE).depth
    for most, code in ((depth, 0), (0, 1)):
        assert cli.main(["solve", FOUR_THREE.record(), "--kind", "vct", spelling, str(most)]) == code
    assert "within this depth" in capsys.readouterr().out


# Kinds of wins


def test_solve_is_the_solver_of_each_kind() -> None:
    solvers = {"vcf": renju.solve_vcf, "mise-vcf": renju.solve_mise_vcf, "vct": renju.solve_vct}
    assert tuple(solvers) == tuple(sorted(renju.limits.KINDS, key=list(solvers).index))
    for kind, solver in solvers.items():
        assert renju.solve(FOUR_THREE, kind) == solver(FOUR_THREE)
    assert renju.solve(FOUR_THREE) == renju.solve_vcf(FOUR_THREE)
    proof = renju.solve(Board(THREE), first="k8")
    assert proof
    assert proof.first == Point("k8")
    with pytest.raises(ValueError, match="kind is 'vcf' or"):
        renju.solve(FOUR_THREE, "vfc")


# Boards as set-ups


def test_the_stones_as_a_set_up() -> None:
    board = Board("h8 i9 g7")
    assert board.points_of(Color.BLACK) == (Point("g7"), Point("h8"))
    assert board.points_of(2) == (Point("i9"),)
    with pytest.raises(ValueError, match="a colour is BLACK"):
        board.points_of(3)
    set_up = board.set_up()
    assert set_up == board
    assert set_up.moves == ()
    assert board.set_up(Color.BLACK).turn is Color.BLACK
    foul = Board("f8 a1 g8 a3 h9 a5 h10 a7 h8 b1", referee=False)
    assert foul.set_up().outcome is None


# Sources


def test_a_source_is_its_name_and_its_number() -> None:
    source = Engine("hard").best_move(FOUR_THREE).source
    assert source is Source.MISE_VCF
    assert source == "mise-vcf"
    assert source != "vcf"
    assert source in {"mise-vcf"}
    assert f"{source} {source!r} {source.upper()}" == "mise-vcf 'mise-vcf' MISE-VCF"
    assert json.dumps(source) == '"mise-vcf"'
    assert pickle.loads(pickle.dumps(source)) is source
    assert Source("mise-vcf") is source
    assert Source(int(source)) is source
    assert int(source) == source
    with pytest.raises(ValueError, match="is not a valid Source"):
        Source(77)


def test_sources_in_arrays() -> None:
    boards, turns = batch.parse([THREE, "h8i9"])
    sources = batch.analyze(boards, turns, Limit(nodes=500))["source"]
    assert (sources == Source.VCF).tolist() == [True, False]
    assert (sources != Source.VCF).tolist() == [False, True]
    assert (sources < Source.SEARCH).tolist() == [True, False]
    assert (sources >= Source.SEARCH).tolist() == [False, True]
    assert sources[0] == Source.VCF
    assert Source(sources[0]) is Source.VCF
    assert np.isin(sources, [int(Source.VCF)]).tolist() == [True, False]


# Results as columns


def test_columns_of_wins() -> None:
    boards, turns = batch.parse([THREE, "h8i9"])
    rows = batch.solve(boards, turns)
    frame = pd.DataFrame(batch.columns(rows))
    assert frame["status"].tolist() == ["proved", "refuted"]
    assert frame["nodes"].tolist() == rows["nodes"].tolist()
    assert pl.DataFrame(batch.columns(rows))["first"].to_list() == ["G8", None]
    assert pa.table(batch.columns(rows))["line"].to_pylist() == ["G8", ""]
    for row, line in zip(rows, frame["line"], strict=True):
        assert [Point(name) for name in line.split()] == [point for point in row["line"] if point != 255]


def test_columns_of_moves() -> None:
    boards, turns = batch.parse([THREE, "h8i9"])
    rows = batch.analyze(boards, turns, Limit(nodes=500), multipv=3)
    frame = pd.DataFrame(batch.columns(rows))
    assert frame["position"].tolist() == [0, 0, 0, 1, 1, 1]
    assert frame["rank"].tolist() == [1, 2, 3] * 2
    for (_, told), row in zip(frame.iterrows(), rows.reshape(-1), strict=True):
        assert told["source"] == Source(row["source"])
        assert Point(told["best"]) == row["best"]
        assert [Point(name) for name in told["pv"].split()] == row["pv"][: row["pv_len"]].tolist()
        assert (told["score"], told["win_in"]) == (row["score"], row["win_in"])
    assert "rank" not in batch.columns(rows[:, 0])


def test_columns_of_nothing_and_of_something_else() -> None:
    boards, turns = batch.parse([])
    assert all(len(column) == 0 for column in batch.columns(batch.solve(boards, turns)).values())
    with pytest.raises(TypeError, match=r"rows are those of batch\.solve, analyze, expand"):
        batch.columns(np.zeros(3))  # type: ignore[arg-type]
