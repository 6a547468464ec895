"""What the pipeline reads: every form of input, whole, damaged or hostile."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import renju
from renju import BLACK, WHITE, Board, cli, pipeline, samples
from renju.pipeline.readers import Record, Stones, read
from support.pipeline_runs import GAMES, boards_of, rows_of
from support.processes import Output
from support.tables import bad_rows, read_table, write

pytestmark = pytest.mark.usefixtures("inside")


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
