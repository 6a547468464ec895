"""Who plays a match, from where, and against whom."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import renju
from renju import Board, Color, EngineConfig, Limit, lab
from renju.lab import players as players_module
from renju.lab.openings import Openings, random_opening
from renju.lab.players import as_players
from renju.lab.schedule import game_seed, schedule
from support.matches import DOUBLE_THREE

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("inside")]


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
