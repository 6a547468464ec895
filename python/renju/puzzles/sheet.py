"""Puzzles as a page to print: the tasks first, the solutions behind them. A browser makes a PDF of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from renju import svg
from renju._page.words import Language, Words
from renju.puzzles.model import Puzzle
from renju.puzzles.themes import THEMES

__all__ = ["sheet"]

_STYLE = """
@page { size: A4; margin: 12mm }
body { font: 11pt/1.35 Georgia, "Times New Roman", serif; color: #1d1b19; margin: 0 auto; max-width: 186mm }
h1 { font-size: 20pt; margin: 6mm 0 2mm } h2 { font-size: 16pt; margin: 8mm 0 2mm; break-before: page }
p { margin: 0 0 3mm }
.grid { display: grid; gap: 6mm 8mm } .tasks { grid-template-columns: 1fr 1fr }
.answers { grid-template-columns: 1fr 1fr 1fr; font-size: 9pt; gap: 5mm }
figure { margin: 0; break-inside: avoid } figure svg { width: 100%; height: auto; display: block }
figcaption { margin-top: 1.5mm } b { font-variant-numeric: tabular-nums } .soft { color: #6b645c }
"""

# Wrong moves of a defence whose answer is told: those that need more than fours to be refuted.
_MOST_TRIES = 4


def sheet(puzzles: Iterable[Puzzle], title: str | None = None, language: Language = "en") -> str:
    """A page of HTML that needs nothing else: all tasks with their boards, six on a sheet of paper, then all
    solutions. `language` is "en", English, or "ja", Japanese; `title` the headline.

    >>> from renju import puzzles
    >>> page = puzzles.sheet(puzzles.samples()[:2], "Two puzzles")
    >>> page.count("<svg"), "<h1>Two puzzles</h1>" in page
    (4, True)
    """
    chosen, words = list(puzzles), Words(language)
    name = escape(words("sheet") if title is None else title)
    tasks = "".join(_task(number, puzzle, words) for number, puzzle in enumerate(chosen, 1))
    answers = "".join(_answer(number, puzzle, words) for number, puzzle in enumerate(chosen, 1))
    return (
        f'<!DOCTYPE html>\n<html lang="{language}">\n<head>\n<meta charset="utf-8">\n<title>{name}</title>\n'
        f"<style>{_STYLE}</style>\n</head>\n<body>\n<h1>{name}</h1>\n"
        f'<p class="soft">{words("sheetTask")}</p>\n'
        f'<div class="grid tasks">{tasks}</div>\n<h2>{words("sheetSolutions")}</h2>\n'
        f'<div class="grid answers">{answers}</div>\n</body>\n</html>\n'
    )


def _task(number: int, puzzle: Puzzle, words: Words) -> str:
    picture = svg.board(puzzle.board(), size=340, numbers=False, forbidden=False)
    task = f"<b>{number}.</b> {escape(puzzle.task(words.language))}"
    level = f'<span class="soft">{words("sheetDifficulty", count=puzzle.difficulty)}</span>'
    return f"<figure>{picture}<figcaption>{task} {level}</figcaption></figure>\n"


def _answer(number: int, puzzle: Puzzle, words: Words) -> str:
    line = [puzzle.solution] if puzzle.proof is None else list(puzzle.proof.line)
    picture = svg.board(puzzle.board(), size=230, numbers=False, forbidden=False, variation=line)
    told = " ".join(map(str, line))
    notes = [*_tries(puzzle, words), *_themes(puzzle.themes, words)]
    soft = f'<br><span class="soft">{escape("; ".join(notes))}</span>' if notes else ""
    return f"<figure>{picture}<figcaption><b>{number}.</b> {told}{soft}</figcaption></figure>\n"


def _themes(themes: Sequence[str], words: Words) -> list[str]:
    return [words(f"theme-{theme}") for theme in themes if theme in THEMES and theme != "defence"]


def _tries(puzzle: Puzzle, words: Words) -> list[str]:
    tries = [(point, loss) for point, loss in puzzle.losses.items() if loss.kind == "vct"]
    return [words("sheetTry", point=point, reply=loss.reply) for point, loss in tries[:_MOST_TRIES]]
