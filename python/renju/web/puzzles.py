"""Puzzles for the page: what it is told of them, and the judgement on a move that somebody tries."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from io import BytesIO
from typing import TYPE_CHECKING, Any

from renju import puzzles
from renju._native import StopFlag
from renju._types import Point, on_board
from renju.board import Board
from renju.errors import EngineError, FormatError, RenjuError
from renju.limits import KINDS, THREAT_LIMITS, Limit
from renju.proof import Proof
from renju.puzzles.files import read_puzzles
from renju.solving import solve, verify
from renju.web.facts import names, proved, tree_lines
from renju.web.fields import board_of, choice_of, count_of, limit_of

if TYPE_CHECKING:
    from renju._request import Fields
    from renju.puzzles import Puzzle
    from renju.web.searches import Emit

__all__ = ["AttemptSearch", "attempt_of", "loaded_puzzles", "set_facts", "shipped_puzzles"]

# Puzzles that the page holds, and lines of a solution that it shows.
MOST_PUZZLES = 1000
_MOST_LINES = 60
# Characters of the name of a file.
_MOST_NAME = 200
# Positions of each question to a solver: fifty times those by which the shipped puzzles were found. A second
# bound, by the clock, is that of `limit_of`.
_NODES = 250_000
_ATTEMPT_SECONDS = 10.0
# Positions of a question about a win of another kind than that asked for.
_GLANCE_NODES = 5_000


def loaded_puzzles(data: bytes, name: str) -> dict[str, Any]:
    """The puzzles of a file that was sent; `FormatError` names the line that holds none."""
    name = name[:_MOST_NAME]
    found = list(read_puzzles(BytesIO(data), name or "the file"))
    if not found:
        raise FormatError(f"{name or 'the file'}: there is no puzzle in it")
    return set_facts(found, name)


def shipped_puzzles() -> dict[str, Any]:
    """The puzzles that come with the package."""
    return set_facts(puzzles.samples())


def set_facts(found: Sequence[Puzzle], name: str = "") -> dict[str, Any]:
    """What the page holds of the first `MOST_PUZZLES` puzzles. One whose proof does not hold is left out and
    named."""
    told, problems = [], []
    for puzzle in found[:MOST_PUZZLES]:
        try:
            puzzle.verify()
        except RenjuError as error:
            problems.append(f"{error}; it is left out")
        else:
            told.append(_facts(puzzle))
    if len(found) > MOST_PUZZLES:
        problems.append(f"the file has {len(found):,} puzzles: the first {MOST_PUZZLES:,} are shown")
    return {"name": name, "puzzles": told, "count": len(found), "problems": problems}


def _facts(puzzle: Puzzle) -> dict[str, Any]:
    """A puzzle as the page holds it: the stones, the solution with its tree, and what was measured."""
    proof = puzzle.proof
    return {
        "id": puzzle.id,
        "kind": puzzle.kind,
        "turn": puzzle.turn.label,
        "black": names(puzzle.black),
        "white": names(puzzle.white),
        "solution": str(puzzle.solution),
        "line": [] if proof is None else names(proof.line),
        "depth": puzzle.depth,
        "difficulty": puzzle.difficulty,
        "themes": list(puzzle.themes),
        "threat_limit": THREAT_LIMITS[0] if proof is None else proof.threat_limit,
        "losses": {
            str(point): {"kind": loss.kind, "reply": str(loss.reply), "depth": loss.depth}
            for point, loss in puzzle.losses.items()
        },
        **({"lines": [], "more": False} if proof is None else tree_lines(proof, _MOST_LINES)),
    }


def attempt_of(fields: Fields) -> AttemptSearch:
    """The search that a request asks for."""
    kind = choice_of(fields, "kind", puzzles.PUZZLE_KINDS, puzzles.PUZZLE_KINDS[0])
    threat_limit = count_of(fields, "threat_limit", THREAT_LIMITS[0], THREAT_LIMITS[-1], THREAT_LIMITS[0])
    limit = limit_of(fields, "solve", _ATTEMPT_SECONDS)
    point = on_board(fields.text("point", 10))
    return AttemptSearch(board_of(fields), kind, point, limit, threat_limit)


class AttemptSearch:
    """What a move of a puzzle is worth. Its verdict is "holds" (a verified win starts there, or, in a
    defence, the opponent has none within the bounds of puzzles), "fails", or "open" where a limit came
    first."""

    def __init__(self, board: Board, kind: str, point: Point, limit: Limit, threat_limit: int) -> None:
        """`EngineError` if the game is over, `IllegalMoveError` if the point is taken."""
        if board.outcome is not None:
            raise EngineError(f"the game is over: {board.outcome.reason}")
        self._board, self._kind, self._point = board, kind, point
        self._after = board.copy()
        self._after.push(point)
        nodes = limit.nodes or _NODES
        self._limit = Limit(time=limit.time, nodes=nodes)
        self._glance = Limit(time=limit.time, nodes=min(nodes, _GLANCE_NODES))
        self._threat_limit = threat_limit
        self._flag = StopFlag()

    def run(self, emit: Emit) -> None:
        over = self._after.outcome
        if over is not None:  # a five, or a forbidden move
            verdict = "holds" if over.winner in (None, self._board.turn) else "fails"
            emit({"type": "result", "verdict": verdict, "proof": None, "over": over.reason})
        else:
            emit({"type": "result", **self._verdict(), "over": None})

    def stop(self) -> None:
        self._flag.set()

    def _wins(self) -> Iterable[Proof]:
        """Wins that start with the move: of the kind asked for, then of the others, by a shorter search."""
        yield self._ask(self._board, self._kind, self._threat_limit, first=self._point, why=True)
        for kind in KINDS:
            if kind != self._kind:
                yield self._ask(self._board, kind, self._threat_limit, first=self._point, limit=self._glance)

    def _losses(self) -> Iterable[Proof]:
        """Wins of the opponent after the move, within the bounds by which puzzles of a defence are made."""
        bounds = puzzles.Wanted()
        yield self._ask(self._after, "vcf", THREAT_LIMITS[0])
        yield self._ask(self._after, "vct", bounds.threat_limit, max_depth=bounds.other_depth)

    def _ask(
        self, board: Board, kind: str, threat_limit: int, *, limit: Limit | None = None, **more: Any
    ) -> Proof:
        return solve(
            board, kind, limit=limit or self._limit, threat_limit=threat_limit, stop=self._flag, **more
        )

    def _verdict(self) -> dict[str, Any]:
        """What the solvers say. A win fails where none of the kind asked for starts with the move: nobody
        asked for other kinds."""
        is_defence = self._kind == "defence"
        proven, refuted = ("fails", "holds") if is_defence else ("holds", "fails")
        found: list[Proof] = []
        for proof in self._losses() if is_defence else self._wins():
            verification = verify(self._after if is_defence else self._board, proof) if proof else None
            if verification:
                return {"verdict": proven, "proof": proved(proof, verification, _MOST_LINES)}
            found.append(proof)
        is_known = all(proof.status == "refuted" for proof in (found if is_defence else found[:1]))
        facts = proved(found[0], None, _MOST_LINES)
        return {"verdict": refuted if is_known else "open", "proof": facts}
