"""`renju solve`: a forced win, with its line or its whole tree."""

from __future__ import annotations

import argparse
from dataclasses import replace
from itertools import islice

from renju import Color, Limit, Point, Proof, Refutation
from renju._exit_codes import DONE, REFUTED, UNKNOWN
from renju._types import on_board
from renju.cli.arguments import add_position, count, position
from renju.cli.output import check_outputs, nodes_text, write_line
from renju.limits import KINDS, THREAT_LIMITS
from renju.refutation import furthest
from renju.solving import refutations, solve

__all__ = ["add_solve", "proof_text"]


def add_solve(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    solve = commands.add_parser("solve", help="look for a forced win")
    add_position(solve)
    solve.add_argument("--kind", choices=KINDS, default=KINDS[0], help="of which kind (default %(default)s)")
    solve.add_argument(
        "--color", choices=[color.label for color in Color], help="for whom (default: to move)"
    )
    solve.add_argument(
        "--threat",
        "--threat-limit",
        type=int,
        choices=THREAT_LIMITS,
        default=THREAT_LIMITS[0],
        help="most fours of a threat of a VCT (default %(default)s)",
    )
    # --depth is the older spelling; elsewhere it is a number of plies.
    solve.add_argument(
        "--max-depth", "--depth", type=count(225), metavar="N", help="most stones of the attacker"
    )
    solve.add_argument(
        "--first", metavar="POINT", help="the stone that the win must begin with; if it fails, why"
    )
    solve.add_argument(
        "--why",
        type=count(225),
        default=0,
        metavar="N",
        help="attacks that fail, of which it is shown why",
    )
    solve.add_argument("--shortest", action="store_true", help="with the fewest stones")
    solve.add_argument("--nodes", type=count(2**62), help="most positions to look at")
    solve.add_argument("--time", type=float, help="most seconds")
    solve.add_argument(
        "--branches", type=count(2**31), default=0, metavar="N", help="lines of the tree that are shown"
    )
    solve.add_argument("--svg", metavar="FILE", help="write a picture of the line (- for standard output)")
    solve.set_defaults(run=_solve)


def _solve(options: argparse.Namespace) -> int:
    check_outputs(options)
    board = position(options)
    color = None if options.color is None else Color[options.color.upper()]
    limit = Limit(options.time, options.nodes)
    asked = board, options.kind, color, limit, options.max_depth, options.threat
    first = None if options.first is None else on_board(options.first)
    proof = solve(*asked, shortest=options.shortest, first=first, why=first is not None)
    is_listed = options.why and first is None and proof.status == "refuted"
    found = refutations(*asked) if is_listed else {}
    if is_listed:
        proof = replace(proof, refutation=furthest(found, proof.kind))
    if options.svg:
        write_line(options.svg, board, proof.color, proof.line)
    if options.json:
        print(proof.to_json())
    elif options.svg != "-":
        print(proof_text(proof))
        for line in _reasons(proof, found, options.why):
            print(f"  {line}")
        for number, moves in islice(proof.branches(), 1, options.branches + 1):
            print(f"{number:>4} {' '.join(map(str, moves))}")
    return {"proved": DONE, "refuted": REFUTED, "unknown": UNKNOWN}[proof.status]


def _reasons(proof: Proof, found: dict[Point, Refutation], most: int) -> list[str]:
    """Why attacks fail: at most `most` of them, those that go furthest, or the one that was asked for."""
    if not found:
        return [] if proof.refutation is None else [_reason(proof.refutation)]
    ranked = sorted(found.values(), key=lambda why: -len(why.line))
    lines = [_reason(why) for why in ranked[:most]]
    left = len(ranked) - len(lines)
    return [*lines, f"and {left} more"] if left else lines


def _reason(why: Refutation) -> str:
    """Why one attack fails."""
    if why.kind == "not-forcing":
        return str(why)
    return f"{why.line[0]} fails: {why}"


def proof_text(proof: Proof) -> str:
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
