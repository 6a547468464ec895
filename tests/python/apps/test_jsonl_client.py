"""`renju.jsonl.popen`: the program asked by an event loop, and what happens when one of them fails."""

import asyncio
import json
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

import renju
from renju import Board, Engine, EngineError, Forbidden, Limit, Point, SearchResult, jsonl
from support.jsonl_session import HARD, answer_to, ask
from support.positions import DOUBLE_THREE, MISE, OVER, QUIET
from support.waiting import PATIENCE_S

FEW = Limit(nodes=500)
LONG = Limit(time=1000)
SHORT_GAME = "h8 a1 h9 c1 h10 e1 h11 h12 h7"


# Turns, reports and reviews, as the server has them


def test_turns_are_answered_each_as_a_query_of_its_own() -> None:
    query = {"moves": "h8 i9 g7 i7", "limit": {"nodes": 100}, "multipv": 1}
    answers = {answer["ply"]: answer for answer in ask({"id": 1, "turns": [4, 0, 3], **query}, threads=2)}
    assert answers.keys() == {0, 3, 4}
    alone = answer_to({"id": 1, **query, "moves": "h8 i9 g7"})
    assert {**alone, "ply": 3, "time": 0} == {**answers[3], "time": 0}
    assert answers[0]["moves"] == []


@pytest.mark.parametrize(("moves", "plies"), [("h8 i9", [0, 1, 2]), (OVER, [*range(len(Board(OVER).moves))])])
def test_all_turns_are_those_before_the_end(moves: str, plies: list[int]) -> None:
    answers = ask({"id": 1, "moves": moves, "turns": "all", "job": "forbidden"}, threads=1)
    assert [answer["ply"] for answer in answers] == plies


def test_turns_after_a_set_up_count_the_moves_after_it() -> None:
    query = {"id": 1, "black": "h8", "white": "i9", "moves": "g7 i7", "turns": "all", "job": "forbidden"}
    assert [answer["moves"] for answer in ask(query, threads=1)] == [[], ["G7"], ["G7", "I7"]]


@pytest.mark.parametrize(
    ("turns", "field", "message"),
    [
        ("some", "turns", 'a list of numbers of moves or "all"'),
        ([], "turns", "1 to 1,000"),
        ([0, 3], "turns[1]", "from 0 to 2, not 3"),
        ([1, 1], "turns[1]", "given twice"),
        ([True], "turns[0]", "not true"),
        (["1"], "turns[0]", "from 0 to 2"),
        (list(range(1001)), "turns", "1,001"),
    ],
)
def test_turns_that_cannot_be_asked_about(turns: object, field: str, message: str) -> None:
    answer = answer_to({"id": 1, "moves": "h8 i9", "turns": turns})
    assert (answer["field"], "ply" in answer) == (field, False)
    assert message in answer["error"]


def test_a_turn_without_a_move_to_find_is_an_error_of_its_own() -> None:
    answers = ask({"id": 1, "moves": OVER, "turns": [0, len(Board(OVER).moves)], "limit": {"nodes": 10}})
    failed = [answer for answer in answers if "error" in answer]
    assert [answer["ply"] for answer in failed] == [len(Board(OVER).moves)]
    assert "the game is over" in failed[0]["error"]


def test_reports_come_after_every_depth_and_only_if_asked_for() -> None:
    query = {"id": 1, "moves": QUIET, "limit": {"nodes": 3000}, "multipv": 2}
    *reports, answer = ask({**query, "reports": True}, threads=1)
    assert [report["report"] for report in reports] == [*range(1, len(reports) + 1)]
    assert [report["depth"] for report in reports] == [*range(1, answer["depth"] + 1)]
    assert all(len(report["candidates"]) == 2 for report in reports)
    assert {**answer, "time": 0} == {**answer_to(query), "time": 0}


def test_a_review_is_that_of_the_function() -> None:
    *reports, answer = ask(
        {"id": 1, "job": "review", "moves": SHORT_GAME, "limit": {"nodes": 300}, "reports": True}
    )
    review = renju.review(SHORT_GAME, limit=Limit(nodes=300), threads=1)
    assert answer["review"] == json.loads(json.dumps(review.to_json_data()))
    assert (answer["interrupted"], reports[-1]["done"]) == (False, reports[-1]["total"])


def test_a_review_that_is_terminated_has_the_first_moves() -> None:
    answers: list[dict[str, Any]] = []
    with jsonl.Server(lambda line: answers.append(json.loads(line)), threads=1) as server:
        query = {"id": "r", "job": "review", "moves": QUIET, "limit": {"time": 1000}, "reports": True}
        server.feed(json.dumps(query))
        server.feed('{"id": "t", "action": "terminate", "terminate_id": "r"}')
    (review,) = [answer for answer in answers if answer["id"] == "r" and "report" not in answer]
    assert review["terminated"]
    assert review.get("no_results") or len(review["review"]["moves"]) < len(Board(QUIET).moves)


# The client


def run(work: Callable[[jsonl.Client], Coroutine[Any, Any, None]], **options: Any) -> None:
    async def main() -> None:
        async with asyncio.timeout(PATIENCE_S), jsonl.popen(**{"threads": 2, **options}) as client:
            await work(client)

    asyncio.run(main())


def same(found: SearchResult, expected: SearchResult) -> bool:
    names = ("move", "score", "depth", "seldepth", "nodes", "pv", "source", "candidates", "breakdown")
    return all(getattr(found, name) == getattr(expected, name) for name in names)


@pytest.mark.slow
def test_answers_are_those_of_python() -> None:
    board = Board(QUIET)

    async def work(client: jsonl.Client) -> None:
        played, analysed, proof, points = await asyncio.gather(
            client.play(board, FEW, seed=3, level="easy"),
            client.analyse(board, FEW, multipv=2),
            client.solve(Board(MISE), "mise-vcf"),
            client.forbidden(Board(DOUBLE_THREE)),
        )
        assert client.version == renju.__version__
        assert same(played, Engine("easy", seed=3).best_move(board, FEW))
        assert same(analysed, Engine().analyse(board, FEW, multipv=2))
        assert proof.tree == renju.solve_mise_vcf(Board(MISE)).tree
        assert renju.verify(Board(MISE), proof)
        assert points == {Point("H8"): Forbidden.DOUBLE_THREE}
        turns = {ply: result async for ply, result in client.analyse_turns(Board("h8 i9 g7"), None, FEW, 1)}
        assert turns.keys() == {0, 1, 2, 3}
        assert same(turns[2], Engine().analyse(Board("h8 i9"), FEW, multipv=1))
        assert turns[2].board == Board("h8 i9")

    run(work)


@pytest.mark.slow
def test_positions_that_were_set_up_and_fouls_that_nobody_claimed() -> None:
    set_up = Board.from_stones("h8 h9", "a1", turn=renju.WHITE)
    set_up.push("h7")
    foul = Board(f"{DOUBLE_THREE} h8 a9", referee=False)

    async def work(client: jsonl.Client) -> None:
        for board in (set_up, foul):
            assert same(await client.analyse(board, FEW), Engine().analyse(board, FEW))
        with pytest.raises(ValueError, match="limit of moves"):
            await client.analyse(Board(move_limit=30), FEW)

    run(work)


@pytest.mark.slow
def test_an_analysis_tells_every_depth_and_can_be_stopped() -> None:
    board = Board(QUIET)

    async def work(client: jsonl.Client) -> None:
        async with client.analysis(board, FEW, multipv=1) as analysis:
            results = [result async for result in analysis]
        assert [result.final for result in results] == [False] * (len(results) - 1) + [True]
        assert same(await analysis.wait(), Engine().analyse(board, FEW, multipv=1))
        async with client.analysis(board, LONG, level="master") as analysis:
            async for result in analysis:
                if result.depth == 2:
                    analysis.stop()
        assert (await analysis.wait()).interrupted

    run(work, threads=1)


@pytest.mark.slow
def test_whoever_leaves_or_is_cancelled_ends_the_search() -> None:
    board = Board(QUIET)

    async def work(client: jsonl.Client) -> None:
        async with client.analysis(board, LONG, level="master") as analysis:
            await anext(analysis)
        with pytest.raises(EngineError, match="left before its end"):
            await analysis.wait()
        searching = asyncio.create_task(client.analyse(board, LONG, level="master"))
        # The only worker has begun it, or it waits: both must end.
        await client.ask({"action": "query_version"})
        searching.cancel()
        with pytest.raises(asyncio.CancelledError):
            await searching
        async for _ply, _result in client.analyse_turns(board, [0, 1, 2], FEW):
            break
        # The only worker is free again.
        assert (await client.analyse(board, FEW)).nodes

    run(work, threads=1)


@pytest.mark.slow
def test_a_question_that_cannot_be_answered_concerns_nobody_else() -> None:
    async def work(client: jsonl.Client) -> None:
        good, bad, over = await asyncio.gather(
            client.play(Board(), FEW),
            client.analyse(Board(), FEW, levle="easy"),
            client.analyse(Board(OVER), FEW),
            return_exceptions=True,
        )
        assert isinstance(good, SearchResult)
        assert isinstance(bad, EngineError)
        assert "levle: there is no field" in str(bad)
        assert "the game is over" in str(over)
        with pytest.raises(ValueError, match="an id of its own"):
            await client.ask({"id": 1, "moves": ""})
        with pytest.raises(EngineError, match="from 0 to 0"):
            async for _ in client.analyse_turns(Board(), [1], FEW):
                pass

    run(work)


@pytest.mark.slow
def test_a_review_tells_how_far_it_is() -> None:
    steps: list[tuple[int, int]] = []

    async def work(client: jsonl.Client) -> None:
        board = Board(SHORT_GAME)
        review = await client.review(board, Limit(nodes=300), lambda done, total: steps.append((done, total)))
        assert review["turning_point"]["number"] == 6

    run(work)
    assert steps[-1] == (19, 19)


@pytest.mark.slow
def test_closing_ends_what_waits() -> None:
    async def work(client: jsonl.Client) -> None:
        solving = asyncio.create_task(client.solve(Board.from_stones(HARD["black"], HARD["white"], 1), "vct"))
        await client.ask({"action": "query_version"})
        await client.close()
        with pytest.raises(EngineError, match="the client is closed"):
            await solving
        with pytest.raises(EngineError, match="the client is closed"):
            await client.play(Board())
        await client.close()

    run(work)


PROGRAM = """
import json, sys, time
for line in sys.stdin:
    query = json.loads(line)
    if "action" in query:
        print(json.dumps({"id": query["id"], "version": "9"}), flush=True)
        continue
    {reply}
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("reply", "message"),
    [
        ("sys.exit(3)", "ended with exit code 3"),
        ("sys.exit('out of luck')", "(?s)exit code 1.*out of luck"),
        ("print('hello', flush=True)", "answered 'hello', which is no answer"),
        ("print('[1, 2]', flush=True)", "no answer to a query"),
        ("print(json.dumps({'id': query['id'], 'move': 'Z99'}), flush=True)", "could not be read"),
        ("print(json.dumps({'id': query['id']}), flush=True)", "could not be read: KeyError"),
    ],
)
def test_a_program_that_does_not_do_its_part(reply: str, message: str, tmp_path: Path) -> None:
    script = tmp_path / "program.py"
    script.write_text(PROGRAM.replace("{reply}", reply))

    async def work(client: jsonl.Client) -> None:
        assert client.version == "9"
        with pytest.raises(EngineError, match=message):
            await client.play(Board(), FEW)

    run(work, command=[sys.executable, script])


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"command": "no such program"}, EngineError, "cannot be started"),
        ({"command": []}, ValueError, "command"),
        ({"level": "godlike"}, ValueError, "level"),
        ({"patience_s": -1}, ValueError, "patience_s"),
    ],
)
def test_what_cannot_be_started(options: dict, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        run(lambda client: asyncio.sleep(0), **options)


def test_a_program_that_is_silent() -> None:
    with pytest.raises(EngineError, match=r"no answer within 0\.2 s"):
        run(
            lambda client: asyncio.sleep(0),
            command=[sys.executable, "-c", "input(); import time; time.sleep(600)"],
            patience_s=0.2,
        )
