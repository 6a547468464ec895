"""The application: the page, and what it asks for."""

from __future__ import annotations

import asyncio
import json
import os
import secrets
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import aclosing, asynccontextmanager
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any, cast

from renju._machine import cores
from renju._page import asset, board_svg
from renju._page.words import page_texts
from renju._request import Fields
from renju._types import on_board
from renju.config import LEVELS, EngineConfig
from renju.errors import EngineError, FormatError, IllegalMoveError, NotationError, PositionError, RenjuError
from renju.game import Game
from renju.limits import KINDS, THREAT_LIMITS
from renju.openings import OPENINGS
from renju.web.deciding import RuleSearch
from renju.web.facts import book_facts, explained, opening_facts, position_facts
from renju.web.fields import (
    RefusedError,
    board_of,
    choice_of,
    color_of,
    count_of,
    fields_of,
    level_of,
    limit_of,
    rule_of,
)
from renju.web.games import MEDIA_TYPES, SAVED, game_facts, game_of, loaded, saved
from renju.web.guard import HEADERS, Guard, Receive, Scope, Send
from renju.web.puzzles import attempt_of, loaded_puzzles, set_facts, shipped_puzzles
from renju.web.rules import RULES, followed, rule_facts
from renju.web.searches import EngineSearch, ProofSearch, ReviewSearch, Search, Searches
from renju.web.sources import Sources
from renju.web.twincool import advice_of, table_of

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response

    from renju.puzzles import Puzzle

    Handler = Callable[[Request], Awaitable[Response]]

__all__ = ["SHARED", "create_app", "need_web", "page_settings"]

# Bytes of a body: a position is small, a file of games may be larger, and a tree as JSON is larger still.
_MOST_JSON = 1 << 18
_MOST_FILE = 2 << 20
_MOST_TREE = 4 << 20
_BODY_SECONDS = 10.0  # until all of it has come
_MOST_MULTIPV = 10
_MOST_LINES = 100
_MOST_SEED = 2**53  # what a page can count to
_ANALYSE_SECONDS = 30.0
_SOLVE_SECONDS = 10.0
_PAGES = {"/": "index.html", "/puzzles": "puzzles.html", "/twincool": "twincool.html"}
_LEVEL = "hard"
_ANALYSE_LEVEL = LEVELS[-1]

_MEDIA_TYPES = {"js": "text/javascript", "css": "text/css", "svg": "image/svg+xml", "html": "text/html"}
SHARED = ("board.js", "board.css", "theme.css")  # of `renju._page`
_CODES = {
    NotationError: "notation",
    IllegalMoveError: "illegal-move",
    PositionError: "position",
    FormatError: "format",
    EngineError: "engine",
}


def need_web() -> None:
    """`RenjuError` that says what to install, if the extra is missing."""
    try:
        import starlette  # noqa: F401
        import uvicorn  # noqa: F401
    except ImportError:
        raise RenjuError("the page needs starlette and uvicorn: pip install 'renju-engine[web]'") from None


def create_app(
    *,
    hosts: Collection[str],
    level: str | None = None,
    game: Game | None = None,
    puzzles: Sequence[Puzzle] | None = None,
    searches: int | None = None,
    explorer: str | os.PathLike[str] | None = None,
    proofs: str | os.PathLike[str] | None = None,
) -> Starlette:
    """The page as an ASGI application, for a server of one's own or for tests. `puzzles` are those of the
    puzzle page, by default the ones that come with the package.

    `hosts` are the names it may be called by, with the port, as in ``localhost:8225``; everything else is
    refused. `level` is chosen at first, else the one that was last used in this browser; `game` is shown at
    first. At most `searches` run at a time, by default one per processor, two at least. `explorer` is a
    file of `renju explore`, `proofs` one of `renju prove`; both are open until the application ends.
    """
    need_web()
    from starlette.applications import Starlette
    from starlette.middleware import Middleware
    from starlette.routing import Route

    if level is not None:
        EngineConfig.from_level(level)  # refuses what is no level
    if isinstance(hosts, str):
        raise TypeError("hosts is a collection of names, not a text")
    running = Searches(max(2, os.cpu_count() or 1) if searches is None else searches)
    sources = Sources(explorer, proofs)
    api = _Api(running, puzzles, sources)
    files = _files(level, game, sources)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> Any:
        yield
        running.close()
        sources.close()

    app = Starlette(
        routes=[
            *(Route(path, _static(files, name)) for path, name in _PAGES.items()),
            Route("/static/{name}", _static(files)),
            *(Route(f"/api/{name}", _post(answer), methods=["POST"]) for name, answer in api.answers.items()),
        ],
        middleware=[Middleware(Guard, hosts=hosts)],
        exception_handlers={Exception: _unexpected, 404: _http_error, 405: _http_error},
        lifespan=lifespan,
    )
    app.state.searches = running
    return app


class _Api:
    """What can be asked for, by name. Nothing is kept between two requests but searches at work."""

    def __init__(self, searches: Searches, own_puzzles: Sequence[Puzzle] | None, sources: Sources) -> None:
        self._searches, self._sources = searches, sources
        # What the page is told of the puzzles of the start, worked out when it is first asked for.
        self._puzzles = cache(lambda: shipped_puzzles() if own_puzzles is None else set_facts(own_puzzles))
        self.answers: dict[str, Handler] = {
            "position": self.position,
            "explain": self.explain,
            "book": self.book,
            "explorer": self.explorer,
            "sure": self.sure,
            "rule": self.rule,
            "decide": self.decide,
            "play": self.play,
            "analyse": self.analyse,
            "solve": self.solve,
            "review": self.review,
            "stop": self.stop,
            "load": self.load,
            "save": self.save,
            "puzzles": self.puzzles,
            "load-puzzles": self.load_puzzles,
            "attempt": self.attempt,
            "twincool": self.twincool,
            "advise": self.advise,
        }

    async def position(self, request: Request) -> Response:
        return _json(position_facts(board_of(await _fields(request))))

    async def explain(self, request: Request) -> Response:
        data = await _fields(request)
        point = on_board(data.text("point", 10))
        return _json(explained(board_of(data), point))

    async def book(self, request: Request) -> Response:
        return _json(book_facts(board_of(await _fields(request))))

    async def explorer(self, request: Request) -> Response:
        # Looked up beside the searches: it is short, and should not wait for them.
        return _json(await asyncio.to_thread(self._sources.explored, board_of(await _fields(request))))

    async def sure(self, request: Request) -> Response:
        return _json(await asyncio.to_thread(self._sources.sure, board_of(await _fields(request))))

    async def rule(self, request: Request) -> Response:
        return _json(rule_facts(*rule_of(await _fields(request))))

    async def decide(self, request: Request) -> Response:
        data = await _fields(request)
        game, _, refused = followed(*rule_of(data))
        if refused is not None or game.is_done:
            reason = "is over" if refused is None else f"refuses action {refused[0] + 1}: {refused[1]}"
            raise EngineError(f"the opening {reason}")
        return self._stream(RuleSearch(game, count_of(data, "seed", 0, _MOST_SEED, 0)), data)

    async def play(self, request: Request) -> Response:
        data = await _fields(request)
        seed = count_of(data, "seed", 0, _MOST_SEED, 0)
        limit = limit_of(data, "play", None)
        board, level = board_of(data), level_of(data, _LEVEL)
        search = EngineSearch(board, level, limit, seed=seed, is_play=True, proofs=self._sources.proofs)
        return self._stream(search, data)

    async def analyse(self, request: Request) -> Response:
        data = await _fields(request)
        multipv = count_of(data, "multipv", 1, _MOST_MULTIPV, 5)
        limit = limit_of(data, "analyse", _ANALYSE_SECONDS)
        threads = count_of(data, "threads", 1, cores(), 1)
        level = level_of(data, _ANALYSE_LEVEL)
        search = EngineSearch(board_of(data), level, limit, multipv, threads=threads)
        return self._stream(search, data)

    async def solve(self, request: Request) -> Response:
        data = await _fields(request)
        kind = choice_of(data, "kind", KINDS, KINDS[0])
        threat_limit = count_of(data, "threat_limit", THREAT_LIMITS[0], THREAT_LIMITS[-1], THREAT_LIMITS[0])
        lines = count_of(data, "lines", 1, _MOST_LINES, _MOST_LINES)
        limit = limit_of(data, "solve", _SOLVE_SECONDS)
        board = board_of(data)
        if board.outcome is not None:
            raise EngineError(f"the game is over: {board.outcome.reason}")
        color = color_of(data, "color")
        first = on_board(data.text("first", 10)) if "first" in data else None
        why = data.switch("why")
        return self._stream(ProofSearch(board, kind, color, limit, threat_limit, lines, first, why), data)

    async def review(self, request: Request) -> Response:
        data = await _fields(request)
        limit = limit_of(data, "review", None)
        return self._stream(ReviewSearch(game_of(data), level_of(data, _LEVEL), limit), data)

    async def stop(self, request: Request) -> Response:
        data = await _fields(request)
        return _json({"stopped": self._searches.stop(data.text("tab", 100))})

    async def load(self, request: Request) -> Response:
        body = await _body(request, _MOST_FILE)
        name = request.query_params.get("name", "")
        return _json(await self._searches.call(loaded, body, name))

    async def save(self, request: Request) -> Response:
        from starlette.responses import Response

        data, form = await self._searches.call(saved, await _fields(request, _MOST_TREE))
        headers = {"content-disposition": f'attachment; filename="renju.{form}"'}
        return Response(data, headers=headers, media_type=MEDIA_TYPES.get(form, "text/plain"))

    async def puzzles(self, request: Request) -> Response:
        await _fields(request)
        return _json(await self._searches.call(self._puzzles))

    async def load_puzzles(self, request: Request) -> Response:
        name = request.query_params.get("name", "")
        return _json(await self._searches.call(loaded_puzzles, await _body(request, _MOST_FILE), name))

    async def attempt(self, request: Request) -> Response:
        data = await _fields(request)
        return self._stream(attempt_of(data), data)

    async def twincool(self, request: Request) -> Response:
        return _json(table_of(await _fields(request)).facts())

    async def advise(self, request: Request) -> Response:
        data = await _fields(request)
        return self._stream(advice_of(data), data)

    def _stream(self, search: Search, data: Fields) -> Response:
        # An application is all that is asked of a response.
        return cast("Response", _SearchResponse(self._searches, search, data.text("tab", 100)))


class _SearchResponse:
    """Lines of JSON, each as soon as it is known; the search ends when the reader goes away."""

    def __init__(self, searches: Searches, search: Search, tab: str) -> None:
        self._searches, self._search, self._tab = searches, search, tab

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        sending = asyncio.ensure_future(self._send(scope, receive, send))
        leaving = asyncio.ensure_future(_left(receive))
        try:
            await asyncio.wait({sending, leaving}, return_when=asyncio.FIRST_COMPLETED)
            if sending.done():
                sending.result()
        finally:
            self._search.stop()
            for task in (sending, leaving):
                task.cancel()
            await asyncio.gather(sending, leaving, return_exceptions=True)

    async def _send(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_begun = False
        try:
            async with aclosing(self._searches.stream(self._search, self._tab)) as told:
                async for item in told:
                    if not is_begun:
                        headers = [(b"content-type", b"application/x-ndjson")]
                        await send({"type": "http.response.start", "status": 200, "headers": headers})
                        is_begun = True
                    line = json.dumps(item, ensure_ascii=False).encode() + b"\n"
                    await send({"type": "http.response.body", "body": line, "more_body": True})
            await send({"type": "http.response.body", "body": b""})
        except RefusedError as error:  # before the first line: there was no place for it
            await _error(error)(scope, receive, send)


async def _left(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def _post(answer: Handler) -> Handler:
    """The answer, with every error of ours as JSON."""

    async def handle(request: Request) -> Response:
        try:
            return await answer(request)
        except (RenjuError, ValueError) as error:
            return _error(error)

    return handle


def _error(error: Exception) -> Response:
    if isinstance(error, RefusedError):
        return _json({"error": {"code": error.code, "message": str(error)}}, error.status)
    code = next((code for kind, code in _CODES.items() if isinstance(error, kind)), "request")
    return _json({"error": {"code": code, "message": str(error)}}, 400)


async def _unexpected(_: Request, error: Exception) -> Response:
    """A bug: the page is told that there is one, the terminal which. This answer does not pass the guard."""
    message = "the server made a mistake; see its terminal"
    return _json({"error": {"code": "bug", "message": message}}, 500, HEADERS)


async def _http_error(_: Request, error: Exception) -> Response:
    status = getattr(error, "status_code", 404)
    message = "there is nothing here" if status == 404 else "this is asked for with POST"
    return _json({"error": {"code": "not-found" if status == 404 else "method", "message": message}}, status)


def _json(data: Mapping[str, Any], status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    from starlette.responses import JSONResponse

    return JSONResponse(data, status, headers)


async def _fields(request: Request, most: int = _MOST_JSON) -> Fields:
    """The fields of a request. A form of another site cannot send this type unasked."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise RefusedError("the body has to be application/json", "request", 415)
    return fields_of(await _body(request, most))


async def _body(request: Request, most: int) -> bytes:
    """The body, of which never more than `most` bytes are kept, and which is not waited for without end."""
    from starlette.requests import ClientDisconnect

    found = bytearray()
    try:
        async with asyncio.timeout(_BODY_SECONDS):
            async for chunk in request.stream():
                found += chunk
                if len(found) > most:
                    raise RefusedError(f"the body is larger than {most:,} bytes", "too-large", 413)
    except TimeoutError:
        raise RefusedError("the body did not come in time", "request", 408) from None
    except ClientDisconnect:
        raise RefusedError("the body ended early") from None  # nobody is left to read it
    return bytes(found)


def _static(files: Mapping[str, str], name: str | None = None) -> Handler:
    async def answer(request: Request) -> Response:
        from starlette.responses import Response

        wanted = request.path_params["name"] if name is None else name
        if wanted not in files:
            return await _http_error(request, KeyError(wanted))
        return Response(files[wanted], media_type=_MEDIA_TYPES[wanted.rpartition(".")[2]])

    return answer


def _timed_levels() -> list[str]:
    """The levels that the clock ends: the others come to their depth long before, so that a time per move
    would say nothing."""
    depths = {name: EngineConfig.from_level(name).depth for name in LEVELS}
    return [name for name, depth in depths.items() if depth == max(depths.values())]


def _files(level: str | None, game: Game | None, sources: Sources) -> dict[str, str]:
    """All files of the page, read once: what is not in here cannot be asked for."""
    folder = resources.files("renju.web").joinpath("static")
    files = {item.name: item.read_text("utf-8") for item in folder.iterdir() if item.name != "texts.json"}
    files |= {name: asset(name) for name in SHARED}
    # Inside of a script element only "<" could end it.
    settings = page_settings(level, game) | sources.settings()
    data = json.dumps(settings, ensure_ascii=False).replace("<", "\\u003c")
    data = data.encode(errors="replace").decode()  # halves of characters, which no page can hold
    # The settings last: what they hold is not ours.
    for name in _PAGES.values():
        files[name] = files[name].replace("{{board}}", board_svg()).replace("{{settings}}", data)
    return files


def page_settings(level: str | None, game: Game | None) -> dict[str, Any]:
    """What the page has to know of the engine and of this start, and its texts."""
    return {
        "texts": page_texts(),
        "start": secrets.token_hex(8),
        "level": level,
        "default_level": _LEVEL,
        "levels": list(LEVELS),
        "timed_levels": _timed_levels(),
        "threads": cores(),
        "formats": list(SAVED),
        "openings": [
            opening_facts(opening) | {"moves": list(map(str, opening.moves))} for opening in OPENINGS
        ],
        "rules": [[rule.value, rule.label] for rule in RULES],
        "most_bytes": _MOST_FILE,
        "game": None if game is None else game_facts(game),
    }
