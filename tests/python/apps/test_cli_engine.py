"""The engine on the command line: `analyze`, `play` and the signature of `bench`."""

import io
import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest

import renju
from renju import BLACK, Board, EngineConfig, Proof, _native, cli, speed
from renju.cli.play import HELP, draw
from renju.cli.play import Game as PlayedGame
from support.positions import DOUBLE_THREE, FORCED_FOUL, MISE, OVER, QUIET
from support.processes import RENJU, Output
from support.waiting import PATIENCE_S, CpuClock, is_waiting, wait_until


def json_of(capsys: Output) -> dict:
    """The one object that was printed."""
    (line,) = capsys.readouterr().out.splitlines()
    return json.loads(line)


# analyze


@pytest.mark.parametrize("command", ["analyze", "analyse"])
def test_a_table_of_the_best_moves(command: str, capsys: Output) -> None:
    assert cli.main([command, QUIET, "--nodes", "20000", "--multipv", "3"]) == 0
    captured = capsys.readouterr()
    turn, heading, *rows, effort = captured.out.splitlines()
    assert (turn, heading.split()) == ("black to move", ["move", "score", "line"])
    assert len(rows) == 3
    for row in rows:
        move, score, *line = row.split()
        assert Board(QUIET).is_legal(move)
        assert line[0] == move
        assert re.fullmatch(r"[+-]\d+", score)
    assert re.fullmatch(r"search, depth \d+, [\d,]+ nodes, black wins \d+%, \d+\.\d\d s", effort)
    assert captured.err == ""  # no terminal: no progress


def test_wins_and_losses_are_told_in_words(capsys: Output) -> None:
    assert cli.main(["analyze", MISE, "--multipv", "1"]) == 0
    output = capsys.readouterr().out
    assert re.search(r"^G7 +wins in 13  G7 E9", output, re.MULTILINE)
    assert re.search(r"\nmise-vcf, depth 11, [\d,]+ nodes, \d+\.\d\d s", output)
    assert cli.main(["analyze", FORCED_FOUL]) == 0
    assert re.search(r"^\w+ +loses in 2  ", capsys.readouterr().out, re.MULTILINE)


def test_analysis_as_json(capsys: Output) -> None:
    assert cli.main(["analyze", QUIET, "--nodes", "20000", "--level", "easy", "--json"]) == 0
    facts = json_of(capsys)
    assert (facts["version"], facts["turn"], facts["level"]) == (renju.__version__, "black", "easy")
    assert facts["moves"] == QUIET.upper().split()
    assert facts["limit"] == {"time": None, "nodes": 20000, "depth": None}
    assert (facts["settings"], facts["seed"], facts["threads"]) == ({}, 0, 1)
    result = renju.Engine("easy").analyse(Board(QUIET), renju.Limit(nodes=20000))
    for name in ("score", "win_in", "depth", "seldepth", "nodes", "source", "interrupted", "fallback"):
        assert facts[name] == getattr(result, name), name
    assert (facts["move"], facts["pv"]) == (str(result.move), [*map(str, result.pv)])
    assert (facts["breakdown"], facts["stats"]) == (result.breakdown, result.stats)
    assert facts["static_value"] == result.static_value
    assert facts["win_rate"] == pytest.approx(result.win_rate, abs=5e-5)
    assert facts["candidates"] == [
        {"move": str(c.move), "score": c.score, "win_in": c.win_in, "pv": [*map(str, c.pv)]}
        for c in result.candidates
    ]
    assert len(facts["candidates"]) == 5
    assert facts["proof"] is None


def test_a_proof_can_be_checked_by_others(capsys: Output) -> None:
    assert cli.main(["analyze", MISE, "--multipv", "1", "--json"]) == 0
    facts = json_of(capsys)
    proof = Proof.from_json(json.dumps(facts["proof"]))
    assert renju.verify(Board(MISE), proof)
    assert (facts["source"], facts["win_in"]) == (proof.kind, 13)


def test_settings(tmp_path: Path, capsys: Output) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('level = "medium"\ndepth = 2\n')
    limits = ["--nodes", "100000", "--json"]
    assert cli.main(["analyze", QUIET, "--set", "depth=1", "--set", "vct = 0", *limits]) == 0
    facts = json_of(capsys)
    assert (facts["depth"], facts["settings"]) == (1, {"depth": 1, "vct": False})
    assert cli.main(["analyze", QUIET, "--config", str(file), "--set", "open_two=60", *limits]) == 0
    facts = json_of(capsys)
    medium = EngineConfig.from_level("medium").replace(depth=2, open_two=60)
    assert EngineConfig.from_level(facts["level"]).replace(**facts["settings"]) == medium
    assert facts["depth"] == 2
    assert cli.main(["analyze", QUIET, "--depth", "2", "--threads", "2", "--hash", "2", "--seed", "7"]) == 0
    assert "depth 2, " in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["h8 h8"], "H8 is occupied"),
        ([OVER], "the game is over: five"),
        ([f"{DOUBLE_THREE} h8"], "the game is over: forbidden"),
        ([QUIET, "--set", "dept=4"], "--set dept=4: there is no setting 'dept'"),
        ([QUIET, "--set", "depth"], "--set depth: NAME=VALUE was expected"),
        ([QUIET, "--set", "#depth=1"], "NAME=VALUE was expected"),
        ([QUIET, "--set", "depth=x"], "--set depth=x: NAME=VALUE was expected"),
        ([QUIET, "--set", "vct=2"], "--set vct=2: vct is True or False"),
        ([QUIET, "--set", "depth=-1"], "--set depth=-1: depth is a number from 1 to 100, not -1"),
        ([QUIET, "--config", "/nowhere/mine.toml"], "No such file"),
        ([QUIET, "--config", os.devnull, "--time", "-1"], "time is a number of seconds"),
        ([QUIET, "--time", "nan"], "time is a number of seconds"),
        ([QUIET, "--multipv", "0"], "multipv is a number from 1"),
        ([QUIET, "--threads", "1000000"], "threads is a number from 0 to"),
        ([QUIET, "--hash", "0"], "hash_mb is a number from 1"),
        ([QUIET, "--json", "--svg", "-"], "cannot both be written"),
        ([QUIET, "--nodes", "10", "--svg", "/nowhere/line.svg"], "No such file"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_what_cannot_be_analyzed(arguments: list[str], message: str, capsys: Output) -> None:
    assert cli.main(["analyze", *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert message in captured.err
    assert captured.err.startswith("renju: ")


@pytest.mark.parametrize(
    "arguments",
    [
        ["analyze"],
        ["analyze", QUIET, "--level", "expert"],
        ["analyze", QUIET, "--level", "easy", "--config", os.devnull],
        ["analyze", QUIET, "--nodes", "-1"],
        ["analyze", QUIET, "--depth", "x"],
        ["analyze", QUIET, "--seed", "x"],
        ["play", "--color", "red"],
        ["play", "--level", "expert"],
    ],
    ids=" ".join,
)
def test_bad_usage(arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as exit_code:
        cli.main(arguments)
    assert exit_code.value.code == 2


def test_a_picture_of_the_line(tmp_path: Path, capsys: Output) -> None:
    file = tmp_path / "line.svg"
    arguments = ["analyze", MISE, "--multipv", "1", "--svg"]
    assert cli.main([*arguments, str(file)]) == 0
    assert "mise-vcf" in capsys.readouterr().out
    stones = re.findall(r'class="stone ', file.read_text(encoding="utf-8"))
    assert len(stones) == 12 + 11
    assert ElementTree.parse(file).getroot().tag.endswith("svg")
    assert cli.main([*arguments, "-"]) == 0
    assert capsys.readouterr().out.strip() == file.read_text(encoding="utf-8").strip()


def test_a_drawn_board_is_analyzed(monkeypatch: pytest.MonkeyPatch, capsys: Output) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(str(Board(QUIET))))
    assert cli.main(["analyze", "-", "--nodes", "1000", "--turn", "white", "--json"]) == 0
    facts = json_of(capsys)
    assert (facts["turn"], facts["moves"]) == ("white", [])


def test_progress_is_told_when_asked_for(capsys: Output) -> None:
    assert cli.main(["analyze", QUIET, "--level", "medium", "--nodes", "100000", "--progress"]) == 0
    captured = capsys.readouterr()
    lines = captured.err.splitlines()
    assert [line.split(",")[0] for line in lines] == ["depth 1", "depth 2", "depth 3"]
    assert all(re.search(r"^depth \d, [\d,]+ nodes?, [\d.]+ s, [+-]\d+: [A-O]\d", line) for line in lines)
    assert captured.out.startswith("black to move\n")


@pytest.mark.parametrize("is_json", [False, True])
def test_an_interrupted_analysis_tells_what_it_found(is_json: bool) -> None:
    command = [*RENJU, "analyze", QUIET, "--level", "master", "--time", "1000", "--progress"]
    command += ["--json"] * is_json
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stderr.readline().startswith("depth 1, ")
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 130, errors
    assert errors.endswith("renju: interrupted\n")
    assert "Traceback" not in errors
    if is_json:
        facts = json.loads(output)
        assert facts["interrupted"] is True
        assert Board(QUIET).is_legal(facts["move"])
    else:
        assert output.startswith("black to move\nmove")


# play


@pytest.fixture
def play(monkeypatch: pytest.MonkeyPatch, capsys: Output) -> Callable[..., str]:
    """Plays lines against the engine; what was printed."""

    def play(lines: str, *options: str) -> str:
        monkeypatch.setattr(sys, "stdin", io.StringIO(lines))
        assert cli.main(["play", "--nodes", "500", *options]) == 0
        captured = capsys.readouterr()
        assert captured.err == ""
        assert "> " not in captured.out  # nobody to ask
        assert "\033" not in captured.out
        return captured.out

    return play


def test_the_drawn_board() -> None:
    board = Board(DOUBLE_THREE)
    lines = draw(board).splitlines()
    assert len(lines) == 17
    assert lines[0] == lines[-1] == str(board).splitlines()[0]
    assert lines[8] == " 8 . . . . . X X x . . . . . . . 8"
    assert lines[9] == " 7(O). . . . . . . . . . . . . . 7"
    # But for the marks it is the board itself.
    plain = str.maketrans("()x", "  .")
    assert [line.translate(plain) for line in lines] == str(board).splitlines()
    board.push("o15")
    assert draw(board).splitlines()[1] == "15 . . . . . . . . . . . . . .(X)15"
    assert "x" not in draw(board)  # white may play everywhere
    assert "(" not in draw(Board.from_stones("h8", "i9"))
    assert "(" not in draw(Board("h8 i9 g7 pass"))


def test_colours() -> None:
    colored = draw(Board(DOUBLE_THREE), is_colored=True)
    assert "\033[31mx\033[0m" in colored
    assert "(\033[1mO\033[0m)" in colored
    assert re.sub(r"\033\[\d*m", "", colored) == draw(Board(DOUBLE_THREE))


def test_a_game_to_the_end(play: Callable[..., str]) -> None:
    output = play("l8\nd8\n", "--moves", "h8 a1 i8 a3 j8 a5 k8 c7")
    assert output.endswith("black has won (five: H8 I8 J8 K8 L8)\nthe game is over (five)\n")
    assert "white plays" not in output


def test_the_engine_answers(play: Callable[..., str]) -> None:
    output = play("h8\nH 8\nI09\n", "--level", "beginner")
    assert output.startswith('You play black; "help" lists what you can type.\n')
    assert output.count("white plays ") >= 1
    assert "'H 8' is neither a move nor a command; try help" in output
    assert output.count("A B C D") == 2 * (1 + output.count("white plays "))
    assert play("", "--color", "white").count("black plays H8\n") == 1
    five = play("a7\n", "--moves", "h8 a1 i8 a3 j8 a5 k8", "--color", "white")
    assert "black has won (five: " in five
    assert play("", "--moves", OVER).count("plays") == 0


def test_the_seed_decides(play: Callable[..., str]) -> None:
    games = {play("h8\n", "--seed", str(seed), "--level", "beginner") for seed in range(12)}
    assert len(games) > 2
    assert play("h8\n", "--seed", "3") == play("h8\n", "--seed", "3")


def test_a_forbidden_point_is_played_only_if_it_is_repeated(play: Callable[..., str]) -> None:
    moves = ["--moves", DOUBLE_THREE]
    output = play("h8\n", *moves)
    assert "forbidden: H8 double-three\n" in output
    assert "H8 is forbidden: a double-three\n  row: three F8 G8 H8" in output
    assert output.endswith("H8 loses the game. Type it again to play it all the same.\n")
    assert "plays" not in output
    assert play("h8\nboard\nH8\n", *moves).endswith("white has won (forbidden: H8)\n")
    # Another move in between, or a move taken back, makes it a new question.
    assert "has won" not in play("h8\nundo\nh8\n", *moves)
    assert "has won" not in play("h8\na4\nundo\nh8\n", *moves)
    # White may play there.
    white = play("h8\n", "--moves", f"{DOUBLE_THREE} o1", "--color", "white")
    assert "forbidden: a double-three" not in white


def test_moves_are_taken_back(play: Callable[..., str]) -> None:
    for color in ("black", "white"):
        output = play("undo\nhelp\n", "--color", color)
        assert "there is no move of yours to take back\n" in output
        assert output.endswith(f"{HELP}\n")
    assert play("h8\nundo\n").count("black to move") == 3
    end = play("l8\nundo\nl8\n", "--moves", "h8 a1 i8 a3 j8 a5 k8 c7")
    assert end.count("black has won") == 2


def test_undo_leaves_the_player_to_move() -> None:
    for color, count in ((BLACK, 4), (BLACK.opponent, 5)):
        game = PlayedGame(Board("h8 i9 g7 i7 g9"[: 3 * count - 1]), color, "beginner", renju.Limit())
        assert game.board.turn is color
        game.undo()
        assert (game.board.turn, len(game.board)) == (color, count - 2)
        game.undo()
        assert (game.board.turn, len(game.board)) == (color, count - 4)
        game.undo()
        assert len(game.board) == count - 4


def test_hints(play: Callable[..., str]) -> None:
    output = play("hint\n", "--moves", MISE, "--nodes", "100000")
    assert "hint: G7 (wins in 13): G7 E9" in output
    output = play("", "--moves", MISE, "--hints", "--nodes", "100000")
    assert output.endswith("\n")
    assert "hint: G7 (wins in 13): G7 E9" in output
    assert play("hint\n", "--moves", OVER).endswith("black has won (five: H8 I8 J8 K8 L8)\n")


def test_why(play: Callable[..., str]) -> None:
    output = play("why h8\nWHY g7\nwhy\nwhy f8\nwhy z9\n", "--moves", DOUBLE_THREE)
    for text in (
        "H8 is forbidden: a double-three\n",
        "G7 is allowed\n",
        "why which point? For example: why h8\n",
        "F8 is occupied\n",
        "column 'z' is off the board (A..O)\n",
    ):
        assert text in output


def test_save(play: Callable[..., str], tmp_path: Path) -> None:
    file = tmp_path / "my game.txt"
    output = play(f"save {file}\nsave\nsave /nowhere/game.txt\nboard\n", "--moves", QUIET)
    assert file.read_text() == QUIET.replace(" ", "") + "\n"
    assert f"saved to {file}\n" in output
    assert "save to which file?" in output
    assert "No such file" in output
    assert output.endswith("black to move\n")


def test_resign_and_quit(play: Callable[..., str]) -> None:
    output = play("resign\nh8\nresign\nundo\nquit\nnonsense\n")
    assert output.count("white has won (black resigned)\n") == 2
    assert "you have resigned; undo takes it back\n" in output
    assert output.endswith("black to move\n")
    assert "black has won (white resigned)\n" in play("resign\n", "--color", "white")
    assert play("EXIT\nnonsense\n").endswith("black to move\n")


def test_an_engine_without_a_move_passes(play: Callable[..., str], monkeypatch: pytest.MonkeyPatch) -> None:
    def no_move(*_: object) -> None:
        raise renju.EngineError("black has no legal move")

    monkeypatch.setattr(renju.Engine, "best_move", no_move)
    output = play("", "--moves", "h8 i9 g7 i7", "--color", "white")
    assert "black passes: black has no legal move\n" in output
    assert output.endswith("white to move\n")


def test_bad_games(monkeypatch: pytest.MonkeyPatch, capsys: Output) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    assert cli.main(["play", "--moves", "h8 h8"]) == 2
    assert cli.main(["play", "--time", "-1"]) == 2
    monkeypatch.setattr(sys, "stdin", None)
    assert cli.main(["play"]) == 2
    assert "no standard input" in capsys.readouterr().err


def test_a_game_through_a_pipe() -> None:
    command = [*RENJU, "play", "--level", "beginner"]
    done = subprocess.run(command, input="h8\nquit\n", capture_output=True, text=True, timeout=PATIENCE_S)
    assert (done.returncode, done.stderr) == (0, "")
    assert "white plays " in done.stdout
    assert "\033" not in done.stdout


@pytest.mark.slow
def test_ctrl_c_while_the_engine_thinks() -> None:
    command = [*RENJU, "play", "--level", "master", "--time", "1000", "--moves", QUIET]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stdout.readline().startswith("You play black")
        clock = CpuClock(process)
        process.stdin.write("h6\n")  # after which nobody has a forced win
        process.stdin.flush()
        clock.wait(0.3)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=PATIENCE_S)
    assert (process.returncode, errors) == (130, "renju: interrupted while thinking\n")


class Terminal:
    """The command in a terminal of its own."""

    def __init__(self, *arguments: str, **variables: str) -> None:
        self.text = ""
        self.master, slave = pty.openpty()
        environment = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
        self.process = subprocess.Popen(
            [*RENJU, *arguments],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env=environment | {"TERM": "xterm"} | variables,
            start_new_session=True,
        )
        os.close(slave)

    def __enter__(self) -> "Terminal":
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self.master)

    def wait_for(self, text: str) -> None:
        """Reads until this was printed, after what was waited for before."""
        while text not in self.text:
            ready, _, _ = select.select([self.master], [], [], PATIENCE_S)
            assert ready, f"{text!r} was expected after {self.text!r}"
            self.text += os.read(self.master, 4096).decode()
        self.text = self.text.partition(text)[2]

    def type(self, text: str) -> None:
        os.write(self.master, text.encode())

    def exit_code(self) -> int:
        return self.process.wait(PATIENCE_S)


def test_a_terminal_is_asked() -> None:
    with Terminal("play", "--level", "beginner") as terminal:
        terminal.wait_for("black> ")
        terminal.type("h8\n")
        terminal.wait_for("white plays ")
        terminal.wait_for("(\033[1mO\033[0m)")
        terminal.wait_for("black> ")
        terminal.type("resign\n")
        terminal.wait_for("undo, save or quit> ")
        terminal.type("\x04")  # the end of the input
        assert terminal.exit_code() == 0


def test_a_terminal_without_colours_is_left_by_ctrl_c() -> None:
    with Terminal("play", "--moves", DOUBLE_THREE, NO_COLOR="1") as terminal:
        terminal.wait_for("X X x")
        terminal.wait_for("black> ")
        # A signal before Python waits for the line is heard only after it.
        wait_until(lambda: is_waiting(terminal.process))
        terminal.process.send_signal(signal.SIGINT)
        terminal.wait_for("renju: interrupted")
        assert terminal.exit_code() == 130


def test_a_terminal_sees_progress() -> None:
    with Terminal("analyze", QUIET, "--depth", "2", "--nodes", "100000") as terminal:
        for text in ("depth 1, ", "depth 2, ", "black to move", "search, depth 2, "):
            terminal.wait_for(text)
        assert terminal.exit_code() == 0


# bench


@pytest.mark.slow
def test_the_signature_comes_first(capsys: Output) -> None:
    expected = _native.signature()
    assert cli.main(["bench", "--signature"]) == 0
    assert capsys.readouterr().out == f"signature: {expected} nodes\n"
    assert cli.main(["bench", "--signature", "--json"]) == 0
    assert json_of(capsys) == {"signature": expected}


def test_bench_as_a_whole(monkeypatch: pytest.MonkeyPatch, capsys: Output) -> None:
    monkeypatch.setattr(speed, "signature", lambda: 1234)
    monkeypatch.setattr(speed, "measure", lambda *_: {"forbidden": 7_000_000.0})
    assert cli.main(["bench"]) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert first == "signature: 1234 nodes"
    assert second.split() == ["forbidden", "7,000,000", "positions/s"]
    assert cli.main(["bench", "--json"]) == 0
    assert json_of(capsys) == {"signature": 1234, "forbidden": 7_000_000.0}
