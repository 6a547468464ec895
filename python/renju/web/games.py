"""Files of games for the page: bytes to games it can show, and back."""

from __future__ import annotations

from pathlib import PurePosixPath, PureWindowsPath
from typing import Any

from renju import io
from renju._request import Fields
from renju._types import Color
from renju.board import Board
from renju.errors import FormatError, IllegalMoveError, PositionError
from renju.game import Game
from renju.web.fields import MOST_MOVES, board_of, choice_of, start_of
from renju.web.pasted import plain_moves
from renju.web.trees import MOST_NODES, fill_tree, tree_facts

__all__ = ["MEDIA_TYPES", "SAVED", "game_facts", "game_of", "loaded", "saved"]

# What a file may hold at most that the page shows: a list of games to choose from.
_MOST_GAMES = 200
_MOST_HEADERS = 50
# Characters of a header or a comment that the page sends.
_MOST_TEXT = 200_000

SAVED = ("sgf", "psq", "lib", "txt")
"""The formats the page offers to save."""
MEDIA_TYPES = {"sgf": "application/x-go-sgf", "lib": "application/octet-stream"}

_RESULTS = {Color.BLACK: "1-0", Color.WHITE: "0-1", None: "1/2-1/2"}


def loaded(data: bytes, name: str) -> dict[str, Any]:
    """The games of a file that was sent, and what was wrong with it."""
    name = PureWindowsPath(PurePosixPath(name).name).name[:200]
    form = _format(data, name)
    games = io.loads(_spelled(data) if form == "txt" else data, form)
    if not games:
        raise FormatError(f"{name or 'the text'}: there is no game in it")
    return {"name": name, "games": [game_facts(game) for game in games[:_MOST_GAMES]], "count": len(games)}


def _format(data: bytes, name: str) -> str:
    """The format by the name of the file, else by how it begins; a text without a name is a list of moves.

    A name that was sent is never looked up on this machine.
    """
    suffix = PurePosixPath(name).suffix.lower()
    known = {ending: form.name for form in io.FORMATS.values() for ending in form.suffixes}
    found = known.get(suffix) or io.guess(data)
    if found is None and suffix:
        io.lib.refuse_db(data)
        raise FormatError(f"{name}: {suffix} tells no format; known are {' '.join(sorted(known))}")
    return found or "txt"


def _spelled(data: bytes) -> bytes | str:
    """A text with its moves in one spelling; bytes of another code page are left to the reader."""
    try:
        return plain_moves(data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        return data


def game_facts(game: Game) -> dict[str, Any]:
    """A game as the page holds it: its tree, its main line, what was written there, and what was wrong."""
    problems = [str(problem) for problem in game.errors]
    moves = game.moves
    if len(moves) > MOST_MOVES:
        problems.append(f"move {MOST_MOVES + 1}: the moves from here on are left out")
        moves = moves[:MOST_MOVES]
    setup, goes_on = None, False
    if game.black or game.white:
        setup, moves = _set_up(game, moves, problems)
    else:
        try:
            Board(moves)
        except IllegalMoveError:
            goes_on = True
    tree = tree_facts(game)
    if tree is None:
        problems.append(f"the tree has more than {MOST_NODES:,} nodes: only its main line is shown")
    return {
        "tree": tree,
        "headers": {key: text[:1000] for key, text in list(game.headers.items())[:_MOST_HEADERS]},
        "setup": setup,
        "moves": [str(move) for move in moves],
        "goes_on": goes_on,
        "result": game.result,
        "comments": {str(number): text for number, text in game.comments.items() if number <= len(moves)},
        "variations": len(game.variations),
        "problems": problems,
    }


def _set_up(game: Game, moves: Any, problems: list[str]) -> tuple[dict[str, Any] | None, Any]:
    """The stones set up, and the moves that can be played after them."""
    try:
        board = Board.from_stones(game.black, game.white, turn=game.turn)
    except PositionError as error:
        problems.append(f"set-up: {error}; it is left out with its moves")
        return None, ()
    setup = {
        "black": [str(point) for point in game.black],
        "white": [str(point) for point in game.white],
        "turn": board.turn.label,
    }
    for number, move in enumerate(moves):
        try:
            board.push(move)
        except IllegalMoveError as error:
            problems.append(f"move {number + 1}: {error}; left out with all behind it")
            return setup, moves[:number]
    return setup, moves


def saved(fields: Fields) -> tuple[bytes, str]:
    """The game of a request as a file: its bytes and its format."""
    name = choice_of(fields, "format", SAVED, SAVED[0])
    written = io.dumps(game_of(fields), name)
    return (written if isinstance(written, bytes) else written.encode(errors="replace")), name


def game_of(fields: Fields) -> Game:
    """The game of a request, with what is written about it: all of a ``tree``, else one line."""
    board, start = board_of(fields), start_of(fields)
    headers, comments = _texts(fields, "headers"), _texts(fields, "comments")
    outcome = board.outcome
    result = fields.text("result", 20) if outcome is None else _RESULTS[outcome.winner]
    game = Game(headers, result=result)
    if start is not None:
        game.black, game.white = (start.points_of(color) for color in Color)
        game.turn = start.turn
    if "tree" in fields:
        fill_tree(game, fields.any("tree"))
        return game
    node = game.root
    node.comment = comments.get("0", "")
    for number, move in enumerate(board.moves, start=1):
        node = node.add(move, comments.get(str(number), ""))
    return game


def _texts(fields: Fields, name: str) -> dict[str, str]:
    """An object of texts."""
    found = fields.object(name)
    return {key: found.text(key, _MOST_TEXT) for key in found}
