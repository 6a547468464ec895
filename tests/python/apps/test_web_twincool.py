"""What the server of `renju board` answers at the table of Twin Cool: games and advice."""

from __future__ import annotations

import json
from typing import Any

import pytest

from renju.ismcts import Card, GameState, IsMcts, Move, ObservableState
from renju.web.twincool import AdviceSearch
from support.waiting import wait_until
from support.web_site import Site
from support.web_site import site as site

HAND = "A1 A2 B7 C7 H10"


def facts_of(site: Site, **request: Any) -> dict[str, Any]:
    answer = site.ask("twincool", request)
    assert answer.status == 200, answer.data
    return answer.data


def spelled(move: Move) -> str:
    return f"{move.card} {move.pile + 1}"


def texts(cards: Any) -> list[str]:
    return [str(card) for card in cards]


# Games


@pytest.mark.parametrize("seed", [0, 7, 2**53])
def test_a_dealt_game_from_its_first_to_its_last_move(site: Site, seed: int) -> None:
    game, plays = GameState.deal(seed), []
    while True:
        facts = facts_of(site, seed=seed, plays=plays)
        assert facts["hand"] == texts(game.hand)
        assert facts["piles"] == [texts(pile) for pile in game.piles]
        assert facts["moves"] == [spelled(move) for move in game.moves()]
        assert (facts["deck"], facts["played"]) == (len(game.deck), len(plays))
        assert (facts["points"], facts["score"]) == (game.points, game.score)
        # Nobody is told what is in the deck and what was removed.
        assert set(facts["unseen"]) == set(texts((*game.deck, *game.deck.removed)))
        assert facts["is_over"] == (not game.moves())
        if facts["is_over"]:
            break
        move = game.moves()[-1]
        drawn, points = game.deck.next, game.points
        game.play(move)
        plays.append(spelled(move))
        last = facts_of(site, seed=seed, plays=plays)["history"][-1]
        assert last == {"move": spelled(move), "drawn": str(drawn), "points": game.points - points}
    assert len(plays) >= 2


def test_cards_on_a_table_are_told(site: Site) -> None:
    start = {"hand": HAND}
    assert facts_of(site, **start)["moves"] == [f"{card} 1" for card in HAND.split()]
    waiting = facts_of(site, **start, plays=["C7 1"])
    assert waiting["pending"] == "C7 1"
    assert (waiting["hand"], waiting["piles"]) == (["A1", "A2", "B7", "H10"], [["C7"], []])
    assert (waiting["moves"], waiting["is_over"]) == ([], False)
    assert "D7" in waiting["unseen"]
    facts = facts_of(site, **start, plays=["c7 1 d7", "D7 1 D9"])
    known = ObservableState.first(map(Card.parse, HAND.split()))
    known = known.after(Move.parse("C7 1"), Card.parse("D7")).after(Move.parse("D7 1"), Card.parse("D9"))
    assert facts["hand"] == texts(known.hand)
    assert (facts["score"], facts["deck"]) == (known.score, known.deck_size) == (20, 63)
    assert [row["drawn"] for row in facts["history"]] == ["D7", "D9"]


def test_a_game_in_its_middle(site: Site) -> None:
    facts = facts_of(site, hand=HAND, piles=["A9", "D7, D1"], points=55)
    assert facts["piles"] == [["A9"], ["D7", "D1"]]
    assert (facts["played"], facts["score"]) == (3, 85)
    # Without points those of the hand count: a run of five in one suit.
    assert facts_of(site, hand="A1 A2 A3 A4 A5")["points"] == 50


def test_the_last_card_of_the_deck(site: Site) -> None:
    """With an empty deck a move is complete without a card."""
    # Suit by suit, up and down, each card lies on the one before; the cards of H are those that were removed.
    suits = [[f"{suit}{value}" for value in range(1, 11)] for suit in "ABCDEFG"]
    cards = [card for i, suit in enumerate(suits) for card in (reversed(suit) if i % 2 else suit)]
    hand, rest = cards[:5], cards[5:]
    facts = facts_of(site, hand=" ".join(hand), piles=[" ".join(rest), ""], points=0)
    assert (facts["deck"], facts["history"]) == (0, [])
    assert "A1 2" in facts["moves"]
    after = facts_of(site, hand=" ".join(hand), piles=[" ".join(rest), ""], points=0, plays=["A1 2"])
    assert after["pending"] is None
    assert after["history"] == [{"move": "A1 2", "drawn": None, "points": 0}]
    assert len(after["hand"]) == 4


@pytest.mark.parametrize(
    ("request_data", "message"),
    [
        ({}, "a seed or begins with a hand"),
        ({"seed": 1, "hand": HAND}, "tell one of them"),
        ({"seed": "x"}, "seed is a whole number"),
        ({"hand": "A1"}, "the hand has 1 cards"),
        ({"hand": "A1 A1 B7 C7 H10"}, "A1 is there twice"),
        ({"hand": "A1 A2 B7 C7 Z10"}, "not 'Z10'"),
        ({"hand": HAND, "piles": ["A1", ""]}, "A1 is there twice"),
        ({"hand": HAND, "piles": ["A9", "", "B1"]}, "more than 2 items"),
        ({"hand": HAND, "piles": ["A9 " * 200]}, "a pile has at most"),
        ({"hand": HAND, "plays": ["C7 1", "A1 1"]}, "which card was drawn after C7 on pile 1?"),
        ({"hand": HAND, "plays": ["C7 1 A1"]}, "A1 cannot be drawn: it was seen before"),
        ({"hand": HAND, "plays": ["C7 1 D7", "A1 1"]}, "A1 cannot go on pile 1"),
        ({"hand": HAND, "plays": ["G7 1"]}, "G7 is not in the hand"),
        ({"hand": HAND, "plays": ["C7 1 D7 D8"]}, "a card too many"),
        ({"hand": HAND, "plays": ["C7 3"]}, "a move is a card and a pile"),
        ({"hand": HAND, "plays": ["C7" + " " * 100]}, "at most 40 characters"),
        ({"seed": 1, "plays": ["H1 1"]}, "H1"),
        ({"seed": 1, "plays": ["F7 1 A1"]}, "a card too many"),
        ({"seed": 1, "plays": ["F7 1"] * 81}, "more than 80 items"),
    ],
)
def test_what_is_wrong_is_named(site: Site, request_data: dict[str, Any], message: str) -> None:
    answer = site.ask("twincool", request_data)
    assert (answer.status, answer.error) == (400, "request")
    assert message in answer.data["error"]["message"]
    assert site.ask("advise", request_data).data == answer.data


# Advice


def test_one_tree_is_the_search_of_the_package(site: Site) -> None:
    told = site.ask("advise", {"seed": 1, "iterations": 1500, "search_seed": 4}).lines
    assert [line["type"] for line in told] == ["result"]
    advice = IsMcts(iterations=1500).advise(GameState.deal(1).observe(), seed=4)
    assert advice is not None
    assert told[0]["iterations"] == 1500
    found = {row["move"]: (row["visits"], row["score"], row["glance"]) for row in told[0]["moves"]}
    assert found == {
        spelled(m.move): (m.visits, round(m.mean, 2) if m.visits else None, round(m.prior, 2))
        for m in advice.moves
    }
    assert told[0]["moves"][0]["move"] == spelled(advice.move)
    assert any(row["score"] is None for row in told[0]["moves"])  # D1 is never tried: no score, not 0


def test_trees_are_added_up_and_told_while_they_grow(site: Site) -> None:
    lines = site.ask("advise", {"seed": 1, "iterations": 5000, "search_seed": 10}).lines
    assert [line["type"] for line in lines][:1] == ["progress"]
    assert lines[-1]["type"] == "result"
    counts = [line["iterations"] for line in lines]
    assert counts == sorted(set(counts))
    assert (counts[0], counts[-1]) == (2000, 5000)
    known = GameState.deal(1).observe()
    trees = [IsMcts(iterations=n).advise(known, seed) for n, seed in ((2000, 10), (2000, 11), (1000, 12))]
    for row in lines[-1]["moves"]:
        parts = [m for tree in trees if tree for m in tree.moves if spelled(m.move) == row["move"]]
        assert row["visits"] == sum(m.visits for m in parts)
        if row["visits"]:
            mean = sum(m.visits * m.mean for m in parts) / row["visits"]
            assert row["score"] == pytest.approx(mean, abs=0.006)


def test_advice_knows_what_the_player_knows(site: Site) -> None:
    """The deck of a dealt game changes nothing: with the same cards told, the advice is the same."""
    game = GameState.deal(7)
    told = site.ask("advise", {"seed": 7, "iterations": 3000}).lines[-1]
    hand = " ".join(texts(game.hand))
    same = site.ask("advise", {"hand": hand, "points": game.points, "iterations": 3000}).lines[-1]
    assert told["moves"] == same["moves"]


def test_a_stop_ends_advice_with_what_it_has(site: Site) -> None:
    with site.stream("advise", {"seed": 1, "iterations": 10**6, "tab": "mine"}) as response:
        first = json.loads(response.readline())
        assert site.ask("stop", {"tab": "mine"}).data == {"stopped": 1}
        last = json.loads(response.read().splitlines()[-1])
    assert last["type"] == "result"
    assert first["iterations"] <= last["iterations"] < 10**6
    wait_until(lambda: site.searches.count == 0)


def test_hanging_up_ends_advice(site: Site) -> None:
    with site.stream("advise", {"seed": 1, "iterations": 10**6}) as response:
        response.readline()
    wait_until(lambda: site.searches.count == 0)


def test_a_stop_before_the_start_counts() -> None:
    search = AdviceSearch(GameState.deal(1).observe(), 10**6, 60.0, 0)
    search.stop()
    told: list[dict[str, Any]] = []
    search.run(told.append)
    assert [(line["type"], line["iterations"]) for line in told] == [("result", 2000)]


def test_no_advice_after_the_end_or_before_a_card_is_told(site: Site) -> None:
    game, plays = GameState.deal(3), []
    while game.moves():
        move = game.moves()[0]
        plays.append(spelled(move))
        game.play(move)
    answer = site.ask("advise", {"seed": 3, "plays": plays})
    assert (answer.status, answer.error) == (400, "engine")
    waiting = site.ask("advise", {"hand": HAND, "plays": ["C7 1"]})
    assert waiting.data["error"]["message"] == "which card was drawn after C7 on pile 1?"
