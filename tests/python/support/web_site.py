"""The page of `renju board` on a port of its own, for tests: the real server in a thread."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPResponse
from threading import Thread
from typing import Any

import pytest

from support.waiting import PATIENCE_S, wait_until

__all__ = ["Answer", "Site", "running_site", "site"]


@dataclass
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def data(self) -> Any:
        return json.loads(self.body)

    @property
    def lines(self) -> list[Any]:
        return [json.loads(line) for line in self.body.splitlines()]

    @property
    def error(self) -> str:
        """The word of the error."""
        return self.data["error"]["code"]


@dataclass
class Site:
    port: int
    app: Any

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    @property
    def searches(self) -> Any:
        return self.app.state.searches

    def connect(self, method: str, path: str, body: bytes | None, headers: dict[str, str]) -> HTTPConnection:
        """A connection with the request sent; its answer is still to be read."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_S)
        connection.putrequest(method, path, skip_host=True)
        headers = {"Host": f"127.0.0.1:{self.port}", **headers}
        if body is not None:
            headers.setdefault("Content-Length", str(len(body)))
        for key, value in headers.items():
            connection.putheader(key, value)
        connection.endheaders(body)
        return connection

    def request(self, method: str, path: str, body: bytes | None = None, **headers: str) -> Answer:
        named = {key.replace("_", "-"): value for key, value in headers.items()}
        connection = self.connect(method, path, body, named)
        try:
            response = connection.getresponse()
            found = {key.lower(): value for key, value in response.getheaders()}
            return Answer(response.status, found, response.read())
        finally:
            connection.close()

    def get(self, path: str, **headers: str) -> Answer:
        return self.request("GET", path, **headers)

    def ask(self, name: str, data: Any, **headers: str) -> Answer:
        """A request with JSON, as the page sends it."""
        headers.setdefault("Content_Type", "application/json")
        return self.request("POST", f"/api/{name}", json.dumps(data).encode(), **headers)

    @contextmanager
    def stream(self, name: str, data: Any) -> Iterator[HTTPResponse]:
        """The answer while it is still written; leaving hangs up."""
        body = json.dumps(data).encode()
        connection = self.connect("POST", f"/api/{name}", body, {"Content-Type": "application/json"})
        response = connection.getresponse()
        try:
            yield response
        finally:
            if connection.sock is not None:
                connection.sock.shutdown(socket.SHUT_RDWR)
            response.close()
            connection.close()


@contextmanager
def running_site(**options: Any) -> Iterator[Site]:
    """A site with options of `create_app`; the test is skipped where the extra is missing."""
    pytest.importorskip("starlette", reason="starlette is not installed")
    pytest.importorskip("uvicorn", reason="uvicorn is not installed")
    from renju.web import create_app
    from renju.web import server as web_server

    listener = web_server.open_socket("127.0.0.1", 0)
    port = listener.getsockname()[1]
    app = create_app(hosts=web_server.hosts_of("127.0.0.1", port), **options)
    server = web_server.make_server(app)
    thread = Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        wait_until(lambda: server.started)
        yield Site(port, app)
    finally:
        server.should_exit = True
        thread.join(PATIENCE_S)
        listener.close()
        assert not thread.is_alive()


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    """The page with room for two searches, one for each test module. A module takes it with
    ``from support.web_site import site as site``."""
    with running_site(searches=2) as running:
        yield running
