"""The board: play, ask, take back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from renju import _native, explain
from renju._given import given_color, given_stones, given_turn, move_indices
from renju._types import BOARD_SIZE, Color, Forbidden, Outcome, Point, PointLike, Threats, on_board
from renju.errors import IllegalMoveError, NotationError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from renju.defence import Defence
    from renju.openings import Opening
    from renju.refutation import CounterThreat

__all__ = ["Board"]

_EMPTY_CELLS = bytes(BOARD_SIZE * BOARD_SIZE)
# The largest move limit: more than passes could ever make, and a machine word everywhere.
_MOST_MOVES = 2**31 - 1


class Board:
    """A game of renju: stones, moves, whose turn it is, and the result.

    >>> import renju
    >>> board = renju.Board("h8 i9 g7")
    >>> board.push("i7")
    >>> board.turn, board.ply, board.record()
    (<Color.BLACK: 1>, 4, 'h8i9g7i7')

    A forbidden black stone loses at once; `is_legal` tells beforehand. With ``referee=False`` play goes on
    after fouls and fives, as in records where nobody claimed them. ``move_limit`` draws the game after so
    many moves.
    """

    __slots__ = ("_position",)

    _position: _native.Position

    def __init__(
        self, moves: str | Iterable[PointLike] = "", move_limit: int | None = None, referee: bool = True
    ) -> None:
        if move_limit is not None and not 0 <= move_limit <= _MOST_MOVES:
            raise ValueError(f"move_limit is a number of moves, 0..{_MOST_MOVES}, not {move_limit}")
        self._position = _native.Position(referee, move_limit)
        self._position.play_all(move_indices(moves))

    @classmethod
    def from_stones(
        cls,
        black: str | Iterable[PointLike],
        white: str | Iterable[PointLike],
        turn: Color | int | None = None,
    ) -> Board:
        """A position with these stones. Without `turn` the counts tell it: black moves when they are equal.

        All that is wrong with the stones is reported in one `PositionError`; a text that cannot be read to
        its end is a `NotationError`.

        >>> import renju
        >>> renju.Board.from_stones("h8 h8 g7", "g7 a1")
        Traceback (most recent call last):
            ...
        renju.errors.PositionError: H8 is given twice for black; G7 is both black and white
        """
        return cls._wrap(
            _native.Position.from_stones(given_stones(black), given_stones(white), given_turn(turn))
        )

    @classmethod
    def from_array(cls, array: npt.ArrayLike, turn: Color | int | None = None) -> Board:
        """A position from a (15, 15) array: ``a[y, x]``, 0 empty, 1 black, 2 or -1 white, row 1 first. `turn`
        is the side to move; without it the numbers of stones must tell the side."""
        import numpy as np

        from renju.batch import as_boards

        boards = as_boards(array, "array")
        if boards.shape[0] != 1 or np.ndim(array) != 2:
            raise ValueError(f"array has shape {np.shape(array)}, one board is ({BOARD_SIZE}, {BOARD_SIZE})")
        return cls._wrap(_native.Position.from_cells(boards.tobytes(), given_turn(turn)))

    @classmethod
    def from_text(cls, text: str, turn: Color | int | None = None) -> Board:
        """A position from `text`, a drawn board as `str` prints it: row 15 first, X black, O white, . empty.

        Row numbers and column letters are optional. `turn` is the side to move; without it the numbers of
        stones must tell the side.
        """
        return cls._wrap(_native.Position.from_text(text, given_turn(turn)))

    # Play

    def push(self, point: PointLike) -> Outcome | None:
        """Plays a stone of the side to move at `point`; returns the result if the game is over now."""
        return _outcome(self._position.play(Point(point)))

    def pop(self) -> Point:
        """Takes the last move back and returns it."""
        index = self._position.undo()
        if index is None:
            raise IndexError("no move to take back")
        return Point(index)

    def peek(self) -> Point:
        """The last move; `IndexError` if there is none."""
        moves = self._position.moves()
        if not moves:
            raise IndexError("no move was made")
        return Point(moves[-1])

    def copy(self) -> Board:
        return self._wrap(self._position.copy())

    def set_up(self, turn: Color | int | None = None) -> Board:
        """A board with the same stones as a set-up: without the moves that led to them, with `turn` to move
        (default: the side to move). A foul that nobody claimed is forgotten, a five is not."""
        black, white = (self.points_of(color) for color in Color)
        return self.from_stones(black, white, self.turn if turn is None else turn)

    # State

    @property
    def moves(self) -> tuple[Point, ...]:
        """The moves made, passes included; those of a set-up position start after the set-up."""
        return tuple(map(Point, self._position.moves()))

    @property
    def turn(self) -> Color:
        return Color(self._position.turn)

    @property
    def ply(self) -> int:
        """Moves that were made, passes included; stones of a set-up count as moves."""
        return self._position.ply

    @property
    def referee(self) -> bool:
        return self._position.referee

    @property
    def move_limit(self) -> int | None:
        return self._position.move_limit

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it goes on."""
        return _outcome(self._position.outcome())

    @property
    def stones(self) -> dict[Point, Color]:
        """The stones on the board, in index order."""
        return {Point(i): Color(cell) for i, cell in enumerate(self._position.cells()) if cell}

    def points_of(self, color: Color | int) -> tuple[Point, ...]:
        """The points with a stone of `color`, in index order."""
        color = given_color(color)
        return tuple(Point(i) for i, cell in enumerate(self._position.cells()) if cell == color)

    def __len__(self) -> int:
        """The number of stones on the board."""
        return sum(map(bool, self._position.cells()))

    def __bool__(self) -> bool:
        return True

    # Rules

    def is_legal(self, point: PointLike) -> bool:
        """May the side to move play at `point` without losing by a foul? Not on a stone.

        Not after the end either, unless the referee is off.
        """
        return self._position.is_legal(Point(point))

    @property
    def legal_moves(self) -> tuple[Point, ...]:
        """The points the side to move may play. A pass, allowed from the fourth move on, is not listed."""
        return tuple(map(Point, self._position.legal_points()))

    def forbidden_kind(self, point: PointLike) -> Forbidden:
        """Why a point is forbidden to black, whoever is to move; NONE for occupied points.

        >>> import renju
        >>> renju.Board.from_stones("e8 f8 g8 h9 h10 h11", "", turn=renju.BLACK).forbidden_kind("h8")
        <Forbidden.DOUBLE_FOUR: 2>
        """
        return Forbidden(self._position.forbidden_kind(on_board(point)))

    def forbidden_points(self) -> dict[Point, Forbidden]:
        """All points forbidden to black, whoever is to move. Empty once black has five or more in a row."""
        return {Point(index): Forbidden(kind) for index, kind in self._position.forbidden_points()}

    def explain_forbidden(self, point: PointLike) -> explain.Explanation:
        """Which lines make a point forbidden or not, which threes are real, and why the others are not."""
        point = on_board(point)
        data = self._position.explain(point)
        if data is None:
            raise IllegalMoveError(f"{point} is occupied")
        return explain.from_native(data)

    def threats(self, color: Color | int | None = None) -> Threats:
        """Where the next stone of `color` (default: the side to move) makes a five, fours or a three.

        >>> import renju
        >>> board = renju.Board.from_stones("f8 g8 h8", "e8", turn=renju.BLACK)
        >>> sorted(map(str, board.threats().fours))
        ['I8', 'J8']
        """
        sets = self._position.threats(self.turn if color is None else given_color(color))
        return Threats(*(frozenset(map(Point, points)) for points in sets))

    def counter_threat(self, move: PointLike, color: Color | int | None = None) -> CounterThreat | None:
        """The class of a reply, the strongest it makes: "five", "four", "three" (for black a real one) or
        None. `color` is that of the stone, default the side to move. An occupied or forbidden point is an
        `IllegalMoveError`.

        >>> import renju
        >>> board = renju.Board("h8 i9 g7 i7 g8 i6 i8 j8 g9 g10 f8 e8 h10 i11 h7")
        >>> [board.counter_threat(move) for move in ("h6", "a1")]
        ['three', None]
        """
        from renju.defence import counter_threat

        return counter_threat(self, on_board(move), self.turn if color is None else given_color(color))

    def defences(self, point: PointLike) -> tuple[Defence, ...]:
        """The answers to a stone of the side to move at `point` that makes a four, a three or a mise, with
        their kinds.

        The stone threatens a win by one, two or three fours, the fewest count. Listed are all legal replies
        that leave no such win, and all fives and fours; nothing if there is no threat, or no answer to it.

        >>> import renju
        >>> board = renju.Board("h8 i9 g7 i7 g8 i6 i8 j8 g9 g10 f8 e8 h10 i11")
        >>> for defence in board.defences("h7"):
        ...     print(defence, defence.leaves)
        H6 (nori-te, outside) None
        H9 (inside) 2
        H11 (nori-te, outside) 2
        """
        from renju.defence import answers

        after = self.copy()
        if not self.is_legal(on_board(point)):
            raise IllegalMoveError(f"{Point(point)} is no legal move")
        after.push(point)
        return answers(after, self.turn)

    # Symmetry and identity

    @property
    def key(self) -> int:
        """A 64-bit hash of stones and side to move, the same on every machine."""
        return self._position.key

    @property
    def symmetric_key(self) -> int:
        """A 64-bit hash that is the same for all eight rotations and reflections of a position."""
        return self._position.symmetric_key()[0]

    def transform(self, k: int) -> Board:
        """The board mirrored left to right if ``k >= 4``, then turned ``k % 4`` quarters to the left."""
        if k not in range(8):
            raise ValueError(f"a symmetry is a number 0..7, not {k!r}")
        return self._wrap(self._position.transformed(k))

    def canonical(self) -> Board:
        """The one of its eight images that all of them have as their canonical board."""
        return self.transform(self._position.symmetric_key()[1])

    def opening(self) -> Opening | None:
        """The named opening of the first three moves."""
        from renju.openings import classify

        return classify(self)

    def __eq__(self, other: object) -> bool:
        """Equal stones and side to move; how they came about does not matter."""
        if not isinstance(other, Board):
            return NotImplemented
        return self._position == other._position

    def __hash__(self) -> int:
        return hash(self._position)

    # Forms

    def record(self) -> str:
        """The moves as compact text, "h8i9g7"."""
        if not self._is_from_empty():
            raise NotationError("a set-up position has no record from the empty board; use to_text()")
        return self._position.record()

    def to_array(self) -> npt.NDArray[np.int8]:
        """A new (15, 15) int8 array: ``a[y, x]``, 0 empty, 1 black, 2 white, row 1 first."""
        import numpy as np

        cells = np.frombuffer(self._position.cells(), dtype=np.int8)
        return cells.reshape(BOARD_SIZE, BOARD_SIZE).copy()

    def to_text(self) -> str:
        """The drawn board with coordinates on all sides."""
        return self._position.text()

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        """An expression for an equal board: all moves, or for a set-up its stones as they are now."""
        if not self._is_from_empty():
            black, white = (" ".join(point.name for point in self.points_of(color)) for color in Color)
            return f"Board.from_stones({black!r}, {white!r}, turn={int(self.turn)})"
        options = "" if self.move_limit is None else f", move_limit={self.move_limit}"
        options += "" if self.referee else ", referee=False"
        return f"Board({self.record()!r}{options})"

    def _repr_svg_(self) -> str:
        from renju import svg

        return svg.board(self)

    def __copy__(self) -> Board:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> Board:
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        start = self._position.start()
        return _restore, (type(self), *start, self._position.moves(), self.move_limit, self.referee)

    @classmethod
    def _wrap(cls, position: _native.Position) -> Board:
        board = cls.__new__(cls)
        board._position = position
        return board

    def _is_from_empty(self) -> bool:
        cells, turn = self._position.start()
        return cells == _EMPTY_CELLS and turn == Color.BLACK


def _restore(
    cls: type[Board], cells: bytes, turn: int, moves: list[int], move_limit: int | None, referee: bool
) -> Board:
    """What pickle calls."""
    if cells == _EMPTY_CELLS and turn == Color.BLACK:
        position = _native.Position(referee, move_limit)
    else:
        position = _native.Position.from_cells(cells, turn)
    position.play_all(moves)
    return cls._wrap(position)


def _outcome(data: tuple[int, str, list[int]] | None) -> Outcome | None:
    if data is None:
        return None
    winner, reason, line = data
    return Outcome(Color(winner) if winner else None, reason, tuple(map(Point, line)))
