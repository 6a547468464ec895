"""How long and how deep players think, and how games end. docs/lab-report.md defines every figure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from renju import Color, Point
from renju.lab.game_record import Ply
from renju.lab.replay import Replay, Trap, Turn

__all__ = ["Results", "Spread", "Statistics", "results_of", "statistics_of"]

# The places that are told one by one; those further down, and moves that are not in the list, have one name
# each.
_MOST_RANKS = 5
RANK_NAMES = (*map(str, range(1, _MOST_RANKS + 1)), f"{_MOST_RANKS + 1}+", "other")


@dataclass(frozen=True)
class Spread:
    """Mean, percentiles and maximum of some numbers, in their unit."""

    count: int
    """How many numbers there are."""
    mean: float
    """The mean of the numbers, in their unit."""
    p50: float
    """The median of the numbers, in their unit."""
    p90: float
    """The number that 90 % are not above, in their unit."""
    p95: float
    """The number that 95 % are not above, in their unit."""
    p99: float
    """The number that 99 % are not above, in their unit."""
    most: float
    """The greatest of the numbers, in their unit."""

    @classmethod
    def of(cls, values: Sequence[float]) -> Spread | None:
        """The spread of some numbers, with interpolated percentiles; None if there are no numbers."""
        if not values:
            return None
        array = np.asarray(values, np.float64)
        p50, p90, p95, p99 = map(float, np.percentile(array, (50, 90, 95, 99)))
        return cls(len(values), float(array.mean()), p50, p90, p95, p99, float(array.max()))


@dataclass(frozen=True)
class Statistics:
    """The moves of a player, or of all. What nobody told is None."""

    player: str | None
    """The name of the player; None for all players together."""
    games: int
    """Games in which the player took part."""
    moves: int
    """Moves that the player chose, without those of openings."""
    time_ms: Spread | None
    """Milliseconds that were taken for a move."""
    depth: Spread | None
    """Plies of the last finished depth of moves that were searched: the depth of a proved win is another
    thing."""
    nodes: Spread | None
    """Positions that were looked at for a move."""
    nodes_per_second: float | None
    """Positions looked at in a second, over all moves that tell them."""
    interruptions: int
    """Moves at which a limit or a stop broke off a depth."""
    fallbacks: int
    """Moves that are those of an earlier depth, because the last one fell far behind it."""
    table_hit_rate: float | None
    """The share, from 0 to 1, of the search's nodes that were found in the table of positions."""
    table_cutoff_rate: float | None
    """The share, from 0 to 1, of the search's nodes that the table of positions ended."""
    first_cutoff_rate: float | None
    """The share, from 0 to 1, of cut-offs that the first move made: how good the order of moves is."""
    forbidden_checks_per_move: float | None
    """Checks of points for being forbidden, for a move of those that tell counters."""
    forbidden_shortcut_rate: float | None
    """The share, from 0 to 1, of checks for forbidden points that a glance at the lines decided."""
    forbidden_cache_rate: float | None
    """The share, from 0 to 1, of checks for forbidden points that had been made before."""
    researches_per_move: float | None
    """Searches repeated because a score was outside its window, for a move of those that tell counters."""
    ranks: Mapping[str, int]
    """Key: the place of the move played among the candidates, in words; value: moves."""
    sources: Mapping[str, int]
    """Key: where a move comes from, as `Ply.source`; value: moves."""


@dataclass(frozen=True)
class Results:
    """How many games ended in which way."""

    games: int
    """Games that the figures are about."""
    black: int
    """Games that were won by black."""
    white: int
    """Games that were won by white."""
    draws: int
    """Games that were won by nobody."""
    reasons: Mapping[str, Mapping[str, int]]
    """Key: how games ended; value: games by who won, which is black, white or draw."""
    length: Spread | None
    """Moves of a game, the opening included; None without games."""
    trapped: int
    """Games that black lost because its only defence was forbidden."""
    self_inflicted: int
    """Games that black lost by a forbidden point that nothing forced it to play."""
    trap_unknown: int
    """Games awarded to white of which nobody can tell whether a forbidden point decided them."""

    @property
    def trap_share(self) -> float | None:
        """The share of all games that a forbidden point decided; None without games."""
        return (self.trapped + self.self_inflicted) / self.games if self.games else None


def results_of(replays: Sequence[Replay], traps: Sequence[Trap]) -> Results:
    """How the games ended; `traps` tells for each whether a forbidden point decided it."""
    reasons: dict[str, Counter[str]] = {}
    winners: Counter[str] = Counter()
    for replay in replays:
        winner = winner_name(replay.game.winner)
        winners[winner] += 1
        reasons.setdefault(replay.game.reason, Counter())[winner] += 1
    ends = Counter(traps)
    return Results(
        games=len(replays),
        black=winners["black"],
        white=winners["white"],
        draws=winners["draw"],
        reasons={reason: dict(counts) for reason, counts in sorted(reasons.items(), key=_most_first)},
        length=Spread.of([len(replay.moves) for replay in replays]),
        trapped=ends["trapped"],
        self_inflicted=ends["self-inflicted"],
        trap_unknown=ends["unknown"],
    )


def _most_first(item: tuple[str, Mapping[str, int]]) -> tuple[int, str]:
    return -sum(item[1].values()), item[0]


def winner_name(winner: Color | None) -> str:
    return "draw" if winner is None else winner.label


def statistics_of(replays: Iterable[Replay], player: str | None = None) -> Statistics:
    """The statistics of the moves of one player, or of all players."""
    games = [r.game for r in replays_of(replays, player)]
    plies = [turn.ply for turn in turns_of(replays, player)]
    counters: Counter[str] = Counter()
    for ply in plies:
        counters.update(ply.stats)
    thinkers = sum(bool(ply.stats) for ply in plies)
    timed = [(ply.nodes, ply.time) for ply in plies if ply.nodes is not None]
    checks = counters["forbidden_checks"]
    return Statistics(
        player=player,
        games=len(games),
        moves=len(plies),
        time_ms=Spread.of([1000 * ply.time for ply in plies]),
        depth=Spread.of(depths_of(plies)),
        nodes=Spread.of([nodes for nodes, _ in timed]),
        nodes_per_second=_ratio(sum(nodes for nodes, _ in timed), sum(time for _, time in timed)),
        interruptions=sum(ply.interrupted for ply in plies),
        fallbacks=sum(ply.fallback for ply in plies),
        table_hit_rate=_ratio(counters["table_hits"], counters["search_nodes"]),
        table_cutoff_rate=_ratio(counters["table_cutoffs"], counters["search_nodes"]),
        first_cutoff_rate=_ratio(counters["first_cutoffs"], counters["beta_cutoffs"]),
        forbidden_checks_per_move=_ratio(checks, thinkers),
        forbidden_shortcut_rate=_ratio(counters["forbidden_shortcuts"], checks),
        forbidden_cache_rate=_ratio(counters["forbidden_cache_hits"], checks),
        researches_per_move=_ratio(counters["aspiration_researches"], thinkers),
        ranks=_ranks(plies),
        sources=dict(Counter(ply.source or "not told" for ply in plies).most_common()),
    )


def replays_of(replays: Iterable[Replay], player: str | None) -> list[Replay]:
    return [r for r in replays if player is None or player in (r.game.black, r.game.white)]


def turns_of(replays: Iterable[Replay], player: str | None) -> list[Turn]:
    return [turn for r in replays for turn in r.turns if player is None or turn.player == player]


def depths_of(plies: Iterable[Ply]) -> list[int]:
    return [ply.depth for ply in plies if ply.depth is not None and ply.source in ("search", None)]


def _ranks(plies: Iterable[Ply]) -> dict[str, int]:
    ranks = dict.fromkeys(RANK_NAMES, 0)
    for ply in plies:
        if ply.candidates:
            listed = [Point(move) for move, _ in ply.candidates]
            played = Point(ply.move)
            is_listed = played in listed
            ranks[RANK_NAMES[min(listed.index(played), _MOST_RANKS)] if is_listed else RANK_NAMES[-1]] += 1
    return ranks


def _ratio(part: float, whole: float) -> float | None:
    return part / whole if whole else None
