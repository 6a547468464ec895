"""How games, search results and reviews look in a notebook: pieces of HTML with pictures in them.

All text may come from files and is escaped here; styles are inline, and colours of text are those of the
page, light or dark.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from renju import svg
from renju._types import PASS, Color, Point
from renju.errors import RenjuError
from renju.result import score_text

if TYPE_CHECKING:
    from renju.engine import SearchResult
    from renju.game import Game
    from renju.reviewing import Review, ReviewedMove

__all__ = ["game_html", "review_html", "search_result_html"]

_BOARD_SIZE_PX = 400
_GRAPH_SIZE_PX = (560, 200)
_LINE_MOVES = 12  # of a line in a table
_MOST_ROWS = 8
_SIDES = frozenset(color.label for color in Color)
_MOST_LETTERS = 300  # of a text of a file
_ROW = "display:flex; flex-wrap:wrap; gap:16px; align-items:flex-start"
_SIDE = "flex:1 1 260px; max-width:640px; text-align:left; overflow-wrap:anywhere"
_CELL = "text-align:left; vertical-align:top; padding:2px 10px 2px 0; white-space:"
_SHORT, _LONG = (
    _CELL + "nowrap",
    _CELL + "normal; overflow-wrap:anywhere",
)  # the last cell of a row may be long


def game_html(game: Game) -> str:
    """The last position with numbers, what the headers tell, and what was wrong in the file."""
    parts = [_heading(_players(game) or "Game")]
    picture = ""
    opening = None
    try:
        board = game.board()
        opening = board.opening()
        picture = svg.board(board, size=_BOARD_SIZE_PX, labels=_last_labels(game))
    except RenjuError as error:
        parts.append(_paragraph(f"The game cannot be drawn: {error}"))
    facts = [(key, value) for key, value in game.headers.items() if value and key not in _SIDES]
    if opening is not None:
        facts = [("opening", str(opening)), *((key, value) for key, value in facts if key != "opening")]
    if game.result:
        facts = [("result", game.result), *((key, value) for key, value in facts if key != "result")]
    facts.append(("moves", str(len(game.moves))))
    parts.append(_table((), facts))
    if game.errors:
        parts.append(_paragraph("Problems in the file:"))
        parts.append(_list(map(str, game.errors)))
    return _page(picture, parts)


def search_result_html(result: SearchResult) -> str:
    """The moves the engine compared, on the board if the result knows it."""
    board = result.board
    whose = "" if board is None else f" for {board.turn.label}"
    title = f"{result.move} {score_text(result.score)}{whose}"
    effort = f"{result.source}, depth {result.depth}, {result.nodes:,} nodes, {result.time:.2f} s"
    parts = [_heading(title), _paragraph(effort + (", interrupted" if result.interrupted else ""))]
    rows = [
        (str(rank), str(candidate.move), score_text(candidate.score), _line(candidate.pv))
        for rank, candidate in enumerate(result.candidates, start=1)
    ]
    if rows:
        parts.append(_table(("", "move", "score", "line"), rows))
    else:
        parts.append(_paragraph(f"Line: {_line(result.pv)}"))
    if board is None:
        return _page("", parts)
    candidates = result.candidates or [(result.move, score_text(result.score))]
    return _page(svg.board(board, size=_BOARD_SIZE_PX, candidates=candidates), parts)


def review_html(review: Review) -> str:
    """Who played how well, where the game was lost, the scores, and the worst moves."""
    facts = [("result", review.result or "unknown")]
    if review.opening is not None:
        facts.append(("opening", str(review.opening)))
    for color, share in review.accuracy.items():
        told = "no graded move" if share is None else f"{share:.0%} of the moves are best or good"
        facts.append((color.label, told))
    facts.append(("level", review.level))
    turning = review.turning_point
    parts = [_heading(_players(review.game) or "Game review"), _table((), facts)]
    if turning is not None:
        parts.append(_paragraph(f"Turning point: {turning.text}"))
    width, height = _GRAPH_SIZE_PX
    parts.append(f'<div style="margin:8px 0">{svg.scores(review, width=width, height=height)}</div>')
    worst = sorted((move for move in review.moves if move.graded and move.loss), key=_by_loss)
    if worst:
        rows = [_worst_row(move) for move in worst[:_MOST_ROWS]]
        parts.append(_table(("", "move", "", "loss", "better", "why"), rows))
    parts += [_paragraph(note) for note in review.notes]
    picture = "" if turning is None else _turning_picture(review, turning.number)
    return _page(picture, parts)


def _players(game: Game) -> str:
    """Who played, as far as it is known."""
    names = [game.headers.get(color.label, "").strip() for color in Color]
    return " – ".join(name or "?" for name in names) if any(names) else ""


def _last_labels(game: Game) -> dict[Point, str]:
    """The texts that the file puts on the last position."""
    last = [game.root, *game.root.main_line()][-1]
    return {point: name for point, name in last.labels.items() if point != PASS}


def _by_loss(move: ReviewedMove) -> tuple[int, int]:
    return -move.loss, move.number


def _worst_row(move: ReviewedMove) -> tuple[str, ...]:
    name = f"{move.color.label} {move.move}"
    return str(move.number), name, move.quality, f"{move.loss:,}", str(move.best), move.comment


def _turning_picture(review: Review, number: int) -> str:
    """The position before the move that lost the game, which has a question mark, and what was better."""
    move = next((move for move in review.moves if move.number == number), None)
    if move is None:
        return ""
    labels = {} if move.move == PASS else {move.move: "?"}
    candidates = [candidate for candidate in move.candidates if candidate.move != PASS]
    board = review.game.board(number - 1)
    return svg.board(board, size=_BOARD_SIZE_PX, candidates=candidates, labels=labels)


def _line(moves: Sequence[Point]) -> str:
    more = " …" if len(moves) > _LINE_MOVES else ""
    return " ".join(map(str, moves[:_LINE_MOVES])) + more


def _page(picture: str, parts: Iterable[str]) -> str:
    side = f'<div style="{_SIDE}">{"".join(parts)}</div>'
    return f'<div class="renju" style="{_ROW}">{f"<div>{picture}</div>" if picture else ""}{side}</div>'


def _heading(content: str) -> str:
    return f'<div style="font-weight:bold; font-size:1.1em">{_text(content)}</div>'


def _paragraph(content: str) -> str:
    return f'<p style="margin:4px 0">{_text(content)}</p>'


def _list(items: Iterable[str]) -> str:
    told = list(items)
    shown = [f"<li>{_text(item)}</li>" for item in told[:_MOST_ROWS]]
    if len(told) > _MOST_ROWS:
        shown.append(f"<li>and {len(told) - _MOST_ROWS} more</li>")
    return f"<ul>{''.join(shown)}</ul>"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; without names of columns the first cell of a row is its name."""
    names = "".join(f'<th scope="col" style="{_SHORT}">{_text(name)}</th>' for name in head)
    first = ("td", "") if head else ("th", ' scope="row"')
    body = []
    for row in rows:
        cells = [
            _cell(*(first if i == 0 else ("td", "")), content, i == len(row) - 1)
            for i, content in enumerate(row)
        ]
        body.append(f"<tr>{''.join(cells)}</tr>")
    top = f"<thead><tr>{names}</tr></thead>" if head else ""
    return f'<table style="border-collapse:collapse">{top}<tbody>{"".join(body)}</tbody></table>'


def _cell(name: str, scope: str, content: str, is_last: bool) -> str:
    return f'<{name}{scope} style="{_LONG if is_last else _SHORT}">{_text(content)}</{name}>'


def _text(content: str) -> str:
    """Escaped, and cut if a file has too much of it."""
    return svg.text(content if len(content) <= _MOST_LETTERS else content[: _MOST_LETTERS - 1] + "…")
