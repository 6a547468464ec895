"""What the tests of runs that end early share."""

from __future__ import annotations

import json
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

from renju import samples
from renju.pipeline.work import Chunk

GAMES = samples.games()


def journal(out: str) -> list[int]:
    """The shards that are finished, as often as it says so."""
    path = Path(f"{out}.parts/journal.jsonl")
    text, found = "", []
    with suppress(FileNotFoundError):  # a run that ends takes it away
        text = path.read_text()
    for line in text.split("\n"):
        with suppress(ValueError):
            found += [json.loads(line)["shard"]] if '"shard"' in line else []
    return found


def contents(folder: Path = Path()) -> dict[str, bytes]:
    """All files but the input."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and not path.name.startswith("in.")
    }


class Recording(ThreadPoolExecutor):
    """Remembers which chunks were handed out."""

    def __init__(self) -> None:
        super().__init__(2)
        self.chunks: list[int] = []

    def submit(self, fn: Any, /, chunk: Chunk, *args: Any) -> Future[Any]:  # type: ignore[override]
        self.chunks.append(chunk.index)
        return super().submit(fn, chunk, *args)
