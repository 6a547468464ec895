"""What a run found, for people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from renju.limits import KINDS

__all__ = ["Report"]

_RESULTS = ("black", "white", "draw", "unfinished")


@dataclass(frozen=True)
class Report:
    """Numbers of a run, those of its earlier parts included; `str` makes a page of them."""

    out: str
    """Path of the table or folder that the run wrote."""
    counts: Counter[str]
    """Key: what was counted, such as "games" or "vcf proved"; value: how many there are."""
    analysed: int
    """Positions that were searched; the others were images of them."""
    seconds: float
    """Seconds that this part of the run took, without earlier parts."""
    bad_path: Path | None
    """Path of the file with the bad rows; None if there are none, or if the output is a stream."""
    damage: tuple[str, ...] = ()
    """Files of an earlier part of the run that were damaged, and were made again: a text for each."""

    @property
    def games(self) -> int:
        """Records of the input that are games."""
        return self.counts["games"]

    @property
    def positions(self) -> int:
        """Positions that were written, one row of the output each."""
        return self.counts["positions"]

    @property
    def bad(self) -> int:
        """Rows of the input that could not be read."""
        return self.counts["bad"]

    @property
    def missed(self) -> dict[str, int]:
        """Key: black or white; value: forced wins that the side did not keep."""
        return {color: self.counts[f"missed {color}"] for color in ("black", "white")}

    @property
    def openings(self) -> dict[str, dict[str, int]]:
        """Key: the code of an opening; value: games by their result."""
        table: dict[str, dict[str, int]] = {}
        for name, count in self.counts.items():
            kind, _, rest = name.partition(" ")
            if kind == "opening":
                code, result = rest.split(" ")
                table.setdefault(code, dict.fromkeys(_RESULTS, 0))[result] += count
        return dict(sorted(table.items()))

    def to_dict(self) -> dict[str, Any]:
        """The numbers as JSON has them."""
        return {"counts": dict(sorted(self.counts.items())), "analysed": self.analysed}

    def __str__(self) -> str:
        rate = f", {self.positions / self.seconds:,.0f} a second" if self.seconds > 0 else ""
        lines = [f"{self.games:,} games, {self.positions:,} positions in {self.seconds:.1f} s{rate}"]
        if self.counts["searched"]:
            known = self.counts["searched"] - self.analysed
            lines.append(f"{self.analysed:,} were searched, {known:,} are images of them")
        for kind in KINDS:
            numbers = {name: self.counts[f"{kind} {name}"] for name in ("proved", "refuted", "unknown")}
            if any(numbers.values()):
                told = ", ".join(f"{count:,} {name}" for name, count in numbers.items() if count)
                lines.append(f"{kind.upper()}: {told}")
        if "analyze win" in self.counts:
            lines.append(
                f"analysis: {self.counts['analyze win']:,} won and {self.counts['analyze loss']:,} lost "
                "for the side to move"
            )
        lines += _missed_lines(self.counts)
        lines += self._opening_lines()
        if self.bad:
            rows = f"{self.bad:,} bad row{'' if self.bad == 1 else 's'}"
            lines.append(f"{rows}, listed {f'in {self.bad_path}' if self.bad_path else 'above'}")
        return "\n".join(lines)

    def _opening_lines(self) -> list[str]:
        from renju.openings import by_code

        table = self.openings
        if not table:
            return []
        lines = ["", f"{'opening':<28}{'games':>6}{'black':>7}{'white':>7}{'draw':>6}{'open':>6}"]
        for code, results in sorted(table.items(), key=lambda item: (-sum(item[1].values()), item[0])):
            opening = None if code == "None" else by_code(code)
            name = "none of the 26" if opening is None else f"{opening.code} {opening.romaji}"
            numbers = "".join(f"{results[r]:>{w}}" for r, w in zip(_RESULTS, (7, 7, 6, 6), strict=True))
            lines.append(f"{name:<28}{sum(results.values()):>6}{numbers}")
        return lines


def _missed_lines(counts: Mapping[str, int]) -> list[str]:
    lines = []
    for color in ("black", "white"):
        missed, kept = counts.get(f"missed {color}", 0), counts.get(f"kept {color}", 0)
        if missed or kept:
            lines.append(f"{color} missed {missed:,} of {missed + kept:,} forced wins")
    return lines
