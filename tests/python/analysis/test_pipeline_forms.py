"""The tables that the pipeline writes, and what is in the way of one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars
import pyarrow.parquet as pq
import pytest

import renju
from renju import Board, Color, EngineConfig, Limit, cli, pipeline
from support.pipeline_runs import FIVE, FOUL, GAMES, QUICK, draw_by_passes
from support.processes import Output
from support.tables import bad_rows, read_table, with_empty_as_none, write

pytestmark = pytest.mark.usefixtures("inside")


# Forms


ALL_JOBS = ("forbidden", "vcf", "mise-vcf", "vct", "analyze")


@pytest.mark.slow
def test_all_forms_hold_the_same() -> None:
    write("in.txt", *GAMES[:3], FIVE, FOUL, draw_by_passes())
    write("more.jsonl", '{"black": "h8 i8", "white": "a1 a3", "id": "é, \\"x\\"\\n1"}', "{")
    outs = ["out.parquet", "out.jsonl", "out.csv", "folder/", "lines/"]
    reports = []
    for out in outs:
        form = "jsonl" if out == "lines/" else None
        reports.append(pipeline.run(["in.txt", "more.jsonl"], out, ALL_JOBS, form=form, **QUICK))
    tables = [read_table(Path(out)) for out in outs]
    assert tables[0] == tables[1] == tables[3] == tables[4]
    assert tables[2] == with_empty_as_none(tables[0])
    assert tables[0][-1]["game"] == 'é, "x"\n1'
    assert len({json.dumps(report.to_dict()["counts"]) for report in reports}) == 1
    assert bad_rows(Path("folder.bad.jsonl")) == bad_rows(Path("out.csv.bad.jsonl"))
    shards = sorted(path.name for path in Path("folder").iterdir())
    assert shards == [f"part-{n:06d}.parquet" for n in range(len(shards))]
    assert len(shards) > 3


def test_a_folder_is_one_table_for_everyone() -> None:
    write("in.txt", *GAMES[:5], "h8h8")
    pipeline.run("in.txt", "folder", "vcf", shard_positions=64)
    pipeline.run("in.txt", "out.parquet", "vcf", shard_positions=64)
    expected = pq.read_table("out.parquet")
    assert pq.read_table("folder").equals(expected)
    assert polars.read_parquet("folder/").rows() == polars.read_parquet("out.parquet").rows()


def test_columns_and_their_types() -> None:
    write("in.txt", *GAMES[:2])
    pipeline.run("in.txt", "out.parquet", ALL_JOBS, **QUICK)
    schema = pq.read_schema("out.parquet")
    place = ["file", "row", "game", "ply", "turn", "moves", "played", "outcome", "result", "opening", "key"]
    assert schema.names[: len(place)] == place
    kinds = {name: str(schema.field(name).type) for name in schema.names}
    assert (kinds["row"], kinds["ply"], kinds["key"]) == ("int64", "uint16", "string")
    assert (kinds["vcf"], kinds["vcf_line"], kinds["missed"]) == ("string", "list<element: string>", "bool")
    assert schema.names[-1] == "missed"
    assert {kinds[f"{end}_rate"] for end in ("win", "draw", "loss")} == {"float"}
    for kind in ("vcf", "mise_vcf", "vct"):
        at = schema.names.index(kind)
        assert schema.names[at : at + 5] == [
            kind,
            *(f"{kind}_{x}" for x in ("first", "length", "line", "nodes")),
        ]


@pytest.mark.slow
def test_openings() -> None:
    write("in.txt", *GAMES, "h8i9", "a1b2c3d4")
    report = pipeline.run("in.txt", "out.jsonl", "forbidden")
    for row in read_table(Path("out.jsonl")):
        if row["row"] <= len(GAMES):
            opening = Board(Board(GAMES[row["row"] - 1]).moves[:3]).opening()
            assert opening is not None
            assert row["opening"] == opening.code
        else:
            assert row["opening"] is None
    assert (
        sum(sum(results.values()) for results in report.openings.values()) == report.games == len(GAMES) + 2
    )
    assert report.openings["None"]["unfinished"] == 2
    outcomes = [Board(game).outcome for game in GAMES]
    black = sum(outcome is not None and outcome.winner == Color.BLACK for outcome in outcomes)
    assert sum(results["black"] for results in report.openings.values()) == black


def test_what_a_result_says_of_itself() -> None:
    write("in.txt", *GAMES[:2])
    options = {"limit": Limit(nodes=100), "multipv": 2, "max_depth": 7}
    for out in ("out.parquet", "folder/"):
        pipeline.run("in.txt", out, ("vcf", "analyze"), **options)
    for path in ("out.parquet", "folder/part-000000.parquet"):
        meta = json.loads(pq.read_schema(path).metadata[b"renju"])
        assert (meta["format"], meta["version"]) == ("renju-batch", renju.__version__)
        spec = meta["spec"]
        assert (spec["jobs"], spec["multipv"], spec["max_depth"]) == (["vcf", "analyze"], 2, 7)
        assert spec["limit"] == {"time": None, "nodes": 100, "depth": None}
        assert spec["schema"] == pipeline.SCHEMA_VERSION
        assert spec["config"] == vars(EngineConfig.from_level("hard"))
    for path in ("out.parquet.report.json", "folder.report.json"):
        report = json.loads(Path(path).read_text())
        assert report["spec"] == spec
        assert list(report["inputs"]) == ["in.txt"]
        assert (report["counts"]["games"], report["counts"]["bad"]) == (2, 0)
        assert report["counts"]["positions"] == pq.read_metadata("out.parquet").num_rows


# What is there already


def names() -> list[str]:
    return sorted(str(path.relative_to(Path.cwd())) for path in Path.cwd().rglob("*") if path.is_file())


@pytest.mark.parametrize("out", ["out.csv", "folder"])
def test_a_result_is_not_overwritten_unless_asked_to(out: str, capsys: Output) -> None:
    write("in.txt", *GAMES[:3])
    command = ["batch", "in.txt", "-o", out, "--quiet", "--form", "csv", "--shard", "32"]
    assert cli.main(command) == 0
    before = {name: Path(name).read_bytes() for name in names()}
    assert cli.main(command) == 2
    assert "take another name or overwrite it" in capsys.readouterr().err
    assert {name: Path(name).read_bytes() for name in names()} == before
    # Again with fewer shards: none of the old ones may stay.
    assert cli.main([*command, "--overwrite", "--last"]) == 0
    assert len(read_table(Path(out))) == 3
    assert not [name for name in names() if "000001" in name or "parts" in name]


@pytest.mark.parametrize("name", ["out.csv", "out.csv.report.json", "out.csv.bad.jsonl"])
def test_files_of_others_are_in_the_way(name: str, capsys: Output) -> None:
    write("in.txt", "h8", "h8h8")
    write(name, "mine")
    for arguments in ([], ["--resume"]):
        assert cli.main(["batch", "in.txt", "-o", "out.csv", "--quiet", *arguments]) == 2
        assert f"{name}: exists already; take another name or overwrite it" in capsys.readouterr().err
        assert Path(name).read_text() == "mine\n"
        assert names() == sorted(["in.txt", name])
    assert cli.main(["batch", "in.txt", "-o", "out.csv", "--quiet", "--overwrite"]) == 0
    assert names() == ["in.txt", "out.csv", "out.csv.bad.jsonl", "out.csv.report.json"]


FOREIGN = [
    "notes.txt",
    "part-1.csv",
    "part-000000.txt",
    "bad-rows.jsonl",
    "deep/part-000000.csv",
    ".x.12345678.tmp",
]


def test_a_folder_with_other_things(capsys: Output) -> None:
    write("in.txt", *GAMES[:3], "h8h8")
    Path("folder/deep").mkdir(parents=True)
    for name in FOREIGN:
        write(f"folder/{name}", "mine")
    command = ["batch", "in.txt", "-o", "folder", "--form", "csv", "--quiet", "--shard", "32"]
    for arguments in ([], ["--resume"], ["--overwrite"]):
        assert cli.main([*command, *arguments]) == 2
        assert "is a folder with other things in it" in capsys.readouterr().err
        assert names() == sorted(["in.txt", *(f"folder/{name}" for name in FOREIGN)])


def test_overwriting_a_folder_spares_other_things() -> None:
    write("in.txt", *GAMES[:3], "h8h8")
    command = ["batch", "in.txt", "-o", "folder", "--form", "csv", "--quiet", "--shard", "32"]
    assert cli.main(command) == 0
    Path("folder/deep").mkdir()
    for name in FOREIGN:
        write(f"folder/{name}", "mine")
    write("in.txt", GAMES[0])
    assert cli.main([*command, "--overwrite", "--last"]) == 0
    for name in FOREIGN:
        assert Path("folder", name).read_text() == "mine\n"
    own = ["folder/part-000000.csv", "folder.report.json", "in.txt"]
    assert names() == sorted([*own, *(f"folder/{name}" for name in FOREIGN)])


@pytest.mark.parametrize(
    ("inputs", "out"),
    [
        (["in.csv"], "in.csv"),
        (["./in.csv"], "in.csv"),
        (["link.csv"], "in.csv"),
        (["in.csv"], "link.csv"),
        (["out.csv.bad.jsonl"], "out.csv"),
        (["folder/part-000000.csv"], "folder"),
    ],
    ids=lambda value: value if isinstance(value, str) else value[0],
)
def test_an_input_is_never_overwritten(inputs: list[str], out: str, capsys: Output) -> None:
    Path("folder").mkdir()
    for name in ("in.csv", "folder/part-000000.csv"):
        write(name, "moves", "h8")
    Path("link.csv").symlink_to("in.csv")
    write("out.csv.bad.jsonl", '{"moves": "h8"}')
    before = {name: Path(name).read_bytes() for name in names()}
    assert cli.main(["batch", *inputs, "-o", out, "--overwrite", "--quiet"]) == 2
    assert f"{inputs[0]}: this is an input" in capsys.readouterr().err
    assert {name: Path(name).read_bytes() for name in names()} == before


def test_a_link_stays_a_link() -> None:
    write("in.txt", *GAMES[:3])
    Path("deep").mkdir()
    Path("out.csv").symlink_to("deep/real.csv")
    for arguments in ([], ["--overwrite"]):
        assert cli.main(["batch", "in.txt", "-o", "out.csv", "--quiet", *arguments]) == 0
        assert Path("out.csv").is_symlink()
        assert len(read_table(Path("deep/real.csv"))) > 50
        assert names() == ["deep/real.csv", "in.txt", "out.csv", "out.csv.report.json"]


def test_folders_are_made() -> None:
    write("in.txt", "h8")
    for out in ("some/where/out.csv", "some/where/else"):
        pipeline.run("in.txt", out)
        assert len(read_table(Path(out))) == 2
    Path("out.parquet").mkdir()
    pipeline.run("in.txt", "out.parquet")  # a folder, as it is one
    assert pq.read_table("out.parquet").num_rows == 2


def test_a_folder_that_looks_like_a_partition() -> None:
    write("in.txt", *GAMES[:2])
    Path("level=3").mkdir()
    pipeline.run("in.txt", "level=3/out.parquet", shard_positions=16)
    assert "level" not in pq.ParquetFile("level=3/out.parquet").schema_arrow.names


def test_a_file_that_changes_while_it_is_read() -> None:
    write("in.txt", *GAMES[:20])

    def grow(done: int, total: int) -> None:
        with Path("in.txt").open("a") as file:
            file.write("h8\n")

    with pytest.raises(renju.FormatError, match=r"in\.txt: the file was changed while it was read"):
        pipeline.run("in.txt", "out.csv", "vcf", shard_positions=16, threads=1, progress=grow)


def test_overwriting_keeps_the_old_file_until_the_new_one_is_there(capsys: Output) -> None:
    write("in.txt", "h8i9", "h8h8")
    arguments = ["batch", "in.txt", "-o", "out.csv", "--quiet"]
    assert cli.main(arguments) == 0
    before = Path("out.csv").read_bytes()
    assert cli.main([*arguments, "--overwrite", "--strict"]) == 2
    assert Path("out.csv").read_bytes() == before
    assert cli.main([*arguments, "--resume"]) == 0
    write("in.txt", "h8i9g7")
    assert cli.main([*arguments, "--overwrite"]) == 0
    assert len(Path("out.csv").read_text().splitlines()) == 5
    assert not Path("out.csv.bad.jsonl").exists()


def test_what_a_changed_file_held_does_not_count() -> None:
    # Read in several pieces, so that a change in its middle is seen; both contents have the same lines.
    games = ["h8i9g7h7g8"] * 2_000
    write("in.txt", *games)
    pipeline.run("in.txt", "whole.csv", "forbidden", shard_positions=1_000)
    told = 0

    def change(done: int, total: int) -> None:
        nonlocal told
        told += 1
        if told == 2:
            write("in.txt", *(game.replace("g8", "g9") for game in games))

    options: dict[str, Any] = {"shard_positions": 200, "threads": 1}
    with pytest.raises(renju.FormatError, match=r"in\.txt: the file was changed while it was read"):
        pipeline.run("in.txt", "out.csv", "forbidden", progress=change, **options)
    write("in.txt", *games)
    pipeline.run("in.txt", "out.csv", "forbidden", resume=True, **options)
    assert Path("out.csv").read_bytes() == Path("whole.csv").read_bytes()
