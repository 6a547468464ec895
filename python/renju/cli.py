"""The command line: `renju` = `python -m renju`."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from typing import NoReturn

from renju import Board, Point, RenjuError, __version__
from renju._types import Forbidden, Outcome

__all__ = ["main"]

DONE, BAD_INPUT, INTERRUPTED = 0, 2, 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command and returns its exit code."""
    options = _parser().parse_args(arguments)
    try:
        return int(options.run(options))
    except (RenjuError, OSError, UnicodeDecodeError) as error:
        print(f"renju: {error}", file=sys.stderr)
        return BAD_INPUT
    except KeyboardInterrupt:
        print("renju: interrupted", file=sys.stderr)
        return INTERRUPTED


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="renju", description="Exact and fast renju.")
    parser.add_argument("--version", action="version", version=f"renju {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    show = commands.add_parser("show", help="draw a position")
    _add_position(show)
    show.add_argument("--svg", metavar="FILE", help="write a picture (- for standard output)")
    show.set_defaults(run=_show)

    forbidden = commands.add_parser("forbidden", help="list the points forbidden to black")
    _add_position(forbidden)
    forbidden.add_argument("--point", metavar="POINT", help="explain one point")
    forbidden.set_defaults(run=_forbidden)

    bench = commands.add_parser("bench", help="measure the array functions on the sample games")
    bench.add_argument("--positions", type=_count, default=500_000, help="how many (default %(default)s)")
    bench.add_argument("--threads", type=_count, default=1, help="0 for one per core (default %(default)s)")
    bench.add_argument("--json", action="store_true", help="print JSON")
    bench.set_defaults(run=_bench)
    return parser


def _add_position(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("moves", help='moves such as "h8i9g7"; - reads moves or a drawn board from stdin')
    parser.add_argument("--json", action="store_true", help="print JSON")


def _count(text: str) -> int:
    number = int(text)
    if number < 0:
        raise ValueError
    return number


def _board(text: str) -> Board:
    """A board from moves, or with `-` from standard input, where it may also be drawn."""
    if text != "-":
        return Board(text)
    text = sys.stdin.read()
    return Board.from_text(text) if "." in text else Board(text)


def _show(options: argparse.Namespace) -> int:
    board = _board(options.moves)
    if options.svg == "-":
        print(board._repr_svg_())
        return DONE
    if options.svg:
        with open(options.svg, "w", encoding="utf-8") as file:  # noqa: PTH123
            file.write(board._repr_svg_())
    if options.json:
        print(json.dumps(_facts(board), ensure_ascii=False))
        return DONE
    print(board)
    opening = board.opening()
    if opening is not None:
        print(f"opening: {opening}")
    for point, kind in board.forbidden_points().items():
        print(f"forbidden: {point} {_kind_name(kind)}")
    print(_status(board))
    return DONE


def _facts(board: Board) -> dict[str, object]:
    opening = board.opening()
    return {
        "moves": [str(move) for move in board.moves],
        "turn": board.turn.name.lower(),
        "key": f"{board.key:016x}",
        "symmetric_key": f"{board.symmetric_key:016x}",
        "opening": None if opening is None else opening.code,
        "forbidden": {str(point): _kind_name(kind) for point, kind in board.forbidden_points().items()},
        "outcome": None if board.outcome is None else _outcome_facts(board.outcome),
    }


def _outcome_facts(outcome: Outcome) -> dict[str, object]:
    return {
        "winner": None if outcome.winner is None else outcome.winner.name.lower(),
        "reason": outcome.reason,
        "line": [str(point) for point in outcome.line],
    }


def _status(board: Board) -> str:
    outcome = board.outcome
    if outcome is None:
        return f"{board.turn.name.lower()} to move"
    if outcome.winner is None:
        return f"draw ({outcome.reason})"
    return f"{outcome.winner.name.lower()} has won ({outcome.reason}: {' '.join(map(str, outcome.line))})"


def _kind_name(kind: Forbidden) -> str:
    return kind.name.lower().replace("_", "-")


def _forbidden(options: argparse.Namespace) -> int:
    board = _board(options.moves)
    if options.point:
        why = board.explain_forbidden(Point(options.point))
        if options.json:
            print(json.dumps({"point": str(why.point), "kind": _kind_name(why.kind), "text": str(why)}))
        else:
            print(why)
        return DONE
    points = board.forbidden_points()
    if options.json:
        print(json.dumps({str(point): _kind_name(kind) for point, kind in points.items()}))
        return DONE
    for point, kind in points.items():
        print(f"{point} {_kind_name(kind)}")
    if not points:
        print("no forbidden points")
    return DONE


def _bench(options: argparse.Namespace) -> int:
    from renju.speed import measure

    figures = measure(options.positions, options.threads)
    if options.json:
        print(json.dumps(figures))
        return DONE
    for name, rate in figures.items():
        print(f"{name:<24}{rate:>14,.0f} positions/s")
    return DONE


def run() -> NoReturn:
    """The entry point of the installed command."""
    sys.exit(main())
