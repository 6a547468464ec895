"""`renju forbidden`: the points forbidden to black, and why."""

from __future__ import annotations

import argparse
import json

from renju import Color, Point
from renju._exit_codes import DONE
from renju.cli.arguments import add_position, position

__all__ = ["add_forbidden"]


def add_forbidden(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    forbidden = commands.add_parser("forbidden", help="list the points forbidden to black")
    add_position(forbidden)
    forbidden.add_argument("--point", metavar="POINT", help="explain one point")
    forbidden.set_defaults(run=_forbidden)


def _forbidden(options: argparse.Namespace) -> int:
    # Whose turn it is does not matter here.
    board = position(options, default_turn=Color.BLACK)
    if options.point:
        why = board.explain_forbidden(Point(options.point))
        if options.json:
            print(json.dumps({"point": str(why.point), "kind": why.kind.label, "text": str(why)}))
        else:
            print(why)
        return DONE
    points = board.forbidden_points()
    if options.json:
        print(json.dumps({str(point): kind.label for point, kind in points.items()}))
        return DONE
    for point, kind in points.items():
        print(f"{point} {kind.label}")
    if not points:
        print("no forbidden points")
    return DONE
