"""Files that `renju board` is started with, small enough for tests: proofs of sure wins, and an explorer."""

from __future__ import annotations

from pathlib import Path

import pytest

import renju
from renju import BLACK, Board, Limit, Point
from renju.proofs import ProofStore

__all__ = ["FOUR", "GOAL", "games", "proofs", "quiet_board"]

# Stones on three sides leave a small window: black wins with G9, and then against every reply by a VCT.
_FRAME = [p for p in map(Point, range(225)) if not 1 <= p.x <= 7 or p.y < 8]
_BLACK, _WHITE = ["d10", "g10", "e12", "c13", "f13"], ["e9", "h9", "e10", "g13", "d14"]

FOUR = "h8 a1 h9 a15 h10 o1 h11 c3"
"""Black has a straight four."""
GOAL = "h8 a1 h9 a15 h10 o1 h11"
"""White's replies to it are to be proved one by one."""


def quiet_board() -> Board:
    """A board that black wins by a quiet stone on G9."""
    black, white = ([p for p in _FRAME if (p.x + 2 * p.y) // 2 % 2 == side] for side in (0, 1))
    return Board.from_stones(black + _BLACK, white + _WHITE, turn=BLACK)


@pytest.fixture(scope="module")
def proofs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with a quiet win that is verified, a plain four that nobody verified, and a position of which
    one reply is proved."""
    path = tmp_path_factory.mktemp("proofs") / "some.proof"
    with ProofStore.open(path, "a") as store:
        board = quiet_board()
        store.add(board, renju.prove(board, limit=Limit(nodes=5_000_000)))
        store.add(Board(FOUR), renju.prove(Board(FOUR), check=False))
        store.add_goal(Board(GOAL))
    return path


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An explorer of three games; DuckDB is needed."""
    pytest.importorskip("duckdb", reason="duckdb is not installed")
    folder = tmp_path_factory.mktemp("games")
    rows = [
        "moves,black,white,year,winner",
        "h8i9i7,Ann,Bö,1999,black",
        "h8i9i7g9,Bö,Ann,2024,white",
        "h8i9h7,Cy,Di,,draw",
    ]
    (folder / "games.csv").write_text("\n".join(rows), "utf-8")
    renju.explorer.build(folder / "games.csv", folder / "games.duckdb")
    key = Board("h8 i9 i7").symmetric_key
    renju.explorer.annotate(folder / "games.duckdb", lambda _: {"key": [key], "score": [-80], "sure": [-1]})
    return folder / "games.duckdb"
