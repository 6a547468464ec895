"""The explorer: the same counts as a plain loop, whatever the symmetry; resumed, merged, joined, exported."""

import json
import random
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

import renju
from renju import cli, samples
from renju.io import lib
from renju.proofs import ProofStore

pytest.importorskip("duckdb", reason="DuckDB is not installed")

from renju import explorer
from renju.explorer import building

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("inside")]

GAMES = samples.games()[:40]
PLIES = 12


def rows(records: list[str]) -> list[dict[str, Any]]:
    """Games in random images, with players, years and results."""
    chance = random.Random(3)
    made = []
    for number, record in enumerate(records):
        k = chance.randrange(8)
        moves = "".join(move.transform(k).name.lower() for move in renju.Board(record).moves[:PLIES])
        made.append(
            {
                "id": f"g{number}",
                "moves": moves,
                "black": f"black{number}",
                "white": f"white{number}",
                "date": f"{1990 + number}-05-01",
                "result": chance.choice(["black", "0-1", "draw", "?"]),
            }
        )
    return made


@pytest.fixture
def games() -> list[dict[str, Any]]:
    made = rows(GAMES)
    Path("games.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in made))
    return made


def plain(games: list[dict[str, Any]]) -> dict[int, Counter[int]]:
    """Key: a position; value: how often each next position came."""
    found: dict[int, Counter[int]] = {}
    for row in games:
        board = renju.Board()
        for move in renju.Board(row["moves"]).moves:
            before = board.symmetric_key
            board.push(move)
            found.setdefault(before, Counter())[board.symmetric_key] += 1
    return found


def test_the_counts_are_those_of_a_plain_loop(games: list[dict[str, Any]]) -> None:
    report = explorer.build("games.jsonl", "x.duckdb")
    expected = plain(games)
    moves = sum(map(len, expected.values()))
    assert (report.games, report.positions, report.moves, report.bad) == (len(games), len(expected), moves, 0)
    assert not Path("x.duckdb.work").exists()
    with explorer.Explorer("x.duckdb") as found:
        for row in games[:10]:
            board = renju.Board()
            for move in renju.Board(row["moves"]).moves:
                answer = found.ask(board)
                assert {played.key: played.games for played in answer.moves} == expected[board.symmetric_key]
                for played in answer.moves:
                    after = board.copy()
                    after.push(played.move)
                    assert after.symmetric_key == played.key
                    assert played.black + played.white + played.draws <= played.games
                board.push(move)
            assert not found.ask(board)


def test_results_years_and_players(games: list[dict[str, Any]]) -> None:
    explorer.build("games.jsonl", "x.duckdb")
    with explorer.Explorer("x.duckdb") as found:
        (first,) = found.ask(renju.Board()).moves
    told = Counter(row["result"] for row in games)
    assert str(first.move) == "H8"
    assert (first.black, first.white, first.draws) == (told["black"], told["0-1"], told["draw"])
    assert first.last_year == 1990 + len(games) - 1
    assert first.players == (games[-1]["black"], games[-1]["white"])
    assert first.game == games[-1]["id"]
    assert first.share(renju.BLACK) == pytest.approx(1 - first.share(renju.WHITE))
    assert (first.score, first.sure) == (None, None)


def test_headers_of_sgf_are_read() -> None:
    games = [
        renju.Game.from_moves("h8i9g7", {"black": "Ann", "white": "Bob", "date": "2019-02-03"}, "1-0"),
        renju.Game.from_moves("h8i9g8", {"black": "Cid", "white": "Dee", "date": "2021"}, "0-1"),
    ]
    renju.io.dump(games, "g.sgf")
    explorer.build("g.sgf", "x.duckdb")
    with explorer.Explorer("x.duckdb") as found:
        played = {str(move.move): move for move in found.ask(renju.Board("h8i9")).moves}
    assert (played["G7"].players, played["G7"].last_year, played["G7"].black) == (("Ann", "Bob"), 2019, 1)
    assert (played["G8"].players, played["G8"].last_year, played["G8"].white) == (("Cid", "Dee"), 2021, 1)


def test_a_result_that_is_not_told_is_that_of_the_board() -> None:
    Path("g.txt").write_text("h8a1i8a3j8a5k8a7l8\nh8i9\nh8h8\n")
    report = explorer.build("g.txt", "x.duckdb")
    assert (report.games, report.bad) == (3, 1)
    with explorer.Explorer("x.duckdb") as found:
        (first,) = found.ask(renju.Board()).moves
    assert (first.games, first.black, first.white, first.draws, first.last_year) == (2, 1, 0, 0, None)
    assert first.game == "g.txt:2"


def contents(path: str) -> list[tuple[Any, ...]]:
    import duckdb

    with duckdb.connect(path, read_only=True) as connection:
        return connection.execute("SELECT * FROM moves").fetchall()


def test_the_table_is_sorted(games: list[dict[str, Any]]) -> None:
    explorer.build("games.jsonl", "x.duckdb")
    keys = [row[:2] for row in contents("x.duckdb")]
    assert keys == sorted(keys)


def test_a_killed_build_is_taken_up_again(
    games: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(building, "_CHUNK_POSITIONS", 60)
    explorer.build("games.jsonl", "whole.duckdb")
    real = building._occurrences
    calls = []

    def dying(*arguments: Any) -> Any:
        calls.append(1)
        if len(calls) == 5:
            raise MemoryError("here it ends")
        return real(*arguments)

    monkeypatch.setattr(building, "_occurrences", dying)
    with pytest.raises(MemoryError):
        explorer.build("games.jsonl", "x.duckdb")
    assert not Path("x.duckdb").exists()
    with pytest.raises(FileExistsError):
        explorer.build("games.jsonl", "x.duckdb")
    with pytest.raises(ValueError, match="other settings"):
        explorer.build("games.jsonl", "x.duckdb", plies=(0, 3), resume=True)
    calls[:] = [1] * 10
    explorer.build("games.jsonl", "x.duckdb", resume=True)
    monkeypatch.setattr(building, "_occurrences", real)
    assert contents("x.duckdb") == contents("whole.duckdb")
    assert explorer.build("games.jsonl", "x.duckdb", resume=True).games == len(games)
    # Fewer chunks than there are in all were made again.
    chunks = len(calls) - 10
    calls.clear()
    monkeypatch.setattr(building, "_occurrences", lambda *given: calls.append(1) or real(*given))
    explorer.build("games.jsonl", "x.duckdb", overwrite=True)
    assert len(calls) == chunks + 4


def test_merged_is_as_built_from_all(games: list[dict[str, Any]]) -> None:
    lines = Path("games.jsonl").read_text().splitlines(keepends=True)
    Path("a.jsonl").write_text("".join(lines[:15]))
    Path("b.jsonl").write_text("".join(lines[15:]))
    for name in ("a", "b", "games"):
        explorer.build(f"{name}.jsonl", f"{name}.duckdb")
    report = explorer.merge(["a.duckdb", "b.duckdb"], "both.duckdb")
    assert report.games == len(games)
    assert contents("both.duckdb") == contents("games.duckdb")
    with explorer.Explorer("both.duckdb") as both, explorer.Explorer("games.duckdb") as whole:
        assert both.ask(renju.Board("h8")) == whole.ask(renju.Board("h8"))
    with pytest.raises(FileExistsError):
        explorer.merge(["a.duckdb"], "both.duckdb")
    with pytest.raises(FileNotFoundError):
        explorer.merge(["nothing.duckdb"], "c.duckdb")
    assert not Path("c.duckdb.work").exists()


@pytest.mark.parametrize("form", ["csv", "jsonl", "function"])
def test_scores_and_proofs_are_joined(games: list[dict[str, Any]], form: str) -> None:
    explorer.build("games.jsonl", "x.duckdb")
    with explorer.Explorer("x.duckdb") as found:
        first, second = found.ask(renju.Board("h8")).moves[:2]
    if form == "csv":
        Path("k.csv").write_text(f"key,score,sure\n{first.key},-120,\n{second.key},,1\n")
        known: Any = "k.csv"
    elif form == "jsonl":
        told = [
            {"key": first.key, "score": -120, "sure": None},
            {"key": second.key, "score": None, "sure": 1},
        ]
        Path("k.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in told))
        known = "k.jsonl"
    else:

        def known(keys: Any) -> dict[str, Any]:
            assert first.key in keys.tolist()
            return {"key": [first.key], "score": [-120]}

    explorer.annotate("x.duckdb", known)
    if form == "function":
        explorer.annotate("x.duckdb", lambda keys: {"key": [second.key], "sure": [1]})
    with explorer.Explorer("x.duckdb") as found:
        moves = {played.key: played for played in found.ask(renju.Board("h8")).moves}
    assert (moves[first.key].score, moves[first.key].sure) == (120, None)
    assert (moves[second.key].score, moves[second.key].sure) == (None, "loss")


@pytest.mark.parametrize("is_command", [False, True])
def test_sure_wins_of_a_file_of_proofs(is_command: bool) -> None:
    board = renju.Board("h8 a1 h9 a15 h10 o1")
    won = renju.prove(board)
    assert won.move is not None
    with ProofStore.open("three.proof", "a") as store:
        store.add(board, won)
    Path("games.txt").write_text(f"h8a1h9a15h10o1{won.move.name.lower()}\nh8a1h9a15h10o1c3\n")
    explorer.build("games.txt", "x.duckdb")
    if is_command:
        assert cli.main(["explore", "annotate", "x.duckdb", "three.proof"]) == 0
    else:
        explorer.annotate("x.duckdb", ProofStore.open("three.proof").known)
    with explorer.Explorer("x.duckdb") as found:
        (lost,) = found.ask(renju.Board("h8 a1 h9 a15 h10")).moves
        sure = {played.move: played.sure for played in found.ask(board).moves}
    assert (lost.move, lost.sure) == (renju.Point("o1"), "loss")
    assert sure == {won.move: "win", renju.Point("c3"): None}


def test_what_cannot_be_joined(games: list[dict[str, Any]]) -> None:
    explorer.build("games.jsonl", "x.duckdb")
    before = contents("x.duckdb")
    Path("twice.csv").write_text("key,score\n5,1\n5,2\n")
    Path("sure.csv").write_text("key,sure\n5,7\n")
    Path("none.csv").write_text("a,b\n1,2\n")
    for name, text in (("twice", "there twice"), ("sure", "sure is 1"), ("none", "columns")):
        with pytest.raises(renju.FormatError, match=text):
            explorer.annotate("x.duckdb", f"{name}.csv")
    with pytest.raises(ValueError, match="known returns"):
        explorer.annotate("x.duckdb", lambda keys: {"score": [1]})
    assert contents("x.duckdb") == before


def test_exports(games: list[dict[str, Any]]) -> None:
    explorer.build("games.jsonl", "x.duckdb")
    count = explorer.export("x.duckdb", "x.lib", plies=4, min_games=2)
    library = lib.load("x.lib")[0]
    nodes = [node for _, node in library.root.walk() if node.move is not None]
    assert len(nodes) == count > 5
    assert nodes[0].comment.startswith(f"{len(games)} games: black")
    assert explorer.export("x.duckdb", "x.parquet") == len(contents("x.duckdb"))
    table = pq.read_table("x.parquet")
    assert table.column_names[:3] == ["key", "after", "move"]
    assert list(
        zip(*(table.column(name).to_pylist() for name in table.column_names), strict=True)
    ) == contents("x.duckdb")
    with pytest.raises(renju.FormatError, match=r"\.lib or \.parquet"):
        explorer.export("x.duckdb", "x.csv")


def test_files_that_are_no_explorer() -> None:
    import duckdb

    Path("x.duckdb").write_bytes(b"nonsense" * 1000)
    with pytest.raises(renju.FormatError, match=r"x\.duckdb"):
        explorer.Explorer("x.duckdb")
    with pytest.raises(FileNotFoundError):
        explorer.Explorer("nothing.duckdb")
    duckdb.connect("empty.duckdb").close()
    with pytest.raises(renju.FormatError, match="no explorer that renju has built"):
        explorer.Explorer("empty.duckdb")


def test_the_command(games: list[dict[str, Any]], capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["explore", "build", "games.jsonl", "-o", "x.duckdb", "--quiet", "--plies", "0:8"]) == 0
    assert cli.main(["explore", "show", "x.duckdb", "h8", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["games"] == len(games)
    assert answer["key"] == f"{renju.Board('h8').symmetric_key:016x}"
    assert cli.main(["explore", "show", "x.duckdb", "a1"]) == 1
    assert capsys.readouterr().out == "no game has this position\n"
    assert cli.main(["explore", "merge", "x.duckdb", "-o", "y.duckdb"]) == 0
    assert cli.main(["explore", "export", "y.duckdb", "-o", "y.lib", "--plies", "3"]) == 0
    Path("k.csv").write_text("key,score\n5,1\n")
    assert cli.main(["explore", "annotate", "y.duckdb", "k.csv"]) == 0


def test_without_duckdb_it_says_what_is_missing() -> None:
    code = "import sys; sys.modules['duckdb'] = None\nfrom renju.cli import main\nsys.exit(main())"
    words = [sys.executable, "-c", code, "explore", "show", "x.duckdb", "h8"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == "renju: the explorer needs DuckDB: pip install 'renju-engine[explore]'\n"
