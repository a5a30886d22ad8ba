"""Connections that bring half a request, or bring it by drops, beside clients that ask honestly."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import cast

import httpx
import pytest
import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.auto import AutoHTTPProtocol
from uvicorn.protocols.http.h11_impl import H11Protocol

from reverie.wire.connections import ConnectionLimits, Connections

HALF_HEAD = b"GET / HTTP/1.1\r\nHost: here\r\nX-"
HALF_BODY = b"POST / HTTP/1.1\r\nHost: here\r\nContent-Length: 1000\r\n\r\nhalf"
PATIENCE_S = 30.0
CLIENTS = 16


async def echo(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer with the number of bytes that came."""
    if scope["type"] != "http":
        return
    size, more = 0, True
    while more:
        message = await receive()
        if message["type"] != "http.request":
            return
        size += len(message["body"])
        more = message.get("more_body", False)
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": str(size).encode()})


@contextmanager
def served(
    limits: ConnectionLimits, inner: type[asyncio.Protocol] = AutoHTTPProtocol, app: ASGIApp = echo
) -> Iterator[int]:
    """A server with these limits, and its port."""
    http = cast("type[asyncio.Protocol]", Connections(limits).protocol(inner))
    server = uvicorn.Server(uvicorn.Config(app, http=http, ws="none", lifespan="off", log_config=None))
    with socket.create_server(("127.0.0.1", 0), backlog=2048) as listening:
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            yield listening.getsockname()[1]
        finally:
            server.should_exit = True
            thread.join(PATIENCE_S)


def connected(port: int, stack: ExitStack, begins: bytes) -> socket.socket:
    """A connection that has begun to send."""
    one = stack.enter_context(socket.create_connection(("127.0.0.1", port), PATIENCE_S))
    one.sendall(begins)
    return one


@pytest.mark.parametrize("inner", [AutoHTTPProtocol, H11Protocol])
@pytest.mark.parametrize("begins", [b"", HALF_HEAD, HALF_BODY])
def test_half_sent_requests_keep_nobody_out(
    begins: bytes, inner: type[asyncio.Protocol], share: Callable[[int], int]
) -> None:
    """While many more connections hang than may, sixteen clients of the same address go on being answered."""
    with served(ConnectionLimits(per_address=32, in_all=64), inner) as port, ExitStack() as stack:
        clients = [stack.enter_context(httpx.Client(timeout=PATIENCE_S)) for _ in range(CLIENTS)]
        for number in range(share(1100)):
            _try_connect(port, stack, begins)
            if number % 32 == 0:
                for client in clients:
                    assert _asked(client, port) == "3"


def _try_connect(port: int, stack: ExitStack, begins: bytes) -> None:
    with suppress(ConnectionResetError, BrokenPipeError):  # closed for a newer one before it had sent anything
        connected(port, stack, begins)


def _asked(client: httpx.Client, port: int) -> str:
    """What a client is answered; like every client, it asks again where its idle connection was closed."""
    try:
        return client.post(f"http://127.0.0.1:{port}/", content=b"abc").text
    except (httpx.RemoteProtocolError, httpx.ReadError, httpx.WriteError):
        return client.post(f"http://127.0.0.1:{port}/", content=b"abc").text


@pytest.mark.parametrize("begins", [b"", HALF_HEAD, HALF_BODY])
def test_what_does_not_arrive_is_not_waited_for(begins: bytes) -> None:
    """A head, and a body, has its time; then the connection is closed."""
    with served(ConnectionLimits(head_s=0.2, body_s=0.2)) as port, ExitStack() as stack:
        assert _is_closed(connected(port, stack, begins))


def test_a_body_by_drops_is_not_waited_for() -> None:
    """A body has to come at some speed; one that is slow and fast enough is taken."""
    limits = ConnectionLimits(head_s=0.2, body_s=0.2, bytes_per_s=1000)
    with served(limits) as port, ExitStack() as stack:
        dropping = connected(port, stack, HALF_BODY)
        dropping.settimeout(0.05)
        _drop_for_ever(dropping)

        def slowly() -> Iterator[bytes]:
            for _ in range(8):
                yield b"y" * 1000
                waiting.wait(0.06)

        waiting = threading.Event()
        assert httpx.post(f"http://127.0.0.1:{port}/", content=slowly(), timeout=PATIENCE_S).text == "8000"


class _Transport(asyncio.Transport):
    """One whose client takes as much of an answer as a test says."""

    def __init__(self, waits: int) -> None:
        super().__init__()
        self.waits = waits
        self.is_ended = False

    def get_write_buffer_size(self) -> int:
        return self.waits

    def abort(self) -> None:
        self.is_ended = True


@pytest.mark.parametrize(("a_look", "ends_after"), [(0, 1), (999, 1), (1000, None), (50_000, None)])
def test_an_answer_that_is_not_taken_is_not_kept(a_look: int, ends_after: int | None) -> None:
    """Who takes less than so many bytes a second of what waits is let go; who takes as much is waited for."""
    looks: list[Callable[[], object]] = []

    class Loop:
        def time(self) -> float:
            return 0.0

        def call_later(self, _: float, then: Callable[..., object], *given: object) -> asyncio.TimerHandle:
            looks.append(lambda: then(*given))
            return asyncio.TimerHandle(0.0, then, given, cast("asyncio.AbstractEventLoop", self))

        def get_debug(self) -> bool:
            return False

        def _timer_handle_cancelled(self, _: asyncio.TimerHandle) -> None:
            """Nothing waits for it."""

    class Inner(asyncio.Protocol):
        cycle = None

    all_of_them = Connections(ConnectionLimits(bytes_per_s=50, answer_s=20.0))
    transport = _Transport(10_000_000)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(asyncio, "get_running_loop", Loop)
        one = cast("asyncio.Protocol", all_of_them.protocol(Inner)())
        one.connection_made(transport)
        looks.clear()
        one.pause_writing()
        for _ in range(100):
            transport.waits -= a_look
            looks.pop()()
            if transport.is_ended:
                break
    assert transport.is_ended == (ends_after is not None)
    assert bool(looks) != transport.is_ended


def test_a_client_that_never_reads_is_let_go() -> None:
    """Over a real socket: the answer is longer than all buffers, and nobody takes it."""
    is_over, whole = threading.Event(), 64 << 20

    async def long(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": bytes(whole), "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})  # waits until there is room
        is_over.set()

    with served(ConnectionLimits(answer_s=0.05), app=long) as port, ExitStack() as stack:
        hanging = connected(port, stack, b"GET / HTTP/1.1\r\nHost: here\r\n\r\n")
        assert is_over.wait(PATIENCE_S)
        taken = 0
        with suppress(ConnectionResetError):
            while part := hanging.recv(1 << 20):
                taken += len(part)
    assert taken < whole


def _is_closed(connection: socket.socket) -> bool:
    """Whether the server closes a connection without an answer."""
    try:
        return connection.recv(1) == b""
    except ConnectionResetError:
        return True


def _drop_for_ever(connection: socket.socket) -> None:
    """Send a byte at a time until the connection is closed."""
    with suppress(ConnectionResetError, BrokenPipeError):
        while True:
            connection.sendall(b"x")
            with suppress(TimeoutError):
                if connection.recv(1) == b"":
                    return


def test_where_every_place_is_taken_by_work_a_new_connection_is_closed() -> None:
    """Nobody whose request runs is sent away for another."""
    running, may_end = threading.Event(), threading.Event()

    async def slow(scope: Scope, receive: Receive, send: Send) -> None:
        await receive()
        running.set()
        while not may_end.is_set():
            await asyncio.sleep(0.01)
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    http = cast("type[asyncio.Protocol]", Connections(ConnectionLimits(per_address=1)).protocol(AutoHTTPProtocol))
    server = uvicorn.Server(uvicorn.Config(slow, http=http, ws="none", lifespan="off", log_config=None))
    with socket.create_server(("127.0.0.1", 0)) as listening, ExitStack() as stack:
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        port = listening.getsockname()[1]
        busy = connected(port, stack, b"GET / HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n")
        assert running.wait(PATIENCE_S)
        assert _is_closed(connected(port, stack, b""))
        may_end.set()
        assert b" 204 " in busy.recv(1000)
        server.should_exit = True
        thread.join(PATIENCE_S)
