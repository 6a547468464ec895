"""The search for puzzles in files of games: resumable, on several threads, in bounded memory."""

from __future__ import annotations

import errno
import json
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from renju import __version__
from renju._files import write_text, written
from renju._machine import cores
from renju._progress import Bar, Progress
from renju.errors import FormatError, Interrupted
from renju.limits import between
from renju.pipeline.inputs import Inputs
from renju.pipeline.source import Source
from renju.pipeline.spec import Spec
from renju.pipeline.work import Chunk
from renju.puzzles.journal import DoneChunk, PuzzleJournal
from renju.puzzles.model import PUZZLE_FORMAT, PUZZLE_VERSION
from renju.puzzles.wanted import Stop, Wanted
from renju.puzzles.work import Part, examine

__all__ = ["Report", "find"]

# Positions of a chunk: some seconds of work for one thread, which is what a kill may cost.
_CHUNK_POSITIONS = 256

# The main thread looks up so often, to hear of Ctrl-C.
_LOOK_S = 0.1

_REJECTED = "rejected: "
_IMAGE = "an image of an earlier puzzle"


@dataclass(frozen=True)
class Report:
    """Numbers of a search for puzzles; `str` makes a page of them."""

    out: str
    """Path of the file that was written."""
    counts: Counter[str]
    """Key: "games", "positions", "bad", "puzzles", "kind: vcf", "theme: mise", "difficulty: 3", or why
    positions are no puzzles, as "rejected: reason"; value: how many."""

    @property
    def puzzles(self) -> int:
        """Puzzles that were written."""
        return self.counts["puzzles"]

    @property
    def rejected(self) -> dict[str, int]:
        """Key: why positions are no puzzles; value: how many there are, the most first."""
        return self._under(_REJECTED)

    def _under(self, prefix: str) -> dict[str, int]:
        return {
            name.removeprefix(prefix): count
            for name, count in self.counts.most_common()
            if name.startswith(prefix) and count
        }

    def to_dict(self) -> dict[str, Any]:
        """The numbers as JSON has them."""
        return {"out": self.out, "version": __version__, "counts": dict(sorted(self.counts.items()))}

    def __str__(self) -> str:
        games, positions = self.counts["games"], self.counts["positions"]
        lines = [f"{self.puzzles:,} puzzles from {games:,} games, {positions:,} positions"]
        for name in ("kind", "theme", "difficulty"):
            numbers = self._under(f"{name}: ")
            if name == "difficulty":
                numbers = dict(sorted(numbers.items()))
            if numbers:
                told = ", ".join(f"{word} {count:,}" for word, count in numbers.items())
                lines.append(f"{name + 's' if name != 'difficulty' else name}: {told}")
        lines += [f"{count:>9,}  {reason}" for reason, count in self.rejected.items()]
        if self.counts["bad"]:
            lines.append(f"{self.counts['bad']:,} rows could not be read, listed in {self.out}.bad.jsonl")
        return "\n".join(lines)


def find(
    inputs: str | Path | Sequence[str | Path],
    out: str | Path,
    wanted: Wanted | None = None,
    *,
    moves_field: str | None = None,
    id_field: str | None = None,
    input_format: str | None = None,
    plies: tuple[int, int | None] = (0, None),
    referee: bool = True,
    threads: int = 0,
    resume: bool = False,
    overwrite: bool = False,
    progress: bool | Progress | None = None,
) -> Report:
    """Looks at every position of files of games, and writes the puzzles to `out`, a .jsonl file.

    Inputs are those of `pipeline.run`: files, archives, folders, patterns, lists; `moves_field`, `id_field`
    and `input_format` are explained there. `plies` and `referee` are those of `batch.expand`, `threads` is
    the number of threads (0: one per core). What is found is kept in ``OUT.work`` until the end: a run that
    was killed is taken up again with `resume`, as long as input and settings are the same. The numbers are in
    ``OUT.report.json``, rows that cannot be read in ``OUT.bad.jsonl``. `progress` is True for a bar, or a
    function of the positions done and those expected in all. Ctrl-C raises `Interrupted` with the report so
    far.

    >>> from pathlib import Path
    >>> from renju import puzzles, samples
    >>> _ = Path("games.txt").write_text("\\n".join(samples.games()[:2]))
    >>> report = puzzles.find("games.txt", "found.jsonl", puzzles.Wanted(kinds=("vcf",)), overwrite=True)
    >>> report.counts["games"], report.puzzles == len(puzzles.load("found.jsonl"))
    (2, True)
    """
    wanted = Wanted() if wanted is None else wanted
    names = [str(inputs)] if isinstance(inputs, str | Path) else [str(name) for name in inputs]
    between("threads", threads, 0, 1024)
    place = Path(out)
    if place.suffix.lower() != ".jsonl":
        raise FormatError(f"{out}: puzzles are written to a .jsonl file")
    if resume and overwrite:
        raise ValueError("resume or overwrite, not both")
    spec = Spec.make(("vcf",), plies=plies, referee=referee, shard_positions=_CHUNK_POSITIONS)
    files = Inputs(names, (moves_field, id_field), input_format)
    files.look()
    if resume and files.has_stream:
        raise ValueError("a run that reads a stream cannot be resumed")
    header = {
        "package": __version__,
        "puzzle_format": [PUZZLE_FORMAT, PUZZLE_VERSION],
        "wanted": wanted.to_dict(),
        "spec": spec.to_dict(),
        "fields": [moves_field, id_field],
        "input_format": input_format,
        "inputs": files.digests(),
    }
    work = Path(f"{place}.work")
    known = _begin(place, work, header, resume, overwrite)
    if known is not None:
        return known
    with ExitStack() as stack:
        journal = stack.enter_context(PuzzleJournal(work, header))
        journal.begin(resume)
        source = Source(files, spec, journal.finished, journal.drop)
        done = sum(chunk.positions for chunk in journal.finished.values())
        bar = stack.enter_context(Bar(progress, max(done, source.total()), "positions", done, is_scaled=True))
        try:
            _drive(source, partial(examine, spec, wanted), journal, bar, threads or cores())
        except KeyboardInterrupt:
            note = f"interrupted; what was found is safe in {work}: resume to go on"
            raise Interrupted(note, _report(str(out), journal)) from None
        report = _finish(place, journal, header)
    with suppress(FileNotFoundError):
        work.unlink()
    return report


def _begin(place: Path, work: Path, header: dict[str, Any], resume: bool, overwrite: bool) -> Report | None:
    """Clears the way; the report, if the same run is finished already."""
    report = Path(f"{place}.report.json")
    if overwrite:
        with suppress(FileNotFoundError):
            work.unlink()
    if overwrite or not place.exists():
        return None
    if resume and report.exists():
        facts = json.loads(report.read_text("utf-8"))
        if facts.get("header") == json.loads(json.dumps(header)):
            return Report(str(place), Counter(facts["counts"]))
    raise FileExistsError(errno.EEXIST, "exists already; overwrite it or take another name", str(place))


def _drive(source: Source, task: Any, journal: PuzzleJournal, bar: Bar, threads: int) -> None:
    """Keeps all threads busy, and writes down what they find."""
    stop = Stop()
    pending: dict[Future[Part], Chunk] = {}
    chunks = source.chunks()
    is_more = True
    done = sum(chunk.positions for chunk in journal.finished.values())
    with ThreadPoolExecutor(threads, "renju-puzzles") as pool:
        try:
            while is_more or pending:
                while is_more and len(pending) < 2 * threads:
                    chunk = next(chunks, None)
                    if chunk is None:
                        is_more = False
                    else:
                        pending[pool.submit(task, stop, chunk)] = chunk
                if not pending:
                    break
                for future in wait(pending, _LOOK_S, FIRST_COMPLETED)[0]:
                    chunk = pending.pop(future)
                    part = future.result()
                    journal.add(DoneChunk.of(chunk, part))
                    source.settle(chunk, part.counts["positions"])
                    done += part.counts["positions"]
                bar.show(done, max(done, source.total()))
        except BaseException:
            stop.set()
            pool.shutdown(wait=True, cancel_futures=True)
            raise


def _report(out: str, journal: PuzzleJournal) -> Report:
    counts: Counter[str] = Counter()
    for chunk in journal.finished.values():
        counts += chunk.counts
        counts["puzzles"] += len(chunk.puzzles)
    return Report(out, counts)


def _finish(place: Path, journal: PuzzleJournal, header: dict[str, Any]) -> Report:
    """Writes the puzzles in the order of the input, images of each other once, and the report."""
    counts: Counter[str] = Counter()
    seen: set[str] = set()
    bad = []
    with written(place) as file:
        for _, chunk in sorted(journal.finished.items()):
            counts += chunk.counts
            bad += chunk.bad
            for line in chunk.puzzles:
                facts = json.loads(line)
                if facts["id"] in seen:
                    counts[_REJECTED + _IMAGE] += 1
                    continue
                seen.add(facts["id"])
                names = [f"kind: {facts['kind']}", f"difficulty: {facts['difficulty']}"]
                counts.update(["puzzles", *names, *(f"theme: {theme}" for theme in facts["themes"])])
                file.write(f"{line}\n".encode())
    report = Report(str(place), counts)
    bad_place = Path(f"{place}.bad.jsonl")
    if bad:
        write_text(bad_place, "".join(f"{json.dumps(row)}\n" for row in bad))
    elif bad_place.exists():
        bad_place.unlink()  # of a run that this one takes the place of
    facts = report.to_dict() | {"header": header}
    write_text(Path(f"{place}.report.json"), json.dumps(facts, indent=1))
    return report
