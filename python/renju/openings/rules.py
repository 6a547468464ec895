"""The names of the opening rules, and their steps as data."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from enum import Enum
from typing import Literal, TypeAlias

from renju.errors import NotationError

__all__ = [
    "PROGRAMS",
    "ActionKind",
    "Either",
    "OpeningRule",
    "Player",
    "Program",
    "Role",
    "Step",
    "heads",
    "most",
]

Player: TypeAlias = Literal["first", "second"]
"""The one who begins the opening, and the other; which colour they have changes with every swap."""

Role: TypeAlias = Literal["first", "second", "to move", "other"]
"""A player, or the one who has the colour to move, or the one who has the other."""

ActionKind: TypeAlias = Literal["place", "swap", "declare", "offer", "choose", "take"]


class OpeningRule(Enum):
    """An opening rule (開局規定). All have a name; those with `has_machine` can be played with `start`.

    >>> from renju.openings import OpeningRule
    >>> rule = OpeningRule.parse("soosyrv 8")
    >>> rule, str(rule), rule.has_machine
    (<OpeningRule.SOOSORV_8: 'soosorv-8'>, 'Soosõrv-8', True)
    """

    NONE = "none"
    SWAP = "swap"
    RIF = "rif"
    YAMAGUCHI = "yamaguchi"
    SOOSORV_4 = "soosorv-4"
    SOOSORV_5 = "soosorv-5"
    SOOSORV_6 = "soosorv-6"
    SOOSORV_7 = "soosorv-7"
    SOOSORV_8 = "soosorv-8"
    YAMASORV = "yamasorv"
    TARANNIKOV = "tarannikov"
    TARAGUCHI_5 = "taraguchi-5"
    TARAGUCHI_10 = "taraguchi-10"
    SUPER_TARAGUCHI_10 = "super-taraguchi-10"
    SAKATA = "sakata"
    SUPER_SAKATA = "super-sakata"
    LINHUAN = "linhuan"
    SWAP1 = "swap1"
    SWAP2 = "swap2"
    SWAP5 = "swap5"
    JOOSEP_GOMOKU = "joosep-gomoku"

    @property
    def label(self) -> str:
        """The name for people: "Soosõrv-8"."""
        return _LABELS.get(self, self.name.replace("_", "-").capitalize())

    @property
    def has_machine(self) -> bool:
        """Are its steps known here? If not, it is only a name."""
        return self in PROGRAMS

    def __str__(self) -> str:
        return self.label

    @classmethod
    def parse(cls, text: str | OpeningRule) -> OpeningRule:
        """The rule with this name: any case, with or without accents, separators and the word "rule".

        "Soosyrv" and "Taraguchi" without a number are the original ones, with four and five fifths.
        Numbers are not names: the RIF database numbers its rules itself, in a table of names, and what
        engines are told is for `from_info`.

        >>> from renju.openings import OpeningRule
        >>> [str(OpeningRule.parse(text)) for text in ("taraguchi10", "Yamaguchi rule", "RIF", "SWAP2")]
        ['Taraguchi-10', 'Yamaguchi', 'RIF', 'Swap2']
        """
        if isinstance(text, OpeningRule):
            return text
        if not isinstance(text, str):
            raise TypeError(f"an opening rule is a name such as 'RIF', not {type(text).__name__}")
        found = _BY_KEY.get(_key(text))
        if found is None and re.fullmatch(r"yamasorv\d*", _key(text)):
            found = cls.YAMASORV
        if found is None:
            names = ", ".join(map(str, cls))
            raise NotationError(f"unknown opening rule {text!r}: expected one of {names}")
        return found

    @classmethod
    def from_info(cls, number: int) -> OpeningRule:
        """The opening rule in the number that engines are told with ``INFO rule``.

        0 (freestyle), 1 (standard), 2 and 4 (renju: Yixin's and Gomocup's) and 8 (caro) name none; 5 and 6
        are freestyle with Swap1 and with Swap2.

        >>> from renju.openings import OpeningRule
        >>> OpeningRule.from_info(4), OpeningRule.from_info(6)
        (<OpeningRule.NONE: 'none'>, <OpeningRule.SWAP2: 'swap2'>)
        """
        if number not in _INFO:
            raise ValueError(f"unknown INFO rule {number!r}: expected one of {', '.join(map(str, _INFO))}")
        return _INFO[number]


_INFO = dict.fromkeys((0, 1, 2, 4, 8), OpeningRule.NONE) | {5: OpeningRule.SWAP1, 6: OpeningRule.SWAP2}

_LABELS = {
    OpeningRule.NONE: "no opening rule",
    OpeningRule.RIF: "RIF",
    **{rule: f"Soosõrv-{rule.value[-1]}" for rule in OpeningRule if rule.name.startswith("SOOSORV")},
    OpeningRule.YAMASORV: "Yamasõrv",
    OpeningRule.SUPER_TARAGUCHI_10: "Super Taraguchi-10",
    OpeningRule.SUPER_SAKATA: "Super Sakata",
    OpeningRule.LINHUAN: "LinHuan",
    OpeningRule.JOOSEP_GOMOKU: "Joosep-Gomoku",
}

# Names besides those of the rules themselves. Chinese players name RIF's rule after what it does.
_ALIASES = {
    "free": OpeningRule.NONE,
    "centre": OpeningRule.NONE,
    "center": OpeningRule.NONE,
    "rif 1996": OpeningRule.RIF,
    "三手交换五手两打": OpeningRule.RIF,
    "山口": OpeningRule.YAMAGUCHI,
    "soosorv": OpeningRule.SOOSORV_4,
    "索索夫8": OpeningRule.SOOSORV_8,
    "5-swap": OpeningRule.TARANNIKOV,
    "taraguchi": OpeningRule.TARAGUCHI_5,
    "super taraguchi": OpeningRule.SUPER_TARAGUCHI_10,
    "swap2board": OpeningRule.SWAP2,
}


def _key(text: str) -> str:
    """Names are the same if this is: letters and digits, without case and accents, "õ" also written "y"."""
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    plain = "".join(character for character in decomposed if character.isalnum())
    return re.sub(r"(openingrule|opening|rule|ルール|規則|规则)$", "", plain).replace("syrv", "sorv")


_BY_KEY = {
    **{_key(rule.value): rule for rule in OpeningRule},
    **{_key(rule.label): rule for rule in OpeningRule},
    **{_key(name): rule for name, rule in _ALIASES.items()},
}


@dataclass(frozen=True)
class Step:
    """One thing a player has to do."""

    kind: ActionKind
    """What has to be done: place, swap, declare, offer, choose or take."""
    by: Role
    """Who does it: a player, who has the colour to move, or the other one."""
    reach: int | None = None
    """For a stone: the most lines between it and the centre of the board; None is anywhere."""
    low: int = 0
    """The fewest fifths that may be declared or are to be offered; 0 offers as many as were declared."""
    high: int = 0
    """The most fifths that may be declared or are to be offered; 0 offers as many as were declared."""


@dataclass(frozen=True)
class Either:
    """Several ways to go on; the first thing that is done decides."""

    paths: tuple[Program, ...]
    """The ways to go on, each a row of steps."""


Program: TypeAlias = tuple[Step | Either, ...]


def heads(program: Program) -> list[tuple[Step, Program]]:
    """What can be done now, each with what comes after it."""
    if not program:
        return []
    head, rest = program[0], program[1:]
    if isinstance(head, Step):
        return [(head, rest)]
    return [pair for path in head.paths for pair in heads((*path, *rest))]


def most(kind: ActionKind, program: Program) -> int:
    """How often something of this kind may still come."""
    return sum(
        (item.kind == kind) if isinstance(item, Step) else max(most(kind, path) for path in item.paths)
        for item in program
    )


# Black always finds that many fifths of which no two are equivalent: there are no fewer for any fourth move.
# Yamaguchi's rule names no limit; with this one nobody can be made to offer what does not exist.
_MOST_FIFTHS = 62


def _stone(reach: int | None = None, by: Role = "to move") -> Step:
    return Step("place", by, reach)


def _declare(high: int) -> Step:
    """Who has just placed a stone says how many fifths there will be."""
    return Step("declare", "other", low=1, high=high)


def _offer(count: int = 0) -> Step:
    return Step("offer", "to move", low=count, high=count)


# The swap is always the right of the player whose turn it would be. Who swaps has the other player move.
_SWAP = Step("swap", "to move")
_CHOOSE = Step("choose", "other")
_THREE_STONES = (_stone(0, "first"), _stone(1, "first"), _stone(2, "first"))
_ANYWHERE = (_stone(None, "first"),) * 3


def _soosorv(most: int) -> Program:
    return (*_THREE_STONES, _SWAP, _stone(), _declare(most), _SWAP, _offer(), _CHOOSE)


def _swap_after_each(*reaches: int) -> Program:
    """Stones with a right to swap between them, none before the first and behind the last."""
    steps: list[Step] = []
    for reach in reaches:
        steps += [_stone(reach), _SWAP]
    return tuple(steps[:-1])


def _taraguchi(count: int, *reaches: int) -> Program:
    """After the fourth stone: a swap and a single fifth, or many fifths and no swap."""
    *four, fifth = reaches
    return (
        *_swap_after_each(*four),
        Either(((_SWAP, _stone(fifth), _SWAP), (_offer(count), _CHOOSE))),
    )


# Key: a rule whose steps are known; value: the steps up to the moment when normal play begins.
PROGRAMS: dict[OpeningRule, Program] = {
    OpeningRule.NONE: (_stone(0),),
    OpeningRule.RIF: (*_THREE_STONES, _SWAP, _stone(), _offer(2), _CHOOSE),
    OpeningRule.YAMAGUCHI: (*_THREE_STONES, _declare(_MOST_FIFTHS), _SWAP, _stone(), _offer(), _CHOOSE),
    OpeningRule.SOOSORV_4: _soosorv(4),
    OpeningRule.SOOSORV_5: _soosorv(5),
    OpeningRule.SOOSORV_6: _soosorv(6),
    OpeningRule.SOOSORV_7: _soosorv(7),
    OpeningRule.SOOSORV_8: _soosorv(8),
    OpeningRule.TARANNIKOV: (*_swap_after_each(0, 1, 2, 3, 4), _SWAP),
    OpeningRule.TARAGUCHI_5: _taraguchi(5, 0, 1, 2, 3, 4),
    OpeningRule.TARAGUCHI_10: _taraguchi(10, 0, 1, 2, 3, 4),
    OpeningRule.SUPER_TARAGUCHI_10: _taraguchi(10, 0, 2, 3, 4, 4),
    OpeningRule.SWAP1: (*_ANYWHERE, Step("take", "second")),
    OpeningRule.SWAP2: (
        *_ANYWHERE,
        Either(
            (
                (Step("take", "second"),),
                (_stone(None, "second"), _stone(None, "second"), Step("take", "first")),
            )
        ),
    ),
}
