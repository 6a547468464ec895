"""The referee of a match, and programs that play well or badly."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import replace
from itertools import zip_longest
from pathlib import Path
from typing import Any

import pytest

import renju
from renju import PASS, Board, Color, EngineError, Limit, Point, _native, lab
from renju.lab import referee
from renju.lab import referee as referee_module
from renju.lab.game_record import REASONS, GameRecord
from renju.lab.players import as_players
from renju.lab.programs import ply_of
from renju.lab.schedule import Pairing
from renju.protocol import client
from support.matches import DOUBLE_THREE, PROGRAM, QUICK, Script, program
from support.waiting import PATIENCE_S, wait_until

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("inside")]


# The referee


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
    easy = "easy,nodes=1000,overlook_four_percent=0,overlook_three_percent=0"
    seats = [player.seat() for player in as_players(["hard,nodes=20000", easy])]
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
