"""Networks: taught from files of positions, resumed, used by engines and arrays."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from renju import Board, Engine, FormatError, Limit, batch, lab
from renju.cli import main
from renju.lab.selfplay import POSITION_DTYPE

GAMES = {"nodes": 20, "opening_nodes": 20, "opening_stones": (5, 8), "beside": 0, "max_stones": 30}
LESSON = {"epochs": 2, "batch": 256, "validation": 0.2, "seed": 3}


@pytest.fixture(scope="module")
def shards(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("shards")
    lab.grow_shards(folder, 2000, seed=1, **GAMES)
    return folder


@pytest.fixture(scope="module")
def trained(shards: Path, tmp_path_factory: pytest.TempPathFactory) -> lab.Training:
    return lab.train(shards, tmp_path_factory.mktemp("network") / "a.network", note="a test", **LESSON)


@pytest.mark.slow
def test_files_of_positions_are_arrays_and_are_not_played_again(shards: Path) -> None:
    files = lab.shard_files(shards)
    assert [file.name for file in files] == ["games-0000000.npy", "games-0001000.npy"]
    rows = np.load(files[1], mmap_mode="r")
    assert rows.dtype == POSITION_DTYPE
    assert set(rows["game"].tolist()) == set(range(1000, 2000))
    assert len(lab.load_shard(files[1])) == len(rows)
    before = [file.stat().st_mtime_ns for file in files]
    assert lab.grow_shards(shards, 2000, seed=1, **GAMES) == files
    assert [file.stat().st_mtime_ns for file in files] == before


@pytest.mark.slow
def test_other_games_do_not_come_into_a_folder(shards: Path, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="these are other games: seed"):
        lab.grow_shards(shards, 2000, seed=2, **GAMES)
    with pytest.raises(ValueError, match="multiples of 1000"):
        lab.grow_shards(tmp_path, 1500)
    shutil.copy(shards / "games-0000000.npy", tmp_path)
    with pytest.raises(FormatError, match=r"plan\.json: missing"):
        lab.grow_shards(tmp_path, 1000)
    (tmp_path / "games-0000000.npy").write_bytes(b"nonsense")
    with pytest.raises(FormatError, match="no file of positions"):
        lab.load_shard(tmp_path / "games-0000000.npy")


@pytest.mark.slow
def test_a_network_is_better_than_the_table(trained: lab.Training) -> None:
    assert len(trained.epochs) == 2
    last = trained.epochs[-1].validation
    assert last.positions == trained.before.positions > 1000
    assert last.policy < trained.before.policy
    assert trained.before.value == pytest.approx(trained.before.table)
    assert "epoch 2: value" in str(trained)
    assert "a test" in trained.recipe
    assert b"licence MIT" in trained.path.read_bytes()[:200]
    assert trained.to_svg().startswith("<svg")


@pytest.mark.slow
def test_a_killed_run_comes_to_the_same_weights(trained: lab.Training, shards: Path, tmp_path: Path) -> None:
    out = tmp_path / "a.network"

    class Killed(Exception):
        pass

    def kill(done: int, total: int, _: lab.LossFigures | None) -> None:
        if done == 1:
            raise Killed

    with pytest.raises(Killed):
        lab.train(shards, out, note="a test", progress=kill, **LESSON)
    assert not out.exists()
    with pytest.raises(ValueError, match="another run, which is not resumed: rate"):
        lab.train(shards, out, resume=True, rate=0.5, **LESSON)
    resumed = lab.train(shards, out, resume=True, note="a test", threads=1, **LESSON)
    assert resumed.path.read_bytes() == trained.path.read_bytes()
    assert resumed.epochs == trained.epochs
    state = tmp_path / "a.network.state.npz"
    state.write_bytes(state.read_bytes()[:-50])
    with pytest.raises(FormatError, match="no state of a network"):
        lab.train(shards, out, resume=True, **LESSON)


@pytest.mark.slow
def test_a_network_goes_on_from_another(trained: lab.Training, shards: Path, tmp_path: Path) -> None:
    lesson = LESSON | {"epochs": 1, "rate": 0.0003}
    more = lab.train(shards, tmp_path / "b.network", start=trained.path, **lesson)
    # It begins where the other ended, but for what the rounding to whole numbers changes.
    assert more.before.value == pytest.approx(trained.epochs[-1].validation.value, abs=2e-3)
    assert abs(more.before.value - more.before.table) > 5e-3
    assert any("goes on from the network with the digest" in line for line in more.recipe)
    shipped = lab.train(shards, tmp_path / "c.network", start=True, **lesson)
    assert shipped.before.value != pytest.approx(more.before.value, abs=1e-6)
    with pytest.raises(ValueError, match="another run"):
        lab.train(shards, tmp_path / "c.network", start=trained.path, resume=True, **lesson)
    (tmp_path / "bad").write_bytes(b"nonsense")
    with pytest.raises(FormatError, match="start: "):
        lab.train(shards, tmp_path / "d.network", start=tmp_path / "bad", **lesson)


def test_nothing_to_learn_from_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no files of positions"):
        lab.train(tmp_path, tmp_path / "a.network")
    (tmp_path / "games-0000000.npy").write_bytes(b"")
    with pytest.raises(ValueError, match="epochs"):
        lab.train(tmp_path, tmp_path / "a.network", epochs=0)


@pytest.mark.slow
def test_the_command_plays_and_teaches(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    games = ["--games", "1000", "--nodes", "20", "--opening-nodes", "20", "--max-stones", "20"]
    words = ["lab", "train", "-o", "my.network", *games, "--epochs", "1", "--validation", "0.2", "--quiet"]
    assert main([*words, "--picture", "loss.svg", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["network"] == "my.network"
    assert told["epochs"][0]["validation"]["positions"] > 100
    assert Path("loss.svg").read_text().startswith("<svg")
    assert main(words) == 2
    assert "--resume" in capsys.readouterr().err
    assert main([*words, "--resume"]) == 0


@pytest.mark.slow
def test_an_engine_plays_by_a_network_of_a_file(trained: lab.Training) -> None:
    board, limit = Board("h8h9j9j8f8i7g7i9"), Limit(nodes=3000)
    scores = {
        Engine("master", network=network).analyse(board, limit).score
        for network in (True, False, trained.path)
    }
    assert len(scores) == 3
    assert Engine("master").analyse(board, limit).score in scores
    hard = Engine("hard", network=trained.path)
    assert (hard.config.network, hard.config.fitted) == (True, True)
    assert not Engine("master", network=False).config.network
    assert "network=..." in repr(hard)


def test_a_file_that_is_no_network_is_told(tmp_path: Path) -> None:
    path = tmp_path / "bad.network"
    path.write_bytes(b"renju network 1\nrecipe\n\n")
    with pytest.raises(FormatError, match="0 bytes follow the recipe"):
        Engine("master", network=path)
    with pytest.raises(FormatError, match="0 bytes follow"):
        batch.evaluate(Board("h8").to_array(), network=path)
    with pytest.raises(TypeError, match="network is True, False, None or the path"):
        Engine("master", network=5)  # type: ignore[arg-type]


def test_chances_of_boards() -> None:
    boards, turns = batch.parse(["h8i9", "h8h9j9j8f8i7g7i9", "h8i9g7g9i7h9f9h7i6g6"])
    chances = batch.evaluate(boards, turns)
    assert chances.shape == (3, 3)
    assert chances.dtype == np.float32
    np.testing.assert_allclose(chances.sum(axis=1), 1, rtol=1e-5)
    both, policy = batch.evaluate(boards, turns, policy=True, threads=1)
    np.testing.assert_array_equal(both, chances)
    np.testing.assert_allclose(policy.sum(axis=(1, 2)), 1, rtol=1e-5)
    assert (policy[boards != 0] == 0).all()
    for k in range(8):
        turned, moves = batch.evaluate(batch.transform(boards, k), turns, policy=True)
        np.testing.assert_array_equal(turned, chances)
        np.testing.assert_allclose(batch.transform(policy, k), moves, rtol=1e-5)
    out = np.empty((3, 3), np.float32)
    assert batch.evaluate(boards, turns, out=out) is out
    np.testing.assert_array_equal(out, chances)
    assert batch.evaluate(boards[0]).shape == (3,)
    with pytest.raises(ValueError, match=r"boards\[0\]"):
        batch.evaluate(np.eye(15, dtype=np.int8))


def test_black_is_not_sent_to_a_forbidden_point() -> None:
    board = Board.from_stones("f8 g8 h9 h10", "a1 a3 a5 c1", turn=1)
    _, policy = batch.evaluate(board.to_array(), policy=True)
    forbidden = batch.forbidden(board.to_array()) != 0
    assert forbidden.any()
    assert (policy[forbidden] == 0).all()


def test_what_table_and_network_say_of_a_position() -> None:
    board = Board("h8h9j9j8f8i7g7i9")
    engine = Engine("master", book=False)
    shares = engine.static_value(board)
    assert list(shares) == ["table", "network"]
    result = engine.analyse(board, Limit(nodes=500))
    assert result.static_value == shares
    # Chances without a draw are the logistic of the sum, by what one unit of it is in points.
    win, _, loss = batch.evaluate(board.to_array(), int(board.turn)).tolist()
    assert np.log(win / loss) * 200 == pytest.approx(sum(shares.values()), abs=0.5)
    for k in range(8):
        assert engine.static_value(board.transform(k)) == shares
    alone = Engine("master", network=False, book=False)
    assert list(alone.static_value(board)) == ["table"]
    assert alone.analyse(board, Limit(nodes=500)).static_value == alone.static_value(board)
    assert not Engine("master").best_move(Board()).static_value  # from the rules of the opening


def test_the_win_rate_of_a_score() -> None:
    result = Engine("master").analyse(Board("h8h9j9j8f8i7g7i9"), Limit(nodes=2000))
    win, draw, loss = result.win_rate or (0.0, 0.0, 0.0)
    assert win + draw + loss == pytest.approx(1)
    assert min(win, draw, loss) > 0
    forced = Engine("master", book=False).best_move(Board("h8a1i8a3j8a5k8"))
    assert forced.source == "forced-defence"
    assert forced.win_rate is None or forced.win_in is not None
