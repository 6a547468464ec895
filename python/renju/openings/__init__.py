"""Openings (珠型) and opening rules: names, shapes, fifth moves, and who may do what in the first moves.

An opening is the shape of the first three stones: black on the centre, white touching it - straight
("direct", D1 to D13) or diagonally ("indirect", I1 to I13) - and black's second stone not farther than two
lines from the centre. Boards that differ by a rotation or a reflection have the same opening.

>>> from renju import openings
>>> print(openings.classify("h8 h9 i9"))
D4 Kagetsu (花月, Flower Moon)

An opening rule says how the players come to the fifth move: who places which stone where, who may swap, how
many fifth moves are offered. `start` begins such an opening, `check` judges one that was played.

>>> game = openings.start("Soosõrv-8").place("h8", "h9", "i9")
>>> print(game.expected)
second (white) swaps or not
"""

from renju.openings.actions import Action, Option
from renju.openings.checking import RuleCheck, check, follow
from renju.openings.fifths import FifthCheck, check_fifths, equivalent_moves
from renju.openings.play import RuleGame, start
from renju.openings.rules import OpeningRule
from renju.openings.shapes import OPENINGS, Opening, by_code, by_rif_id, classify

__all__ = [
    "OPENINGS",
    "Action",
    "FifthCheck",
    "Opening",
    "OpeningRule",
    "Option",
    "RuleCheck",
    "RuleGame",
    "by_code",
    "by_rif_id",
    "check",
    "check_fifths",
    "classify",
    "equivalent_moves",
    "follow",
    "start",
]
