"""What an input may be beside a file: folders, patterns, lists, archives."""

from __future__ import annotations

import io
import tarfile
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import renju
from renju import cli, pipeline
from renju.pipeline.inputs import Inputs
from support.crashes import journal
from support.pipeline_runs import GAMES, rows_of
from support.tables import Row, bad_rows, read_table, write

pytestmark = pytest.mark.usefixtures("inside")

CONTENTS = {
    "b/two.sgf": b"(;GM[4]SZ[15];B[hh];W[ig])\n(;GM[4]SZ[15];B[hh];W[hg])\n",
    "a.txt": b"h8i9g7\nh8h9\n",
    "b/c.csv": b"id,moves\n7,h8i9i8\n",
    "z.jsonl": b'{"moves": "h8h9j9"}\n',
}
SORTED = sorted(CONTENTS)


def fill(folder: str, contents: Mapping[str, bytes] = CONTENTS) -> str:
    for name, data in contents.items():
        path = Path(folder, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return folder


def zipped(name: str, contents: Mapping[str, bytes] = CONTENTS) -> str:
    with zipfile.ZipFile(name, "w", zipfile.ZIP_DEFLATED) as archive:
        for member, data in contents.items():
            archive.writestr(member, data)
    return name


def tarred(name: str, contents: Mapping[str, bytes] = CONTENTS) -> str:
    kind = {".gz": "w:gz", ".tgz": "w:gz", ".bz2": "w:bz2", ".xz": "w:xz"}.get(Path(name).suffix, "w")
    with tarfile.open(name, kind) as archive:  # type: ignore[call-overload]
        for member, data in contents.items():
            info = tarfile.TarInfo(member)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return name


def places(rows: list[Row]) -> list[tuple[str, int, str]]:
    return [(row["file"], row["row"], row["moves"]) for row in rows]


def of_single_files(names: list[str], prefix: str) -> list[tuple[str, int, str]]:
    """The rows of a run on each of the files, which is what a run on all of them must give."""
    found = []
    for name in names:
        rows = rows_of("single.jsonl", str(Path("games", name)), only_last=True)
        found += [(f"{prefix}/{name}", row, moves) for _, row, moves in places(rows)]
    return found


def test_a_folder_is_its_files_by_name() -> None:
    fill("games", {**CONTENTS, ".hidden/x.txt": b"nonsense", "b/.DS_Store": b"\x00"})
    rows = rows_of(inputs="games", only_last=True)
    assert places(rows) == of_single_files(SORTED, "games")
    assert len(rows) == 6
    assert not Path("out.jsonl.bad.jsonl").exists()


@pytest.mark.parametrize("name", ["a.zip", "A.ZIP", "a.tar", "a.tgz", "a.tar.bz2", "a.tar.xz"])
def test_an_archive_is_its_files_in_its_order(name: str) -> None:
    fill("games")
    (zipped if name.lower().endswith(".zip") else tarred)(name)
    assert places(rows_of(inputs=name, only_last=True)) == of_single_files([*CONTENTS], name)


def test_an_archive_in_a_folder() -> None:
    fill("games", {"a.txt": b"h8\n"})
    zipped("games/b.zip", {"c.txt": b"h8i9\n"})
    assert [row["file"] for row in rows_of(inputs="games", only_last=True)] == [
        "games/a.txt",
        "games/b.zip/c.txt",
    ]


def test_patterns_and_lists() -> None:
    fill("games")
    all_of = places(rows_of(inputs="games/**/*.*", only_last=True))
    assert all_of == of_single_files(SORTED, "games")
    write("list.txt", "# the best", "games/z.jsonl", "", "games/b")
    listed = places(rows_of(inputs="@list.txt", only_last=True))
    assert listed == of_single_files(["z.jsonl", "b/c.csv", "b/two.sgf"], "games")
    options = ["--last", "--quiet", "--jobs", "forbidden"]
    assert cli.main(["batch", "--files-from", "list.txt", "-o", "cli.jsonl", *options]) == 0
    assert places(read_table(Path("cli.jsonl"))) == listed
    write("[odd]*.txt", "h8i9")
    assert [row["file"] for row in rows_of(inputs="[odd]*.txt", only_last=True)] == ["[odd]*.txt"]


def test_what_cannot_be_read_is_a_bad_row_that_names_the_file() -> None:
    contents = {
        "read.me": b"hello",
        "utf16.txt": "h8".encode("utf-16"),
        "good.txt": b"h8\nh8h8\n",
        "none.csv": b"a,b\n1,2\n",
        "x.npy": b"\x93NUMPY",
        "inner.zip": b"PK",
    }
    expected = {
        "read.me": (0, "no reader for .me"),
        "utf16.txt": (0, "UTF-16"),
        "good.txt": (2, "H8 is occupied"),
        "none.csv": (0, "no column"),
    }
    in_archives = {"x.npy": (0, "in an archive can be txt"), "inner.zip": (0, "an archive in an archive")}
    for name in (zipped("a.zip", contents), tarred("a.tgz", contents)):
        assert places(rows_of(inputs=name, only_last=True)) == [(f"{name}/good.txt", 1, "h8")]
        check_bad(name, expected | in_archives)
    fill("games", contents)
    rows_of(inputs="games")
    check_bad("games", expected | {"x.npy": (0, ""), "inner.zip": (0, "not a zip file")})


def check_bad(folder: str, expected: Mapping[str, tuple[int, str]]) -> None:
    found = {name: (row, reason) for name, row, reason in bad_rows(Path("out.jsonl.bad.jsonl"))}
    assert {*found} == {f"{folder}/{name}" for name in expected}
    for name, (row, reason) in expected.items():
        assert found[f"{folder}/{name}"][0] == row
        assert reason in found[f"{folder}/{name}"][1]
        assert folder not in found[f"{folder}/{name}"][1]  # it is told once


def test_a_damaged_member_of_a_zip_is_a_bad_row() -> None:
    zipped("a.zip", {"a.txt": b"h8\n", "b.txt": b"h8i9\n" * 50, "c.txt": b"h8h9\n"})
    data = bytearray(Path("a.zip").read_bytes())
    with zipfile.ZipFile("a.zip") as archive:
        at = archive.getinfo("b.txt").header_offset + 30 + len("b.txt")
    data[at + 3] ^= 0xFF
    Path("a.zip").write_bytes(data)
    assert [row["file"] for row in rows_of(inputs="a.zip", only_last=True)][-1] == "a.zip/c.txt"
    [(name, _, reason)] = bad_rows(Path("out.jsonl.bad.jsonl"))
    assert name == "a.zip/b.txt"
    assert reason


@pytest.mark.parametrize("suffix", ["", ".gz", ".xz"])
def test_a_tar_that_ends_early_is_an_error_that_names_the_member(suffix: str) -> None:
    name = tarred(f"a.tar{suffix}", {"a.txt": b"h8\n", "b.txt": "".join(GAMES).encode() + bytes(50_000)})
    Path(name).write_bytes(Path(name).read_bytes()[: -700 if suffix else -40_000])
    with pytest.raises(renju.FormatError, match=r"a\.tar"):
        pipeline.run(name, "out.csv", "forbidden")


@pytest.mark.parametrize("name", ["a.zip", "a.tar", "a.tar.gz"])
def test_what_is_no_archive_is_refused_at_once(name: str) -> None:
    Path(name).write_bytes(b"this is no archive")
    with pytest.raises(renju.FormatError, match=name):
        pipeline.run(name, "out.csv", "forbidden")
    assert not Path("out.csv.parts").exists()


def test_inputs_that_are_refused() -> None:
    fill("games")
    Path("empty").mkdir()
    cases: list[tuple[Any, type[Exception], str]] = [
        ("empty", ValueError, "no file in it"),
        ("*.nothing", ValueError, "names no file"),
        (["games", "games"], ValueError, "twice"),
        (["games", "games/a.txt"], ValueError, "twice"),
        (["games/a.txt", "games/*.txt"], ValueError, "twice"),
        ("@missing.txt", FileNotFoundError, "missing"),
    ]
    for inputs, error, text in cases:
        with pytest.raises(error, match=text):
            pipeline.run(inputs, "out.csv", "forbidden")
    write("list.txt", "games/a.txt", "gone.txt")
    with pytest.raises(FileNotFoundError, match=r"list.txt:2: there is no file gone.txt"):
        pipeline.run("@list.txt", "out.csv", "forbidden")
    with pytest.raises(ValueError, match="would be in it"):
        pipeline.run("games", "games/out.csv", "forbidden")


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["folder", "zip", "tar"])
def test_a_run_is_taken_up_again_and_refused_if_a_file_changed(kind: str) -> None:
    contents = {f"{n:02}.txt": f"{game}\n".encode() for n, game in enumerate(GAMES[:12])}
    fill("games", contents)
    name = {"folder": "games", "zip": "games.zip", "tar": "games.tar.gz"}[kind]
    if kind != "folder":
        (zipped if kind == "zip" else tarred)(name, contents)
    pipeline.run(name, "whole.csv", "vcf", shard_positions=40, threads=1)

    def listen(done: int, total: int) -> None:
        if len(journal("out.csv")) >= 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        pipeline.run(name, "out.csv", "vcf", shard_positions=40, threads=1, progress=listen)
    kept = len(journal("out.csv"))
    pipeline.run(name, "out.csv", "vcf", shard_positions=40, threads=2, resume=True)
    assert kept >= 3
    assert Path("out.csv").read_bytes() == Path("whole.csv").read_bytes()
    assert not pipeline.check("out.csv").changes

    with pytest.raises(KeyboardInterrupt):
        pipeline.run(name, "out.csv", "vcf", shard_positions=40, threads=1, progress=listen, overwrite=True)
    changed = {**contents, "05.txt": b"h8i9\n"}
    fill("games", changed)
    if kind != "folder":
        (zipped if kind == "zip" else tarred)(name, changed)
    with pytest.raises(ValueError, match=f"{name} has changed"):
        pipeline.run(name, "out.csv", "vcf", shard_positions=40, threads=1, resume=True)


def test_the_file_that_is_read_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    fill("games", {f"{n}.txt": b"h8i9\n" for n in range(3)})
    inputs = Inputs(["games"], (None, None))
    inputs.look()
    told = [inputs.place() for _ in inputs.records()]
    assert told == [f"file {n + 1} of 3: games/{n}.txt" for n in range(3)]
    inputs = Inputs([zipped("a.zip", {"x.txt": b"h8\n"})], (None, None))
    inputs.look()
    assert [inputs.place() for _ in inputs.records()] == ["file 1: a.zip/x.txt"]
    single = Inputs([write("one.txt", "h8")], (None, None))
    assert single.place() == ""
    pipeline.run("games", "out.csv", "forbidden", progress=True)
    assert "file 3 of 3: games/2.txt" in capsys.readouterr().err
