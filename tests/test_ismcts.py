"""Twin Cool and its strategies from Python; the search itself is tested in hidden.rs."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from renju import cli, ismcts
from renju.ismcts import Card, GameState, IsMcts, Mcts, Move, ObservableState, hand_points


def cards(text: str) -> tuple[Card, ...]:
    return tuple(map(Card.parse, text.split()))


def test_cards_are_read_and_printed() -> None:
    for number in range(80):
        card = Card.of(number)
        assert Card.parse(str(card)) == Card.parse(str(card).lower()) == card
        assert card.number == number
    for text in ("", "A", "I1", "A0", "A11", "1A", "A1x"):
        with pytest.raises(ValueError, match="card"):
            Card.parse(text)


@pytest.mark.parametrize(
    ("hand", "points"),
    [
        ("C2 C3 C4 C5 C6", 50),
        ("A4 B4 C4 D4 E4", 5),
        ("A2 C3 C4 C5 C6", 2),
        ("A4 B4 C4 D4 E5", 1),
        ("A4 B4 C4 D4", 1),
        ("A4 B4 C4 D5 E5", 0),
        ("C2 C3 C4 C5", 0),
        ("", 0),
    ],
)
def test_points_of_hands(hand: str, points: int) -> None:
    assert hand_points(cards(hand)) == points


def test_a_game_accounts_for_all_cards() -> None:
    game = GameState.deal(seed=5)
    points = hand_points(game.hand)
    while moves := game.moves():
        known = game.observe()
        assert known == ObservableState(game.hand, game.piles, game.points)
        assert {*known.unseen_cards} >= {*game.deck}
        assert len(known.unseen_cards) == 80 - len(game.hand) - len(game.played_cards) == len(game.deck) + 10
        drawn = game.deck[-1]
        move = moves[len(moves) // 2]
        tops = [pile[-1] if pile else None for pile in game.piles]
        top = tops[move.pile]
        assert top is None or move.card.fits(top)
        game.play(move)
        assert drawn in game.hand
        assert game.piles[move.pile][-1] == move.card
        points += hand_points(game.hand)
        assert game.points == points
    assert game.score == 10 * len(game.played_cards) + points
    assert not any(card.fits(pile[-1]) for card in game.hand for pile in game.piles if pile)


def test_a_card_that_does_not_fit_is_refused() -> None:
    game = GameState.deal(seed=5)
    wrong = next(card for card in map(Card.of, range(80)) if card not in game.hand)
    with pytest.raises(ValueError, match="cannot go on pile"):
        game.play(Move(wrong, 0))
    with pytest.raises(ValueError, match="pile is a number from 0 to 1"):
        game.play(Move(game.hand[0], 300))
    with pytest.raises(ValueError, match="points"):
        ObservableState(game.hand, points=-1).determinize(0)


def test_determinizations_agree_with_what_is_known() -> None:
    game = GameState.deal(seed=2)
    for _ in range(3):
        game.play(game.moves()[0])
    known = game.observe()
    decks = set()
    for seed in range(10):
        other = known.determinize(seed)
        assert other.observe() == known
        decks.add(other.deck)
    assert len(decks) >= 8


@pytest.mark.parametrize(
    ("hand", "piles", "message"),
    [
        ("A1 A1 A2 A3 A4", ("", ""), "twice"),
        ("A1 A2 A3 A4 A5", ("A1", ""), "twice"),
        ("A1 A2 A3 A4 A5", ("B1 C2", ""), "cannot lie"),
        ("A1 A2 A3", ("", ""), "deck is not empty"),
        ("A1 A2 A3 A4 A5 A6", ("", ""), "at most"),
    ],
)
def test_what_cannot_be_known(hand: str, piles: tuple[str, str], message: str) -> None:
    known = ObservableState(cards(hand), (cards(piles[0]), cards(piles[1])))
    with pytest.raises(ValueError, match=message):
        IsMcts(iterations=10).advise(known)


def test_advice_is_the_same_for_a_seed_and_does_not_see_the_deck() -> None:
    game = GameState.deal(seed=9)
    known = game.observe()
    first, second = (IsMcts(iterations=300).advise(known, seed=4) for _ in range(2))
    assert first == second
    assert IsMcts(iterations=300).advise(game, seed=4) == first
    assert first is not None
    assert first.moves[0].move == first.move
    assert sum(m.visits for m in first.moves) == first.iterations == 300
    assert all(m.available >= m.visits for m in first.moves)
    with pytest.raises(TypeError, match="GameState"):
        Mcts().advise(known)


@pytest.mark.parametrize("key", ["tops", "count", "played", "piles"])
def test_every_key_plays(key: str) -> None:
    results = ismcts.simulate(IsMcts(iterations=30, key=key), games=5, seed=1)
    assert (results["score"] == 10 * results["cards"] + results["points"]).all()


@pytest.mark.parametrize(
    "options",
    [
        {"iterations": 0},
        {"max_nodes": 0},
        {"time": -1},
        {"key": "nothing"},
        {"rollout": "clever"},
        {"exploration": float("nan")},
        {"prior_visits": -1.0},
        {"determinizations": 0},
        {"adaptive": -1},
    ],
)
def test_settings_that_make_no_sense(options: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(options)).replace("rollout", "roll-out")):
        ismcts.benchmark("ismcts", games=1, **options)


def test_the_benchmark_orders_the_strategies() -> None:
    random, heuristic = (ismcts.benchmark(name, games=4000, seed=1) for name in ("random", "heuristic"))
    search = ismcts.benchmark("ismcts", 100, games=300, seed=1)
    seeing = ismcts.benchmark("mcts", 100, games=40, seed=1)
    assert random.mean_cards < heuristic.mean_cards < search.mean_cards < seeing.mean_cards
    assert heuristic.mean_cards - random.mean_cards > 3 * heuristic.stderr_cards
    assert abs(random.mean_score - 10 * random.mean_cards - random.mean_points) < 1e-9


def test_deals_are_the_same_for_all_threads_and_progress_is_told() -> None:
    told: list[tuple[int, int]] = []
    one = ismcts.simulate("heuristic", games=500, seed=8, threads=1)
    two = ismcts.simulate("heuristic", 500, 8, 2, lambda *seen: told.append(seen))
    assert np.array_equal(one, two)
    assert told[-1] == (500, 500)


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    hand = "A1 A2 B7 C7 H10"
    assert cli.main(["twincool", "advise", hand, "--iterations", "50"]) == 0
    assert capsys.readouterr().out.startswith("play ")
    assert cli.main(["twincool", "advise", hand, "--piles", "A9", "D7", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["card"] in hand.split()
    assert cli.main(["twincool", "advise", "A1 A2 A3 A4 A5", "--piles", "H9", "G8"]) == 1
    assert cli.main(["twincool", "advise", "A1 A2"]) == 2
    capsys.readouterr()
    assert cli.main(["twincool", "bench", "--strategies", "random,heuristic", "--games", "50", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["random"]["games"] == 50


CTRL_C = """
import os, signal, threading
from renju import Interrupted, ismcts
for search in (ismcts.IsMcts, ismcts.Mcts):
    threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    try:
        search(iterations=2**31).advise(ismcts.GameState.deal(1))
    except Interrupted:
        continue
    raise SystemExit("it was not interrupted")
"""


def test_ctrl_c_ends_a_long_search() -> None:
    subprocess.run([sys.executable, "-c", CTRL_C], check=True, timeout=60)
