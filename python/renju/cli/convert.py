"""`renju convert`: game files of one format to another."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from renju import Game, io
from renju._exit_codes import BAD_INPUT, DONE, REFUTED
from renju._files import write_bytes, written
from renju.errors import FormatError

__all__ = ["add_convert"]


def add_convert(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    convert = commands.add_parser(
        "convert",
        help="turn game files of one format into another",
        description="Reads games (.sgf .psq .lib .rif .txt, - for standard input) and writes them in another "
        "format, all into one file. What was wrong in a file is told on standard error. See docs/files.md.",
        epilog="Exit codes: 0 done, 1 no game could be converted, 2 a file could not be read, or with "
        "--strict anything was wrong.",
    )
    writable = [name for name, form in io.FORMATS.items() if form.is_written]
    convert.add_argument("inputs", nargs="+", metavar="INPUT", help="files of any format")
    convert.add_argument(
        "-o",
        "--out",
        required=True,
        metavar="OUT",
        help="a file whose name tells the format, a folder for a file for each game (with --to), or - for "
        "standard output",
    )
    convert.add_argument("--to", choices=writable, help="the format to write, if OUT does not tell")
    convert.add_argument("--from", dest="form", choices=[*io.FORMATS], help="what all inputs are")
    convert.add_argument("--encoding", help="the code page of the inputs, where they do not tell it")
    convert.add_argument("--strict", action="store_true", help="stop at the first problem and write nothing")
    convert.set_defaults(run=_convert)


def _convert(options: argparse.Namespace) -> int:
    form = _target(options)
    out = options.out
    same = [name for name in options.inputs if name != "-" and out != "-" and _is_same(name, out)]
    if same:
        raise ValueError(f"{same[0]}: input and output are the same file")
    run = _Run(options, form)
    pieces = run.pieces()
    first = next(pieces, None)
    if first is None:
        print("renju: no game could be converted", file=sys.stderr)
        return BAD_INPUT if run.unread else REFUTED
    rest = chain([first], pieces)
    if out == "-":
        for _, data in rest:
            sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    elif Path(out).is_dir():
        for number, (name, data) in enumerate(rest, 1):
            suffix = (form.suffixes or (".txt",))[0]
            write_bytes(Path(out) / f"{name}-{number}{suffix}", data)
    else:
        with written(Path(out)) as file:
            for _, data in rest:
                file.write(data)
    run.tell_losses()
    return BAD_INPUT if run.unread else DONE


def _target(options: argparse.Namespace) -> io.Format:
    """The format to write."""
    if options.to is None and (options.out == "-" or Path(options.out).is_dir()):
        raise ValueError(f"--to has to say which format is written to {options.out}")
    form = io.format_of(options.out, options.to)
    if not form.is_written:
        raise FormatError(f"{form.name} files are only read, not written")
    return form


def _is_same(name: str, out: str) -> bool:
    return Path(out).exists() and Path(name).exists() and Path(name).samefile(out)


class _Run:
    """One conversion, and what was noticed on the way."""

    def __init__(self, options: argparse.Namespace, form: io.Format) -> None:
        self._options, self._form = options, form
        self.unread = 0
        """Inputs that could not be read, or not to their end."""
        self._lost: Counter[str] = Counter()

    def pieces(self) -> Iterator[tuple[str, bytes]]:
        """What is to be written, game by game, each with the name of its file."""
        if self._form.name == "lib":  # all games are one tree
            games = [game for _, game in self._games()]
            if games:
                yield Path(self._options.inputs[0]).stem, _bytes(games, self._form)
            return
        is_first = True
        for name, game in self._games():
            if self._form.name == "psq" and not is_first and not Path(self._options.out).is_dir():
                raise FormatError("a .psq file holds one game, and there are more: -o has to be a folder")
            try:
                data = _bytes([game], self._form)
            except FormatError as error:
                self._problem(name, str(error))
                continue
            is_first = False
            yield "stdin" if name == "-" else Path(name).stem, data

    def _games(self) -> Iterator[tuple[str, Game]]:
        """The games of all inputs that have something in them."""
        for name in self._options.inputs:
            try:
                for number, game in enumerate(self._read(name), 1):
                    where = f"{name}: game {number}"
                    for problem in game.errors:
                        self._problem(where, str(problem))
                    is_bare = not (game.moves or game.black or game.white)
                    if is_bare and game.errors:
                        continue
                    if self._form.name == "lib" and (game.black or game.white):
                        self._problem(where, "a library cannot hold a set-up")
                        continue
                    self._lost.update(_things(game) - self._form.holds)
                    yield name, game
            except FormatError as error:
                if self._options.strict:
                    raise
                print(f"renju: {error}", file=sys.stderr)
                self.unread += 1

    def _read(self, name: str) -> Iterator[Game]:
        options = self._options
        if name != "-":
            return io.iter_games(name, options.encoding, options.form)
        if sys.stdin is None:
            raise OSError("there is no standard input")
        return io.iter_games(sys.stdin.buffer, options.encoding, options.form or "txt")

    def _problem(self, where: str, reason: str) -> None:
        if self._options.strict:
            raise FormatError(f"{where}: {reason}")
        print(f"renju: {where}: {reason}", file=sys.stderr)

    def tell_losses(self) -> None:
        """Says what the format could not hold."""
        for thing, count in sorted(self._lost.items()):
            games = f"{count} game{'' if count == 1 else 's'}"
            print(f"renju: {self._form.name} cannot hold {thing}: lost of {games}", file=sys.stderr)


def _bytes(games: list[Game], form: io.Format) -> bytes:
    data = io.dumps(games, form.name)
    return data if isinstance(data, bytes) else data.encode(errors="replace")


def _things(game: Game) -> set[str]:
    """What a game has besides moves, named as in `io.Format.holds`."""
    found = set()
    if game.headers or game.result:
        found.add("headers")
    for _, node in game.root.walk():
        if node.comment:
            found.add("comments")
        if node.labels:
            found.add("labels")
        if len(node.children) > 1:
            found.add("variations")
    return found
