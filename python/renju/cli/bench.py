"""`renju bench`: positions a second of the array functions, and the signature of the search."""

from __future__ import annotations

import argparse
import json

from renju._exit_codes import DONE
from renju.cli.arguments import count

_MOST_POSITIONS = 10_000_000

__all__ = ["add_bench"]


def add_bench(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
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
