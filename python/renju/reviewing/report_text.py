"""The words of the report's page, in one table, and how scores are written."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from renju.result import LOSES_IN, WINS_IN
from renju.reviewing.model import QUALITIES

__all__ = ["MISTAKES", "TEXTS", "kind_text", "rate_text", "score_text"]

MISTAKES: Final = QUALITIES[2:]  # those with a mark in the graph

# All that the page says; the script gets the same table. Words in braces are filled in.
TEXTS: Final[dict[str, str]] = {
    "language": "en",
    "review": "Game review",
    "black": "Black",
    "white": "White",
    "round": "round {round}",
    "result_1-0": "Black won",
    "result_0-1": "White won",
    "result_1/2-1/2": "Draw",
    "end_five": "five in a row",
    "end_overline": "overline",
    "end_forbidden": "forbidden move",
    "end_board-full": "the board is full",
    "end_two-passes": "both sides passed",
    "end_move-limit": "the move limit",
    "accuracy": "accuracy",
    "no_accuracy": "no graded moves",
    "turning_point": "Turning point",
    "no_turning_point": "No move decided the game.",
    "show_move": "Show move {number}",
    "move": "Move",
    "moves": "Moves",
    "number": "No.",
    "quality": "Quality",
    "loss": "Loss",
    "best": "Best",
    "score": "Score",
    "played": "Played",
    "depth": "Depth",
    "pass": "pass",
    "quality_best": "best",
    "quality_good": "good",
    "quality_inaccuracy": "inaccuracy",
    "quality_mistake": "mistake",
    "quality_blunder": "blunder",
    "opening_move": "opening",
    "missed": "Missed win",
    "allowed": "Allowed win",
    "win": "Had a win, perhaps kept",
    "foul": "Forbidden",
    "kind_double-mise": "double mise",
    "kind_vcf": "VCF",
    "kind_mise-vcf": "Mise-VCF",
    "kind_vct": "VCT",
    "kind_forbidden-trap": "forbidden trap",
    "score_graph": "Score",
    "score_graph_label": "Score after every move, in Black's view. Marks are links to the mistakes.",
    "sure": "win",
    "win_rate": "Wins",
    "win_rate_hint": "How likely the side that moved wins, with the best move and after the move played",
    "wins_in": WINS_IN,
    "loses_in": LOSES_IN,
    "point_of_view": "Scores are those of the side that moved: + is good for it. “wins in 7” counts the "
    "moves of both sides up to the five. The graph is in Black's view.",
    "first": "First move",
    "previous": "Previous move",
    "next": "Next move",
    "last": "Last move",
    "previous_mistake": "Previous mistake",
    "next_mistake": "Next mistake",
    "position": "Move shown",
    "show": "Show",
    "show_candidates": "Candidates",
    "show_arrows": "Arrows",
    "show_heat": "Heat",
    "show_forbidden": "Forbidden",
    "show_numbers": "Numbers",
    "hint_candidates": "The best moves in order, instead of the one that was played",
    "hint_arrows": "From the move played to better ones",
    "hint_heat": "The darker, the better",
    "hint_forbidden": "Points that are forbidden for Black",
    "hint_numbers": "Move numbers on the stones",
    "board": "Board. The arrow keys choose a point; Enter jumps to its stone or plays its candidate's line.",
    "forbidden": "forbidden for Black",
    "double-three": "double-three",
    "double-four": "double-four",
    "overline": "overline",
    "empty": "empty",
    "candidate": "candidate",
    "start_position": "Before the first move",
    "current": "Current move",
    "lines": "Lines",
    "best_line": "Best line",
    "played_line": "After {move}",
    "tag_played": "played",
    "candidate_line": "Candidate {rank}",
    "line_status": "{name}: {step} of {count}",
    "back": "Back to the game",
    "breakdown": "What the move is worth at a glance",
    "term": "Term",
    "term_attack": "attack",
    "term_defence": "defence",
    "term_connectivity": "connection",
    "term_center": "centre",
    "keys": "Keys",
    "keys_text": "← → moves · Home End first, last · n p mistakes · b best line · Esc back to the game",
    "final_position": "Final position",
    "turning_position": "Before the turning point, move {number}. A: {move} was played",
    "turning_best": "; B: {best} was better",
    "no_script": "Without JavaScript the page shows two positions, the graph and the table.",
    "footer": "Reviewed by {engine} at level {level}. A loss up to {good} is good, up to {inaccuracy} an "
    "inaccuracy, up to {mistake} a mistake, above that a blunder. Moves before move {from_move} follow the "
    "opening rules and are not graded.",
}


def kind_text(kind: str) -> str:
    """The name of a forced win; a kind without a text of its own is shown as it is."""
    return TEXTS.get(f"kind_{kind}", kind)


def rate_text(row: Mapping[str, Any]) -> str:
    """How likely the side that moved wins: with the best move, and after the move played if that differs.

    >>> rate_text({"win_rate": [0.52, 0.01, 0.47], "played_win_rate": [0.314, 0.01, 0.676]})
    '52 → 31 %'
    """
    before, after = (round(100 * row[name][0]) for name in ("win_rate", "played_win_rate"))
    return f"{after} %" if before == after else f"{before} → {after} %"


def score_text(score: int, win_in: int | None = None) -> str:
    """A score in the view of the side that moves.

    >>> score_text(320), score_text(-45), score_text(99993, 7), score_text(-99992, -8)
    ('+320', '−45', 'wins in 7', 'loses in 8')
    """
    if win_in is not None:
        return TEXTS["wins_in" if win_in > 0 else "loses_in"].format(count=abs(win_in))
    sign = "+" if score > 0 else "−" if score < 0 else ""
    return f"{sign}{abs(score)}"
