"""`renju show`: a position drawn, in words or as JSON."""

from __future__ import annotations

import argparse
import json

from renju import Board, Color, Outcome
from renju._exit_codes import DONE
from renju.cli.arguments import add_position, position
from renju.cli.output import status_text, write

__all__ = ["add_show"]


def add_show(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    show = commands.add_parser("show", help="draw a position")
    add_position(show)
    show.add_argument("--svg", metavar="FILE", help="write a picture (- for standard output)")
    show.set_defaults(run=_show)


def _show(options: argparse.Namespace) -> int:
    board = position(options)
    if options.svg:
        from renju import svg

        write(options.svg, svg.board(board))
    if options.svg == "-":
        return DONE
    if options.json:
        print(json.dumps(_facts(board), ensure_ascii=False))
        return DONE
    print(board)
    opening = board.opening()
    if opening is not None:
        print(f"opening: {opening}")
    for point, kind in board.forbidden_points().items():
        print(f"forbidden: {point} {kind.label}")
    print(status_text(board))
    return DONE


def _facts(board: Board) -> dict[str, object]:
    opening = board.opening()
    return {
        "moves": [str(move) for move in board.moves],
        "black": list(map(str, board.points_of(Color.BLACK))),
        "white": list(map(str, board.points_of(Color.WHITE))),
        "turn": board.turn.label,
        "key": f"{board.key:016x}",
        "symmetric_key": f"{board.symmetric_key:016x}",
        "opening": None if opening is None else opening.code,
        "forbidden": {str(point): kind.label for point, kind in board.forbidden_points().items()},
        "outcome": None if board.outcome is None else _outcome_facts(board.outcome),
    }


def _outcome_facts(outcome: Outcome) -> dict[str, object]:
    return {
        "winner": None if outcome.winner is None else outcome.winner.label,
        "reason": outcome.reason,
        "line": [str(point) for point in outcome.line],
    }
