"""`renju prove`: sure wins of order 3, of a position or of a whole opening, in a file that can be checked."""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING, Any

from renju import Color, Point
from renju._exit_codes import DONE, REFUTED, UNKNOWN
from renju.cli.arguments import count, position
from renju.cli.cluster import add_cluster, cluster
from renju.cli.output import nodes_text
from renju.limits import THREAT_LIMITS

if TYPE_CHECKING:
    from renju.proofs import OpenRecord, Place, ProofRecord, ProofStore, RunReport, StoreCheck

__all__ = ["add_prove"]

_UNITS = {"k": 10**3, "m": 10**6, "g": 10**9}
_MOST_WORKERS = 1024


def add_prove(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    prove = commands.add_parser(
        "prove",
        help="prove that an opening or a position is won",
        description="Looks for sure wins with quiet moves (order 3) and keeps their proofs in a file. If "
        "the colour that is to win is to move, the position itself is proved, else the positions after all "
        "replies. Or checks, joins or exports such files. See docs/prove.md.",
        epilog="Exit codes: 0 all is proved, or all proofs hold; 1 there is no win of order 3, or a proof "
        "does not hold; 2 wrong input; 3 something is open; 130 interrupted.",
    )
    prove.add_argument(
        "moves", nargs="?", help='moves such as "h8i9i7"; - reads moves or a drawn board from stdin'
    )
    prove.add_argument("--turn", choices=[color.label for color in Color], help="who moves on a drawn board")
    prove.add_argument("-o", "--out", metavar="FILE", help="the file of the proofs, such as hogetsu.proof")
    prove.add_argument(
        "--color", choices=[color.label for color in Color], default="black", help="who wins (default black)"
    )
    _add_files(prove)
    _add_search(prove)
    _add_run(prove)
    prove.set_defaults(run=_prove, complain=prove.error)


def _add_files(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("instead of a search")
    what = group.add_mutually_exclusive_group()
    what.add_argument(
        "--check",
        metavar="FILE",
        help="check all proofs of a file with the independent verifier, and whether they cover every reply; "
        "with --resume go on where an earlier check ended (FILE.checked)",
    )
    what.add_argument("--show", metavar="FILE", help="what a file says of the position, or what it holds")
    what.add_argument("--merge", nargs="+", metavar="FILE", help="add what these files hold to that of -o")
    what.add_argument(
        "--export", metavar="FILE", help="write a part of a file to -o: .lib (RenLib), .sgf or .json"
    )
    group.add_argument(
        "--plies", type=count(225), default=4, metavar="N", help="of --export (default %(default)s)"
    )


def _add_search(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("the search")
    group.add_argument(
        "--steps",
        type=_steps,
        metavar="N,...",
        help="most nodes for a position, step by step, such as 10M,100M (default 10M,100M,1G: some two "
        "seconds, twenty seconds and four minutes)",
    )
    group.add_argument(
        "--time", type=float, metavar="S", help="most seconds for a search; then results may differ"
    )
    group.add_argument(
        "--threat",
        type=int,
        choices=THREAT_LIMITS,
        default=THREAT_LIMITS[0],
        help="most fours of a threat of a VCT (default %(default)s)",
    )
    group.add_argument(
        "--no-verify", action="store_true", help="leave the check of what is found to a later --check"
    )


def _add_run(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("the run")
    group.add_argument("--resume", action="store_true", help="go on with a file that is there, or begin one")
    group.add_argument("--threads", type=count(_MOST_WORKERS), default=0, help="default: one per core")
    group.add_argument(
        "--processes", type=count(_MOST_WORKERS), default=0, metavar="N", help="in place of threads"
    )
    add_cluster(group)
    group.add_argument("--quiet", action="store_true", help="no progress bar")
    group.add_argument("--json", action="store_true", help="print JSON")


def _steps(text: str) -> list[int]:
    steps = []
    for word in text.lower().split(","):
        number, unit = (word[:-1], word[-1:]) if word[-1:] in _UNITS else (word, "")
        if not number.strip().isdecimal() or not (nodes := int(number) * _UNITS.get(unit, 1)):
            raise argparse.ArgumentTypeError(f"{word!r} is no number of nodes such as 100M")
        steps.append(nodes)
    return steps


def _prove(options: argparse.Namespace) -> int:
    if options.check is not None:
        return _check(options)
    if options.merge is not None:
        return _merge(options)
    if options.export is not None:
        return _export(options)
    if options.show is not None:
        return _show(options)
    if options.moves is None:
        options.complain("the following arguments are required: moves")
    return _run(options)


def _workers(options: argparse.Namespace) -> dict[str, Any]:
    given = [name for name in ("threads", "processes", "scheduler") if getattr(options, name)]
    if len(given) > 1:
        options.complain(f"not two of {', '.join('--' + name for name in given)}")
    progress = not options.quiet and sys.stderr is not None
    return {"threads": options.threads, "processes": options.processes, "progress": progress}


def _run(options: argparse.Namespace) -> int:
    from renju import proofs

    board, color = position(options), Color[options.color.upper()]
    if options.out is None and board.turn is not color:
        options.complain("proving all replies needs a file for the proofs: -o FILE")
    workers = _workers(options)
    with cluster(options) as (client, timeout):
        report = proofs.run(
            board,
            options.out,
            color,
            steps=options.steps or proofs.STEPS,
            time=options.time,
            threat_limit=options.threat,
            verify=not options.no_verify,
            resume=options.resume,
            client=client,
            cluster_timeout=timeout,
            **workers,
        )
    if options.json:
        print(json.dumps(_facts(report)))
    else:
        for line in _lines(report):
            print(line)
    if report.is_single and any(record and record.reason == "refuted" for _, record in report.open):
        return REFUTED
    return DONE if report else UNKNOWN


def _name(reply: Point | None) -> str | None:
    return None if reply is None else str(reply)


def _facts(report: RunReport) -> dict[str, Any]:
    """The report as JSON has it."""
    return {
        "status": "proved" if report else "open",
        "color": report.color.label,
        "out": None if report.path is None else str(report.path),
        "proved": [
            {
                "reply": _name(reply),
                "move": str(record.move),
                "entries": record.entries,
                "size": record.size,
                "nodes": record.nodes,
                "verified": record.verified,
            }
            for reply, record in report.proved
        ],
        "open": [
            {"reply": _name(reply), "reason": record and record.reason, "nodes": record and record.nodes}
            for reply, record in report.open
        ],
        "cpu_s": round(report.cpu_s, 3),
    }


def _lines(report: RunReport) -> list[str]:
    """The report for people."""
    who = report.color.label
    if report.is_single:
        lines = [_proved_text(who, record) for _, record in report.proved]
        return lines + [_open_text(who, record) for _, record in report.open]
    count = len(report.proved) + len(report.open)
    what = f"{who} wins against {len(report.proved)} of {count} replies"
    lines = [f"{what}, {sum(record.nodes for _, record in report.proved):,} nodes"]
    by_reason: dict[str, list[str]] = {}
    for reply, record in report.open:
        by_reason.setdefault(record.reason if record else "not searched", []).append(str(reply))
    for reason, replies in by_reason.items():
        lines.append(f"open ({reason}): {' '.join(replies)}")
    return lines


def _proved_text(who: str, record: ProofRecord) -> str:
    check = "verified" if record.verified else "not verified"
    what = f"{_count(record.entries, 'position')}, {record.size:,} bytes, {check}"
    return f"{who} wins by {record.move} ({what}; {nodes_text(record.nodes)})"


def _open_text(who: str, record: OpenRecord | None) -> str:
    if record is None:
        return f"{who}: not searched"
    if record.reason == "refuted":
        return f"{who}: no win of order 3 ({nodes_text(record.nodes)})"
    return f"{who}: open ({record.reason}; {nodes_text(record.nodes)})"


def _check(options: argparse.Namespace) -> int:
    from renju.proofs import ProofStore

    if options.moves is not None or options.out is not None:
        options.complain("--check takes the name of a file, and neither moves nor -o")
    workers = _workers(options)
    store = ProofStore.open(options.check)
    with cluster(options) as (client, timeout):
        found = store.check(resume=options.resume, client=client, cluster_timeout=timeout, **workers)
    if options.json:
        print(json.dumps(_check_facts(found)))
    else:
        for line in _check_lines(found):
            print(line)
    if found.refused:
        return REFUTED
    return DONE if found else UNKNOWN


def _stones(place: Place) -> str:
    """The stones of a position for people."""
    black, white = place.texts()
    return f"black {black or 'none'}, white {white or 'none'}"


def _check_facts(found: StoreCheck) -> dict[str, Any]:
    return {
        "status": "refused" if found.refused else "holds" if found else "open",
        "proofs": found.proofs,
        "refused": [{"position": _stones(record.place), "reason": why} for record, why in found.refused],
        "goals": [
            {"position": _stones(goal.place), "replies": goal.replies, "open": [*map(str, goal.open)]}
            for goal in found.goals
        ],
        "open": found.open,
        "positions": found.positions,
        "replies": found.replies,
        "trees": found.trees,
        "cpu_s": round(found.cpu_s, 3),
    }


def _check_lines(found: StoreCheck) -> list[str]:
    counts = (found.positions, "position"), (found.replies, "reply"), (found.trees, "tree")
    covered = ", ".join(_count(number, noun) for number, noun in counts)
    lines = [f"{_count(found.proofs, 'proof')} hold{'s' if found.proofs == 1 else ''}: {covered}"]
    lines += [f"refused: {_stones(record.place)}: {why}" for record, why in found.refused]
    for goal in found.goals:
        who, count = goal.place.color.label, goal.replies - len(goal.open)
        lines.append(f"{_stones(goal.place)}: {who} wins against {count} of {goal.replies} replies")
        if goal.open:
            lines.append(f"open: {' '.join(map(str, goal.open))}")
    if found.open:
        lines.append(f"{_count(found.open, 'position')} open")
    return lines


def _count(number: int, noun: str) -> str:
    plural = noun[:-1] + "ies" if noun.endswith("y") else noun + "s"
    return f"{number:,} {noun if number == 1 else plural}"


def _merge(options: argparse.Namespace) -> int:
    from renju.proofs import ProofStore

    if options.out is None or options.moves is not None:
        options.complain("--merge takes files, and -o for the file that they are added to; no moves")
    others = [ProofStore.open(name) for name in options.merge]
    with ProofStore.open(options.out, "a") as store:
        news = store.merge(others)
        lines = "line was" if news == 1 else "lines were"
        print(f"{options.out}: {len(store)} proved, {len(store.open_records)} open, {news} {lines} news")
    return DONE


def _export(options: argparse.Namespace) -> int:
    from renju.proofs import ProofStore

    if options.out is None:
        options.complain("--export needs a file to write: -o FILE")
    board = None if options.moves is None else position(options)
    moves = ProofStore.open(options.export).export(options.out, board, options.plies)
    print(f"{options.out}: {moves:,} moves")
    return DONE


def _show(options: argparse.Namespace) -> int:
    from renju.proofs import ProofStore

    store = ProofStore.open(options.show)
    if options.moves is None:
        return _show_file(options, store)
    board = position(options)
    step = store.step(board)
    if options.json:
        replies = [] if step is None else [*map(str, step.replies)]
        print(json.dumps({"move": None if step is None else str(step.move), "replies": replies}))
    elif step is None:
        print("no proof of the file leads to this position")
    else:
        answers = f"; answers to {' '.join(map(str, step.replies))}" if step.replies else ""
        print(f"{board.turn.label} wins by {step.move}{answers}")
    return UNKNOWN if step is None else DONE


def _show_file(options: argparse.Namespace, store: ProofStore) -> int:
    size = sum(record.size for record in store)
    facts = {
        "proved": len(store),
        "verified": sum(record.verified for record in store),
        "open": len(store.open_records),
        "goals": [_stones(goal.place) for goal in store.goals],
        "positions": sum(record.entries for record in store),
        "cpu_s": round(sum(record.cpu_s for record in (*store, *store.open_records)), 3),
        "proof_bytes": size,
        "file_bytes": store.path.stat().st_size,
    }
    if options.json:
        print(json.dumps(facts))
        return DONE
    for goal in store.goals:
        print(f"{_stones(goal.place)}: does {goal.place.color.label} win against all replies?")
    print(f"{facts['proved']} proved, {facts['verified']} of them verified; {facts['open']} open")
    print(f"{facts['positions']:,} positions, {facts['file_bytes']:,} bytes, {facts['cpu_s']:,} s CPU time")
    return DONE
