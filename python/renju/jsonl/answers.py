"""Positions as fields of a query, and answers as the objects that the same call would give in Python."""

from __future__ import annotations

import json
from typing import Any

from renju._types import Color, Point
from renju.board import Board
from renju.engine import Candidate, SearchResult, Source
from renju.errors import EngineError, RenjuError
from renju.proof import Proof

__all__ = ["position_fields", "proof_of", "search_result"]


def position_fields(board: Board) -> dict[str, Any]:
    """The fields of a query that tell a position; `ValueError` if it has a limit of moves, for which there is
    no field."""
    if not isinstance(board, Board):
        raise TypeError(f"board is a renju.Board, not {type(board).__name__}")
    if board.move_limit is not None:
        raise ValueError("a query cannot tell the limit of moves of a board")
    moves = [str(move) for move in board.moves]
    fields: dict[str, Any] = {"moves": moves}
    if not board._is_from_empty():
        start = board.copy()
        for _ in moves:
            start.pop()
        for color in Color:
            fields[color.label] = [str(point) for point in start.points_of(color)]
        fields["turn"] = start.turn.label
    if not board.referee:
        fields["referee"] = False
    return fields


def search_result(answer: dict[str, Any], board: Board) -> SearchResult:
    """The result of a search, or what a report tells of one that goes on; `EngineError` if it is neither."""
    try:
        if answer.get("no_results"):
            raise EngineError("the query was terminated before it began")
        is_report = "report" in answer
        proof, hint = answer.get("proof"), answer.get("vct_hint")
        return SearchResult(
            **_move(answer),
            depth=answer["depth"],
            seldepth=answer["seldepth"],
            nodes=answer["nodes"],
            time=answer["time"],
            source=Source.SEARCH if is_report else Source(answer["source"]),
            candidates=tuple(Candidate(**_move(candidate)) for candidate in answer["candidates"]),
            breakdown=answer.get("breakdown", {}),
            static_value=answer.get("static_value", {}),
            stats=answer.get("stats", {}),
            interrupted=answer.get("interrupted", False),
            fallback=answer.get("fallback", False),
            vct_hint=None if hint is None else Point(hint),
            proof=None if proof is None else Proof.from_json(json.dumps(proof)),
            board=board.copy(),
            final=not is_report,
        )
    except EngineError:
        raise
    except (RenjuError, KeyError, TypeError, ValueError) as error:
        raise _nonsense(error) from error


def proof_of(answer: dict[str, Any]) -> Proof:
    """The proof that an answer holds; `EngineError` if it holds none."""
    if answer.get("no_results"):
        raise EngineError("the query was terminated before it began")
    try:
        return Proof.from_json(json.dumps(answer["proof"]))
    except (RenjuError, KeyError) as error:
        raise _nonsense(error) from error


def _move(found: dict[str, Any]) -> dict[str, Any]:
    return {
        "move": Point(found["move"]),
        "score": found["score"],
        "pv": tuple(map(Point, found["pv"])),
    }


def _nonsense(error: Exception) -> EngineError:
    return EngineError(f"an answer could not be read: {type(error).__name__}: {error}")
