"""Where players go wrong: blunders, wins thrown away, wins missed, claims that were false.

Every metric is a set of findings, each with the game and the move, so that one can look. How each one is
defined, and why, is told in docs/lab-report.md.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from renju import PASS, Board, Color, Limit, Point, batch, solve
from renju.lab.claims import false_claims, is_claim
from renju.lab.findings import Finding, FindingKind
from renju.lab.game_record import Ply
from renju.lab.replay import Replay, Trap, Turn
from renju.limits import THREAT_LIMITS

__all__ = [
    "FINDING_KINDS",
    "SEED_PER_GAME",
    "Finding",
    "FindingKind",
    "Weakness",
    "WeaknessLimits",
    "find_weaknesses",
]

FINDING_KINDS: dict[FindingKind, str] = {
    "blunder": "sees itself far worse than the opponent saw it a move before",
    "overrated": "a move whose score the reply shows to be far too high",
    "advantage-squandered": "lost after a large advantage, once a game",
    "missed-vcf": "had a win by fours and kept no win",
    "time-pressure-error": "interrupted; the last depth chose another move of a lower score",
    "depth-disagreement": "the last two depths have different best moves",
    "forbidden-trapped": "lost because the only defence was forbidden",
    "forbidden-self-inflicted": "played a forbidden point that nothing forced",
    "claim-rejected": "claimed a win whose proof the verifier rejects",
    "claim-not-won": "claimed a win and did not win the game",
}
"""The metrics: what a finding says of its player."""

SEED_PER_GAME: dict[FindingKind, str] = {
    "blunder": "3.08",
    "advantage-squandered": "0.13",
    "time-pressure-error": "0.05–0.47",
    "forbidden-trapped": "0.19",
    "claim-not-won": "0–0.005",
}
"""What the design documents report of 200 games of level hard against itself, a game. Time-pressure errors
were 10 in all, and 94 when Mise-VCFs were left to the search; of false claims only those of VCFs are told."""

# The most fours of a threat by which a move may keep a win: the most that a solver takes.
_THREAT_LIMIT = THREAT_LIMITS[-1]


@dataclass(frozen=True)
class WeaknessLimits:
    """From where on something is a weakness, and how long to look for it."""

    blunder: int = 3000
    """Points of score between what both players think, for blunders and overrated moves."""
    advantage: int = 3000
    """Points of score from which on an advantage should not be lost."""
    vcf_nodes: int = 20_000
    """Nodes of the search, in each position, for a win by fours that was there; 0 does not look."""
    vct_nodes: int = 50_000
    """Nodes of the search for whether another move than a four kept the win."""

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if value < 0:
                raise ValueError(f"{name} is a number from 0 on, not {value}")


@dataclass(frozen=True)
class Weakness:
    """All weaknesses that were found in some games."""

    games: int
    """Games whose moves were looked at."""
    moves: int
    """Moves that players chose in these games, without those of openings."""
    findings: tuple[Finding, ...]
    """What was found, in the order of games and moves."""
    traps: tuple[Trap, ...]
    """How black lost by a forbidden point, for each game."""
    vcf_chances: int | None
    """Positions with a win by fours for the player on move; None if nobody looked."""
    vcf_unknown: int
    """Positions of which a limit left open whether there was such a win, or whether the move kept it."""
    researches: int
    """Searches repeated because a score was outside its window."""
    moves_of: Counter[str] = field(default_factory=Counter, repr=False)
    """Key: the name of a player; value: moves that it chose."""
    games_of: Counter[str] = field(default_factory=Counter, repr=False)
    """Key: the name of a player; value: games in which it took part."""

    def count(self, kind: FindingKind, player: str | None = None) -> int:
        """How many findings of a kind there are, of one player or of all."""
        return sum(f.kind == kind and player in (None, f.player) for f in self.findings)

    def per_game(self, kind: FindingKind, player: str | None = None) -> float | None:
        """Findings of a kind in a game, of one player or of all; None without games."""
        games = self.games if player is None else self.games_of[player]
        return self.count(kind, player) / games if games else None

    def per_move(self, kind: FindingKind, player: str | None = None) -> float | None:
        """Findings of a kind in a move that a player chose; None without such moves."""
        moves = self.moves if player is None else self.moves_of[player]
        return self.count(kind, player) / moves if moves else None


def find_weaknesses(
    replays: Sequence[Replay],
    limits: WeaknessLimits | None = None,
    threads: int = 0,
    progress: bool | Callable[[int, int], object] | None = None,
) -> Weakness:
    """Looks at every move of the games. `threads` and `progress` are for the search for wins by fours."""
    limits = WeaknessLimits() if limits is None else limits
    traps = tuple(replay.trap(limits.vcf_nodes) for replay in replays)
    found: list[Finding] = []
    for game, (replay, trap) in enumerate(zip(replays, traps, strict=True)):
        found += _misjudged(game, replay, limits.blunder)
        found += _squandered(game, replay, limits.advantage)
        found += _of_depths(game, replay)
        found += _forbidden(game, replay, trap)
        found += false_claims(game, replay)
    chances, unknown = None, 0
    if limits.vcf_nodes:
        missed, chances, unknown = _missed(replays, limits, threads, progress)
        found += missed
    order = list(FINDING_KINDS)
    turns = [turn for replay in replays for turn in replay.turns]
    return Weakness(
        games=len(replays),
        moves=len(turns),
        findings=tuple(sorted(found, key=lambda f: (f.index, f.ply, order.index(f.kind)))),
        traps=traps,
        vcf_chances=chances,
        vcf_unknown=unknown,
        researches=sum(turn.ply.stats.get("aspiration_researches", 0) for turn in turns),
        moves_of=Counter(turn.player for turn in turns),
        games_of=Counter(name for r in replays for name in {r.game.black, r.game.white}),
    )


def _misjudged(index: int, replay: Replay, limit: int) -> Iterator[Finding]:
    """Blunders and overrated moves: consecutive scores, each for its own mover, should add up to about 0."""
    for before, turn in zip(replay.turns, replay.turns[1:], strict=False):
        theirs, own = before.ply.score, turn.ply.score
        if theirs is None or own is None or before.is_forced or turn.is_forced:
            continue
        if -theirs - own >= limit:
            text = f"expected {-theirs:+d} by the opponent's move {before.ply.move}, sees {own:+d}"
            yield Finding.at(index, replay, turn, "blunder", text, expected=-theirs, size=-theirs - own)
        if theirs + own >= limit and not is_claim(before.ply):  # claims have metrics of their own
            text = f"thought {theirs:+d}, the reply {turn.ply.move} sees {-own:+d}"
            yield Finding.at(index, replay, before, "overrated", text, expected=-own, size=theirs + own)


def _squandered(index: int, replay: Replay, limit: int) -> Iterator[Finding]:
    winner = replay.game.winner
    if winner is None:
        return
    of_loser = [turn for turn in replay.turns if turn.color is winner.opponent and turn.ply.score is not None]
    best = max(of_loser, key=lambda turn: turn.ply.score or 0, default=None)
    if best is not None and best.ply.score is not None and best.ply.score >= limit:
        text = f"had {best.ply.score:+d} and lost by {replay.game.reason} at move {len(replay.moves)}"
        yield Finding.at(index, replay, best, "advantage-squandered", text, size=best.ply.score)


def _of_depths(index: int, replay: Replay) -> Iterator[Finding]:
    for turn in replay.turns:
        ply = turn.ply
        if len(ply.depths) >= 2:
            (_, first, before), (depth, second, after) = ply.depths[-2:]
            if first != second:
                text = f"depth {depth} prefers {second} ({after:+d}) to {first} ({before:+d})"
                size = abs(after - before)
                yield Finding.at(index, replay, turn, "depth-disagreement", text, expected=before, size=size)
        history = _history(ply)
        if ply.interrupted and not ply.fallback and len(history) >= 2:
            (first, before), (second, after) = history[-2:]
            if first != second and after < before:
                text = f"interrupted, {second} ({after:+d}) in place of {first} ({before:+d})"
                size = before - after
                yield Finding.at(index, replay, turn, "time-pressure-error", text, expected=before, size=size)


def _history(ply: Ply) -> list[tuple[str, int]]:
    """Best move and score of each depth; the last one may be unfinished, where the engine keeps it."""
    history = [(move, score) for _, move, score in ply.depths]
    if history and ply.interrupted and ply.candidates and ply.candidates[0][0] != history[-1][0]:
        history.append(ply.candidates[0])
    return history


def _forbidden(index: int, replay: Replay, trap: Trap) -> Iterator[Finding]:
    if trap not in ("trapped", "self-inflicted"):
        return
    of_black = [turn for turn in replay.turns if turn.color is Color.BLACK]
    if not of_black:
        return  # lost in the opening: nobody's choice
    last = of_black[-1]
    if trap == "trapped":
        yield Finding.at(index, replay, last, "forbidden-trapped", "the only defence was forbidden")
    else:
        kind = replay.board(last.number - 1).forbidden_kind(last.ply.move).label
        yield Finding.at(index, replay, last, "forbidden-self-inflicted", f"{last.ply.move} is a {kind}")


def _missed(
    replays: Sequence[Replay],
    limits: WeaknessLimits,
    threads: int,
    progress: bool | Callable[[int, int], object] | None,
) -> tuple[list[Finding], int, int]:
    """The wins by fours that were missed, how many there were, and how often nobody can tell."""
    turns = [(game, turn) for game, replay in enumerate(replays) for turn in replay.turns]
    if not turns:
        return [], 0, 0
    positions = [replays[game].board(turn.number - 1).to_array() for game, turn in turns]
    sides = [int(turn.color) for _, turn in turns]
    limit = Limit(nodes=limits.vcf_nodes)
    rows = batch.solve(positions, sides, "vcf", limit, threads=threads, progress=progress)
    found, chances, unknown = [], 0, 0
    for (game, turn), row in zip(turns, rows, strict=True):
        chances += row["status"] == 1
        unknown += row["status"] == -1
        if row["status"] == 1:
            kept = _is_kept(replays[game], turn, limits)
            unknown += kept is None
            if kept is False:
                found.append(Finding.at(game, replays[game], turn, "missed-vcf", _line_text(row)))
    return found, int(chances), int(unknown)


def _line_text(row: np.void) -> str:
    line = [str(Point(int(move))) for move in row["line"][: row["length"]]]
    return f"{' '.join(line)}{'' if len(line) == row['length'] else ' ...'} wins"


def _is_kept(replay: Replay, turn: Turn, limits: WeaknessLimits) -> bool | None:
    """Did a move keep the win that was there? It may end the game, start a win by fours or by threats, or
    come with a proof that was verified. None if a limit came first."""
    outcome = Board(replay.moves[: turn.number]).outcome
    if outcome is not None:
        return outcome.winner is turn.color
    if turn.ply.verified:
        return True
    board, move = replay.board(turn.number - 1), Point(turn.ply.move)
    if move == PASS:
        return False
    if solve(board, "vcf", limit=Limit(nodes=limits.vcf_nodes), first=move):
        return True
    limit = Limit(nodes=limits.vct_nodes)
    proof = solve(board, "vct", limit=limit, threat_limit=_THREAT_LIMIT, first=move)
    return None if proof.status == "unknown" else bool(proof)
