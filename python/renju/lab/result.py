"""What a match came to: its games, the score, the rating and the verdict."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

from renju._types import Color
from renju.lab.evidence import Terms
from renju.lab.game_record import REASONS, GameRecord
from renju.lab.ratings import (
    PAIR_SCORES,
    Elo,
    PairGame,
    Rating,
    elo_of_pairs,
    pair_counts,
    pair_moves,
    rate_players,
)
from renju.lab.sprt import Sprt, SprtState
from renju.lab.store import read_match

if TYPE_CHECKING:
    from renju.lab.game_record import Reason

__all__ = ["Match", "Score", "Walk", "games_that_count"]


@dataclass(frozen=True)
class Score:
    """How many games a player won, drew and lost."""

    won: int = 0
    """Games that the player won."""
    drawn: int = 0
    """Games that the player drew."""
    lost: int = 0
    """Games that the player lost."""

    @property
    def games(self) -> int:
        return self.won + self.drawn + self.lost

    @property
    def points(self) -> float:
        return self.won + self.drawn / 2

    def __str__(self) -> str:
        return f"+{self.won} ={self.drawn} -{self.lost}"


@dataclass(frozen=True)
class Match:
    """The games of two or more players, in the order of the schedule, and what follows from them."""

    players: tuple[str, ...]
    """Names of the players in the order of the schedule."""
    games: tuple[GameRecord, ...]
    """The finished games that count, in the order of the schedule."""
    planned: int
    """Games in the schedule. Fewer are played if the match was interrupted, or if the test was decided."""
    sprt: Sprt | None = None
    """The sequential test that may end the match before its last game; None without one."""
    seed: int = 0
    """The seed of the match, from which those of its games follow."""
    path: Path | None = None
    """Path of the file of the games; None if nothing is written."""
    time: float = field(default=0.0, compare=False)
    """Seconds that this run took."""

    @classmethod
    def load(cls, path: str | Path) -> Match:
        """The match of the file at `path`, finished or not."""
        return cls.of_file(path, *read_match(path))

    @classmethod
    def of_file(cls, path: str | Path, header: Mapping[str, Any], games: Iterable[GameRecord]) -> Match:
        """The match of what `read_match` found in a file."""
        terms = Terms.read(header)
        players = tuple(terms.players)
        numbered = {game.number: game for game in games}
        walk = None if terms.sprt is None else Walk(players[0], terms.sprt)
        planned = max(terms.planned, max(numbered, default=-1) + 1)
        return cls(players, games_that_count(numbered, walk), planned, terms.sprt, terms.seed, Path(path))

    @property
    def is_finished(self) -> bool:
        """Was every game played that was to be played?"""
        state = self.sprt_state
        return len(self.games) == self.planned or (state is not None and state.verdict != "")

    def score(self, player: str, opponent: str | None = None, color: Color | None = None) -> Score:
        """How a player did, if wanted against one opponent, or with one colour only."""
        for name in (player, opponent):
            if name not in (None, *self.players):
                raise ValueError(f"{name!r} is none of the players {', '.join(self.players)}")
        counts: Counter[float] = Counter()
        for game in self.games:
            own = {game.black: Color.BLACK, game.white: Color.WHITE}
            if player not in own or opponent not in (None, *own) or color not in (None, own[player]):
                continue
            counts[game.result_of(player)] += 1
        return Score(counts[1.0], counts[0.5], counts[0.0])

    def pairs(self, player: str | None = None) -> tuple[int, ...]:
        """The numbers of pairs in which a player (the first by default) took 0, ½, 1, 1½ and 2 points."""
        return pair_counts(self.games, self.players[0] if player is None else player)

    @property
    def elo(self) -> Elo:
        """How much stronger the first player is than the others, in Elo."""
        return elo_of_pairs(self.pairs())

    @property
    def ratings(self) -> tuple[Rating, ...]:
        """Strengths of all players in Elo, strongest first."""
        return rate_players(self.games)

    @property
    def sprt_state(self) -> SprtState | None:
        """Where the test stands; None without one. Pairs count in the order of the schedule."""
        if self.sprt is None:
            return None
        # Without the others: they are cut off after a verdict, and a gap ends what counts.
        in_order = [game for number, game in enumerate(self.games) if game.number == number]
        return self.sprt.state(pair_counts(in_order, self.players[0]))

    @property
    def reasons(self) -> dict[Reason, int]:
        """How the games ended, those that occur."""
        counts = Counter(game.reason for game in self.games)
        return {reason: counts[reason] for reason in REASONS if counts[reason]}  # type: ignore[index,misc]

    @property
    def repetitions(self) -> int:
        """Games that are the same as an earlier one: the same players, colours and moves. They tell nothing
        new; pairs of them count neither for the interval nor for the test."""
        return len(self.games) - len({(game.black, game.white, game.moves) for game in self.games})

    @property
    def faults(self) -> tuple[GameRecord, ...]:
        """Games that a program lost by what it did wrong."""
        return tuple(game for game in self.games if game.fault)

    def to_dict(self) -> dict[str, Any]:
        """The summary, as JSON has it."""
        from renju.lab.tables import match_facts

        return match_facts(self)

    def __str__(self) -> str:
        from renju.lab.tables import match_text

        return match_text(self)

    def __repr__(self) -> str:
        return f"<Match of {', '.join(self.players)}: {len(self.games)} of {self.planned} games>"

    def meetings(self) -> Iterable[tuple[str, str]]:
        """The names of every two players who meet."""
        return combinations(self.players, 2)


class Walk:
    """The way of a test along the schedule. A pair that was played ahead of a missing one does not count yet,
    so that the verdict does not depend on who was quicker. Pairs that repeat earlier ones are no evidence."""

    def __init__(self, player: str, sprt: Sprt) -> None:
        self._player = player
        self._sprt = sprt
        self.counts = [0] * len(PAIR_SCORES)
        self.pairs = 0
        self._seen: set[frozenset[PairGame]] = set()
        self.state = sprt.state(self.counts)

    def advance(self, games: Mapping[int, GameRecord]) -> bool:
        """Goes on as far as the games by number reach; true if the test is decided."""
        while not self.state.verdict and (both := _pair(games, self.pairs)):
            self.pairs += 1
            if pair_moves(both) not in self._seen:
                self._seen.add(pair_moves(both))
                self.counts[int(2 * sum(game.result_of(self._player) for game in both))] += 1
                self.state = self._sprt.state(self.counts)
        return self.state.verdict != ""


def _pair(games: Mapping[int, GameRecord], pair: int) -> tuple[GameRecord, GameRecord] | None:
    first, second = games.get(2 * pair), games.get(2 * pair + 1)
    return None if first is None or second is None else (first, second)


def games_that_count(games: Mapping[int, GameRecord], walk: Walk | None) -> tuple[GameRecord, ...]:
    """Games in the order of the schedule, without those after the pair that decided a test."""
    if walk is not None and walk.advance(games):
        return tuple(games[number] for number in range(2 * walk.pairs))
    return tuple(games[number] for number in sorted(games))
