"""Wins of order 3: verdicts, proofs as bytes, limits, and what the verifier refuses."""

import threading
from dataclasses import replace

import pytest

import renju
from renju import _native
from renju.proving import ProveResult, verify_proof
from support.processes import run_child, run_named
from support.waiting import signal_after_work
from support.windows import quiet_board, window

LIMIT = renju.Limit(nodes=5_000_000)


@pytest.fixture(scope="module")
def board() -> renju.Board:
    return quiet_board()


@pytest.fixture(scope="module")
def won(board: renju.Board) -> ProveResult:
    return renju.prove(board, limit=LIMIT)


def test_a_quiet_win_is_proved_and_verified(board: renju.Board, won: ProveResult) -> None:
    assert renju.solve_vct(board).exhausted
    assert won
    assert won.status == "proved"
    assert won.verified
    assert won.color == renju.BLACK
    assert won.reason is None
    assert won.move in board.legal_moves
    assert won.depth > 0
    assert won.entries > 1
    assert won.trees > 0
    assert won.proof
    assert won.counters["leaves_won"] <= won.counters["leaves"] <= won.nodes
    check = verify_proof(board, won.proof)
    assert check
    assert check.positions == won.entries
    assert check.replies >= 38


@pytest.mark.slow
def test_nodes_alone_decide(board: renju.Board, won: ProveResult) -> None:
    assert renju.prove(board, limit=LIMIT) == won
    unchecked = renju.prove(board, limit=LIMIT, check=False)
    assert not unchecked.verified
    assert unchecked == replace(won, verified=False)


def test_moves_to_try_first(board: renju.Board, won: ProveResult) -> None:
    assert won.move is not None
    hinted = renju.prove(board, limit=LIMIT, first=[won.move, "a1"])
    assert hinted.verified
    assert hinted.nodes <= won.nodes


def test_proofs_of_other_positions_to_try_first(board: renju.Board, won: ProveResult) -> None:
    assert won.proof is not None
    hinted = renju.prove(board, limit=LIMIT, hints=[won.proof])
    assert (hinted.verified, hinted.move) == (True, won.move)
    assert hinted.nodes * 2 < won.nodes
    assert hinted.counters["leaves"] < won.counters["leaves"]
    with pytest.raises(ValueError, match="do not begin as a proof"):
        renju.prove(board, hints=[b"nothing"])


def test_a_vct_is_a_win_without_quiet_moves() -> None:
    board = renju.Board.from_stones("a1 c4 g2 n1", "h8 i8 k9 k10", turn=renju.WHITE)
    found = renju.prove(board, limit=LIMIT)
    assert found.verified
    assert found.color == renju.WHITE
    assert (found.depth, found.entries) == (0, 1)
    assert renju.prove(board, color=renju.BLACK, limit=renju.Limit(nodes=0)).color == renju.BLACK


@pytest.mark.parametrize(
    ("limit", "reason"),
    [(renju.Limit(nodes=0), "nodes"), (renju.Limit(nodes=50), "nodes"), (renju.Limit(time=0), "time")],
)
def test_a_limit_leaves_it_open(board: renju.Board, limit: renju.Limit, reason: str) -> None:
    found = renju.prove(board, limit=limit)
    assert not found
    assert (found.status, found.reason) == ("unknown", reason)
    assert found.move is None
    assert found.proof is None
    assert not found.verified


def test_no_is_said_only_where_all_was_tried() -> None:
    assert renju.prove(window("b15", "e12", renju.BLACK, size=4), limit=LIMIT).status == "refuted"
    lost = renju.Board.from_stones("a1 a3 a5 a7", "e8 f8 g8 h8", turn=renju.BLACK)
    assert renju.prove(lost, limit=LIMIT).status == "refuted"


def test_changed_boards_are_refused(board: renju.Board, won: ProveResult) -> None:
    assert won.proof is not None
    assert won.move is not None
    after = board.copy()
    after.push(won.move)
    assert verify_proof(after, won.proof).reason == f"after no move: {won.move} is occupied"
    assert not verify_proof(renju.Board(), won.proof)
    swapped = window("d10 g10 e12 c13", "e9 h9 e10 g13 d14 f13", renju.BLACK)
    assert not verify_proof(swapped, won.proof)


def test_changed_bytes_are_refused(board: renju.Board, won: ProveResult) -> None:
    assert won.proof is not None
    for end in range(len(won.proof)):
        assert not verify_proof(board, won.proof[:end])
    assert (
        verify_proof(board, won.proof + b"\0").reason
        == f"byte {len(won.proof)} is not what a proof has there"
    )
    white = bytearray(won.proof)
    white[4] = 1
    assert not verify_proof(board, bytes(white))


def test_what_is_no_argument_is_refused(board: renju.Board) -> None:
    with pytest.raises(ValueError, match="threat_limit"):
        renju.prove(board, threat_limit=4)
    with pytest.raises(TypeError, match="limit is a "):
        renju.prove(board, limit=5)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="off the board"):
        renju.prove(board, first=["q9"])


def test_another_thread_ends_it() -> None:
    stop = _native.StopFlag()
    found = []
    board = renju.Board("h8 i9 i7 g8")
    thread = threading.Thread(target=lambda: found.append(renju.prove(board, stop=stop)))
    thread.start()
    stop.set()
    thread.join(60)
    assert [result.reason for result in found] == ["stop"]


def test_a_check_that_is_stopped_refuses_nothing(board: renju.Board, won: ProveResult) -> None:
    assert won.proof is not None
    stop = _native.StopFlag()
    stop.set()
    check = verify_proof(board, won.proof, stop)
    assert not check
    assert check.is_stopped


def child_interrupt() -> None:
    """A long search and a long check end soon after Ctrl-C."""
    board = renju.Board("h8 i9 i7 g8")
    signal_after_work(0.3)
    with pytest.raises(renju.Interrupted) as caught:
        renju.prove(board)
    assert (caught.value.partial.status, caught.value.partial.reason) == ("unknown", "stop")

    board = quiet_board()
    proof = renju.prove(board, limit=LIMIT, check=False).proof
    assert proof is not None
    signal_after_work(0.3)
    with pytest.raises(renju.Interrupted) as stopped:
        _verify_for_ever(board, proof)
    assert not stopped.value.partial


def _verify_for_ever(board: renju.Board, proof: bytes) -> None:
    while True:
        verify_proof(board, proof)


@pytest.mark.slow
def test_ctrl_c_ends_it() -> None:
    run_child(__file__, "child_interrupt")


if __name__ == "__main__":
    run_named(globals())
