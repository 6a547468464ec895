"""`renju twincool play`: a game of Twin Cool in the terminal, dealt here or with cards on a table."""

from __future__ import annotations

from collections.abc import Callable

from renju import ismcts
from renju.ismcts import Advice, Card, GameState, Move, ObservableState, Strategy

__all__ = ["Game", "shown_cards"]

HELP = """\
C7 1     put C7 on pile 1
(Enter)  play what is advised
advice   what to play, and why
undo     take the last move back
show     show the cards again
quit     leave
help     this list"""

DRAWN_HELP = """\
D3       the card that was drawn
undo     take the move back"""


def shown_cards(text: str) -> tuple[Card, ...]:
    """Cards that somebody typed."""
    return tuple(map(Card.parse, text.replace(",", " ").split()))


class Game:
    """A game that goes on by the lines a person types. Without `hand` the cards are dealt here; with it they
    lie on a table, and the person tells which are drawn."""

    def __init__(self, strategy: Strategy, seed: int, hand: str | None = None, threads: int = 1) -> None:
        self.strategy = strategy
        self.seed = seed
        self.threads = threads
        self.dealt = GameState.deal(seed) if hand is None else None
        self.known = self.dealt.observe() if self.dealt else ObservableState.first(shown_cards(hand or ""))
        self.moves = self.known.moves()  # an impossible hand is an error here
        # The move that waits for the card that was drawn.
        self.pending: Move | None = None
        self.history: list[tuple[ObservableState, GameState | None]] = []
        self.advised: Advice[Move] | None = None
        self.is_left = False
        self.commands: dict[str, Callable[[], None]] = {
            "": self.follow,
            "advice": self.explain,
            "undo": self.undo,
            "show": self.show,
            "quit": self.leave,
            "exit": self.leave,
            "help": self.help,
            "?": self.help,
        }

    @property
    def prompt(self) -> str:
        if self.pending is not None:
            return "drawn> "
        return "play> " if self.moves else "undo or quit> "

    def begin(self) -> None:
        print('"help" lists what you can type.')
        self.show()

    def obey(self, line: str) -> None:
        """Does what the line says, a command, a move or a card; or says why not."""
        word = line.strip().lower()
        try:
            if self.pending is not None and word not in ("undo", "quit", "exit", "help", "?", "show"):
                self.finish(self.pending, Card.parse(word))
            elif word in self.commands:
                self.commands[word]()
            else:
                self.play(Move.parse(word))
        except ValueError as error:
            print(error)

    def play(self, move: Move) -> None:
        """Puts a card down; what is drawn comes from the deck, or from the person."""
        if move.card not in self.known.hand:
            raise ValueError(f"{move.card} is not in the hand")
        self.known.field.with_card(move)  # an error if it does not fit
        if self.dealt is not None:
            before = (self.known, self.dealt.copy())
            drawn = self.dealt.deck.next
            self.dealt.play(move)
            self.history.append(before)
            print(f"{move}" + (f", {drawn} drawn" if drawn else ", the deck is empty"))
            self.go_on(self.dealt.observe())
        elif self.known.deck_size:
            self.pending = move
        else:
            self.finish(move, None)

    def finish(self, move: Move, drawn: Card | None) -> None:
        """Goes on with the card that was drawn from the deck on the table."""
        known = self.known.after(move, drawn)
        self.history.append((self.known, None))
        self.pending = None
        self.go_on(known)

    def go_on(self, known: ObservableState) -> None:
        gained = known.points - self.known.points
        self.known, self.moves, self.advised = known, known.moves(), None
        if gained:
            print(f"the new hand brings {gained} points")
        self.show()

    def follow(self) -> None:
        """Plays what is advised."""
        if (advice := self.advice()) is not None:
            print(f"play {advice.move}")
            self.play(advice.move)

    def explain(self) -> None:
        if (advice := self.advice()) is not None:
            print(advice)

    def advice(self) -> Advice[Move] | None:
        """The advice for this position, or word that there is none."""
        if self.advised is None and self.moves:
            state = self.dealt if isinstance(self.strategy, ismcts.Mcts) and self.dealt else self.known
            self.advised = self.strategy.advise(state, self.seed, self.threads)
        if self.advised is None:
            print("no card fits: the game is over")
        return self.advised

    def undo(self) -> None:
        if self.pending is not None:
            self.pending = None
        elif self.history:
            self.known, self.dealt = self.history.pop()
            self.moves, self.advised = self.known.moves(), None
        else:
            print("there is nothing to take back")
            return
        self.show()

    def show(self) -> None:
        for number, pile in enumerate(self.known.piles, 1):
            cards = " ".join(map(str, pile[-8:]))
            print(f"pile {number}: {'... ' if len(pile) > 8 else ''}{cards or '(empty)'}")
        if self.pending is not None:
            print(f"{self.pending} was played; which card was drawn?")
        fitting = {move.card for move in self.moves}
        hand = " ".join(f"{card}" if card in fitting else f"({card})" for card in self.known.hand)
        print(f"hand: {hand}   {self.known.deck_size} cards in the deck, score {self.known.score}")
        if not self.moves:
            played = len(self.known.played_cards)
            print(f"no card fits: the game is over after {played} cards, score {self.known.score}")

    def leave(self) -> None:
        self.is_left = True

    def help(self) -> None:
        print(DRAWN_HELP if self.pending is not None else HELP)
