"""Files of a batch run that were damaged, or are those of others: found, named, and done again or refused."""

from __future__ import annotations

import errno
import json
import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from renju import FormatError, cli, pipeline, samples
from renju._checksum import Stamp, sealed
from renju.pipeline import runner
from renju.pipeline.store import Store
from support.journals import plain, write_lines
from support.processes import Output
from support.tables import read_table

GAMES = samples.games()
OUTS = ["out.csv", "out.jsonl", "out.parquet", "csv/", "parquet/"]

Files = dict[str, bytes]


@pytest.fixture(autouse=True)
def games_to_read(inside: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "fsync", lambda _: None)  # the machine does not die
    Path("in.txt").write_text("".join(f"{moves}\n" for moves in [*GAMES[:4], "h8h8", *GAMES[4:8]]))


class Enough(Exception):
    """Ends a run from within."""


def run(out: str, **options: Any) -> pipeline.Report:
    form = out.rstrip("/") if out.endswith("/") else None
    return pipeline.run("in.txt", out, "forbidden", form=form, shard_positions=30, threads=1, **options)


def begin(out: str, shards: int = 4) -> Path:
    """A run that ends after some shards; the folder with its files."""
    parts = Path(f"{out.rstrip('/')}.parts")

    def stop(done: int, total: int) -> None:
        if (parts / "journal.jsonl").read_text().count('"shard"') >= shards:
            raise Enough

    with pytest.raises(Enough):
        run(out, progress=stop)
    return parts


def tree() -> Files:
    """All files with what is in them, and what links point to."""
    found = {}
    for path in Path().rglob("*"):
        if path.is_symlink():
            found[str(path)] = str(path.readlink()).encode()
        elif path.is_file():
            found[str(path)] = path.read_bytes()
    return found


def results(out: str) -> Files:
    """The tables and bad rows of a finished run."""
    name = out.rstrip("/")
    return {key: data for key, data in tree().items() if key.startswith(name) and "report" not in key}


@pytest.fixture
def whole(request: pytest.FixtureRequest) -> Files:
    """What an undisturbed run gives; it is moved away."""
    out = request.getfixturevalue("out")
    run(out)
    found = results(out)
    for path in Path().glob(f"{out.rstrip('/')}*"):
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    return found


def shard_of(out: str, number: int) -> Path:
    folder = Path(out) if out.endswith("/") else Path(f"{out}.parts")
    (path,) = folder.glob(f"part-{number:06d}.*")
    return path


def flip(path: Path, place: int = -20) -> None:
    data = bytearray(path.read_bytes())
    data[place] ^= 4
    path.write_bytes(data)


def zero(path: Path) -> None:
    data = path.read_bytes()
    path.write_bytes(data[:50] + bytes(100) + data[150:])


# Shards


@pytest.mark.parametrize("damage", [flip, zero])
@pytest.mark.parametrize("out", OUTS)
@pytest.mark.slow
def test_a_damaged_shard_is_named_and_done_again(
    out: str, whole: Files, damage: Callable[[Path], None]
) -> None:
    begin(out)
    damage(shard_of(out, 1))
    told: list[str] = []
    report = run(out, resume=True, on_damage=told.append)
    text = f"{shard_of_name(out, 1)}: shard 1: its checksum is wrong; the shard is done again"
    assert told == [text]
    assert report.damage == (text,)
    assert results(out) == whole
    assert pipeline.check(out).is_whole


def shard_of_name(out: str, number: int) -> str:
    form = Path(out).suffix.lstrip(".") or out.rstrip("/")
    folder = out.rstrip("/") if out.endswith("/") else f"{out}.parts"
    return f"{folder}/part-{number:06d}.{form}"


@pytest.mark.parametrize("out", ["out.csv"])
def test_damaged_bad_rows_are_named_and_done_again(out: str, whole: Files, capsys: Output) -> None:
    begin(out, 6)
    (bad,) = Path("out.csv.parts").glob("bad-*")
    flip(bad)
    command = ["batch", "in.txt", "-o", out, "--jobs", "forbidden", "--shard", "30", "--quiet", "--resume"]
    assert cli.main([*command, "--json"]) == 0
    captured = capsys.readouterr()
    assert captured.err.startswith(f"renju: {bad}: shard ")
    (told,) = json.loads(captured.out)["damage"]
    assert captured.err == f"renju: {told}\n"
    assert results(out) == whole


@pytest.mark.parametrize("out", ["out.csv", "out.parquet"])
def test_a_shard_that_is_damaged_while_the_run_goes_on(
    out: str, whole: Files, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin(out)
    real = runner._drive

    def drive(*args: Any) -> None:
        real(*args)
        flip(shard_of(out, 2))

    monkeypatch.setattr(runner, "_drive", drive)
    with pytest.raises(FormatError, match=r"part-000002\..*: it was damaged after it was written"):
        run(out, resume=True)
    assert not Path(out).exists()
    monkeypatch.setattr(runner, "_drive", real)
    assert len(run(out, resume=True).damage) == 1
    assert results(out) == whole


# The journal


@pytest.mark.parametrize("name", ["records", "first", "shard", "size", "positions", "analysed"])
@pytest.mark.parametrize("change", [1, -1, 10**9])
@pytest.mark.parametrize("out", ["out.csv"])
@pytest.mark.slow
def test_a_wrong_number_in_the_last_line_of_the_journal(
    out: str, whole: Files, name: str, change: int
) -> None:
    journal = begin(out) / "journal.jsonl"
    lines = journal.read_text().splitlines(keepends=True)
    count = len(lines)
    lines[-1] = re.sub(rf'("{name}": )(\d+)', lambda m: f"{m[1]}{int(m[2]) + change}", lines[-1], count=1)
    journal.write_text("".join(lines))
    report = run(out, resume=True)
    assert results(out) == whole
    wrong = f"{journal}:{count}: the checksum of this line is wrong"
    assert len(report.damage) == 1
    assert report.damage[0].startswith(wrong)


@pytest.mark.parametrize("name", ["records", "first"])
@pytest.mark.parametrize("change", [1, 10**9])
@pytest.mark.parametrize("out", ["out.csv"])
def test_numbers_that_do_not_fit_the_input(out: str, whole: Files, name: str, change: int) -> None:
    """Even though the checksum is right."""
    journal = begin(out) / "journal.jsonl"
    lines = journal.read_text().splitlines()
    lines[-1] = re.sub(rf'("{name}": )(\d+)', lambda m: f"{m[1]}{int(m[2]) + change}", lines[-1], count=1)
    write_lines(journal, lines)
    told: list[str] = []
    report = run(out, resume=True, on_damage=told.append)
    assert told == [*report.damage]
    assert re.search(r"shard \d+: the journal says \d+ records from \d+, the input", report.damage[0])
    assert results(out) == whole


@pytest.mark.parametrize("out", ["out.csv"])
def test_a_shard_too_many(out: str, whole: Files) -> None:
    parts = begin(out)
    journal = parts / "journal.jsonl"
    lines = journal.read_text().splitlines()
    (first,) = (json.loads(plain(line)) for line in lines if '"shard": 0' in line)
    more = first | {"shard": 500, "first": 500}
    shutil.copy(shard_of(out, 0), parts / "part-000500.csv")
    write_lines(journal, [*lines, json.dumps(more)])
    assert "shard 500: the input has" in run(out, resume=True).damage[0]
    assert results(out) == whole


@pytest.mark.parametrize(
    "change",
    [{"records": -1}, {"counts": {}}, {"counts": {"positions": 500, "bad": 3}, "bad": None}, {"table": 7}],
)
def test_a_line_that_makes_no_sense_is_refused(change: dict[str, Any]) -> None:
    journal = begin("out.csv") / "journal.jsonl"
    lines = journal.read_text().splitlines()
    write_lines(journal, [*lines[:-1], json.dumps(json.loads(plain(lines[-1])) | change)])
    before = tree()
    with pytest.raises(FormatError, match=rf"journal\.jsonl:{len(lines)}: not the record of a shard"):
        run("out.csv", resume=True)
    assert tree() == before


@pytest.mark.parametrize("out", ["out.csv"])
def test_lines_that_are_lost_doubled_or_moved(out: str, whole: Files) -> None:
    journal = begin(out, 5) / "journal.jsonl"
    before = tree()
    lines = before[str(journal)].splitlines(keepends=True)
    for changed in (
        [*lines[:2], *lines[3:]],
        [*lines[:3], lines[2], *lines[3:]],
        [*lines[:2], lines[3], lines[2], *lines[4:]],
        [*lines, lines[-1]],
        [lines[0], *lines[:0:-1]],
    ):
        for name, data in before.items():
            Path(name).parent.mkdir(exist_ok=True)
            Path(name).write_bytes(data)
        journal.write_bytes(b"".join(changed))
        damage = run(out, resume=True).damage
        assert damage
        assert all(re.match(rf"{re.escape(str(journal))}:\d+: the checksum of this", text) for text in damage)
        assert results(out) == whole
        for path in Path().glob("out*"):
            path.unlink()


def test_a_journal_of_another_run_is_refused() -> None:
    parts = begin("out.csv")
    other = begin("other.csv")
    shutil.copy(other / "journal.jsonl", parts / "journal.jsonl")
    assert run("out.csv", resume=True).games == 8  # the same run under another name
    parts = begin("late.csv")
    plan = json.loads((other / "plan.json").read_text())
    with pytest.raises(Enough):
        pipeline.run(
            "in.txt", "last.csv", "forbidden", shard_positions=29, threads=1, progress=lambda *_: stop()
        )
    shutil.copy("last.csv.parts/journal.jsonl", parts / "journal.jsonl")
    before = tree()
    with pytest.raises(ValueError, match=r"it belongs to another plan than plan\.json") as caught:
        run("late.csv", resume=True)
    assert caught.value.__notes__ == ["to begin anew, overwrite it"]
    assert tree() == before
    assert plan["format"] == "renju-batch"


def stop() -> None:
    if '"shard"' in Path("last.csv.parts/journal.jsonl").read_text():
        raise Enough


def test_a_damaged_header_of_the_journal_is_refused(capsys: Output) -> None:
    journal = begin("out.csv") / "journal.jsonl"
    flip(journal, 60)
    before = tree()
    command = ["batch", "in.txt", "-o", "out.csv", "--jobs", "forbidden", "--shard", "30", "--quiet"]
    assert cli.main([*command, "--resume"]) == 2
    error = capsys.readouterr().err
    assert "journal.jsonl" in error
    assert "to begin anew, overwrite it" in error
    assert tree() == before
    assert cli.main([*command, "--overwrite"]) == 0


def test_an_overwriting_run_that_fails_twice_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """First it is killed before it removed all of the earlier result, then there is no space."""
    parts = begin("csv/")
    for path in [*parts.glob("[!p]*"), *Path("csv").iterdir()]:
        path.unlink()
    Path("csv.bad.jsonl").write_text("of the earlier run")
    with monkeypatch.context() as patch:
        patch.setattr(Store, "add", lambda *_: full())
        with pytest.raises(OSError, match="No space left"):
            run("csv/", resume=True)
    assert [*tree()] == ["in.txt"]
    assert run("csv/", resume=True).games == 8


def full() -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


# The plan


@pytest.mark.parametrize("out", ["out.csv", "csv/"])
@pytest.mark.parametrize("damage", ["flip", "zero", "empty", "number", "swap"])
def test_a_damaged_plan_is_refused_and_nothing_is_deleted(out: str, damage: str, capsys: Output) -> None:
    plan = begin(out) / "plan.json"
    data = plan.read_bytes()
    lines = data.splitlines(keepends=True)
    place = next(n for n, line in enumerate(lines) if b'"referee"' in line)
    plan.write_bytes(
        {
            "flip": data[:30] + bytes([data[30] ^ 1]) + data[31:],
            "zero": bytes(len(data)),
            "empty": b"",
            "number": data.replace(b'"shard_positions": 30', b'"shard_positions": 31'),
            "swap": b"".join([*lines[:place], lines[place + 1], lines[place], *lines[place + 2 :]]),
        }[damage]
    )
    before = tree()
    command = [
        "batch",
        "in.txt",
        "-o",
        out,
        "--jobs",
        "forbidden",
        "--shard",
        "30",
        "--form",
        "csv",
        "--quiet",
    ]
    for arguments in ([], ["--resume"]):
        assert cli.main([*command, *arguments]) == 2
        assert "plan.json" in capsys.readouterr().err or not arguments
        assert tree() == before
    assert cli.main([*command, "--overwrite"]) == 0  # the journal says that it is ours
    assert pipeline.check(out).is_whole


def test_a_plan_of_an_earlier_version_is_refused() -> None:
    plan = begin("out.csv") / "plan.json"
    facts = json.loads(plan.read_text())
    plan.write_text(json.dumps({k: v for k, v in facts.items() if k not in ("checksum", "version")}))
    before = tree()
    with pytest.raises(FormatError, match=r"plan\.json: it has no checksum, since an earlier version"):
        run("out.csv", resume=True)
    assert tree() == before


# Folders of others


@pytest.mark.parametrize("content", ["shards", "notes", "a lock", "a plan of others", "an empty plan"])
@pytest.mark.parametrize("out", ["out.csv", "csv/"])
def test_a_folder_of_others_is_left_alone(out: str, content: str, capsys: Output) -> None:
    parts = Path(f"{out.rstrip('/')}.parts")
    parts.mkdir()
    names = {"shards": ["part-000000.csv", "bad-000001.jsonl"], "notes": ["notes.txt"], "a lock": ["lock"]}
    for name in names.get(content, []):
        (parts / name).write_text("mine")
    if "plan" in content:
        (parts / "plan.json").write_text("" if "empty" in content else '{"format": "mine"}')
        (parts / "part-000000.csv").write_text("mine")
    before = tree()
    for arguments in ([], ["--resume"], ["--overwrite"]):
        assert cli.main(["batch", "in.txt", "-o", out, "--form", "csv", "--quiet", *arguments]) == 2
        assert str(parts) in capsys.readouterr().err
        assert tree() == before


@pytest.mark.parametrize("out", ["out.csv", "csv/"])
def test_a_link_is_never_emptied(out: str, capsys: Output) -> None:
    parts = Path(f"{out.rstrip('/')}.parts")
    begin("other.csv")
    parts.symlink_to("other.csv.parts")
    before = tree()
    for arguments in ([], ["--resume"], ["--overwrite"]):
        assert cli.main(["batch", "in.txt", "-o", out, "--form", "csv", "--quiet", *arguments]) == 2
        assert f"{parts}: is no folder, or a link to one" in capsys.readouterr().err
        assert tree() == before


def test_the_folder_behind_a_link_is_not_emptied(capsys: Output) -> None:
    run("csv/")
    Path("csv").rename("real")
    Path("csv").symlink_to("real")
    before = tree()
    command = ["batch", "in.txt", "-o", "csv", "--form", "csv", "--quiet"]
    assert cli.main([*command, "--overwrite"]) == 2
    assert "csv: is a link, and its folder is not emptied" in capsys.readouterr().err
    assert tree() == before


def test_an_unfinished_run_behind_a_link_removes_nothing() -> None:
    begin("csv/")
    Path("csv").rename("real")
    Path("csv").symlink_to("real")
    before = tree()
    with pytest.raises(FileExistsError, match="is a link, and its folder is not emptied"):
        run("csv/", overwrite=True)
    assert tree() == before
    mine = Path("real/part-000777.csv")
    mine.write_text("mine")
    with pytest.raises(FileExistsError, match="is no shard of this run; move it, and resume"):
        run("csv/", resume=True)
    assert mine.read_text() == "mine"
    mine.unlink()
    run("csv/", resume=True)
    assert pipeline.check("csv").is_whole


def test_a_shard_that_came_later_is_not_removed() -> None:
    begin("csv/")
    mine = Path("csv/part-000777.csv")
    mine.write_text("mine")
    with pytest.raises(FileExistsError, match="is no shard of this run; move it, and resume"):
        run("csv/", resume=True)
    assert mine.read_text() == "mine"


def test_two_runs_in_one_folder_by_two_names() -> None:
    """Each has its own lock; the one that ends later finds that its shards were written over."""
    Path("real").mkdir()
    Path("csv").symlink_to("real")

    def other(done: int, total: int) -> None:
        Path("real/part-000000.csv").write_text("of another run")

    with pytest.raises(FormatError, match=r"part-000000\.csv: it has 14 bytes .* resume to do"):
        run("csv/", progress=other)
    run("csv/", resume=True)
    assert pipeline.check("csv").is_whole


def test_a_file_that_came_later_is_not_replaced() -> None:
    begin("out.csv")
    Path("out.csv").write_text("mine")
    before = tree()
    with pytest.raises(FileExistsError, match="was not there when the run began; move it"):
        run("out.csv", resume=True)
    assert tree() == before
    Path("out.csv").unlink()

    def come(done: int, total: int) -> None:
        Path("out.csv").write_text("mine")

    with pytest.raises(FileExistsError, match="was not there when the run began; move it"):
        run("out.csv", resume=True, progress=come)
    assert Path("out.csv").read_text() == "mine"
    Path("out.csv").unlink()
    run("out.csv", resume=True)
    assert pipeline.check("out.csv").is_whole


def test_shards_of_others_are_not_removed(capsys: Output) -> None:
    run("csv/")
    Path("csv/part-000777.csv").write_text("mine")
    before = tree()
    for argument in ("--overwrite", "--resume"):
        command = ["batch", "in.txt", "-o", "csv", "--form", "csv", "--jobs", "forbidden", "--quiet"]
        assert cli.main([*command, "--shard", "30", argument]) == 2
        assert "csv/part-000777.csv: is no" in capsys.readouterr().err
        assert tree() == before
    assert pipeline.check("csv").damage == ("csv/part-000777.csv: it is no file of this run",)


@pytest.mark.parametrize("name", ["part-1.csv", "more.csv", "deep/more.csv"])
def test_tables_of_others_in_a_folder_are_told(name: str) -> None:
    run("csv/")
    for other in ("notes.txt", "_more.csv", ".more.csv", ".hidden/more.csv"):
        Path("csv", other).parent.mkdir(exist_ok=True)
        Path("csv", other).write_text("mine")
    assert pipeline.check("csv").is_whole
    Path("csv", name).parent.mkdir(exist_ok=True)
    Path("csv", name).write_text("mine")
    assert pipeline.check("csv").damage == (f"csv/{name}: it is no file of this run",)
    before = tree()
    with pytest.raises(FileExistsError, match="it is no file of this run"):
        run("csv/", resume=True)
    assert tree() == before


# What is finished


@pytest.mark.parametrize("damage", ["flip", "missing", "longer"])
@pytest.mark.parametrize("out", OUTS)
@pytest.mark.slow
def test_a_damaged_result_is_named(out: str, damage: str, capsys: Output) -> None:
    run(out)
    name = out.rstrip("/")
    assert cli.main(["batch", "--check", out]) == 0
    assert capsys.readouterr().out.startswith(f"{out} is whole: ")
    path = Path(out) if Path(out).is_file() else sorted(Path(out).iterdir())[2]
    if damage == "flip":
        flip(path)
    elif damage == "missing":
        path.unlink()
    else:
        path.write_bytes(path.read_bytes() + b"\n")
    before = tree()
    assert cli.main(["batch", "--check", name]) == 2
    error = capsys.readouterr().err
    assert f"renju: {name} is damaged\nrenju: {path}: " in error
    assert ("shard 2: " in error) == out.endswith("/")
    if not (damage == "missing" and path == Path(out)):  # then it is made again
        with pytest.raises(FileExistsError, match="is not as the run that was finished left it") as caught:
            run(out, resume=True)
        assert caught.value.filename == str(path)
    assert tree() == before
    run(out, overwrite=True)
    assert pipeline.check(out).is_whole


def test_damaged_bad_rows_of_a_finished_run() -> None:
    run("out.csv")
    flip(Path("out.csv.bad.jsonl"))
    assert pipeline.check("out.csv").damage == ("out.csv.bad.jsonl: its checksum is wrong",)
    with pytest.raises(FileExistsError, match=r"its checksum is wrong"):
        run("out.csv", resume=True)


@pytest.mark.parametrize("out", ["out.csv", "csv/"])
def test_a_damaged_report_is_refused(out: str, capsys: Output) -> None:
    run(out)
    path = Path(f"{out.rstrip('/')}.report.json")
    data = path.read_bytes()
    for damaged, ours in ((data.replace(b'"games": 8', b'"games": 9'), True), (bytes(len(data)), False)):
        path.write_bytes(damaged)
        before = tree()
        with pytest.raises((FormatError, FileExistsError)) as caught:
            run(out, resume=True)
        assert ours is ("report.json: its checksum is wrong" in str(caught.value)) or out == "csv/"
        assert cli.main(["batch", "--check", out]) == 2
        assert f"renju: {path}: it" in capsys.readouterr().err
        assert tree() == before
        if ours or out == "out.csv":
            run(out, overwrite=True)
            assert pipeline.check(out).is_whole
        else:
            with pytest.raises(FileExistsError, match="move it and the folder"):
                run(out, overwrite=True)


def test_what_else_a_check_tells(capsys: Output) -> None:
    with pytest.raises(FileNotFoundError, match="there is no report of a run"):
        pipeline.check("out.csv")
    begin("out.csv")
    with pytest.raises(FileNotFoundError, match="there is only an unfinished run; resume it"):
        pipeline.check("out.csv")
    run("out.csv", resume=True)
    Path("in.txt").write_text("h8")
    found = pipeline.check("out.csv")
    assert found.is_whole
    assert found.changes == ("the input in.txt has changed since",)
    Path("in.txt").unlink()
    assert cli.main(["batch", "--check", "out.csv", "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["changes"] == ["the input in.txt is not there any more"]
    assert (facts["is_whole"], facts["damage"], facts["files"]) == (True, [], 2)
    assert facts["positions"] == len(read_table(Path("out.csv")))


def test_a_check_survives_another_name() -> None:
    for out, renamed in (("out.csv", "mine.csv"), ("csv/", "mine")):
        run(out)
        for path in Path().glob(f"{out.rstrip('/')}*"):
            path.rename(path.name.replace(out.rstrip("/"), renamed, 1))
        assert pipeline.check(renamed).is_whole


def test_parquet_is_read() -> None:
    run("out.parquet")
    report = Path("out.parquet.report.json")
    facts = json.loads(report.read_text())
    Path("out.parquet").write_bytes(b"no Parquet")
    facts["files"]["table"] = Stamp.of(b"no Parquet")._asdict()
    report.write_text(json.dumps(sealed(facts)))
    (damage,) = pipeline.check("out.parquet").damage
    assert damage.startswith("out.parquet: it cannot be read as Parquet: ")


@pytest.mark.parametrize(
    "arguments", [["--check", "out.csv", "in.txt"], ["--check", "x", "-o", "y"], ["in.txt"], []]
)
def test_arguments_that_do_not_fit(arguments: list[str], capsys: Output) -> None:
    with pytest.raises(SystemExit) as caught:
        cli.main(["batch", *arguments])
    assert caught.value.code == 2
    assert "renju batch: error: " in capsys.readouterr().err
