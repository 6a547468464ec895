"""How the commands write their results."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from pathlib import Path

from renju import Board, Color, Point
from renju._files import write_text

__all__ = ["check_outputs", "nodes_text", "status_text", "write", "write_line"]


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
    after = board.set_up(turn)
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
