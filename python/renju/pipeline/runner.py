"""The run: chunks are read, handed out, and their results put away as they come."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from secrets import token_hex
from time import perf_counter
from typing import TYPE_CHECKING, Any

from renju import __version__
from renju._machine import cores
from renju._progress import Progress
from renju.errors import FormatError, Interrupted, RenjuError
from renju.limits import between, check_seconds
from renju.pipeline.hands import CLUSTER_TIMEOUT_S, Hands
from renju.pipeline.inputs import Inputs, need_arrow
from renju.pipeline.manifest import PLAN_FORMAT, PLAN_VERSION
from renju.pipeline.outputs import form_of
from renju.pipeline.report import Report
from renju.pipeline.run_bar import RunBar
from renju.pipeline.source import Source
from renju.pipeline.spec import Spec
from renju.pipeline.store import Store
from renju.pipeline.stream import Stream
from renju.pipeline.work import Chunk, Done, forget, work

if TYPE_CHECKING:
    from distributed import Client

__all__ = ["run"]

# The main thread looks up so often, to hear of Ctrl-C.
_LOOK_S = 0.1

_MOST_THREADS = 1024


def run(
    inputs: str | Path | Sequence[str | Path],
    out: str | Path,
    jobs: Sequence[str] = ("forbidden", "vcf"),
    *,
    form: str | None = None,
    moves_field: str | None = None,
    id_field: str | None = None,
    input_format: str | None = None,
    threads: int = 0,
    executor: Executor | None = None,
    client: Client | None = None,
    cluster_timeout: float = CLUSTER_TIMEOUT_S,
    resume: bool = False,
    overwrite: bool = False,
    strict: bool = False,
    progress: bool | Progress | None = None,
    on_damage: Callable[[str], object] | None = None,
    **settings: Any,
) -> Report:
    """Reads files of games and positions, does the jobs on every position, and writes a table.

    An input is a file, an archive (.zip, .tar, .tar.gz, .tar.bz2, .tar.xz), a folder, a pattern such as
    ``games/**/*.sgf``, or ``@list.txt``, a file that names others, one a line. What a file is, its name
    tells, or `input_format` for all of them; `moves_field` and `id_field` are the columns with the moves and
    the name of a record. `out` is a file (.parquet, .csv, .jsonl), or a folder,
    which then keeps the shards; `form` names its format where the name does not, and a result that is there
    is replaced only with `overwrite`. `settings` are those of `Spec.make`. The work is done on `threads`
    threads here (0: one per core), or by an `executor` of `concurrent.futures`, or on the cluster of a Dask
    `client`; the result is the same. A cluster may be without workers for `cluster_timeout` seconds. An
    unfinished run is taken up again with `resume`, as long as input and settings are the same.

    Rows that cannot be read are listed in ``OUT.bad.jsonl``; if `strict`, the first is an error. `progress`
    is True for a bar, or called with the positions done and those expected in all. `on_damage` is called with
    a text for every file of an unfinished run that was damaged, and that is made again; they are in the
    report, too.
    """
    start = perf_counter()
    spec = Spec.make(jobs, **settings)
    between("threads", threads, 0, _MOST_THREADS)
    check_seconds("cluster_timeout", cluster_timeout)
    names = [str(inputs)] if isinstance(inputs, str | Path) else [str(name) for name in inputs]
    out, form = str(out), form_of(str(out), form)
    files = Inputs(names, (moves_field, id_field), input_format)
    if form == "parquet":
        need_arrow()
    files.look()
    if resume and (out == "-" or files.has_stream):
        raise ValueError("a run that reads or writes a stream cannot be resumed")
    if resume and overwrite:
        raise ValueError("resume or overwrite, not both")
    meta = {"format": PLAN_FORMAT, "version": __version__, "spec": spec.to_dict()}
    with ExitStack() as stack:
        store: Store | Stream
        if out == "-":
            store = Stream(form)
        else:
            plan = {
                "format": PLAN_FORMAT,
                "version": PLAN_VERSION,
                "form": form,
                "spec": spec.to_dict(),
                "fields": [moves_field, id_field],
                "input_format": input_format,
                "inputs": files.digests(),
            }
            store = stack.enter_context(Store(out, form, plan, on_damage, threads or cores()))
            taken = store.places.touched(name for name in files.files if name != "-")
            if taken is not None:
                raise ValueError(f"{taken}: this is an input, and {out} would take its place")
            within = store.places.is_within(files.folders)
            if within is not None:
                raise ValueError(f"{within}: this is an input, and {out} would be in it; take another place")
            is_finished = store.begin(resume, overwrite)
            if strict and (bad := store.first_bad()) is not None:
                raise FormatError(bad)
            if is_finished:
                return _report(out, store, start)
        source = Source(files, spec, store.finished, store.drop)
        bar = stack.enter_context(RunBar(progress, source.total, files.place, store.counts()["positions"]))
        # What one run learns is not for another: with limits of time it might do better.
        stack.callback(forget)
        task = partial(work, spec, form, meta, token_hex(8))
        hands: Hands[Chunk, Done] = stack.enter_context(
            Hands(task, bar.tick, threads, executor, client, cluster_timeout)
        )
        try:
            _drive(source, hands, store, bar, strict)
            store.finish(_report(out, store, start).to_dict())
        except KeyboardInterrupt:
            raise Interrupted(f"interrupted; {_safe(store)}", _report(out, store, start)) from None
        except Exception as error:
            error.add_note(_safe(store))
            raise
        return _report(out, store, start)


def _safe(store: Store | Stream) -> str:
    """What is left of a run that ended early."""
    if isinstance(store, Stream):
        return "the output is not complete"
    count = len(store.finished)
    if count == 0:
        return "no shard was finished"
    shards = f"{count} finished shard{'s are' if count > 1 else ' is'}"
    return f"{shards} safe in {store.places.folder}: resume to go on"


def _drive(
    source: Source, hands: Hands[Chunk, Done], store: Store | Stream, bar: RunBar, strict: bool
) -> None:
    """Keeps all hands busy and puts away what they bring."""
    pending: dict[Future[Done], Chunk] = {}
    chunks = source.chunks()
    bad: dict[int, str] = {}
    while True:
        room = hands.window()
        # After a bad row only the chunks before it matter: one of them may have an earlier one.
        while not bad and len(pending) + store.backlog < room:
            chunk = next(chunks, None)
            if chunk is None:
                break
            pending[hands.submit(chunk)] = chunk
        if bad and not any(chunk.index < min(bad) for chunk in pending.values()):
            raise FormatError(bad[min(bad)])
        if not pending:
            return
        finished, _ = wait(pending, _LOOK_S, FIRST_COMPLETED)
        for future in finished:
            chunk = pending.pop(future)
            done = _result(future, chunk)
            if done.version != __version__:
                raise RenjuError(f"a worker has renju {done.version}, this is {__version__}")
            if strict and done.first_bad is not None:
                bad[chunk.index] = done.first_bad
                continue
            store.add(chunk, done)
            bar.add(chunk, done)
            source.settle(chunk, done.positions)
        bar.show()


def _result(future: Future[Done], chunk: Chunk) -> Done:
    try:
        return future.result()
    except MemoryError:
        raise
    except Exception as error:
        # Executors and clusters have many ways to say that a worker died.
        place = f" ({chunk.records[0].file} from row {chunk.records[0].row})" if chunk.records else ""
        reason = " ".join(f"{type(error).__name__}: {error}".split())
        raise RenjuError(f"the work on shard {chunk.index}{place} failed: {reason}") from error


def _report(out: str, store: Store | Stream, start: float) -> Report:
    counts = store.counts()
    bad_path = store.bad_path if counts["bad"] else None
    return Report(out, counts, store.analysed, perf_counter() - start, bad_path, store.damage)
