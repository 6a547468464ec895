"""Twin Cool in the middle of a game, the fair baseline, the tree, and the settings of the command."""

from __future__ import annotations

import json

import numpy as np
import pytest

from renju import cli, ismcts
from renju.ismcts import Card, Deck, Field, GameState, Glance, IsMcts, Mcts, Pimc
from renju.ismcts.strategies import SEARCHING, STRATEGIES


def played(seed: int, turns: int) -> GameState:
    game = GameState.deal(seed=seed)
    while game.turn_count < turns and game.moves():
        game.play(game.moves()[0])
    return game


def test_a_game_is_put_together_in_its_middle() -> None:
    for seed in range(20):
        game = played(seed, 4)
        again = GameState.from_parts(reversed(game.hand), game.field, game.deck, game.points)
        assert again == game
        assert again.turn_count == len(game.played_cards) == game.observe().turn_count
        while game.moves():
            assert again.moves() == game.moves()
            for state in (game, again):
                state.play(state.moves()[-1])
            assert again == game
            assert (again.score, again.deck) == (game.score, game.deck)


def test_the_end_of_the_deck() -> None:
    """64 cards lie on the piles, one is in the deck: it is drawn, and then the hand shrinks."""
    rows = [[Card(suit, value) for value in range(1, 11)] for suit in range(8)]
    snake = [card for suit, row in enumerate(rows) for card in (row if suit % 2 == 0 else row[::-1])]
    first, second, hand, deck = snake[:40], snake[40:64], snake[64:69], snake[69:70]
    game = GameState.from_parts(hand, Field((tuple(first), tuple(second))), Deck(tuple(deck)), points=7)
    assert (game.turn_count, game.score, game.deck.removed) == (64, 647, tuple(rows[7]))
    assert game.observe().deck_size == 1
    for card in snake[64:70]:
        advice = IsMcts(50).advise(game, depth=2)
        assert advice is not None
        assert all(
            drawn is None or drawn == deck[0] or drawn in rows[7] for s in advice.tree for _, drawn in s.path
        )
        game.play(ismcts.Move(card, 1))
    assert (game.turn_count, game.hand, game.moves()) == (70, (), [])


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"hand": "A1 A1 B7 C7 H10"}, "A1 is there twice"),
        ({"hand": "A1 A2 B7 C7"}, "the hand has 4 cards, and the deck is not empty"),
        ({"piles": ("A9 D7", "")}, "D7 cannot lie on A9"),
        ({"piles": ("A1", "")}, "A1 is there twice"),
        ({"points": -1}, "points is a number"),
        ({"drop": 1}, "the deck has 64 cards, 65 are needed"),
        ({"removed": True}, "is not removed as the deck says"),
    ],
)
def test_what_cannot_be_is_refused(change: dict[str, object], reason: str) -> None:
    hand = [Card.parse(name) for name in str(change.get("hand", "A1 A2 B7 C7 H10")).split()]
    piles = [tuple(map(Card.parse, str(pile).split())) for pile in change.get("piles", ("", ""))]  # type: ignore[attr-defined]
    rest = [card for card in Card.all() if card not in {*hand, *piles[0], *piles[1]}]
    count = 65 - len(piles[0]) - int(str(change.get("drop", 0)))
    removed = tuple(rest[:10]) if change.get("removed") else ()
    deck = Deck(tuple(rest[:count]), removed)
    with pytest.raises(ValueError, match=reason):
        GameState.from_parts(hand, Field((piles[0], piles[1])), deck, int(str(change.get("points", 0))))


def test_pimc_does_not_see_the_deck() -> None:
    """Games that look the same to the player get the same advice, but not from one who sees the deck."""
    differs = 0
    for seed in range(12):
        game = played(seed, 2)
        if not game.moves():
            continue
        other = GameState.from_parts(
            game.hand, game.field, Deck(tuple(reversed(game.deck.cards))), game.points
        )
        assert other != game
        for strategy in (Pimc(60, determinizations=6), Glance(), IsMcts(60)):
            first, second = (strategy.advise(state, seed=seed) for state in (game, other))
            assert first == second == strategy.advise(game.observe(), seed=seed)
        seeing = [Mcts(200).advise(state, seed=seed) for state in (game, other)]
        differs += seeing[0] != seeing[1]
    assert differs > 0


def test_pimc_shares_its_iterations_among_the_decks() -> None:
    state = GameState.deal(seed=3).observe()
    for decks, iterations, expected in ((7, 100, 7), (50, 20, 20), (None, 100, Pimc.DECKS)):
        advice = Pimc(iterations, determinizations=decks).advise(state)
        assert advice is not None
        assert (advice.iterations, advice.determinizations) == (iterations, expected)
        assert sum(move.visits for move in advice.moves) == iterations
    with pytest.raises(ValueError, match="adaptive is of no use to pimc"):
        Pimc(adaptive=3)
    results = [ismcts.simulate(Pimc(20), games=10, seed=5, threads=threads) for threads in (1, 2)]
    np.testing.assert_array_equal(*results)


def test_the_glance_is_the_best_prior() -> None:
    for seed in range(10):
        state = played(seed, 3).observe()
        advice, searched = Glance().advise(state), IsMcts(30, rollout="heuristic").advise(state)
        assert (advice is None) == (searched is None)
        if advice is not None and searched is not None:
            priors = {move.move: move.prior for move in searched.moves}
            assert priors[advice.move] == max(priors.values())


@pytest.mark.slow
def test_the_baselines_play_in_this_order() -> None:
    cards = {
        name: ismcts.benchmark(
            name, games=300, **({"iterations": 100} if name in SEARCHING else {})
        ).mean_cards
        for name in STRATEGIES
    }
    assert cards["random"] < cards["heuristic"] < cards["glance"] < cards["mcts"]
    assert cards["heuristic"] < cards["pimc"] < cards["mcts"]
    assert cards["heuristic"] < cards["ismcts"] < cards["mcts"]


@pytest.mark.parametrize("trees", [1, 3])
def test_the_tree_can_be_looked_at(trees: int) -> None:
    game = GameState.deal(seed=2)
    state = game.observe()
    strategy = IsMcts(2000, trees=trees, prior_weight=0.0)
    advice = strategy.advise(state, seed=1, depth=2)
    assert advice is not None
    assert strategy.advise(state, seed=1).tree == ()  # type: ignore[union-attr]
    visits = {move.move: move.visits for move in advice.moves}
    # What went on from a set went through the move before.
    for move, count in visits.items():
        below = [known for known in advice.tree if len(known.path) == 1 and known.path[0][0] == move]
        assert sum(known.visits for known in below) <= count
        assert len({known.path for known in below}) == len(below)
    unseen = set(state.unseen_cards)
    for known in advice.tree:
        assert len(known.path) in (1, 2)
        assert {drawn for _, drawn in known.path} <= unseen
        after = state
        for move, drawn in known.path:
            after = after.after(move, drawn)
        assert {statistics.move for statistics in known.moves} <= set(after.moves())
    lengths = [len(known.path) for known in advice.tree]
    assert lengths == sorted(lengths)
    assert 1 in lengths
    line = advice.line()
    assert line[0][0] == advice.move
    assert line[-1][1] is None
    assert len(line) >= 2
    assert str(advice.tree[0]).startswith(str(advice.tree[0].path[0][0]))


def test_every_setting_has_an_option(capsys: pytest.CaptureFixture[str]) -> None:
    hand = "A1 A2 B7 C7 H10"
    arguments = ["twincool", "advise", hand, "--json", "--iterations", "120", "--tree", "1"]
    options = ["--exploration", "0.5", "--prior-weight", "0", "--determinizations", "30"]
    options += [
        "--max-nodes",
        "500",
        "--time",
        "60",
        "--trees",
        "2",
        "--key",
        "played",
        "--rollout",
        "random",
    ]
    assert cli.main([*arguments, *options]) == 0
    told = json.loads(capsys.readouterr().out)
    strategy = IsMcts(
        120,
        time=60.0,
        exploration=0.5,
        prior_weight=0.0,
        max_nodes=500,
        determinizations=30,
        rollout="random",
        key="played",
        trees=2,
    )
    advice = strategy.advise(ismcts.ObservableState(tuple(map(Card.parse, hand.split()))), depth=1)
    assert advice is not None
    assert [move["visits"] for move in told["moves"]] == [move.visits for move in advice.moves]
    assert len(told["tree"]) == len(advice.tree) > 0
    assert told["line"][0][0] == str(advice.move)
    assert cli.main(["twincool", "advise", hand, "--strategy", "pimc", "--tree", "1"]) == 0
    assert "20 determinizations" in capsys.readouterr().out
    assert cli.main(["twincool", "advise", hand, "--adaptive", "3", "--determinizations", "3"]) == 2
    assert (
        cli.main(["twincool", "bench", "--games", "3", "--iterations", "20", "--keep", "--adaptive", "2"])
        == 0
    )
    assert [line.split(":")[0] for line in capsys.readouterr().out.splitlines()] == list(STRATEGIES)
