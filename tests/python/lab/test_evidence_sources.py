"""Match files as evidence: openings, what players say, and the files that are kept in the repository."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from renju import Board, FormatError, lab, solve_vcf
from renju.lab import openings as openings_module
from renju.lab.evidence import check_games
from renju.lab.game_record import GameRecord, Ply, game_from_json, game_to_json
from renju.lab.openings import Openings
from renju.lab.programs import ply_of
from renju.lab.schedule import Pairing, pairing, schedule
from renju.lab.store import read_match
from support import ROOT
from support.match_files import foreign_opening, games_of, header_of
from support.match_files import scripted as scripted
from support.match_files import whole as whole

# Openings


def lines_with_opening(whole: Path, pairs: dict[int, str]) -> tuple[dict[str, Any], list[GameRecord]]:
    """The match as version 1 wrote it, without the moves of its openings, with foreign ones in some pairs."""
    header, games = header_of(whole), games_of(whole)
    del header["openings"]["moves"]
    for place, game in enumerate(games):
        if game["pair"] in pairs:
            games[place] = foreign_opening(game)
    return header, [game_from_json(json.dumps(game)) for game in games]


def test_even_openings_are_many_and_all_different() -> None:
    boards = [Board(record) for record in Openings.make("even").listed]
    assert len(boards) >= 200
    assert len({board.symmetric_key for board in boards}) == len(boards)
    assert {len(board) for board in boards} <= set(range(4, 9))
    assert all(solve_vcf(board).status == "refuted" for board in boards)


def test_a_list_of_which_only_the_digest_is_known(whole: Path) -> None:
    header, games = lines_with_opening(whole, {})
    check_games("m", header, games)
    check_games("m", header, games[:4])
    with pytest.raises(FormatError, match="m: the openings of its games are not those of the list"):
        check_games("m", header | {"openings": header["openings"] | {"digest": "0" * 16}}, games)
    # A list of which an opening was not played could have had any there.
    check_games("m", header | {"openings": header["openings"] | {"count": 4}}, games)
    header, games = lines_with_opening(whole, {1: "both games"})
    with pytest.raises(FormatError):
        check_games("m", header, games)


def test_both_games_of_a_round_have_one_opening(
    scripted: tuple[dict[str, Any], list[GameRecord]],
) -> None:
    header, games = scripted
    unknown = header | {"openings": {"source": "list", "count": 5, "digest": "?"}}
    check_games("m", unknown, games[:4])
    facts = json.loads(game_to_json(games[1]))
    other = game_from_json(json.dumps(foreign_opening(facts)))
    with pytest.raises(FormatError, match=r"m:3: game 1: .*in another game of its round 'h8a1'"):
        check_games("m", unknown, [games[0], other])


def test_random_openings_are_known_without_a_search(monkeypatch: pytest.MonkeyPatch) -> None:
    made = Openings.make("random:6", seed=4)
    records = [made[number] for number in range(6)]
    found = Openings.from_facts(made.facts(), 4)
    assert found == made

    def fail(*_: object, **__: object) -> None:
        raise AssertionError("no search is needed")

    monkeypatch.setattr(openings_module, "Engine", fail)
    monkeypatch.setattr(openings_module.solving, "solve_vcf", fail)
    assert all(made.fits(number, record) for number, record in enumerate(records))
    assert not any(made.fits(number + 1, record) for number, record in enumerate(records))
    assert not made.fits(0, records[0][:-2])


def test_openings_by_their_facts() -> None:
    for given in (None, "26", "even", ["h8i9g7", "h8h9"], "random:4"):
        made = Openings.make(given, seed=9)
        assert Openings.from_facts(json.loads(json.dumps(made.facts())), 9) == made
    facts = Openings.make("26", seed=9).facts()
    del facts["moves"]
    assert Openings.from_facts(facts, 9) == Openings.make("26", seed=9)
    assert Openings.from_facts(facts | {"digest": "0" * 16}, 9) is None


# What goes into a file can be read from it


def test_a_seat_that_tells_nonsense_ends_the_match() -> None:
    class Talker(lab.Seat):
        def new_game(self, seed: int) -> None: ...

        def think(self, board: Board) -> lab.Thought:
            return lab.Thought(Ply("a15", 0.0, depth=-3))

    with pytest.raises(ValueError, match="depth is a number from 0"):
        lab.Referee().play(Pairing(0, 0, 0, 0, 1, 0), ("b", "w"), "h8", (Talker(), Talker()))


@pytest.mark.parametrize(
    "message",
    [
        f"MESSAGE depth {'9' * 5000} ev {'9' * 5000} n {'9' * 5000}",
        f"MESSAGE depth 3-{'9' * 400} ev -M{'9' * 400} n {'9' * 400}G",
        "MESSAGE depth 99999999999 ev +M226 n 99999999999G",
        "MESSAGE depth 99999999999 ev 2147483648 n 99999999999G",
    ],
)
def test_nonsense_of_a_program_about_its_search_is_not_written_down(message: str) -> None:
    ply = ply_of(Board("h8").moves[0], 0.1, [message])
    assert (ply.score, ply.win_in, ply.seldepth, ply.nodes) == (None, None, None, None)
    assert ply.depth in (None, 3)


def test_numbers_without_a_value_are_none() -> None:
    game = GameRecord(0, 0, "a", "b", "h8", "h8", None, "length")
    for text in ("NaN", "Infinity", "-Infinity", "1e999", "-1", '"1"', "true", "null"):
        with pytest.raises(FormatError, match="not the record of a game"):
            game_from_json(game_to_json(game).replace('"time":0.0', f'"time":{text}'))
    with pytest.raises(FormatError, match="not the record of a game"):
        game_from_json("[" * 100_000)


def test_the_schedule_knows_each_game() -> None:
    for players in (2, 3, 5):
        games = schedule(players, 6, seed=2)
        assert [pairing(game.number, players, 2) for game in games] == games
    with pytest.raises(ValueError, match="number is a number from 0"):
        pairing(-1, 2)


# The files that are kept in the repository


@pytest.mark.parametrize("name", ["rapfi-0.2s-before.jsonl", "rapfi-0.2s-after.jsonl"])
@pytest.mark.slow
def test_matches_of_version_1_are_sound(name: str) -> None:
    header, games = read_match(ROOT / "benches" / "matches" / name)
    assert len(games) == 200
    assert "moves" not in header["openings"]
    # Two rounds with each other's openings: every game is sound, and the list is another one.
    numbered = {game.number: game for game in games}
    for number, other in ((40, 60), (41, 61), (60, 40), (61, 41)):
        names = ("number", "pair", "black", "white", "seed")
        kept = {name: getattr(numbered[number], name) for name in names}
        games[games.index(numbered[number])] = replace(numbered[other], **kept)
    with pytest.raises(FormatError, match="the openings of its games are not those of the list"):
        check_games(name, header, games)
