"""Why an attack fails: defences, counter-threats, refutations, and what is told of them."""

import json
from dataclasses import replace

import pytest

import renju
from renju import BLACK, WHITE, Board, Color, IllegalMoveError, Limit, Point, Proof, cli
from renju.defence import answers
from renju.errors import FormatError
from support.data import quiet_positions

GAME_185 = Board("h8 i9 g7 i7 g8 i6 i8 j8 g9 g10 f8 e8 h10 i11")
GAME_121 = Board(
    "h8i7f10k9j8h6i8g8h9g10i9h10g9f9j10g7h7j9g12f8e9h11e8e11f11i5j4i14e10d9i12h12e7e6k5j12l9h14h13k11i13"
)
NOTES = Board("h8 i9 i7 g9 h7 h9 f9 g8 f7 g7 g6 h10 g10 f8 i11 g11 j8")
CLAIMED = ["e13", "f12", "k9", "j9", "e7", "d6", "e9", "h6", "d8", "h12", "c8"]


def some_boards(count: int) -> list[Board]:
    boards, turns = quiet_positions()
    return [Board.from_array(board, int(turn)) for board, turn in zip(boards[:count], turns, strict=False)]


@pytest.mark.parametrize(
    ("black", "white", "stone", "expected"),
    [
        ("f8 g8", "a1 a3", "h8", {"E8": "outside", "I8": "outside"}),
        ("f8 g8", "d8 a3", "h8", {"E8": "outside", "I8": "outside", "J8": "natsu-dome"}),
        ("f8 g8", "a1 a3", "i8", {"E8": "outside", "H8": "inside", "J8": "outside"}),
        # One more stone beyond would make six: the same as a wall.
        ("f8 g8 c8", "a1 a3 o5", "h8", {"E8": "outside", "I8": "outside", "J8": "natsu-dome"}),
        ("f8 g8 h8", "e8 a3 a5", "i8", {"J8": "block"}),
        ("f8 g8 h8", "a1 a3 a5", "i8", {}),
        ("f8 g8", "e8 a3", "h8", {}),
    ],
)
def test_the_answers_to_a_stone(black: str, white: str, stone: str, expected: dict[str, str]) -> None:
    board = Board.from_stones(black, white, turn=BLACK)
    for k in range(8):
        turned = board.transform(k)
        found = turned.defences(Point(stone).transform(k))
        assert {d.point: d.kind for d in found} == {
            Point(point).transform(k): kind for point, kind in expected.items()
        }
        assert all(d.counter is None and not d.is_nori for d in found)


def test_the_answers_to_a_mise() -> None:
    found = {str(d.point): d for d in GAME_185.defences("h7")}
    assert {name: (d.kind, d.counter, d.leaves) for name, d in found.items()} == {
        "H6": ("outside", "three", None),
        "H9": ("inside", None, 2),
        "H11": ("outside", "three", 2),
    }
    assert found["H6"].is_nori
    assert str(found["H6"]) == "H6 (nori-te, outside)"
    # White's K13 makes no three: its four-three is taken, or stopped in another way.
    kinds = {d.kind for d in GAME_121.defences("k13")}
    assert "four-three" in kinds
    assert not kinds & {"inside", "outside", "natsu-dome"}


@pytest.mark.slow
def test_answers_are_those_that_a_plain_search_finds() -> None:
    """Every legal reply is asked of the solver, one by one."""
    threats = 0
    for board in some_boards(16):
        attacker = board.turn
        for stone in sorted(board.threats().threes)[:2]:
            after = board.set_up()
            after.push(stone)
            if after.threats(attacker).fives or after.threats(attacker.opponent).fives:
                continue
            threats += 1
            expected = set()
            fewest = renju.solve_vcf(after, attacker, max_depth=3, shortest=True).depth
            for reply in after.legal_moves:
                makes_four = after.counter_threat(reply) == "four"
                after.push(reply)
                if makes_four or not renju.solve_vcf(after, attacker, max_depth=fewest):
                    expected.add(reply)
                after.pop()
            assert {d.point for d in board.defences(stone)} == expected
    assert threats >= 15


def test_the_class_of_a_reply() -> None:
    board = Board.from_stones("f8 g8 h8 e8", "a1 b1 c1 c13 d13", turn=WHITE)
    assert [board.counter_threat(p) for p in ("d1", "e13", "o15")] == ["four", "three", None]
    assert [board.counter_threat(p, BLACK) for p in ("d8", "i8")] == ["five", "five"]
    with pytest.raises(IllegalMoveError, match="A1 is occupied"):
        board.counter_threat("a1")
    forbidden = Board.from_stones("e8 f8 g8 h9 h10 h11", "", turn=BLACK)
    with pytest.raises(IllegalMoveError, match="H8 is forbidden to black"):
        forbidden.counter_threat("h8")
    with pytest.raises(IllegalMoveError, match="H8 is no legal move"):
        forbidden.defences("h8")


def test_the_nori_te_of_game_185() -> None:
    for k in range(8):
        board = GAME_185.transform(k)
        start = renju.is_winning_start(board, Point("h7").transform(k), "mise-vcf")
        why = start.refutation
        assert not start
        assert why is not None
        assert (why.kind, why.move, why.counter) == ("nori-te", Point("h6").transform(k), "three")
        assert why.line == tuple(Point(p).transform(k) for p in ("h7", "h6", "g6", "g5"))
        assert why.exhausted
        after = board.copy()
        for point in why.line:
            after.push(point)
        assert len(after.threats(WHITE).fives) == 2  # white's straight four


def test_a_stone_that_forces_nothing() -> None:
    why = renju.is_winning_start(GAME_121, "k13", "mise-vcf").refutation
    assert why is not None
    assert (why.kind, why.move, str(why)) == ("not-forcing", None, "K13 makes neither three nor four")
    cases = [("h7", "vcf", "makes no four"), ("h8", "vct", "is occupied"), ("a1", "vct", "makes no four and")]
    for point, kind, reason in cases:
        why = renju.is_winning_start(GAME_185, point, kind).refutation
        assert why is not None
        assert why.kind == "not-forcing"
        assert why.reason.startswith(reason)
    board = Board.from_stones("e8 f8 g8 h9 h10 h11", "", turn=BLACK)
    why = renju.is_winning_start(board, "h8", "vcf").refutation
    assert why is not None
    assert why.reason == "is forbidden to black (double-four)"


def test_the_claimed_line_of_the_notes() -> None:
    """Where the line of eleven stones breaks, and that it breaks there."""
    board, broken = NOTES.copy(), []
    for number, move in enumerate(CLAIMED):
        if number in (0, 2, 4, 6, 8):
            why = renju.is_winning_start(board, move, "vct", threat_limit=3, max_depth=8).refutation
            assert why is not None
            assert why.kind not in ("not-forcing", "unknown")
            broken.append((move.upper(), why.kind, str(why.move)))
        board.push(move)
    # The last stone wins, but only because white answered at H12.
    assert broken == [
        ("E13", "block", "F12"),
        ("K9", "nori-te", "J9"),
        ("E7", "block", "D6"),
        ("E9", "block", "H6"),
        ("D8", "four", "I8"),
    ]


def test_a_three_that_gains_a_move() -> None:
    """I4 takes no point of what white threatens, and leaves no win all the same."""
    start = renju.is_winning_start(NOTES, "d8", "vct", max_depth=8)
    why = start.refutation
    assert why is not None
    assert (why.kind, str(why.move), why.counter) == ("three", "I4", "three")
    after = NOTES.copy()
    after.push("d8")
    after.push("i4")
    assert renju.solve_vct(after, max_depth=7).status == "refuted"


def attacks_of(board: Board, kind: str) -> list[tuple[Point, Proof]]:
    return [
        (point, renju.is_winning_start(board, point, kind, limit=Limit(nodes=20_000), max_depth=6))
        for point in sorted(set(map(Point, range(225))) - set(board.stones))
    ]


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["vcf", "mise-vcf", "vct"])
def test_every_refutation_holds(kind: str) -> None:
    """After the defence the solver finds no win, and the line is one of legal moves."""
    seen = set()
    for board in some_boards(6):
        attacker = board.turn
        for point, proof in attacks_of(board, kind):
            why = proof.refutation
            assert (why is not None) == (proof.status == "refuted")
            if why is None or why.kind in ("not-forcing", "unknown"):
                continue
            seen.add(why.kind)
            after = board.set_up()
            for move in why.line:
                assert after.is_legal(move)
                after.push(move)
            after = board.set_up()
            after.push(point)
            assert why.move is not None
            assert why.line[:2] == (point, why.move)
            assert after.counter_threat(why.move) == why.counter
            after.push(why.move)
            if after.outcome is not None:
                continue
            again = "vcf" if kind == "mise-vcf" else kind
            assert renju.solve(after, again, attacker, max_depth=5).status == "refuted"
    assert seen & {"block", "nori-te"}


def test_a_spent_limit_is_no_refutation() -> None:
    board = NOTES.copy()
    for move in CLAIMED[:6]:
        board.push(move)
    needed = renju.solve(board, "vct", first="e9", threat_limit=3).nodes
    proof = renju.is_winning_start(board, "e9", "vct", limit=Limit(nodes=needed), threat_limit=3)
    assert proof.status == "refuted"
    assert proof.refutation is not None
    proof = renju.is_winning_start(board, "e9", "vct", limit=Limit(nodes=3), threat_limit=3)
    assert proof.status == "unknown"
    assert proof.refutation is None
    why = renju.is_winning_start(board, "e9", "vct", max_depth=0).refutation
    assert why is not None
    assert (why.kind, why.move) in [("unknown", None), ("not-forcing", None)]


def test_what_the_whole_board_says() -> None:
    proof = renju.solve_mise_vcf(GAME_185, why=True)
    assert proof.refutation is not None
    assert proof.refutation.kind == "nori-te"
    found = renju.refutations(GAME_185, "mise-vcf")
    assert {str(p): str(why.move) for p, why in found.items()} == {"H7": "H6", "H9": "H7"}
    nothing = renju.solve_vcf(Board("h8"), why=True).refutation
    assert nothing is not None
    assert str(nothing) == "no stone makes a four"
    assert renju.solve_vcf(GAME_185).refutation is None  # not asked for
    assert renju.solve_mise_vcf(Board("h8 i9 i7 g9 j8 h10 h6 k9 h7 h9 j9 i10"), why=True).refutation is None


def test_a_refutation_goes_through_a_file_and_round_the_board() -> None:
    proof = renju.is_winning_start(GAME_185, "h7", "mise-vcf")
    assert Proof.from_json(proof.to_json()) == proof
    for k in range(8):
        turned = proof.transform(k)
        assert (
            turned.refutation
            == renju.is_winning_start(GAME_185.transform(k), Point("h7").transform(k), "mise-vcf").refutation
        )
    data = json.loads(proof.to_json())
    for change in (
        {"kind": "magic"},
        {"move": None},
        {"move": "A1"},
        {"counter": "two"},
        {"line": ["Z9"]},
        {"limit_hit": "nodes"},
    ):
        with pytest.raises(FormatError):
            Proof.from_json(json.dumps({**data, "refutation": {**data["refutation"], **change}}))
    won = renju.solve_vcf(Board.from_stones("f8 g8 h8", "a1 a3", turn=BLACK))
    with pytest.raises(FormatError, match="has no refutation"):
        Proof.from_json(replace(won, refutation=proof.refutation).to_json())


def test_the_command_tells_why(capsys: pytest.CaptureFixture[str]) -> None:
    moves = GAME_185.record()
    assert cli.main(["solve", moves, "--kind", "mise-vcf", "--first", "h7"]) == 1
    assert "H7 fails: H6 stops it and makes a three (nori-te): H7 H6 G6 G5" in capsys.readouterr().out
    assert cli.main(["solve", moves, "--kind", "mise-vcf", "--why", "1"]) == 1
    assert capsys.readouterr().out.splitlines()[-1] == "  and 1 more"
    assert cli.main(["solve", moves, "--kind", "mise-vcf", "--why", "1", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["refutation"]["move"] == "H6"
    assert cli.main(["solve", moves, "--first", "z9"]) == 2


def test_what_is_no_threat_has_no_answers() -> None:
    assert answers(Board("h8"), Color.BLACK) == ()
    over = Board.from_stones("d8 e8 f8 g8 h8", "a1 a3 a5 a7", turn=WHITE)
    assert answers(over, Color.BLACK) == ()


def test_a_review_names_the_nori_te_that_was_missed() -> None:
    board = Board("h8i9j10g11f7g9j8j9k9g10g12")
    for k in (0, 5):
        move = renju.review(board.transform(k), limit=Limit(nodes=40_000)).moves[-1]
        assert move.defence is not None
        assert (move.defence.point, move.defence.name) == (Point("g8").transform(k), "nori-te")
        assert move.defence.point == move.best
        assert f"It missed the defence {move.best} (nori-te)." in move.comment
        assert move.to_dict()["defence"]["counter"] == move.defence.counter
    # The move that was best is blamed for nothing.
    assert renju.review("h8i9j10g11f7g9j8j9k9g10g8", limit=Limit(nodes=40_000)).moves[-1].defence is None


def test_an_undecided_vct_is_a_hint() -> None:
    config = renju.EngineConfig.from_level("master")
    hinted = 0
    for board in some_boards(8):
        with_hint, without = (
            renju.Engine(config=config.replace(vct_hint=is_on)).analyse(board, Limit(nodes=5_000), 1)
            for is_on in (True, False)
        )
        assert without.vct_hint is None
        assert without.stats["vct_hints"] == without.stats["vct_hints_played"] == 0
        assert with_hint.stats["vct_hints"] == (with_hint.vct_hint is not None)
        assert with_hint.stats["vct_hints_played"] == (with_hint.vct_hint == with_hint.move)
        if with_hint.vct_hint is not None:
            hinted += 1
            assert renju.solve_vct(board, max_depth=4).status == "refuted"  # it was not that easy
            assert board.is_legal(with_hint.vct_hint)
    assert hinted >= 1
