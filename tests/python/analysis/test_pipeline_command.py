"""`renju batch`: streams, options, and what it says."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import termios
import threading
from pathlib import Path

import pytest

from renju import EngineConfig, cli, pipeline
from support.pipeline_runs import GAMES, rows_of, run_cli
from support.processes import RENJU, Output
from support.tables import read_table, write
from support.waiting import PATIENCE_S

pytestmark = pytest.mark.usefixtures("inside")


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


def test_games_without_a_position_in_range_are_counted() -> None:
    write("in.txt", "h8i9", "h8i9g7i7g9")
    report = pipeline.run("in.txt", "out.csv", ["forbidden"], plies=(5, 9))
    assert (report.games, report.positions, report.bad) == (2, 1, 0)
