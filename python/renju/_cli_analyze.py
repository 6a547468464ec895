"""`renju analyze`: the best moves of a position as a table."""

from __future__ import annotations

import argparse
import json
import sys
import tomllib
from typing import Any

from renju import Board, Candidate, Engine, EngineConfig, Limit, SearchResult, __version__
from renju._cli_common import (
    DONE,
    INTERRUPTED,
    add_position,
    check_outputs,
    count,
    nodes_text,
    position,
    status_text,
    write_line,
)
from renju.engine import LEVELS

__all__ = ["add_analyze", "add_limits", "worth"]


def add_analyze(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    analyze = commands.add_parser("analyze", aliases=["analyse"], help="show the best moves")
    add_position(analyze)
    strength = analyze.add_mutually_exclusive_group()
    strength.add_argument("--level", choices=LEVELS, default="hard", help="how well (default %(default)s)")
    strength.add_argument("--config", metavar="FILE", help="settings from a TOML file")
    analyze.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="another value for a setting, such as depth=6 or vct=false; may be repeated",
    )
    add_limits(analyze)
    analyze.add_argument("--depth", type=count(2**31), help="most plies")
    analyze.add_argument(
        "--multipv",
        type=count(225),
        default=5,
        metavar="N",
        help="so many moves (default %(default)s)",
    )
    analyze.add_argument("--threads", type=count(2**31), default=1, help="default %(default)s")
    analyze.add_argument(
        "--hash",
        type=count(2**31),
        default=64,
        metavar="MB",
        help="memory for positions (default %(default)s)",
    )
    analyze.add_argument("--seed", type=int, default=0, help="default %(default)s")
    analyze.add_argument("--progress", action="store_true", help="tell every finished depth on stderr")
    analyze.add_argument("--svg", metavar="FILE", help="write a picture of the line (- for standard output)")
    analyze.set_defaults(run=_analyze)


def add_limits(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--time", type=float, metavar="S", help="most seconds for a move")
    parser.add_argument(
        "--nodes", type=count(2**62), metavar="N", help="most positions to look at for a move"
    )


def _analyze(options: argparse.Namespace) -> int:
    check_outputs(options)
    board = position(options)
    engine = Engine(config=_config(options), threads=options.threads, hash_mb=options.hash, seed=options.seed)
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


def _config(options: argparse.Namespace) -> EngineConfig:
    config = (
        EngineConfig.from_toml(options.config) if options.config else EngineConfig.from_level(options.level)
    )
    for setting in options.set:
        try:
            config = config.replace(**_value(setting))
        except (TypeError, ValueError) as error:
            raise ValueError(f"--set {setting}: {error}") from None
    return config


def _value(setting: str) -> dict[str, Any]:
    """The one value of "depth=6", by its name. This is TOML, as in files of settings."""
    try:
        values = tomllib.loads(setting)
    except tomllib.TOMLDecodeError:
        values = {}
    if len(values) != 1:
        raise ValueError("NAME=VALUE was expected, with a number, true or false")
    return values


def _changes(config: EngineConfig, level: EngineConfig) -> dict[str, int]:
    """The settings in which a configuration is not that of a level."""
    return {name: value for name, value in vars(config).items() if value != getattr(level, name)}


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
        "settings": _changes(engine.config, EngineConfig.from_level(options.level)),
        "limit": {"time": options.time, "nodes": options.nodes, "depth": options.depth},
        "seed": options.seed,
        "threads": options.threads,
        **_move_facts(result),
        "depth": result.depth,
        "seldepth": result.seldepth,
        "nodes": result.nodes,
        "time": round(result.time, 6),
        "source": result.source,
        "candidates": [_move_facts(candidate) for candidate in result.candidates],
        "breakdown": dict(result.breakdown),
        "stats": dict(result.stats),
        "interrupted": result.interrupted or not is_complete,
        "fallback": result.fallback,
        "proof": None if result.proof is None else json.loads(result.proof.to_json()),
    }


def _move_facts(found: SearchResult | Candidate) -> dict[str, Any]:
    return {
        "move": str(found.move),
        "score": found.score,
        "win_in": found.win_in,
        "pv": [str(point) for point in found.pv],
    }


def _table(board: Board, result: SearchResult) -> str:
    candidates = result.candidates or (Candidate(result.move, result.score, result.pv),)
    rows = [("move", "score", "line")]
    rows += [(str(found.move), worth(found), " ".join(map(str, found.pv))) for found in candidates]
    width = max(len(score) for _, score, _ in rows)
    lines = [status_text(board), *(f"{move:<5} {score:>{width}}  {line}" for move, score, line in rows)]
    return "\n".join([*lines, f"{result.source}, {_effort_text(result)}"])


def worth(found: SearchResult | Candidate) -> str:
    """The score for people: "+120", "wins in 5"."""
    if found.win_in is None:
        return f"{found.score:+d}"
    return f"{'wins' if found.win_in > 0 else 'loses'} in {abs(found.win_in)}"


def _effort_text(result: SearchResult) -> str:
    return f"depth {result.depth}, {nodes_text(result.nodes)}, {result.time:.2f} s"


def _progress_text(result: SearchResult) -> str:
    line = " ".join(map(str, result.pv))
    return f"{_effort_text(result)}, {worth(result)}: {line}"
