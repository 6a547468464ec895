"""Reviews: planted mistakes are found, claims are proved, odd games are survived, forms are lossless."""

import argparse
import json
import os
import signal
import threading
from collections import Counter
from pathlib import Path

import pytest

import renju
from renju import (
    BLACK,
    PASS,
    WHITE,
    Board,
    Color,
    Engine,
    EngineError,
    Forbidden,
    Game,
    Limit,
    Point,
    Review,
    _native,
    io,
    review,
    solve_vcf,
    verify,
)
from renju.cli.review import add_review
from renju.reviewing import ForcedWin, Grades
from renju.reviewing import steps as review_steps
from renju.reviewing.judge import Judge, Shares
from renju.reviewing.options import Option, align, mean_score
from renju.reviewing.summary import turning_point
from renju.reviewing.wins import Search, WinSearch, win_kind
from support.data import games
from support.positions import DOUBLE_THREE
from support.waiting import CpuClock, wait_until

FEW = Limit(nodes=40_000)
# White lets an open three stand.
IGNORED_THREE = "h8 a1 h9 c1 h10 e1 h11 h12 h7"
# Black plays H12, which makes two points for a four-three.
DOUBLE_MISE = "h8i9i6g8j7h9k8h5i10j9g9k7l9m10f10i7h10g10i11j12f11f9k10d11e10e8h11j11j10l10"


def _text(number: int, count: int | None = None) -> str:
    return " ".join(games()[number]["moves"][:count])


def _assert_proved(found: Review) -> int:
    """All that is claimed holds on boards made here; returns how much that is."""
    moves, claims = found.game.moves, 0
    for move in found.moves:
        before, after = (Board(moves[:count], referee=False) for count in (move.number - 1, move.number))
        for win, board in ((move.missed, before), (move.unclear, before), (move.allowed, after)):
            if win is not None:
                claims += 1
                assert win.proof.color is board.turn
                assert verify(board, win.proof)
                assert win.line[0] == win.first
        assert move.missed is None or move.kept is False
        assert move.unclear is None or move.kept is None
    return claims


# What is found


@pytest.mark.slow
@pytest.mark.parametrize("number", [1, 4, 7])
def test_a_four_that_wins_replaced_by_a_quiet_move_is_found(number):
    moves = games()[number]["moves"]
    winner = Color[games()[number]["result"].upper()]
    for count in range(len(moves) - 3, 10, -1):
        board = Board(moves[:count])
        if board.turn is winner and not board.threats().fives and solve_vcf(board):
            break
    quiet = next(p for p in map(Point, ("a1", "o15", "a15", "o1")) if p not in board.stones)
    found = review([*board.moves, quiet], limit=FEW)
    last = found.moves[-1]
    assert last.missed is not None
    assert last.missed.kind in ("vcf", "forbidden-trap")
    assert last.quality == "blunder"
    assert last.loss > _native.WIN - 20_000
    assert renju.is_winning_start(board, last.best)
    assert str(last.missed.first) in last.comment
    assert _assert_proved(found) > 0
    # The move that was really played keeps the win.
    kept = review(moves[: count + 1], limit=FEW).moves[-1]
    assert (kept.missed, kept.loss, kept.kept) == (None, 0, True)


def test_an_open_three_left_alone_is_a_forced_loss():
    found = review(IGNORED_THREE, limit=FEW)
    blunder = found.moves[5]
    assert blunder.allowed is not None
    assert (blunder.color, blunder.quality, blunder.allowed.kind) == (WHITE, "blunder", "vcf")
    assert blunder.allowed.first in (Point("h7"), Point("h11"))
    assert {blunder.best} <= {Point(p) for p in ("h6", "h7", "h11", "h12")}
    assert blunder.played_win_in is not None
    assert blunder.played_win_in < 0
    assert blunder.played_win_rate == (0.0, 0.0, 1.0)
    assert blunder.win_rate[0] > 0
    row = blunder.to_dict()
    assert row["played_win_rate"] == [0.0, 0.0, 1.0]
    assert row["win_rate"] == pytest.approx(blunder.win_rate, abs=5e-5)
    assert found.turning_point is not None
    assert (found.turning_point.number, found.turning_point.color) == (6, WHITE)
    # After that there is nothing to blame, and the five is best.
    assert [move.loss for move in found.moves[6:]] == [0, 0, 0]
    assert found.moves[7].forced is False  # two points would have to be stopped
    assert (found.moves[8].played_win_in, found.moves[8].comment) == (1, "Five.")
    assert found.scores[-1] == _native.WIN
    assert found.accuracy == {BLACK: 1.0, WHITE: 0.5}
    assert (found.result, found.end) == ("1-0", found.game.board().outcome)


def test_the_only_answer_to_a_four_is_not_blamed():
    found = review("h8 a1 h9 c1 h10 h7 h11 h12 g9", limit=FEW)
    block = found.moves[7]
    assert (block.forced, block.best, block.loss, block.allowed) == (True, Point("h12"), 0, None)
    # Not to stop it is to be blamed.
    wrong = review("h8 a1 h9 c1 h10 h7 h11 o15", limit=FEW).moves[7]
    assert (wrong.forced, wrong.best, wrong.quality) == (True, Point("h12"), "blunder")
    assert wrong.allowed is not None
    assert (wrong.allowed.first, wrong.played_win_in) == (Point("h12"), -2)


@pytest.mark.slow
def test_everything_claimed_of_real_games_is_proved():
    claims = 0
    qualities: Counter[str] = Counter()
    for number in (5, 12, 13, 0):
        found = review(Game.from_moves(_text(number)), limit=Limit(nodes=100_000))
        claims += _assert_proved(found)
        qualities.update(move.quality for move in found.moves)
        assert len(found.scores) == len(found.moves) + 1
        winner = {"black": "1-0", "white": "0-1"}[games()[number]["result"]]
        # The last of them ends with a four that black may not stop: no result is on the board.
        assert found.result == ("" if games()[number]["reason"] == "forbidden_block" else winner)
        for move in found.moves:
            assert move.source not in ("book", "opening")
            assert move.loss == 0 or move.best != move.move
            assert move.move in [candidate.move for candidate in move.candidates]
    assert "white wins by force" in found.notes[-1]
    assert claims >= 3
    assert len(qualities) >= 3


def test_names_of_wins():
    board = Board(DOUBLE_MISE)
    search = WinSearch(Limit(), _native.StopFlag()).win(board)
    assert search.proof is not None
    assert (search.proof.first, win_kind(board, search.proof)) == (Point("h12"), "double-mise")
    before = board.threats().four_threes
    board.push("h12")
    assert len(board.threats(BLACK).four_threes - before) == 2
    # White's last stone, a four that black may not stop.
    moves = games()[0]["moves"]
    assert games()[0]["reason"] == "forbidden_block"
    board = Board(moves[:19])
    assert win_kind(board, solve_vcf(board)) == "forbidden-trap"
    board.push(moves[19])
    assert {board.forbidden_kind(p) for p in board.threats(WHITE).fives}.isdisjoint({Forbidden.NONE})


def test_what_a_limit_leaves_open_is_not_claimed():
    # A long win by threats; the move played makes a three as well, and one node decides nothing.
    board = Board(DOUBLE_MISE)
    wins = WinSearch(Limit(nodes=1), _native.StopFlag())
    assert wins.win_by(board, Point("g11")).status == "unknown"
    assert wins.win_by(board, Point(PASS)).status == "refuted"
    proof = WinSearch(Limit(), _native.StopFlag()).win(board)
    judge = Judge(Engine(), wins, Shares(Limit(nodes=1_000), Limit(nodes=1_000), True, 5), 3, Grades())
    look = judge.look(board, Point("g11"))
    doubtful = type(look)(look.result, proof, Search(None, "unknown", 0))
    move = judge.judge(31, board, Point("g11"), doubtful, None, None)
    assert (move.kept, move.missed) == (None, None)
    assert move.unclear is not None
    assert move.best == Point("h12")
    assert move.loss < _native.WIN // 2
    assert "could not be decided" in move.comment


@pytest.mark.slow
def test_a_win_that_every_answer_loses_to_is_not_missed():
    # White has a win by threats and plays a quiet move, after which black loses whatever it plays.
    found = review(_text(5), limit=Limit(nodes=200_000))
    move, answer = found.moves[9:11]
    assert answer.win_in is not None
    assert answer.win_in < 0
    assert (move.missed, move.loss) == (None, 0)
    assert move.unclear is not None


def test_a_proof_that_does_not_hold_is_a_loud_error(monkeypatch):
    monkeypatch.setattr(
        "renju.reviewing.wins.verify", lambda board, proof: renju.Verification(False, "planted")
    )
    with pytest.raises(EngineError, match="planted"):
        review(IGNORED_THREE, limit=FEW)
    _assert_no_thread_is_left()


# Scores


def test_scores_are_compared_at_the_same_depths():
    board = Board()
    deep = Option(Point("h8"), board, depths={1: 100, 2: 0, 3: 80, 4: 20})
    flat = Option(Point("h9"), board, depths={1: 10, 2: 30})
    lost = Option(Point("h10"), board, score=3 - _native.WIN)
    assert align([deep, flat, lost]) == 3
    assert (deep.score, flat.score, lost.score) == (50, 20, 3 - _native.WIN)
    assert align([deep]) == 5
    assert deep.score == 50
    assert mean_score({1: 7}, 1) == 7
    assert mean_score({3: 7}, 1) == 7
    assert align([lost]) == 0


@pytest.mark.slow
def test_the_answer_does_not_depend_on_the_threads():
    one, three = (review(_text(9, 22), limit=FEW, threads=count) for count in (1, 3))
    assert one.to_json_data() == three.to_json_data()
    assert one.to_sgf() == three.to_sgf()


def test_a_level_without_a_number_of_nodes_takes_the_time_given():
    found = review("h8 i9 g7", level="master", limit=Limit(time=0.05))
    assert found.level == "master"
    assert len(found.moves) == 3
    assert review("h8", config=renju.EngineConfig(depth=2), limit=FEW).level == "custom"


def test_moves_are_compared_even_if_the_limit_is_too_small_for_a_ply():
    found = review(IGNORED_THREE, limit=Limit(nodes=1))
    assert all(move.candidates and move.depth for move in found.moves[:5])
    # A stone in the corner was never the best of itself alone.
    assert all(len(move.candidates) > 1 and move.loss > 0 for move in found.moves[1:4:2])


@pytest.mark.slow
def test_a_win_that_has_begun_is_in_the_last_score():
    # Black begins a Mise-VCF. One ply after it says nothing, and the proof of the move before says it all.
    found = review("h8 i9 i7 g9 j8 h10 h6 k9 h7 h9 j9 i10 g7", limit=Limit(depth=1))
    assert found.moves[-1].kept is True
    assert found.scores[-1] is not None
    assert found.scores[-1] > _native.WIN - 100
    assert any("black wins by force" in note for note in found.notes)


# Odd games


@pytest.mark.slow
def test_a_forbidden_stone_loses_and_play_may_go_on():
    found = review(f"{DOUBLE_THREE} h8", limit=FEW)
    foul = found.moves[-1]
    assert (foul.foul, foul.played_win_in, foul.quality) == (Forbidden.DOUBLE_THREE, -1, "blunder")
    assert "double-three" in foul.comment
    assert foul.forbidden[Point("h8")] is Forbidden.DOUBLE_THREE
    assert found.end is not None
    assert (found.end.winner, found.end.reason, found.result) == (WHITE, "forbidden", "0-1")
    assert (found.scores[-1], len(found.scores)) == (-_native.WIN, 10)
    # Nobody claimed it: the record goes on, and so does the review.
    later = review(Game.from_moves(f"{DOUBLE_THREE} h8 o15 h7", result="1-0"), limit=FEW)
    assert len(later.moves) == 11
    assert later.moves[8].foul is Forbidden.DOUBLE_THREE
    assert later.scores[9] != -_native.WIN
    assert (later.result, later.moves[8].quality) == ("1-0", "blunder")


@pytest.mark.slow
def test_games_that_cannot_be_played_to_their_end():
    found = review("h8 i9 g7 h8 a1", limit=FEW)
    assert len(found.moves) == 3
    assert "move 4 (H8)" in found.notes[0]
    game = Game.from_moves("h8 i9 g7", result="0-1")
    list(game.root.main_line())[-1].add("h8")
    assert (len(review(game, limit=FEW).moves), len(review(game, limit=FEW).notes)) == (3, 1)
    after_five = review(f"{IGNORED_THREE} o1 o2", limit=FEW)
    assert len(after_five.moves) == 9
    assert "2 more are left out" in after_five.notes[0]
    contradiction = review(Game.from_moves(IGNORED_THREE, result="0-1"), limit=FEW)
    assert contradiction.result == "1-0"
    assert "the record says 0-1" in contradiction.notes[0]
    empty = review("", limit=FEW)
    assert (empty.moves, empty.accuracy, len(empty.scores)) == ((), {BLACK: None, WHITE: None}, 1)
    for wrong in (b"h8", 5):
        with pytest.raises(TypeError, match="a game is"):
            review(wrong)  # type: ignore[arg-type]
    with pytest.raises(renju.NotationError):
        review("h8 z9")


@pytest.mark.slow
def test_resigned_games_passes_and_set_ups():
    resigned = review(Game.from_moves(_text(2, 12), result="1-0"), limit=FEW)
    assert resigned.end is not None
    assert (resigned.end.winner, resigned.end.reason) == (BLACK, "by the record")
    passes = review("h8 i9 g7 pass pass", limit=FEW)
    assert (passes.moves[3].move, passes.result, passes.scores[-1]) == (PASS, "1/2-1/2", 0)
    assert passes.turning_point is None
    board = Board.from_stones("f8 g8 h8", "a1 a3 c5", turn=BLACK)
    board.push("o15")
    set_up = review(board, limit=FEW)
    assert set_up.moves[0].missed is not None
    assert (set_up.moves[0].number, set_up.moves[0].graded) == (1, True)
    assert set_up.to_json_data()["setup"] == {
        "black": ["F8", "G8", "H8"],
        "white": ["A1", "A3", "C5"],
        "turn": "black",
    }
    assert io.sgf.loads(set_up.to_sgf())[0].moves == (Point("o15"),)
    with pytest.raises(ValueError, match="over before its first move"):
        review(Board.from_stones("f8 g8 h8 i8 j8", "a1 a3 c5 e7", turn=WHITE))


def test_a_board_that_ended_by_its_move_limit_is_a_draw():
    found = review(Board("h8 i9 g7", move_limit=3), limit=FEW)
    assert found.result == "1/2-1/2"
    assert found.end is not None
    assert found.end.winner is None
    assert review(Board("h8 i9 g7", move_limit=4), limit=FEW).result == ""


def test_a_game_given_up_while_even_has_no_turning_point():
    resigned = review(Game.from_moves("h8 i9 g7 i7 g9 g8 i10", result="1-0"), limit=FEW)
    assert resigned.turning_point is None
    assert turning_point(resigned.moves, None, BLACK, Grades()) is None
    assert turning_point(resigned.moves, _native.WIN, None, Grades()) is None


# Grades


@pytest.mark.slow
def test_grades_are_parameters():
    found = review(_text(3, 20), limit=FEW)
    strict = review(_text(3, 20), limit=FEW, grades=Grades(0, 0, 0, from_move=10))
    for before, after in zip(found.moves, strict.moves, strict=True):
        assert before.loss == after.loss
        assert after.quality == ("best" if after.loss == 0 else "blunder")
        assert (before.graded, after.graded) == (before.number >= 6, before.number >= 10)
    for color in Color:
        rows = [row for row in found.to_dicts() if row["graded"] and row["color"] == color.label]
        share = sum(row["quality"] in ("best", "good") for row in rows) / len(rows)
        assert found.accuracy[color] == pytest.approx(share)
        assert sum(found.counts[color].values()) == len(rows)
    with pytest.raises(TypeError, match="not tuple"):
        review("h8 i9", grades=(1, 2, 3))
    with pytest.raises(ValueError, match="rising order"):
        Grades(good=100, inaccuracy=50)
    with pytest.raises(ValueError, match="from_move"):
        Grades(from_move=0)
    with pytest.raises(TypeError, match="whole number"):
        Grades(good=1.5)  # type: ignore[arg-type]


# Forms


@pytest.fixture(scope="module")
def reviewed() -> Review:
    game = Game.from_moves(_text(5), {"black": "Ann", "white": "Bob ] \\ :"}, "0-1")
    next(iter(game.root.main_line())).comment = "so it begins"
    game.root.children[0].children[0].add("a1", "a variation of the file")
    return review(game, limit=Limit(nodes=20_000))


def test_data_is_json_and_tells_all(reviewed):
    data = reviewed.to_json_data()
    assert json.loads(json.dumps(data)) == data
    assert (data["version"], data["win"], data["level"]) == (1, _native.WIN, "hard")
    assert data["engine"] == f"renju {renju.__version__}"
    assert data["headers"]["black"] == "Ann"
    assert data["opening"]["code"] == games()[5]["opening"]
    assert len(data["scores"]) == len(data["moves"]) + 1 == len(games()[5]["moves"]) + 1
    assert data["end"]["reason"] == "five"
    assert len(data["end"]["line"]) == 5
    for row, name in zip(data["moves"], games()[5]["moves"], strict=True):
        assert row["move"] == name
        assert row["pv"][0] == row["best"]
        assert row["played_pv"][0] == row["move"]
        assert row["candidates"][0]["score"] >= row["played_score"]
        sign = 1 if row["color"] == "black" else -1
        assert data["scores"][row["number"] - 1] == sign * row["best_score"]
        Board(games()[5]["moves"][: row["number"] - 1] + row["pv"])  # a line that can be played


def test_annotated_games_are_read_back(reviewed):
    (game,) = io.sgf.loads(reviewed.to_sgf())
    assert game.moves == reviewed.game.moves
    assert (game.errors, game.result) == ([], "0-1")
    assert game.headers["white"] == "Bob ] \\ :"
    assert game.comments[1].startswith("so it begins\n")
    nodes = list(game.root.main_line())
    for node, move, score in zip(nodes, reviewed.moves, reviewed.scores[1:], strict=True):
        assert move.comment in node.comment
        assert node.properties["V"] == [str(score)]
        mark = {"inaccuracy": "DO", "mistake": "BM", "blunder": "BM"}.get(move.quality if move.graded else "")
        assert {"DO", "BM"} & node.properties.keys() == set(filter(None, [mark]))
    firsts = {(count, node.move) for count, node in game.variations}
    assert (2, Point("a1")) in firsts
    for move in reviewed.moves:
        assert move.best == move.move or (move.number - 1, move.best) in firsts
    # The review did not touch the game it was made of.
    assert reviewed.game.comments == {1: "so it begins"}


@pytest.mark.slow
def test_an_allowed_win_is_a_variation_but_never_the_main_line():
    found = review("h8 a1 h9 c1 h10 e1", limit=FEW)
    assert found.moves[5].allowed is not None
    assert io.sgf.loads(found.to_sgf())[0].moves == found.game.moves
    # The game follows the win and ends before it.
    short = review(_text(0, 8), limit=Limit(nodes=200_000))
    assert short.moves[6].allowed is not None
    assert short.moves[6].allowed.first == short.moves[7].move
    assert len(short.moves[6].allowed.line) > 1
    assert io.sgf.loads(short.to_sgf())[0].moves == short.game.moves
    longer = review("h8 a1 h9 c1 h10 e1 g1", limit=FEW)
    (game,) = io.sgf.loads(longer.to_sgf())
    assert game.moves == longer.game.moves
    assert longer.moves[5].allowed is not None
    assert (6, longer.moves[5].allowed.first) in {(count, node.move) for count, node in game.variations}


def test_the_table(reviewed):
    text = str(reviewed)
    lines = text.splitlines()
    assert lines[0].startswith("Ann – Bob")
    assert sum(line.lstrip()[:1].isdigit() for line in lines) == len(reviewed.moves)
    assert "black: accuracy" in text
    assert "result: white won (five)" in text
    assert max(map(len, lines[:20])) < 200


def test_pages(reviewed, tmp_path):
    page = reviewed.to_html(tmp_path / "report.html")
    assert (tmp_path / "report.html").read_text(encoding="utf-8") == page
    assert "Ann" in page
    assert page.lstrip().lower().startswith("<!doctype html")


# Progress and interruption


def _assert_no_thread_is_left() -> None:
    def are_gone() -> bool:
        return all(thread.name != "renju-review" for thread in threading.enumerate())

    wait_until(are_gone, what="the end of all threads")


def test_progress_is_told(capsys):
    told: list[tuple[int, int]] = []
    found = review("h8 i9 g7", limit=FEW, progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (7, 7)
    assert [done for done, _ in told] == sorted({done for done, _ in told})
    assert len(found.moves) == 3
    review("h8", limit=FEW, progress=True)
    assert "3/3" in capsys.readouterr().err

    def fail(done: int, total: int) -> None:
        raise LookupError("of the caller")

    with pytest.raises(LookupError, match="of the caller"):
        review(_text(3), limit=FEW, progress=fail)
    _assert_no_thread_is_left()


def test_ctrl_c_leaves_a_review_of_the_first_moves():
    sent: list[CpuClock] = []

    def interrupt(done: int, total: int) -> None:
        if done >= 8 and not sent:
            sent.append(CpuClock())
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(renju.Interrupted) as caught:
        review(_text(3), limit=Limit(time=2), progress=interrupt)
    assert sent[0].seconds() < 10, "an order of magnitude, not a figure"
    partial = caught.value.partial
    assert isinstance(partial, Review)
    assert 0 < len(partial.moves) < len(games()[3]["moves"])
    assert [move.number for move in partial.moves] == list(range(1, len(partial.moves) + 1))
    assert "interrupted" in partial.notes[-1]
    assert partial.turning_point is None
    assert io.sgf.loads(partial.to_sgf())[0].moves == partial.game.moves
    _assert_no_thread_is_left()


def test_an_error_in_a_thread_is_raised(monkeypatch):
    def fail(self: Judge, board: Board, move: Point | None) -> None:
        raise ZeroDivisionError("in a thread")

    monkeypatch.setattr(review_steps.Judge, "look", fail)
    with pytest.raises(ZeroDivisionError, match="in a thread"):
        review("h8 i9 g7", limit=FEW)
    _assert_no_thread_is_left()


# The command


def _run(*arguments: str) -> int:
    parser = argparse.ArgumentParser()
    add_review(parser.add_subparsers())
    options = parser.parse_args(["review", *arguments])
    return int(options.run(options))


def test_the_command_writes_all_forms_at_once(tmp_path: Path, capsys):
    file, page, sgf = tmp_path / "games.sgf", tmp_path / "report.html", tmp_path / "notes.sgf"
    io.dump([Game.from_moves("h8 i9 g7"), Game.from_moves(IGNORED_THREE)], file)
    code = _run(str(file), "--game", "2", "--nodes", "7000", "-o", str(page), "--sgf", str(sgf), "--json")
    assert code == 0
    shown = capsys.readouterr()
    assert "has 2 games; this is game 2" in shown.err
    data = json.loads(shown.out)
    assert data["turning_point"]["number"] == 6
    assert page.stat().st_size > 1000
    assert io.load(sgf)[0].moves == Board(IGNORED_THREE).moves
    assert _run("--moves", "h8 i9 g7", "--nodes", "7000", "--level", "easy", "--grades", "0,1,2,1") == 0
    assert "accuracy" in capsys.readouterr().out
    assert _run("--moves", "h8", "--nodes", "7000", "--sgf", "-") == 0
    assert capsys.readouterr().out.startswith("(;")


def test_what_the_command_refuses(tmp_path: Path, capsys):
    file = tmp_path / "one.txt"
    file.write_text("h8i9g7\n")
    assert _run(str(file), "--game", "2") == 1
    assert "has no game 2" in capsys.readouterr().err
    assert _run("--moves", "") == 1
    with pytest.raises(ValueError, match="standard output"):
        _run(str(file), "--json", "--sgf", "-")
    with pytest.raises(ValueError, match="counted from 1"):
        _run(str(file), "--game", "0")
    with pytest.raises(FileNotFoundError):
        _run(str(tmp_path / "none.sgf"))
    with pytest.raises(SystemExit):
        _run("--moves", "h8", "--grades", "1,2,3,4,5")
    assert "5 numbers, not 3 or 4" in capsys.readouterr().err
    for wrong in (["--moves", "h8", "--grades", "9,1,2"], [], ["a.sgf", "--moves", "h8"]):
        with pytest.raises(SystemExit) as caught:
            _run(*wrong)
        assert caught.value.code == 2


def test_standard_input_may_be_any_format(monkeypatch, capsys):
    import io as streams

    for data in (b"h8i9g7\n", b"(;GM[4]SZ[15];B[hh];W[ig];B[gi])"):
        monkeypatch.setattr("sys.stdin", streams.TextIOWrapper(streams.BytesIO(data)))
        assert _run("-", "--nodes", "7000", "--json") == 0
        assert [row["move"] for row in json.loads(capsys.readouterr().out)["moves"]] == ["H8", "I9", "G7"]


def test_a_forced_win_prints_its_line():
    board = Board.from_stones("f8 g8 h8", "a1 a3", turn=BLACK)
    win = ForcedWin("vcf", solve_vcf(board))
    assert str(win) == f"vcf in 1: {win.first}"


@pytest.mark.slow
@pytest.mark.parametrize("k", [1, 6])
def test_the_images_of_a_game_get_the_same_review(k):
    # A search that is cut off by its nodes has looked at the points in some order, which must not show.
    board = Board(_text(17), referee=False)
    there, here = review(board.transform(k), limit=FEW), review(board, limit=FEW)
    assert _assert_proved(there) == _assert_proved(here) > 0
    for one, other in zip(here.moves, there.moves, strict=True):
        assert (one.move.transform(k), one.best.transform(k)) == (other.move, other.best)
        assert [point.transform(k) for point in one.pv + one.played_pv] == [*other.pv, *other.played_pv]
        assert {point.transform(k) for point in one.forbidden} == set(other.forbidden)
        facts = [
            (move.quality, move.loss, move.best_score, move.played_score, move.nodes) for move in (one, other)
        ]
        assert facts[0] == facts[1]
    assert here.scores == there.scores


@pytest.mark.slow
def test_the_limit_of_a_move_is_for_all_that_is_searched():
    # In the second game black is lost for long, where proofs and defences take the most.
    limit = 30_000
    for number in (12, 17):
        found = review(_text(number), limit=Limit(nodes=limit))
        assert max(move.nodes for move in found.moves) <= 1.05 * limit
