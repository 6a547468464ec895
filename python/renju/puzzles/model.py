"""A puzzle: a position, its one solution, and what was measured of it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from renju._types import Color, Point, on_board
from renju.board import Board
from renju.errors import FormatError, RenjuError
from renju.game import Game, GameNode
from renju.limits import KINDS, shown
from renju.proof import Attack, Proof
from renju.puzzles.wanted import PUZZLE_KINDS
from renju.solving import verify

if TYPE_CHECKING:
    from renju._page.words import Language

__all__ = ["PUZZLE_FORMAT", "PUZZLE_VERSION", "Loss", "Puzzle"]

PUZZLE_FORMAT = "renju-puzzle"
PUZZLE_VERSION = 1

# Attacks of a solution that an SGF file shows; the main line is there in any case.
_MOST_NODES = 2_000


@dataclass(frozen=True)
class Loss:
    """How a wrong move of a defence puzzle loses."""

    kind: str
    """The kind of the opponent's win, vcf or vct."""
    reply: Point
    """The opponent's move that starts the win."""
    depth: int
    """Stones of the opponent in the longest line of the win."""


@dataclass(frozen=True)
class Puzzle:
    """A position with one solution.

    >>> from renju import puzzles
    >>> puzzle = puzzles.samples()[0]
    >>> puzzle.board().turn == puzzle.turn, bool(puzzle.board().is_legal(puzzle.solution))
    (True, True)
    """

    kind: str
    """The kind of the puzzle, of `PUZZLE_KINDS`."""
    black: tuple[Point, ...]
    """Points of the black stones."""
    white: tuple[Point, ...]
    """Points of the white stones."""
    turn: Color
    """The colour to move, for which the solution is to be found."""
    solution: Point
    """The only move that wins, or that does not lose."""
    proof: Proof | None = None
    """The shortest win, which begins with the solution; None for a defence."""
    losses: Mapping[Point, Loss] = field(default_factory=dict)
    """For a defence, key: every other legal move; value: how it loses."""
    themes: tuple[str, ...] = ()
    """Words for what the solution is made of; docs/puzzles.md lists them."""
    difficulty: int = 0
    """Players of the panel, 0 to 9, that do not choose the solution."""
    measured: Mapping[str, Any] = field(default_factory=dict)
    """What the difficulty comes from, and other measures of it, by name."""
    checked: Mapping[str, Any] = field(default_factory=dict)
    """The settings of `Wanted` within which the solution is the only one."""
    source: Mapping[str, Any] = field(default_factory=dict)
    """Where the position is from: file, row, game, ply, and moves, the record up to there."""

    def board(self) -> Board:
        """The position, as a set-up."""
        return Board.from_stones(self.black, self.white, turn=self.turn)

    @property
    def id(self) -> str:
        """The same for all images of the position: its symmetric key, in 16 hexadecimal digits."""
        return f"{self.board().symmetric_key:016x}"

    @property
    def depth(self) -> int:
        """Stones of the winner in the longest line; for a defence those of the longest of the losses."""
        if self.proof is not None:
            return self.proof.depth
        return max((loss.depth for loss in self.losses.values()), default=0)

    def verify(self) -> None:
        """`RenjuError` unless the verifier, which knows stones and the slow rules alone, accepts the proof,
        and the proof begins with the solution. A defence has no proof: `puzzles.check` solves it again."""
        board = self.board()
        if not board.is_legal(self.solution):
            raise RenjuError(f"puzzle {self.id}: the solution {self.solution} is no legal move")
        if self.proof is None:
            if self.kind != "defence" or {*self.losses, self.solution} != {*board.legal_moves}:
                raise RenjuError(f"puzzle {self.id}: not every other move is told to lose")
            return
        found = verify(board, self.proof)
        if not found or self.proof.first != self.solution or self.proof.color != self.turn:
            raise RenjuError(f"puzzle {self.id}: the proof does not hold: {found.reason or 'another start'}")

    def to_dict(self) -> dict[str, Any]:
        """The puzzle as JSON has it; docs/puzzles.md tells the fields."""
        line = [] if self.proof is None else [point.name for point in self.proof.line]
        return {
            "format": PUZZLE_FORMAT,
            "version": PUZZLE_VERSION,
            "id": self.id,
            "kind": self.kind,
            "turn": self.turn.label,
            "black": [point.name for point in self.black],
            "white": [point.name for point in self.white],
            "solution": self.solution.name,
            "line": line,
            "depth": self.depth,
            "themes": list(self.themes),
            "difficulty": self.difficulty,
            "measured": dict(self.measured),
            "checked": dict(self.checked),
            "source": dict(self.source),
            "losses": {
                point.name: [loss.kind, loss.reply.name, loss.depth] for point, loss in self.losses.items()
            },
            "proof": None if self.proof is None else json.loads(self.proof.to_json()),
        }

    def to_json(self) -> str:
        """One line of a puzzle file, without its end."""
        return json.dumps(self.to_dict(), separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> Puzzle:
        """The puzzle in a line; `FormatError` if it holds none. The proof is read, not verified."""
        try:
            data = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise FormatError(f"no JSON: {error}") from None
        return cls.from_dict(data)

    @classmethod
    def from_dict(cls, data: Any) -> Puzzle:
        """The puzzle that `to_dict` wrote; `FormatError` if `data` is no puzzle."""
        if not isinstance(data, Mapping) or data.get("format") != PUZZLE_FORMAT:
            raise FormatError("this is no renju puzzle")
        if data.get("version") != PUZZLE_VERSION:
            told = shown(data.get("version"))
            raise FormatError(f"puzzle version {told} is not read; this program reads {PUZZLE_VERSION}")
        try:
            puzzle = cls._read(data)
            if puzzle.id != data["id"]:
                raise ValueError("the id is not that of the stones")
        except FormatError:
            raise
        except (ValueError, TypeError, KeyError, AttributeError, OverflowError) as error:
            raise FormatError(f"this is no renju puzzle: {type(error).__name__}: {error}") from None
        return puzzle

    @classmethod
    def _read(cls, data: Mapping[str, Any]) -> Puzzle:
        kind = data["kind"]
        if kind not in PUZZLE_KINDS or (data["proof"] is None) != (kind == "defence"):
            raise ValueError(f"the kind {shown(kind)} does not go with this proof")
        proof = None if data["proof"] is None else Proof.from_json(json.dumps(data["proof"]))
        return cls(
            kind=kind,
            black=tuple(map(on_board, data["black"])),
            white=tuple(map(on_board, data["white"])),
            turn=Color[data["turn"].upper()],
            solution=on_board(data["solution"]),
            proof=proof,
            losses={on_board(name): _loss(*loss) for name, loss in data["losses"].items()},
            themes=tuple(map(str, data["themes"])),
            difficulty=int(data["difficulty"]),
            measured=dict(data["measured"]),
            checked=dict(data["checked"]),
            source=dict(data["source"]),
        )

    def game(self) -> Game:
        """The puzzle as a game for SGF files: the stones, the task as a comment, the solution as moves, the
        replies of the proof as variations."""
        game = Game({"event": f"puzzle {self.id}"}, black=self.black, white=self.white, turn=self.turn)
        game.root.comment = self.task()
        first = game.root.add(self.solution, "solution")
        if self.proof is not None and self.proof.tree is not None:
            _add_replies(first, self.proof.tree)
        return game

    def task(self, language: Language = "en") -> str:
        """What is to be found, in words; `language` is "en", English, or "ja", Japanese."""
        from renju._page.words import Words

        words = Words(language)
        who = words("sideBlack" if self.turn is Color.BLACK else "sideWhite")
        return words("sentence", text=words(f"task-{self.kind}", who=who, count=self.depth))


def _loss(kind: str, reply: str, depth: int) -> Loss:
    if kind not in KINDS:
        raise ValueError(f"{shown(kind)} is no kind of win")
    return Loss(kind, on_board(reply), int(depth))


def _add_replies(node: GameNode, tree: Attack) -> None:
    """Adds what follows an attack, the main line first, up to some thousand moves."""
    waiting = [(node, tree)]
    left = _MOST_NODES
    while waiting:
        place, attack = waiting.pop()
        below = []
        for reply, after in attack.replies.items():
            if left <= 0:
                place.comment = "more replies are in the proof"
                break
            left -= 1
            below.append((place.add(reply).add(after.stone), after))
        waiting += reversed(below)
