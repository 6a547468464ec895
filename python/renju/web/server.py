"""The server of the page on this machine."""

from __future__ import annotations

import errno
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable, Collection, Sequence
from contextlib import closing
from ipaddress import ip_address
from os import PathLike
from types import FrameType
from typing import TYPE_CHECKING, Any

from renju.game import Game
from renju.web.app import create_app, need_web

if TYPE_CHECKING:
    from uvicorn import Server

    from renju.puzzles import Puzzle

__all__ = ["hosts_of", "is_loopback", "make_server", "open_socket", "serve"]

_LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
_ALL_NETWORKS = ("", "0.0.0.0", "::")
_HTTP_PORT = 80
# Connections, of which a browser opens six for each tab.
_MOST_CONNECTIONS = 100
# Seconds that answers may still take when the server ends; searches are stopped before.
_LAST_SECONDS = 2


def serve(
    host: str = "127.0.0.1",
    port: int = 8225,
    *,
    names: Collection[str] = (),
    level: str | None = None,
    game: Game | None = None,
    explorer: str | PathLike[str] | None = None,
    proofs: str | PathLike[str] | None = None,
    open_browser: bool = True,
    puzzles: Sequence[Puzzle] | None = None,
) -> None:
    """Serves the page until Ctrl-C, which is a `KeyboardInterrupt`. The address is printed. `puzzles` are
    those of the puzzle page, by default the ones that come with the package.

    `port` 0 takes any that is free. `names` are further names the page may be called by; needed where `host`
    is that of a network, or all of them. `level` is chosen at first, else the one that was last
    used in the browser; `game` is shown at first, and `open_browser` opens the page. `explorer` is a file of
    `renju explore` and `proofs` one of `renju prove` for the page to show.
    """
    need_web()
    with closing(open_socket(host, port)) as listener:
        port = listener.getsockname()[1]
        address = f"http://{_in_address(host)}:{port}/"
        if not is_loopback(host):
            print(
                f"renju: warning: {host} is open to other machines. There is no password: whoever reaches it "
                "can let this machine think.",
                file=sys.stderr,
            )

        def started() -> None:
            print(f"renju board: {address} (Ctrl-C ends it)", flush=True)
            if open_browser:
                # Some browsers come back only when they are closed.
                threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()

        app = create_app(
            hosts=hosts_of(host, port, names),
            level=level,
            game=game,
            puzzles=puzzles,
            explorer=explorer,
            proofs=proofs,
        )
        make_server(app, started).run(sockets=[listener])


def make_server(app: Any, started: Callable[[], None] | None = None) -> Server:
    """A server for the application; `started` is called when it listens."""
    import uvicorn

    from renju.web.connections import BoardProtocol

    class BoardServer(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            if started is not None and self.started:
                started()

        def handle_exit(self, sig: int, frame: FrameType | None) -> None:
            app.state.searches.stop_all()
            super().handle_exit(sig, frame)

    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        http=BoardProtocol,
        ws="none",
        loop="asyncio",
        lifespan="on",
        proxy_headers=False,  # nobody stands between the browser and us
        server_header=False,
        limit_concurrency=_MOST_CONNECTIONS,
        timeout_graceful_shutdown=_LAST_SECONDS,
    )
    return BoardServer(config)


def open_socket(host: str, port: int) -> socket.socket:
    """A socket that listens there; `OSError` says why not."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, _, _, _, address = found[0]
        return socket.create_server(address, family=family)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise OSError(f"port {port} is taken; --port 0 finds a free one") from None
        raise OSError(f"{host}:{port}: {error.strerror or error}") from None


def hosts_of(host: str, port: int, names: Collection[str] = ()) -> set[str]:
    """What a request may call the server: this machine for itself, the host it is bound to, other names.

    >>> sorted(hosts_of("127.0.0.1", 8225, ["go.example"]))
    ['127.0.0.1:8225', '[::1]:8225', 'go.example:8225', 'localhost:8225']
    """
    known = {*_LOOPBACK, _in_address(host), *map(_in_address, names)}
    return {f"{name}:{port}" for name in known} | (known if port == _HTTP_PORT else set())


def is_loopback(host: str) -> bool:
    """Can only this machine reach it?"""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"


def _in_address(host: str) -> str:
    """A host as addresses have it; "all networks" is none, and this machine is one of them."""
    if host in _ALL_NETWORKS:
        return _LOOPBACK[0]
    return f"[{host}]" if ":" in host else host
