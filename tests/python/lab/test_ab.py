"""`lab.ab` and `renju lab ab`: a change against none, and all that changed with it."""

from __future__ import annotations

import json
import os
import signal
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from renju import Color, EngineConfig, Interrupted, Limit, cli, lab
from renju.lab.ab import compare
from renju.lab.game_record import GameRecord, Ply
from renju.lab.store import read_match
from renju.lab.values import ValueTable, save_values
from renju.lab.weakness import WeaknessLimits
from support.processes import Output

pytestmark = pytest.mark.usefixtures("inside")

QUICK: dict[str, Any] = {"games": 8, "limit": Limit(nodes=300), "seed": 2}
CHANGE = {"quiescence": False}
COMMAND = ["lab", "ab", "--set", "quiescence=0", "--nodes", "200", "--quiet"]


@pytest.fixture(scope="module")
def found() -> lab.Comparison:
    return lab.ab(CHANGE, **QUICK)


def test_new_plays_against_old(found: lab.Comparison) -> None:
    assert found.match.players == ("new", "old")
    assert len(found.match.games) == 8
    assert found.match.repetitions == 0  # openings are random
    assert {len(game.opening) for game in found.match.games} <= set(range(12, 19))
    assert dict(found.changes) == CHANGE
    text = str(found)
    assert text.startswith("new: quiescence = false\nnew against old: 8 games")
    assert "re-searches a move" in text


def test_figures_are_those_of_the_report(found: lab.Comparison) -> None:
    report = lab.report(found.match.games)
    by_name = {statistics.player: statistics for statistics in report.statistics}
    for name in ("old", "new"):
        statistics = by_name[name]
        value = {figure.name: getattr(figure, name) for figure in found.figures}
        assert statistics.time_ms is not None
        assert statistics.nodes is not None
        assert statistics.depth is not None
        assert value["time_ms_mean"] == statistics.time_ms.mean
        assert value["time_ms_p95"] == statistics.time_ms.p95
        assert value["nodes"] == statistics.nodes.mean
        assert value["depth"] == statistics.depth.mean
        assert value["researches"] == statistics.researches_per_move
        assert value["interrupted"] == 100 * statistics.interruptions / statistics.moves
        for kind in ("blunder", "missed-vcf", "claim-not-won", "claim-rejected", "time-pressure-error"):
            assert value[kind] == report.weakness.per_game(kind, name)  # type: ignore[arg-type]
    blunders = found["blunder"]
    if blunders.old:
        assert blunders.new is not None
        assert blunders.change_percent == pytest.approx(100 * (blunders.new / blunders.old - 1))


def test_json_has_all_of_it(found: lab.Comparison) -> None:
    facts = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert facts["match"]["players"] == ["new", "old"]
    assert facts["changes"] == CHANGE
    assert list(facts["figures"]) == [figure.name for figure in found.figures]
    assert facts["figures"]["nodes"]["old"] > 0


@pytest.mark.slow
def test_settings_of_both_and_of_new() -> None:
    settings: dict[str, Any] = {"games": 2, "limit": Limit(nodes=100), "path": "out.jsonl"}
    found = lab.ab({"radius": 1, "open_three": 1000}, "medium", base={"vct": False}, **settings)
    assert dict(found.changes) == {"radius": 1}
    players = read_match("out.jsonl")[0]["players"]
    medium = EngineConfig.from_level("medium").replace(vct=False)
    assert players["old"]["config"] == vars(medium)
    assert players["new"]["config"] == vars(medium.replace(radius=1))
    own = lab.ab({"radius": 1}, config=medium, games=2, limit=Limit(nodes=100))
    assert [game.moves for game in own.match.games] == [game.moves for game in found.match.games]


@pytest.mark.slow
def test_tables_of_values() -> None:
    table = ValueTable.fitted()
    save_values(ValueTable(table.cells // 2, table.threats), "half.txt")
    save_values(table, "own.txt")
    settings: dict[str, Any] = {"level": "master", "games": 2, "limit": Limit(nodes=100)}
    found = lab.ab(values="half.txt", path="out.jsonl", **settings)
    assert str(found).startswith("new: values = half.txt\n")
    assert found.to_dict()["values"] == {"old": None, "new": "half.txt"}
    players = read_match("out.jsonl")[0]["players"]
    assert players["old"]["values"] is None
    assert players["new"]["values"]
    both = lab.ab({"null_move": False}, base_values=Path("half.txt"), **settings)
    assert both.values == ("half.txt", "half.txt")
    assert str(both).startswith("new: null_move = false\n")
    other = lab.ab(values="half.txt", base_values="own.txt", **settings)
    assert other.values == ("own.txt", "half.txt")


def test_there_must_be_a_change() -> None:
    for settings in ({}, {"changes": {"quiescence": True}}, {"base": CHANGE, "changes": CHANGE}):
        with pytest.raises(ValueError, match="nothing to compare"):
            lab.ab(**settings)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="there is no setting 'quiesence'"):
        lab.ab({"quiesence": False})


def test_who_wins_by_forbidden_points() -> None:
    moves = "f8a1g8a3h9a5h10a7h8"
    plies = tuple(
        Ply(move, 0.01, score=0, source="search", nodes=10 * n) for n, move in enumerate(("h10", "a7", "h8"))
    )
    lost = GameRecord(0, 0, "old", "new", moves[:12], moves, Color.WHITE, "forbidden", plies=plies)
    drawn = replace(lost, number=1, black="new", white="old", winner=None, reason="length")
    found = compare(lab.Match(("new", "old"), (lost, drawn), 2))
    assert (found["trap"].old, found["trap"].new, found["trap"].change_percent) == (0, 100, None)
    # The first game has old's moves with 0 and 20 nodes, the second its move with 10.
    assert (found["nodes"].old, found["nodes"].new) == (10, 10)
    assert "–" in str(found)
    unseen = compare(lab.Match(("new", "old"), (lost,), 2), weakness=WeaknessLimits(vcf_nodes=0))
    assert (unseen["missed-vcf"].old, unseen["trap"].old) == (None, None)
    nothing = compare(lab.Match(("new", "old"), (), 2))
    assert all(figure.old is None for figure in nothing.figures)


def test_a_change_without_a_say_is_told() -> None:
    found = lab.ab({"time_ms": 77}, games=4, limit=Limit(nodes=100))
    assert found.equal_pairs == found.to_dict()["equal_pairs"] == 2
    assert "in 2 pairs both games are the same" in str(found)


def test_ctrl_c_gives_the_match() -> None:
    games: list[GameRecord] = []

    def interrupt(game: GameRecord) -> None:
        games.append(game)
        if len(games) == 3:
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(Interrupted) as caught:
        lab.ab(CHANGE, games=400, limit=Limit(nodes=100), on_game=interrupt)
    assert isinstance(caught.value.partial, lab.Match)
    assert 3 <= len(caught.value.partial.games) < 400


@pytest.mark.slow
def test_the_command(capsys: Output) -> None:
    assert cli.main([*COMMAND, "--games", "4", "--out", "out.jsonl"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("new: quiescence = false\nnew against old: 4 games")
    assert "won by forbidden points" in out
    again = [*COMMAND, "--games", "6", "--out", "out.jsonl", "--resume", "--json", "--vcf-nodes", "0"]
    assert cli.main(again) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["match"]["games"] == 6
    assert facts["figures"]["missed-vcf"]["old"] is None
    assert facts["match"]["path"] == "out.jsonl"
    assert cli.main(["lab", "report", "out.jsonl", "--vcf-nodes", "0"]) == 0


@pytest.mark.slow
def test_exit_codes_tell_the_verdict(capsys: Output) -> None:
    command = ["lab", "ab", "--nodes", "500", "--quiet", "--games", "100", "--sprt=-300,300"]
    wild = ["random_percent=100", "random_threshold=5000"]
    assert cli.main([*command, "--set", wild[0], "--set", wild[1]]) == 1
    assert cli.main([*command, "--base", wild[0], "--base", wild[1], "--set", "random_percent=0"]) == 0
    assert cli.main([*COMMAND, "--games", "2", "--sprt", "0,10"]) == 3
    assert "not decided" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ([], "there is nothing to compare"),
        (["--set", "quiesence=0"], "--set quiesence=0: there is no setting 'quiesence'; near are quiescence"),
        (["--set", "quiescence=7"], "quiescence is 1 or 0"),
        (["--set", "radius=x"], "radius is a whole number"),
        (["--set", "radius"], "NAME=VALUE was expected"),
        (["--set", "radius=1", "--set", "radius=2"], "radius is given twice"),
        (["--base", "radius=9999", "--set", "vct=0"], "radius"),
        (["--base", "vct"], "--base vct: NAME=VALUE"),
        (["--set", "vct=0", "--resume"], "--out FILE"),
        (["--values", "nothing.txt", "--games", "2"], "nothing.txt"),
    ],
)
def test_wrong_use(arguments: list[str], error: str, capsys: Output) -> None:
    assert cli.main(["lab", "ab", *arguments]) == 2
    assert error in capsys.readouterr().err
