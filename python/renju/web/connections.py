"""Connections that keep nobody out: whoever asks for nothing, or only half, makes room for those who do.

The server has a bounded number of places. A browser leaves idle connections behind, and anybody can open many
and send half a request, or never read an answer. Each of these states has a time limit, and when the places
run out, the connection that has waited longest without a whole request gives up its place at once.
"""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

__all__ = ["BoardProtocol"]

# Seconds from the first byte of a request, or from the start of a connection, to the end of the headers. The
# body has its own limit, in the application.
HEADERS_S = 10.0
# Seconds that an answer may wait for its reader.
UNREAD_S = 30.0


class BoardProtocol(H11Protocol):
    """HTTP with a time limit on every state in which the other side decides when it ends."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._since = self.loop.time()
        self._headers_timer: asyncio.TimerHandle | None = None
        self._unread_timer: asyncio.TimerHandle | None = None

    @property
    def patience(self) -> int | None:
        """How readily the connection gives up its place: 0 has no request whose headers are complete, 1 has
        one whose body is not; None for one that is being answered."""
        cycle: RequestResponseCycle | None = self.cycle
        if cycle is None or cycle.response_complete:
            return 0
        return 1 if cycle.more_body and not cycle.response_started else None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._make_room()
        self._watch_headers()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._watch_headers()

    def connection_lost(self, exc: Exception | None) -> None:
        for timer in (self._headers_timer, self._unread_timer):
            if timer is not None:
                timer.cancel()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        super().pause_writing()
        if self._unread_timer is None:
            self._unread_timer = self.loop.call_later(UNREAD_S, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._unread_timer is not None:
            self._unread_timer.cancel()
            self._unread_timer = None

    def _watch_headers(self) -> None:
        """Starts the clock of the headers, or stops it when they are complete. Bytes that trickle in do not
        set it back."""
        if self.patience != 0:
            if self._headers_timer is not None:
                self._headers_timer.cancel()
                self._headers_timer = None
        elif self._headers_timer is None:
            self._since = self.loop.time()
            self._headers_timer = self.loop.call_later(HEADERS_S, self.transport.abort)

    def _make_room(self) -> None:
        """Hangs up on those who wait for nothing, the most patient and the oldest first, until a request of
        this connection would be answered."""
        others = [other for other in self.connections if other is not self]
        ready = [other for other in others if isinstance(other, BoardProtocol) and other.patience is not None]
        ready.sort(key=lambda other: (other.patience, other._since), reverse=True)
        while ready and len(self.connections) >= (self.limit_concurrency or len(self.connections) + 1):
            other = ready.pop()
            self.connections.discard(other)
            other.transport.abort()
