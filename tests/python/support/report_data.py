"""A review made by hand: the data that the report's page is made from."""

from __future__ import annotations

from typing import Any

__all__ = ["HOSTILE", "MOVES", "review_data", "row"]

# White does not answer the three of move 5; the five of move 9 is on F8 to J8.
MOVES = ("H8", "H9", "G8", "G9", "I8", "A1", "J8", "K8", "F8")
HOSTILE = """</script><img src=x onerror="window.hurt=1"><b title='"&amp;"""


def row(number: int, **changes: Any) -> dict[str, Any]:
    """A move as `ReviewedMove.to_dict` tells it, the best one unless told otherwise."""
    move = changes["move"] if "move" in changes else MOVES[number - 1]
    best = changes.get("best", move)
    score = changes.get("best_score", 10)
    return {
        "number": number,
        "color": "black" if number % 2 else "white",
        "move": move,
        "best": best,
        "best_score": score,
        "played_score": score,
        "win_in": None,
        "played_win_in": None,
        "win_rate": [0.48, 0.01, 0.51],
        "played_win_rate": [0.48, 0.01, 0.51],
        "loss": 0,
        "quality": "best",
        "graded": number >= 3,
        "forced": False,
        "depth": 4,
        "nodes": 1000,
        "source": "search",
        "pv": [best],
        "played_pv": [move],
        "candidates": [{"move": best, "score": score, "win_in": None, "pv": [best]}],
        "breakdown": {"attack": 60, "center": 4},
        "played_breakdown": {"attack": 60, "center": 4},
        "forbidden": {},
        "foul": None,
        "unclear": None,
        "kept": None,
        "missed": None,
        "allowed": None,
        "comment": "",
        **changes,
    }


def review_data(**changes: Any) -> dict[str, Any]:
    """A review by hand: move 4 is a mistake, move 6 loses to a four with two fives."""
    lost = {"kind": "vcf", "first": "J8", "line": ["J8", "F8", "K8"], "depth": 1, "verified": True}
    sixth = row(
        6,
        best="F8",
        best_score=-120,
        played_score=-99996,
        played_win_in=-4,
        win_rate=[0.27, 0.01, 0.72],
        played_win_rate=[0.0, 0.0, 1.0],
        loss=99876,
        quality="blunder",
        pv=["F8", "J8", "K8"],
        played_pv=["A1", "J8", "F8", "K8"],
        candidates=[
            {"move": "F8", "score": -120, "win_in": None, "pv": ["F8", "J8", "K8"]},
            {"move": "J8", "score": -150, "win_in": None, "pv": ["J8", "F8"]},
        ],
        played_breakdown={},
        allowed=lost,
    )
    fourth = row(4, best="I7", loss=500, quality="mistake", best_score=400, played_score=-100)
    fourth |= {"win_rate": [0.921, 0.01, 0.069], "played_win_rate": [0.29, 0.01, 0.7]}
    rows = [row(n) for n in range(1, 10)]
    rows[3], rows[5] = fourth, sixth
    return {
        "version": 1,
        "headers": {"black": "Nakamura", "white": "Soosõrv", "event": "Friendly match"},
        "result": "1-0",
        "opening": {"code": "D4", "romaji": "Kagetsu", "kanji": "花月", "english": "Flower Moon"},
        "level": "hard",
        "engine": "renju 1.2.3",
        "setup": {"black": [], "white": [], "turn": "black"},
        "grades": {"good": 80, "inaccuracy": 300, "mistake": 1000, "from_move": 3},
        "accuracy": {"black": 1.0, "white": 1 / 3},
        "counts": {"black": {"best": 4}, "white": {"best": 1, "mistake": 1, "blunder": 1}},
        "scores": [0, 10, -10, 10, 100, 120, 99996, 99997, None, 99999],
        "win": 100000,
        "turning_point": {"number": 6, "color": "white", "text": "move 6, white A1 allows J8"},
        "end": {"winner": "black", "reason": "five", "line": ["F8", "G8", "H8", "I8", "J8"]},
        "notes": [],
        "moves": rows,
        **changes,
    }
