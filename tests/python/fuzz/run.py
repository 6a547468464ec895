"""Runs the targets: `python -m fuzz.run --seconds 20` in `tests/python`, or `make fuzz SECONDS=20`.

Each target has a process of its own, so that an input which ends it, never comes back or eats all memory is a
finding like any other. The input that is at work is kept where the parent can read it. With Atheris the
inputs are guided by coverage; else they are mutants of the corpus, the same for the same seed.
"""

from __future__ import annotations

import argparse
import hashlib
import mmap
import os
import re
import resource
import signal
import subprocess
import sys
import time
import traceback
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path
from types import FrameType

HERE = Path(__file__).parent
CORPUS = HERE / "corpus"
CRASHES = HERE / "crashes"
# What runs a target in a process of its own.
PROGRAM = [sys.executable, "-m", "fuzz.run"]

# Seconds of processor time for one input; the slowest honest one takes a hundredth of it.
INPUT_S = 10
# Bytes of a process: some hundred megabytes are the interpreter's and numpy's.
_MOST_BYTES = 4 << 30
_LONGEST_INPUT = 1 << 20
# Seconds of processor time to import everything, and to count its branches.
_START_S = 60


class Fault(Exception):
    """A target raised what its reader does not promise, or did not come back."""


def seeds_of(target: str) -> list[bytes]:
    """The corpus of a target, in order."""
    return [path.read_bytes() for path in sorted((CORPUS / target).iterdir())]


def try_input(target: str, data: bytes) -> bool:
    """Feeds one input. Whether it was accepted; `Fault` tells what went wrong."""
    from fuzz.targets import EXPECTED, TARGETS

    try:
        TARGETS[target](data)
    except EXPECTED:
        return False
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:  # a panic of the native side is no `Exception`
        raise Fault("".join(traceback.format_exception(error)[-4:])) from error
    return True


def keep(target: str, data: bytes) -> Path:
    """Writes an input that was a finding to a file of its own."""
    CRASHES.mkdir(exist_ok=True)
    path = CRASHES / f"{target}-{hashlib.sha256(data).hexdigest()[:12]}"
    path.write_bytes(data)
    return path


def fuzz(target: str, inputs: Iterable[bytes], seconds: float | None = None, count: int | None = None) -> int:
    """Feeds inputs until the processor time or their number is used up; the number of them. `Fault` names the
    file."""
    start, done = time.process_time(), 0
    signal.signal(signal.SIGVTALRM, _too_long)
    for data in inputs:
        if (count is not None and done >= count) or (
            seconds is not None and time.process_time() - start >= seconds
        ):
            break
        _note(data)
        signal.setitimer(signal.ITIMER_VIRTUAL, INPUT_S)
        try:
            try_input(target, data)
        except Fault as fault:
            raise Fault(f"{keep(target, data)}: {fault}") from fault.__cause__
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        done += 1
    return done


# The input at work, for the parent: its length in four bytes, and its bytes.
_noted: mmap.mmap | None = None


def _note(data: bytes) -> None:
    if _noted is not None:
        _noted[: len(data) + 4] = len(data).to_bytes(4, "little") + data


def _too_long(_: int, __: FrameType | None) -> None:
    raise Fault(f"no end within {INPUT_S} s of processor time")


def _child(options: argparse.Namespace) -> int:
    """One target in this process."""
    global _noted
    from fuzz.mutate import mutants

    target = options.targets[0]
    with Path(options.note).open("r+b") as file:
        _noted = mmap.mmap(file.fileno(), _LONGEST_INPUT + 4)
    most_s = int(options.seconds) + _START_S + INPUT_S
    resource.setrlimit(resource.RLIMIT_CPU, (most_s, most_s + 1))
    if options.atheris:
        return _guided(target, options.seconds)
    resource.setrlimit(resource.RLIMIT_AS, (_MOST_BYTES, _MOST_BYTES))
    start = time.process_time()
    try:
        done = fuzz(target, mutants(seeds_of(target), options.seed), options.seconds, options.count)
    except Fault as fault:
        print(f"{target}: {fault}", flush=True)
        return 1
    print(f"{target}: {done:,} inputs, {time.process_time() - start:.1f} s", flush=True)
    return 0


def _guided(target: str, seconds: float) -> int:
    """The same with Atheris, which ends the process itself."""
    import atheris

    def one(data: bytes) -> None:
        _note(data[:_LONGEST_INPUT])
        try_input(target, data)

    CRASHES.mkdir(exist_ok=True)
    known = HERE / "found" / target
    known.mkdir(parents=True, exist_ok=True)
    atheris.Setup(
        [
            sys.argv[0],
            f"-max_total_time={int(seconds)}",
            f"-artifact_prefix={CRASHES}/{target}-",
            f"-timeout={INPUT_S}",
            "-rss_limit_mb=2048",
            "-max_len=4096",
            "-print_final_stats=1",
            str(known),
            str(CORPUS / target),
        ],
        one,
    )
    atheris.Fuzz()
    return 0


def _run(target: str, options: argparse.Namespace) -> bool:
    """A target in a process of its own; whether it found nothing."""
    from fuzz.targets import NATIVE

    CRASHES.mkdir(exist_ok=True)
    is_guided = options.atheris and target not in NATIVE
    note = CRASHES / f".{target}.{os.getpid()}.now"  # two runs may be at work at once
    note.write_bytes(bytes(_LONGEST_INPUT + 4))
    command = [*PROGRAM, "--child", "--note", str(note), "--seed", str(options.seed)]
    command += ["--seconds", str(options.seconds)] + ([] if is_guided else ["--mutants"])
    command += ["--count", str(options.count)] if options.count is not None else []
    # Native code that never comes back uses up its processor time; this is for what waits for ever.
    allowed = 20 * (options.seconds + _START_S)
    try:
        ended = subprocess.run(
            [*command, target],
            cwd=HERE.parent,
            timeout=allowed,
            check=False,
            stderr=subprocess.PIPE if is_guided else None,
            text=True,
        )
        code, why = ended.returncode, f"ended with exit code {ended.returncode}"
        if is_guided:
            # The fuzzer tells much; what counts is how much it did, or all if it failed.
            done = re.search(r"^Done (\d+) runs", ended.stderr, re.MULTILINE)
            print(f"{target}: {int(done[1]):,} inputs, guided" if done else ended.stderr, flush=True)
    except subprocess.TimeoutExpired:
        code, why = -1, f"did not end within {allowed:g} s"
    raw = note.read_bytes()
    note.unlink()
    if code not in (0, 1):
        data = raw[4 : 4 + int.from_bytes(raw[:4], "little")]
        print(f"{target}: {keep(target, data)}: the process {why}", flush=True)
    return code == 0


def _targets(is_guided: bool) -> Iterable[str]:
    """The names of all targets. Where inputs are guided, the package is imported so that branches count."""
    if is_guided:
        import atheris

        with atheris.instrument_imports(include=["renju"]):
            from fuzz.targets import TARGETS
    else:
        from fuzz.targets import TARGETS
    return TARGETS


def main() -> int:
    has_atheris = find_spec("atheris") is not None
    targets = _targets(has_atheris and "--child" in sys.argv and "--mutants" not in sys.argv)
    parser = argparse.ArgumentParser(prog="fuzz", description=__doc__)
    parser.add_argument("targets", nargs="*", default=[], help=f"default: all of {' '.join(targets)}")
    parser.add_argument(
        "--seconds",
        type=float,
        default=5.0,
        help="processor time of each target, of the clock if guided (default %(default)s)",
    )
    parser.add_argument("--count", type=int, help="most inputs of each target")
    parser.add_argument("--seed", type=int, default=0, help="of the mutants (default %(default)s)")
    parser.add_argument(
        "--mutants",
        dest="atheris",
        action="store_false",
        help="mutants of the corpus, though Atheris is there",
    )
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--note", help=argparse.SUPPRESS)
    parser.set_defaults(atheris=has_atheris)
    options = parser.parse_args()
    if unknown := sorted(set(options.targets) - set(targets)):
        parser.error(f"there is no target {unknown[0]!r}")
    if options.child:
        return _child(options)
    bad = [target for target in options.targets or targets if not _run(target, options)]
    print(f"faults in {', '.join(bad)}" if bad else "no faults")
    return 1 if bad else 0


if __name__ == "__main__":
    raise SystemExit(main())
