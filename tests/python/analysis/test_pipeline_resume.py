"""What a crash may leave, and what may have changed: how a run is taken up again, or refused."""

from __future__ import annotations

import errno
import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

import renju
from renju import Limit, cli, pipeline
from renju._checksum import sealed
from renju.pipeline import store
from renju.pipeline.joining import Joining
from support.crashes import GAMES, Recording, contents, journal
from support.processes import Output
from support.tables import bad_rows, write

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("inside")]


# What a crash may leave


class Enough(Exception):
    """Ends a run from within."""


def stop_after(shards: int, out: str = "out.csv", threads: int = 1, **options: Any) -> None:
    """A run that ends when so many shards are finished."""

    def listen(done: int, total: int) -> None:
        if len(journal(out)) >= shards:
            raise Enough

    with pytest.raises(Enough) as caught:
        pipeline.run("in.txt", out, "vcf", shard_positions=40, threads=threads, progress=listen, **options)
    assert f"safe in {out}.parts: resume to go on" in caught.value.__notes__[-1]


def resumed(out: str = "out.csv", **options: Any) -> list[int]:
    """Takes it up again; the shards that were done."""
    with Recording() as executor:
        pipeline.run("in.txt", out, "vcf", shard_positions=40, executor=executor, resume=True, **options)
    return executor.chunks


@pytest.fixture
def half(tmp_path: Path) -> bytes:
    """An unfinished run of some shards, and what it should become."""
    write("in.txt", *GAMES[:12], "h8h8")
    pipeline.run("in.txt", "whole.csv", "vcf", shard_positions=40, threads=1)
    stop_after(4)
    assert len(journal("out.csv")) >= 4
    return Path("whole.csv").read_bytes()


def check_whole(expected: bytes) -> None:
    assert Path("out.csv").read_bytes() == expected
    assert bad_rows(Path("out.csv.bad.jsonl")) == bad_rows(Path("whole.csv.bad.jsonl"))
    assert {path.name for path in Path().iterdir()} == {
        "in.txt",
        *("whole.csv", "whole.csv.bad.jsonl", "whole.csv.report.json"),
        *("out.csv", "out.csv.bad.jsonl", "out.csv.report.json"),
    }


@pytest.mark.parametrize("out", ["out.csv", "out.parquet"])
def test_shards_are_joined_while_others_are_made(out: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """By a thread of its own, which leaves nothing behind if the run ends early."""
    write("in.txt", *GAMES[:12], "h8h8")
    pipeline.run("in.txt", f"whole-{out}", "vcf", shard_positions=40, threads=1)
    stop_after(4, out, threads=2)
    assert not [*Path().glob("**/*.tmp")]
    added: list[int] = []
    real = Joining.finish
    monkeypatch.setattr(Joining, "finish", lambda self: added.append(len(self.added)) or real(self))
    pipeline.run("in.txt", out, "vcf", shard_positions=40, threads=2, resume=True)
    assert len(added) == 1
    assert added[0] > 4
    assert Path(out).read_bytes() == Path(f"whole-{out}").read_bytes()


def test_what_is_finished_is_not_done_again(half: bytes) -> None:
    before = journal("out.csv")
    assert not {*resumed()} & {*before}
    check_whole(half)
    report = json.loads(Path("out.csv.report.json").read_text())
    assert report["counts"] == json.loads(Path("whole.csv.report.json").read_text())["counts"]


@pytest.mark.parametrize("cut", [1, 2, 30, 200])
def test_a_journal_that_was_cut_off(half: bytes, cut: int) -> None:
    path = Path("out.csv.parts/journal.jsonl")
    before = journal("out.csv")
    lines = path.read_bytes().splitlines(keepends=True)
    torn = lines[-1][:-cut]
    path.write_bytes(b"".join(lines[:-1]) + torn)
    kept = before[:-1]
    again = resumed()
    assert not {*again} & {*kept}
    assert {*again} | {*kept} == {*range(max(again) + 1)}
    check_whole(half)


@pytest.mark.parametrize(
    "garbage", [b"\0\0\0\0\n", b"\xff\xfe\n", b"{}\n5\n[]\nnull\n", b'{"shard": "x"}\n', b'{"shard": 2}\n']
)
def test_garbage_in_the_journal(half: bytes, garbage: bytes) -> None:
    before = journal("out.csv")
    with Path("out.csv.parts/journal.jsonl").open("ab") as file:
        file.write(garbage)
    assert not {*resumed()} & {*before}
    check_whole(half)


@pytest.mark.parametrize("damage", ["missing", "cut", "longer", "empty"])
def test_a_shard_that_is_not_as_the_journal_says(half: bytes, damage: str) -> None:
    shard = Path("out.csv.parts/part-000001.csv")
    data = shard.read_bytes()
    if damage == "missing":
        shard.unlink()
    else:
        shard.write_bytes({"cut": data[:-1], "longer": data + b"\n", "empty": b""}[damage])
    assert 1 in resumed()
    check_whole(half)


def test_bad_rows_that_were_lost() -> None:
    write("in.txt", "h8h8", *GAMES[:12])
    pipeline.run("in.txt", "whole.csv", "vcf", shard_positions=40, threads=1)
    stop_after(3)
    Path("out.csv.parts/bad-000000.jsonl").unlink()
    assert 0 in resumed()
    check_whole(Path("whole.csv").read_bytes())


def test_leftovers_are_removed(half: bytes) -> None:
    ours = [
        "out.csv.parts/.part-000001.csv.0123abcd.tmp",
        "out.csv.parts/.plan.json.0123abcd.tmp",
        ".out.csv.0123abcd.tmp",
        ".out.csv.report.json.0123abcd.tmp",
        ".out.csv.bad.jsonl.0123abcd.tmp",
    ]
    others = [".out.csv.mine.tmp", ".xout.csv.0123abcd.tmp", "out.csv.parts/notes.txt"]
    for name in (*ours, *others):
        write(name, "x")
    resumed()
    assert not [name for name in ours if Path(name).exists()]
    for name in others:
        Path(name).unlink()
    Path("out.csv.parts").rmdir()  # was kept for the notes
    check_whole(half)


def test_a_result_that_was_joined_but_not_reported(half: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    real = store.write

    def fail_at_the_report(path: Path, facts: dict[str, Any]) -> None:
        if path.name.endswith(".report.json"):
            raise OSError(errno.EIO, os.strerror(errno.EIO), str(path))
        real(path, facts)

    with monkeypatch.context() as patched:
        patched.setattr(store, "write", fail_at_the_report)
        with pytest.raises(OSError, match="report"):
            resumed()
    assert Path("out.csv").exists()
    resumed()
    check_whole(half)


def test_a_finished_run_is_not_done_again(half: bytes, capsys: Output) -> None:
    resumed()
    before = {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in Path().glob("out*")}
    assert resumed() == []
    command = ["batch", "in.txt", "-o", "out.csv", "--jobs", "vcf", "--shard", "40", "--resume"]
    assert cli.main([*command, "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    report = json.loads(Path("out.csv.report.json").read_text())
    told = {"out": "out.csv", "bad_path": "out.csv.bad.jsonl", "damage": []}
    assert facts == told | {name: report[name] for name in ("counts", "analysed")}
    assert {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in Path().glob("out*")} == before
    # What was left behind by a crash after the end is removed.
    Path("out.csv.parts").mkdir()
    write("out.csv.parts/part-000000.csv", "x")
    with pytest.raises(FileExistsError, match="has no plan of a run in it"):
        resumed()
    shutil.copy("out.csv.report.json", "out.csv.parts/finished.json")
    assert resumed() == []
    check_whole(half)
    write("out.csv", "mine")
    with pytest.raises(FileExistsError, match="is not as the run that was finished left it"):
        resumed()
    Path("out.csv").unlink()
    resumed()  # it is gone, so it is made again
    check_whole(half)


# Changes


def refusal(**options: Any) -> str:
    """Why a run is not taken up again."""
    before = contents()
    with pytest.raises(ValueError, match="another run, and is not resumed") as caught:
        resumed(**options)
    assert contents() == before
    return str(caught.value)


def test_changed_settings_are_refused(half: bytes) -> None:
    assert refusal(max_depth=4).endswith("spec.max_depth was None and is 4")
    assert "spec.plies was [0, None] and is [2, None]" in refusal(plies=(2, None))
    assert "spec.solve_nodes.vcf was 1000000 and is 9" in refusal(solve_limit=Limit(nodes=9))
    assert "spec.referee was True and is False" in refusal(referee=False)
    assert "fields was [None, None] and is [None, 'nr']" in refusal(id_field="nr")
    with pytest.raises(ValueError, match=r"spec\.jobs was \['vcf'\] and is \['forbidden', 'vcf'\]"):
        pipeline.run("in.txt", "out.csv", ("vcf", "forbidden"), shard_positions=40, resume=True)
    with pytest.raises(ValueError, match=r"spec\.shard_positions was 40 and is 39"):
        pipeline.run("in.txt", "out.csv", "vcf", shard_positions=39, resume=True)
    assert not {*resumed(threads=5)} & {0}  # the number of threads does not matter
    assert "spec.max_depth" in refusal(max_depth=4)  # also now that it is finished
    check_whole(half)


@pytest.mark.parametrize("change", ["longer", "same size", "shorter"])
def test_a_changed_input_is_refused(half: bytes, change: str) -> None:
    text = Path("in.txt").read_text()
    changed = {"longer": f"{text}h8\n", "same size": text.replace("h8h8", "h8i9"), "shorter": text[:-5]}
    Path("in.txt").write_text(changed[change])
    assert refusal().endswith("in.txt has changed")
    Path("in.txt").write_text(text)  # only the content counts
    resumed()
    check_whole(half)


def test_other_inputs_are_refused(half: bytes) -> None:
    write("in.b.txt", "h8")

    def message(*names: str) -> str:
        with pytest.raises(ValueError, match="another run") as caught:
            pipeline.run(names, "out.csv", "vcf", shard_positions=40, resume=True)
        return str(caught.value)

    assert message("in.txt", "in.b.txt").endswith("the input was in.txt and is in.txt, in.b.txt")
    assert message("in.b.txt").endswith("the input was in.txt and is in.b.txt")
    both = ("in.txt", "in.b.txt")
    pipeline.run(both, "out.csv", "vcf", shard_positions=40, overwrite=True)
    assert message("in.b.txt", "in.txt").endswith("the input was in.txt, in.b.txt and is in.b.txt, in.txt")


def test_another_version_is_refused(half: bytes) -> None:
    plan = Path("out.csv.parts/plan.json")
    text = plan.read_text().replace(f'"version": "{renju.__version__}"', '"version": "0.0.1"')
    plan.write_text(json.dumps(sealed(json.loads(text))))
    assert refusal().endswith(f"spec.version was '0.0.1' and is {renju.__version__!r}")


def test_an_unfinished_run_is_not_overwritten_unless_asked_to(half: bytes, capsys: Output) -> None:
    command = ["batch", "in.txt", "-o", "out.csv", "--jobs", "vcf", "--shard", "40", "--quiet"]
    before = contents()
    assert cli.main(command) == 2
    error = capsys.readouterr().err
    assert "out.csv.parts: holds an unfinished run; resume it or overwrite it" in error
    assert contents() == before
    assert cli.main([*command, "--overwrite"]) == 0
    check_whole(half)
