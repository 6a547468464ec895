"""The command line: `renju` = `python -m renju`."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from itertools import islice

from renju import Board, Color, Limit, Outcome, Point, Proof, RenjuError, __version__
from renju._cli_common import (
    BAD_INPUT,
    DONE,
    INTERRUPTED,
    REFUTED,
    UNKNOWN,
    add_position,
    check_outputs,
    count,
    nodes_text,
    position,
    status_text,
    write,
    write_line,
)
from renju.proof import KINDS
from renju.solving import solve_kind

__all__ = ["main"]

_MOST_POSITIONS = 10_000_000

# The commands of this file, and those that have a module of their own, which is imported for them only.
_HERE = ("show", "forbidden", "solve", "gomocup", "bench")
_ELSEWHERE = (
    "analyze",
    "review",
    "play",
    "board",
    "batch",
    "convert",
    "book",
    "match",
    "lab",
    "twincool",
    "jsonl",
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command and returns its exit code."""
    code = DONE
    try:
        words = sys.argv[1:] if arguments is None else arguments
        options = _parser(words).parse_args(words)
        code = int(options.run(options))
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        # The reader had enough; nothing more can be said to it, not even at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return code
    except (RenjuError, OSError, ValueError, MemoryError) as error:
        print(f"renju: {_text(error)}", file=sys.stderr)
        for note in getattr(error, "__notes__", ()):
            print(f"renju: {note}", file=sys.stderr)
        return BAD_INPUT
    except KeyboardInterrupt as error:
        print(f"renju: {str(error) or 'interrupted'}", file=sys.stderr)
        return INTERRUPTED


def _text(error: Exception) -> str:
    """What went wrong, for people."""
    if isinstance(error, OSError) and error.filename is not None and error.strerror:
        return f"{error.filename}: {error.strerror}"
    return str(error) or type(error).__name__


def _parser(words: Sequence[str]) -> argparse.ArgumentParser:
    """The parser of these words: with all commands, unless the first word names the one that is meant."""
    command = words[0] if words else ""
    needed = () if command in _HERE else (command,) if command in _ELSEWHERE else _ELSEWHERE
    parser = argparse.ArgumentParser(
        prog="renju",
        description="Exact and fast renju.",
        epilog="Exit codes: 0 done or proved, 1 refuted, 2 wrong input, 3 unknown (a limit came first), "
        "130 interrupted.",
    )
    parser.add_argument("--version", action="version", version=f"renju {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    show = commands.add_parser("show", help="draw a position")
    add_position(show)
    show.add_argument("--svg", metavar="FILE", help="write a picture (- for standard output)")
    show.set_defaults(run=_show)

    forbidden = commands.add_parser("forbidden", help="list the points forbidden to black")
    add_position(forbidden)
    forbidden.add_argument("--point", metavar="POINT", help="explain one point")
    forbidden.set_defaults(run=_forbidden)

    solve = commands.add_parser("solve", help="look for a forced win")
    add_position(solve)
    solve.add_argument("--kind", choices=KINDS, default=KINDS[0], help="of which kind (default %(default)s)")
    solve.add_argument(
        "--color", choices=[color.label for color in Color], help="for whom (default: to move)"
    )
    solve.add_argument(
        "--threat", type=int, choices=(1, 2, 3), default=1, help="most fours of a threat of a VCT (default 1)"
    )
    solve.add_argument("--depth", type=count(225), help="most stones of the attacker")
    solve.add_argument("--shortest", action="store_true", help="with the fewest stones")
    solve.add_argument("--nodes", type=count(2**62), help="most positions to look at")
    solve.add_argument("--time", type=float, help="most seconds")
    solve.add_argument(
        "--branches", type=count(2**31), default=0, metavar="N", help="show so many lines of the tree"
    )
    solve.add_argument("--svg", metavar="FILE", help="write a picture of the line (- for standard output)")
    solve.set_defaults(run=_solve)

    for name in needed:
        # add_batch of renju._cli_batch, and so on.
        getattr(import_module(f"renju._cli_{name}"), f"add_{name}")(commands)

    gomocup = commands.add_parser("gomocup", help="play for a Gomocup or Piskvork manager")
    gomocup.set_defaults(run=_gomocup)

    bench = commands.add_parser("bench", help="measure the array functions, and tell what the search does")
    bench.add_argument("--signature", action="store_true", help="only what the search does")
    bench.add_argument(
        "--positions", type=count(_MOST_POSITIONS), default=500_000, help="how many (default %(default)s)"
    )
    bench.add_argument(
        "--threads", type=count(1024), default=1, help="0 for one per core (default %(default)s)"
    )
    bench.add_argument("--json", action="store_true", help="print JSON")
    bench.set_defaults(run=_bench)
    return parser


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
        "black": _names(board, Color.BLACK),
        "white": _names(board, Color.WHITE),
        "turn": board.turn.label,
        "key": f"{board.key:016x}",
        "symmetric_key": f"{board.symmetric_key:016x}",
        "opening": None if opening is None else opening.code,
        "forbidden": {str(point): kind.label for point, kind in board.forbidden_points().items()},
        "outcome": None if board.outcome is None else _outcome_facts(board.outcome),
    }


def _names(board: Board, color: Color) -> list[str]:
    return [str(point) for point, owner in board.stones.items() if owner == color]


def _outcome_facts(outcome: Outcome) -> dict[str, object]:
    return {
        "winner": None if outcome.winner is None else outcome.winner.label,
        "reason": outcome.reason,
        "line": [str(point) for point in outcome.line],
    }


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


def _solve(options: argparse.Namespace) -> int:
    check_outputs(options)
    board = position(options)
    color = None if options.color is None else Color[options.color.upper()]
    limit = Limit(options.time, options.nodes)
    proof = solve_kind(
        board, options.kind, color, limit, options.depth, options.threat, shortest=options.shortest
    )
    if options.svg:
        write_line(options.svg, board, proof.color, proof.line)
    if options.json:
        print(proof.to_json())
    elif options.svg != "-":
        print(_proof_text(proof))
        for number, moves in islice(proof.branches(), 1, options.branches + 1):
            print(f"{number:>4} {' '.join(map(str, moves))}")
    return {"proved": DONE, "refuted": REFUTED, "unknown": UNKNOWN}[proof.status]


def _proof_text(proof: Proof) -> str:
    who, nodes = f"{proof.color.label} {proof.kind.upper()}", nodes_text(proof.nodes)
    if proof.status == "unknown":
        if proof.limit_hit == "tree":
            return f"{who}: won, but the tree is too large to be told ({nodes})"
        return f"{who}: unknown, the {proof.limit_hit} ran out ({nodes})"
    if not proof:
        return f"{who}: none{'' if proof.exhausted else ' within this depth'} ({nodes})"
    line = " ".join(map(str, proof.line))
    doubt = (
        ""
        if proof.limit_hit is None
        else f"; the {proof.limit_hit} ran out before shorter wins were excluded"
    )
    return f"{who} in {proof.depth}: {line} ({nodes}{doubt})"


def _gomocup(_: argparse.Namespace) -> int:
    from renju.protocol import main as serve_manager

    return serve_manager()


def _bench(options: argparse.Namespace) -> int:
    from renju.speed import measure, signature

    nodes = signature()
    if not options.json:
        # At once: the rest takes its time.
        print(f"signature: {nodes} nodes", flush=True)
    figures = {} if options.signature else measure(options.positions, options.threads)
    if options.json:
        print(json.dumps({"signature": nodes, **figures}))
        return DONE
    for name, rate in figures.items():
        print(f"{name:<24}{rate:>14,.0f} positions/s")
    return DONE
