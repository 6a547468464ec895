"""What a move is worth, beside the moves that could have been played instead.

Two scores can be compared only if they were made in the same way. So the search of a position merely names
candidates; each of them, and the move played, then gets its score from a search of the position after it,
with the same limit and up to the same depth. A search ends with a move of one side, whose threat is not
answered yet, so that scores swing from depth to depth: the mean of the last two depths is what a move is
worth here. What is proved takes the place of any score.
"""

from __future__ import annotations

from dataclasses import dataclass

from renju._types import PASS, Point
from renju.board import Board
from renju.defence import Defence, answers
from renju.engine import Candidate, Engine, SearchResult
from renju.errors import EngineError
from renju.limits import Limit
from renju.proof import Proof
from renju.reviewing.model import ForcedWin, Grades, ReviewedMove
from renju.reviewing.options import Option, align, end_of, foul_of
from renju.reviewing.wins import Search, WinSearch, lost_score, points_of, win_kind, win_score

__all__ = ["Judge", "Look", "Shares"]

# Enough for one ply, whatever the limit was: without any score there is nothing to compare.
_ONE_PLY = Limit(nodes=100_000, depth=1)

_KEPT = {"proved": True, "refuted": False, "unknown": None}


@dataclass(frozen=True)
class Shares:
    """What the limit of a move comes to for its parts."""

    search: Limit
    """Limit of every single search of the engine: of the position, of each candidate, of the move played."""
    proofs: Limit
    """Limit of the searches for forced wins, in a look and again in a judgement."""
    are_proofs_one: bool
    """Whether the searches for forced wins share their limit; else it holds for each of them."""
    defences: int
    """The most other moves that are searched where all candidates lose."""


@dataclass(frozen=True)
class Look:
    """What is to be seen in a position of the game."""

    result: SearchResult | None
    """What the engine answers; None where the side to move has no legal move."""
    search: Search
    """The search for a forced win of the side to move."""
    kept: Search | None
    """The search for a forced win that starts with the move played; None if there was no win to keep, or no
    move."""

    @property
    def win(self) -> Proof | None:
        return self.search.proof

    @property
    def nodes(self) -> int:
        searches = self.result, self.search, self.kept
        return sum(search.nodes for search in searches if search is not None)


class Judge:
    """Judges moves with an engine of its own, so that several can work at once."""

    def __init__(self, engine: Engine, wins: WinSearch, shares: Shares, multipv: int, grades: Grades) -> None:
        self._engine, self._wins = engine, wins
        self._limit, self._most_defences = shares.search, shares.defences
        self._multipv, self._grades = multipv, grades
        self._nodes = 0

    def look(self, board: Board, move: Point | None) -> Look:
        """The candidates of a position, the forced win if there is one, and whether the move keeps it."""
        self._wins.begin()
        search = self._wins.win(board)
        result = None
        if board.legal_moves:
            result = self._engine.analyse(board, self._limit, self._multipv)
            if not result.candidates:  # too little for one ply: any move would be the best of itself alone
                result = self._engine.analyse(board, _ONE_PLY, self._multipv)
            if search.proof is None and result.proof is not None:
                search = Search(result.proof, "proved", search.nodes)
        kept = None
        if search.proof is not None and move is not None:
            is_first = move == search.proof.first
            kept = Search(search.proof, "proved", 0) if is_first else self._wins.win_by(board, move)
        return Look(result, search, kept)

    def judge(
        self, number: int, board: Board, move: Point, look: Look, before: Look | None, after: Look | None
    ) -> ReviewedMove:
        """The judgement on a move; `before` and `after` are the looks at the positions a move earlier and
        later, None where there is none or the game is over."""
        self._wins.begin()
        self._nodes = look.nodes
        forced = _is_forced(board)
        running = None if before is None or before.kept is None else before.kept.proof
        depth = 0
        if running is not None:
            played = best = _lost_option(board, move, look, running, after)
            ranked, loss = [played], 0
        else:
            options = _options(board, move, look)
            played = options[move]
            if after is not None and after.win is not None and not played.is_certain:
                played.refute(after.win)
            if look.win is not None:
                _settle_win(board, look, options, played)
            depth = self._score(options)
            if look.win is None:
                depth = self._refute(board, options, played, forced) or depth
            ranked = sorted(options.values(), key=lambda option: (-option.score, option is not played))
            best = ranked[0]
            if look.win is not None and not (best is played and look.kept is not None and look.kept.proof):
                best = options[look.win.line[0]]  # what is proved, not what seems to win sooner
            loss = _loss(look, best, played, ranked)
        win = None if look.win is None else ForcedWin(win_kind(board, look.win), look.win)
        is_kept = None if look.kept is None else _KEPT[look.kept.status]
        allowed = _allowed(best, played)
        return ReviewedMove(
            number=number,
            color=board.turn,
            move=move,
            best=best.move,
            best_score=best.score,
            played_score=played.score,
            loss=loss,
            quality=self._grades.quality(loss),
            graded=board.ply + 1 >= self._grades.from_move,
            forced=forced,
            depth=depth,
            nodes=self._nodes,
            source=_source(look, best),
            pv=best.pv,
            played_pv=played.pv,
            candidates=tuple(Candidate(option.move, option.score, option.pv) for option in ranked),
            breakdown=self._breakdown(board, best.move),
            played_breakdown=self._breakdown(board, move),
            forbidden=board.forbidden_points(),
            kept=is_kept,
            missed=win if is_kept is False else None,
            unclear=win if is_kept is None else None,
            allowed=allowed,
            defence=None if allowed is None or win is not None else _defence(board, best.move),
            foul=foul_of(board, move),
        )

    def _breakdown(self, board: Board, move: Point) -> dict[str, int]:
        """Nothing for a pass and a foul, which are worth nothing."""
        is_valued = move != PASS and board.is_legal(move)
        return self._engine.breakdown(board, move) if is_valued else {}

    def _score(self, options: dict[Point, Option]) -> int:
        """Searches the moves that have no score yet; returns the plies behind all scores."""
        for option in options.values():
            if option.is_certain or option.pv:
                continue
            option.pv = (option.move,)
            if not option.after.legal_moves:
                continue  # black can only pass: nothing to search, and nothing to fear
            for limit in (self._limit, _ONE_PLY):
                result = self._engine.analyse(option.after, limit, multipv=1)
                self._nodes += result.nodes
                option.take(result)
                if option.depths or end_of(option.score) is not None:
                    break
        return align(options.values())

    def _refute(self, board: Board, options: dict[Point, Option], played: Option, forced: bool) -> int:
        """Takes out moves that look best and lose by force. If all lose, other defences are tried; returns
        the plies behind the scores then."""
        self._refute_best(options, played)
        if forced or any(option.loses_to is None for option in options.values()):
            return 0
        self._add_defences(board, options)
        depth = self._score(options)
        self._refute_best(options, played)
        return depth

    def _refute_best(self, options: dict[Point, Option], played: Option) -> None:
        """Looks for the opponent's forced win after the best move, until one holds. What follows the move
        played is known already."""
        while True:
            best = max(options.values(), key=lambda option: (option.score, option is played))
            if best is played or best.is_certain:
                return
            search = self._wins.win(best.after)
            self._nodes += search.nodes
            if search.proof is None:
                return
            best.refute(search.proof)

    def _add_defences(self, board: Board, options: dict[Point, Option]) -> None:
        """Adds moves that do not seem to lose, among own fours and the points of the proofs, as far as the
        limit goes."""
        proofs = [option.loses_to for option in options.values() if option.loses_to is not None]
        threats = board.threats()
        points = threats.fours.union(threats.open_fours, *map(points_of, proofs))
        most = len(options) + self._most_defences
        for point in sorted(points - options.keys()):
            if self._wins.is_spent or len(options) == most:
                return
            if board.is_legal(point):
                option = Option.at(board, point)
                search = self._wins.quick_win(option.after)
                self._nodes += search.nodes
                if search.proof is None:
                    options[point] = option


def _options(board: Board, move: Point, look: Look) -> dict[Point, Option]:
    """The moves to compare: the candidates, the first move of the forced win, and the move played."""
    found = [] if look.result is None else [candidate.move for candidate in look.result.candidates]
    if look.win is not None:
        found.append(look.win.line[0])
    return {point: Option.at(board, point) for point in dict.fromkeys([*found, move])}


def _is_forced(board: Board) -> bool:
    """Is there one point only that stops the opponent's four, and no five to make instead?"""
    completions = board.threats(board.turn.opponent).fives
    return len(completions) == 1 and not board.threats().fives and board.is_legal(next(iter(completions)))


def _lost_option(board: Board, move: Point, look: Look, running: Proof, after: Look | None) -> Option:
    """The move played where the opponent has begun a proved win: no other could be better."""
    if look.win is not None:
        raise EngineError(f"two proofs contradict each other: {running.line} and {look.win.line}")
    option = Option.at(board, move)
    if after is not None and after.win is not None and not option.is_certain:
        option.refute(after.win)
    if not option.is_certain:
        answers = () if after is None or after.result is None else after.result.pv
        option.settle(lost_score(running), (move, *answers))
    return option


def _settle_win(board: Board, look: Look, options: dict[Point, Option], played: Option) -> None:
    """Gives the moves their scores that are proved to win."""
    assert look.win is not None
    for option, proof in ((options[look.win.line[0]], look.win), (played, look.kept and look.kept.proof)):
        if proof and option.loses_to is not None:
            raise EngineError(f"two proofs contradict each other: {proof.line}, {option.loses_to.line}")
        if proof and not option.is_certain:  # a five is
            option.settle(win_score(board, proof), proof.line)


def _allowed(best: Option, played: Option) -> ForcedWin | None:
    """The opponent's forced win after the move played, if the best move does not lose by force as well."""
    if best is played or best.loses_to is not None or played.loses_to is None:
        return None
    return ForcedWin(win_kind(played.after, played.loses_to), played.loses_to)


def _defence(board: Board, best: Point) -> Defence | None:
    """The best move as an answer to what the opponent threatens; None if it is no such answer."""
    return next((found for found in answers(board, board.turn.opponent) if found.point == best), None)


def _loss(look: Look, best: Option, played: Option, ranked: list[Option]) -> int:
    """What the move gives away. Nothing if both moves win, or both lose, however many moves it takes. Where
    nobody knows whether it keeps a proved win, the searches decide."""
    if look.kept is not None and look.kept.status == "unknown":
        searched = [option for option in ranked if not option.is_certain]
        best = max([*searched, played], key=lambda option: option.score)
    ends = end_of(best.score), end_of(played.score)
    if ends[0] is not None and ends[1] is not None and (ends[0] > 0) == (ends[1] > 0):
        return 0
    return max(0, best.score - played.score)


def _source(look: Look, best: Option) -> str:
    """Where the best move comes from."""
    if look.win is not None and end_of(best.score) != 1:
        return look.win.kind
    return "search" if look.result is None else look.result.source
