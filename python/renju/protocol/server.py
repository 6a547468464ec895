"""Our engine for a manager: commands on one pipe, answers on another."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable
from time import perf_counter, process_time
from typing import TYPE_CHECKING, TextIO

from renju._exit_codes import INTERRUPTED
from renju._native import __version__
from renju._types import BOARD_SIZE, Color, Point
from renju.board import Board
from renju.errors import EngineError, IllegalMoveError, RenjuError
from renju.protocol import wire
from renju.protocol.inbox import MOST_CHARACTERS, Inbox, Line
from renju.protocol.settings import MOST_HASH_KB, Settings, most_threads
from renju.protocol.thinking import EngineFactory, Thinker, strongest_engine

if TYPE_CHECKING:
    from renju.engine import SearchResult

__all__ = ["main", "serve"]

# Zuisei (瑞星), an even opening: the opponent chooses the colour.
_SWAP2_OPENING = ("H8", "H9", "H6")
# As many as there are points.
_MOST_CANDIDATES = _MOST_ROWS = BOARD_SIZE**2

_RULES = "MESSAGE only renju is played here: black is bound by the forbidden moves and wins with exactly five"


def main() -> int:
    """Serves standard input and output: `pbrain-renju`."""
    if sys.stdin is None or sys.stdout is None:
        raise SystemExit("there is no standard input or output")
    # A file of our own: at exit the interpreter would want sys.stdin from the thread that reads it.
    commands = open(sys.stdin.fileno(), encoding="utf-8", errors="replace", closefd=False)  # noqa: SIM115
    try:
        return serve(commands, sys.stdout, spent_s=process_time())
    except BrokenPipeError:
        # The manager is gone; nothing more can be said to it, not even at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return INTERRUPTED


def serve(
    input: TextIO,  # noqa: A002
    output: TextIO,
    engine_factory: EngineFactory | None = None,
    spent_s: float = 0.0,
) -> int:
    """Answers commands until END or the end of the input; returns the exit code.

    `engine_factory` is called with `threads` and `hash_mb`. `spent_s` is what the start took of the match
    time. `BrokenPipeError` if nobody reads the answers.

    >>> import io
    >>> from renju import protocol
    >>> answers = io.StringIO()
    >>> protocol.serve(io.StringIO("ABOUT\\nSTART 20\\nMOVE\\n"), answers)
    0
    >>> print(answers.getvalue())
    name="renju", version="...", author="renju contributors"
    ERROR only boards of 15 x 15 are played
    UNKNOWN 'MOVE'
    """
    server = _Server(output, engine_factory or strongest_engine, Settings(spent_s))
    for line in Inbox(input):
        server.answer(line)
    return 0


class _Server:
    """A game, and an answer to every line."""

    def __init__(self, output: TextIO, engine_factory: EngineFactory, settings: Settings) -> None:
        self._output = output
        self._settings = settings
        self._thinker = Thinker(engine_factory, settings, self._say)
        self._board = Board()
        self._is_told_rules = False
        # What to do with the rows up to DONE, if a command has opened them.
        self._rows: list[str] = []
        self._take_rows: Callable[[list[str], Line], None] | None = None
        self._commands: dict[str, Callable[[Line], None]] = {
            "ABOUT": self._about,
            "BEGIN": self._move,
            "BOARD": lambda line: self._open_rows(line, self._board_rows),
            "INFO": lambda line: self._settings.take(line.arguments),
            "PLAY": self._play,
            "RECTSTART": self._start,
            "RESTART": self._restart,
            "START": self._start,
            "SWAP2BOARD": lambda line: self._open_rows(line, self._swap2_rows),
            "TAKEBACK": self._take_back,
            "TURN": self._turn,
            "YXBOARD": lambda line: self._open_rows(line, self._set_up_rows),
            "YXHASHCLEAR": lambda line: self._thinker.clear(),
            "YXNBEST": self._best_moves,
            "YXSHOWFORBID": self._show_forbidden,
            "YXSHOWINFO": self._show_info,
        }

    def answer(self, line: Line) -> None:
        """Does what a line says. Whatever it holds, the next one is welcome."""
        try:
            self._obey(line)
        except BrokenPipeError:
            raise
        except RenjuError as error:
            self._say(f"ERROR {error}")
        except Exception as error:
            self._say(f"ERROR {type(error).__name__}: {error}")

    def _obey(self, line: Line) -> None:
        if not line.is_whole:
            raise EngineError(f"the line is longer than {MOST_CHARACTERS:,} characters")
        command = self._commands.get(line.command)
        if self._take_rows is not None and line.command != "INFO":
            if command is None:
                self._add_rows(line.text, line)
                return
            self._take_rows = None
            self._say("ERROR the rows of a board did not end with DONE")
        if command is None:
            self._say(f"UNKNOWN {line.text[:40]!a}")
        else:
            command(line)

    def _say(self, text: str) -> None:
        """One line, in characters that every manager can read."""
        try:
            self._output.write(" ".join(text.split()).encode("ascii", "backslashreplace").decode() + "\n")
            self._output.flush()
        except (OSError, ValueError) as error:
            raise BrokenPipeError("nobody reads the answers") from error

    # Commands

    def _about(self, _: Line) -> None:
        self._say(f'name="renju", version="{__version__}", author="renju contributors"')

    def _start(self, line: Line) -> None:
        sizes = set(re.split(r"[\s,]+", line.arguments))
        if sizes != {str(BOARD_SIZE)}:
            raise EngineError(f"only boards of {BOARD_SIZE} x {BOARD_SIZE} are played")
        self._restart(line)

    def _restart(self, _: Line) -> None:
        if self._board.ply:
            self._settings.new_game()
        self._board = Board()
        self._thinker.prepare()
        self._say("OK")

    def _turn(self, line: Line) -> None:
        self._put(wire.parse_point(line.arguments))
        self._move(line)

    def _play(self, line: Line) -> None:
        point = wire.parse_point(line.arguments)
        if self._board.turn is Color.BLACK and self._board.forbidden_kind(point):
            raise IllegalMoveError(f"{point} is forbidden ({self._board.forbidden_kind(point).label})")
        self._put(point)
        self._say(wire.point_text(point))

    def _take_back(self, line: Line) -> None:
        point = wire.parse_point(line.arguments)
        if self._board.moves and self._board.peek() == point:
            self._board.pop()
        else:
            self._board = wire.without_stone(self._board, point)
        self._say("OK")

    def _best_moves(self, line: Line) -> None:
        if not re.fullmatch(r"\d{1,9}", line.arguments, re.ASCII):
            raise EngineError(f"YXNBEST takes a number of moves, not {line.arguments[:40]!a}")
        self._move(line, candidates=min(int(line.arguments), _MOST_CANDIDATES))

    def _show_forbidden(self, _: Line) -> None:
        """As ``FORBID 07070911.``: two digits for x and two for y."""
        places = (wire.point_text(point).split(",") for point in self._board.forbidden_points())
        self._say(f"FORBID {''.join(f'{int(x):02}{int(y):02}' for x, y in places)}.")

    def _show_info(self, _: Line) -> None:
        """What a graphical manager may offer; the size of the hash table is a power of two in KB."""
        self._say(f"MESSAGE INFO MAX_THREAD_NUM {most_threads()}")
        self._say(f"MESSAGE INFO MAX_HASH_SIZE {MOST_HASH_KB.bit_length() - 1}")

    # Commands with rows

    def _open_rows(self, line: Line, take: Callable[[list[str], Line], None]) -> None:
        self._rows, self._take_rows = [], take
        self._add_rows(line.arguments, line)

    def _add_rows(self, text: str, line: Line) -> None:
        for row in wire.rows(text):
            if row.upper() != "DONE":
                if len(self._rows) <= _MOST_ROWS:  # one more tells that there are too many
                    self._rows.append(row)
            elif self._take_rows is not None:
                take, self._take_rows = self._take_rows, None
                if len(self._rows) > _MOST_ROWS:
                    raise EngineError(f"a board has at most {_MOST_ROWS} stones")
                take(self._rows, line)

    def _board_rows(self, rows: list[str], line: Line) -> None:
        self._board = wire.position([wire.parse_stone(row) for row in rows])
        self._move(line)

    def _set_up_rows(self, rows: list[str], _: Line) -> None:
        self._board = wire.position([wire.parse_stone(row) for row in rows], own_to_move=False)

    def _swap2_rows(self, rows: list[str], line: Line) -> None:
        """The choice of a colour; the manager sends the board again afterwards."""
        if not rows:
            self._say(" ".join(wire.point_text(Point(name)) for name in _SWAP2_OPENING))
            return
        if len(rows) not in (3, 5):
            raise EngineError(f"SWAP2BOARD has 0, 3 or 5 stones, not {len(rows)}")
        board = Board([wire.parse_point(row) for row in rows])
        found = self._search(board, line)
        # White is to move: its side is kept if it is not worse.
        stays = found is None or found.score >= 0
        self._say(wire.point_text(_legal_move(board, found)) if stays else "SWAP")

    # Moves

    def _put(self, point: Point) -> None:
        """Puts a stone of the side to move. A foul is told but not claimed: the manager is the referee."""
        if self._board.outcome is not None:
            raise IllegalMoveError("the game is over")
        foul = self._board.forbidden_kind(point)
        outcome = self._board.push(point)
        if outcome is not None and outcome.reason == "forbidden":
            self._say(f"MESSAGE {point} is forbidden to black ({foul.label})")
            self._board = self._board.set_up(Color.WHITE)

    def _move(self, line: Line, candidates: int = 1) -> None:
        """Thinks, answers and plays."""
        found = self._search(self._board, line, candidates)
        move = _legal_move(self._board, found)
        self._board.push(move)
        self._say(wire.point_text(move))

    def _search(self, board: Board, line: Line, candidates: int = 1) -> SearchResult | None:
        """What the engine found; None if it could not, which is no reason to lose a game."""
        if board.outcome is not None:
            raise EngineError(f"the game is over ({board.outcome.reason})")
        if not board.legal_moves:
            raise EngineError(f"{board.turn.label} has no legal move")
        if not self._settings.is_renju and not self._is_told_rules:
            self._is_told_rules = True
            self._say(_RULES)
        try:
            return self._thinker.think(board.copy(), line.read_at, line.stop, candidates)
        except BrokenPipeError:
            raise
        except Exception as error:
            self._say(f"MESSAGE the engine failed ({type(error).__name__}: {error})")
            return None
        finally:
            self._settings.spend(perf_counter() - line.read_at)


def _legal_move(board: Board, found: SearchResult | None) -> Point:
    """The move found; without one, the legal move nearest to the centre."""
    legal = board.legal_moves  # which a pass is not
    if found is not None and found.move in legal:
        return found.move
    centre = BOARD_SIZE // 2
    return min(legal, key=lambda point: (point.x - centre) ** 2 + (point.y - centre) ** 2)
