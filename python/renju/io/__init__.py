"""Files of games: `load` reads any of them, `dump` writes most.

>>> from renju import Game, io
>>> text = io.dumps(Game.from_moves("h8 i9 g7", {"black": "Ann"}, result="1-0"), "sgf")
>>> print(text, end="")
(;GM[4]FF[4]CA[UTF-8]SZ[15]PB[Ann]RE[B+]
;B[hh];W[ig];B[gi])
>>> [str(move) for move in io.loads(text, "sgf")[0].moves]
['H8', 'I9', 'G7']

The formats are modules of their own, each with `load`, `loads`, `dump` and `dumps`. What is wrong in a file
is listed in `Game.errors`; a file of which nothing can be read is a `FormatError`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib import import_module
from io import BytesIO
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from renju._files import write_bytes
from renju.errors import FormatError
from renju.game import Game
from renju.io._common import as_games, collect, in_file

if TYPE_CHECKING:
    from renju.io import lib, links, psq, rif, sgf, text

__all__ = [
    "FORMATS",
    "Format",
    "dump",
    "dumps",
    "format_of",
    "guess",
    "iter_games",
    "iter_lines",
    "lib",
    "links",
    "load",
    "loads",
    "psq",
    "rif",
    "sgf",
    "text",
]

_HEADERS, _COMMENTS, _LABELS, _VARIATIONS, _SET_UPS = "headers", "comments", "labels", "variations", "set-ups"


@dataclass(frozen=True)
class Format:
    """A format of files."""

    name: str
    """The name that `form=` and ``--to`` take."""
    module: str
    """The module of `renju.io` that reads and writes the format."""
    suffixes: tuple[str, ...]
    """How the names of such files end, with the dot."""
    holds: frozenset[str] = frozenset()
    """What it can hold besides the moves of a game: headers, comments, labels, variations, set-ups."""
    is_written: bool = True
    """Whether games can be written in this format, too."""
    is_binary: bool = False
    """Whether files of this format are bytes and no text."""


_ALL = (_HEADERS, _COMMENTS, _LABELS, _VARIATIONS, _SET_UPS)

FORMATS = {
    form.name: form
    for form in (
        Format("sgf", "sgf", (".sgf",), frozenset(_ALL)),
        Format("psq", "psq", (".psq",), frozenset({_HEADERS})),
        Format("lib", "lib", (".lib",), frozenset({_COMMENTS, _LABELS, _VARIATIONS}), is_binary=True),
        Format("rif", "rif", (".rif", ".xml"), frozenset({_HEADERS}), is_written=False, is_binary=True),
        Format("txt", "text", (".txt",), frozenset({_SET_UPS})),
        Format("gomocup", "text", ()),
        Format("gomocalc", "links", (".url",)),
        Format("renju-note", "links", (), frozenset({_SET_UPS})),
    )
}
"""All formats by name. The last four are lines of text; reading them, each line may be of another kind."""

_SUFFIXES = {suffix: form for form in FORMATS.values() for suffix in form.suffixes}
_MODULES = frozenset(form.module for form in FORMATS.values())
# What a file begins with that has another name.
_BEGINNINGS = {
    b"Piskvorky": "psq",
    b"\xffRenLib\xff": "lib",
    b"(;": "sgf",
    b"<?xml": "rif",
    b"<database": "rif",
}


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return import_module(f"renju.io.{name}")
    raise AttributeError(f"module 'renju.io' has no attribute {name!r}")


def format_of(path: str | Path, form: str | None = None) -> Format:
    """The format of the file at `path`: the one named `form`, else by its name, else by how it begins.
    `FormatError` if that tells nothing."""
    if form is not None:
        if form not in FORMATS:
            raise FormatError(f"there is no format {form!r}; known are {' '.join(FORMATS)}")
        return FORMATS[form]
    path = Path(path)
    suffix = path.suffix.lower()
    if suffix in _SUFFIXES:
        return _SUFFIXES[suffix]
    if path.is_file():
        with path.open("rb") as file:
            name = guess(file.read(64))
        if name is not None:
            return FORMATS[name]
    why = f"{suffix or 'a name without a suffix'} tells no format"
    if suffix == ".db":
        why = "position databases are not read"
    raise FormatError(f"{path}: {why}; known are {' '.join(sorted(_SUFFIXES))}")


def guess(begin: bytes) -> str | None:
    """The name of the format of data that begin so; None if that tells nothing."""
    begin = begin[:64].removeprefix(b"\xef\xbb\xbf").lstrip()
    return next((name for mark, name in _BEGINNINGS.items() if begin.startswith(mark)), None)


def iter_games(
    source: str | Path | IO[bytes], encoding: str | None = None, form: str | None = None
) -> Iterator[Game]:
    """The games of `source`, a path or an open file, one after the other, as many as there are. `form` names
    the format if the name of the file does not; it is needed for an open file. `encoding` is the code page of
    the text, where the file does not tell it."""
    if isinstance(source, str | Path):
        found = format_of(source, form)
        try:
            with Path(source).open("rb") as file:
                yield from _read(file, encoding, found)
        except FormatError as error:
            raise in_file(source, error) from None
        return
    if form is None:
        raise FormatError("the format of an open file has to be named")
    yield from _read(source, encoding, format_of("", form))


def iter_lines(file: IO[bytes], form: str) -> Iterator[bytes | Game]:
    """The games of an open file of a `form` as a table of their positions needs them: where the full game
    tells nothing but its moves, the bytes of their numbers, which are read faster."""
    if form in ("sgf", "psq"):
        module: Any = import_module(f"renju.io.{form}")
        yield from module.iter_lines(file)
    else:
        yield from iter_games(file, form=form)


def _read(file: IO[bytes], encoding: str | None, form: Format) -> Iterator[Game]:
    module: Any = import_module(f"renju.io.{form.module}")
    if form.name == "rif":
        yield from module.iter_games(file)
    elif form.name == "lib":
        yield from module.loads(file.read(module.MOST_BYTES + 1), encoding)
    else:
        yield from module.iter_games(file, encoding)


def load(path: str | Path, encoding: str | None = None, form: str | None = None) -> list[Game]:
    """All games of the file at `path`; the format is told by its name, or by `form`.

    `encoding` is the code page of the text, where the file does not tell it. A file with more games than fit
    into the memory is a `FormatError`; `iter_games` reads it.
    """
    try:
        return _all(iter_games(path, encoding, form), format_of(path, form))
    except FormatError as error:
        if str(error).startswith(f"{path}: "):
            raise
        raise in_file(path, error) from None


def loads(data: bytes | str, form: str, encoding: str | None = None) -> list[Game]:
    """All games of `data`, which a file of the format `form` holds; `encoding` is the code page of its text,
    where the data do not tell it."""
    found = format_of("", form)
    if isinstance(data, str):
        if found.name == "lib":
            raise TypeError("a RenLib library is bytes, not a text")
        data, encoding = data.encode(errors="replace"), "utf-8"
    return _all(_read(BytesIO(data), encoding, found), found)


def _all(games: Iterator[Game], form: Format) -> list[Game]:
    return list(games) if form.name == "lib" else collect(games)  # a library has its own limit


def dumps(games: Game | Iterable[Game], form: str) -> str | bytes:
    """The games in the format `form`: bytes for a library, else text. What the format cannot hold is left
    out; a game it cannot hold at all is a `FormatError`."""
    found = format_of("", form)
    if not found.is_written:
        raise FormatError(f"{form} is only read, not written")
    module: Any = import_module(f"renju.io.{found.module}")
    if form == "gomocup":
        written: str | bytes = module.offsets(games)
    elif found.module == "links":
        written = module.dumps(games, form)
    else:
        written = module.dumps(list(as_games(games)))
    return written


def dump(games: Game | Iterable[Game], path: str | Path, form: str | None = None) -> None:
    """Writes the games to the file at `path`, in one step; the format is told by its name, or by `form`."""
    written = dumps(games, format_of(path, form).name)
    data = written if isinstance(written, bytes) else written.encode(errors="replace")
    write_bytes(Path(path), data)
