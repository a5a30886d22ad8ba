"""Serve MCP over standard input and output, one line a message; everything else printed goes to standard error.

The server ends when its input ends and every request read is answered, or on SIGTERM. An escaped lone surrogate (half
a character, which JavaScript writes and no JSON reader takes) becomes U+FFFD, so that its request is answered.
"""

from __future__ import annotations

import asyncio
import os
import re
import signal
import sys
import threading
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import CancelledError
from typing import Any, cast

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from anyio.to_thread import current_default_thread_limiter
from mcp import types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage

_CHUNK = 65_536
_AHEAD = 16
"""Most lines read ahead of the server."""
_IDLE_S = 5.0
"""After the input has ended, a request that nobody works on for this long is given up."""
_ESCAPE = re.compile(
    r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(u[dD][89a-fA-F][0-9a-fA-F]{2})|.)"
)
"""A JSON escape: a pair of surrogates, a lone one (group 1), or any other, including an escaped backslash."""


def serve_stdio(server: Server[Any]) -> None:
    """Serve MCP over standard input and output until the input ends."""
    anyio.run(_serve, server)


def mended(line: str) -> str:
    """Replace escaped lone surrogates in a line of JSON by U+FFFD."""
    return _ESCAPE.sub(_whole, line) if "\\u" in line else line


def _whole(escape: re.Match[str]) -> str:
    return "\\ufffd" if escape[1] else escape[0]


def lines(descriptor: int) -> Iterator[str]:
    """Yield the lines of a file descriptor as they arrive; the last one may lack its line break."""
    rest = [b""]
    while chunk := os.read(descriptor, _CHUNK):
        *whole, last = chunk.split(b"\n")
        for line in whole:
            yield b"".join([*rest, line]).decode("utf-8", "replace")
            rest = []
        rest.append(last)
    if any(rest):
        yield b"".join(rest).decode("utf-8", "replace")


async def arriving(descriptor: int) -> AsyncIterator[str]:
    """Yield the lines of a descriptor without blocking the event loop, with lone surrogates replaced.

    A daemon thread reads them: only the end of the input ends its waiting, and the process may have to end earlier.
    """
    loop = asyncio.get_running_loop()
    read = asyncio.Queue[str | None](_AHEAD)

    def hand_over() -> None:
        try:
            for line in lines(descriptor):
                asyncio.run_coroutine_threadsafe(read.put(mended(line)), loop).result()
            asyncio.run_coroutine_threadsafe(read.put(None), loop).result()
        except (RuntimeError, CancelledError):
            return  # the server has ended

    threading.Thread(target=hand_over, name="reverie-input", daemon=True).start()
    while (line := await read.get()) is not None:
        yield line


class Finishing:
    """Delays the end of the input until the server has answered every request.

    Otherwise the server would end with its input and drop a call that came just before.
    """

    def __init__(self, incoming: Any, outgoing: Any) -> None:
        self._incoming = incoming
        self._outgoing = outgoing
        self._open: set[object] = set()
        self._answered = anyio.Event()

    async def take_in(self, onwards: MemoryObjectSendStream[SessionMessage | Exception]) -> None:
        """Pass messages to the server; after the last one, wait for the requests still open."""
        async with onwards, self._incoming:
            async for item in self._incoming:
                message = getattr(item, "message", None)
                if isinstance(message, types.JSONRPCRequest):
                    self._open.add(message.id)
                elif isinstance(message, types.JSONRPCNotification) and message.method == "notifications/cancelled":
                    self._close((message.params or {}).get("requestId"))
                await onwards.send(item)
            while self._open and await self._goes_on():
                pass

    async def hand_out(self, answers: MemoryObjectReceiveStream[SessionMessage]) -> None:
        """Pass the server's messages to the client."""
        async with self._outgoing, answers:
            async for item in answers:
                await self._outgoing.send(item)
                if isinstance(item.message, types.JSONRPCResponse | types.JSONRPCError):
                    self._close(item.message.id)

    def _close(self, request: object) -> None:
        self._open.discard(request)
        self._answered.set()

    async def _goes_on(self) -> bool:
        """Wait for an answer; False if none comes and no call is running."""
        self._answered = anyio.Event()
        with anyio.move_on_after(_IDLE_S) as waiting:
            await self._answered.wait()
        return not waiting.cancelled_caught or current_default_thread_limiter().borrowed_tokens > 0


async def _serve(server: Server[Any]) -> None:
    incoming_lines = arriving(os.dup(sys.stdin.fileno()))
    async with anyio.create_task_group() as group:
        group.start_soon(_until_told, group.cancel_scope)
        async with stdio_server(stdin=cast("anyio.AsyncFile[str]", incoming_lines)) as (incoming, outgoing):
            await serve(server, incoming, outgoing)
        group.cancel_scope.cancel()


async def serve(server: Server[Any], incoming: Any, outgoing: Any) -> None:
    """Serve one connection over a transport's streams; every request read is answered before it ends."""
    finishing = Finishing(incoming, outgoing)
    to_server, read = anyio.create_memory_object_stream[SessionMessage | Exception]()
    write, from_server = anyio.create_memory_object_stream[SessionMessage]()
    async with read, anyio.create_task_group() as group:
        group.start_soon(finishing.take_in, to_server)
        group.start_soon(finishing.hand_out, from_server)
        async with write:
            await server.run(read, write, server.create_initialization_options())


async def _until_told(serving: anyio.CancelScope) -> None:
    """Stop serving when the process gets SIGTERM.

    The signal arrives as a message to the event loop, because an exception raised there might be swallowed.
    """
    if sys.platform == "win32":  # only the end of the input ends it there
        return
    with anyio.open_signal_receiver(signal.SIGTERM) as told:
        async for _ in told:
            serving.cancel()
