"""Serving over the standard streams: in, lines of the protocol; out, lines of the protocol and nothing else.

Whatever else is printed goes to the error stream. The server ends when its input does, or when it is told to. Half a
character that a client escaped (a lone surrogate, which JavaScript writes and no JSON reader takes) becomes U+FFFD, so
that its request is answered.
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
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

_CHUNK = 65_536
_AHEAD = 16
"""So many lines are read before they are served."""
_ESCAPE = re.compile(
    r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(u[dD][89a-fA-F][0-9a-fA-F]{2})|.)"
)
"""An escape of JSON: a pair of surrogates, a lone one, or any other, a backslash's own among them."""


def serve_stdio(server: Server[Any]) -> None:
    """Serve until the input ends."""
    anyio.run(_serve, server)


def mended(line: str) -> str:
    """A line of JSON without escaped lone surrogates."""
    return _ESCAPE.sub(_whole, line) if "\\u" in line else line


def _whole(escape: re.Match[str]) -> str:
    return "\\ufffd" if escape[1] else escape[0]


def lines(descriptor: int) -> Iterator[str]:
    """The lines of a descriptor, as it brings them; the last one may lack its end."""
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
    """The same, mended, while the server works.

    The thread that waits for them is a daemon: nothing but an end of the input ends its waiting, and the process may
    have to go before.
    """
    loop = asyncio.get_running_loop()
    read = asyncio.Queue[str | None](_AHEAD)

    def hand_over() -> None:
        try:
            for line in lines(descriptor):
                asyncio.run_coroutine_threadsafe(read.put(mended(line)), loop).result()
            asyncio.run_coroutine_threadsafe(read.put(None), loop).result()
        except (RuntimeError, CancelledError):
            return  # nobody serves any more

    threading.Thread(target=hand_over, name="reverie-input", daemon=True).start()
    while (line := await read.get()) is not None:
        yield line


async def _serve(server: Server[Any]) -> None:
    incoming_lines = arriving(os.dup(sys.stdin.fileno()))
    async with anyio.create_task_group() as group:
        group.start_soon(_until_told, group.cancel_scope)
        async with stdio_server(stdin=cast("anyio.AsyncFile[str]", incoming_lines)) as (incoming, outgoing):
            await server.run(incoming, outgoing, server.create_initialization_options())
        group.cancel_scope.cancel()


async def _until_told(serving: anyio.CancelScope) -> None:
    """End the serving when the process is asked to terminate.

    As a message to the loop: an exception raised wherever the loop happens to be may be swallowed there.
    """
    if sys.platform == "win32":  # where only the end of the input ends it
        return
    with anyio.open_signal_receiver(signal.SIGTERM) as told:
        async for _ in told:
            serving.cancel()
