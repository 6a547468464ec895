"""`renju twincool`: advice in a game of Twin Cool, and how well strategies play it."""

from __future__ import annotations

import argparse
import json
import sys

from renju._cli_common import DONE, REFUTED, count

__all__ = ["add_twincool"]

_STRATEGIES = ("random", "heuristic", "mcts", "ismcts")


def add_twincool(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    twincool = commands.add_parser("twincool", help="a card game under hidden information")
    kinds = twincool.add_subparsers(dest="what", required=True, metavar="WHAT")

    advise = kinds.add_parser("advise", help="which card to play, and why")
    advise.add_argument("hand", help='the hand, such as "A1 A2 B7 C7 H10"')
    advise.add_argument(
        "--piles", nargs=2, default=("", ""), metavar="CARDS", help="both piles, top card last"
    )
    advise.add_argument("--points", type=count(2**31), default=0, help="points so far")
    _add_search(advise, iterations=1000)
    advise.set_defaults(run=_advise)

    bench = kinds.add_parser("bench", help="play many games with each strategy")
    bench.add_argument("--strategies", default=",".join(_STRATEGIES), metavar="NAME,...", help="default all")
    bench.add_argument("--games", type=count(10**9), default=1000, help="default %(default)s")
    bench.add_argument("--threads", type=count(1024), default=0, help="default: one per core")
    _add_search(bench, iterations=200)
    bench.set_defaults(run=_bench)


def _add_search(parser: argparse.ArgumentParser, iterations: int) -> None:
    parser.add_argument(
        "--iterations", type=count(2**31), default=iterations, metavar="N", help="default %(default)s"
    )
    parser.add_argument("--seed", type=int, default=0, help="default %(default)s")
    parser.add_argument("--json", action="store_true", help="print JSON")


def _advise(options: argparse.Namespace) -> int:
    from renju import ismcts

    hand, *piles = (
        [ismcts.Card.parse(word) for word in text.split()] for text in (options.hand, *options.piles)
    )
    known = ismcts.ObservableState(tuple(hand), (tuple(piles[0]), tuple(piles[1])), options.points)
    advice = ismcts.IsMcts(iterations=options.iterations).advise(known, options.seed)
    if advice is None:
        print("no card fits: the game is over")
        return REFUTED
    if options.json:
        moves = [
            {"card": str(m.move.card), "pile": m.move.pile + 1, "visits": m.visits, "score": round(m.mean, 2)}
            for m in advice.moves
        ]
        facts = {"card": str(advice.move.card), "pile": advice.move.pile + 1, "moves": moves}
        print(json.dumps(facts))
        return DONE
    print(f"play {advice.move}")
    print(f"{'move':<14}{'visits':>7}{'score':>8}")
    for m in advice.moves:
        print(f"{m.move!s:<14}{m.visits:>7}{m.mean:>8.1f}")
    print(
        f"{advice.iterations} iterations, {advice.determinizations} determinizations, "
        f"{advice.nodes} information sets, {advice.sharing:.0%} shared"
    )
    return DONE


def _bench(options: argparse.Namespace) -> int:
    from renju import ismcts

    facts = {}
    for name in options.strategies.split(","):
        is_told = sys.stderr is not None and sys.stderr.isatty()
        result = ismcts.benchmark(
            name.strip(), options.iterations, options.games, options.seed, options.threads, progress=is_told
        )
        if options.json:
            numbers = {key: value for key, value in vars(result).items() if key != "strategy"}
            facts[name] = numbers
        else:
            print(result, flush=True)
    if options.json:
        print(json.dumps(facts))
    return DONE
