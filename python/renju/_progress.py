"""Progress of long calls: a bar, a function that is told, or nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeAlias

__all__ = ["Progress", "reporting"]

Progress: TypeAlias = Callable[[int, int], object]
"""Called with how many are finished, and of how many."""


@contextmanager
def reporting(
    progress: bool | Progress | None, total: int, unit: str, done: int = 0
) -> Iterator[Callable[[int], object] | None]:
    """What a long loop calls with the number of those that are finished, now and then and at the end; None if
    nobody wants to know. So many are `done` from before."""
    if callable(progress):
        yield lambda done: progress(done, total)
    elif not progress:
        yield None
    else:
        from tqdm import tqdm

        with tqdm(total=total, initial=done, unit=f" {unit}", dynamic_ncols=True) as bar:
            yield lambda done: bar.update(done - bar.n)
