"""Other engines that speak the Gomocup protocol: asked by us, well or badly behaved."""

from pathlib import Path

import pytest

import renju
from renju import BLACK, Board, EngineError, Limit, Point
from renju.protocol import EngineProcess, wire
from support.gomocup import COMMAND, Brain
from support.positions import FORCED_FOUL
from support.waiting import PATIENCE_S


@pytest.fixture
def brain(tmp_path: Path) -> Brain:
    return Brain(tmp_path)


@pytest.mark.slow
def test_a_client_sends_what_is_new(brain: Brain) -> None:
    board = Board()
    with EngineProcess(brain.command()) as engine:
        assert engine.about() == 'name="brain"'
        answer = engine.play(board)
        assert (answer.point, answer.messages) == (Point("A1"), ("MESSAGE thinking",))
        assert answer.time > 0
        board.push(answer.point)
        board.push("h8")
        assert engine.play(board).point == Point("B1")
        assert engine.play(board).point == Point("B1")  # the same again: not a move on
        assert engine.play(Board("o1 o2 o3")).point == Point("A1")
    assert brain.told() == [
        *["START 15", "ABOUT", "BEGIN", "TURN 7,7", "RESTART", "BOARD", "0,14,1", "7,7,2", "DONE"],
        *["RESTART", "BOARD", "14,14,2", "14,13,1", "14,12,2", "DONE"],
    ]


def test_a_client_tells_limits(brain: Brain) -> None:
    with EngineProcess(brain.command(), rule=4, info={"thread_num": 2}) as engine:
        engine.play(Board(), Limit(time=0.5))
        engine.play(Board("h8"), Limit(nodes=100, depth=3), time_left_s=60)
        engine.play(Board("h8i9"), Limit(time=0.5))
    assert brain.info() == [
        *["rule 4", "game_type 1", "timeout_match 0", "thread_num 2"],
        *["timeout_turn 500", "time_left 2147483647"],
        *["timeout_turn 2147483647", "max_node 100", "max_depth 3", "time_left 60000"],
        *["timeout_turn 500", "max_node -1", "max_depth 225", "time_left 2147483647"],
    ]


def test_a_client_begins_another_game(brain: Brain) -> None:
    with EngineProcess(brain.command()) as engine:
        engine.play(Board())
        engine.restart()
        assert engine.play(Board()).point == Point("A1")
    assert brain.told() == ["START 15", "BEGIN", "RESTART", "BEGIN"]


def test_an_engine_that_cannot_restart_is_started_again(brain: Brain) -> None:
    command = brain.command(restart="print('UNKNOWN command', flush=True); continue")
    with EngineProcess(command) as engine:
        engine.play(Board())
        assert engine.play(Board("h8i9")).point == Point("A1")
    assert brain.told()[:4] == ["START 15", "BEGIN", "RESTART", "START 15"]


def test_an_engine_that_suggests(brain: Brain) -> None:
    with EngineProcess(brain.command(move="print('SUGGEST 3,4', flush=True); return")) as engine:
        assert engine.play(Board()).point == wire.parse_point("3,4")


def test_engines_end_with_the_client(brain: Brain) -> None:
    engine = EngineProcess(brain.command())
    assert "ended" not in repr(engine)
    engine.quit()
    engine.quit()
    assert "ended" in repr(engine)
    with pytest.raises(EngineError, match="has ended"):
        engine.play(Board())
    engine.restart()
    assert engine.play(Board()).point == Point("A1")
    engine.quit()
    assert brain.log.read_text().splitlines()[-1] == "END"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("move", "message"),
    [
        ("sys.exit(3)", "ended with exit code 3"),
        ("sys.exit('out of luck')", "(?s)exit code 1.*out of luck"),
        ("time.sleep(600)", r"gave no answer within 0\.7 s"),
        ("os.close(1); time.sleep(600)", "closed its output"),
        ("print('hello', flush=True); return", "answered 'hello'"),
        ("print('99,99', flush=True); return", "answered '99,99'"),
        ("print('ERROR no idea', flush=True); return", "no idea"),
        ("print('UNKNOWN command', flush=True); return", "UNKNOWN command"),
        ("print('7,7', flush=True); return", r"7,7 \(H8\), which is occupied"),
        ("print('6,8', flush=True); return", r"6,8 \(G7\), which is forbidden"),
        ("print('SUGGEST x', flush=True); return", "answered 'x'"),
        ("sys.stdout.buffer.write(b'\\xff\\n'); sys.stdout.flush(); return", "which is no point"),
    ],
)
def test_an_engine_that_does_not_do_its_part(brain: Brain, move: str, message: str) -> None:
    with EngineProcess(brain.command(move=move), patience_s=PATIENCE_S) as engine:
        if "sleep" in move:  # only now: it may take its time to start
            engine._patience_s = 0.5
        with pytest.raises(EngineError, match=message):
            engine.play(Board(FORCED_FOUL), Limit(time=0.2))
        with pytest.raises(EngineError, match="has ended"):
            engine.about()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("start", "message"),
    [
        ("sys.exit(2)", "exit code 2"),
        ("print('ERROR only 20', flush=True); continue", "only 20"),
        ("time.sleep(600)", "gave no answer"),
    ],
)
def test_an_engine_that_does_not_start(brain: Brain, start: str, message: str) -> None:
    patience_s = 0.5 if "sleep" in start else PATIENCE_S
    with pytest.raises(EngineError, match=message):
        EngineProcess(brain.command(start=start), patience_s=patience_s)


def test_what_cannot_be_asked(brain: Brain, tmp_path: Path) -> None:
    with pytest.raises(EngineError, match="cannot be started"):
        EngineProcess(tmp_path / "nothing")
    with pytest.raises(ValueError, match="command"):
        EngineProcess([])
    with pytest.raises(ValueError, match="patience_s"):
        EngineProcess("engine", patience_s=-1)
    with EngineProcess(brain.command()) as engine:
        with pytest.raises(ValueError, match="the game is over"):
            engine.play(Board("h8a1i8a3j8a5k8a7l8"))
        with pytest.raises(TypeError, match="limit"):
            engine.play(Board(), 5)  # type: ignore[arg-type]
        with pytest.raises(renju.PositionError, match="white moved first"):
            engine.play(Board.from_stones("", "h8", turn=BLACK))
        assert engine.play(Board()).point == Point("A1")


@pytest.mark.slow
def test_our_engine_plays_itself() -> None:
    board = Board()
    with EngineProcess(COMMAND) as black, EngineProcess(COMMAND) as white:
        assert 'name="renju"' in black.about()
        while board.outcome is None and board.ply < 16:
            player = black if board.turn is BLACK else white
            answer = player.play(board, Limit(time=0.1, nodes=2000))
            assert any("depth" in message for message in answer.messages)
            assert board.is_legal(answer.point)
            board.push(answer.point)
    assert board.outcome is None or board.outcome.reason != "forbidden"
