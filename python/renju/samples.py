"""The games that come with the package, for demonstrations and measurements."""

from __future__ import annotations

from importlib import resources

__all__ = ["games", "positions"]


def games() -> list[str]:
    """120 complete games of engine self-play, as compact records.

    >>> from renju import samples
    >>> len(samples.games()), samples.games()[0][:10]
    (120, 'h8i9j6g8k1')
    """
    return resources.files("renju").joinpath("data/sample_games.txt").read_text("ascii").split()


def positions() -> list[str]:
    """The record of every position of the games, from the empty board to the last move.

    >>> from renju import samples
    >>> len(samples.positions())
    5182
    """
    from renju._native import parse_moves
    from renju._types import Point

    records = []
    for game in games():
        moves = [Point(index).name.lower() for index in parse_moves(game)]
        records += ["".join(moves[:ply]) for ply in range(len(moves) + 1)]
    return records
