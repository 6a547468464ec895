"""Damages files that runs leave behind, and takes the runs up again: the result is that of an undisturbed
run, byte for byte, or a clear refusal that changes nothing.

    cd tests/python && python -m harness.corruption --cases 10000 --seed 1

Every case follows from the seed and its number; `--only NUMBER` repeats one.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable

from harness.injection import Batch, Scenario, Tree, call, read_tree, run_script, scenarios, write_tree

Random = random.Random


def flip(data: bytes, rng: Random) -> bytes:
    """Changes one bit."""
    place = rng.randrange(len(data))
    return data[:place] + bytes([data[place] ^ (1 << rng.randrange(8))]) + data[place + 1 :]


def zero(data: bytes, rng: Random) -> bytes:
    """Fills a part with zeros, as a disk that lost a block does."""
    start = rng.randrange(len(data))
    count = min(rng.choice((1, 8, 100, 4096)), len(data) - start)
    return data[:start] + bytes(count) + data[start + count :]


def truncate(data: bytes, rng: Random) -> bytes:
    """Cuts off the end, at a line or anywhere."""
    ends = [n + 1 for n, byte in enumerate(data) if byte == ord("\n")]
    return data[: rng.choice(ends) if ends and rng.random() < 0.3 else rng.randrange(len(data))]


def extend(data: bytes, rng: Random) -> bytes:
    """Adds something at the end."""
    end = rng.choice((b"", b"\n"))
    more = (rng.randbytes(rng.randrange(1, 50)), bytes(64), b"{}", b"\n", data[: rng.randrange(1, 200)], data)
    return data + rng.choice(more) + end


def duplicate(data: bytes, rng: Random) -> bytes:
    """Doubles a line."""
    lines = data.splitlines(keepends=True)
    place = rng.randrange(len(lines))
    return b"".join([*lines[: place + 1], *lines[place:]])


def swap(data: bytes, rng: Random) -> bytes:
    """Exchanges two lines."""
    lines = data.splitlines(keepends=True)
    a, b = (rng.randrange(len(lines)) for _ in range(2))
    lines[a], lines[b] = lines[b], lines[a]
    return b"".join(lines)


def drop(data: bytes, rng: Random) -> bytes:
    """Takes a line away."""
    lines = data.splitlines(keepends=True)
    del lines[rng.randrange(len(lines))]
    return b"".join(lines)


def number(data: bytes, rng: Random) -> bytes:
    """Changes a number in the text."""
    found = [*re.finditer(rb"-?\d+", data)]
    if not found:
        return flip(data, rng)
    match = rng.choice(found)
    value = int(match[0])
    new = rng.choice((value + 1, value - 1, 0, -1, 10**9, value * 10))
    return data[: match.start()] + str(new).encode() + data[match.end() :]


DAMAGES: list[Callable[[bytes, Random], bytes]] = [
    flip,
    zero,
    truncate,
    extend,
    duplicate,
    swap,
    drop,
    number,
]


def damaged(tree: Tree, rng: Random) -> tuple[Tree, str, str]:
    """A tree with one file changed, what was done, and the file."""
    name = rng.choice(sorted(tree))
    others = [other for other in tree if other != name]
    kind = rng.randrange(len(DAMAGES) + 2)
    if kind == len(DAMAGES):
        return {other: tree[other] for other in others}, "remove", name
    if kind == len(DAMAGES) + 1 and others:
        return tree | {name: tree[rng.choice(others)]}, "exchange", name
    damage = DAMAGES[kind % len(DAMAGES)]
    data = damage(tree[name], rng) if tree[name] else b"x"
    return tree | {name: data}, damage.__name__, name


class Cases:
    """All that can be damaged: the scenarios, and what they leave at every moment."""

    def __init__(self, stride: int = 1) -> None:
        """Of the moments only every `stride`-th is taken, and the end."""
        self._scenarios = scenarios()
        self._snapshots = [[tree for tree in s.snapshots(stride) if tree] for s in self._scenarios]
        self.count = sum(map(len, self._snapshots))

    def run(self, seed: int, case: int) -> tuple[str, str, str]:
        """The scenario, the kind of damage and the outcome of a case; `AssertionError` if the run went wrong
        without a word."""
        rng = Random(f"{seed} {case}")
        place = rng.randrange(len(self._scenarios))
        scenario = self._scenarios[place]
        snapshots = self._snapshots[place]
        before = snapshots[-1] if rng.random() < 0.15 else rng.choice(snapshots)
        tree, kind, name = before, "", ""
        while tree == before:
            tree, kind, name = damaged(before, rng)
        if rng.random() < 0.2 and tree:
            tree, more, other = damaged(tree, rng)
            kind, name = "two at once", f"{name} ({kind}), {other} ({more})"
        write_tree(tree)
        try:
            if isinstance(scenario, Batch):
                self._check(scenario)
            outcome = self._resume(scenario, rng)
        except Exception as error:
            error.add_note(f"case {case} of seed {seed}: {scenario.name}: {kind} of {name}")
            raise
        return scenario.name, kind, outcome

    def _check(self, scenario: Batch) -> None:
        """What a check says of a result is true."""
        code, errors = call(["batch", "--check", scenario.out])
        assert code == 0 or (code == 2 and errors.startswith("renju: ")), f"exit code {code}: {errors}"
        # A run that is to overwrite a result leaves that as it is until the end.
        if code == 0 and scenario.before is None:
            flaw = scenario.flaw(left_over=True)
            assert flaw is None, f"the check found nothing, but there are {flaw}"

    def _resume(self, scenario: Scenario, rng: Random) -> str:
        before = read_tree()
        code, errors = scenario.run("--resume")
        if code == 2:
            assert re.match("renju: .{30}", errors), f"no clear refusal: {errors!r}"
            assert read_tree() == before, f"a refusal changed files: {errors}"
            if rng.random() < 0.2 and scenario.name != "match":
                self._overwrite(scenario, before)
            return "refused"
        assert code == 0, f"exit code {code}: {errors}"
        flaw = scenario.flaw()
        assert flaw is None, f"{flaw}; it said {errors!r}"
        return "redone" if errors else "harmless"

    def _overwrite(self, scenario: Scenario, before: Tree) -> None:
        """What was refused can be overwritten, or is left alone because it may be of others."""
        code, errors = scenario.run("--overwrite")
        if code == 2:
            assert read_tree() == before, f"a refusal changed files: {errors}"
        else:
            assert (code, scenario.flaw()) == (0, None), errors


if __name__ == "__main__":
    run_script(__doc__ or "", Cases)
