"""Files of puzzles: one JSON object a line, and SGF."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib import resources
from pathlib import Path
from typing import BinaryIO

from renju._files import write_text
from renju._lines import bounded_lines
from renju.errors import FormatError
from renju.io import sgf
from renju.puzzles.model import Puzzle

__all__ = ["dump", "iter_puzzles", "load", "read_puzzles", "samples"]

# A line longer than this holds no puzzle: the proofs with the largest trees have a few megabytes.
_MOST_LINE_BYTES = 1 << 26


def load(path: str | Path) -> list[Puzzle]:
    """All puzzles of a .jsonl file; `FormatError` names the line of what is none."""
    return list(iter_puzzles(path))


def iter_puzzles(path: str | Path) -> Iterator[Puzzle]:
    """The puzzles of a .jsonl file, one at a time, as `load` reads them."""
    with Path(path).open("rb") as file:
        yield from read_puzzles(file, str(path))


def read_puzzles(file: BinaryIO, name: str) -> Iterator[Puzzle]:
    """The puzzles of an open .jsonl file, whose `name` stands in errors."""
    for number, (line, _, is_whole) in enumerate(bounded_lines(file, _MOST_LINE_BYTES), 1):
        if not is_whole:
            raise FormatError(f"{name}:{number}: the line has more than {_MOST_LINE_BYTES} bytes")
        if not line.strip():
            continue
        try:
            yield Puzzle.from_json(line.decode())
        except (FormatError, UnicodeDecodeError) as error:
            raise FormatError(f"{name}:{number}: {error}") from None


def dump(puzzles: Iterable[Puzzle], path: str | Path) -> None:
    """Writes puzzles to a file in one step: .jsonl with all that is known, .sgf with the solutions as
    variations, .html as a sheet to print. The name tells which."""
    from renju.puzzles.sheet import sheet

    place = Path(path)
    suffix = place.suffix.lower()
    if suffix == ".sgf":
        text = sgf.dumps([puzzle.game() for puzzle in puzzles])
    elif suffix == ".html":
        text = sheet(puzzles)
    elif suffix == ".jsonl":
        text = "".join(f"{puzzle.to_json()}\n" for puzzle in puzzles)
    else:
        raise FormatError(f"{path}: puzzles are written to .jsonl, .sgf or .html")
    write_text(place, text)


def samples() -> list[Puzzle]:
    """The puzzles that come with the package, from games of the engine against itself, the easiest first.

    >>> from renju import puzzles
    >>> len(puzzles.samples()) >= 30, sorted({puzzle.kind for puzzle in puzzles.samples()})
    (True, ['defence', 'mise-vcf', 'vcf', 'vct'])
    """
    text = resources.files("renju").joinpath("data/puzzles.jsonl").read_text("utf-8")
    return [Puzzle.from_json(line) for line in text.splitlines()]
