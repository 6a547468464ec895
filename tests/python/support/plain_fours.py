"""A plain search for wins by fours, which knows boards and no solver: what puzzles are solved again with."""

from renju import Board, Color, Forbidden, Point


class TooLargeError(Exception):
    """More positions than were asked for."""


class PlainFours:
    """Tries every four, one after the other, and remembers nothing."""

    def __init__(self, color: Color, most: int) -> None:
        """`color` attacks; `TooLargeError` after `most` positions."""
        self.color, self._left = color, most
        self.path: list[Point] = []
        """Stones and blocks of the last win, the last of them first."""

    def wins(self, board: Board, first: Point | None = None) -> bool:
        """Does the attacker, on move, win by fours, perhaps with a given first stone?"""
        self._left -= 1
        if self._left < 0:
            raise TooLargeError
        own, other = board.threats(self.color), board.threats(self.color.opponent)
        if own.fives:
            self.path = [*own.fives]
            return first is None or first in own.fives
        stones = own.fours | own.open_fours
        if other.fives:
            stones &= other.fives if len(other.fives) == 1 else frozenset()
        if first is not None:
            stones &= {first}
        return any(self._holds(board, stone) for stone in sorted(stones))

    def _holds(self, board: Board, stone: Point) -> bool:
        board.push(stone)
        try:
            fives = board.threats(self.color).fives
            if len(fives) != 1:
                self.path = [*fives, stone]
                return True
            (block,) = fives
            other = board.threats(self.color.opponent)
            if self.color == Color.WHITE and board.forbidden_kind(block) != Forbidden.NONE:
                self.path = [block, stone]
                return block not in other.fives
            if board.push(block) is not None:
                board.pop()
                return False
            found = self.wins(board)
            self.path += [block, stone]
            board.pop()
            return found
        finally:
            board.pop()


def other_solution(board: Board, solution: Point, most: int) -> Point | None:
    """Another move than the solution that wins: by fours, or as a stone after which every reply leaves a win
    by fours; None if there is none."""
    plain = PlainFours(board.turn, most)
    color = board.turn
    killers: list[Point] = []  # replies that refuted others
    for point in board.legal_moves:
        if point == solution:
            continue
        after = board.set_up(color)
        threats = board.threats()
        if point in threats.fours | threats.open_fours and plain.wins(after, point):
            return point
        after.push(point)
        if not plain.wins(after):
            continue
        legal = after.legal_moves
        likely = [reply for reply in [*killers[-3:], *plain.path] if reply in legal]
        refutation = next((r for r in dict.fromkeys([*likely, *legal]) if _is_refuted(after, r, plain)), None)
        if refutation is None:
            return point
        killers.append(refutation)
    return None


def _is_refuted(after: Board, reply: Point, plain: PlainFours) -> bool:
    is_over = after.push(reply) is not None
    found = is_over or not plain.wins(after)
    after.pop()
    return found
