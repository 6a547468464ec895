"""The search for the defence that breaks an attack.

What is told was asked of the solvers: after the defence no win of the kind is left, within the depth and the
limits. Where a limit comes first, the answer is "unknown" with its name."""

from __future__ import annotations

from time import perf_counter

from renju._ask import ask
from renju._types import Color, Point, PointLike, on_board
from renju.board import Board
from renju.defence import Defence, answers, block_of, counter_of
from renju.errors import EngineError
from renju.limits import THREAT_LIMITS, Limit
from renju.proof import Proof
from renju.refutation import Refutation, RefutationKind

__all__ = ["refute"]


def refute(
    board: Board, point: PointLike, proof: Proof, limit: Limit, max_depth: int | None = None
) -> Refutation:
    """Why no win of the kind of `proof`, which is refuted, starts at a point. `limit` and `max_depth` are
    those of the proof; all that is searched here shares the limit."""
    return _Refuter(board, proof, limit, max_depth).refutation(on_board(point))


class _SpentError(Exception):
    """A limit came first; the argument is its name."""


class _Refuter:
    """An attack, and what is left of the limits."""

    def __init__(self, board: Board, proof: Proof, limit: Limit, max_depth: int | None) -> None:
        self._attacker, self._defender = proof.color, proof.color.opponent
        self._kind, self._threat_limit = proof.kind, proof.threat_limit
        self._start, self._depth = board.set_up(proof.color), max_depth
        self._nodes = limit.nodes
        self._end = None if limit.time is None else perf_counter() + limit.time
        self._is_exhausted = True

    def refutation(self, point: Point) -> Refutation:
        try:
            flaw = self._flaw(point)
            if flaw is not None:
                return Refutation("not-forcing", None, (point,), reason=flaw, exhausted=True)
            if self._depth == 0:
                raise _SpentError("depth")
            board = _after(self._start, point)
            five = min(board.threats(self._defender).fives, default=None)
            if five is not None:
                return Refutation("five", five, (point, five), "five", exhausted=True)
            depth = _less(self._depth)
            defence = self._defence(board, depth)
            line = (point, defence.point, *self._failure(board, defence, depth))
            kind = _class_of(defence)
            return Refutation(kind, defence.point, line, defence.counter, exhausted=self._is_exhausted)
        except _SpentError as spent:
            return Refutation("unknown", None, (point,), limit_hit=str(spent))

    def _flaw(self, point: Point) -> str | None:
        """Why a stone is no attack of the kind; None if it is one."""
        board, attacker = self._start, self._attacker
        if board.outcome is not None:
            return "comes after the end of the game"
        if point in board.stones:
            return "is occupied"
        threats = board.threats(attacker)
        made = counter_of(threats, point)
        if made is None and attacker is Color.BLACK and (kind := board.forbidden_kind(point)):
            return f"is forbidden to black ({kind.label})"
        if self._kind == "vcf":
            return None if made in ("five", "four") else "makes no four"
        after = _after(board, point)
        if self._kind == "mise-vcf":
            if made not in ("four", "three"):
                return "makes neither three nor four"
            own = after.threats(attacker)
            return None if own.four_threes - own.fives else "threatens no four-three"
        if made in ("five", "four") or after.threats(self._defender).fives:
            return None
        if threats.fives:
            return "leaves the attacker's own five unplayed"
        if self._solve(after, "vcf", self._threat_limit):
            return None
        fours = "a four" if self._threat_limit == 1 else f"up to {self._threat_limit} fours"
        return f"makes no four and threatens no win by {fours}"

    def _defence(self, board: Board, depth: int | None) -> Defence:
        """The defence, with the defender to move, after which no win is left. `depth` is the number of stones
        that the attacker may still play."""
        most = self._threat_limit if self._kind == "vct" else THREAT_LIMITS[-1]
        spent: _SpentError | None = None
        for defence in sorted(answers(board, self._attacker, most), key=_order):
            self._is_exhausted = True
            try:
                if not self._wins(_after(board, defence.point), depth):
                    return defence
            except _SpentError as limit:
                spent = limit
        if spent is not None:
            raise spent
        if depth is not None:
            raise _SpentError("depth")
        raise EngineError(f"a refuted {self._kind} has no refutation on {board!r}")

    def _wins(self, board: Board, depth: int | None) -> bool:
        """Does the attack go on to win after a reply, with the attacker to move?"""
        if board.outcome is not None:
            return False
        if self._kind != "mise-vcf":
            return self._solve(board, self._kind, depth)
        if self._solve(board, "vcf", depth):
            return True
        block = block_of(board, self._attacker)
        if block is None or depth == 0:
            return False
        depth, after = _less(depth), _after(board, block)
        completions = after.threats(self._attacker).fives
        if completions:
            (forced,) = completions  # two of them, or one that black may not block, are a win by fours
            return self._wins(_after(after, forced), depth)
        # The block of a four gains the defender a move; the threat must stand.
        if not self._solve(after, "vcf", depth):
            return False
        return all(self._wins(_after(after, reply), depth) for reply in after.legal_moves)

    def _failure(self, board: Board, defence: Defence, depth: int | None) -> tuple[Point, ...]:
        """How what was threatened fails after the defence."""
        after = _after(board, defence.point)
        if after.outcome is not None:
            return ()
        block = block_of(after, self._attacker)
        if block is not None:
            return block, *self._next_defence(_after(after, block), _less(depth))
        threats = board.threats(self._attacker)
        if after.threats(self._defender).fives or threats.fives:
            return ()
        tries: list[tuple[bool, tuple[Point, ...]]] = [(False, ())]
        for start in sorted(threats.four_threes | threats.open_fours | threats.fours):
            plan = ask(board, "vcf", self._attacker, max_depth=THREAT_LIMITS[-1], first=start)
            if plan:
                tries.append(self._replay(after, plan.line))
        # The shortest line that gives the defender a five shows most, else the longest one.
        return max(tries, key=lambda found: (found[0], -len(found[1]) if found[0] else len(found[1])))[1]

    def _next_defence(self, board: Board, depth: int | None) -> tuple[Point, ...]:
        """The line after the block of a four: nothing if the threat is gone, else the next defence."""
        if board.outcome is not None or board.threats(self._attacker).fives:
            return ()
        is_exhausted = self._is_exhausted
        try:
            most = self._threat_limit if self._kind == "vct" else THREAT_LIMITS[-1]
            if self._kind == "vcf" or not self._solve(board, "vcf", most):
                return ()
            defence = self._defence(board, depth)
            return defence.point, *self._failure(board, defence, depth)
        except _SpentError:
            return ()  # the refutation stands; only its line ends here
        finally:
            self._is_exhausted = is_exhausted

    def _replay(self, board: Board, plan: tuple[Point, ...]) -> tuple[bool, tuple[Point, ...]]:
        """What can be played of a line of fours, and whether the defender can make five at its end."""
        board, played = board.copy(), []
        for stone in plan[::2]:
            if stone in board.stones or counter_of(board.threats(self._attacker), stone) != "four":
                break
            board.push(stone)
            blocks = board.threats(self._attacker).fives
            if len(blocks) != 1:
                break
            (block,) = blocks
            if not board.is_legal(block):
                break
            played += [stone, block]
            board.push(block)
            if board.outcome is not None or board.threats(self._defender).fives:
                return True, tuple(played)
        return False, tuple(played)

    def _solve(self, board: Board, kind: str, depth: int | None) -> bool:
        """Has the attacker, to move, a win of a kind? What it takes is taken from the limits."""
        time = None if self._end is None else self._end - perf_counter()
        if time is not None and time <= 0:
            raise _SpentError("time")
        proof = ask(board, kind, self._attacker, Limit(time, self._nodes), depth, self._threat_limit)
        if self._nodes is not None:
            self._nodes = max(self._nodes - proof.nodes, 0)
        if proof.status == "unknown":
            raise _SpentError(proof.limit_hit)
        if not proof:
            self._is_exhausted &= proof.exhausted
        return bool(proof)


def _order(defence: Defence) -> tuple[bool, bool, bool, Point]:
    """What most likely breaks an attack comes first: what leaves no short win, a nori-te, a block."""
    gains = defence.kind in ("four", "three")
    return defence.leaves is not None, not defence.is_nori, gains, defence.point


def _class_of(defence: Defence) -> RefutationKind:
    """The class of a refutation by this defence."""
    if defence.is_nori:
        return "nori-te"
    if defence.kind in ("five", "four", "three"):
        return defence.counter or "block"
    return "five" if defence.counter == "five" else "block"


def _after(board: Board, point: Point) -> Board:
    """The board after one more stone."""
    after = board.copy()
    after.push(point)
    return after


def _less(depth: int | None) -> int | None:
    """One stone of the attacker less to play."""
    return None if depth is None else max(depth - 1, 0)
