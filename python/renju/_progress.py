"""Progress of long calls: a bar, a function that is told, or nothing."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeAlias

__all__ = ["Bar", "Progress", "reporting"]

Progress: TypeAlias = Callable[[int, int], object]
"""Called with how many are finished, and of how many."""

# Seconds between two pictures of a bar: in a log every picture is one more line.
_SHOW_S, _SHOW_IN_A_LOG_S = 0.1, 10.0


class Bar:
    """How far something is: a bar for True, a call for a function, nothing for False and None. It is a
    context; the bar stays on the screen after it."""

    def __init__(
        self,
        progress: bool | Progress | None,
        total: int,
        unit: str,
        done: int = 0,
        is_scaled: bool = False,
    ) -> None:
        """`unit` is what is counted, such as "games"; `done` of the `total` are finished from before.
        Numbers that are `is_scaled` are written as 12.3k and 4.56M."""
        self._tell = progress if callable(progress) else None
        self._total = total
        self._bar: Any = None
        if progress and not callable(progress):
            from tqdm import tqdm

            self._bar = tqdm(
                total=total,
                initial=done,
                unit=f" {unit}",
                unit_scale=is_scaled,
                dynamic_ncols=True,
                mininterval=_SHOW_S if sys.stderr.isatty() else _SHOW_IN_A_LOG_S,
            )

    @property
    def interval_s(self) -> float | None:
        """Seconds between two pictures of the bar; None if there is no bar."""
        return None if self._bar is None else float(self._bar.mininterval)

    def show(self, done: int, total: int | None = None) -> None:
        """Tells how many are finished, and the new total if it has changed."""
        if total is not None:
            self._total = total
        if self._bar is not None:
            self._bar.total = self._total
            self._bar.update(done - self._bar.n)
        elif self._tell is not None:
            self._tell(done, self._total)

    def note(self, text: str) -> None:
        """A few words behind the bar, from its next picture on."""
        if self._bar is not None:
            self._bar.set_postfix_str(text, refresh=False)

    def __enter__(self) -> Bar:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()


@contextmanager
def reporting(
    progress: bool | Progress | None, total: int, unit: str, done: int = 0
) -> Iterator[Callable[[int], object] | None]:
    """What a long loop calls with the number of those that are finished, now and then and at the end; None if
    nobody wants to know."""
    if not progress:
        yield None
        return
    with Bar(progress, total, unit, done) as bar:
        yield bar.show
