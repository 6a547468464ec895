"""Match files as evidence: what was changed in one is found, on resume and in reports."""

from __future__ import annotations

import copy
import json
import random
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from renju import Color, FormatError, cli, lab
from renju.lab.evidence import Terms, check_games
from renju.lab.game_record import FAULT_REASONS, REASONS, GameRecord, game_from_json, game_to_json
from renju.lab.store import read_match
from support.journals import write_lines
from support.match_files import PLAYERS, Game, foreign_opening, games_of, header_of, play, with_plies
from support.match_files import scripted as scripted
from support.match_files import whole as whole
from support.processes import Output


@pytest.fixture
def copied(whole: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(whole, tmp_path / "m.jsonl"))


def write(path: Path, header: dict[str, Any], games: list[Game]) -> None:
    """A file that is sound but for what its lines say."""
    write_lines(path, [json.dumps(line, separators=(",", ":")) for line in (header, *games)])


def refused(path: Path, words: str, capsys: Output) -> None:
    """Is the file refused by whoever reads it, and left as it is?"""
    before = path.read_bytes()
    with pytest.raises(FormatError, match=words):
        play(path, resume=True)
    readers: list[Callable[[Path], object]] = [lab.read_match, lab.Match.load, lab.report]
    for reader in readers:
        with pytest.raises(FormatError, match=words):
            reader(path)
    assert cli.main(["lab", "report", str(path), "--vcf-nodes", "0"]) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert str(path) in output.err
    assert path.read_bytes() == before
    assert [file.name for file in path.parent.iterdir()] == [path.name]


# Edits of a game. Each is made to one game of the file; `words` is what is said of its line.


def other_color(game: Game) -> str:
    return "white" if game["winner"] == "black" else "black"


def swap_players(game: Game) -> Game:
    return game | {"black": game["white"], "white": game["black"]}


def with_ply(game: Game, place: int, **changes: Any) -> Game:
    plies = copy.deepcopy(game["plies"])
    plies[place] |= changes
    return game | {"plies": plies}


EDITS: dict[str, tuple[Callable[[Game], Game], str]] = {
    "winner": (lambda g: g | {"winner": other_color(g)}, "is told, but by its moves a win of"),
    "draw": (lambda g: g | {"winner": None}, "a draw by adjudicated is told"),
    "colours": (swap_players, "black is .* by the schedule it is"),
    "unknown-player": (lambda g: g | {"black": "hard"}, "black is 'hard', by the schedule it is"),
    "same-player": (lambda g: g | {"white": g["black"]}, "white is .* by the schedule it is"),
    "pair": (lambda g: g | {"pair": 7}, "pair is 7, by the schedule it is 1"),
    "number": (lambda g: g | {"number": 9}, "game 9: pair is 1, by the schedule it is 4"),
    "number-and-pair": (lambda g: g | {"number": 8, "pair": 4}, "game 8: seed is"),
    "number-below-0": (lambda g: g | {"number": -2, "pair": -1}, "number is a number from 0"),
    "number-of-another": (lambda g: g | {"number": 0, "pair": 0}, "game 0 is in it twice, first in line 2"),
    "seed": (lambda g: g | {"seed": g["seed"] + 1}, "seed is"),
    "nonsense-moves": (lambda g: g | {"moves": "rubbish"}, "the moves are not those"),
    "nonsense-opening": (lambda g: g | {"opening": "z99"}, "the opening 'z99' is not the one"),
    "nonsense-ply": (lambda g: with_ply(g, 1, move="Z99"), "move 5 is 'Z99': "),
    "occupied": (
        lambda g: with_plies(g, [*g["plies"][:-1], g["plies"][0]]),
        r"move \d+ is '.*': .* is occupied",
    ),
    "foreign-opening": (foreign_opening, "the opening 'h8.*' is not the one of its round"),
    "opening-longer": (
        lambda g: g | {"opening": g["opening"] + g["plies"][0]["move"].lower(), "plies": g["plies"][1:]},
        "is not the one of its round",
    ),
    "reason": (lambda g: g | {"reason": "five"}, "by five is told, but by its moves .* by adjudicated"),
    "reason-length": (lambda g: g | {"winner": None, "reason": "length"}, "a draw by length is told"),
    "crash": (lambda g: g | {"reason": "crash", "fault": "it fell"}, "by crash is told, but by its moves"),
    "crash-of-the-engine": (
        lambda g: with_plies(
            g
            | {"reason": "crash", "fault": "it fell", "winner": "black" if len(g["plies"]) % 2 else "white"},
            g["plies"][:-1],
        ),
        "lost by crash, which our own engine cannot",
    ),
    "fault": (lambda g: g | {"fault": "it fell"}, "and yet there is a fault: 'it fell'"),
    "plies-cut": (lambda g: g | {"plies": g["plies"][:-1]}, "the moves are not those"),
    "no-plies": (lambda g: g | {"plies": []}, "the moves are not those"),
    "game-cut": (lambda g: with_plies(g, g["plies"][:-1]), "is told, but by its moves it is not over"),
    "game-goes-on": (
        lambda g: with_plies(g, [*g["plies"], g["plies"][0] | {"move": "A15"}]),
        r"it goes on after move \d+, where it is over: a win of",
    ),
    "plies-swapped": (
        lambda g: g | {"plies": [*g["plies"][1::-1], *g["plies"][2:]]},
        "the moves are not those",
    ),
    "claim-taken-back": (lambda g: with_ply(g, -1, win_in=None, score=0), "by its moves it is not over"),
    "claim-without-score": (lambda g: with_ply(g, 0, win_in=5), "win_in 5, which the score .* contradicts"),
    "nan": (lambda g: g | {"time": float("nan")}, "NaN is no number"),
    "infinite": (lambda g: with_ply(g, 0, time=float("inf")), "Infinity is no number"),
    "time-below-0": (lambda g: with_ply(g, 0, time=-0.001), "time is a number of seconds from 0 to"),
    "depth-below-0": (lambda g: with_ply(g, 0, depth=-1), "depth is a number from 0"),
    "nodes-below-0": (lambda g: with_ply(g, 0, nodes=-1), "nodes is a number from 0"),
    "seldepth-below-0": (lambda g: with_ply(g, 0, seldepth=-1), "seldepth is a number from 0"),
    "score": (lambda g: with_ply(g, 0, score=100_001), "the score 100001, which our engine cannot have"),
    "no-score": (lambda g: with_ply(g, 0, score=None), "the score None, which our engine cannot have"),
    "huge-score": (lambda g: with_ply(g, 0, score=10**30), "score is a number from"),
    "huge-claim": (lambda g: with_ply(g, 0, win_in=226), "win_in is a number from -225 to 225"),
    "source": (lambda g: with_ply(g, 0, source="magic"), "the source 'magic', which our engine has not"),
    "candidate": (
        lambda g: with_ply(g, 0, candidates=[["P16", 3]]),
        "not the record of a game: 'P16' is no point",
    ),
    "candidate-score": (lambda g: with_ply(g, 0, candidates=[["H8", 10**12]]), "score is a number from"),
    "depths": (lambda g: with_ply(g, 0, depths=[[-1, "H8", 3]]), "depth is a number from 0"),
    "counter": (lambda g: with_ply(g, 0, stats={"search_nodes": -5}), "the counter search_nodes is -5"),
}


@pytest.mark.parametrize("edit", EDITS)
@pytest.mark.slow
def test_an_edited_game_is_named_and_refused(copied: Path, edit: str, capsys: Output) -> None:
    header, games = header_of(copied), games_of(copied)
    line = next(n for n, game in enumerate(games) if game["pair"] == 1 and game["reason"] == "adjudicated")
    change, words = EDITS[edit]
    games[line] = change(copy.deepcopy(games[line]))
    write(copied, header, games)
    refused(copied, rf"m\.jsonl:{line + 2}: .*{words}", capsys)


def test_what_was_not_edited_is_believed(copied: Path, capsys: Output) -> None:
    before = copied.read_bytes()
    assert [game.number for game in lab.Match.load(copied).games] == list(range(6))
    assert cli.main(["lab", "report", str(copied), "--vcf-nodes", "0"]) == 0
    play(copied, resume=True)
    assert copied.read_bytes() == before
    # The same lines in another order are the same match.
    write(copied, header_of(copied), games_of(copied)[::-1])
    assert [game.number for game in lab.Match.load(copied).games] == list(range(6))


HEADERS: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "players-swapped": (
        lambda h: h.update(players=dict(reversed(h["players"].items()))),
        "m.jsonl:2: game 0: black is",
    ),
    "another-player": (
        lambda h: h.update(players={"x": {}, **dict([*h["players"].items()][1:])}),
        "m.jsonl:2: game 0: black is",
    ),
    "one-player": (lambda h: h["players"].popitem(), "m.jsonl:1: .*two or more"),
    "no-facts": (lambda h: h.update(players={"a": 1, "b": 2}), "m.jsonl:1: .*facts by name"),
    "seed": (lambda h: h.update(seed=6), "m.jsonl:2: game 0: seed is"),
    "opening": (lambda h: h["openings"]["moves"].reverse(), "m.jsonl:2: game 0: the opening"),
    "opening-less": (lambda h: h["openings"]["moves"].pop(), "m.jsonl:1: its openings are not a list of 3"),
    "opening-nonsense": (lambda h: h["openings"].update(moves=["?"] * 3), "m.jsonl:1: opening 1: "),
    "openings-none": (lambda h: h["openings"].update(count=None), "m.jsonl:1: its openings are neither"),
    "openings-random": (
        lambda h: h.update(openings={"source": "random:3", "count": None, "digest": None}),
        "m.jsonl:2: game 0: the opening",
    ),
    "no-adjudication": (lambda h: h.update(adjudication=None), "m.jsonl:2: game 0: .*is told, but"),
    "adjudication": (lambda h: h["adjudication"].update(win_plies=-1), "m.jsonl:1: .*win_plies"),
    "length": (lambda h: h.update(length=4), "m.jsonl:2: game 0: it goes on after move 4"),
    "length-0": (lambda h: h.update(length=0), "m.jsonl:1: .*length"),
    "test": (lambda h: h.update(sprt={"elo0": float("nan"), "elo1": 1}), "m.jsonl:1: "),
    "games": (lambda h: h.update(games="many"), "m.jsonl:1: .*games"),
}


@pytest.mark.parametrize("edit", HEADERS)
def test_a_header_that_does_not_fit_its_games_is_refused(copied: Path, edit: str) -> None:
    header, games = header_of(copied), games_of(copied)
    change, words = HEADERS[edit]
    change(header)
    write(copied, header, games)
    before = copied.read_bytes()
    for reader in (lab.read_match, lab.Match.load, lab.report):
        with pytest.raises(FormatError, match=words):
            reader(copied)
    with pytest.raises(ValueError):
        play(copied, resume=True)
    assert copied.read_bytes() == before


@pytest.mark.parametrize("name", ["players", "games", "seed", "openings", "sprt", "adjudication", "length"])
def test_a_header_says_everything(copied: Path, name: str) -> None:
    header = header_of(copied)
    del header[name]
    with pytest.raises(FormatError, match=f"this is not the header of a match: KeyError.*{name}"):
        Terms.read(header)


def test_an_edited_game_stops_a_comparison(tmp_path: Path, capsys: Output) -> None:
    path = tmp_path / "m.jsonl"
    command = ["lab", "ab", "--set", "quiescence=0", "--level", "hard", "--nodes", "100", "--games", "2"]
    command += ["--vcf-nodes", "0", "--quiet", "--out", str(path)]
    assert cli.main(command) == 0
    header, games = header_of(path), games_of(path)
    write(path, header, [games[0] | {"winner": other_color(games[0])}, games[1]])
    before = path.read_bytes()
    capsys.readouterr()
    assert cli.main([*command, "--resume"]) == 2
    output = capsys.readouterr()
    assert (output.out, f"{path}:2: game {games[0]['number']}: " in output.err) == ("", True)
    assert path.read_bytes() == before


# Games that end by faults, by length, by fives and by forbidden points: played by a script


def test_every_end_is_refereed(scripted: tuple[dict[str, Any], list[GameRecord]]) -> None:
    header, games = scripted
    check_games("m", header, games)
    for game in games:
        for winner in (*Color, None):
            for reason in REASONS:
                if (winner, reason) == (game.winner, game.reason):
                    continue
                changed = json.loads(game_to_json(game)) | {"reason": reason}
                changed["winner"] = None if winner is None else winner.label
                if {reason, game.reason} <= FAULT_REASONS and winner is game.winner:
                    continue  # nobody but the referee saw what the program did
                with pytest.raises(FormatError, match=f"m:2: game {game.number}: "):
                    check_games("m", header, [game_from_json(json.dumps(changed))])


@pytest.mark.parametrize(
    ("number", "changes", "words"),
    [
        (2, {"fault": ""}, "the loser or the fault is not told"),
        (2, {"winner": "white"}, "white lost|black lost by crash, but it was the other one's turn"),
        (0, {"fault": "it fell"}, "and yet there is a fault"),
        (6, {"winner": "black"}, "a win of black by length is told, but by its moves a draw by length"),
        (
            8,
            {"reason": "five"},
            "a win of white by five is told, but by its moves a win of white by forbidden",
        ),
    ],
)
def test_faults_are_those_of_the_loser(
    scripted: tuple[dict[str, Any], list[GameRecord]], number: int, changes: dict[str, Any], words: str
) -> None:
    header, games = scripted
    changed = game_from_json(json.dumps(json.loads(game_to_json(games[number])) | changes))
    with pytest.raises(FormatError, match=words):
        check_games("m", header, [changed])


def test_our_engine_has_no_clock_and_no_process(
    scripted: tuple[dict[str, Any], list[GameRecord]],
) -> None:
    header, games = scripted
    ours = header | {"players": {"a": {"kind": "engine"}, "b": {"kind": "program"}}}
    failed = next(game for game in games if game.reason == "crash" and not game.plies)
    assert failed.black == "b"
    check_games("m", ours, [failed])
    ours = header | {"players": {"a": {"kind": "program"}, "b": {"kind": "engine"}}}
    with pytest.raises(FormatError, match="b lost by crash, which our own engine cannot"):
        check_games("m", ours, [failed])


# Any change


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The ways to everything in a JSON value, the containers included."""
    if path:
        yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield from leaves(item, (*path, key))


WORDS = [*PLAYERS, "a", "b", "black", "white", *REASONS, "h8", "H8", "A1", "pass", "", "search", "vcf", "x"]
NUMBERS = [0, 1, -1, 2, 225, -4, 99_995, 10**6, 10**20, 0.5, -0.5, float("nan"), float("inf")]


def changed_value(value: Any, rng: random.Random) -> Any:
    """Something else in the place of a value, often something that could stand there."""
    anything = [None, True, False, rng.choice(WORDS), rng.choice(NUMBERS), [], {}]
    if isinstance(value, bool) or value is None:
        return rng.choice([not value, *anything])
    if isinstance(value, int | float):
        return rng.choice([value + 1, value - 1, -value, 2 * value, value / 2, *NUMBERS, *anything])
    if isinstance(value, str):
        place = rng.randrange(len(value) + 1)
        letter = rng.choice("abho189 ")
        edits = [value[:place] + letter + value[place:], value[:place] + value[place + 1 :], value[:place]]
        edits += [value[:place] + letter + value[place + 1 :], value.upper(), value + value]
        return rng.choice([*edits, *WORDS, *anything])
    if isinstance(value, list) and value:
        place = rng.randrange(len(value))
        order = rng.sample(value, len(value))
        shorter = [value[:place] + value[place + 1 :], value[:place], value[place:]]
        return rng.choice([*shorter, [*value, value[place]], order, *anything])
    return rng.choice(anything)


def mutated(text: str, rng: random.Random) -> str:
    """The line of a game with one change: a value, a field less or a field more."""
    changed = json.loads(text)
    path = rng.choice(list(leaves(changed)))
    if rng.randrange(3):  # else mostly the many figures of the plies would be changed
        path = (rng.choice(list(changed)),)
    place = changed
    for key in path[:-1]:
        place = place[key]
    kind = rng.randrange(10)
    if kind == 0 and isinstance(place, dict):
        del place[path[-1]]
    elif kind == 1 and isinstance(place, dict):
        place[rng.choice(["winner", "win_in", "score", "fault", "extra", "number"])] = rng.choice(NUMBERS)
    else:
        place[path[-1]] = changed_value(place[path[-1]], rng)
    return json.dumps(changed)


def facts_of(games: list[GameRecord]) -> list[tuple[Any, ...]]:
    """All that a result depends on. What a program did wrong was seen by the referee alone."""
    names = ("number", "pair", "black", "white", "opening", "moves", "winner", "seed")
    facts = [tuple(getattr(game, name) for name in names) for game in games]
    ends = ["fault" if game.reason in FAULT_REASONS else game.reason for game in games]
    return [(*fact, end) for fact, end in zip(facts, ends, strict=True)]


def score_of(header: dict[str, Any], games: list[GameRecord]) -> dict[str, Any]:
    """What is told of a match, but for the words about faults."""
    facts = lab.Match.of_file("m", header, games).to_dict()
    return {name: value for name, value in facts.items() if name not in ("reasons", "faults")}


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.slow
def test_whatever_is_changed_is_refused_or_changes_no_result(
    whole: Path, scripted: tuple[dict[str, Any], list[GameRecord]], seed: int
) -> None:
    rng = random.Random(seed)
    matches = [(*match, list(map(game_to_json, match[1]))) for match in (read_match(whole), scripted)]
    refusals = free = 0
    for _ in range(250):
        header, games, lines = rng.choice(matches)
        place = rng.randrange(len(games))
        text = mutated(lines[place], rng)
        try:
            changed = [*games[:place], game_from_json(text), *games[place + 1 :]]
            check_games("m", header, changed)
        except FormatError:
            refusals += 1
            continue
        free += 1
        assert facts_of(changed) == facts_of(games), text
        assert score_of(header, changed) == score_of(header, games), text
    assert refusals > 125
    assert free > 10  # times and the like may be anything that they could be
