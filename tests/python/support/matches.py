"""What the tests of matches share."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from renju import Board, Limit, lab
from renju.lab.game_record import Ply

QUICK = ("easy,nodes=300", "beginner,nodes=300")
DOUBLE_THREE = "f8a1g8a3h9a5h10a7"  # H8 is forbidden


class Script(lab.Seat):
    """Plays the moves of a list, by their number on the board."""

    def __init__(self, moves: Iterable[str], **thoughts: Any) -> None:
        self.moves = list(moves)
        self.thoughts = thoughts

    def new_game(self, seed: int) -> None:
        self.seed = seed

    def think(self, board: Board) -> lab.Thought:
        return lab.Thought(Ply(self.moves[board.ply], 1e9, **self.thoughts))


PROGRAM = """
import sys, time
mode, own = sys.argv[1], set()
taken, rows, games = set(), None, 0
def answer():
    if mode == "crash" or (mode == "once" and games == 1):
        sys.exit("out of ideas")
    if mode == "silent":
        time.sleep(1000)
    if mode in ("20,20", "what?", "7,7"):
        return print(mode, flush=True)
    if mode == "occupied":
        return print("%d,%d" % sorted(taken)[0], flush=True)
    point = next((x, y) for y in (0, 14) for x in range(0, 15, 2) if (x, y) not in taken)
    taken.add(point)
    print("MESSAGE depth 3-5 ev -M4 n 17 tm 1", flush=True)
    print("%d,%d" % point, flush=True)
for line in sys.stdin:
    words = line.replace(",", " ").split()
    if rows is not None and words[0] != "DONE":
        taken.add((int(words[0]), int(words[1])))
    elif words[0] in ("START", "RESTART"):
        if mode == "deaf": sys.exit("never heard of " + words[0])
        games += words[0] == "START"
        taken = set()
        print("OK", flush=True)
    elif words[0] == "BOARD":
        rows = []
    elif words[0] == "DONE":
        rows = None
        answer()
    elif words[0] == "TURN":
        taken.add((int(words[1]), int(words[2])))
        answer()
    elif words[0] == "END":
        break
"""


def program(mode: str, **settings: Any) -> lab.ProgramPlayer:
    Path("program.py").write_text(PROGRAM)
    command = (sys.executable, str(Path("program.py").resolve()), mode)
    return lab.ProgramPlayer(name=mode, command=command, **{"limit": Limit(time=20)} | settings)
