"""Plain games read as numbers: the quick readers say what the full ones say, or leave the game to them."""

import random
from io import BytesIO
from itertools import islice
from pathlib import Path

import pytest

from fuzz import run
from fuzz.mutate import mutants
from fuzz.targets import check_lines
from renju import Game, Point, io, samples
from support import FILES

SGF = "(;GM[4]FF[4]SZ[15]PB[{name}]C[so\\](;B[aa\\]]{moves})\n"


def sgf(game: str, name: str = "Ann") -> str:
    points = Game.from_moves(game).moves
    moves = "".join(f";{'BW'[n % 2]}[{chr(97 + p.x)}{chr(111 - p.y)}]" for n, p in enumerate(points))
    return SGF.format(name=name, moves=moves)


def moves_of(data: str, form: str) -> list[str]:
    """The moves of each game; a star before those that the full reader read."""
    found = []
    for game in io.iter_lines(BytesIO(data.encode()), form):
        line = game if isinstance(game, bytes) else game.moves
        text = "".join(Point(move).name for move in line).lower()
        found.append(text if isinstance(game, bytes) else f"*{text}")
    return found


@pytest.mark.parametrize("name", ["Ann", "安", "é" * 300])
def test_odd_games_between_plain_ones(name: str) -> None:
    odd = "(;SZ[15]PB[連珠]HD[id:7];B[hh];W[tt])"
    texts = [
        sgf("h8i9g7", name),
        odd,
        odd,
        sgf("h8", name),
        "rest (. ",
        sgf("", name),
        "(;B[hh];W[hh])",
        "x(",
    ]
    assert moves_of("".join(texts), "sgf") == ["h8i9g7", "*h8", "*h8", "h8", "", "*h8"]


def test_many_games() -> None:
    games = samples.games() * 5
    assert moves_of("".join(map(sgf, games)), "sgf") == games


def test_the_place_in_a_text_only_grows() -> None:
    from renju._native import SgfLines

    lines = SgfLines("(;B[hh]C[連])(;B[pp])")
    assert [*map(list, lines.take(9))] == [[112]]
    assert lines.place == 12
    for place in (11, 21):
        with pytest.raises(IndexError, match="not in the rest"):
            lines.place = place
    lines.place = 20
    assert lines.take(9) == []


SEEDS = {
    "sgf": [
        b"(;GM[4]SZ[15]PB[Ann];B[hh];W[ig];B[gi]C[so])",
        b"(;GM[4](;B[hh](;W[ig];B[gi])(;W[gg]C[x\\]];B[aa])))",
        b"(;GM[1]SZ[15];B[h8]W[I9])(;;B[hh]LB[aa:1])",
    ],
    "psq": [b"Piskvorky 15x15, 11:11, 0\r\n8,8,0\r\n9,7,15\r\nann.zip\r\nbo.zip\r\n-1\r\n"],
}
LETTERS = b"(;)[]\\ \t\n\r\x0b\x1c\xa0BWSZGMACabchiopt0158,-x_\xe9"


def changed(data: bytes, rng: random.Random) -> bytes:
    """With a letter or two replaced, put in or taken out."""
    letters = bytearray(data)
    for _ in range(rng.randrange(1, 3)):
        at = rng.randrange(len(letters))
        letters[at : at + rng.randrange(2)] = bytes(rng.choices(LETTERS, k=rng.randrange(2)))
    return bytes(letters)


@pytest.mark.parametrize("form", SEEDS)
@pytest.mark.slow
def test_both_readers_agree_on_what_is_nearly_right(form: str) -> None:
    rng = random.Random(1)
    small = sum(check_lines(changed(rng.choice(SEEDS[form]), rng), form) for _ in range(2_000))
    assert 400 < small < 3_000  # games that are plain all the same
    for data in islice(mutants([*SEEDS[form], *run.seeds_of(form)], 3), 1_000):
        check_lines(data, form)


@pytest.mark.parametrize("path", [*FILES.glob("*.sgf"), *FILES.glob("*.psq")], ids=str)
def test_both_readers_agree_on_samples(path: Path) -> None:
    assert check_lines(path.read_bytes(), path.suffix[1:]) == (path.suffix == ".sgf")


def test_psq_with_names_that_are_no_ascii() -> None:
    text = "Piskvorky 15x15, 11:11, 0\r\n8,8,0\r\n9,7,15\r\n安.zip\r\nbo.zip\r\n-1\r\n"
    assert moves_of(text, "psq") == ["h8i9"]
    assert moves_of(text.replace("9,7", "9,77"), "psq") == ["*h8"]
