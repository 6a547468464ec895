"""The file of a match: a header, then a line for every game in the order in which they end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from renju._journal import Journal, JournalKind, read_journal
from renju.lab.evidence import check_games
from renju.lab.game_record import RECORD_VERSION, GameRecord, game_from_json, game_to_json

__all__ = ["MATCH_FORMAT", "MatchFile", "read_match"]

MATCH_FORMAT = "renju-match"

# A match can be made longer. Games of version 1 are as those of version 2, but their lines have no checksums.
_KIND = JournalKind("match", MATCH_FORMAT, RECORD_VERSION, game_from_json, free=("games",), unchained=(1,))


def read_match(path: str | Path) -> tuple[dict[str, Any], list[GameRecord]]:
    """The header and the games of the match file at `path`, in the order in which they ended, each of them
    refereed again. A last line that was cut off is passed over; `FormatError` names the line of anything else
    that is wrong."""
    header, games = read_journal(Path(path), _KIND)
    check_games(path, header, games)
    return header, games


class MatchFile(Journal[GameRecord]):
    """The file of a match that is played."""

    def __init__(self, path: str | Path, header: Mapping[str, Any]) -> None:
        """`header` tells all that decides the games, as JSON has it."""
        super().__init__(path, _KIND, header)
        self.finished: dict[int, GameRecord] = {}
        """The games that are in the file, by number."""
        self._found: Mapping[str, Any] = self.header

    def _check(self, before: Mapping[str, Any]) -> None:
        super()._check(before)
        self._found = before

    def _header_to_keep(self, before: dict[str, Any]) -> dict[str, Any]:
        # Else a match that was made longer, and interrupted, would look finished.
        return self.header if self.header["games"] > before["games"] else before

    def _restore(self, entries: Sequence[GameRecord]) -> None:
        check_games(self.path, self._found, entries)
        self.finished = {game.number: game for game in entries}

    def _changes(self, old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
        names = [list(header.get("players") or {}) for header in (old, new)]
        if names[0] != names[1]:
            return [f"the players were {', '.join(names[0])} and are {', '.join(names[1])}"]
        # The moves of the openings follow from their digest and the seed: they are too long to be told.
        changes = super()._changes(_without_moves(old), _without_moves(new))
        return changes or (["the moves of the openings were others"] if old != new else [])

    def add(self, game: GameRecord) -> None:
        """Writes a game, and sees that it is on the disk."""
        self._write(game_to_json(game))
        self.finished[game.number] = game  # now: Ctrl-C may come while the disk is slow
        self._sync()


def _without_moves(header: Mapping[str, Any]) -> dict[str, Any]:
    """A header without the moves of its openings."""
    openings = header.get("openings")
    if not isinstance(openings, dict):
        return dict(header)
    return {**header, "openings": {key: value for key, value in openings.items() if key != "moves"}}
