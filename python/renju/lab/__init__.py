"""The laboratory: matches between configurations and programs, and what their games tell.

>>> from renju import lab
>>> result = lab.match("medium,nodes=500", "beginner,nodes=500", games=2)
>>> len(result.games), result.is_finished
(2, True)
"""

from renju.lab.ab import Comparison, Figure, ab
from renju.lab.game_record import GameRecord, Ply, game_from_json, game_to_json
from renju.lab.losses import LOSS_KINDS, Loss, losses_of
from renju.lab.network import EpochLosses, LossFigures, Training, train
from renju.lab.openings import Openings
from renju.lab.players import EnginePlayer, Player, ProgramPlayer, Seat, Thought
from renju.lab.ratings import Elo, Rating, elo_of_games, elo_of_pairs, pair_counts, rate_players
from renju.lab.referee import Adjudication, Referee
from renju.lab.reporting import Report, report
from renju.lab.result import Match, Score
from renju.lab.runner import match, round_robin
from renju.lab.selfplay import load_positions, save_positions, selfplay
from renju.lab.shards import SHARD_GAMES, grow_shards, load_shard, shard_files
from renju.lab.sprt import Sprt, SprtState
from renju.lab.spsa import spsa
from renju.lab.spsa_result import Iteration, Parameter, SpsaResult
from renju.lab.store import read_match
from renju.lab.tuning import grow_positions
from renju.lab.values import Fit, ValueTable, fit_values, load_values, save_values
from renju.lab.weakness import WeaknessLimits

__all__ = [
    "LOSS_KINDS",
    "SHARD_GAMES",
    "Adjudication",
    "Comparison",
    "Elo",
    "EnginePlayer",
    "EpochLosses",
    "Figure",
    "Fit",
    "GameRecord",
    "Iteration",
    "Loss",
    "LossFigures",
    "Match",
    "Openings",
    "Parameter",
    "Player",
    "Ply",
    "ProgramPlayer",
    "Rating",
    "Referee",
    "Report",
    "Score",
    "Seat",
    "Sprt",
    "SprtState",
    "SpsaResult",
    "Thought",
    "Training",
    "ValueTable",
    "WeaknessLimits",
    "ab",
    "elo_of_games",
    "elo_of_pairs",
    "fit_values",
    "game_from_json",
    "game_to_json",
    "grow_positions",
    "grow_shards",
    "load_positions",
    "load_shard",
    "load_values",
    "losses_of",
    "match",
    "pair_counts",
    "rate_players",
    "read_match",
    "report",
    "round_robin",
    "save_positions",
    "save_values",
    "selfplay",
    "shard_files",
    "spsa",
    "train",
]
