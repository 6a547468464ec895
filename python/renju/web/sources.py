"""The files that the page was started with: an explorer of games, and proofs of sure wins."""

from __future__ import annotations

from os import PathLike
from threading import Lock
from typing import Any

from renju._types import PASS, Point
from renju.board import Board
from renju.explorer import Explorer
from renju.proofs import ProofStore
from renju.proofs.places import Place
from renju.proofs.records import ProofRecord
from renju.web.facts import names
from renju.web.fields import RefusedError

__all__ = ["Sources"]


class Sources:
    """The open files; `close` gives them back. What was not named cannot be asked."""

    def __init__(
        self, explorer: str | PathLike[str] | None = None, proofs: str | PathLike[str] | None = None
    ) -> None:
        """`OSError`, `FormatError` or, where an extra is missing, `RenjuError` says what is wrong."""
        self.proofs = None if proofs is None else ProofStore.open(proofs)
        self.explorer = None if explorer is None else Explorer(str(explorer))
        self._asking = Lock()  # one connection, which answers one question at a time

    def close(self) -> None:
        """Closes the files."""
        if self.explorer is not None:
            self.explorer.close()
        if self.proofs is not None:
            self.proofs.close()

    def settings(self) -> dict[str, str | None]:
        """The names of the files, as the page shows them; None for one that was not named."""
        return {
            "explorer": None if self.explorer is None else self.explorer.path.name,
            "proofs": None if self.proofs is None else self.proofs.path.name,
        }

    def explored(self, board: Board) -> dict[str, Any]:
        """What the explorer knows of a position."""
        if self.explorer is None:
            raise RefusedError("there is no explorer: start the page with renju board --explorer FILE")
        with self._asking:
            return self.explorer.ask(board).to_dict()

    def sure(self, board: Board) -> dict[str, Any]:
        """What the file of proofs says of a position: who wins it, by which move or after which one, and
        whether the file says that the proof was verified. Of a position whose replies are to be proved one by
        one, which of them are; nothing where no proof leads."""
        if self.proofs is None:
            raise RefusedError("there are no proofs: start the page with renju board --proofs FILE")
        found: dict[str, Any] = {"winner": None, "move": None, "replies": [], "verified": False, "goal": None}
        if board.outcome is not None:
            return found
        step = self.proofs.step(board)
        if step is not None:
            return found | {
                "winner": board.turn.label,
                "move": str(step.move),
                "replies": names(step.replies),
                "verified": step.verified,
            }
        before = _before(board)
        step = None if before is None else self.proofs.step(before)
        if step is not None and step.move == board.moves[-1]:
            return found | {
                "winner": board.turn.opponent.label,
                "replies": names(step.replies),
                "verified": step.verified,
            }
        return found | {"goal": self._goal(board)}

    def _goal(self, board: Board) -> dict[str, Any] | None:
        """Of a position whose replies are to be proved: who is to win it, and the replies that are open."""
        assert self.proofs is not None
        place = Place.of(board, board.turn.opponent)
        if all(goal.place.canonical() != place.canonical() for goal in self.proofs.goals):
            return None
        replies = [*board.legal_moves, Point(PASS)]
        records = {reply: self.proofs.record(place.after(reply)) for reply in replies}
        proved = [record for record in records.values() if isinstance(record, ProofRecord)]
        return {
            "color": place.color.label,
            "replies": len(replies),
            "verified": sum(record.verified for record in proved),
            "open": [str(reply) for reply, record in records.items() if not isinstance(record, ProofRecord)],
        }


def _before(board: Board) -> Board | None:
    """The position before the last move."""
    if not board.moves:
        return None
    before = board.copy()
    before.pop()
    return before
