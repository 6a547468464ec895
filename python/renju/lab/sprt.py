"""When to end a match: the sequential probability ratio test on pairs of games.

H0 says that the Elo difference is `elo0`, H1 that it is `elo1`. After every pair the test asks how much more
likely the results are under H1, and ends when the answer is clear enough for the error rates wanted.

The five scores of a pair have a distribution that nobody knows. Under each hypothesis it is taken to be the
one of that mean which makes the results most likely: pᵢ = fᵢ / (1 + θ (sᵢ - μ)), where fᵢ is how often the
score sᵢ was seen, and θ is chosen so that the mean is μ. The log-likelihood ratio of the two follows.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from renju.lab.ratings import PAIR_SCORES, check_counts, score_of_elo

__all__ = ["Sprt", "SprtState", "Verdict"]

Verdict = Literal["", "H0", "H1"]

# Scores that were never seen count as seen this often, so that every mean between 0 and 1 is possible.
_UNSEEN = 1e-3
# Beyond, scores of 0 and 1 can hardly be told from those that are tested.
_MOST_ELO = 1000

_HALVINGS = 60


@dataclass(frozen=True)
class SprtState:
    """Where a sequential test stands."""

    llr: float
    """The logarithm of the likelihood ratio of H1 to H0: above 0 speaks for H1."""
    lower: float
    """The log-likelihood ratio at or below which H0 is accepted."""
    upper: float
    """The log-likelihood ratio at or above which H1 is accepted."""
    verdict: Verdict
    """"H0" or "H1" if the test has accepted it, else empty."""

    def __str__(self) -> str:
        verdict = f"{self.verdict} accepted" if self.verdict else "not decided"
        return f"LLR {self.llr:.2f} [{self.lower:.2f}, {self.upper:.2f}], {verdict}"


@dataclass(frozen=True)
class Sprt:
    """A test of H0 against H1, in Elo.

    >>> from renju.lab.sprt import Sprt
    >>> print(Sprt().state((10, 20, 90, 50, 30)))
    LLR 3.15 [-2.94, 2.94], H1 accepted
    """

    elo0: float = 0.0
    """The difference in strength that H0 assumes, in Elo."""
    elo1: float = 10.0
    """The difference in strength that H1 assumes, in Elo."""
    alpha: float = 0.05
    """How often H1 may be accepted though H0 is true: a share from 0 to 1."""
    beta: float = 0.05
    """How often H0 may be accepted though H1 is true: a share from 0 to 1."""

    def __post_init__(self) -> None:
        if not -_MOST_ELO <= self.elo0 < self.elo1 <= _MOST_ELO:
            text = f"numbers from {-_MOST_ELO} to {_MOST_ELO}, the first the lower one"
            raise ValueError(f"elo0 and elo1 are {text}, not {self.elo0} and {self.elo1}")
        if not (self.alpha > 0 and self.beta > 0 and self.alpha + self.beta < 1):
            raise ValueError(f"alpha and beta are rates of errors, not {self.alpha} and {self.beta}")

    @property
    def lower(self) -> float:
        return math.log(self.beta / (1.0 - self.alpha))

    @property
    def upper(self) -> float:
        return math.log((1.0 - self.beta) / self.alpha)

    def state(self, counts: Sequence[int]) -> SprtState:
        """Where the test stands after these numbers of pairs with 0, ½, 1, 1½ and 2 points."""
        llr = _llr(check_counts(counts), score_of_elo(self.elo0), score_of_elo(self.elo1))
        verdict: Verdict = "H0" if llr <= self.lower else "H1" if llr >= self.upper else ""
        return SprtState(llr, self.lower, self.upper, verdict)


def _llr(counts: Sequence[int], mean0: float, mean1: float) -> float:
    if not any(counts):
        return 0.0
    weights = [count or _UNSEEN for count in counts]
    theta0, theta1 = _theta(weights, mean0), _theta(weights, mean1)
    return math.fsum(
        weight * (math.log1p(theta0 * (s - mean0)) - math.log1p(theta1 * (s - mean1)))
        for weight, s in zip(weights, PAIR_SCORES, strict=True)
    )


def _theta(weights: Sequence[float], mean: float) -> float:
    """What tilts the frequencies to a mean. The slope falls all the way between the poles, so halving the
    range finds where it is 0."""
    offsets = [s - mean for s in PAIR_SCORES]
    low, high = -1.0 / offsets[-1], -1.0 / offsets[0]
    for _ in range(_HALVINGS):
        theta = 0.5 * (low + high)
        slope = math.fsum(w * x / (1.0 + theta * x) for w, x in zip(weights, offsets, strict=True))
        if slope > 0.0:
            low = theta
        else:
            high = theta
    return 0.5 * (low + high)
