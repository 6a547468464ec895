"""Why an attack does not win: the defence that breaks it, its class, and the line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias, get_args

from renju._types import Point

__all__ = ["CounterThreat", "Refutation", "RefutationKind", "furthest"]

CounterThreat: TypeAlias = Literal["five", "four", "three"]
"""What a reply makes itself, the strongest first."""

RefutationKind: TypeAlias = Literal["five", "four", "three", "nori-te", "block", "not-forcing", "unknown"]
"""The class of a refutation."""

KINDS: tuple[str, ...] = get_args(RefutationKind)
COUNTERS: tuple[str | None, ...] = (*get_args(CounterThreat), None)

# How a defence breaks the attack, with the name of what it makes.
_WORDS = {
    "five": "makes five",
    "four": "makes a four, and the attack does not go on",
    "three": "makes a three, which gains a move",
    "nori-te": "stops it and makes a {counter} (nori-te)",
    "block": "stops it",
}

# Key: the kind of a win; value: what is told where the attacker has no stone of it at all.
_NO_ATTACK = {
    "vcf": "no stone makes a four",
    "mise-vcf": "no stone makes a three or a four and threatens a four-three",
    "vct": "no stone makes a four or threatens a win by fours",
}


@dataclass(frozen=True)
class Refutation:
    """Why an attack does not win.

    >>> import renju
    >>> game_185 = renju.Board("h8 i9 g7 i7 g8 i6 i8 j8 g9 g10 f8 e8 h10 i11")
    >>> why = renju.is_winning_start(game_185, "h7", "mise-vcf").refutation
    >>> why.kind, str(why.move), why.counter, " ".join(map(str, why.line))
    ('nori-te', 'H6', 'three', 'H7 H6 G6 G5')
    >>> print(why)
    H6 stops it and makes a three (nori-te): H7 H6 G6 G5
    """

    kind: RefutationKind
    """The class of the defence. `five` and `four`: it makes one; `three`: it makes a three that gains a move;
    `nori-te` (ノリ手): it stops the attack and makes a four or a three at once; `block`: it stops the attack
    and makes neither; `not-forcing`: the stone is no attack of the kind asked for; `unknown`: a limit came
    before a defence was found."""
    move: Point | None
    """The defence that breaks the attack; None if none is needed or none was found."""
    line: tuple[Point, ...]
    """The stone of the attack, the defence, and how what was threatened then fails."""
    counter: CounterThreat | None = None
    """What the defence makes itself: a five, a four, a three, or None."""
    reason: str = ""
    """Why a stone is not forcing, in words; empty for the other classes."""
    exhausted: bool = False
    """Whether the attack fails at any depth after the defence, not only within the depth asked for."""
    limit_hit: str | None = None
    """The limit that came before a defence was found, for `unknown` alone."""

    def __str__(self) -> str:
        if self.kind == "unknown":
            return f"no defence was found before the {self.limit_hit} ran out"
        if self.kind == "not-forcing":
            return f"{' '.join(map(str, self.line[:1]))} {self.reason}".strip()
        words = _WORDS[self.kind].format(counter=self.counter)
        return f"{self.move} {words}: {' '.join(map(str, self.line))}"

    def transform(self, k: int) -> Refutation:
        """The refutation on the board that `Board.transform` makes with the number `k`."""
        move = None if self.move is None else self.move.transform(k)
        return replace(self, move=move, line=tuple(point.transform(k) for point in self.line))

    def to_dict(self) -> dict[str, Any]:
        """The refutation as JSON has it; docs/proofs.md tells the keys."""
        return {
            "kind": self.kind,
            "move": None if self.move is None else self.move.name,
            "line": [point.name for point in self.line],
            "counter": self.counter,
            "reason": self.reason,
            "exhausted": self.exhausted,
            "limit_hit": self.limit_hit,
        }


def furthest(found: Mapping[Point, Refutation], kind: str) -> Refutation:
    """Of the attacks of a kind that fail, the refutation with the longest line, the first of equals; if there
    is no attack, that nothing forces."""
    nothing = Refutation("not-forcing", None, (), reason=_NO_ATTACK[kind], exhausted=True)
    return max(found.values(), key=lambda why: len(why.line), default=nothing)
