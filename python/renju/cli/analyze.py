"""`renju analyze`: the best moves of a position as a table."""

from __future__ import annotations

import argparse
import json
import sys

from renju import Board, Candidate, Engine, EngineConfig, Limit, SearchResult, __version__
from renju._exit_codes import DONE, INTERRUPTED
from renju._facts import changes, limit_facts, search_facts
from renju.cli.arguments import add_limits, add_position, add_strength, config_of, count, position
from renju.cli.output import check_outputs, nodes_text, status_text, write_line
from renju.limits import DEFAULT_HASH_MB
from renju.result import score_text

__all__ = ["add_analyze"]


def add_analyze(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    analyze = commands.add_parser("analyze", aliases=["analyse"], help="show the best moves")
    add_position(analyze)
    add_strength(analyze)
    add_limits(analyze)
    analyze.add_argument("--depth", type=count(2**31), help="most plies")
    analyze.add_argument(
        "--multipv",
        type=count(225),
        default=5,
        metavar="N",
        help="moves that are told (default %(default)s)",
    )
    analyze.add_argument(
        "--threads", type=count(2**31), default=1, help="0 for one per core (default %(default)s)"
    )
    analyze.add_argument(
        "--hash",
        type=count(2**31),
        default=DEFAULT_HASH_MB,
        metavar="MB",
        help="memory for positions (default %(default)s)",
    )
    analyze.add_argument("--seed", type=int, default=0, help="default %(default)s")
    analyze.add_argument("--progress", action="store_true", help="tell every finished depth on stderr")
    analyze.add_argument("--svg", metavar="FILE", help="write a picture of the line (- for standard output)")
    analyze.set_defaults(run=_analyze)


def _analyze(options: argparse.Namespace) -> int:
    check_outputs(options)
    board = position(options)
    engine = Engine(
        config=config_of(options), threads=options.threads, hash_mb=options.hash, seed=options.seed
    )
    limit = Limit(options.time, options.nodes, options.depth)
    is_told = options.progress or (sys.stderr is not None and sys.stderr.isatty())
    result, depth = None, 0
    try:
        for result in engine.stream(board, limit, options.multipv):
            # The final result often is that of a depth told before.
            if is_told and result.depth > depth:
                print(_progress_text(result), file=sys.stderr, flush=True)
            depth = result.depth
    except KeyboardInterrupt:
        if result is None:
            raise
        _tell(options, engine, board, result, is_complete=False)
        print("renju: interrupted", file=sys.stderr)
        return INTERRUPTED
    assert result is not None, "a search has a result"
    _tell(options, engine, board, result, is_complete=True)
    return DONE


def _tell(
    options: argparse.Namespace, engine: Engine, board: Board, result: SearchResult, is_complete: bool
) -> None:
    if options.svg:
        write_line(options.svg, board, board.turn, result.pv)
    if options.json:
        print(json.dumps(_facts(options, engine, board, result, is_complete)))
    elif options.svg != "-":
        print(_table(board, result))


def _facts(
    options: argparse.Namespace, engine: Engine, board: Board, result: SearchResult, is_complete: bool
) -> dict[str, object]:
    return {
        "version": __version__,
        "moves": [str(move) for move in board.moves],
        "turn": board.turn.label,
        "level": options.level,
        "settings": changes(engine.config, EngineConfig.from_level(options.level)),
        "limit": limit_facts(Limit(options.time, options.nodes, options.depth)),
        "seed": options.seed,
        "threads": options.threads,
        **search_facts(result),
        "interrupted": result.interrupted or not is_complete,
    }


def _table(board: Board, result: SearchResult) -> str:
    candidates = result.candidates or (Candidate(result.move, result.score, result.pv),)
    rows = [("move", "score", "line")]
    rows += [(str(found.move), score_text(found.score), " ".join(map(str, found.pv))) for found in candidates]
    width = max(len(score) for _, score, _ in rows)
    lines = [status_text(board), *(f"{move:<5} {score:>{width}}  {line}" for move, score, line in rows)]
    return "\n".join([*lines, f"{result.source}, {_effort_text(result, _chance_text(board, result))}"])


def _chance_text(board: Board, result: SearchResult) -> str:
    """How likely the side to move wins, where neither side does for certain."""
    rate = result.win_rate
    return "" if rate is None or result.win_in is not None else f"{board.turn.label} wins {rate[0]:.0%}, "


def _effort_text(result: SearchResult, chance: str = "") -> str:
    return f"depth {result.depth}, {nodes_text(result.nodes)}, {chance}{result.time:.2f} s"


def _progress_text(result: SearchResult) -> str:
    line = " ".join(map(str, result.pv))
    return f"{_effort_text(result)}, {score_text(result.score)}: {line}"
