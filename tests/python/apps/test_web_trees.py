"""Trees of games, pasted moves and the opening book in the answers of the page's server."""

from __future__ import annotations

from typing import Any

import pytest

from renju import Board, Game, Point, book, io
from renju.game import GameNode
from renju.web.pasted import plain_moves
from renju.web.trees import MOST_NODES, fill_tree, tree_facts
from support.web_site import Answer, Site
from support.web_site import site as site


def load(site: Site, data: bytes, name: str) -> Answer:
    return site.request("POST", f"/api/load?name={name}", data, Content_Type="application/octet-stream")


def facts_of(node: GameNode) -> Any:
    return [
        node.move,
        node.color,
        node.comment,
        node.labels,
        node.properties,
        list(map(facts_of, node.children)),
    ]


SGF = (
    "(;GM[4]FF[4]SZ[15]C[root \\] text]KM[0];B[hh](;W[ig]LB[aa:A]TR[bb]BL[12];C[no move];B[gi])"
    "(;W[hg]C[two\nlines](;B[ii])(;B[jj])))"
)


@pytest.mark.parametrize("form", ["sgf", "lib"])
def test_a_tree_comes_back_as_it_was(site: Site, form: str) -> None:
    game = io.loads(SGF, "sgf")[0]
    written = io.dumps(game, form)
    data = written if isinstance(written, bytes) else written.encode()
    facts = load(site, data, f"x.{form}").data["games"][0]
    assert facts["problems"] == []
    saved = site.ask("save", {**facts, "format": form})
    assert saved.status == 200, saved.body
    before, after = io.loads(data, form)[0], io.loads(saved.body, form)[0]
    assert facts_of(after.root) == facts_of(before.root)
    assert after.headers == before.headers
    assert len(before.variations) == 1


@pytest.mark.parametrize(
    ("tree", "what"),
    [
        ([], "begins with the root"),
        ("x", "begins with the root"),
        ([3], "a node is an object"),
        ([{}, {"parent": 1, "move": "h8"}], "below 1"),
        ([{}, {"move": "h8"}], "below 1"),
        ([{}, {"parent": 0, "move": "z99"}], "node 1: "),
        ([{}, {"parent": 0, "mvoe": "h8"}], "did you mean"),
        ([{"properties": {"A": "x"}}], "list of texts"),
        ([{"labels": {"q7": "x"}}], "node 0: "),
        ([{}] * (MOST_NODES + 1), "more than"),
    ],
)
def test_a_tree_that_is_none_is_refused(site: Site, tree: Any, what: str) -> None:
    answer = site.ask("save", {"tree": tree, "format": "sgf"})
    assert answer.status == 400
    assert what in answer.data["error"]["message"]


def test_a_tree_that_is_too_large_shows_its_main_line() -> None:
    game = Game.from_moves("h8 i9")
    for _ in range(MOST_NODES):
        game.root.add("a1")
    assert tree_facts(game) is None
    from renju.web.games import game_facts

    facts = game_facts(game)
    assert facts["moves"] == ["H8", "I9"]
    assert "only its main line is shown" in facts["problems"][-1]


def test_deep_trees_need_no_stack() -> None:
    game = Game()
    node = game.root
    for number in range(20_000):
        node = node.add("pass" if number else "h8")
    facts = tree_facts(game)
    assert facts is not None
    other = Game()
    from renju._request import Object

    fill_tree(other, [Object(row) for row in facts])
    assert len(list(other.root.walk())) == 20_001


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("1. h8 2. i9 3. g7", "h8 i9 g7"),
        ("1.h8 i9 2.g7 pass", "h8 i9 g7 pass"),
        ("1) H8 2) I9", "H8 I9"),
        ("1 h8 2 i9", "h8 i9"),
        ("8,8 9,9", "h8 i9"),
        ("(8,8),(9,9)", "h8 i9"),
        ("1. 8,8 2. 9,9", "h8 i9"),
        ("0,0 14,14", "a1 o15"),
        ("１．ｈ８　２．ｉ９", "h8 i9"),
    ],
)
def test_spellings_of_moves(text: str, moves: str) -> None:
    assert Board(plain_moves(text)).moves == Board(moves).moves


@pytest.mark.parametrize("text", ["16,1 2,2", "h8 i9", "8,8 and more", "1997-05-11", "", "x" * 200_000])
def test_what_is_no_other_spelling_stays(text: str) -> None:
    assert plain_moves(text) == text


def test_links_are_read(site: Site) -> None:
    for link in (
        "https://gomocalc.com/#/h8i9g7",
        "https://renju-note.com/#g:h8i9g7,c:3",
        "http://127.0.0.1:1/#h8i9g7",
    ):
        assert load(site, link.encode(), "").data["games"][0]["moves"] == ["H8", "I9", "G7"]


def test_the_book_is_told(site: Site) -> None:
    rows = site.ask("book", {"moves": "h8 h9 i9"}).data["moves"]
    known = book.load().moves(Board("h8 h9 i9"))
    assert [row["move"] for row in rows] == [str(move.move) for move in known]
    assert sum(row["share"] for row in rows) == pytest.approx(1)
    assert site.ask("book", {"moves": "a1 b2"}).data == {"moves": []}


def test_candidates_have_chances_and_the_shortest_win_is_first(site: Site) -> None:
    # Black has two open threes: many moves win, some sooner than others.
    moves = "h8 a1 h9 a3 h10 c1 i8 c3 j8 e1 g7 e3"
    result = site.ask("analyse", {"moves": moves, "nodes": 30_000, "threads": 99}).lines[-1]
    scores = [row["score"] for row in result["candidates"]]
    assert scores == sorted(scores, reverse=True)
    assert result["candidates"][0]["win_rate"] == [1.0, 0.0, 0.0]
    assert all(sum(row["win_rate"]) == pytest.approx(1) for row in result["candidates"])


def test_a_review_tells_moves_as_it_goes(site: Site) -> None:
    moves = "h8 a1 h9 c1 h10 e1 h11 h12 h7"
    *progress, result = site.ask("review", {"moves": moves, "nodes": 3_000}).lines
    told = {row["number"]: row["move"] for line in progress for row in line["moves"]}
    assert [told[number] for number in sorted(told)] == [row["move"] for row in result["moves"]]
    assert len(result["win_rates"]) == len(moves.split()) + 1
    assert all(
        Point(row["best"]) is not None and sum(row["best_rate"]) == pytest.approx(1)
        for row in result["moves"]
    )


def test_a_refutation_is_told(site: Site) -> None:
    setup = {"black": ["F8", "G8", "H8"], "white": ["A1", "A3"], "turn": "black"}
    asked = {"setup": setup, "moves": "", "kind": "vcf", "color": "black", "why": True}
    result = site.ask("solve", {**asked, "first": "d8"}).lines[-1]
    assert result["status"] == "refuted"
    why = result["refutation"]
    assert (why["kind"], why["move"], why["line"]) == ("block", "E8", ["D8", "E8"])
    assert site.ask("solve", {**asked, "first": "i8"}).lines[-1]["status"] == "proved"
    assert site.ask("solve", {**asked, "first": "z8"}).status == 400
