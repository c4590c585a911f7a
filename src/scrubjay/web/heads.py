"""Connections whose requests do not begin: closed, so that nobody holds many of them open."""

from __future__ import annotations

import asyncio

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

SECONDS = 10.0
"""How long the head of a request may take, from the connection (over TLS, from the end of its
handshake) or from its first byte."""


class PunctualProtocol(H11Protocol):
    """HTTP as uvicorn speaks it, but for heads that are late.

    Bodies are the gate's to watch; the rest of one that was answered before it came is not waited
    for longer than a head.
    """

    _late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for the first request, and not for ever."""
        super().connection_made(transport)
        self._expect_head()

    def data_received(self, data: bytes) -> None:
        """Go on with what came; a head that is still open keeps the time it had."""
        super().data_received(data)
        answered = self.conn.our_state in (h11.DONE, h11.MUST_CLOSE)
        if self.conn.their_state is h11.IDLE or (answered and not self._is_over()):
            self._expect_head()
        else:
            self._expect_nothing()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._expect_nothing()
        super().connection_lost(exc)

    def _is_over(self) -> bool:
        """Tell whether the client has sent all of its request."""
        return self.conn.their_state in (h11.DONE, h11.MUST_CLOSE, h11.CLOSED)

    def _expect_head(self) -> None:
        if self._late is None:
            self._late = self.loop.call_later(SECONDS, self.transport.abort)

    def _expect_nothing(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None
