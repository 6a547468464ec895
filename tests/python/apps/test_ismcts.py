"""Twin Cool and its strategies from Python; the search itself is tested in tests/rust/lab."""

from __future__ import annotations

import copy
import json
import sys
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from renju import cli, ismcts
from renju.ismcts import Card, Deck, GameState, IsMcts, Mcts, Move, ObservableState, hand_points
from support.waiting import run_code


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
        assert {*known.unseen_cards} == {*game.deck, *game.deck.removed}
        assert game.field.all_cards() == game.played_cards
        assert len(known.unseen_cards) == 80 - len(game.hand) - len(game.played_cards) == len(game.deck) + 10
        drawn = game.deck.next
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
    with pytest.raises(ValueError, match="not in the hand"):
        game.play(Move(wrong, 0))
    assert not game.is_legal(Move(wrong, 0))
    game.play(Move(game.hand[0], 1))  # of two empty piles either will do
    top = game.piles[1][-1]
    misfit = next(card for card in game.hand if not card.fits(top))
    with pytest.raises(ValueError, match=f"{misfit} cannot go on pile 2"):
        game.play(Move(misfit, 1))
    assert not game.is_legal(Move(misfit, 1))
    assert game.is_legal(Move(misfit, 0))
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
        decks.add(other.deck.cards)
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


@pytest.mark.parametrize("key", ["tops", "count", "played", "piles"])
def test_an_information_set_has_one_name_whatever_the_deck(key: str) -> None:
    game = GameState.deal(seed=9)
    for _ in range(3):
        game.play(game.moves()[0])
    names = {game.observe().determinize(seed).key(key) for seed in range(10)}
    assert names == {game.key(key)}
    after = game.copy()
    after.play(after.moves()[0])
    assert after.key(key) != game.key(key)
    assert after != game
    assert game == game.copy() == copy.deepcopy(game)
    assert f"hand {' '.join(map(str, game.hand))}" in repr(game)


def test_games_of_a_known_deck() -> None:
    game = GameState.deal(seed=7)
    hand, deck = game.hand, Deck.from_cards(game.deck.cards, game.deck.removed)
    again = GameState.from_deck(hand, deck)
    assert (again.hand, again.deck, again.points) == (game.hand, game.deck, game.points)
    while moves := game.moves():
        game.play(moves[-1])
        again.play(moves[-1])
    assert game == again
    with pytest.raises(ValueError, match="twice"):
        Deck.from_cards([Card(0, 1), Card(0, 1)])
    with pytest.raises(ValueError, match="twice"):
        GameState.from_deck(hand, Deck((*deck.cards[:-1], hand[0])))
    with pytest.raises(ValueError, match="the deck has 64 cards, 65 are needed"):
        GameState.from_deck(hand, Deck(deck.cards[1:]))


def test_a_game_on_a_table_is_told_card_by_card() -> None:
    game = GameState.deal(seed=3)
    known = ObservableState.first(game.hand)
    while moves := game.moves():
        assert known == game.observe()
        assert known.moves() == moves
        assert known.deck_size == len(game.deck)
        drawn = game.deck.next
        game.play(moves[0])
        known = known.after(moves[0], drawn)
    assert (known, known.score) == (game.observe(), game.score)
    start = ObservableState.first(cards("A1 A2 B7 C7 H10"))
    for move, drawn, message in [
        ("D7 1", "D8", "not in the hand"),
        ("A1 1", "A2", "seen before"),
        ("A1 1", None, "which"),
    ]:
        with pytest.raises(ValueError, match=message):
            start.after(Move.parse(move), None if drawn is None else Card.parse(drawn))
    later = start.after(Move.parse("A1 1"), Card.parse("D8"))
    with pytest.raises(ValueError, match="B7 cannot go on pile 1"):
        later.after(Move.parse("B7 1"), Card.parse("D9"))
    for text in ("C7", "C7 3", "C7 1 2", "X7 1"):
        with pytest.raises(ValueError, match=r"a move is|a card is"):
            Move.parse(text)


def test_the_last_cards_are_played_without_drawing() -> None:
    """A pile of 70 cards needs a long chain: suit by suit, up and down."""
    chain = [Card(s, v) for s in range(7) for v in (range(1, 11) if s % 2 == 0 else range(10, 0, -1))]
    known = ObservableState(tuple(chain[65:]), (tuple(chain[:65]), ()))
    assert known.deck_size == 0
    with pytest.raises(ValueError, match="the deck is empty"):
        known.after(Move(chain[65], 0), Card(7, 1))
    for card in chain[65:]:
        advice = IsMcts(iterations=20).advise(known)
        assert advice is not None
        known = known.after(Move(card, 0), None)
    assert (known.hand, known.score) == ((), 700)
    assert IsMcts(iterations=20).advise(known) is None


def test_trees_are_added_up_whatever_the_threads() -> None:
    known = GameState.deal(seed=9).observe()
    strategy = IsMcts(iterations=301, trees=4)
    one = strategy.advise(known, seed=4)
    assert one is not None
    assert strategy.advise(known, seed=4, threads=2) == strategy.advise(known, seed=4, threads=7) == one
    assert sum(m.visits for m in one.moves) == one.iterations == one.determinizations == 301
    alone = IsMcts(iterations=301).advise(known, seed=4)
    assert alone is not None
    assert {m.move for m in alone.moves} == {m.move for m in one.moves}
    assert alone.moves != one.moves
    seeing = Mcts(iterations=100, trees=3).advise(GameState.deal(seed=9), threads=2)
    assert seeing is not None
    assert seeing.iterations == 100


def test_the_trace_tells_iterations() -> None:
    known = GameState.deal(seed=9).observe()
    strategy = IsMcts(iterations=400, trees=2)
    advice = strategy.advise(known, seed=1, trace=150)
    assert advice is not None
    places = [(step.tree, step.iteration) for step in advice.trace]
    assert places == [(tree, i) for tree in (0, 1) for i in range(150)]
    assert max(len(step.walked) for step in advice.trace) > 1
    for step in advice.trace:
        # The moves of the trace can be made in the game that was imagined.
        assert {*step.deck} < {*known.unseen_cards}
        game = GameState.from_deck(known.hand, Deck(step.deck))
        for move in step.walked:
            game.play(move)
        assert step.score >= game.score
        assert str(step.walked[0]) in str(step)
    plain = strategy.advise(known, seed=1)
    assert plain is not None
    assert (plain.moves, plain.trace) == (advice.moves, ())


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is read from /proc")
def test_memory_stays_small() -> None:
    """100 searches take less than 100 MB, and the last ones not more than the first."""
    run_code(MEMORY)


MEMORY = """
from renju.ismcts import GameState, IsMcts

def peak():
    # In megabytes, of this program: what getrusage tells begins with the size of the one that started it.
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmHWM")) / 1024

for seed in range(10):
    IsMcts(iterations=2000).advise(GameState.deal(seed).observe())
before = peak()
for seed in range(100):
    advice = IsMcts(iterations=2000).advise(GameState.deal(seed).observe())
    assert advice.bytes < 2_000_000, advice.bytes
assert peak() < before + 5, (before, peak())
assert peak() < 100, peak()
"""


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
        {"prior_weight": -1.0},
        {"determinizations": 0},
        {"adaptive": -1},
        {"trees": 0},
        {"max_nodes": 1},
        {"max_nodes": 7, "trees": 4},
        {"prior_weight": 1e300},
    ],
)
def test_settings_that_make_no_sense(options: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(options))):
        ismcts.benchmark("ismcts", games=1, **options)


@pytest.mark.slow
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


class Dice:
    """Of two dice one is seen. Take 7, or say that the sum is above 7, which brings 12 if it is true: a
    chance of (seen - 1) / 6.
    """

    def __init__(self, fault: str = "") -> None:
        self.fault = fault

    def determinize(self, seen: int, random: Any) -> tuple[int, int, str]:
        if self.fault == "determinize":
            raise RuntimeError("no dice")
        return (seen, random.randint(1, 6), "")

    def key(self, state: tuple[int, int, str]) -> Any:
        return [] if self.fault == "key" else (state[0], state[2])

    def moves(self, state: tuple[int, int, str]) -> list[str]:
        return [] if state[2] else ["take", "above"]

    def play(self, state: tuple[int, int, str], move: str) -> tuple[int, int, str]:
        return (state[0], state[1], move)

    def reward(self, state: tuple[int, int, str], player: int) -> float:
        if self.fault == "reward":
            return float("nan")
        assert player == 0
        return 7.0 if state[2] == "take" else 12.0 * (state[0] + state[1] > 7)


@pytest.mark.parametrize(("seen", "best"), [(1, "take"), (4, "take"), (5, "above"), (6, "above")])
def test_games_written_in_python_are_searched(seen: int, best: str) -> None:
    advice = ismcts.search(Dice(), seen, iterations=3000, seed=1)
    assert advice is not None
    assert advice.move == best
    assert advice == ismcts.search(Dice(), seen, iterations=3000, seed=1)
    above = next(m for m in advice.moves if m.move == "above")
    assert above.mean == pytest.approx(12 * (seen - 1) / 6, abs=0.8)
    assert sum(m.visits for m in advice.moves) == 3000
    assert advice.nodes == 1


def test_numbers_that_cannot_be_compared_are_refused() -> None:
    class Nan(Dice):
        def prior(self, state: tuple[int, int, str], move: str) -> float:
            return float("nan")

    class Huge(Dice):
        def reward(self, state: tuple[int, int, str], player: int) -> float:
            return 1e308

    class Twice(Dice):
        def moves(self, state: tuple[int, int, str]) -> list[str]:
            return ["take", "take"]

    with pytest.raises(ValueError, match="a prior is a finite number"):
        ismcts.search(Nan(), 3, prior_weight=1.0)
    with pytest.raises(ValueError, match="a reward is a finite number"):
        ismcts.search(Huge(), 3)
    with pytest.raises(ValueError, match="names take twice"):
        ismcts.search(Twice(), 3)
    assert ismcts.search(Dice(), 3, max_nodes=2, iterations=50) is not None


def test_a_position_has_random_numbers_of_its_own() -> None:
    """Whoever plays at random with one seed chooses other places in other positions."""
    chosen = set()
    for seed in range(40):
        game = GameState.deal(seed)
        advice = ismcts.Random().advise(game)
        assert advice is not None
        chosen.add(game.moves().index(advice.move))
    assert len(chosen) >= 4


def test_fixed_determinizations_come_again() -> None:
    known = GameState.deal(seed=9).observe()
    advice = IsMcts(iterations=30, determinizations=7).advise(known, trace=30)
    assert advice is not None
    assert advice.determinizations == 7
    decks = [step.deck for step in advice.trace]
    assert len({*decks}) == 7
    assert all(deck == decks[i % 7] for i, deck in enumerate(decks))
    with pytest.raises(ValueError, match="give one"):
        IsMcts(determinizations=7, adaptive=7)


def test_hooks_of_games_are_asked() -> None:
    class Guided(Dice):
        def prior(self, state: tuple[int, int, str], move: str) -> float:
            return 1000.0 if move == "take" else 0.0

        def hidden_share(self, seen: int) -> float:
            return 0.5

        def player(self, state: tuple[int, int, str]) -> int:
            return 0

    advice = ismcts.search(Guided(), 6, iterations=200, prior_weight=1000.0, adaptive=10)
    assert advice is not None
    assert (advice.move, advice.determinizations) == ("take", 105)

    class Long(Dice):
        """Guesses come twice; the second one counts, and whoever plays on without a search takes."""

        def moves(self, state: tuple[int, int, str]) -> list[str]:
            return [] if len(state[2]) > 5 else ["take", "above"]

        def play(self, state: tuple[int, int, str], move: str) -> tuple[int, int, str]:
            return (*state[:2], state[2] + move)

        def reward(self, state: tuple[int, int, str], player: int) -> float:
            return super().reward((*state[:2], "take" if state[2].endswith("take") else "above"), player)

        def choose(self, state: tuple[int, int, str], moves: list[str], random: Any) -> str:
            assert moves == ["take", "above"]
            return "nothing" if self.fault == "choose" else "take"

    advice = ismcts.search(Long(), 1, iterations=2)
    assert advice is not None
    assert [m.mean for m in advice.moves] == [7.0, 7.0]
    with pytest.raises(ValueError, match="choose gave nothing"):
        ismcts.search(Long("choose"), 1)


@pytest.mark.parametrize(
    ("fault", "error", "message"),
    [
        ("determinize", RuntimeError, "no dice"),
        ("key", TypeError, "unhashable"),
        ("reward", ValueError, "finite"),
    ],
)
def test_faults_of_games_end_the_search(fault: str, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        ismcts.search(Dice(fault), 3, iterations=10**9)


def test_a_game_that_is_over_has_no_move() -> None:
    class Over(Dice):
        def moves(self, state: tuple[int, int, str]) -> list[str]:
            return []

    assert ismcts.search(Over(), 3) is None
    with pytest.raises(AttributeError, match="determinize"):
        ismcts.search(object(), 3)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="wisdom"):
        ismcts.search(Dice(), 3, wisdom=1)


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    hand = "A1 A2 B7 C7 H10"
    assert cli.main(["twincool", "advise", hand, "--iterations", "50"]) == 0
    assert capsys.readouterr().out.startswith("play ")
    assert cli.main(["twincool", "advise", hand, "--piles", "A9", "D7", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["card"] in hand.split()
    assert cli.main(["twincool", "advise", "A1 A2 A3 A4 A5", "--piles", "H9", "G8"]) == 1
    capsys.readouterr()
    assert cli.main(["twincool", "advise", "A1 A2 A3 A4 A5", "--piles", "H9", "G8", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["card"] is None
    assert cli.main(["twincool", "advise", "A1 A2"]) == 2
    assert cli.main(["twincool", "advise", hand, "--verbose", "3", "--json"]) == 0
    told = capsys.readouterr()
    assert json.loads(told.out)["moves"]
    assert told.err.count("iteration") == 3
    assert cli.main(["twincool", "bench", "--strategies", "random", "--games", "1", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["random"]["stderr_cards"] is None
    assert cli.main(["twincool", "bench", "--strategies", "random,heuristic", "--games", "50", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["random"]["games"] == 50


def typed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], lines: list[str], *options: str
) -> str:
    """What `renju twincool play` prints when these lines are typed."""
    monkeypatch.setattr(sys, "stdin", StringIO("".join(line + "\n" for line in lines)))
    assert cli.main(["twincool", "play", "--iterations", "50", *options]) == 0
    return capsys.readouterr().out


def test_playing_at_a_table(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    lines = ["advice", "C7 1", "A1", "X", "D7", "undo", "C7 1", "undo", "", "help", "D7", "A9 1", "quit"]
    out = typed(monkeypatch, capsys, lines, "--hand", "A1 A2 B7 C7 H10")
    assert "hand: A1 A2 B7 C7 H10   65 cards in the deck, score 0" in out
    assert "50 iterations" in out
    assert "A1 cannot be drawn: it was seen before" in out
    assert "a card is a letter" in out
    assert "hand: A1 A2 B7 D7 H10   64 cards in the deck, score 10" in out
    assert "the card that was drawn" in out
    assert "A9 is not in the hand" in out


def test_playing_a_game_that_is_dealt(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = typed(monkeypatch, capsys, ["undo", *[""] * 71, "advice"], "--seed", "4")
    assert "nothing to take back" in out
    assert "the game is over after" in out
    game = GameState.deal(4)
    while advice := IsMcts(iterations=50).advise(game.observe(), 4):
        game.play(advice.move)
    assert f"after {len(game.played_cards)} cards, score {game.score}" in out
    again = typed(monkeypatch, capsys, ["", "", "undo", "show", "quit"], "--seed", "4", "--strategy", "mcts")
    assert again.count("63 cards in the deck") == 1
    assert again.count("64 cards in the deck") == 3
    with pytest.raises(SystemExit):
        cli.main(["twincool", "play", "--strategy", "luck"])
    assert cli.main(["twincool", "play", "--hand", "A1 A2", "--seed", "1"]) == 2
    assert cli.main(["twincool", "play", "--hand", "A1 A2 B7 C7 H10", "--strategy", "mcts"]) == 2


CTRL_C = """
from renju import Interrupted, ismcts
from support.waiting import signal_after_work

for search in (ismcts.IsMcts, ismcts.Mcts):
    signal_after_work(0.2)
    try:
        search(iterations=2**31).advise(ismcts.GameState.deal(1))
    except Interrupted:
        continue
    raise SystemExit("it was not interrupted")

class Endless:
    def determinize(self, observation, random): return 0
    def key(self, state): return state
    def moves(self, state): return [1]
    def play(self, state, move): return state + 1
    def reward(self, state, player): return 0

signal_after_work(0.2)
try:
    ismcts.search(Endless(), None)
except Interrupted:
    raise SystemExit(0)
raise SystemExit("it was not interrupted")
"""


@pytest.mark.slow
def test_ctrl_c_ends_a_long_search() -> None:
    run_code(CTRL_C)
