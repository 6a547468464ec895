"""The command line, as a person or a script meets it."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

import renju
from renju import Board, cli, demo, samples, speed
from support import DATA
from support.positions import DOUBLE_THREE
from support.processes import RENJU
from support.waiting import PATIENCE_S


def renju_command(*arguments: str, text: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    """Runs it in a process of its own, with buffered output as usual."""
    variables = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    return subprocess.run(
        [*RENJU, *arguments],
        input=text,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=PATIENCE_S,
        env=variables | environment,
    )


@pytest.fixture
def stdin(monkeypatch: pytest.MonkeyPatch):
    return lambda text: monkeypatch.setattr(sys, "stdin", io.StringIO(text))


def test_show_draws_the_board(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["show", "h8i9g7"]) == 0
    output = capsys.readouterr().out
    assert output.startswith(str(Board("h8i9g7")))
    assert "opening: I11 Shagetsu (斜月, Slanting Moon)" in output
    assert output.endswith("white to move\n")


def test_show_tells_the_result_and_the_forbidden_points(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["show", DOUBLE_THREE]) == 0
    assert "forbidden: H8 double-three" in capsys.readouterr().out
    assert cli.main(["show", f"{DOUBLE_THREE} h8"]) == 0
    assert "white has won (forbidden: H8)" in capsys.readouterr().out
    assert cli.main(["show", "h8i9g7 pass pass"]) == 0
    assert "draw (two-passes)" in capsys.readouterr().out


def test_show_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["show", f"{DOUBLE_THREE} h8", "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["moves"][-1] == "H8"
    assert facts["white"] == ["A1", "A3", "A5", "A7"]
    assert facts["outcome"] == {"winner": "white", "reason": "forbidden", "line": ["H8"]}
    assert int(facts["key"], 16) == Board(f"{DOUBLE_THREE} h8").key


def test_show_writes_a_picture(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "board.svg"
    assert cli.main(["show", "h8i9", "--svg", str(file)]) == 0
    assert ElementTree.parse(file).getroot().tag.endswith("svg")
    capsys.readouterr()
    assert cli.main(["show", "h8i9", "--svg", "-"]) == 0
    assert capsys.readouterr().out.strip() == file.read_text(encoding="utf-8").strip()


@pytest.mark.parametrize("text", ["h8 i9\ng7\n", str(Board("h8i9g7"))])
def test_a_position_from_stdin(text: str, stdin, capsys: pytest.CaptureFixture[str]) -> None:
    stdin(text)
    assert cli.main(["show", "-", "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert (facts["black"], facts["white"], facts["turn"]) == (["G7", "H8"], ["I9"], "white")


def test_a_full_board_is_a_drawing(stdin, capsys: pytest.CaptureFixture[str]) -> None:
    cells = [["XO"[(x + 2 * y) % 4 // 2] for x in range(15)] for y in range(15)]
    stdin("\n".join(" ".join(row) for row in cells))
    assert cli.main(["show", "-", "--turn", "black"]) == 0
    assert "draw (board-full)" in capsys.readouterr().out


def test_a_drawn_board_with_odd_counts_needs_a_turn_only_where_it_matters(
    stdin, capsys: pytest.CaptureFixture[str]
) -> None:
    drawn = str(Board.from_stones("f8 g8 h9 h10", "", turn=1))
    stdin(drawn)
    assert cli.main(["show", "-"]) == 2
    assert "give the turn" in capsys.readouterr().err
    stdin(drawn)
    assert cli.main(["show", "-", "--turn", "white"]) == 0
    capsys.readouterr()
    stdin(drawn)
    assert cli.main(["forbidden", "-"]) == 0
    assert capsys.readouterr().out == "H8 double-three\n"


def test_forbidden_points(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["forbidden", DOUBLE_THREE]) == 0
    assert capsys.readouterr().out == "H8 double-three\n"
    assert cli.main(["forbidden", DOUBLE_THREE, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"H8": "double-three"}
    assert cli.main(["forbidden", ""]) == 0
    assert capsys.readouterr().out == "no forbidden points\n"
    assert cli.main(["forbidden", DOUBLE_THREE, "--point", "h8", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["kind"] == "double-three"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["show", "h8 p3"], "column 'p' is off the board"),
        (["show", "h8 h8"], "H8 is occupied"),
        (["forbidden", "h8", "--point", "h8"], "H8 is occupied"),
        (["forbidden", "h8", "--point", "z9"], "column 'z' is off the board"),
        (["show", "h8", "--svg", "/nowhere/board.svg"], "No such file"),
    ],
)
def test_bad_input_exits_with_2(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert message in captured.err


@pytest.mark.parametrize(
    "arguments", [[], ["nothing"], ["show"], ["bench", "--threads", "70000"], ["bench", "--positions", "x"]]
)
def test_bad_usage_exits_with_2(arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as exit_code:
        cli.main(arguments)
    assert exit_code.value.code == 2


def test_an_interrupt_exits_with_130(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(speed, "measure", interrupted)
    assert cli.main(["bench"]) == 130


@pytest.mark.slow
def test_bench_prints_a_line_for_every_function(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["bench", "--positions", "2000", "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert {"forbidden", "winners", "threat_map", "keys", "parse"} <= set(figures)
    assert all(rate > 0 for rate in figures.values())
    assert cli.main(["bench", "--positions", "2000"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == len(figures)


def test_wrong_answers_are_not_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(speed, "SAMPLE_FORBIDDEN", 1)
    with pytest.raises(renju.EngineError, match="1 expected"):
        speed.measure(100)


def test_a_terminal_without_kanji_gets_escapes() -> None:
    result = renju_command("show", "h8i9g7", PYTHONIOENCODING="ascii")
    assert (result.returncode, result.stderr) == (0, "")
    assert "I11 Shagetsu (\\u659c" in result.stdout


def test_a_reader_that_had_enough_is_no_error() -> None:
    variables = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    command = [*RENJU, "show", "h8"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=variables) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(PATIENCE_S) == 0


def test_no_standard_input_is_bad_input(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    assert cli.main(["show", "-"]) == 2
    assert "no standard input" in capsys.readouterr().err


@pytest.mark.slow
def test_the_demo_says_what_it_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert demo.main(tmp_path) == 0
    captured = capsys.readouterr()
    assert "\n120 games, 5,182 positions" in captured.out
    assert "5.18k/5.18k" in captured.err
    assert ElementTree.parse(tmp_path / "missed.svg").getroot().tag.endswith("svg")
    assert (tmp_path / "positions.parquet").exists()


def test_the_sample_games_are_the_test_games() -> None:
    lines = (DATA / "games.jsonl").read_text().splitlines()
    assert samples.games() == ["".join(json.loads(line)["moves"]).lower() for line in lines]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["svg", "openings", "samples", "batch", "protocol"])
def test_modules_are_there_after_import_renju(name: str) -> None:
    code = f"import renju; assert '{name}' in dir(renju); print(renju.{name}.__name__)"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout == f"renju.{name}\n"
    with pytest.raises(AttributeError, match="nonsense"):
        _ = renju.nonsense


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, link = tmp_path / "board.svg", tmp_path / "link.svg"
    assert cli.main(["show", "h8", "--svg", str(file)]) == 0
    link.symlink_to(file)
    first = file.read_text(encoding="utf-8")
    assert cli.main(["show", "h8i9", "--svg", str(link)]) == 0
    second = file.read_text(encoding="utf-8")
    assert second != first
    assert link.is_symlink()

    def full(_: int) -> None:
        raise OSError("No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    assert cli.main(["show", "h8", "--svg", str(file)]) == 2
    assert file.read_text(encoding="utf-8") == second
    assert sorted(tmp_path.iterdir()) == [file, link]


def test_a_device_is_written_to_and_not_replaced() -> None:
    result = renju_command("show", "h8", "--svg", "/dev/null")
    assert result.returncode == 0
    assert Path("/dev/null").is_char_device()
