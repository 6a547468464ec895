"""Text, .psq, links, `renju.io` as a whole, and `renju convert`."""

import contextlib
import random
import sys
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest

import renju
from renju import Board, Color, FormatError, Game, Point, cli, io, pipeline, samples
from renju.io import links, psq, text
from support import FILES

PSQ = "Piskvorky 15x15, 11:7, 0\n8,8,0\n9,7,1500\n1,15,20\nann.zip\nbo.zip\n-1\n2,Renju 2026\n"


def names(game: Game) -> str:
    return " ".join(map(str, game.moves))


def one(games: list[Game]) -> Game:
    (game,) = games
    return game


# Text


@pytest.mark.parametrize(
    "line",
    [
        "h8i9g7",
        "H8 I9 G7",
        "h8,i9,g7",
        "h8_i9-g7",
        "  h8 i9 g7  # a remark",
        "0,0, 1,-1, -1,1",
        "0,0,1,-1,-1,1,",
    ],
)
def test_lines_of_moves(line):
    game = one(text.loads(f"# first\n\n{line}\r\n"))
    assert names(game) == "H8 I9 G7"
    assert not game.errors


def test_gomocup_openings_count_downwards():
    games = text.loads("8,-3, 6,-4\n-7,-7, 7,7\n0,0,1\n")
    assert [names(game) for game in games] == ["", "A15 O1", "H8"]
    assert "8,-3 is off the board" in str(games[0].errors[0])
    assert "no pairs" in str(games[2].errors[0])
    assert text.offsets(Game.from_moves("h8 i9 a1")) == "0,0, 1,-1, -7,7\n"


def test_stones_and_drawn_boards():
    board = Board("h8 i9 g7")
    bare = "\n".join(line[3:32].replace(" ", "") for line in board.to_text().splitlines()[1:-1])
    games = text.loads(f"H8,G7/I9\n{board}\n\n{bare}\n{bare}\nh8\n")
    assert len(games) == 5
    for game in games[:4]:
        assert game.board() == board
        assert not game.errors
    assert names(games[4]) == "H8"
    assert text.dumps(games[0]) == "h8,g7/i9\n"


@pytest.mark.parametrize(
    ("line", "expected", "reason"),
    [
        ("h8 i9 zz", "H8 I9", "line 2, column 7: column 'z' is off the board"),
        ("h8 i99 g7", "H8", "line 2, column 5: row 99 is off the board"),
        ("h8 i9 h8 g7", "H8 I9", "line 2: H8 is occupied"),
        ("h8/h8", "", "line 2: H8 is both black and white"),
        ("h8/i9/g7", "", "one / divides the stones"),
        ("...............", "", "line 2: a drawn board has 15 rows, not 1"),
        (".......x.......", "", "X for black"),
        ("https://gomocalc.com/", "", "no # in the link"),
        ("x" * (1 << 20), "", "line 2: the line has more than 1,048,576 bytes"),
    ],
)
def test_bad_lines_are_told(line, expected, reason):
    good, bad = text.loads(f"a1\n{line}\n")
    assert names(good) == "A1"
    assert not good.errors
    assert names(bad) == expected
    assert reason in str(bad.errors[0])
    if not expected:
        with pytest.raises(FormatError):
            text.loads(line)


def test_uneven_stones_are_kept():
    game = one(text.loads("\n".join(["XX.............", *["." * 15] * 14])))
    assert len(game.black) == 2
    assert game.turn is None
    assert game.errors


def test_texts_come_back():
    games = [Game.from_moves(moves) for moves in samples.games()[:50]]
    again = text.loads(text.dumps(games))
    assert [game.moves for game in again] == [game.moves for game in games]
    assert names(one(text.loads(text.dumps(Game.from_moves("h8i9g7--j7"))))) == "H8 I9 G7 pass J7"
    set_up = Game(black=(Point("h8"),), turn=Color.BLACK)
    for game, reason in [(set_up, "turn of black"), (Game(), "without moves")]:
        with pytest.raises(FormatError, match=reason):
            text.dumps(game)


# Links


def test_links_are_read_and_written():
    game = links.parse("https://gomocalc.com/#/h8i9g7")
    assert names(game) == "H8 I9 G7"
    assert links.gomocalc(game) == "https://gomocalc.com/#/h8i9g7"
    assert links.parse(links.renju_note(game)).moves == game.moves
    assert names(links.parse("gomocalc.com/#/H8_I9_G7")) == "H8 I9 G7"
    assert names(one(text.loads("https://gomocalc.com/#/h8i9g7"))) == "H8 I9 G7"


def test_renju_note_links():
    link = "https://renju-note.com/#gid:171548,g:h8i9,o:i,c:1,b:a1a2,w:b1,p:c3,l:a1a5"
    game = links.parse(link)
    assert (game.headers["id"], game.black, game.white) == (
        "171548",
        (Point("A1"), Point("A2")),
        (Point("B1"),),
    )
    assert game.turn is Color.WHITE
    assert game.board().turn is Color.WHITE
    assert len(game.board()) == 5
    assert game.root.labels == {Point("C3"): ""}
    assert links.renju_note(game) == link.replace("gid:171548,", "")
    white_first = links.parse("https://renju-note.com/#g%3Ah8i9,o:i")
    assert white_first.white == (Point("H8"),)
    assert white_first.board().stones[Point("I9")] is Color.BLACK


@pytest.mark.parametrize("link", ["https://x.com/", "#", "#/zz", "#g:h99", "x" * 20_000, "#b:h8,w:h8,g:i9"])
def test_bad_links(link):
    with contextlib.suppress(FormatError):
        assert links.parse(link).errors or link == "#"


def test_what_links_cannot_hold():
    with pytest.raises(FormatError, match="set-up"):
        links.gomocalc(Game(black=(Point("h8"),)))
    with pytest.raises(FormatError, match="pass"):
        links.renju_note(Game.from_moves("h8i9g7--"))


# Piskvork


def test_psq():
    game = one(psq.loads(PSQ))
    assert names(game) == "H8 I9 A1"
    assert not game.errors
    assert (game.headers["black"], game.headers["white"], game.result) == ("ann.zip", "bo.zip", "0-1")
    assert [node.properties[psq.TIME] for node in game.root.main_line()] == [["0"], ["1500"], ["20"]]
    assert psq.dumps(game) == PSQ
    second = one(psq.loads(PSQ.replace(", 0\n8", ", 1\n8")))
    assert second.headers["black"] == "bo.zip", "the second player moved first"
    assert one(psq.loads("Piskvorky 15x15, 0:0, 0\n8,8\n")).moves, "times may be missing"


@pytest.mark.parametrize(
    ("data", "expected", "reason"),
    [
        ("Piskvorky 15x15, 0:0, 0\n8,8,0\n16,1,0\n1,1,0\n", "H8", "line 3: 16,1 is off the board"),
        ("Piskvorky 15x15, 0:0, 0\n8,8,0\n\n8,8,0\n", "H8", "line 4: H8 is occupied"),
        ("Piskvorky 20x20, 0:0, 0\n8,8,0\n", "", "line 1: the board is 20x20"),
    ],
)
def test_bad_psq(data, expected, reason):
    game = one(psq.loads(data))
    assert names(game) == expected
    assert reason in str(game.errors[0])


@pytest.mark.parametrize("name", ["gomocup_1x0-16.psq", "piskvork_renju_issue1_freestyle20.psq"])
def test_games_on_larger_boards_name_the_size(name):
    game = one(io.load(FILES / name))
    assert not game.moves
    assert "20x20" in str(game.errors[0])


def test_what_psq_cannot_hold():
    game = Game.from_moves("h8")
    for games, reason in [([game, game], "one game"), (Game(black=(Point("h8"),)), "set-up")]:
        with pytest.raises(FormatError, match=reason):
            psq.dumps(games)
    with pytest.raises(FormatError, match="line 1"):
        psq.loads("8,8,0\n")


# All formats


def test_formats_are_told_by_name_or_beginning(tmp_path):
    game = Game.from_moves("h8 i9 g7", {"black": "Ann"})
    for name in ("a.sgf", "a.psq", "a.txt", "a.lib", "a.url", "A.SGF"):
        io.dump(game, tmp_path / name)
        assert names(io.load(tmp_path / name)[0]) == "H8 I9 G7"
        assert names(next(io.iter_games(str(tmp_path / name)))) == "H8 I9 G7"
    for form in ("sgf", "psq", "lib"):
        io.dump(game, tmp_path / "unknown.game", form)
        assert names(io.load(tmp_path / "unknown.game")[0]) == "H8 I9 G7"
    for name in ("x.db", "x.qqq", "x"):
        (tmp_path / name).write_bytes(b"?")
        with pytest.raises(FormatError, match=rf"{name}: .*known are \.lib \.psq"):
            io.load(tmp_path / name)
    with pytest.raises(FormatError, match="no format 'x'"):
        io.load(tmp_path / "a.sgf", form="x")
    with pytest.raises(FormatError, match="only read"):
        io.dumps(game, "rif")
    with pytest.raises(FileNotFoundError):
        io.load(tmp_path / "none.sgf")


@pytest.mark.parametrize("form", [name for name, form in io.FORMATS.items() if form.is_written])
def test_a_game_comes_back_from_every_format(form):
    game = Game.from_moves(samples.games()[0])
    assert io.loads(io.dumps(game, form), form)[0].moves == game.moves


@pytest.mark.slow
@pytest.mark.parametrize("form", ["txt", "psq", "gomocalc"])
def test_mutated_and_random_files_do_no_harm(form):
    rng = random.Random(form)
    seeds = {
        "txt": f"h8i9g7\nH8,G7/I9\n0,0, 1,-1\n{Board('h8i9')}\nhttps://gomocalc.com/#/h8\n".encode(),
        "psq": PSQ.encode(),
        "gomocalc": b"https://renju-note.com/#gid:1,g:h8i9,o:i,c:1,b:a1a2,w:b1,p:c3,l:a1a5\n",
    }
    for n in range(1500):
        data = bytearray(seeds[form] if n % 3 else rng.randbytes(rng.randrange(300)))
        for _ in range(rng.choice((1, 3, 30))):
            at = rng.randrange(len(data) + 1)
            data[at : at + rng.randrange(3)] = bytes(
                rng.choices(b"0123,:/#-XO.\nhgi%\xff\x00 ", k=rng.randrange(4))
            )
        try:
            for game in io.loads(bytes(data), form):
                assert game.errors or game.board() is not None
                io.dumps(game, "sgf")
        except FormatError:
            pass


@pytest.mark.slow
@pytest.mark.parametrize("form", ["txt", "psq", "gomocalc", "sgf"])
@pytest.mark.parametrize("piece", [b"h8", b"(", b"8,8,", b"#", b"\x00", b"0,"])
def test_a_line_of_20_mb_does_no_harm(form, piece):
    for start in (b"", b"Piskvorky 15x15, 0:0, 0\n"):
        with contextlib.suppress(FormatError):
            assert len(io.loads(start + piece * (20_000_000 // len(piece)), form)) <= 2


# Batches


def test_batches_read_game_files(tmp_path):
    (tmp_path / "a.sgf").write_text("(;B[hh];W[ig])(;AB[hh]AW[ig]PL[B];B[gi])(;B[hh];W[zz])(;SZ[19];B[aa])")
    (tmp_path / "b.psq").write_text(PSQ)
    io.dump([Game.from_moves("h8 i9 g7"), Game.from_moves("h8 i9 i7 g7")], tmp_path / "c.lib")
    inputs = [str(tmp_path / name) for name in ("a.sgf", "b.psq", "c.lib")]
    report = pipeline.run(inputs, str(tmp_path / "out.csv"), ["forbidden"], only_last=True)
    assert (report.positions, report.bad) == (6, 2)
    table = (tmp_path / "out.csv").read_text()
    for moves in ("h8i9,", "h8i9g7,", "h8i9i7g7,", "h8i9a1,"):
        assert moves in table
    bad = Path(report.bad_path).read_text()
    assert "is no point of the board" in bad
    assert "19x19" in bad


# The command


def convert(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    code = cli.main(["convert", *map(str, arguments)])
    output = capsys.readouterr()
    return code, output.out, output.err


def test_convert(tmp_path, capsys):
    (tmp_path / "a.sgf").write_text("(;PB[Ann];B[hh]C[x](;W[ig])(;W[hg]))(;B[hh];W[zz])")
    code, out, err = convert(capsys, tmp_path / "a.sgf", "-o", "-", "--to", "txt")
    assert (code, out) == (0, "h8i9\nh8\n")
    assert "a.sgf: game 2: line 1, column 45: 'zz' is no point of the board" in err
    for lost in ("comments", "headers", "variations"):
        assert f"txt cannot hold {lost}: lost of 1 game\n" in err
    assert convert(capsys, tmp_path / "a.sgf", "-o", tmp_path / "a.lib")[0] == 0
    assert convert(capsys, tmp_path / "a.lib", "-o", tmp_path / "b.sgf")[0] == 0
    assert len(io.load(tmp_path / "b.sgf")[0].variations) == 1


def test_convert_strict_writes_nothing(tmp_path, capsys):
    (tmp_path / "a.txt").write_text("h8\nh8 zz\n")
    code, _, err = convert(capsys, tmp_path / "a.txt", "-o", tmp_path / "a.sgf", "--strict")
    assert code == 2
    assert "game 2: line 2, column 4" in err
    assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]


def test_convert_into_a_folder(tmp_path, capsys):
    (tmp_path / "a.txt").write_text("h8\nh8i9\n")
    assert convert(capsys, tmp_path / "a.txt", "-o", tmp_path / "x.psq")[0] == 2
    (tmp_path / "out").mkdir()
    assert convert(capsys, tmp_path / "a.txt", "-o", tmp_path / "out", "--to", "psq")[0] == 0
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["a-1.psq", "a-2.psq"]


def test_convert_exit_codes(tmp_path, capsys, monkeypatch):
    (tmp_path / "bad.sgf").write_text("none")
    (tmp_path / "good.txt").write_text("h8")
    code, out, err = convert(
        capsys, tmp_path / "bad.sgf", tmp_path / "good.txt", "-o", "-", "--to", "gomocup"
    )
    assert (code, out) == (2, "0,0\n")
    assert "bad.sgf: there is no SGF game" in err
    assert convert(capsys, FILES / "gomocup_1x0-16.psq", "-o", tmp_path / "x.sgf")[0] == 1
    assert convert(capsys, tmp_path / "good.txt", "-o", tmp_path / "x.rif")[0] == 2
    assert convert(capsys, tmp_path / "good.txt", "-o", tmp_path / "x.qqq")[0] == 2
    assert convert(capsys, tmp_path / "good.txt", "-o", "-")[0] == 2
    assert convert(capsys, tmp_path / "good.txt", "-o", tmp_path / "good.txt")[0] == 2
    assert convert(capsys, tmp_path / "none.sgf", "-o", tmp_path / "x.txt")[0] == 2
    assert not (tmp_path / "x.sgf").exists()
    monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO(b"h8i9")))
    assert convert(capsys, "-", "-o", "-", "--to", "gomocalc")[1] == "https://gomocalc.com/#/h8i9\n"


def test_game_is_there_after_import_renju():
    assert renju.Game is Game
    assert "io" in dir(renju)
