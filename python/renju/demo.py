"""`make demo`: `renju batch` on the sample games, the wins that were missed in them, and a picture of one."""

from __future__ import annotations

import sys
from pathlib import Path

from renju import Board, Point, cli, samples, svg
from renju._files import write_text

__all__ = ["main"]

_SHOWN = 5


def main(folder: Path) -> int:
    """Analyses all positions of the sample games into a folder; the exit code of the command."""
    folder.mkdir(parents=True, exist_ok=True)
    games, table, picture = (folder / name for name in ("games.txt", "positions.parquet", "missed.svg"))
    write_text(games, "\n".join(samples.games()) + "\n")
    command = ["batch", str(games), "-o", str(table), "--jobs", "forbidden,vcf,vct", "--overwrite"]
    print("$ renju", *command, flush=True)
    code = cli.main(command)
    if code == 0:
        _show_missed_wins(table, picture)
    return code


def _show_missed_wins(table: Path, picture: Path) -> None:
    import pyarrow.parquet as pq

    columns = ["row", "ply", "turn", "moves", "played", "vcf_line", "vct_line", "missed"]
    missed = [row for row in pq.read_table(table, columns=columns).to_pylist() if row["missed"]]
    for row in missed:
        row["line"] = row["vcf_line"] or row["vct_line"]
    missed.sort(key=lambda row: (len(row["line"]), row["row"], row["ply"]))
    print()
    print(f"The plainest of {len(missed)} wins that were missed")
    for row in missed[:_SHOWN]:
        place = f"game {row['row']:>3}, move {row['ply'] + 1:>2}"
        print(f"  {place}: {row['turn']} played {row['played']:<3} and not {' '.join(row['line'])}")
    if missed:
        row = missed[0]
        write_text(picture, svg.board(_with_line(Board(row["moves"]), row["line"])))
        print(f"The first of them, with its line numbered: {picture}")
    print(f"All positions: {table}")


def _with_line(board: Board, line: list[str]) -> Board:
    """The position as a set-up, so that the moves of the line count from 1."""
    after = board.set_up()
    for name in line:
        after.push(Point(name))
    return after


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path("demo")))
