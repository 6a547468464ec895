"""What the server of `renju board` answers: positions, moves, proofs, files."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from threading import Event
from urllib.parse import quote

import pytest

import renju
from renju import BLACK, Board, Limit, Point, io
from renju.web import japanese
from renju.web import searches as web_searches
from support.positions import DOUBLE_THREE, MISE, PLAY_ON
from support.waiting import PATIENCE_S, wait_until
from support.web_site import Answer, Site
from support.web_site import site as site

QUIET = "h8 i9 i7 g9"


# Positions


def test_facts_of_a_position(site: Site) -> None:
    facts = site.ask("position", {"moves": DOUBLE_THREE}).data
    board = Board(DOUBLE_THREE)
    assert facts["moves"] == [str(move) for move in board.moves]
    assert {stone["point"]: stone["color"] for stone in facts["stones"]} == {
        str(point): color.label for point, color in board.stones.items()
    }
    assert {stone["number"]: stone["point"] for stone in facts["stones"]}[5] == "H9"
    assert (facts["turn"], facts["outcome"], facts["opening"]) == ("black", None, None)
    assert facts["forbidden"] == {"H8": "double-three"}
    assert facts["threats"]["black"]["threes"] == sorted(
        map(str, board.threats(BLACK).threes), key=lambda name: Point(name)
    )


def test_facts_of_an_end(site: Site) -> None:
    facts = site.ask("position", {"moves": ["f8", "a1", "g8", "a3", "h8", "a5", "i8", "a7", "j8"]}).data
    assert facts["outcome"] == {
        "winner": "black",
        "reason": "five",
        "line": ["F8", "G8", "H8", "I8", "J8"],
    }
    assert site.ask("position", {"moves": "h8 h9 i9"}).data["opening"] == {
        "code": "D4",
        "romaji": "Kagetsu",
        "kanji": "花月",
        "english": "Flower Moon",
    }


def test_facts_of_a_set_up(site: Site) -> None:
    setup = {"black": ["F8", "G8", "H9", "H10"], "white": ["A1"], "turn": "black"}
    facts = site.ask("position", {"setup": setup, "moves": "h8"}).data
    assert facts["outcome"]["reason"] == "forbidden"
    assert [stone["number"] for stone in facts["stones"] if stone["point"] in ("F8", "H8")] == [None, 1]


def test_a_record_may_go_on_after_its_end(site: Site) -> None:
    facts = site.ask("position", {"moves": PLAY_ON, "goes_on": True}).data
    assert len(facts["stones"]) == 11
    before = " ".join(PLAY_ON.split()[:9])
    assert site.ask("position", {"moves": before, "goes_on": True}).data["outcome"]["winner"] == "black"


def test_why_a_point_is_forbidden(site: Site) -> None:
    why = site.ask("explain", {"moves": DOUBLE_THREE, "point": "h8"}).data
    assert why["kind"] == "double-three"
    assert why["texts"]["en"] == str(Board(DOUBLE_THREE).explain_forbidden("h8"))
    assert why["texts"]["ja"].splitlines()[0] == "H8は禁点です：三三"
    assert [line["stones"] for line in why["lines"]] == [["F8", "G8", "H8"], ["H8", "H9", "H10"]]
    allowed = site.ask("explain", {"moves": DOUBLE_THREE, "point": "o15"}).data
    assert (allowed["kind"], allowed["texts"]["ja"]) == (None, "O15は禁点ではありません")


@pytest.mark.slow
def test_japanese_has_a_word_for_everything() -> None:
    # Crowded boards, where every shape and kind and fake three comes up.
    numbers = random.Random(4)
    shapes, kinds, fakes = set(), set(), 0
    for _ in range(60):
        points = numbers.sample(range(225), 90)
        board = Board.from_stones(map(Point, points[:60]), map(Point, points[60:]), turn=BLACK)
        for index in set(range(225)) - set(points):
            why = board.explain_forbidden(index)
            text = japanese.explanation_text(why)
            assert not re.search(r"[a-z]", text), text
            assert text.count("\n") == str(why).count("\n")
            shapes |= {line.shape for line in why.lines}
            kinds.add(why.kind)
            fakes += len(why.fake_threes)
    assert shapes == set(japanese.SHAPES)
    assert len(kinds) == 4
    assert fakes > 0


# Searches


@pytest.mark.parametrize("level", renju.engine.LEVELS)
def test_every_level_plays(site: Site, level: str) -> None:
    data = {"moves": QUIET, "level": level, "nodes": 2000, "seed": 7}
    answer = site.ask("play", data)
    assert answer.headers["content-type"] == "application/x-ndjson"
    *progress, result = answer.lines
    assert {line["type"] for line in progress} <= {"progress"}
    assert result["type"] == "result"
    assert Board(QUIET).is_legal(result["move"])
    engine = renju.Engine(level, seed=7)
    assert result["move"] == str(engine.best_move(Board(QUIET), Limit(nodes=2000, time=60)).move)


def test_the_engine_opens_as_it_does_elsewhere(site: Site) -> None:
    result = site.ask("play", {"moves": ""}).lines[-1]
    assert (result["move"], result["source"]) == ("H8", "opening")


def test_who_cannot_move_passes(site: Site) -> None:
    cells = {(x, y): (x + 2 * y) % 4 < 2 for x in range(15) for y in range(15)}
    cells |= {(x, 7): 3 < x < 11 for x in range(3, 12)}
    del cells[7, 7]
    black = [Point(cell).name for cell, is_black in cells.items() if is_black]
    white = [Point(cell).name for cell, is_black in cells.items() if not is_black]
    setup = {"black": black, "white": white, "turn": "black"}
    board = Board.from_stones(setup["black"], setup["white"], turn=BLACK)
    assert (board.outcome, board.legal_moves) == (None, ())
    assert site.ask("play", {"setup": setup}).lines[-1]["move"] == "pass"


def test_analysis_tells_every_depth(site: Site) -> None:
    data = {"moves": QUIET, "multipv": 3, "nodes": 20_000}
    *progress, result = site.ask("analyse", data).lines
    depths = [line["depth"] for line in progress]
    assert depths == list(range(1, len(depths) + 1))
    assert len(depths) > 2
    assert all(len(line["candidates"]) == 3 for line in progress)
    assert {candidate["move"] for candidate in result["candidates"]} <= set(
        map(str, Board(QUIET).legal_moves)
    )


def test_analysis_comes_while_it_runs_and_ends_when_nobody_listens(site: Site) -> None:
    with site.stream("analyse", {"moves": QUIET, "time": 500, "tab": "a"}) as response:
        assert json.loads(response.readline())["depth"] == 1
        assert site.searches.count == 1
    wait_until(lambda: site.searches.count == 0)


@pytest.mark.parametrize("name", ["play", "solve"])
def test_a_quiet_search_ends_when_nobody_waits(
    site: Site, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    stopped = _blocking(monkeypatch)
    body = json.dumps({"moves": QUIET, "kind": "vct", "level": "master"}).encode()
    connection = site.connect("POST", f"/api/{name}", body, {"Content-Type": "application/json"})
    wait_until(lambda: site.searches.count == 1)
    connection.close()
    wait_until(lambda: site.searches.count == 0)
    assert stopped


def _blocking(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Searches tell nothing until they are stopped; returns those that were."""
    stopped: list[object] = []

    class Blocking:
        def __init__(self, *arguments: object, **options: object) -> None:
            self._event = Event()

        def run(self, emit: web_searches.Emit) -> None:
            assert self._event.wait(PATIENCE_S)
            emit({"type": "result", "move": "H8"})

        def stop(self) -> None:
            if not self._event.is_set():
                stopped.append(self)
            self._event.set()

    for name in ("EngineSearch", "ProofSearch"):
        monkeypatch.setattr(f"renju.web.app.{name}", Blocking)
    return stopped


def test_a_tab_has_one_search(site: Site) -> None:
    with site.stream("analyse", {"moves": QUIET, "time": 500, "tab": "t"}) as old:
        old.readline()
        new = site.ask("play", {"moves": QUIET, "nodes": 1000, "tab": "t"}).lines[-1]
        assert new["type"] == "result"
        last = json.loads(old.read().splitlines()[-1])
        assert (last["type"], last["interrupted"]) == ("result", True)


def test_a_search_is_stopped_and_tells_what_it_has(site: Site) -> None:
    with site.stream("analyse", {"moves": QUIET, "time": 500, "tab": "now"}) as response:
        response.readline()
        assert site.ask("stop", {"tab": "other"}).data == {"stopped": 0}
        assert site.ask("stop", {"tab": ""}).data == {"stopped": 0}
        assert site.ask("stop", {"tab": "now"}).data == {"stopped": 1}
        result = json.loads(response.read().splitlines()[-1])
    assert Board(QUIET).is_legal(result["move"])


@pytest.mark.slow
def test_no_more_searches_than_allowed(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web_searches, "_MOST_WAIT", 0.2)
    data = {"moves": QUIET, "time": 500}
    first, second = (site.stream("analyse", {**data, "tab": tab}) for tab in ("1", "2"))
    with first as one, second as two:
        one.readline()
        two.readline()
        for name in ("analyse", "play", "solve", "save"):
            answer = site.ask(name, {"moves": QUIET, "tab": "3"})
            assert (answer.status, answer.error) == (503, "busy")
        assert site.ask("position", {"moves": QUIET}).status == 200  # what is quick is still answered
    wait_until(lambda: site.searches.count == 0)
    assert site.ask("play", {"moves": QUIET, "nodes": 100}).status == 200


# Forced wins


@pytest.mark.parametrize("kind", ["vcf", "mise-vcf", "vct"])
def test_a_win_is_proved_and_every_line_wins(site: Site, kind: str) -> None:
    result = site.ask("solve", {"moves": MISE, "kind": kind}).lines[-1]
    expected = renju.solve(Board(MISE), kind)
    assert result["status"] == expected.status
    if not expected:
        assert (result["exhausted"], result["lines"]) == (expected.exhausted, [])
        return
    assert (result["verified"], result["depth"]) == (True, expected.depth)
    assert result["lines"][0]["moves"] == result["line"] == [str(point) for point in expected.line]
    told = set()
    for line in result["lines"]:
        moves = line["moves"]
        if line["from"]:
            assert tuple(moves[: line["from"]]) in told  # it leaves a line that was told
        told |= {tuple(moves[:count]) for count in range(len(moves) + 1)}
        board = Board(MISE)
        for move in moves:
            assert board.push(move) is None
        # What the last stone threatens cannot be met by one stone: a five or a straight four is next.
        next_ones = board.threats(BLACK)
        assert next_ones.fives or next_ones.open_fours or line["threat"]


def test_a_win_of_either_colour(site: Site) -> None:
    moves = "h8 g6 f6 g5 f7 g4 h7 g3 g2 a1"
    black = site.ask("solve", {"moves": moves, "color": "black"}).lines[-1]
    white = site.ask("solve", {"moves": moves, "color": "white"}).lines[-1]
    assert (black["status"], black["exhausted"], black["verified"]) == ("refuted", True, None)
    assert (white["status"], white["first"], white["verified"]) == ("proved", "G7", True)


def test_a_limit_is_no_no(site: Site) -> None:
    result = site.ask("solve", {"moves": MISE, "kind": "vct", "nodes": 2}).lines[-1]
    assert (result["status"], result["limit_hit"], result["verified"]) == ("unknown", "nodes", None)


def test_lines_are_bounded(site: Site) -> None:
    data = {"moves": MISE, "kind": "vct"}
    every = site.ask("solve", data).lines[-1]
    few = site.ask("solve", {**data, "lines": 3}).lines[-1]
    assert every["more"] is False
    assert few["more"] is True
    assert few["lines"] == every["lines"][:3]


# Reviews

BLUNDER = "h8 a1 h9 c1 h10 e1 h11 h12 h7"  # white's E1 leaves an open three alone


def test_a_review(site: Site) -> None:
    *progress, result = site.ask("review", {"moves": BLUNDER, "nodes": 20_000}).lines
    assert [line["type"] for line in progress] == ["progress"] * len(progress)
    assert progress[-1]["done"] == progress[-1]["total"]
    assert [row["move"] for row in result["moves"]] == BLUNDER.upper().split()
    worst = result["moves"][5]
    assert (worst["move"], worst["quality"], worst["allowed"]["verified"]) == ("E1", "blunder", True)
    assert result["turning_point"]["number"] == 6
    assert (result["accuracy"]["black"], result["interrupted"]) == (1.0, False)


@pytest.mark.slow
def test_a_review_ends_when_nobody_waits(site: Site) -> None:
    with site.stream("review", {"moves": f"{QUIET} j8 h10 k8", "level": "master", "time": 10}) as response:
        response.readline()
    wait_until(lambda: site.searches.count == 0)


# Files


def load(site: Site, data: bytes, name: str) -> Answer:
    return site.request(
        "POST", f"/api/load?name={quote(name)}", data, Content_Type="application/octet-stream"
    )


@pytest.mark.parametrize("form", ["sgf", "psq", "lib", "txt"])
def test_save_and_load(site: Site, form: str) -> None:
    moves = ["H8", "I9", "G7", "I7"]
    record = {"moves": moves, "headers": {"black": "安", "white": "Bo"}, "comments": {"2": "why?"}}
    saved = site.ask("save", {**record, "format": form})
    assert saved.headers["content-disposition"] == f'attachment; filename="renju.{form}"'
    assert [str(move) for move in io.loads(saved.body, form)[0].moves] == moves
    game = load(site, saved.body, f"x.{form}").data["games"][0]
    assert (game["moves"], game["problems"], game["setup"]) == (moves, [], None)
    if "headers" in io.FORMATS[form].holds:
        assert (game["headers"]["black"], game["headers"]["white"]) == ("安", "Bo")
    if "comments" in io.FORMATS[form].holds:
        assert game["comments"] == {"2": "why?"}


def test_save_a_set_up(site: Site) -> None:
    setup = {"black": ["F8", "G8"], "white": ["A1"], "turn": "white"}
    saved = site.ask("save", {"setup": setup, "moves": "b2", "format": "sgf"})
    game = load(site, saved.body, "x.sgf").data["games"][0]
    assert (game["setup"], game["moves"]) == (setup, ["B2"])
    refused = site.ask("save", {"setup": setup, "moves": "b2", "format": "psq"})
    assert (refused.status, refused.error) == (400, "format")


def test_a_finished_game_is_saved_with_its_result(site: Site) -> None:
    saved = site.ask("save", {"moves": DOUBLE_THREE + " h8"})
    assert io.loads(saved.body, "sgf")[0].result == "0-1"


def test_problems_of_a_file_are_told(site: Site) -> None:
    answer = load(site, b"(;GM[4]SZ[15];B[hh];W[hh];B[gg])", "x.sgf")
    game = answer.data["games"][0]
    assert game["moves"] == ["H8"]
    assert any("occupied" in problem for problem in game["problems"])


def test_a_file_of_many_games(site: Site) -> None:
    text = "\n".join(f"h8 i9 {Point((x % 7, x // 7))}" for x in range(42)) * 6
    answer = load(site, text.encode(), "many.txt").data
    assert (len(answer["games"]), answer["count"]) == (200, len(io.loads(text, "txt")))
    assert answer["count"] > 200


@pytest.mark.parametrize(
    ("data", "name", "moves"),
    [
        (b"h8i9g7", "", ["H8", "I9", "G7"]),
        (b"  (;GM[4]SZ[15];B[hh])", "", ["H8"]),
        (b"(;GM[4]SZ[15];B[hh])", "C:\\games\\a.sgf", ["H8"]),
        (b"(;GM[4]SZ[15];B[hh])", "../../a.unknown", ["H8"]),
        (b"(;GM[4]SZ[15];B[hh])", "a." + "\u9023" * 190, ["H8"]),  # longer than a file's name can be
        (b"(;GM[4]SZ[15];B[hh])", "a.\0b", ["H8"]),
    ],
)  # fmt: skip
def test_the_format_is_told_by_name_or_beginning(
    site: Site, data: bytes, name: str, moves: list[str]
) -> None:
    assert load(site, data, name).data["games"][0]["moves"] == moves


@pytest.mark.parametrize("name", ["x.db", "x.exe", "x.sgf", ""])
def test_what_is_no_game_is_refused(site: Site, name: str) -> None:
    answer = load(site, b"\x00\x01 nothing", name)
    assert (answer.status, answer.error) == (400, "format")
    assert "/tmp" not in answer.data["error"]["message"]


def test_a_name_is_never_looked_up_here(site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # A file of that name is here and would tell another format.
    (tmp_path / "game.dat").write_bytes(b"\xffRenLib\xff")
    (tmp_path / "x.dat").write_bytes(b"\xffRenLib\xff")
    monkeypatch.chdir(tmp_path)
    assert load(site, b"(;GM[4]SZ[15];B[hh])", "x.dat").data["games"][0]["moves"] == ["H8"]
    assert load(site, b"nothing", str(tmp_path / "x.dat")).error == "format"


def test_a_loaded_record_that_goes_on(site: Site) -> None:
    game = load(site, PLAY_ON.encode(), "x.txt").data["games"][0]
    assert game["goes_on"] is True
    assert site.ask("position", game).status == 200
