"""The Gomocup protocol: positions, settings, commands and any lines, with a small engine in this process."""

import io
import os
import re
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import renju
from renju import BLACK, PASS, WHITE, Board, Limit, Point
from renju.protocol import serve, wire
from renju.protocol.settings import Settings
from support.gomocup import LONG_MS, Result, SmallEngine, board_command, rows
from support.positions import DOUBLE_THREE, FORCED_FOUL

# A small engine


def answers(commands: str, engine: SmallEngine | None = None) -> list[str]:
    """All answers to these lines but messages."""
    return [line for line in all_answers(commands, engine) if not line.startswith("MESSAGE")]


def all_answers(commands: str, engine: SmallEngine | None = None) -> list[str]:
    output = io.StringIO()
    assert serve(io.StringIO(commands), output, engine or SmallEngine()) == 0
    return output.getvalue().splitlines()


# Points and positions


def test_rows_count_from_the_top() -> None:
    names = {"H8": "7,7", "A15": "0,0", "O15": "14,0", "A1": "0,14", "O1": "14,14", "I9": "8,6"}
    for name, text in names.items():
        assert wire.point_text(Point(name)) == text
    for index in range(225):
        assert wire.parse_point(wire.point_text(Point(index))) == index
    assert wire.parse_point(" 8 , 6 ") == Point("I9")


@pytest.mark.parametrize(
    "text", ["", "7", "7,", "7,7,1", "15,0", "0,15", "-1,-1", "h8", "7;7", "7.0,7", "9" * 99 + ",1", "٧,7"]
)
def test_what_is_no_point(text: str) -> None:
    with pytest.raises(renju.NotationError):
        wire.parse_point(text)


def test_positions_in_the_order_of_the_moves() -> None:
    for moves in ["", "h8", "h8i9", "h8i9g7", DOUBLE_THREE, FORCED_FOUL]:
        board = Board(moves)
        again = wire.position([wire.parse_stone(row) for row in wire.stone_rows(board)])
        assert again.record() == board.record()


def test_positions_in_any_order() -> None:
    stones = [wire.parse_stone(row) for row in ["7,7,1", "6,8,1", "8,6,2", "9,9,2"]]
    board = wire.position(stones)
    assert board == Board("h8i9g7j6")
    assert wire.position(stones[::-1]) == board
    # One stone more: the opponent was first.
    assert wire.position([*stones[::-1], wire.parse_stone("0,0,2")]).turn == WHITE
    # The counts tell nothing: the first row does.
    assert wire.position([stones[0], stones[1]]).turn == BLACK
    assert wire.position([stones[2], stones[3]]).turn == WHITE


def test_whoever_is_asked_is_to_move() -> None:
    stones = [wire.parse_stone(row) for row in ["7,7,1", "8,6,2", "6,8,1"]]
    assert wire.position(stones) == Board.from_stones("h8 g7", "i9", turn=BLACK)
    assert wire.position(stones, own_to_move=False).record() == "h8i9g7"


def test_rows_of_a_set_up_take_turns() -> None:
    board = Board.from_stones("a1 c1 e1", "b3 d3", turn=WHITE)
    assert [row[-1] for row in wire.stone_rows(board)] == list("21212")
    assert wire.position([wire.parse_stone(row) for row in wire.stone_rows(board)]) == board
    board.push("h8")
    assert wire.stone_rows(board)[-1] == "7,7,2"
    with pytest.raises(renju.PositionError, match="white moved first"):
        wire.stone_rows(Board.from_stones("", "h8", turn=BLACK))


def test_a_pass_has_no_row() -> None:
    board = Board("h8i9g7 pass")
    assert len(wire.stone_rows(board)) == 3
    assert wire.position([wire.parse_stone(row) for row in wire.stone_rows(board)]) == board


# Settings


def limit_of(*lines: str, ply: int = 0, elapsed_s: float = 0.0) -> Limit:
    told = Settings()
    for line in lines:
        told.take(line)
    return told.limit(ply, elapsed_s)


@pytest.mark.parametrize("turn_ms", [1, 20, 50, 100, 1000, 30_000, LONG_MS, 2**31 - 1, 10**30])
def test_a_turn_keeps_a_margin(turn_ms: int) -> None:
    seconds = limit_of(f"timeout_turn {turn_ms}").time
    assert seconds is not None
    if turn_ms >= 50:
        assert turn_ms / 2 <= min(seconds * 1000, turn_ms) < turn_ms or turn_ms > 10**12
    if turn_ms >= 1000:
        assert seconds * 1000 <= turn_ms - 30


def test_as_fast_as_possible() -> None:
    for lines in [("timeout_turn 0",), ("timeout_turn 5000", "time_left 0"), ("time_left -5000",)]:
        seconds = limit_of(*lines).time
        assert seconds is not None
        assert 0 < seconds <= 0.05
    late = limit_of("timeout_turn 1000", elapsed_s=5.0).time
    assert late is not None
    assert 0 < late <= 0.05


def test_the_match_time_is_shared_out() -> None:
    left_s = 60.0
    for ply in range(0, 120, 2):
        seconds = limit_of("timeout_turn 30000", f"time_left {int(left_s * 1000)}", ply=ply).time
        assert seconds is not None
        assert seconds < max(left_s / 4, 0.02)
        left_s -= seconds
    assert left_s > 0
    assert limit_of("timeout_turn 1000", "time_left 60000") == limit_of("timeout_turn 1000")


def test_a_match_without_limit() -> None:
    turn_only = limit_of("timeout_turn 2000")
    assert limit_of("timeout_turn 2000", f"time_left {2**31 - 1}") == turn_only
    assert limit_of("timeout_turn 2000", "timeout_match 0") == turn_only


def test_without_time_left_we_keep_the_account() -> None:
    told = Settings(spent_s=1.0)
    told.take("timeout_match 10000")
    first = told.limit(0).time
    told.spend(8.5)
    second = told.limit(0).time
    assert first is not None
    assert second is not None
    assert first > 5 * second
    told.new_game()
    assert told.limit(0) == limit_of("timeout_match 10000")


def test_the_manager_knows_better_what_is_left() -> None:
    told = Settings(spent_s=5.0)
    told.take("timeout_match 10000")
    told.take("time_left 6000")
    told.new_game()  # Yixin-Board tells the time before it sends START
    assert told.limit(0) == limit_of("time_left 6000")


def test_nodes_and_depth() -> None:
    assert limit_of("max_node 5000", "MAX_DEPTH 7") == Limit(nodes=5000, depth=7)
    assert limit_of("max_node -1", "timeout_turn 1000").nodes is None
    both = limit_of("max_node 5000", "timeout_turn 1000")
    assert both.nodes == 5000
    assert both.time is not None
    assert limit_of().time == 5.0


@pytest.mark.parametrize(
    "line",
    [
        "",
        "max_depth",
        "max_depth x",
        "max_depth 7.5",
        "folder C:\\x y",
        "evaluate 3,4",
        "pondering 1",
        "🙂 1",
    ],
)
def test_info_that_says_nothing_is_ignored(line: str) -> None:
    assert limit_of(line) == limit_of()


def test_memory_and_threads() -> None:
    def size(*lines: str) -> tuple[int, int]:
        told = Settings()
        for line in lines:
            told.take(line)
        return told.threads, told.hash_mb

    assert size() == (1, 64)
    assert size("max_memory 0") == (1, 64)
    assert size(f"max_memory {120 * 2**20}") == (1, 20)
    assert size("max_memory 1000") == (1, 1)
    assert size("hash_size 8192") == (1, 8)
    assert size("hash_size 512") == (1, 1)
    assert size("hash_size 0") == (1, 64)
    assert size("hash_size 1048576", f"max_memory {400 * 2**20}") == (1, 300)
    assert size(f"hash_size {10**20}") == (1, 4096)
    assert size("thread_num 0") == (1, 64)
    assert size("thread_num 100000") == (os.cpu_count(), 64)


# Commands


@pytest.mark.parametrize(
    "line", ["START 15", "start 15", "Start 15 15", "START 15,15", "RECTSTART 15,15", "RESTART"]
)
def test_start(line: str) -> None:
    assert answers(f"{line}\nBEGIN\n{line}\nBEGIN") == ["OK", "0,14", "OK", "0,14"]


@pytest.mark.parametrize(
    "line", ["START 20", "START", "START x", "START 15 20", "RECTSTART 20,15", "START -15", "START 1e9"]
)
def test_other_sizes_are_refused(line: str) -> None:
    refused, *rest = answers(f"{line}\nSTART 15\nBEGIN")
    assert refused == "ERROR only boards of 15 x 15 are played"
    assert rest == ["OK", "0,14"]


def test_about() -> None:
    (line,) = answers("ABOUT")
    fields = dict(re.findall(r'(\w+)="([^"]*)"', line))
    assert fields["name"] == "renju"
    assert fields["version"] == renju.__version__


def test_a_game() -> None:
    assert answers("START 15\nBEGIN\nTURN 7,7\nTURN 7,6") == ["OK", "0,14", "1,14", "2,14"]
    assert answers("START 15\nTURN 0,14\nTURN 2,14\nRESTART\nTURN 0,14") == [
        "OK",
        "1,14",
        "3,14",
        "OK",
        "1,14",
    ]


def test_a_board() -> None:
    engine = SmallEngine()
    assert answers(f"START 15\n{board_command('h8i9g7')}\nTURN 1,14", engine) == ["OK", "0,14", "2,14"]
    assert [board.record() for board in engine.boards] == ["h8i9g7", "h8i9g7a1b1"]
    assert answers("BOARD\nDONE") == ["0,14"]
    assert answers("board 7,7,2 8, 6, 1 6,8,2 done") == ["0,14"]


@pytest.mark.parametrize(
    ("board_rows", "message"),
    [
        ("7,7,1\n7,7,2", "H8 is occupied by black"),
        ("7,7,1\n8,8,1\n7,7,1", "H8 is given twice"),
        ("7,7,3", "a stone is x,y,1"),
        ("7,7", "a stone is x,y,1"),
        ("15,7,1", "15,7 is off the board"),
        ("nonsense", "a stone is x,y,1"),
        (",,,", "a stone is x,y,1"),
        ("\n".join(rows("h8a1i8a3j8a5k8a7l8")), "the game is over (five)"),
    ],
)
def test_bad_boards(board_rows: str, message: str) -> None:
    line, after = answers(f"BOARD\n{board_rows}\nDONE\n{board_command('h8')}")
    assert line.startswith("ERROR ")
    assert message in line
    assert after == "0,14"


def test_a_board_that_does_not_end() -> None:
    error, ok, move = answers("BOARD\n7,7,1\nSTART 15\nBEGIN")
    assert (error, ok, move) == ("ERROR the rows of a board did not end with DONE", "OK", "0,14")
    assert answers("START 15\nBOARD\n7,7,2\n") == ["OK"]
    assert answers("BOARD\n7,7,2\nINFO time_left 1000\nDONE") == ["0,14"]


def test_a_bad_turn_changes_nothing() -> None:
    lines = answers("START 15\nTURN 7,7\nTURN 7,7\nTURN 15,7\nTURN\nTURN x\nTURN 7,7,1\nTURN -1,-1\nTURN 7,6")
    assert lines[:2] == ["OK", "0,14"]
    assert all(line.startswith("ERROR ") for line in lines[2:-1])
    assert lines[-1] == "1,14"


def test_take_back() -> None:
    engine = SmallEngine()
    commands = (
        "START 15\nTURN 7,7\nTAKEBACK 0,14\nTAKEBACK 7,7\nTURN 8,8\nTAKEBACK 8,8\nTAKEBACK 3,3\nTAKEBACK"
    )
    lines = answers(commands, engine)
    assert lines[:6] == ["OK", "0,14", "OK", "OK", "0,14", "OK"]
    assert lines[6] == "ERROR there is no stone on D12"
    assert lines[7].startswith("ERROR ")
    assert [board.record() for board in engine.boards] == ["h8", "i7"]


def test_play() -> None:
    assert answers("START 15\nPLAY 7,7\nTURN 8,8\nPLAY 7,7") == [
        "OK",
        "7,7",
        "0,14",
        "ERROR H8 is occupied by black",
    ]
    assert answers(f"{board_command(DOUBLE_THREE, 'YXBOARD')}\nPLAY 7,7") == [
        "ERROR H8 is forbidden (double-three)"
    ]


def test_set_up_without_an_answer() -> None:
    assert answers(f"{board_command('h8i9g7', 'YXBOARD')}\nTURN 14,14\nyxboard\ndone\nBEGIN") == [
        "0,14",
        "0,14",
    ]


def test_forbidden_points() -> None:
    assert answers("yxshowforbid") == ["FORBID ."]
    commands = f"{board_command(DOUBLE_THREE, 'yxboard')}\nyxshowforbid"
    assert answers(commands) == ["FORBID 0707."]
    two = Board.from_stones("a12 b12 c12 e12 f12 f2 g2 h3 h4", "", turn=BLACK)
    assert [str(point) for point in two.forbidden_points()] == ["H2", "D12"]
    lines = "\n".join(wire.stone_rows(two))
    assert answers(f"yxboard\n{lines}\ndone\nyxshowforbid") == ["FORBID 07130303."]


def test_swap2() -> None:
    (opening,) = answers("SWAP2BOARD\nDONE")
    points = [wire.parse_point(text) for text in opening.split()]
    assert len(set(points)) == 3
    three = "SWAP2BOARD\n7,7\n8,7\n9,9\nDONE"
    five = "SWAP2BOARD\n7,7\n8,7\n9,9\n8,8\n8,6\nDONE"

    def engine(score: int) -> SmallEngine:
        return SmallEngine(results=lambda board: Result(board.legal_moves[0], score=score))

    for commands in (three, five):
        assert answers(commands, engine(5)) == ["0,14"]
        assert answers(commands, engine(-5)) == ["SWAP"]
    assert answers("SWAP2BOARD\n7,7\nDONE")[0].startswith("ERROR ")
    assert answers("SWAP2BOARD\n7,7\n7,7\n7,8\nDONE")[0].startswith("ERROR ")


def test_several_best_moves() -> None:
    lines = all_answers("START 15\nINFO timeout_turn 100\nYXNBEST 2\nTURN 7,7")
    assert lines[:3] == ["OK", "MESSAGE 1: A1 ev 0 pv A1", "MESSAGE 2: B1 ev -1 pv B1"]
    assert lines[4] == "0,14"
    assert lines[-1] == "1,14"  # the best one was played
    for number in ["", "x", "-1", "9" * 5000]:
        assert answers(f"YXNBEST {number}")[0].startswith("ERROR ")
    assert answers("YXNBEST 0\nYXNBEST 999") == ["0,14", "1,14"]


def test_messages() -> None:
    assert all_answers("BEGIN") == ["MESSAGE depth 3-5 ev 12 n 100 tm 250 pv A1 B1", "0,14"]
    win = SmallEngine(results=lambda board: Result(board.legal_moves[0], win_in=7))
    loss = SmallEngine(results=lambda board: Result(board.legal_moves[0], win_in=-4))
    assert "ev +M7 " in all_answers("BEGIN", win)[0]
    assert "ev -M4 " in all_answers("BEGIN", loss)[0]
    assert len(all_answers("INFO show_detail 1\nBEGIN")) == 3
    assert len(all_answers("INFO show_detail 0\nBEGIN")) == 2


def test_an_engine_of_the_size_that_is_asked_for() -> None:
    engine = SmallEngine()
    commands = "START 15\nINFO hash_size 8192\nBEGIN\nTURN 7,7\nYXHASHCLEAR\nINFO thread_num 1\nTURN 7,6"
    assert answers(commands, engine) == ["OK", "0,14", "1,14", "2,14"]
    assert engine.sizes == [(1, 64), (1, 8)]
    assert engine.cleared == 1
    assert answers("YXHASHCLEAR") == []


def test_what_a_graphical_manager_may_offer() -> None:
    assert all_answers("yxshowinfo") == [
        f"MESSAGE INFO MAX_THREAD_NUM {os.cpu_count()}",
        "MESSAGE INFO MAX_HASH_SIZE 22",
    ]


def test_limits_reach_the_engine() -> None:
    engine = SmallEngine()
    answers("START 15\nINFO max_node 300\nINFO max_depth 4\nBEGIN\nINFO timeout_turn 2000\nTURN 7,7", engine)
    assert engine.limits[0] == Limit(nodes=300, depth=4)
    assert engine.limits[1] is not None
    assert engine.limits[1].time is not None
    assert 0.5 < engine.limits[1].time < 2.0


@pytest.mark.parametrize(
    ("rule", "is_told"), [(4, False), (2, False), (5, False), (0, True), (1, True), (8, True)]
)
def test_other_rules_are_told_once(rule: int, is_told: bool) -> None:
    lines = all_answers(f"INFO rule {rule}\nSTART 15\nBEGIN\nTURN 7,7")
    assert sum("only renju" in line for line in lines) == is_told
    assert lines[0] == "OK"


def test_a_foul_of_the_opponent_is_told_and_play_goes_on() -> None:
    engine = SmallEngine()
    commands = f"{board_command(DOUBLE_THREE + 'o1', 'YXBOARD')}\nTAKEBACK 14,14\nTURN 7,7\nTURN 14,0"
    lines = all_answers(commands, engine)
    assert "MESSAGE H8 is forbidden to black (double-three)" in lines
    assert [line for line in lines if "," in line and "MESSAGE" not in line] == ["1,14", "2,14"]
    assert engine.boards[0] == Board.from_stones("f8 g8 h9 h10 h8", "a1 a3 a5 a7", turn=WHITE)


def test_after_the_end_there_is_no_move() -> None:
    before = "h8a1i8a3j8a5k8a7"
    commands = f"{board_command(before, 'YXBOARD')}\nTURN 11,7\nTURN 0,0\nBEGIN\nTAKEBACK 11,7\nBEGIN"
    lines = answers(commands)
    assert lines[0] == "ERROR the game is over (five)"
    assert all(line.startswith("ERROR the game is over") for line in lines[1:3])
    assert lines[3:] == ["OK", "1,14"]


def test_no_legal_move_is_an_error() -> None:
    cells = [["XO"[(x + 2 * y) % 4 // 2] for x in range(15)] for y in range(15)]
    cells[0][:7] = "XXX.XXO"  # the only empty point would make six
    board = Board.from_text("\n".join(map(" ".join, cells[::-1])), turn=BLACK)
    assert board.outcome is None
    assert board.legal_moves == ()
    lines = "\n".join(sorted(wire.stone_rows(board), key=lambda row: row[-1]))
    assert answers(f"BOARD\n{lines}\nDONE\nABOUT")[0] == "ERROR black has no legal move"


# An engine that fails


def unable(board: Board) -> Result:
    raise RuntimeError("no\nmove")


@pytest.mark.parametrize(
    "results",
    [
        pytest.param(lambda board: Result(Point("G7")), id="forbidden"),
        pytest.param(lambda board: Result(Point("H8")), id="occupied"),
        pytest.param(lambda board: Result(Point(PASS)), id="pass"),
        pytest.param(unable, id="exception"),
    ],
)
def test_a_legal_move_whatever_the_engine_does(results: Callable[[Board], Result]) -> None:
    (line,) = answers(board_command(FORCED_FOUL), SmallEngine(results=results))
    board = Board(FORCED_FOUL)
    assert not board.is_legal("G7")
    assert board.is_legal(wire.parse_point(line))


def test_an_engine_that_cannot_be_made() -> None:
    def no_engine(*, threads: int, hash_mb: int) -> SmallEngine:
        raise MemoryError

    output = io.StringIO()
    serve(io.StringIO("START 15\nBEGIN\nABOUT"), output, no_engine)
    lines = output.getvalue().splitlines()
    assert lines[0].startswith("ERROR MemoryError")
    assert lines[1].startswith("MESSAGE the engine failed")
    assert lines[2] == "7,7"
    assert lines[3].startswith("name=")


# Lines


@pytest.mark.parametrize("end", ["\n", "\r\n", "\n\n", " \r\n\r\n"])
def test_ends_of_lines(end: str) -> None:
    commands = ["START 15", "Board", "7,7,2", "done", "tUrN 14,14", "end", "ABOUT"]
    output = io.StringIO()
    serve(io.StringIO(end.join(commands), newline=""), output, SmallEngine())
    assert [line for line in output.getvalue().splitlines() if "MESSAGE" not in line] == [
        "OK",
        "0,14",
        "1,14",
    ]


GARBAGE = [
    "foo",
    "BEGINN",
    "DONE",
    "7,7",
    "MESSAGE hi",
    "OK",
    "\0\0",
    "{}",
    "é🙂",
    "x" * 100_000,
    "SUGGEST 7,7",
    "STARTX",
]


@pytest.mark.parametrize("line", GARBAGE, ids=range(len(GARBAGE)))
def test_what_is_unknown(line: str) -> None:
    lines = answers(f"{line}\nABOUT")
    assert lines[-1].startswith("name=")
    assert all(answer.startswith("UNKNOWN ") and len(answer) < 500 for answer in lines[:-1])
    assert all(answer.isascii() for answer in lines)


WORDS = st.sampled_from(
    re.split(
        " ",
        "START BEGIN TURN BOARD DONE INFO TAKEBACK PLAY SWAP2BOARD YXBOARD YXNBEST YXSHOWFORBID STOP RESTART "
        "timeout_turn hash_size 15 7,7 7,7,1 8,8,2 0,0 -3 é ,",
    )
)
LINES = st.lists(st.lists(WORDS, max_size=4).map(" ".join) | st.text(max_size=20), max_size=12)


@settings(max_examples=60, deadline=None)
@given(LINES)
def test_any_lines_are_survived(lines: list[str]) -> None:
    safe = [line for line in lines if "END" not in line.upper()]
    output = io.StringIO()
    assert serve(io.StringIO("\n".join([*safe, "ABOUT"])), output, SmallEngine()) == 0
    assert output.getvalue().splitlines()[-1].startswith("name=")
