"""Engines of the Gomocup protocol asked by an event loop: well or badly behaved, stopped and cancelled."""

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from renju import Board, EngineError, Limit, Point
from renju.protocol import AsyncEngine, popen
from renju.protocol.remarks import parse_remark
from support.gomocup import COMMAND, Brain
from support.positions import FORCED_FOUL, QUIET
from support.waiting import PATIENCE_S

# Says something and thinks until it is told to stop.
THINKS = """print("MESSAGE depth 3-5 ev -7 n 1.5K pv h8 i9", flush=True)
    while not (word := sys.stdin.readline().strip()).endswith({stop!r}):
        print(word, file=log, flush=True)
        print("UNKNOWN command", flush=True)"""


@pytest.fixture
def brain(tmp_path: Path) -> Brain:
    return Brain(tmp_path)


def run(
    command: list[Any], work: Callable[[AsyncEngine], Coroutine[Any, Any, None]], **options: Any
) -> AsyncEngine:
    async def main() -> AsyncEngine:
        async with asyncio.timeout(PATIENCE_S), popen(command, **options) as engine:
            await work(engine)
        return engine

    engine = asyncio.run(main())
    assert "ended" in repr(engine)
    return engine


@pytest.mark.slow
def test_a_client_sends_what_is_new(brain: Brain) -> None:
    async def work(engine: AsyncEngine) -> None:
        board = Board()
        assert await engine.about() == 'name="brain"'
        answer = await engine.play(board, Limit(nodes=9))
        assert (answer.point, answer.messages) == (Point("A1"), ("MESSAGE thinking",))
        board.push(answer.point)
        board.push("h8")
        # Two at once take turns.
        answers = await asyncio.gather(engine.play(board), engine.play(board))
        assert [answer.point for answer in answers] == [Point("B1"), Point("B1")]
        await engine.restart()
        assert (await engine.play(Board())).point == Point("A1")

    run(brain.command(), work, info={"thread_num": 2})
    assert brain.told() == [
        *["START 15", "ABOUT", "BEGIN", "TURN 7,7", "RESTART", "BOARD", "0,14,1", "7,7,2", "DONE"],
        *["RESTART", "BEGIN"],
    ]
    assert brain.info()[:6] == [
        *["rule 4", "game_type 1", "timeout_match 0", "thread_num 2"],
        *["timeout_turn 2147483647", "max_node 9"],
    ]
    assert brain.log.read_text().splitlines()[-1] == "END"


@pytest.mark.slow
@pytest.mark.parametrize("stop", ["YXSTOP", "STOP"])
def test_an_analysis_is_stopped_and_left(brain: Brain, stop: str) -> None:
    """A program may know one of the two words, or both."""

    async def work(engine: AsyncEngine) -> None:
        async with engine.analysis(Board(QUIET)) as analysis:
            async for remark in analysis:
                assert (remark.depth, remark.score, remark.nodes) in [(3, -7, 1500), (None, None, None)]
                if stop == "YXSTOP" and remark.depth:
                    analysis.stop()
                elif stop == "STOP":
                    break
        if stop == "YXSTOP":
            assert (await analysis.wait()).point == Point("A1")
        else:
            with pytest.raises(EngineError, match="was left"):
                await analysis.wait()
        assert await engine.about() == 'name="brain"'
        thinking = asyncio.create_task(engine.play(Board(QUIET), Limit(time=1000)))
        while not engine._asking.locked() or thinking.done():
            await asyncio.sleep(0)
        thinking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await thinking
        await engine.restart()
        assert await engine.about() == 'name="brain"'

    thinks = THINKS.format(stop=stop)
    if stop == "STOP":  # not the other word, which ends in the same letters
        thinks = thinks.replace(".endswith('STOP')", " == 'STOP'")
    run(brain.command(move=thinks), work)


@pytest.mark.slow
def test_an_engine_that_cannot_be_stopped_is_started_again(brain: Brain) -> None:
    async def work(engine: AsyncEngine) -> None:
        async with engine.analysis(Board(QUIET)) as analysis:
            await anext(analysis)
        engine._patience_s = 0.3
        settled = asyncio.create_task(engine._settle())
        await asyncio.sleep(0)
        engine._patience_s = PATIENCE_S  # it may take its time to start
        await settled
        assert await engine.about() == 'name="brain"'

    run(brain.command(move=THINKS.format(stop="NEVER")), work, patience_s=PATIENCE_S)
    assert brain.told().count("START 15") == 2


@pytest.mark.slow
@pytest.mark.parametrize(
    ("move", "message"),
    [
        ("sys.exit(3)", "ended with exit code 3"),
        ("sys.exit('out of luck')", "(?s)exit code 1.*out of luck"),
        ("time.sleep(600)", r"gave no answer within 0\.7 s"),
        ("os.close(1); time.sleep(600)", "closed its output"),
        ("print('hello', flush=True); return", "answered 'hello'"),
        ("print('6,8', flush=True); return", r"6,8 \(G7\), which is forbidden"),
        ("print('SUGGEST x', flush=True); return", "answered 'x'"),
        ("print('a' * 10**6, flush=True); return", "which is no point"),
    ],
)
def test_an_engine_that_does_not_do_its_part(brain: Brain, move: str, message: str) -> None:
    async def work(engine: AsyncEngine) -> None:
        if "sleep" in move:  # only now: it may take its time to start
            engine._patience_s = 0.5
        with pytest.raises(EngineError, match=message):
            await engine.play(Board(FORCED_FOUL), Limit(time=0.2))
        with pytest.raises(EngineError, match="has ended"):
            await engine.about()
        engine._patience_s = PATIENCE_S
        await engine.restart()
        assert await engine.about() == 'name="brain"'

    run(brain.command(move=move), work, patience_s=PATIENCE_S)


@pytest.mark.parametrize(
    ("start", "message"),
    [("sys.exit(2)", "exit code 2"), ("print('ERROR only 20', flush=True); continue", "only 20")],
)
def test_an_engine_that_does_not_start(brain: Brain, start: str, message: str) -> None:
    with pytest.raises(EngineError, match=message):
        run(brain.command(start=start), lambda engine: asyncio.sleep(0), patience_s=PATIENCE_S)


def test_what_cannot_be_asked(brain: Brain, tmp_path: Path) -> None:
    with pytest.raises(EngineError, match="cannot be started"):
        run([tmp_path / "nothing"], lambda engine: asyncio.sleep(0))
    with pytest.raises(ValueError, match="patience_s"):
        popen("engine", patience_s=-1)

    async def work(engine: AsyncEngine) -> None:
        with pytest.raises(ValueError, match="the game is over"):
            await engine.play(Board("h8a1i8a3j8a5k8a7l8"))
        with pytest.raises(RuntimeError, match="async with"):
            await anext(engine.analysis(Board()))
        assert (await engine.play(Board())).point == Point("A1")

    run(brain.command(), work)


@pytest.mark.slow
def test_our_engine_tells_its_depths() -> None:
    async def work(engine: AsyncEngine) -> None:
        board = Board(QUIET)
        async with engine.analysis(board, Limit(time=1000)) as analysis:
            async for remark in analysis:
                if remark.depth == 3:
                    analysis.stop()
        answer = await analysis.wait()
        depths = [remark.depth for remark in map(parse_remark, answer.messages)]
        assert depths[:3] == [1, 2, 3]
        assert board.is_legal(answer.point)

    run(COMMAND, work, info={"show_detail": 1})
