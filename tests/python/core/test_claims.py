"""What the engine tells as decided is true, however early a limit ends the search."""

from __future__ import annotations

import numpy as np
import pytest

import renju
from harness import claims
from renju import BLACK, Board, Engine, Limit, batch

# Black's first moves in order lose, others do not.
NOT_LOST = Board.from_stones(
    "K5 J6 K7 D8 G8 H8 I8 K9 G10 M10 K11 F12 I13", "K6 I7 J8 E9 H9 F10 H10 I10 G11 I11 H12", turn=BLACK
)

# Lost, but a move after which the opponent wins by fours holds out longer than the moves that are searched.
LOST_LATER = Board.from_stones(
    "L15 J13 J12 L11 I10 H9 J9 H8 J8 G7 I7", "G11 H11 I11 H10 G9 I9 E8 I8 K8 J7 L7", turn=BLACK
)


def position_of(board: Board) -> claims.Positions:
    return claims.Positions(board.to_array()[None], np.array([int(board.turn)]))


@pytest.mark.parametrize("level", renju.engine.LEVELS)
@pytest.mark.parametrize("multipv", [1, 5])
@pytest.mark.slow
def test_a_search_cut_short_does_not_tell_a_loss(level: str, multipv: int) -> None:
    engine = Engine(level, book=False, hash_mb=1)
    for nodes in [*range(1, 65), 100, 200, 400, 800]:
        result = engine.analyse(NOT_LOST, Limit(nodes=nodes), multipv=multipv)
        assert result.win_in is None or result.win_in > 0, (nodes, result)
        rows = batch.analyze(NOT_LOST.to_array(), [BLACK], Limit(nodes=nodes), level, multipv)
        assert rows.ravel()["win_in"][0] >= 0, nodes


def test_a_loss_is_told_as_late_as_the_best_defence_makes_it() -> None:
    assert claims.Checker().loses(position_of(LOST_LATER), np.array([6])) != [True]
    result = Engine("hard", book=False).analyse(LOST_LATER, Limit(nodes=1_521))
    assert result.win_in is not None
    assert result.win_in < -6
    assert claims.Checker().loses(position_of(LOST_LATER), np.array([-result.win_in])) == [True]
    # The move that holds out longest is the one that is played, with the line that shows it.
    assert result.candidates[0].move == result.move
    assert result.candidates[0].win_in == result.win_in


@pytest.mark.slow
def test_every_decided_claim_holds() -> None:
    tally = claims.run(1_500, seed=0)
    assert not tally.failures, "\n".join(tally.failures)
    assert tally.counts["hold"] == tally.counts["claims"] >= 1_500
    assert min(tally.counts["wins"], tally.counts["losses"]) > 300


def test_the_check_of_claims_notices_what_is_false() -> None:
    checker = claims.Checker()
    lost = position_of(LOST_LATER)
    assert checker.loses(position_of(NOT_LOST), np.array([6])) != [True]
    assert checker.loses(lost, np.array([4])) != [True]
    assert checker.wins(lost, np.array([5])) != [True]
    five = position_of(Board("h8 a1 i8 a3 j8 a5 k8 a7"))
    assert checker.wins(five, np.array([1])) == [True]
    assert checker.loses(five, np.array([2])) == [False]
