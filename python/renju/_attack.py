"""The tree of a proof, and walks through it that need no recursion.

A tree comes from a solver, from a file or from a caller's own code. The last two can be as deep as memory
allows, can share one attack between many places, which makes a few attacks stand for billions, and can even
contain themselves. Every walk of this module is a loop; `_folded` looks at each attack once, wherever it is
shared, and refuses what no game could follow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias, TypeVar

from renju import _native
from renju._types import PASS, Point, on_board

__all__ = ["Attack", "BadTreeError", "depth_of", "from_json", "from_native", "to_json", "to_native", "turned"]

N = TypeVar("N")
R = TypeVar("R")


class BadTreeError(ValueError):
    """What is given as a tree of attacks cannot be followed in a game."""


# Stone, replies and what follows them, and what follows a pass.
Parts: TypeAlias = tuple[Point, Iterable[tuple[Point, N]], N | None]

# Attacks that a `repr` shows; one that has more is described.
_MOST_SHOWN = 1_000


@dataclass(frozen=True)
class Attack:
    """A stone of the attacker, and its next one against every reply that needs an answer."""

    stone: Point
    """The point of the attacker's stone."""
    replies: dict[Point, Attack] = field(default_factory=dict)
    """Key: a reply of the defender; value: the attack that answers it. Empty if the stone wins as it is."""
    after_pass: Attack | None = None
    """For a stone that makes no four: the win by fours that it threatens. It holds after a pass, and against
    every reply that is not in `replies`."""

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Attack):
            return NotImplemented
        pairs: list[tuple[Any, Any]] = [(self, other)]
        seen: set[tuple[int, int]] = set()
        while pairs:
            first, second = pairs.pop()
            if first is second or (id(first), id(second)) in seen:
                continue
            seen.add((id(first), id(second)))
            if not (isinstance(first, Attack) and isinstance(second, Attack)):
                return False  # one of them is no attack, or there is none after a pass
            if first.stone != second.stone or first.replies.keys() != second.replies.keys():
                return False
            pairs += [(after, second.replies[reply]) for reply, after in first.replies.items()]
            pairs.append((first.after_pass, second.after_pass))
        return True

    def __hash__(self) -> int:
        return hash((self.stone, frozenset(self.replies)))

    def __repr__(self) -> str:
        texts: list[str] = []
        waiting: list[object] = [self]
        shown = 0
        while waiting:
            item = waiting.pop()
            if isinstance(item, str):
                texts.append(item)
            elif isinstance(item, Attack):
                shown += 1
                if shown > _MOST_SHOWN:
                    return f"<Attack {self.stone} with more than {_MOST_SHOWN:,} attacks>"
                texts.append(f"Attack(stone={item.stone!r}, replies={{")
                waiting += [")", item.after_pass, "}, after_pass="]
                for n, (reply, after) in reversed(list(enumerate(item.replies.items()))):
                    waiting += [after, f"{', ' if n else ''}{reply!r}: "]
            else:
                texts.append(repr(item))
        return "".join(texts)

    def __copy__(self) -> Attack:
        return Attack(self.stone, self.replies, self.after_pass)

    def __deepcopy__(self, memo: dict[int, Any]) -> Attack:
        return _fold(self, _parts, Attack)

    def __reduce__(self) -> tuple[Callable[[Sequence[_Row]], Attack], tuple[list[_Row]]]:
        rows: list[_Row] = []

        def row(stone: Point, replies: dict[Point, int], after_pass: int | None) -> int:
            rows.append((int(stone), tuple((int(reply), at) for reply, at in replies.items()), after_pass))
            return len(rows) - 1

        _fold(self, _parts, row)
        return _from_rows, (rows,)


# An attack for pickles: its stone, its replies with the rows of what follows each, and the row after a pass.
_Row: TypeAlias = tuple[int, tuple[tuple[int, int], ...], int | None]


def _from_rows(rows: Sequence[_Row]) -> Attack:
    """The last of some attacks, each made of those before it."""
    attacks: list[Attack] = []
    for stone, replies, after_pass in rows:
        answers = {Point(reply): attacks[at] for reply, at in replies}
        attacks.append(Attack(Point(stone), answers, None if after_pass is None else attacks[after_pass]))
    return attacks[-1]


def _parts(attack: Attack) -> Parts[Attack]:
    return attack.stone, attack.replies.items(), attack.after_pass


def _fold(root: N, parts: Callable[[N], Parts[N]], make: Callable[[Point, dict[Point, R], R | None], R]) -> R:
    """What `make` makes of a tree, from its last attacks to its first: it gets a stone, and what it made of
    the attacks that follow.

    `parts` takes a node of any kind apart. A node that is found in several places is made once.
    `BadTreeError` if the tree contains itself, is deeper than a game can be long, or stands for too many
    attacks.
    """
    return _folded(root, parts, make)[id(root)][0]


def _folded(
    root: N, parts: Callable[[N], Parts[N]], make: Callable[[Point, dict[Point, R], R | None], R]
) -> dict[int, tuple[R, int]]:
    """Key: id of a node; value: what was made of it, and the attacks it stands for."""
    done: dict[int, tuple[R, int]] = {}
    # Key: id of a node between the root and the one that is looked at; value: its parts.
    path: dict[int, tuple[Point, list[tuple[Point, N]], N | None]] = {}
    waiting = [root]
    while waiting:
        key = id(waiting[-1])
        if key in done:
            waiting.pop()
        elif key not in path:
            stone, replies, after_pass = parts(waiting[-1])
            path[key] = stone, list(replies), after_pass
            if len(path) > _native.MOST_PROOF_DEPTH:
                raise BadTreeError("the tree is deeper than a game can be long")
            following = [after for _, after in path[key][1]] + ([] if after_pass is None else [after_pass])
            if any(id(after) in path for after in following):
                raise BadTreeError("the tree contains itself")
            waiting += reversed(following)
        else:
            waiting.pop()
            done[key] = _made(*path.pop(key), done, make)
    return done


def _made(
    stone: Point,
    replies: list[tuple[Point, N]],
    after_pass: N | None,
    done: dict[int, tuple[R, int]],
    make: Callable[[Point, dict[Point, R], R | None], R],
) -> tuple[R, int]:
    """What is made of a node whose next ones are done, and the attacks it stands for."""
    made = {reply: done[id(after)] for reply, after in replies}
    if len(made) < len(replies):
        raise BadTreeError("a reply is answered twice")
    passed, attacks = (None, 0) if after_pass is None else done[id(after_pass)]
    attacks += 1 + sum(count for _, count in made.values())
    if attacks > _native.MOST_PROOF_ATTACKS:
        raise BadTreeError(f"the tree has more than {_native.MOST_PROOF_ATTACKS:,} attacks")
    return make(stone, {reply: result for reply, (result, _) in made.items()}, passed), attacks


def depth_of(tree: Attack, depths: dict[int, int] | None = None) -> int:
    """Stones in the longest line of a tree; `depths` gets that of every attack, by its id."""

    def depth(stone: Point, replies: dict[Point, int], after_pass: int | None) -> int:
        return 1 + max([*replies.values(), after_pass or 0])

    found = {key: depth for key, (depth, _) in _folded(tree, _parts, depth).items()}
    if depths is not None:
        depths.update(found)
    return found[id(tree)]


def turned(tree: Attack, k: int) -> Attack:
    """The tree on the board that symmetry `k`, from 0 to 7, makes."""

    def parts(attack: Attack) -> Parts[Attack]:
        replies = [(reply.transform(k), after) for reply, after in attack.replies.items()]
        return attack.stone.transform(k), replies, attack.after_pass

    return _fold(tree, parts, Attack)


def to_json(tree: Attack) -> str:
    """The tree as a JSON object: "stone", and where there are some "replies" and "after_pass"."""
    depth_of(tree)  # what stands for too many attacks is refused before they are written
    texts: list[str] = []
    waiting: list[str | Attack] = [tree]
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            texts.append(item)
            continue
        texts.append(f'{{"stone": "{item.stone.name}"')
        waiting.append("}")
        if item.after_pass is not None:
            waiting += [item.after_pass, ', "after_pass": ']
        if item.replies:
            waiting.append("}")
            for n, (reply, after) in reversed(list(enumerate(item.replies.items()))):
                waiting += [after, f'{", " if n else ""}"{reply.name}": ']
            waiting.append(', "replies": {')
    return "".join(texts)


def from_json(data: Any, point_of: Callable[[Any], Point]) -> Attack:
    """The tree in what a JSON object holds; `point_of` makes a point of a name."""

    def parts(node: dict[str, Any]) -> Parts[dict[str, Any]]:
        replies = [(point_of(reply), after) for reply, after in node.get("replies", {}).items()]
        return point_of(node["stone"]), replies, node.get("after_pass")

    return _fold(data, parts, Attack)


def from_native(tree: _native._TreeTuple) -> Attack:
    """The tree of attacks in nested tuples of the native module."""

    def parts(node: _native._TreeTuple) -> Parts[_native._TreeTuple]:
        stone, replies, after_pass = node
        return Point(stone), [(Point(reply), after) for reply, after in replies], after_pass

    return _fold(tree, parts, Attack)


def to_native(tree: Attack) -> _native._TreeTuple:
    """The tree as nested tuples; `BadTreeError` if it is no tree, or a stone or a reply is a pass."""

    def parts(attack: Attack) -> Parts[Attack]:
        given: object = attack  # by a caller's own code it may be anything
        if not isinstance(given, Attack) or not hasattr(given.replies, "items"):
            raise BadTreeError(f"{type(given).__name__} is no attack")
        replies = [(_point(reply), after) for reply, after in given.replies.items()]
        return _point(given.stone), replies, given.after_pass

    def make(
        stone: Point, replies: dict[Point, _native._TreeTuple], after_pass: _native._TreeTuple | None
    ) -> _native._TreeTuple:
        return stone, list(replies.items()), after_pass

    return _fold(tree, parts, make)


def _point(given: object) -> Point:
    """A point of the board, in any form that names one."""
    if isinstance(given, Point) and given != PASS:
        return given
    try:
        return on_board(given)  # type: ignore[arg-type]
    except (ValueError, TypeError, AttributeError) as error:
        raise BadTreeError(str(error)) from None
