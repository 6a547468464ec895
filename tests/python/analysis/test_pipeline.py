"""The pipeline: files in, a table out. Crashes are in test_pipeline_crash.py, clusters in test_cluster.py."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import termios
import threading
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import polars
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import renju
from renju import BLACK, WHITE, Board, Color, EngineConfig, Limit, Point, batch, cli, pipeline, samples
from renju.pipeline.readers import Record, Stones, read
from support.processes import RENJU, Output
from support.tables import Row, bad_rows, read_table, with_empty_as_none, write
from support.waiting import PATIENCE_S

pytestmark = pytest.mark.usefixtures("inside")

GAMES = samples.games()
FIVE = "h8a1i8a3j8a5k8a7l8"  # black's five
WHITE_FIVE = "a1h8a3i8a5j8a7k8c1l8"
FOUL = "f8a1g8a3h9a5h10a7h8"  # a double three


def rows_of(
    out: str = "out.jsonl", inputs: Any = "in.txt", jobs: Any = "forbidden", **options: Any
) -> list[Row]:
    pipeline.run(inputs, out, jobs, overwrite=True, **options)
    return read_table(Path(out))


# Readers


def contents(name: str, fields: tuple[str | None, str | None] = (None, None)) -> list[tuple[Any, ...]]:
    """Row, id and content of records; row and reason of bad rows."""
    found: list[tuple[Any, ...]] = []
    for row in read(name, fields):
        assert row.file == name
        if isinstance(row, Record):
            found.append((row.row, row.id, row.content))
        else:
            found.append((row.row, row.reason))
    return found


LONG = b"h8" * (1 << 19) + b"i9"

TEXT_CASES = {
    "plain": (b"h8i9\ng7\n", [(1, None, "h8i9"), (2, None, "g7")]),
    "no final newline": (b"h8i9\ng7", [(1, None, "h8i9"), (2, None, "g7")]),
    "crlf": (b"h8i9\r\n\r\ng7\r\n", [(1, None, "h8i9"), (3, None, "g7")]),
    "bom": (b"\xef\xbb\xbfh8i9\ng7\n", [(1, None, "h8i9"), (2, None, "g7")]),
    "comments": (b"# a\n\n  \t\nh8\n  # b\n i9 \n", [(4, None, "h8"), (6, None, "i9")]),
    "empty": (b"", []),
    "only a bom": (b"\xef\xbb\xbf", []),
    "not utf-8": (b"h8\ni9 \xe9\ng7\n", [(1, None, "h8"), (2, "not UTF-8: byte 4"), (3, None, "g7")]),
    "too long": (LONG + b"\nh8\n", [(1, "more than 1048576 bytes"), (2, None, "h8")]),
    "far too long": (b"h8\n" + 3 * LONG, [(1, None, "h8"), (2, "more than 1048576 bytes")]),
    "nul": (b"h8\x00i9\n", [(1, None, "h8\x00i9")]),
    "carriage return": (b"h8\ri9\ng7\n", [(1, "carriage return"), (2, None, "g7")]),
}


def check_rows(found: list[tuple[Any, ...]], expected: list[tuple[Any, ...]]) -> None:
    """A reason may be a part of what is said."""
    assert [row[0] for row in found] == [row[0] for row in expected], found
    for one, other in zip(found, expected, strict=True):
        if len(other) == 2:
            assert len(one) == 2, one
            assert other[1] in one[1]
        else:
            assert one == other


@pytest.mark.parametrize("name", TEXT_CASES)
def test_text(name: str) -> None:
    data, expected = TEXT_CASES[name]
    Path("in.txt").write_bytes(data)
    check_rows(contents("in.txt"), expected)


CSV_CASES: dict[str, tuple[bytes, list[tuple[Any, ...]]]] = {
    "plain": (b"id,moves\n7,h8i9\nx,g7\n", [(2, "7", "h8i9"), (3, "x", "g7")]),
    "only moves": (b"moves\nh8i9\n", [(2, None, "h8i9")]),
    "record": (b"record,game\nh8i9,a\n", [(2, "a", "h8i9")]),
    "bom and crlf": (b"\xef\xbb\xbfmoves\r\nh8\r\n\r\ni9\r\n", [(2, None, "h8"), (4, None, "i9")]),
    "no final newline": (b"moves\nh8", [(2, None, "h8")]),
    "quoted": (
        b'moves,note\n"h8 i9","a, ""b"""\n"h8\ni9","c\nd"\ng7,e\n',
        [(2, None, "h8 i9"), (3, None, "h8\ni9"), (6, None, "g7")],
    ),
    "stones": (b"black,white,turn\nh8,i9,black\n", [(2, None, Stones("h8", "i9", "black"))]),
    "one side only": (b"black,white\nh8,\n", [(2, None, Stones("h8", "", None))]),
    "no cell": (b"id,moves\n1,\n2,h8\n", [(2, "there is no 'moves'"), (3, "2", "h8")]),
    "too few fields": (b"id,moves\n1\n2,h8\n", [(2, "1 fields where the header has 2"), (3, "2", "h8")]),
    "too many fields": (b"id,moves\n1,h8,x\n", [(2, "3 fields where the header has 2")]),
    "not utf-8": (b"id,moves\n1,h\xe9\n2,h8\n", [(2, "not UTF-8"), (3, "2", "h8")]),
    "latin-1 elsewhere": (b"name,moves\nJos\xe9,h8\n", [(2, None, "h8")]),
    "an open quote": (b'id,moves\n1,"h8\n2,i9\n3,g7\n', [(2, "no CSV"), (3, "2", "i9"), (4, "3", "g7")]),
    "a large field": (b"moves\n" + b"h8" * 70_000 + b"\ni9\n", [(2, "no CSV"), (3, None, "i9")]),
    "too long": (b"moves,a\nh8," + LONG + b"\ni9,\n", [(2, "more than 1048576"), (3, None, "i9")]),
    "nul": (b"moves\nh8\x00\n", [(2, None, "h8\x00")]),
    "only a header": (b"moves\n", []),
    "empty": (b"", []),
}


@pytest.mark.parametrize("name", CSV_CASES)
def test_csv(name: str) -> None:
    data, expected = CSV_CASES[name]
    Path("in.csv").write_bytes(data)
    check_rows(contents("in.csv"), expected)
    if b"," not in data.replace(b'"', b""):
        Path("in.TSV").write_bytes(data)
        check_rows(contents("in.TSV"), expected)


def test_tsv() -> None:
    Path("in.tsv").write_bytes(b"moves\tid\nh8,i9\ta b\n")
    assert contents("in.tsv") == [(2, "a b", "h8,i9")]


JSON_CASES: dict[str, tuple[str, list[tuple[Any, ...]]]] = {
    "objects": (
        '{"moves": "h8i9", "id": 7}\n\n{"moves": ["h8", "I9"], "id": "x"}\n{"record": "", "game": null}\n',
        [(1, "7", "h8i9"), (3, "x", "h8 I9"), (4, None, "")],
    ),
    "texts": ('"h8i9"\n', [(1, None, "h8i9")]),
    "stones": (
        '{"black": "h8", "white": ["i9"], "turn": "white"}\n{"black": ["h8"]}\n{"moves": null, "white": ""}',
        [
            (1, None, Stones("h8", ["i9"], "white")),
            (2, None, Stones(["h8"], "", None)),
            (3, None, Stones("", "", None)),
        ],
    ),
    "bom": ('\ufeff{"moves": "h8"}', [(1, None, "h8")]),
    "whole numbers in a column with gaps": (
        '{"moves": "h8", "id": 7.0}\n{"moves": "h8", "id": NaN}\n{"moves": "h8", "id": 0.5}\n',
        [(1, "7", "h8"), (2, None, "h8"), (3, "0.5", "h8")],
    ),
    "no json": ('{"moves": "h8"\nh8i9\n', [(1, "no JSON"), (2, "no JSON")]),
    "deep": ("[" * 100_000 + "\n", [(1, "no JSON")]),
    "a large number": ('{"moves": "h8", "id": ' + "1" * 5000 + "}\n", [(1, "no JSON")]),
    "other things": (
        '5\nnull\n[]\n{}\n{"moves": 5}\n{"moves": [7, 7]}\n{"moves": "h8", "id": []}\n',
        [
            (1, "int where an object was expected"),
            (2, "NoneType where an object was expected"),
            (3, "list where an object was expected"),
            (4, "there is no 'moves' or 'record'"),
            (5, "'moves' is neither a text nor a list of points"),
            (6, "'moves' is neither a text nor a list of points"),
            (7, "the id is list"),
        ],
    ),
    "half a pair": ('{"moves": "h8\\ud800"}\n', [(1, "not UTF-8")]),
    "empty": ("", []),
}


@pytest.mark.parametrize("name", JSON_CASES)
@pytest.mark.parametrize("file", ["in.jsonl", "in.ndjson"])
def test_jsonl(name: str, file: str) -> None:
    text, expected = JSON_CASES[name]
    Path(file).write_text(text, encoding="utf-8")
    check_rows(contents(file), expected)


def test_columns_with_other_names() -> None:
    write("in.csv", "who,zug,moves", "a,h8,i9", "b,,i9")
    expected = [(2, "a", "h8"), (3, "there is no 'zug'")]
    check_rows(contents("in.csv", ("zug", "who")), expected)
    write("in.jsonl", '{"who": "a", "zug": "h8", "moves": "i9"}', '{"who": "b", "black": "h8"}')
    check_rows(contents("in.jsonl", ("zug", "who")), [(1, "a", "h8"), (2, "there is no 'zug'")])
    table = pa.table({"who": ["a"], "zug": ["h8"], "moves": ["i9"]})
    pq.write_table(table, "in.parquet")
    assert contents("in.parquet", ("zug", "who")) == [(1, "a", "h8")]


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        ({"moves": ["h8", None, ""]}, [(1, None, "h8"), (2, "there is no 'moves'"), (3, None, "")]),
        ({"moves": [["h8", "i9"], []], "id": [1, None]}, [(1, "1", "h8 i9"), (2, None, "")]),
        ({"moves": [b"h8", b"\xe9"]}, [(1, None, "h8"), (2, "not UTF-8")]),
        ({"moves": pa.array(["h8"]).dictionary_encode(), "game_id": [2.0]}, [(1, "2", "h8")]),
        ({"moves": [5], "id": ["a"]}, [(1, "'moves' is neither a text nor a list")]),
        ({"black": ["h8"], "white": [None]}, [(1, None, Stones("h8", "", None))]),
        ({"moves": pa.array([], pa.string())}, []),
        (
            {"moves": pa.array([b"h8", b"\xe9", None]).view(pa.string())},
            [(1, None, "h8"), (2, "not UTF-8"), (3, "there is no 'moves'")],
        ),
    ],
    ids=["nulls", "lists", "bytes", "dictionary", "numbers", "stones", "empty", "no utf-8"],
)
def test_parquet(table: dict[str, Any], expected: list[tuple[Any, ...]]) -> None:
    pq.write_table(pa.table(table), "in.parquet")
    check_rows(contents("in.parquet"), expected)


def test_parquet_in_several_groups() -> None:
    games = [f"{n}" for n in range(20_000)]
    pq.write_table(pa.table({"moves": games}), "in.pq", row_group_size=7_000)
    assert contents("in.pq") == [(n, None, game) for n, game in enumerate(games, 1)]


def boards_of(*records: str) -> npt.NDArray[np.int8]:
    return batch.parse(records)[0]


@pytest.mark.parametrize("dtype", ["i1", "u1", "<i2", ">i2", "u4", "i8"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_npy(dtype: str, order: Any) -> None:
    boards = boards_of(*samples.positions()[:700])
    np.save("in.npy", np.asarray(boards.astype(dtype), order=order))
    found = list(read("in.npy"))
    assert [(row.row, row.file) for row in found] == [(1, "in.npy"), (257, "in.npy"), (513, "in.npy")]
    arrays = [row.content for row in found if isinstance(row, Record)]
    assert all(isinstance(array, np.ndarray) and array.dtype == np.int8 for array in arrays)
    np.testing.assert_array_equal(np.concatenate(arrays), boards)


def test_no_boards() -> None:
    np.save("in.npy", np.zeros((0, 15, 15), np.int8))
    assert contents("in.npy") == []


def test_boards_of_an_array() -> None:
    boards = boards_of("", "h8i9", "h8", "h8i9g7").astype(np.int16)
    boards[1][boards[1] == WHITE] = -1
    boards[2, 3, 4] = 300
    boards[3, 0, 0] = BLACK  # too many of black
    np.save("in.npy", boards)
    rows = rows_of(inputs="in.npy")
    assert [(row["row"], row["game"], row["ply"]) for row in rows] == [(1, "in.npy:1", 0), (2, "in.npy:2", 2)]
    assert [row["key"] for row in rows] == [f"{Board(moves).symmetric_key:016x}" for moves in ("", "h8i9")]
    assert {row["moves"] for row in rows} == {row["opening"] for row in rows} == {None}
    assert bad_rows(Path("out.jsonl.bad.jsonl")) == [
        ("in.npy", 3, "E4 (y=3, x=4) holds 300, not 0, 1, 2 or -1"),
        ("in.npy", 4, "3 black and 1 white stones do not tell whose turn it is"),
    ]


@pytest.mark.parametrize("dtype", [np.uint8, np.uint64, np.int64])
def test_numbers_that_would_become_a_stone(dtype: Any) -> None:
    boards = np.zeros((3, 15, 15), dtype)
    boards[:, 7, 7] = [255, 257, np.iinfo(dtype).max] if dtype != np.uint8 else [255, 3, 128]
    np.save("in.npy", boards)
    assert rows_of(inputs="in.npy") == []
    assert [row[1] for row in bad_rows(Path("out.jsonl.bad.jsonl"))] == [1, 2, 3]


@pytest.mark.parametrize(
    ("array", "message"),
    [
        (np.zeros((15, 15), np.int8), "int8 (15, 15), integers (N, 15, 15) are needed"),
        (np.zeros((2, 19, 19), np.int8), "int8 (2, 19, 19)"),
        (np.zeros((2, 15, 15)), "float64 (2, 15, 15)"),
        (np.zeros((2, 15, 15), bool), "bool (2, 15, 15)"),
        (np.array([None, 1]), "object (2,)"),
        (np.zeros((), np.int8), "int8 ()"),
    ],
    ids=["one board", "19", "float", "bool", "objects", "scalar"],
)
def test_arrays_that_are_no_boards(array: npt.NDArray[Any], message: str, capsys: Output) -> None:
    np.save("in.npy", array, allow_pickle=True)
    assert cli.main(["batch", "in.npy", "-o", "out.csv"]) == 2
    error = capsys.readouterr().err
    assert error.startswith("renju: in.npy: ")
    assert message in error


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("in.npy", b"", "in.npy: "),
        ("in.npy", b"h8i9\n", "in.npy: "),
        ("in.npy", b"PK\x03\x04" + bytes(100), "in.npy: "),
        ("in.parquet", b"", "in.parquet: "),
        ("in.parquet", b"PAR1PAR1PAR1", "in.parquet: "),
        (
            "in.csv",
            b"id,game\n1,h8\n",
            "in.csv: no column 'moves' or 'record' or 'game_moves' among id, game",
        ),
        ("in.txt", "h8i9\n".encode("utf-16"), "in.txt: this is UTF-16"),
        ("in.xyz", b"", "in.xyz: no reader for .xyz; known are .csv .json"),
        ("in", b"", "in: no reader for a name without a suffix"),
    ],
)
def test_files_that_cannot_be_read(name: str, data: bytes, message: str, capsys: Output) -> None:
    Path(name).write_bytes(data)
    assert cli.main(["batch", name, "-o", "out.csv"]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1
    assert lines[0].startswith(f"renju: {message}")
    assert [path.name for path in Path.cwd().iterdir()] == [name]  # nothing was begun


def test_a_truncated_array(capsys: Output) -> None:
    np.save("in.npy", boards_of(*samples.positions()[:300]))
    Path("in.npy").write_bytes(Path("in.npy").read_bytes()[:-1])
    assert cli.main(["batch", "in.npy", "-o", "out.csv"]) == 2
    assert capsys.readouterr().err.startswith("renju: in.npy: ")


def test_a_damaged_parquet_file(capsys: Output) -> None:
    pq.write_table(pa.table({"moves": GAMES * 10}), "in.parquet", use_dictionary=False)
    data = bytearray(Path("in.parquet").read_bytes())
    data[100:4000] = bytes(3900)
    Path("in.parquet").write_bytes(data)
    assert cli.main(["batch", "in.parquet", "-o", "out.csv"]) == 2
    assert capsys.readouterr().err.startswith("renju: in.parquet: ")


def test_missing_files_and_folders(capsys: Output) -> None:
    write("in.txt", "h8")
    Path("folder.csv").mkdir()
    assert cli.main(["batch", "in.txt", "nowhere.txt", "-o", "out.csv"]) == 2
    assert "nowhere.txt: No such file" in capsys.readouterr().err
    assert cli.main(["batch", "folder.csv", "-o", "out.csv"]) == 2
    assert "folder.csv" in capsys.readouterr().err
    assert cli.main(["batch", "in.csv", "-o", "out.csv", "--column", "x"]) == 2
    assert "in.csv" in capsys.readouterr().err
    assert sorted(path.name for path in Path.cwd().iterdir()) == ["folder.csv", "in.txt"]


def test_a_named_column_must_be_there(capsys: Output) -> None:
    write("in.csv", "id,moves", "1,h8")
    for arguments in (["--column", "zug"], ["--id-column", "zug"]):
        assert cli.main(["batch", "in.csv", "-o", "out.csv", *arguments]) == 2
        assert "in.csv: no column 'zug' among id, moves" in capsys.readouterr().err


def test_stones() -> None:
    lines = [
        {"black": "h8 i8", "white": "a1 a3", "turn": "white"},
        {"black": ["h8"], "white": []},
        {"black": "h8", "white": "i9 g7", "turn": 1},
        {"black": "h8", "turn": "red"},
        {"black": "h8", "white": "h8"},
        {"black": 5},
        {"black": "z9"},
        {"black": "h8 i8 j8"},
    ]
    write("in.jsonl", *map(json.dumps, lines))
    rows = rows_of(inputs="in.jsonl")
    boards = [
        Board.from_stones("h8 i8", "a1 a3", turn=WHITE),
        Board.from_stones("h8", ""),
        Board.from_stones("h8", "i9 g7", turn=BLACK),
    ]
    assert [row["key"] for row in rows] == [f"{board.symmetric_key:016x}" for board in boards]
    assert [(row["row"], row["ply"], row["turn"]) for row in rows] == [
        (1, 4, "white"),
        (2, 1, "white"),
        (3, 3, "black"),
    ]
    bad = bad_rows(Path("out.jsonl.bad.jsonl"))
    assert [row[1] for row in bad] == [4, 5, 6, 7, 8]
    assert "turn is black or white, not 'red'" in bad[0][2]


def test_stones_of_a_finished_game() -> None:
    lines = [{"black": "h8 i8 j8 k8 l8", "white": "a1 a3 a5 a7"}, {"black": "h8"}]
    write("in.jsonl", *map(json.dumps, lines))
    first, second = rows_of(inputs="in.jsonl", jobs=("forbidden", "vcf"))
    assert (first["outcome"], first["vcf"], first["overline"]) == ("black", None, None)
    assert (second["outcome"], second["vcf"], second["overline"]) == (None, "refuted", [])


# Bytes and pieces of what could be there.
PIECES = b"h8 i9 -- , { } [] : moves black white turn 1e999".split(b" ")
PIECES += [b"\n", b"\r\n", b"\r", b"\t", b" ", b'"', b'{"moves": ', b'"h8i9"']
PIECES += [b"\xff", b"\xef\xbb\xbf", b"\x00"]
nonsense = st.lists(st.one_of(st.binary(max_size=8), st.sampled_from(PIECES)), max_size=30).map(b"".join)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["in.txt", "in.csv", "in.tsv", "in.jsonl", "in.npy", "in.parquet"])
@settings(max_examples=40, deadline=None, database=None, suppress_health_check=list(HealthCheck))
@given(data=nonsense)
def test_nonsense_is_refused_or_listed(name: str, data: bytes) -> None:
    header = {"in.csv": b"moves,black,white\n", "in.tsv": b"moves\tblack\n"}.get(name, b"")
    Path(name).write_bytes(header + data)
    try:
        rows = list(read(name))
    except renju.FormatError as error:
        assert str(error).startswith(f"{name}: ")  # noqa: PT017
        return
    report = pipeline.run([name], "out.jsonl", "forbidden", overwrite=True, threads=1)
    records = {row.row for row in rows if isinstance(row, Record)}
    found = {row["row"] for row in read_table(Path("out.jsonl"))}
    assert found <= records
    assert len(found) + report.bad == len(rows)  # nothing is lost


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


def draw_by_passes() -> str:
    return "h8i9g7----"


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


# Forms

ALL_JOBS = ("forbidden", "vcf", "mise-vcf", "vct", "analyze")
QUICK = {"solve_limit": Limit(nodes=200), "limit": Limit(nodes=300), "multipv": 2, "shard_positions": 20}


@pytest.mark.slow
def test_all_forms_hold_the_same() -> None:
    write("in.txt", *GAMES[:3], FIVE, FOUL, draw_by_passes())
    write("more.jsonl", '{"black": "h8 i8", "white": "a1 a3", "id": "é, \\"x\\"\\n1"}', "{")
    outs = ["out.parquet", "out.jsonl", "out.csv", "folder/", "lines/"]
    reports = []
    for out in outs:
        form = "jsonl" if out == "lines/" else None
        reports.append(pipeline.run(["in.txt", "more.jsonl"], out, ALL_JOBS, form=form, **QUICK))
    tables = [read_table(Path(out)) for out in outs]
    assert tables[0] == tables[1] == tables[3] == tables[4]
    assert tables[2] == with_empty_as_none(tables[0])
    assert tables[0][-1]["game"] == 'é, "x"\n1'
    assert len({json.dumps(report.to_dict()["counts"]) for report in reports}) == 1
    assert bad_rows(Path("folder.bad.jsonl")) == bad_rows(Path("out.csv.bad.jsonl"))
    shards = sorted(path.name for path in Path("folder").iterdir())
    assert shards == [f"part-{n:06d}.parquet" for n in range(len(shards))]
    assert len(shards) > 3


def test_a_folder_is_one_table_for_everyone() -> None:
    write("in.txt", *GAMES[:5], "h8h8")
    pipeline.run("in.txt", "folder", "vcf", shard_positions=64)
    pipeline.run("in.txt", "out.parquet", "vcf", shard_positions=64)
    expected = pq.read_table("out.parquet")
    assert pq.read_table("folder").equals(expected)
    assert polars.read_parquet("folder/").rows() == polars.read_parquet("out.parquet").rows()


def test_columns_and_their_types() -> None:
    write("in.txt", *GAMES[:2])
    pipeline.run("in.txt", "out.parquet", ALL_JOBS, **QUICK)
    schema = pq.read_schema("out.parquet")
    place = ["file", "row", "game", "ply", "turn", "moves", "played", "outcome", "result", "opening", "key"]
    assert schema.names[: len(place)] == place
    kinds = {name: str(schema.field(name).type) for name in schema.names}
    assert (kinds["row"], kinds["ply"], kinds["key"]) == ("int64", "uint16", "string")
    assert (kinds["vcf"], kinds["vcf_line"], kinds["missed"]) == ("string", "list<element: string>", "bool")
    assert schema.names[-1] == "missed"
    for kind in ("vcf", "mise_vcf", "vct"):
        at = schema.names.index(kind)
        assert schema.names[at : at + 5] == [
            kind,
            *(f"{kind}_{x}" for x in ("first", "length", "line", "nodes")),
        ]


@pytest.mark.slow
def test_openings() -> None:
    write("in.txt", *GAMES, "h8i9", "a1b2c3d4")
    report = pipeline.run("in.txt", "out.jsonl", "forbidden")
    for row in read_table(Path("out.jsonl")):
        if row["row"] <= len(GAMES):
            opening = Board(Board(GAMES[row["row"] - 1]).moves[:3]).opening()
            assert opening is not None
            assert row["opening"] == opening.code
        else:
            assert row["opening"] is None
    assert (
        sum(sum(results.values()) for results in report.openings.values()) == report.games == len(GAMES) + 2
    )
    assert report.openings["None"]["unfinished"] == 2
    outcomes = [Board(game).outcome for game in GAMES]
    black = sum(outcome is not None and outcome.winner == Color.BLACK for outcome in outcomes)
    assert sum(results["black"] for results in report.openings.values()) == black


def test_what_a_result_says_of_itself() -> None:
    write("in.txt", *GAMES[:2])
    options = {"limit": Limit(nodes=100), "multipv": 2, "max_depth": 7}
    for out in ("out.parquet", "folder/"):
        pipeline.run("in.txt", out, ("vcf", "analyze"), **options)
    for path in ("out.parquet", "folder/part-000000.parquet"):
        meta = json.loads(pq.read_schema(path).metadata[b"renju"])
        assert (meta["format"], meta["version"]) == ("renju-batch", renju.__version__)
        spec = meta["spec"]
        assert (spec["jobs"], spec["multipv"], spec["max_depth"]) == (["vcf", "analyze"], 2, 7)
        assert spec["limit"] == {"time": None, "nodes": 100, "depth": None}
        assert spec["schema"] == pipeline.SCHEMA_VERSION
        assert spec["config"] == vars(EngineConfig.from_level("hard"))
    for path in ("out.parquet.report.json", "folder.report.json"):
        report = json.loads(Path(path).read_text())
        assert report["spec"] == spec
        assert list(report["inputs"]) == ["in.txt"]
        assert (report["counts"]["games"], report["counts"]["bad"]) == (2, 0)
        assert report["counts"]["positions"] == pq.read_metadata("out.parquet").num_rows


# Duplicates


def run_cli(*arguments: str, text: str | None = None, code: int = 0) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own, which remembers nothing."""
    done = subprocess.run(
        [*RENJU, "batch", *arguments], input=text, capture_output=True, text=True, timeout=PATIENCE_S
    )
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    return done


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


# The command


def test_the_summary(capsys: Output) -> None:
    write("in.txt", *GAMES[:20], "h8h8")
    assert cli.main(["batch", "in.txt", "-o", "out.csv", "--jobs", "forbidden,vcf"]) == 0
    captured = capsys.readouterr()
    assert "100%" in captured.err
    lines = captured.out.splitlines()
    assert lines[0].startswith("20 games, ")
    assert lines[2].startswith("VCF: ")
    assert lines[-1] == "1 bad row, listed in out.csv.bad.jsonl"
    assert cli.main(["batch", "in.txt", "-o", "out.csv", "--overwrite", "--quiet"]) == 0
    assert capsys.readouterr() == ("", "")
    assert cli.main(["batch", "in.txt", "-o", "out.csv", "--overwrite", "--quiet", "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert (facts["counts"]["games"], facts["counts"]["bad"]) == (20, 1)


@pytest.mark.slow
@pytest.mark.parametrize("form", [None, "csv"])
def test_standard_output_is_in_order(form: str | None) -> None:
    write("in.txt", *GAMES[:30], "h8h8")
    write("first.txt", GAMES[33])
    arguments = ["first.txt", "in.txt", "--jobs", "vcf", "--shard", "64", "--threads", "4"]
    arguments += ["--quiet"]
    done = run_cli(*arguments, "-o", "-", *([] if form is None else ["--form", form]), "--json")
    suffix = form or "jsonl"
    run_cli(*arguments, "-o", f"out.{suffix}")
    assert done.stdout == Path(f"out.{suffix}").read_text()
    bad, summary = done.stderr.splitlines()
    assert json.loads(bad)["row"] == 31
    assert json.loads(summary)["counts"]["games"] == 31


@pytest.mark.slow
def test_standard_input() -> None:
    write("in.txt", *GAMES[:4])
    text = Path("in.txt").read_text()
    done = run_cli("-", "-o", "-", "--form", "csv", "--quiet", text=f"# mine\n{text}")
    assert done.stderr == ""
    rows_of("out.csv", jobs=("forbidden", "vcf"))
    expected = Path("out.csv").read_text().replace("in.txt:", "-:").replace("in.txt,", "-,").splitlines()
    found = done.stdout.splitlines()
    assert found[0] == expected[0]
    for one, other in zip(found[1:], expected[1:], strict=True):
        # A line later, because of the comment.
        assert one.split(",")[3:] == other.split(",")[3:]
        assert int(one.split(",")[1]) == int(other.split(",")[1]) + 1


def test_standard_input_is_left_open(monkeypatch: pytest.MonkeyPatch) -> None:
    stdin = io.TextIOWrapper(io.BytesIO(b"h8\n"))
    monkeypatch.setattr(sys, "stdin", stdin)
    assert len(rows_of(inputs="-")) == 2
    assert not stdin.closed
    assert not stdin.buffer.closed


@pytest.mark.slow
def test_bad_rows_of_standard_input() -> None:
    done = run_cli("-", "-o", "-", text="h8\nh8h8\n")
    assert [json.loads(line)["ply"] for line in done.stdout.splitlines()] == [0, 1]
    lines = done.stderr.splitlines()
    assert [json.loads(line)["row"] for line in lines if line.startswith("{")] == [2]
    assert any(line.startswith("1 games, 2 positions") for line in lines)
    assert lines[-1] == "1 bad row, listed above"


@pytest.mark.slow
def test_a_bar_on_a_terminal() -> None:
    write("in.txt", *GAMES[:10])
    reader, terminal = os.openpty()
    termios.tcsetwinsize(terminal, (24, 100))
    command = [*RENJU, "batch", "in.txt", "-o", "out.csv", "--jobs", "vcf"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=terminal, text=True) as process:
        output, _ = process.communicate(timeout=PATIENCE_S)
    shown = os.read(reader, 1 << 16).decode()
    os.close(terminal)
    os.close(reader)
    assert (process.returncode, output[:9]) == (0, "10 games,")
    assert "positions" in shown
    assert "100%" in shown


@pytest.mark.slow
def test_a_reader_that_has_enough() -> None:
    write("in.txt", *GAMES)
    command = [*RENJU, "batch", "in.txt", "-o", "-", "--shard", "64", "--quiet"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert json.loads(process.stdout.readline())["ply"] == 0
        process.stdout.close()
        assert process.wait(PATIENCE_S) == 0
        assert process.stderr.read() == ""


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with a name")
def test_a_pipe_with_a_name() -> None:
    os.mkfifo("in.txt")
    writer = threading.Thread(target=lambda: Path("in.txt").write_text("h8i9\n"))
    writer.start()
    assert len(rows_of()) == 3
    writer.join()
    with pytest.raises(ValueError, match="cannot be resumed"):
        pipeline.run("in.txt", "out.csv", resume=True)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-o", "out.xlsx"], "out.xlsx: no writer for .xlsx; known are parquet, csv, jsonl"),
        (["-o", "out.xlsx", "--form", "csv"], "out.xlsx: no writer for .xlsx"),
        (["-o", "out.parquet", "--form", "csv"], "out.parquet: the name says parquet, but the form is csv"),
        (["-o", "-", "--form", "parquet"], "Parquet cannot be written to a stream"),
        (["-o", "-", "--resume"], "a run that reads or writes a stream cannot be resumed"),
        (["-", "-o", "out.csv", "--resume"], "a run that reads or writes a stream cannot be resumed"),
        (["in.txt", "-o", "out.csv"], "in.txt: the same input is given twice"),
        (["./in.txt", "-o", "out.csv"], "./in.txt: the same input is given twice"),
        (["-o", "in.txt/out.csv"], "Not a directory"),
        (["-o", "taken"], "is no folder"),
        (["-o", "out.csv", "--jobs", "vcf,dance"], "not 'dance'"),
        (["-o", "out.csv", "--jobs", ""], "not ''"),
        (["-o", "out.csv", "--plies", "7:3"], "plies[1] is a number from 7"),
        (["-o", "out.csv", "--multipv", "0"], "multipv is a number from 1"),
        (["-o", "out.csv", "--shard", "0"], "shard_positions is a number from 1"),
        (["-o", "out.csv", "--solve-time", "-1"], "time is a number of seconds"),
        (["-o", "out.csv", "--hash", "0"], "hash_mb is a number from 1"),
        (["-o", "out.csv", "--set", "dept=4"], "there is no setting 'dept'"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_what_cannot_be_run(arguments: list[str], message: str, capsys: Output) -> None:
    write("in.txt", "h8i9")
    write("taken", "this is mine")
    assert cli.main(["batch", "in.txt", *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    lines = [line for line in captured.err.splitlines() if "no job uses" not in line]
    assert len(lines) == 1
    assert lines[0].startswith("renju: ")
    assert message in lines[0]
    assert sorted(path.name for path in Path.cwd().iterdir()) == ["in.txt", "taken"]


@pytest.mark.parametrize(
    "arguments",
    [
        ["in.txt"],
        ["-o", "out.csv"],
        ["in.txt", "-o", "out.csv", "--form", "xml"],
        ["in.txt", "-o", "out.csv", "--plies", "a:b"],
        ["in.txt", "-o", "out.csv", "--threads", "-1"],
        ["in.txt", "-o", "out.csv", "--threat", "4"],
        ["in.txt", "-o", "out.csv", "--resume", "--overwrite"],
    ],
    ids=" ".join,
)
def test_bad_usage(arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as exit_code:
        cli.main(["batch", *arguments])
    assert exit_code.value.code == 2


def test_options_reach_the_run() -> None:
    write("in.csv", "nr,zug", f"1,{GAMES[0]}")
    options = "--column zug --id-column nr --plies 3:9 --jobs vct,analyze --solve-nodes 50 --max-depth 4"
    options += (
        " --threat 2 --nodes 60 --multipv 2 --level easy --set depth=2 --hash 3 --no-referee --shard 77"
    )
    assert cli.main(["batch", "in.csv", "-o", "out.csv", "--quiet", *options.split()]) == 0
    spec = json.loads(Path("out.csv.report.json").read_text())["spec"]
    assert spec["config"] == vars(EngineConfig.from_level("easy").replace(depth=2))
    expected = {
        "jobs": ["vct", "analyze"],
        "solve_nodes": {"vct": 50},
        "max_depth": 4,
        "threat_limit": 2,
        "limit": {"time": None, "nodes": 60, "depth": None},
        "multipv": 2,
        "hash_mb": 3,
        "referee": False,
        "plies": [3, 9],
        "shard_positions": 77,
    }
    assert {name: spec[name] for name in expected} == expected
    assert [row["game"] for row in read_table(Path("out.csv"))] == ["1"] * 7


# What is there already


def names() -> list[str]:
    return sorted(str(path.relative_to(Path.cwd())) for path in Path.cwd().rglob("*") if path.is_file())


@pytest.mark.parametrize("out", ["out.csv", "folder"])
def test_a_result_is_not_overwritten_unless_asked_to(out: str, capsys: Output) -> None:
    write("in.txt", *GAMES[:3])
    command = ["batch", "in.txt", "-o", out, "--quiet", "--form", "csv", "--shard", "32"]
    assert cli.main(command) == 0
    before = {name: Path(name).read_bytes() for name in names()}
    assert cli.main(command) == 2
    assert "take another name or overwrite it" in capsys.readouterr().err
    assert {name: Path(name).read_bytes() for name in names()} == before
    # Again with fewer shards: none of the old ones may stay.
    assert cli.main([*command, "--overwrite", "--last"]) == 0
    assert len(read_table(Path(out))) == 3
    assert not [name for name in names() if "000001" in name or "parts" in name]


@pytest.mark.parametrize("name", ["out.csv", "out.csv.report.json", "out.csv.bad.jsonl"])
def test_files_of_others_are_in_the_way(name: str, capsys: Output) -> None:
    write("in.txt", "h8", "h8h8")
    write(name, "mine")
    for arguments in ([], ["--resume"]):
        assert cli.main(["batch", "in.txt", "-o", "out.csv", "--quiet", *arguments]) == 2
        assert f"{name}: exists already; take another name or overwrite it" in capsys.readouterr().err
        assert Path(name).read_text() == "mine\n"
        assert names() == sorted(["in.txt", name])
    assert cli.main(["batch", "in.txt", "-o", "out.csv", "--quiet", "--overwrite"]) == 0
    assert names() == ["in.txt", "out.csv", "out.csv.bad.jsonl", "out.csv.report.json"]


FOREIGN = [
    "notes.txt",
    "part-1.csv",
    "part-000000.txt",
    "bad-rows.jsonl",
    "deep/part-000000.csv",
    ".x.12345678.tmp",
]


def test_a_folder_with_other_things(capsys: Output) -> None:
    write("in.txt", *GAMES[:3], "h8h8")
    Path("folder/deep").mkdir(parents=True)
    for name in FOREIGN:
        write(f"folder/{name}", "mine")
    command = ["batch", "in.txt", "-o", "folder", "--form", "csv", "--quiet", "--shard", "32"]
    for arguments in ([], ["--resume"], ["--overwrite"]):
        assert cli.main([*command, *arguments]) == 2
        assert "is a folder with other things in it" in capsys.readouterr().err
        assert names() == sorted(["in.txt", *(f"folder/{name}" for name in FOREIGN)])


def test_overwriting_a_folder_spares_other_things() -> None:
    write("in.txt", *GAMES[:3], "h8h8")
    command = ["batch", "in.txt", "-o", "folder", "--form", "csv", "--quiet", "--shard", "32"]
    assert cli.main(command) == 0
    Path("folder/deep").mkdir()
    for name in FOREIGN:
        write(f"folder/{name}", "mine")
    write("in.txt", GAMES[0])
    assert cli.main([*command, "--overwrite", "--last"]) == 0
    for name in FOREIGN:
        assert Path("folder", name).read_text() == "mine\n"
    own = ["folder/part-000000.csv", "folder.report.json", "in.txt"]
    assert names() == sorted([*own, *(f"folder/{name}" for name in FOREIGN)])


@pytest.mark.parametrize(
    ("inputs", "out"),
    [
        (["in.csv"], "in.csv"),
        (["./in.csv"], "in.csv"),
        (["link.csv"], "in.csv"),
        (["in.csv"], "link.csv"),
        (["out.csv.bad.jsonl"], "out.csv"),
        (["folder/part-000000.csv"], "folder"),
    ],
    ids=lambda value: value if isinstance(value, str) else value[0],
)
def test_an_input_is_never_overwritten(inputs: list[str], out: str, capsys: Output) -> None:
    Path("folder").mkdir()
    for name in ("in.csv", "folder/part-000000.csv"):
        write(name, "moves", "h8")
    Path("link.csv").symlink_to("in.csv")
    write("out.csv.bad.jsonl", '{"moves": "h8"}')
    before = {name: Path(name).read_bytes() for name in names()}
    assert cli.main(["batch", *inputs, "-o", out, "--overwrite", "--quiet"]) == 2
    assert f"{inputs[0]}: this is an input" in capsys.readouterr().err
    assert {name: Path(name).read_bytes() for name in names()} == before


def test_a_link_stays_a_link() -> None:
    write("in.txt", *GAMES[:3])
    Path("deep").mkdir()
    Path("out.csv").symlink_to("deep/real.csv")
    for arguments in ([], ["--overwrite"]):
        assert cli.main(["batch", "in.txt", "-o", "out.csv", "--quiet", *arguments]) == 0
        assert Path("out.csv").is_symlink()
        assert len(read_table(Path("deep/real.csv"))) > 50
        assert names() == ["deep/real.csv", "in.txt", "out.csv", "out.csv.report.json"]


def test_folders_are_made() -> None:
    write("in.txt", "h8")
    for out in ("some/where/out.csv", "some/where/else"):
        pipeline.run("in.txt", out)
        assert len(read_table(Path(out))) == 2
    Path("out.parquet").mkdir()
    pipeline.run("in.txt", "out.parquet")  # a folder, as it is one
    assert pq.read_table("out.parquet").num_rows == 2


def test_a_folder_that_looks_like_a_partition() -> None:
    write("in.txt", *GAMES[:2])
    Path("level=3").mkdir()
    pipeline.run("in.txt", "level=3/out.parquet", shard_positions=16)
    assert "level" not in pq.ParquetFile("level=3/out.parquet").schema_arrow.names


def test_a_file_that_changes_while_it_is_read() -> None:
    write("in.txt", *GAMES[:20])

    def grow(done: int, total: int) -> None:
        with Path("in.txt").open("a") as file:
            file.write("h8\n")

    with pytest.raises(renju.FormatError, match=r"in\.txt: the file was changed while it was read"):
        pipeline.run("in.txt", "out.csv", "vcf", shard_positions=16, threads=1, progress=grow)


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


def test_overwriting_keeps_the_old_file_until_the_new_one_is_there(capsys: Output) -> None:
    write("in.txt", "h8i9", "h8h8")
    arguments = ["batch", "in.txt", "-o", "out.csv", "--quiet"]
    assert cli.main(arguments) == 0
    before = Path("out.csv").read_bytes()
    assert cli.main([*arguments, "--overwrite", "--strict"]) == 2
    assert Path("out.csv").read_bytes() == before
    assert cli.main([*arguments, "--resume"]) == 0
    write("in.txt", "h8i9g7")
    assert cli.main([*arguments, "--overwrite"]) == 0
    assert len(Path("out.csv").read_text().splitlines()) == 5
    assert not Path("out.csv.bad.jsonl").exists()


def test_the_format_of_a_stream_can_be_named(monkeypatch: pytest.MonkeyPatch, capsys: Output) -> None:
    for form, text in (("jsonl", '{"moves": "h8i9"}\n'), ("csv", "moves\nh8i9\n"), ("txt", "h8i9\n")):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        arguments = ["batch", "-", "--input-format", form, "-o", f"{form}.csv", "--quiet"]
        assert cli.main(arguments) == 0
        assert len(Path(f"{form}.csv").read_text().splitlines()) == 4
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"")))
    assert cli.main(["batch", "-", "--input-format", "npy", "-o", "x.csv"]) == 2
    assert "standard input can be" in capsys.readouterr().err


def test_no_row_that_can_be_read_is_no_result(capsys: Output) -> None:
    write("in.txt", "h8h8", "nonsense")
    assert cli.main(["batch", "in.txt", "-o", "out.csv", "--quiet"]) == 1
    assert "none of the 2 rows" in capsys.readouterr().err


def test_options_that_no_job_uses_are_told(capsys: Output) -> None:
    write("in.txt", "h8i9")
    arguments = ["batch", "in.txt", "-o", "out.csv", "--quiet", "--nodes", "500", "--multipv", "2"]
    assert cli.main([*arguments, "--jobs", "vcf, vct"]) == 0
    assert capsys.readouterr().err == "renju: no job uses --nodes, --multipv\n"
    assert cli.main([*arguments, "--jobs", "analyze", "--overwrite"]) == 0
    assert capsys.readouterr().err == ""


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


def test_games_without_a_position_in_range_are_counted() -> None:
    write("in.txt", "h8i9", "h8i9g7i7g9")
    report = pipeline.run("in.txt", "out.csv", ["forbidden"], plies=(5, 9))
    assert (report.games, report.positions, report.bad) == (2, 1, 0)
