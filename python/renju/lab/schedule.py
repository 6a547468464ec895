"""Which games are played: every opening twice with the colours swapped, by each two players."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b
from itertools import combinations

from renju.limits import between

__all__ = ["Pairing", "game_seed", "schedule"]

_MOST_GAMES = 10**7
_SEED_BYTES = 6  # exact in every JSON reader


@dataclass(frozen=True)
class Pairing:
    """A game to be played."""

    number: int
    pair: int
    round: int
    """The number of its opening."""
    black: int
    """Players by their place in the list."""
    white: int
    seed: int


def schedule(players: int, games: int, seed: int = 0) -> list[Pairing]:
    """All games, in the order in which they are begun; `games` is the number for each two players.

    More games are added at the end, so that a match can be made longer.
    """
    between("games", games, 2, _MOST_GAMES)
    if games % 2:
        raise ValueError(
            f"games is an even number, for every opening is played with both colours, not {games}"
        )
    meetings = list(combinations(range(players), 2))
    found: list[Pairing] = []
    for round_ in range(games // 2):
        for first, second in meetings:
            pair = len(found) // 2
            for black, white in ((first, second), (second, first)):
                number = len(found)
                found.append(Pairing(number, pair, round_, black, white, game_seed(seed, number)))
    return found


def game_seed(seed: int, number: int) -> int:
    """The seed of a game: it follows from that of the match and the number of the game alone."""
    return int.from_bytes(blake2b(f"{seed} {number}".encode(), digest_size=_SEED_BYTES).digest())
