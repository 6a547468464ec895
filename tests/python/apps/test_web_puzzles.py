"""What the server of `renju board` answers to the puzzle page: puzzles, and what a tried move is worth."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from renju import Limit, Point, puzzles
from renju.puzzles import Puzzle
from renju.web.puzzles import AttemptSearch, set_facts
from support.processes import RENJU
from support.waiting import PATIENCE_S
from support.web_site import Answer, Site, running_site
from support.web_site import site as site

SAMPLES = puzzles.samples()
WINS = [puzzle for puzzle in SAMPLES if puzzle.kind != "defence"]
DEFENCES = [puzzle for puzzle in SAMPLES if puzzle.kind == "defence"]


def one_of(kind: str) -> Puzzle:
    """The first puzzle of a kind."""
    return next(puzzle for puzzle in SAMPLES if puzzle.kind == kind)


def request_of(puzzle: Puzzle, point: object, moves: str = "", **more: Any) -> dict[str, Any]:
    black, white = ([str(point) for point in points] for points in (puzzle.black, puzzle.white))
    setup = {"black": black, "white": white, "turn": puzzle.turn.label}
    threat_limit = 1 if puzzle.proof is None else puzzle.proof.threat_limit
    asked = {"setup": setup, "moves": moves, "kind": puzzle.kind, "threat_limit": threat_limit}
    return {**asked, "point": str(point), **more}


def attempt(site: Site, puzzle: Puzzle, point: object, moves: str = "", **more: Any) -> dict[str, Any]:
    lines = site.ask("attempt", request_of(puzzle, point, moves, **more)).lines
    assert [line["type"] for line in lines] == ["result"]
    return lines[0]


def load(site: Site, data: bytes, name: str = "mine.jsonl") -> Answer:
    return site.request("POST", f"/api/load-puzzles?name={quote(name)}", data)


def lines_of(*chosen: Puzzle) -> bytes:
    return "".join(f"{puzzle.to_json()}\n" for puzzle in chosen).encode()


WITH_INFINITY = lines_of(SAMPLES[0]).replace(b'"difficulty":0', b'"difficulty":Infinity')


# Puzzles


def test_the_shipped_puzzles_are_told(site: Site) -> None:
    found = site.ask("puzzles", {}).data
    assert (found["name"], found["count"], found["problems"]) == ("", len(SAMPLES), [])
    for told, puzzle in zip(found["puzzles"], SAMPLES, strict=True):
        data = puzzle.to_dict()
        same = ("id", "kind", "turn", "black", "white", "solution", "line", "depth", "difficulty", "themes")
        assert {name: told[name] for name in same} == {name: data[name] for name in same}
        assert {point: list(loss.values()) for point, loss in told["losses"].items()} == data["losses"]
        if puzzle.proof is None:
            assert told["lines"] == []
        else:
            # The first line is the one of longest resistance, with which the page answers.
            assert told["lines"][0] == {"from": 0, "moves": data["line"], "threat": False}
            assert not told["more"]


def test_puzzles_of_the_start() -> None:
    with running_site(puzzles=SAMPLES[3:5]) as site:
        found = site.ask("puzzles", {}).data
    assert [told["id"] for told in found["puzzles"]] == [puzzle.id for puzzle in SAMPLES[3:5]]


def test_a_file_is_read(site: Site) -> None:
    found = load(site, lines_of(*SAMPLES[:4]), "folder/mine.jsonl").data
    assert found["name"] == "folder/mine.jsonl"
    assert found["puzzles"] == site.ask("puzzles", {}).data["puzzles"][:4]


def test_a_proof_that_does_not_hold_is_left_out(site: Site) -> None:
    good, bad = WINS[:2]
    data = bad.to_dict()
    data["solution"] = data["line"][1]
    found = load(site, lines_of(good) + json.dumps(data).encode()).data
    assert [told["id"] for told in found["puzzles"]] == [good.id]
    assert found["problems"] == [f"puzzle {bad.id}: the proof does not hold: another start; it is left out"]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "mine.jsonl: there is no puzzle in it"),
        (b"\n{}\n", "mine.jsonl:2: this is no renju puzzle"),
        (lines_of(SAMPLES[0]) + b"nonsense", "mine.jsonl:2: no JSON"),
        (b"\xff\xfe", "mine.jsonl:1: "),
        (WITH_INFINITY, "mine.jsonl:1: this is no renju puzzle: OverflowError"),
    ],
)
def test_what_is_wrong_in_a_file_is_named(site: Site, data: bytes, message: str) -> None:
    answer = load(site, data)
    assert (answer.status, answer.error) == (400, "format")
    assert message in answer.data["error"]["message"]


def test_a_file_may_be_too_large(site: Site) -> None:
    answer = load(site, b" " * (2 << 20) + b" ")
    assert (answer.status, answer.error) == (413, "too-large")


def test_a_large_file_is_cut_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("renju.web.puzzles.MOST_PUZZLES", 2)
    found = set_facts(SAMPLES[:3], "many")
    assert (len(found["puzzles"]), found["count"]) == (2, 3)
    assert found["problems"] == ["the file has 3 puzzles: the first 2 are shown"]


def test_the_command_names_a_file_it_cannot_read(tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    path.write_text("{}\n", "utf-8")
    command = [*RENJU, "board", "--no-open", "--port", "0", "--puzzles", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"renju: {path}:1: this is no renju puzzle\n"


# Tried moves


@pytest.mark.slow
@pytest.mark.parametrize("puzzle", SAMPLES, ids=lambda puzzle: puzzle.id)
def test_the_solution_holds(site: Site, puzzle: Puzzle) -> None:
    found = attempt(site, puzzle, puzzle.solution)
    assert found["verdict"] == "holds"
    if puzzle.proof is not None:
        assert found["proof"]["verified"] is True
        assert found["proof"]["first"] == str(puzzle.solution)


@pytest.mark.slow
@pytest.mark.parametrize("puzzle", WINS[::4], ids=lambda puzzle: puzzle.id)
def test_other_attacks_fail_with_the_defence_that_breaks_them(site: Site, puzzle: Puzzle) -> None:
    board = puzzle.board()
    threats = board.threats()
    attacks = [point for point in sorted(threats.fours | threats.open_fours) if point != puzzle.solution]
    for point in [*attacks[:4], Point("O15"), Point("A1")]:
        if point in board.stones or board.forbidden_kind(point):
            continue
        found = attempt(site, puzzle, point)
        assert found["verdict"] == "fails"
        why = found["proof"]["refutation"]
        assert why["line"][0] == str(point)
        after = board.copy()
        for move in why["line"]:
            after.push(move)  # the line can be played


@pytest.mark.parametrize("puzzle", DEFENCES[:3], ids=lambda puzzle: puzzle.id)
def test_a_move_that_does_not_defend_loses_to_a_verified_win(site: Site, puzzle: Puzzle) -> None:
    for point in list(puzzle.losses)[::40]:
        found = attempt(site, puzzle, point)
        assert (found["verdict"], found["proof"]["verified"]) == ("fails", True)
        after = puzzle.board()
        after.push(point)
        assert found["proof"]["color"] == puzzle.turn.opponent.label
        for move in found["proof"]["line"]:
            after.push(move)  # the line can be played


def test_a_limit_that_comes_first_is_no_verdict(site: Site) -> None:
    hard = next(puzzle for puzzle in WINS if puzzle.kind == "vct" and puzzle.difficulty >= 7)
    found = attempt(site, hard, hard.solution, nodes=1)
    assert (found["verdict"], found["proof"]["limit_hit"]) == ("open", "nodes")
    defence = DEFENCES[-1]
    assert attempt(site, defence, defence.solution, nodes=1)["verdict"] == "open"


def test_a_stop_is_no_verdict() -> None:
    # A search that takes more than 30,000 positions: shorter ones end before they look for a stop.
    puzzle = next(puzzle for puzzle in SAMPLES if puzzle.id == "3ea8c2e37389b2cb")
    search = AttemptSearch(puzzle.board(), "vct", Point("A1"), Limit(nodes=10**6), 3)
    search.stop()
    told: list[dict[str, Any]] = []
    search.run(told.append)
    assert (told[0]["verdict"], told[0]["proof"]["limit_hit"]) == ("open", "stop")


def test_a_win_of_another_kind_is_a_win(site: Site) -> None:
    # After the first stone of a Mise-VCF the rest is won by fours; a task of another kind takes them, too.
    puzzle = one_of("mise-vcf")
    assert puzzle.proof is not None
    first, reply, second = puzzle.proof.line[:3]
    found = attempt(site, puzzle, second, f"{first} {reply}")
    assert (found["verdict"], found["proof"]["kind"]) == ("holds", "vcf")
    assert found["proof"]["line"][0] == str(second)


@pytest.mark.parametrize(
    ("black", "white", "point", "verdict", "reason"),
    [
        ("f8 g8 h8 i8", "a1 a3 a5 a7", "j8", "holds", "five"),
        ("f8 g8 h9 h10", "a1 a3 a5 a7", "h8", "fails", "forbidden"),
    ],
)
def test_moves_that_end_the_game(
    site: Site, black: str, white: str, point: str, verdict: str, reason: str
) -> None:
    setup = {"black": black.upper().split(), "white": white.upper().split(), "turn": "black"}
    found = site.ask("attempt", {"setup": setup, "kind": "vcf", "point": point}).lines[-1]
    assert found == {"type": "result", "verdict": verdict, "proof": None, "over": reason}


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"point": "z9"}, "notation"),
        ({"point": None}, "notation"),
        ({"point": str(one_of("vcf").black[0])}, "illegal-move"),
        ({"kind": "best"}, "request"),
    ],
)
def test_what_cannot_be_tried(site: Site, fields: dict[str, Any], code: str) -> None:
    answer = site.ask("attempt", request_of(one_of("vcf"), "a1") | fields)
    assert (answer.status, answer.error) == (400, code)


def test_nothing_is_tried_after_the_end(site: Site) -> None:
    over = {"moves": "f8 a1 g8 a3 h8 a5 i8 a7 j8", "kind": "vcf", "point": "a9"}
    assert site.ask("attempt", over).error == "engine"
