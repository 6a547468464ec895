"""Twin Cool: how well and how fast the strategies play, which key is best, and what a tree takes.

    python benches/twincool.py [--games N]

One line for each figure. All play the same deals. Times are those of one thread.
"""

from __future__ import annotations

import argparse
from statistics import mean
from time import perf_counter

from renju.ismcts import (
    Advice,
    GameState,
    Glance,
    Heuristic,
    IsMcts,
    Mcts,
    Move,
    Pimc,
    Random,
    Strategy,
    Value,
    benchmark,
    simulate,
)

KEYS = ("tops", "count", "played", "piles")

# What the original design measured on ten games of 200 iterations, in Python.
SEED_S_A_GAME = 1.3


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=1000, help="default %(default)s")
    games = parser.parse_args().games

    print(f"{games} games each")
    tell("random", Random(), games)
    low = tell("heuristic", Heuristic(), games)
    tell("glance alone", Glance(), games)
    tell("value alone", Value(), games)
    for iterations in (200, 1000, 5000):
        tell(f"PIMC, {iterations}, {Pimc.DECKS} decks", Pimc(iterations), games)
    tell("PIMC, 5000, 100 decks", Pimc(5000, determinizations=100), games)
    tell("PIMC, 200, 20 decks, with the glance", Pimc(200, prior_weight=IsMcts().prior_weight), games)
    for iterations in (50, 200, 1000, 5000):
        cards = tell(f"IS-MCTS, {iterations}", IsMcts(iterations), games)
        tell(f"IS-MCTS by roll-outs, {iterations}", IsMcts(iterations, rollout="heuristic"), games)
        assert cards > low, "a search that is worse than a glance"
    for iterations in (50, 200, 1000, 5000):
        tell(
            f"IS-MCTS, {iterations}, no prior",
            IsMcts(iterations, prior_weight=0.0, rollout="heuristic"),
            games,
        )
    for iterations in (200, 5000):
        plain = IsMcts(iterations, prior_weight=0.0, rollout="random")
        tell(f"IS-MCTS, {iterations}, no prior, random roll-outs", plain, games)
    tell("IS-MCTS by roll-outs, 200, 8 trees", IsMcts(trees=8, rollout="heuristic"), games)
    tell("MCTS that sees the deck, 200", Mcts(), games)
    for key in KEYS:
        tell(f"IS-MCTS, 5000, no prior, key {key}", keyed(key, 5000), games)
    for key in KEYS:
        tell(f"IS-MCTS, 200, no prior, tree kept, key {key}", keyed(key, 200, keep=True), games)

    alone = simulate(IsMcts(), games=min(games, 200), threads=1)
    start = perf_counter()
    assert (simulate(IsMcts(), games=min(games, 200), threads=1) == alone).all()
    a_game = (perf_counter() - start) / len(alone)
    print(
        f"IS-MCTS, 200: {a_game * 1000:.2f} ms a game, {SEED_S_A_GAME / a_game:.0f} times as fast as the seed"
    )
    positions = [GameState.deal(seed) for seed in range(50)]
    for key in KEYS:
        tell_size(f"1,000 iterations at the first move, key {key}", keyed(key, 1000), positions)
    hidden, seeing = (
        time_of(kind(1000, prior_weight=0.0, rollout="heuristic"), positions) for kind in (IsMcts, Mcts)
    )
    print(f"time of an iteration, first moves: IS-MCTS / MCTS {hidden / seeing:.2f}")


def keyed(key: str, iterations: int, keep: bool = False) -> IsMcts:
    return IsMcts(iterations, key=key, prior_weight=0.0, keep=keep, rollout="heuristic")


def tell(name: str, strategy: Strategy, games: int) -> float:
    result = benchmark(strategy, games=games, threads=0, luck=not isinstance(strategy, Mcts))
    fair = (
        "" if result.fair_cards is None else f", {result.fair_cards:.3f} ± {result.stderr_fair:.3f} less luck"
    )
    print(
        f"{name}: {result.mean_cards:.2f} ± {result.stderr_cards:.2f} cards, {result.mean_points:.2f} ± "
        f"{result.stderr_points:.2f} points, {result.mean_score:.1f} ± {result.stderr_score:.1f} score{fair}",
        flush=True,
    )
    return result.mean_cards


def tell_size(name: str, strategy: Strategy, positions: list[GameState]) -> None:
    found: list[Advice[Move]] = [
        advice for game in positions if (advice := strategy.advise(game.observe())) is not None
    ]
    nodes, taken = mean(advice.nodes for advice in found), mean(advice.bytes for advice in found)
    sharing = mean(advice.sharing for advice in found)
    size = f"{nodes:.0f} nodes, {taken / 1e6:.3f} MB, {taken / nodes:.0f} bytes each"
    print(f"{name}: {size}, {sharing:.2f} shared")


def time_of(strategy: Strategy, positions: list[GameState]) -> float:
    start = perf_counter()
    iterations = 0
    for game in positions:
        advice = strategy.advise(game)
        assert advice is not None
        iterations += advice.iterations
    return (perf_counter() - start) / iterations


if __name__ == "__main__":
    main()
