"""The pipeline: from games to positions, jobs, missed wins, duplicates, progress and memory."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest

import renju
from renju import Board, EngineConfig, Limit, Point, batch, cli, pipeline, samples
from support.pipeline_runs import FIVE, FOUL, GAMES, QUICK, boards_of, draw_by_passes, rows_of, run_cli
from support.processes import Output
from support.tables import Row, bad_rows, read_table, write
from support.waiting import PATIENCE_S

pytestmark = pytest.mark.usefixtures("inside")
WHITE_FIVE = "a1h8a3i8a5j8a7k8c1l8"


# From games to positions


def test_all_positions_of_a_game() -> None:
    write("in.csv", "id,moves", f"a,{FIVE}", f'"b,c",{FOUL}')
    rows = rows_of(inputs="in.csv")
    for name, text, outcome in (("a", FIVE, "black"), ("b,c", FOUL, "white")):
        game = [row for row in rows if row["game"] == name]
        board = Board()
        points = [str(move) for move in Board(text).moves]
        for ply, row in enumerate(game):
            assert (row["ply"], row["turn"]) == (ply, board.turn.label)
            assert (row["moves"], row["key"]) == (board.record(), f"{board.symmetric_key:016x}")
            assert row["played"] == (points[ply] if ply < len(points) else None)
            assert row["outcome"] == (outcome if ply == len(points) else None)
            if ply < len(points):
                board.push(points[ply])
        assert len(game) == len(points) + 1
    assert [row["row"] for row in rows] == [2] * 10 + [3] * 10
    assert {row["file"] for row in rows} == {"in.csv"}


def test_games_end_in_every_way() -> None:
    write("in.txt", FIVE, WHITE_FIVE, FOUL, draw_by_passes(), "h8i9", "")
    rows = rows_of(only_last=True)
    assert [row["outcome"] for row in rows] == ["black", "white", "white", "draw", None]
    assert [row["ply"] for row in rows] == [9, 10, 9, 5, 2]
    everything = rows_of()
    assert [row["played"] for row in everything if row["played"] == "pass"] == ["pass", "pass"]
    assert [row for row in everything if row["played"] is None] == rows
    results = ["black", "white", "white", "draw", None]
    assert [{row["result"] for row in everything if row["row"] == n} for n in range(1, 6)] == [
        {result} for result in results
    ]
    assert [row["result"] for row in rows_of(plies=(1, 1))] == results


def test_a_full_board_is_a_draw() -> None:
    y, x = np.indices((15, 15))
    cells = 1 + (x // 2 + y) % 2  # nowhere more than two in a row
    np.save("in.npy", cells[None])
    (row,) = rows_of(inputs="in.npy", jobs=("forbidden", "vcf"))
    assert (row["outcome"], row["ply"], row["vcf"], row["missed"]) == ("draw", 225, None, None)


@pytest.mark.slow
def test_some_plies_only() -> None:
    write("in.txt", *GAMES[:5], "h8")
    rows = rows_of()
    assert rows_of(plies=(3, 7)) == [row for row in rows if 3 <= row["ply"] <= 7]
    assert rows_of(plies=(12, None)) == [row for row in rows if row["ply"] >= 12]
    assert rows_of(plies=(0, 0)) == [row for row in rows if row["ply"] == 0]
    assert rows_of(only_last=True) == [row for row in rows if row["played"] is None]
    assert rows_of(plies=(1, 1), only_last=True) == [
        row for row in rows if row["row"] == 6 and row["ply"] == 1
    ]


def test_records_that_go_on_after_the_end() -> None:
    write("in.txt", f"{FIVE}a9", f"{FOUL}b1", "h8i9")
    assert {row["row"] for row in rows_of()} == {3}
    assert [row[1:] for row in bad_rows(Path("out.jsonl.bad.jsonl"))] == [
        (1, "move 10 (A9): the game is over (five)"),
        (2, "move 10 (B1): the game is over (forbidden)"),
    ]
    rows = rows_of(referee=False)
    assert not Path("out.jsonl.bad.jsonl").exists()
    assert [row["outcome"] for row in rows if row["row"] == 1][-2:] == ["black", "black"]
    assert [row["outcome"] for row in rows if row["row"] == 2][-2:] == [None, None]


def test_bad_rows_are_listed_and_counted() -> None:
    write("a.txt", "h8i9", "h8h8", "zebra", "h8", "h8i9g7" * 2)
    write("b.jsonl", '{"moves": "h8"}', "{", '{"moves": "h8 q1"}')
    report = pipeline.run(["b.jsonl", "a.txt"], "out.csv", "vcf")
    assert (report.games, report.positions, report.bad) == (3, 3 + 2 + 2, 5)
    assert report.bad_path == Path("out.csv.bad.jsonl")
    found = bad_rows(report.bad_path)
    assert sorted(row[:2] for row in found) == [
        ("a.txt", 2),
        ("a.txt", 3),
        ("a.txt", 5),
        ("b.jsonl", 2),
        ("b.jsonl", 3),
    ]
    texts = [json.loads(line)["text"] for line in report.bad_path.read_text().splitlines()]
    assert {"h8h8", "zebra", "{"} <= {*texts}
    assert "5 bad rows, listed in out.csv.bad.jsonl" in str(report)


def test_bad_rows_are_in_the_order_of_the_input(capsys: Output) -> None:
    write("b.jsonl", "{", "[")
    write("a.txt", "h8", "h8h8")
    report = pipeline.run(["b.jsonl", "a.txt"], "out.csv", "forbidden")
    assert report.bad_path is not None
    assert [row[:2] for row in bad_rows(report.bad_path)] == [("b.jsonl", 1), ("b.jsonl", 2), ("a.txt", 2)]
    assert cli.main(["batch", "b.jsonl", "a.txt", "-o", "strict.csv", "--strict", "--quiet"]) == 2
    assert capsys.readouterr().err.startswith("renju: b.jsonl:1: no JSON")


def test_nothing_but_bad_rows() -> None:
    write("in.jsonl", *["{"] * 300)
    report = pipeline.run("in.jsonl", "out.parquet", shard_positions=64)
    assert (report.bad, report.positions) == (300, 0)
    assert [row[1] for row in bad_rows(Path("out.parquet.bad.jsonl"))] == [*range(1, 301)]
    assert read_table(Path("out.parquet")) == []


@pytest.mark.parametrize("form", pipeline.FORMS)
def test_empty_input(form: str) -> None:
    write("in.txt", "# nothing")
    report = pipeline.run("in.txt", f"out.{form}", ("forbidden", "vcf", "analyze"))
    assert (report.games, report.positions, report.bad) == (0, 0, 0)
    assert read_table(Path(f"out.{form}")) == []
    if form == "parquet":
        assert pq.read_schema("out.parquet").names[:4] == ["file", "row", "game", "ply"]
    if form == "csv":
        assert Path("out.csv").read_text().startswith("file,row,game,ply,")
    str(report)


@pytest.mark.slow
@pytest.mark.parametrize("threads", [1, 4])
def test_strict_stops_at_the_first_bad_row(threads: int, capsys: Output) -> None:
    write("in.txt", *GAMES[:40], "h8h8", *GAMES[40:60], "h8h8i9")
    options = ["--strict", "--shard", "100", "--threads", str(threads), "--jobs", "vcf", "--quiet"]
    assert cli.main(["batch", "in.txt", "-o", "out.csv", *options]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == "renju: in.txt:41: move 2 (H8): H8 is occupied by black"
    assert "safe in out.csv.parts: resume to go on" in lines[1]
    assert not Path("out.csv").exists()
    # One may as well go on without it, and then not pretend that all was good.
    assert cli.main(["batch", "in.txt", "-o", "out.csv", *options[1:], "--resume"]) == 0
    assert [row[1] for row in bad_rows(Path("out.csv.bad.jsonl"))] == [41, 62]
    assert cli.main(["batch", "in.txt", "-o", "out.csv", *options, "--resume"]) == 2
    assert "in.txt:41: " in capsys.readouterr().err


# Jobs


@pytest.fixture(scope="module")
def sample_rows(tmp_path_factory: pytest.TempPathFactory) -> list[Row]:
    """Forbidden points and wins by fours of all sample games."""
    folder = tmp_path_factory.mktemp("sample")
    (folder / "games.txt").write_text("\n".join(GAMES))
    out = folder / "out.parquet"
    pipeline.run(folder / "games.txt", out, ("forbidden", "vcf"), shard_positions=2000)
    return read_table(out)


@pytest.mark.slow
def test_forbidden_points_are_those_of_the_board(sample_rows: list[Row]) -> None:
    kinds = {"double-three": "double_three", "double-four": "double_four", "overline": "overline"}
    found = 0
    for row in sample_rows:
        if row["outcome"] is not None:
            assert [row[name] for name in kinds.values()] == [None, None, None]
            continue
        expected: dict[str, list[str]] = {name: [] for name in kinds.values()}
        for point, kind in Board(row["moves"]).forbidden_points().items():
            expected[kinds[kind.label]].append(str(point))
        assert {name: row[name] for name in kinds.values()} == expected, row["moves"]
        found += sum(map(len, expected.values()))
    assert found > 500


def play(board: Board, line: list[str]) -> Board:
    """The moves of a line, all of them legal."""
    board = board.copy()
    for move in line:
        assert board.outcome is None
        assert board.is_legal(move), (board.record(), line)
        board.push(move)
    return board


def check_win(row: Row, board: Board, kind: str, **options: Any) -> None:
    """Is this a win for the side to move?"""
    name = kind.replace("-", "_")
    first, line = row[f"{name}_first"], row[f"{name}_line"]
    assert line[0] == first
    assert len(line) == min(64, row[f"{name}_length"])
    proof = renju.is_winning_start(board, first, kind, **options)
    assert proof, (row["moves"], first)
    assert renju.verify(board, proof)
    play(board, line)


def test_wins_by_fours_are_those_of_the_solver(sample_rows: list[Row]) -> None:
    limit = Limit(nodes=1_000_000)
    proved = 0
    for row in sample_rows:
        board = Board(row["moves"])
        if row["outcome"] is not None:
            assert {row[name] for name in row if name.startswith("vcf")} == {None}
            continue
        direct = renju.solve_vcf(board, limit=limit)
        image = renju.solve_vcf(board.canonical(), limit=limit)
        assert (row["vcf"], row["vcf_nodes"]) == (image.status, image.nodes)
        if "unknown" not in (row["vcf"], direct.status):
            assert row["vcf"] == direct.status
        if row["vcf"] == "proved":
            check_win(row, board, "vcf", limit=limit)
            proved += 1
        else:
            assert (row["vcf_first"], row["vcf_length"], row["vcf_line"]) == (None, None, None)
    assert proved > 300


@pytest.mark.parametrize(("kind", "threat_limit"), [("vct", 1), ("vct", 2), ("mise-vcf", 1)])
def test_wins_by_threats_are_those_of_the_solver(kind: str, threat_limit: int) -> None:
    write("in.txt", *GAMES[10:24])
    options: dict[str, Any] = {"limit": Limit(nodes=1000)}
    solve, settings = renju.solve_mise_vcf, {}
    if kind == "vct":
        settings = {"max_depth": 5, "threat_limit": threat_limit}
        solve, options = renju.solve_vct, {**options, **settings}
    rows = rows_of("out.parquet", jobs=kind, solve_limit=options["limit"], plies=(14, 22), **settings)
    name = kind.replace("-", "_")
    found = set()
    for row in rows:
        if row["outcome"] is None:
            board = Board(row["moves"])
            image = solve(board.canonical(), **options)
            assert (row[name], row[f"{name}_nodes"]) == (image.status, image.nodes), row["moves"]
            direct = solve(board, **options)
            if "unknown" not in (row[name], direct.status):
                assert row[name] == direct.status
            if row[name] == "proved":
                check_win(row, board, kind, **{**options, "limit": None})
            found.add(row[name])
    assert {"proved", "refuted"} <= found


@pytest.mark.slow
@pytest.mark.parametrize("multipv", [1, 3])
def test_analyses_are_those_of_the_canonical_boards(multipv: int) -> None:
    write("in.txt", *GAMES[20:26], FIVE)
    limit, config = Limit(nodes=1500), EngineConfig.from_level("medium").replace(depth=4)
    rows = rows_of(jobs="analyze", limit=limit, config=config, multipv=multipv, plies=(8, 14))
    live = [row for row in rows if row["outcome"] is None]
    assert len(live) < len(rows)
    boards, turns = batch.parse([row["moves"] for row in live])
    images, symmetries = batch.canonical(boards, turns)
    expected = batch.analyze(images, turns, limit, multipv=multipv, config=config).reshape(len(live), -1)
    for row, found, k in zip(live, expected, symmetries.tolist(), strict=True):
        back = (4 - k) % 4 if k < 4 else k

        def named(points: Any, back: int = back) -> list[str]:
            return [Point(int(p)).name for p in batch.transform_points(points[points != 255], back)]

        best = found[0]
        assert row["best"] == named(best["best"].reshape(1))[0]
        for name in ("score", "depth", "nodes"):
            assert row[name] == best[name]
        assert (row["win_in"] or 0) == best["win_in"]
        assert row["source"] == renju.Source(best["source"]).name.lower().replace("_", "-")
        assert row["pv"] == named(best["pv"])
        play(Board(row["moves"]), row["pv"])
        if multipv > 1:
            assert row["candidates"] == [
                {
                    "move": named(one["best"].reshape(1))[0],
                    "score": one["score"],
                    "win_in": one["win_in"] or None,
                    "pv": named(one["pv"]),
                }
                for one in found
                if one["best"] >= 0
            ]
    for row in rows:
        if row["outcome"] is not None:
            assert {row[name] for name in ("best", "score", "win_in", "depth", "nodes", "source")} == {None}


# Missed wins


def literal_missed(game: str) -> list[bool | None]:
    """Whether the player let a win by fours slip, at every ply of a game; written as it is told."""
    moves = Board(game).moves
    boards = [Board(moves[:ply]) for ply in range(len(moves) + 1)]
    limit = Limit(nodes=1_000_000)
    statuses = [
        None if board.outcome else renju.solve_vcf(board.canonical(), limit=limit).status for board in boards
    ]

    def told(ply: int) -> bool | None:
        player = boards[ply].turn
        if statuses[ply] != "proved":
            return None
        for later in (ply + 1, ply + 2):  # after the own move, after the answer
            if later >= len(boards):
                return None
            outcome = boards[later].outcome
            if outcome is not None:
                return outcome.winner != player
        return {"proved": False, "refuted": True}.get(statuses[ply + 2] or "")

    return [told(ply) for ply in range(len(boards))]


def test_missed_wins(sample_rows: list[Row]) -> None:
    expected = [told for game in GAMES for told in literal_missed(game)]
    assert [row["missed"] for row in sample_rows] == expected
    assert {*expected} == {True, False, None}


def test_missed_wins_are_counted(sample_rows: list[Row]) -> None:
    write("in.txt", *GAMES)
    report = pipeline.run("in.txt", "out.csv", "vcf", shard_positions=500)
    for color in ("black", "white"):
        missed = [row["missed"] for row in sample_rows if row["turn"] == color]
        assert report.missed[color] == missed.count(True)
        assert f"{color} missed {missed.count(True)} of {missed.count(True) + missed.count(False)}" in str(
            report
        )


def test_boards_of_an_array_are_no_game() -> None:
    game = next(game for game in GAMES if True in literal_missed(game))
    moves = Board(game).moves
    boards = boards_of(*("".join(map(str, moves[:ply])) for ply in range(len(moves) + 1)))
    np.save("in.npy", boards)
    rows = rows_of(inputs="in.npy", jobs=("vcf", "analyze"), limit=Limit(nodes=100))
    assert {(row["missed"], row["loss"]) for row in rows} == {(None, None)}


def test_a_missed_win_needs_neighbours() -> None:
    write("in.txt", *GAMES)
    rows = rows_of(jobs="vcf", only_last=True)
    assert {row["missed"] for row in rows} == {None}


def test_what_a_move_cost() -> None:
    write("in.txt", *GAMES[40:48], FIVE, FOUL, WHITE_FIVE, draw_by_passes())
    rows = rows_of(jobs="analyze", limit=Limit(nodes=300), plies=(3, 60))
    win = 100_000
    told = 0
    for row, after in zip(rows, [*rows[1:], None], strict=True):
        expected = None
        if row["outcome"] is None and after is not None and after["row"] == row["row"]:
            worth = {None: after["score"], "draw": 0, after["turn"]: win}.get(after["outcome"], -win)
            expected = max(0, row["score"] + worth)
            told += expected > 0
        assert row["loss"] == expected, row["moves"]
    assert told > 50


# Duplicates


def images(games: list[str]) -> list[str]:
    """Each game, and then turned and mirrored."""
    return [
        "".join(Point(int(p)).name.lower() for p in batch.transform_points(list(Board(game).moves), k))
        for k in range(8)
        for game in games
    ]


@pytest.mark.slow
def test_every_position_is_searched_once() -> None:
    games = GAMES[:4]
    write("in.txt", *images(games), *games)
    options = ["--jobs", "vcf", "--threads", "1", "--shard", "128", "--json"]
    report = json.loads(run_cli("in.txt", "-o", "out.csv", *options).stdout)
    rows = read_table(Path("out.csv"))
    keys = {row["key"] for row in rows if row["outcome"] is None}
    assert report["analysed"] == len(keys)
    assert report["counts"]["searched"] == sum(row["outcome"] is None for row in rows)
    assert len(rows) == 9 * sum(len(Board(game).moves) + 1 for game in games)


@pytest.mark.slow
def test_what_is_remembered_is_what_would_be_found() -> None:
    games = images(GAMES[4:7])
    write("all.txt", *games)
    whole = rows_of(inputs="all.txt", jobs=("vcf", "analyze"), **{**QUICK, "hash_mb": 3})
    for n in (0, 7, 13, 23):
        write("one.txt", games[n])
        # Another size of the table is another memory, and the same result.
        alone = rows_of(inputs="one.txt", jobs=("vcf", "analyze"), **{**QUICK, "hash_mb": 4 + n})
        place = {"file": "one.txt", "row": 1, "game": "one.txt:1"}
        assert alone == [{**row, **place} for row in whole if row["row"] == n + 1]


@pytest.mark.slow
@pytest.mark.parametrize("threads", [1, 5])
def test_the_number_of_threads_does_not_matter(threads: int, sample_rows: list[Row]) -> None:
    Path("games.txt").write_text("\n".join(GAMES))
    rows = rows_of("out.parquet", "games.txt", ("forbidden", "vcf"), threads=threads, shard_positions=700)
    for row, expected in zip(rows, sample_rows, strict=True):
        assert row == {**expected, "file": "games.txt", "game": row["game"]}


# Progress


@pytest.mark.slow
def test_progress_is_told() -> None:
    write("in.txt", *GAMES)
    told: list[tuple[int, int]] = []
    pipeline.run("in.txt", "out.csv", "vcf", shard_positions=256, progress=lambda *now: told.append(now))
    done = [now[0] for now in told]
    assert done == sorted(done)
    assert told[-1] == (5182, 5182)
    assert all(done <= total for done, total in told)


def test_an_error_of_the_listener_comes_through() -> None:
    write("in.txt", *GAMES[:10])

    def listen(done: int, total: int) -> None:
        raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine") as caught:
        pipeline.run("in.txt", "out.csv", "vcf", progress=listen, shard_positions=64)
    assert any("shard" in note for note in caught.value.__notes__)


# Memory


@pytest.mark.slow
def test_memory_does_not_grow_with_the_input() -> None:
    """The same work with forty times the input: most of it rows that hold nothing."""
    script = (
        "import resource, sys\n"
        "from renju import pipeline\n"
        "pipeline.run(sys.argv[1], sys.argv[2], 'forbidden', threads=1, shard_positions=512)\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)\n"
    )
    peaks = []
    for name, count in (("small.jsonl", 2), ("large.jsonl", 80)):
        with Path(name).open("w") as file:
            for _ in range(count):
                file.write('{"moves": "h8", "note": "' + "x" * 600_000 + '"}\n')
                file.write('{"moves": 5, "note": "' + "x" * 600_000 + '"}\n')
        command = [sys.executable, "-c", script, name, f"{name}.csv"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=True)
        peaks.append(int(done.stdout))
        assert len(read_table(Path(f"{name}.csv"))) == 2 * count
    assert peaks[1] < peaks[0] + 30_000, peaks  # kilobytes; the file has 96 000


def test_names_of_players_are_no_stones() -> None:
    write("in.csv", "name,black,white,moves", "x,Ann,Bo,h8i9", "y,Bo,Ann,")
    report = pipeline.run("in.csv", "out.csv", ["forbidden"])
    assert (report.games, report.bad) == (1, 1)
    write("in.csv", "name,black,white,text", "x,Ann,Bo,h8i9")
    report = pipeline.run("in.csv", "out.csv", ["forbidden"], overwrite=True)
    assert "--column" in Path("out.csv.bad.jsonl").read_text()
    write("in.csv", "moves,moves", "h8,h8i9")
    with pytest.raises(renju.FormatError, match="two columns"):
        pipeline.run("in.csv", "out.csv", ["forbidden"], overwrite=True)


def test_a_run_does_not_answer_for_another() -> None:
    write("in.txt", *samples.games()[:3])
    first, second = (pipeline.run("in.txt", f"{n}.csv", ["vcf"], threads=1) for n in range(2))
    assert first.analysed == second.analysed > 0
