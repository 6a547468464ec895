"""Puzzles: positions with one solution, found in files of games, checked and measured.

>>> from renju import puzzles
>>> puzzle = next(puzzle for puzzle in puzzles.samples() if puzzle.kind == "vcf")
>>> puzzle.task().endswith("stones."), puzzle.proof.first == puzzle.solution
(True, True)

docs/puzzles.md tells against what a solution is the only one, and what the difficulty is measured by.
"""

from renju.puzzles.check import check
from renju.puzzles.files import dump, iter_puzzles, load, samples
from renju.puzzles.model import PUZZLE_VERSION, Loss, Puzzle
from renju.puzzles.panel import PANEL
from renju.puzzles.run import Report, find
from renju.puzzles.sheet import sheet
from renju.puzzles.themes import THEMES
from renju.puzzles.wanted import PUZZLE_KINDS, Rejected, Wanted
from renju.puzzles.work import look

__all__ = [
    "PANEL",
    "PUZZLE_KINDS",
    "PUZZLE_VERSION",
    "THEMES",
    "Loss",
    "Puzzle",
    "Rejected",
    "Report",
    "Wanted",
    "check",
    "dump",
    "find",
    "iter_puzzles",
    "load",
    "look",
    "samples",
    "sheet",
]
