"""Files that a pipeline reads, and tables that it wrote, read back without the package under test."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

INTEGERS = {"row", "ply", "score", "win_in", "depth", "nodes", "loss"}
_CHANCES = ("_rate", "_chance")
LISTS = {"double_three", "double_four", "overline", "pv"}

Row = dict[str, Any]


def write(name: str, *lines: str) -> str:
    """Writes lines to a file; its name."""
    Path(name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return name


def read_table(path: Path) -> list[Row]:
    """The rows of a file, or of a folder of shards, with plain values."""
    if path.is_dir():
        return [row for part in sorted(path.glob("part-*")) for row in read_table(part)]
    if path.suffix == ".parquet":
        return [_rounded(row) for row in pq.ParquetFile(path).read().to_pylist()]
    if path.suffix == ".jsonl":
        return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    with path.open(encoding="utf-8", newline="") as file:
        return [{name: _csv_value(name, cell) for name, cell in row.items()} for row in csv.DictReader(file)]


def _rounded(row: Row) -> Row:
    """A row whose chances have four decimals, as they have in the forms that are text."""
    return {
        name: round(value, 4) if isinstance(value, float) and name.endswith(_CHANCES) else value
        for name, value in row.items()
    }


def _csv_value(name: str, cell: str) -> Any:
    if cell == "":
        return None
    if name in INTEGERS or name.endswith(("_length", "_nodes")):
        return int(cell)
    if name in LISTS or name.endswith("_line"):
        return cell.split(" ")
    if name.endswith(_CHANCES):
        return float(cell)
    if name in ("missed", "candidates", "policy"):
        return json.loads(cell)
    return cell


def with_empty_as_none(rows: list[Row]) -> list[Row]:
    """Empty texts and lists as CSV has them."""
    return [{name: None if value in ("", []) else value for name, value in row.items()} for row in rows]


def bad_rows(path: Path) -> list[tuple[str, int, str]]:
    """File, row and reason of what is listed as bad."""
    found = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert all(list(row) == ["file", "row", "reason", "text"] for row in found)
    return [(row["file"], row["row"], row["reason"]) for row in found]
