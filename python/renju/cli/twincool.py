"""`renju twincool`: games of Twin Cool, advice, and how well strategies play it."""

from __future__ import annotations

import argparse
import json
import sys
from math import isfinite
from typing import TYPE_CHECKING, Any

from renju import _native
from renju._exit_codes import DONE, REFUTED
from renju._machine import cores
from renju.cli.arguments import count
from renju.cli.keyboard import check_input, read_line

if TYPE_CHECKING:
    from renju.ismcts import Advice, Card, Move, Strategy

__all__ = ["add_twincool"]

# The names of renju.ismcts.STRATEGIES, which would be imported with numpy before every command.
_BY_RULE = ("random", "heuristic", "glance", "value")
_BLIND_SEARCHES = ("pimc", "ismcts")
# A search that sees the deck, which nobody can tell it of a game on a table.
_SEEING_SEARCHES = ("mcts",)
_SEARCHING = (*_BLIND_SEARCHES, *_SEEING_SEARCHES)
_STRATEGIES = (*_BY_RULE, *_SEARCHING)

# The settings of a search that the command line has, as the strategies call them.
_SETTINGS = (
    "iterations",
    "time",
    "exploration",
    "prior_weight",
    "max_nodes",
    "determinizations",
    "adaptive",
    "rollout",
    "key",
    "trees",
)


def add_twincool(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    twincool = commands.add_parser("twincool", help="a card game under hidden information")
    kinds = twincool.add_subparsers(dest="what", required=True, metavar="WHAT")

    play = kinds.add_parser("play", help="play a game, with advice")
    play.add_argument(
        "--hand",
        help='the first hand of a game on a table, such as "A1 A2 B7 C7 H10"; else cards are dealt here',
    )
    play.add_argument(
        "--strategy", choices=_STRATEGIES, default="ismcts", help="who advises (default %(default)s)"
    )
    _add_search(play, iterations=1000)
    play.set_defaults(run=_play)

    advise = kinds.add_parser("advise", help="which card to play, and why")
    advise.add_argument("hand", help='the hand, such as "A1 A2 B7 C7 H10"')
    advise.add_argument(
        "--piles", nargs=2, default=("", ""), metavar="CARDS", help="both piles, top card last"
    )
    advise.add_argument(
        "--strategy",
        choices=(*_BY_RULE, *_BLIND_SEARCHES),
        default="ismcts",
        help="who advises (default %(default)s)",
    )
    advise.add_argument(
        "--tree", type=count(80), default=0, metavar="N", help="show the tree of ismcts after N moves"
    )
    advise.add_argument(
        "--verbose", type=count(2**31), default=0, metavar="N", help="tell the first N iterations on stderr"
    )
    advise.add_argument("--json", action="store_true", help="print JSON")
    advise.add_argument("--points", type=count(2**31), default=0, help="points up to now")
    _add_search(advise, iterations=1000)
    advise.set_defaults(run=_advise)

    bench = kinds.add_parser("bench", help="play many games with each strategy")
    bench.add_argument("--strategies", default=",".join(_STRATEGIES), metavar="NAME,...", help="default all")
    bench.add_argument("--json", action="store_true", help="print JSON")
    bench.add_argument("--games", type=count(10**8), default=1000, help="default %(default)s")
    bench.add_argument("--threads", type=count(1024), default=0, help="default: one per core")
    bench.add_argument(
        "--luck", action="store_true", help="tell the mean of cards less the luck of the draw, too"
    )
    bench.add_argument("--keep", action="store_true", help="ismcts keeps its tree from move to move")
    _add_search(bench, iterations=200)
    bench.set_defaults(run=_bench)

    learn = kinds.add_parser("learn", help="learn the value of positions again, into a file of weights")
    learn.add_argument("out", help="the file, such as rust/src/hidden/twin_cool/value.bin")
    for name, default in (("rounds", 10), ("positions", 60_000), ("epochs", 16)):
        learn.add_argument(f"--{name}", type=count(10**8), default=default, help="default %(default)s")
    learn.add_argument("--seed", type=int, default=1, help="default %(default)s")
    learn.add_argument("--threads", type=count(1024), default=0, help="default: one per core")
    learn.set_defaults(run=_learn)


def _add_search(parser: argparse.ArgumentParser, iterations: int) -> None:
    parser.add_argument(
        "--iterations", type=count(2**31), default=iterations, metavar="N", help="default %(default)s"
    )
    parser.add_argument(
        "--key",
        choices=_native.TWIN_COOL_KEYS,
        default="count",
        help="what information sets remember (default %(default)s)",
    )
    parser.add_argument(
        "--rollout",
        choices=_native.TWIN_COOL_ROLLOUTS,
        help="how games are played to their end (default for ismcts: value, which plays nothing out; for "
        "others heuristic)",
    )
    parser.add_argument(
        "--trees", type=count(1024), default=1, help="trees that share the iterations (default %(default)s)"
    )
    parser.add_argument("--time", type=float, metavar="SECONDS", help="most seconds for a move")
    parser.add_argument("--exploration", type=float, metavar="C", help="the constant of UCB1")
    parser.add_argument(
        "--prior-weight",
        type=float,
        metavar="W",
        help="how much the glance at the moves weighs; 0 for nothing",
    )
    parser.add_argument(
        "--determinizations", type=count(2**31), metavar="N", help="decks that are imagined for a move"
    )
    parser.add_argument(
        "--adaptive", type=count(2**31), metavar="N", help="fewest decks of ismcts, where little is hidden"
    )
    parser.add_argument("--max-nodes", type=count(2**31), metavar="N", help="information sets that are kept")
    parser.add_argument("--seed", type=int, default=0, help="default %(default)s")


def _strategy(name: str, options: argparse.Namespace) -> Strategy:
    """The strategy with a name; those that search have the settings of the command line."""
    from renju import ismcts

    if name not in _SEARCHING:
        return ismcts.strategy_named(name)
    settings = {name: getattr(options, name) for name in _SETTINGS if getattr(options, name) is not None}
    if name == "ismcts":
        settings["keep"] = getattr(options, "keep", False)
    else:
        settings.pop("adaptive", None)  # a setting of ismcts alone, as its help says
        if settings.get("rollout") == "value":
            del settings["rollout"]  # another of ismcts alone
    return ismcts.strategy_named(name, **settings)


def _play(options: argparse.Namespace) -> int:
    from renju.cli.twincool_play import Game

    check_input()
    if options.hand is not None and options.strategy == "mcts":
        raise ValueError("mcts looks at the deck: on a table nobody can")
    game = Game(_strategy(options.strategy, options), options.seed, options.hand, cores())
    game.begin()
    while not game.is_left and (line := read_line(game.prompt)) is not None:
        game.obey(line)
    return DONE


def _advise(options: argparse.Namespace) -> int:
    from renju import ismcts
    from renju.cli.twincool_play import shown_cards

    hand, *piles = map(shown_cards, (options.hand, *options.piles))
    known = ismcts.ObservableState(hand, (piles[0], piles[1]), options.points)
    strategy = _strategy(options.strategy, options)
    advice = strategy.advise(known, options.seed, cores(), options.verbose, options.tree)
    if advice is None:
        nothing: dict[str, Any] = {"card": None, "pile": None, "moves": []}
        print(json.dumps(nothing) if options.json else "no card fits: the game is over")
        return REFUTED
    if sys.stderr is not None:
        for step in advice.trace:
            print(step, file=sys.stderr)
    if options.json:
        moves = [
            {"card": str(m.move.card), "pile": m.move.pile + 1, "visits": m.visits, "score": round(m.mean, 2)}
            for m in advice.moves
        ]
        facts: dict[str, Any] = {"card": str(advice.move.card), "pile": advice.move.pile + 1, "moves": moves}
        print(json.dumps(facts | (_tree_facts(advice) if options.tree else {})))
    else:
        print(advice)
        if options.tree:
            print(f"line: {', '.join(map(_step, advice.line()))}")
            for place in advice.tree:
                print(f"{'  ' * len(place.path)}{place}")
    return DONE


def _step(step: tuple[Move, Card | None]) -> str:
    """A move, and the card that was drawn after it."""
    move, drawn = step
    return str(move) if drawn is None else f"{move}, draw {drawn}"


def _tree_facts(advice: Advice[Move]) -> dict[str, Any]:
    """The principal line and the information sets as JSON has them."""

    def steps(path: tuple[tuple[Move, Card | None], ...]) -> list[list[str | None]]:
        return [[str(move), None if drawn is None else str(drawn)] for move, drawn in path]

    sets = [
        {
            "path": steps(place.path),
            "visits": place.visits,
            "best": str(place.moves[0].move),
            "score": round(place.moves[0].mean, 2),
        }
        for place in advice.tree
    ]
    return {"line": steps(advice.line()), "tree": sets}


def _bench(options: argparse.Namespace) -> int:
    from renju import ismcts

    facts = {}
    strategies = {name: _strategy(name, options) for name in options.strategies.replace(" ", "").split(",")}
    is_told = sys.stderr is not None and sys.stderr.isatty()
    for name, strategy in strategies.items():
        result = ismcts.benchmark(
            strategy,
            games=options.games,
            seed=options.seed,
            threads=options.threads,
            progress=is_told,
            luck=options.luck,
        )
        if options.json:
            numbers = {key: value for key, value in vars(result).items() if isinstance(value, (int, float))}
            facts[name] = {key: value if isfinite(value) else None for key, value in numbers.items()}
        else:
            print(result, flush=True)
    if options.json:
        print(json.dumps(facts))
    return DONE


def _learn(options: argparse.Namespace) -> int:
    from pathlib import Path

    from renju import ismcts
    from renju._files import write_bytes

    def tell(number: int, error: float) -> None:
        if sys.stderr is not None:
            print(
                f"round {number} of {options.rounds}: off by {error:.3f} cards", file=sys.stderr, flush=True
            )

    weights = ismcts.learn_value(
        options.rounds, options.positions, options.epochs, options.seed, options.threads, progress=tell
    )
    write_bytes(Path(options.out), weights)
    return DONE
