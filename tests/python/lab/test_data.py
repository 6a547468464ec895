"""Records, planes, shards and batches to learn from."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import renju
from renju import BLACK, Board, batch, data, lab, samples
from renju.errors import PositionError
from support.tables import write

GAMES = samples.games()[:6]
NAMES = list(data.CHANNELS)

pytestmark = pytest.mark.usefixtures("inside")


def unpacked(records: Any) -> np.ndarray[Any, Any]:
    """The boards of records."""
    black, white = (
        np.unpackbits(records[name], axis=1, count=225, bitorder="little") for name in ("black", "white")
    )
    return (black + 2 * white).reshape(-1, 15, 15)


def test_records_of_boards_have_nothing_to_learn() -> None:
    boards, turns = batch.parse(["h8 i9", "h8 i9 g7"])
    records = data.from_boards(np.where(boards == 2, -1, boards))
    assert (unpacked(records) == boards).all()
    assert records["turn"].tolist() == turns.tolist() == [1, 2]
    found = data.features(records)
    assert found.policy.tolist() == [-1, -1]
    assert (found.planes[:, 4:6] == 0).all()
    assert (data.from_boards(boards, [2, 1])["turn"] == [2, 1]).all()
    with pytest.raises(ValueError, match=r"boards\[1\]: the stones do not tell"):
        data.from_boards([boards[0], np.ones((15, 15), np.int8)])
    with pytest.raises(PositionError, match=r"boards\[0\]"):
        data.from_boards(np.full((15, 15), 7, np.int8))


def test_records_are_the_positions_of_games() -> None:
    records = data.from_moves(GAMES)
    place = 0
    for number, text in enumerate(GAMES):
        moves = Board(text).moves
        outcome = Board(text).outcome
        board = Board()
        for ply, move in enumerate(moves):
            record = records[place]
            place += 1
            assert [record[name] for name in ("game", "ply", "turn", "played")] == [
                number,
                ply,
                board.turn,
                move,
            ]
            before = [int(one) for one in reversed(moves[max(0, ply - 2) : ply])]
            assert record["last"].tolist() == [*before, 255, 255][:2]
            result = 0 if outcome is None else 3 if outcome.winner is None else int(outcome.winner)
            assert record["result"] == result
            np.testing.assert_array_equal(unpacked(records[place - 1 : place])[0], board.to_array())
            board.push(move)
    assert place == len(records)


def test_planes_masks_and_targets_are_those_of_boards() -> None:
    records = data.from_moves(GAMES[:3])
    found = data.features(records)
    boards = unpacked(records).astype(np.int8)
    forbidden = batch.forbidden(boards) > 0
    threats = {color: batch.threat_map(boards, color) for color in (1, 2)}
    codes = {
        "closed three": [3],
        "open three": [4],
        "four": [6],
        "double": [5, 7, 8],
        "open four": [9],
        "five": [10],
    }
    for n, record in enumerate(records):
        turn = int(record["turn"])
        planes = dict(zip(NAMES, found.planes[n].astype(bool), strict=True))
        expected = {
            "own stones": boards[n] == turn,
            "opponent stones": boards[n] == 3 - turn,
            "empty points": boards[n] == 0,
            "black to move": np.full((15, 15), turn == BLACK),
            "last move": np.isin(np.arange(225), record["last"][0]).reshape(15, 15),
            "move before last": np.isin(np.arange(225), record["last"][1]).reshape(15, 15),
            "forbidden to black": forbidden[n],
        }
        for side, color in (("own", turn), ("opponent", 3 - turn)):
            for shape, numbers in codes.items():
                expected[f"{side} {shape}"] = np.isin(threats[color][n], numbers)
        assert [*expected] == NAMES
        for name, plane in expected.items():
            np.testing.assert_array_equal(planes[name], plane, err_msg=f"{name} of record {n}")
        legal = (boards[n] == 0) & ~(forbidden[n] & (turn == BLACK))
        np.testing.assert_array_equal(found.mask[n, :225].reshape(15, 15), legal)
        assert found.policy[n] == record["played"]
        assert found.one_hot()[n].argmax() == record["played"]
        value = {0: 0, 3: 0}.get(int(record["result"]), 1 if record["result"] == turn else -1)
        assert (found.value[n], found.known[n]) == (value, record["result"] != 0)


def test_a_symmetry_turns_everything_together() -> None:
    records = data.from_moves(GAMES[:2])[::3]
    plain = data.features(records)
    for k in range(8):
        turned = data.features(records, k)
        np.testing.assert_array_equal(turned.planes, batch.transform(plain.planes, k))
        masks = plain.mask[:, :225].reshape(-1, 15, 15)
        np.testing.assert_array_equal(turned.mask[:, :225].reshape(-1, 15, 15), batch.transform(masks, k))
        np.testing.assert_array_equal(turned.policy, batch.transform_points(plain.policy, k))
        np.testing.assert_array_equal(turned.value, plain.value)
    eight = data.features(records[:1].repeat(8), np.arange(8))
    for k in range(8):
        np.testing.assert_array_equal(eight.planes[k], data.features(records[:1], k).planes[0])


def test_unfinished_games_passes_and_out() -> None:
    records = data.from_moves(["h8i9g7--"])
    out = data.Features.empty(4)
    found = data.features(records, threads=1, out=out)
    assert found is out
    assert found.policy.tolist() == [112, 128, 96, 225]
    assert not found.known.any()
    assert found.value.tolist() == [0, 0, 0, 0]
    records["played"] = 255
    assert data.features(records).policy.tolist() == [-1] * 4
    assert data.features(records).one_hot().sum() == 0


def test_records_that_are_none_are_refused() -> None:
    good = data.from_moves(["h8i9g7"])
    cases: list[tuple[str, Any, str]] = [
        ("turn", 3, r"records\[1\]: turn is 1 or 2"),
        ("played", 230, r"records\[1\]: played is 230"),
        ("last", 226, r"records\[1\]: last is 226"),
        ("result", 4, r"records\[1\]: result is 0, 1, 2 or 3"),
        ("white", 255, r"records\[1\]: a point has a stone of both"),
    ]
    for name, value, text in cases:
        bad = good.copy()
        bad[name][1] = value
        with pytest.raises(PositionError, match=text):
            data.features(bad)
    wrong: list[tuple[Any, Any, type[Exception]]] = [
        (np.zeros(3), 0, TypeError),
        (good.reshape(1, -1), 0, ValueError),
        (good, 8, ValueError),
        (good, [0, 1], ValueError),
        (good, 0.5, TypeError),
    ]
    for records, symmetries, error in wrong:
        with pytest.raises(error):
            data.features(records, symmetries)
    with pytest.raises(ValueError, match=r"out\.planes"):
        data.features(good, out=data.Features.empty(2))
    with pytest.raises(renju.IllegalMoveError, match=r"games\[1\]: move 2"):
        data.from_moves(["h8", "h8h8"])


def test_files_and_what_is_bad_in_them() -> None:
    write("a.txt", GAMES[0], "h8h8", GAMES[1])
    write("b.jsonl", '{"black": "h8", "white": ""}', f'{{"moves": "{GAMES[2]}"}}', "nonsense")
    bad: list[str] = []
    parts = [*data.from_files(["a.txt", "b.jsonl"], on_bad=lambda row: bad.append(f"{row.file}:{row.row}"))]
    found = np.concatenate(parts)
    np.testing.assert_array_equal(unpacked(found), unpacked(data.from_moves(GAMES[:3])))
    assert sorted(bad) == ["a.txt:2", "b.jsonl:1", "b.jsonl:3"]
    with pytest.raises(renju.FormatError, match=r"a\.txt:2: move 2"):
        [*data.from_files("a.txt")]


@pytest.mark.parametrize("form", data.FORMS)
def test_shards_hold_what_was_written(form: str) -> None:
    records = data.from_moves(GAMES)
    paths = data.write([records[:50], records[50:51], records[51:]], "out", form, shard_records=40)
    sizes = [len(data.load(path)) for path in paths]
    assert sizes == [40] * (len(records) // 40) + [len(records) % 40]
    np.testing.assert_array_equal(np.concatenate([data.load(path) for path in paths]), records)
    with pytest.raises(FileExistsError):
        data.write(records, "out", form)
    write("games.txt", *GAMES, "h8h8")
    done = data.export("games.txt", "exported", form)
    assert (done.records, done.games, done.bad) == (len(records), len(GAMES), 1)
    np.testing.assert_array_equal(np.concatenate([data.load(path) for path in done.files]), records)
    Path(f"damaged.{form}").write_bytes(paths[0].read_bytes()[:100])
    with pytest.raises(renju.FormatError, match="damaged"):
        data.load(f"damaged.{form}")


@pytest.mark.slow
def test_self_play_becomes_records() -> None:
    positions = lab.selfplay(3, nodes=100, threads=1, opening_nodes=100)
    records = data.from_self_play(positions)
    np.testing.assert_array_equal(unpacked(records), positions["board"])
    found = data.features(records)
    np.testing.assert_array_equal(found.policy, positions["move"])
    np.testing.assert_array_equal(found.known, ~positions["score_only"])
    np.testing.assert_array_equal(found.value, np.where(positions["score_only"], 0, positions["result"]))
    assert (records["ply"] == (positions["board"] != 0).sum((1, 2))).all()


def test_batches_hold_every_record_once_and_follow_from_the_seed() -> None:
    records = data.from_moves(GAMES)
    data.write(records, "shards", shard_records=50)
    dataset = data.Dataset("shards", 32, seed=3, augment=False)
    assert (dataset.records, len(dataset)) == (len(records), -(-len(records) // 32))
    first = [*dataset]
    second = [*dataset]
    again = [*data.Dataset("shards", 32, seed=3, augment=False)]
    plain = data.features(records)

    def stones(batches: list[dict[str, Any]]) -> list[bytes]:
        return [planes.tobytes() for one in batches for planes in one["planes"]]

    assert stones(first) == stones(again) != stones(second)
    assert (
        sorted(stones(first)) == sorted(stones(second)) == sorted(planes.tobytes() for planes in plain.planes)
    )
    in_order = data.Dataset("shards", 32, shuffle=False, augment=False)
    assert stones([*in_order]) == [planes.tobytes() for planes in plain.planes]
    turned = data.Dataset("shards", 1000, shuffle=False, seed=1)[0]
    images = [data.features(records, k).planes for k in range(8)]
    kinds = [next(k for k in range(8) if (images[k][n] == turned["planes"][n]).all()) for n in range(60, 120)]
    assert len(set(kinds)) == 8


def test_a_dataset_is_what_a_loader_takes() -> None:
    """A loader of PyTorch asks for the length and for batches by number, here or in another process."""
    dataset = data.Dataset(data.from_moves(GAMES[:2]), 16)
    there = pickle.loads(pickle.dumps(dataset))
    for name, array in there[1].items():
        np.testing.assert_array_equal(array, dataset[1][name])
        assert array.dtype in (np.uint8, np.int8, np.int64, np.float32, np.bool_)
    np.testing.assert_array_equal(dataset[-1]["policy"], dataset[len(dataset) - 1]["policy"])
    with pytest.raises(IndexError):
        dataset[len(dataset)]
    with pytest.raises(renju.FormatError, match="no shards"):
        data.Dataset("nothing")
