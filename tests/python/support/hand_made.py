"""Games made by hand, and matches of them: what the tests of reports share."""

from renju.lab.game_record import GameRecord, Ply

OPENING = "h8i9g7"
# Far from each other: nothing happens on the board.
QUIET = ("A1", "O15", "A15", "O1", "C1", "M15", "C15", "M1")
# Black is to move, white completes a five at G7, which is a double-three of black's.
TRAP = "h8g6f6g5f7g4h7g3g2a1"


def made(plies, winner=None, reason="length", opening=OPENING, **facts):
    """A game whose plies are given by what is not usual; moves are quiet ones if they are not given."""
    chosen = [
        Ply(**{"move": move, "time": 0.001, "source": "search", **ply})
        for move, ply in zip(QUIET, plies, strict=False)
    ]
    moves = opening + "".join(ply.move.lower() for ply in chosen)
    given = {"number": 0, "pair": 0, "black": "a", "white": "b", **facts}
    return GameRecord(
        opening=opening, moves=moves, winner=winner, reason=reason, plies=tuple(chosen), **given
    )


def scores(*values, **facts):
    """A game by the scores of its moves; white moves first after the opening."""
    return made([{"score": value} for value in values], **facts)


def played(moves, *more, winner=None, reason="five"):
    """A game by its moves after others."""
    return made([{"move": move} for move in more], winner, reason, opening=moves)
