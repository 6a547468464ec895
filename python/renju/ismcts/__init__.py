"""Search under hidden information: IS-MCTS, and Twin Cool, a game for one player with a deck nobody sees.

>>> from renju import ismcts
>>> game = ismcts.GameState.deal(seed=3)
>>> while (advice := ismcts.IsMcts(iterations=50).advise(game.observe())) is not None:
...     game.play(advice.move)
>>> game.score == 10 * len(game.played_cards) + game.points
True
"""

from renju.ismcts.advice import Advice, InformationSet, MoveStatistics, TraceStep
from renju.ismcts.cards import Card
from renju.ismcts.games import RESULT_DTYPE, Benchmark, benchmark, simulate, simulate_with_luck
from renju.ismcts.learning import learn_value
from renju.ismcts.search import Game, SearchSettings, search
from renju.ismcts.states import Deck, Field, GameState, Move, ObservableState, hand_points
from renju.ismcts.strategies import (
    STRATEGIES,
    Glance,
    Heuristic,
    IsMcts,
    Mcts,
    Pimc,
    Random,
    Strategy,
    Value,
    strategy_named,
)

__all__ = [
    "RESULT_DTYPE",
    "STRATEGIES",
    "Advice",
    "Benchmark",
    "Card",
    "Deck",
    "Field",
    "Game",
    "GameState",
    "Glance",
    "Heuristic",
    "InformationSet",
    "IsMcts",
    "Mcts",
    "Move",
    "MoveStatistics",
    "ObservableState",
    "Pimc",
    "Random",
    "SearchSettings",
    "Strategy",
    "TraceStep",
    "Value",
    "benchmark",
    "hand_points",
    "learn_value",
    "search",
    "simulate",
    "simulate_with_luck",
    "strategy_named",
]
