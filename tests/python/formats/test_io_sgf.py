"""SGF: every dialect seen, lossless round trips, and files that mean harm."""

import contextlib
import gc
import random
from contextlib import suppress
from time import process_time

import pytest

from renju import Color, FormatError, Game, GameNode, Point, io
from renju.io import sgf
from support import FILES

SAMPLE = FILES / "yixin_qiguan_2018_g4_missing_semicolons.sgf"

RICH = r"""(;GM[4]FF[4]CA[UTF-8]SZ[15]PB[Ann \[9d\]]PW[堀口]RU[RIF]RE[W+T]5A[hj]KM[0]C[a game:
two lines \\ \]];B[hh]LB[ig:A][gi:b\]]MA[aa];W[ig]TR[hh][ig]C[second]
(;B[gi]N[main];W[];B[jf])(;B[ji]C[other](;W[kk])(;W[ll]QQ[x\:y]))(;C[only text]))"""


def names(game: Game) -> str:
    return " ".join(map(str, game.moves))


def one(text: str | bytes, **options: str) -> Game:
    (game,) = sgf.loads(text, **options)
    return game


def same(first: GameNode, second: GameNode) -> bool:
    """Are two trees equal, node by node?"""
    pairs = zip(first.walk(), second.walk(), strict=True)
    return all(
        (depth, node.move, node.comment, node.labels, node.properties)
        == (depth_too, other.move, other.comment, other.labels, other.properties)
        for (depth, node), (depth_too, other) in pairs
    )


def test_the_sample_with_all_moves_in_one_node():
    (game,) = io.load(SAMPLE)
    assert (game.headers["black"], game.headers["rule"], game.result) == ("Yixin", "Soosyrv-8", "1-0")
    assert names(game).startswith("H8 H7 G6 G8 I5")
    assert len(game.moves) == 21
    assert not game.errors


def test_the_second_letter_counts_from_the_top():
    assert names(one("(;B[ig];W[aa];B[oo])")) == "I9 A15 O1"


def test_a_rich_game_comes_back_as_it_was():
    game = one(RICH)
    assert not game.errors
    assert game.headers["black"] == "Ann [9d]"
    assert game.result == "0-1"
    assert game.root.comment == "a game:\ntwo lines \\ ]"
    assert game.root.properties == {"5A": ["hj"], "KM": ["0"]}
    first = game.root.children[0]
    assert first.labels == {Point("I9"): "A", Point("G7"): "b]", Point("A15"): ""}
    assert names(game) == "H8 I9 G7 pass J10"
    assert [count for count, _ in game.variations] == [2, 2]
    again = one(sgf.dumps(game))
    assert same(game.root, again.root)
    assert (again.headers, again.result) == (game.headers, game.result)
    assert sgf.dumps(again) == sgf.dumps(game)


def test_set_ups():
    game = one("(;GM[4]SZ[15]AB[hh][gg:hg]AW[ii]PL[W];W[aa];B[bb])")
    assert sorted(map(str, game.black)) == ["G9", "H8", "H9"]
    assert list(map(str, game.white)) == ["I7"]
    assert game.turn is Color.WHITE
    assert not game.errors
    assert len(game.board()) == 6
    again = one(sgf.dumps(game))
    assert (again.black, again.white, again.turn, again.moves) == (
        game.black,
        game.white,
        game.turn,
        game.moves,
    )
    assert one("(;AB[aa];AW[bb]PL[B];B[cc])").board().turn is Color.WHITE
    assert one("(;AB[aa][bb][cc];W[dd])").turn is Color.WHITE, "the first move tells"
    late = one("(;B[hh];AB[aa])")
    assert names(late) == "H8"
    assert "set up after moves" in str(late.errors[0])
    assert "both black and white" in str(one("(;AB[aa]AW[aa];B[bb])").errors[0])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("(;GM[4];B[h8];W[I9])", "H8 I9", id="text-coordinates"),
        pytest.param("(;GaMe[4];Black[hh];White[ig])", "H8 I9", id="old-long-names"),
        pytest.param("(;gm[4];b[hh];w[ig])", "H8 I9", id="small-letters"),
        pytest.param("mail\nheader (see)\n(;GM[4];B[hh])", "H8", id="text-before"),
        pytest.param("(GM[4];B[hh])", "H8", id="no-first-semicolon"),
        pytest.param("(;GM[4]SZ[15:15] ; B [hh]\n\n;W\n[ig] )", "H8 I9", id="white-space"),
        pytest.param("(;GM[4];B[hh];W[ig];B[gi];W[tt];B[ji])", "H8 I9 G7 pass J7", id="pass-tt"),
        pytest.param("(;GM[4];B[hh];W[ig];B[gi];W[];B[ji])", "H8 I9 G7 pass J7", id="pass-empty"),
        pytest.param("(;GM[4];QPR[hh,hg,jf];QSLW[ig];B[gg])", "H8 H9 J10 I9 G9", id="gomokuquest"),
        pytest.param("(;GM[1]SZ[15];B[hh])", "H8", id="go-editor"),
        pytest.param("(;GM[4];C[\\];B[aa\\]];B[hh])", "H8", id="escaped-bracket"),
        pytest.param("(;GM[4];;B[hh];;W[ig])", "H8 I9", id="empty-nodes"),
    ],
)
def test_dialects_are_read_without_a_word(text, expected):
    game = one(text)
    assert names(game) == expected
    assert not game.errors


@pytest.mark.parametrize(
    ("text", "expected", "reason"),
    [
        ("(;B[hh];W[zz];B[gi])", "H8", "line 1, column 9: 'zz' is no point"),
        ("(;B[hh];W[hh];B[gi])", "H8", "line 1, column 9: H8 is occupied"),
        ("(;B[hh]\n;W[ig];B[gi];B[ji])", "H8 I9 G7 pass J7", "line 2, column 14: a side moves twice"),
        ("(;W[hh];B[ig])", "", "it is the turn of black"),
        ("(;SZ[19];B[hh])", "", "the board is 19x19"),
        ("(;GM[1];B[hh])", "", "the board is 19x19"),
        ("(;B[hh];W[ig]", "H8 I9", "line 1, column 14: the text ends"),
        ("(;B[hh];W[ig", "H8 I9", "never closed"),
        ("(;B[hh][ig].)", "H8", "it is the turn of white"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(text, expected, reason):
    game = one(text)
    assert names(game) == expected
    assert reason in "\n".join(map(str, game.errors))
    game.board()


def test_a_bad_variation_leaves_the_others_alone():
    game = one("(;B[hh](;W[ig](;B[zz])(;B[gi]))(;W[hh])(;W[hg]))")
    assert names(game) == "H8 I9 G7"
    assert len(game.errors) == 2
    assert [str(child.move) for child in game.root.children[0].children] == ["I9", "H9"]


@pytest.mark.parametrize(
    ("value", "result"),
    [
        ("B+", "1-0"),
        ("W+R", "0-1"),
        ("0", "1/2-1/2"),
        ("Draw", "1/2-1/2"),
        ("B+DRAW", "1/2-1/2"),
        ("Black+T", "1-0"),
        ("?", ""),
        ("Void", ""),
        ("1-0", "1-0"),
    ],
)
def test_results(value, result):
    game = one(f"(;RE[{value}];B[hh])")
    assert (game.result, game.headers["result"]) == (result, value)
    assert one(sgf.dumps(game)).headers["result"] == value


def test_a_result_without_a_header_is_written():
    for result in ("1-0", "0-1", "1/2-1/2", ""):
        assert one(sgf.dumps(Game.from_moves("h8", result=result))).result == result


@pytest.mark.parametrize(
    "page", ["GB2312", "Shift_JIS", "Big5", "windows-1251", "ISO-8859-1", "UTF-8", "utf8"]
)
def test_code_pages(page):
    name = {"windows-1251": "Сосунов", "ISO-8859-1": "Söderling", "Shift_JIS": "表能"}.get(page, "王中")
    data = f"(;GM[4]CA[{page}]PB[{name}];B[hh])".encode(page)
    game = one(data)
    assert game.headers["black"] == name
    assert not game.errors
    assert one(data.replace(page.encode(), b"none"), encoding=page).headers["black"] == name


def test_unknown_bytes_are_told():
    game = one("(;PB[Söderling];B[hh])".encode("latin-1"))
    assert game.headers["black"] == "Söderling"
    assert "Latin-1" in str(game.errors[0])
    assert "not all cp932" in str(one(b"(;CA[Shift_JIS]PB[\x81 ];B[hh])").errors[0])
    assert one(b"(;CA[UTF-16]PB[Ann];B[hh])").headers["black"] == "Ann", "the file is ASCII"
    assert one("\ufeff(;B[hh])".encode("utf-16")).moves
    for hostile in ("punycode", "zlib", "idna", "a" * 39, "../x", "\0"):
        assert one(f"(;CA[{hostile}];B[hh])".encode()).moves
    with pytest.raises(FormatError, match="no encoding"):
        one(b"(;B[hh])", encoding="klingon")


def test_several_games():
    games = sgf.loads("(;B[hh]) and (;B[hh];W[ig])\n(;B[zz])")
    assert [names(game) for game in games] == ["H8", "H8 I9", ""]
    assert "line 2" in games[2].errors[0].where
    assert [names(game) for game in sgf.loads(sgf.dumps(games))] == ["H8", "H8 I9", ""]


def test_headers_and_properties_of_other_formats_survive():
    game = Game.from_moves("h8 i9", {"black": "A]\\", "levels:x": "1:2\n3", "id": "7"})
    game.root.children[0].properties["time_ms"] = ["45:6]"]
    again = one(sgf.dumps(game))
    assert again.headers == game.headers
    assert again.root.children[0].properties == {"time_ms": ["45:6]"]}


def test_nothing_to_read_is_an_error(tmp_path):
    for text in ("", "()", "hello", "((((", "[[]]"):
        with pytest.raises(FormatError, match="no SGF game"):
            sgf.loads(text)
    (tmp_path / "x.sgf").write_text("none")
    with pytest.raises(FormatError, match=r"x\.sgf: there is no SGF game"):
        io.load(tmp_path / "x.sgf")


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        pytest.param("(;B[hh]" * 100_000 + ")" * 100_000, id="nested-moves"),
        pytest.param("(;" * 100_000, id="nested-nodes"),
        pytest.param("(;C[" + "(" * 100_000 + "]" + "(" * 100_000, id="nested-nothing"),
        pytest.param("(;GM[4]C[" + "\\]x" + "y" * 20_000_000, id="one-value-of-20-MB"),
        pytest.param("(;" + "B[hh]W[ig]" * 50_000 + ")", id="one-long-node"),
        pytest.param("(;AB" + "[aa:oo]" * 100_000 + ")", id="many-stones"),
        pytest.param("(;B[hh]" + "(;W[zz])" * 50_000 + ")", id="many-bad-variations"),
        pytest.param("(;B[hh];W[ig];B[gi]" + ";W[];B[]" * 50_000 + ")", id="many-passes"),
        pytest.param("(;" + "x[" * 200_000, id="open-brackets"),
    ],
)
def test_hostile_texts_do_no_harm(text):
    try:
        for game in sgf.loads(text):
            game.board()
            assert len(game.errors) <= 101
            sgf.loads(sgf.dumps(game))
    except FormatError:
        pass


def test_limits(monkeypatch):
    from renju.io import _common, _sgf_reader

    monkeypatch.setattr(_sgf_reader, "MOST_NODES", 10)
    with pytest.raises(FormatError, match="more than 10 nodes"):
        sgf.loads("(;" + ";" * 12 + ")")
    monkeypatch.setattr(_common, "MOST_BYTES", 10)
    with pytest.raises(FormatError, match="more than 10 bytes"):
        sgf.loads(b"(;B[hh];W[ig])")
    monkeypatch.undo()
    monkeypatch.setattr(_common, "MOST_NODES", 10)
    with pytest.raises(FormatError, match="iter_games"):
        sgf.loads("(;B[hh])" * 9)


@pytest.mark.slow
def test_mutated_files_do_no_harm():
    rng = random.Random(8)
    seeds = [
        RICH.encode(),
        SAMPLE.read_bytes(),
        b"(;AB[hh]AW[ig]PL[B];B[gi](;W[aa])(;W[bb]))(;QPR[hh,hg];B[aa])",
    ]
    alphabet = b"()[];\\:,BWCLabhot15\n\r\xff\x81 AMQPR"
    for _ in range(2500):
        data = bytearray(rng.choice(seeds))
        for _ in range(rng.choice((1, 2, 5, 40))):
            at = rng.randrange(len(data))
            kind = rng.randrange(4)
            if kind == 0:
                data[at] = rng.choice(alphabet)
            elif kind == 1:
                del data[at : at + rng.randrange(1, 9)]
            elif kind == 2:
                data[at:at] = bytes(rng.choices(alphabet, k=rng.randrange(1, 6)))
            else:
                data[at:at] = data[: rng.randrange(40)]
            data = data or bytearray(b"(")
        try:
            games = sgf.loads(bytes(data))
        except FormatError:
            continue
        for game in games:
            again = sgf.loads(sgf.dumps(game))
            assert [other.moves for other in again] == [game.moves]
            if not game.errors:
                game.board()
    for _ in range(500):
        with contextlib.suppress(FormatError):
            sgf.loads(b"(;" + rng.randbytes(rng.randrange(200)))


# Texts of n parts, each of which was, or could be, read in quadratic time; and how many parts tell.
HOSTILE = {
    "nested": (20_000, lambda n: "(;" * n),
    "line": (20_000, lambda n: "(;" + ";B[]" * n),
    "moves in one node": (20_000, lambda n: "(;" + "B[aa]" * n),
    "nested moves": (10_000, lambda n: "(;B[aa]" * n + ")" * n),
    "branches": (2_000, lambda n: "(;" + "(;B[hh])" * n + ")"),
    "deep branches": (2_000, lambda n: "(;" + ";N[]" * 1_000 + "(;;)" * n),
    "comments": (20_000, lambda n: "(;" + "C[xxxxxxxxxxxxxxxxxxxx]" * n),
    "values of a comment": (20_000, lambda n: "(;C" + "[xxxxxxxxxxxxxxxxxxxx]" * n),
    "values": (10_000, lambda n: "(;XX" + "[x]" * n),
    "names": (10_000, lambda n: "(;" + "A " * n),
    "labels": (5_000, lambda n: "(;LB" + "[hh:x]" * n),
    "headers": (5_000, lambda n: "(;" + "HD[a:b]" * n),
    "backslashes": (20_000, lambda n: "(;C[" + "\\" * n),
    "open brackets": (20_000, lambda n: "(;B[" * n),
    "closing": (20_000, lambda n: "(;B[hh]" + ")" * n),
    "noise": (10_000, lambda n: "(;" + "\n$" * n),
    "games": (1_000, lambda n: "(;)" * n),
    "games on a long line": (5_000, lambda n: " " * 100 * n + "(;$)" * n),
    "beginnings": (20_000, lambda n: "( " * n + "(;)"),
}


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.slow
def test_hostile_texts_take_linear_time(name):
    def seconds(n):
        text = make(n)
        gc.collect()
        gc.disable()  # a collection looks at all that other tests left, too
        try:
            start = process_time()
            with suppress(FormatError):
                sgf.loads(text)
            return process_time() - start
        finally:
            gc.enable()

    # Four times as much may take eight times as long, where quadratic time would be sixteen; what is too
    # quick to be measured is quick enough.
    count, make = HOSTILE[name]
    small = min(seconds(count) for _ in range(2))
    assert min(seconds(4 * count) for _ in range(2)) <= max(8 * small, 0.05)


def test_what_is_behind_a_long_line_is_read():
    text = f"(;B[hh](;W[ii]{';N[x]' * 5_000}(;B[aa]C[)](;W[bb]))C[x])(;W[ig];B[gi]C[so]))(;B[aa])"
    first, second = sgf.loads(text)
    assert [str(error) for error in first.errors] == [
        "line 1, column 25005: the line has more than 5,000 nodes; left out with all behind it"
    ]
    assert [len(list(child.main_line())) for child in first.root.children[0].children] == [4_998, 1]
    assert first.root.children[0].children[1].children[0].comment == "so"
    assert second.moves == (Point("A15"),)
