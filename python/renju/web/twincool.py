"""The table of Twin Cool for the page: a game from what a request tells of it, and advice as it is found."""

from __future__ import annotations

from dataclasses import dataclass
from threading import Event
from time import perf_counter
from typing import TYPE_CHECKING, Any

from renju._request import Fields, RequestError
from renju.errors import EngineError
from renju.ismcts import Card, GameState, IsMcts, Move, ObservableState
from renju.web.fields import count_of, limit_of

if TYPE_CHECKING:
    from renju.web.searches import Emit

__all__ = ["AdviceSearch", "Table", "advice_of", "table_of"]

# What a page can count to.
_MOST_SEED = 2**53
# Moves of a game, characters of one, and of the cards of a hand or a pile.
_MOST_PLAYS, _MOST_PLAY, _MOST_CARDS = 80, 40, 400
_MOST_POINTS = 10**6
_MOST_ITERATIONS = 1_000_000
_ITERATIONS = 20_000
_ADVICE_SECONDS = 30.0
# Iterations of a tree, between which the search tells what it knows and can be stopped: about 0.1 s.
_TREE_ITERATIONS = 2_000
_TELL_SECONDS = 0.1  # at least, between two steps that are told


@dataclass
class Table:
    """A game of Twin Cool as far as the player knows it."""

    known: ObservableState
    """The hand, the piles and the points."""
    dealt: GameState | None = None
    """The whole game where the cards are dealt here; None for cards on a table of somebody."""
    pending: Move | None = None
    """A move whose drawn card is not told yet; the hand still has its card."""
    history: tuple[tuple[Move, Card | None, int], ...] = ()
    """The moves, each with the card drawn after it (None for an empty deck) and the points it brought."""

    def play(self, text: str) -> None:
        """Plays a move, "C7 1", with the card that was drawn after it where cards lie on a table:
        "C7 1 D7". `ValueError` if it does not fit."""
        if self.pending is not None:
            raise RequestError(f"which card was drawn after {self.pending}?", "plays")
        card, pile, *more = [*text.split(), "", ""]
        move = Move.parse(f"{card} {pile}")
        told = [Card.parse(word) for word in more if word]
        if len(told) > 1 or (told and self.dealt is not None):
            raise RequestError(f"{text!r} has a card too many", "plays")
        if self.dealt is None:
            self._go_on(move, told[0] if told else None)
            return
        drawn = self.dealt.deck.next
        self.dealt.play(move)
        self._take(move, drawn, self.dealt.observe())

    def _go_on(self, move: Move, drawn: Card | None) -> None:
        if drawn is None and self.known.deck_size:
            if move.card not in self.known.hand:
                raise ValueError(f"{move.card} is not in the hand")
            self.known.field.with_card(move)  # an error if it does not fit
            self.pending = move
        else:
            self._take(move, drawn, self.known.after(move, drawn))

    def _take(self, move: Move, drawn: Card | None, known: ObservableState) -> None:
        self.history += ((move, drawn, known.points - self.known.points),)
        self.known = known

    def facts(self) -> dict[str, Any]:
        """All that the page shows of the table."""
        known, pending = self.known, self.pending
        moves = [] if pending else known.moves()
        field = known.field.with_card(pending) if pending else known.field
        return {
            "hand": [str(card) for card in known.hand if pending is None or card != pending.card],
            "piles": [[str(card) for card in pile] for pile in field.piles],
            "moves": [_spelled(move) for move in moves],
            "pending": _spelled(pending) if pending else None,
            "is_over": not moves and pending is None,
            "unseen": [str(card) for card in known.unseen_cards],
            "deck": known.deck_size,
            "played": known.turn_count,
            "points": known.points,
            "score": known.score,
            "history": [
                {"move": _spelled(move), "drawn": None if drawn is None else str(drawn), "points": points}
                for move, drawn, points in self.history
            ],
        }


def _spelled(move: Move) -> str:
    """A move as requests have it: "C7 1"."""
    return f"{move.card} {move.pile + 1}"


def table_of(fields: Fields) -> Table:
    """The game of a request: dealt by ``seed``, or begun with ``hand`` (with ``piles`` and ``points`` in its
    middle), and the moves of ``plays``."""
    if ("seed" in fields) == ("hand" in fields):
        raise RequestError("a game is dealt by a seed or begins with a hand: tell one of them")
    if "seed" in fields:
        dealt = GameState.deal(count_of(fields, "seed", 0, _MOST_SEED, 0))
        table = Table(dealt.observe(), dealt)
    else:
        table = Table(_told(fields))
        table.known.determinize(0)  # an error if there is no such game
    for text in fields.texts("plays", _MOST_PLAYS):
        if len(text) > _MOST_PLAY:
            raise RequestError(f"a move has at most {_MOST_PLAY} characters", "plays")
        table.play(text)
    return table


def _told(fields: Fields) -> ObservableState:
    """Where a game on a table of somebody begins."""
    hand = _cards(fields.text("hand", _MOST_CARDS))
    piles = fields.texts("piles", 2)
    if any(len(pile) > _MOST_CARDS for pile in piles):
        raise RequestError(f"a pile has at most {_MOST_CARDS} characters", "piles")
    first, second = map(_cards, [*piles, "", ""][:2])
    if "points" not in fields:
        return ObservableState(hand, (first, second), ObservableState.first(hand).points)
    return ObservableState(hand, (first, second), count_of(fields, "points", 0, _MOST_POINTS, 0))


def _cards(text: str) -> tuple[Card, ...]:
    return tuple(map(Card.parse, text.replace(",", " ").split()))


def advice_of(fields: Fields) -> AdviceSearch:
    """The search that a request asks for."""
    table = table_of(fields)
    if table.pending is not None:
        raise RequestError(f"which card was drawn after {table.pending}?", "plays")
    iterations = count_of(fields, "iterations", 1, _MOST_ITERATIONS, _ITERATIONS)
    limit = limit_of(fields, "advise", _ADVICE_SECONDS)
    search_seed = count_of(fields, "search_seed", 0, _MOST_SEED, 0)
    return AdviceSearch(table.known, iterations, limit.time or _ADVICE_SECONDS, search_seed)


class AdviceSearch:
    """What every move promises, by IS-MCTS. Trees of `_TREE_ITERATIONS` iterations are grown one after the
    other, each with random numbers of its own, and what they know is added up, as `IsMcts.trees` does."""

    def __init__(self, known: ObservableState, iterations: int, seconds: float, seed: int) -> None:
        """`EngineError` if no card fits."""
        if not known.moves():
            raise EngineError("no card fits: the game is over")
        self._known, self._iterations, self._seconds, self._seed = known, iterations, seconds, seed
        self._stopped = Event()

    def run(self, emit: Emit) -> None:
        start = told = perf_counter()
        found = _Sum()
        while True:
            count = min(_TREE_ITERATIONS, self._iterations - found.iterations)
            found.add(self._known, count, self._seed + found.trees)
            now = perf_counter()
            facts = {**found.facts(), "time": round(now - start, 3)}
            if found.iterations >= self._iterations or now - start >= self._seconds or self._stopped.is_set():
                emit({"type": "result", **facts})
                return
            if found.trees == 1 or now - told >= _TELL_SECONDS:
                emit({"type": "progress", **facts})
                told = now

    def stop(self) -> None:
        self._stopped.set()


class _Sum:
    """What some trees know together."""

    def __init__(self) -> None:
        self.trees = self.iterations = 0
        # Key: a move; value: visits, the sum of their scores, and what the move promises at a glance.
        self._moves: dict[Move, tuple[int, float, float]] = {}

    def add(self, known: ObservableState, iterations: int, seed: int) -> None:
        """Grows another tree."""
        advice = IsMcts(iterations=iterations).advise(known, seed)
        assert advice is not None  # there are moves
        for found in advice.moves:
            visits, total, _ = self._moves.get(found.move, (0, 0.0, 0.0))
            self._moves[found.move] = (visits + found.visits, total + found.visits * found.mean, found.prior)
        self.trees += 1
        self.iterations += iterations

    def facts(self) -> dict[str, Any]:
        """All moves, the most visited first. A move that no iteration tried has no score, only its glance."""
        ranked = sorted(self._moves.items(), key=lambda item: (-item[1][0], -item[1][2], item[0]))
        return {
            "iterations": self.iterations,
            "moves": [
                {
                    "move": _spelled(move),
                    "visits": visits,
                    "score": round(total / visits, 2) if visits else None,
                    "glance": round(glance, 2),
                }
                for move, (visits, total, glance) in ranked
            ],
        }
