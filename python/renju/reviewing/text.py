"""A review in words: a comment for each move, a table for terminals, a title."""

from __future__ import annotations

from typing import TYPE_CHECKING

from renju._types import Color
from renju.result import score_text

if TYPE_CHECKING:
    from renju.defence import Defence
    from renju.reviewing.model import ForcedWin, Review, ReviewedMove

__all__ = ["comment_on", "table", "title_of", "win_text"]

_NAMES = {
    "vcf": "a win by fours (VCF)",
    "vct": "a win by threats (VCT)",
    "mise-vcf": "a Mise-VCF",
    "double-mise": "a win by a double mise",
    "forbidden-trap": "a win by a forbidden trap",
}
_MARKS = {"best": "", "good": "", "inaccuracy": "?!", "mistake": "?", "blunder": "??"}


def comment_on(move: ReviewedMove) -> str:
    """What is to be said about a move, in short sentences."""
    return " ".join(_sentences(move))


def _sentences(move: ReviewedMove) -> list[str]:
    if move.foul:
        first = f"Forbidden ({move.foul.label}): it loses at once."
    elif move.played_win_in == 1:
        first = "Five."
    elif move.forced and move.move == move.best:
        first = f"Forced: the only answer to the four ({score_text(move.played_score)})."
    elif move.move == move.best:
        first = f"Best ({score_text(move.played_score)})."
    elif move.loss == 0 and move.played_win_in is not None:
        first = f"{score_text(move.played_score).capitalize()}; {move.best} {score_text(move.best_score)}."
    else:
        first = (
            f"{move.quality.capitalize()}: {score_text(move.played_score)}; "
            f"best is {move.best} ({score_text(move.best_score)})."
        )
    found = [first]
    if move.missed is not None:
        found.append(f"It misses {win_text(move.missed)}.")
    elif move.unclear is not None:
        found.append(
            f"There was {win_text(move.unclear)}; whether the move played wins as well could not be decided."
        )
    if move.allowed is not None:
        found.append(f"It allows {move.color.opponent.label} {win_text(move.allowed)}.")
        if move.defence is not None:
            found.append(f"It missed the defence {defence_text(move.defence)}.")
    elif not move.foul and (move.win_in or 0) < 0:
        found.append("Lost in any case, as far as was seen.")
    return found


def defence_text(defence: Defence) -> str:
    """An answer to a threat with the word for it."""
    return f"{defence.point} ({defence.name})"


def win_text(win: ForcedWin) -> str:
    """A forced win with its line."""
    return f"{_NAMES[win.kind]}: {' '.join(map(str, win.line))}"


def title_of(review: Review, unknown: str = "Game review") -> str:
    """Who played, as far as it is known; else what `unknown` says."""
    headers = review.game.headers
    sides = [headers.get(color.label, "").strip() for color in Color]
    names = " – ".join(side or "?" for side in sides) if any(sides) else unknown
    return ", ".join(filter(None, (names, headers.get("event", "").strip(), headers.get("date", "").strip())))


def table(review: Review) -> str:
    """The review for a terminal."""
    rows: list[tuple[str, ...]] = [("", "", "move", "score", "best", "score", "loss", "")]
    rows += map(_row, review.moves)
    widths = [max(len(row[i]) for row in rows) for i in range(7)]
    lines = []
    for row in rows:
        cells = [
            f"{text:<{width}}" if i in (1, 2, 4) else f"{text:>{width}}"
            for i, (text, width) in enumerate(zip(row[:7], widths, strict=True))
        ]
        lines.append("  ".join([*cells, row[7]]).rstrip())
    return "\n".join([*_head(review), "", *lines, "", *_summary(review)])


def _row(move: ReviewedMove) -> tuple[str, ...]:
    is_best = move.best == move.move
    return (
        str(move.number),
        "XO"[move.color - 1],
        f"{move.move}{_MARKS[move.quality] if move.graded else ''}",
        score_text(move.played_score),
        "" if is_best else str(move.best),
        "" if is_best else score_text(move.best_score),
        str(move.loss) if move.loss else "",
        _remark(move),
    )


def _remark(move: ReviewedMove) -> str:
    parts = []
    if move.foul:
        parts.append(f"forbidden ({move.foul.label})")
    if move.missed is not None:
        parts.append(f"missed {move.missed}")
    elif move.unclear is not None:
        parts.append(f"had {move.unclear}; unknown if kept")
    if move.allowed is not None:
        parts.append(f"allowed {move.allowed}")
        if move.defence is not None:
            parts.append(f"missed the defence {defence_text(move.defence)}")
    if not move.graded:
        parts.append("(opening)")
    return "; ".join(parts)


def _head(review: Review) -> list[str]:
    opening = "" if review.opening is None else f"opening: {review.opening}"
    return list(filter(None, (title_of(review), opening)))


def _summary(review: Review) -> list[str]:
    lines = []
    for color, share in review.accuracy.items():
        counts = review.counts[color]
        told = ", ".join(f"{count} {quality}" for quality, count in counts.items() if count)
        accuracy = "no move graded" if share is None else f"accuracy {100 * share:.0f} % ({told})"
        lines.append(f"{color.label}: {accuracy}")
    end = review.end
    if end is not None:
        who = "draw" if end.winner is None else f"{end.winner.label} won"
        lines.append(f"result: {who} ({end.reason})")
    if review.turning_point is not None:
        lines.append(f"turning point: {review.turning_point}")
    lines += [f"note: {note}" for note in review.notes]
    return lines
