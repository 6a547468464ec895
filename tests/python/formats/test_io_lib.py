"""RenLib libraries: samples, both ways round, texts in code pages, and files that are broken or hostile."""

from __future__ import annotations

import random

import pytest

from renju import BLACK, PASS, Point
from renju.errors import FormatError
from renju.game import Game, GameNode
from renju.io import lib, sgf
from support import FILES

SYNTHETIC = (FILES / "synthetic_openings.lib").read_bytes()
EXPORT = (FILES / "rapfi_export.lib").read_bytes()


def header(minor: int = 4) -> bytes:
    return b"\xffRenLib\xff\x03" + bytes([minor]) + b"\xff" * 10


def one(data: bytes, encoding: str | None = None) -> Game:
    (game,) = lib.loads(data, encoding)
    return game


def nodes(game: Game) -> int:
    return sum(node.move is not None for _, node in game.root.walk())


def lines(game: Game) -> dict[tuple[Point, ...], GameNode]:
    """Key: the moves to a node; value: the node."""
    found: dict[tuple[Point, ...], GameNode] = {}
    todo: list[tuple[GameNode, tuple[Point, ...]]] = [(game.root, ())]
    while todo:
        node, path = todo.pop()
        path = path if node.move is None else (*path, node.move)
        found[path] = node
        todo += [(child, path) for child in node.children]
    return found


def facts(game: Game) -> list[tuple[int, Point | None, str, dict[Point, str], dict[str, list[str]]]]:
    return [(depth, n.move, n.comment, n.labels, n.properties) for depth, n in game.root.walk()]


def path(text: str) -> tuple[Point, ...]:
    return tuple(map(Point, text.split()))


# Samples


def test_the_synthetic_sample():
    game = one(SYNTHETIC)
    assert nodes(game) == 8
    assert not game.errors
    assert game.headers == {"renlib": "3.0"}
    found = lines(game)
    assert found[path("h8 h9 i9")].comment == "Kagetsu D4"
    assert found[path("h8 i9 i7")].comment == "Hogetsu I7\nmulti line part"
    assert found[path("h8 i9")].labels == {Point("J10"): "A"}
    assert path("h8 h9 i8 g8") in found
    assert game.moves == path("h8 h9 i9")


def test_the_export_of_rapfi():
    game = one(EXPORT)
    assert nodes(game) == 45
    assert not game.errors
    ours, theirs = lines(one(SYNTHETIC)), lines(game)
    assert set(ours) <= set(theirs)
    assert all(theirs[moves].comment == node.comment for moves, node in ours.items())


def test_files_of_databases_are_refused():
    for name in ("rapfi_lz4.db", "rapfi_uncompressed.db"):
        with pytest.raises(FormatError, match=r"position database of Yixin or Rapfi"):
            lib.load(FILES / name)
        with pytest.raises(FormatError):
            lib.refuse_db((FILES / name).read_bytes())
    assert not any(map(lib.is_db, (SYNTHETIC, EXPORT, b"", b"x,y", b"(;GM[4])", b"Piskvorky 20x20, 11:11")))


# Both ways


@pytest.mark.parametrize("data", [SYNTHETIC, EXPORT], ids=["synthetic", "export"])
def test_what_is_read_is_written_again(data):
    game = one(data)
    again = one(lib.dumps([game]))
    assert facts(again) == facts(game)
    assert again.headers == game.headers


def test_the_synthetic_sample_is_written_byte_by_byte():
    assert lib.dumps(lib.loads(SYNTHETIC)) == SYNTHETIC


def test_files(tmp_path):
    lib.dump(lib.loads(SYNTHETIC), tmp_path / "a.lib")
    assert (tmp_path / "a.lib").read_bytes() == SYNTHETIC
    assert facts(lib.load(tmp_path / "a.lib")[0]) == facts(one(SYNTHETIC))


def random_game(rng: random.Random) -> Game:
    """A tree with comments, labels, marks and passes, in the form in which libraries are read."""
    game = Game()
    # A node, the points of its stones, and the passes after the last of them.
    todo: list[tuple[GameNode, frozenset[int], int]] = [(game.root, frozenset(), 0)]
    texts = ["", "", "one line", "two\nlines", "花月 \u2461", "a\n\nb\n", "x" * 301, "tab\there"]
    while todo and rng.random() < 0.98:
        node, taken, passes = todo.pop(rng.randrange(len(todo)))
        node.comment = rng.choice(texts)
        if node.move is not None and node.move != PASS and rng.random() < 0.1:
            node.labels[node.move] = ""
        if rng.random() < 0.1:
            node.properties["start"] = ["1"]
        free = [point for point in range(225) if point not in taken]
        for point in rng.sample(free, rng.randrange(4)):
            child = node.add(point)
            todo.append((child, taken | {point}, 0))
            if rng.random() < 0.2:
                node.labels[Point(point)] = rng.choice(["A", "12", "必勝"])
        if rng.random() < 0.2 and passes < 2 and len(taken) > 2:
            todo.append((node.add(PASS), taken, passes + 1))
        if rng.random() < 0.2:
            used = {child.move for child in node.children} | {node.move}
            node.labels[rng.choice([Point(p) for p in free if p not in used])] = rng.choice(["", "B"])
    return game


@pytest.mark.parametrize("seed", range(60))
def test_random_trees_come_back(seed):
    game = random_game(random.Random(seed))
    again = one(lib.dumps([game]))
    assert not again.errors
    assert facts(again) == facts(game)


def test_same_moves_share_nodes():
    first = Game.from_moves("h8 i9 i7 j10")
    second = Game.from_moves("h8 i9 g7")
    list(first.root.main_line())[1].comment = "white 2"
    list(second.root.main_line())[1].comment = "indirect"
    game = one(lib.dumps(iter([first, second, Game.from_moves("h8 i9 i7")])))
    assert set(lines(game)) == set(lines(first)) | set(lines(second))
    assert nodes(game) == 5
    assert game.comments == {2: "white 2\nindirect"}


@pytest.mark.parametrize(
    ("moves", "minor"), [("h8 i9", 0), ("h8", 0), ("", 4), ("g8 h8", 4), ("h8 i9 i7 pass g7", 4)]
)
def test_the_version_is_the_oldest_that_can_hold_it(moves, minor):
    data = lib.dumps(Game.from_moves(moves))
    assert data[:20] == header(minor)
    assert one(data).moves == path(moves)


def test_what_stands_at_the_root_needs_a_root():
    game = Game.from_moves("h8 i9")
    game.root.comment = "All of it"
    assert one(lib.dumps(game)).comments == {0: "All of it"}
    game = Game.from_moves("h8 i9")
    game.root.labels[Point("H8")] = "1"  # the text of the first move itself
    assert lib.dumps(game)[9] == 0
    assert one(lib.dumps(game)).root.labels == {Point("H8"): "1"}


def test_nodes_without_a_move_join_the_one_before():
    game = Game.from_moves("h8 i9")
    remark = game.root.children[0].add(comment="a remark")
    remark.add("g7")
    again = one(lib.dumps(game))
    assert set(lines(again)) == {(), path("h8"), path("h8 i9"), path("h8 g7")}
    assert again.comments == {1: "a remark"}


def test_games_that_moves_alone_cannot_tell_are_refused():
    game = Game.from_moves("h8 i9")
    game.black = (Point("A1"),)
    with pytest.raises(ValueError, match="game 1 begins with a set-up"):
        lib.dumps(game)
    game = Game.from_moves("h8 i9")
    game.root.children[0].children[0].color = BLACK
    with pytest.raises(ValueError, match="I9 is black's, where white is to move"):
        lib.dumps([Game(), game])


def test_what_is_written_into_a_comment_does_not_break_the_file():
    game = Game.from_moves("h8 i9")
    game.root.children[0].comment = "zero \0 and \b bell\r\nline"
    again = one(lib.dumps(game))
    assert again.comments == {1: "zero  and  bell\nline"}
    assert again.moves == path("h8 i9")


# Of the format


def test_passes_and_the_root():
    game = one(header() + bytes.fromhex("0008 726f6f7400 00 7800 6900 7900 0000 0000 6840"))
    assert game.moves == path("h8 i9 i8 pass pass h9")
    assert game.comments == {0: "root"}
    assert not game.errors


def test_a_library_from_before_the_header():
    game = one(bytes.fromhex("7800 6980 6840 8840"))
    assert set(lines(game)) == {(), path("h8"), path("h8 i9"), path("h8 i9 h9"), path("h8 h7")}
    assert game.headers == {}
    long = one(b"\x78\x00" + bytes.fromhex("6900 7900 7700") * 3 + b"\0\0\0\x40")
    assert long.errors, "a byte where a header would end is no root"


def test_an_old_comment():
    text = b"Sm}tt |ga\bok"
    data = bytes.fromhex("7860") + text[:-1] + bytes([text[-1] | 0x80])
    game = one(data + b"\0" * (len(text) % 2))
    assert game.comments == {1: "Smått öga\nok"}
    assert not game.errors


def test_marks_start_and_extension():
    game = one(header() + bytes.fromhex("0000 7801 8002 6994 6950 8845 0100"))
    first, second = game.root.children[0], game.root.children[0].children[0]
    assert first.properties == {"extension": ["8002"]}
    assert second.labels == {Point("I9"): ""}
    assert second.properties == {"start": ["1"]}
    again = one(lib.dumps(game))
    assert facts(again) == facts(game)


def test_texts_that_are_no_moves():
    # H8, then a text on A1 that is no move, then I9; A1 with a comment would be a node.
    game = one(header(0) + bytes.fromhex("7800 e1c3 0001 5800 6940"))
    assert game.moves == path("h8 i9")
    assert game.root.children[0].labels == {Point("A1"): "X"}
    assert len(game.root.children[0].children) == 1
    game = one(header(0) + bytes.fromhex("7800 e1ca 6869 0000 6940"))
    assert [node.comment for node in game.root.children[0].children] == ["hi", ""]


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("utf-8", "花月 必勝 – ü"),
        ("cp932", "花月は黒必勝、白は四追い"),
        ("cp932", "浦月"),
        ("cp936", "花月开局，黑必胜"),
        ("cp936", "此处白棋防守最强"),
        ("cp1251", "Чёрные выигрывают. Ход белых!"),
        ("cp1252", "Weiß gewinnt für Schwarz; väldigt bra"),
    ],
)
def test_code_pages(page, text):
    def library(raw: bytes) -> bytes:
        return header(0) + b"\x78\x48" + raw + bytes(2 - len(raw) % 2)

    game = one(library(text.encode(page)))
    assert game.comments == {1: text}
    assert not game.errors
    assert one(library(text.encode(page)), page).comments == {1: text}


def test_encodings_that_do_not_fit():
    raw = b"caf\xe9 \x81\xff"
    data = header(0) + b"\x78\x48" + raw + bytes(2 - len(raw) % 2)
    assert one(data, "ascii").errors[0].where == "byte 22"
    assert "caf" in one(data).comments[1]
    for name in ("utf-16", "no such", "idna", "hex", "utf-7", "rot13", "a\0b"):
        with pytest.raises(ValueError, match="is no encoding"):
            lib.loads(data, name)
    game = Game.from_moves("h8")
    game.root.children[0].comment = "花月"
    assert "花月".encode("gbk") in lib.dumps(game, encoding="gbk")
    with pytest.raises(FormatError, match="花"):
        lib.dumps(game, encoding="latin-1")


def test_halves_of_characters_are_replaced():
    game = Game.from_moves("h8 i9")
    game.root.children[0].comment = "a\ud800b"
    (again,) = lib.loads(lib.dumps(game))
    assert again.comments == {1: "a?b"}


# Broken files


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "byte 0"),
        (b"\xffRenLib\xff\x03", "byte 9: the file ends within the header"),
        (header(), "byte 20: the file ends"),
        (header() + b"\x70\x00", "byte 20: 0x70 is no point"),
        (b"!<arch>\n", "linker"),
        (b"(;GM[4])", "byte 0: no RenLib library"),
    ],
    ids=["empty", "short", "header", "first", "linker", "sgf"],
)
def test_nothing_to_read(data, message):
    with pytest.raises(FormatError, match=message):
        lib.loads(data)


@pytest.mark.parametrize(
    ("nodes_hex", "moves", "problem"),
    [
        ("7800 6900", "h8 i9", "byte 24: the file ends where more was announced"),
        ("7800 69", "h8", "byte 23: the file ends where more was announced"),
        ("7800 f140", "h8", "byte 22: 0xF1 is no point of the board"),
        ("7808 6162", "h8", "byte 24: the file ends within a text"),
        ("7840 6940", "h8", "byte 22: the file goes on behind the end of its tree"),
        ("7800 6900 7840", "h8 i9", "byte 24: H8 is taken; this move and what follows it are left out"),
        ("0080 7840", "h8", "byte 20: the root cannot have siblings"),
        ("7860 6162", "h8", "byte 24: the file ends within a comment"),
    ],
)
def test_what_was_read_before_the_damage(nodes_hex, moves, problem):
    game = one(header(0) + bytes.fromhex(nodes_hex))
    assert game.moves == path(moves)
    assert [str(error) for error in game.errors] == [problem]


def test_newer_versions_are_read_as_far_as_we_can():
    game = one(header(5) + bytes.fromhex("7800 6940"))
    assert game.moves == path("h8 i9")
    assert str(game.errors[0]) == "byte 8: version 3.5 is newer than the known 3.4"


def test_types():
    with pytest.raises(TypeError, match="bytes, not str"):
        lib.loads("text")
    with pytest.raises(ValueError, match="max_nodes"):
        lib.loads(SYNTHETIC, max_nodes=0)


# Hostile files


@pytest.mark.slow
def test_many_nodes_in_a_row():
    # Nodes that are no moves: a line of moves ends with the board.
    count = 150_000
    game = lib.loads(header() + b"\0\0" + b"\0\x02" * count + b"\0\x42")[0]
    assert [str(error) for error in game.errors] == [
        "byte 10022: the line has more than 5,000 nodes; this move and what follows it are left out"
    ]
    assert len(tree_facts(game)) == 5_001
    game = Game()
    node = game.root
    for _ in range(count):
        node = node.add(PASS)
    assert len(lib.dumps([game])) == 20 + 2 * (count + 1)
    del game  # taking it apart must not recurse either


def test_limits():
    game = lib.loads(header() + b"\0\0" + b"\0\x02" * 5000, max_nodes=1000)[0]
    assert len(tree_facts(game)) == 1001
    assert str(game.errors[0]) == "byte 2022: more than 1,000 nodes; the rest was not read"
    # As many errors as nodes: the first are told, the others counted.
    game = one(header(0) + b"\x78\x00" + b"\x78\xc0" * 5000)
    assert len(game.errors) < 110
    assert "more problems" in str(game.errors[-1])


@pytest.mark.slow
def test_deep_and_wide():
    # A sibling at every step down.
    depth = 4_000
    deep = header() + b"\0\0" + b"\0\x82" * depth + b"\0\x42" * (depth + 1)
    assert len(tree_facts(one(deep))) == 2 * depth + 2
    depth = 50_000
    wide = header() + b"\0\0" + b"\x78\xc0" * depth + b"\x79\x40"
    assert len(one(wide).root.children) == depth + 1
    assert nodes(one(lib.dumps(one(wide)))) == 2


@pytest.mark.parametrize(
    ("moves", "kept", "problem"),
    [
        ("0040", "", "byte 22: a pass is not allowed in the first 3 moves"),
        ("7800 0040", "h8", "byte 24: a pass is not allowed in the first 3 moves"),
        ("7800 6900 0000 7940", "h8 i9", "byte 26: a pass is not allowed in the first 3 moves"),
        ("7800 6900 7900" + " 0000" * 287 + " 0040", "h8 i9 i8 pass pass", "byte 32: two passes in a row"),
        ("7800 6900 7900 0000 0000 0000 6840", "h8 i9 i8 pass pass", "byte 32: two passes in a row have"),
        # Of two continuations only the pass is left out.
        ("7800 6900 0080 7940 7740", "h8 i9 g8", "byte 26: a pass is not allowed in the first 3 moves"),
    ],
)
def test_passes_that_no_game_has(moves, kept, problem):
    game = lib.loads(header() + b"\0\0" + bytes.fromhex(moves))[0]
    assert game.moves == path(kept)
    assert [str(error).startswith(problem) for error in game.errors] == [True]
    assert str(game.errors[0]).endswith("this move and what follows it are left out")
    again = sgf.loads(sgf.dumps(game))[0]
    assert (again.moves, again.errors) == (game.moves, [])


def random_library(rng: random.Random) -> bytes:
    """Nodes at random, with all that a library can say of them: many lines cannot be played."""
    texts = [
        b"a",
        b"a\rb",
        b"a\nb",
        b"\r\n",
        b" x ",
        b"a\bb\bc",
        b"\n\n",
        b"a:b]c\\",
        b"\\",
        b"\x0b\x0c",
        b"\xc2\x85",
    ]
    places = [0, 0, 0, 0x78, 0x79, 0x88, 0x67, 0x68, *(rng.randrange(256) for _ in range(6))]
    parts = [header() + b"\0\0"]
    for _ in range(rng.randrange(1, 40)):
        flags = rng.choice(
            [0, 0, 0, 0, 0x80, 0x40, 0xC0, 0x08, 0x88, 0x48, 0x10, 0x02, 0x42, 0x04, 0x01, 0xC1]
        )
        extension = rng.choice([b"\0\1", b"\0\1", b"\0\2"]) if flags & 0x01 else b""
        count = bool(flags & 0x08) + (extension == b"\0\1")
        words = [text + bytes(2 - len(text) % 2) for text in rng.choices(texts, k=count)]
        parts.append(bytes([rng.choice(places), flags]) + extension + b"".join(words))
    return b"".join(parts)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.slow
def test_what_is_read_of_a_library_comes_back_from_sgf(seed):
    rng = random.Random(seed)
    for _ in range(200):
        game = lib.loads(random_library(rng))[0]
        again = sgf.loads(sgf.dumps(game))[0]
        assert not again.errors
        assert tree_facts(again) == tree_facts(game)
        data = lib.dumps([game])
        assert lib.dumps(lib.loads(data)) == data


def tree_facts(game: Game) -> list[tuple[object, ...]]:
    """All of a tree but the colours, which a library does not tell."""
    return [
        (depth, node.move, node.comment, node.labels, node.properties) for depth, node in game.root.walk()
    ]


def mutants(rng: random.Random, seeds: list[bytes], count: int):
    for _ in range(count):
        data = bytearray(rng.choice(seeds))
        for _ in range(rng.choice([1, 1, 2, 5, 20])):
            kind, at = rng.randrange(5), rng.randrange(len(data) + 1)
            if kind == 0 and at < len(data):
                data[at] = rng.randrange(256)
            elif kind == 1 and at < len(data):
                data[at] ^= 1 << rng.randrange(8)
            elif kind == 2:
                data[at:at] = rng.randbytes(rng.randrange(1, 5))
            elif kind == 3:
                del data[at : at + rng.randrange(1, 9)]
            else:
                data = data[: max(at, 1)]
        yield bytes(data)


@pytest.mark.slow
def test_fuzz():
    rng = random.Random(20)
    seeds = [SYNTHETIC, EXPORT, header() + b"\0\0\x78\x00\x00\x40", SYNTHETIC[20:]]
    seeds += [lib.dumps(random_game(random.Random(seed))) for seed in range(6)]
    cases = [*mutants(rng, seeds, 2500)]
    cases += [rng.randbytes(rng.randrange(80)) for _ in range(500)]
    cases += [header(rng.randrange(6)) + rng.randbytes(rng.randrange(200)) for _ in range(1000)]
    read = 0
    for data in cases:
        try:
            game = one(data)
        except FormatError:
            continue
        read += 1
        again = one(lib.dumps(game))  # what was read can be written
        assert set(lines(again)) == set(lines(game))
    assert read > 2000
