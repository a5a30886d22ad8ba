"""Limits on a server's connections: how many one address may hold, and how long a request may take to arrive.

Connections that send nothing, send too slowly, or do not read their answer are closed; all others are passed to the
server's own protocol. A process may hold about a thousand connections, which half-sent requests would use up.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    """Most connections for one address and in all, and the seconds for a request's head and its body.

    A body may take ``body_s`` plus one second for each ``bytes_per_s`` received. A client has to read a waiting answer
    at ``bytes_per_s`` as well, checked every ``answer_s``.
    """

    per_address: int = 256
    in_all: int = 512
    head_s: float = 20.0
    body_s: float = 20.0
    bytes_per_s: int = 500
    answer_s: float = 20.0


LIMITS = ConnectionLimits()


class Connections:
    """The open connections of one server. At the limit, the oldest whose request is incomplete is closed first."""

    def __init__(self, limits: ConnectionLimits = LIMITS) -> None:
        self.limits = limits
        self._held: dict[ClientConnection, str] = {}
        self._by_address: dict[str, int] = {}

    def protocol(self, inner: Callable[..., asyncio.BaseProtocol]) -> Callable[..., asyncio.Protocol]:
        """Return a protocol factory that wraps ``inner``'s protocols with these limits."""

        def made(**parts: Any) -> asyncio.Protocol:
            return ClientConnection(self, cast("asyncio.Protocol", inner(**parts)))

        return made

    def enter(self, one: ClientConnection, address: str) -> bool:
        """Whether a new connection is admitted; at the limit it replaces one whose request is incomplete."""
        limits = self.limits
        if self._by_address.get(address, 0) >= limits.per_address and not self._part_with_one(address):
            return False
        if len(self._held) >= limits.in_all and not self._part_with_one(None):
            return False
        self._held[one] = address
        self._by_address[address] = self._by_address.get(address, 0) + 1
        return True

    def leave(self, one: ClientConnection) -> None:
        """Remove a closed connection."""
        address = self._held.pop(one, None)
        if address is None:
            return
        self._by_address[address] -= 1
        if not self._by_address[address]:
            del self._by_address[address]

    def _part_with_one(self, address: str | None) -> bool:
        """Close the oldest connection with an incomplete request (of one address, or of any for None); return
        whether there was one.
        """
        for one, held_by in self._held.items():
            if address in (None, held_by) and one.is_waiting:
                one.end()
                return True
        return False


class ClientConnection(asyncio.Protocol):
    """One connection: pass its data to the inner protocol, and close it if the request does not arrive in time."""

    def __init__(self, all_of_them: Connections, inner: asyncio.Protocol) -> None:
        self._all = all_of_them
        self._inner = inner
        self._transport: asyncio.Transport | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._answering: asyncio.TimerHandle | None = None
        self._began_s = 0.0
        self._received = 0
        self._is_in = False
        self._done: object = None

    @property
    def is_waiting(self) -> bool:
        """Whether the server waits for the client: no request was sent, or its head or body is incomplete."""
        return not self._has_head or bool(self._cycle.more_body)

    @property
    def _cycle(self) -> Any:
        """The request that uvicorn's protocol currently answers, with its state; None before the first."""
        return cast("Any", self._inner).cycle

    @property
    def _has_head(self) -> bool:
        return self._cycle is not None and not self._cycle.response_complete

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Admit the connection, or close it at once."""
        self._transport = cast("asyncio.Transport", transport)
        peer = transport.get_extra_info("peername")
        self._is_in = self._all.enter(self, str(peer[0]) if isinstance(peer, tuple) and peer else "")
        if not self._is_in:
            self._transport.abort()
            return
        self._inner.connection_made(transport)
        self._await_request()

    def data_received(self, data: bytes) -> None:
        """Pass data to the inner protocol. The timer runs from a request's first bytes to its last."""
        if not self._is_in:
            return
        done = self._cycle if self._cycle is not None and self._cycle.response_complete else None
        if self._timer is None or done is not self._done:
            self._stop()
            self._done = done
            self._await_request()
        self._received += len(data)
        self._inner.data_received(data)
        if not self.is_waiting:
            self._stop()

    def eof_received(self) -> bool | None:
        """Pass the end of input to the inner protocol."""
        return self._inner.eof_received() if self._is_in else None

    def pause_writing(self) -> None:
        """Pass the pause to the inner protocol. The write buffer is full: from now on the client has to read."""
        self._inner.pause_writing()
        self._expect_taken()

    def resume_writing(self) -> None:
        """Pass the end of the pause to the inner protocol."""
        self._await_nothing_taken()
        self._inner.resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        """Free the connection's place."""
        self._stop()
        self._await_nothing_taken()
        self._all.leave(self)
        if self._is_in:
            self._inner.connection_lost(exc)

    def end(self) -> None:
        """Close the connection at once, even in the middle of an answer."""
        self._stop()
        self._await_nothing_taken()
        self._all.leave(self)
        if self._transport is not None:
            self._transport.abort()

    def _await_request(self) -> None:
        self._received = 0
        self._began_s = asyncio.get_running_loop().time()
        self._look_again(self._all.limits.head_s)

    def _look_again(self, in_s: float) -> None:
        self._timer = asyncio.get_running_loop().call_later(in_s, self._look)

    def _look(self) -> None:
        """Close the connection if its request is late; go on waiting while the body is fast enough or the server paused
        it.
        """
        self._timer = None
        if not self.is_waiting:
            return
        limits, waited_s = self._all.limits, asyncio.get_running_loop().time() - self._began_s
        allowed_s = limits.head_s
        if self._has_head:
            allowed_s += limits.body_s + self._received / limits.bytes_per_s
        is_held_up = self._has_head and bool(cast("Any", self._inner).flow.read_paused)
        if waited_s >= allowed_s and not is_held_up:
            self.end()
            return
        self._look_again(max(allowed_s - waited_s, limits.body_s / 4))

    def _expect_taken(self) -> None:
        """Schedule a check whether the client reads enough of the waiting answer."""
        assert self._transport is not None
        waits = self._transport.get_write_buffer_size()
        self._await_nothing_taken()
        self._answering = asyncio.get_running_loop().call_later(self._all.limits.answer_s, self._look_taken, waits)

    def _look_taken(self, waited: int) -> None:
        """Close the connection if the client does not read. The server writes nothing meanwhile, so the buffer only
        shrinks.
        """
        assert self._transport is not None
        limits = self._all.limits
        if waited - self._transport.get_write_buffer_size() < limits.bytes_per_s * limits.answer_s:
            self.end()
        else:
            self._expect_taken()

    def _await_nothing_taken(self) -> None:
        if self._answering is not None:
            self._answering.cancel()
            self._answering = None

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
