"""Matches: who plays, from where, by which rules; files that survive; verdicts without haste."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import zip_longest
from pathlib import Path
from typing import Any

import pytest

import renju
from renju import (
    PASS,
    Board,
    Color,
    EngineConfig,
    EngineError,
    FormatError,
    Interrupted,
    Limit,
    Point,
    _native,
    cli,
    lab,
)
from renju._files import Lock
from renju.lab import players as players_module
from renju.lab import referee
from renju.lab import referee as referee_module
from renju.lab.game_record import REASONS, GameRecord, Ply
from renju.lab.openings import Openings, random_opening
from renju.lab.players import as_players
from renju.lab.programs import ply_of
from renju.lab.schedule import Pairing, game_seed, schedule
from renju.lab.store import MatchFile, read_match
from renju.protocol import client
from support.journals import write_lines
from support.processes import RENJU, Output
from support.waiting import PATIENCE_S, wait_until

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("inside")]

QUICK = ("easy,nodes=300", "beginner,nodes=300")
DOUBLE_THREE = "f8a1g8a3h9a5h10a7"  # H8 is forbidden


def same(games: Iterable[GameRecord]) -> list[GameRecord]:
    """The games without what a clock decides."""
    return [
        replace(game, time=0.0, plies=tuple(replace(ply, time=0.0) for ply in game.plies)) for game in games
    ]


# Players


@pytest.mark.parametrize(
    ("text", "name", "limit", "changes"),
    [
        ("hard", "hard", Limit(), {}),
        ("master,nodes=20000", "master,nodes=20000", Limit(nodes=20000), {}),
        (
            "hard,aspiration_high=150,quiescence=0,time=0.2,name=A",
            "A",
            Limit(time=0.2),
            {"aspiration_high": 150, "quiescence": False},
        ),
        ("easy, depth=3 , vct=on", "easy,depth=3,vct=on", Limit(depth=3), {"vct": True}),
        ("medium,time_ms=50", "medium,time_ms=50", Limit(), {"time_ms": 50}),
    ],
)
def test_levels_with_settings(text: str, name: str, limit: Limit, changes: dict[str, Any]) -> None:
    player = lab.Player.parse(text)
    assert isinstance(player, lab.EnginePlayer)
    assert (player.name, player.limit) == (name, limit)
    assert player.config == EngineConfig.from_level(text.split(",")[0]).replace(**changes)
    assert (player.threads, player.hash_mb) == (1, 64)


def test_threads_and_memory() -> None:
    player = lab.Player.parse("hard,threads=2,hash_mb=8")
    assert isinstance(player, lab.EnginePlayer)
    assert (player.threads, player.hash_mb) == (2, 8)


def test_a_table_of_values(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("table.bin").write_bytes(b"values")
    player = lab.Player.parse("hard,values=table.bin")
    given: dict[str, Any] = {}

    class Engine:
        def __init__(self, **settings: Any) -> None:
            given.update(settings)

        def clear(self) -> None:
            pass

    monkeypatch.setattr(players_module, "Engine", Engine)
    player.seat().new_game(1)
    assert given["values"] == "table.bin"
    before = player.facts()["values"]
    Path("table.bin").write_bytes(b"other values")
    assert player.facts()["values"] != before  # another table is another match


def test_settings_of_a_file() -> None:
    EngineConfig.from_level("easy").replace(radius=1).to_toml("mine.toml")
    player = lab.Player.parse("mine.toml,nodes=10")
    assert isinstance(player, lab.EnginePlayer)
    assert (player.name, player.config.radius, player.limit) == ("mine,nodes=10", 1, Limit(nodes=10))


def test_programs() -> None:
    player = lab.Player.parse(
        "cmd:'/my engines/pbrain-x' --a,b,time=1.5,max_memory=100,info.style=2,cwd=/tmp,margin=3"
    )
    assert isinstance(player, lab.ProgramPlayer)
    assert player.command == ("/my engines/pbrain-x", "--a,b")
    assert (player.name, player.limit, player.cwd, player.margin_s) == (
        "pbrain-x",
        Limit(time=1.5),
        "/tmp",
        3.0,
    )
    assert player.info == {"max_memory": "100", "style": "2"}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("hrad", ["'hrad' is none of beginner, easy", "did you mean hard?"]),
        ("", ["'' is none of"]),
        ("hard,quiesence=1", ["no setting 'quiesence'", "near are quiescence"]),
        ("hard,quiescence=2", ["quiescence is 1 or 0, not '2'"]),
        ("hard,nodes=many", ["nodes is a whole number, not 'many'"]),
        ("hard,nodes=-1", ["nodes is a number from 0"]),
        ("hard,time=soon", ["time is a number of seconds, not 'soon'"]),
        ("hard,radius=99", ["radius"]),
        ("hard,threads=-1", ["threads is a number from 0"]),
        ("hard,hash_mb=0", ["hash_mb is a number from 1"]),
        ("hard,nodes=1,nodes=2", ["nodes is given twice"]),
        ("hard,fast", ["'fast' is no setting", "NAME=VALUE"]),
        ("hard,values=none.bin", ["there is no file 'none.bin'"]),
        ("none.toml", ["none.toml"]),
        ("cmd:", ["a program is expected"]),
        ("cmd:x,tiem=1", ["no setting 'tiem'", "near are time", "info.tiem"]),
        ("cmd:x,timeout_turn=1", ["by the referee: time=... is what you want"]),
        ("cmd:x,info.rule=0", ["rule is told to programs by the referee"]),
        ("hard,name=a\nb", ["name is one line"]),
    ],
)
def test_wrong_players(text: str, words: list[str]) -> None:
    with pytest.raises((ValueError, OSError)) as caught:
        lab.Player.parse(text)
    for word in words:
        assert word in str(caught.value)


def test_players_of_other_types() -> None:
    with pytest.raises(TypeError, match="not int"):
        as_players(["hard", 7])  # type: ignore[list-item]
    with pytest.raises(TypeError, match="sequence of texts"):
        lab.ProgramPlayer(command="x")
    with pytest.raises(TypeError, match="EngineConfig"):
        lab.EnginePlayer(config="hard")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="two players or more, not 1"):
        lab.round_robin(["hard"])


def test_names_are_distinct() -> None:
    given = ["hard", "hard", EngineConfig.from_level("hard"), "easy,name=hard (2)", "easy"]
    assert [player.name for player in as_players(given)] == [
        "hard",
        "hard (2)",
        "hard (3)",
        "hard (2) (2)",
        "easy",
    ]


def test_a_limit_is_for_those_without() -> None:
    given = ["hard", "hard,time=1", "hard,nodes=5", "hard,depth=2"]
    limits = [player.limit for player in as_players(given, Limit(nodes=9))]
    assert limits == [Limit(nodes=9), Limit(time=1), Limit(nodes=5), Limit(nodes=9, depth=2)]


# Openings


def test_the_26_openings_in_an_order_of_the_seed() -> None:
    openings = Openings.make(seed=3)
    records = [openings[n] for n in range(26)]
    assert {Board(record).opening() for record in records} == {*renju.openings.OPENINGS}
    assert [openings[n] for n in range(26, 52)] == records
    assert records == [Openings.make("26", seed=3)[n] for n in range(26)]
    assert records != [Openings.make(seed=4)[n] for n in range(26)]


def test_openings_of_a_file() -> None:
    Path("in.txt").write_text("\ufeff# two of them\nH8 I9 G7\n\nh8,h9\n", encoding="utf-8")
    assert sorted(Openings.make("in.txt").listed) == ["h8h9", "h8i9g7"]
    assert sorted(Openings.make(["h8 i9", "H8H9"]).listed) == ["h8h9", "h8i9"]


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("", "there are none"),
        ("h8\nz9\n", "in.txt:2: "),
        ("h8h8\n", "in.txt:1: "),
        (f"{DOUBLE_THREE}h8", r"in.txt:1: the game is over \(forbidden\)"),
    ],
)
def test_wrong_openings(text: str, error: str) -> None:
    Path("in.txt").write_text(text)
    with pytest.raises(ValueError, match=error):
        Openings.make("in.txt")


def test_random_openings_are_even_and_follow_from_the_seed() -> None:
    openings = Openings.make("random:7", seed=1)
    records = [openings[n] for n in range(5)]
    assert len({*records}) == 5
    assert records == [Openings.make("random:7", seed=1)[n] for n in range(5)]
    assert not {*records} & {Openings.make("random:7", seed=2)[n] for n in range(5)}
    for record in records:
        board = Board(record)
        assert (board.ply, board.outcome) == (7, None)
        assert not any(renju.solve_vcf(board, color) for color in Color)
    assert len(random_opening(1, "x")) in (2, 3)


@pytest.mark.parametrize("text", ["random:", "random:x", "random:0", "random:99"])
def test_wrong_random_openings(text: str) -> None:
    with pytest.raises(ValueError, match="openings"):
        Openings.make(text)


# The schedule


def test_pairs_and_colours() -> None:
    games = schedule(2, 6)
    assert [(g.number, g.pair, g.round, g.black, g.white) for g in games] == [
        (0, 0, 0, 0, 1),
        (1, 0, 0, 1, 0),
        (2, 1, 1, 0, 1),
        (3, 1, 1, 1, 0),
        (4, 2, 2, 0, 1),
        (5, 2, 2, 1, 0),
    ]
    assert len({game.seed for game in games}) == 6
    assert [game.seed for game in games] == [game_seed(0, n) for n in range(6)]
    assert not {game.seed for game in games} & {game.seed for game in schedule(2, 6, seed=1)}


def test_a_longer_schedule_begins_with_the_shorter_one() -> None:
    assert schedule(4, 6)[: len(schedule(4, 4))] == schedule(4, 4)
    counts = Counter((game.black, game.white) for game in schedule(4, 6))
    assert counts == {(a, b): 3 for a in range(4) for b in range(4) if a != b}


@pytest.mark.parametrize("games", [0, 3, -2])
def test_wrong_numbers_of_games(games: int) -> None:
    with pytest.raises(ValueError, match="games is"):
        schedule(2, games)


# The referee


class Script(lab.Seat):
    """Plays the moves of a list, by their number on the board."""

    def __init__(self, moves: Iterable[str], **thoughts: Any) -> None:
        self.moves = list(moves)
        self.thoughts = thoughts

    def new_game(self, seed: int) -> None:
        self.seed = seed

    def think(self, board: Board) -> lab.Thought:
        return lab.Thought(Ply(self.moves[board.ply], 1e9, **self.thoughts))


def refereed(
    moves: str | Iterable[Point],
    black: dict[str, Any] | None = None,
    white: dict[str, Any] | None = None,
    **rules: Any,
) -> GameRecord:
    """A game of these moves, the first one given."""
    names = [str(point) for point in (Board(moves, referee=False).moves if isinstance(moves, str) else moves)]
    seats = (Script(names, **(black or {})), Script(names, **(white or {})))
    game = lab.Referee(**rules).play(Pairing(6, 3, 0, 0, 1, 99), ("b", "w"), names[0].lower(), seats)
    assert game is not None
    assert (game.number, game.pair, game.seed, game.black, game.white) == (6, 3, 99, "b", "w")
    assert seats[0].seed == seats[1].seed == 99
    assert game.moves == game.opening + "".join(ply.move.lower() for ply in game.plies)
    assert all(ply.time < PATIENCE_S for ply in game.plies)  # the referee's clock, not the player's
    return game


FIVE = "h8a1i8a2j8a3k8a5l8"
OVERLINE = "h8a1h6b1j5c1l9d1n7f1o2e1"


@pytest.mark.parametrize(
    ("moves", "winner", "reason"),
    [
        (FIVE, Color.BLACK, "five"),
        (OVERLINE, Color.WHITE, "five"),
        (f"{DOUBLE_THREE}h8", Color.WHITE, "forbidden"),
    ],
)
def test_ends_by_the_rules(moves: str, winner: Color, reason: str) -> None:
    game = refereed(moves)
    assert (game.winner, game.reason, game.fault, game.moves) == (winner, reason, "", moves)


def full_board() -> list[Point]:
    """Moves of a game in which no one ever gets three in a row."""
    points = [Point((x, y)) for y in range(15) for x in range(15)]
    black = [point for point in points if (point.x + 2 * point.y) % 4 < 2]
    white = [point for point in points if point not in black]
    return [point for both in zip_longest(black, white) for point in both if point is not None]


def test_a_full_board_is_a_draw() -> None:
    game = refereed(full_board())
    assert (game.winner, game.reason, len(game.plies)) == (None, "full", 224)


def test_black_may_have_no_point_left() -> None:
    # As above, but the last point would join one and four black stones: an overline.
    row, last = [Point("I8"), Point("J8")], Point("H8")
    edge = [Point("A1"), Point("M15")]
    points = [Point(index) for index in range(225) if index != last]
    black = [p for p in points if (p.x + 2 * p.y) % 4 < 2 and p not in (*edge, *row)] + row
    white = [p for p in points if p not in black]
    moves = [point for both in zip(black, white, strict=True) for point in both]
    game = refereed(moves)
    assert Board(game.moves).forbidden_points() == {last: renju.Forbidden.OVERLINE}
    assert (game.winner, game.reason, len(game.plies)) == (None, "full", 223)


def test_two_passes_are_a_draw() -> None:
    game = refereed([*Board("h8 i9 g7 a1").moves, Point(PASS), Point(PASS)])
    assert (game.winner, game.reason, len(game.plies)) == (None, "full", 5)


def test_the_length_of_a_game_is_limited() -> None:
    game = refereed(FIVE, length=6)
    assert (game.winner, game.reason, len(game.plies)) == (None, "length", 5)
    with pytest.raises(ValueError, match="length"):
        lab.Referee(length=0)


def test_a_win_that_both_claim_is_adjudicated() -> None:
    rules = lab.Adjudication(win_plies=4)
    game = refereed(FIVE, {"win_in": 5}, {"win_in": -6}, adjudication=rules)
    assert (game.winner, game.reason, len(game.plies)) == (Color.BLACK, "adjudicated", 4)
    game = refereed(FIVE, {"win_in": -5}, {"win_in": 6}, adjudication=rules)
    assert (game.winner, game.reason) == (Color.WHITE, "adjudicated")
    for white in ({"win_in": 6}, {}):  # they do not agree
        assert refereed(FIVE, {"win_in": 5}, white, adjudication=rules).reason == "five"
    assert (
        refereed(FIVE, {"win_in": 5}, {"win_in": -6}, adjudication=lab.Adjudication(win_plies=0)).reason
        == "five"
    )
    assert refereed(FIVE, {"win_in": 5}, {"win_in": -6}).reason == "five"


def test_a_quiet_game_is_adjudicated_late() -> None:
    rules = lab.Adjudication(draw_plies=10, draw_score=50, draw_from=30)
    game = refereed(full_board(), {"score": 50}, {"score": -50}, adjudication=rules)
    assert (game.winner, game.reason, len(game.plies)) == (None, "adjudicated", 29)
    for white in ({"score": 51}, {}, {"score": 0, "win_in": 9}):
        assert refereed(full_board(), {"score": 50}, white, adjudication=rules).reason == "full"


def test_a_player_of_ours_is_watched_too() -> None:
    seats = (Script(["h8", "h8"]), Script(["h8", "h8"]))
    found = lab.Referee().play(Pairing(0, 0, 0, 0, 1, 0), ("b", "w"), "h8", seats)
    assert found is not None
    assert (found.winner, found.reason, found.fault) == (Color.BLACK, "illegal", "H8 is occupied")


def won_game() -> GameRecord:
    """From a position in which black has a Mise-VCF."""
    seats = [player.seat() for player in as_players(["hard,nodes=20000", "easy,nodes=1000"])]
    opening = "h8i9i7g9j8h10h6k9h7h9j9i10"
    found = lab.Referee().play(Pairing(0, 0, 0, 0, 1, 5), ("b", "w"), opening, (seats[0], seats[1]))
    assert found is not None
    return found


def test_everything_that_was_thought_is_written_down() -> None:
    found = won_game()
    first = found.plies[0]
    assert (first.source, first.verified, first.win_in) == ("mise-vcf", True, 13)
    assert (found.winner, found.reason) == (Color.BLACK, "five")
    assert all(ply.source for ply in found.plies)
    searched = [ply for ply in found.plies if ply.source == "search"]
    assert searched
    for ply in searched:
        assert ply.candidates
        assert ply.depths
        assert ply.stats["search_nodes"] > 0
        assert all(ply.stats.values())
        assert ply.verified is None


def test_large_proofs_are_not_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(referee_module, "_MOST_CHECKED_STONES", 1)
    found = won_game()
    assert (found.plies[0].source, found.plies[0].verified) == ("mise-vcf", None)


# Programs

PROGRAM = """
import sys, time
mode, own = sys.argv[1], set()
taken, rows, games = set(), None, 0
def answer():
    if mode == "crash" or (mode == "once" and games == 1):
        sys.exit("out of ideas")
    if mode == "silent":
        time.sleep(1000)
    if mode in ("20,20", "what?", "7,7"):
        return print(mode, flush=True)
    if mode == "occupied":
        return print("%d,%d" % sorted(taken)[0], flush=True)
    point = next((x, y) for y in (0, 14) for x in range(0, 15, 2) if (x, y) not in taken)
    taken.add(point)
    print("MESSAGE depth 3-5 ev -M4 n 17 tm 1", flush=True)
    print("%d,%d" % point, flush=True)
for line in sys.stdin:
    words = line.replace(",", " ").split()
    if rows is not None and words[0] != "DONE":
        taken.add((int(words[0]), int(words[1])))
    elif words[0] in ("START", "RESTART"):
        if mode == "deaf": sys.exit("never heard of " + words[0])
        games += words[0] == "START"
        taken = set()
        print("OK", flush=True)
    elif words[0] == "BOARD":
        rows = []
    elif words[0] == "DONE":
        rows = None
        answer()
    elif words[0] == "TURN":
        taken.add((int(words[1]), int(words[2])))
        answer()
    elif words[0] == "END":
        break
"""


def program(mode: str, **settings: Any) -> lab.ProgramPlayer:
    Path("program.py").write_text(PROGRAM)
    command = (sys.executable, str(Path("program.py").resolve()), mode)
    return lab.ProgramPlayer(name=mode, command=command, **{"limit": Limit(time=20)} | settings)


@pytest.mark.parametrize(
    ("message", "depth", "seldepth", "score", "win_in", "nodes"),
    [
        ("MESSAGE depth 8-13 ev -25 n 1200", 8, 13, -25, None, 1200),
        ("MESSAGE Speed 472K | Depth 8-15 | Eval -1033 | Node 2834 | Time 6ms", 8, 15, -1033, None, 2834),
        ("MESSAGE Depth 12 | Eval +12 | Node 120K", 12, None, 12, None, 120_000),
        ("MESSAGE Depth 9-9 | Eval +M7 | Node 1.5M", 9, 9, _native.WIN - 7, 7, 1_500_000),
        ("MESSAGE hello", None, None, None, None, None),
    ],
)
def test_what_programs_say_of_their_search(
    message: str,
    depth: int | None,
    seldepth: int | None,
    score: int | None,
    win_in: int | None,
    nodes: int | None,
) -> None:
    ply = ply_of(Point("h8"), 0.1, ["MESSAGE realtime", message])
    assert (ply.depth, ply.seldepth, ply.score, ply.win_in, ply.nodes) == (
        depth,
        seldepth,
        score,
        win_in,
        nodes,
    )


def test_the_pause_of_a_program_is_not_on_its_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    paused = [0.0]  # seconds; nothing but a pause takes time on these clocks

    def pause(seconds: float) -> None:
        paused[0] += seconds

    monkeypatch.setattr(client, "sleep", pause)
    for module, clock in ((client, "monotonic"), (client, "perf_counter"), (referee, "perf_counter")):
        monkeypatch.setattr(module, clock, lambda: paused[0])
    quick = program("quick")
    result = lab.match(quick, replace(quick, name="too"), games=2, workers=1, length=12)
    times = [ply.time for game in result.games for ply in game.plies]
    # Each is left alone for a while after it spoke.
    assert paused[0] > 0
    assert max(times) < 1e-9


def is_gone(pid: int) -> bool:
    try:
        return "(zombie)" in Path(f"/proc/{pid}/status").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return True


def test_a_program_behind_a_script_is_ended_with_it() -> None:
    Path("program.py").write_text(PROGRAM)
    Path("wrap.py").write_text(
        "import subprocess, sys\n"
        "child = subprocess.Popen([sys.executable, 'program.py', 'silent'])\n"
        "print(child.pid, file=open('pid', 'w'), flush=True)\n"
        "child.wait()\n"
    )
    player = lab.ProgramPlayer(command=(sys.executable, "wrap.py"), limit=Limit(time=0.2), margin_s=0.3)
    result = lab.match(player, QUICK[0], games=2, workers=1)
    assert {game.reason for game in result.games} == {"time"}
    pid = int(Path("pid").read_text())
    wait_until(lambda: is_gone(pid), what="the end of the program")


def test_whoever_talks_without_end_loses_on_time() -> None:
    for text in ("'x' * 100_000", "'MESSAGE again\\n' * 1000"):
        Path("flood.py").write_text(
            "import sys\n"
            "print(sys.stdin.readline() and 'OK', flush=True)\n"
            f"while True: sys.stdout.write({text}); sys.stdout.flush()\n"
        )
        player = lab.ProgramPlayer(command=(sys.executable, "flood.py"), limit=Limit(time=0.2), margin_s=0.2)
        game = lab.match(player, QUICK[0], games=2, workers=1).games[0]
        assert game.reason in ("time", "crash")
        assert len(game.fault) < 200_000


@pytest.mark.parametrize(
    ("mode", "reason", "fault"),
    [
        ("crash", "crash", "out of ideas"),
        ("what?", "crash", "'what?', which is no point"),
        ("20,20", "illegal", "'20,20', which is no point"),
        ("occupied", "illegal", "which is occupied"),
    ],
)
def test_programs_that_do_wrong_lose(mode: str, reason: str, fault: str) -> None:
    result = lab.match(QUICK[0], program(mode), games=4, workers=1)
    assert result.score(mode).lost == 4  # it was started again every time
    assert result.reasons == {reason: 4}
    assert all(fault in game.fault for game in result.faults)
    assert len(result.faults) == 4
    assert fault in str(result)


def test_a_silent_program_loses_on_time() -> None:
    silent = program("silent", limit=Limit(time=0.01), margin_s=0.2)
    result = lab.match(QUICK[0], silent, games=2, workers=2)
    assert result.reasons == {"time": 2}
    assert "gave no answer within" in result.games[0].fault
    assert result.score("silent").lost == 2


def test_a_forbidden_point_of_a_program_is_no_fault() -> None:
    result = lab.match(program("7,7"), QUICK[0], games=2, openings=[DOUBLE_THREE], workers=1)
    game = result.games[0]
    assert (game.winner, game.reason, game.fault) == (Color.WHITE, "forbidden", "")
    assert game.moves == f"{DOUBLE_THREE}h8"


def test_what_programs_say_is_written_down() -> None:
    result = lab.match(program("good"), QUICK[0], games=2, workers=1)
    assert result.score("good").lost == 2
    ply = result.games[0].plies[0] if len(result.games[0].opening) % 4 == 0 else result.games[0].plies[1]
    assert (ply.depth, ply.seldepth, ply.win_in, ply.nodes, ply.source) == (3, 5, -4, 17, None)
    assert ply.score is not None
    assert ply.score < -90_000


def test_a_program_that_never_starts_ends_the_match() -> None:
    with pytest.raises(EngineError, match="cannot be started"):
        lab.match(QUICK[0], "cmd:./no-such-program", games=2)
    with pytest.raises(EngineError, match=r"deaf cannot play.*exit code 1") as caught:
        lab.match(QUICK[0], program("deaf"), games=2, path="out.jsonl")
    assert caught.value.__notes__ == ["0 finished games of 2"]
    assert not Path("out.jsonl.lock").exists()


def test_our_own_program() -> None:
    ours = f"cmd:{sys.executable} -m renju gomocup,nodes=300,name=ours"
    result = lab.match(ours, "beginner,nodes=300", games=4, workers=2)
    assert len(result.games) == 4
    assert not result.faults
    plies = [ply for game in result.games for ply in game.plies if ply.source is None]
    assert all(ply.score is not None and ply.depth is not None for ply in plies)


def test_every_reason_has_a_test_here() -> None:
    text = Path(__file__).read_text(encoding="utf-8")
    assert all(text.count(f'"{reason}"') for reason in REASONS)


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


def test_a_match_is_taken_up_and_made_longer(whole: lab.Match) -> None:
    lab.match(*QUICK, games=4, seed=5, path="out.jsonl", resume=True)
    played: list[int] = []
    result = lab.match(
        *QUICK,
        games=12,
        seed=5,
        path="out.jsonl",
        resume=True,
        on_game=lambda game: played.append(game.number),
    )
    assert sorted(played) == list(range(4, 12))
    assert same(result.games) == same(whole.games)
    shorter = lab.match(*QUICK, games=2, seed=5, path="out.jsonl", resume=True)
    assert same(shorter.games) == same(whole.games[:2])


@pytest.mark.parametrize("cut", [1, 2, 40, 500])
def test_a_torn_line_is_cut_off(whole: lab.Match, cut: int) -> None:
    lab.match(*QUICK, games=6, seed=5, path="out.jsonl", workers=1)
    data = Path("out.jsonl").read_bytes()
    Path("out.jsonl").write_bytes(data[:-cut])
    assert len(lab.Match.load("out.jsonl").games) == 5
    played: list[int] = []
    result = lab.match(
        *QUICK,
        games=6,
        seed=5,
        path="out.jsonl",
        resume=True,
        on_game=lambda game: played.append(game.number),
    )
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
