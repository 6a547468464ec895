"""Files of lines with chained checksums: what may have happened to them is told, and where."""

from __future__ import annotations

import errno
import gzip
import json
import random
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest

from renju import FormatError, book, lab
from renju._checksum import is_sealed, sealed
from renju._journal import Journal, JournalKind, read_journal
from support import ROOT
from support.journals import plain, write_lines


def whole_number(text: str) -> int:
    value = json.loads(text)["value"]
    if not isinstance(value, int):
        raise ValueError(f"{value!r} is no whole number")
    return value


KIND = JournalKind("count", "test-count", 2, whole_number, free=("most",), unchained=(1,))


class Count(Journal[int]):
    """Numbers, a line each."""

    def __init__(self, path: Path, header: dict[str, Any] | None = None) -> None:
        super().__init__(path, KIND, header or {"step": 1})
        self.values: list[int] = []

    def _restore(self, entries: Sequence[int]) -> None:
        self.values += entries

    def add(self, value: int) -> None:
        self._write(json.dumps({"value": value}))
        self.values.append(value)
        self._sync()

    def add_all(self, values: Iterable[int]) -> None:
        for value in values:
            self.add(value)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file with the numbers 0 to 5."""
    path = tmp_path / "count.jsonl"
    with Count(path) as file:
        file.begin(resume=False)
        file.add_all(range(6))
    return path


def resume(path: Path) -> list[int]:
    with Count(path) as file:
        file.begin(resume=True)
        return file.values


def test_a_file_is_taken_up(path: Path) -> None:
    with Count(path) as file:
        file.begin(resume=True)
        assert file.values == [*range(6)]
        file.add(6)
    assert read_journal(path, KIND) == ({"format": "test-count", "version": 2, "step": 1}, [*range(7)])
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert [line.get("value") for line in lines] == [None, *range(7)]
    assert len({line["chain"] for line in lines}) == 8


Change = Callable[[list[bytes]], list[bytes]]

CHANGES: list[tuple[str, Change, int]] = [
    ("a number", lambda ls: [*ls[:3], ls[3].replace(b"2", b"9", 1), *ls[4:]], 4),
    ("a space", lambda ls: [*ls[:3], ls[3].replace(b": ", b":  "), *ls[4:]], 4),
    ("the last line", lambda ls: [*ls[:-1], ls[-1].replace(b"5", b"4", 1)], 7),
    ("a checksum", lambda ls: [*ls[:2], ls[2][:-4] + b"x" + ls[2][-3:], *ls[3:]], 3),
    ("a line twice", lambda ls: [*ls[:3], ls[2], *ls[3:]], 4),
    ("the last line twice", lambda ls: [*ls, ls[-1]], 8),
    ("two lines swapped", lambda ls: [*ls[:2], ls[3], ls[2], *ls[4:]], 3),
    ("a line lost", lambda ls: [*ls[:2], *ls[3:]], 3),
    ("the first line lost", lambda ls: [ls[0], *ls[2:]], 2),
    ("a line added", lambda ls: [*ls[:2], b'{"value": 1}\n', *ls[2:]], 3),
    ("an empty line", lambda ls: [*ls[:4], b"\n", *ls[4:]], 5),
    ("zeros at the end", lambda ls: [*ls, bytes(9) + b"\n"], 8),
    ("two lines joined", lambda ls: [*ls[:3], ls[3][:-1], *ls[4:]], 4),
    ("the header", lambda ls: [ls[0].replace(b'"step": 1', b'"step": 2'), *ls[1:]], 1),
    ("a version without checksums", lambda ls: [ls[0].replace(b": 2", b": 1", 1), *ls[1:]], 1),
]


@pytest.mark.parametrize(("change", "line"), [c[1:] for c in CHANGES], ids=[c[0] for c in CHANGES])
def test_what_was_changed_is_named(path: Path, change: Change, line: int) -> None:
    damaged = b"".join(change(path.read_bytes().splitlines(keepends=True)))
    path.write_bytes(damaged)
    wrong = rf"count\.jsonl:{line}: the checksum of this line is wrong"
    with pytest.raises(FormatError, match=wrong):
        read_journal(path, KIND)
    with pytest.raises(FormatError, match=wrong) as caught:
        resume(path)
    assert path.read_bytes() == damaged
    if line > 2:
        note = f"the first {line - 1} lines are sound: a file of nothing else can be resumed"
        assert caught.value.__notes__ == [note]
        path.write_bytes(b"".join(damaged.splitlines(keepends=True)[: line - 1]))
        assert resume(path) == [*range(line - 2)]


def test_a_flipped_bit_is_found_or_costs_the_last_line(path: Path) -> None:
    data = path.read_bytes()
    for place in range(len(data)):
        path.write_bytes(data[:place] + bytes([data[place] ^ (1 << place % 8)]) + data[place + 1 :])
        try:
            header, values = read_journal(path, KIND)
        except FormatError:
            continue
        # Without its end it is a line that a crash cut off.
        assert place == len(data) - 1
        assert (header["step"], values) == (1, [*range(5)])


def test_what_a_crash_cuts_off_is_done_again(path: Path) -> None:
    data = path.read_bytes()
    starts = [0, *(n + 1 for n, byte in enumerate(data) if byte == ord("\n"))]
    for cut in range(starts[1], len(data), 5):
        path.write_bytes(data[:cut])
        whole = sum(start <= cut for start in starts[2:])
        with Count(path) as file:
            file.begin(resume=True)
            assert file.values == [*range(whole)]
            file.add_all(range(whole, 6))
        assert path.read_bytes() == data


def test_a_right_checksum_is_not_all(path: Path) -> None:
    lines = path.read_text().splitlines()
    write_lines(path, [*lines[:3], '{"value": "x"}', *lines[4:]])
    with pytest.raises(FormatError, match=r"count\.jsonl:4: 'x' is no whole number"):
        resume(path)
    write_lines(path, [plain(lines[0]).replace('"version": 2', '"version": 3'), *lines[1:]])
    with pytest.raises(FormatError, match="its version is 3, this program reads 2"):
        resume(path)


def test_files_without_checksums_are_read_and_not_resumed(path: Path) -> None:
    lines = [plain(line) for line in path.read_text().splitlines()]
    lines[0] = lines[0].replace('"version": 2', '"version": 1')
    path.write_text("".join(f"{line}\n" for line in lines))
    assert read_journal(path, KIND)[1] == [*range(6)]
    before = path.read_bytes()
    with pytest.raises(FormatError, match="its version is 1, whose lines have no checksums"):
        resume(path)
    assert path.read_bytes() == before


def test_matches_of_version_1_are_read() -> None:
    for name in ("after", "before"):
        match = lab.Match.load(ROOT / f"benches/matches/rapfi-0.2s-{name}.jsonl")
        assert len(match.games) == 200


KEPT = [("bf96911-0.1s", 1000), ("rapfi-0.2s-even", 400), ("rapfi-0.2s-network", 400)]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "games"), KEPT)
def test_matches_that_are_kept_are_evidence(name: str, games: int, tmp_path: Path) -> None:
    """Every game of theirs is refereed again."""
    path = tmp_path / f"{name}.jsonl"
    path.write_bytes(gzip.decompress((ROOT / f"benches/matches/{name}.jsonl.gz").read_bytes()))
    match = lab.Match.load(path)
    assert len(match.games) == games
    assert not [game for game in match.games if game.fault]


def play_match(path: Path) -> None:
    lab.match("easy,nodes=20", "beginner,nodes=20", games=2, length=20, path=path, resume=True)


def build_book(path: Path) -> None:
    book.build(["h8 h9 i9"], positions=3, nodes=500, width=2, check_nodes=0, path=path, resume=True)


def tune(path: Path) -> None:
    parameters = [lab.Parameter("x", 5, 0, 9, 1)]
    lab.spsa(parameters, iterations=4, play=lambda *_: 0.75, path=path, resume=True)


@pytest.mark.parametrize("work", [play_match, build_book, tune])
def test_a_changed_number_is_refused(work: Callable[[Path], None], tmp_path: Path) -> None:
    path = tmp_path / "work"
    work(path)
    whole = path.read_text()
    work(path)
    assert path.read_text() == whole
    lines = whole.splitlines(keepends=True)
    number = re.search(r'[":[,] ?(\d+)[,\]}]', lines[2])
    assert number is not None
    place = number.start(1)
    lines[2] = f"{lines[2][:place]}{(int(lines[2][place]) + 1) % 10}{lines[2][place + 1 :]}"
    path.write_text("".join(lines))
    with pytest.raises(FormatError, match=r"work:3: the checksum of this line is wrong"):
        work(path)
    assert path.read_text() == "".join(lines)


class Disk:
    """A file that takes a few bytes at a time, and then none."""

    def __init__(self, file: Any, room: int) -> None:
        self._file, self._room = file, room

    def write(self, data: bytes) -> int:
        if self._room == 0:
            raise OSError(errno.ENOSPC, "No space left on device")
        count = min(self._room, 5, len(data))
        self._room -= count
        self._file.write(bytes(data[:count]))
        return count

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)


@pytest.mark.parametrize("room", [0, 1, 30, 60, 200])
def test_a_line_is_written_whole_or_does_not_count(path: Path, room: int) -> None:
    data = path.read_bytes()
    with Count(path) as file:
        file.begin(resume=True)
        real = file._file
        file._file = Disk(real, room)  # type: ignore[assignment]
        with pytest.raises(OSError, match="No space left") as caught:
            file.add_all(range(6, 20))
        assert caught.value.filename == str(path)
        done = len(file.values)
        file._file = real  # there is room again
        file.add(done)
    values = read_journal(path, KIND)[1]
    assert values == [*range(done + 1)]
    assert path.read_bytes().startswith(data)


def test_facts_know_themselves() -> None:
    facts = {"inputs": {"b": "1", "a": None}, "numbers": [1, 2.5], "text": "ü"}
    good = sealed(facts)
    assert is_sealed(good)
    assert is_sealed(json.loads(json.dumps(good, indent=3)))
    assert sealed(good) == good
    assert not is_sealed(facts)
    for bad in (
        good | {"text": "u"},
        good | {"more": 1},
        good | {"numbers": [1.0, 2.5]},
        good | {"inputs": {"a": None, "b": "1"}},  # another order of the files
        good | {"checksum": random.Random(1).randbytes(16).hex()},
    ):
        assert not is_sealed(bad)
