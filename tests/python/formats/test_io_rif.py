"""The database of the Renju International Federation: a made-up sample, all kinds of dirt, hostile files."""

from __future__ import annotations

import io
import random
import tracemalloc
from collections.abc import Iterator
from time import process_time

import pytest

from renju import Point
from renju.errors import FormatError
from renju.game import Game
from renju.io import rif
from support import FILES

SAMPLE = FILES / "rif_min_synthetic.rif"
DATA = SAMPLE.read_bytes()


def read(text: str | bytes) -> tuple[list[Game], rif.RifReport]:
    report = rif.RifReport()
    return rif.loads(text, report), report


def game_of(inner: str, attributes: str = 'id="1"') -> Game:
    (game,), _ = read(f"<database><games><game {attributes}>{inner}</game></games></database>")
    return game


def names(game: Game) -> str:
    return " ".join(str(move) for move in game.moves)


@pytest.mark.slow
def test_a_tag_of_one_long_name_takes_linear_time():
    def seconds(n):
        start = process_time()
        game_of("", f'id="1" {"a" * n}')
        return process_time() - start

    # Sixteen times as much may take as much longer, and some; quadratic time would be 256 times as long.
    small = min(seconds(4_000) for _ in range(3))
    assert seconds(64_000) <= max(64 * small, 0.05)


def test_the_number_of_no_character():
    game = game_of(f"<move>h8</move><info>&#{'9' * 5_000};&#65;</info>", f'id="&#{"9" * 5_000};"')
    assert (names(game), game.root.comment, game.headers["id"]) == ("H8", "\ufffdA", "\ufffd")


def test_the_sample():
    report = rif.RifReport()
    first, second = rif.iter_games(SAMPLE, report)
    assert first.headers == {
        "id": "171548",
        "publisher": "1",
        "black": "Black Player",
        "white": "White Player",
        "event": "Synthetic Cup",
        "round": "8",
        "date": "2005-08-01",
        "place": "Tallinn, Estonia",
        "rule": "Taraguchi-10",
        "opening": "D6 Ugetsu",
        "black_time": "8",
        "white_time": "8",
        "alternatives": "51",
        "swap": "R--R-",
    }
    assert first.result == "1-0"
    assert len(first.moves) == 51
    assert first.moves[:3] == (Point("H8"), Point("H9"), Point("I8"))
    assert first.comments == {0: "B=1245"}
    assert second.moves == ()
    assert second.result == "1/2-1/2"
    assert not first.errors
    assert not second.errors
    assert report.games == 2
    assert report.tables["player"] == 2
    assert not report.skipped
    assert not report.problems


def test_ways_to_read():
    with SAMPLE.open("rb") as file:
        assert len(rif.load(file)) == 2
    assert len(rif.load(str(SAMPLE))) == len(rif.loads(DATA)) == len(rif.loads(DATA.decode())) == 2
    with pytest.raises(TypeError, match="binary"):
        rif.load(io.StringIO("<database/>"))
    with pytest.raises(FormatError, match="more than 1 games"):
        rif.loads(DATA, max_games=1)


def test_tables_that_come_late_leave_numbers():
    start, end = DATA.index(b"<countries>"), DATA.index(b"<games>")
    close = DATA.index(b"</database>")
    turned = DATA[:start] + DATA[end:close] + DATA[start:end] + DATA[close:]
    game = rif.loads(turned)[0]
    assert game.headers["black"] == "#1"
    assert game.headers["event"] == "#3369"
    assert game.headers["opening"] == "D6 Ugetsu"  # these numbers we know ourselves
    assert "date" not in game.headers


@pytest.mark.parametrize(
    ("moves", "kept", "problem"),
    [
        ("h8 i9 g7", "H8 I9 G7", None),
        (" H8\n i9,g7; ", "H8 I9 G7", None),
        ("h8 i9 h8 g7", "H8 I9", "line 1, move 3: H8"),
        ("h8 i9 p3 g7", "H8 I9", "line 1, move 3: 'p3' is no point of the board"),
        ("h8 i16 g7", "H8", "line 1, move 2: 'i16' is no point of the board"),
        ("h8 i9 g7 -- f6", "H8 I9 G7 pass F6", None),
        ("h8 pass", "H8", "line 1, move 2: a pass is not allowed"),
        ("h8 i9 &#103;7", "H8 I9 G7", None),
        ("", "", None),
    ],
)
def test_moves(moves, kept, problem):
    game = game_of(f"<move>{moves}</move>")
    assert names(game) == kept
    assert [str(error).startswith(problem or "-") for error in game.errors] == [True] * (problem is not None)
    game.board()


@pytest.mark.parametrize(
    ("told", "result", "wrong"),
    [("1", "1-0", 0), ("0", "0-1", 0), ("0.5", "1/2-1/2", 0), ("", "", 0), ("x", "", 1), ("nan", "", 1)],
)
def test_results(told, result, wrong):
    game = game_of("<move>h8</move>", f'id="1" bresult="{told}"')
    assert game.result == result
    assert len(game.errors) == wrong


def test_dirt():
    text = (
        '<database version="1"><players><player id="1" name="A" surname="B &copy; C &amp; D"/>'
        '<player id="1" name="second"/><player name="none"/><player id="02" native_name="中村"></player>'
        '</players><games><game id="5" black="1" white=2 black="9">'
        "<move>h8 i9</move><info>x &lt; y &nosuch; &copy;</info></game>"
        '<game id="5"><move>h8</move></game>'
        "<game><move>h8</move></game>"
        '<game id="6"><move>z1</move></game>'
        '<game id="7" round="a>b"><move>h8 i9'
        '<game id="8" round="broken><move>h8</move></game>'
        "</games></database>"
    )
    games, report = read(text)
    first, twice, nameless, open_one, broken = games
    assert first.headers["black"] == "A B © C & D"
    assert first.headers["white"] == "中村"
    assert first.comments == {0: "x < y &nosuch; ©"}
    assert [error.reason for error in twice.errors] == ["there is another game with the id 5"]
    assert [error.reason for error in nameless.errors] == ["the game has no id"]
    assert open_one.headers["round"] == "a>b"
    assert [error.reason for error in open_one.errors] == ["the game was not closed"]
    assert names(broken) == "H8"
    assert report.skipped == {"none of its moves can be played": 1}
    assert [problem.reason for problem in report.problems] == [
        "a second player with the id 1; the first was kept",
        "a player without an id",
        "a broken tag",
    ]


def test_stray_bytes_and_encodings():
    body = '<database><players><player id="1" name="J\xfcri"/></players><game id="1" black="1"/></database>'
    latin = body.encode("latin-1")
    assert rif.loads(latin)[0].headers["black"] == "J\ufffdri"
    assert rif.loads(b'<?xml version="1.0" encoding="ISO-8859-1"?>' + latin)[0].headers["black"] == "Jüri"
    assert rif.loads(b"\xef\xbb\xbf" + body.encode())[0].headers["black"] == "Jüri"
    assert rif.loads(body.encode("utf-16"))[0].headers["black"] == "Jüri"
    report = rif.RifReport()
    rif.loads(b'<?xml version="1.0" encoding="unicode_escape"?>' + body.encode(), report)
    assert report.problems[0].reason == "the encoding 'unicode_escape' is not known; read as UTF-8"
    zeros = body.replace("J", "J\x00\x01\x0b").encode()
    assert rif.loads(zeros)[0].headers["black"] == "J üri"


@pytest.mark.parametrize("end", range(0, len(DATA), 7))
def test_a_file_that_ends_anywhere(end):
    report = rif.RifReport()
    try:
        games = rif.loads(DATA[:end], report)
    except FormatError:
        assert b"<database" not in DATA[: max(end - 50, 0)]
        return
    whole = {game.headers["id"]: names(game) for game in rif.loads(DATA)}
    assert all(names(game) == whole[game.headers["id"]] for game in games)
    assert report.problems  # that it ended is noted


@pytest.mark.parametrize(
    "text", ["", "no tags", "<html><body>h8</body></html>", "<!DOCTYPE html><html>", "\0" * 99]
)
def test_other_files(text):
    with pytest.raises(FormatError, match="no RIF database"):
        rif.loads(text)


BOMB = """<?xml version="1.0"?><!DOCTYPE database [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>
<database><game id="1"><move>h8</move><info>&b;&b;</info></game></database>"""


def test_entities_are_refused(tmp_path):
    with pytest.raises(FormatError, match="line 1: the file declares entities"):
        rif.loads(BOMB)
    secret = tmp_path / "secret"
    secret.write_text("secret")
    for declaration in (f'[<!ENTITY x SYSTEM "file://{secret}">]', f'[\n<!entity % x SYSTEM "{secret}">%x;]'):
        with pytest.raises(FormatError, match="declares entities"):
            rif.loads(f"<!DOCTYPE database {declaration}><database><info>&x;</info></database>")
    # A document type alone is not looked at.
    text = '<database><game id="1"><move>h8</move><info>&x;</info></game></database>'
    assert rif.loads(f'<!DOCTYPE database SYSTEM "{secret}">{text}')[0].comments == {0: "&x;"}


class Endless(io.RawIOBase):
    """A file of many parts that is never in memory as a whole."""

    def __init__(self, parts: Iterator[bytes]) -> None:
        self._parts = parts

    def read(self, size: int = -1) -> bytes:
        return next(self._parts, b"")


def parts(count: int) -> Iterator[bytes]:
    yield b"<database><games>"
    for number in range(count):
        yield b'<game id="%d" black="1"><move>h8 i9 i7 j10</move></game>' % number
    yield b"</games></database>"


@pytest.mark.slow
def test_memory_does_not_grow_with_the_games():
    def peak(count: int) -> int:
        tracemalloc.start()
        try:
            assert sum(1 for _ in rif.iter_games(Endless(parts(count)))) == count
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    # A number for each game is kept, and nothing else.
    assert peak(4000) - peak(500) < 3500 * 200


@pytest.mark.slow
@pytest.mark.parametrize(
    "filler",
    [
        b"<",
        b"<a",
        b'<game a="',
        b"<!--",
        b"&amp;",
        b"<game>",
        b"<move>",
        b"<player id='%d'/>",
        b"<![CDATA[",
        b"<?",
        b"</",
        b"'",
    ],
    ids=str,
)
def test_hostile_repetition(filler):
    """Time and memory stay in proportion; the time-out of the tests would tell."""
    body = b"".join(filler.replace(b"%d", b"%d" % number) for number in range(40_000))
    for data in (b"<database>" + body, b'<database><game id="1"><move>' + body):
        report = rif.RifReport()
        count = sum(1 for _ in rif.iter_games(io.BytesIO(data), report))
        assert count <= 40_001
        assert len(report.problems) <= 100


def test_text_without_end():
    report = rif.RifReport()
    long = (
        '<database><game id="1"><move>'
        + "h8 " * 50_000
        + '</move></game><game id="2"><move>h8</move></game></database>'
    )
    (game,) = rif.loads(long, report)
    assert game.headers["id"] == "2"
    assert report.skipped == {"its text is too long": 1}


@pytest.mark.slow
def test_fuzz():
    rng = random.Random(4)
    pieces = [
        b"<",
        b">",
        b'"',
        b"'",
        b"&",
        b"<game ",
        b"</game>",
        b"<move>",
        b"</move>",
        b"<!--",
        b"-->",
        b"<![CDATA[",
        b"&copy;",
        b"&#x110000;",
        b"\xff",
        b"\0",
        b"<!DOCTYPE x>",
        b"<player id='1'",
    ]
    read_well = 0
    for number in range(3000):
        data = bytearray(DATA if number % 10 else rng.randbytes(rng.randrange(300)))
        for _ in range(rng.choice([1, 2, 5, 30])):
            at, kind = rng.randrange(len(data) + 1), rng.randrange(4)
            if kind == 0:
                data[at:at] = rng.choice(pieces)
            elif kind == 1:
                del data[at : at + rng.randrange(1, 40)]
            elif kind == 2 and at < len(data):
                data[at] = rng.randrange(256)
            else:
                data[at:at] = data[rng.randrange(len(data) + 1) :][: rng.randrange(200)]
        try:
            games = rif.loads(bytes(data))
        except FormatError:
            continue
        read_well += bool(games)
        for game in games:
            game.board()
    assert read_well > 2000
