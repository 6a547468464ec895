"""How strong players are, from the results of their games: Elo with intervals.

An Elo difference d is an expected score of 1 / (1 + 10^(-d/400)). Games come in pairs: the same opening,
colours exchanged. An opening that favours one colour gives each side a win, so the two games of a pair are
not independent; the interval is made from the scores of pairs.

>>> from renju.lab.ratings import elo_of_pairs
>>> print(elo_of_pairs((10, 20, 90, 50, 30)))
+61.4 [+36.1, +86.8], 235.0 of 400 points, 100.0 % likely stronger
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from renju.lab.game_record import GameRecord

__all__ = [
    "PAIR_SCORES",
    "Elo",
    "Rating",
    "check_counts",
    "elo_of_games",
    "elo_of_pairs",
    "elo_of_score",
    "pair_counts",
    "rate_players",
    "score_of_elo",
]

PAIR_SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)
"""The share of its two points that a player takes from a pair."""

_GAME_SCORES = (0.0, 0.5, 1.0)

# The standard deviations on both sides of the mean within which 95 % of a normal distribution lie.
_Z = 1.959963984540054
_ELO = 400 / math.log(10)  # Elo to a logit of 1

# For ratings of several players: drawn games of each against an imagined player of rating 0.
_PRIOR_GAMES = 1.0
_NEWTON_STEPS = 100


@dataclass(frozen=True)
class Elo:
    """How much stronger a player is than its opponents."""

    value: float
    """Elo points above the opponents; infinite at 0 % and 100 %, nan without games."""
    low: float
    """The lower end of the 95 % interval, in Elo; minus infinity at 0 % and without games."""
    high: float
    """The upper end of the 95 % interval, in Elo; infinite at 100 % and without games."""
    points: float
    """Points that the player took: 1 for a win, ½ for a draw."""
    games: int
    """Games that the points were taken from."""
    los: float
    """How likely the player is the stronger one: a share from 0 to 1."""

    @property
    def score(self) -> float:
        """The share of points, from 0 to 1, that the player took; nan without games."""
        return self.points / self.games if self.games else math.nan

    def __str__(self) -> str:
        interval = f"{self.value:+.1f} [{self.low:+.1f}, {self.high:+.1f}]"
        likely = f"{100 * self.los:.1f} % likely stronger"
        return f"{interval}, {self.points:.1f} of {self.games} points, {likely}"


@dataclass(frozen=True)
class Rating:
    """A player among several; the mean of all is 0."""

    name: str
    """The name of the player who is rated."""
    value: float
    """Elo points above the mean of all players."""
    low: float
    """The lower end of the 95 % interval, in Elo."""
    high: float
    """The upper end of the 95 % interval, in Elo."""
    points: float
    """Points that the player took: 1 for a win, ½ for a draw."""
    games: int
    """Games that the player played against others."""


def score_of_elo(elo: float) -> float:
    """The expected share of points, from 0 to 1, of a player who is stronger by `elo` Elo."""
    return 0.5 * (1.0 + math.tanh(elo / _ELO / 2.0))


def elo_of_score(score: float) -> float:
    """The difference in Elo that makes a share of points, from 0 to 1, expected; infinite at 0 and 1."""
    if not 0.0 < score < 1.0:
        return math.nan if math.isnan(score) else math.copysign(math.inf, score - 0.5)
    return _ELO * math.log(score / (1.0 - score))


def elo_of_pairs(counts: Sequence[int]) -> Elo:
    """The strength, from the numbers of pairs in which a player took 0, ½, 1, 1½ and 2 points.

    The interval is Wilson's, for as many trials as would give a score the variance that the pairs have. The
    variance counts one imagined pair more, as uneven as the score allows: so it is never 0, however few
    pairs there are and however alike.
    """
    return _elo(check_counts(counts, len(PAIR_SCORES)), PAIR_SCORES, games=2)


def elo_of_games(wins: int, draws: int, losses: int) -> Elo:
    """The strength in Elo, from the numbers of games, not in pairs, that were `wins`, `draws` and `losses`,
    with the interval of `elo_of_pairs`."""
    return _elo(check_counts((losses, draws, wins), len(_GAME_SCORES)), _GAME_SCORES, games=1)


def check_counts(counts: Sequence[int], length: int = len(PAIR_SCORES)) -> tuple[int, ...]:
    """The counts; `ValueError` unless they are `length` whole numbers from 0 on."""
    if len(counts) != length or any(count != int(count) or count < 0 for count in counts):
        raise ValueError(f"counts are {length} whole numbers from 0 on, not {tuple(counts)}")
    return tuple(map(int, counts))


def _elo(counts: Sequence[int], scores: Sequence[float], games: int) -> Elo:
    trials = sum(counts)
    if not trials:
        return Elo(math.nan, -math.inf, math.inf, 0.0, 0, 0.5)
    total = math.fsum(n * s for n, s in zip(counts, scores, strict=True))
    mean = total / trials
    uneven = mean * (1.0 - mean)  # the most a score of this mean can vary
    spread = math.fsum(n * (s - mean) ** 2 for n, s in zip(counts, scores, strict=True))
    # How much of that it does vary, the imagined trial included; at 0 % and 100 % nobody knows, so all of it.
    share = (spread / uneven + 1.0) / (trials + 1.0) if uneven else 1.0
    alike = trials / share  # independent games with the same variance
    middle = (mean + _Z**2 / (2.0 * alike)) / (1.0 + _Z**2 / alike)
    half = _Z * math.sqrt(uneven / alike + (_Z / (2.0 * alike)) ** 2) / (1.0 + _Z**2 / alike)
    low = 0.0 if mean == 0.0 else middle - half
    high = 1.0 if mean == 1.0 else middle + half
    los = 0.5 * math.erfc((0.5 - mean) * math.sqrt(4.0 * alike) / math.sqrt(2.0))
    return Elo(elo_of_score(mean), elo_of_score(low), elo_of_score(high), total * games, trials * games, los)


def pair_counts(games: Iterable[GameRecord], player: str) -> tuple[int, ...]:
    """The numbers of pairs in which a player took 0, ½, 1, 1½ and 2 points. Pairs of which a game is missing
    are left out, as are games of the player against itself, and pairs that repeat an earlier one move by
    move: they tell nothing new."""
    pairs: dict[tuple[int, str], list[GameRecord]] = defaultdict(list)
    for game in games:
        if game.black != game.white and player in (game.black, game.white):
            pairs[game.pair, game.white if game.black == player else game.black].append(game)
    counts = [0] * len(PAIR_SCORES)
    seen: set[frozenset[PairGame]] = set()
    for (number, _), both in pairs.items():
        if len(both) > 2 or (len(both) == 2 and both[0].black == both[1].black):
            numbers = ", ".join(str(game.number) for game in both)
            raise ValueError(f"pair {number} is none: games {numbers} are not two with colours exchanged")
        if len(both) == 2 and pair_moves(both) not in seen:
            seen.add(pair_moves(both))
            counts[int(2 * sum(game.result_of(player) for game in both))] += 1
    return tuple(counts)


PairGame = tuple[str, str, str]
"""Players and moves of a game of a pair."""


def pair_moves(both: Iterable[GameRecord]) -> frozenset[PairGame]:
    """What two pairs have in common if one repeats the other."""
    return frozenset((game.black, game.white, game.moves) for game in both)


def rate_players(games: Iterable[GameRecord]) -> tuple[Rating, ...]:
    """Ratings of all players, strongest first, that make their results most likely; a draw is half a win and
    half a loss.

    So that players who won or lost everything have a rating too, each is given one drawn game against an
    imagined player of rating 0. The intervals are those of independent games: for pairs they are rather too
    wide.
    """
    played = [game for game in games if game.black != game.white]
    names = sorted({name for game in played for name in (game.black, game.white)})
    if not names:
        return ()
    place = {name: i for i, name in enumerate(names)}
    points = np.zeros((len(names), len(names)))
    for game in played:
        black, white = place[game.black], place[game.white]
        points[black, white] += game.result_of(game.black)
        points[white, black] += game.result_of(game.white)
    values, variances = _most_likely(points)
    rated = []
    for name, i in place.items():
        value, half = float(values[i]), _Z * math.sqrt(variances[i])
        games_played = round(float(points[i].sum() + points[:, i].sum()))
        rated.append(Rating(name, value, value - half, value + half, float(points[i].sum()), games_played))
    return tuple(sorted(rated, key=lambda rating: (-rating.value, rating.name)))


def _most_likely(
    points: npt.NDArray[np.float64],
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Ratings and their variances in Elo, around their mean, by Newton's method: the likelihood has one
    peak. `points[i, j]` is what i took from j."""
    count = len(points)
    strength = np.zeros(count)  # in logits
    for _ in range(_NEWTON_STEPS):
        slope, curve = _derivatives(points, strength)
        step = np.linalg.solve(curve, slope)
        strength += np.clip(step, -1.0, 1.0)  # far from the peak Newton's step would be too long
        if np.abs(step).max() < 1e-10:
            break
    around = np.eye(count) - 1.0 / count
    _, curve = _derivatives(points, strength)
    variances = np.diag(around @ np.linalg.inv(curve) @ around)
    return _ELO * (around @ strength), _ELO**2 * np.maximum(variances, 0.0)


def _derivatives(
    points: npt.NDArray[np.float64], strength: npt.NDArray[np.float64]
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """The slope of the log-likelihood and its curvature (as a positive matrix), the prior included."""
    games = points + points.T
    expected = 0.5 * (1.0 + np.tanh(0.5 * (strength[:, None] - strength[None, :])))
    alone = 0.5 * (1.0 + np.tanh(0.5 * strength))
    slope = points.sum(1) - (games * expected).sum(1) + _PRIOR_GAMES * (0.5 - alone)
    weight = games * expected * (1.0 - expected)
    curve = np.diag(weight.sum(1) + _PRIOR_GAMES * alone * (1.0 - alone)) - weight
    return slope, curve
