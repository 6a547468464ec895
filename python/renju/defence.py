"""What can be answered to a threat: which replies stop it, how, and what they threaten themselves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from renju._ask import ask
from renju._types import BOARD_SIZE, Color, Point, Threats
from renju.errors import IllegalMoveError
from renju.limits import THREAT_LIMITS
from renju.refutation import CounterThreat

if TYPE_CHECKING:
    from renju.board import Board

__all__ = ["Defence", "DefenceKind", "answers", "block_of", "counter_of", "counter_threat"]

DefenceKind: TypeAlias = Literal[
    "five", "four", "three", "inside", "outside", "natsu-dome", "four-three", "block"
]

# The longest win by fours that is looked for when a threat is told.
_MOST_FOURS = THREAT_LIMITS[-1]

_DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))


@dataclass(frozen=True)
class Defence:
    """An answer to a threat, made by `Board.defences`."""

    point: Point
    """The point of the reply."""
    kind: DefenceKind
    """How the reply answers. It stops a three `inside` (中止め), between its stones; `outside` (外止め),
    beside them; by `natsu-dome` (ナツ止め), beyond the one extension that gives a straight four.
    `four-three`: it takes the point of the four-three. `block`: it stops the threat in another way. `five`,
    `four` and `three` lie elsewhere and win or gain a move."""
    counter: CounterThreat | None
    """What the reply makes itself, whatever its kind: a five, a four, a three, or None."""
    leaves: int | None
    """The fewest fours, up to three, by which the attacker then wins all the same, after its answer if the
    reply makes a four; None if there is no such win."""

    @property
    def is_nori(self) -> bool:
        """ノリ手: does the reply stop the threat and make a four or a three at once?"""
        return self.counter in ("four", "three") and self.kind not in ("four", "three")

    @property
    def name(self) -> str:
        """The word for the reply: nori-te where it is one, else its kind."""
        return "nori-te" if self.is_nori else self.kind

    def __str__(self) -> str:
        return f"{self.point} ({'nori-te, ' if self.is_nori else ''}{self.kind})"

    def transform(self, k: int) -> Defence:
        """The answer on the board that `Board.transform` makes with the number `k`."""
        return replace(self, point=self.point.transform(k))

    def to_dict(self) -> dict[str, Any]:
        """The answer as JSON has it."""
        return {
            "point": self.point.name,
            "name": self.name,
            "kind": self.kind,
            "counter": self.counter,
            "leaves": self.leaves,
        }


def counter_of(threats: Threats, point: Point) -> CounterThreat | None:
    """What a stone makes, by the threats of its colour: a five, a four, a real three, or none of them."""
    if point in threats.fives:
        return "five"
    if point in threats.fours or point in threats.open_fours:
        return "four"
    return "three" if point in threats.threes else None


def counter_threat(board: Board, point: Point, color: Color) -> CounterThreat | None:
    """What `Board.counter_threat` tells."""
    if point in board.stones:
        raise IllegalMoveError(f"{point} is occupied")
    made = counter_of(board.threats(color), point)
    if made is None and color is Color.BLACK and (kind := board.forbidden_kind(point)):
        raise IllegalMoveError(f"{point} is forbidden to black ({kind.label})")
    return made


def answers(board: Board, attacker: Color, most_fours: int = _MOST_FOURS) -> tuple[Defence, ...]:
    """The replies to what the attacker threatens, by point; none if it threatens no win by at most
    `most_fours` fours, or if nothing helps.

    Every reply is tried. Listed are those against which the attacker has no win by the fewest fours it
    threatens, and all fives and fours.
    """
    start = board.set_up(attacker.opponent)
    if start.outcome is not None:
        return ()
    own, threats = start.threats(), start.threats(attacker)
    fives = [Defence(point, "five", "five", None) for point in sorted(own.fives)]
    if threats.fives:
        if fives or len(threats.fives) > 1:
            return tuple(fives)
        (point,) = threats.fives
        if not start.is_legal(point):
            return ()
        leaves = _leaves(start, attacker, point)
        return (Defence(point, "block", counter_of(own, point), leaves),)
    shapes = _Shapes.of(start, attacker, most_fours)
    if shapes is None:
        return tuple(fives)
    found = list(fives)
    for point in start.legal_moves:
        counter = counter_of(own, point)
        if counter == "five":
            continue
        leaves = _leaves(start, attacker, point)
        is_stopped = leaves is None or leaves > shapes.fours
        if is_stopped or counter == "four":
            found.append(Defence(point, shapes.kind(point, counter, is_stopped), counter, leaves))
    return tuple(sorted(found, key=lambda defence: defence.point))


def block_of(board: Board, attacker: Color) -> Point | None:
    """The point that stops the defender's four, where there is exactly one and the attacker may play it."""
    fives = board.threats(attacker.opponent).fives
    if len(fives) != 1 or board.threats(attacker).fives:
        return None
    (point,) = fives
    return None if attacker is Color.BLACK and board.forbidden_kind(point) else point


def _leaves(board: Board, attacker: Color, reply: Point) -> int | None:
    """The fewest fours of the attacker's win after a reply; if the reply makes a four, after its block and a
    pass of the defender."""
    after = board.copy()
    if after.push(reply) is not None:
        return None
    if after.threats(attacker.opponent).fives and not after.threats(attacker).fives:
        block = block_of(after, attacker)
        if block is None or after.push(block) is not None:
            return None
    proof = ask(after, "vcf", attacker, max_depth=_MOST_FOURS, shortest=True)
    return proof.depth if proof else None


@dataclass(frozen=True)
class _Shapes:
    """What the attacker threatens to win by."""

    fours: int
    """The fewest fours that the attacker's win takes."""
    threes: tuple[_Three, ...]
    """The attacker's threes on the board."""
    four_threes: frozenset[Point]
    """The points where the attacker makes a four and a three."""
    cells: frozenset[Point]
    """The points of one of the shortest wins."""

    @classmethod
    def of(cls, board: Board, attacker: Color, most_fours: int) -> _Shapes | None:
        proof = ask(board, "vcf", attacker, max_depth=most_fours, shortest=True)
        if not proof:
            return None
        after = board.set_up(attacker)
        for point in proof.line:
            after.push(point)
        threats = board.threats(attacker)
        cells = frozenset(proof.line) | after.threats(attacker).fives
        return cls(proof.depth, tuple(_threes(board, attacker)), threats.four_threes, cells)

    def kind(self, point: Point, counter: CounterThreat | None, is_stopped: bool) -> DefenceKind:
        """How a reply answers."""
        if is_stopped:
            for three in self.threes:
                if point in three.stops:
                    return three.side(point)
            if point in self.four_threes:
                return "four-three"
            if point in self.cells:
                return "block"
        if counter is None or counter == "five":
            return "block"
        return counter


@dataclass(frozen=True)
class _Three:
    """Three stones on a line, and the cells where one stone of the other side leaves no straight four."""

    stones: frozenset[Point]
    """The stones of the three, on one line."""
    stops: frozenset[Point]
    """The cells that every straight four of the three needs."""

    def side(self, point: Point) -> DefenceKind:
        """Where a cell of the line lies, seen from the stones."""
        places = sorted((stone.x, stone.y) for stone in self.stones)
        here = point.x, point.y
        if places[0] < here < places[-1]:
            return "inside"
        steps = (max(abs(here[0] - x), abs(here[1] - y)) for x, y in (places[0], places[-1]))
        return "outside" if min(steps) == 1 else "natsu-dome"


def _threes(board: Board, attacker: Color) -> Iterator[_Three]:
    """The threes of the attacker: what a legal stone makes a straight four of."""
    stones = {point for point, color in board.stones.items() if color == attacker}
    # Key: direction and stones of a three; value: the cells of each straight four it can become.
    found: dict[tuple[tuple[int, int], frozenset[Point]], list[set[Point]]] = {}
    for extension in sorted(board.threats(attacker).open_fours):
        for direction in _DIRECTIONS:
            ends = [_beyond(stones | {extension}, extension, direction, sign) for sign in (1, -1)]
            cells = _between(ends[1], ends[0], direction)
            if len(cells) != 4 or not all(
                _is_completion(board, stones, end, step, attacker)
                for end, step in zip(ends, (direction, (-direction[0], -direction[1])), strict=True)
            ):
                continue
            needed = {extension, *(Point(end) for end in ends)}
            found.setdefault((direction, frozenset(cells - {extension})), []).append(needed)
    for (_, three), needs in found.items():
        yield _Three(three, frozenset(set.intersection(*needs)))


def _beyond(stones: set[Point], point: Point, direction: tuple[int, int], sign: int) -> tuple[int, int]:
    """The first cell, on the board or just off it, after the run of stones through a point."""
    x, y = point.x, point.y
    while _inside(x, y) and Point((x, y)) in stones:
        x, y = x + sign * direction[0], y + sign * direction[1]
    return x, y


def _between(start: tuple[int, int], end: tuple[int, int], direction: tuple[int, int]) -> set[Point]:
    """The cells strictly between two on one line."""
    x, y = start[0] + direction[0], start[1] + direction[1]
    cells = set()
    while (x, y) != end:
        cells.add(Point((x, y)))
        x, y = x + direction[0], y + direction[1]
    return cells


def _is_completion(
    board: Board, stones: set[Point], end: tuple[int, int], step: tuple[int, int], attacker: Color
) -> bool:
    """Does a stone at the end of a run of four make a five that counts, for black of exactly five?"""
    if not _inside(*end) or Point(end) in board.stones:
        return False
    after = end[0] + step[0], end[1] + step[1]
    return attacker is Color.WHITE or not _inside(*after) or Point(after) not in stones


def _inside(x: int, y: int) -> bool:
    return 0 <= x < BOARD_SIZE and 0 <= y < BOARD_SIZE
