"""Connections: who may hold how many, and how long a request may take to arrive.

In: connections as they are made. Out: the same, for a server's own protocol to answer; those that send nothing, or by
drops, are closed, and so are those that do not take their answer. The system gives a process some thousand connections:
half-sent requests would use them up.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    """How many connections one address and all may hold, and seconds for a request's head and for its body.

    A body may take ``body_s``, and a second more for each ``bytes_per_s``. Of an answer that waits, a client has to
    take ``bytes_per_s`` too, looked at every ``answer_s``.
    """

    per_address: int = 256
    in_all: int = 512
    head_s: float = 20.0
    body_s: float = 20.0
    bytes_per_s: int = 500
    answer_s: float = 20.0


LIMITS = ConnectionLimits()


class Connections:
    """The connections of one server. Where there are too many, the oldest that has not sent its request goes first."""

    def __init__(self, limits: ConnectionLimits = LIMITS) -> None:
        self.limits = limits
        self._held: dict[ClientConnection, str] = {}
        self._by_address: dict[str, int] = {}

    def protocol(self, inner: Callable[..., asyncio.BaseProtocol]) -> Callable[..., asyncio.Protocol]:
        """What makes protocols that answer as ``inner``'s do, within the limits."""

        def made(**parts: Any) -> asyncio.Protocol:
            return ClientConnection(self, cast("asyncio.Protocol", inner(**parts)))

        return made

    def enter(self, one: ClientConnection, address: str) -> bool:
        """Whether a new connection has its place; it takes the place of one that waits where all are taken."""
        limits = self.limits
        if self._by_address.get(address, 0) >= limits.per_address and not self._part_with_one(address):
            return False
        if len(self._held) >= limits.in_all and not self._part_with_one(None):
            return False
        self._held[one] = address
        self._by_address[address] = self._by_address.get(address, 0) + 1
        return True

    def leave(self, one: ClientConnection) -> None:
        """The connection is no more."""
        address = self._held.pop(one, None)
        if address is None:
            return
        self._by_address[address] -= 1
        if not self._by_address[address]:
            del self._by_address[address]

    def _part_with_one(self, address: str | None) -> bool:
        """Close the oldest connection, of an address or of any, whose request is not there; whether there was one."""
        for one, held_by in self._held.items():
            if address in (None, held_by) and one.is_waiting:
                one.end()
                return True
        return False


class ClientConnection(asyncio.Protocol):
    """One connection: all it brings goes to the protocol within, which has to be there in time."""

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
        """Whether it is the client's turn: the head or the body of a request is not whole, or none was sent."""
        return not self._has_head or bool(self._cycle.more_body)

    @property
    def _cycle(self) -> Any:
        """The request that uvicorn's protocols answer, and its state; None before the first."""
        return cast("Any", self._inner).cycle

    @property
    def _has_head(self) -> bool:
        return self._cycle is not None and not self._cycle.response_complete

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Let it in, or close it at once."""
        self._transport = cast("asyncio.Transport", transport)
        peer = transport.get_extra_info("peername")
        self._is_in = self._all.enter(self, str(peer[0]) if isinstance(peer, tuple) and peer else "")
        if not self._is_in:
            self._transport.abort()
            return
        self._inner.connection_made(transport)
        self._await_request()

    def data_received(self, data: bytes) -> None:
        """Hand it on. The clock starts with a request's first bytes, and stops with its last."""
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
        """Hand it on."""
        return self._inner.eof_received() if self._is_in else None

    def pause_writing(self) -> None:
        """Hand it on. More of an answer waits than is held for a client: from now on it has to take it."""
        self._inner.pause_writing()
        self._expect_taken()

    def resume_writing(self) -> None:
        """Hand it on."""
        self._await_nothing_taken()
        self._inner.resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        """Give the place back."""
        self._stop()
        self._await_nothing_taken()
        self._all.leave(self)
        if self._is_in:
            self._inner.connection_lost(exc)

    def end(self) -> None:
        """Close it without an answer, or amid one: nobody waits for it."""
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
        """Close what is late; wait on where the body comes as fast as it has to, or the server itself has it wait."""
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
        """Look again whether enough of what waits now was taken by then."""
        assert self._transport is not None
        waits = self._transport.get_write_buffer_size()
        self._await_nothing_taken()
        self._answering = asyncio.get_running_loop().call_later(self._all.limits.answer_s, self._look_taken, waits)

    def _look_taken(self, waited: int) -> None:
        """Close it where nobody reads; the server writes nothing more meanwhile, so what waits only grows less."""
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
