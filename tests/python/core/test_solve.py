"""Solvers through Python: proofs, limits, arrays, interrupts."""

import json
import threading
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import renju
from renju import BLACK, WHITE, Board, Color, Limit, Proof, batch, cli, solve_vcf, verify
from renju.solving import Attack
from support.data import json_lines, quiet_positions
from support.positions import FORCED_FOUL
from support.processes import run_child, run_named
from support.waiting import PATIENCE_S, signal_after_work


def many_quiet(count: int) -> tuple[np.ndarray, np.ndarray]:
    boards, turns = quiet_positions()
    return np.resize(boards, (count, 15, 15)), np.resize(turns, count)


CASES = json_lines("vcf_cases.jsonl")


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_known_cases(case: dict) -> None:
    expect, color = case["expect"], Color[case["side"].upper()]
    board = Board.from_stones(case["black"], case["white"], turn=color)
    proof = solve_vcf(board, max_depth=expect.get("max_depth"))
    assert proof.status == ("proved" if expect["vcf"] else "refuted")
    assert bool(proof) is expect["vcf"]
    if proof:
        assert verify(board, proof)
        assert (proof.first, proof.depth) == (proof.line[0], (len(proof.line) + 1) // 2)
        again = Proof.from_json(proof.to_json())
        assert again == proof
        assert verify(board, again)


def test_the_shortest_win_and_one_less() -> None:
    case = next(case for case in CASES if case["id"] == "mintaka-basic_vcf-2")
    board = Board.from_stones(case["black"], case["white"], turn=BLACK)
    assert solve_vcf(board, shortest=True).depth == 13
    less = solve_vcf(board, max_depth=12)
    assert (less.status, less.exhausted, less.first, less.tree) == ("refuted", False, None, None)


def test_a_forced_foul_is_answered_at_once() -> None:
    board = Board(FORCED_FOUL)
    black, white = solve_vcf(board), solve_vcf(board, color=WHITE)
    assert (black.status, black.exhausted) == ("refuted", True)
    assert (white.status, str(white.first), white.depth) == ("proved", "G7", 1)
    assert board.forbidden_kind("G7")


@pytest.mark.parametrize("limit", [Limit(nodes=0), Limit(nodes=3), Limit(time=0, nodes=2000)])
def test_a_limit_is_unknown_and_never_no(limit: Limit) -> None:
    case = next(case for case in CASES if case["id"] == "mintaka-deep_vcf-2")
    proof = solve_vcf(
        Board.from_stones(case["black"], case["white"], turn=case["side"] == "white" or 1), None, limit
    )
    assert (proof.status, bool(proof), proof.first) == ("unknown", False, None)
    assert proof.limit_hit in ("nodes", "time")
    assert Proof.from_json(proof.to_json()) == proof


def test_finished_boards_have_no_win() -> None:
    board = Board("h8a1i8a3j8a5k8a7l8")
    assert board.outcome is not None
    assert solve_vcf(board, color=WHITE).status == "refuted"
    assert batch.solve(board.to_array(), turns=2)["status"] == 0


def test_the_verifier_says_what_is_wrong() -> None:
    board = Board.from_stones("f8 g8 h8", "e8 a1", turn=BLACK)
    for tree, reason in (
        (Attack(renju.Point("i8")), "after I8: no answer to J8"),
        (Attack(renju.Point("e8")), "after no move: E8 is occupied"),
        (Attack(renju.Point("o15")), "after O15: O15 makes no four"),
    ):
        found = verify(board, Proof("proved", "vcf", BLACK, tree=tree))
        assert (found.ok, found.reason) == (False, reason)
        assert not found
    assert verify(board, solve_vcf(board)).reason == "nothing was proved"


def test_a_tree_deeper_than_a_game_is_refused() -> None:
    tree = Attack(renju.Point(0))
    for _ in range(300):
        tree = Attack(renju.Point(0), {renju.Point(1): tree})
    found = verify(Board(), Proof("proved", "vcf", BLACK, tree=tree))
    assert (found.ok, "deeper" in found.reason) == (False, True)
    assert not verify(Board(), Proof("proved", "vcf", BLACK, tree=Attack(renju.Point(renju.PASS))))


def test_line_and_depth_must_be_those_of_the_tree() -> None:
    board = Board.from_stones("f8 g8 h8", "a1 a3", turn=BLACK)
    proof = solve_vcf(board)
    assert verify(board, proof)
    for change in ({"line": (renju.Point("A2"),)}, {"depth": 77}):
        assert verify(board, replace(proof, **change)).reason == "line and depth are not those of the tree"


def test_a_last_point_without_a_four_is_no_win() -> None:
    cells = np.array([[1 if (x // 2 + y) % 2 == 0 else 2 for x in range(15)] for y in range(15)], np.int8)
    cells[7, 7] = 0
    assert batch.winners(cells) == 0
    for color in Color:
        board = Board.from_array(cells, turn=color)
        tree = Attack(renju.Point("H8"))
        assert not verify(board, Proof("proved", "vcf", color, tree=tree, line=(tree.stone,), depth=1))


def test_depth_0_finds_nothing_and_exhausts_nothing() -> None:
    board = Board.from_stones("f8 g8 h8 i8", "e8 a1 a3 c5", turn=BLACK)
    assert solve_vcf(board)
    for proof in (solve_vcf(board, max_depth=0), renju.is_winning_start(board, "j8", max_depth=0)):
        assert (proof.status, proof.exhausted) == ("refuted", False)


def test_a_black_overline_on_the_board_ends_it_too() -> None:
    black = "h8 f6 f7 h7 g2 a10 b10 c10 d10 e10 f10"
    board = Board.from_stones(black, "g6 g5 g4 g3 a1", turn=WHITE)
    assert board.forbidden_points() == {}
    assert solve_vcf(board).status == "refuted"
    proof = solve_vcf(Board(FORCED_FOUL), color=WHITE)
    assert verify(board, proof).reason.endswith("somebody has five or more already")


@pytest.mark.slow
def test_a_deadline_is_obeyed_beside_another_long_call() -> None:
    boards, turns = many_quiet(600_000)
    has_begun, is_enough = threading.Event(), threading.Event()

    def watch(done: int, total: int) -> None:
        has_begun.set()
        if is_enough.is_set():
            raise InterruptedError

    def work() -> None:
        with pytest.raises(InterruptedError):
            batch.solve(boards, turns, progress=watch)
        was_stopped.append(True)

    was_stopped: list[bool] = []
    other = threading.Thread(target=work)
    other.start()
    assert has_begun.wait(PATIENCE_S)
    result = batch.solve(boards[:2000], turns[:2000], deadline=PATIENCE_S)
    is_enough.set()
    other.join()
    assert was_stopped, "the other call came to its end before"
    assert (result["status"] != -1).all()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        "null",
        '{"format": "renju-proof"}',
        '{"format": "renju-proof", "version": 2}',
        '{"format": "renju-proof", "version": 1, "status": "maybe"}',
        '{"format":' * 50,
    ],
)
def test_what_is_no_proof_file(text: str) -> None:
    with pytest.raises(renju.FormatError, match="proof"):
        Proof.from_json(text)


@pytest.mark.parametrize("name", ["status", "kind", "color", "line", "tree", "depth"])
@pytest.mark.parametrize("value", ["?", 7.5, ["Z9"], {"stone": "Z9"}, {"stone": "H8", "replies": [1]}])
def test_damaged_proof_files(name: str, value: object) -> None:
    proof = solve_vcf(Board(FORCED_FOUL), color=WHITE)
    text = json.dumps(json.loads(proof.to_json()) | {name: value})
    with pytest.raises(renju.FormatError):
        Proof.from_json(text)


@pytest.mark.parametrize(
    "bad",
    [{"time": -1}, {"time": float("nan")}, {"time": 1e300}, {"nodes": -1}, {"nodes": 2**64}, {"depth": -1}],
)
def test_limits_make_sense(bad: dict) -> None:
    with pytest.raises(ValueError):
        Limit(**bad)


def test_every_winning_first_move() -> None:
    boards, turns = quiet_positions()
    seen = 0
    for n in range(0, len(boards), 12):
        board = Board.from_array(boards[n], turn=turns[n])
        moves = renju.winning_moves(board, max_depth=4)
        assert moves.complete
        assert bool(moves) == bool(solve_vcf(board, max_depth=4))
        for start, proof in moves.items():
            assert proof.first == start
            assert verify(board, proof)
        for point in set(board.legal_moves) - set(moves):
            assert not renju.is_winning_start(board, point, max_depth=4)
        seen += len(moves)
    assert seen > 20


def test_limits_of_winning_moves_are_told() -> None:
    case = next(case for case in CASES if case["id"] == "mintaka-basic_vcf-2")
    moves = renju.winning_moves(Board.from_stones(case["black"], case["white"], turn=1), limit=Limit(nodes=1))
    assert not moves.complete
    assert len(moves.unknown) > 1
    assert "unknown" in repr(moves)


def test_a_start_with_a_five_elsewhere_is_still_a_start() -> None:
    board = Board.from_stones("f8 g8 h8 i8 a1 a2 a3", "e8 c5 c7", turn=BLACK)
    assert [str(p) for p in renju.winning_moves(board)] == ["A4", "A5", "J8"]
    assert renju.is_winning_start(board, "j8").depth == 1


def test_shorten() -> None:
    shortened = 0
    for case in CASES:
        if not case["expect"]["vcf"] or "min_depth" not in case["expect"]:
            continue
        board = Board.from_stones(case["black"], case["white"], turn=Color[case["side"].upper()])
        proof = solve_vcf(board)
        shorter = renju.shorten(board, proof)
        assert shorter.depth == case["expect"]["min_depth"]
        shortened += shorter.depth < proof.depth
    assert shortened > 5
    with pytest.raises(ValueError, match="nothing was proved"):
        renju.shorten(Board(), solve_vcf(Board()))


def test_breakers_break_and_others_do_not() -> None:
    case = next(case for case in CASES if case["id"] == "mintaka-basic_vcf-1")
    board = Board.from_stones(case["black"], case["white"], turn=BLACK)
    found = renju.breakers(board, solve_vcf(board))
    assert found.complete
    assert found.points
    for point in board.legal_moves:
        after = Board.from_stones(case["black"], [*case["white"], point], turn=BLACK)
        assert bool(solve_vcf(after)) == (point not in found.points)
    with pytest.raises(ValueError, match="nothing was proved"):
        renju.breakers(Board(), solve_vcf(Board()))


def test_all_wins_of_the_quiet_positions() -> None:
    boards, turns = quiet_positions()
    result = batch.solve(boards, turns, max_depth=12)
    assert result.dtype == batch.SOLVE_DTYPE
    assert int((result["status"] == 1).sum()) == 351
    for n in range(0, len(boards), 25):
        board = Board.from_array(boards[n], turn=turns[n])
        proof = solve_vcf(board, max_depth=12)
        row = result[n]
        assert (row["status"] == 1, row["nodes"]) == (bool(proof), proof.nodes)
        assert row["length"] == len(proof.line)
        assert row["line"].tolist() == [*proof.line, *[255] * 64][:64]
        assert row["first"] == (-1 if proof.first is None else proof.first)


def test_threads_do_not_matter() -> None:
    boards, turns = quiet_positions()
    fields = ["status", "first", "length", "nodes", "line"]
    alone = batch.solve(boards, turns, limit=Limit(nodes=50), threads=1)[fields]
    assert {-1, 0, 1} == set(alone["status"].tolist())
    for threads in (2, 3, 0):
        again = batch.solve(boards, turns, limit=Limit(nodes=50), threads=threads)[fields]
        np.testing.assert_array_equal(again, alone)


def test_progress_ends_with_all() -> None:
    boards, turns = quiet_positions()
    calls: list[tuple[int, int]] = []
    batch.solve(
        np.resize(boards, (40_000, 15, 15)),
        np.resize(turns, 40_000),
        progress=lambda *call: calls.append(call),
    )
    assert calls[-1] == (40_000, 40_000)
    assert calls == sorted(calls)
    assert len(calls) > 1


def test_a_progress_that_fails_ends_the_call() -> None:
    boards, turns = many_quiet(100_000)

    def fail(done: int, total: int) -> None:
        raise RuntimeError("no more")

    with pytest.raises(RuntimeError, match="no more"):
        batch.solve(boards, turns, progress=fail)


def test_a_deadline_leaves_the_rest_unknown() -> None:
    boards, turns = many_quiet(300_000)
    calls: list[tuple[int, int]] = []
    progress = lambda *call: calls.append(call)  # noqa: E731
    result = batch.solve(boards, turns, deadline=0.05, threads=1, progress=progress)
    known = result["status"] != -1
    assert calls[-1] == (known.sum(), len(boards))
    assert known.any()
    assert not known.all()
    assert (result["line"][~known] == 255).all()


def test_bad_arrays() -> None:
    boards, turns = quiet_positions()
    uneven = boards.copy()
    uneven[7] = Board.from_stones("h8 g7 f6", "", turn=1).to_array()
    with pytest.raises(renju.PositionError, match=r"boards\[7\]: 3 black and 0 white stones"):
        batch.solve(uneven)
    assert batch.solve(boards[:0]).shape == (0,)
    assert batch.solve(boards[0], turns=1).shape == ()
    for arguments in (
        {"kind": "vcx"},
        {"max_depth": -1},
        {"deadline": -1},
        {"deadline": float("nan")},
        {"threads": -1},
    ):
        with pytest.raises(ValueError):
            batch.solve(boards, turns, **arguments)


def child_interrupt() -> None:
    boards, turns = many_quiet(600_000)
    signal_after_work(0.3)
    with pytest.raises(renju.Interrupted) as caught:
        batch.solve(boards, turns, threads=1)
    done, partial = caught.value.done, caught.value.partial
    assert done.any()
    assert not done.all()
    assert (partial["status"][done] >= 0).all()
    assert (partial["status"][~done] == -1).all()


@pytest.mark.slow
def test_ctrl_c() -> None:
    run_child(__file__, "child_interrupt")


def test_the_command(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert cli.main(["solve", FORCED_FOUL]) == 1
    assert capsys.readouterr().out.startswith("black VCF: none (")
    picture = tmp_path / "line.svg"
    assert cli.main(["solve", FORCED_FOUL, "--color", "white", "--svg", str(picture)]) == 0
    assert capsys.readouterr().out.startswith("white VCF in 1: G7 (")
    assert "<svg" in picture.read_text(encoding="utf-8")
    assert cli.main(["solve", FORCED_FOUL, "--color", "white", "--json"]) == 0
    assert Proof.from_json(capsys.readouterr().out).depth == 1
    assert cli.main(["solve", FORCED_FOUL, "--nodes", "0"]) == 3
    assert "unknown, the nodes ran out" in capsys.readouterr().out
    assert cli.main(["solve", "h8 h8"]) == 2
    assert cli.main(["solve", FORCED_FOUL, "--time", "-1"]) == 2


if __name__ == "__main__":
    run_named(globals())
