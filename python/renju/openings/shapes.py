"""The 26 named openings (珠型, shukei): names, and the shape of the first three stones in any orientation."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import permutations
from typing import TYPE_CHECKING, Literal

from renju._native import parse_moves, transform_point
from renju._types import PASS, Color, Point, PointLike
from renju.errors import NotationError

if TYPE_CHECKING:
    from renju.board import Board
    from renju.game import Game

__all__ = ["OPENINGS", "Opening", "by_code", "by_rif_id", "classify"]

_SYMMETRIES = range(8)
_COLORS = [Color.BLACK, Color.WHITE, Color.BLACK]


@dataclass(frozen=True)
class Opening:
    """One of the 26 openings.

    >>> from renju import openings
    >>> opening = openings.by_code("I7")
    >>> opening.kind, opening.romaji, [str(point) for point in opening.moves]
    ('indirect', 'Hogetsu', ['H8', 'I9', 'I7'])
    """

    code: str
    """The international code of the opening: D1 to D13 or I1 to I13."""
    kind: Literal["direct", "indirect"]
    """Where white 2 stands: beside the centre (直接) or diagonal to it (間接)."""
    kanji: str
    """The Japanese name of the opening in its own script."""
    romaji: str
    """The reading of the Japanese name in Latin letters, with macrons. Files often omit them: compare codes
    or ids, never names."""
    english: str
    """The translation of the Japanese name."""
    moves: tuple[Point, Point, Point]
    """The first three moves in the standard orientation: white 2 on H9 or I9."""
    rif_id: int
    """Number of the opening in the RIF game database."""
    evaluation: str
    """Classical verdict under the RIF opening rule of 1996: ``1-0`` black wins, ``+-`` black is better,
    ``+=`` black is slightly better, ``=`` even, ``-=`` white is slightly better, ``0-1`` white wins."""

    def __str__(self) -> str:
        return f"{self.code} {self.romaji} ({self.kanji}, {self.english})"


# code, kanji, reading, English, black 3, RIF id, classical verdict
_TABLE = (
    ("D1", "寒星", "Kansei", "Cold Star", "H10", 14, "1-0"),
    ("D2", "溪月", "Keigetsu", "Valley Moon", "I10", 15, "1-0"),
    ("D3", "疎星", "Sosei", "Sparse Star", "J10", 16, "="),
    ("D4", "花月", "Kagetsu", "Flower Moon", "I9", 17, "1-0"),
    ("D5", "残月", "Zangetsu", "Lingering Moon", "J9", 18, "+-"),
    ("D6", "雨月", "Ugetsu", "Rain Moon", "I8", 19, "1-0"),
    ("D7", "金星", "Kinsei", "Gold Star", "J8", 20, "1-0"),
    ("D8", "松月", "Shōgetsu", "Pine Moon", "H7", 21, "+-"),
    ("D9", "丘月", "Kyūgetsu", "Hill Moon", "I7", 22, "+="),
    ("D10", "新月", "Shingetsu", "New Moon", "J7", 23, "+-"),
    ("D11", "瑞星", "Zuisei", "Auspicious Star", "H6", 24, "="),
    ("D12", "山月", "Sangetsu", "Mountain Moon", "I6", 25, "+-"),
    ("D13", "遊星", "Yūsei", "Wandering Star", "J6", 26, "0-1"),
    ("I1", "長星", "Chōsei", "Long Star", "J10", 1, "-="),
    ("I2", "峡月", "Kyōgetsu", "Gorge Moon", "J9", 2, "1-0"),
    ("I3", "恒星", "Kōsei", "Fixed Star", "J8", 3, "1-0"),
    ("I4", "水月", "Suigetsu", "Water Moon", "J7", 4, "1-0"),
    ("I5", "流星", "Ryūsei", "Shooting Star", "J6", 5, "-="),
    ("I6", "雲月", "Ungetsu", "Cloud Moon", "I8", 6, "1-0"),
    ("I7", "浦月", "Hogetsu", "Bay Moon", "I7", 7, "1-0"),
    ("I8", "嵐月", "Rangetsu", "Storm Moon", "I6", 8, "1-0"),
    ("I9", "銀月", "Gingetsu", "Silver Moon", "H7", 9, "+-"),
    ("I10", "明星", "Myōjō", "Morning Star", "H6", 10, "1-0"),
    ("I11", "斜月", "Shagetsu", "Slanting Moon", "G7", 11, "+="),
    ("I12", "名月", "Meigetsu", "Famed Moon", "G6", 12, "+-"),
    ("I13", "彗星", "Suisei", "Comet", "F6", 13, "0-1"),
)


def _opening(
    code: str, kanji: str, romaji: str, english: str, third: str, rif_id: int, evaluation: str
) -> Opening:
    kind: Literal["direct", "indirect"] = "direct" if code.startswith("D") else "indirect"
    moves = (Point("H8"), Point("H9" if kind == "direct" else "I9"), Point(third))
    return Opening(code, kind, kanji, romaji, english, moves, rif_id, evaluation)


OPENINGS: tuple[Opening, ...] = tuple(_opening(*row) for row in _TABLE)
"""All openings, D1 to D13 and then I1 to I13."""

_BY_CODE = {opening.code: opening for opening in OPENINGS}
_BY_RIF_ID = {opening.rif_id: opening for opening in OPENINGS}
# Key: the three moves in any orientation, as points.
_BY_MOVES: dict[tuple[int, ...], Opening] = {
    tuple(transform_point(move, k) for move in opening.moves): opening
    for opening in OPENINGS
    for k in _SYMMETRIES
}


def by_code(code: str) -> Opening:
    """The opening with this code; ``"D4"``, ``"d4"`` and ``"4D"`` are the same.

    >>> from renju import openings
    >>> openings.by_code("4d").romaji
    'Kagetsu'
    """
    if not isinstance(code, str):
        raise TypeError(f"an opening code is text such as 'D4', not {type(code).__name__}")
    text = code.strip().upper()
    if text[:1].isdigit():
        text = text[-1] + text[:-1]
    if text not in _BY_CODE:
        raise NotationError(f"unknown opening code {code!r}: expected D1..D13 or I1..I13")
    return _BY_CODE[text]


def by_rif_id(rif_id: int) -> Opening:
    """The opening with the number `rif_id` in the RIF game database.

    >>> from renju import openings
    >>> print(openings.by_rif_id(19))
    D6 Ugetsu (雨月, Rain Moon)
    """
    if rif_id not in _BY_RIF_ID:
        raise NotationError(f"unknown RIF opening id {rif_id!r}: expected 1..{len(OPENINGS)}")
    return _BY_RIF_ID[rif_id]


def classify(game: Game | Board | str | Iterable[PointLike]) -> Opening | None:
    """The opening of a game in any orientation, or None if it does not start with one of the 26.

    Moves after the third do not matter. A set-up position has no order of moves: its first three stones
    are those set up, then those played, and the black stone on the centre counts as the first.

    >>> import renju
    >>> from renju import openings
    >>> openings.classify("h8 g8 g9 a1").code
    'D4'
    >>> openings.classify(renju.Board.from_stones(["H8", "I7"], ["I9"])).code
    'I7'
    >>> openings.classify("h8 a1 b1") is None
    True
    """
    from renju.board import Board  # a board knows its opening: importing it above would go in a circle
    from renju.game import Game

    if isinstance(game, Game):
        game = game.board(3)
    if isinstance(game, str):
        return _named(parse_moves(game)[:3])
    if isinstance(game, Board):
        orders = (_named(moves) for moves in _first_three(game))
        return next((opening for opening in orders if opening is not None), None)
    return _named([int(Point(move)) for move in game][:3])


def _named(moves: Iterable[int]) -> Opening | None:
    """The opening made by exactly these moves, in this order."""
    return _BY_MOVES.get(tuple(int(move) for move in moves))


def _first_three(board: Board) -> list[tuple[int, ...]]:
    """The orders in which the first three stones may have been played: one if the board knows it."""
    moves, stones = board.moves, board.stones
    setup = [point for point in stones if point not in moves]
    first = [*setup, *moves[: max(0, 3 - len(setup))]]
    if len(first) != 3 or PASS in first:
        return []
    orders = permutations(first) if setup else [tuple(first)]
    return [order for order in orders if [stones[point] for point in order] == _COLORS]
