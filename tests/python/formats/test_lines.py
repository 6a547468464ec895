"""Lines that are too long, wherever lines are read: an error, the next line, and no memory."""

import io
import sys
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import pytest

from renju import EngineError, Limit, cli, jsonl, protocol
from renju._lines import bounded_lines
from renju.board import Board
from renju.cli.keyboard import read_line
from renju.io import text
from renju.pipeline.readers import BadRow, Record, read

# Megabytes of a line, and what may be in memory of them.
LONG_MB, MOST_MB = 40, 12


class LongLine(io.RawIOBase):
    """Some lines, and among them one that has no end for a long time. It is made while it is read."""

    def __init__(self, before: bytes, after: bytes) -> None:
        self._parts: Iterator[bytes] = iter([before, *[b"x" * 2**16] * (LONG_MB * 16), b"\n" + after])
        self._rest = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        self._rest = self._rest or next(self._parts, b"")
        count = min(len(buffer), len(self._rest))
        buffer[:count] = self._rest[:count]
        self._rest = self._rest[count:]
        return count


def long_text(before: str, after: str) -> IO[str]:
    return io.TextIOWrapper(io.BufferedReader(LongLine(before.encode(), after.encode())))


def long_bytes(before: str, after: str) -> IO[bytes]:
    return io.BufferedReader(LongLine(before.encode(), after.encode()))


@pytest.fixture
def memory() -> Iterator[None]:
    """Fails a test that had much of the line in memory at any time."""
    tracemalloc.start()
    try:
        yield
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < MOST_MB * 2**20


@pytest.mark.usefixtures("memory")
def test_the_manager_of_an_engine() -> None:
    answers = io.StringIO()
    protocol.serve(long_text("ABOUT\n", "START 15\n"), answers)
    first, *middle, last = answers.getvalue().splitlines()
    assert first.startswith("name=")
    assert [line for line in middle if not line.startswith("MESSAGE")] == [
        "ERROR the line is longer than 1,000,000 characters"
    ]
    assert last == "OK"


@pytest.mark.usefixtures("memory")
@pytest.mark.slow
def test_rows_without_end() -> None:
    answers = io.StringIO()
    rows = "1,1,1\n" * 50_000
    protocol.serve(io.StringIO(f"BOARD\n{rows}DONE\nABOUT\n"), answers)
    error, about = answers.getvalue().splitlines()
    assert error == "ERROR a board has at most 225 stones"
    assert about.startswith("name=")


@pytest.mark.usefixtures("memory")
def test_queries() -> None:
    answers: list[str] = []
    with jsonl.Server(answers.append, threads=1) as server:
        queries = long_bytes(
            '{"id": 1, "action": "query_version"}\n', '{"id": 2, "action": "query_version"}\n'
        )
        server.serve(jsonl.bounded_lines(queries))
    assert ['"id": 1' in answers[0], '"id": 2' in answers[2]] == [True, True]
    assert '"error": "the line is longer than 1,000,000 bytes"' in answers[1]


@pytest.mark.usefixtures("memory")
def test_games_as_text() -> None:
    games = list(text.iter_games(long_bytes("h8i9\n", "h8i8\n")))
    assert [len(game.moves) for game in games] == [2, 0, 2]
    assert [str(error) for error in games[1].errors] == ["line 2: the line has more than 1,048,576 bytes"]


@pytest.mark.usefixtures("memory")
@pytest.mark.parametrize("form", ["txt", "csv", "jsonl"])
def test_rows_of_tables(form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    row = '"h8i9"\n' if form == "jsonl" else "h8i9\n"
    lines = long_bytes(f"moves\n{row}" if form == "csv" else row, row)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(lines))
    first, long, last = read("-", form=form)
    assert isinstance(long, BadRow)
    assert (long.reason, long.size > LONG_MB * 2**20) == ("the line has more than 1048576 bytes", True)
    assert [isinstance(record, Record) for record in (first, last)] == [True, True]


TALKER = """
import sys
for line in sys.stdin:
    if line.startswith("START"):
        print("OK", flush=True)
    if line.startswith("BEGIN"):
        print("MESSAGE " + "x" * 3_000_000 + " 7,7", flush=True)
        print("MESSAGE", "y" * 9_000, flush=True)
        print("7,7", flush=True)
"""


def test_what_a_program_says(tmp_path: Path) -> None:
    (tmp_path / "talker.py").write_text(TALKER)
    with protocol.EngineProcess([sys.executable, str(tmp_path / "talker.py")], pause_s=0) as engine:
        answer = engine.play(Board(), Limit(time=30))
    # The rest of a line is no line of its own: it would be taken for the answer.
    assert (str(answer.point), [len(message) for message in answer.messages]) == ("H8", [10_000, 9_008])


@pytest.mark.slow
def test_a_program_that_never_ends_its_line(tmp_path: Path) -> None:
    (tmp_path / "talker.py").write_text("import sys\nwhile True: sys.stdout.write('7,7' * 10_000)\n")
    with pytest.raises(EngineError, match="gave no answer within"):
        protocol.EngineProcess([sys.executable, str(tmp_path / "talker.py")], patience_s=0.3)


@pytest.mark.parametrize(
    ("data", "found"),
    [
        ("", []),
        ("a\n\nb", [("a\n", 2, True), ("\n", 1, True), ("b", 1, True)]),
        ("12345\n6", [("12345\n", 6, True), ("6", 1, True)]),
        ("123456\n7", [("123456", 7, False), ("7", 1, True)]),
        ("1234567890123\n", [("123456", 14, False)]),
        ("12345678901234567", [("123456", 17, False)]),
        ("12345", [("12345", 5, True)]),
        ("123456", [("123456", 6, False)]),
    ],
)
def test_lines_and_their_lengths(data: str, found: list[tuple[str, int, bool]]) -> None:
    assert list(bounded_lines(io.StringIO(data), 6)) == found
    raw = [(line.encode(), length, is_whole) for line, length, is_whole in found]
    assert list(bounded_lines(io.BytesIO(data.encode()), 6)) == raw


@pytest.mark.usefixtures("memory")
def test_what_is_typed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "stdin", long_text("h8\n", "i9\n"))
    lines = [read_line("") for _ in range(4)]
    assert [len(line or "") for line in lines] == [3, 1_000_000, 3, 0]
    monkeypatch.setattr(sys, "stdin", long_text("h8\n", "i9\n"))
    assert cli.main(["show", "-"]) == 2
    assert capsys.readouterr().err == "renju: a position has at most 1,000,000 characters\n"
