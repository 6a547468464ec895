"""Environments for learning: the same rules and outcomes as a board."""

from __future__ import annotations

import subprocess
import sys
import warnings
from collections import Counter
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from renju import BLACK, PASS, Board, Limit, openings, rl
from renju.errors import IllegalMoveError
from support.waiting import PATIENCE_S

FOUL = [*map(int, Board("f8a1g8a3h9a5h10a7h8").moves)]
FIVE = [*map(int, Board("h8a1i8a3j8a5k8a7l8").moves)]


def mask_of(board: Board) -> npt.NDArray[np.int8]:
    mask = np.zeros(226, np.int8)
    mask[[*board.legal_moves]] = 1
    mask[PASS] = not board.legal_moves
    return mask


def begun(env: rl.VectorEnv, game: int, move_limit: int | None) -> Board:
    """A board with the moves of the opening that a game has begun with."""
    for moves in [(), *(opening.moves for opening in openings.OPENINGS)]:
        board = Board(moves, move_limit=move_limit)
        if (board.to_array() == env.boards[game]).all():
            return board
    raise AssertionError("the game has begun with no opening")


# Games side by side


@pytest.mark.slow
@pytest.mark.parametrize(("opening", "move_limit"), [(None, None), ("any", 60), ("any", None)])
def test_games_are_those_of_boards(opening: str | None, move_limit: int | None) -> None:
    """100,000 games were compared once by hand in the same way."""
    env = rl.VectorEnv(32, opening=opening, move_limit=move_limit, seed=4)
    random = np.random.default_rng(4)
    env.reset()
    boards = [begun(env, game, move_limit) for game in range(32)]
    reasons: Counter[str] = Counter()
    while reasons.total() < 60:
        actions = env.sample()
        for game in np.flatnonzero(random.random(32) < 0.03).tolist():
            board = boards[game]
            fouls = [*board.forbidden_points()] if board.turn == BLACK else []
            if fouls:
                actions[game] = fouls[0]
            elif board.ply >= 3:
                actions[game] = PASS
        movers = env.turns.copy()
        seen, rewards, terminations, truncations, infos = env.step(actions)
        assert not truncations.any()
        for game, board in enumerate(boards):
            outcome = board.push(int(actions[game]))
            winner = 0 if outcome is None else 3 if outcome.winner is None else int(outcome.winner)
            assert (terminations[game], infos["winner"][game]) == (outcome is not None, winner)
            assert rewards[game] == {0: 0, 3: 0}.get(winner, 1 if winner == movers[game] else -1)
            if outcome is not None:
                assert rl.REASONS[infos["reason"][game]] == outcome.reason
                assert infos["plies"][game] == len(board.moves)
                reasons[outcome.reason] += 1
                board = boards[game] = begun(env, game, move_limit)
            np.testing.assert_array_equal(env.boards[game], board.to_array())
            np.testing.assert_array_equal(seen["action_mask"][game], mask_of(board))
            assert env.turns[game] == board.turn
            planes = seen["observation"][game]
            np.testing.assert_array_equal(planes[0], board.to_array() == board.turn)
            np.testing.assert_array_equal(planes[1], board.to_array() == board.turn.opponent)
            assert (planes[2] == (board.turn == BLACK)).all()
    assert len(reasons) >= 3


@pytest.mark.parametrize("opponent", ["random", "beginner", "function"])
@pytest.mark.parametrize("color", ["black", "white", "both"])
def test_an_opponent_answers(opponent: str, color: str) -> None:
    def first_legal(boards: Any, turns: Any, masks: Any) -> Any:
        assert boards.shape == (len(turns), 15, 15)
        assert (turns == 3 - learner if color != "both" else turns > 0).all()
        return masks.argmax(axis=1)

    learner = 2 if color == "white" else 1
    player: Any = first_legal if opponent == "function" else opponent
    env = rl.VectorEnv(6, player, color=color, limit=Limit(nodes=50), seed=2, move_limit=30)
    env.reset(seed=3)
    ended = 0
    while ended < 6:
        assert (env.turns == env.colors).all()
        colors = env.colors.copy()
        if color != "both":
            assert (colors == learner).all()
        _, rewards, terminations, _, infos = env.step(env.sample())
        ended += int(terminations.sum())
        winners = infos["winner"]
        expected = np.where((winners == 1) | (winners == 2), np.where(winners == colors, 1, -1), 0)
        np.testing.assert_array_equal(rewards, expected)


def test_a_forbidden_move_loses_and_a_five_wins() -> None:
    for moves, reward, reason in ((FOUL, -1, "forbidden"), (FIVE, 1, "five")):
        env = rl.VectorEnv(1)
        for move in moves[:-1]:
            assert not env.step([move])[2][0]
        _, rewards, terminations, _, infos = env.step([moves[-1]])
        assert (rewards[0], terminations[0], rl.REASONS[infos["reason"][0]]) == (reward, True, reason)
        assert env.boards.sum() == 0


def test_the_same_seed_gives_the_same_games() -> None:
    def play(env: rl.VectorEnv, seed: int | None = None) -> list[int]:
        env.reset(seed=seed)
        for _ in range(30):
            env.step(env.sample())
        return env.boards.ravel().tolist()

    first = play(rl.VectorEnv(3, "random", seed=5), 5)
    assert first == play(rl.VectorEnv(3, "random", seed=9), 5)
    assert first != play(rl.VectorEnv(3, "random"), 6)


def test_observations_are_copies_unless_asked() -> None:
    for copy in (True, False):
        env = rl.VectorEnv(2, copy=copy)
        before, _ = env.reset()
        after, *_ = env.step([112, 112])
        assert (before["observation"] is after["observation"]) == (not copy)
        assert before["action_mask"][0, 112] == copy


def test_what_is_refused() -> None:
    env = rl.VectorEnv(2)
    env.step([112, 3])
    wrong: list[tuple[Any, type[Exception], str]] = [
        ([112, 5], IllegalMoveError, r"actions\[0\]: H8 is occupied by black"),
        ([5, 225], IllegalMoveError, r"actions\[1\]: a pass"),
        ([5, -1], IllegalMoveError, r"actions\[1\]: 226 is no action"),
        ([70_000, 5], IllegalMoveError, r"actions\[0\]: 226 is no action"),
        ([5], ValueError, "integers"),
        ([0.5, 1.5], ValueError, "integers"),
    ]
    for actions, error, text in wrong:
        with pytest.raises(error, match=text):
            env.step(actions)
    assert (env.boards != 0).sum() == 2
    arguments: list[tuple[dict[str, Any], type[Exception], str]] = [
        ({"num_envs": 0}, ValueError, "num_envs"),
        ({"opponent": "strongest"}, ValueError, "opponent is one of self, random"),
        ({"opponent": 3}, TypeError, "a name or a function"),
        ({"color": "red"}, ValueError, "color"),
        ({"opening": "D99"}, ValueError, "D99"),
        ({"move_limit": 2}, ValueError, "move_limit"),
        ({"limit": 3}, TypeError, "limit"),
    ]
    for given, error, text in arguments:
        with pytest.raises(error, match=text):
            rl.VectorEnv(**{"num_envs": 2, **given})
    bad = rl.VectorEnv(2, lambda boards, turns, masks: [0.5, 0.5], color="black")
    with pytest.raises(ValueError, match="the opponent returned float64"):
        bad.step([112, 112])
    with pytest.raises(IllegalMoveError, match=r"the opponent's actions\[0\]: H8 is occupied"):
        rl.VectorEnv(2, lambda boards, turns, masks: [112, 112], color="black").step([112, 113])


def test_games_side_by_side_need_no_other_package() -> None:
    script = (
        "import sys\n"
        "sys.modules['gymnasium'] = sys.modules['pettingzoo'] = None\n"
        "from renju import rl\n"
        "rl.VectorEnv(2).reset()\n"
        "try:\n    rl.RenjuEnv\nexcept Exception as error:\n    print(type(error).__name__, error)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=PATIENCE_S)
    assert done.stdout.startswith("RenjuError renju.rl.RenjuEnv needs gymnasium: pip install")


# Gymnasium and PettingZoo


@pytest.mark.slow
@pytest.mark.parametrize("opponent", ["self", "random", "beginner"])
def test_gymnasium_checks_the_environment(opponent: str) -> None:
    checker = pytest.importorskip("gymnasium.utils.env_checker", reason="Gymnasium is not installed")
    # An environment that was not made by its name has no other render modes to try.
    checker.check_env(rl.RenjuEnv(opponent, limit=Limit(nodes=50)), skip_render_check=True)


def test_one_game_of_gymnasium() -> None:
    pytest.importorskip("gymnasium", reason="Gymnasium is not installed")
    for moves, reward, reason in ((FOUL, -1.0, "forbidden"), (FIVE, 1.0, "five")):
        env = rl.RenjuEnv(render_mode="ansi")
        seen, _ = env.reset(seed=1)
        board = Board()
        for move in moves[:-1]:
            np.testing.assert_array_equal(seen["action_mask"], mask_of(board))
            seen, got, terminated, truncated, _ = env.step(move)
            board.push(move)
            assert (got, terminated, truncated) == (0, False, False)
        assert env.render() == str(board)
        _, got, terminated, truncated, info = env.step(moves[-1])
        assert (got, terminated, truncated, info["reason"]) == (reward, True, False, reason)
    env = rl.RenjuEnv(illegal="raise", opening="I7")
    env.reset()
    with pytest.raises(IllegalMoveError):
        env.step(112)


def test_a_random_opponent_of_gymnasium_plays_to_the_end() -> None:
    pytest.importorskip("gymnasium", reason="Gymnasium is not installed")
    env = rl.RenjuEnv("random", color="white", move_limit=60)
    seen, info = env.reset(seed=7)
    assert len(info["moves"]) == 1
    random = np.random.default_rng(7)
    terminated = False
    while not terminated:
        assert env.board.turn == env.color
        action = random.choice(np.flatnonzero(seen["action_mask"]))
        seen, reward, terminated, _, info = env.step(action)
    outcome = env.board.outcome
    assert outcome is not None
    assert reward == (0 if outcome.winner is None else 1 if outcome.winner == env.color else -1)


@pytest.mark.slow
def test_pettingzoo_checks_the_environment(capsys: pytest.CaptureFixture[str]) -> None:
    checks = pytest.importorskip("pettingzoo.test", reason="PettingZoo is not installed")
    with warnings.catch_warnings():
        # It knows its own games that have a dict with a mask by their names.
        warnings.filterwarnings("ignore", "Observation (space|is not)")
        checks.api_test(rl.aec_env(), num_cycles=200)
        checks.api_test(rl.aec_env("any", move_limit=20), num_cycles=100)
        checks.seed_test(rl.aec_env, num_cycles=20)
    assert "Passed" in capsys.readouterr().out


def test_two_agents_play_a_game() -> None:
    pytest.importorskip("pettingzoo", reason="PettingZoo is not installed")
    for moves, rewards in ((FOUL, (-1, 1)), (FIVE, (1, -1))):
        env = rl.aec_env(render_mode="ansi")
        env.reset(seed=1)
        board = Board()
        for move in moves:
            assert env.agent_selection == f"{board.turn.label}_0"
            np.testing.assert_array_equal(env.last()[0]["action_mask"], mask_of(board))
            waiting = env.observe(f"{board.turn.opponent.label}_0")
            assert waiting["action_mask"].sum() == 0
            np.testing.assert_array_equal(waiting["observation"][0], board.to_array() == board.turn.opponent)
            env.step(move)
            board.push(move)
        assert (env.rewards["black_0"], env.rewards["white_0"]) == rewards
        assert env.render() == str(board)
        assert all(env.terminations.values())
