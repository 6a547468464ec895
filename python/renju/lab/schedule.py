"""Which games are played: every opening twice with the colours swapped, by each two players."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from itertools import combinations

from renju.limits import between

__all__ = ["Pairing", "game_seed", "pairing", "schedule"]

_MOST_GAMES = 10**7
_SEED_BYTES = 6  # exact in every JSON reader


@dataclass(frozen=True)
class Pairing:
    """A game to be played."""

    number: int
    """The place of the game in the schedule, from 0."""
    pair: int
    """The number of the pair, from 0: two games of one opening with the colours exchanged."""
    round: int
    """The number of the round, from 0, which decides the opening."""
    black: int
    """The place in the list, from 0, of the player who has black."""
    white: int
    """The place in the list, from 0, of the player who has white."""
    seed: int
    """The seed of the game, a whole number below 2^48."""


def schedule(players: int, games: int, seed: int = 0) -> list[Pairing]:
    """All games, in the order in which they are begun; `games` is the number for each two players.

    More games are added at the end, so that a match can be made longer.
    """
    between("games", games, 2, _MOST_GAMES)
    if games % 2:
        raise ValueError(
            f"games is an even number, for every opening is played with both colours, not {games}"
        )
    meetings = _meetings(players)
    return [_pairing(number, meetings, seed) for number in range(games * len(meetings))]


def pairing(number: int, players: int, seed: int = 0) -> Pairing:
    """The game with a number, however long the schedule is."""
    meetings = _meetings(players)
    between("number", number, 0, _MOST_GAMES * len(meetings) - 1)
    return _pairing(number, meetings, seed)


@cache
def _meetings(players: int) -> tuple[tuple[int, int], ...]:
    return tuple(combinations(range(players), 2))


def _pairing(number: int, meetings: Sequence[tuple[int, int]], seed: int) -> Pairing:
    """All pairs of players meet in one opening, twice each, before the next opening comes."""
    pair = number // 2
    round_, meeting = divmod(pair, len(meetings))
    first, second = meetings[meeting]
    black, white = (second, first) if number % 2 else (first, second)
    return Pairing(number, pair, round_, black, white, game_seed(seed, number))


def game_seed(seed: int, number: int) -> int:
    """The seed of a game: it follows from that of the match and the number of the game alone."""
    return int.from_bytes(blake2b(f"{seed} {number}".encode(), digest_size=_SEED_BYTES).digest())
