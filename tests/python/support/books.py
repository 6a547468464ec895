"""What the tests of opening books share: a small book, and what a book says."""

import pytest

from renju import Board, Point, book
from renju.book import Book
from renju.book.growth import is_decided

# No symmetry, a mirror, a diagonal, all eight.
PLAIN = "h8 i9 j7 g8"
SMALL = {"positions": 12, "nodes": 1_000, "width": 3, "check_nodes": 500}


def after(board: Board, move: Point) -> Board:
    board = board.copy()
    board.push(move)
    return board


@pytest.fixture(scope="module")
def small() -> Book:
    return book.build(["h8 i9 g7", "h8 h9 h10"], **SMALL)


def reachable(found: Book, starts: list[Board]) -> dict[int, Board]:
    """The positions of a book that can be reached from some boards by its moves."""
    seen: dict[int, Board] = {}
    waiting = list(starts)
    while waiting:
        board = waiting.pop()
        if board.outcome is not None or board.symmetric_key in seen or board not in found:
            continue
        seen[board.symmetric_key] = board
        waiting += [after(board, move.move) for move in found.moves(board)]
    return seen


def assert_negamax(found: Book, boards: dict[int, Board]) -> int:
    """Scores go through the book: a move is worth what the best reply leaves. Returns how many do."""
    count = 0
    for board in boards.values():
        moves = found.moves(board)
        for move in moves:
            replies = found.moves(after(board, move.move))
            if replies:
                worth = -max(reply.score for reply in replies)
                assert move.score == worth or (is_decided(worth) and abs(move.score - worth) == 1)
                assert move.depth > max(replies, key=lambda reply: reply.score).depth
                count += 1
        played = {move.score: move.weight for move in moves if move.weight}
        if played:
            assert max(played) - min(played) < 60
            assert played[max(played)] == max(played.values())
        else:
            assert any(move.score < 0 and is_decided(move.score) for move in moves), (
                "what is lost is searched"
            )
    return count
