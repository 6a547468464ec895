"""Who may ask: the page itself and nobody else in the same browser.

Any site that is open in a browser can send requests to this machine, and by a name that it resolves to
127.0.0.1 even read the answers. So the name that a request came for is checked (`Host`), and whose page sent
it (`Origin`, `Sec-Fetch-Site`).
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Collection, Iterable, MutableMapping
from typing import Any, TypeAlias

__all__ = ["HEADERS", "Guard", "error_body"]

Scope: TypeAlias = MutableMapping[str, Any]
Message: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]
App: TypeAlias = Callable[[Scope, Receive, Send], Awaitable[None]]

CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' blob:",  # blob: pictures that the page itself makes, to save the board as PNG
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)

HEADERS = {
    "content-security-policy": CONTENT_SECURITY_POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}
"""Headers of HTTP that every answer carries."""

# Who may have caused a request: our own page, or the person by the address bar.
_OWN_SITES = ("same-origin", "none")


def error_body(code: str, message: str) -> bytes:
    return json.dumps({"error": {"code": code, "message": message}}, ensure_ascii=False).encode()


class Guard:
    """Stands before the application."""

    def __init__(self, app: App, hosts: Collection[str]) -> None:
        self._app = app
        self._hosts = frozenset(host.lower() for host in hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            return  # no sockets are spoken here: the server refuses them
        refusal = self._refusal(scope["method"], scope["headers"])
        if refusal is None:
            await self._app(scope, receive, _with_headers(send))
            return
        body = error_body(*refusal)
        headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
        send = _with_headers(send)
        await send({"type": "http.response.start", "status": 403, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    def _refusal(self, method: str, headers: Iterable[tuple[bytes, bytes]]) -> tuple[str, str] | None:
        """Why a request is refused, as a word and a text."""
        values: dict[str, list[str]] = {}
        for key, value in headers:
            values.setdefault(key.decode("latin-1").lower(), []).append(value.decode("latin-1"))
        hosts = [host.lower() for host in values.get("host", [])]
        if len(hosts) != 1 or hosts[0] not in self._hosts:
            return "host", "this address is not the one the server was started for"
        if method in ("GET", "HEAD"):
            return None  # nothing is done and nothing is told that is not public
        for origin in values.get("origin", []):
            if origin.lower() != f"http://{hosts[0]}":
                return "origin", "only the page of this server may ask"
        for site in values.get("sec-fetch-site", []):
            if site not in _OWN_SITES:
                return "origin", "only the page of this server may ask"
        return None


def _with_headers(send: Send) -> Send:
    async def send_guarded(message: Message) -> None:
        if message["type"] == "http.response.start":
            own = [(key.encode(), value.encode()) for key, value in HEADERS.items()]
            message = {**message, "headers": [*message.get("headers", ()), *own]}
        await send(message)

    return send_guarded
