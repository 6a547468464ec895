"""Matches: files that survive, verdicts without haste, and the command."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

import renju
from renju import Color, FormatError, Interrupted, Limit, cli, lab
from renju._files import Lock
from renju.lab.game_record import GameRecord
from renju.lab.store import MatchFile, read_match
from support.journals import write_lines
from support.matches import QUICK, Script, program
from support.processes import RENJU, Output
from support.waiting import PATIENCE_S, wait_until

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("inside")]


def same(games: Iterable[GameRecord]) -> list[GameRecord]:
    """The games without what a clock decides."""
    return [
        replace(game, time=0.0, plies=tuple(replace(ply, time=0.0) for ply in game.plies)) for game in games
    ]


# Matches


@pytest.fixture(scope="module")
def whole() -> lab.Match:
    return lab.match(*QUICK, games=12, workers=1, seed=5)


@pytest.mark.parametrize("workers", [2, 3, 0])
def test_games_do_not_depend_on_the_workers(whole: lab.Match, workers: int) -> None:
    seen: list[GameRecord] = []
    calls: list[tuple[int, int]] = []
    result = lab.match(
        *QUICK,
        games=12,
        workers=workers,
        seed=5,
        on_game=seen.append,
        progress=lambda done, total: calls.append((done, total)),
    )
    assert same(result.games) == same(whole.games)
    assert sorted(game.number for game in seen) == list(range(12))
    assert calls == [(done, 12) for done in range(1, 13)]


def test_what_a_match_came_to(whole: lab.Match) -> None:
    first, second = whole.players
    assert whole.is_finished
    assert [game.number for game in whole.games] == list(range(12))
    assert [game.black for game in whole.games] == [first, second] * 6
    assert all(
        one.opening == other.opening for one, other in zip(whole.games[::2], whole.games[1::2], strict=True)
    )
    assert whole.score(first).points + whole.score(second).points == 12
    black, white = (whole.score(first, color=color) for color in Color)
    assert (black.games, white.games) == (6, 6)
    assert black.won + white.won == whole.score(first).won == whole.score(first, second).won
    assert sum(whole.pairs()) == 6
    assert whole.pairs() == whole.pairs(second)[::-1]
    assert whole.elo.points == whole.score(first).points
    assert sum(whole.reasons.values()) == 12
    with pytest.raises(ValueError, match="'x' is none of the players"):
        whole.score("x")


def test_other_seeds_are_other_games(whole: lab.Match) -> None:
    other = lab.match(*QUICK, games=12, seed=6)
    assert [game.moves for game in other.games] != [game.moves for game in whole.games]


def test_openings_come_again_with_other_seeds() -> None:
    result = lab.match("hard,nodes=200", "medium,nodes=200", games=8, openings=["h8i9g7", "h8h9i9"])
    assert [game.opening for game in result.games[:4]] == [game.opening for game in result.games[4:]]
    assert len({game.seed for game in result.games}) == 8
    assert result.repetitions == 8 - len({(game.black, game.moves) for game in result.games})


def test_repetitions_are_told() -> None:
    # Without anything random, a game from the same opening is the same game.
    plain = "hard,random_percent=0,nodes=200"
    result = lab.match(f"{plain},name=a", f"{plain},name=b", games=6, openings=["h8i9g7"])
    assert result.repetitions == 4
    assert "4 games repeat earlier ones" in str(result)


def test_a_round_robin() -> None:
    players = ["easy", "beginner", "beginner"]
    result = lab.round_robin(players, games=2, limit=Limit(nodes=200))
    assert result.players == ("easy", "beginner", "beginner (2)")
    assert len(result.games) == 6
    assert len({game.opening for game in result.games}) == 1
    assert all(result.score(one, other).games == 2 for one, other in result.meetings())
    assert result.sprt_state is None
    assert sum(rating.points for rating in result.ratings) == 6
    assert "beginner (2)" in str(result)


@dataclass(frozen=True, kw_only=True)
class Broken(lab.Player):
    def seat(self) -> lab.Seat:
        return Script([])

    def facts(self) -> dict[str, Any]:
        return {}


def test_a_player_that_fails_ends_the_match() -> None:
    with pytest.raises(IndexError) as caught:
        lab.match(Broken(), QUICK[0], games=10)
    assert caught.value.__notes__[0].endswith("of 10")


@pytest.mark.parametrize(
    ("settings", "error"),
    [
        ({"games": 3}, ValueError),
        ({"workers": -1}, ValueError),
        ({"resume": True}, ValueError),
        ({"length": 0}, ValueError),
        ({"seed": "x"}, TypeError),
        ({"sprt": (0, 10)}, TypeError),
        ({"openings": "none.txt"}, OSError),
        ({"path": "no/such/folder.jsonl"}, OSError),
    ],
)
def test_wrong_settings(settings: dict[str, Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        lab.match(*QUICK, **{"games": 2} | settings)


def test_ctrl_c_keeps_what_is_finished() -> None:
    def interrupt(game: GameRecord) -> None:
        if game.number == 4:
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(Interrupted, match=r"safe in out\.jsonl: resume to go on") as caught:
        lab.match(*QUICK, games=400, seed=5, path="out.jsonl", on_game=interrupt, workers=2)
    partial = caught.value.partial
    assert 4 <= len(partial.games) < 400  # game 3 may go on while game 4 ends
    assert not partial.is_finished
    assert {game.number for game in partial.games} == {game.number for game in read_match("out.jsonl")[1]}


def test_ctrl_c_ends_long_thoughts() -> None:
    def interrupt(*_: object) -> None:
        os.kill(os.getpid(), signal.SIGINT)

    # A clock of thinking players that would never end by itself within the time of a test.
    slow = [
        "master,time=1000,vct=0,vcf=0,mise_vcf=0,name=slow",
        f"cmd:{sys.executable} -m renju gomocup,time=1000",
    ]
    previous = signal.signal(signal.SIGALRM, interrupt)
    try:
        signal.setitimer(signal.ITIMER_REAL, 1.0)
        with pytest.raises(Interrupted, match="0 finished games of 2") as caught:
            lab.match(slow[0], slow[1], games=2, workers=2, openings=["h8i9g7"])
    finally:
        signal.signal(signal.SIGALRM, previous)
    assert caught.value.partial.games == ()


# Files


def test_the_file_of_a_match(whole: lab.Match) -> None:
    result = lab.match(*QUICK, games=12, seed=5, path="out.jsonl", workers=2)
    header, games = read_match("out.jsonl")
    assert (header["format"], header["version"], header["package"]) == ("renju-match", 2, renju.__version__)
    assert header["signature"] == renju.speed.signature()
    assert list(header["players"]) == list(QUICK)
    assert header["players"][QUICK[0]]["limit"] == {"time": None, "nodes": 300, "depth": None}
    assert same(sorted(games, key=lambda game: game.number)) == same(whole.games)
    assert [path.name for path in Path().iterdir()] == ["out.jsonl"]
    loaded = lab.Match.load("out.jsonl")
    assert same(loaded.games) == same(result.games)
    assert (loaded.players, loaded.planned, loaded.seed) == (result.players, 12, 5)
    assert str(loaded) == str(result)


def test_a_match_that_is_there_is_not_touched(whole: lab.Match) -> None:
    lab.match(*QUICK, games=2, path="out.jsonl")
    before = Path("out.jsonl").read_bytes()
    with pytest.raises(FileExistsError, match="resume it or take another name"):
        lab.match(*QUICK, games=2, path="out.jsonl")
    lab.match(*QUICK, games=2, path="out.jsonl", resume=True)
    assert Path("out.jsonl").read_bytes() == before


def taken_up(games: int) -> tuple[lab.Match, list[int]]:
    """The match of the file, made as long as this, and the numbers of the games that were played for it."""
    played: list[int] = []

    def hear(game: GameRecord) -> None:
        played.append(game.number)

    result = lab.match(*QUICK, games=games, seed=5, path="out.jsonl", resume=True, on_game=hear)
    return result, sorted(played)


def test_a_match_is_taken_up_and_made_longer(whole: lab.Match) -> None:
    lab.match(*QUICK, games=4, seed=5, path="out.jsonl", resume=True)
    result, played = taken_up(12)
    assert played == list(range(4, 12))
    assert same(result.games) == same(whole.games)
    shorter = lab.match(*QUICK, games=2, seed=5, path="out.jsonl", resume=True)
    assert same(shorter.games) == same(whole.games[:2])


@pytest.mark.parametrize("cut", [1, 2, 40, 500])
def test_a_torn_line_is_cut_off(whole: lab.Match, cut: int) -> None:
    lab.match(*QUICK, games=6, seed=5, path="out.jsonl", workers=1)
    data = Path("out.jsonl").read_bytes()
    Path("out.jsonl").write_bytes(data[:-cut])
    assert len(lab.Match.load("out.jsonl").games) == 5
    result, played = taken_up(6)
    assert played == [5]
    assert same(result.games) == same(whole.games[:6])
    assert len(Path("out.jsonl").read_bytes().splitlines()) == 7


def test_bad_lines_are_named() -> None:
    lab.match(*QUICK, games=4, path="out.jsonl")
    lines = Path("out.jsonl").read_text().splitlines(keepends=True)
    write_lines("out.jsonl", [*lines[:2], '{"number":1}', *lines[3:]])
    with pytest.raises(FormatError, match=r"out\.jsonl:3: not the record of a game"):
        lab.match(*QUICK, games=4, path="out.jsonl", resume=True)
    write_lines("out.jsonl", [*lines, lines[-1]])
    with pytest.raises(FormatError, match="is in it twice"):
        lab.match(*QUICK, games=4, path="out.jsonl", resume=True)
    for text in ("", "hello\n", "{}\n", '{"format":"renju-match","version":1'):
        Path("out.jsonl").write_text(text)
        with pytest.raises(FormatError, match="no file of a match"):
            lab.match(*QUICK, games=4, path="out.jsonl", resume=True)
        assert Path("out.jsonl").read_text() == text
    Path("out.jsonl").write_text('{"format":"renju-match","version":99}\n')
    with pytest.raises(FormatError, match="version is 99"):
        lab.Match.load("out.jsonl")


@pytest.mark.parametrize(
    ("players", "settings", "words"),
    [
        (QUICK, {"seed": 6}, ["seed was 5 and is 6"]),
        (QUICK, {"openings": "random:4"}, ["openings.source was '26' and is 'random:4'"]),
        (QUICK, {"length": 100}, ["length was 225 and is 100"]),
        (QUICK, {"adjudicate": True}, ["adjudication was None"]),
        (QUICK, {"sprt": lab.Sprt()}, ["sprt was None"]),
        (
            (lab.EnginePlayer(name=QUICK[0], limit=Limit(nodes=300)), QUICK[1]),
            {},
            [".config.depth was 2 and is 4", ".config.vct was False and is True"],
        ),
        (QUICK[::-1], {}, [f"the players were {', '.join(QUICK)} and are {', '.join(QUICK[::-1])}"]),
    ],
)
def test_another_match_is_not_taken_up(players: Any, settings: dict[str, Any], words: list[str]) -> None:
    lab.match(*QUICK, games=2, seed=5, path="out.jsonl")
    before = Path("out.jsonl").read_bytes()
    with pytest.raises(ValueError) as caught:
        lab.match(*players, **{"games": 2, "seed": 5, "path": "out.jsonl", "resume": True} | settings)
    assert all(word in str(caught.value) for word in words)
    assert Path("out.jsonl").read_bytes() == before


def test_another_engine_is_another_match() -> None:
    lab.match(*QUICK, games=2, path="out.jsonl")
    head, *lines = Path("out.jsonl").read_text().splitlines(keepends=True)
    header = json.loads(head)
    header["signature"] += 1
    write_lines("out.jsonl", [json.dumps(header), *lines])
    with pytest.raises(ValueError, match="signature was"):
        lab.match(*QUICK, games=2, path="out.jsonl", resume=True)


def test_two_runs_do_not_share_a_file() -> None:
    lab.match(*QUICK, games=2, path="out.jsonl")
    lock = Lock(Path("out.jsonl.lock"))
    with pytest.raises(BlockingIOError, match="another run is at work") as caught:
        lab.match(*QUICK, games=2, path="out.jsonl", resume=True)
    assert caught.value.filename == "out.jsonl"
    lock.close()
    lab.match(*QUICK, games=2, path="out.jsonl", resume=True)


def test_a_longer_match_that_was_interrupted_is_not_finished() -> None:
    path = Path("out.jsonl")
    lab.match(*QUICK, games=2, path=path)
    lab.match(*QUICK, games=6, path=path, resume=True)
    whole = path.read_bytes()
    lab.match(*QUICK, games=4, path=path, resume=True)
    assert path.read_bytes() == whole
    path.write_bytes(b"".join(whole.splitlines(keepends=True)[:5]))
    match = lab.Match.load(path)
    assert (len(match.games), match.planned, match.is_finished) == (4, 6, False)


@pytest.mark.parametrize("is_link", [False, True])
def test_a_file_of_others_is_no_lock(is_link: bool) -> None:
    lock = Path("out.jsonl.lock")
    if is_link:
        lock.symlink_to("elsewhere")
    else:
        lock.write_text("mine\n")
    with pytest.raises(FileExistsError, match="is in the place of a lock; move it"):
        lab.match(*QUICK, games=2, path="out.jsonl")
    assert [path.name for path in Path().iterdir()] == ["out.jsonl.lock"]
    assert is_link or lock.read_text() == "mine\n"


def test_a_folder_is_no_file() -> None:
    Path("out.jsonl").mkdir()
    with pytest.raises(FileExistsError, match="is no file"):
        lab.match(*QUICK, games=2, path="out.jsonl", resume=True)


def test_a_full_disk_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    add = MatchFile.add

    def fail(self: MatchFile, game: GameRecord) -> None:
        if len(self.finished) == 2:
            raise OSError(28, "No space left on device", "out.jsonl")
        add(self, game)

    monkeypatch.setattr(MatchFile, "add", fail)
    with pytest.raises(OSError, match="No space left"):
        lab.match(*QUICK, games=100, path="out.jsonl")
    assert len(read_match("out.jsonl")[1]) == 2


def lines_of(path: str) -> list[int]:
    """The games whose lines are whole."""
    data = Path(path).read_bytes() if Path(path).exists() else b""
    return [json.loads(line)["number"] for line in data.split(b"\n")[1:-1]]


def test_killed_at_random_moments() -> None:
    rng = random.Random(1)
    players = ["hard,nodes=300", "medium,nodes=300"]
    games = 24
    command = [*RENJU, "match", *players, "--games", str(games), "--seed", "3", "--quiet", "--out"]
    subprocess.run([*command, "whole.jsonl"], check=True, capture_output=True, timeout=PATIENCE_S)
    seen: list[int] = []
    kills = 0
    while len(seen) < games:
        workers = str(rng.randrange(1, 4))
        process = subprocess.Popen(
            [*command, "out.jsonl", "--resume", "--workers", workers], stdout=subprocess.DEVNULL
        )
        try:
            if rng.randrange(4) == 0 and kills < 8:
                time.sleep(rng.uniform(0, 0.8))  # while it starts
            else:
                wanted = len(seen) + rng.randrange(1, 6)
                wait_until(lambda wanted=wanted: len(lines_of("out.jsonl")) >= wanted, process)
                time.sleep(rng.uniform(0, 0.02))
        finally:
            process.kill()
            process.wait()
        kills += process.returncode == -signal.SIGKILL
        now = lines_of("out.jsonl")
        assert now[: len(seen)] == seen  # none was lost
        assert len({*now}) == len(now)  # none was played twice
        seen = now
    assert kills >= 2
    subprocess.run([*command, "out.jsonl", "--resume"], check=True, capture_output=True, timeout=PATIENCE_S)
    assert lines_of("out.jsonl") == seen
    assert same(lab.Match.load("out.jsonl").games) == same(lab.Match.load("whole.jsonl").games)


# The test


STRONG = ("hard,nodes=500,name=strong", "beginner,nodes=100,name=weak")
TEST = lab.Sprt(0, 200)


def test_a_match_ends_with_its_test() -> None:
    results = [
        lab.match(*STRONG, games=200, sprt=TEST, workers=workers, path=f"{workers}.jsonl")
        for workers in (1, 3)
    ]
    one, other = results
    assert same(one.games) == same(other.games)
    assert one.sprt_state == other.sprt_state
    assert one.sprt_state is not None
    assert one.sprt_state.verdict == "H1"
    assert one.is_finished
    assert len(one.games) < 100
    assert len(one.games) % 2 == 0
    # One pair less, and nothing is decided.
    assert replace(one, games=one.games[:-2]).sprt_state.verdict == ""  # type: ignore[union-attr]
    # The file may hold games that were ahead of the deciding pair; they do not count.
    assert len(read_match("3.jsonl")[1]) >= len(other.games)
    assert same(lab.Match.load("3.jsonl").games) == same(one.games)
    again: list[GameRecord] = []
    resumed = lab.match(*STRONG, games=200, sprt=TEST, path="3.jsonl", resume=True, on_game=again.append)
    assert again == []
    assert same(resumed.games) == same(one.games)


def test_the_test_can_fail_and_can_be_undecided() -> None:
    assert lab.match(*STRONG[::-1], games=200, sprt=TEST).sprt_state.verdict == "H0"  # type: ignore[union-attr]
    short = lab.match(*STRONG, games=2, sprt=lab.Sprt(0, 5))
    assert short.sprt_state is not None
    assert short.sprt_state.verdict == ""
    assert short.is_finished


def test_only_pairs_in_order_count(whole: lab.Match) -> None:
    result = replace(whole, sprt=lab.Sprt())
    gap = replace(result, games=tuple(game for game in whole.games if game.number != 5))
    assert gap.sprt_state == replace(result, games=whole.games[:4]).sprt_state


# The command


def test_the_command(capsys: Output) -> None:
    arguments = ["match", *QUICK, "--games", "4", "--seed", "2", "--out", "out.jsonl", "--quiet"]
    assert cli.main(arguments) == 0
    output = capsys.readouterr()
    assert output.err == ""
    lines = output.out.splitlines()
    assert lines[0] == "easy,nodes=300 against beginner,nodes=300: 4 games"
    assert lines[2].split() == ["points", "won", "drawn", "lost", "as", "black", "as", "white"]
    assert lines[3].startswith("easy,nodes=300 ")
    assert [line.split()[0] for line in lines[6:]] == ["pairs", "Elo", "endings"]
    assert cli.main([*arguments, "--resume", "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert (facts["games"], facts["planned"], facts["finished"]) == (4, 4, True)
    assert sum(facts["pairs"]) == 2
    assert facts["scores"]["easy,nodes=300"]["black"].keys() == {"won", "drawn", "lost"}
    assert facts["path"] == "out.jsonl"


def test_the_bar_goes_to_stderr(capsys: Output) -> None:
    arguments = ["match", "easy", "beginner", "--nodes", "100", "--games", "2", "--sprt=0,10"]
    assert cli.main(arguments) == 3  # two games decide nothing
    output = capsys.readouterr()
    assert "2/2" in output.err
    assert "LLR" in output.err
    assert "SPRT      0 against 10 Elo: LLR" in output.out


def test_exit_codes_tell_the_verdict(capsys: Output) -> None:
    options = ["--games", "200", "--sprt", "0,200,0.1,0.1", "--quiet"]
    assert cli.main(["match", *STRONG, *options]) == 0
    assert "H1 accepted" in capsys.readouterr().out
    assert cli.main(["match", *STRONG[::-1], *options]) == 1
    assert "H0 accepted" in capsys.readouterr().out


def test_several_players(capsys: Output) -> None:
    players = ["easy", "beginner", "beginner,name=third"]
    assert cli.main(["match", *players, "--nodes", "100", "--games", "2", "--quiet"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "3 players: 6 games"
    assert lines[2].split() == ["Elo", "±", "points", "1", "2", "3"]
    assert {line.split()[1] for line in lines[3:6]} == {"easy", "beginner", "third"}


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (["hard"], "two players or more"),
        (["hard", "hrad"], "did you mean hard?"),
        (["hard", "easy", "--games", "3"], "even number"),
        (["hard", "easy", "--resume"], "--resume needs the file"),
        (["hard", "easy", "medium", "--sprt", "0,10"], "--sprt is for two players"),
        (["hard", "easy", "--sprt", "10,0"], "the first the lower one"),
        (["hard", "easy", "--openings", "none.txt"], "none.txt"),
        (["hard", "easy", "--openings", "random:x"], "random:N was expected"),
        (["hard", "cmd:./none", "--quiet"], "cannot be started"),
        (["hard", "easy", "--out", "no/where.jsonl"], "no: there is no such folder"),
    ],
)
def test_wrong_use(arguments: list[str], error: str, capsys: Output) -> None:
    assert cli.main(["match", *arguments]) == 2
    assert error in capsys.readouterr().err


def test_ctrl_c_at_the_command(tmp_path: Path) -> None:
    program("good")
    command = [
        *RENJU,
        "match",
        f"cmd:{sys.executable} program.py good,time=9",
        "hard,nodes=3000",
        "--games",
        "1000",
    ]
    process = subprocess.Popen(
        [*command, "--out", "out.jsonl", "--quiet"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        wait_until(lambda: len(lines_of("out.jsonl")) >= 3, process)
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does: the programs get it too
        out, err = process.communicate(timeout=PATIENCE_S)
    finally:
        process.kill()
        process.wait()
    assert process.returncode == 130
    assert b"resume to go on" in err
    assert b"of 1000 games" in out
    games = read_match("out.jsonl")[1]
    assert len(games) >= 3
    assert not any(game.fault for game in games)  # no program is to blame for the signal


def test_the_package_does_not_need_the_lab() -> None:
    code = "import sys, renju; assert 'renju.lab' not in sys.modules; assert renju.lab.match"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=PATIENCE_S)
