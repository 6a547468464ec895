"""Books from games, and one book from several."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from renju import _native
from renju._types import PASS, Color, Point
from renju.book.collection import Book
from renju.book.entries import MOST_COUNT, MOST_WEIGHT, BookMove, Entry, ranked, representative
from renju.game import Game
from renju.limits import between

__all__ = ["from_games", "merge"]

# What a game counts for the side that moved. An unknown result is as good as a draw: it tells nothing.
_WIN, _EVEN, _LOSS = 2, 1, 0
_WINNERS = {"1-0": Color.BLACK, "0-1": Color.WHITE}
_DRAW = "1/2-1/2"


def from_games(games: Iterable[Game], *, plies: int = 30, least_games: int = 1) -> Book:
    """A book of what was played in games, up to `plies` plies of each.

    The weight of a move is 2 for every game that its side won, 1 for a draw or an unknown result, 0 for a
    loss. Moves of fewer games than `least_games` are left out, as are passes, forbidden moves and all that
    follows them.

    >>> from renju import Game, book
    >>> games = [Game.from_moves("h8 i9 g7", result="1-0"), Game.from_moves("h8 g9 i7", result="0-1")]
    >>> moves = book.from_games(games).moves(games[0].board(2))
    >>> [(str(move.move), move.weight, move.games) for move in moves]
    [('G7', 2, 2)]
    """
    if isinstance(games, Game):
        raise TypeError("games are several: put one into a list")
    plies = between("plies", plies, 1, PASS)
    least_games = between("least_games", least_games, 1, MOST_COUNT)
    counts: dict[int, tuple[int, dict[int, list[int]]]] = {}
    total = 0
    for game in games:
        total += 1
        if not isinstance(game, Game):
            raise TypeError(f"games are renju.Game, not {type(game).__name__}")
        for key, stones, point, worth in _played(game, plies):
            _, moves = counts.setdefault(key, (stones, {}))
            count = moves.setdefault(point, [0, 0])
            count[0] += 1
            count[1] += worth
    entries = {}
    for key, (stones, moves) in counts.items():
        found = [
            BookMove(Point(point), weight, games=min(played, MOST_COUNT))
            for point, (played, weight) in moves.items()
            if played >= least_games
        ]
        if found:
            entries[key] = Entry(stones, ranked(_fitting(found)))
    return Book._of(entries, {"games": total, "plies": plies, "least_games": least_games})


def _played(game: Game, plies: int) -> Iterator[tuple[int, int, int, int]]:
    """Key and stones of each position, the move on its canonical board, and what it counts."""
    winner = _WINNERS.get(game.result)
    if winner is None and game.result != _DRAW:
        outcome = game.board().outcome
        winner = None if outcome is None else outcome.winner
    board = game.board(0)
    for move in game.moves[:plies]:
        if move == PASS or not board.is_legal(move):
            return
        key, k = board._position.symmetric_key()
        point = representative(board.transform(k), _native.transform_point(move, k))
        worth = _EVEN if winner is None else _WIN if winner is board.turn else _LOSS
        yield key, len(board), point, worth
        board.push(move)


def merge(books: Iterable[Book]) -> Book:
    """All positions of several books. Where a move is in more than one, weights and games are added; score,
    depth and nodes are those of the search that saw farthest.

    Scores are not brought back through the lines that the books have only together.
    """
    books = list(books)
    entries: dict[int, Entry] = {}
    for book in books:
        if not isinstance(book, Book):
            raise TypeError(f"books are renju.book.Book, not {type(book).__name__}")
        for key, entry in book._entries.items():
            entries[key] = _merged(key, entries[key], entry) if key in entries else entry
    return Book._of(entries, {"merged": len(books)})


def _merged(key: int, one: Entry, other: Entry) -> Entry:
    if one.stones != other.stones:
        raise ValueError(
            f"position {key:#018x} has {one.stones} stones in one book and {other.stones} in another"
        )
    moves = {move.move: move for move in one.moves}
    for move in other.moves:
        before = moves.get(move.move)
        if before is None:
            moves[move.move] = move
            continue
        # A search always has a depth or nodes, so that what has a score comes before what has none.
        best = max(before, move, key=lambda found: (found.score is not None, found.depth, found.nodes))
        games = min(before.games + move.games, MOST_COUNT)
        moves[move.move] = replace(best, weight=before.weight + move.weight, games=games)
    return Entry(one.stones, ranked(_fitting(moves.values())))


def _fitting(moves: Iterable[BookMove]) -> list[BookMove]:
    """The same with weights that a file can hold, in the same proportion; what is played stays so."""
    moves = list(moves)
    most = max(move.weight for move in moves)
    if most <= MOST_WEIGHT:
        return moves
    return [replace(move, weight=-(-move.weight * MOST_WEIGHT // most)) for move in moves]
