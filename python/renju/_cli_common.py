"""What the commands share: exit codes, positions given by moves or drawn, and how results are written."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

from renju import Board, Color, Point
from renju._files import write_text
from renju._lines import bounded_lines
from renju._start import INTERRUPTED

__all__ = [
    "BAD_INPUT",
    "DONE",
    "INTERRUPTED",
    "REFUTED",
    "UNKNOWN",
    "add_position",
    "check_input",
    "check_outputs",
    "count",
    "nodes_text",
    "position",
    "read_line",
    "status_text",
    "write",
    "write_line",
]

DONE, REFUTED, BAD_INPUT, UNKNOWN = 0, 1, 2, 3

# Characters of a position or of a line that somebody types; what is longer is no such thing.
_MOST_CHARACTERS = 1_000_000


def add_position(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("moves", help='moves such as "h8i9g7"; - reads moves or a drawn board from stdin')
    parser.add_argument("--turn", choices=[color.label for color in Color], help="who moves on a drawn board")
    parser.add_argument("--json", action="store_true", help="print JSON")


def count(most: int) -> Callable[[str], int]:
    """The type of an argument that is a number up to this."""

    def count(text: str) -> int:
        if not 0 <= int(text) <= most:
            raise argparse.ArgumentTypeError(f"{text} is not in 0..{most}")
        return int(text)

    return count


def position(options: argparse.Namespace, default_turn: Color | None = None) -> Board:
    """A board from moves, or with `-` from standard input, where it may also be drawn."""
    if options.moves != "-":
        return Board(options.moves)
    if sys.stdin is None:
        raise OSError("there is no standard input")
    text = sys.stdin.read(_MOST_CHARACTERS + 1)
    if len(text) > _MOST_CHARACTERS:
        raise ValueError(f"a position has at most {_MOST_CHARACTERS:,} characters")
    if not _is_drawn(text):
        return Board(text)
    turns = {color.label: color for color in Color}
    return Board.from_text(text, turns.get(options.turn, default_turn))


def _is_drawn(text: str) -> bool:
    """Several lines, some of them of cells and row numbers only."""
    lines = [line.split() for line in text.splitlines()]
    return sum(any(set(word) <= set("XO.") for word in words) for words in lines) > 1


def check_outputs(options: argparse.Namespace) -> None:
    """`ValueError` if two results would be mixed up."""
    if options.json and options.svg == "-":
        raise ValueError("--json and --svg - cannot both be written to standard output")


def write(file: str, text: str) -> None:
    if file == "-":
        print(text)
    else:
        write_text(Path(file), text)


def write_line(file: str, board: Board, turn: Color, line: Iterable[Point]) -> None:
    """Draws the board with the line played, from the position as a set-up, so that its moves count from 1."""
    stones = board.stones
    black, white = ([p for p, owner in stones.items() if owner == color] for color in Color)
    after = Board.from_stones(black, white, turn=turn)
    for point in line:
        after.push(point)
    from renju import svg

    write(file, svg.board(after))


def nodes_text(nodes: int) -> str:
    return f"{nodes:,} node{'' if nodes == 1 else 's'}"


def status_text(board: Board) -> str:
    """Who is to move, or how the game ended."""
    outcome = board.outcome
    if outcome is None:
        return f"{board.turn.label} to move"
    if outcome.winner is None:
        return f"draw ({outcome.reason})"
    return f"{outcome.winner.label} has won ({outcome.reason}: {' '.join(map(str, outcome.line))})"


def check_input() -> None:
    """`OSError` if nobody can type anything."""
    if sys.stdin is None:
        raise OSError("there is no standard input")


def read_line(prompt: str) -> str | None:
    """The next line, None at the end of the input; nobody is asked who cannot read the question."""
    sys.stdout.flush()
    if not sys.stdin.isatty():
        return next((line for line, _, _ in bounded_lines(sys.stdin, _MOST_CHARACTERS)), None)
    with suppress(ImportError):
        import readline  # noqa: F401  # gives `input` its line editing
    try:
        return input(prompt)
    except EOFError:
        print()
        return None
    except KeyboardInterrupt:
        print()
        raise
