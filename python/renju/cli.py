"""The command line: `renju` = `python -m renju`."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path
from typing import NoReturn

from renju import Board, Color, Limit, Outcome, Point, Proof, RenjuError, __version__, svg
from renju._files import write_text
from renju.proof import KINDS
from renju.solving import solve_kind

__all__ = ["main"]

DONE, REFUTED, BAD_INPUT, UNKNOWN, INTERRUPTED = 0, 1, 2, 3, 130

_MOST_POSITIONS = 10_000_000


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command and returns its exit code."""
    options = _parser().parse_args(arguments)
    code = DONE
    try:
        code = int(options.run(options))
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        # The reader had enough; nothing more can be said to it, not even at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return code
    except (RenjuError, OSError, ValueError, MemoryError) as error:
        print(f"renju: {str(error) or type(error).__name__}", file=sys.stderr)
        return BAD_INPUT
    except KeyboardInterrupt:
        print("renju: interrupted", file=sys.stderr)
        return INTERRUPTED


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="renju",
        description="Exact and fast renju.",
        epilog="Exit codes: 0 done or proved, 1 refuted, 2 wrong input, 3 unknown (a limit came first), "
        "130 interrupted.",
    )
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

    solve = commands.add_parser("solve", help="look for a forced win")
    _add_position(solve)
    solve.add_argument("--kind", choices=KINDS, default=KINDS[0], help="of which kind (default %(default)s)")
    solve.add_argument(
        "--color", choices=[color.label for color in Color], help="for whom (default: to move)"
    )
    solve.add_argument(
        "--threat", type=int, choices=(1, 2, 3), default=1, help="most fours of a threat of a VCT (default 1)"
    )
    solve.add_argument("--depth", type=_count(225), help="most stones of the attacker")
    solve.add_argument("--shortest", action="store_true", help="with the fewest stones")
    solve.add_argument("--nodes", type=_count(2**62), help="most positions to look at")
    solve.add_argument("--time", type=float, help="most seconds")
    solve.add_argument(
        "--branches", type=_count(2**31), default=0, metavar="N", help="show so many lines of the tree"
    )
    solve.add_argument("--svg", metavar="FILE", help="write a picture of the line (- for standard output)")
    solve.set_defaults(run=_solve)

    gomocup = commands.add_parser("gomocup", help="play for a Gomocup or Piskvork manager")
    gomocup.set_defaults(run=_gomocup)

    bench = commands.add_parser("bench", help="measure the array functions on the sample games")
    bench.add_argument(
        "--positions", type=_count(_MOST_POSITIONS), default=500_000, help="how many (default %(default)s)"
    )
    bench.add_argument(
        "--threads", type=_count(1024), default=1, help="0 for one per core (default %(default)s)"
    )
    bench.add_argument("--json", action="store_true", help="print JSON")
    bench.set_defaults(run=_bench)
    return parser


def _add_position(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("moves", help='moves such as "h8i9g7"; - reads moves or a drawn board from stdin')
    parser.add_argument("--turn", choices=[color.label for color in Color], help="who moves on a drawn board")
    parser.add_argument("--json", action="store_true", help="print JSON")


def _count(most: int) -> Callable[[str], int]:
    def count(text: str) -> int:
        if not 0 <= int(text) <= most:
            raise argparse.ArgumentTypeError(f"{text} is not in 0..{most}")
        return int(text)

    return count


def _board(options: argparse.Namespace, default_turn: Color | None = None) -> Board:
    """A board from moves, or with `-` from standard input, where it may also be drawn."""
    if options.moves != "-":
        return Board(options.moves)
    if sys.stdin is None:
        raise OSError("there is no standard input")
    text = sys.stdin.read()
    if not _is_drawn(text):
        return Board(text)
    turns = {color.label: color for color in Color}
    return Board.from_text(text, turns.get(options.turn, default_turn))


def _is_drawn(text: str) -> bool:
    """Several lines, some of them of cells and row numbers only."""
    lines = [line.split() for line in text.splitlines()]
    return sum(any(set(word) <= set("XO.") for word in words) for words in lines) > 1


def _show(options: argparse.Namespace) -> int:
    board = _board(options)
    if options.svg:
        _write(options.svg, svg.board(board))
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
    print(_status(board))
    return DONE


def _write(file: str, text: str) -> None:
    if file == "-":
        print(text)
    else:
        write_text(Path(file), text)


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


def _status(board: Board) -> str:
    outcome = board.outcome
    if outcome is None:
        return f"{board.turn.label} to move"
    if outcome.winner is None:
        return f"draw ({outcome.reason})"
    return f"{outcome.winner.label} has won ({outcome.reason}: {' '.join(map(str, outcome.line))})"


def _forbidden(options: argparse.Namespace) -> int:
    # Whose turn it is does not matter here.
    board = _board(options, default_turn=Color.BLACK)
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
    if options.json and options.svg == "-":
        raise ValueError("--json and --svg - cannot both be written to standard output")
    board = _board(options)
    color = None if options.color is None else Color[options.color.upper()]
    limit = Limit(options.time, options.nodes)
    proof = solve_kind(
        board, options.kind, color, limit, options.depth, options.threat, shortest=options.shortest
    )
    if options.svg:
        _write(options.svg, svg.board(_after(board, proof)))
    if options.json:
        print(proof.to_json())
    elif options.svg != "-":
        print(_proof_text(proof))
        for number, moves in islice(proof.branches(), 1, options.branches + 1):
            print(f"{number:>4} {' '.join(map(str, moves))}")
    return {"proved": DONE, "refuted": REFUTED, "unknown": UNKNOWN}[proof.status]


def _proof_text(proof: Proof) -> str:
    who = f"{proof.color.label} {proof.kind.upper()}"
    if proof.status == "unknown":
        if proof.limit_hit == "tree":
            return f"{who}: won, but the tree is too large to be told ({_nodes(proof)})"
        return f"{who}: unknown, the {proof.limit_hit} ran out ({_nodes(proof)})"
    if not proof:
        return f"{who}: none{'' if proof.exhausted else ' within this depth'} ({_nodes(proof)})"
    line = " ".join(map(str, proof.line))
    doubt = (
        ""
        if proof.limit_hit is None
        else f"; the {proof.limit_hit} ran out before shorter wins were excluded"
    )
    return f"{who} in {proof.depth}: {line} ({_nodes(proof)}{doubt})"


def _nodes(proof: Proof) -> str:
    return f"{proof.nodes:,} node{'' if proof.nodes == 1 else 's'}"


def _after(board: Board, proof: Proof) -> Board:
    """The board with the line played, from the position as a set-up, so that its moves count from 1."""
    stones = board.stones
    black, white = ([p for p, owner in stones.items() if owner == color] for color in Color)
    after = Board.from_stones(black, white, turn=proof.color)
    for point in proof.line:
        after.push(point)
    return after


def _gomocup(_: argparse.Namespace) -> int:
    from renju.protocol import main as serve_manager

    return serve_manager()


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
    # A terminal that cannot show 花月 shows its code instead.
    sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    sys.exit(main())
