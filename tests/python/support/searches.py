"""What the tests of the engine share: limits, and what holds of every result."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from renju import BLACK, WHITE, Board, Engine, EngineConfig, Limit, Point, SearchResult, _native, verify
from renju.engine import LEVELS
from support.data import SYMMETRIES

FEW = Limit(nodes=2_000)
SOME = Limit(nodes=20_000)


def images(board: Board, points: str) -> Iterator[tuple[Board, set[int]]]:
    """The board and the points in all eight symmetries."""
    for k in SYMMETRIES:
        yield board.transform(k), {_native.transform_point(Point(name), k) for name in points.split()}


def without_time(result: SearchResult) -> SearchResult:
    return replace(result, time=0.0)


def assert_sound(board: Board, result: SearchResult) -> None:
    """What holds of every answer."""
    assert board.is_legal(result.move), f"{result}\n{board!r}"
    assert result.pv[0] == result.move
    after = board.copy()
    for point in result.pv:
        assert after.is_legal(point), f"{result}\n{board!r}"
        after.push(point)
    assert result.source in _native.SOURCES
    assert abs(result.score) < _native.WIN
    if result.proof is not None:
        assert verify(board, result.proof)
        assert (result.proof.first, result.proof.line) == (result.move, result.pv)
        # After the last stone of the line comes some reply, then the five.
        assert result.win_in == len(result.pv) + 2


@pytest.fixture(scope="module", params=LEVELS)
def engine(request: pytest.FixtureRequest) -> Engine:
    """One of every level, which overlooks nothing."""
    return Engine(config=sighted(request.param), hash_mb=2)


def sighted(level: str) -> EngineConfig:
    """The settings of a level, but it overlooks nothing and sees wins by fours as far as hard does."""
    config = EngineConfig.from_level(level)
    seen = {name: 0 for name in vars(config) if name.startswith("overlook_")}
    return config.replace(**seen, vcf_depth=max(config.vcf_depth, EngineConfig().vcf_depth))


# Name -> board, the right moves, the source, plies to the five.
FORCED: dict[str, tuple[Board, str, str, int | None]] = {
    "five": (Board.from_stones("e8 f8 g8 h8", "d8 d9 e10 f6", turn=BLACK), "I8", "five", 1),
    "five-before-block": (
        Board.from_stones("e8 f8 g8 h8 a1", "e9 f9 g9 h9", turn=BLACK),
        "D8 I8",
        "five",
        1,
    ),
    "white-six": (Board.from_stones("a1 a3 c5 c7 n2 d8", "e8 f8 g8 i8 j8", turn=WHITE), "H8", "five", 1),
    "block": (Board.from_stones("e8 f8 g8 h8", "d8 j3 k4", turn=WHITE), "I8", "forced-defence", None),
    "straight-four": (
        Board.from_stones("e8 f8 g8 h8", "a1 a3 a5", turn=WHITE),
        "D8 I8",
        "forced-defence",
        -2,
    ),
    "four-three": (Board.from_stones("f8 g8 h8 i9 i10", "e8 h11", turn=BLACK), "I8", "vcf", 5),
    "trap": (Board.from_stones("e10 j8 j9 k11 l12", "f10 g10 h10", turn=WHITE), "I10", "vcf", 3),
    "trap-or-straight-four": (
        Board.from_stones("h8 f6 f7 h7 g2", "g6 g5 g4 a1", turn=WHITE),
        "G3 G7 G8",
        "vcf",
        3,
    ),
}
