"""`renju play`: a game against the engine in the terminal."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from pathlib import Path

from renju import PASS, Board, Color, Engine, EngineError, Limit, NotationError, Point, RenjuError
from renju._exit_codes import DONE
from renju._files import write_text
from renju._types import BOARD_SIZE
from renju.cli.arguments import add_limits
from renju.cli.keyboard import check_input, read_line
from renju.cli.output import status_text
from renju.config import LEVELS
from renju.result import score_text

__all__ = ["add_play", "draw"]

HELP = """\
h8            play there, in any notation; "pass" passes
undo          take your last move back
hint          what the engine would play
why h8        why a point is forbidden to black, or why not
board         draw the board again
save FILE     write the moves to a file
resign, quit  give up, leave
help          this list"""

STONES = {None: ".", Color.BLACK: "X", Color.WHITE: "O"}
FORBIDDEN_MARK = "x"

# Terminal codes: the last stone stands out, forbidden points are red.
LAST_STYLE, FORBIDDEN_STYLE, PLAIN_STYLE = "\033[1m", "\033[31m", "\033[0m"

# Hints come from this level, or from that of the game if it is stronger.
HINT_LEVEL = "hard"


def add_play(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    play = commands.add_parser("play", help="play against the engine")
    play.add_argument("--level", choices=LEVELS, default="medium", help="how well (default %(default)s)")
    colors = [color.label for color in Color]
    play.add_argument("--color", choices=colors, default=colors[0], help="yours (default %(default)s)")
    play.add_argument("--moves", default="", help='start after these moves, such as "h8 i9"')
    add_limits(play)
    play.add_argument(
        "--seed", type=int, default=0, help="another number, another opening (default %(default)s)"
    )
    play.add_argument("--hints", action="store_true", help="a hint before each of your moves")
    play.set_defaults(run=_play)


def _play(options: argparse.Namespace) -> int:
    check_input()
    game = Game(
        Board(options.moves),
        Color[options.color.upper()],
        options.level,
        Limit(options.time, options.nodes),
        options.seed,
        are_hints_given=options.hints,
    )
    game.begin()
    while not game.is_left and (line := read_line(game.prompt)) is not None:
        game.obey(line)
    return DONE


class Game:
    """A game between a person and the engine, moved on by the lines the person types."""

    def __init__(
        self,
        board: Board,
        color: Color,
        level: str,
        limit: Limit,
        seed: int = 0,
        are_hints_given: bool = False,
    ) -> None:
        self.board = board
        self.color = color
        self.limit = limit
        self.engine = Engine(level, seed=seed)
        hint_level = max(level, HINT_LEVEL, key=LEVELS.index)
        self.adviser = self.engine if hint_level == level else Engine(hint_level)
        self.are_hints_given = are_hints_given
        self.is_left = False
        self.resigned = False
        # A forbidden point that was refused; typed again it is played.
        self.refused: Point | None = None
        self.commands: dict[str, Callable[[str], None]] = {
            "undo": self.undo,
            "hint": self.hint,
            "why": self.why,
            "board": self.show,
            "save": self.save,
            "resign": self.resign,
            "quit": self.leave,
            "exit": self.leave,
            "help": self.help,
            "?": self.help,
        }

    def begin(self) -> None:
        print(f'You play {self.color.label}; "help" lists what you can type.')
        self.go_on()

    def obey(self, line: str) -> None:
        """Does what the line says, a command or a move; or says why not."""
        line = line.strip()
        command, _, argument = line.partition(" ")
        try:
            if command.lower() in self.commands:
                self.commands[command.lower()](argument.strip())
            elif line:
                self.play(line)
        except (RenjuError, OSError) as error:
            print(error)

    @property
    def is_over(self) -> bool:
        return self.resigned or self.board.outcome is not None

    @property
    def prompt(self) -> str:
        return "undo, save or quit> " if self.is_over else f"{self.color.label}> "

    # Moves

    def play(self, text: str) -> None:
        try:
            point = Point(text)
        except NotationError:
            print(f"{text!r} is neither a move nor a command; try help")
            return
        if self.resigned:
            print("you have resigned; undo takes it back")
            return
        if self._is_foul(point) and point != self.refused:
            self.refused = point
            print(self.board.explain_forbidden(point))
            print(f"{point} loses the game. Type it again to play it all the same.")
            return
        self.refused = None
        self.board.push(point)
        self.go_on()

    def _is_foul(self, point: Point) -> bool:
        return _is_black_next(self.board) and point != PASS and bool(self.board.forbidden_kind(point))

    def go_on(self) -> None:
        """The engine's move, if it is its turn; then what the board looks like."""
        if not self.is_over and self.board.turn is not self.color:
            self._answer()
        self.show()
        if self.are_hints_given and not self.is_over:
            self.hint()

    def _answer(self) -> None:
        who = self.board.turn.label
        try:
            result = self.engine.best_move(self.board, self.limit)
        except EngineError as error:
            print(f"{who} passes: {error}")
            self.board.push(PASS)
            return
        self.board.push(result.move)
        print(f"{who} plays {result.move}")

    # Commands

    def undo(self, _: str = "") -> None:
        if self.resigned:
            self.resigned = False
        else:
            first = 0 if self.color is Color.BLACK else 1
            if len(self.board.moves) <= first:
                print("there is no move of yours to take back")
                return
            self.board.pop()
            if len(self.board.moves) % 2 != first:
                self.board.pop()
        self.refused = None
        self.show()

    def hint(self, _: str = "") -> None:
        if self.is_over:
            print(self._status())
            return
        result = self.adviser.analyse(self.board, self.limit, multipv=1)
        print(f"hint: {result.move} ({score_text(result.score)}): {' '.join(map(str, result.pv))}")

    def why(self, argument: str) -> None:
        print(self.board.explain_forbidden(argument) if argument else "why which point? For example: why h8")

    def show(self, _: str = "") -> None:
        print(draw(self.board, is_colored=sys.stdout.isatty() and not os.environ.get("NO_COLOR")))
        if _is_black_next(self.board):
            for point, kind in self.board.forbidden_points().items():
                print(f"forbidden: {point} {kind.label}")
        print(self._status())

    def save(self, argument: str) -> None:
        if not argument:
            print("save to which file? For example: save game.txt")
            return
        write_text(Path(argument), self.board.record() + "\n")
        print(f"saved to {argument}")

    def resign(self, _: str = "") -> None:
        if not self.is_over:
            self.resigned = True
        print(self._status())

    def leave(self, _: str = "") -> None:
        self.is_left = True

    def help(self, _: str = "") -> None:
        print(HELP)

    def _status(self) -> str:
        if self.resigned:
            return f"{self.color.opponent.label} has won ({self.color.label} resigned)"
        return status_text(self.board)


def draw(board: Board, is_colored: bool = False) -> str:
    """The board with its last stone in brackets, and x on points forbidden to black if black is to move.

    >>> import renju
    >>> print(*draw(renju.Board("f8 a1 g8 a3 h9 a5 h10 a7")).splitlines()[8:10], sep="\\n")
     8 . . . . . X X x . . . . . . . 8
     7(O). . . . . . . . . . . . . . 7
    """
    stones = board.stones
    forbidden = board.forbidden_points() if _is_black_next(board) else {}
    last = board.moves[-1] if board.moves else None

    def cell(point: Point) -> str:
        if point in forbidden:
            return _styled(FORBIDDEN_MARK, FORBIDDEN_STYLE, is_colored)
        mark = STONES[stones.get(point)]
        return _styled(mark, LAST_STYLE, is_colored) if point == last else mark

    letters = "   " + " ".join(chr(ord("A") + x) for x in range(BOARD_SIZE))
    rows = [letters]
    for y in reversed(range(BOARD_SIZE)):
        points = [Point((x, y)) for x in range(BOARD_SIZE)]
        gaps = [" "] * (BOARD_SIZE + 1)
        if last is not None and last in points:
            gaps[last.x], gaps[last.x + 1] = "()"
        cells = "".join(gap + cell(point) for gap, point in zip(gaps[:-1], points, strict=True))
        rows.append(f"{y + 1:>2}{cells}{gaps[-1]}{y + 1}")
    return "\n".join([*rows, letters])


def _is_black_next(board: Board) -> bool:
    return board.outcome is None and board.turn is Color.BLACK


def _styled(text: str, style: str, is_colored: bool) -> str:
    return f"{style}{text}{PLAIN_STYLE}" if is_colored else text
