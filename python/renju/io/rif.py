"""The game database of the Renju International Federation (``.rif``), read game by game.

A database has tables of players, tournaments, rules and so on, and then the games, more than a hundred
thousand. `iter_games` keeps only the tables; the headers of a game are filled in from them. What is wrong
with a game is in its `errors`. A `RifReport` tells what is wrong with the file and which games it left out.

The database itself may only be used offline and not for business: there is none in this package.
"""

from __future__ import annotations

import io
import os
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, TypeAlias

from renju import openings
from renju._types import PASS, Point
from renju.board import Board
from renju.errors import FormatError, IllegalMoveError, NotationError
from renju.game import Game, GameNode, Problem
from renju.io._rif_xml import Tag, scan, unescape

__all__ = ["MOST_GAMES", "RifReport", "iter_games", "load", "loads"]

MOST_GAMES = 20_000
"""Games that are read into a list; `iter_games` has no limit."""

Source: TypeAlias = str | os.PathLike[str] | IO[bytes]

# Key: the element of a row; value: what is kept of it.
_TABLES = {
    "country": ("name", "abbr"),
    "city": ("name", "country"),
    "month": ("name",),
    "rule": ("name",),
    "opening": ("name", "abbr"),
    "player": ("name", "surname", "native_name"),
    "tournament": ("name", "country", "city", "year", "month", "start", "rule"),
}
_PLURALS = ("countries", "cities", "months", "rules", "openings", "players", "tournaments", "games")
_KNOWN_TAGS = {"database", "game", *_TABLES, *_PLURALS}

# What a hostile file can make us keep: text of the tables, numbers of games, text of one game.
_MOST_TABLE_CHARS = 1 << 25
_MOST_IDS = 1_000_000
_MOST_GAME_CHARS = 1 << 16
_MOST_PROBLEMS = 100

_RESULTS = {1.0: "1-0", 0.5: "1/2-1/2", 0.0: "0-1"}
_PASSES = {"pass", "--"}
# Key: a point as the database writes it.
_POINTS = {point.name.lower(): point for point in map(Point, range(PASS))}


@dataclass
class RifReport:
    """What a database held, and what was wrong with it."""

    games: int = 0
    """Games that were given out."""
    skipped: Counter[str] = field(default_factory=Counter)
    """Key: why games were left out; value: how many games."""
    problems: list[Problem] = field(default_factory=list)
    """The first hundred things that were wrong outside of games."""
    problem_count: int = 0
    """How many things were wrong outside of games."""
    tables: dict[str, int] = field(default_factory=dict)
    """Key: player, tournament, ...; value: how many entries of it the file has."""

    def add(self, line: int, reason: str) -> None:
        """Notes the `reason` why a line of the file is wrong; line 0 is the end of the file."""
        self.problem_count += 1
        if len(self.problems) < _MOST_PROBLEMS:
            self.problems.append(Problem(f"line {line}" if line else "end", reason))


def iter_games(source: Source, report: RifReport | None = None) -> Iterator[Game]:
    """The games of a database, one at a time; `source` is a path or a file opened in binary mode.

    The moves of a game end where they cannot be played any more: a point twice, or none of the board. Games
    without any moves are given out too; the database has many of which only the result is known. `report` is
    filled on the way.

    >>> import io
    >>> from renju.io import rif
    >>> file = io.BytesIO(b'<database><game id="7" bresult="0.5"><move>h8 h9 z3</move></game></database>')
    >>> game = next(rif.iter_games(file))
    >>> [str(move) for move in game.moves], game.result, [str(problem) for problem in game.errors]
    (['H8', 'H9'], '1/2-1/2', ["line 1, move 3: 'z3' is no point of the board"])
    """
    with ExitStack() as stack:
        file = (
            stack.enter_context(Path(source).open("rb")) if isinstance(source, str | os.PathLike) else source
        )
        yield from _Reader(RifReport() if report is None else report).games(file)


def loads(data: bytes | str, report: RifReport | None = None, *, max_games: int = MOST_GAMES) -> list[Game]:
    """All games of `data`, a database; `report` is filled on the way. `FormatError` if there are more than
    `max_games`."""
    raw = data.encode(errors="replace") if isinstance(data, str) else data
    return _all(iter_games(io.BytesIO(raw), report), max_games)


def load(source: Source, report: RifReport | None = None, *, max_games: int = MOST_GAMES) -> list[Game]:
    """All games of `source`, a path or a file opened in binary mode; `report` is filled on the way.
    `FormatError` if there are more than `max_games`: then use `iter_games`."""
    return _all(iter_games(source, report), max_games)


def _all(games: Iterator[Game], max_games: int) -> list[Game]:
    found: list[Game] = []
    for game in games:
        if len(found) >= max_games:
            raise FormatError(f"there are more than {max_games:,} games; rif.iter_games gives one at a time")
        found.append(game)
    return found


@dataclass
class _Entry:
    """A game while it is read."""

    tag: Tag
    texts: dict[str, list[str]] = field(default_factory=dict)
    size: int = 0
    is_whole: bool = False
    """Whether all of its moves were read."""
    errors: list[Problem] = field(default_factory=list)

    def text(self, name: str) -> str:
        return unescape("".join(self.texts.get(name, []))).strip()


class _Reader:
    def __init__(self, report: RifReport) -> None:
        self._report = report
        # Key: table, then id; value: the columns of `_TABLES`.
        self._tables: dict[str, dict[str, dict[str, str]]] = {name: {} for name in _TABLES}
        self._table_chars = 0
        self._ids: set[str] = set()

    def games(self, file: IO[bytes]) -> Iterator[Game]:
        entry: _Entry | None = None
        inside = ""  # the element of the game whose text this is
        seen = is_open = False
        for token in scan(file, self._report.add):
            if isinstance(token, str):
                if entry is not None and inside:
                    self._add_text(entry, inside, token)
                continue
            if not seen and not token.is_end and token.name not in _KNOWN_TAGS:
                raise FormatError(f"line {token.line}: no RIF database: it begins with <{token.name[:40]}>")
            seen = True
            if token.name == "database":
                is_open = not token.is_end
            if token.name == "game":
                if entry is not None:
                    if not token.is_end:
                        entry.errors.append(Problem(f"line {token.line}", "the game was not closed"))
                    yield from self._finish(entry)
                entry, inside = (None if token.is_end else _Entry(token)), ""
                if entry is not None and token.is_empty:
                    yield from self._finish(entry)
                    entry = None
            elif entry is None:
                self._row(token)
            elif token.is_end or token.is_empty:
                entry.is_whole = entry.is_whole or token.name == "move"
                inside = ""
                if token.name in ("games", "database"):
                    entry.errors.append(Problem(f"line {token.line}", "the game was not closed"))
                    yield from self._finish(entry)
                    entry = None
            else:
                inside = token.name if token.name in ("move", "info") else ""
                if inside:
                    self._add_text(entry, inside, " ")  # it may be there twice
        if entry is not None:
            if entry.is_whole:
                entry.errors.append(Problem(f"line {entry.tag.line}", "the file ends within the game"))
                yield from self._finish(entry)
            else:
                self._report.skipped["the file ends within it"] += 1
        if is_open:
            self._report.add(0, "the file ends before its </database>")
        if not seen:
            raise FormatError("line 1: no RIF database: there are no tags")

    def _add_text(self, entry: _Entry, name: str, text: str) -> None:
        entry.size += len(text)
        if entry.size <= _MOST_GAME_CHARS:
            entry.texts.setdefault(name, []).append(text)

    def _row(self, tag: Tag) -> None:
        """A row of a table."""
        columns = _TABLES.get(tag.name)
        if columns is None or tag.is_end:
            return
        self._report.tables[tag.name] = self._report.tables.get(tag.name, 0) + 1
        key = _id(tag.attributes.get("id", ""))
        table = self._tables[tag.name]
        if not key:
            self._report.add(tag.line, f"a {tag.name} without an id")
        elif key in table:
            self._report.add(tag.line, f"a second {tag.name} with the id {key}; the first was kept")
        else:
            row = {name: _clean(tag.attributes[name]) for name in columns if tag.attributes.get(name)}
            self._table_chars += 100 + sum(map(len, row.values()))
            if self._table_chars > _MOST_TABLE_CHARS:
                self._report.add(tag.line, "the tables are too large; this row was left out")
            else:
                table[key] = row

    def _finish(self, entry: _Entry) -> Iterator[Game]:
        """The game, if it is one."""
        if entry.size > _MOST_GAME_CHARS:
            self._report.skipped["its text is too long"] += 1
            return
        game = Game(errors=entry.errors)
        where = f"line {entry.tag.line}"
        text = entry.text("move")
        self._moves(game, text, where)
        if text and not game.moves:
            self._report.skipped["none of its moves can be played"] += 1
            return
        self._headers(game, entry.tag.attributes, where)
        game.root.comment = entry.text("info")
        self._report.games += 1
        yield game

    def _moves(self, game: Game, text: str, where: str) -> None:
        """Plays the moves as far as they go."""
        node, words = game.root, re.findall(r"[^\s,;]+", text)
        points = [_POINTS.get(word) for word in words]
        if None not in points and len(set(points)) == len(points):  # as nearly all are
            for point in points:
                child = GameNode(point)
                node.children.append(child)
                node = child
            return
        board = Board(referee=False)
        for number, word in enumerate(words, 1):
            try:
                move = Point(PASS) if word.lower() in _PASSES else Point(word[:20])
                board.push(move)
            except NotationError:
                reason = f"{word[:20]!r} is no point of the board"
            except IllegalMoveError as error:
                reason = str(error)
            else:
                node = node.add(move)
                continue
            game.errors.append(Problem(f"{where}, move {number}", reason))
            return

    def _headers(self, game: Game, told: dict[str, str], where: str) -> None:
        tournament = self._tables["tournament"].get(_id(told.get("tournament", "")), {})
        found = {
            "id": _clean(told.get("id", "")),
            "black": self._player(told.get("black", "")),
            "white": self._player(told.get("white", "")),
            "event": tournament.get("name", "") or _number(told.get("tournament", "")),
            "round": _clean(told.get("round", "")),
            "date": self._date(tournament),
            "place": self._place(tournament),
            "rule": self._named("rule", told.get("rule", "") or tournament.get("rule", "")),
            "opening": self._opening(told.get("opening", "")),
            "black_time": _clean(told.get("btime", "")),
            "white_time": _clean(told.get("wtime", "")),
            "alternatives": _clean(told.get("alt", "")),
            "swap": _clean(told.get("swap", "")),
            "publisher": _clean(told.get("publisher", "")),
        }
        game.headers = {name: value for name, value in found.items() if value}
        self._check_id(game, found["id"], where)
        result = told.get("bresult", "").strip()
        try:
            game.result = _RESULTS[float(result)] if result else ""
        except (ValueError, KeyError):
            game.errors.append(Problem(where, f"{result[:20]!r} is no result"))

    def _check_id(self, game: Game, text: str, where: str) -> None:
        """Notes numbers that are missing or there twice, as far as we can remember them."""
        if not text:
            game.errors.append(Problem(where, "the game has no id"))
        elif text in self._ids:
            game.errors.append(Problem(where, f"there is another game with the id {text}"))
        elif len(self._ids) < _MOST_IDS:
            self._ids.add(text)

    def _named(self, table: str, text: str) -> str:
        return self._tables[table].get(_id(text), {}).get("name", "") or _number(text)

    def _player(self, text: str) -> str:
        row = self._tables["player"].get(_id(text), {})
        name = " ".join(filter(None, (row.get("name"), row.get("surname"))))
        return name or row.get("native_name", "") or _number(text)

    def _opening(self, text: str) -> str:
        """The code and the name; those of our own table if the file has none."""
        row = self._tables["opening"].get(_id(text), {})
        if row:
            return " ".join(filter(None, (row.get("abbr"), row.get("name"))))
        key = _id(text)
        known = [opening for opening in openings.OPENINGS if str(opening.rif_id) == key]
        return f"{known[0].code} {known[0].romaji}" if known else _number(text)

    def _place(self, tournament: dict[str, str]) -> str:
        city = self._tables["city"].get(_id(tournament.get("city", "")), {})
        country = self._tables["country"].get(_id(city.get("country") or tournament.get("country", "")), {})
        return ", ".join(filter(None, (city.get("name"), country.get("name"))))

    def _date(self, tournament: dict[str, str]) -> str:
        """The day the tournament began, or as much of it as is known."""
        start = tournament.get("start", "")
        if re.fullmatch(r"(?!0000)\d{4}-(?!00)\d\d-(?!00)\d\d", start):
            return start
        year = tournament.get("year", "")
        if not re.fullmatch(r"(?!0000)\d{4}", year):
            return ""
        month = _id(tournament.get("month", ""))
        if month.isdecimal() and 1 <= int(month[:4]) <= 12:
            return f"{year}-{int(month):02}"
        name = self._tables["month"].get(month, {}).get("name", "")
        return f"{name} {year}".strip()


def _clean(text: str) -> str:
    """On one line, and of a length that fits one."""
    return " ".join(text.split())[:200]


def _id(text: str) -> str:
    """An id in its shortest form: files write 7, 07 and " 7"."""
    text = _clean(text)
    return (text.lstrip("0") or "0") if text.isascii() and text.isdecimal() else text


def _number(text: str) -> str:
    """What stands for a name that no table has."""
    key = _id(text)
    return "" if key in ("", "0") else f"#{key}"
